"""Takes WARC files of other programs into a corpus: the same bytes and dates, archive pages and articles told
apart by the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice
from typing import NamedTuple

from webarticlecurator.budget import Budget
from webarticlecurator.config.portal import Column, Paging, PagingMode, Portal, fitting_column, section
from webarticlecurator.config.template import UrlTemplate
from webarticlecurator.corpus.events import (
    NO_SPAN,
    ArticleEvent,
    EndKind,
    JoinedEvent,
    PageEvent,
    PageResult,
    WalkEndEvent,
)
from webarticlecurator.crawling.archive import archive_page_of, what_it_lists
from webarticlecurator.crawling.article_ways import MOST_PARTS, page_of, stored_page
from webarticlecurator.crawling.run import Run
from webarticlecurator.databases import Row
from webarticlecurator.extraction import article_pages
from webarticlecurator.extraction.checks import Check, first_reason
from webarticlecurator.extraction.url_rules import article_url, identity_of
from webarticlecurator.model.capture import Capture, Fetched, Request
from webarticlecurator.model.links import NO_PAGE, ArchivePage, RefusedLink
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.model.page import NoPage, Page
from webarticlecurator.protocol.message import mime_of
from webarticlecurator.urls import normalise, split_path
from webarticlecurator.warc.exchanges import WarcExchange
from webarticlecurator.warc.records import Damage
from webarticlecurator.warc.store import Series

_READABLE = (
    "text/html",
    "application/xhtml+xml",
    "application/json",
    "text/plain",
    "text/xml",
    "application/xml",
    "",
)
_WHOLE = range(200, 300)
_MOST_LED_TO = 200_000
"""Addresses that archive pages lead to, and that are remembered."""
_MOST_BEHIND = 20
"""Addresses behind a gap that are looked at."""


@dataclass(slots=True)
class Importer:
    """One import into one corpus; events are recorded as in a crawl, so that the next crawl knows what is
    there."""

    run: Run
    _imported: Row = field(
        default_factory=lambda: Row(archive_pages=0, articles=0, skipped=Counter(), lacking=0, damaged=0)
    )
    """`skipped`: by reason; `lacking`: articles of several pages that wait for one; `damaged`: places of the
    files that cannot be read."""
    _walks: dict[str, int] = field(default_factory=dict)
    _led_to: dict[str, Column] = field(default_factory=dict)
    """Addresses at which archive pages say that they go on, which no address of a column need fit: next
    pages, sections, sitemaps."""

    def take_in(self, answers: Iterable[WarcExchange | str]) -> Row:
        """Take in pages, or count why there is none, and join those that are one article."""
        stored_before = self.run.ledger.last("responses")
        for answer in answers:
            if self.run.stopped:
                break
            reason = answer if isinstance(answer, str) else self._taken(answer)
            if reason is not None:
                self._imported.skipped[reason] += 1
            self.run.show()
        for column, walk in self._walks.items():
            end = WalkEndEvent(
                **self.run.recorder.stamp(),
                walk=walk,
                column=column,
                interval=None,
                end=EndKind.IMPORTED,
                reason="imported",
            )
            self.run.recorder.write(Series.ARCHIVE, self.run.portal.home, end)
        self._imported["lacking"] = _join_pages(self.run, stored_before)
        return self._imported

    def tell_of(self, damage: Damage) -> None:
        """Tell what the files that pages come from lack."""
        self._imported["damaged"] += 1
        self.run.say(str(damage))

    def _taken(self, answer: WarcExchange) -> str | None:
        return self.run.guarded(
            answer.capture.url, partial(self._take, answer), lambda verdict: verdict.reason
        )

    def _take(self, answer: WarcExchange) -> str | None:
        """Take in one page, or say why not."""
        capture = answer.capture
        reason = first_reason(_AGAINST, _Answer(answer, self.run.portal))
        if reason:
            return reason
        mime = mime_of(capture.headers)
        column = self._led_to.get(normalise(capture.url)) or fitting_column(self.run.portal, capture.url)
        is_list_for_programs = column is not None and column.format.tells_links
        if mime not in _READABLE and not is_list_for_programs:
            return f"{mime} is no page"
        if self.run.ledger.has_response(answer.exchange.request.key, answer.capture.date):
            return "already in the corpus"
        column = column or self._column_of_index_page(capture)
        if column is None:
            return self._take_article(answer)
        self._take_archive_page(answer, column)
        return None

    def _column_of_index_page(self, capture: Capture) -> Column | None:
        """A page that holds posts of several articles is none itself, whatever its address: by label, by
        month, found by a search."""
        portal = self.run.portal
        if first_reason(_NO_INDEX, _Page(self.run, capture)):
            return None
        from webarticlecurator.extraction.index_posts import index_page_of  # few imports have a need of it

        index = self.run.guarded(
            capture.url, lambda: index_page_of(capture, portal), lambda verdict: NoPage(reason=verdict.reason)
        )
        if isinstance(index, NoPage) or not index.is_index:
            return None
        return portal.archive or Column(
            name="index pages", template=UrlTemplate.parse(""), paging=Paging(mode=PagingMode.NONE)
        )

    def _take_archive_page(self, answer: WarcExchange, column: Column) -> None:
        verdict = _verdict(answer)
        read: ArchivePage | Verdict = verdict
        if verdict.outcome is FetchOutcome.FETCHED:
            read = archive_page_of(answer.capture, column, self.run.portal)
        if isinstance(read, Verdict):
            page, verdict, result = NO_PAGE, read, PageResult.FAILED
        else:
            page, result = read, PageResult.LINKS if read.articles else PageResult.EMPTY
            self._note_ways(page, column)
        if column.name not in self._walks:
            self._walks[column.name] = next(self.run.walk_numbers)
        event = PageEvent(
            **self.run.recorder.stamp(),
            walk=self._walks[column.name],
            column=column.name,
            interval=None,
            mode=column.paging.mode.value,
            index=self._imported.archive_pages,
            page="",
            url=answer.capture.url,
            request=answer.exchange.request.key,
            outcome=verdict.outcome,
            result=result,
            reason=verdict.reason,
            span=NO_SPAN,
            covers=False,
            **what_it_lists(page),
            sections=page.sections,
            rules=column.rules,
            field_rules=column.field_rules,
        )
        self.run.recorder.write_fetched(Series.ARCHIVE, _fetched(answer, verdict), event)
        self._imported["archive_pages"] += 1

    def _note_ways(self, page: ArchivePage, column: Column) -> None:
        """Keep where an archive page leads: to further pages of its column, to sitemaps, to sections."""
        ways = dict.fromkeys(filter(None, (page.next_url, *(file.url for file in page.sitemaps))), column)
        for url in page.sections:
            if fitting_column(self.run.portal, url) is None:
                ways[url] = section(column, url, self.run.portal.home)
        for url, of in ways.items():
            normal = normalise(url)
            if normal not in page.urls and len(self._led_to) < _MOST_LED_TO:
                self._led_to.setdefault(normal, of)

    def _take_article(self, answer: WarcExchange) -> str | None:
        with Budget():
            requested = article_url(
                answer.capture.requested_url, self.run.portal.article_urls, self.run.portal
            )
            if isinstance(requested, RefusedLink):
                return f"refused: {requested.reason}"
            url = normalise(requested)
            identity = identity_of(url, self.run.portal)
        verdict = self.run.verdict_of(_fetched(answer, _verdict(answer)), article=True)
        is_page, following = verdict.outcome is FetchOutcome.FETCHED, None
        if is_page and self.run.portal.articles.next is not None:
            following = self.run.guarded(url, partial(self._leads_on, answer.capture), lambda _: None)
        event = ArticleEvent(
            **self.run.recorder.stamp(),
            url=url,
            identity=identity,
            asked=url,
            request=answer.exchange.request.key,
            part=1,
            # A wall or an error beside a page that is there is one more capture, and takes nothing away.
            again=not is_page and self.run.ledger.has_pages(url),
            outcome=verdict.outcome,
            reason=verdict.reason,
            source=answer.source,
            next=following,
        )
        self.run.recorder.write_fetched(Series.ARTICLES, _fetched(answer, verdict), event)
        self.run.count(verdict.outcome)
        self._imported["articles"] += 1
        return None

    def _leads_on(self, capture: Capture) -> str | None:
        page = page_of(capture, self.run.portal)
        return article_pages.next_article_page(page, self.run.portal, ()) if isinstance(page, Page) else None


def _path(answer: WarcExchange) -> str:
    return split_path(answer.capture.url)[0]


class _Answer(NamedTuple):
    """An answer, and the portal that it may be a page of."""

    answer: WarcExchange
    portal: Portal


_AGAINST: tuple[Check[_Answer], ...] = (
    Check("a robots.txt", lambda asked: asked.answer.capture.url.endswith("/robots.txt")),
    Check(
        "a file for programs (/.well-known/)", lambda asked: _path(asked.answer).startswith("/.well-known/")
    ),
    Check("what a page loads", lambda asked: asked.answer.loaded),
    Check(
        "a further page of an article, which no rule joins to it",
        lambda asked: asked.answer.is_further and not asked.portal.articles.joins_pages,
    ),
)
"""Answers that are no pages of the portal."""


class _Page(NamedTuple):
    """A page that may hold posts of several articles."""

    run: Run
    capture: Capture


_NO_INDEX: tuple[Check[_Page], ...] = (
    Check("the portal has none", lambda page: not page.run.portal.reads_index_pages),
    Check("it is no whole answer", lambda page: page.capture.status not in _WHOLE),
    Check(
        "it is a known article", lambda page: page.run.ledger.url_id(normalise(page.capture.url)) is not None
    ),
)
"""Why a page holds no posts of several articles."""


def _verdict(answer: WarcExchange) -> Verdict:
    status = answer.capture.status
    if answer.exchange.truncated is not None:
        return Verdict(FetchOutcome.ERROR, f"imported; cut short ({answer.exchange.truncated})")
    if status in (404, 410):
        return Verdict(FetchOutcome.GONE, f"imported; HTTP {status}")
    return Verdict(
        FetchOutcome.FETCHED if status in _WHOLE else FetchOutcome.ERROR, f"imported; HTTP {status}"
    )


def _fetched(answer: WarcExchange, verdict: Verdict) -> Fetched:
    fetched = Fetched(request=Request(url=answer.capture.url), verdict=verdict, exchanges=(answer.exchange,))
    if verdict.outcome is not FetchOutcome.FETCHED:
        return fetched
    return replace(fetched, capture=answer.capture, rendered=answer.rendered)


def _join_pages(run: Run, since: int) -> int:
    """Join imported pages that are one article: by `articles.next` from page to page, by addresses and
    identity where a page is missing.

    Looked at is what was stored after that response, and all articles that wait for a page; gives how many go
    on waiting.
    """
    if not run.portal.articles.joins_pages:
        return 0
    lacking = 0
    seen: set[int] = set()
    for article in run.ledger.perhaps_parts(since):
        if run.stopped:
            break
        pages = run.ledger.stored_pages(article) if article not in seen else ()
        if pages and not _is_alone(run, article, pages):
            lacking += run.guarded(pages[0], partial(_join, run, article, pages[0], seen), lambda _: False)
    return lacking


def _is_alone(run: Run, article: int, pages: Sequence[str]) -> bool:
    """Say whether it is an article of one page that leads nowhere: it was read when it was imported."""
    return (
        run.ledger.is_as_told(article, pages[:1], 1, None)
        and len(run.ledger.of_one_identity(article, 2)) == 1
    )


def _join(run: Run, article: int, own: str, seen: set[int]) -> bool:
    """Say whether an article waits for a page; `seen` are those that need no look any more."""
    mates = {}
    for mate in sorted({article, *run.ledger.of_one_identity(article, 10_000)} - seen):
        if pages := run.ledger.stored_pages(mate):
            mates[pages[0]] = mate, pages
    # URLs of one identity that differ in anything but a page's number are one page under several addresses.
    order = article_pages.in_page_order(own, mates)
    first, follows = mates[order[0]][0], run.portal.articles.next is not None
    stored = chain.from_iterable(mates[start][1] for start in order)
    candidates = list(stored if follows else filter(article_pages.says_page, stored))
    joined, whole, missing = _collected(run, first, order[0], candidates)
    seen.update((first,) if len(joined) == MOST_PARTS else (mates[start][0] for start in order))
    if not run.ledger.is_as_told(first, joined, whole, missing):
        event = JoinedEvent(**run.recorder.stamp(), url=order[0], pages=joined, whole=whole, next=missing)
        run.recorder.write(Series.ARTICLES, order[0], event)
    return missing is not None


def _collected(
    run: Run, article: int, start: str, candidates: Sequence[str]
) -> tuple[tuple[str, ...], int, str | None]:
    """Return the pages from the first one on; how many there are up to the first gap, and where that begins.

    Behind a gap the next page that is there follows.
    """
    first = stored_page(run, Request(url=start), start)
    if first is None:
        return (start,), 1, None
    parts = _Parts(run, article, first, {start: None})
    whole, missing = 0, None
    page: Page | None = first
    waiting = iter(candidates)  # each is looked at once, however many gaps there are
    while page is not None and len(parts.urls) < MOST_PARTS:
        last = next(reversed(parts.urls))
        led = article_pages.next_article_page(page, run.portal, parts.urls)
        if led is None:
            page = parts.page_behind_gap(waiting)
            continue
        page = parts.page_led_to(led)
        if page is not None:
            continue
        if missing is None and run.ledger.first_page_of(led, article) is None:
            whole, missing = len(parts.urls), led
        behind = islice(article_pages.addresses_behind(last, led), _MOST_BEHIND)
        page = parts.page_behind_gap(chain(waiting, behind))
    return tuple(parts.urls), whole or len(parts.urls), missing


@dataclass(frozen=True, slots=True)
class _Parts:
    """The pages of an article, as they are found among those that are stored."""

    run: Run
    article: int
    first: Page
    urls: dict[str, None]
    """Their addresses, in their order."""

    def page(self, url: str) -> Page | None:
        """Return a stored page, if it is one of this article and not of another one."""
        belongs_to = self.run.ledger.first_page_of(url, self.article)
        page = (
            stored_page(self.run, Request(url=url), url)
            if belongs_to == url or belongs_to in self.urls
            else None
        )
        if page is None or article_pages.another_article(
            page, self.first.requested_url, lambda: self.first, self.run.portal
        ):
            return None
        return page

    def page_led_to(self, url: str) -> Page | None:
        """Return the page that the last one leads to, and add it, if it is one of the article."""
        page = self.page(url)
        if page is not None:
            self.urls[url] = None
        return page

    def page_behind_gap(self, candidates: Iterable[str]) -> Page | None:
        """Return the first of these that is a page of the article, and add it."""
        for url in candidates:
            page = None if url in self.urls else self.page(url)
            if page is not None and article_pages.same_headline(page, self.first, self.run.portal):
                self.urls[url] = None
                return page
        return None
