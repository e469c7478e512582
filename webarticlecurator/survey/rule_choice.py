"""From rows to few rules that decide them, each as a person would write it: the one that puts most right comes first.

The forms are `tag`, `tag.class`, `tag.class.class`, `tag#id`, `tag[attribute]` and `tag:not([class])`, alone or in the place that a row
names. What they leave gets a rule from its whole tag, with one exception at most. No rule is chosen under which a row falls that is to
stay undecided.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import combinations

from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.tag_rules import NEUTRAL
from webarticlecurator.labelling.simplified_tags import Tag
from webarticlecurator.selectors import Selector, identifier, quoted
from webarticlecurator.survey.tag_table import TableRow, TagDecision

_NO_CLASS = ":not([class])"


@dataclass(frozen=True, kw_only=True)
class WantedRow:
    """What has to become of a tag, for all rows of a table that are about it."""

    row: TableRow
    """The first of them."""
    element: Element
    """Made up from the row."""
    placed: bool
    """It also stands where the row says; else only its tag could be made up."""
    target: TagDecision
    weight: int
    edited: int
    """Rows that want something else than what is said now."""
    pieces: tuple[str, ...] = ()
    """All that a selector can ask of it."""
    before: TagDecision = field(default_factory=TagDecision)
    """What becomes of it without any new rule."""
    decided_by: str = ""
    """The selector of the portal file's own rule that says so; empty where a preset or the general table does."""

    @property
    def where(self) -> str:
        return self.row.where

    @property
    def name(self) -> str:
        """Of the tag; where the place says it, or leaves it open, none."""
        return "" if self.where else self.row.tag.name.lower()

    @cached_property
    def asked(self) -> frozenset[str]:
        return frozenset(self.pieces)

    @property
    def whole(self) -> tuple[str, ...]:
        """The pieces of its whole tag."""
        return tuple(piece for piece in self.pieces if piece != _NO_CLASS)

    @property
    def selector(self) -> str:
        """The one of its whole tag."""
        return selector(self.name, self.where, self.whole)


@dataclass(frozen=True, slots=True, eq=False)
class NewRule:
    """A new rule of the portal file."""

    selector: str
    decision: TagDecision
    rows: Sequence[int]
    """That it matches."""
    cost: tuple[bool, int, bool, str] = (False, 0, False, "")
    """What people would rather write comes first where two rules do the same."""


