"""Level one: walks the archive, column by column and interval by interval, and writes down the links to articles."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from webarticlecurator.config.portal import Column
from webarticlecurator.corpus.earlier_walks import EarlierWalks
from webarticlecurator.corpus.events import DriftEvent, PageEvent, UnprovedEvent, WalkEndEvent
from webarticlecurator.corpus.intervals import Interval
from webarticlecurator.corpus.walks import ArchivePlace, EndKind, PageResult
from webarticlecurator.crawling.contradictions import ENOUGH_INTERVALS, Doubt, find_doubts, left_beside, same_first_pages
from webarticlecurator.crawling.parallel_requests import ParallelRequests
from webarticlecurator.crawling.planning import first_url, is_page, page_url, walks_of
from webarticlecurator.crawling.requests import archive_request
from webarticlecurator.crawling.run import ENDS_THE_RUN, Run, repeated
from webarticlecurator.crawling.walk import ArchiveAnswer, Note, Step, Steps, Walk, WalkEnd
from webarticlecurator.document.page import read_page
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.links import read_archive_page
from webarticlecurator.extraction.url_shape import url_shape
from webarticlecurator.model.capture import Fetched, Request
from webarticlecurator.model.links import ArchivePage
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.model.page import NoPage
from webarticlecurator.urls import host_and_port, normalise
from webarticlecurator.warc.store import Series

MOST_SHAPES = 1_000
"""Shapes of URLs that are kept of one column."""
MOST_LOOKALIKES = 10_000
"""Links that are written down of one column and run."""


@dataclass(slots=True)
class _Running:
    """A walk on its way."""

    id: int
    agenda: _Agenda
    interval: Interval | None
    walk: Walk
    steps: Steps
    ask: ArchivePlace
    via: str | None = None
    articles: int = 0
    """Article links so far."""

    @property
    def interval_name(self) -> str | None:
        return self.interval.name if self.interval else None


@dataclass(slots=True)
class _Agenda:
    """What is to be walked of one column: its intervals in order, or the column itself."""

    column: Column
    todo: Iterator[Interval | None]
    host: str
    running: int = 0
    done: bool = False
    told: bool = False
    """What there was to say before its first walk."""
    doubt: str | None = None
    """Why none of its intervals is proved."""
    shapes: set[str] = field(default_factory=set)
    """Of the URLs that its rules take."""
    lookalikes: int = 0
    """Written down in this run."""
    empty_dates: list[int] = field(default_factory=list)
    """Walks of successive dates that gave nothing where there must be something."""


@dataclass(slots=True)
class ArchiveCrawl:
    """All walks of one run of one portal."""

    run: Run
    drift: list[str] = field(default_factory=list)
    limits: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    """What a person may want to look at, though nothing is wrong."""
    _walk: int = field(init=False)
    _span: int = field(init=False)

    def __post_init__(self) -> None:
        self._walk = self.run.ledger.last_walk()
        self._span = self.run.ledger.last_span()

    def crawl(self) -> None:
        """Walk everything that is to be walked."""
        agendas = deque(_Agenda(column, self._walks_of(column), self._host(column)) for column in self.run.columns)
        in_flight = self.run.portal.fetch.concurrency
        with ParallelRequests[_Running](self.run.source, in_flight, fault=self.run.fault) as lanes:
            busy: Counter[str] = Counter()
            while True:
                self._start_walks(agendas, lanes, busy, in_flight)
                if not lanes.in_flight:
                    break
                taken = lanes.take(timeout=0.5)
                self.run.show()
                if taken is None:
                    continue
                _, running, fetched = taken
                if not self._go_on(running, fetched, lanes):
                    busy[running.agenda.host] -= 1
                    running.agenda.running -= 1
        if not self.run.stopped:
            self._find_doubts()

    # -- what to walk -------------------------------------------------------------------------------------------------

    def _walks_of(self, column: Column) -> Iterator[Interval | None]:
        return walks_of(column, self.run.portal, self.run.ledger, self.run.options, self.run.now())

    def _host(self, column: Column) -> str:
        return host_and_port(column.template.text)

    def _start_walks(self, agendas: deque[_Agenda], lanes: ParallelRequests[_Running], busy: Counter[str], in_flight: int) -> None:
        """Begin walks while their hosts have room; of a column with dates several at a time."""
        for agenda in agendas:
            while not agenda.done and busy[agenda.host] < in_flight and not self.run.stopped and not self.run.closed(agenda.host):
                if agenda.running and agenda.column.dates is None:
                    break
                interval = next(agenda.todo, _NOTHING)
                if isinstance(interval, _Nothing):
                    agenda.done = True
                    break
                self._tell_changed_rules(agenda)
                running = self._begin(agenda, interval)
                busy[agenda.host] += 1
                agenda.running += 1
                self._ask(running, lanes)

    def _tell_changed_rules(self, agenda: _Agenda) -> None:
        column = agenda.column
        if not agenda.told and EarlierWalks(self.run.ledger, column.name, column.rules).proved_otherwise():
            self.run.progress.say(
                self.run.portal.name,
                f"column {column.name}: its archive rules have changed since it was proved to be complete, so it is walked again"
                " (articles that were fetched are not fetched again).",
            )
        agenda.told = True

    def _begin(self, agenda: _Agenda, interval: Interval | None) -> _Running:
        self._walk += 1
        column = agenda.column
        walk = Walk(
            column=column,
            url_of=partial(page_url, column, interval),
            home=self.run.portal.home,
            earlier=EarlierWalks(self.run.ledger, column.name, column.rules, interval.name if interval else None, self._walk),
            new_span=self._new_span,
            dated=interval is not None,
            full=self.run.options.full,
            same_url=normalise,
            is_page=partial(is_page, column, interval),
        )
        steps = walk.run()
        return _Running(self._walk, agenda, interval, walk, steps, next(steps).ask)

    def _new_span(self) -> int:
        self._span += 1
        return self._span

    # -- one answer ---------------------------------------------------------------------------------------------------

    def _ask(self, running: _Running, lanes: ParallelRequests[_Running]) -> None:
        self.run.doing(f"{running.agenda.column.name} {running.interval_name or ''} {running.ask.page}".strip())
        request = self._request(running)
        lanes.submit(host_and_port(request.url), running, request)

    def _request(self, running: _Running) -> Request:
        interval = running.interval
        return archive_request(
            running.agenda.column,
            running.ask.url,
            {"page": running.ask.page, "column": running.agenda.column.name},
            start=interval.start if interval else None,
            end=interval.end if interval else None,
        )

    def _go_on(self, running: _Running, fetched: Fetched, lanes: ParallelRequests[_Running]) -> bool:
        """Take in an answer and ask for the next page; False when the walk has ended."""
        if fetched.verdict.outcome is FetchOutcome.QUEUED:
            self._end(running, WalkEnd(kind=EndKind.INTERRUPTED, reason="interrupted"))
            return False
        self.run.pages += 1
        place = running.ask
        try:
            answer = self._answer(running, fetched)
        except ENDS_THE_RUN:
            raise
        except Exception as error:  # a page may be anything, and one of them must never end a crawl
            answer = ArchiveAnswer(self.run.fault(error, place.url), fetched.final_url, None)
        step, end = _send(running.steps, answer)
        note = step.note if step else end[0] if end else None
        if note is not None:
            self._record(running, place, fetched, answer, note)
        if end is not None:
            self._end(running, end[1])
            return False
        assert step is not None
        running.via, running.ask = answer.final_url, step.ask
        if self.run.stopped or self.run.closed(running.agenda.host):
            kind = EndKind.INTERRUPTED if self.run.stopped else EndKind.FAILED
            self._end(running, WalkEnd(kind=kind, reason=self.run.closed(running.agenda.host) or "interrupted"))
            return False
        self._ask(running, lanes)
        return True

    def _answer(self, running: _Running, fetched: Fetched) -> ArchiveAnswer:
        verdict = self.run.judge(fetched, article=False)
        if verdict.outcome is not FetchOutcome.FETCHED or fetched.capture is None:
            return ArchiveAnswer(verdict, fetched.final_url, None)
        column = running.agenda.column
        if not fetched.capture.entity.strip():
            # How many a "load more" answers when there is no more.
            return ArchiveAnswer(verdict, fetched.final_url, ArchivePage(articles=()))
        page = read_page(fetched.capture, encoding=self.run.portal.fetch.encoding, format=column.format, classified=True)
        if isinstance(page, NoPage):
            return ArchiveAnswer(Verdict(FetchOutcome.ERROR, page.reason), fetched.final_url, None)
        try:
            return ArchiveAnswer(verdict, fetched.final_url, read_archive_page(page, column, self.run.portal))
        except PatternTimeout as error:
            return ArchiveAnswer(Verdict(FetchOutcome.ERROR, str(error)), fetched.final_url, None)

    def _record(self, running: _Running, place: ArchivePlace, fetched: Fetched, answer: ArchiveAnswer, note: Note) -> None:
        page = answer.page if note.result in (PageResult.LINKS, PageResult.REPEATED) or note.place == place else None
        readable = page if note.result is not PageResult.EMPTY else None
        running.articles += len(readable.articles) if readable else 0
        event = PageEvent(
            **self.run.stamp(),
            walk=running.id,
            column=running.agenda.column.name,
            interval=running.interval_name,
            mode=running.agenda.column.paging.mode.value,
            index=place.index,
            page=place.page,
            url=place.url,
            request=fetched.request.key,
            outcome=answer.verdict.outcome.value,
            result=note.result.value,
            reason=note.reason or answer.verdict.reason,
            span=note.span,
            covers=note.covers,
            bottom=(note.bottom.index, note.bottom.page, note.bottom.url) if note.bottom else None,
            bottom_links=note.bottom_links,
            joined=note.joined,
            more=answer.page is not None and (answer.page.next_url is not None or answer.page.last_page is not None),
            links=event_links(readable),
            refused=tuple((link.url, link.reason) for link in readable.refused) if readable else (),
            via=running.via,
            rules=running.agenda.column.rules,
            lookalikes=self._lookalikes(running.agenda, answer.page) if page is not None else (),
        )
        older = self.run.ledger.latest_response(fetched.request.key)
        self.run.record(Series.ARCHIVE, fetched, event, revisit_of=repeated(older, fetched.capture))

    def _lookalikes(self, agenda: _Agenda, page: ArchivePage | None) -> tuple[tuple[str, str, bool, bool], ...]:
        """Those that the ledger does not know; of a page without articles, those that are like the articles of others."""
        if page is None:
            return ()
        agenda.shapes.update(url_shape(link.url, sections=True) for link in page.articles if len(agenda.shapes) < MOST_SHAPES)
        found = [one for one in page.lookalikes if one.shape in agenda.shapes and self.run.ledger.url_id(one.url) is None]
        found = found[: max(0, MOST_LOOKALIKES - agenda.lookalikes)]
        agenda.lookalikes += len(found)
        return tuple((one.url, one.selector, one.in_list, one.in_box) for one in found)

    def _end(self, running: _Running, end: WalkEnd) -> None:
        running.steps.close()
        if running.agenda.doubt is not None and end.kind in (EndKind.PROVED, EndKind.KNOWN):
            end = replace(end, kind=EndKind.UNPROVED, reason=running.agenda.doubt, proves=None, whole=False)
        self.run.note(
            Series.ARCHIVE,
            WalkEndEvent(
                **self.run.stamp(),
                walk=running.id,
                column=running.agenda.column.name,
                interval=running.interval_name,
                end=end.kind.value,
                reason=end.reason,
                proves=end.proves,
                whole=end.whole,
                ground=end.ground.value if end.ground is not None else None,
                last=end.last,
                last_links=end.last_links,
            ),
            running.ask.url,
        )
        self._report(running, end)
        if running.interval is not None:
            self._watch_dates(running, end)

    def _report(self, running: _Running, end: WalkEnd) -> None:
        name = " ".join(filter(None, (running.agenda.column.name, running.interval_name)))
        targets = {EndKind.DRIFT: self.drift, EndKind.LIMIT: self.limits, EndKind.FAILED: self.failures, EndKind.UNPROVED: self.failures}
        target = targets.get(end.kind)
        if target is not None and running.agenda.doubt is None:
            target.append(f"{name}: {end.reason}")

    def _watch_dates(self, running: _Running, end: WalkEnd) -> None:
        """A stop rule ends the whole column; dates in a row without links, where there must be some, are drift."""
        agenda, interval = running.agenda, running.interval
        assert interval is not None and agenda.column.dates is not None
        if end.reason.startswith("stop.") or end.kind is EndKind.KNOWN:
            agenda.done = True
        same = same_first_pages(self.run.ledger, agenda.column, self.run.number, interval.name) if agenda.doubt is None else []
        if len(same) >= ENOUGH_INTERVALS:
            agenda.done, agenda.doubt = (
                True,
                (
                    f"column {agenda.column.name}: the pages of {', '.join(same)} list the same articles, so the part of the address"
                    f" that should part them does nothing (such as {first_url(agenda.column, interval)})"
                ),
            )
            self._doubt(Doubt((agenda.column.name,), agenda.doubt))
        if running.articles:
            agenda.empty_dates.clear()
        elif end.kind is not EndKind.FAILED and running.walk.earlier.expects_links():
            agenda.empty_dates.append(running.id)
            self._tell_drift(agenda, interval)

    def _tell_drift(self, agenda: _Agenda, interval: Interval) -> None:
        """Enough dates without links are drift, and so is each that follows."""
        assert agenda.column.dates is not None
        number, enough = len(agenda.empty_dates), agenda.column.dates.drift_after
        if number < enough:
            return
        reason = f"{number} dates in a row up to {interval.name} give no article links where earlier walks found some"
        if number == enough:
            self.drift.append(f"{agenda.column.name}: {reason}")
        walks = tuple(agenda.empty_dates if number == enough else agenda.empty_dates[-1:])
        self.run.note(Series.ARCHIVE, DriftEvent(**self.run.stamp(), walks=walks, reason=reason), self.run.portal.home)

    def _find_doubts(self) -> None:
        """Rules that never found anything, or left half of it, prove nothing: the file is wrong, or the portal has changed."""
        doubted: set[str] = set()
        for found in find_doubts(self.run.ledger, self.run.columns, self.run.number):
            self._doubt(found)
            doubted.update(found.columns)
        options = self.run.options
        limited = bool(options.columns or options.start or options.until)
        for column in self.run.columns:
            doubt, remark = left_beside(self.run.ledger, column, limited=limited) if column.name not in doubted else (None, None)
            if doubt is not None:
                self._doubt(doubt)
            if remark is not None:
                self.remarks.append(remark)

    def _doubt(self, doubt: Doubt) -> None:
        event = UnprovedEvent(**self.run.stamp(), columns=doubt.columns, reason=doubt.reason)
        self.run.note(Series.ARCHIVE, event, self.run.portal.home)
        self.failures.append(doubt.reason)


class _Nothing:
    """An agenda that is done."""


_NOTHING = _Nothing()


def _send(steps: Steps, answer: ArchiveAnswer) -> tuple[Step | None, tuple[Note | None, WalkEnd] | None]:
    """The walk's next step, or its last note and end."""
    try:
        return steps.send(answer), None
    except StopIteration as stopped:
        return None, stopped.value


def event_links(page: ArchivePage | None) -> tuple[tuple[str, str | None, Mapping[str, tuple[str, ...]]], ...]:
    """The links of a page as its event keeps them."""
    if page is None:
        return ()
    return tuple((link.url, link.identity if link.identity != link.url else None, link.fields) for link in page.articles)
