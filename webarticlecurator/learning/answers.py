"""Which proposals become lines of a portal file: what is sure or was answered is written, a person's own rules stay unless asked about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.yaml_edits import CannotEdit
from webarticlecurator.errors import PortalFileError, UsageError
from webarticlecurator.learning.file_rules import ABSENT, FileRules, assigned, items, missing_in, plain_file, value_at
from webarticlecurator.learning.key_values import KeyValue, Path, grows, key_values
from webarticlecurator.learning.portal_edits import with_key
from webarticlecurator.learning.portal_text import evidence_lines
from webarticlecurator.model.proposals import Choice, Proposal

NONE_OF_THEM = 0
"""The answer that leaves the file as it is."""


class State(StrEnum):
    """What becomes of a proposal."""

    WRITTEN = "written"
    """Its lines are in the new file."""
    THERE = "there"
    """The file says it already."""
    DIFFERS = "differs"
    """The file says something else: it stays, unless a person answers."""
    OPEN = "open"
    """It is not sure: a person must answer."""
    DECLINED = "declined"
    """A person wants none of it."""
    REFUSED = "refused"
    """The file would not load with it, or cannot be edited by a program."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What becomes of one proposal, and why."""

    proposal: Proposal
    number: int
    """Of the choice that is spoken of, from 1."""
    state: State
    reason: str = ""
    yours: tuple[KeyValue, ...] = ()
    """What the file says in its place."""

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
    decisions: tuple[Decision, ...]

    @property
    def before(self) -> bytes:
        """As it stands on disk."""
        return self.portal.sources[0].content

    @cached_property
    def portal_after(self) -> Portal:
        """By the new file."""
        return load_portal(self.portal.sources[0].path, content=self.after)

    def of(self, *states: State) -> tuple[Decision, ...]:
        """The decisions that ended so."""
        return tuple(one for one in self.decisions if one.state in states)


def check_answers(proposals: Sequence[Proposal], answers: Mapping[str, int]) -> None:
    """Raises UsageError for an answer that nothing asked for."""
    by_name = {one.name: one for one in proposals}
    for name, number in answers.items():
        if name not in by_name:
            known = ", ".join(sorted(by_name)) or "none"
            raise UsageError(f"--answer {name}={number}: there is no proposal of that name; those of this run are: {known}.")
        if not NONE_OF_THEM <= number <= len(by_name[name].choices):
            raise UsageError(f"--answer {name}={number}: {name} has the choices 1 to {len(by_name[name].choices)}, and 0 for none of them.")


def learned_file(portal: Portal, proposals: Sequence[Proposal], answers: Mapping[str, int]) -> LearnedFile:
    """The portal file with all that is sure or answered, as far as it still loads; nothing is written yet."""
    rules = FileRules(portal)
    decisions = _decisions(rules, proposals, answers)
    while True:
        after, impossible = _edited(portal, [one for one in decisions if one.state is State.WRITTEN])
        if not impossible:
            return LearnedFile(portal, after, tuple(decisions))
        decisions = [
            replace(one, state=State.REFUSED, reason=impossible[one.proposal.name]) if one.proposal.name in impossible else one
            for one in decisions
        ]


def _decisions(rules: FileRules, proposals: Sequence[Proposal], answers: Mapping[str, int]) -> list[Decision]:
    """One of each. What a column inherits speaks against a rule of its own only where it finds something, and `archive` keeps it."""
    decisions = [_decided(rules, one, answers.get(one.name)) for one in proposals]
    rewritten = {_subject(one.proposal) for one in decisions if one.state is State.WRITTEN and one.proposal.path[0] == "archive"}

    def freed(one: Decision) -> Decision:
        may_go = one.proposal.path[0] == "columns" and (one.proposal.is_idle or _subject(one.proposal) in rewritten)
        if one.state is not State.DIFFERS or not may_go or any(rules.own_value(path) is not ABSENT for path, _ in one.yours):
            return one
        return replace(one, state=State.WRITTEN if one.proposal.sure else State.OPEN, yours=())

    return [freed(one) for one in decisions]


def _subject(proposal: Proposal) -> str:
    return proposal.name.rpartition(".")[2]


