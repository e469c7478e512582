"""Level one: walks the archive, column by column and interval by interval, and writes down the links to articles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import ArchiveFormat, Column, Portal
from webarticlecurator.corpus.events import ArchivePlace, EndKind, LinksEvent, PageEvent, PageResult, WalkEndEvent
from webarticlecurator.corpus.ways import only_read
from webarticlecurator.crawling.column_walks import ColumnWalks, RunningWalk
from webarticlecurator.crawling.contradictions import column_contradictions
from webarticlecurator.crawling.parallel_requests import ParallelRequests
from webarticlecurator.crawling.requests import archive_request
from webarticlecurator.crawling.run import Run, repeated
from webarticlecurator.crawling.sections import Sections, section_remarks
from webarticlecurator.crawling.spellings import in_known_spellings
from webarticlecurator.crawling.walk_steps import ArchiveAnswer, Note, WalkEnd
from webarticlecurator.crawling.ways import Ways
from webarticlecurator.document.page import read_page
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.links import read_archive_page
from webarticlecurator.extraction.sitemaps import of_unread_dates, read_sitemap
from webarticlecurator.model.capture import Capture, Fetched
from webarticlecurator.model.links import ArchivePage
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.model.page import NoPage
from webarticlecurator.urls import host_and_port
from webarticlecurator.warc.store import Series

_ANSWERS = (FetchOutcome.FETCHED, FetchOutcome.GONE)
"""That tell what an archive page lists: one that is not there lists nothing."""


@dataclass(slots=True)
class ArchiveCrawl:
    """All walks of one run of one portal."""

    run: Run
    _requests: ParallelRequests[RunningWalk] = field(init=False)
    _columns: list[ColumnWalks] = field(init=False)
    """Those of the portal file, then the sections as they are found."""
    _sections: Sections = field(init=False)
    _ways: Ways = field(init=False)

    def crawl(self) -> None:
        """Walk everything that is to be walked."""
        self._columns = [ColumnWalks(self.run, column) for column in self.run.columns]
        self._sections = Sections(self.run.portal.home)
        self._ways = Ways(self.run, self._columns)
        with self.run.requests() as self._requests:
            for _, running, fetched in self._requests.answers(self._start_walks, self.run.show):
                self._go_on(running, fetched)
                del fetched  # before the next answer is waited for
        if not self.run.stopped:
            self.run.limits.extend(self._sections.limits())
            self._look_for_contradictions()
            self._tell_left_behind()
        self._ways.report()
        self._tell_unread_dates()

    def _start_walks(self) -> None:
        """Begin walks while their hosts have room; of a column with dates several at a time."""
        in_flight = self.run.portal.fetch.concurrency
        busy: Counter[str] = Counter()
        for column in self._columns:
            busy[column.host] += column.running
        for column in self._columns:
            if not self._ways.is_due(column):
                continue
            while not column.done and busy[column.host] < in_flight and not self.run.stopped and not self.run.closed(column.host):
                if column.running and column.column.dates is None:
                    break
                running = column.begin()
                if running is not None:
                    busy[column.host] += 1
                    self._ask(running)

    def _ask(self, running: RunningWalk) -> None:
        column, interval, place = running.of.column, running.walk.interval, running.ask
        self.run.doing(f"{column.name} {running.interval or ''} {place.page}".strip())
        request = archive_request(
            column,
            place.url,
            {"page": place.page, "column": column.name},
            start=interval.start if interval else None,
            end=interval.end if interval else None,
            index=place.index,
        )
        self._requests.submit(host_and_port(request.url), running, request)

    # -- one answer ---------------------------------------------------------------------------------------------------

    def _go_on(self, running: RunningWalk, fetched: Fetched) -> None:
        """Take in an answer and ask for the next page, or end the walk."""
        if fetched.verdict.outcome is FetchOutcome.QUEUED:
            self._end(running, WalkEnd(kind=EndKind.INTERRUPTED, reason="interrupted"))
            return
        place = running.ask
        answer = self.run.guarded(
            place.url,
            lambda: self._answer(running, fetched),
            lambda verdict: ArchiveAnswer(verdict, fetched.final_url, None),
        )
        self.run.pages += answer.verdict.outcome in _ANSWERS
        step = running.steps.send(answer)
        if step.note is not None:
            self._record(running, place, fetched, answer, step.note)
        if answer.page is not None:
            self._take_sections(running, answer.final_url, answer.page.sections)
            running.of.take_unread_dates(answer.page)
        if isinstance(step.next, WalkEnd):
            self._end(running, step.next)
            return
        running.via, running.ask = answer.final_url, step.next
        closed = self.run.closed(running.of.host)
        if self.run.stopped or closed:
            kind = EndKind.INTERRUPTED if self.run.stopped else EndKind.FAILED
            self._end(running, WalkEnd(kind=kind, reason=closed or "interrupted"))
        else:
            self._ask(running)

    def _take_sections(self, running: RunningWalk, page: str, urls: Sequence[str]) -> None:
        """What a page leads to is walked after what is known already."""
        found = self._sections.found(running.of.column, urls)
        self._columns.extend(ColumnWalks(self.run, column, via=page) for column in found)

    def _answer(self, running: RunningWalk, fetched: Fetched) -> ArchiveAnswer:
        verdict, final_url = self.run.verdict_of(fetched, article=False), fetched.final_url
        if verdict.outcome is not FetchOutcome.FETCHED or fetched.capture is None:
            return ArchiveAnswer(verdict, final_url, None)
        shown = (fetched.rendered.end, fetched.rendered.limit) if fetched.rendered is not None else (None, None)
        column = running.of.column
        if column.format is not ArchiveFormat.SITEMAP and (not fetched.capture.entity or fetched.capture.entity.isspace()):
            # How many a "load more" answers when there is no more.
            return ArchiveAnswer(verdict, final_url, ArchivePage(articles=()), *shown)
        read = archive_page_of(fetched.capture, column, self.run.portal, lambda part: self._record_part(running, part))
        if isinstance(read, Verdict):
            return ArchiveAnswer(read, final_url, None)
        stored = fetched.capture.date if self.run.options.offline else None
        return ArchiveAnswer(verdict, final_url, self._as_known(read), *shown, stored)

    def _as_known(self, page: ArchivePage) -> ArchivePage:
        if len(self.run.portal.columns) == 1:
            return page
        return in_known_spellings(page, self.run.ledger.is_there)

    # -- the record ---------------------------------------------------------------------------------------------------

    def _record(self, running: RunningWalk, place: ArchivePlace, fetched: Fetched, answer: ArchiveAnswer, note: Note) -> None:
        page = answer.page if note.result in (PageResult.LINKS, PageResult.REPEATED) or note.place == place else None
        readable = page if note.result is not PageResult.EMPTY else None
        running.articles += len(readable.articles) if readable else 0
        column = running.of.column
        event = PageEvent(
            **self.run.recorder.stamp(),
            walk=running.id,
            column=column.name,
            interval=running.interval,
            mode=column.paging.mode.value,
            index=place.index,
            page=place.page,
            url=place.url,
            request=fetched.request.key,
            outcome=answer.verdict.outcome,
            result=note.result,
            reason=note.reason or answer.verdict.reason,
            whole=note.whole,
            span=note.span,
            covers=note.covers,
            bottom=(note.bottom.index, note.bottom.page, note.bottom.url) if note.bottom else None,
            bottom_links=note.bottom_links,
            joined=note.joined,
            more=answer.page is not None and _tells_of_more(answer.page, column, place, note),
            links=event_links(readable),
            sections=readable.sections if readable else (),
            before=readable.before if readable else 0,
            refused=tuple((link.url, link.reason) for link in readable.refused) if readable else (),
            via=running.via,
            rules=column.rules,
            field_rules=running.field_rules(),
            lookalikes=running.of.lookalikes(page),
        )
        if self.run.options.offline:  # what was read is in the store already
            self.run.recorder.write(Series.ARCHIVE, fetched.request.url, event)
            return
        older = self.run.ledger.latest_response(fetched.request.key)
        self.run.recorder.write_fetched(Series.ARCHIVE, fetched, event, revisit_of=repeated(older, fetched.capture))

    def _record_part(self, running: RunningWalk, part: ArchivePage) -> None:
        """Links of a sitemap that goes on: they wait in the queue before all of it is read."""
        part = self._as_known(part)
        running.articles += len(part.articles)
        event = LinksEvent(
            **self.run.recorder.stamp(),
            walk=running.id,
            column=running.of.column.name,
            interval=running.interval,
            url=running.ask.url,
            rules=running.of.column.rules,
            field_rules=running.field_rules(),
            links=event_links(part),
            refused=tuple((link.url, link.reason) for link in part.refused),
            via=running.via,
        )
        self.run.recorder.write(Series.ARCHIVE, running.ask.url, event)
        self.run.show()

    def _end(self, running: RunningWalk, end: WalkEnd) -> None:
        running.steps.close()
        end = running.of.corrected(end)
        event = WalkEndEvent(
            **self.run.recorder.stamp(),
            walk=running.id,
            column=running.of.column.name,
            interval=running.interval,
            end=end.kind,
            reason=end.reason,
            proves=end.proves,
            whole=end.whole,
            ground=end.ground,
            last=end.last,
            last_links=end.last_links,
        )
        self.run.recorder.write(Series.ARCHIVE, running.ask.url, event)
        running.of.take_end(running, end)
        self.run.proved += end.complete
        self.run.unproved += not end.complete

    def _tell_unread_dates(self) -> None:
        """One remark a column: a tree may have thousands of files that are all written alike."""
        for one in self._columns:
            if one.unread_dates:
                told = of_unread_dates(one.unread_dates, one.unread_date, "its sitemaps")
                self.run.remarks.append(f"{one.column.name}: {told}")

    def _tell_left_behind(self) -> None:
        """Stored pages are of several moments, and what moved from one to the next between these stands on neither."""
        if not (self.run.options.full and self.run.options.offline) or self.run.is_partial:
            return
        for name in (one.column.name for one in self._columns if one.column.field_rules and one.ended_by):
            if left := self.run.ledger.listed_by_other_rules(name):
                are, keep = ("is", "keeps") if left == 1 else ("are", "keep")
                self.run.remarks.append(
                    f"column {name}: {amount(left, 'article')} of earlier crawls {are} on no stored page that was read now,"
                    f" and {keep} what was read of the list then; `curator crawl --full` asks the portal for all pages"
                )

    def _look_for_contradictions(self) -> None:
        """Rules that never found anything, or left half of it, prove nothing: the file is wrong, or the portal has changed."""
        for one in self._columns:
            if one.proved and not one.column.ways and only_read(one.column, self.run.ledger):
                self.run.remarks.append(f"{one.column.name}: {one.ended_by} (`curator audit --archive --fetch` looks for more)")
        self.run.remarks.extend(section_remarks(self._columns, self.run.ledger) if not self.run.is_partial else ())
        walked = [one.column for one in self._columns if not one.column.ways]
        for found in column_contradictions(self.run.ledger, walked, self.run.number, limited=self.run.is_partial):
            if found.columns:
                self.run.unprove(found.columns, found.reason)
                self.run.report(EndKind.UNPROVED, found.reason)
            else:
                self.run.remarks.append(found.reason)


def archive_page_of(
    capture: Capture, column: Column, portal: Portal, take: Callable[[ArchivePage], None] | None = None
) -> ArchivePage | Verdict:
    """What a stored answer lists, or why it cannot be read; of a long sitemap `take` is given all parts but the last."""
    try:
        if column.format is ArchiveFormat.SITEMAP:
            read = read_sitemap(capture, column, portal, take)
        else:
            page = read_page(capture, encoding=portal.fetch.encoding, format=column.format, classified=True)
            read = page if isinstance(page, NoPage) else read_archive_page(page, column, portal)
    except PatternTimeout as error:
        return Verdict(FetchOutcome.ERROR, str(error))
    return Verdict(FetchOutcome.ERROR, read.reason) if isinstance(read, NoPage) else read


def _tells_of_more(page: ArchivePage, column: Column, place: ArchivePlace, note: Note) -> bool:
    """Whether the page tells of a following one, or has itself grown."""
    if column.paging.mode.in_steps:
        return place.index > 0 and note.result is PageResult.LINKS
    return page.next_url is not None or page.last_page is not None


def event_links(page: ArchivePage | None) -> tuple[tuple[str, str | None, Mapping[str, tuple[str, ...]]], ...]:
    """The links of a page as its event keeps them."""
    if page is None:
        return ()
    return tuple((link.url, link.identity if link.identity != link.url else None, link.fields) for link in page.articles)
