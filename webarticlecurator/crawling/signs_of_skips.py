"""Do the numbers in the addresses of successive pages skip others, which then may have been asked by nobody?"""

from __future__ import annotations

from dataclasses import dataclass

from webarticlecurator.crawling.seen_page import SeenPage
from webarticlecurator.extraction.article_pages import address_between
from webarticlecurator.model.links import PagerLink
from webarticlecurator.urls import normalise, pages_apart


@dataclass(slots=True)
class SignsOfSkips:
    """Keeps the two successive pages whose numbers lie farthest apart."""

    _above: str | None = None
    _widest: int = 1
    _pair: tuple[str, str] | None = None

    def take(self, seen: SeenPage) -> None:
        """Take in a page that stands below the one before."""
        url = normalise(seen.url)
        own, number = (pages_apart(self._above, url) if seen.is_next and self._above is not None else None) or (1, 1)
        if number - own > self._widest:
            assert self._above is not None  # else they are not apart
            self._widest, self._pair = number - own, (self._above, url)
        if seen.is_lowest:
            self._above = url

    def link_between(self) -> list[PagerLink]:
        """Return where the first of the pages between the two would be: it tells whether they are pages, or count items."""
        url = address_between(*self._pair) if self._pair is not None else None
        return [PagerLink(url=url, text="a page between two others")] if url is not None else []
