"""Which rule of a portal decides each row of a table, while rules are added, changed and taken away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from webarticlecurator.survey.applying.selector_pieces import Specificity
from webarticlecurator.survey.applying.table import TagDecision

_NO_RULE: Specificity = (-1, -1, -1)
_CLASH = TagDecision("?")
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
    decision: TagDecision
    rows: Sequence[int]
    """That it matches."""
    number: int | None = None
    """Its place in the file; None: new."""
    moved: bool = False
    """To another operation, so that its old place does not count."""
    without: tuple[str, ...] = ()
    """What stands in its `:not()`."""


class RuleDecisions:
    """The rows, and the rules that are in force."""

    def __init__(self, rows: Sequence[DecidedRow], *, by_effect: bool) -> None:
        """`by_effect`: what nobody decides is unwrapped, so where that is wanted, it is right without a rule."""
        self.rows = rows
        self._by_effect = by_effect
        self._rules: list[list[Rule]] = [[] for _ in rows]
        self._states = [self._state(number, ()) for number in range(len(rows))]
        self.total = sum(row.weight for row in rows)
        self.right = sum(row.weight for number, row in enumerate(rows) if self.is_right(number))
        """Weight of the rows that are decided as they should be."""

    def decision(self, row: int) -> TagDecision:
        return self._states[row].decision

    def specificity(self, row: int) -> Specificity:
        return self._states[row].specificity

    def decider(self, row: int) -> Rule | None:
        """The portal file's rule that decides it; None: a farther layer, or nobody."""
        return self._states[row].rule

    def strongest(self, row: int) -> list[Rule]:
        """Those of the highest specificity."""
        return [rule for rule in self._rules[row] if rule.specificity == self._states[row].specificity]

    def is_right(self, row: int) -> bool:
        return self._is_wanted(row, self._states[row].decision)

    def decided_by(self, rule: Rule) -> list[int]:
        return [row for row in rule.rows if self._states[row].rule is rule]

    def add(self, rule: Rule) -> None:
        """Put a rule in force."""
        for row in rule.rows:
            self._rules[row].append(rule)
        self._settle(rule)

    def remove(self, rule: Rule) -> None:
        """The reverse of `add`."""
        for row in rule.rows:
            self._rules[row].remove(rule)
        self._settle(rule)

    def gain_with(self, rule: Rule) -> int:
        """How much more weight would be decided rightly with it."""
        return sum(self._change(row, [*self._rules[row], rule]) * self.rows[row].weight for row in rule.rows)

    def loss_without(self, rule: Rule) -> int:
        """How much weight would be decided wrongly without it, less what would be decided rightly."""
        return -sum(self._change(row, self._others(row, rule)) * self.rows[row].weight for row in rule.rows)

    def breaks_without(self, rule: Rule) -> bool:
        """Whether any row is right only because of it; rows without weight count, too."""
        return any(self._change(row, self._others(row, rule)) < 0 for row in self.decided_by(rule))

    def _others(self, row: int, rule: Rule) -> list[Rule]:
        return [one for one in self._rules[row] if one is not rule]

    def _change(self, row: int, rules: Sequence[Rule]) -> int:
        """What these rules in place of the present ones would make of a row: 1 right instead of wrong, -1 the reverse."""
        return self._is_wanted(row, self._state(row, rules).decision) - self.is_right(row)

    def _is_wanted(self, row: int, decision: TagDecision) -> bool:
        target = self.rows[row].target
        return decision == target or (self._by_effect and target.operation == "unwrap" and not decision.operation)

    def _settle(self, rule: Rule) -> None:
        for row in rule.rows:
            self.right += self.rows[row].weight * self._change(row, self._rules[row])
            self._states[row] = self._state(row, self._rules[row])

    def _state(self, row: int, rules: Sequence[Rule]) -> _State:
        if not rules:
            return _State(_NO_RULE, self.rows[row].farther, None)
        highest = max(rule.specificity for rule in rules)
        best = [rule for rule in rules if rule.specificity == highest]
        if len({rule.decision for rule in best}) == 1:
            return _State(highest, best[-1].decision, best[-1])
        if all(rule.number is not None and not rule.moved for rule in best):
            latest = max(best, key=lambda rule: rule.number or 0)
            return _State(highest, latest.decision, latest)
        return _State(highest, _CLASH, None)


class _State(NamedTuple):
    """What decides a row."""

    specificity: Specificity
    decision: TagDecision
    rule: Rule | None
