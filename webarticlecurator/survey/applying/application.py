"""A table of decided tags becomes rules of a portal file: the fewest that say what the rows want, and the proof that they do."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from webarticlecurator.config.load import editable, load_portal, replace_file
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.tag_dictionary import TagLayer
from webarticlecurator.errors import CuratorError, Mistake, PortalFileError
from webarticlecurator.selectors import Alternative, Scope
from webarticlecurator.survey.applying.example_elements import with_what_was_added
from webarticlecurator.survey.applying.fewest_rules import Plan, fewest_rules
from webarticlecurator.survey.applying.rule_decisions import DecidedRow, Rule
from webarticlecurator.survey.applying.rule_edits import NewRule, nearest_layer, with_rules
from webarticlecurator.survey.applying.selector_pieces import selector, selector_pieces, specificity
from webarticlecurator.survey.applying.table import Table, TableRow, TagDecision
from webarticlecurator.survey.applying.wanted import LayerDecisions, WantedDecision, decision_of_rule, wanted_decisions
from webarticlecurator.survey.rule_selectors import selectors_in


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
    wanted = wanted_decisions(table, loaded)
    own = _OwnSelectors(loaded, has_layer=nearest_layer(before) is not None)
    rows = _decided_rows(wanted, own, loaded)
    plan = fewest_rules(rows, own.rules(rows), agreement)
    if plan.clashes:
        raise PortalFileError(tuple(_clash(table, wanted[one].row, wanted[other].row) for one, other in plan.clashes))
    after = with_rules(before, path, own.remaining(plan.changed), own.new_rules(plan))
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
        added=len(plan.added),
        moved=sum(decision is not None for decision in plan.changed.values()),
        removed=sum(decision is None for decision in plan.changed.values()),
        left=tuple((one.row, becomes) for one, becomes in left),
        agreement=reached,
    )


# --- the rules that the file has ---


@dataclass(frozen=True, slots=True)
class _OwnSelector:
    """One selector of a rule of the file itself."""

    rule: int
    """Its number among the rules."""
    text: str
    alternative: Alternative
    decision: TagDecision
    overruled: bool
    """The same selector stands in a later rule, too (one of them in a group), so that this one never decides."""


class _OwnSelectors:
    """Those of the nearest layer of the file itself; what it extends lies farther."""

    def __init__(self, portal: Portal, *, has_layer: bool) -> None:
        layers = portal.body.tags
        nearest, farther = (layers[0], layers[1:]) if has_layer else (TagLayer(), layers)
        listed = [(number, rule, asked) for number, rule in enumerate(nearest.rules) for asked in selectors_in(rule.css.text)]
        last = {asked.text: place for place, (_, _, asked) in enumerate(listed)}
        self._selectors = [
            _OwnSelector(number, asked.text, asked.alternatives[0], decision_of_rule(rule), overruled=last[asked.text] != place)
            for place, (number, rule, asked) in enumerate(listed)
        ]
        self.farther = LayerDecisions((TagLayer(forgotten=nearest.forgotten), *farther))
        """What would be decided without them."""

    def matching(self, wanted: WantedDecision) -> Iterator[int]:
        """The numbers of the selectors that match."""
        scope = Scope(None)
        tag, classes = wanted.element.tag, frozenset((wanted.element.get("class") or "").split())
        for number, own in enumerate(self._selectors):
            subject = own.alternative.subject
            if not own.overruled and subject.tag in (None, tag) and subject.classes <= classes:
                exact = not wanted.placed and own.text in (wanted.where, selector(tag, wanted.where, ()))
                if exact or own.alternative.matches(wanted.element, scope):
                    yield number

    def rules(self, decided: Sequence[DecidedRow]) -> list[Rule]:
        rows: dict[int, list[int]] = defaultdict(list)
        for number, row in enumerate(decided):
            for own in row.own:
                rows[own].append(number)
        return [
            Rule(one.text, one.alternative.specificity, one.decision, rows[number], number) for number, one in enumerate(self._selectors)
        ]

    def remaining(self, changed: Iterable[int]) -> dict[int, list[str]]:
        """Number of the rule -> the selectors that stay in it.

        With a rule that is touched goes what it overruled: it would come back, or say of a selector that now stands alone what another
        rule says, too, which is a mistake.
        """
        gone = set(changed)
        while True:
            touched = {self._selectors[number].rule for number in gone}
            texts = {own.text for own in self._selectors if own.rule in touched}
            overruled = {number for number, own in enumerate(self._selectors) if own.overruled and own.text in texts}
            if overruled <= gone:
                break
            gone |= overruled
        kept: dict[int, list[str]] = {rule: [] for rule in touched}
        for number, own in enumerate(self._selectors):
            if own.rule in touched and number not in gone:
                kept[own.rule].append(own.text)
        return kept

    def new_rules(self, plan: Plan) -> list[NewRule]:
        """What was moved, then what is new; in an order that does not depend on how it was found."""
        moved = [(self._selectors[number], decision) for number, decision in plan.changed.items() if decision is not None]
        new = sorted((NewRule(rule.selector, rule.decision) for rule in plan.added), key=lambda one: (one.operation, one.selector))
        return [*(NewRule(own.text, decision) for own, decision in moved), *new]


# --- rows, and whether they got what they want ---


def _decided_rows(wanted: Sequence[WantedDecision], own: _OwnSelectors, portal: Portal) -> list[DecidedRow]:
    by_name: dict[str, list[int]] = defaultdict(list)
    for number, one in enumerate(wanted):
        by_name[one.row.tag.name.lower()].append(number)
    pieces: dict[int, tuple[str, ...]] = {}
    for numbers in by_name.values():
        tags = [with_what_was_added(wanted[number].row.tag, wanted[number].element) for number in numbers]
        pieces.update(zip(numbers, selector_pieces(tags), strict=True))
    decisions = LayerDecisions(portal.body.tags)
    # a place that cannot be made up cannot be tried out either: only the selector itself is sure to match there
    return [_decided_row(one, pieces[number] if one.placed else (), own, decisions) for number, one in enumerate(wanted)]


def _decided_row(wanted: WantedDecision, pieces: tuple[str, ...], own: _OwnSelectors, decisions: LayerDecisions) -> DecidedRow:
    name = wanted.row.tag.name.lower()
    is_in_simple = decisions.makes_simple_around(wanted.element)
    return DecidedRow(
        name=name,
        where=wanted.where,
        pieces=pieces,
        most_specific=specificity(name, wanted.where, pieces),
        weight=wanted.weight,
        target=wanted.target,
        farther=wanted.now if is_in_simple else own.farther.decision(wanted.element, wanted.where, placed=wanted.placed),
        own=tuple(own.matching(wanted)),
    )


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


def _left(wanted: Sequence[WantedDecision], portal: Portal, agreement: float) -> list[tuple[WantedDecision, TagDecision]]:
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
