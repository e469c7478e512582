"""The last step of a crawl: asks for the style sheets, pictures and fonts that stored pages of articles name,
each once."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from webarticlecurator.corpus import ledger_requisites
from webarticlecurator.corpus.events import NamedEvent, RequisiteEvent
from webarticlecurator.corpus.ledger_requisites import WaitingRequisite
from webarticlecurator.corpus.recorder import NOT_TO_REPEAT
from webarticlecurator.crawling.looks import page_in
from webarticlecurator.crawling.parallel_requests import ParallelRequests
from webarticlecurator.crawling.run import Run
from webarticlecurator.document.page_requisites import Names, chosen, named_in_sheet, named_on_page
from webarticlecurator.extraction.checks import Check, first_reason
from webarticlecurator.model.capture import Capture, Fetched, Request, RequisiteKind
from webarticlecurator.model.outcome import ASKED_AGAIN, FetchOutcome
from webarticlecurator.protocol.message import unpacked_body
from webarticlecurator.warc.records import digest
from webarticlecurator.warc.store import Series
from webarticlecurator.warc.stored import StoredResponse

_MOST_FAILURES = 5
"""Failures in a row after which a host is left alone in this run."""
_MOST_FILES = 10_000
"""Files that one crawl asks one host for; the others wait for the next one."""
_MOST_BYTES = 2_000_000_000
"""Bytes that one crawl takes from one host; the others wait for the next one."""
_MOST_FILES_OF_ALL, _MOST_BYTES_OF_ALL = 100_000, 20_000_000_000
"""Files and bytes that one crawl takes from all hosts, of which pages may name any number."""
_LONGEST_SHEET = 10_000_000
"""Bytes of a style sheet when it is unpacked."""
_WORDS = "style sheets, pictures and fonts of pages"


def crawl_requisites(run: Run) -> None:
    """Ask for what stored pages name, then for what style sheets among that name, and so on."""
    crawl = RequisiteCrawl(run)
    crawl.ask()
    while crawl.look_through():
        crawl.ask()
    crawl.sum_up()


@dataclass(slots=True)
class HostAsked:
    """The requests to one host in one run."""

    files: int = 0
    bytes: int = 0
    failures: int = 0
    """In a row."""

    def add(self, fetched: Fetched) -> None:
        """Take in an answer."""
        has_failed = fetched.verdict.outcome in ASKED_AGAIN
        self.failures = self.failures + 1 if has_failed else 0
        self.bytes += sum(len(exchange.response_bytes or b"") for exchange in fetched.exchanges)


_ENOUGH: tuple[Check[HostAsked], ...] = (
    Check(f"{_MOST_FAILURES} failures in a row", lambda asked: asked.failures >= _MOST_FAILURES),
    Check(f"{_MOST_FILES:,} files in one crawl", lambda asked: asked.files >= _MOST_FILES),
    Check(f"{_MOST_BYTES // 10**9} GB in one crawl", lambda asked: asked.bytes >= _MOST_BYTES),
)
"""Why a host is asked for no more in this run."""
_ENOUGH_OF_ALL: tuple[Check[HostAsked], ...] = (
    Check(f"{_MOST_FILES_OF_ALL:,} files in one crawl", lambda asked: asked.files >= _MOST_FILES_OF_ALL),
    Check(f"{_MOST_BYTES_OF_ALL // 10**9} GB in one crawl", lambda asked: asked.bytes >= _MOST_BYTES_OF_ALL),
)
"""Why no host is asked for more in this run."""


@dataclass(slots=True)
class RequisiteCrawl:
    """The style sheets, pictures and fonts of one run of one portal."""

    run: Run
    left: dict[str, str] = field(default_factory=dict)
    """Hosts that are asked for no more in this run, with the reasons."""
    asked: defaultdict[str, HostAsked] = field(default_factory=lambda: defaultdict(HostAsked))
    """By host."""
    of_all: HostAsked = field(default_factory=HostAsked)
    """The requests to all hosts."""
    outcomes: Counter[FetchOutcome] = field(default_factory=Counter)
    failed_such_as: str = ""
    """The last file that could not be had, and the reason."""

    def __post_init__(self) -> None:
        self.left = {host: watch.closed for host, watch in self.run.watches.items() if watch.closed}

    @property
    def kinds(self) -> tuple[RequisiteKind, ...]:
        """Return the kinds of files that are wanted, always in the same order."""
        return tuple(sorted(self.run.portal.fetch.requisites))

    def look_through(self) -> int:
        """Take down what pages and style sheets name that were not looked through yet; return how many these
        were. Those that cannot be read wait until they can."""
        looked_through, recorder = 0, self.run.recorder
        for naming in ledger_requisites.not_looked_through(self.run.ledger, self.kinds):
            if self.run.stopped:
                break
            names: Names = {}
            records: list[str] = []
            for stored in naming.stored:
                capture = self._capture(stored, is_sheet=naming.depth > 0)
                if capture is None:
                    continue
                read = partial(self._names_in, stored, capture, is_sheet=naming.depth > 0)
                names |= chosen(self.run.guarded(stored.target, read, lambda _: {}), self.kinds)
                records.append(stored.record)
            if not records:
                continue
            event = NamedEvent(
                records=tuple(records),
                kinds=self.kinds,
                depth=naming.depth,
                names=ledger_requisites.unknown(self.run.ledger, names),
                **recorder.stamp(),
            )
            recorder.write(Series.REQUISITES, naming.stored[0].target, event)
            looked_through += len(records)
        return looked_through

    def _capture(self, stored: StoredResponse, *, is_sheet: bool) -> Capture | None:
        """Return a page or a style sheet, which may be stored as a repetition of another one; None where it
        cannot be read now."""
        whole = ledger_requisites.stored_with(self.run.ledger, stored.digest) if is_sheet else stored
        return self.run.stored(whole)

    def _names_in(self, stored: StoredResponse, capture: Capture, *, is_sheet: bool) -> Names:
        """Return what a page or a style sheet names; nothing where it cannot be read."""
        if is_sheet:
            css = unpacked_body(capture, _LONGEST_SHEET).decode("utf-8", "replace")
            return named_in_sheet(css, stored.target)
        page = page_in(self.run, capture)
        return {} if page is None or page.tree is None else named_on_page(page.tree, page.base)

    def ask(self) -> None:
        """Ask for all that wait and that nothing speaks against."""
        run = self.run
        while not self._is_over():
            files = ledger_requisites.waiting(run.ledger, self.kinds, run=run.number, left=self.left)
            if not files:
                return
            queues: defaultdict[str, deque[WaitingRequisite]] = defaultdict(deque)
            for file in files:
                queues[file.host].append(file)
            with run.requests() as requests, run.recorder.together(Series.REQUISITES):
                fill = partial(self._fill, requests, queues)
                for host, file, fetched in requests.answers(fill, run.show):
                    self._take(host, file, fetched)

    def _fill(
        self,
        requests: ParallelRequests[WaitingRequisite],
        queues: Mapping[str, deque[WaitingRequisite]],
    ) -> None:
        for host, files in queues.items():
            while files and requests.room(host) and self._may_ask(host):
                file = files.popleft()
                self.asked[host].files += 1
                self.of_all.files += 1
                requests.submit(host, file, Request(url=file.url, is_requisite=True))

    def _may_ask(self, host: str) -> bool:
        """Say whether a host may be asked for one more file."""
        why = first_reason(_ENOUGH, self.asked[host])
        if why:
            self.left.setdefault(host, why)
        return not (why or self._is_over())

    def _is_over(self) -> bool:
        return self.run.stopped or bool(first_reason(_ENOUGH_OF_ALL, self.of_all))

    def _take(self, host: str, file: WaitingRequisite, fetched: Fetched) -> None:
        """Store an answer, unless a person has interrupted it."""
        outcome = fetched.verdict.outcome
        if outcome is FetchOutcome.QUEUED:
            return
        self.asked[host].add(fetched)
        self.of_all.add(fetched)
        self.outcomes[outcome] += 1
        self.run.doing = f"{self.outcomes.total():,} asked for"
        if outcome is not FetchOutcome.FETCHED:
            self.failed_such_as = f"{file.url} ({fetched.verdict.reason})"
        event = RequisiteEvent(
            url=file.url,
            request=fetched.request.key,
            needed_as=file.needed_as,
            depth=file.depth,
            outcome=outcome,
            reason=fetched.verdict.reason,
            **self.run.recorder.stamp(),
        )
        older = self._same(fetched)
        self.run.recorder.write_fetched(Series.REQUISITES, fetched, event, revisit_of=older)

    def _same(self, fetched: Fetched) -> StoredResponse | None:
        """Return what is stored with the same bytes, under whatever address."""
        last = fetched.last
        if last is None or first_reason(NOT_TO_REPEAT, last):
            return None
        return ledger_requisites.stored_with(self.run.ledger, digest(last.entity))

    def sum_up(self) -> None:
        """Write into the summary what was asked for, and what could not be had."""
        summary, asked = self.run.summary, self.outcomes.total()
        fetched = self.outcomes[FetchOutcome.FETCHED]
        summary.requisites.update(asked=asked, stored=fetched, bytes=self.of_all.bytes)
        why = first_reason(_ENOUGH_OF_ALL, self.of_all)
        if why:
            summary.remarks.append(f"The other {_WORDS} wait for the next crawl: {why}")
        if asked > fetched:
            could_not = f"{asked - fetched:,} of {asked:,} {_WORDS} could not be had, such as"
            summary.remarks.append(f"{could_not} {self.failed_such_as}")
        for host, reason in self.left.items():
            summary.remarks.append(f"{host} is asked for no more {_WORDS} by this crawl: {reason}")
