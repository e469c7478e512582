"""Which proposals become lines of a portal file: what is sure or was answered is written, a person's own
rules stay unless asked about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from pathlib import Path as FilePath

from webarticlecurator.config.load import FILE_NAME, load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.yaml_edits import CannotEdit
from webarticlecurator.errors import PortalFileError
from webarticlecurator.learning import file_rules
from webarticlecurator.learning.file_rules import ABSENT, LEARNED_STYLE, FileRules, KeyValue
from webarticlecurator.model.proposals import Choice, Plain, Proposal
from webarticlecurator.own_patterns import linear

NONE_OF_THEM = 0
"""The answer that leaves the file as it is."""


class State(StrEnum):
    """The state of a proposal."""

    WRITTEN = "written"
    """Its lines are in the new file."""
    THERE = "there"
    """The file says it already, or what finds the same."""
    DIFFERS = "differs"
    """The file says something else: it stays, unless a person answers."""
    OPEN = "open"
    """It is not sure: a person must answer."""
    DECLINED = "declined"
    """A person wants none of it."""
    REFUSED = "refused"
    """The file would not load with it, or cannot be edited by a program."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalDecision:
    """The state of one proposal, and why."""

    proposal: Proposal
    number: int
    """The number of the choice that is spoken of, from 1."""
    state: State
    reason: str = ""
    yours: tuple[KeyValue, ...] = ()
    """Keys that the file has in its place."""

    @property
    def choice(self) -> Choice:
        """The one that is spoken of."""
        return self.proposal.choices[max(self.number, 1) - 1]


@dataclass(frozen=True)
class LearnedFile:
    """A portal file before and after what was learned."""

    portal: Portal
    """Before."""
    after: bytes
    decisions: tuple[ProposalDecision, ...]

    @property
    def before(self) -> bytes:
        """As it stands on disk."""
        return self.portal.sources[0].content

    @cached_property
    def portal_after(self) -> Portal:
        """By the new file."""
        return load_portal(self.portal.sources[0].path, content=self.after)

    def of(self, *states: State) -> tuple[ProposalDecision, ...]:
        """The decisions that ended so."""
        return tuple(decision for decision in self.decisions if decision.state in states)


def learned_file(portal: Portal, proposals: Sequence[Proposal], answers: Mapping[str, int]) -> LearnedFile:
    """The portal file with all that is sure or answered, as far as it still loads; nothing is written yet."""
    rules = FileRules(portal)
    decisions = [_decided(rules, proposal, answers.get(proposal.name)) for proposal in proposals]
    after, refused = _edited(portal, [each for each in decisions if each.state is State.WRITTEN])
    for number, decision in enumerate(decisions):
        if decision.proposal.name in refused:
            decisions[number] = replace(decision, state=State.REFUSED, reason=refused[decision.proposal.name])
    return LearnedFile(portal, after, tuple(decisions))


def first_portal_file(
    facts: Mapping[str, Plain], proposals: Sequence[Proposal], *, opening: Sequence[str]
) -> str:
    """A portal file that can be loaded: what is sure as lines with their reasons, what is not with its
    alternatives as comments.

    `facts`: keys that it begins with; `opening`: sentences above them. A proposal that the loader refuses
    becomes a comment.
    """
    above = [line for sentence in opening for line in file_rules.comment_lines(sentence)]
    known = [line for key, value in facts.items() if value for line in LEARNED_STYLE.entry(key, value)]
    portal = load_portal(
        FilePath(FILE_NAME), content="".join(f"{line}\n" for line in (*above, *known)).encode()
    )
    decisions = [ProposalDecision(proposal=proposal, number=1, state=State.WRITTEN) for proposal in proposals]
    after, refused = _edited(portal, decisions, is_new=True)
    text = linear(r"(?m)^(?=[a-z]+:$)").sub("\n", after.decode("utf-8"))
    for proposal in proposals:
        if proposal.name in refused:
            said = file_rules.comment_lines(
                f"`{proposal.name}` is left out: {refused[proposal.name]}; under `{'.'.join(proposal.path)}`:"
            )
            lines = [
                *said,
                *file_rules.rule_lines(proposal, proposal.choices[0]),
                *file_rules.alternative_lines(proposal),
            ]
            text += "\n" + "".join(f"{line}\n" for line in lines)
    return text


def _decided(rules: FileRules, proposal: Proposal, answer: int | None) -> ProposalDecision:
    said = next(
        (number for number, choice in enumerate(proposal.choices, start=1) if rules.says(proposal, choice)),
        None,
    )
    number = answer if answer is not None else said or 1
    decided = ProposalDecision(proposal=proposal, number=number, state=State.WRITTEN)
    if number == NONE_OF_THEM:
        return replace(decided, state=State.DECLINED)
    wanted = list(file_rules.key_values(proposal.path, decided.choice.value))
    if said == number:
        is_settled = answer is not None and any(
            file_rules.is_in_doubt(rules.text, path) for path, _ in wanted
        )
        return decided if is_settled else replace(decided, state=State.THERE)
    yours = rules.contradicts(proposal, decided.choice)
    if answer is None:
        state = _state_without_answer(proposal, yours, wanted)
        return replace(decided, state=state, yours=yours if state is State.DIFFERS else ())
    return replace(decided, yours=yours)


