"""Level one: walks the archive, column by column and interval by interval, and writes down the links to
articles."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from webarticlecurator.config.portal import ArchiveFormat, Column, Portal, section
from webarticlecurator.corpus.events import EndKind, LinksEvent, PageEvent, PageResult
from webarticlecurator.corpus.ledger_walks import EarlierWalks, first_pages_of_others
from webarticlecurator.crawling.article_fetching import crawl_waiting
from webarticlecurator.crawling.column_walks import ColumnWalks, RunningWalk, section_remarks, weigh
from webarticlecurator.crawling.column_ways import Ways
from webarticlecurator.crawling.judge import judge, may_be_of_another, may_be_of_whole_column
from webarticlecurator.crawling.parallel_requests import ParallelRequests
from webarticlecurator.crawling.requests import archive_request
from webarticlecurator.crawling.run import Run, repeated
from webarticlecurator.crawling.walk import Walk
from webarticlecurator.crawling.walk_end import WalkEnd
from webarticlecurator.crawling.walk_reading import ArchiveAnswer, Reading
from webarticlecurator.document.parsed_page import read_page
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.archive_page import read_archive_page
from webarticlecurator.extraction.checks import Check, first_reason
from webarticlecurator.extraction.sitemaps import read_sitemap
from webarticlecurator.extraction.url_rules import left_out_by
from webarticlecurator.model.capture import Capture, Fetched, Request
from webarticlecurator.model.links import NO_PAGE, ArchivePage, ArticleLink
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.model.page import NoPage
from webarticlecurator.urls import host_and_port, normalise, other_spellings
from webarticlecurator.warc.store import Series

MOST_SECTIONS = 2_000
"""Sections of one column that are walked at most."""
_INTERRUPTED = WalkEnd(end=EndKind.INTERRUPTED, reason="interrupted")
"""The end of a walk that a person has stopped."""
_ENOUGH_LINKS = 10
"""Links that say what a column is like."""
_ENOUGH_ALIKE = 2
"""Pages of other dates that state the same count, which then is that of the whole column."""


@dataclass(slots=True)
class ArchiveCrawl:
    """All walks of one run of one portal."""

    run: Run
    _requests: ParallelRequests[RunningWalk] = field(init=False)
    columns: list[ColumnWalks] = field(init=False, default_factory=list)
    """The columns of the portal file, then the sections as they are found."""
    _sections: dict[str, set[str]] = field(init=False, default_factory=dict)
    """Column of the portal file -> the addresses of itself and of its sections, such as the boards of a
    forum; each is walked once, as a column of its own."""
    _ways: Ways = field(init=False)
    _held: list[RunningWalk] = field(init=False, default_factory=list)
    """Walks that wait while articles are asked for."""
    _unjudged: list[tuple[RunningWalk, Walk]] = field(init=False, default_factory=list)
    """Walks whose end a link speaks against that another column may follow yet, or a count that other dates
    may have."""
    _inserted: int = field(init=False, default=0)
    """Articles that had been found when articles were asked for last."""

    def crawl(self) -> None:
        """Walk everything that is to be walked."""
        self.columns = [ColumnWalks(self.run, column) for column in self.run.columns]
        self._ways = Ways(self.run, self.columns)
        self._walk()

    def go_on_by_next_way(self) -> bool:
        """Walk the next way to the same articles, since the one that is proved does not name all; False:
        there is none."""
        has_next = not self.run.stopped and self._ways.open_next()
        if has_next:
            self.run.phase("archive")
            self._walk()
        return has_next

    def _walk(self) -> None:
        with self.run.requests() as self._requests:
            while True:
                for _, running, fetched in self._requests.answers(self._start_walks, self.run.show):
                    self._go_on(running, fetched)
                    del fetched  # before the next answer is waited for
                if self._is_time_for_articles:
                    self._fetch_articles()
                elif self._unjudged:
                    self._judge_held_ends()
                else:
                    break
        if not self.run.stopped:
            self._tell_of_too_many_sections()
            self._tell_what_was_seen()
        self._ways.report()

    def _judge_held_ends(self) -> None:
        """Say what the held ends are worth: all columns that are to be walked have been."""
        unjudged, self._unjudged = self._unjudged, []
        for running, walk in unjudged:
            assert walk.ended is not None
            running.of.held -= 1
            walk.signs.counts.of_whole = counts_of_whole_column(self.run, running.of.column, running.interval)
            running.of.take_end(running, judge(walk, walk.ended))

    def _fetch_articles(self) -> None:
        """Fetch what waits, and go on with the walks that waited meanwhile."""
        self.run.phase("articles")
        crawl_waiting(self.run)
        self.run.phase("archive")
        self._inserted = self.run.ledger.inserted
        held, self._held = self._held, []
        for running in held:
            self._ask_if_open(running, running.via or running.ask.url)

    def _tell_of_too_many_sections(self) -> None:
        for name, known in sorted(self._sections.items()):
            if len(known) > MOST_SECTIONS + 1:
                beyond = (
                    f"{name}: it has more than {MOST_SECTIONS:,} sections, and those beyond were not walked"
                )
                self.run.summary.incomplete.append(beyond)

    @property
    def _is_time_for_articles(self) -> bool:
        """Nobody has to wait for them until an archive is read to its end, which may take days: some are
        enough."""
        return self.run.options.articles and self.run.ledger.inserted - self._inserted >= 1_000

    def _start_walks(self) -> None:
        """Begin walks while their hosts have room; of a column with dates several at a time."""
        if self._is_time_for_articles:
            return
        busy: Counter[str] = Counter()
        for column in self.columns:
            busy[column.host] += column.running - column.held
        for column in self.columns:
            if self._ways.is_due(column):
                self._start_walks_of(column, busy)

    def _start_walks_of(self, column: ColumnWalks, busy: Counter[str]) -> None:
        """Begin walks of a column; `busy`: requests on their way, by host."""
        while self._may_begin(column) and busy[column.host] < self.run.portal.fetch.concurrency:
            running = next(column.to_begin, None)
            if running is None:
                column.done = True
                return
            column.running += 1
            busy[column.host] += 1
            self._ask(running)

    def _may_begin(self, column: ColumnWalks) -> bool:
        """Say whether another walk of a column may begin."""
        return not first_reason(NOT_TO_BEGIN, column)

    def _ask(self, running: RunningWalk) -> None:
        column, interval, place = running.of.column, running.walk.interval, running.ask
        self.run.doing = f"{column.name} {running.interval or ''} {place.page}".strip()
        request = archive_request(column, interval, place)
        self._requests.submit(host_and_port(request.url), running, request)

    def _go_on(self, running: RunningWalk, fetched: Fetched) -> None:
        """Take in an answer and ask for the next page, or end the walk."""
        if fetched.verdict.outcome is FetchOutcome.QUEUED:
            running.of.take_end(running, _INTERRUPTED)
            return
        place = running.ask
        answer = self.run.guarded(
            place.url,
            lambda: self._answer(running, fetched),
            lambda verdict: ArchiveAnswer(verdict, fetched.final_url, None),
        )
        # one that is not there tells that it lists nothing
        self.run.summary.archive_pages += answer.verdict.outcome in (FetchOutcome.FETCHED, FetchOutcome.GONE)
        reading, following = running.steps.send(answer)
        assert reading is not None
        self._record(running, fetched, answer, reading)
        if answer.page is not None:
            self._take_links(running, fetched, answer, reading)
        if isinstance(following, WalkEnd):
            self._end(running, following)
            return
        running.via, running.ask = answer.final_url, following
        if (
            self._is_time_for_articles and not running.of.column.paging.mode.in_steps
        ):  # a page in a browser cannot wait
            self._held.append(running)
        else:
            self._ask_if_open(running, place.url)

    def _take_links(
        self, running: RunningWalk, fetched: Fetched, answer: ArchiveAnswer, reading: Reading
    ) -> None:
        """Take in where a page leads."""
        assert fetched.capture is not None  # what was read has come
        column = running.of.column
        self.run.seen.take_page(fetched.capture, listed=reading.urls)
        if reading.result is PageResult.BESIDE:
            self._take_beside(running, reading)
        self._add_sections(column, answer.read, via=answer.final_url)
        running.of.take(answer.read)

    def _take_beside(self, running: RunningWalk, reading: Reading) -> None:
        """Take in a page beside a list that lists no more articles, and may be one itself as its like may,
        and what it lists."""
        url, seen = normalise(reading.place.url), self.run.seen
        for listed in reading.urls:
            seen.take_item(listed, url)
        for like in (
            reading.beside_like if running.of.column.sections is None else ()
        ):  # beside boards stand last posts
            seen.take_item(like, running.via or url)

    def _add_sections(self, column: Column, page: ArchivePage, *, via: str) -> None:
        """Walk what a page leads to after what is known already."""
        name = column.section_of or column.name
        known = self._sections.setdefault(name, {normalise(column.template.text)})
        for url in page.sections:
            if url not in known and len(known) <= MOST_SECTIONS:
                self.columns.append(
                    ColumnWalks(self.run, section(column, url, self.run.portal.home), via=via)
                )
            if len(known) <= MOST_SECTIONS + 1:  # one more tells that there are too many
                known.add(url)

    def _end(self, running: RunningWalk, end: WalkEnd) -> None:
        """End a walk, or hold the end where other columns or dates may explain what speaks against it."""
        walk = running.walk
        is_followed = isinstance(walk, Walk) and len(self.columns) > 1 and may_be_of_another(walk)
        if isinstance(walk, Walk) and (is_followed or may_be_of_whole_column(walk)):
            running.of.held += 1
            self._unjudged.append((running, walk))
        else:
            running.of.take_end(running, end)

    def _ask_if_open(self, running: RunningWalk, url: str) -> None:
        """Go on behind that page, unless a person has interrupted, or the host is closed by now."""
        closed = self.run.watches[running.of.host].closed
        if self.run.stopped:
            running.of.take_end(running, _INTERRUPTED)
        elif closed:
            running.of.take_end(running, WalkEnd(end=EndKind.FAILED, reason=f"{url}: {closed}"))
        else:
            self._ask(running)

    def _answer(self, running: RunningWalk, fetched: Fetched) -> ArchiveAnswer:
        verdict, final_url = self.run.verdict_of(fetched, article=False), fetched.final_url
        if verdict.outcome is not FetchOutcome.FETCHED or fetched.capture is None:
            return ArchiveAnswer(verdict, final_url, None)
        shown = fetched.shown.end, fetched.shown.limit
        column = running.of.column
        if column.format is not ArchiveFormat.SITEMAP and not fetched.capture.entity.strip():
            # How many a "load more" answers when there is no more: it was read, so it is not `NO_PAGE`.
            return ArchiveAnswer(verdict, final_url, ArchivePage(articles=()), *shown)
        is_first = running.ask.index == 0 and running.walk.interval is None
        take_part = partial(self._record_part, running)
        read = archive_page_of(fetched.capture, column, self.run.portal, take_part, is_first=is_first)
        if isinstance(read, Verdict):
            return ArchiveAnswer(read, final_url, None)
        stored = fetched.capture.date if self.run.options.offline else None
        return ArchiveAnswer(verdict, final_url, self._as_known(read), *shown, stored)

    def _as_known(self, page: ArchivePage) -> ArchivePage:
        """The page with each article under the address by which it is known, or stands on the page itself,
        where that is another: some portals write one address in two ways, a feed with `http:`, pages with
        `https:`. What an `identity` rule tells apart, or finds to be one, stays as it is."""
        if len(self.run.portal.columns) == 1:
            return page
        articles: dict[str, ArticleLink] = {}

        def is_known(url: str) -> bool:
            return url in articles or self.run.ledger.is_there(url)

        for link in page.articles:
            known = link
            if link.identity == link.url and not is_known(link.url):
                url = next(filter(is_known, other_spellings(link.url)), link.url)
                known = replace(link, url=url, identity=url)
            articles.setdefault(known.url, known)
        return replace(page, articles=tuple(articles.values()))

    def _record(
        self, running: RunningWalk, fetched: Fetched, answer: ArchiveAnswer, reading: Reading
    ) -> None:
        page = NO_PAGE if reading.result in (PageResult.EMPTY, PageResult.BESIDE) else answer.read
        running.articles += len(page.articles)
        column, place = running.of.column, reading.place
        event = PageEvent(
            **self._begun(running),
            mode=column.paging.mode.value,
            index=place.index,
            page=place.page,
            url=place.url,
            request=fetched.request.key,
            outcome=answer.verdict.outcome,
            result=reading.result,
            reason=reading.reason or answer.verdict.reason,
            whole=reading.whole,
            span=reading.span,
            covers=reading.covers,
            **_bottom(reading.bottom),
            joined=reading.joined,
            more=_leads_on(column, answer, reading),
            **what_it_lists(page),
            sections=page.sections,
            before=page.before,
            # beside the list stands what is asked what it is
            lookalikes=running.of.lookalikes(answer.read) if reading.result is not PageResult.BESIDE else (),
        )
        if self.run.options.offline:  # what was read is in the store already
            self.run.recorder.write(Series.ARCHIVE, fetched.request.url, event)
            return
        older = self.run.ledger.latest_response(fetched.request.key)
        self.run.recorder.write_fetched(
            Series.ARCHIVE, fetched, event, revisit_of=repeated(older, fetched.capture)
        )

    def _begun(self, running: RunningWalk) -> dict[str, Any]:
        """Return what the events of a walk's pages begin with; the first tells by which rules listing fields
        are read."""
        column, field_rules, running.field_rules = running.of.column, running.field_rules, None
        return {
            **self.run.recorder.stamp(),
            "walk": running.id,
            "column": column.name,
            "interval": running.interval,
            "rules": column.rules,
            "field_rules": field_rules,
            "via": running.via,
        }

    def _record_part(self, running: RunningWalk, part: ArchivePage) -> None:
        """Links of a sitemap that goes on: they wait in the queue before all of it is read."""
        part = self._as_known(part)
        running.of.united.take(part.written)
        running.articles += len(part.articles)
        event = LinksEvent(**self._begun(running), url=running.ask.url, **what_it_lists(part))
        self.run.recorder.write(Series.ARCHIVE, running.ask.url, event)
        self.run.show()

    def _tell_what_was_seen(self) -> None:
        """Rules that never found anything, or left half of it, prove nothing: the file is wrong, or the
        portal has changed."""
        run = self.run
        for walks in self.columns:
            run.summary.remarks += self._remarks_on(walks)
        home = normalise(run.portal.home)
        is_taken = any(not left_out_by(home, column.urls) for column in run.columns)
        if is_taken and run.ledger.is_there(home):
            leaves_out = (
                f"`exclude: ['^{re.escape(home.rstrip('/'))}/?$']` under `archive: urls` leaves it out"
            )
            run.summary.remarks.append(
                f"the home page, {run.portal.home}, counts as an article; {leaves_out}"
            )
        if not run.is_partial:
            run.summary.remarks += section_remarks(self.columns, run.ledger)
        weigh(run, [walks.column for walks in self.columns if not walks.column.ways], run.report)

    def _remarks_on(self, walks: ColumnWalks) -> Iterator[str]:
        """Tell of a list that proves no more than itself, and of rules that did nothing."""
        column = walks.column
        if walks.proved and not column.ways and EarlierWalks.of(self.run.ledger, column).only_read():
            yield f"{column.name}: {walks.ended_by} (the site's feeds and sitemaps may name more)"
        if walks.links >= _ENOUGH_LINKS:
            fruitless = ", ".join(
                f"`fields.{name}`" for name in self._rules_of_file(column) if name not in walks.fields
            )
            if fruitless:
                nothing = f"{fruitless} gave nothing for any of {walks.links:,} links"
                yield f"{column.name}: {nothing}; `curator try` with a page of the list says why"
            if column.stop.after is not None and "datePublished" not in walks.fields:
                no_dates = "`stop.after` had no effect, since the list tells no dates"
                yield f"{column.name}: {no_dates}; `fields.datePublished` reads them"
        united = walks.united.remark()
        if united is not None:
            yield united

    def _rules_of_file(self, column: Column) -> list[str]:
        """Return the listing fields whose rules stand in the portal's file itself."""
        rules = column.fields.items()
        return [
            name
            for name, rule in rules
            if any(self.run.portal.has_itself(pick.place) for pick in rule.each())
        ]


