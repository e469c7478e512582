"""Parts that the two levels of one crawl share: the portal, the source of pages, the record, the summary, and
the watch on each host."""

from __future__ import annotations

import sqlite3
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from http import HTTPStatus
from itertools import count
from threading import Event as Flag
from time import monotonic
from typing import Any, TypeVar

from webarticlecurator.config.portal import Column, Portal
from webarticlecurator.corpus.events import BlockedEvent, EndKind, LookedAtEvent
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger import Ledger, QueuedPage
from webarticlecurator.corpus.recorder import Recorder
from webarticlecurator.crawling.crawl_options import CrawlOptions, CrawlSummary
from webarticlecurator.crawling.parallel_requests import ParallelRequests
from webarticlecurator.crawling.probes import Probes
from webarticlecurator.crawling.seen_links import SeenLinks
from webarticlecurator.document.walls import classify
from webarticlecurator.errors import CorpusError, CuratorError, PatternTimeout
from webarticlecurator.model.capture import Capture, Fetched, PageSource, capture_of
from webarticlecurator.model.outcome import FAILURES, FetchOutcome, Verdict
from webarticlecurator.model.progress import Progress, Snapshot
from webarticlecurator.program_faults import keep_details, reason_of
from webarticlecurator.urls import host_and_port
from webarticlecurator.warc.exchanges import CaptureReader
from webarticlecurator.warc.records import digest
from webarticlecurator.warc.store import Series
from webarticlecurator.warc.stored import StoredResponse

T = TypeVar("T")


