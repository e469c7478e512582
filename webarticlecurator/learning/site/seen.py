"""All that a look at a site has seen so far."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path

from webarticlecurator.config.load import FILE_NAME, load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.databases import Row
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.alike import first_of_each
from webarticlecurator.extraction.sitemaps import read_sitemap
from webarticlecurator.learning.site.list_links import ArchiveCandidate, LeadsTo
from webarticlecurator.learning.site.software import Detected
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.links import ArchivePage
from webarticlecurator.model.page import NoPage, Page
from webarticlecurator.urls import normalise

SURE_ENOUGH = 0.5
"""From there on a software is named, and its preset."""


@dataclass(frozen=True, slots=True)
class ArchiveSeen:
    """An archive page that was looked at, and the page that follows it."""

    candidate: ArchiveCandidate | None
    """The link to it; None: the home page."""
    pages: tuple[Page, ...]

    @property
    def leads_to(self) -> LeadsTo | None:
        """The page that the link to it seems to lead to; None of the home page."""
        return self.candidate.leads_to if self.candidate is not None else None

    @property
    def is_of_a_time(self) -> bool:
        """Say whether it is a page of a year, a month or a day."""
        return self.leads_to is LeadsTo.DATES


@dataclass(slots=True)
class SiteSeen:
    """The pages of a site that were looked at, and what they show."""

    home: Page
    system: Detected | None = None
    """The software that the site is made with."""
    candidates: tuple[ArchiveCandidate, ...] = ()
    sitemaps: list[Row] = field(default_factory=list)
    """Sitemaps that were read, as the feeds: each with its `entrance`, and the `articles` and `sitemaps` that
    it leads to."""
    feeds: list[Row] = field(default_factory=list)
    title_of_feed: str = ""
    archives: list[ArchiveSeen] = field(default_factory=list)
    boards: Row | None = None
    """The boards of a forum, each of which lists threads: the `urls` of all that the home page leads to,
    normalised; the `archives` that were looked at; and the `links`, whose first rule finds the threads on
    them."""
    articles: list[Page] = field(default_factory=list)
    threads: list[Page] = field(default_factory=list)
    """Articles that are read as posts of a forum."""
    of_lists: set[str] = field(default_factory=set)
    """Pages whose links lead to lists of articles, and to no article: one of these was asked for."""
    asked: set[ArchiveCandidate] = field(default_factory=set)
    """Links whose pages were asked for."""
    failed: list[tuple[str, str, bool]] = field(default_factory=list)
    """Addresses that were asked for in vain, why, and whether the site says that there is nothing."""

    @property
    def sections_of_menus(self) -> list[ArchiveCandidate]:
        """Sections to which menus lead."""
        sections = [each for each in self.candidates if each.leads_to is LeadsTo.SECTION]
        return [each for each in sections if each.in_menu]

    def unasked(self, candidates: Iterable[ArchiveCandidate]) -> list[ArchiveCandidate]:
        """Return those whose pages were not asked for."""
        known = {candidate.url for candidate in self.asked}
        return [candidate for candidate in candidates if candidate.url not in known]

    @property
    def archive_pages(self) -> list[Page]:
        return [
            page
            for archive in (*self.archives, *(self.boards.archives if self.boards else ()))
            for page in archive.pages
        ]

    @property
    def pages(self) -> list[Page]:
        """Return all that are HTML, each once: the home page first."""
        return first_of_each([self.home, *self.archive_pages, *self.articles], attrgetter("url"))

    @property
    def fed(self) -> Sequence[str]:
        """Articles that a feed of the site names, in its order."""
        return list(dict.fromkeys(normalise(url) for feed in self.feeds for url in feed.articles))

    @property
    def lists(self) -> list[ArchiveSeen]:
        """The archives whose links may lead to articles."""
        return [archive for archive in self.archives if archive.pages[0].url not in self.of_lists]


def read_list(capture: Capture, kind: str, home: str) -> ArchivePage | None:
    """Return what a sitemap or a feed of a site names, by the rules of the preset; None: it is neither."""
    portal = portal_by_preset(home, kind)
    try:
        read = read_sitemap(capture, portal.columns[0], portal)
    except PatternTimeout:
        return None
    return None if isinstance(read, NoPage) else read


def portal_by_preset(home: str, preset: str) -> Portal:
    """A site of which nothing else is known."""
    return load_portal(
        Path(FILE_NAME), content=f"portal: site\nhome: {json.dumps(home)}\nextends: {preset}\n".encode()
    )