def _state_without_answer(proposal: Proposal, yours: Sequence[KeyValue], wanted: Sequence[KeyValue]) -> State:
    """Return what becomes of a choice that the file does not have, where nobody has answered."""
    if proposal.is_settled:
        return State.THERE
    if yours:
        return State.DIFFERS
    if not proposal.sure:
        return State.OPEN
    return (
        State.THERE if all(value is None for _, value in wanted) else State.WRITTEN
    )  # without a rule, as it is


def _edited(
    portal: Portal, decisions: Sequence[ProposalDecision], *, is_new: bool = False
) -> tuple[bytes, dict[str, str]]:
    """The file with these decisions, but those that make it impossible; and of these the names, with the
    reason."""
    kept, refused = list(decisions), dict[str, str]()
    while True:
        after, why = _attempt(portal, kept, is_new=is_new)
        if why is None:
            return after, refused
        # to blame is the one without which the file loads, the last first; the last one where there are
        # several such
        blamed = kept[-1]
        for decision in reversed(kept):
            if _attempt(portal, [other for other in kept if other is not decision], is_new=is_new)[1] is None:
                blamed = decision
                break
        refused[blamed.proposal.name] = why
        kept.remove(blamed)


def _attempt(
    portal: Portal, decisions: Sequence[ProposalDecision], *, is_new: bool
) -> tuple[bytes, str | None]:
    """Each after the other, so that a later one finds what an earlier one wrote; or why that cannot be.

    `is_new`: nobody has looked at the file yet, so what is not sure stands there with its alternatives.
    """
    text, rules = portal.sources[0].content.decode("utf-8"), FileRules(portal)
    for decision in decisions:
        proposal = decision.proposal
        wanted = list(file_rules.key_values(proposal.path, decision.choice.value))
        evidence = file_rules.evidence_lines(proposal, decision.choice, answered=not is_new)
        is_no_rule = all(value is None for _, value in wanted)
        try:
            for path, value in wanted:
                # `null` says that there should be none
                changed = (
                    file_rules.with_key(text, path, None, evidence)
                    if is_no_rule
                    else _with(text, rules, KeyValue(path, value), evidence)
                )
                evidence = evidence if is_no_rule or changed == text or value is None else []
                text = changed
        except CannotEdit as problem:
            hint = "is written in a way that a program cannot change without harm; write the rule by hand"
            return text.encode(), f"{'.'.join(proposal.path)} {hint} ({problem})"
        if is_new and not proposal.sure:
            keys = {
                path[: len(proposal.path) + isinstance(decision.choice.value, Mapping)] for path, _ in wanted
            }
            text = file_rules.with_alternatives(text, keys, file_rules.alternative_lines(proposal))
    try:
        load_portal(portal.sources[0].path, content=text.encode())
    except PortalFileError as error:
        return text.encode(), error.mistakes[0].message
    return text.encode(), None


def _with(text: str, rules: FileRules, wanted: KeyValue, evidence: Sequence[str]) -> str:
    """The file with one key more, or with another value for it."""
    path, value = wanted
    before = file_rules.plain_file(text)
    if (
        value is None
        and path[0] == "columns"
        and file_rules.value_at(before, ("archive", *path[2:])) not in (ABSENT, None)
    ):
        return file_rules.with_key(
            text, path, None, evidence
        )  # an earlier one may have written what it would inherit
    if rules.has(wanted):
        return file_rules.with_key(
            text, path, file_rules.value_at(before, path), evidence
        )  # what was not sure is settled
    if value is None and rules.own_value(path) is not ABSENT:
        return file_rules.with_key(text, path, ABSENT)
    if not file_rules.grows(path):
        return file_rules.with_key(text, path, value, evidence)
    farther, path = rules.value(path), _path_to_grow(before, rules, path)
    there = file_rules.value_at(before, path)
    more = [
        item
        for item in file_rules.missing_in(there, value)
        if farther is ABSENT or item in file_rules.missing_in(farther, value)
    ]
    return (
        file_rules.with_key(text, path, [*file_rules.items(there), *more], evidence, adds=True)
        if more
        else text
    )


def _path_to_grow(before: Mapping[str, Plain], rules: FileRules, path: file_rules.Path) -> file_rules.Path:
    """Return the key of a list that gets more items; a list of its own would forget the preset's."""
    added = (*path[:-1], f"{path[-1]}+")
    is_beside_preset = (
        file_rules.value_at(before, path) is ABSENT
        and rules.value(path) is not ABSENT
        and path[:2] != ("body", "tags")
    )
    return added if is_beside_preset or file_rules.value_at(before, added) is not ABSENT else path
