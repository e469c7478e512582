"""A table of decided tags becomes rules of a portal file: few that say what the rows want, and the proof that they do."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.tag_dictionary import TagLayer
from webarticlecurator.config.yaml_edits import CannotEdit, YamlStyle, editable, edited, replace_file, said_in
from webarticlecurator.errors import CuratorError, Mistake, PortalFileError, UsageError
from webarticlecurator.extraction.body.targets import media_target
from webarticlecurator.selectors import Alternative, Scope
from webarticlecurator.survey.rule_choice import Rule, RuleChoice, WantedRow, selector_pieces
from webarticlecurator.survey.rule_judging import LayerDecisions, decision_of_rule, example_element, with_what_was_added
from webarticlecurator.survey.rule_selectors import selectors_in
from webarticlecurator.survey.tag_table import Table, TableRow, TagDecision, contradiction

_LINE = re.compile(r":\d+ ")
"""In `portal.yaml:31 div.ajanlo`; the number moves when the file is edited."""
_ANYWHERE = "https://address.example/"
_MEDIA = frozenset({"figure", "embed", "social"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """What applying a table makes of a portal file."""

    path: Path
    before: bytes
    after: bytes
    rows: int
    edited: int
    """Rows that want something else than what the rules said before."""
    added: int
    moved: int
    removed: int
    left: tuple[tuple[TableRow, TagDecision], ...]
    """Where a share is enough: rows that are decided otherwise, the most frequent first, and how."""
    agreement: float
    """The part of the elements that is decided as the table says."""

    @property
    def changes(self) -> bool:
        return self.after != self.before

    def write(self) -> None:
        """Replace the file, at once and as a whole."""
        replace_file(self.path, self.after)


def apply_table(table: Table, portal: str | Path, *, agreement: float = 1.0) -> Applied:
    """The portal file with the fewest rules under which at least that share of the elements is decided as the table says.

    Nothing is written yet. Raises PortalFileError with all rows that contradict one another, and for a portal file with mistakes.
    """
    path = editable(portal)
    before = path.read_bytes()
    loaded = load_portal(path, content=before)
    own, farther = _layers(loaded, has_own=_own_layer(said_in(before.decode("utf-8")) or {}) is not None)
    wanted = _with_pieces(_wanted_rows(table, loaded), loaded, own, farther)
    choice = RuleChoice(wanted, _existing(own, wanted), agreement)
    if clashes := list(choice.clashes()):
        raise PortalFileError(tuple(_clash(table, wanted[one].row, wanted[other].row) for one, other in clashes))
    after = _with_rules(before, path, choice.removed, choice.added)
    left = _left(wanted, _checked(path, after), agreement)
    weight = sum(one.weight for one in wanted)
    reached = 1 - sum(one.weight for one, _ in left) / weight if weight else 1.0
    if reached < agreement:
        share = f"{100 * reached:.2f} %"
        raise CuratorError(f"Nothing was written: rules can decide {share} of the elements as the table says. Ask for less --agreement.")
    moved = len({*choice.removed} & {rule.selector for rule in choice.added})
    return Applied(
        path=path,
        before=before,
        after=after,
        rows=len(table.rows),
        edited=sum(one.edited for one in wanted),
        added=len(choice.added) - moved,
        moved=moved,
        removed=len(choice.removed) - moved,
        left=tuple((one.row, becomes) for one, becomes in left),
        agreement=reached,
    )


# --- what the rows want, beside what the rules say now ---


def _wanted_rows(table: Table, portal: Portal) -> list[WantedRow]:
    """One for each tag (and place) of the table. Raises PortalFileError with all rows that contradict one another."""
    decisions, of_layouts = LayerDecisions(portal.body.tags), _rules_of_layouts(portal)
    groups: dict[tuple[str, str], list[WantedRow]] = defaultdict(list)
    mistakes: list[Mistake] = []
    for row in table.rows:
        in_layout = of_layouts.get(_LINE.sub(" ", row.decided_by))
        if in_layout is not None and row.decision not in (in_layout, TagDecision()):
            mistakes.append(table.mistake(row, f"`{row.tag.text}` is decided in a layout ({row.decided_by}); change the rule there"))
        groups[row.tag.text, row.where].append(_wanted(row if in_layout is None else replace(row, decision=TagDecision()), decisions))
    for group in groups.values():
        by_edit = [one for one in group if one.edited]
        others = (one for one in by_edit if one.target != by_edit[0].target)
        mistakes.extend(table.mistake(one.row, contradiction(one.row, by_edit[0].row)) for one in others)
    if mistakes:
        raise PortalFileError(tuple(mistakes))
    return [
        replace(
            next((one for one in group if one.edited), group[0]),
            weight=sum(one.weight for one in group),
            edited=sum(one.edited for one in group),
        )
        for group in groups.values()
    ]


def _rules_of_layouts(portal: Portal) -> Mapping[str, TagDecision]:
    """How a table names a rule that only layouts have -> what it says; layouts repeat the rules of the portal."""

    def named(layers: Sequence[TagLayer]) -> dict[str, TagDecision]:
        rules = [rule for layer in layers for rule in layer.rules]
        return {
            _LINE.sub(" ", f"{rule.source} {one.text}"): decision_of_rule(rule) for rule in rules for one in selectors_in(rule.css.text)
        }

    base = named(portal.body.tags)
    of_layouts = {name: said for layout in portal.layouts for name, said in named(layout.body.tags).items()}
    return {name: said for name, said in of_layouts.items() if name not in base}


def _wanted(row: TableRow, decisions: LayerDecisions) -> WantedRow:
    placed = example_element(row.tag, row.where)
    element = placed if placed is not None else example_element(row.tag)
    assert element is not None
    now = decisions.decision(element, row.where, placed=placed is not None)
    target = row.decision if row.decision.operation else now
    if target.url and target.url != now.url and _is_found_anyway(element, target):
        target = TagDecision(target.operation)
    return WantedRow(
        row=row, element=element, placed=placed is not None, now=now, target=target, weight=row.frequency, edited=int(target != now)
    )


def _is_found_anyway(element: Element, decision: TagDecision) -> bool:
    """Whether the address would be taken from this attribute without being told."""
    if decision.operation not in _MEDIA or decision.url not in element.attrib:
        return decision == TagDecision("link", "href")
    copy = etree.SubElement(element.getparent(), element.tag)  # type: ignore[arg-type]
    for name in map(str, element.attrib):
        copy.set(name, f"{_ANYWHERE}{name}")
    same = media_target(copy, None, _ANYWHERE) == media_target(copy, decision.url, _ANYWHERE)
    copy.getparent().remove(copy)  # type: ignore[union-attr]
    return same


# --- the rules that the file has ---

_Own = Mapping[str, tuple[Alternative, TagDecision]]
"""The selectors of the nearest layer of the file itself, and what the last rule with each makes of it."""


def _layers(portal: Portal, *, has_own: bool) -> tuple[_Own, LayerDecisions]:
    """The file's own rules, and what would be decided without them: what it extends lies farther."""
    nearest, farther = (portal.body.tags[0], portal.body.tags[1:]) if has_own else (TagLayer(), portal.body.tags)
    own = {one.text: (one.alternatives[0], decision_of_rule(rule)) for rule in nearest.rules for one in selectors_in(rule.css.text)}
    return own, LayerDecisions((TagLayer(forgotten=nearest.forgotten), *farther))


