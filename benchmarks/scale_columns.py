"""What do reruns cost a portal of up to 1,000 columns with 25 years of days each, all proved but the last days?

  python benchmarks/scale_columns.py [--columns 10 100 1000] [--years 25]

The ledger is filled with the events of a crawl that walked every day of every column to its end (nine million walks for 1,000 columns);
then the crawl as it is asks for the days that are not settled, and `status` counts. The portal is only simulated; each step is a process
of its own. To fill the largest ledger takes half an hour.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from processes import Cost, run
from results import Record, result_option

if TYPE_CHECKING:
    from webarticlecurator.config.portal import Column
    from webarticlecurator.corpus.events import Event

LIMIT = 150
"""Megabytes that no step may pass."""
STEPS = ("fill", "rerun", "rerun again", "status")
TODAY = date(2025, 1, 10)
OPEN_DAYS = 4
"""The last days, which no crawl has asked for yet."""
LINKS = 3
"""Articles of a day of a column."""
PORTAL = """\
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


@dataclass(frozen=True, slots=True)
class Measured:
    cost: Cost
    days: int
    """That the step was about: filled, asked for, or counted."""


def first_day(years: int) -> date:
    return TODAY.replace(year=TODAY.year - years)


def portal_file(columns: int, years: int) -> str:
    return PORTAL.format(first=first_day(years), columns=", ".join(f"c{number:04}" for number in range(columns)))


def addresses(column: str, day: date) -> Iterator[str]:
    """Of the articles that an archive page lists."""
    return (f"https://simulated.example/{column}/{day:%Y/%m/%d}/{number}.html" for number in range(LINKS))


def events_of(column: Column, years: int, walk: int) -> Iterator[Event]:
    """What a crawl stores of a column's settled days, newest first; only the newest 30 list articles, or the ledger would be all links."""
    from webarticlecurator.corpus.events import PageEvent, ProofGround, WalkEndEvent

    newest = TODAY - timedelta(days=OPEN_DAYS + 1)
    for back in range((newest - first_day(years)).days + 1):
        day, walk = newest - timedelta(days=back), walk + 1
        url = f"https://simulated.example/{column.name}/{day:%Y/%m/%d}/"
        links = tuple((one, None, {}) for one in addresses(column.name, day)) if back < 30 else ()
        told: dict[str, Any] = {"run": 1, "at": f"{TODAY - timedelta(days=1)}T12:00:00+00:00", "walk": walk, "column": column.name}
        told["interval"] = day.isoformat()
        yield PageEvent(
            seq=2 * walk, **told, mode="none", index=0, page="", url=url, request=f"GET {url}", outcome="fetched",
            result="links" if links else "empty", reason="", span=walk, covers=True, links=links, rules=column.rules,
        )  # fmt: skip
        yield WalkEndEvent(
            seq=2 * walk + 1, **told, last_links=len(links), end="proved", reason="the only page", ground=ProofGround.ONLY_PAGE,
            last=url, proves=walk, whole=True,
        )  # fmt: skip


def fill(folder: Path, years: int) -> dict[str, int]:
    """The ledger as that crawl leaves it, without the WARC files."""
    from webarticlecurator.config.load import load_portal
    from webarticlecurator.corpus.folder import Corpus
    from webarticlecurator.corpus.ledger import Ledger

    corpus = Corpus(folder / "corpus")
    corpus.folder.mkdir()
    ledger, walk = Ledger.open(corpus.ledger), 0
    for column in load_portal(folder / "portal.yaml").columns:
        with ledger.transaction():
            for event in events_of(column, years, walk):
                ledger.apply(event, None)
        walk = ledger.last_walk()
    ledger.close()
    return {"pages": walk}