NOT_TO_BEGIN: tuple[Check[ColumnWalks], ...] = (
    Check("all its walks have begun", lambda column: column.done),
    Check("a person has stopped the crawl", lambda column: column.run.stopped),
    Check("its host is closed", lambda column: column.run.watches[column.host].closed is not None),
    Check(
        "without dates, walks go one after the other",
        lambda column: column.running > 0 and column.column.dates is None,
    ),
)
"""Why no further walk of a column begins now."""


def archive_page_of(
    capture: Capture,
    column: Column,
    portal: Portal,
    take: Callable[[ArchivePage], None] | None = None,
    *,
    is_first: bool = False,
) -> ArchivePage | Verdict:
    """Return what a stored answer lists, or why it cannot be read; of a long sitemap `take` is given all
    parts but the last."""
    try:
        if column.format is ArchiveFormat.SITEMAP:
            read = read_sitemap(capture, column, portal, take)
        else:
            read = _read_list(capture, column, portal, is_first=is_first)
    except PatternTimeout as error:
        return Verdict(FetchOutcome.ERROR, str(error))
    return Verdict(FetchOutcome.ERROR, read.reason) if isinstance(read, NoPage) else read


def _read_list(capture: Capture, column: Column, portal: Portal, *, is_first: bool) -> ArchivePage | NoPage:
    page = read_page(capture, encoding=portal.fetch.encoding, format=column.format, classified=True)
    if isinstance(page, NoPage):
        return page
    listed = read_archive_page(page, column, portal, is_first=is_first)
    return replace(listed, has_end=page.has_end) if isinstance(listed, ArchivePage) else listed


