"""What it costs to look at a large corpus, to export it, and to count it.

  python benchmarks/large.py inventory [--articles 100000] [--jobs 2] [--folder FOLDER]
  python benchmarks/large.py export [--articles 100000] [--to csv parquet ...] [--folder FOLDER]
  python benchmarks/large.py statistics [--articles 100000] [--folder FOLDER]
  python benchmarks/large.py coverage [--articles 100000] [--folder FOLDER]

`inventory`: `curator tags` on all pages, and on a sample. Pages are the example portal's articles, filled up to sixty kilobytes, and real
pages of sixty to a hundred where they lie beside the checkout; each is stored again and again under other URLs. Memory is what all
processes hold together at a time, so that what they share is counted more than once.
`export`: articles a second of one core, and memory, for each format. Tables are written without the columns that show languages and
duplicates, since what finds those is not the export. A part of the corpus is exported besides, which shows whether memory grows with it.
`statistics`: `curator report` and `curator stats`, at first and again.
`coverage`: `curator coverage` with an index of ten times as many lines as there are articles, and with a tenth of them.

Articles of the last three are those of `large_corpus.py`. Each command is a process of its own, started as a person does. FOLDER keeps the
corpus for the next time.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sqlite3
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import cycle, islice
from pathlib import Path

from heavy_pages import LIGHTEST, make_corpus, pages_to_build, said_of
from processes import Cost, run
from results import Record, result_option, script_parser

from webarticlecurator.example_portal import ExamplePortal
from webarticlecurator.example_portal.answers import Request
from webarticlecurator.exporting.formats import format_of
from webarticlecurator.exporting.table import COLUMNS, OF_ANALYSIS
from webarticlecurator.warc.records import pack

CURATOR = (sys.executable, "-m", "webarticlecurator")

# --- the tag inventory ---

MOST_MEMORY, LEAST_PAGES, MOST_GROWTH, MOST_SECONDS = 300.0, 150.0, 1.15, 5.0
"""Megabytes; pages a second on one core; times the cost of a page, with ten times as many; of a sample."""
SAMPLE = 2_000
LOOK_EVERY = 0.2
"""Seconds between two looks at the memory."""
RULES = """\
portal: bench
title: Bench
home: https://bench.example/
language: en
body:
  root: ["{root}", article, main, body]
  tags:
    box: [div.keretes]
    decompose: [{decompose}]
