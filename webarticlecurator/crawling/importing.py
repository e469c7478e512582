"""Takes WARC files of other programs into a corpus: the same bytes and dates, archive pages and articles told apart by the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from webarticlecurator.budget import Budget
from webarticlecurator.config.column_urls import section
from webarticlecurator.config.portal import Column, Paging, PagingMode
from webarticlecurator.config.template import UrlTemplate
from webarticlecurator.corpus.events import NO_SPAN, ArticleEvent, EndKind, PageEvent, PageResult, WalkEndEvent
from webarticlecurator.crawling.archive import archive_page_of, event_links
from webarticlecurator.crawling.further_pages import leads_on
from webarticlecurator.crawling.index_pages import is_index_page
from webarticlecurator.crawling.joined_pages import join_pages
from webarticlecurator.crawling.run import Run
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.url_rules import article_url, identity_of
from webarticlecurator.model.capture import Capture, Fetched, Request
from webarticlecurator.model.links import ArchivePage, RefusedLink
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.urls import normalise, split_path
from webarticlecurator.warc.exchanges import WarcExchange, read_warc
from webarticlecurator.warc.records import Damage
from webarticlecurator.warc.store import Series

_READABLE = ("text/html", "application/xhtml+xml", "application/json", "text/plain", "text/xml", "application/xml", "")
_WHOLE = range(200, 300)
_MOST_LED_TO = 200_000
"""Further archive pages that are kept in mind."""
_OF_NO_COLUMN = Column(name="index pages", template=UrlTemplate.parse(""), paging=Paging(mode=PagingMode.NONE))
"""Of a portal without an archive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What became of the records of the files."""

    archive_pages: int
    articles: int
    skipped: Mapping[str, int]
    """Reason -> number."""
    lacking: int
    """Articles of several pages that wait for one of them."""


@dataclass(slots=True)
class Importer:
    """One import into one corpus; events are recorded as in a crawl, so that the next crawl knows what is there."""

    run: Run
    column_of: Callable[[str], Column | None]
    """Which column's archive page a URL is."""
    skipped: Counter[str] = field(default_factory=Counter)
    archive_pages: int = 0
    articles: int = 0
    _walks: dict[str, int] = field(default_factory=dict)
    _led_to: dict[str, Column] = field(default_factory=dict)
    """Where archive pages say that they go on, which no address of a column need fit: next pages, sections, sitemaps."""

    def import_files(self, files: Iterable[Path], on_damage: Callable[[Damage], None]) -> Imported:
        """Take in every page of the files, in their order, and join those that are one article."""
        stored_before = self.run.ledger.last_response()
        for path in files:
            for found in read_warc(path, on_damage=on_damage):
                if self.run.stopped:
                    break
                try:
                    reason = found if isinstance(found, str) else self._take(found)
                except PatternTimeout as error:
                    reason = str(error)
                if reason is not None:
                    self.skipped[reason] += 1
                self.run.show()
        for column, walk in self._walks.items():
            self._end(column, walk)
        lacking = join_pages(self.run, stored_before)
        return Imported(archive_pages=self.archive_pages, articles=self.articles, skipped=dict(self.skipped), lacking=lacking)

    def _take(self, found: WarcExchange) -> str | None:
        """Take in one page, or say why not."""
        capture = found.capture
        if capture.url.endswith("/robots.txt"):
            return "a robots.txt"
        if split_path(capture.url)[0].startswith("/.well-known/"):
            return "a file for programs (/.well-known/)"
        if found.loaded:
            return "what a page loaded in a browser"
        mime = (capture.header("Content-Type") or "").partition(";")[0].strip().lower()
        column = self._led_to.get(normalise(capture.url)) or self.column_of(capture.url)
        if mime not in _READABLE and not (column is not None and column.format.tells_links):
            return f"{mime} is no page"
        if self.run.ledger.has_response(found.exchange.request.key, found.capture.date):
            return "already in the corpus"
        column = column or self._column_of_index_page(capture)
        return self._take_archive_page(found, column) if column is not None else self._take_article(found)

    def _column_of_index_page(self, capture: Capture) -> Column | None:
        """A page that holds posts of several articles is none itself, whatever its address: by label, by month, found by a search."""
        portal = self.run.portal
        if not portal.reads_index_pages or capture.status not in _WHOLE or self.run.ledger.url_id(normalise(capture.url)) is not None:
            return None
        is_index = self.run.guarded(capture.url, partial(is_index_page, capture, portal), lambda _: False)
        return (portal.archive or _OF_NO_COLUMN) if is_index else None

    def _take_archive_page(self, found: WarcExchange, column: Column) -> str | None:
        page, verdict = self._read(found, column)
        walk = self._walk(column)
        place = self.archive_pages
        self.archive_pages += 1
        if page is not None:
            self._take_ways_on(page, column)
        event = PageEvent(
            **self.run.recorder.stamp(),
            walk=walk,
            column=column.name,
            interval=None,
            mode=column.paging.mode.value,
            index=place,
            page="",
            url=found.capture.url,
            request=found.exchange.request.key,
            outcome=verdict.outcome,
            result=PageResult.FAILED if page is None else PageResult.LINKS if page.articles else PageResult.EMPTY,
            reason=verdict.reason,
            span=NO_SPAN,
            covers=False,
            links=event_links(page),
            sections=page.sections if page is not None else (),
            rules=column.rules,
            field_rules=column.field_rules,
            refused=tuple((link.url, link.reason) for link in page.refused) if page is not None else (),
        )
        self.run.recorder.write_fetched(Series.ARCHIVE, _fetched(found, verdict), event)
        return None

    def _take_ways_on(self, page: ArchivePage, column: Column) -> None:
        found = dict.fromkeys([*filter(None, [page.next_url]), *(one.url for one in page.sitemaps)], column)
        found |= {url: section(column, url, self.run.portal.home) for url in page.sections if self.column_of(url) is None}
        articles = {link.url for link in page.articles}
        for url, of in ((normalise(url), of) for url, of in found.items()):
            if url not in articles and len(self._led_to) < _MOST_LED_TO:
                self._led_to.setdefault(url, of)

    def _read(self, found: WarcExchange, column: Column) -> tuple[ArchivePage | None, Verdict]:
        verdict = _verdict(found)
        if verdict.outcome is not FetchOutcome.FETCHED:
            return None, verdict
        read = archive_page_of(found.capture, column, self.run.portal)
        return (None, read) if isinstance(read, Verdict) else (read, verdict)

    def _take_article(self, found: WarcExchange) -> str | None:
        with Budget():
            requested = article_url(found.capture.requested_url, self.run.portal.article_urls, self.run.portal)
            if isinstance(requested, RefusedLink):
                return f"refused: {requested.reason}"
            url = normalise(requested)
            identity = identity_of(url, self.run.portal)
        verdict = self.run.verdict_of(_fetched(found, _verdict(found)), article=True)
        is_page = verdict.outcome is FetchOutcome.FETCHED
        event = ArticleEvent(
            **self.run.recorder.stamp(),
            url=url,
            identity=identity,
            asked=url,
            request=found.exchange.request.key,
            part=1,
            # A wall or an error beside a page that is there is one more capture, and takes nothing away.
            again=not is_page and self.run.ledger.has_pages(url),
            outcome=verdict.outcome,
            reason=verdict.reason,
            next=self.run.guarded(url, partial(leads_on, found.capture, self.run.portal), lambda _: None) if is_page else None,
        )
        self.run.recorder.write_fetched(Series.ARTICLES, _fetched(found, verdict), event)
        self.run.count(verdict.outcome)
        self.articles += 1
        return None

    def _walk(self, column: Column) -> int:
        if column.name not in self._walks:
            self._walks[column.name] = self.run.ledger.last_walk() + 1
        return self._walks[column.name]

    def _end(self, column: str, walk: int) -> None:
        event = WalkEndEvent(**self.run.recorder.stamp(), walk=walk, column=column, interval=None, end=EndKind.IMPORTED, reason="imported")
        self.run.recorder.write(Series.ARCHIVE, self.run.portal.home, event)


def _verdict(found: WarcExchange) -> Verdict:
    status = found.capture.status
    if found.exchange.truncated is not None:
        return Verdict(FetchOutcome.ERROR, f"imported; cut short ({found.exchange.truncated})")
    if status in (404, 410):
        return Verdict(FetchOutcome.GONE, f"imported; HTTP {status}")
    return Verdict(FetchOutcome.FETCHED if status in _WHOLE else FetchOutcome.ERROR, f"imported; HTTP {status}")


def _fetched(found: WarcExchange, verdict: Verdict) -> Fetched:
    capture = found.capture if verdict.outcome is FetchOutcome.FETCHED else None
    request, rendered = Request(url=found.capture.url), found.rendered if capture is not None else None
    return Fetched(request=request, verdict=verdict, exchanges=(found.exchange,), capture=capture, rendered=rendered)
