"""Proposals for a portal file: the evidence for each line, and the questions that a person is asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from webarticlecurator.own_patterns import linear

Plain: TypeAlias = "str | int | float | bool | Sequence[Plain] | Mapping[str, Plain] | None"
"""A value as it stands in a portal file."""
ONLY_SEEN = "`from` {} was only seen, and said by nobody: what is older is left out"
"""The comment above the first date of a calendar: whoever says that date deletes it."""
ONLY_SEEN_IN_COMMENT = linear(r"`from` (\d{4}-\d\d-\d\d) was only seen")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A value that a key of the portal file may get."""

    value: Plain
    reason: str
    """A sentence with the counts that it rests on."""
    samples: tuple[str, ...] = ()
    """A few of the addresses or texts that it gives."""
    differs: tuple[str, ...] = ()
    """The addresses or texts that it gives otherwise than the first choice: `+ https://...`, `-
    https://...`."""
    score: float = 0.0
    """The score: of the choices of one proposal the higher is the better; nothing else can be compared by
    it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A key of the portal file, and what it may be."""

    name: str
    """The name by which a person answers: `headline`, `archive.link`; there is one of a name."""
    path: tuple[str, ...]
    """The place in the portal file: `("archive", "link")`, `("columns", "belfold", "pages")`."""
    choices: tuple[Choice, ...]
    """The best first; at least one."""
    sure: bool
    """The first may be written without asking."""
    question: str | None = None
    """The question to a person where nothing decides: "Which of these three is the headline?"."""
    is_settled: bool = False
    """True if the value that holds there now finds the same as the first choice, and stays, unless a person
    answers."""

    @classmethod
    def at(
        cls,
        path: tuple[str, ...],
        choices: Iterable[Choice],
        question: str | None = None,
        *,
        sure: bool = False,
    ) -> Proposal:
        """Make a proposal that is named after its place in the portal file; `sure`: the question need not be
        asked, as where there is none."""
        asked = None if sure else question
        return cls(name=".".join(path), path=path, choices=tuple(choices), sure=asked is None, question=asked)


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """The proposals and remarks that the pages of a portal led to."""

    proposals: tuple[Proposal, ...] = ()
    remarks: tuple[str, ...] = ()
    """Remarks for a person to look at, which no line of the file says."""
