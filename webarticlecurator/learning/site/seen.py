"""What a look at a site has seen so far: its home page, its sitemaps and feeds, pages that seem to list articles, some articles."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import NamedTuple

from webarticlecurator.config.load import FILE_NAME, load_portal
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.site_entrances import Entrance
from webarticlecurator.extraction.site_software import Detected
from webarticlecurator.extraction.sitemaps import read_sitemap
from webarticlecurator.learning.site.archive_candidates import ArchiveCandidate, LeadsTo
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
    """None: the home page."""
    pages: tuple[Page, ...]

    @property
    def is_of_a_time(self) -> bool:
        """A page of a year, a month or a day."""
        return self.candidate is not None and self.candidate.leads_to is LeadsTo.DATES


@dataclass(frozen=True, slots=True)
class ListSeen:
    """A sitemap or a feed that was read."""

    entrance: Entrance
    articles: tuple[str, ...]
    sitemaps: tuple[str, ...] = ()
    """That it leads to."""


class Since(NamedTuple):
    """The oldest date of a calendar that was looked at."""

    day: date
    is_empty: bool
    """Nothing is listed of it."""


@dataclass(slots=True)
class SiteSeen:
    """All that was seen."""

    home: Page
    entrances: tuple[Entrance, ...] = ()
    system: Detected | None = None
    """What the site is made with."""
    candidates: tuple[ArchiveCandidate, ...] = ()
    sitemaps: list[ListSeen] = field(default_factory=list)
    feeds: list[ListSeen] = field(default_factory=list)
    archives: list[ArchiveSeen] = field(default_factory=list)
    articles: list[Page] = field(default_factory=list)
    asked: set[ArchiveCandidate] = field(default_factory=set)
    """Links whose pages were asked for."""
    failed: list[tuple[str, str, bool]] = field(default_factory=list)
    """Addresses that were asked for in vain, why, and whether the site says that there is nothing."""
    since: dict[str, Since] = field(default_factory=dict)
    """Address of a calendar -> how far back it was looked at."""

    @property
    def archive_pages(self) -> list[Page]:
        return [page for archive in self.archives for page in archive.pages]

    @property
    def pages(self) -> list[Page]:
        """All that are HTML, each once: the home page first."""
        return list({page.url: page for page in reversed([self.home, *self.archive_pages, *self.articles])}.values())[::-1]

    @property
    def fed(self) -> frozenset[str]:
        """Articles that a feed of the site names."""
        return frozenset(normalise(url) for feed in self.feeds for url in feed.articles)


def read_list(capture: Capture, kind: str, home: str) -> ArchivePage | None:
    """What a sitemap or a feed of a site names, by the rules of the preset; None: it is neither."""
    text = f"portal: site\nhome: {json.dumps(home)}\nextends: {kind}\n"
    portal = load_portal(Path(FILE_NAME), content=text.encode())
    try:
        read = read_sitemap(capture, portal.columns[0], portal)
    except PatternTimeout:
        return None
    return None if isinstance(read, NoPage) else read
