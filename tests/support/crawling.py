"""The example portal, its portal file, and one corpus of it: crawled in this process or by the `curator` command, and looked into."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from typing import Any

from fastwarc.warc import ArchiveIterator, WarcRecordType
from seams import ExitCode, of_crawl
from warc_records import records

from webarticlecurator import CrawlOptions, CrawlSummary, load_portal, status
from webarticlecurator import crawl as crawl_portals
from webarticlecurator.example_portal import ExamplePortal

ROOT = Path(__file__).resolve().parents[2]
BY_MODE = {"next-link": "belfold", "numbered": "kultura", "infinite": "english", "expanding": "deutsch", "none": "francais"}
"""A column of the example portal for each way of paging."""
UNDATED = ("belfold", "kultura", "english", "deutsch", "francais", "gyorshirek", "podcast", "forum", "blog")
WITHOUT_CALENDAR = (*UNDATED, "regi")
"""The calendar asks for a page a day: left out where it adds nothing but time."""


@dataclass(slots=True)
class Heard:
    """Progress that remembers what a person was told."""

    said: list[str] = field(default_factory=list)

    def show(self, snapshot: Any) -> None:
        """The live bar is not what these tests are about."""

    def say(self, portal: str, message: str) -> None:
        self.said.append(message)


@dataclass(slots=True)
class Crawling:
    """One portal, one corpus, crawl after crawl."""

    portal: ExamplePortal
    folder: Path
    columns: tuple[str, ...] = ()
    """What is crawled unless a crawl says otherwise; none: all."""
    scripted: bool = False
    """The part of the portal that needs a browser."""
    retries: int = 1
    timeout: str = "2s"
    concurrency: int = 1
    heard: Heard = field(default_factory=Heard)

    @property
    def file(self) -> Path:
        """The portal file, without pauses and with little patience."""
        path = self.portal.portal_file(self.folder, delay="0s", scripted=self.scripted)
        patience = f"  retries: {self.retries}\n  timeout: {self.timeout}\n"
        text = re.sub(r"(?m)^  retries: \d+\n", patience, path.read_text("utf-8"))
        path.write_text(text.replace("  concurrency: 1\n", f"  concurrency: {self.concurrency}\n"), "utf-8")
        return path

    @property
    def corpus(self) -> Path:
        return self.folder / "corpus"

    # -- crawling -----------------------------------------------------------------------------------------------------

    def crawl(self, *, stop: Event | None = None, now: Callable[[], datetime] | None = None, **options: Any) -> CrawlSummary:
        """One crawl in this process."""
        options.setdefault("columns", self.columns)
        clock = {"now": now} if now else {}
        loaded = load_portal(self.file)
        (summary,) = crawl_portals(
            [loaded], corpus=self.corpus, options=CrawlOptions(**options), progress=self.heard, stop=stop or Event(), **clock
        )
        return summary

    def command(self, *arguments: object, columns: tuple[str, ...] | None = None) -> list[str]:
        """The line that crawls as a person would."""
        flags = [flag for name in (self.columns if columns is None else columns) for flag in ("--column", name)]
        return [
            *(sys.executable, "-m", "webarticlecurator", "crawl", str(self.file), "--corpus", str(self.corpus)),
            *flags,
            *map(str, arguments),
        ]

    def start(self, *arguments: object) -> subprocess.Popen[str]:
        """The same as a process of its own, running."""
        return subprocess.Popen(
            self.command(*arguments), cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    # -- what came of it ----------------------------------------------------------------------------------------------

    @property
    def expected(self) -> frozenset[str]:
        """All that a complete crawl of these columns finds."""
        listed = self.portal.scripted_articles if self.scripted else self.portal.articles
        return frozenset(url for name in self.columns or listed for url in listed[name])

    @property
    def outcomes(self) -> dict[str, str]:
        """Of every article URL that the ledger knows."""
        return dict(self.ask("SELECT url, outcome FROM urls"))

    @property
    def fetched(self) -> frozenset[str]:
        return frozenset(url for url, outcome in self.outcomes.items() if outcome == "fetched")

    def ask(self, sql: str) -> list[tuple[Any, ...]]:
        """The ledger's answer to a question."""
        with closing(sqlite3.connect(self.corpus / "ledger.sqlite")) as ledger:
            return ledger.execute(sql).fetchall()

    @property
    def known(self) -> Any:
        """What `status` says, as `webarticlecurator.status` gives it."""
        return status(load_portal(self.file), corpus=self.corpus)

    @property
    def proved(self) -> set[str]:
        """Columns of which nothing is open."""
        rows = [row for row in self.known.completeness if row.column in (self.columns or self.portal.articles)]
        return {row.column for row in rows} - {row.column for row in rows if row.open}

    @property
    def told(self) -> str:
        """All reasons that a person can find: in what `status` says, and with the pages in the WARC files."""
        events = [record.block.decode() for path in self.warcs for record in records(path) if record.type == "metadata"]
        return "\n".join([str(self.known), *self.heard.said, *events])

    def lacks(self) -> set[str]:
        """Pages of articles that should be stored and are not."""
        wanted = {page for url in self.expected for page in self.portal.truth(url).page_urls}
        return wanted - self.stored_articles.keys()

    def articles_in(self, path: Path) -> set[str]:
        """Of which a page lies in this file."""
        stored = set(_responses([path]))
        return {url for url in self.expected if not stored.isdisjoint(self.portal.truth(url).page_urls)}

    @property
    def warcs(self) -> tuple[Path, ...]:
        return tuple(sorted((self.corpus / "warc").iterdir()))

    @property
    def unclean(self) -> dict[str, str]:
        """What other programs and ours have against the WARC files, by file and program; empty: nothing."""
        each = {"fastwarc": ("-m", "fastwarc.cli", "check"), "warcio": ("-m", "warcio.cli", "check")}
        asked = {f"{path.name}: {name}": (*check, str(path)) for path in self.warcs for name, check in each.items()}
        asked["ours"] = ("-m", "webarticlecurator", "warc", "check", str(self.corpus))  # records refer to those of other files
        ended = {
            name: subprocess.run([sys.executable, *check], cwd=ROOT, capture_output=True, text=True, check=False)
            for name, check in asked.items()
        }
        return {name: one.stdout + one.stderr for name, one in ended.items() if one.returncode != 0}

    @property
    def stored_articles(self) -> Counter[str]:
        """How many response records each URL has among the articles, as another program reads them; redirects and errors apart."""
        return _responses(path for path in self.warcs if "-articles-" in path.name)

    @property
    def warc_bytes(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.warcs}