def _decided(rules: FileRules, proposal: Proposal, answer: int | None) -> Decision:
    said = next((number for number, choice in enumerate(proposal.choices, start=1) if rules.says(proposal, choice)), None)
    number = answer if answer is not None else said or 1
    decided = Decision(proposal=proposal, number=number, state=State.WRITTEN)
    if number == NONE_OF_THEM:
        return replace(decided, state=State.DECLINED)
    if said == number:
        return replace(decided, state=State.THERE)
    yours = rules.contradicts(proposal, decided.choice)
    if answer is None and yours:
        return replace(decided, state=State.DIFFERS, yours=yours)
    if answer is None and not proposal.sure:
        return replace(decided, state=State.OPEN)
    if answer is None and all(one.value is None for one in key_values(proposal, decided.choice)):
        return replace(decided, state=State.THERE)  # without a rule, as it is
    return replace(decided, yours=yours)


# --- the text of the file ---


def _edited(portal: Portal, decisions: Sequence[Decision]) -> tuple[bytes, dict[str, str]]:
    """The file with these decisions; or the names of those that make it impossible, with the reason."""
    try:
        after = _written(portal, decisions)
    except _Impossible as problem:
        return b"", {problem.name: str(problem)}
    if (why := _why_not(portal, after)) is None:
        return after, {}
    # which of them is to blame: the one without which the file loads, the last first; the last one where there are several such
    for left_out in reversed(decisions):
        if _why_not(portal, _written(portal, [one for one in decisions if one is not left_out])) is None:
            return b"", {left_out.proposal.name: why}
    return b"", {decisions[-1].proposal.name: why}


def _why_not(portal: Portal, content: bytes) -> str | None:
    """Why a file cannot be loaded; None: it can."""
    try:
        load_portal(portal.sources[0].path, content=content)
    except PortalFileError as error:
        return error.mistakes[0].message
    return None


class _Impossible(Exception):
    def __init__(self, name: str, reason: str) -> None:
        super().__init__(reason)
        self.name = name


def _written(portal: Portal, decisions: Sequence[Decision]) -> bytes:
    """Each after the other, so that a later one finds what an earlier one wrote. Raises _Impossible."""
    content = portal.sources[0].content
    rules = FileRules(portal)
    for one in decisions:
        said = list(key_values(one.proposal, one.choice))
        is_no_rule = all(key_value.value is None for key_value in said)
        evidence = evidence_lines(one.proposal, one.choice, 0, answered=True)
        for path, value in said:
            try:
                if is_no_rule:
                    content = _with_key(content, portal, path, None, evidence)  # `null` says that there should be none
                    continue
                changed = _with(content, portal, rules, KeyValue(path, value), evidence)
            except CannotEdit as problem:
                hint = "is written in a way that a program cannot change without harm; write the rule by hand"
                raise _Impossible(one.proposal.name, f"{'.'.join(path)} {hint} ({problem})") from None
            evidence = evidence if changed == content or value is None else []
            content = changed
    return content


def _with(content: bytes, portal: Portal, rules: FileRules, wanted: KeyValue, evidence: Sequence[str]) -> bytes:
    """The file with one key more, or with another value for it."""
    path, value = wanted
    if value is None and path[0] == "columns" and value_at(_plain(content, portal), ("archive", *path[2:])) not in (ABSENT, None):
        return _with_key(content, portal, path, None, evidence)  # an earlier one may have written what it would inherit
    if rules.has(wanted):
        return content
    if value is None and rules.own_value(path) is not ABSENT:
        return _with_key(content, portal, path, ABSENT)
    if not grows(path):
        return _with_key(content, portal, path, value, evidence)
    before = _plain(content, portal)
    added = (*path[:-1], f"{path[-1]}+")
    farther = rules.value(path)
    beside_preset = value_at(before, path) is ABSENT and farther is not ABSENT and path[:2] != ("body", "tags")
    path = added if beside_preset or value_at(before, added) is not ABSENT else path  # a list of its own would forget the preset's
    there = value_at(before, path)
    more = [one for one in missing_in(there, value) if farther is ABSENT or one in missing_in(farther, value)]
    return _with_key(content, portal, path, [*items(there), *more], evidence, grows_from=len(items(there))) if more else content


def _with_key(
    content: bytes, portal: Portal, path: Path, value: Any, evidence: Sequence[str] = (), *, grows_from: int | None = None
) -> bytes:
    """The file that says this there, and nothing else otherwise; ABSENT: the key goes. Raises CannotEdit."""
    before = _plain(content, portal)
    if value_at(before, path) == value:
        return content
    wanted = assigned(before, path, value)
    return with_key(content.decode("utf-8"), path, wanted, () if value is ABSENT else evidence, grows_from=grows_from).encode("utf-8")


def _plain(content: bytes, portal: Portal) -> dict[str, Any]:
    return plain_file(content, portal.sources[0].path)