@dataclass(slots=True, kw_only=True)
class Run:
    """One crawl of one portal."""

    portal: Portal
    columns: tuple[Column, ...]
    """The columns to be walked."""
    options: CrawlOptions
    source: PageSource
    now: Callable[[], datetime]
    stop: Flag
    progress: Progress
    corpus: Corpus
    recorder: Recorder
    ledger: Ledger
    summary: CrawlSummary
    walk_numbers: Iterator[int] = field(init=False)
    span_numbers: Iterator[int] = field(init=False)
    asked: int = 0
    """Articles, be it for the first time or again."""
    again: bool = False
    """From now on only articles are asked for that had been fetched before."""
    limited: bool = False
    """--limit was reached with articles still waiting."""
    failed: int = 0
    settled: int = 0
    """Article URLs that have got an outcome in this run."""
    astray: dict[str, str] = field(default_factory=dict)
    """Article -> where `articles.next` led that is no page of it."""
    not_there: list[QueuedPage] = field(default_factory=list)
    """Articles that were never stored, and at whose addresses nothing is."""
    are_new_gone: bool = False
    """Nearly all new articles were not there, of which a person was told."""
    in_part: Counter[str] = field(default_factory=Counter)
    """The first article that a browser did not show to its end, and why -> how many there are."""
    watches: defaultdict[str, BlockWatch] = field(default_factory=lambda: defaultdict(BlockWatch))
    """By host."""
    began: datetime = field(init=False)
    seen: SeenLinks = field(init=False)
    """Links of the pages that are written like articles and that no list names."""
    probes: Probes = field(init=False)
    """Requests that may still be made beside the portal file's."""
    doing: str = ""
    """As people see it."""
    _phase: str = "archive"
    _shown: float = 0.0
    _waiting: int = 0
    _faults: set[str] = field(default_factory=set)
    """Faults that a person was told."""

    def __post_init__(self) -> None:
        self.began, self.seen = self.now(), SeenLinks(self.portal, self.ledger)
        self.probes = Probes.of(self.columns, self.ledger)
        self._waiting = self.ledger.count_waiting()
        self.walk_numbers = count(self.ledger.last("walks") + 1)
        self.span_numbers = count(self.ledger.last("spans") + 1)

    @property
    def number(self) -> int:
        return self.recorder.run

    def requests(self) -> ParallelRequests[Any]:
        """The requests of one level."""
        return ParallelRequests(self.source, self.portal.fetch.concurrency, self.fault)

    @property
    def stopped(self) -> bool:
        return self.stop.is_set()

    def ask_again(self) -> None:
        """Only articles that had been fetched before are asked for from here on: they are in no streak with
        others."""
        self.again = True
        for watch in self.watches.values():
            watch.forget()

    def verdict_of(self, fetched: Fetched, *, article: bool) -> Verdict:
        """The verdict of an answer, in the light of what its host answered before."""
        if fetched.fault:
            return fetched.verdict
        watch = self.watches[host_and_port(fetched.request.url)]
        if fetched.verdict.outcome is FetchOutcome.ERROR and not (fetched.exchanges or fetched.request.step):
            watch.closed = fetched.verdict.reason
            return fetched.verdict
        before, wall = watch.alarm, wall_in(fetched) or watch.known_wall(fetched)
        urls = watch.take(fetched, wall, article=article)
        if not urls:
            return fetched.verdict
        reason = wall or watch.alarm or fetched.verdict.reason
        self.summary.blocked = self.summary.blocked or reason
        if watch.alarm is not None and before is None:
            self._tell_of_block(fetched, urls, watch.alarm)
        return Verdict(FetchOutcome.BLOCKED, reason)

    def _tell_of_block(self, fetched: Fetched, urls: tuple[str, ...], alarm: str) -> None:
        """Write down which of the answers before this one were no articles."""
        asked = fetched.request.url
        self.say(f"{host_and_port(asked)} seems to keep us out, or to be down: {alarm}.")
        earlier = dict.fromkeys(urls)
        if fetched.capture is not None:
            same = self.ledger.fetched_with(digest(fetched.capture.entity), self.number)
            earlier = dict.fromkeys((*same, *urls))
        earlier.pop(asked, None)
        event = BlockedEvent(urls=tuple(earlier), reason=alarm, again=self.again, **self.recorder.stamp())
        self.recorder.write(Series.ARTICLES, asked, event)

    def fault(self, error: Exception, url: str) -> Verdict:
        """Return what becomes of a URL on which the program failed; each kind of failure is told once, with
        its details."""
        reason = reason_of(error)
        kind = f"{type(error).__name__} {traceback.extract_tb(error.__traceback__)[-1:]}"
        if kind not in self._faults:
            self._faults.add(kind)
            self.say(f"{url}: {reason}. {keep_details(error)} The crawl goes on.")
        return Verdict(FetchOutcome.ERROR, reason)

    def guarded(self, url: str, read: Callable[[], T], failed: Callable[[Verdict], T]) -> T:
        """Return what `read` gives; a page may be anything, and one of them must never end a crawl."""
        try:
            return read()
        except PatternTimeout as error:
            return failed(Verdict(FetchOutcome.ERROR, str(error)))
        except (CuratorError, OSError, sqlite3.Error):
            raise  # a person must act first, or the disk or the ledger fails, and nothing more could be written down
        except Exception as error:
            return failed(self.fault(error, url))

    def report(self, kind: EndKind, reason: str, host: str | None = None) -> None:
        """An end that leaves something open; why the host is closed is not told once more."""
        summary = self.summary
        if host is not None and self.watches[host].closed:
            self.watches[host].reported = True
        {EndKind.DRIFT: summary.drift, EndKind.LIMIT: summary.incomplete}.get(kind, summary.failures).append(
            reason
        )

    def count(self, outcome: FetchOutcome) -> None:
        """An article URL got its outcome."""
        self.settled += 1
        self.summary.fetched += outcome is FetchOutcome.FETCHED
        self.failed += outcome in FAILURES

    @property
    def is_partial(self) -> bool:
        """It is to look at a part of the archive only, so that other articles are rightly unknown."""
        return bool(self.options.columns or self.options.start or self.options.until)

    @property
    def since(self) -> date | None:
        """Return the day from which on articles are wanted that lists without dates in their addresses name;
        a day earlier, since the day of a `lastmod` may be that of another time zone."""
        start = self.options.start
        is_listed_so = any(column.dates is None for column in self.columns)
        if start is None or not is_listed_so:
            return None
        return start - timedelta(days=1) if start > date.min else start

    def stored(self, response: StoredResponse | None) -> Capture | None:
        """A response out of the store; None where there is none, or it is damaged.

        That is no reason to ask for nothing else.
        """
        if response is None:
            return None
        with CaptureReader(self.corpus.warc) as captures, suppress(CorpusError):
            return captures.capture(response.location)
        return None

    def keep_look(self, fetched: Fetched) -> None:
        """Store an answer that no walk and no article counts."""
        request, verdict = fetched.request, fetched.verdict
        if verdict.outcome is not FetchOutcome.QUEUED:  # else interrupted
            stamp, older = (
                self.recorder.stamp(),
                repeated(self.ledger.latest_response(request.key), fetched.capture),
            )
            older = older if self.stored(older) is not None else None
            event = LookedAtEvent(
                url=request.url, request=request.key, outcome=verdict.outcome, reason=verdict.reason, **stamp
            )
            self.recorder.write_fetched(Series.ARCHIVE, fetched, event, revisit_of=older)

    def say(self, message: str) -> None:
        self.progress.say(self.portal.name, message)

    def phase(self, name: str) -> None:
        self._phase, self.doing = name, ""
        self.show(at_once=True)

    def show(self, *, at_once: bool = False) -> None:
        if not at_once and monotonic() - self._shown < 0.2:  # seconds between two looks
            return
        self._shown = monotonic()
        self.progress.show(
            Snapshot(
                portal=self.portal.name,
                phase=self._phase,
                doing=self.doing,
                archive_pages=self.summary.archive_pages,
                articles=self.summary.fetched,
                waiting=max(0, self._waiting + self.ledger.inserted - self.settled),
                failed=self.failed,
            )
        )


