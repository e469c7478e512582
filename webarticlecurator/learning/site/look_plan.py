"""What a look at a site asks for, one page after another: a plan without network, which sees each answer before it says what is next."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING

from webarticlecurator.extraction.site_entrances import (
    USUAL_PLACE,
    Entrance,
    home_of,
    named_entrances,
    sitemaps_in,
    united,
    usual_entrances,
)
from webarticlecurator.extraction.site_software import Detected, detect_software
from webarticlecurator.labelling.names import link_kind
from webarticlecurator.learning.paging.next_links import next_links
from webarticlecurator.learning.site.archive_candidates import (
    Candidate,
    LeadsTo,
    archive_candidates,
    archives_named,
    is_of_the_house,
    probable_articles,
)
from webarticlecurator.learning.site.site_rules import RulesOfPreset
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.model.page import NoPage, Page
from webarticlecurator.urls import normalise, split_path

if TYPE_CHECKING:
    from webarticlecurator.learning.links import LinkFindings
    from webarticlecurator.learning.site.archive_columns import Column

SURE_ENOUGH = 0.5
"""From there on a software is named, and its preset."""
_MOST_SITEMAPS, _MOST_GUESSED_SITEMAPS = 4, 2
_MOST_FEEDS = 1
_MOST_SECTIONS, _MOST_OTHERS = 8, 3
"""Archive candidates of each kind that are looked at."""
_MOST_SECOND_PAGES = 7
_MOST_ARTICLES = 2
_MOST_NAMED = 50_000
"""Addresses of a sitemap that are kept: as many as one file may have."""

_FIRST_OF_SEVERAL = re.compile(r"(?<=[/=])(1)/?$")


class Purpose(StrEnum):
    """Why a page is asked for."""

    HOME = "home"
    SITEMAP = "sitemap"
    FEED = "feed"
    ARCHIVE = "archive"
    SECOND = "second page"
    ARTICLE = "article"
    OLDER = "an older date"


@dataclass(frozen=True, slots=True)
class Ask:
    """A page that is asked for next."""

    url: str
    purpose: Purpose
    via: str | None = None
    """The page that leads there."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of it."""

    verdict: Verdict
    page: Page | NoPage | None = None
    """Of HTML; None where nothing came, or something that is no page."""
    capture: Capture | None = None
    robots: str = ""
    """The text of robots.txt, with the first answer of a site."""


@dataclass(frozen=True, slots=True)
class ArchiveSeen:
    """An archive page that was looked at, and the pages that follow it."""

    candidate: Candidate | None
    """None: the home page."""
    pages: tuple[Page, ...]

    @property
    def goes_on(self) -> bool:
        """A further page was had."""
        return len(self.pages) > 1


@dataclass(frozen=True, slots=True)
class ListSeen:
    """A sitemap or a feed that was read."""

    entrance: Entrance
    articles: tuple[str, ...]
    """Some of the addresses that it names."""
    count: int
    sitemaps: tuple[str, ...] = ()
    """That it leads to."""


@dataclass(frozen=True, slots=True)
class Since:
    """How far back a calendar was looked at."""

    listed: date
    """The oldest date of which articles were seen."""
    empty: date | None = None
    """An older one of which none are listed; None: none was found."""

    @property
    def begins(self) -> date:
        """Where a walk of it begins."""
        return self.empty or self.listed


@dataclass(slots=True)
class SiteSeen:
    """What a look at a site has seen so far."""

    home: Page | None = None
    verdict: Verdict | None = None
    """Of the home page."""
    wall: NoPage | None = None
    robots: str = ""
    entrances: list[Entrance] = field(default_factory=list)
    systems: tuple[Detected, ...] = ()
    """What the home page may be made with, the likeliest first."""
    candidates: tuple[Candidate, ...] = ()
    sitemaps: list[ListSeen] = field(default_factory=list)
    feeds: list[ListSeen] = field(default_factory=list)
    archives: list[ArchiveSeen] = field(default_factory=list)
    articles: list[Page] = field(default_factory=list)
    since: dict[str, Since] = field(default_factory=dict)
    """Address of a calendar -> how far back it goes."""
    failed: list[tuple[Ask, str]] = field(default_factory=list)
    """What was asked for in vain, and why."""
    not_answered: list[Ask] = field(default_factory=list)
    """Of these, pages that may be had another time."""
    columns: tuple[int, tuple[list[Column], LinkFindings]] | None = None
    """What the first so many archives amount to: found once, since it takes long on large pages."""
    stopped: str | None = None
    """Why the look ended before all was seen."""

    @property
    def system(self) -> Detected | None:
        """What the site is made with."""
        return self.systems[0] if self.systems and self.systems[0].certainty >= SURE_ENOUGH else None

    @property
    def pages(self) -> list[Page]:
        """All that are HTML, each once: the home page first."""
        every = [*([self.home] if self.home else []), *(page for seen in self.archives for page in seen.pages), *self.articles]
        return list({page.url: page for page in reversed(every)}.values())[::-1]

    @property
    def lists_nothing(self) -> bool:
        """Neither a page nor a file was found that may list articles."""
        return not (self.sitemaps or self.feeds or any(map(probable_articles, self.archive_pages)))

    @property
    def fed(self) -> frozenset[str]:
        """Articles that a feed of the site names."""
        return frozenset(normalise(url) for one in self.feeds for url in one.articles)

    @property
    def named(self) -> frozenset[str]:
        """What its sitemaps and feeds name."""
        return self.fed.union(normalise(url) for one in self.sitemaps for url in one.articles)

    @property
    def archive_pages(self) -> list[Page]:
        return [page for seen in self.archives for page in seen.pages]


