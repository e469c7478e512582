"""The two ways to begin: an address, which costs a few requests, each of them stored; or WARC files."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from http import HTTPStatus
from itertools import chain, islice
from pathlib import Path
from threading import Event as Flag

from webarticlecurator.config.load import portal_at
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import corpus_to_fill
from webarticlecurator.crawling.crawl_options import CrawlOptions
from webarticlecurator.crawling.crawler import opened
from webarticlecurator.crawling.run import Run
from webarticlecurator.databases import Row
from webarticlecurator.errors import UsageError
from webarticlecurator.fetch.web import Web
from webarticlecurator.learning.site.names import name_of
from webarticlecurator.model.capture import Fetched, Request
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.model.progress import Progress
from webarticlecurator.new_portal.asked_pages import INTERRUPTED, LookedAt
from webarticlecurator.new_portal.first_file import look_and_write
from webarticlecurator.new_portal.further_column import Addition, add_column
from webarticlecurator.protocol.message import mime_of, unpacked_body
from webarticlecurator.urls import bare_host
from webarticlecurator.warc.exchanges import read_warc
from webarticlecurator.warc.records import Damage
from webarticlecurator.warc.source import WarcSource
from webarticlecurator.warc.store import utc_now

MOST_REQUESTS = 30
"""The most requests to a site that nobody has described yet: robots.txt, redirects and second attempts
included."""
LONGEST = timedelta(minutes=10)
MOST_BYTES = 24_000_000
"""The most bytes of pages that are kept in memory, whatever a site answers."""
_RESERVED = 2
"""Requests that one more step may cost: the second is its second attempt."""


@contextmanager
def _politely(
    portal: Portal, corpus: Path | None, contact: str | None, progress: Progress, stop: Flag
) -> Iterator[PoliteLook]:
    """Give a source that asks a site politely, and stores what it answers in the corpus that `curator crawl`
    goes on with."""
    folder = corpus_to_fill(portal, corpus)
    asked, say = replace(portal, fetch=replace(portal.fetch, retries=1)), partial(progress.say, portal.name)
    with (
        closing(Web(asked, contact=contact, stop=stop, say=say, now=utc_now)) as web,
        opened(
            portal, folder, CrawlOptions(contact=contact), source=web, stop=stop, progress=progress
        ) as run,
    ):
        yield PoliteLook(source=web, run=run, host=bare_host(portal.home))


def new_from_web(
    url: str, portal: Portal, *, corpus: Path | None, contact: str | None, progress: Progress, stop: Flag
) -> Row:
    """Look at a site, and make a portal file of what is there. Raises UsageError."""
    with _politely(portal, corpus, contact, progress, stop) as source:
        return look_and_write(url, portal, source, utc_now())


def column_from_web(
    url: str, portal: Portal, *, corpus: Path | None, contact: str | None, progress: Progress, stop: Flag
) -> Addition:
    """Look at one list of a site that has a portal file, and make a column of it. Raises UsageError."""
    with _politely(portal, corpus, contact, progress, stop) as source:
        return add_column(url, portal, source)


def new_from_warcs(
    files: Sequence[Path], output: Path, creators: tuple[str, ...], on_damage: Callable[[Damage], None]
) -> Row:
    """Make a portal file from WARC files of any program: nothing is asked. Raises UsageError where there is
    no page in them."""
    records = chain.from_iterable(islice(read_warc(path, on_damage=on_damage), 20_000) for path in files)
    had = (
        record.capture
        for record in records
        if not isinstance(record, str) and record.capture.status == HTTPStatus.OK
    )
    urls = [capture.url for capture in had if "html" in (mime_of(capture.headers) or "text/html")]
    if not urls:
        raise UsageError(f"{', '.join(map(str, files))}: there is no page in it that can be read.")
    # the shortest address of the host that most pages are of
    hosts = Counter(map(bare_host, urls))
    best = min(hosts, key=lambda host: (-hosts[host], host))
    home = min((url for url in urls if bare_host(url) == best), key=lambda url: (len(url), url))
    with closing(WarcSource(files, on_damage=lambda _: None)) as source:
        portal = replace(portal_at(home, name_of(home), output), creator=creators)
        return look_and_write(home, portal, LookedAt(source), datetime.now(UTC))


@dataclass(slots=True, kw_only=True)
class PoliteLook(LookedAt):
    """The web, for so many requests and no more; every answer is stored."""

    source: Web
    run: Run
    host: str
    bytes: int = 0
    _began: float = field(default_factory=time.monotonic)
    _answers: dict[str, Fetched] = field(default_factory=dict)

    @property
    def spent(self) -> str | None:
        """Return why nothing more may be asked; None if something may."""
        reasons = {
            "not looked at": self.is_over,
            INTERRUPTED: self.run.stopped,
            f"the site keeps us out: {self.blocked}": self.blocked is not None,
            f"a look makes at most {MOST_REQUESTS} requests": self.requests + _RESERVED > MOST_REQUESTS,
            f"a look takes at most {LONGEST.total_seconds() / 60:.0f} minutes": time.monotonic() - self._began
            > LONGEST.total_seconds(),
            f"a look reads at most {MOST_BYTES // 1_000_000} MB": self.bytes > MOST_BYTES,
        }
        return next((why for why, holds in reasons.items() if holds), None)

    def fetch(self, request: Request) -> Fetched:
        """Ask for each address once; the answer to what is asked for again is known."""
        if (known := self._answers.get(request.key)) is not None:
            return known
        if (why := self.spent) is not None:
            return Fetched(request=request, verdict=Verdict(FetchOutcome.QUEUED, why))
        run = self.run
        run.doing = f"request {self.requests + 1}: {request.url}"
        run.show(at_once=True)
        hops = 0

        def may_follow(url: str) -> str | None:
            nonlocal hops
            hops += 1
            if bare_host(url) != self.host:
                return "other host"
            return (
                None
                if self.requests + _RESERVED * (hops + 1) <= MOST_REQUESTS
                else "it would be one request too many"
            )

        fetched = self.source.fetch(request, may_follow=may_follow)
        run.verdict_of(fetched, article=False)  # which sees a streak of refusals
        self.blocked = run.summary.blocked
        run.summary.archive_pages += 1
        self.requests += len(fetched.exchanges) + len(fetched.rights)
        self.bytes += (
            len(unpacked_body(fetched.capture, MOST_BYTES)) if fetched.capture is not None else 0
        )  # unpacked
        run.keep_look(fetched)
        self._answers[request.key] = replace(fetched, exchanges=(), rights=())
        return fetched
