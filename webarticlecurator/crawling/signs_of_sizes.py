"""Was a page cut off, or is it as long as its address lets it be?"""

from __future__ import annotations

import re
from dataclasses import dataclass

from webarticlecurator.crawling.seen_page import SeenPage
from webarticlecurator.own_patterns import linear

_AS_MANY = linear(
    r"[?&][^=&?]*(?:limit|size|count|rows|per_?page|take|top|results|hits|num)=(\d+)(?=&|$)",
    re.IGNORECASE,
)
"""How many an address asks for."""
_OFTEN_A_BOUND = frozenset((10, 20, 25, 50, 100, 200, 250, 500, 1000))
"""How many servers give at most, whatever an address asks for."""
_ENOUGH_WHOLE = 3
"""Pages with an end before one without tells anything: not all sites write it."""

_ENOUGH_LEADING_BACK = 2
"""Pages that lead back before one that leads nowhere tells anything."""


@dataclass(slots=True)
class SignsOfSizes:
    """Keeps how the pages end, where they lead back to, and how many articles the last one lists."""

    counted: bool
    """The pages of the walk have numbers: then a page without a pager ends no road."""
    _pages: int = 0
    _whole: int = 0
    """Pages that have an end."""
    _cut: str | None = None
    """The last of them, if it has none."""
    _leading_back: int = 0
    """Pages that have a link to a page before them."""
    _has_pager: bool = False
    """The last of them has links of a pager."""
    _url: str = ""
    _listed: int = 0

    def take(self, seen: SeenPage) -> None:
        """Take in a page that is the last one so far."""
        if not seen.is_lowest:
            return
        self._pages += 1
        self._whole += seen.page.has_end
        self._cut = None if seen.page.has_end else seen.url
        self._leading_back += any(link.url in seen.asked for link in seen.page.pager)
        self._has_pager = bool(seen.page.pager)
        self._url, self._listed = seen.url, len(seen.listed)

    def fault(self) -> str | None:
        """Return that the last page seems to be a part of what it was, as where a program gave up."""
        above = self._pages - 1
        if self._cut is not None and self._whole == above >= _ENOUGH_WHOLE:
            pages_above = f"the {self._whole:,} pages above it have"
            return f"{self._cut} breaks off: it lacks the </html> at its end that {pages_above}"
        leading_back = above - 1  # the first page leads back to none
        lead_back = self._leading_back == leading_back >= _ENOUGH_LEADING_BACK
        if lead_back and not (self.counted or self._has_pager):
            back = f"though the {self._leading_back:,} pages above it lead back to those before them"
            return f"{self._url} has no link to a page of the list, {back}"
        return None

    def reason_against(self) -> str | None:
        """Return that a single page may be as long as its address lets it be."""
        bound = _AS_MANY.search(self._url) if self._pages == 1 else None
        if bound is None:
            return None
        most = int(bound[1])
        is_at_bound = self._listed == most or (self._listed < most and self._listed in _OFTEN_A_BOUND)
        if not is_at_bound:
            return None
        return f"it lists {self._listed:,}, and its address says {bound[0][1:]}: there may be more"
