"""Portals of any size that exist only while they are asked, and the steps of `scale.py` on them: the real crawl code without a network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from threading import Event
from typing import Any

from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Column
from webarticlecurator.corpus.events import PageEvent, ProofGround, WalkEndEvent
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.crawling.column_walks import chosen_columns
from webarticlecurator.crawling.crawl_options import CrawlOptions, CrawlSummary
from webarticlecurator.crawling.crawler import crawl_portal, opened
from webarticlecurator.model.capture import Capture, Exchange, Fetched, Location, Request
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.model.progress import Silent
from webarticlecurator.stages import pipeline
from webarticlecurator.warc.stored import StoredExchange

HOME = "https://simulated.example"
NOW = datetime(2025, 1, 10, 12, tzinfo=UTC)
TODAY = NOW.date()
_ARTICLE = f"<p>{'Some words of an article. ' * 40}</p>"


@dataclass(slots=True)
class SimulatedSource:
    """Answers with what a page is made up of, and counts what it is asked."""

    content: Callable[[str], str]
    """Of a path."""
    asked: Counter[str] = field(default_factory=Counter)

    def fetch(self, request: Request) -> Fetched:
        path = request.url.removeprefix(HOME)
        self.asked["articles" if path.startswith("/article/") else "archive"] += 1
        body = f"<html><body>{self.content(path)}</body></html>".encode()
        headers = (("Content-Type", "text/html; charset=utf-8"), ("Content-Length", str(len(body))))
        head = "HTTP/1.1 200 OK\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers) + "\r\n"
        exchange = Exchange(
            request=request,
            request_bytes=f"GET {path} HTTP/1.1\r\nHost: simulated.example\r\n\r\n".encode(),
            response_bytes=head.encode() + body,
            status=200,
            headers=headers,
            entity=body,
            started=NOW,
            duration_ms=1,
        )
        capture = Capture(url=request.url, requested_url=request.url, status=200, headers=headers, entity=body, date=NOW)
        return Fetched(request=request, verdict=Verdict(FetchOutcome.FETCHED, "HTTP 200"), exchanges=(exchange,), capture=capture)


def crawl(folder: Path, source: SimulatedSource, options: CrawlOptions) -> CrawlSummary:
    portal = load_portal(folder / "portal.yaml")
    corpus, columns = Corpus(folder / "corpus"), chosen_columns(portal, options)
    with opened(portal, corpus, options, columns, source=source, now=lambda: NOW, stop=Event(), progress=Silent()) as run:
        return crawl_portal(run)


# --- many addresses: half in one endless column, two fifths under dates, the rest in a column that grows ---

PER_PAGE, PER_DAY = 200, 100
LAST_DAY = date(2024, 12, 31)
_ADDRESSES = """\
portal: simulated
home: {home}/
fetch: {{delay: 0s}}
archive:
  item: article
  link: h2 a
  fields: {{headline: h2, articleSection: span}}
columns:
  stream: {{url: "{home}/stream/{{page}}", pages: infinite}}
  days: {{url: "{home}/days/{{year}}/{{month}}/{{day}}/{{page}}", dates: {{from: {first_day}, until: {last_day}}}, pages: infinite}}
  more: {{url: "{home}/more/{{page}}", pages: expanding}}
