"""What the pages of a walk say against its end: pages of the pager that were never asked for, and counts that it did not reach."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from webarticlecurator.config.portal import PagingMode
from webarticlecurator.model.links import ArchivePage, PagerLink, Stated

MOST = 2_000
"""Links of pagers that are kept in mind at a time."""
_COUNTED = frozenset({PagingMode.NUMBERED, PagingMode.INFINITE, PagingMode.EXPANDING})


@dataclass(slots=True)
class EndSigns:
    """Collected page by page, and asked once, when the walk seems to be at an end."""

    mode: PagingMode
    is_page: Callable[[str], bool | None]
    """Whether a URL is an archive page of this walk; None: of no column's shape; False: another interval's."""
    _links: dict[str, tuple[PagerLink, str]] = field(default_factory=dict)
    """URL -> the link, and the page that showed it."""
    _begins_at_one: bool = False
    """No pager link of the first page leads to a page before it."""
    _first: tuple[Stated, ...] = ()
    _last: tuple[Stated, ...] = ()
    _furthest: int = -1
    _read: int = 0
    _listed: int = 0
    """Links of all pages, refused ones included."""

    def take(self, index: int, url: str, page: ArchivePage, asked: Collection[str]) -> None:
        """Take in a page with links."""
        if index == 0:
            self._begins_at_one = all(link.number != 1 for link in page.pager)
            self._first = page.stated
        if index > self._furthest:
            self._furthest, self._last = index, page.stated
            self._read += 1
            self._listed += len(page.articles) + len(page.refused)
        if len(self._links) > MOST:
            self._links = {one: link for one, link in self._links.items() if one not in asked}
        for link in page.pager:
            if link.url not in asked and len(self._links) <= MOST and self._is_wanted(link):
                self._links.setdefault(link.url, (link, url))

    def contradiction(self, was_asked: Callable[[str], bool], *, from_head: bool) -> str | None:
        """What speaks against the end; `from_head`: this walk alone read every page, so that counts can be compared."""
        return self._unasked(was_asked) or self._beyond(from_head=from_head)

    def _is_wanted(self, link: PagerLink) -> bool:
        fits = self.is_page(link.url)
        if self.mode in _COUNTED:
            return fits is True or (fits is None and link.number == 1)
        return fits is not False and (link.continues or link.number is None)

    def _unasked(self, was_asked: Callable[[str], bool]) -> str | None:
        asked = {url: was_asked(url) for url in self._links}
        left = [
            (link, page) for url, (link, page) in self._links.items() if not asked[url] and not (link.number == 1 and self._begins_at_one)
        ]
        if self._read > 1 and not any(asked[url] for url, (link, _) in self._links.items() if (link.number or 0) > 1):
            # The pager writes addresses in another way than the walk does: then only its numbers can be compared.
            left = [(link, page) for link, page in left if link.number in (None, 1) or (link.number or 0) > self._read]
        if not left:
            return None
        link, page = left[0]
        more = f" (and {len(left) - 1:,} more like it)" if len(left) > 1 else ""
        return f"the link {link.text!r} on {page} leads to {link.url}, an archive page that no rule led to{more}"

    def _beyond(self, *, from_head: bool) -> str | None:
        for stated in self._first:
            if not stated.items and stated.here is not None and stated.here > 1 and (self._read == 1 or stated not in self._last):
                return f"the first page says {stated.text!r}"
        for stated in self._last:
            if stated.here is not None and stated.here < stated.total and self._moves(stated):
                return f"the last page says {stated.text!r}"
            reached = self._listed if stated.items else self._read
            if stated.here is None and from_head and reached < stated.total:
                what = "links" if stated.items else "pages"
                return f"the last page says {stated.text!r}, and the walk saw {reached:,} {what}"
        return None

    def _moves(self, stated: Stated) -> bool:
        """What stays the same from the first page to the last is no count of pages."""
        return self._read == 1 or all((one.here, one.total) != (stated.here, stated.total) for one in self._first)
