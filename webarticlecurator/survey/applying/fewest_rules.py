"""From rows to the fewest rules that decide them: rules that contradict are changed, the best are added one by one, the needless go.

Every rule is about one tag, so rows of different tags never meet. A rule is only chosen if no row that is to stay undecided falls under it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import heapify, heappop, heappush

from webarticlecurator.survey.applying.candidates import Candidates
from webarticlecurator.survey.applying.rule_decisions import DecidedRow, Rule, RuleDecisions
from webarticlecurator.survey.applying.selector_pieces import Specificity, selector, specificity
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
    board: RuleDecisions
    """What decides each row then."""

    @property
    def length(self) -> tuple[int, int]:
        return len(self.clashes), len(self.added) + len(self.changed)


def fewest_rules(cases: Sequence[DecidedRow], existing: Sequence[Rule], share: float = 1.0) -> Plan:
    """Rules under which at least that share of the weight is decided as wanted; with 1, every row."""
    # which first step leads to the fewest rules in the end is not known before: the one for most elements, or that for most rows
    return min((_planned(cases, existing, share, weighted) for weighted in (False, True)), key=lambda plan: plan.length)


def _planned(cases: Sequence[DecidedRow], existing: Sequence[Rule], share: float, weighted: bool) -> Plan:
    work = _Work(cases, existing, share)
    work.settle_existing()
    work.add_best(weighted=weighted)
    work.add_exact()
    work.prune()
    return Plan(tuple(work.added), work.changed, () if work.is_enough else tuple(work.clashes), work.board)


@dataclass(slots=True)
class _Work:
    cases: Sequence[DecidedRow]
    existing: Sequence[Rule]
    share: float
    board: RuleDecisions = field(init=False)
    added: list[Rule] = field(default_factory=list)
    changed: dict[int, TagDecision | None] = field(default_factory=dict)
    clashes: list[tuple[int, int]] = field(default_factory=list)
    _having: dict[tuple[str, str], set[int]] = field(default_factory=lambda: defaultdict(set))
    """Name and piece -> rows; "" for all of the name."""
    _wanting: dict[tuple[str, TagDecision], set[int]] = field(default_factory=lambda: defaultdict(set))
    _standing_in: dict[tuple[str, str], set[int]] = field(default_factory=lambda: defaultdict(set))
    """Name and `where` -> rows."""
    _gone: set[str] = field(default_factory=set)
    """Selectors of rules that had to make way."""

    def __post_init__(self) -> None:
        self.board = RuleDecisions(self.cases, by_effect=self.share < 1)
        for rule in self.existing:
            self.board.add(rule)
        for row, case in enumerate(self.cases):
            for piece in ("", *case.pieces):
                self._having[case.name, piece].add(row)
            self._wanting[case.name, case.target].add(row)
            if case.where:
                self._standing_in[case.name, case.where].add(row)

    @property
    def is_enough(self) -> bool:
        """As long as every row counts, one that is right now may still be made wrong by a rule for another."""
        return self.share < 1 and self.board.right >= self.share * self.board.total

    # --- rules of the file that rows contradict ---

    def settle_existing(self) -> None:
        for rule in self.existing:
            decided = self.board.decided_by(rule)
            wrong = [row for row in decided if not self.board.is_right(row)]
            # a rule with rows that are right stays, if what is wrong can be said by a more specific one
            beyond = [row for row in wrong if self.cases[row].most_specific <= rule.specificity]
            if wrong and (len(wrong) == len(decided) or beyond):
                self._change(rule, beyond or wrong)

    def _change(self, rule: Rule, wrong: Sequence[int]) -> None:
        assert rule.number is not None
        self.board.remove(rule)
        self.changed[rule.number] = None
        if all(map(self.board.is_right, wrong)):
            return
        wanted: Counter[TagDecision] = Counter()
        for row in wrong:
            wanted[self.cases[row].target] += self.cases[row].weight
        verdict = min(wanted, key=lambda verdict: (-wanted[verdict], verdict))
        self.changed[rule.number] = verdict
        self.board.add(replace(rule, verdict=verdict, moved=True))

    # --- new rules ---

    def add_best(self, *, weighted: bool) -> None:
        candidates = Candidates(self.board, weighted=weighted, taken=[rule.selector for rule in self._standing()])
        while not self.is_enough and (rule := candidates.best()) is not None:
            candidates.take(rule)
            self.added.append(rule)

    def _standing(self) -> list[Rule]:
        return [rule for rule in self.existing if rule.number not in self.changed or self.changed[rule.number] is not None]

    def add_exact(self) -> None:
        """A rule of its own for each row that is not right yet.

        It may decide rows that want something else, if they have more that a selector can ask for: they get their own one next.
        """
        tries: Counter[int] = Counter()
        while wrong := [row for row in range(len(self.cases)) if tries[row] < _MOST_TRIES and not self.board.is_right(row)]:
            for row in sorted(wrong, key=self._urgency):
                if self.is_enough:
                    return
                if not self.board.is_right(row):
                    tries[row] += 1 if self._decide(row) else _MOST_TRIES

    def _urgency(self, row: int) -> tuple[int, Specificity, int]:
        case = self.cases[row]
        return -case.weight if self.share < 1 else 0, case.most_specific, row

    def _decide(self, row: int) -> bool:
        """Put a rule in force that decides this row; False where none can, or (as long as a share is enough) none is worth it."""
        rules = self._exact(row)
        if self.share < 1:
            gains = [(self.board.gain_with(rule), -number) for number, rule in enumerate(rules)]
            best, number = max(gains, default=(0, 0))
            if best <= 0:
                return False
            rules = rules[-number:]
        if not rules:
            return self._make_way(row)
        self.board.add(rules[0])
        self.added.append(rules[0])
        return True

    def _exact(self, row: int) -> list[Rule]:
        """Rules that would decide this row, the simpler ones first; none where other rules are as specific as any that could be written."""
        case = self.cases[row]
        pieces = self._pieces(case)
        rules = []
        for without in self._exceptions(case, self._unlike(case, pieces)):
            asked, ruled_out = self._above(row, pieces, without)
            rank = specificity(case.name, case.where, (*asked, *ruled_out))
            matched = self._matched(case, asked, ruled_out)
            unlike = matched - self._wanting[case.name, case.target]
            if rank > self.board.specificity(row) and all(self._may_differ(one, rank, ruled_out) for one in unlike):
                text = selector(case.name, case.where, asked, ruled_out)
                rules.append(Rule(text, rank, case.target, sorted(matched), without=tuple(ruled_out)))
        return rules

    def _above(self, row: int, pieces: Sequence[str], without: Sequence[str]) -> tuple[list[str], list[str]]:
        """The same, with so much more of the row's own that the rules that decide it now are overruled."""
        case, asked, ruled_out = self.cases[row], [*pieces], [*without]
        there = [piece for rule in self.board.strongest(row) for piece in rule.without]
        more = [(asked, piece) for piece in case.pieces] + [(ruled_out, piece) for piece in there]
        for pieces_of, piece in more:
            if specificity(case.name, case.where, (*asked, *ruled_out)) > self.board.specificity(row):
                break
            pieces_of += [piece] if piece not in pieces_of else []
        return asked, ruled_out

    def _make_way(self, row: int) -> bool:
        """Take away the rule that nothing can overrule; False where there is none, or it came back."""
        rule = self.board.decider(row)
        if rule is None or rule.selector in self._gone:
            self._note_clash(row)
            return False
        self._gone.add(rule.selector)
        if rule.number is None:
            self._drop(rule)
        elif rule.moved:
            self.board.remove(rule)
            self.changed[rule.number] = None
        else:
            self._change(rule, [row])
        return True

    def _note_clash(self, row: int) -> None:
        case = self.cases[row]
        alike = [one for one in self._unlike(case, case.pieces) if len(self.cases[one].pieces) == len(case.pieces)]
        pair = sorted((row, min(alike, default=row)))
        if (pair[0], pair[1]) not in self.clashes:
            self.clashes.append((pair[0], pair[1]))

    def _may_differ(self, row: int, rank: Specificity, without: Sequence[str]) -> bool:
        """Whether a rule of its own could decide a row all the same; with a share, rows that are decided may also be lost."""
        case = self.cases[row]
        overrules = specificity(case.name, case.where, (*case.pieces, *without)) > rank
        return bool(case.target.operation) and (overrules or self.share < 1)

    def _pieces(self, case: DecidedRow) -> list[str]:
        """As few as tell it from the rows that want something else, as far as its own pieces can."""
        by_rareness = sorted(case.pieces, key=lambda piece: len(self._having[case.name, piece]))
        pieces = by_rareness[:1]
        unlike = self._unlike(case, pieces)
        for piece in by_rareness[1:]:
            rest = unlike & self._having[case.name, piece]
            if len(rest) < len(unlike):
                pieces.append(piece)
                unlike = rest
        for piece in pieces[:]:
            fewer = [one for one in pieces if one != piece]
            if len(self._unlike(case, fewer)) == len(unlike):
                pieces = fewer
        return sorted(pieces, key=case.pieces.index) or list(case.pieces[:1])

    def _matched(self, case: DecidedRow, pieces: Collection[str], without: Collection[str] = ()) -> set[int]:
        """The rows with these pieces, and without those; the smallest sets are met first."""
        sets = [self._standing_in[case.name, case.where] if case.where else self._having[case.name, ""]]
        sets += [self._having[case.name, piece] for piece in pieces]
        matched = set.intersection(*sorted(sets, key=len))
        return matched.difference(*(self._having[case.name, piece] for piece in without))

    def _unlike(self, case: DecidedRow, pieces: Collection[str]) -> set[int]:
        """Of the rows with these pieces, those that want something else."""
        return self._matched(case, pieces) - self._wanting[case.name, case.target]

    def _exceptions(self, case: DecidedRow, unlike: set[int]) -> Iterator[Sequence[str]]:
        """What those have that want something else, and it has not: of all of them if a few pieces do, else of those that have to."""
        undecided = {row for row in unlike if not self.cases[row].target.operation}
        of_all = self._telling(case, unlike)
        if len(of_all) > _FEW_EXCEPTIONS:
            yield self._telling(case, undecided)
        yield from (of_all[:number] for number in range(len(of_all))) if self.share < 1 else ()
        yield of_all

    def _telling(self, case: DecidedRow, unlike: set[int]) -> list[str]:
        """The pieces that most of them have come first."""
        without: list[str] = []
        while unlike and len(without) < _MOST_EXCEPTIONS:
            counts: Counter[str] = Counter()
            for row in unlike:
                weight = self.cases[row].weight if self.share < 1 else 1
                counts.update(dict.fromkeys((piece for piece in self.cases[row].pieces if piece not in case.pieces), weight))
            if not counts:
                break
            piece = min(counts, key=lambda piece: (-counts[piece], piece))
            without.append(piece)
            unlike = unlike - self._having[case.name, piece]
        return without

    # --- fewer ---

    def prune(self) -> None:
        """What became needless by later rules goes; with a share, also what is hardly worth a rule."""
        for rule in reversed(self.added[:]):
            if not self.board.breaks_without(rule):
                self._drop(rule)
        if self.share == 1:
            return
        waiting = [(self.board.loss_without(rule), rule.selector, number, rule) for number, rule in enumerate(self.added)]
        heapify(waiting)
        while waiting:
            _, text, number, rule = heappop(waiting)
            loss = self.board.loss_without(rule)
            if waiting and loss > waiting[0][0]:
                heappush(waiting, (loss, text, number, rule))
            elif self.board.right - loss >= self.share * self.board.total:
                self._drop(rule)

    def _drop(self, rule: Rule) -> None:
        self.board.remove(rule)
        self.added.remove(rule)