def _leads_on(column: Column, answer: ArchiveAnswer, reading: Reading) -> bool:
    """Say whether a page told of a following one."""
    if column.paging.mode.in_steps:
        return reading.place.index > 0 and reading.has_links  # the page itself has grown
    return answer.read.next_url is not None or answer.read.last_page is not None


def _bottom(bottom: Reading | None) -> dict[str, Any]:
    """The page that a span now reaches down to, as the event of a page keeps it."""
    if bottom is None:
        return {}
    place = bottom.place
    return {
        "bottom": (place.index, place.page, place.url),
        "bottom_links": tuple(link.url for link in bottom.links),
    }


def counts_of_whole_column(run: Run, column: Column, interval: str | None) -> frozenset[str]:
    """Return the counts that stand alike on the first pages of several other dates of a column: they are of
    all dates."""
    if interval is None:
        return frozenset()
    counts = []
    for url in first_pages_of_others(run.ledger, column.name, interval):
        response = run.ledger.latest_response(Request(url=url).key)
        capture = run.stored(response) if response is not None else None
        read = archive_page_of(capture, column, run.portal) if capture is not None else None
        if isinstance(read, ArchivePage):
            counts.append(frozenset(count.text for count in read.stated))
    return frozenset.intersection(*counts) if len(counts) >= _ENOUGH_ALIKE else frozenset()


def what_it_lists(page: ArchivePage) -> dict[str, Any]:
    """The links of a page as its event keeps them."""
    links = tuple(
        (link.url, link.identity if link.identity != link.url else None, link.fields)
        for link in page.articles
    )
    return {"links": links, "refused": tuple((link.url, link.reason) for link in page.refused)}