def crawl(folder: Path) -> dict[str, int]:
    """One more crawl of the archive."""
    from datetime import UTC, datetime
    from threading import Event

    from simulated_portal import fetched

    from webarticlecurator import pipeline
    from webarticlecurator.config.load import load_portal
    from webarticlecurator.corpus.folder import Corpus
    from webarticlecurator.crawling.crawler import crawl_portal
    from webarticlecurator.crawling.options import CrawlOptions
    from webarticlecurator.crawling.run import CrawlEnvironment
    from webarticlecurator.model.capture import Fetched, Request
    from webarticlecurator.model.progress import Silent

    class Source:
        pages = 0

        def fetch(self, request: Request) -> Fetched:
            self.pages += 1
            column, *day = request.url.rstrip("/").split("/")[-4:]
            links = "".join(f'<article><a href="{url}">.</a></article>' for url in addresses(column, date(*map(int, day))))
            return fetched(request, request.url, f"<html><body>{links}</body></html>".encode())

    source, now = Source(), datetime(TODAY.year, TODAY.month, TODAY.day, 12, tzinfo=UTC)
    portal = load_portal(folder / "portal.yaml")
    info = pipeline.warc_info(portal, None, online=False)
    world = CrawlEnvironment(source=source, info=info, now=lambda: now, stop=Event(), progress=Silent())
    crawl_portal(portal, Corpus(folder / "corpus"), CrawlOptions(archive=True, articles=False), world)
    return {"pages": source.pages}


def step(name: str, folder: Path, years: int) -> dict[str, int]:
    """What one process does. Only here the program is imported: what it needs must not count for the process that measures."""
    if name == "fill":
        return fill(folder, years)
    if name != "status":
        return crawl(folder)
    from webarticlecurator import pipeline
    from webarticlecurator.config.load import load_portal

    report = pipeline.status(load_portal(folder / "portal.yaml"), corpus=folder / "corpus")
    return {"pages": sum(row.intervals for row in report.completeness)}


def measure(columns: int, years: int) -> dict[str, Measured]:
    folder = Path(tempfile.mkdtemp(prefix="scale-columns-"))
    (folder / "portal.yaml").write_text(portal_file(columns, years), "utf-8")
    measured = {}
    for name in STEPS:
        cost = run([sys.executable, __file__, "--step", name, str(folder), str(years)])
        measured[name] = Measured(cost, json.loads(cost.output)["pages"])
        print(f"{columns:>8,} {name:12} {measured[name].days:>11,} {cost.cpu:9.1f} {cost.memory:7.0f}", flush=True)
    print(f"{'':8} ledger of {(folder / 'corpus' / 'ledger.sqlite').stat().st_size / 1e6:,.0f} MB", flush=True)
    shutil.rmtree(folder)
    return measured


def note(record: Record, results: dict[int, dict[str, Measured]]) -> None:
    """Memory and cost of each step by the number of columns."""
    rows = [
        (columns, step, one.days, one.cost.cpu, one.cost.memory) for columns, measured in results.items() for step, one in measured.items()
    ]
    record.table("Steps", ("columns", "step", "days", "CPU s", "memory MB"), rows)
    record.figure("most memory of any step", max(memory for *_, memory in rows), "MB", at_most=LIMIT)
    smallest, largest = min(results), max(results)
    for step in ("rerun", "status"):
        ratio = (results[largest][step].cost.cpu / largest) / (results[smallest][step].cost.cpu / smallest)
        record.figure(f"CPU of a {step} for a column of {largest:,} / of {smallest:,}", ratio, "times")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--columns", type=int, nargs="+", default=[10, 100, 1000])
    parser.add_argument("--years", type=int, default=25)
    parser.add_argument("--step", nargs=3, help=argparse.SUPPRESS)
    asked = result_option(parser).parse_args()
    if asked.step:
        name, folder, years = asked.step
        print(json.dumps(step(name, Path(folder), int(years))))
        return
    record = Record(
        "Reruns of many columns with many days",
        "A ledger in which every day of every column is proved but the last four; then two crawls of the archive as it is, and the status, "
        "each a process of its own. The portal is simulated.",
    )
    note(record, {columns: measure(columns, asked.years) for columns in asked.columns})
    record.end(asked.result)


if __name__ == "__main__":
    main()
