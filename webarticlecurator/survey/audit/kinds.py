"""What a kind of finding is, and from when on something is on too many pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from webarticlecurator.config.portal import Portal
from webarticlecurator.survey.audit.counting import Counts
from webarticlecurator.survey.audit.page import AuditedPage, PageFinding
from webarticlecurator.survey.audit.results import Finding, Passage
from webarticlecurator.survey.audit.rule_use import Year

FEWEST_PAGES = 3
"""Fewer pages never make a finding."""
YEAR_PAGES = 20
"""Pages of a year from which it is judged by itself."""
_YEAR_TIMES = 2
"""How much larger the share has to be in one year than in all of a layout."""
_NOWHERE = "an element without a class"


@dataclass(frozen=True, slots=True)
class OnPages:
    """Found on single pages, and told where it is on too many of them."""

    find: Callable[[AuditedPage], Iterator[PageFinding]]
    share: float
    """Of the pages of a layout from which it is told; of those of one year, twice as many."""
    variety: float = 0.0
    """Different texts among all, at least: what is the same on all pages is furniture, and rightly dropped."""
    words: float = 0.0
    """In the mean, at least."""
    pages: int = FEWEST_PAGES
    unless_recurring: bool = False
    """Said only of texts that do not recur, which is the stronger reason."""


@dataclass(frozen=True, slots=True)
class FindingKind:
    """One row of the table of findings."""

    key: str
    message: str
    """What was found. {tag} and {rule} are what it is about, {pages} and {words} how much it is, {note} is what else is to be said."""
    advice: str
    """What to do."""
    found: OnPages | Callable[[FindingKind, Counts, Portal], Iterator[Finding]]
    """How it is found: on single pages, or in what was counted of all of them."""

    def finding(
        self,
        *,
        rule: str = "",
        tag: str = "",
        layout: str = "",
        pages: int,
        of_pages: int,
        words: int = 0,
        years: tuple[int, ...] = (),
        examples: tuple[Passage, ...] = (),
        note: str = "",
    ) -> Finding:
        """One of this kind, with its sentences."""
        about = {"rule": rule or "the general finder", "tag": tag or _NOWHERE, "pages": f"{pages:,}", "words": f"{words:,}", "note": note}
        return Finding(
            kind=self.key,
            message=self.message.format_map(about),
            advice=self.advice,
            rule=rule,
            tag=tag,
            layout=layout,
            pages=pages,
            of_pages=of_pages,
            words=words,
            years=years,
            examples=examples,
        )


def striking_years(pages: Counter[Year], whole: Counter[Year], share: float, fewest: int = FEWEST_PAGES) -> list[Year] | None:
    """The years in which something is on too large a share of the pages; None if it is nowhere."""
    if pages.total() < fewest:
        return None
    years = [year for year, of in whole.items() if of >= YEAR_PAGES and pages[year] >= max(_YEAR_TIMES * share * of, FEWEST_PAGES)]
    if pages.total() < share * whole.total():
        return years or None
    return [year for year in pages if pages[year]]