class RuleChoice:
    """The search for the rules."""

    def __init__(self, rows: Sequence[WantedRow], existing: Collection[str], removed: Collection[str], share: float = 1.0) -> None:
        """`existing`: selectors that the portal file keeps; `removed`: others that it had; `share`: so much of the weight decided as wanted
        is enough; of 1, every row has to be."""
        self.rows = rows
        self.added: list[NewRule] = []
        self._removed = removed
        self._share = share
        self._weights = [row.weight if share < 1 else 1 for row in rows]
        self._rules: list[list[NewRule]] = [[] for _ in rows]
        """Of those added, the ones that match each row."""
        self._of_name: defaultdict[str, list[int]] = defaultdict(list)
        for number, row in enumerate(rows):
            self._of_name[row.name].append(number)
        self._add_best(existing)
        self._add_exact()
        for rule in sorted(self.added, key=self._effect):  # what became needless; with a share, also what is hardly worth a rule
            if self._effect(rule) <= (self._spare if share < 1 else 0):
                self.added.remove(rule)
                for number in rule.rows:
                    self._rules[number].remove(rule)

    def clashes(self) -> Iterator[tuple[TableRow, TableRow]]:
        """Pairs of rows that want different things, and that no selector can tell apart."""
        alike: dict[tuple[str, str, frozenset[str]], WantedRow] = {}
        for row in self.rows if self._share == 1 else ():
            first = alike.setdefault((row.name, row.where, row.asked), row)
            if first.target != row.target:
                yield first.row, row.row

    def _must_be_exact(self, decision: TagDecision) -> bool:
        """What goes with its text is asked for by its whole tag: nobody would see what a shorter rule drops of pages to come."""
        return decision.operation == "decompose" and self._share == 1

    def _is_right(self, number: int, rules: Iterable[NewRule] | None = None) -> bool:
        """Whether a row is decided as wanted; by these rules, else by those added.

        Where a share is enough, what nobody decides is unwrapped, so where that is wanted, it is right without a rule.
        """
        row = self.rows[number]
        decision, by = row.before, _specificity(row.decided_by)
        for rule in self._rules[number] if rules is None else rules:
            own = _specificity(rule.selector)
            if own > by:
                decision, by = rule.decision, own
            elif own == by and rule.decision != decision:
                decision = TagDecision("?")  # which of them stands later in the file must not matter
        return decision == row.target or (self._share < 1 and row.target.operation == "unwrap" and not decision.operation)

    @property
    def _spare(self) -> float:
        """By how much the weight of the rows that are decided as wanted is more than enough."""
        return sum(weight * self._is_right(number) for number, weight in enumerate(self._weights)) - self._share * sum(self._weights)

    @property
    def _is_enough(self) -> bool:
        """As long as every row counts, never: a rule may make others wrong."""
        return self._share < 1 and self._spare >= 0

    def _effect(self, rule: NewRule) -> int:
        """How much more is right with it than without it."""
        others = ((row, [other for other in self._rules[row] if other is not rule]) for row in rule.rows)
        return sum(self._weights[row] * (self._is_right(row, [*rules, rule]) - self._is_right(row, rules)) for row, rules in others)

    def _add(self, rule: NewRule) -> None:
        self.added.append(rule)
        for row in rule.rows:
            self._rules[row].append(rule)

    def _add_best(self, existing: Collection[str]) -> None:
        taken = set(existing)
        candidates = [rule for rule in self._plain_rules() if rule.selector not in taken]
        of_row: list[list[NewRule]] = [[] for _ in self.rows]
        for rule in candidates:
            for row in rule.rows:
                of_row[row].append(rule)
        gains, affected = dict[NewRule, int](), candidates
        while not self._is_enough:
            for rule in affected:
                gains[rule] = self._effect(rule) if rule.selector not in taken else 0
                if gains[rule] <= 0:
                    del gains[rule]
            if not gains:
                return
            best = min(gains, key=lambda rule: (-gains[rule], rule.cost))
            taken.add(best.selector)
            self._add(best)
            affected = list(dict.fromkeys(rule for row in best.rows for rule in of_row[row]))

    def _plain_rules(self) -> Iterator[NewRule]:
        """Every selector of a plain form, with each thing that it could say."""
        rows: dict[tuple[str, str, tuple[str, ...]], list[int]] = defaultdict(list)
        for number, row in enumerate(self.rows):
            classes = sorted(piece for piece in row.pieces if piece.startswith("."))
            for pieces in [(), *((piece,) for piece in row.pieces), *combinations(classes, 2)]:
                for name, where in {(row.row.tag.name.lower(), ""), (row.name, row.where)}:
                    rows[name, where, pieces].append(number)
        for (name, where, pieces), matched in rows.items():
            if all(self.rows[row].target.operation for row in matched) and not (len(pieces) == 2 and len(matched) == 1):
                # where one class tells as much as none, the rule with it says less of what nobody has seen
                elsewhere = not any(self.rows[row].where == where for row in matched)
                written = selector(name, where, pieces)
                is_new = written not in self._removed
                level = (2 if _NO_CLASS in pieces else (1, 0, 2)[len(pieces)]) + 2 * elsewhere
                own = {self.rows[row].target for row in matched if self.rows[row].whole == pieces}
                for decision in self._sayable(name, where, pieces, matched):
                    if decision not in own and self._must_be_exact(decision):
                        continue
                    yield NewRule(written, decision, matched, cost=(is_new, level, decision not in own, written))

    def _sayable(self, name: str, where: str, pieces: tuple[str, ...], matched: Sequence[int]) -> Iterable[TagDecision]:
        """What many rows want is taken to hold for all of a tag: but not that wrappers mean nothing, or no new one would ever be shown."""
        weights = Counter[TagDecision]()
        for row in matched:
            weights[self.rows[row].target] += self.rows[row].weight
        wanted = [decision for decision, _ in weights.most_common()]
        if pieces or selector(name, where, ()) in self._removed:
            return wanted
        bare = {self.rows[row].target for row in matched if not self.rows[row].whole and self.rows[row].where == where}
        many = len(matched) >= 10  # else only the bare tag's own row allows a rule for all of it
        return [decision for decision in wanted if decision in bare or (many and not (name in NEUTRAL and decision.operation == "unwrap"))]

    def _add_exact(self) -> None:
        """A rule of its own for each row that is not right yet; one without exceptions may make others wrong, which then get theirs."""
        for excepting in (False, False, True):
            waiting = [number for number in range(len(self.rows)) if not self._is_right(number)]
            for number in sorted(waiting, key=lambda row: (-self._weights[row], _specificity(self.rows[row].selector), row)):
                if self._is_enough:
                    return
                rule = None if self._is_right(number) else next(self._exact_rules(number, excepting=excepting), None)
                if rule is not None:
                    self._add(rule)

    def _exact_rules(self, number: int, *, excepting: bool) -> Iterator[NewRule]:
        """Those that put this row right, and decide none that is to stay undecided; the plainest first."""
        row = self.rows[number]
        parts = () if self._must_be_exact(row.target) else ((piece,) for piece in row.pieces)
        for pieces in [*parts, row.whole, row.pieces]:
            same_place = (other for other in self._of_name[row.name] if self.rows[other].where == row.where)
            matched = [other for other in same_place if self.rows[other].asked.issuperset(pieces)]
            against = [self.rows[other] for other in matched if self.rows[other].target != row.target]
            exceptions = dict.fromkeys(piece for other in against for piece in other.pieces if piece not in row.asked)
            for without in exceptions if excepting else (None,):
                left = [other for other in matched if without not in self.rows[other].asked]
                excepted = () if without is None else ("[class]",) if without == _NO_CLASS else (f":not({without})",)
                rule = NewRule(selector(row.name, row.where, (*pieces, *excepted)), row.target, left)
                is_plain = len(rule.selector) <= 100 and all(self.rows[other].target.operation for other in left)
                may_harm = without is None and pieces == row.whole and self._share == 1
                if is_plain and self._is_right(number, [*self._rules[number], rule]) and (may_harm or self._is_worth_it(rule)):
                    yield rule

    def _is_worth_it(self, rule: NewRule) -> bool:
        """Whether more is right with it; as long as every row counts, whether all stays right that is."""
        if self._share < 1:
            return self._effect(rule) > 0
        return all(self._is_right(row, [*self._rules[row], rule]) for row in rule.rows if self._is_right(row))


