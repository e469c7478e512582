"""What an audit finds: article text that the rules lost, what should not be there, and the account of all that was kept and dropped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

JsonRow = dict[str, Any]
"""As programs get it; the layout of the base rules is empty."""
SMALL = 20
"""Pages below which an audit says that its sample is small."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A place to look at."""

    url: str
    text: str = ""
    """Cut to a bound."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that a person should look at."""

    kind: str = ""
    """Its key in the table of kinds (`survey/audit/findings.py`)."""
    message: str = ""
    """What was found, in one sentence. With the advice it comes from that table."""
    advice: str = ""
    """What to do, in one sentence."""
    rule: str = ""
    """Place and selector of the rule it is about: "portal.yaml:31 div.ajanlo"."""
    tag: str = ""
    """The simplified tag it is about."""
    layout: str = ""
    """Empty: the base rules."""
    pages: int
    of_pages: int
    """Pages of that layout."""
    words: int = 0
    """At stake, on all these pages."""
    years: tuple[int, ...] = ()
    """In which it was seen; of something that is new in some years, only those."""
    examples: tuple[Passage, ...] = ()

    @property
    def share(self) -> float:
        return self.pages / self.of_pages if self.of_pages else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """What was looked at, what was found, and the account."""

    portal: str
    pages: int
    """Articles that were read, and pages that should have been one."""
    of_pages: int
    """Stored pages; more than were read in a sample."""
    passed_over: Mapping[str, int] = field(default_factory=dict)
    """Outcome -> how many stored responses are no article."""
    findings: tuple[Finding, ...] = ()
    words_kept: int = 0
    words_dropped: int = 0
    dropped: Sequence[JsonRow] = ()
    """How much each rule dropped of a tag, expected or not; most words first."""
    undecided: Sequence[JsonRow] = ()
    """Tags that no rule decides, and the words immediately in them."""
    unmatched: tuple[str, ...] = ()
    """Rules of the portal file that matched nothing, findings or not."""
    by_year: Sequence[JsonRow] = ()
    """Words kept and dropped in each year of each layout."""
    metadata: Sequence[JsonRow] = ()
    """Of each year how many articles have a value of which field (`filled`); the same fields in the same order."""

    @property
    def is_small(self) -> bool:
        return self.pages < SMALL
