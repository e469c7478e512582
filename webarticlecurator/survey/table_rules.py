"""A table of decided tags becomes rules of a portal file: few that say what the rows want, and the proof that they do."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.tag_dictionary import TagLayer
from webarticlecurator.config.yaml_edits import CannotEdit, YamlStyle, editable, edited, replace_file, said_in
from webarticlecurator.config.yaml_reading import MapNode, read_yaml
from webarticlecurator.errors import CuratorError, Mistake, PortalFileError
from webarticlecurator.extraction.body.media import media_target
from webarticlecurator.selectors import Alternative, Scope
from webarticlecurator.survey.rule_choice import Rule, RuleChoice, WantedRow, selector, selector_pieces
from webarticlecurator.survey.rule_judging import LayerDecisions, decision_of_rule, example_element, with_what_was_added
from webarticlecurator.survey.rule_selectors import layers_of, selectors_in
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
    own = _OwnRules(loaded, has_layer=nearest_layer(before) is not None)
    wanted = _with_pieces(_wanted_rows(table, loaded), own, loaded)
    choice = RuleChoice(wanted, own.rules(wanted), agreement)
    if clashes := list(choice.clashes()):
        raise PortalFileError(tuple(_clash(table, wanted[one].row, wanted[other].row) for one, other in clashes))
    after = with_rules(before, path, own.remaining(choice.changed), _new_rules(choice))
    left = _left(wanted, _checked(path, after), agreement)
    weight = sum(one.weight for one in wanted)
    reached = 1 - sum(one.weight for one, _ in left) / weight if weight else 1.0
    if reached < agreement:
        share = f"{100 * reached:.2f} %"
        raise CuratorError(f"Nothing was written: rules can decide {share} of the elements as the table says. Ask for less --agreement.")
    return Applied(
        path=path,
        before=before,
        after=after,
        rows=len(table.rows),
        edited=sum(one.edited for one in wanted),
        added=len(choice.added),
        moved=sum(decision is not None for decision in choice.changed.values()),
        removed=sum(decision is None for decision in choice.changed.values()),
        left=tuple((one.row, becomes) for one, becomes in left),
        agreement=reached,
    )


# --- what the rows want, beside what the rules say now ---


def _wanted_rows(table: Table, portal: Portal) -> list[WantedRow]:
    """One for each tag (and place) of the table. Raises PortalFileError with all rows that contradict one another."""
    known = _known_rules(portal)
    decisions = LayerDecisions(portal.body.tags)
    groups: dict[tuple[str, str], list[WantedRow]] = defaultdict(list)
    mistakes: list[Mistake] = []
    for row in table.rows:
        rules = known.get(_LINE.sub(" ", row.decided_by), ())
        wanted = _wanted(row, decisions, rules)
        groups[row.tag.text, wanted.where].append(wanted)
        if wanted.edited and rules and all(rule.in_layout for rule in rules):
            mistakes.append(table.mistake(row, f"`{row.tag.text}` is decided in a layout ({row.decided_by}); change the rule there"))
    merged = [_merged(table, group, mistakes) for group in groups.values()]
    if mistakes:
        raise PortalFileError(tuple(mistakes))
    return merged


def _merged(table: Table, group: Sequence[WantedRow], mistakes: list[Mistake]) -> WantedRow:
    """What the rows about one tag want together; contradictions are noted."""
    edited = [wanted for wanted in group if wanted.edited]
    others = (wanted for wanted in edited if wanted.target != edited[0].target)
    mistakes.extend(table.mistake(wanted.row, contradiction(wanted.row, edited[0].row)) for wanted in others)
    return replace((edited or group)[0], weight=sum(wanted.weight for wanted in group), edited=len(edited))


class _KnownRule(NamedTuple):
    """A rule of the portal that a table may name as the one that decided a row."""

    selector: str
    decision: TagDecision
    in_layout: bool


def _known_rules(portal: Portal) -> Mapping[str, Sequence[_KnownRule]]:
    """How a table names it -> the rule (or rules: layouts repeat those of the portal)."""
    known: dict[str, list[_KnownRule]] = defaultdict(list)
    for layout, layers in layers_of(portal).items():
        for rule in (rule for layer in layers for rule in layer.rules):
            for asked in selectors_in(rule.css.text):
                name = _LINE.sub(" ", f"{rule.source} {asked.text}")
                known[name].append(_KnownRule(asked.text, decision_of_rule(rule), in_layout=bool(layout)))
    return known


def _wanted(row: TableRow, decisions: LayerDecisions, rules: Sequence[_KnownRule]) -> WantedRow:
    """By one row."""
    wanted = _wanted_at(row, row.where, decisions)
    if not wanted.edited:
        return wanted
    # it may have been decided by what a tag does not show: the value of an attribute, a number, the rules of a layout
    for rule in rules:
        there = _wanted_at(row, rule.selector, decisions)
        if not row.where and there.placed and there.now == rule.decision and wanted.now != rule.decision:
            return there
        if rule.decision == row.decision:
            return replace(wanted, target=wanted.now, edited=0)
    return wanted


def _wanted_at(row: TableRow, where: str, decisions: LayerDecisions) -> WantedRow:
    """By one row, as if it were about this place."""
    found = example_element(row.tag, where)
    element = found if found is not None else example_element(row.tag)
    assert element is not None
    now = decisions.decision(element, where, placed=found is not None)
    target = row.decision if row.decision.operation else now
    if target.url and target.url != now.url and _is_found_anyway(element, target):
        target = TagDecision(target.operation)
    return WantedRow(
        row=row,
        where=where,
        element=element,
        placed=found is not None,
        now=now,
        target=target,
        weight=row.frequency,
        edited=int(target != now),
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


class _OwnRules:
    """Those of the nearest layer of the file itself; what it extends lies farther."""

    def __init__(self, portal: Portal, *, has_layer: bool) -> None:
        layers = portal.body.tags
        nearest, farther = (layers[0], layers[1:]) if has_layer else (TagLayer(), layers)
        self._selectors = [[asked.text for asked in selectors_in(rule.css.text)] for rule in nearest.rules]
        """Of each rule."""
        self._said: dict[str, tuple[Alternative, TagDecision]] = {}
        """What the last rule with a selector makes of it."""
        for rule in nearest.rules:
            for asked in selectors_in(rule.css.text):
                self._said.pop(asked.text, None)
                self._said[asked.text] = asked.alternatives[0], decision_of_rule(rule)
        self.farther = LayerDecisions((TagLayer(forgotten=nearest.forgotten), *farther))
        """What would be decided without them."""

    def matching(self, wanted: WantedRow) -> Iterator[str]:
        """The selectors that match."""
        tag, classes = wanted.element.tag, frozenset((wanted.element.get("class") or "").split())
        for text, (alternative, _) in self._said.items():
            if alternative.subject.tag in (None, tag) and alternative.subject.classes <= classes:
                exact = not wanted.placed and text in (wanted.where, selector(tag, wanted.where, ()))
                if exact or alternative.matches(wanted.element, Scope(None)):
                    yield text

    def rules(self, wanted: Sequence[WantedRow]) -> list[Rule]:
        rows: dict[str, list[int]] = defaultdict(list)
        for number, row in enumerate(wanted):
            for text in row.own:
                rows[text].append(number)
        said = enumerate(self._said.items())
        return [Rule(text, alternative.specificity, decision, rows[text], place) for place, (text, (alternative, decision)) in said]

    def remaining(self, changed: Mapping[str, TagDecision | None]) -> dict[int, list[str]]:
        """Number of the rule -> the selectors that stay in it."""
        touched = ((number, texts) for number, texts in enumerate(self._selectors) if not changed.keys().isdisjoint(texts))
        return {number: [text for text in texts if text not in changed] for number, texts in touched}


def _new_rules(choice: RuleChoice) -> list[NewRule]:
    """What was moved, then what is new; in an order that does not depend on how it was found."""
    moved = [NewRule(text, decision) for text, decision in choice.changed.items() if decision is not None]
    new = (NewRule(rule.selector, rule.decision) for rule in choice.added)
    return [*moved, *sorted(new, key=lambda one: (one.operation, one.selector))]


# --- rows, and whether they got what they want ---


def _with_pieces(wanted: Sequence[WantedRow], own: _OwnRules, portal: Portal) -> list[WantedRow]:
    """With all that a selector can ask of them, and what matches them now."""
    by_name: dict[str, list[int]] = defaultdict(list)
    for number, one in enumerate(wanted):
        by_name[one.name].append(number)
    pieces: dict[int, tuple[str, ...]] = {}
    for numbers in by_name.values():
        tags = [with_what_was_added(wanted[number].row.tag, wanted[number].element) for number in numbers]
        pieces.update(zip(numbers, selector_pieces(tags), strict=True))
    decisions, rows = LayerDecisions(portal.body.tags), []
    for number, one in enumerate(wanted):
        is_in_simple = decisions.makes_simple_around(one.element)
        farther = one.now if is_in_simple else own.farther.decision(one.element, one.where, placed=one.placed)
        # a place that cannot be made up cannot be tried out either: only the selector itself is sure to match there
        rows.append(replace(one, pieces=pieces[number] if one.placed else (), farther=farther, own=tuple(own.matching(one))))
    return rows


def _clash(table: Table, one: TableRow, other: TableRow) -> Mistake:
    first, second = sorted((one, other), key=lambda row: row.line)
    here, there = (f"`{row.tag.text}`{f' where `{row.where}`' if row.where else ''}" for row in (second, first))
    message = f"{here} is to be {second.decision}, and {there} in row {first.line} {first.decision}; no selector can tell them apart"
    return table.mistake(second, f"{message}: give both the same operation")


def _checked(path: Path, after: bytes) -> Portal:
    """The portal under the new rules. Raises PortalFileError where the file as we edited it would not load."""
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


@dataclass(frozen=True, slots=True)
class NewRule:
    """A rule to be written."""

    selector: str
    decision: TagDecision

    @property
    def operation(self) -> str:
        return _SPLIT if " > " in self.decision.operation else self.decision.operation


def nearest_layer(content: bytes) -> dict[str, Any] | None:
    """The tag rules of a portal file, as far as they can be edited: operation -> what is said of it. None where it has none."""
    return _layer_in(said_in(content.decode("utf-8")) or {})


def _layer_in(said: Mapping[str, Any]) -> dict[str, Any] | None:
    tags = (said.get("body") or {}).get("tags")
    return next((layer for layer in (tags if isinstance(tags, list) else [tags]) if isinstance(layer, dict)), None)


def with_rules(content: bytes, path: Path, remaining: Mapping[int, Sequence[str]], new: Sequence[NewRule]) -> bytes:
    """The file with these rules added, and of the rules with these numbers only these selectors left. Raises PortalFileError."""
    text = content.decode("utf-8")
    said = said_in(text) or {}
    layer = _layer_in(said)
    if layer is None:  # the first place that is not there yet, or says nothing
        layer = {}
        said["body"] = {**(said.get("body") or {}), "tags": layer}
    for operation in {rule.operation for rule in new}:
        if operation in layer and layer[operation] is None:
            raise PortalFileError((_mistake_of_null(content, path, operation),))
    number = 0
    for operation, rules in list(layer.items()):
        entries = (
            list(rules.items()) if operation == _SPLIT and rules else rules if isinstance(rules, list) else [] if rules is None else [rules]
        )
        kept: list[Any] = []
        for entry in entries:
            kept += _left_of(entry, remaining[number]) if number in remaining else [entry]
            number += 1
        more = [_written(rule) for rule in new if rule.operation == operation]
        if more or kept != entries:
            layer[operation] = dict([*kept, *more]) if operation == _SPLIT else [*kept, *more]
    for rule in new:
        if rule.operation not in layer:
            more = [_written(other) for other in new if other.operation == rule.operation]
            layer[rule.operation] = dict(more) if rule.operation == _SPLIT else more
    for operation in [name for name, rules in layer.items() if rules == [] and len(layer) > 1]:
        del layer[operation]
    try:
        return edited(text, said, _STYLE).encode("utf-8")
    except CannotEdit as problem:
        raise PortalFileError(
            (Mistake(path, problem.line, 1, f"rules cannot be written here: {problem}; write out what it stands for"),)
        ) from None


def _left_of(entry: Any, selectors: Sequence[str]) -> list[Any]:
    """Of a rule that has lost some of its selectors."""
    left = ", ".join(selectors)
    if isinstance(entry, tuple):
        return [(left, entry[1])] if left else []
    return [{**entry, "css": left} if isinstance(entry, dict) else left] if left else []


def _written(rule: NewRule) -> Any:
    """As an item of a list; of `split` as an entry."""
    if rule.operation == _SPLIT:
        return rule.selector, rule.decision.operation.split(" > ")
    return {"css": rule.selector, "url": rule.decision.url} if rule.decision.url else rule.selector


def _mistake_of_null(content: bytes, path: Path, operation: str) -> Mistake:
    node: Any = read_yaml(content, path)[0]
    for key in ("body", "tags"):
        node = node.entries[key]
    layer = node if isinstance(node, MapNode) else next(item for item in node.items if isinstance(item, MapNode))
    message = f"`{operation}: null` forgets the `{operation}` rules of farther files; a list of new ones in its place would not"
    return layer.keys[operation].mistake(f"{message}. Write `[]` there if the old ones may come back, and apply again")