"""
USUAL = {"root": "div.cikktorzs", "decompose": "div.ajanlo"}
EDITS = {
    "plain rules": {},
    "a rule with an ancestor": {"decompose": "'blockquote.tweet p'"},
    "a rule that looks at more than tags": {"decompose": "'p:has(> img:only-child)'"},
    "another root": {"root": "div.article-body"},
}


def example_pages() -> list[bytes]:
    with ExamplePortal(articles=200, filling=LIGHTEST) as portal:
        answers = [portal.answer(Request(target=url.removeprefix(portal.home))) for url in sorted(portal.article_urls)]
        return [answer.body if answer.body[:2] != b"\x1f\x8b" else gzip.decompress(answer.body) for answer in answers]


def write_responses(path: Path, pages: Sequence[bytes], count: int) -> None:
    """So many responses, each page again and again, spread over ten years."""
    with path.open("wb") as file:
        for number, page in enumerate(islice(cycle(pages), count)):
            day = date(2015, 1, 1) + timedelta(days=number % 3650)
            head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(page)
            fields = (
                "WARC/1.1\r\nWARC-Type: response\r\nContent-Type: application/http;msgtype=response\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
                f"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>\r\n"
                f"WARC-Target-URI: https://bench.example/{day:%Y/%m/%d}/{number}\r\nContent-Length: {len(head) + len(page)}\r\n\r\n"
            )
            file.write(pack(fields.encode() + head + page + b"\r\n\r\n"))


@dataclass(slots=True)
class Memory:
    """Of all processes below this one, in megabytes."""

    most: float = 0.0


@contextmanager
def memory_watched() -> Iterator[Memory]:
    """Look at it again and again while the block runs."""
    memory, done = Memory(), threading.Event()

    def watch() -> None:
        while not done.wait(LOOK_EVERY):
            memory.most = max(memory.most, sum(map(_resident, _below(Path("/proc/self").resolve()))))

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield memory
    finally:
        done.set()
        thread.join()


def _below(process: Path) -> Iterator[Path]:
    for children in process.glob("task/*/children"):
        with suppress(OSError):  # it has just ended
            for child in children.read_text().split():
                yield Path("/proc") / child
                yield from _below(Path("/proc") / child)


def _resident(process: Path) -> float:
    with suppress(OSError):
        status = (process / "status").read_text().splitlines()
        return next((int(line.split()[1]) / 1024 for line in status if line.startswith("VmRSS:")), 0.0)
    return 0.0


def corpus_of_pages(folder: Path, pages: Sequence[bytes], count: int) -> Path:
    """The portal file of so many pages, made where it is not there yet."""
    portal = folder / str(count) / "portal.yaml"
    if not portal.exists():
        portal.parent.mkdir(parents=True, exist_ok=True)
        warc = portal.with_name("in.warc.gz")
        write_responses(warc, pages, count)
        make_corpus(portal.parent, warc, RULES.format(**USUAL))
        warc.unlink()
    return portal


def inventory(asked: argparse.Namespace, folder: Path, record: Record) -> None:
    def tags(portal: Path, *flags: str) -> Cost:
        return run([*CURATOR, "tags", portal, "--corpus", portal.parent / "corpus", "--jobs", str(asked.jobs), "--json", "--quiet", *flags])

    pages = [*pages_to_build(), *example_pages()]
    counts = (asked.articles // 10, asked.articles)
    portals = {count: corpus_of_pages(folder, pages, count) for count in counts}
    costs: dict[int, tuple[float, float]] = {}
    for count, portal in portals.items():
        with memory_watched() as memory:
            cost = tags(portal, "--all")
        costs[count] = (cost.cpu / count, memory.most)
    sampled: dict[str, Cost] = {}
    for name, edit in EDITS.items():
        portals[asked.articles].write_text(RULES.format(**{**USUAL, **edit}), "utf-8")
        sampled[name] = tags(portals[asked.articles], "--sample", str(SAMPLE))
    rows = [(count, 1000 * cpu, memory) for count, (cpu, memory) in costs.items()]
    note = f"{said_of(pages, 'different pages')}, {asked.jobs} processes."
    record.table("All pages", ("pages", "CPU ms a page", "memory MB of all processes"), rows, note)
    of_samples = [(name, cost.wall, cost.cpu) for name, cost in sampled.items()]
    record.table(f"A sample of {SAMPLE:,} pages", ("with", "seconds", "CPU s"), of_samples)
    (cpu_of_few, _), (cpu, memory) = costs.values()
    record.figure("pages a second on one core", 1 / cpu, at_least=LEAST_PAGES)
    record.figure("memory of all processes", memory, "MB", at_most=MOST_MEMORY)
    record.figure("cost of a page with ten times as many", cpu / cpu_of_few, "times", at_most=MOST_GROWTH)
    for name, cost in sampled.items():
        record.figure(f"a sample after an edit: {name}", cost.wall, "s", at_most=MOST_SECONDS)


# --- exports ---

LEAST_RATES = {"jsonl": 2_000, "text": 2_000}
"""Articles a second of one core."""
CONSTANT = 1.1
"""Times the memory of a part, which an export of everything may take where memory is not to grow."""
PART_UNTIL = "2005-12-31"
"""A small part of the invented articles was published by then."""
FIELDS = ",".join(name for name in COLUMNS if name not in OF_ANALYSIS)
TABLES = ("jsonl", "text", "csv", "parquet", "sqlite")


def corpus_of_articles(asked: argparse.Namespace, folder: Path) -> Path:
    """Its portal file."""
    portal = folder / "portal.yaml"
    if not portal.exists():
        run([sys.executable, Path(__file__).with_name("large_corpus.py"), folder, "--articles", str(asked.articles)])
    return portal


def export_of(portal: Path, format: str, place: Path, until: str | None) -> tuple[Cost, int]:
    """One export, and how many articles it has."""
    only = ["--until", until] if until else []
    of_format = format_of(format)
    only += ["--fields", FIELDS] if of_format.analysed and "fields" not in of_format.ignores else []
    cost = run([*CURATOR, "export", portal, "--to", format, "-o", place, "--json", "--quiet", "--jobs", "1", *only])
    return cost, json.loads(cost.output)["counts"]["articles"]


def export(asked: argparse.Namespace, folder: Path, record: Record) -> None:
    portal = corpus_of_articles(asked, folder)
    rows = []
    with tempfile.TemporaryDirectory(prefix="export-") as made:
        for format in asked.to:
            part, of_part = export_of(portal, format, Path(made) / f"part.{format}", PART_UNTIL)
            place = Path(made) / f"all.{format}"
            cost, articles = export_of(portal, format, place, None)
            written = sum(file.stat().st_size for file in (place, *place.rglob("*")) if file.is_file()) / 1e6
            rows.append((format, articles, articles / cost.cpu, cost.wall, cost.memory, part.memory, written, of_part))
            print(*rows[-1], flush=True)
    headings = ("format", "articles", "articles a second", "seconds", "memory MB", "memory MB of a part", "written MB")
    record.table("Exports", (*headings, "articles of the part"), rows)
    for format, articles, rate, _, memory, of_part_memory, *_ in rows:
        if format in LEAST_RATES:
            record.figure(f"{format}: articles a second, of {articles:,}", rate, at_least=LEAST_RATES[format])
            record.figure(f"{format}: memory for all / for a part", memory / of_part_memory, "times", at_most=CONSTANT)


# --- report and statistics ---

MOST_STATISTICS_SECONDS, MOST_STATISTICS_MEMORY = 45, 150
MOST_REPORT_SECONDS, MOST_REPORT_SIZE = 120, 5
"""The sizes are megabytes."""


def statistics(asked: argparse.Namespace, folder: Path, record: Record) -> None:
    portal, page = corpus_of_articles(asked, folder), folder / "report.html"
    for file in folder.glob("corpora/*/analysis.sqlite*"):
        file.unlink()
    report = (*CURATOR, "report", portal, "-o", page, "--quiet")
    counts = (*CURATOR, "stats", portal, "--json", "--quiet")
    steps: dict[str, Sequence[str | Path]] = {
        "report, analysis included": report,
        "report again": report,
        "statistics without the analysis": (*counts, "--no-analyse"),
        "statistics with the analysis": counts,
    }
    costs = {name: run(command, codes=(0, 1)) for name, command in steps.items()}
    rows = [(name, cost.cpu, cost.wall, cost.memory) for name, cost in costs.items()]
    record.table("Report and statistics", ("step", "CPU s", "wall s", "memory MB"), rows)
    first, *_, last = costs.values()
    record.figure("report from nothing", first.wall, "s", at_most=MOST_REPORT_SECONDS)
    record.figure("size of the report", page.stat().st_size / 1e6, "MB", at_most=MOST_REPORT_SIZE)
    record.figure("statistics", last.wall, "s", at_most=MOST_STATISTICS_SECONDS)
    record.figure("memory of the statistics", last.memory, "MB", at_most=MOST_STATISTICS_MEMORY)


# --- what a web archive holds ---

MOST_COVERAGE_SECONDS, MOST_COVERAGE_MEMORY = 90, 150


def write_index(path: Path, urls: Sequence[str], lines: int) -> None:
    """So many captures, sorted as an index is: most of them of every second article, some of what the corpus does not have."""
    kinds = cycle([("text/html", "200")] * 6 + [("warc/revisit", "-"), ("text/html", "301"), ("image/png", "200"), ("text/html", "404")])
    with gzip.open(path, "wt", compresslevel=1) as file:
        file.write(" CDX N b a m s k r M S V g\n")
        for number in range(lines):
            url = urls[number * len(urls) // lines]
            url = url.replace("/0", "/1") if number % 4 == 0 else url
            mime, status = next(kinds)
            moment = f"{2005 + number % 20}0203{number % 86_400 // 3600:02}{number % 3600 // 60:02}{number % 60:02}"
            file.write(f"example,large){url[21:]} {moment} {url} {mime} {status} {number % 9973:032} - - 5000 {number * 700} a.warc.gz\n")


def coverage(asked: argparse.Namespace, folder: Path, record: Record) -> None:
    portal = corpus_of_articles(asked, folder)
    with closing(sqlite3.connect(next(folder.glob("corpora/*/ledger.sqlite")))) as ledger:
        urls = [url for (url,) in ledger.execute("SELECT url FROM urls WHERE id % 2 ORDER BY url")]
    costs: dict[int, Cost] = {}
    for lines in (asked.articles, 10 * asked.articles):
        write_index(folder / "index.cdx.gz", urls, lines)
        costs[lines] = run([*CURATOR, "coverage", portal, "--cdx", folder / "index.cdx.gz", "--json", "--quiet"])
    rows = [(lines, cost.wall, cost.memory, *json.loads(cost.output)["totals"].values()) for lines, cost in costs.items()]
    record.table("Coverage", ("lines", "seconds", "memory MB", "in both", "only ours", "only theirs", "days"), rows)
    few, many = costs.values()
    record.figure("coverage by all lines", many.wall, "s", at_most=MOST_COVERAGE_SECONDS)
    record.figure("memory of the coverage", many.memory, "MB", at_most=MOST_COVERAGE_MEMORY)
    record.figure("memory for all lines / for a tenth", many.memory / few.memory, "times", at_most=CONSTANT)


QUESTIONS = {
    "inventory": (
        inventory,
        "The inventory of a large corpus",
        "`curator tags` on all pages of a corpus, and on a sample of 2,000 after each of some edits of the rules, as a whole process "
        "with those that it starts. Memory is that of all of them together, so that what they share counts more than once.",
    ),
    "export": (
        export,
        "Exports",
        "Each export of a corpus of invented articles is a process of its own, start-up included; rates are articles a second of CPU time. "
        "A part of the corpus is exported besides, which shows whether memory grows with it.",
    ),
    "statistics": (
        statistics,
        "Languages, duplicates, statistics and the report",
        "Of the same corpus of invented articles: the report from nothing, with the analysis of languages and near-duplicates that it "
        "needs, and again; then the statistics without it, and with it. Each is a process of its own.",
    ),
    "coverage": (
        coverage,
        "What a web archive holds of a large corpus",
        "`curator coverage` of a corpus of invented articles by an index in a packed file, as a whole process.",
    ),
}


def main() -> None:
    parser = script_parser(__doc__)
    parser.add_argument("question", choices=QUESTIONS)
    parser.add_argument("--articles", type=int, default=100_000)
    parser.add_argument("--folder", type=Path, help="where the corpus is, or is made and kept")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--to", nargs="+", metavar="FORMAT", default=TABLES, help=f"default {' '.join(TABLES)}")
    asked = result_option(parser).parse_args()
    measure, title, about = QUESTIONS[asked.question]
    record = Record(title, about)
    with tempfile.TemporaryDirectory(prefix="large-") as temporary:
        measure(asked, asked.folder or Path(temporary) / "corpus", record)
    record.end(asked.result)


if __name__ == "__main__":
    main()
