"""From rows to the fewest rules that decide them: rules that contradict are changed, the best are added one by one, the needless go.

Every rule is about one tag, so rows of different tags never meet. A rule is only chosen if no row that is to stay undecided falls under it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush

from webarticlecurator.survey.applying.candidates import Candidates
from webarticlecurator.survey.applying.rule_decisions import DecidedRow, Rule, RuleDecisions
from webarticlecurator.survey.applying.selector_pieces import selector, specificity
from webarticlecurator.survey.applying.table import TagDecision

_FEW_EXCEPTIONS = 3
_MOST_EXCEPTIONS = 60
"""`:not()` in one selector: rather than rules for what it must not match; and where there is no other way."""
_MOST_TRIES = 10
"""Of one row, which the rules of others may make wrong again."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What has to be written."""

    added: tuple[Rule, ...]
    changed: Mapping[int, TagDecision | None]
    """Rules of the portal file, by their number: what they say now; None: nothing, they go."""
    clashes: tuple[tuple[int, int], ...]
    """Pairs of rows that want different things, and that no selector can tell apart."""
    decisions: RuleDecisions
    """What decides each row then."""

    @property
    def length(self) -> tuple[int, int]:
        return len(self.clashes), len(self.added) + len(self.changed)


def fewest_rules(rows: Sequence[DecidedRow], existing: Sequence[Rule], share: float = 1.0) -> Plan:
    """Rules under which at least that share of the weight is decided as wanted; with 1, every row."""
    # which first step leads to the fewest rules in the end is not known before: the one for most elements, or that for most rows
    return min((_planned(rows, existing, share, weighted) for weighted in (False, True)), key=lambda plan: plan.length)


def _planned(rows: Sequence[DecidedRow], existing: Sequence[Rule], share: float, weighted: bool) -> Plan:
    search = _Search(rows, existing, share)
    search.settle_existing()
    search.add_best(weighted=weighted)
    search.add_exact()
    search.prune()
    return Plan(tuple(search.added), search.changed, () if search.is_enough else tuple(search.clashes), search.decisions)


