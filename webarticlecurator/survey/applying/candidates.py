"""The rules that could be written for the rows of a table, and how many rows each would put right: the best one first."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import combinations

from webarticlecurator.extraction.body.general_table import NEUTRAL
from webarticlecurator.survey.applying.rule_decisions import DecidedRow, Rule, RuleDecisions
from webarticlecurator.survey.applying.selector_pieces import HAS_CLASS, Specificity, selector, specificity
from webarticlecurator.survey.applying.table import TagDecision

_Cost = tuple[int, int, str]
"""What people would rather write comes first where two rules do the same."""
_SWEEPING = ((), (HAS_CLASS,))
_MANY = 10
"""Rows of a tag from which a rule for all of it, whatever its class, may be concluded; else only the bare tag's own row allows one."""
_KINDS = ((".", 0), ("#", 1), ("[class*=", 2))


@dataclass(slots=True, eq=False)
class _Candidate:
    """A selector, and what would be gained and lost by each thing that it could say."""

    name: str
    where: str
    pieces: tuple[str, ...]
    rows: Sequence[int]
    specificity: Specificity
    cost: _Cost
    wanted: Mapping[TagDecision, int]
    """By how many rows; those that stand just where the selector says count twice."""
    gains: dict[TagDecision, int] = field(default_factory=dict)
    """Decision -> weight of the rows that want it, and that this selector would decide. Nothing else can be said."""
    risk: int = 0
    """Of them, those that are right already."""

    def best(self) -> tuple[int, int, TagDecision] | None:
        """What is gained most by, how many rows want something else, and what that is to say."""
        found = max(
            ((weight, self.wanted[decision], decision) for decision, weight in self.gains.items() if decision in self.wanted), default=None
        )
        if found is None or found[0] <= self.risk:
            return None
        gain, wanted, decision = found
        return gain - self.risk, sum(self.wanted.values()) - wanted, decision


class Candidates:
    """All selectors of one tag with at most one class, id or attribute, or two classes; the gains are kept up to date."""

    def __init__(self, decisions: RuleDecisions, *, weighted: bool, taken: Iterable[str]) -> None:
        self._decisions = decisions
        self._weights = [row.weight if weighted else 1 for row in decisions.rows]
        self._of_row: list[list[_Candidate]] = [[] for _ in decisions.rows]
        self._heap: list[tuple[int, int, _Cost, int, _Candidate]] = []
        self._pushed = 0
        taken = frozenset(taken)
        everything = [one for one in _candidates(decisions.rows) if selector(one.name, one.where, one.pieces) not in taken]
        for candidate in everything:
            for row in candidate.rows:
                self._of_row[row].append(candidate)
        for row in range(len(decisions.rows)):
            self._count(row, 1)
        self._push(everything)

    def best(self) -> Rule | None:
        """The rule that puts the most weight right."""
        while self._heap:
            negative, _, _, _, candidate = heappop(self._heap)
            found = candidate.best()
            if found is not None and found[0] == -negative:
                text = selector(candidate.name, candidate.where, candidate.pieces)
                return Rule(text, candidate.specificity, found[2], candidate.rows)
        return None

    def take(self, rule: Rule) -> None:
        """Put a rule in force."""
        for row in rule.rows:
            self._count(row, -1)
        self._decisions.add(rule)
        touched: dict[_Candidate, None] = {}
        for row in rule.rows:
            self._count(row, 1)
            touched.update(dict.fromkeys(self._of_row[row]))
        self._push(touched)

    def _count(self, row: int, sign: int) -> None:
        weight, target = sign * self._weights[row], self._decisions.rows[row].target
        decided, right = self._decisions.specificity(row), self._decisions.is_right(row)
        for candidate in self._of_row[row]:
            if candidate.specificity > decided or (right and candidate.specificity == decided):
                candidate.gains[target] = candidate.gains.get(target, 0) + weight
                if right:
                    candidate.risk += weight

    def _push(self, candidates: Iterable[_Candidate]) -> None:
        for candidate in candidates:
            found = candidate.best()
            if found is not None:
                self._pushed += 1
                heappush(self._heap, (-found[0], found[1], candidate.cost, self._pushed, candidate))


def _candidates(decided_rows: Sequence[DecidedRow]) -> Iterator[_Candidate]:
    """Without those that would decide a row that is to stay undecided, and of those that match the same rows only the simplest."""
    rows: dict[tuple[str, str, tuple[str, ...]], list[int]] = defaultdict(list)
    for number, row in enumerate(decided_rows):
        for pieces in _combinations(row.pieces):
            for where in {"", row.where}:
                rows[row.name, where, pieces].append(number)
    simplest: dict[tuple[Specificity, tuple[int, ...]], _Candidate] = {}
    for (name, where, pieces), matched in rows.items():
        if len(pieces) == 2 and len(matched) == 1:
            continue
        wanted = _wanted(decided_rows, matched, where)
        if pieces in _SWEEPING:
            own = _wanted(decided_rows, [row for row in matched if not decided_rows[row].pieces], where)
            wanted = _concluded(name, own, wanted) if len(matched) >= _MANY else own
        if wanted and all(decided_rows[row].target.operation for row in matched):
            # where one class tells as much as none, the rule with it says less of what nobody has seen
            elsewhere = not any(decided_rows[row].where == where for row in matched)
            cost = ((1, 0, 2)[len(pieces)] + 2 * elsewhere, sum(map(_kind, pieces)), "".join((name, where, *pieces)))
            one = _Candidate(name, where, pieces, tuple(matched), specificity(name, where, pieces), cost, wanted)
            before = simplest.setdefault((one.specificity, tuple(matched)), one)
            if cost < before.cost:
                simplest[one.specificity, tuple(matched)] = one
    yield from simplest.values()


def _concluded(name: str, own: Mapping[TagDecision, int], wanted: Mapping[TagDecision, int]) -> Mapping[TagDecision, int]:
    """What many rows want is taken to hold for all: but not that wrappers mean nothing, or no new one would ever be shown."""
    return {
        decision: count for decision, count in wanted.items() if decision in own or name not in NEUTRAL or decision.operation != "unwrap"
    }


def _wanted(decided_rows: Sequence[DecidedRow], rows: Iterable[int], where: str) -> Mapping[TagDecision, int]:
    wanted: Counter[TagDecision] = Counter()
    for row in rows:
        wanted[decided_rows[row].target] += 2 if decided_rows[row].where == where else 1
    return wanted


def _combinations(pieces: Sequence[str]) -> Iterator[tuple[str, ...]]:
    yield ()
    yield from ((piece,) for piece in pieces)
    yield from combinations(sorted(piece for piece in pieces if piece.startswith(".")), 2)


def _kind(piece: str) -> int:
    if piece == HAS_CLASS:
        return 6
    return next((kind for start, kind in _KINDS if piece.startswith(start)), 3 if "=" in piece else 4)