def _responses(paths: Iterable[Path]) -> Counter[str]:
    found: Counter[str] = Counter()
    for path in paths:
        with path.open("rb") as file:
            for record in ArchiveIterator(file, record_types=WarcRecordType.response, parse_http=True):
                if record.http_headers is not None and record.http_headers.status_code == 200:
                    found[record.headers["WARC-Target-URI"]] += 1
    return found


@contextmanager
def crawling(folder: Path, *, articles: int = 40, page_size: int = 2, **settings: Any) -> Iterator[Crawling]:
    """A small portal that runs while the block does."""
    with ExamplePortal(articles=articles, page_size=page_size) as portal:
        yield Crawling(portal, folder, **settings)


def exit_code(summary: CrawlSummary) -> ExitCode:
    """What the command would end with."""
    return of_crawl([summary])


class StopAfter(Event):
    """Ctrl-C when the portal has been asked so many times."""

    def __init__(self, portal: ExamplePortal, requests: int) -> None:
        super().__init__()
        self._portal = portal
        self._until = len(portal.requests) + requests

    def is_set(self) -> bool:
        if not super().is_set() and len(self._portal.requests) >= self._until:
            self.set()
        return super().is_set()

    def wait(self, timeout: float | None = None) -> bool:
        return self.is_set() or super().wait(timeout)


def clock_at(year: int, month: int, day: int) -> Callable[[], datetime]:
    """A clock that stands still."""
    moment = datetime(year, month, day, 12, tzinfo=UTC)
    return lambda: moment


def wait_for(what: Callable[[], bool], *, seconds: float = 20.0) -> None:
    """Until a process has done it. Raises TimeoutError."""
    until = time.monotonic() + seconds
    while not what():
        if time.monotonic() > until:
            raise TimeoutError
        time.sleep(0.005)