def _with_pieces(wanted: Sequence[WantedRow], portal: Portal, own: _Own, farther: LayerDecisions) -> list[WantedRow]:
    """With all that a selector can ask of them, and what matches them now."""
    by_name: dict[str, list[int]] = defaultdict(list)
    for number, one in enumerate(wanted):
        by_name[one.row.tag.name.lower()].append(number)
    pieces: dict[int, tuple[str, ...]] = {}
    for numbers in by_name.values():
        tags = [with_what_was_added(wanted[number].row.tag, wanted[number].element) for number in numbers]
        pieces.update(zip(numbers, selector_pieces(tags), strict=True))
    decisions, rows = LayerDecisions(portal.body.tags), []
    for number, one in enumerate(wanted):
        is_in_simple = decisions.makes_simple_around(one.element)
        without = one.now if is_in_simple else farther.decision(one.element, one.where, placed=one.placed)
        # a place that cannot be made up cannot be tried out either: only the selector itself is sure to match there
        rows.append(replace(one, pieces=pieces[number] if one.placed else (), farther=without, own=tuple(_matching(one, own))))
    return rows


def _matching(wanted: WantedRow, own: _Own) -> Iterator[str]:
    tag, classes = wanted.element.tag, frozenset((wanted.element.get("class") or "").split())
    for text, (alternative, _) in own.items():
        if alternative.subject.tag in (None, tag) and alternative.subject.classes <= classes:
            is_it = not wanted.placed and text == wanted.where
            if is_it or alternative.matches(wanted.element, Scope(None)):
                yield text


