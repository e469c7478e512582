"""Does a page list articles, or lead on to some?"""

from __future__ import annotations

from dataclasses import dataclass, field

from webarticlecurator.corpus.events import ArchivePlace
from webarticlecurator.model.links import ArchivePage

_MOST_REFUSED = 3
"""Pages in a row that list nothing but what rules refuse, before that counts as furniture."""


@dataclass(slots=True)
class PageContents:
    """Compares what the pages of a walk have with what those before them had."""

    limit: str | None = None
    """Why not all links of a page are taken in."""
    fault: str | None = None
    """Why a part of a page is missing."""
    last_number: int | None = None
    """The highest number that the rule for the last page has found."""
    feed_at: int = 0
    """The index of the page that a feed begins with: 1, where the first one only names it."""
    leads_on: bool = False
    """The last page leads to sections that none before it did, or is the first and names a feed."""
    ask_password: bool = False
    """One with links has a form for a password, too."""
    _sections: set[int] = field(default_factory=set)
    """Hashes of the sections that pages lead to."""
    _refused: set[int] = field(default_factory=set)
    """Hashes of what rules refuse."""
    _only_refused: int = 0
    """Pages in a row without articles."""

    def gives_links(self, place: ArchivePlace, page: ArchivePage) -> bool:
        """Say whether a page has articles, or leads on to some."""
        if page.overfull:
            self.limit = f"{place.url} has more article links than are taken in from one page"
        if page.broken:
            self.fault = f"of {place.url} a part could not be read: {page.broken}"
        if page.last_page is not None:
            self.last_number = max(page.last_page, self.last_number or 0)
        self.leads_on = self._leads_on(place, page)
        has_refused = self._has_new_refused(page)
        gives_links = bool(page.articles) or has_refused or self.leads_on
        self.ask_password |= gives_links and page.asks_password
        return gives_links

    def _leads_on(self, place: ArchivePlace, page: ArchivePage) -> bool:
        names_feed = place.index == 0 and page.names_feed
        self.feed_at += names_feed
        sections = set(map(hash, page.sections))
        has_new = not sections <= self._sections
        self._sections |= sections
        return names_feed or has_new

    def _has_new_refused(self, page: ArchivePage) -> bool:
        """Say whether the page has refused links that are no furniture: then it is no end."""
        refused = {hash(link.url) for link in page.refused if link.is_web}
        is_new = not refused <= self._refused
        self._refused |= refused
        self._only_refused = 0 if page.articles else self._only_refused + 1
        return is_new and self._only_refused <= _MOST_REFUSED
