"""Do the numbers in the addresses of successive pages skip others, which nobody may have asked for?"""

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
    _items: int = 0
    """Articles that the page above lists."""
    _widest: int = 1
    _pair: tuple[str, str] | None = None

    def take(self, seen: SeenPage) -> None:
        """Take in a page that stands below the one before."""
        url = normalise(seen.url)
        if seen.is_next and self._above is not None:
            own, number = pages_apart(self._above, url) or (1, 1)
            apart = number - own
            # a number that grows by as many as a page lists counts articles, from 0 or from 1
            if apart > self._widest and apart not in (self._items, self._items - 1):
                self._widest, self._pair = apart, (self._above, url)
        if seen.is_lowest:
            self._above, self._items = url, len(seen.listed)

    def link_between(self) -> list[PagerLink]:
        """Return where the first page between the two would be: whether the numbers count pages, it tells."""
        url = address_between(*self._pair) if self._pair is not None else None
        return [PagerLink(url=url, text="a page between two others")] if url is not None else []