def repeated(older: StoredResponse | None, capture: Capture | None) -> StoredResponse | None:
    """The older answer to the same request, if this one says the same: then a revisit record is enough."""
    if older is None or capture is None or (older.kind == "conversion") != capture.is_rendered:
        return None
    return older if capture.status == 304 or digest(capture.entity) == older.digest else None


# --- is the portal keeping us out? decided from the answers of one host, in the order in which they came ---


@dataclass(slots=True)
class BlockWatch:
    """The watch on one host's answers, which tells when it blocks the crawl."""

    closed: str | None = None
    """Why nothing more is to be asked of this host in this run: it blocks, or its robots.txt cannot be
    read."""
    reported: bool = False
    """A walk has told of that."""
    alarm: str | None = None
    """Why the last answers are a block: then the host is only probed."""
    _failed: list[str] = field(default_factory=list)
    _same: dict[str, None] = field(default_factory=dict)
    _body: bytes | None = None
    _walls: dict[str, str] = field(default_factory=dict)
    """Digest of a body that was one and the same for five URLs -> what was said of that."""
    _probes: int = 0

    def take(self, fetched: Fetched, wall: str | None, *, article: bool) -> tuple[str, ...]:
        """Take in an answer, and what makes it a wall; gives the URLs that are now known to be blocked."""
        url, capture = fetched.request.url, fetched.capture
        if wall is not None or fetched.verdict.outcome is FetchOutcome.ERROR:
            self._same, self._body = {}, None
            self._failed.append(url)
            reason = f"{len(self._failed)} failures in a row, the last: {wall or fetched.verdict.reason}"
            return self._count(self._failed, reason, at_once=wall is not None)
        if capture is None:
            return ()
        # Archive pages of empty days are alike without any block, so only the bodies of articles are
        # compared.
        body = capture.entity if article and capture.status != HTTPStatus.NOT_MODIFIED else None
        if body is None or body != self._body:
            self._failed, self._same, self._body = [], {url: None}, body
            self.alarm, self._probes = None, 0
            return ()
        self._same.setdefault(url)
        blocked = self._count(
            list(self._same), reason := f"one and the same page for {len(self._same)} URLs", at_once=False
        )
        if self.alarm is not None:
            self._walls.setdefault(digest(body), reason)
        return blocked

    def known_wall(self, fetched: Fetched) -> str | None:
        """Return what is known of an answer that was a block before a good one ended the alarm."""
        capture = fetched.capture
        if (
            not self._walls
            or capture is None
            or capture.status == HTTPStatus.NOT_MODIFIED
            or capture.entity == self._body
        ):
            return None
        return self._walls.get(digest(capture.entity))

    def forget(self) -> None:
        """Forget what was asked for: what is asked for now is another matter than what was; an alarm
        stays."""
        self._failed, self._same, self._body = [], {}, None

    def _count(self, streak: list[str], reason: str, *, at_once: bool) -> tuple[str, ...]:
        """Five failures in a row, or one body for five URLs, are a block and no accident. Three further ones
        close the host for this run, unless a good answer ends the alarm."""
        if self.alarm is not None:
            self._probes += 1
            if self._probes >= 3:
                self.closed = reason
            return (streak[-1],)
        if len(streak) >= 5:
            self.alarm = reason
            return tuple(streak)
        return (streak[-1],) if at_once else ()


def wall_in(fetched: Fetched) -> str | None:
    """Return what the classifier says of an answer that is a wall; a refusal's page may be one too."""
    capture = fetched.capture
    if capture is None and fetched.exchanges and fetched.exchanges[-1].status is not None:
        capture = capture_of(fetched.exchanges[-1], fetched.request.url)
        if fetched.rendered is not None:  # what came in the place of what was waited for
            capture = replace(capture, status=200, headers=(), entity=fetched.rendered.html)
    no_page = classify(capture) if capture is not None else None
    return no_page.reason if no_page is not None else None