class _Search:
    """The search for one plan, step by step."""

    def __init__(self, rows: Sequence[DecidedRow], existing: Sequence[Rule], share: float) -> None:
        self.rows = rows
        self.existing = existing
        self.share = share
        self.added: list[Rule] = []
        self.changed: dict[int, TagDecision | None] = {}
        self.clashes: list[tuple[int, int]] = []
        self.decisions = RuleDecisions(rows, by_effect=share < 1)
        for rule in existing:
            self.decisions.add(rule)
        self._gone: set[str] = set()
        """Selectors of rules that had to make way."""
        self._having: dict[tuple[str, str], set[int]] = defaultdict(set)
        """Name and piece -> rows; "" for all of the name."""
        self._wanting: dict[tuple[str, TagDecision], set[int]] = defaultdict(set)
        self._standing_in: dict[tuple[str, str], set[int]] = defaultdict(set)
        """Name and `where` -> rows."""
        for number, row in enumerate(rows):
            for piece in ("", *row.pieces):
                self._having[row.name, piece].add(number)
            self._wanting[row.name, row.target].add(number)
            self._standing_in[row.name, row.where].add(number)

    @property
    def is_enough(self) -> bool:
        """As long as every row counts, one that is right now may still be made wrong by a rule for another."""
        return self.share < 1 and self.decisions.right >= self.share * self.decisions.total

    # --- rules of the file that rows contradict ---

    def settle_existing(self) -> None:
        for rule in self.existing:
            decided = self.decisions.decided_by(rule)
            wrong = [row for row in decided if not self.decisions.is_right(row)]
            # a rule with rows that are right stays, if what is wrong can be said by a more specific one
            beyond = [row for row in wrong if self.rows[row].most_specific <= rule.specificity]
            if wrong and (len(wrong) == len(decided) or beyond):
                self._change(rule, beyond or wrong)

    def _change(self, rule: Rule, wrong: Sequence[int]) -> None:
        """Let it say what most of these rows want, or nothing where they want what farther rules say."""
        assert rule.number is not None
        self.decisions.remove(rule)
        self.changed[rule.number] = None
        if all(map(self.decisions.is_right, wrong)):
            return
        wanted: Counter[TagDecision] = Counter()
        for row in wrong:
            wanted[self.rows[row].target] += self.rows[row].weight
        decision = min(wanted, key=lambda decision: (-wanted[decision], decision))
        self.changed[rule.number] = decision
        self.decisions.add(replace(rule, decision=decision, moved=True))

    # --- new rules ---

    def add_best(self, *, weighted: bool) -> None:
        gone = {number for number, decision in self.changed.items() if decision is None}
        standing = [rule.selector for rule in self.existing if rule.number not in gone]
        candidates = Candidates(self.decisions, weighted=weighted, taken=standing)
        while not self.is_enough and (rule := candidates.best()) is not None:
            candidates.take(rule)
            self.added.append(rule)

    def add_exact(self) -> None:
        """A rule of its own for each row that is not right yet.

        It may decide rows that want something else, if they have more that a selector can ask for: they get their own one next.
        """
        tries: Counter[int] = Counter()
        while wrong := [row for row in range(len(self.rows)) if tries[row] < _MOST_TRIES and not self.decisions.is_right(row)]:
            for row in sorted(wrong, key=self._urgency):
                if self.is_enough:
                    return
                if not self.decisions.is_right(row):
                    tries[row] += 1 if self._decide(row) else _MOST_TRIES

    def _urgency(self, row: int) -> tuple[object, ...]:
        return -self.rows[row].weight if self.share < 1 else 0, self.rows[row].most_specific, row

    def _decide(self, row: int) -> bool:
        """Put a rule in force that decides this row; False where none can, or (as long as a share is enough) none is worth it."""
        rules = list(self._exact(row))
        if not rules and self.share == 1:
            return self._make_way(row)
        best = max(rules, key=self.decisions.gain_with, default=None) if self.share < 1 else rules[0]
        if best is None or (self.share < 1 and self.decisions.gain_with(best) <= 0):
            return False
        self.decisions.add(best)
        self.added.append(best)
        return True

    def _exact(self, number: int) -> Iterator[Rule]:
        """Rules that would decide this row, the simpler ones first; none where other rules are as specific as any that could be written."""
        row = self.rows[number]
        pieces = self._pieces(row)
        for without in self._exceptions(row, self._unlike(row, pieces)):
            asked, ruled_out = self._overruling(number, pieces, without)
            rank = specificity(row.name, row.where, (*asked, *ruled_out))
            matched = self._matched(row, asked, ruled_out)
            undecided = any(not self.rows[one].target.operation for one in matched - self._wanting[row.name, row.target])
            if rank > self.decisions.specificity(number) and not undecided:
                text = selector(row.name, row.where, asked, ruled_out)
                yield Rule(text, rank, row.target, sorted(matched), without=tuple(ruled_out))

    def _pieces(self, row: DecidedRow) -> list[str]:
        """As few as tell it from the rows that want something else, as far as its own pieces can."""
        pieces = list(row.pieces[:1])
        unlike = self._unlike(row, pieces)
        for piece in row.pieces[1:]:
            rest = unlike & self._having[row.name, piece]
            if len(rest) < len(unlike):
                pieces.append(piece)
                unlike = rest
        return pieces

    def _exceptions(self, row: DecidedRow, unlike: set[int]) -> Iterator[list[str]]:
        """What those have that want something else, and it has not: of all of them if a few pieces do, else of those that have to."""
        of_all = self._telling(row, unlike)
        if len(of_all) > _FEW_EXCEPTIONS:
            yield self._telling(row, {one for one in unlike if not self.rows[one].target.operation})
        yield of_all

    def _telling(self, row: DecidedRow, unlike: set[int]) -> list[str]:
        """The pieces that most of them have come first."""
        without: list[str] = []
        while unlike and len(without) < _MOST_EXCEPTIONS:
            counts = Counter(piece for one in unlike for piece in self.rows[one].pieces if piece not in row.pieces)
            if not counts:
                break
            piece = min(counts, key=lambda piece: (-counts[piece], piece))
            without.append(piece)
            unlike = unlike - self._having[row.name, piece]
        return without

    def _overruling(self, number: int, pieces: Sequence[str], without: Sequence[str]) -> tuple[list[str], list[str]]:
        """The same, with so much more of the row's own that the rules that decide it now are overruled."""
        row, asked, ruled_out = self.rows[number], [*pieces], [*without]
        there = [piece for rule in self.decisions.strongest(number) for piece in rule.without]
        more = [(asked, piece) for piece in row.pieces] + [(ruled_out, piece) for piece in there]
        for pieces_of, piece in more:
            if specificity(row.name, row.where, (*asked, *ruled_out)) > self.decisions.specificity(number):
                break
            pieces_of += [piece] if piece not in pieces_of else []
        return asked, ruled_out

    def _matched(self, row: DecidedRow, pieces: Collection[str], without: Collection[str] = ()) -> set[int]:
        """The rows with these pieces, and without those; the smallest sets are met first."""
        sets = [self._standing_in[row.name, row.where] if row.where else self._having[row.name, ""]]
        sets += [self._having[row.name, piece] for piece in pieces]
        matched = set.intersection(*sorted(sets, key=len))
        return matched.difference(*(self._having[row.name, piece] for piece in without))

    def _unlike(self, row: DecidedRow, pieces: Collection[str]) -> set[int]:
        """Of the rows with these pieces, those that want something else."""
        return self._matched(row, pieces) - self._wanting[row.name, row.target]

    def _make_way(self, row: int) -> bool:
        """Take away the rule that nothing can overrule; False where there is none, or it came back."""
        rule = self.decisions.decider(row) or self._contradicting(row)
        if rule is None or rule.selector in self._gone:
            self._note_clash(row)
            return False
        self._gone.add(rule.selector)
        if rule.number is None:
            self._drop(rule)
        elif rule.moved:
            self.decisions.remove(rule)
            self.changed[rule.number] = None
        else:
            self._change(rule, [row])
        return True

    def _contradicting(self, row: int) -> Rule | None:
        """Of the rules of one specificity that say different things, one that says what the row does not want."""
        target = self.rows[row].target
        against = (rule for rule in self.decisions.strongest(row) if rule.decision != target)
        return next((rule for rule in against if rule.selector not in self._gone), None)

    def _note_clash(self, number: int) -> None:
        row = self.rows[number]
        alike = [one for one in self._unlike(row, row.pieces) if len(self.rows[one].pieces) == len(row.pieces)]
        first, second = sorted((number, min(alike, default=number)))
        if (first, second) not in self.clashes:
            self.clashes.append((first, second))

    # --- fewer ---

    def prune(self) -> None:
        """What became needless by later rules goes; with a share, also what is hardly worth a rule."""
        for rule in reversed(self.added[:]):
            if not self.decisions.breaks_without(rule):
                self._drop(rule)
        if self.share == 1:
            return
        waiting = [(self.decisions.loss_without(rule), rule.selector, number, rule) for number, rule in enumerate(self.added)]
        heapify(waiting)
        while waiting:
            _, text, number, rule = heappop(waiting)
            loss = self.decisions.loss_without(rule)
            if waiting and loss > waiting[0][0]:
                heappush(waiting, (loss, text, number, rule))
            elif self.decisions.right - loss >= self.share * self.decisions.total:
                self._drop(rule)

    def _drop(self, rule: Rule) -> None:
        self.decisions.remove(rule)
        self.added.remove(rule)
