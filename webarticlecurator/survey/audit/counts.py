"""What an audit has counted so far, by layout and year; it travels from process to process, and is joined."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from heapq import nlargest

from webarticlecurator.survey.audit.counting import MOST_EXAMPLES, Evidence, Recurring, Year
from webarticlecurator.survey.audit.page import Sign
from webarticlecurator.survey.audit.results import Kind, Passage
from webarticlecurator.survey.audit.rules import RuleUse
from webarticlecurator.survey.audit.text import fingerprint, shortened

Subject = tuple[Kind, str, str, str]
"""Kind, rule, tag and layout: what is counted together."""
Cell = tuple[str, Year]
"""Layout and year."""
_MOST_SUBJECTS = 4_000


@dataclass(slots=True)
class Amount:
    """On how many pages, and how many words."""

    pages: int = 0
    words: int = 0

    def add(self, pages: int, words: int) -> None:
        """So much more."""
        self.pages += pages
        self.words += words


@dataclass(slots=True)
class Counts:
    """All of it."""

    pages: Counter[Cell] = field(default_factory=Counter)
    kept: Counter[Cell] = field(default_factory=Counter)
    """Words."""
    lost: Counter[Cell] = field(default_factory=Counter)
    """Words."""
    outcomes: Counter[str] = field(default_factory=Counter)
    """Of what was not looked at."""
    evidence: dict[Subject, Evidence] = field(default_factory=dict)
    recurring: Recurring = field(default_factory=Recurring)
    dropped: dict[tuple[str, str, str], Amount] = field(default_factory=dict)
    """By rule, tag and layout."""
    undecided: dict[tuple[str, str], Amount] = field(default_factory=dict)
    """By tag and layout."""
    rules: RuleUse = field(default_factory=RuleUse)
    bodies: Recurring = field(default_factory=Recurring)
    """Whole articles."""
    first: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """By layout some addresses, for what is said of all its pages."""

    def show(self, layout: str, urls: Iterable[str]) -> None:
        """These are pages of that layout."""
        self.first[layout] = (*self.first.get(layout, ()), *urls)[:MOST_EXAMPLES]

    def add(self, signs: Iterable[Sign], cell: Cell, url: str) -> None:
        """The signs of one page."""
        layout, year = cell
        seen: set[Subject] = set()
        for sign in signs:
            subject = (sign.kind, sign.rule, sign.tag, layout)
            evidence = self.evidence.setdefault(subject, Evidence())
            evidence.seen(sign.words, fingerprint(sign.text), Passage(url, shortened(sign.text)))
            if subject not in seen:
                seen.add(subject)
                evidence.pages[year] += 1

    def pages_of(self, layout: str) -> Counter[Year]:
        """How many pages of a layout were looked at, by year."""
        return Counter({year: pages for (name, year), pages in self.pages.items() if name == layout})

    def join(self, other: Counts) -> None:
        """Take in what another process counted."""
        self.pages.update(other.pages)
        self.kept.update(other.kept)
        self.lost.update(other.lost)
        self.outcomes.update(other.outcomes)
        for subject, evidence in other.evidence.items():
            self.evidence.setdefault(subject, Evidence()).join(evidence)
        self.recurring.join(other.recurring)
        self.bodies.join(other.bodies)
        for layout, urls in other.first.items():
            self.show(layout, urls)
        for drop, amount in other.dropped.items():
            self.dropped.setdefault(drop, Amount()).add(amount.pages, amount.words)
        for tag, amount in other.undecided.items():
            self.undecided.setdefault(tag, Amount()).add(amount.pages, amount.words)
        self.rules.join(other.rules)
        self._forget()

    def _forget(self) -> None:
        """Names made by machines are without end: what is seen least goes."""
        if len(self.evidence) > 2 * _MOST_SUBJECTS:
            self.evidence = dict(nlargest(_MOST_SUBJECTS, self.evidence.items(), key=lambda item: item[1].times))
        if len(self.dropped) > 2 * _MOST_SUBJECTS:
            self.dropped = dict(nlargest(_MOST_SUBJECTS, self.dropped.items(), key=lambda item: item[1].words))
        if len(self.undecided) > 2 * _MOST_SUBJECTS:
            self.undecided = dict(nlargest(_MOST_SUBJECTS, self.undecided.items(), key=lambda item: item[1].words))


def in_order(years: Iterable[Year]) -> tuple[int, ...]:
    """The years that are known, each once."""
    return tuple(sorted({year for year in years if year is not None}))
