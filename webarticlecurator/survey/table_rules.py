"""A table of decided tags becomes rules of a portal file: few that say what the rows want, and the proof that they do."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from cssselect import parser as css
from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.tag_dictionary import TagLayer
from webarticlecurator.config.yaml_edits import CannotEdit, YamlStyle, editable, edited, said_in
from webarticlecurator.databases import Row
from webarticlecurator.errors import CuratorError, Mistake, PortalFileError, UsageError
from webarticlecurator.extraction.body.tag_rules import Decision, Lookup, decision_by, general_layer
from webarticlecurator.labelling.simplified_tags import Tag
from webarticlecurator.own_patterns import linear
from webarticlecurator.selectors import Scope, Selector, plain_dialect
from webarticlecurator.survey.inventory.element_rules import one_by_one, selectors_in
from webarticlecurator.survey.rule_choice import NewRule, RuleChoice, WantedRow, selector_pieces
from webarticlecurator.survey.tag_table import Table, TagDecision, contradiction

_LINE = linear(r":\d+ ")
"""In `portal.yaml:31 div.ajanlo`; the number moves when the file is edited."""


def apply_table(table: Table, portal: str | Path, *, agreement: float = 1.0) -> Row:
    """The portal file with the fewest rules under which at least that share of the elements is decided as the table says.

    Nothing is written yet: the file is told `before` and `after`, with how many `rows` there are, how many of them are `edited` (they want
    something else than what the rules said before), the `agreement` that was reached, and what is `left`: rows that are decided otherwise,
    where a share is enough, the most frequent first, and how. Raises PortalFileError with all rows that contradict one another, and for a
    portal file with mistakes.
    """
    path = editable(portal)
    before = path.read_bytes()
    loaded = load_portal(path, content=before)
    has_own = _own_layer(said_in(before.decode("utf-8")) or {}) is not None
    layers = loaded.body.tags if has_own else (TagLayer(), *loaded.body.tags)
    wanted, removed = _without_contradicted(_wanted_rows(table, loaded, LayerDecisions(layers)), layers)
    existing = {selector.text for rule in layers[0].rules for selector in selectors_in(rule.css.text)}
    choice = RuleChoice(wanted, existing - removed, removed, agreement)
    clashes: list[Mistake] = []
    for rows in choice.clashes():
        first, second = sorted(rows, key=lambda row: row.line)
        here, there = (f"`{row.tag.text}`{f' where `{row.where}`' if row.where else ''}" for row in (second, first))
        message = f"{here} is to be {second.decision}, and {there} in row {first.line} {first.decision}; no selector can tell them apart"
        clashes.append(table.mistake(second, f"{message}: give both the same operation"))
    if clashes:
        raise PortalFileError(tuple(clashes))
    after = _with_rules(before, path, removed, choice.added)
    try:
        ruled = load_portal(path, content=after)
    except PortalFileError as error:
        raise CuratorError(f"{path} is left as it was, since the new rules cannot be written into it:\n{error}") from None
    left = _left(wanted, ruled, agreement)
    weight = sum(wish.weight for wish in wanted)
    reached = 1 - sum(wish.weight for wish, _ in left) / weight if weight else 1.0
    if reached < agreement:
        share = f"{100 * reached:.2f} %"
        raise CuratorError(f"Nothing was written: rules can decide {share} of the elements as the table says. Ask for less --agreement.")
    moved = len(removed & {rule.selector for rule in choice.added})
    return Row(
        path=path,
        before=before,
        after=after,
        rows=len(table.rows),
        edited=sum(wish.edited for wish in wanted),
        added=len(choice.added) - moved,
        moved=moved,
        removed=len(removed) - moved,
        left=tuple((wish.row, becomes) for wish, becomes in left),
        agreement=reached,
    )


# --- what the rows want, beside what the rules say now ---


def _wanted_rows(table: Table, portal: Portal, decisions: LayerDecisions) -> list[WantedRow]:
    """One for each tag (and place) of the table. Raises PortalFileError with all rows that contradict one another."""
    of_layouts = _rules_of_layouts(portal)
    groups: dict[tuple[str, str], list[WantedRow]] = defaultdict(list)
    mistakes: list[Mistake] = []
    for written in table.rows:
        in_layout = of_layouts.get(_LINE.sub(" ", written.decided_by))
        if in_layout is not None and written.decision not in (in_layout, TagDecision()):
            message = f"`{written.tag.text}` is decided in a layout ({written.decided_by}); change the rule there"
            mistakes.append(table.mistake(written, message))
        row = written if in_layout is None else replace(written, decision=TagDecision())
        in_place = example_element(row.tag, row.where)
        element, placed = (in_place, True) if in_place is not None else (_bare(row.tag), False)
        now, _ = decisions.of(element, row.where, placed=placed)
        target = row.decision if row.decision.operation else now
        groups[row.tag.text, row.where].append(
            WantedRow(row=row, element=element, placed=placed, target=target, weight=row.frequency, edited=int(target != now))
        )
    wanted: dict[str, list[WantedRow]] = defaultdict(list)
    for group in groups.values():
        by_edit = [wish for wish in group if wish.edited]
        others = (wish for wish in by_edit if wish.target != by_edit[0].target)
        mistakes.extend(table.mistake(wish.row, contradiction(wish.row, by_edit[0].row)) for wish in others)
        first, weight = next(iter(by_edit), group[0]), sum(wish.weight for wish in group)
        wanted[first.row.tag.name.lower()].append(replace(first, weight=weight, edited=len(by_edit)))
    if mistakes:
        raise PortalFileError(tuple(mistakes))
    rows: list[WantedRow] = []
    for same_name in wanted.values():
        pieces_of = selector_pieces([with_what_was_added(wish.row.tag, wish.element) for wish in same_name])
        # a place that cannot be made up cannot be tried out either: only the selector itself is sure to match there
        rows += [replace(wish, pieces=pieces if wish.placed else ()) for wish, pieces in zip(same_name, pieces_of, strict=True)]
    return rows


def _rules_of_layouts(portal: Portal) -> Mapping[str, TagDecision]:
    """How a table names a rule that only layouts have -> what it says; layouts repeat the rules of the portal."""

    def named(layers: Sequence[TagLayer]) -> dict[str, TagDecision]:
        rules = [rule for layer in layers for rule in layer.rules]
        return {
            _LINE.sub(" ", f"{rule.source} {selector.text}"): decision_of(decision_by(rule))
            for rule in rules
            for selector in selectors_in(rule.css.text)
        }

    base = named(portal.body.tags)
    of_layouts = {name: said for layout in portal.layouts for name, said in named(layout.body.tags).items()}
    return {name: said for name, said in of_layouts.items() if name not in base}


def _without_contradicted(wanted: Sequence[WantedRow], layers: Sequence[TagLayer]) -> tuple[list[WantedRow], set[str]]:
    """The rows, with what becomes of them without those selectors of the file itself that are a row's own and decide it otherwise than
    it says; and these selectors."""
    contradicted = set[str]()
    while True:
        decisions, rows = LayerDecisions(layers, contradicted), list[WantedRow]()
        for row in wanted:
            before, selector = decisions.of(row.element, row.where, placed=row.placed)
            rows.append(replace(row, before=before, decided_by=selector))
        wrong = {row.decided_by for row in rows if row.before != row.target and row.decided_by in (row.where, row.selector)} - {""}
        if not wrong:
            return rows, contradicted
        contradicted |= wrong


def _left(wanted: Sequence[WantedRow], portal: Portal, agreement: float) -> list[tuple[WantedRow, TagDecision]]:
    """What the real rules decide otherwise than the table says. Raises CuratorError where that is not allowed."""
    decisions = LayerDecisions(portal.body.tags)
    left = []
    for wish in wanted:
        becomes, _ = decisions.of(wish.element, wish.where, placed=wish.placed)
        as_good = becomes == wish.target or (agreement < 1 and wish.target.operation == "unwrap" and not becomes.operation)
        if not as_good:
            left.append((wish, becomes))
    if left and agreement >= 1:
        rows = "\n".join(f"  row {wish.row.line}: `{wish.row.tag.text}` would be {becomes}, not {wish.target}" for wish, becomes in left)
        raise CuratorError(f"Nothing was written, since no rules were found that decide every row as it says:\n{rows}")
    return sorted(left, key=lambda pair: -pair[0].weight)


_SPLIT = "split"
_STYLE = YamlStyle(in_line=lambda path, _: len(path) > len(("body", "tags", "operation")))


def _own_layer(said: Mapping[str, Any]) -> dict[str, Any] | None:
    """The tag rules of a portal file, as far as they can be edited: operation -> what is said of it. None where it has none."""
    tags = (said.get("body") or {}).get("tags")
    return next((layer for layer in (tags if isinstance(tags, list) else [tags]) if isinstance(layer, dict)), None)


def _with_rules(content: bytes, path: Path, removed: Collection[str], added: Sequence[NewRule]) -> bytes:
    """The file with these rules, in an order that does not depend on how they were found, and without the removed selectors."""
    said = said_in(content.decode("utf-8")) or {}
    layer = _own_layer(said)
    if layer is None:  # the first place that is not there yet, or says nothing
        layer = {}
        said["body"] = {**(said.get("body") or {}), "tags": layer}
    new: dict[str, list[Any]] = defaultdict(list)
    for rule in sorted(added, key=lambda rule: (rule.selector not in removed, rule.selector)):
        if " > " in rule.decision.operation:
            new[_SPLIT].append((rule.selector, rule.decision.operation.split(" > ")))
        else:
            url = rule.decision.url
            new[rule.decision.operation].append({"css": rule.selector, "url": url} if url else rule.selector)
    for operation in [*layer, *sorted(new.keys() - layer.keys())]:
        rules = layer.get(operation, [])
        if rules is None and new[operation]:
            raise UsageError(
                f"{path}: `{operation}: null` forgets the `{operation}` rules of farther files; a list of new ones in its place would not. "
                "Write `[]` there if the old ones may come back, and apply again."
            )
        entries = [] if rules is None else rules if isinstance(rules, list) else [*rules.items()] if operation == _SPLIT else [rules]
        kept = [left for entry in entries if (left := _without(entry, removed)) is not None]
        if new[operation] or kept != entries:
            layer[operation] = dict([*kept, *new[operation]]) if operation == _SPLIT else [*kept, *new[operation]]
    for operation in [name for name, rules in layer.items() if rules == [] and len(layer) > 1]:
        del layer[operation]
    try:
        return edited(content.decode("utf-8"), said, _STYLE).encode("utf-8")
    except CannotEdit as problem:
        message = f"rules cannot be written here: {problem}; write out what it stands for"
        raise PortalFileError((Mistake(path, problem.line, 1, message),)) from None


def _without(entry: Any, removed: Collection[str]) -> Any:
    """A rule as it is written, without these selectors; None where nothing is left."""
    group = entry[0] if isinstance(entry, tuple) else entry["css"] if isinstance(entry, dict) else entry
    selectors = [selector.text for selector in selectors_in(group)]
    if not set(selectors) & set(removed):
        return entry
    left = ", ".join(text for text in selectors if text not in removed)
    if not left:
        return None
    return (left, entry[1]) if isinstance(entry, tuple) else {**entry, "css": left} if isinstance(entry, dict) else left


# --- what rules make of a row: the real ones are asked about an element that is made up from what the row says of it ---

_STAR = "0"
"""What stands for a star."""


class LayerDecisions:
    """What some layers of rules make of elements."""

    def __init__(self, layers: Sequence[TagLayer], without: Collection[str] = ()) -> None:
        """`without`: selectors of the nearest layer that do not count."""
        single = [one_by_one(layer, without if number == 0 else ()) for number, layer in enumerate(layers)]
        self._lookup = Lookup(single)
        self._nearest = {decision_by(rule).rule: rule.css.text for rule in single[0].rules} if single else {}
        rules = [rule for layer in (*single, general_layer()) for rule in layer.rules]
        self._by_selector = {rule.css.text: decision_of(decision_by(rule)) for rule in reversed(rules)}

    def of(self, element: Element, where: str = "", *, placed: bool = True) -> tuple[TagDecision, str]:
        """What becomes of an element, and the selector of the nearest layer that says so; empty where a farther one does.

        Of an element that could not be put where it belongs, a rule with this very selector decides.
        """
        if not placed and where in self._by_selector:
            return self._by_selector[where], where if where in self._nearest.values() else ""
        by_rules = self._lookup.decide(element, Scope(None))
        decision = decision_of(by_rules)
        # in a block that is made simple only `decompose` still counts
        is_in_simple = any(self._lookup.decide(around, Scope(None)).simple for around in element.iterancestors())
        if is_in_simple and decision.operation != "decompose":
            return TagDecision("unwrap"), ""
        return decision, self._nearest.get(by_rules.rule, "")


def decision_of(decision: Decision) -> TagDecision:
    """In the words of a table."""
    return TagDecision(decision.operation, "" if decision.simple else decision.url or "")


def example_element(tag: Tag, where: str = "") -> Element | None:
    """An element with this tag where the selector `where` finds it; None where no such place could be made up."""
    if not where:
        return _bare(tag)
    for alternative in css.parse(plain_dialect(where)):
        element = _bare(tag)
        if _fulfil(alternative.parsed_tree, element, is_tag=True) and Selector.parse(where).matches(element):
            return element
    return None


def with_what_was_added(tag: Tag, element: Element) -> Tag:
    """The tag of an example element: a place may ask for classes and attributes that the tag itself does not name."""
    classes = tuple(name for name in (element.get("class") or "").split() if name not in _written(tag.classes))
    names = {*_written(tuple(name.lower() for name, _ in tag.attributes)), "class", "id"}
    attributes = tuple((name, "") for name in map(str, element.attrib) if name not in names)
    return replace(tag, id=tag.id or element.get("id"), classes=(*tag.classes, *classes), attributes=(*tag.attributes, *attributes))


def _written(names: tuple[str, ...]) -> list[str]:
    return [name.replace("*", _STAR) for name in names]


def _bare(tag: Tag) -> Element:
    """Alone in a page; made as the HTML parser makes elements, since pages have names that XML has not."""
    page = etree.fromstring("<html><body></body></html>", etree.HTMLParser())
    element = etree.SubElement(page[0], tag.name.lower())
    if tag.id:
        element.set("id", tag.id.replace("*", _STAR))
    if tag.classes:
        element.set("class", " ".join(_written(tag.classes)))
    for name, value in tag.attributes:
        element.set(name.lower().replace("*", _STAR), value.replace("*", _STAR))
    return element


def _fulfil(tree: Any, element: Element, *, is_tag: bool = False) -> bool:
    """Give the element, and what is around it, all that a selector asks for; False where it asks for another tag.

    What cannot be made up (`:not()`, `:has()`, siblings, positions) is left to chance: whoever asks checks the result.
    """
    if isinstance(tree, css.CombinedSelector):
        parent = element.getparent()
        assert parent is not None
        around = etree.SubElement(parent, "div")
        around.append(element)
        return _fulfil(tree.subselector, element, is_tag=is_tag) and _fulfil(tree.selector, around)
    if isinstance(tree, css.Element):
        if tree.element is not None and not is_tag:
            element.tag = tree.element.lower()
        return tree.element is None or tree.element.lower() == element.tag
    if not _fulfil(tree.selector, element, is_tag=is_tag):
        return False
    if isinstance(tree, css.Hash):
        element.set("id", tree.id)
    elif isinstance(tree, css.Class):
        element.set("class", f"{element.get('class', '')} {tree.class_name}".strip())
    elif isinstance(tree, css.Function) and tree.name == "contains":
        element.text = (element.text or "") + (tree.arguments[0].value or "")
    elif isinstance(tree, css.Attrib):
        name, value = tree.attrib.lower(), (tree.value.value or "") if tree.value is not None else ""
        old = element.get(name)
        if tree.operator != "!=" and (old is None or tree.operator != "exists"):
            element.set(name, f"{old} {value}" if old is not None and tree.operator in ("*=", "~=") else value)
    return True
