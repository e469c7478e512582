"""A table of decided tags becomes rules of a portal file: few that say what the rows want, and the proof that
they do."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from cssselect import parser as css
from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.amounts import part
from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.tag_dictionary import SPLIT, TagLayer
from webarticlecurator.config.yaml_edits import CannotEdit, YamlStyle, editable, edited, said_in
from webarticlecurator.databases import Row
from webarticlecurator.errors import CuratorError, Mistake, PortalFileError, UsageError, refuse_mistakes
from webarticlecurator.extraction.body.tag_rules import Decision, Lookup, decision_by, general_layer
from webarticlecurator.labelling.simplified_tags import Tag
from webarticlecurator.own_patterns import linear
from webarticlecurator.selectors import Scope, Selector, plain_dialect
from webarticlecurator.survey.inventory.element_rules import one_by_one, selectors_in
from webarticlecurator.survey.rule_choice import (
    NewRule,
    WantedRow,
    choose_rules,
    clashes,
    is_as_wanted,
    selector_pieces,
)
from webarticlecurator.survey.tag_table import Table, TableRow, TagDecision, contradiction

_LINE = linear(r":\d+ ")
"""In `portal.yaml:31 div.ajanlo`; the number moves when the file is edited."""


def apply_table(table: Table, portal: str | Path, *, agreement: float = 1.0) -> Row:
    """The portal file with the fewest rules under which at least that share of the elements is decided as the
    table says.

    Nothing is written yet: the file is told `before` and `after`, with how many `rows` there are, how many of
    them are `edited` (they want something else than what the rules said before), the `agreement` that was
    reached, and what is `left`: rows that are decided otherwise, where a share is enough, the most frequent
    first, and how. Raises PortalFileError with all rows that contradict one another, and for a portal file
    with mistakes.
    """
    path = editable(portal)
    before = path.read_bytes()
    loaded = load_portal(path, content=before)
    has_own = _own_layer(said_in(before.decode("utf-8")) or {}) is not None
    layers = loaded.body.tags if has_own else (TagLayer(), *loaded.body.tags)
    wanted, removed = _without_contradicted(_wanted_rows(table, loaded, LayerDecisions(layers)), layers)
    if agreement == 1:
        refuse_mistakes(_clashes(table, wanted))
    existing = {selector.text for rule in layers[0].rules for selector in selectors_in(rule.css.text)}
    chosen = choose_rules(wanted, existing - removed, removed, agreement)
    after = _with_rules(before, path, removed, chosen)
    try:
        ruled = load_portal(path, content=after)
    except PortalFileError as error:
        raise CuratorError(
            f"{path} is left as it was, since the new rules cannot be written into it:\n{error}"
        ) from None
    left = _left(wanted, ruled, agreement)
    moved = len(removed & {rule.selector for rule in chosen})
    return Row(
        path=path,
        before=before,
        after=after,
        rows=len(table.rows),
        edited=sum(wish.edited for wish in wanted),
        added=len(chosen) - moved,
        moved=moved,
        removed=len(removed) - moved,
        left=tuple((wish.row, becomes) for wish, becomes in left),
        agreement=_reached(wanted, left, agreement),
    )


def _clashes(table: Table, wanted: Sequence[WantedRow]) -> Iterator[Mistake]:
    """Tell the rows that want different things of what no selector can tell apart."""
    for rows in clashes(wanted):
        first, second = sorted(rows, key=lambda row: row.line)
        here, there = _tag_in_place(second), _tag_in_place(first)
        message = (
            f"{here} is to be {second.decision}, and {there} in row {first.line} {first.decision}; no "
            "selector can tell them apart"
        )
        yield table.mistake(second, f"{message}: give both the same operation")


def _tag_in_place(row: TableRow) -> str:
    return f"`{row.tag.text}`{part(' where `{}`', row.where)}"


def _reached(
    wanted: Sequence[WantedRow], left: Sequence[tuple[WantedRow, TagDecision]], agreement: float
) -> float:
    """Return the share of the elements that is decided as the table says. Raises CuratorError where that is
    too little."""
    weight = sum(wish.weight for wish in wanted)
    reached = 1 - sum(wish.weight for wish, _ in left) / (weight or 1)
    if reached < agreement:
        share = f"{100 * reached:.2f} %"
        raise CuratorError(
            f"Nothing was written: rules can decide {share} of the elements as the table says. Ask for less "
            "--agreement."
        )
    return reached


# --- what the rows want, beside what the rules say now ---


def _wanted_rows(table: Table, portal: Portal, decisions: LayerDecisions) -> list[WantedRow]:
    """Return a rule for each tag (and place) of the table. Raises PortalFileError with all rows that
    contradict one another."""
    of_layouts = _rules_of_layouts(portal)
    groups: dict[tuple[str, str], list[WantedRow]] = defaultdict(list)
    mistakes: list[Mistake] = []
    for row in table.rows:
        in_layout = of_layouts.get(_LINE.sub(" ", row.decided_by))
        if in_layout is None:
            groups[row.tag.text, row.where].append(_wanted(row, decisions))
            continue
        groups[row.tag.text, row.where].append(_wanted(replace(row, decision=TagDecision()), decisions))
        if row.decision not in (in_layout, TagDecision()):
            message = f"`{row.tag.text}` is decided in a layout ({row.decided_by}); change the rule there"
            mistakes.append(table.mistake(row, message))
    of_name: dict[str, list[WantedRow]] = defaultdict(list)
    for group in groups.values():
        wish = _common(group)
        of_name[wish.row.tag.name.lower()].append(wish)
        others = (other.row for other in group if other.edited and other.target != wish.target)
        mistakes.extend(table.mistake(row, contradiction(row, wish.row)) for row in others)
    refuse_mistakes(mistakes)
    return [wish for same_name in of_name.values() for wish in _with_pieces(same_name)]


def _wanted(row: TableRow, decisions: LayerDecisions) -> WantedRow:
    """Return what a row of the table wants; without an operation, that all stays as it is."""
    in_place = example_element(row.tag, row.where)
    element = _bare(row.tag) if in_place is None else in_place
    now, _ = decisions.of(element, row.where, placed=in_place is not None)
    target = row.decision if row.decision.operation else now
    return WantedRow(
        row=row,
        element=element,
        placed=in_place is not None,
        target=target,
        weight=row.frequency,
        edited=int(target != now),
    )


def _common(group: Sequence[WantedRow]) -> WantedRow:
    """Return what all rows about one tag want together: what the first of them wants that wants a change."""
    edited = [wish for wish in group if wish.edited]
    return replace([*edited, *group][0], weight=sum(wish.weight for wish in group), edited=len(edited))


def _with_pieces(same_name: Sequence[WantedRow]) -> Iterator[WantedRow]:
    """Rows about tags of one name, with all that a selector can ask of each.

    A place that cannot be made up cannot be tried out either: only the selector itself is sure to match
    there.
    """
    pieces_of = selector_pieces([with_what_was_added(wish.row.tag, wish.element) for wish in same_name])
    for wish, pieces in zip(same_name, pieces_of, strict=True):
        yield replace(wish, pieces=pieces if wish.placed else ())


def _rules_of_layouts(portal: Portal) -> Mapping[str, TagDecision]:
    """How a table names a rule that only layouts have -> what it says; layouts repeat the rules of the
    portal."""

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


def _without_contradicted(
    wanted: Sequence[WantedRow], layers: Sequence[TagLayer]
) -> tuple[list[WantedRow], set[str]]:
    """The rows, with what becomes of them without those selectors of the file itself that are a row's own and
    decide it otherwise than it says; and these selectors."""
    contradicted = set[str]()
    while True:
        decisions, rows = LayerDecisions(layers, contradicted), list[WantedRow]()
        for row in wanted:
            before, selector = decisions.of(row.element, row.where, placed=row.placed)
            rows.append(replace(row, before=before, decided_by=selector))
        wrong = {
            row.decided_by
            for row in rows
            if row.before != row.target and row.decided_by in (row.where, row.selector)
        } - {""}
        if not wrong:
            return rows, contradicted
        contradicted |= wrong


def _left(
    wanted: Sequence[WantedRow], portal: Portal, agreement: float
) -> list[tuple[WantedRow, TagDecision]]:
    """Return what the real rules decide otherwise than the table says. Raises CuratorError where that is not
    allowed."""
    decisions = LayerDecisions(portal.body.tags)
    left = []
    for wish in wanted:
        becomes, _ = decisions.of(wish.element, wish.where, placed=wish.placed)
        if not is_as_wanted(becomes, wish.target, agreement):
            left.append((wish, becomes))
    if left and agreement >= 1:
        rows = "\n".join(
            f"  row {wish.row.line}: `{wish.row.tag.text}` would be {becomes}, not {wish.target}"
            for wish, becomes in left
        )
        raise CuratorError(
            f"Nothing was written, since no rules were found that decide every row as it says:\n{rows}"
        )
    return sorted(left, key=lambda pair: -pair[0].weight)


_STYLE = YamlStyle(in_line=lambda path, _: len(path) > len(("body", "tags", "operation")))


def _own_layer(said: Mapping[str, Any]) -> dict[str, Any] | None:
    """The tag rules of a portal file, as far as they can be edited: operation -> what is said of it. None
    where it has none."""
    tags = (said.get("body") or {}).get("tags")
    return next(
        (layer for layer in (tags if isinstance(tags, list) else [tags]) if isinstance(layer, dict)), None
    )


def _with_rules(content: bytes, path: Path, removed: Collection[str], added: Sequence[NewRule]) -> bytes:
    """The file with these rules, in an order that does not depend on how they were found, and without the
    removed selectors."""
    said = said_in(content.decode("utf-8")) or {}
    layer = _layer_to_edit(said)
    new: defaultdict[str, list[Any]] = defaultdict(list)
    for rule in sorted(added, key=lambda rule: (rule.selector not in removed, rule.selector)):
        operation, entry = _entry(rule)
        new[operation].append(entry)
    for operation in [*layer, *sorted(new.keys() - layer.keys())]:
        entries = _entries(layer.get(operation, []), operation)
        if entries is None:
            _refuse_to_remember(path, operation, new[operation])
            continue
        kept = [left for entry in entries for left in _without(entry, removed)]
        if new[operation] or kept != entries:
            both = [*kept, *new[operation]]
            layer[operation] = dict(both) if operation == SPLIT else both
    for operation in [name for name, rules in layer.items() if rules == []][: len(layer) - 1]:
        del layer[operation]
    try:
        return edited(content.decode("utf-8"), said, _STYLE).encode("utf-8")
    except CannotEdit as problem:
        message = f"rules cannot be written here: {problem}; write out what it stands for"
        raise PortalFileError((Mistake(path, problem.line, 1, message),)) from None


def _layer_to_edit(said: dict[str, Any]) -> dict[str, Any]:
    """The tag rules of a portal file; put there where it has none."""
    layer = _own_layer(said)
    if layer is None:  # the first place that is not there yet, or says nothing
        layer = {}
        said["body"] = {**(said.get("body") or {}), "tags": layer}
    return layer


def _refuse_to_remember(path: Path, operation: str, new: Sequence[Any]) -> None:
    """Raise UsageError where rules are to stand in place of what forgets those of farther files."""
    forgets = f"{path}: `{operation}: null` forgets the `{operation}` rules of farther files"
    write = "Write `[]` there if the old ones may come back, and apply again."
    if new:
        raise UsageError(f"{forgets}; a list of new ones in its place would not. {write}")


def _entry(rule: NewRule) -> tuple[str, Any]:
    """The operation under which a rule is written, and how."""
    parts = rule.decision.operation.split(" > ")
    if len(parts) > 1:
        return SPLIT, (rule.selector, parts)
    return rule.decision.operation, {
        "css": rule.selector,
        "url": rule.decision.url,
    } if rule.decision.url else rule.selector


def _entries(rules: Any, operation: str) -> list[Any] | None:
    """The rules of one operation as they are written, one by one; None where those of farther files are
    forgotten."""
    if rules is None or isinstance(rules, list):
        return rules
    return [*rules.items()] if operation == SPLIT else [rules]


def _without(entry: Any, removed: Collection[str]) -> list[Any]:
    """A rule as it is written, without these selectors; nothing where none is left."""
    if isinstance(entry, tuple):
        return [(left, entry[1]) for left in _group_without(entry[0], removed)]
    if isinstance(entry, dict):
        return [{**entry, "css": left} for left in _group_without(entry["css"], removed)]
    return _group_without(entry, removed)


def _group_without(group: str, removed: Collection[str]) -> list[str]:
    """Selectors with commas between them, without the removed ones."""
    selectors = [selector.text for selector in selectors_in(group)]
    left = [text for text in selectors if text not in removed]
    if left == selectors:
        return [group]
    return [", ".join(left)] if left else []


# --- what rules make of a row: the real ones are asked about an element that is made up from what the row says of it ---

_STAR = "0"
"""Text in place of a star."""


class LayerDecisions:
    """The decisions of some layers of rules on elements."""

    def __init__(self, layers: Sequence[TagLayer], without: Collection[str] = ()) -> None:
        """`without`: selectors of the nearest layer that do not count."""
        single = [one_by_one(layer, without if number == 0 else ()) for number, layer in enumerate(layers)]
        self._lookup = Lookup(single)
        self._nearest = {decision_by(rule).rule: rule.css.text for rule in single[0].rules} if single else {}
        rules = [rule for layer in (*single, general_layer()) for rule in layer.rules]
        self._by_selector = {rule.css.text: decision_of(decision_by(rule)) for rule in reversed(rules)}

    def of(self, element: Element, where: str = "", *, placed: bool = True) -> tuple[TagDecision, str]:
        """Return what becomes of an element, and the selector of the nearest layer that says so; empty where
        a farther one does.

        Of an element that could not be put where it belongs, a rule with this very selector decides.
        """
        if not placed and where in self._by_selector:
            return self._by_selector[where], where if where in self._nearest.values() else ""
        by_rules = self._lookup.decide(element, Scope(None))
        decision = decision_of(by_rules)
        # in a block that is made simple only `decompose` still counts
        is_in_simple = any(
            self._lookup.decide(around, Scope(None)).simple for around in element.iterancestors()
        )
        if is_in_simple and decision.operation != "decompose":
            return TagDecision("unwrap"), ""
        return decision, self._nearest.get(by_rules.rule, "")


def decision_of(decision: Decision) -> TagDecision:
    """In the words of a table."""
    return TagDecision(decision.operation, "" if decision.simple else decision.url or "")


def example_element(tag: Tag, where: str = "") -> Element | None:
    """An element with this tag where the selector `where` finds it; None where no such place could be made
    up."""
    if not where:
        return _bare(tag)
    for alternative in css.parse(plain_dialect(where)):
        element = _bare(tag)
        if _fulfil(alternative.parsed_tree, element, is_tag=True) and Selector.parse(where).matches(element):
            return element
    return None


def with_what_was_added(tag: Tag, element: Element) -> Tag:
    """The tag of an example element: a place may ask for classes and attributes that the tag itself does not
    name."""
    classes = tuple(
        name for name in (element.get("class") or "").split() if name not in _written(tag.classes)
    )
    names = {*_written(tuple(name.lower() for name, _ in tag.attributes)), "class", "id"}
    attributes = tuple((name, "") for name in map(str, element.attrib) if name not in names)
    return replace(
        tag,
        id=tag.id or element.get("id", ""),
        classes=(*tag.classes, *classes),
        attributes=(*tag.attributes, *attributes),
    )


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
    """Give the element, and what is around it, all that a selector asks for; False where it asks for another
    tag.

    What cannot be made up (`:not()`, `:has()`, siblings, positions) is left to chance: whoever asks checks
    the result.
    """
    if isinstance(tree, css.CombinedSelector):
        around = etree.Element("div")
        _parent(element).replace(element, around)
        around.append(element)
        return _fulfil(tree.subselector, element, is_tag=is_tag) and _fulfil(tree.selector, around)
    if isinstance(tree, css.Element):
        return _name_as_asked(tree.element, element, is_tag=is_tag)
    if not _fulfil(tree.selector, element, is_tag=is_tag):
        return False
    give = _GIVERS.get(type(tree))
    if give is not None:
        give(tree, element)
    return True


def _parent(element: Element) -> Element:
    parent = element.getparent()
    assert parent is not None
    return parent


def _name_as_asked(name: str | None, element: Element, *, is_tag: bool) -> bool:
    """Name what stands around a tag as a selector asks; the tag itself keeps its name."""
    if name is None:
        return True
    if not is_tag:
        element.tag = name.lower()
    return name.lower() == element.tag


def _give_id(tree: css.Hash, element: Element) -> None:
    element.set("id", tree.id)


def _give_class(tree: css.Class, element: Element) -> None:
    element.set("class", f"{element.get('class', '')} {tree.class_name}".strip())


def _give_text(tree: css.Function, element: Element) -> None:
    if tree.name == "contains":
        element.text = (element.text or "") + (tree.arguments[0].value or "")


def _give_attribute(tree: css.Attrib, element: Element) -> None:
    name, old = tree.attrib.lower(), element.get(tree.attrib.lower())
    value = "" if tree.value is None else tree.value.value or ""
    if old is None and tree.operator != "!=":
        element.set(name, value)
    elif tree.operator in ("*=", "~="):
        element.set(name, f"{old} {value}")
    elif tree.operator not in ("!=", "exists"):
        element.set(name, value)


_GIVERS: Mapping[type, Callable[[Any, Element], None]] = {
    css.Hash: _give_id,
    css.Class: _give_class,
    css.Function: _give_text,
    css.Attrib: _give_attribute,
}
"""Part of a selector -> what gives an element that which it asks for."""
