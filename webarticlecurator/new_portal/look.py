"""A look at a site: which of its pages are asked for, one after the other, and what they are taken for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain, islice
from typing import Any

from webarticlecurator.amounts import amount
from webarticlecurator.budget import Budget
from webarticlecurator.config.article_rules import PostKind
from webarticlecurator.config.portal import ArchiveFormat, Portal, PortalKind
from webarticlecurator.databases import Row
from webarticlecurator.dates import day_in_url
from webarticlecurator.document.parsed_page import read_page
from webarticlecurator.extraction.article_reader import read_article
from webarticlecurator.extraction.feeds import title_of_feed
from webarticlecurator.extraction.next_links import next_links
from webarticlecurator.extraction.site_entrances import USUAL_PLACE, Entrance, detect_software, entrances_of, home_of
from webarticlecurator.extraction.url_rules import url_shape
from webarticlecurator.labelling.element_names import link_kind
from webarticlecurator.learning.site import about
from webarticlecurator.learning.site.archive_columns import FEWEST_LINKS
from webarticlecurator.learning.site.archive_proposals import FoundLists
from webarticlecurator.learning.site.boards import lists_of_threads, possible_boards, threads_of_several_pages
from webarticlecurator.learning.site.list_links import (
    ArchiveCandidate,
    LeadsTo,
    archive_candidates,
    archives_named,
    dates_listed,
    is_of_the_house,
    own_links,
    probable_articles,
)
from webarticlecurator.learning.site.seen import SURE_ENOUGH, ArchiveSeen, SiteSeen, portal_by_preset, read_list
from webarticlecurator.model.article import Article
from webarticlecurator.model.capture import Exchange, Fetched, PageSource, Request
from webarticlecurator.model.links import OTHER_HOST
from webarticlecurator.model.outcome import FetchOutcome, PageOutcome
from webarticlecurator.model.page import NoPage, Page
from webarticlecurator.own_patterns import linear
from webarticlecurator.trial import is_well, look_at_heads
from webarticlecurator.urls import bare_host, normalise, split_path

INTERRUPTED = "interrupted"
_MOST_OF_KIND = {LeadsTo.ALL: 2, LeadsTo.LATEST: 2, LeadsTo.EDITION: 2, LeadsTo.SECTION: 8, LeadsTo.DATES: 3}
"""Archive candidates that are looked at."""
_MOST_OF_EDITION = 3
"""Lists of one other language."""
_MOST_SAMPLES = 4
"""Lists of which an article is read."""
_MOST_THREADS = 4
"""Of a forum that are read: some should have further pages."""
_MOST_STORED = 200


@dataclass(slots=True)
class LookedAt:
    """A source that says when it is exhausted, and gives again what it was asked for already: stored pages, which cost nothing."""

    source: PageSource
    requests: int = 0
    """That it cost somebody."""
    is_over: bool = False
    """Nothing is to be asked any more that was not asked yet."""
    blocked: str | None = None
    """Why the site keeps us out, since it was looked at."""
    _asked: int = 0

    @property
    def spent(self) -> str | None:
        """Why nothing more is asked."""
        return f"{_MOST_STORED} stored pages were looked at" if self._asked >= _MOST_STORED else None

    def fetch(self, request: Request) -> Fetched:
        self._asked += 1
        return self.source.fetch(request)


class _LookEnded(Exception):
    """Nothing more may be asked; says why."""


@dataclass(slots=True)
class Look:
    """One look at the site of a portal, as far as the source goes."""

    portal: Portal
    source: LookedAt
    now: datetime
    seen: SiteSeen | None = None
    """None: there is no home page."""
    preset: str | None = None
    """Whose archive answered."""
    answer: dict[str, Any] = field(default_factory=dict)
    """What it gives: a line as `curator try --json` prints it."""
    stopped: str | None = None
    """Why it ended before all was seen."""
    first: Fetched | None = None
    """What came when the home page was asked for."""
    no_home: NoPage | None = None
    """What that is, if it is no page."""
    article: str = ""
    """The address that was named, where that is an article's, so that the home page of its site was asked for."""
    _rights: list[Exchange] = field(default_factory=list)

    def go(self) -> None:
        """Look, until all is seen or nothing more may be asked."""
        try:
            home = self._home()
            if home is not None:
                self._look_around(home)
        except _LookEnded as ended:
            self.stopped = str(ended)

    def _home(self) -> Page | None:
        """Return the page that was named, or the home page above it if that is an article."""
        home = self._page(self.portal.home)
        if home is not None and self._is_article(home) and (above := self._page(home_of(home))) is not None:
            home, self.article = above, home.url
        return replace(home, requested_url=home.url) if home is not None else None  # the portal file begins where its address leads to

    def _look_around(self, home: Page) -> None:
        systems = [system for system in detect_software(home)[:1] if system.certainty >= SURE_ENOUGH]
        system = systems[0] if systems else None
        self.seen = seen = SiteSeen(home=home, system=system, candidates=archive_candidates(home))
        if system is not None:
            self._try_preset(system.preset, seen)
        if self.preset is None:
            self._read_lists(entrances_of(home, self._rights, system.software if system is not None else None), seen)
            self._read_archives(seen)
            if not (seen.sitemaps or seen.feeds or any(map(probable_articles, seen.archive_pages))):
                self._try_preset("feed", seen)
        if seen.boards is None:
            self._read_articles(seen)
            self._check_lists(seen)
        if seen.archives and len(seen.archives[0].pages) == 1:  # else the home page goes on to all articles
            sections = [each for each in seen.candidates if each.leads_to is LeadsTo.SECTION and each.in_menu]
            self._read_candidates(sections[_MOST_OF_KIND[LeadsTo.SECTION] :], seen, with_second=False)

    def _read_archives(self, seen: SiteSeen) -> None:
        """Read the home page and those that seem to list articles, and of each the next one."""
        seen.archives.append(ArchiveSeen(None, self._with_second(seen.home)))
        self._read_boards(seen)
        if all(candidate.leads_to is not LeadsTo.ALL for candidate in seen.candidates):  # menus may be made by scripts
            seen.candidates += archives_named(url for sitemap in seen.sitemaps for url in sitemap.articles)
        for kind, most in _MOST_OF_KIND.items():
            self._read_candidates([each for each in seen.candidates if each.leads_to is kind][:most], seen)
        self._read_editions(seen)
        for archive in [archive for archive in seen.archives if not archive.is_of_a_time]:
            self._read_candidates(dates_listed(archive.pages[0]), seen)

    def _read_editions(self, seen: SiteSeen) -> None:
        """Read the lists to which the menus of the site in another language lead."""
        language = about.stated_language(seen.home)
        for archive in list(seen.archives):
            page, candidate = archive.pages[0], archive.candidate
            is_named = candidate is not None and candidate.leads_to is LeadsTo.EDITION
            if not is_named and about.stated_language(page) == language:
                continue
            folder = split_path(page.url)[0].rstrip("/") + "/"
            known = {candidate.url for candidate in seen.asked}
            below = [each for each in archive_candidates(page) if split_path(each.url)[0].startswith(folder) and each.url not in known]
            of_menus = [each for each in below if each.in_menu and each.leads_to in (LeadsTo.ALL, LeadsTo.SECTION)]
            self._read_candidates(of_menus[:_MOST_OF_EDITION], seen)

    def _check_lists(self, seen: SiteSeen) -> None:
        """Read an article of each list that was chosen: what leads to lists, such as one of series, is none of articles.

        A list is known by the rule that finds articles in lists, unless it finds some on every page, as in boxes.
        """
        if self.preset is not None:
            return
        found = FoundLists.of(seen)
        samples: dict[str, Page] = {}
        for column in found.chosen.columns[:_MOST_SAMPLES]:
            listed = sorted(column.links[0] - {page.url for page in seen.articles})
            sample = self._page(listed[-1]) if listed else None
            if sample is not None:
                samples[column.seen.pages[0].url] = sample
        known = frozenset[str]().union(*(column.articles for column in found.columns))
        counts = {url: len(found.common.links_of(sample) & known) for url, sample in samples.items()}
        if counts and min(counts.values()) < FEWEST_LINKS:
            seen.of_lists |= {url for url, count in counts.items() if count >= FEWEST_LINKS}
        seen.articles += [sample for url, sample in samples.items() if url not in seen.of_lists]

    def _is_article(self, page: Page) -> bool:
        """Whether it reads like one, has the address of one, and leads to nothing below itself, as lists do."""
        path = split_path(page.url)[0]
        last = url_shape(page.url.rstrip("/"), sections=True).rpartition("/")[2]
        if path in ("", "/") or not (last.startswith("s") or day_in_url(path)):
            return False
        folder = f"{path.rstrip('/')}/"
        below = {url for _, url, in_menu in own_links(page) if not in_menu and split_path(url)[0].startswith(folder)}
        return len(below) < FEWEST_LINKS and self._as_article(page).outcome is PageOutcome.ARTICLE

    def _as_article(self, page: Page, kind: PortalKind | None = None) -> Article:
        read, portal = replace(page, budget=Budget()), replace(self.portal, home=home_of(page))  # whose home page is no article
        portal = replace(portal, kind=kind) if kind is not None else portal
        return read_article([read], portal, id="", identity="", url=page.url)

    def _is_thread(self, page: Page) -> bool:
        """Whether a page has posts that are no rows of a list: a row has a headline that leads elsewhere."""
        return self._forum_posts(page) > 2 * len(probable_articles(page))

    def _try_preset(self, preset: str, seen: SiteSeen) -> None:
        """Of the archives that a preset knows, the first that gives something, be it with remarks."""
        lines = look_at_heads(portal_by_preset(home_of(seen.home), preset), self.source, self.now)
        giving = [line for line in lines if any(line.get(what) for what in ("articles", "sections", "sitemaps"))]
        if giving:
            self.preset, self.answer = preset, next(filter(is_well, giving), giving[0])

    def _fetched(self, url: str, *, is_sitemap: bool = False) -> Fetched:
        """Raises _LookEnded."""
        if (why := self.source.spent) is not None:
            raise _LookEnded(why)
        fetched = self.source.fetch(Request(url=url, is_sitemap=is_sitemap))
        if self.first is None:
            self.first = fetched
        self._rights += fetched.rights
        return fetched

    def _page(self, url: str) -> Page | None:
        """None where no page is had, which is noted."""
        fetched = self._fetched(url)
        page = read_page(fetched.capture) if fetched.capture is not None else None
        if isinstance(page, Page):
            return page
        if self.seen is None:
            self.no_home = page
        else:
            reason = page.reason if page is not None else fetched.verdict.reason
            self.seen.failed.append((url, reason, fetched.verdict.outcome is FetchOutcome.GONE))
        return None

    def _read_lists(self, entrances: Sequence[Entrance], seen: SiteSeen) -> None:
        """What the site itself lists for programs."""
        waiting = [entrance for entrance in entrances if entrance.kind == "sitemap"]
        asked = guessed = 0
        while waiting and asked < 4:
            entrance = waiting.pop(0)
            is_guess = entrance.told_by == USUAL_PLACE
            if is_guess and (seen.sitemaps or guessed == 2):
                continue
            asked, guessed = asked + 1, guessed + is_guess
            listed = self._list(entrance, seen, may_be_gone=is_guess)
            if listed is not None:
                seen.sitemaps.append(listed)
                # the first and the last part of a tree of sitemaps: they often go by time
                ends = dict.fromkeys((*listed.sitemaps[:1], *listed.sitemaps[-1:]))
                waiting = [*(Entrance("sitemap", url, entrance.url) for url in ends), *waiting]
        feed = next((entrance for entrance in entrances if entrance.kind == "feed" and entrance.told_by != USUAL_PLACE), None)
        if feed is not None and (listed := self._list(feed, seen, may_be_gone=True)) is not None:
            seen.feeds.append(listed)

    def _list(self, entrance: Entrance, seen: SiteSeen, *, may_be_gone: bool) -> Row | None:
        fetched = self._fetched(entrance.url, is_sitemap=entrance.kind == "sitemap")
        read = read_list(fetched.capture, entrance.kind, seen.home.url) if fetched.capture is not None else None
        if entrance.kind == "feed" and fetched.capture is not None:
            page = read_page(fetched.capture, format=ArchiveFormat.FEED, classified=True)
            seen.title_of_feed = title_of_feed(page) if isinstance(page, Page) else ""
        if read is not None and (read.articles or read.sitemaps):
            articles, sitemaps = (tuple(link.url for link in links) for links in (read.articles, read.sitemaps))
            return Row(entrance=entrance, articles=articles, sitemaps=sitemaps)
        if not may_be_gone or fetched.verdict.outcome is not FetchOutcome.GONE:
            elsewhere = [link.url for link in read.refused if link.reason == OTHER_HOST] if read is not None else []
            reason = fetched.verdict.reason if fetched.capture is None else f"it is no {entrance.kind}"
            if elsewhere:
                reason = f"its {amount(len(elsewhere), 'link leads', 'links lead')} to {bare_host(elsewhere[0])}, another site"
            seen.failed.append((entrance.url, reason, fetched.verdict.outcome is FetchOutcome.GONE))
        return None

    def _read_candidates(self, candidates: Iterable[ArchiveCandidate], seen: SiteSeen, *, with_second: bool = True) -> None:
        for candidate in candidates:
            page = self._page(candidate.url)
            seen.asked.add(candidate)
            if page is not None and not any(page.is_at(other.url) for other in seen.archive_pages):
                is_wanted = with_second and sum(len(archive.pages) > 1 for archive in seen.archives) < 7
                seen.archives.append(ArchiveSeen(candidate, self._with_second(page) if is_wanted else (page,)))

    def _with_second(self, page: Page) -> tuple[Page, ...]:
        address = next((link.url for link in next_links(page) if not link.in_head), None)
        if address is None and (number := linear(r"(?<=[/=])(1)/?$").search(page.requested_url)):  # scripts may ask for it
            address = f"{page.requested_url[: number.start(1)]}2{page.requested_url[number.end(1) :]}"
        second = self._page(address) if address is not None else None
        return (page,) if second is None else (page, second)

    def _read_boards(self, seen: SiteSeen) -> None:
        """Read, of what the home page leads to, the lists of pages that are read as threads of a forum."""
        for urls in possible_boards(seen.home):
            boards = [page for page in filter(None, map(self._page, urls[:2])) if not self._is_thread(page)]
            for _, listed in islice(lists_of_threads(boards, seen.home), 2):
                articles, threads = self._threads_among(listed, boards)
                if threads:
                    candidates = [ArchiveCandidate(page.url, LeadsTo.SECTION, "", 0, in_menu=False) for page in boards]
                    archives = tuple(map(ArchiveSeen, candidates, map(self._with_second, boards)))
                    links, _ = next(lists_of_threads([page for board in archives for page in board.pages], seen.home))
                    seen.boards = Row(urls=frozenset(urls), archives=archives, links=links)
                    seen.articles, seen.threads = articles, threads
                    return

    def _threads_among(self, listed: Sequence[str], boards: Sequence[Page]) -> tuple[list[Page], list[Page]]:
        """Read some of the listed pages, those of several pages before others; return them, and those that are threads.

        There are none where most are something else, or none has an answer: articles may have a comment.
        """
        several = threads_of_several_pages(boards, listed)
        spread = listed[:: -(-len(listed) // _MOST_THREADS)]
        urls = list(dict.fromkeys((*several[:1], *spread)))[:_MOST_THREADS]
        articles = list(filter(None, map(self._page, urls)))
        posts = [self._forum_posts(page) for page in articles]
        threads = [page for page, count in zip(articles, posts, strict=True) if count]
        if max(posts, default=0) < 2 or 2 * len(threads) < len(articles):
            return articles, []
        return articles, threads

    def _forum_posts(self, page: Page) -> int:
        """Return how many posts a page has if its site is a forum."""
        read = self._as_article(page, PortalKind.FORUM)
        return sum(post.kind == PostKind.FORUM for post in read.posts)

    def _read_articles(self, seen: SiteSeen) -> None:
        """One or two articles: old ones, if possible."""
        known = frozenset(map(normalise, (*(page.url for page in seen.archive_pages), *(each.url for each in seen.candidates))))
        listed = (probable_articles(page, tuple(known))[:1] for page in reversed([seen.home, *seen.archive_pages]))
        named: list[str] = []
        for each in (*seen.feeds, *seen.sitemaps):  # which name the home page, lists and pages that every site has, too
            articles = (url for url in each.articles if normalise(url) not in known and link_kind(url) is None)
            named += islice((url for url in articles if not is_of_the_house(split_path(url)[0])), 1)
        for url in islice(dict.fromkeys((*chain.from_iterable(listed), *named)), 2):
            if (page := self._page(url)) is not None:
                seen.articles.append(page)
        posts_of = ((page, self._as_article(page).posts) for page in seen.articles)
        seen.threads = [page for page, posts in posts_of if any(post.kind == PostKind.FORUM for post in posts)]


@dataclass(frozen=True, slots=True)
class ListRead:
    """A list that was read, with the page that follows it."""

    pages: tuple[Page, ...] = ()
    failed: str = ""
    """Why there is none."""

    @classmethod
    def at(cls, url: str, portal: Portal, source: LookedAt, now: datetime) -> ListRead:
        """Read the list at an address."""
        look = Look(replace(portal, home=url), source, now)
        try:
            page = look._page(url)
            if page is not None:
                return cls(look._with_second(page))
        except _LookEnded as ended:
            return cls(failed=str(ended))
        if look.no_home is not None:
            return cls(failed=look.no_home.reason)
        return cls(failed=look.first.verdict.reason if look.first is not None else "nothing was asked")