def selector_pieces(tags: Sequence[Tag]) -> list[tuple[str, ...]]:
    """For each of these tags (of one name) all that a selector can ask so that it matches, first what people would write first.

    What comes of a star (`[class*="post-"]`) is also true of tags that spell it out (`.post-body`).
    """
    around_stars = set[tuple[str, str]]()
    for tag in tags:
        for attribute, value in (*(("class", name) for name in tag.classes), ("id", tag.id or ""), *tag.attributes):
            if "*" in value and "*" not in attribute:
                around_stars |= {(attribute, part) for part in value.split("*") if any(map(str.isalpha, part))}
    parts = sorted(around_stars)
    pieces_of = []
    for tag in tags:
        pieces = [f".{identifier(name)}" for name in tag.classes if "*" not in name]
        if tag.id and "*" not in tag.id:
            pieces.append(f"#{identifier(tag.id)}")
        for name, value in tag.attributes:
            if "*" not in name and name:
                if value and "*" not in value:
                    pieces.append(f"[{identifier(name)}={quoted(value)}]")
                pieces.append(f"[{identifier(name)}]")
        if not tag.classes:
            pieces.append(_NO_CLASS)
        values: Mapping[str, str] = {"class": " ".join(tag.classes), "id": tag.id or "", **dict(tag.attributes)}
        pieces += [f"[{identifier(attribute)}*={quoted(part)}]" for attribute, part in parts if part in values.get(attribute, "")]
        pieces_of.append(tuple(dict.fromkeys(pieces)))
    return pieces_of


def selector(name: str, where: str, pieces: Iterable[str]) -> str:
    """A selector of the forms `tag.class`, `blockquote.tweet p.class`."""
    return (where or identifier(name)) + "".join(pieces)


@lru_cache(maxsize=8192)
def _specificity(written: str) -> tuple[int, int, int]:
    return Selector.parse(written).specificity if written else (0, 0, -1)