def _existing(own: _Own, wanted: Sequence[WantedRow]) -> list[Rule]:
    rows: dict[str, list[int]] = defaultdict(list)
    for number, row in enumerate(wanted):
        for text in row.own:
            rows[text].append(number)
    return [Rule(text, decision, rows[text], alternative.specificity) for text, (alternative, decision) in own.items()]


# --- whether the rows got what they want ---


def _clash(table: Table, one: TableRow, other: TableRow) -> Mistake:
    first, second = sorted((one, other), key=lambda row: row.line)
    here, there = (f"`{row.tag.text}`{f' where `{row.where}`' if row.where else ''}" for row in (second, first))
    message = f"{here} is to be {second.decision}, and {there} in row {first.line} {first.decision}; no selector can tell them apart"
    return table.mistake(second, f"{message}: give both the same operation")


def _checked(path: Path, after: bytes) -> Portal:
    """The portal under the new rules. Raises CuratorError where the file as we edited it would not load."""
    try:
        return load_portal(path, content=after)
    except PortalFileError as error:
        raise CuratorError(f"{path} is left as it was, since the new rules cannot be written into it:\n{error}") from None


def _left(wanted: Sequence[WantedRow], portal: Portal, agreement: float) -> list[tuple[WantedRow, TagDecision]]:
    """What the real rules decide otherwise than the table says. Raises CuratorError where that is not allowed."""
    decisions = LayerDecisions(portal.body.tags)
    left = []
    for one in wanted:
        becomes = decisions.decision(one.element, one.where, placed=one.placed)
        as_good = becomes == one.target or (agreement < 1 and one.target.operation == "unwrap" and not becomes.operation)
        if not as_good:
            left.append((one, becomes))
    if left and agreement >= 1:
        rows = "\n".join(f"  row {one.row.line}: `{one.row.tag.text}` would be {becomes}, not {one.target}" for one, becomes in left)
        raise CuratorError(f"Nothing was written, since no rules were found that decide every row as it says:\n{rows}")
    return sorted(left, key=lambda pair: -pair[0].weight)


# --- what is written ---

_SPLIT = "split"
_STYLE = YamlStyle(in_line=lambda path, _: len(path) > len(("body", "tags", "operation")))


def _own_layer(said: Mapping[str, Any]) -> dict[str, Any] | None:
    """The tag rules of a portal file, as far as they can be edited: operation -> what is said of it. None where it has none."""
    tags = (said.get("body") or {}).get("tags")
    return next((layer for layer in (tags if isinstance(tags, list) else [tags]) if isinstance(layer, dict)), None)


def _with_rules(content: bytes, path: Path, removed: Collection[str], added: Sequence[Rule]) -> bytes:
    """The file with these rules, in an order that does not depend on how they were found, and without the removed selectors."""
    said = said_in(content.decode("utf-8")) or {}
    layer = _own_layer(said)
    if layer is None:  # the first place that is not there yet, or says nothing
        layer = {}
        said["body"] = {**(said.get("body") or {}), "tags": layer}
    new: dict[str, list[Any]] = defaultdict(list)
    for rule in sorted(added, key=lambda one: (one.selector not in removed, one.selector)):
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
    selectors = [one.text for one in selectors_in(group)]
    if not set(selectors) & set(removed):
        return entry
    left = ", ".join(text for text in selectors if text not in removed)
    if not left:
        return None
    return (left, entry[1]) if isinstance(entry, tuple) else {**entry, "css": left} if isinstance(entry, dict) else left
