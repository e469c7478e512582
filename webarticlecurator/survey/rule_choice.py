"""From rows to few rules that decide them, each as a person would write it: the one that puts most right
comes first.

The forms are the name of a tag, the name with one more piece (`.class`, `#id`, `[attribute]`,
`:not([class])`) and the whole tag, alone or in the place that a row names. What they leave gets such a rule
with exceptions: `div.box:not(.sponsored)`. No rule is chosen under which a row falls that is to stay
undecided.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.tag_rules import NEUTRAL
from webarticlecurator.labelling.simplified_tags import Tag
from webarticlecurator.selectors import Selector, identifier, quoted
from webarticlecurator.survey.tag_table import TableRow, TagDecision

_NO_CLASS = ":not([class])"
_SIGNS = {"class": ".", "id": "#"}
"""Attribute -> the sign of selectors for it."""
_LONGEST = 100
"""Characters of a selector that a person would still write."""
_MANY = 10
"""So many rows with one operation allow a rule for all of a tag that has no row of its own."""
_CONTRADICTED = TagDecision("?")
"""The decision of two rules of one weight that contradict each other: which of them stands later in the file
must not matter."""


@dataclass(frozen=True, kw_only=True)
class WantedRow:
    """The wish of all rows of a table that are about one tag."""

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
    """The facts that a selector can ask of it."""
    before: TagDecision = field(default_factory=TagDecision)
    """The decision on it without any new rule."""
    decided_by: str = ""
    """The selector of the portal file's own rule that says so; empty where a preset or the general table
    does."""

    @property
    def where(self) -> str:
        return self.row.where

    @property
    def place(self) -> _Place:
        """The name of the tag, or the selector of the place, which names the tag or leaves it open."""
        return ("", self.where) if self.where else (self.row.tag.name.lower(), "")

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
        return selector(self.place, self.whole)


@dataclass(frozen=True, slots=True, eq=False)
class NewRule:
    """A new rule of the portal file."""

    selector: str
    decision: TagDecision
    rows: Sequence[int]
    """The rows that it matches."""
    cost: tuple[bool, bool, int, bool, str]
    """The order of rules that do the same: those that people would rather write come first."""


_Place = tuple[str, str]
"""The name of a tag, and the selector of the place that a row names; one of them is empty."""


class _Cover:
    """The rules chosen so far, and what they make of the rows."""

    def __init__(self, rows: Sequence[WantedRow], share: float) -> None:
        self.rows, self.share = rows, share
        self.chosen: list[NewRule] = []
        self.weights = [row.weight if share < 1 else 1 for row in rows]
        self._rules: list[list[NewRule]] = [[] for _ in rows]
        """The chosen rules that match each row."""

    def is_right(self, number: int) -> bool:
        """Return whether the rules chosen decide a row as wanted."""
        return self._decides(number, self._rules[number])

    def _decides(self, number: int, rules: Iterable[NewRule]) -> bool:
        row = self.rows[number]
        decision, by = row.before, _specificity(row.decided_by)
        for rule in rules:
            own = _specificity(rule.selector)
            if own > by:
                decision, by = rule.decision, own
            elif own == by and rule.decision != decision:
                decision = _CONTRADICTED
        return is_as_wanted(decision, row.target, self.share)

    @property
    def spare(self) -> float:
        """By how much the weight of the rows that are decided as wanted is more than enough; where every row
        counts, nothing is."""
        if self.share == 1:
            return 0
        right = sum(weight * self.is_right(number) for number, weight in enumerate(self.weights))
        return right - self.share * sum(self.weights)

    @property
    def is_enough(self) -> bool:
        """Where every row counts, nothing is enough: a later rule may put the last row right, or make others
        wrong."""
        return self.share < 1 and self.spare >= 0

    def effect(self, rule: NewRule) -> int:
        """Return the weight of what is right with a rule, less that of what is right without it."""
        gained = 0
        for number in rule.rows:
            others = [other for other in self._rules[number] if other is not rule]
            gained += self.weights[number] * (
                self._decides(number, [*others, rule]) - self._decides(number, others)
            )
        return gained

    def add(self, rule: NewRule) -> None:
        self.chosen.append(rule)
        for number in rule.rows:
            self._rules[number].append(rule)

    def remove(self, rule: NewRule) -> None:
        self.chosen.remove(rule)
        for number in rule.rows:
            self._rules[number].remove(rule)


def is_as_wanted(decision: TagDecision, target: TagDecision, share: float) -> bool:
    """Where a share is enough, `unwrap` is right without a rule: what nobody decides is unwrapped."""
    return decision == target or (share < 1 and target.operation == "unwrap" and not decision.operation)


class _PlaceRows:
    """The rows that a rule for one place can match."""

    def __init__(self) -> None:
        self._all: set[int] = set()
        self._asking: defaultdict[str, set[int]] = defaultdict(set)
        self.forms: dict[tuple[str, ...], None] = {(): None}
        """The pieces of every plain rule that can be written."""

    def add(self, number: int, row: WantedRow) -> None:
        self._all.add(number)
        for piece in row.pieces:
            self._asking[piece].add(number)
            self.forms[(piece,)] = None
        self.forms[row.whole] = self.forms[row.pieces] = None

    def matched(self, pieces: Iterable[str]) -> list[int]:
        return sorted(self._all.intersection(*(self._asking[piece] for piece in pieces)))


def choose_rules(
    rows: Sequence[WantedRow], existing: Collection[str], removed: Collection[str], share: float = 1.0
) -> list[NewRule]:
    """Return the rules that decide the rows, or so large a `share` of their weight.

    `existing`: selectors that the portal file keeps; `removed`: others that it had.
    """
    places: defaultdict[_Place, _PlaceRows] = defaultdict(_PlaceRows)
    for number, row in enumerate(rows):
        for place in dict.fromkeys(((row.row.tag.name.lower(), ""), row.place)):
            places[place].add(number, row)
    cover = _Cover(rows, share)
    plain = (
        rule
        for place, at_place in places.items()
        for rule in _plain_rules(rows, place, at_place, removed, share)
    )
    _take_best(cover, [rule for rule in plain if rule.selector not in existing])
    wrong = [number for number in range(len(rows)) if not cover.is_right(number)]
    _take_best(
        cover,
        [
            rule
            for number in wrong
            for rule in _excepting_rules(number, rows, places[rows[number].place], share)
        ],
    )
    for rule in sorted(
        cover.chosen, key=cover.effect
    ):  # what became needless; with a share, also what is hardly worth a rule
        if cover.effect(rule) <= cover.spare:
            cover.remove(rule)
    return cover.chosen


def _take_best(cover: _Cover, candidates: Sequence[NewRule]) -> None:
    """Choose the rule that puts most right, and again, until that is enough or nothing puts more right than
    wrong."""
    of_row: defaultdict[int, list[NewRule]] = defaultdict(list)
    for rule in candidates:
        for number in rule.rows:
            of_row[number].append(rule)
    gains: dict[NewRule, int] = {}
    affected: Iterable[NewRule] = candidates
    while not cover.is_enough:
        for rule in affected:
            gain = cover.effect(rule)
            if gain > 0 and rule not in cover.chosen:
                gains[rule] = gain
            else:
                gains.pop(rule, None)
        if not gains:
            return
        best = min(gains, key=lambda rule: (-gains[rule], rule.cost))
        cover.add(best)
        affected = dict.fromkeys(rule for number in best.rows for rule in of_row[number])


def _plain_rules(
    rows: Sequence[WantedRow], place: _Place, at_place: _PlaceRows, removed: Collection[str], share: float
) -> Iterator[NewRule]:
    """Every selector of a plain form for a place, with each thing that it could say."""
    for pieces in at_place.forms:
        numbers = at_place.matched(pieces)
        matched = [rows[number] for number in numbers]
        written = selector(place, pieces)
        if len(written) > _LONGEST or not all(row.target.operation for row in matched):
            continue
        elsewhere = not any(row.where == place[1] for row in matched)
        own = {row.target for row in matched if (row.where, row.whole) == (place[1], pieces)}
        for decision in _by_weight(matched):
            names_enough = bool(pieces or place[1]) or written in removed
            if decision in own or _may_be_guessed(
                decision, place[0], len(matched), share, names_enough=names_enough
            ):
                cost = (written not in removed, elsewhere, _level(pieces), decision not in own, written)
                yield NewRule(written, decision, numbers, cost)


def _level(pieces: Sequence[str]) -> int:
    """A rule with one class says less of what nobody has seen than one without; more pieces are longer to
    read."""
    if not pieces:
        return 1
    return 0 if len(pieces) == 1 and pieces[0] != _NO_CLASS else 2


def _by_weight(rows: Iterable[WantedRow]) -> list[TagDecision]:
    """Return what rows want, first what most of their elements are to be."""
    weights = Counter[TagDecision]()
    for row in rows:
        weights[row.target] += row.weight
    return [decision for decision, _ in weights.most_common()]


def _may_be_guessed(
    decision: TagDecision, name: str, count: int, share: float, *, names_enough: bool
) -> bool:
    """Return whether a rule may say of tags what no row says of them.

    What goes with its text is asked for by its whole tag: nobody would see what a shorter rule drops of pages
    to come. What many rows want is taken to hold for all of a tag: but not that wrappers mean nothing, or no
    new one would ever be shown.
    """
    if decision.operation == "decompose" and share == 1:
        return False
    return names_enough or (count >= _MANY and not (name in NEUTRAL and decision.operation == "unwrap"))


def _excepting_rules(
    number: int, rows: Sequence[WantedRow], at_place: _PlaceRows, share: float
) -> Iterator[NewRule]:
    """Rules for what a row asks that leave out, by `:not()`, some of what wants something else: first what is
    to stay undecided, then what weighs most."""
    row = rows[number]
    is_exact = row.target.operation == "decompose" and share == 1
    for pieces in dict.fromkeys([row.whole, row.pieces, *((piece,) for piece in row.pieces if not is_exact)]):
        matched = at_place.matched(pieces)
        against = [rows[other] for other in matched if rows[other].target != row.target]
        against.sort(key=lambda other: (bool(other.target.operation), -other.weight))
        left_out: list[str] = []
        written = selector(row.place, pieces)
        for piece in (None, *_exceptions(row, against)):
            if piece is not None:
                left_out.append(piece)
                written += "[class]" if piece == _NO_CLASS else f":not({piece})"
            if len(written) > _LONGEST:
                break
            left = [other for other in matched if rows[other].asked.isdisjoint(left_out)]
            if all(rows[other].target.operation for other in left):
                yield NewRule(written, row.target, left, (True, False, len(left_out), False, written))


def _exceptions(row: WantedRow, against: Iterable[WantedRow]) -> list[str]:
    """Return pieces that tell other rows from this one, as far as there are any."""
    excepted: list[str] = []
    for other in against:
        telling = [piece for piece in other.pieces if piece not in row.asked]
        if telling and other.asked.isdisjoint(excepted):
            excepted.append(telling[0])
    return excepted


def clashes(rows: Iterable[WantedRow]) -> Iterator[tuple[TableRow, TableRow]]:
    """Pairs of rows that want different things, and that no selector can tell apart."""
    alike: dict[tuple[_Place, frozenset[str]], WantedRow] = {}
    for row in rows:
        first = alike.setdefault((row.place, row.asked), row)
        if first.target != row.target:
            yield first.row, row.row


def selector_pieces(tags: Sequence[Tag]) -> list[tuple[str, ...]]:
    """For each of these tags (of one name) all that a selector can ask so that it matches, first what people
    would write first.

    What comes of a star (`[class*="post-"]`) is also true of tags that spell it out (`.post-body`).
    """
    parts = sorted({part for tag in tags for part in _around_stars(tag)})
    return [tuple(dict.fromkeys([*_own_pieces(tag), *_pieces_of_stars(tag, parts)])) for tag in tags]


def _values(tag: Tag) -> list[tuple[str, str]]:
    """Every attribute of a tag with its value; classes one by one."""
    return [*(("class", name) for name in tag.classes), ("id", tag.id), *tag.attributes]


def _around_stars(tag: Tag) -> Iterator[tuple[str, str]]:
    """Attribute and text before and behind each star in its value."""
    for attribute, value in _values(tag):
        if "*" in value and "*" not in attribute:
            yield from ((attribute, part) for part in value.split("*") if any(map(str.isalpha, part)))


def _own_pieces(tag: Tag) -> Iterator[str]:
    """Ask for what a tag names without a star."""
    whole = [
        (attribute, value) for attribute, value in _values(tag) if value and "*" not in value + attribute
    ]
    named = ((_SIGNS.get(attribute), value) for attribute, value in whole)
    yield from (f"{sign}{identifier(value)}" for sign, value in named if sign)
    for attribute, value in tag.attributes:
        if attribute and "*" not in attribute:
            if (attribute, value) in whole:
                yield f"[{identifier(attribute)}={quoted(value)}]"
            yield f"[{identifier(attribute)}]"
    if not tag.classes:
        yield _NO_CLASS


def _pieces_of_stars(tag: Tag, parts: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Ask for texts around stars that also stand in this tag's values."""
    values: Mapping[str, str] = {"class": " ".join(tag.classes), "id": tag.id, **dict(tag.attributes)}
    for attribute, part in parts:
        if part in values.get(attribute, ""):
            yield f"[{identifier(attribute)}*={quoted(part)}]"


def selector(place: _Place, pieces: Iterable[str]) -> str:
    """A selector of the forms `tag.class`, `blockquote.tweet p.class`."""
    name, where = place
    return (where or identifier(name)) + "".join(pieces)


@lru_cache(maxsize=8192)
def _specificity(written: str) -> tuple[int, int, int]:
    return Selector.parse(written).specificity if written else (0, 0, -1)