"""
_ITEM = """\
<article><span>{kind}</span><h2><a href="/article/{kind}/{number:07d}/a-headline-that-is-about-as-long-as-such-headlines-tend-to-be.html">\
A headline about as long as others, number {number}</a></h2></article>
"""


def _days(size: int) -> int:
    return size * 2 // 5 // PER_DAY


def _listed(size: int, path: str) -> range:
    """The numbers of the articles that an archive page lists."""
    name, *parts = path.strip("/").split("/")
    page = int(parts[-1]) - 1
    if name == "days":
        day = (LAST_DAY - date(*map(int, parts[:3]))).days
        return range(day * PER_DAY, (day + 1) * PER_DAY) if page == 0 and 0 <= day < _days(size) else range(0)
    count = size // 2 if name == "stream" else size - size // 2 - _days(size) * PER_DAY
    return range(page * PER_PAGE, min((page + 1) * PER_PAGE, count))


def step_of_addresses(name: str, folder: Path, size: int, limit: int) -> dict[str, int]:
    """`archive` and `rerun` walk the archive, `articles` fetches so many, `status` counts."""
    file = folder / "portal.yaml"
    if name == "describe":
        first_day = LAST_DAY - timedelta(days=_days(size) - 1)
        file.write_text(_ADDRESSES.format(home=HOME, first_day=first_day, last_day=LAST_DAY), "utf-8")
        return {}
    if name == "status":
        report = pipeline.status(load_portal(file), corpus=folder / "corpus")
        return {"known": sum(report.outcomes.values()), "archive": 0, "articles": 0}

    def content(path: str) -> str:
        if path.startswith("/article/"):
            return f"<h1>{path}</h1>{_ARTICLE}"
        kind = path.split("/")[1]
        return "".join(_ITEM.format(kind=kind, number=number) for number in _listed(size, path))

    source = SimulatedSource(content)
    summary = crawl(folder, source, CrawlOptions(archive=name != "articles", articles=name == "articles", limit=limit))
    return {"known": sum(summary.outcomes.values()), "archive": source.asked["archive"], "articles": source.asked["articles"]}


# --- many columns with many days, all proved but the last ---

OPEN_DAYS = 4
"""The last days, which no crawl has asked for yet."""
LISTED_DAYS, LINKS = 30, 3
"""Only of the newest days the ledger holds articles, so many a day, or it would be all links."""
_COLUMNS = """\
portal: simulated
home: https://simulated.example/
fetch: {{delay: 0s}}
archive:
  url: "https://simulated.example/{{column}}/{{year}}/{{month}}/{{day}}/"
  dates: {{from: {first}, until: yesterday}}
  pages: none
  item: article
  link: a
columns: [{columns}]
"""


def _first_day(years: int) -> date:
    return TODAY.replace(year=TODAY.year - years)


def _addresses(page: str) -> list[str]:
    return [f"{HOME}{page}{number}.html" for number in range(LINKS)]


def _events_of(column: Column, years: int, walk: int) -> Iterator[Any]:
    """What a crawl stores of a column's settled days, newest first."""
    newest = TODAY - timedelta(days=OPEN_DAYS + 1)
    for back in range((newest - _first_day(years)).days + 1):
        day, walk = newest - timedelta(days=back), walk + 1
        page = f"/{column.name}/{day:%Y/%m/%d}/"
        links = tuple((url, None, {}) for url in _addresses(page)) if back < LISTED_DAYS else ()
        common: dict[str, Any] = {"run": 1, "at": f"{TODAY - timedelta(days=1)}T12:00:00+00:00", "walk": walk, "column": column.name}
        common["interval"] = day.isoformat()
        yield PageEvent(
            seq=2 * walk, **common, mode="none", index=0, page="", url=HOME + page, request=f"GET {HOME}{page}", outcome="fetched",
            result="links" if links else "empty", reason="", span=walk, covers=True, links=links, rules=column.rules,
        )  # fmt: skip
        yield WalkEndEvent(
            seq=2 * walk + 1, **common, last_links=len(links), end="proved", reason="the only page", ground=ProofGround.ONLY_PAGE,
            last=HOME + page, proves=walk, whole=True,
        )  # fmt: skip


NOWHERE = StoredExchange(location=Location(file="fill.warc.gz", offset=0, length=0), event={}, response=None)


def step_of_columns(name: str, folder: Path, size: int, years: int) -> dict[str, int]:
    """`fill` makes the ledger as a whole crawl leaves it, without the WARC files; the reruns ask for what is not settled."""
    file = folder / "portal.yaml"
    if name == "describe":
        columns = ", ".join(f"c{number:04}" for number in range(size))
        file.write_text(_COLUMNS.format(first=_first_day(years), columns=columns), "utf-8")
        return {}
    if name == "status":
        report = pipeline.status(load_portal(file), corpus=folder / "corpus")
        return {"days": sum(row.intervals for row in report.completeness)}
    if name == "fill":
        corpus = Corpus(folder / "corpus")
        corpus.folder.mkdir()
        ledger, walk = Ledger.open(corpus.ledger), 0
        for column in load_portal(file).columns:
            with ledger.transaction():
                for event in _events_of(column, years, walk):
                    ledger.apply(event, NOWHERE)
            walk = ledger.last("walks")
        ledger.close()
        return {"days": walk}
    source = SimulatedSource(lambda path: "".join(f'<article><a href="{url}">.</a></article>' for url in _addresses(path)))
    crawl(folder, source, CrawlOptions(archive=True, articles=False))
    return {"days": source.asked["archive"]}