Looking = Generator[Ask, Answer, None]


def look_at_home(home: str, seen: SiteSeen) -> Looking:
    """The home page, which tells most; what an answer shows is noted in `seen`."""
    answer = yield Ask(home, Purpose.HOME)
    seen.verdict, seen.robots = answer.verdict, answer.robots
    if isinstance(answer.page, NoPage):
        seen.wall = answer.page
    if not isinstance(answer.page, Page):
        return
    seen.home = answer.page
    seen.candidates = archive_candidates(answer.page)
    seen.systems = detect_software([answer.page])
    software = seen.system.software if seen.system is not None else None
    usual = usual_entrances(software, home_of(answer.page))
    seen.entrances = united([*sitemaps_in(seen.robots), *named_entrances(answer.page), *usual])


# --- sitemaps and feeds ---


def look_at_lists(seen: SiteSeen, rules: RulesOfPreset) -> Looking:
    """Sitemaps and a feed: what the site itself lists for programs."""
    waiting = [one for one in seen.entrances if one.kind == "sitemap"]
    asked = guessed = 0
    while waiting and asked < _MOST_SITEMAPS:
        one = waiting.pop(0)
        is_guess = one.told_by == USUAL_PLACE
        if is_guess and (seen.sitemaps or guessed == _MOST_GUESSED_SITEMAPS):
            continue
        asked, guessed = asked + 1, guessed + is_guess
        answer = yield Ask(one.url, Purpose.SITEMAP)
        found = _list(one, answer, rules)
        if found is None:
            if not is_guess or answer.verdict.outcome is not FetchOutcome.GONE:
                seen.failed.append((Ask(one.url, Purpose.SITEMAP), answer.verdict.reason if answer.capture is None else "it is no sitemap"))
            continue
        seen.sitemaps.append(found)
        # the first and the last part of a tree of sitemaps: they often go by time
        ends = dict.fromkeys((*found.sitemaps[:1], *found.sitemaps[-1:]))
        waiting = [*(Entrance("sitemap", url, one.url) for url in ends), *waiting]
    for one in [one for one in seen.entrances if one.kind == "feed" and one.told_by != USUAL_PLACE][:_MOST_FEEDS]:
        answer = yield Ask(one.url, Purpose.FEED)
        if (found := _list(one, answer, rules)) is not None:
            seen.feeds.append(found)


def _list(entrance: Entrance, answer: Answer, rules: RulesOfPreset) -> ListSeen | None:
    """What a sitemap or feed names."""
    if answer.capture is None:
        return None
    read = rules.read_list(answer.capture, entrance.kind)
    if read is None or not (read.articles or read.sitemaps):
        return None
    urls = tuple(link.url for link in read.articles)
    return ListSeen(entrance, urls[:_MOST_NAMED], len(urls), tuple(one.url for one in read.sitemaps))


# --- archive pages ---


def look_at_archives(seen: SiteSeen) -> Looking:
    """The pages that seem to list articles, and of each the next one."""
    if seen.home is None:
        return
    pages = [seen.home]
    if (after := second_page(seen.home)) is not None:
        pages += yield from _page(Ask(after, Purpose.SECOND, seen.home.url), seen)
    seen.archives.append(ArchiveSeen(None, tuple(pages)))
    if all(one.leads_to is not LeadsTo.ALL for one in seen.candidates):  # menus may be made by scripts
        seen.candidates += archives_named(url for one in seen.sitemaps for url in one.articles)
    for candidate in _chosen(seen.candidates):
        yield from _look_at_archive(candidate, seen, with_second=sum(len(one.pages) > 1 for one in seen.archives) < _MOST_SECOND_PAGES)


