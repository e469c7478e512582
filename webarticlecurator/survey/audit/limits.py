"""How much of each thing is too much: the thresholds of an audit; docs/audit.md gives the reason for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from webarticlecurator.survey.audit.counting import Year
from webarticlecurator.survey.audit.results import Kind

FEWEST_PAGES = 3
"""Fewer pages never make a finding."""
FEWEST_TEXTS = 3
"""Fewer different texts say nothing about how much they differ."""
YEAR_PAGES = 20
"""Pages of a year from which it is judged by itself."""
YEAR_TIMES = 2
"""How much larger the share has to be in one year than in all of a layout."""


@dataclass(frozen=True, slots=True)
class Limit:
    """From when on something is a finding."""

    share: float
    """Of the pages of a layout; of those of one year, twice as many."""
    variety: float = 0.0
    """Different texts among all: what is the same on all pages is furniture, and rightly dropped."""
    words: float = 0.0
    """In the mean."""
    pages: int = FEWEST_PAGES


LIMITS: Mapping[Kind, Limit] = {
    Kind.NO_ROOT: Limit(0.01),
    Kind.LISTING: Limit(0.1),
    Kind.GOES_ON: Limit(0.0, pages=1),
    Kind.ROOT_TOO_SMALL: Limit(0.05, variety=0.6),
    Kind.LOST: Limit(0.02, variety=0.3, words=5),
    Kind.ROOT_TOO_LARGE: Limit(0.3),
    Kind.LINKS: Limit(0.05),
    Kind.NAMED: Limit(0.05),
    Kind.INTERRUPTED: Limit(0.03, variety=0.3),
    Kind.GROWN_TOGETHER: Limit(0.03),
    Kind.CUT: Limit(0.05, variety=0.3),
    Kind.GLUED: Limit(0.05),
    Kind.HEADING: Limit(0.1, variety=0.3),
    Kind.FLATTENED: Limit(0.03),
    Kind.ALMOST_EMPTY: Limit(0.05),
    Kind.REPEATED: Limit(0.05),
    Kind.BYLINE: Limit(0.3),
}
"""Of the kinds whose signs are seen on single pages."""

RECURS, RECURS_LONG, RECURS_LABEL = 0.15, 0.02, 0.4
"""Share of pages with the same text from which it is furniture: of some words; of so many that nobody writes them twice; of a heading,
a caption, a few words without a full stop."""
SAME_BODY = 0.01
"""Share of the pages with one text as all of their body from which that is no accident."""
LONG, SHORT = 15, 5
"""Words of a text that nobody writes twice, and of one that is more than a label."""
RECURS_PAGES = 5
"""Fewer pages with the same text, or the same body, are no finding."""
UNDECIDED = 0.05
"""Share of the kept words that stand in one undecided tag."""
IDLE, IDLE_MAIN = 0.0, 0.1
"""Share of the pages on which a pick gives a value, up to which it is idle; of a field that every article has."""
MISSING, MISSING_ELSEWHERE, MISSING_MAIN = 0.5, 0.8, 0.5
"""Share of the pages of a year that have a field, below which it is missing if it is on so many elsewhere; and, for headline and date, in
all of a layout."""
JUDGED = 10
"""Pages from which a rule may be said never to match."""
JUDGED_ALONE = 200
"""The same where no name of the pages is like one of the selector's; and pages that name no author, where no rule asks for one."""


def striking(pages: Counter[Year], whole: Counter[Year], share: float, fewest: int = FEWEST_PAGES) -> list[Year] | None:
    """The years in which something is on too large a share of the pages; None if it is nowhere."""
    if pages.total() < fewest:
        return None
    years = [year for year, of in whole.items() if of >= YEAR_PAGES and pages[year] >= max(YEAR_TIMES * share * of, FEWEST_PAGES)]
    if pages.total() < share * whole.total():
        return years or None
    return [year for year in pages if pages[year]]
