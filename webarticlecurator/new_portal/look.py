"""A look at a site: which of its pages are asked for, one after the other, and why there may be nothing to see."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice

from webarticlecurator.config.portal import Portal
from webarticlecurator.crawling.block_watch import wall_in
from webarticlecurator.document.page import read_page
from webarticlecurator.extraction.next_links import next_links
from webarticlecurator.extraction.site_entrances import (
    USUAL_PLACE,
    Entrance,
    home_of,
    named_entrances,
    sitemaps_in,
    united,
    usual_entrances,
)
from webarticlecurator.extraction.site_software import detect_software
from webarticlecurator.labelling.names import link_kind
from webarticlecurator.learning.site.archive_candidates import (
    Candidate,
    LeadsTo,
    archive_candidates,
    archives_named,
    is_of_the_house,
    probable_articles,
)
from webarticlecurator.learning.site.older_dates import look_at_older_dates
from webarticlecurator.learning.site.scripts_needed import needs_scripts, shown_on
from webarticlecurator.learning.site.seen import SURE_ENOUGH, ArchiveSeen, ListSeen, SiteSeen, read_list
from webarticlecurator.model.capture import Fetched, Request
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.model.page import NoPage, Page, Wall
from webarticlecurator.new_portal.first_file import NewPortal, heads_of, written
from webarticlecurator.new_portal.sources import INTERRUPTED, LookedAt
from webarticlecurator.text import element_text
from webarticlecurator.urls import normalise, split_path

_HARDLY_ANY_TEXT, _HARDLY_ANY_LINKS = 300, 5
_MOST_SITEMAPS, _MOST_GUESSED_SITEMAPS = 4, 2
_MOST_OF_KIND = {LeadsTo.ALL: 2, LeadsTo.LATEST: 2, LeadsTo.SECTION: 8, LeadsTo.DATES: 3}
"""Archive candidates that are looked at."""
_MOST_SECOND_PAGES = 7
_MOST_ARTICLES = 2
_FIRST_OF_SEVERAL = re.compile(r"(?<=[/=])(1)/?$")


def look_and_write(named: str, portal: Portal, source: LookedAt, now: datetime) -> NewPortal:
    """Look at the site of a portal, as far as the source goes, and make a portal file of what is there. `named`: what was asked about."""
    began = time.monotonic()
    look, made, stopped, heads = _Look(source), NewPortal(source=named, name=portal.name), None, None
    seen = None
    try:
        home = look.page(portal.home)
        if home is not None:
            seen = look.seen = _at_home(home, look.robots)
            heads = heads_of(seen.system.preset, seen, portal, source, now) if seen.system is not None else None
            if heads is None or heads.best is None:
                look.read_lists()
                look.read_archives()
                if seen.lists_nothing:
                    feed = heads_of("feed", seen, portal, source, now)
                    heads = feed if feed.best is not None else heads
            look.read_articles()
            look_at_older_dates(seen, look.fetched)
            look.read_more_sections()
    except _LookEnded as ended:
        stopped = str(ended)
    if seen is None:
        made = _nothing(made, look, stopped)
    elif stopped != INTERRUPTED:
        made = written(made, seen, heads, source, now, wants=_what_it_wants(seen.home, seen.articles), stopped=stopped)
    return replace(made, requests=source.requests, seconds=time.monotonic() - began, interrupted=stopped == INTERRUPTED)


def _at_home(home: Page, robots: str) -> SiteSeen:
    systems = detect_software([home])
    system = systems[0] if systems and systems[0].certainty >= SURE_ENOUGH else None
    usual = usual_entrances(system.software if system is not None else None, home_of(home))
    return SiteSeen(
        home=home,
        entrances=tuple(united([*sitemaps_in(robots), *named_entrances(home), *usual])),
        system=system,
        candidates=archive_candidates(home),
    )


class _LookEnded(Exception):
    """Nothing more may be asked; says why."""


@dataclass(slots=True)
class _Look:
    """One look at one site."""

    source: LookedAt
    robots: str = ""
    answers: list[Fetched] = field(default_factory=list)
    home_without_page: NoPage | None = None
    seen: SiteSeen = field(init=False)
    """From the home page on."""

    def fetched(self, url: str, *, is_sitemap: bool = False) -> Fetched:
        """Raises _LookEnded."""
        if (why := self.source.spent) is not None:
            raise _LookEnded(why)
        fetched = self.source.fetch(Request(url=url, is_sitemap=is_sitemap))
        self.answers.append(fetched)
        for exchange in fetched.rights:
            if not self.robots and exchange.request.url.endswith("/robots.txt") and exchange.status == 200:
                self.robots = exchange.entity.decode("utf-8", "replace")
        return fetched

    def page(self, url: str) -> Page | None:
        """None where no page is had; that is noted, unless it is the home page."""
        fetched = self.fetched(url)
        page = read_page(fetched.capture) if fetched.capture is not None else None
        if isinstance(page, Page):
            return page
        if len(self.answers) == 1:
            self.home_without_page = page
        else:
            self.seen.failed.append((url, page.reason if page is not None else fetched.verdict.reason))
        return None

    # --- sitemaps and feeds ---

    def read_lists(self) -> None:
        """What the site itself lists for programs."""
        waiting = [entrance for entrance in self.seen.entrances if entrance.kind == "sitemap"]
        asked = guessed = 0
        while waiting and asked < _MOST_SITEMAPS:
            entrance = waiting.pop(0)
            is_guess = entrance.told_by == USUAL_PLACE
            if is_guess and (self.seen.sitemaps or guessed == _MOST_GUESSED_SITEMAPS):
                continue
            asked, guessed = asked + 1, guessed + is_guess
            listed = self._list(entrance, may_be_gone=is_guess)
            if listed is not None:
                self.seen.sitemaps.append(listed)
                # the first and the last part of a tree of sitemaps: they often go by time
                ends = dict.fromkeys((*listed.sitemaps[:1], *listed.sitemaps[-1:]))
                waiting = [*(Entrance("sitemap", url, entrance.url) for url in ends), *waiting]
        feeds = (entrance for entrance in self.seen.entrances if entrance.kind == "feed" and entrance.told_by != USUAL_PLACE)
        for entrance in islice(feeds, 1):
            if (listed := self._list(entrance, may_be_gone=True)) is not None:
                self.seen.feeds.append(listed)

    def _list(self, entrance: Entrance, *, may_be_gone: bool) -> ListSeen | None:
        fetched = self.fetched(entrance.url, is_sitemap=entrance.kind == "sitemap")
        read = read_list(fetched.capture, entrance.kind, self.seen.home.url) if fetched.capture is not None else None
        if read is not None and (read.articles or read.sitemaps):
            return ListSeen(entrance, tuple(link.url for link in read.articles), tuple(link.url for link in read.sitemaps))
        if not may_be_gone or fetched.verdict.outcome is not FetchOutcome.GONE:
            self.seen.failed.append((entrance.url, fetched.verdict.reason if fetched.capture is None else f"it is no {entrance.kind}"))
        return None

    # --- archive pages ---

    def read_archives(self) -> None:
        """The home page and those that seem to list articles, and of each the next one."""
        self._read_archive(None, self.seen.home, with_second=True)
        if all(candidate.leads_to is not LeadsTo.ALL for candidate in self.seen.candidates):  # menus may be made by scripts
            self.seen.candidates += archives_named(url for sitemap in self.seen.sitemaps for url in sitemap.articles)
        for kind, most in _MOST_OF_KIND.items():
            self._read_candidates([each for each in self.seen.candidates if each.leads_to is kind][:most])

    def read_more_sections(self) -> None:
        """Those of the menus that are left, unless the home page goes on to all articles."""
        if self.seen.archives and len(self.seen.archives[0].pages) == 1:
            sections = [each for each in self.seen.candidates if each.leads_to is LeadsTo.SECTION and each.in_menu]
            self._read_candidates(sections[_MOST_OF_KIND[LeadsTo.SECTION] :], with_second=False)

    def _read_candidates(self, candidates: Iterable[Candidate], *, with_second: bool = True) -> None:
        for candidate in candidates:
            page = self.page(candidate.url)
            if page is not None and not any(page.is_at(other.url) for other in self.seen.archive_pages):
                have_second = sum(len(archive.pages) > 1 for archive in self.seen.archives)
                self._read_archive(candidate, page, with_second=with_second and have_second < _MOST_SECOND_PAGES)

    def _read_archive(self, candidate: Candidate | None, page: Page, *, with_second: bool) -> None:
        address = _second_page(page) if with_second else None
        second = self.page(address) if address is not None else None
        self.seen.archives.append(ArchiveSeen(candidate, (page,) if second is None else (page, second)))

    # --- articles ---

    def read_articles(self) -> None:
        """One or two articles: old ones, if possible."""
        seen = self.seen
        known = frozenset(map(normalise, (*(page.url for page in seen.archive_pages), *(each.url for each in seen.candidates))))
        listed = (probable_articles(page, tuple(known))[:1] for page in reversed([seen.home, *seen.archive_pages]))
        named = (list(islice(_without_lists(each.articles, known), 1)) for each in (*seen.feeds, *seen.sitemaps))
        urls = dict.fromkeys(url for urls in (*listed, *named) for url in urls)
        for url in islice(urls, _MOST_ARTICLES):
            if (page := self.page(url)) is not None:
                seen.articles.append(page)


def _second_page(page: Page) -> str | None:
    """The address to which a page seems to lead on; where nothing does, page 2 of an address that ends in 1: scripts may ask for it."""
    link = next((link for link in next_links(page) if not link.in_head), None)
    if link is not None:
        return link.url
    number = _FIRST_OF_SEVERAL.search(page.requested_url)
    return f"{page.requested_url[: number.start(1)]}2{page.requested_url[number.end(1) :]}" if number else None


def _without_lists(urls: Iterable[str], known: frozenset[str]) -> Iterator[str]:
    """What a sitemap names besides articles: the home page, lists, pages that every site has."""
    return (url for url in urls if normalise(url) not in known and link_kind(url) is None and not is_of_the_house(split_path(url)[0]))


# --- what is not to be had ---


def _nothing(made: NewPortal, look: _Look, stopped: str | None) -> NewPortal:
    """Why the home page could not be read: kept out, or something else."""
    if not look.answers:
        return replace(made, failed=stopped or "nothing was asked")
    fetched, page = look.answers[0], look.home_without_page
    if page is not None and page.wall is not None:
        wants = {Wall.CONSENT: "it asks for consent to cookies first", Wall.CAPTCHA: "it asks to prove to be a person"}
        return replace(made, blocked=f"{wants.get(page.wall, 'it keeps us out')} ({page.reason})")
    if (wall := wall_in(fetched)) is not None:
        return replace(made, blocked=f"it keeps us out ({wall})")
    if fetched.verdict.outcome is FetchOutcome.ROBOTS:
        return replace(made, blocked="its robots.txt forbids programs to read it")
    last = fetched.exchanges[-1] if fetched.exchanges else None
    if last is not None and last.status in (401, 403, 407, 429, 451):
        return replace(
            made, blocked=f"it answers HTTP {last.status}, {'which asks for a login' if last.status in (401, 407) else 'a refusal'}"
        )
    if last is not None and "other host" in fetched.verdict.reason:
        target = next((value for name, value in last.headers if name.lower() == "location"), "")
        return replace(made, failed=f"{made.source} leads to another site ({target}): if that is meant, give its address")
    return replace(made, failed=page.reason if page is not None else fetched.verdict.reason)


def _what_it_wants(home: Page, articles: Sequence[Page]) -> str | None:
    """What a home page that can be read tells of what cannot; a page of greetings says nothing of articles that have text."""
    assert home.tree is not None
    body = home.tree.find("body")
    text, shown = len(element_text(body)) if body is not None else 0, shown_on(home)
    if text < _HARDLY_ANY_TEXT and len(shown.links) < _HARDLY_ANY_LINKS and home.tree.find(".//input[@type='password']") is not None:
        return f"it asks for a login: its home page has {text} characters of text and a field for a password"
    if all(map(needs_scripts, (home, *articles))):
        without = f"without its scripts the home page has {shown.words} words and {len(shown.links)} links outside of menus"
        then = "`fetch: {via: browser}` crawls with one (docs/recipes/browser.md)"
        return f"it seems to need a browser: {without}; {then}"
    return None
