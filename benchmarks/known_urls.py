"""Memory and cost as a corpus grows from 10,000 to 1,000,000 known URLs, with a portal that is only simulated.

  python benchmarks/known_urls.py [--sizes 10000 100000 1000000]

The real crawl code runs on archive pages that are made up as they are asked for: no network, no server. Half of the articles are in
one endless column, two fifths under dates, a tenth in a column that grows. For each size, each step in a process of its own: the
whole archive, then some articles, then a rerun with nothing new, then the status. All that is written is synced as in any crawl.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from threading import Event

from processes import Cost, run, size_of

LIMIT = 150
"""Megabytes that no step may pass."""
ARTICLES = 2_000
"""Asked for in the second step."""
PER_PAGE = 200
PER_DAY = 100
LAST_DAY = date(2024, 12, 31)
NOW = datetime(2025, 1, 10, 12, tzinfo=UTC)
HOME = "https://simulated.example"

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


@dataclass(frozen=True, slots=True)
class Shape:
    """How the articles of a portal of some size are spread."""

    size: int

    @property
    def days(self) -> int:
        return self.size * 2 // 5 // PER_DAY

    @property
    def first_day(self) -> date:
        return LAST_DAY - timedelta(days=self.days - 1)

    @property
    def stream(self) -> int:
        return self.size // 2

    @property
    def more(self) -> int:
        return self.size - self.stream - self.days * PER_DAY

    def listed(self, path: str) -> range:
        """The numbers of the articles that an archive page lists."""
        name, *parts = path.strip("/").split("/")
        page = int(parts[-1]) - 1
        if name == "days":
            day = (LAST_DAY - date(*map(int, parts[:3]))).days
            return range(day * PER_DAY, (day + 1) * PER_DAY) if page == 0 and 0 <= day < self.days else range(0)
        count = self.stream if name == "stream" else self.more
        return range(page * PER_PAGE, min((page + 1) * PER_PAGE, count))


def step(name: str, folder: Path, size: int) -> dict[str, int]:
    """One step, in this process."""
    from webarticlecurator import pipeline
    from webarticlecurator.config.load import load_portal
    from webarticlecurator.crawling.corpus import Corpus
    from webarticlecurator.crawling.crawler import Surroundings, crawl_portal
    from webarticlecurator.crawling.options import CrawlOptions

    portal, corpus = load_portal(folder / "portal.yaml"), Corpus(folder / "corpus")
    if name == "status":
        report = pipeline.status(portal, corpus=corpus.folder)
        return {"known": sum(report.outcomes.values()), "archive": 0, "articles": 0}
    options = CrawlOptions(archive=name != "articles", articles=name == "articles", limit=ARTICLES)
    source = simulated(Shape(size))
    info = pipeline.warc_info(portal, None, None)
    world = Surroundings(source=source, info=info, now=lambda: NOW, stop=Event(), progress=pipeline.Silent())
    summary = crawl_portal(portal, corpus, options, world)
    return {"known": sum(summary.outcomes.values()), "archive": source.archive, "articles": source.articles}


def simulated(shape: Shape):  # type: ignore[no-untyped-def]
    """A page source that makes its pages up."""
    from webarticlecurator.model.capture import Capture, Exchange, Fetched, Request
    from webarticlecurator.model.outcome import FetchOutcome, Verdict

    class Simulated:
        archive = 0
        articles = 0

        def fetch(self, request: Request) -> Fetched:
            path = request.url.removeprefix(HOME)
            if path.startswith("/article/"):
                self.articles += 1
                body = f"<html><body><h1>{path}</h1><p>{'Some words of an article. ' * 40}</p></body></html>".encode()
            else:
                self.archive += 1
                kind = path.split("/")[1]
                body = ("<html><body>" + "".join(_item(kind, number) for number in shape.listed(path)) + "</body></html>").encode()
            return _fetched(request, body)

    def _fetched(request: Request, body: bytes) -> Fetched:
        headers = (("Content-Type", "text/html; charset=utf-8"), ("Content-Length", str(len(body))))
        head = "HTTP/1.1 200 OK\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers) + "\r\n"
        asked = f"GET {request.url.removeprefix(HOME)} HTTP/1.1\r\nHost: simulated.example\r\n\r\n"
        exchange = Exchange(
            request=request,
            request_bytes=asked.encode(),
            response_bytes=head.encode() + body,
            status=200,
            headers=headers,
            entity=body,
            started=NOW,
            duration_ms=1,
        )
        capture = Capture(url=request.url, requested_url=request.url, status=200, headers=headers, entity=body, date=NOW)
        verdict = Verdict(FetchOutcome.FETCHED, "HTTP 200")
        return Fetched(request=request, verdict=verdict, exchanges=(exchange,), capture=capture)

    return Simulated()


def _item(kind: str, number: int) -> str:
    url = f"/article/{kind}/{number:07d}/a-headline-that-is-about-as-long-as-such-headlines-tend-to-be-{number}.html"
    return f'<article><span>{kind}</span><h2><a href="{url}">A headline about as long as others, number {number}</a></h2></article>\n'


@dataclass(frozen=True, slots=True)
class Measured:
    cost: Cost
    told: dict[str, int]
    warc: int
    """Bytes of WARC after the step."""


def measure(size: int) -> dict[str, Measured]:
    """All steps for one size, printed as they end."""
    folder = Path(tempfile.mkdtemp(prefix="known-urls-"))
    shape = Shape(size)
    text = PORTAL.format(home=HOME, first_day=shape.first_day, last_day=LAST_DAY)
    (folder / "portal.yaml").write_text(text, "utf-8")
    measured: dict[str, Measured] = {}
    before = 0
    for name in ("archive", "articles", "rerun", "status"):
        cost = run([sys.executable, __file__, "--step", name, str(folder), str(size)])
        told = json.loads(cost.output)
        warc = size_of(folder / "corpus" / "warc", "*")
        measured[name] = Measured(cost, told, warc)
        flag = "" if cost.memory <= LIMIT else f"   above {LIMIT} MB!"
        print(
            f"{told['known']:>10,} {name:9} {cost.memory:7.0f} {cost.cpu:8.1f} {told['archive']:>9,} {told['articles']:>9,}"
            f" {(warc - before) / 1e6:9.3f}{flag}",
            flush=True,
        )
        before = warc
    ledger = (folder / "corpus" / "ledger.sqlite").stat().st_size / 1e6
    print(f"{'':10} ledger of {ledger:.0f} MB, WARC of {before / 1e6:.0f} MB", flush=True)
    shutil.rmtree(folder)
    return measured


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000], help="default 10000 100000 1000000")
    parser.add_argument("--step", nargs=3, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.step:
        name, folder, size = asked.step
        print(json.dumps(step(name, Path(folder), int(size))))
        return
    print(f"{'known URLs':>10} {'step':9} {'MB max':>7} {'CPU s':>8} {'archive':>9} {'articles':>9} {'WARC MB':>9}   (asked for; written)")
    results = {size: measure(size) for size in asked.sizes}
    smallest = results[asked.sizes[0]]
    for size, measured in results.items():
        archive, first = (_each(one["archive"], "archive") for one in (measured, smallest))
        articles, first_articles = (_each(one["articles"], "articles") for one in (measured, smallest))
        rerun = measured["rerun"].cost.cpu / smallest["rerun"].cost.cpu
        print(
            f"{size:>10,}: CPU per archive page {archive:.2f} ms ({archive / first:.2f} x the smallest), per article {articles:.2f} ms"
            f" ({articles / first_articles:.2f} x), rerun {rerun:.2f} x"
        )


def _each(measured: Measured, what: str) -> float:
    return 1000 * measured.cost.cpu / measured.told[what]


if __name__ == "__main__":
    main()
