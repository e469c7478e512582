"""What the pages of one walk told so far beside their articles: where they lead, and what of them could not be read."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from webarticlecurator.corpus.events import ArchivePlace
from webarticlecurator.crawling.fingerprints import Fingerprints
from webarticlecurator.model.links import ArchivePage, ArticleLink

REFUSED_IN_A_ROW = 3
"""Pages with nothing but refused links before they count as empty: such links may be the page's furniture."""
_AT_ONCE = timedelta(minutes=10)
"""Copies of pages that came this close to each other show one list: some crawlers read them side by side."""


@dataclass(slots=True)
class PagesSeen:
    """Those of one walk, page by page."""

    last_number: int | None = None
    """Of the pager."""
    feed_at: int = 0
    """The index of the page that a feed begins with: 1, where the first one only names it."""
    leads_on: bool = False
    """The last page leads to sections that none before it did, or is the first and names a feed."""
    ask_password: bool = False
    """One with links has a form for a password, too."""
    overfull: str | None = None
    """Why not all links of a page are taken in."""
    broken: str | None = None
    """Why a part of a page is missing."""
    unread: list[tuple[str, str]] = field(default_factory=list)
    """Pages on the way that could not be read, and why: what lay on them is missing."""
    gap: str | None = None
    """Between which two stored pages articles may be missing."""
    _copy_above: tuple[int, datetime, str] | None = None
    """Of the last stored page, if what lies below it is unknown: its index, when it came, and its last article."""
    _sections: Fingerprints = field(default_factory=Fingerprints)
    """Which the pages lead to."""
    _refused: Fingerprints = field(default_factory=Fingerprints)
    _only_refused: int = 0

    def gives_links(self, place: ArchivePlace, page: ArchivePage) -> bool:
        """Take in one more page; whether it has articles, or leads on to some."""
        if page.overfull:
            self.overfull = f"{place.url} has more article links than are taken in from one page"
        if page.broken:
            self.broken = f"of {place.url} a part could not be read: {page.broken}"
        if page.last_page is not None:
            self.last_number = max(page.last_page, self.last_number or 0)
        names_feed = place.index == 0 and page.names_feed
        self.feed_at += names_feed
        self.leads_on = names_feed or any(url not in self._sections for url in page.sections)
        for url in page.sections:
            self._sections.add(url)
        gives_links = self._has_articles(page) or self.leads_on
        self.ask_password |= gives_links and page.asks_password
        return gives_links

    def _has_articles(self, page: ArchivePage) -> bool:
        """A page of nothing but refused articles is no end; a page of nothing but furniture that the rules refuse is one."""
        fresh = {link.url for link in page.refused if link.url not in self._refused and link.is_web}
        for url in fresh:
            self._refused.add(url)
        if page.articles:
            self._only_refused = 0
            return True
        self._only_refused += 1
        return bool(fresh) and self._only_refused <= REFUSED_IN_A_ROW

    def take_copy(self, place: ArchivePlace, links: tuple[ArticleLink, ...], stored: datetime, *, on_proved_ground: bool) -> None:
        """Of a list with the newest first: a page that was stored before the page above adjoins it only if it begins within that one,
        or if what lies below that one is known."""
        urls = [link.url for link in links]
        if self._copy_above is not None and self.gap is None:
            index, newer, last = self._copy_above
            if place.index == index + 1 and stored + _AT_ONCE < newer and last not in urls[:-1]:
                self.gap = (
                    f"the stored copy of {place.url} is of {stored:%Y-%m-%d %H:%M}, that of the page above it of {newer:%Y-%m-%d %H:%M}:"
                    " articles that moved down between the two may stand on neither; `curator crawl --full` asks the portal for all pages"
                )
        self._copy_above = None if on_proved_ground else (place.index, stored, urls[-1])

    def unread_in_words(self) -> str:
        """Which pages could not be read, where there are any."""
        (first, why), more = self.unread[0], len(self.unread) - 1
        others = f", nor {more:,} more archive page{'' if more == 1 else 's'} on the way" if more else ""
        return f"{first} could not be read ({why}){others}"
