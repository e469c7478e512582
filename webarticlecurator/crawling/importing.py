"""Takes WARC files of other programs into a corpus: the same bytes and dates, archive pages and articles told apart by the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice

from webarticlecurator.budget import Budget
from webarticlecurator.config.portal import Column, Paging, PagingMode, fitting_column, section
from webarticlecurator.config.template import UrlTemplate
from webarticlecurator.corpus.events import NO_SPAN, ArticleEvent, EndKind, JoinedEvent, PageEvent, PageResult, WalkEndEvent
from webarticlecurator.crawling.archive import archive_page_of, what_it_lists
from webarticlecurator.crawling.article_ways import MOST_PARTS, page_of, stored_page
from webarticlecurator.crawling.run import Run
from webarticlecurator.databases import Row
from webarticlecurator.extraction import article_pages
from webarticlecurator.extraction.url_rules import article_url, identity_of
from webarticlecurator.http.message import mime_of
from webarticlecurator.model.capture import Capture, Fetched, Request
from webarticlecurator.model.links import ArchivePage, RefusedLink
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.model.page import NoPage, Page
from webarticlecurator.urls import normalise, split_path
from webarticlecurator.warc.exchanges import WarcExchange
from webarticlecurator.warc.records import Damage
from webarticlecurator.warc.store import Series

_READABLE = ("text/html", "application/xhtml+xml", "application/json", "text/plain", "text/xml", "application/xml", "")
_WHOLE = range(200, 300)
_MOST_LED_TO = 200_000
"""Addresses that archive pages lead to, and that are remembered."""
_MOST_BEHIND = 20
"""Addresses behind a gap that are looked at."""


@dataclass(slots=True)
class Importer:
    """One import into one corpus; events are recorded as in a crawl, so that the next crawl knows what is there."""

    run: Run
    _imported: Row = field(default_factory=lambda: Row(archive_pages=0, articles=0, skipped=Counter(), lacking=0, damaged=0))
    """`skipped`: by reason; `lacking`: articles of several pages that wait for one; `damaged`: places of the files that cannot be read."""
    _walks: dict[str, int] = field(default_factory=dict)
    _led_to: dict[str, Column] = field(default_factory=dict)
    """Where archive pages say that they go on, which no address of a column need fit: next pages, sections, sitemaps."""

    def take_in(self, answers: Iterable[WarcExchange | str]) -> Row:
        """Take in pages, or count why there is none, and join those that are one article."""
        stored_before = self.run.ledger.last("responses")
        for answer in answers:
            if self.run.stopped:
                break
            reason: str | None = answer if isinstance(answer, str) else None
            if not isinstance(answer, str):
                reason = self.run.guarded(answer.capture.url, partial(self._take, answer), lambda verdict: verdict.reason)
            if reason is not None:
                self._imported.skipped[reason] += 1
            self.run.show()
        for column, walk in self._walks.items():
            end = WalkEndEvent(
                **self.run.recorder.stamp(), walk=walk, column=column, interval=None, end=EndKind.IMPORTED, reason="imported"
            )
            self.run.recorder.write(Series.ARCHIVE, self.run.portal.home, end)
        self._imported["lacking"] = _join_pages(self.run, stored_before)
        return self._imported

    def tell_of(self, damage: Damage) -> None:
        """What the files that pages come from lack."""
        self._imported["damaged"] += 1
        self.run.say(str(damage))

    def _take(self, answer: WarcExchange) -> str | None:
        """Take in one page, or say why not."""
        capture = answer.capture
        if capture.url.endswith("/robots.txt"):
            return "a robots.txt"
        if split_path(capture.url)[0].startswith("/.well-known/"):
            return "a file for programs (/.well-known/)"
        if answer.loaded:
            return "what a page loaded in a browser"
        if answer.is_further and self.run.portal.articles.next is None and self.run.portal.articles.identity is None:
            return "a further page of an article, which no rule joins to it"
        mime = mime_of(capture.headers)
        column = self._led_to.get(normalise(capture.url)) or fitting_column(self.run.portal, capture.url)
        if mime not in _READABLE and not (column is not None and column.format.tells_links):
            return f"{mime} is no page"
        if self.run.ledger.has_response(answer.exchange.request.key, answer.capture.date):
            return "already in the corpus"
        column = column or self._column_of_index_page(capture)
        if column is None:
            return self._take_article(answer)
        self._take_archive_page(answer, column)
        return None

    def _column_of_index_page(self, capture: Capture) -> Column | None:
        """A page that holds posts of several articles is none itself, whatever its address: by label, by month, found by a search."""
        portal = self.run.portal
        if not portal.reads_index_pages or capture.status not in _WHOLE or self.run.ledger.url_id(normalise(capture.url)) is not None:
            return None
        from webarticlecurator.extraction.index_posts import index_page_of  # few imports have a need of it

        index = self.run.guarded(capture.url, lambda: index_page_of(capture, portal), lambda verdict: NoPage(reason=verdict.reason))
        if isinstance(index, NoPage) or not index.is_index:
            return None
        return portal.archive or Column(name="index pages", template=UrlTemplate.parse(""), paging=Paging(mode=PagingMode.NONE))

    def _take_archive_page(self, answer: WarcExchange, column: Column) -> None:
        page, verdict = None, _verdict(answer)
        if verdict.outcome is FetchOutcome.FETCHED:
            read = archive_page_of(answer.capture, column, self.run.portal)
            page, verdict = (None, read) if isinstance(read, Verdict) else (read, verdict)
        if column.name not in self._walks:
            self._walks[column.name] = next(self.run.walk_numbers)
        result = PageResult.FAILED
        if page is not None:
            self._note_ways(page, column)
            result = PageResult.LINKS if page.articles else PageResult.EMPTY
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
            **what_it_lists(page or ArchivePage(articles=())),
            sections=page.sections if page is not None else (),
            rules=column.rules,
            field_rules=column.field_rules,
        )
        self.run.recorder.write_fetched(Series.ARCHIVE, _fetched(answer, verdict), event)
        self._imported["archive_pages"] += 1

    def _note_ways(self, page: ArchivePage, column: Column) -> None:
        """Keep where an archive page leads: to further pages of its column, to sitemaps, to sections."""
        ways = {file.url: column for file in page.sitemaps}
        if page.next_url:
            ways[page.next_url] = column
        for url in page.sections:
            if fitting_column(self.run.portal, url) is None:
                ways[url] = section(column, url, self.run.portal.home)
        articles = {link.url for link in page.articles}
        for url, of in ways.items():
            normal = normalise(url)
            if normal not in articles and len(self._led_to) < _MOST_LED_TO:
                self._led_to.setdefault(normal, of)

    def _take_article(self, answer: WarcExchange) -> str | None:
        with Budget():
            requested = article_url(answer.capture.requested_url, self.run.portal.article_urls, self.run.portal)
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


def _verdict(answer: WarcExchange) -> Verdict:
    status = answer.capture.status
    if answer.exchange.truncated is not None:
        return Verdict(FetchOutcome.ERROR, f"imported; cut short ({answer.exchange.truncated})")
    if status in (404, 410):
        return Verdict(FetchOutcome.GONE, f"imported; HTTP {status}")
    return Verdict(FetchOutcome.FETCHED if status in _WHOLE else FetchOutcome.ERROR, f"imported; HTTP {status}")


def _fetched(answer: WarcExchange, verdict: Verdict) -> Fetched:
    capture = answer.capture if verdict.outcome is FetchOutcome.FETCHED else None
    request, rendered = Request(url=answer.capture.url), answer.rendered if capture is not None else None
    return Fetched(request=request, verdict=verdict, exchanges=(answer.exchange,), capture=capture, rendered=rendered)


def _join_pages(run: Run, since: int) -> int:
    """Join imported pages that are one article: by `articles.next` from page to page, by addresses and identity where a page is missing.

    Looked at is what was stored after that response, and all articles that wait for a page; gives how many go on waiting.
    """
    if run.portal.articles.next is None and run.portal.articles.identity is None:
        return 0
    lacking = 0
    seen: set[int] = set()
    for article in run.ledger.perhaps_parts(since):
        if run.stopped:
            break
        pages = run.ledger.stored_pages(article) if article not in seen else ()
        # An article of one page that leads nowhere was read when it was imported.
        if pages and not (run.ledger.is_as_told(article, pages[:1], 1, None) and len(run.ledger.of_one_identity(article, 2)) == 1):
            lacking += run.guarded(pages[0], partial(_join, run, article, pages[0], seen), lambda _: False)
    return lacking


def _join(run: Run, article: int, own: str, seen: set[int]) -> bool:
    """Whether an article waits for a page; `seen` are those that need no look any more."""
    mates = {}
    for mate in sorted({article, *run.ledger.of_one_identity(article, 10_000)} - seen):
        if pages := run.ledger.stored_pages(mate):
            mates[pages[0]] = mate, pages
    # URLs of one identity that differ in anything but a page's number are one page under several addresses.
    order = article_pages.in_page_order(own, mates)
    first, follows = mates[order[0]][0], run.portal.articles.next is not None
    candidates = [url for start in order for url in mates[start][1] if follows or article_pages.says_page(url)]
    joined, whole, missing = _collected(run, first, order[0], candidates)
    seen.update((first,) if len(joined) == MOST_PARTS else (mates[start][0] for start in order))
    if not run.ledger.is_as_told(first, joined, whole, missing):
        event = JoinedEvent(**run.recorder.stamp(), url=order[0], pages=joined, whole=whole, next=missing)
        run.recorder.write(Series.ARTICLES, order[0], event)
    return missing is not None


def _collected(run: Run, article: int, start: str, candidates: Sequence[str]) -> tuple[tuple[str, ...], int, str | None]:
    """Return the pages from the first one on; how many there are up to the first gap, and where that begins.

    Behind a gap the next page that is there follows.
    """
    first = stored_page(run, Request(url=start), start)
    if first is None:
        return (start,), 1, None
    urls: dict[str, None] = {start: None}
    whole, missing = 0, None
    page: Page | None = first
    waiting = iter(candidates)  # each is looked at once, however many gaps there are
    while page is not None and len(urls) < MOST_PARTS:
        last = next(reversed(urls))
        led = article_pages.next_article_page(page, run.portal, urls)
        following = _part(run, article, led, urls, first) if led is not None else None
        if led is not None and following is not None:
            urls[led], page = None, following
            continue
        if led is not None and missing is None and run.ledger.first_page_of(led, article) is None:
            whole, missing = len(urls), led
        behind = islice(article_pages.addresses_behind(last, led), _MOST_BEHIND) if led is not None else ()
        page = _behind_gap(run, article, chain(waiting, behind), urls, first)
    return tuple(urls), whole or len(urls), missing


def _behind_gap(run: Run, article: int, candidates: Iterable[str], urls: dict[str, None], first: Page) -> Page | None:
    """Return the first of these that is a stored page of the article, and add it to its pages."""
    for url in candidates:
        page = _part(run, article, url, urls, first) if url not in urls else None
        if page is not None and article_pages.same_headline(page, first, run.portal):
            urls[url] = None
            return page
    return None


def _part(run: Run, article: int, url: str, urls: Mapping[str, None], first: Page) -> Page | None:
    """A stored page, if it is the next one of this article and not of another one."""
    belongs_to = run.ledger.first_page_of(url, article)
    page = stored_page(run, Request(url=url), url) if belongs_to == url or belongs_to in urls else None
    return (
        page if page is not None and article_pages.another_article(page, first.requested_url, lambda: first, run.portal) is None else None
    )