def look_at_more_sections(seen: SiteSeen) -> Looking:
    """Those of the menus that are left, as long as anything may be asked."""
    for candidate in [one for one in seen.candidates if one.leads_to is LeadsTo.SECTION and one.in_menu][_MOST_SECTIONS:]:
        yield from _look_at_archive(candidate, seen, with_second=False)


def _look_at_archive(candidate: Candidate, seen: SiteSeen, *, with_second: bool) -> Looking:
    assert seen.home is not None
    pages = yield from _page(Ask(candidate.url, Purpose.ARCHIVE, seen.home.url), seen)
    if not pages or any(pages[0].is_at(one.url) for one in seen.archive_pages):
        return
    after = second_page(pages[0]) if with_second else None
    if after is not None:
        pages += yield from _page(Ask(after, Purpose.SECOND, pages[0].url), seen)
    seen.archives.append(ArchiveSeen(candidate, tuple(pages)))


def _chosen(candidates: Sequence[Candidate]) -> Iterator[Candidate]:
    """Of each kind some: sections are told by what is below them, and stand first in menus."""
    for kind in (LeadsTo.ALL, LeadsTo.LATEST):
        yield from [one for one in candidates if one.leads_to is kind][: _MOST_OTHERS - 1]
    yield from [one for one in candidates if one.leads_to is LeadsTo.SECTION][:_MOST_SECTIONS]
    yield from [one for one in candidates if one.leads_to is LeadsTo.DATES][:_MOST_OTHERS]


def _page(ask: Ask, seen: SiteSeen) -> Generator[Ask, Answer, list[Page]]:
    answer = yield ask
    if isinstance(answer.page, Page):
        return [answer.page]
    seen.failed.append((ask, answer.page.reason if answer.page is not None else answer.verdict.reason))
    if answer.verdict.outcome is FetchOutcome.ERROR:
        seen.not_answered.append(ask)
    return []


def look_again(seen: SiteSeen) -> Looking:
    """What failed, once more at the end of the look: a server may have had a bad moment."""
    unanswered = [ask for ask in seen.not_answered if ask.purpose in (Purpose.ARCHIVE, Purpose.SECOND, Purpose.ARTICLE)]
    for ask in unanswered:
        seen.columns = None  # they were found without what may come now
        seen.failed = [(failed, why) for failed, why in seen.failed if failed != ask]
        for page in (yield from _page(ask, seen)):
            if ask.purpose is Purpose.ARTICLE:
                seen.articles.append(page)
            elif ask.purpose is Purpose.SECOND:
                seen.archives = [
                    replace(archive, pages=(*archive.pages, page)) if archive.pages[0].is_at(ask.via or "") else archive
                    for archive in seen.archives
                ]
            elif ask.purpose is Purpose.ARCHIVE:
                candidate = next(one for one in seen.candidates if one.url == ask.url)
                after = second_page(page)
                more = (yield from _page(Ask(after, Purpose.SECOND, page.url), seen)) if after is not None else []
                seen.archives.append(ArchiveSeen(candidate, (page, *more)))


def second_page(page: Page) -> str | None:
    """The address to which a page seems to lead on."""
    link = next((one for one in next_links(page) if not one.in_head), None)
    return link.url if link is not None else _counted_on(page)


def _counted_on(page: Page) -> str | None:
    """Where nothing leads on, what an address that ends in page 1 has next: scripts of the page may ask for it."""
    found = _FIRST_OF_SEVERAL.search(page.requested_url)
    return f"{page.requested_url[: found.start(1)]}2{page.requested_url[found.end(1) :]}" if found else None


# --- articles ---


def look_at_articles(seen: SiteSeen) -> Looking:
    """One or two articles: old ones, if possible."""
    if seen.home is None:
        return
    known = frozenset(map(normalise, (*(page.url for page in seen.archive_pages), *(one.url for one in seen.candidates))))
    listed = (probable_articles(page, tuple(known))[:1] for page in reversed([seen.home, *seen.archive_pages]))
    named = (islice((url for url in one.articles if _may_be_article(url, known)), 1) for one in (*seen.feeds, *seen.sitemaps))
    urls = dict.fromkeys(url for urls in (*listed, *named) for url in urls)
    for url in list(urls)[:_MOST_ARTICLES]:
        seen.articles += yield from _page(Ask(url, Purpose.ARTICLE, seen.home.url), seen)


def _may_be_article(url: str, known: frozenset[str]) -> bool:
    """What a sitemap names besides: the home page, lists, pages that every site has."""
    return normalise(url) not in known and link_kind(url) is None and not is_of_the_house(split_path(url)[0])
