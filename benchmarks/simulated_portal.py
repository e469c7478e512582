"""A portal of any size that exists only while it is asked: the real crawl code runs on it without network or server."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from threading import Event

from webarticlecurator import pipeline
from webarticlecurator.config.load import load_portal
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.crawling.crawler import crawl_portal
from webarticlecurator.crawling.options import CrawlOptions
from webarticlecurator.crawling.run import CrawlEnvironment
from webarticlecurator.model.capture import Capture, Exchange, Fetched, Request
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.model.progress import Silent

HOME = "https://simulated.example"
PER_PAGE = 200
PER_DAY = 100
LAST_DAY = date(2024, 12, 31)
NOW = datetime(2025, 1, 10, 12, tzinfo=UTC)

PORTAL = """\
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


@dataclass(frozen=True, slots=True)
class Shape:
    """How the articles are spread: half in one endless column, two fifths under dates, the rest in a column that grows."""

    size: int

    @property
    def days(self) -> int:
        return self.size * 2 // 5 // PER_DAY

    @property
    def first_day(self) -> date:
        return LAST_DAY - timedelta(days=self.days - 1)

    def listed(self, path: str) -> range:
        """The numbers of the articles that an archive page lists."""
        name, *parts = path.strip("/").split("/")
        page = int(parts[-1]) - 1
        if name == "days":
            day = (LAST_DAY - date(*map(int, parts[:3]))).days
            return range(day * PER_DAY, (day + 1) * PER_DAY) if page == 0 and 0 <= day < self.days else range(0)
        count = self.size // 2 if name == "stream" else self.size - self.size // 2 - self.days * PER_DAY
        return range(page * PER_PAGE, min((page + 1) * PER_PAGE, count))

    def portal_file(self) -> str:
        return PORTAL.format(home=HOME, first_day=self.first_day, last_day=LAST_DAY)


@dataclass(slots=True)
class SimulatedSource:
    """Makes its pages up, and counts them."""

    shape: Shape
    archive: int = field(init=False, default=0)
    articles: int = field(init=False, default=0)

    def fetch(self, request: Request) -> Fetched:
        path = request.url.removeprefix(HOME)
        if path.startswith("/article/"):
            self.articles += 1
            content = f"<h1>{path}</h1><p>{'Some words of an article. ' * 40}</p>"
        else:
            self.archive += 1
            kind = path.split("/")[1]
            content = "".join(_ITEM.format(kind=kind, number=number) for number in self.shape.listed(path))
        return fetched(request, path, f"<html><body>{content}</body></html>".encode())


def fetched(request: Request, path: str, body: bytes) -> Fetched:
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


def crawl_step(name: str, folder: Path, size: int, limit: int) -> dict[str, int]:
    """One step on the corpus in the folder: "archive" and "rerun" walk the archive, "articles" fetches some, "status" counts."""
    portal, corpus = load_portal(folder / "portal.yaml"), Corpus(folder / "corpus")
    if name == "status":
        report = pipeline.status(portal, corpus=corpus.folder)
        return {"known": sum(report.outcomes.values()), "archive": 0, "articles": 0}
    source = SimulatedSource(Shape(size))
    options = CrawlOptions(archive=name != "articles", articles=name == "articles", limit=limit)
    info = pipeline.warc_info(portal, None, online=False)
    world = CrawlEnvironment(source=source, info=info, now=lambda: NOW, stop=Event(), progress=Silent())
    summary = crawl_portal(portal, corpus, options, world)
    return {"known": sum(summary.outcomes.values()), "archive": source.archive, "articles": source.articles}
