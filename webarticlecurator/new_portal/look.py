"""A look at a site: which of its pages are asked for, one after the other, and what they are taken for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain, islice
from typing import Any

from webarticlecurator.budget import Budget
from webarticlecurator.config.article_rules import PostKind
from webarticlecurator.config.portal import Portal, PortalKind
from webarticlecurator.databases import Row
from webarticlecurator.dates import day_in_url
from webarticlecurator.extraction.article_reader import read_article
from webarticlecurator.extraction.site_entrances import Entrance
from webarticlecurator.extraction.url_rules import url_shape
from webarticlecurator.labelling.element_names import link_kind
from webarticlecurator.learning.links.placed_links import own_links, probable_articles
from webarticlecurator.learning.site import about
from webarticlecurator.learning.site.archive_columns import FEWEST_LINKS, forms_of
from webarticlecurator.learning.site.archive_proposals import FoundLists
from webarticlecurator.learning.site.boards import lists_of_threads, possible_boards, threads_of_several_pages
from webarticlecurator.learning.site.entrances import USUAL_PLACE, entrances_of, home_of
from webarticlecurator.learning.site.list_links import (
    ArchiveCandidate,
    LeadsTo,
    archive_candidates,
    archives_named,
    dates_listed,
    is_of_the_house,
    links_of_site,
)
from webarticlecurator.learning.site.seen import SURE_ENOUGH, ArchiveSeen, SiteSeen, portal_by_preset
from webarticlecurator.learning.site.software import detect_software
from webarticlecurator.model.article import Article
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import Page
from webarticlecurator.new_portal.asked_pages import AskedPages, LookEnded
from webarticlecurator.stages.trial import is_well, look_at_heads
from webarticlecurator.urls import normalise, split_path

_MOST_OF_KIND = {LeadsTo.ALL: 2, LeadsTo.LATEST: 2, LeadsTo.EDITION: 2, LeadsTo.SECTION: 8, LeadsTo.DATES: 3}
"""The most archive candidates that are looked at, by kind."""
_MOST_OF_EDITION = 3
"""The most lists of one other language."""
_MOST_OF_SITE = 4
"""The most lists to which all pages lead."""
_MOST_SAMPLES = 4
"""The most lists of which an article is read."""
_MOST_SITEMAPS = 4
_MOST_THREADS = 4
"""The threads of a forum that are read: some should have further pages."""


@dataclass(slots=True)
class Look:
    """A look at the site of a portal, as far as the source goes."""

    portal: Portal
    asked: AskedPages
    now: datetime
    seen: SiteSeen | None = None
    """The findings on the site; None: there is no home page."""
    preset: str | None = None
    """The preset whose archive answered."""
    answer: dict[str, Any] = field(default_factory=dict)
    """The answer of that archive: a line as `curator try --json` prints it."""
    stopped: str | None = None
    """The reason why it ended before all was seen."""
    article: str = ""
    """The address that was named, where that is an article's, so that the home page of its site was asked
    for."""

    def go(self) -> None:
        """Look, until all is seen or nothing more may be asked."""
        try:
            home = self._home()
            if home is not None:
                self._look_around(home)
        except LookEnded as ended:
            self.stopped = str(ended)

    def _home(self) -> Page | None:
        """Return the page that was named, or the home page above it if that is an article."""
        home = self.asked.page(self.portal.home)
        if (
            home is not None
            and self._is_article(home)
            and (above := self.asked.page(home_of(home))) is not None
        ):
            home, self.article = above, home.url
        return (
            replace(home, requested_url=home.url) if home is not None else None
        )  # the portal file begins where its address leads to

    def _look_around(self, home: Page) -> None:
        systems = [system for system in detect_software(home)[:1] if system.certainty >= SURE_ENOUGH]
        system = systems[0] if systems else None
        candidates = archive_candidates(home)
        self.seen = seen = SiteSeen(home=home, system=system, candidates=candidates, failed=self.asked.failed)
        if system is not None:
            self._try_preset(system.preset, seen)
        if self.preset is not None:
            self._read_articles(seen)
            return
        self._read_lists(
            entrances_of(home, self.asked.rights, system.software if system is not None else None), seen
        )
        self._read_archives(seen)
        if not (seen.sitemaps or seen.feeds or any(map(probable_articles, seen.archive_pages))):
            self._try_preset("feed", seen)
        if seen.boards is None:
            self._read_articles(seen)
            self._read_links_of_site(seen)
        self._read_other_sections(seen)
        if seen.boards is None:
            self._check_lists(seen)

    def _read_other_sections(self, seen: SiteSeen) -> None:
        """Read the first pages of the other sections of a long menu, unless the home page goes on to all
        articles."""
        if len(seen.archives[0].pages) == 1:
            others = seen.sections_of_menus[_MOST_OF_KIND[LeadsTo.SECTION] :]
            self._read_candidates(others, seen, with_second=False)

    def _read_archives(self, seen: SiteSeen) -> None:
        """Read the home page and those that seem to list articles, and of each the next one."""
        seen.archives.append(ArchiveSeen(None, self.asked.with_second(seen.home)))
        self._read_boards(seen)
        if all(
            candidate.leads_to is not LeadsTo.ALL for candidate in seen.candidates
        ):  # menus may be made by scripts
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
            below = [
                each
                for each in seen.unasked(archive_candidates(page))
                if split_path(each.url)[0].startswith(folder)
            ]
            of_menus = [
                each for each in below if each.in_menu and each.leads_to in (LeadsTo.ALL, LeadsTo.SECTION)
            ]
            self._read_candidates(of_menus[:_MOST_OF_EDITION], seen)

    def _read_links_of_site(self, seen: SiteSeen) -> None:
        """Read lists to which all pages of the site lead, though not by what is called a menu."""
        others = [page for page in (*seen.articles, *seen.archive_pages) if page.url != seen.home.url]
        if others:
            unread = seen.unasked(links_of_site(seen.home, others))
            self._read_candidates(unread[:_MOST_OF_SITE], seen)

    def _check_lists(self, seen: SiteSeen) -> None:
        """Read an article of each list that is chosen beside one of all: what leads to lists, such as one of
        series, is none.

        A list is known by the rule that finds articles in lists, unless it finds some on every page, as in
        boxes.
        """
        lists = FoundLists.of(seen)
        if lists.chosen.general is None:
            return
        samples = self._samples(lists, seen)
        listing = {
            page.url
            for page in samples.values()
            if len(lists.common.links_of(page) & lists.articles) >= FEWEST_LINKS
        }
        if listing.issuperset(page.url for page in samples.values()):
            listing = set()
        seen.of_lists |= {url for url, sample in samples.items() if sample.url in listing}
        known = {page.url: page for page in (*seen.articles, *samples.values())}
        seen.articles = [page for url, page in known.items() if url not in listing]

    def _samples(self, lists: FoundLists, seen: SiteSeen) -> dict[str, Page]:
        """Return an article by the address of the list that it is of: one that was read already, or is read
        now."""
        samples: dict[str, Page] = {}
        for column in lists.chosen.columns:
            forms = forms_of(column.links[0])
            like = [page for page in (*seen.articles, *samples.values()) if forms_of([page.url]) <= forms]
            if not like and column.links[0] and len(samples) < _MOST_SAMPLES:
                like = list(filter(None, [self.asked.page(max(column.links[0]))]))
            if like:
                samples[column.seen.pages[0].url] = like[0]
        return samples

    def _is_article(self, page: Page) -> bool:
        """Say whether it reads like one, has the address of one, and leads to nothing below itself, as lists
        do."""
        path = split_path(page.url)[0]
        last = url_shape(page.url.rstrip("/"), sections=True).rpartition("/")[2]
        if path in ("", "/") or not (last.startswith("s") or day_in_url(path)):
            return False
        folder = f"{path.rstrip('/')}/"
        below = {
            url
            for _, url, in_menu in own_links(page)
            if not in_menu and split_path(url)[0].startswith(folder)
        }
        return len(below) < FEWEST_LINKS and self._as_article(page).outcome is PageOutcome.ARTICLE

    def _as_article(self, page: Page, kind: PortalKind | None = None) -> Article:
        read, portal = (
            replace(page, budget=Budget()),
            replace(self.portal, home=home_of(page)),
        )  # whose home page is no article
        portal = replace(portal, kind=kind) if kind is not None else portal
        return read_article([read], portal, id="", identity="", url=page.url)

    def _is_thread(self, page: Page) -> bool:
        """Say whether a page has posts that are no rows of a list: a row has a headline that leads
        elsewhere."""
        return self._forum_posts(page) > 2 * len(probable_articles(page))

    def _try_preset(self, preset: str, seen: SiteSeen) -> None:
        """Try the archives that a preset knows: the first counts that gives something, be it with remarks."""
        lines = look_at_heads(portal_by_preset(home_of(seen.home), preset), self.asked.source, self.now)
        giving = [
            line for line in lines if any(line.get(what) for what in ("articles", "sections", "sitemaps"))
        ]
        if giving:
            self.preset, self.answer = preset, next(filter(is_well, giving), giving[0])

    def _read_lists(self, entrances: Sequence[Entrance], seen: SiteSeen) -> None:
        """Read what the site itself lists for programs: sitemaps, of a tree its ends, and the feed that the
        home page names."""
        named = [entrance for entrance in entrances if entrance.told_by != USUAL_PLACE]
        waiting = [entrance for entrance in named if entrance.kind == "sitemap"]
        guesses = [
            entrance for entrance in entrances if entrance.kind == "sitemap" and entrance not in waiting
        ][:2]
        for _ in range(_MOST_SITEMAPS):
            if not waiting and not seen.sitemaps:
                waiting, guesses = guesses[:1], guesses[1:]
            if waiting:
                waiting = [*self._read_sitemap(waiting[0], seen), *waiting[1:]]
        for feed in [entrance for entrance in named if entrance.kind == "feed"][:1]:
            seen.feeds += filter(None, [self.asked.listed(feed, seen.home.url, may_be_gone=True)])
            seen.title_of_feed = self.asked.title_of_feed

    def _read_sitemap(self, entrance: Entrance, seen: SiteSeen) -> list[Entrance]:
        """Read one; return the first and the last part of a tree of sitemaps, which often go by time."""
        listed = self.asked.listed(entrance, seen.home.url, may_be_gone=entrance.told_by == USUAL_PLACE)
        if listed is None:
            return []
        seen.sitemaps.append(listed)
        ends = dict.fromkeys((*listed.sitemaps[:1], *listed.sitemaps[-1:]))
        return [Entrance("sitemap", url, entrance.url) for url in ends]

    def _read_candidates(
        self, candidates: Iterable[ArchiveCandidate], seen: SiteSeen, *, with_second: bool = True
    ) -> None:
        for candidate in candidates:
            page = self.asked.page(candidate.url)
            seen.asked.add(candidate)
            if page is not None and not any(page.is_at(other.url) for other in seen.archive_pages):
                is_wanted = with_second and sum(len(archive.pages) > 1 for archive in seen.archives) < 7
                seen.archives.append(
                    ArchiveSeen(candidate, self.asked.with_second(page) if is_wanted else (page,))
                )

    def _read_boards(self, seen: SiteSeen) -> None:
        """Read, of what the home page leads to, the lists of pages that are read as threads of a forum."""
        for urls in possible_boards(seen.home):
            boards = [
                page for page in filter(None, map(self.asked.page, urls[:2])) if not self._is_thread(page)
            ]
            for _, listed in islice(lists_of_threads(boards, seen.home), 2):
                articles, threads = self._threads_among(listed, boards)
                if threads:
                    candidates = [
                        ArchiveCandidate(page.url, LeadsTo.SECTION, "", 0, in_menu=False) for page in boards
                    ]
                    archives = tuple(map(ArchiveSeen, candidates, map(self.asked.with_second, boards)))
                    links, _ = next(
                        lists_of_threads([page for board in archives for page in board.pages], seen.home)
                    )
                    seen.boards = Row(urls=frozenset(urls), archives=archives, links=links)
                    seen.articles, seen.threads = articles, threads
                    return

    def _threads_among(self, listed: Sequence[str], boards: Sequence[Page]) -> tuple[list[Page], list[Page]]:
        """Read some of the listed pages, those of several pages before others; return them, and those that
        are threads.

        There are none where most are something else, or none has an answer: articles may have a comment.
        """
        several = threads_of_several_pages(boards, listed)
        spread = listed[:: -(-len(listed) // _MOST_THREADS)]
        urls = list(dict.fromkeys((*several[:1], *spread)))[:_MOST_THREADS]
        articles = list(filter(None, map(self.asked.page, urls)))
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
        """Read one or two articles: old ones, if possible."""
        known = frozenset(
            map(
                normalise,
                (*(page.url for page in seen.archive_pages), *(each.url for each in seen.candidates)),
            )
        )
        listed = (
            probable_articles(page, tuple(known))[:1] for page in reversed([seen.home, *seen.archive_pages])
        )
        named = (_first_article(each.articles, known) for each in (*seen.feeds, *seen.sitemaps))
        urls = islice(dict.fromkeys(chain.from_iterable((*listed, *named))), 2)
        seen.articles += filter(None, map(self.asked.page, urls))
        posts_of = ((page, self._as_article(page).posts) for page in seen.articles)
        seen.threads = [
            page for page, posts in posts_of if any(post.kind == PostKind.FORUM for post in posts)
        ]


def _first_article(urls: Iterable[str], known: frozenset[str]) -> list[str]:
    """Return the first of a list for programs, which names the home page, lists and pages that every site
    has, too."""
    unknown = (url for url in urls if normalise(url) not in known and link_kind(url) is None)
    return list(islice((url for url in unknown if not is_of_the_house(split_path(url)[0])), 1))
