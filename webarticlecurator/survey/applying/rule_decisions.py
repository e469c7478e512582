"""Which rule of a portal decides each row of a table, while rules are added, changed and taken away."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from webarticlecurator.survey.applying.selector_pieces import Specificity
from webarticlecurator.survey.applying.table import TagDecision

NO_RULE: Specificity = (-1, -1, -1)
CLASH = TagDecision("?")
"""Two rules of one specificity say different things: which of them stands later in the file must not matter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecidedRow:
    """What has to become of a row, and what the farther layers (presets, the general table) make of it."""

    name: str
    """Of the tag."""
    where: str
    pieces: tuple[str, ...]
    """All that a selector can ask of it (`survey.applying.selector_pieces`)."""
    most_specific: Specificity
    """Of the selector that asks for all of them."""
    weight: int
    target: TagDecision
    farther: TagDecision
    own: tuple[int, ...] = ()
    """The rules of the portal file that match, by their number."""


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """A rule of the portal file, there already or to be."""

    selector: str
    specificity: Specificity
    verdict: TagDecision
    rows: Sequence[int]
    """That it matches."""
    number: int | None = None
    """Its place in the file; None: new."""
    moved: bool = False
    """To another operation, so that its old place does not count."""
    without: tuple[str, ...] = ()
    """What stands in its `:not()`."""


@dataclass(slots=True)
class RuleDecisions:
    """The rows, and the rules that are in force."""

    cases: Sequence[DecidedRow]
    by_effect: bool
    """What nobody decides is unwrapped: where that is wanted, it is right without a rule."""
    right: int = 0
    """Weight of the rows that are decided as they should be."""
    total: int = 0
    _rules: list[list[Rule]] = field(default_factory=list)
    _states: list[tuple[Specificity, TagDecision, Rule | None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._rules = [[] for _ in self.cases]
        self._states = [(NO_RULE, case.farther, None) for case in self.cases]
        self.total = sum(case.weight for case in self.cases)
        self.right = sum(self.cases[row].weight for row in range(len(self.cases)) if self.is_right(row))

    def verdict(self, row: int) -> TagDecision:
        return self._states[row][1]

    def specificity(self, row: int) -> Specificity:
        return self._states[row][0]

    def decider(self, row: int) -> Rule | None:
        """The portal file's rule that decides it; None: a farther layer, or nobody."""
        return self._states[row][2]

    def strongest(self, row: int) -> list[Rule]:
        """Those of the highest specificity."""
        return [rule for rule in self._rules[row] if rule.specificity == self._states[row][0]]

    def is_right(self, row: int) -> bool:
        return self._would_be_right(row, self._states[row][1])

    def decided_by(self, rule: Rule) -> list[int]:
        return [row for row in rule.rows if self._states[row][2] is rule]

    def add(self, rule: Rule) -> list[int]:
        """Put a rule in force; the rows that are decided otherwise since."""
        for row in rule.rows:
            self._rules[row].append(rule)
        return self._settle(rule.rows)

    def remove(self, rule: Rule) -> list[int]:
        """The reverse of `add`."""
        for row in rule.rows:
            self._rules[row].remove(rule)
        return self._settle(rule.rows)

    def gain_with(self, rule: Rule) -> int:
        """How much more weight would be decided rightly with it."""
        gain = 0
        for row in rule.rows:
            verdict = self._state(row, [*self._rules[row], rule])[1]
            gain += self.cases[row].weight * (self._would_be_right(row, verdict) - self.is_right(row))
        return gain

    def loss_without(self, rule: Rule) -> int:
        """How much weight would be decided wrongly without it, less what would be decided rightly."""
        loss = 0
        for row in self.decided_by(rule) + [row for row in rule.rows if self._states[row][1] is CLASH]:
            verdict = self._state(row, [one for one in self._rules[row] if one is not rule])[1]
            loss += self.cases[row].weight * (self.is_right(row) - self._would_be_right(row, verdict))
        return loss

    def breaks_without(self, rule: Rule) -> bool:
        """Whether any row is right only because of it; rows without weight count, too."""
        return any(
            self.is_right(row) and not self._would_be_right(row, self._state(row, [one for one in self._rules[row] if one is not rule])[1])
            for row in self.decided_by(rule)
        )

    def _would_be_right(self, row: int, verdict: TagDecision) -> bool:
        target = self.cases[row].target
        return verdict == target or (self.by_effect and target.operation == "unwrap" and not verdict.operation)

    def _settle(self, rows: Iterable[int]) -> list[int]:
        changed = []
        for row in rows:
            state = self._state(row, self._rules[row])
            if state != self._states[row]:
                before = self.is_right(row)
                self._states[row] = state
                self.right += self.cases[row].weight * (self.is_right(row) - before)
                changed.append(row)
        return changed

    def _state(self, row: int, rules: Sequence[Rule]) -> tuple[Specificity, TagDecision, Rule | None]:
        if not rules:
            return NO_RULE, self.cases[row].farther, None
        highest = max(rule.specificity for rule in rules)
        best = [rule for rule in rules if rule.specificity == highest]
        if len({rule.verdict for rule in best}) == 1:
            return highest, best[-1].verdict, best[-1]
        if all(rule.number is not None and not rule.moved for rule in best):
            latest = max(best, key=lambda rule: rule.number or 0)
            return highest, latest.verdict, latest
        return highest, CLASH, None
