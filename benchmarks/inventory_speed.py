"""What an inventory costs: CPU and memory of `curator tags` on all pages of a large corpus, and how long a sample takes.

  python benchmarks/inventory_speed.py [--pages 100000] [--jobs 2] [--keep DIR]

Pages are the example portal's articles, filled up to sixty kilobytes, and real pages of sixty to a hundred where they lie beside
the checkout; each is stored again and again under other URLs. The command runs as a whole process, start-up included, with the
processes that it starts; memory is what all of them hold together at a time, so that what they share is counted more than once.
"""

from __future__ import annotations

import argparse
import gzip
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import cycle, islice
from pathlib import Path

from build_pages import make_corpus, real_pages
from processes import Cost, run
from results import Record, result_option

from webarticlecurator.example_portal import ExamplePortal
from webarticlecurator.example_portal.answers import Request
from webarticlecurator.warc.members import pack

MOST_MEMORY = 300.0
"""Megabytes."""
LEAST_PAGES = 150.0
"""A second, on one core."""
MOST_GROWTH = 1.15
"""Times the cost of a page, with ten times as many."""
MOST_SECONDS = 5.0
SAMPLE = 2_000
_FILLING = 60_000
_BEGIN = datetime(2015, 1, 1, tzinfo=UTC)
_EVERY = 0.2
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
RULES_OF_SAMPLES = {
    "plain rules": {},
    "a rule with an ancestor": {"decompose": "'blockquote.tweet p'"},
    "a rule that looks at more than tags": {"decompose": "'p:has(> img:only-child)'"},
    "another root": {"root": "div.article-body"},
}


def rules(*, root: str = "div.cikktorzs", decompose: str = "div.ajanlo") -> str:
    """The portal file."""
    return RULES.format(root=root, decompose=decompose)


def example_pages() -> list[bytes]:
    """The articles of the example portal."""
    with ExamplePortal(articles=200, filling=_FILLING) as portal:
        answers = [portal.answer(Request(target=url.removeprefix(portal.home))) for url in sorted(portal.article_urls)]
        return [one.body if one.body[:2] != b"\x1f\x8b" else gzip.decompress(one.body) for one in answers]


def write_warc(path: Path, pages: list[bytes], count: int) -> None:
    """So many responses, each page again and again, spread over ten years."""
    with path.open("wb") as file:
        for number, page in enumerate(islice(cycle(pages), count)):
            day = (_BEGIN + timedelta(days=number % 3650)).strftime("%Y/%m/%d")
            head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(page)
            fields = (
                "WARC/1.1\r\nWARC-Type: response\r\nContent-Type: application/http;msgtype=response\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
                f"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>\r\n"
                f"WARC-Target-URI: https://bench.example/{day}/{number}\r\nContent-Length: {len(head) + len(page)}\r\n\r\n"
            )
            file.write(pack(fields.encode() + head + page + b"\r\n\r\n"))


# --- measuring ---


@dataclass(slots=True)
class Memory:
    """Of all processes below this one."""

    most: float = 0.0
    """Megabytes."""


@contextmanager
def memory_watched() -> Iterator[Memory]:
    """Look at it again and again while the block runs."""
    memory, done = Memory(), threading.Event()

    def watch() -> None:
        while not done.wait(_EVERY):
            memory.most = max(memory.most, sum(map(_resident, _below(Path("/proc/self").resolve().name))))

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield memory
    finally:
        done.set()
        thread.join()


def _below(process: str) -> Iterator[str]:
    for children in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            found = children.read_text().split()
        except OSError:
            continue
        for child in found:
            yield child
            yield from _below(child)


def _resident(process: str) -> float:
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS:")), 0.0)


@dataclass(frozen=True, slots=True)
class Bench:
    """One corpus."""

    portal: Path
    pages: int
    jobs: int

    @property
    def corpus(self) -> Path:
        return self.portal.parent / "corpus"

    def tags(self, *flags: str) -> Cost:
        """`curator tags`."""
        command: list[str | Path] = [sys.executable, "-m", "webarticlecurator", "tags", self.portal, "--corpus", self.corpus]
        return run([*command, "--jobs", str(self.jobs), "--json", "--quiet", *flags])


def bench_of(folder: Path, pages: list[bytes], count: int, jobs: int) -> Bench:
    """A corpus of so many pages, made where it is not there yet."""
    place = folder / str(count)
    place.mkdir(parents=True, exist_ok=True)
    portal = place / "portal.yaml"
    if not portal.exists():
        write_warc(place / "in.warc.gz", pages, count)
        make_corpus(place, place / "in.warc.gz", rules())
        (place / "in.warc.gz").unlink()
    return Bench(portal, count, jobs)


def whole(bench: Bench) -> tuple[float, float]:
    """The inventory of all pages of a corpus: CPU seconds a page, megabytes."""
    with memory_watched() as memory:
        cost = bench.tags("--all")
    return cost.cpu / bench.pages, memory.most


def samples(bench: Bench) -> dict[str, Cost]:
    """What a sample costs, whatever the rules are."""
    found = {}
    for name, edit in RULES_OF_SAMPLES.items():
        bench.portal.write_text(rules(**edit), "utf-8")
        found[name] = bench.tags("--sample", str(SAMPLE))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="a folder for the corpora, which are made only where they are not there")
    arguments = result_option(parser).parse_args()
    record = Record(
        "The inventory of a large corpus",
        "`curator tags` on all pages of a corpus, and on a sample of 2,000 after each of some edits of the rules, as a whole process "
        "with those that it starts. Memory is that of all of them together, so that what they share counts more than once.",
    )
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or Path(temporary)
        pages = [*real_pages(), *example_pages()]
        counts = (arguments.pages // 10, arguments.pages)
        small, large = (bench_of(folder, pages, count, arguments.jobs) for count in counts)
        costs = {count: whole(bench) for count, bench in zip(counts, (small, large), strict=True)}
        sampled = samples(large)
    size = sum(map(len, pages)) / len(pages) / 1000
    rows = [(count, 1000 * cpu, memory) for count, (cpu, memory) in costs.items()]
    note = f"{len(pages)} different pages of {size:.0f} KB on average, {arguments.jobs} processes."
    record.table("All pages", ("pages", "CPU ms a page", "memory MB of all processes"), rows, note)
    record.table(
        f"A sample of {SAMPLE:,} pages", ("with", "seconds", "CPU s"), [(name, cost.wall, cost.cpu) for name, cost in sampled.items()]
    )
    (before, _), (cost, memory) = costs.values()
    record.figure("pages a second on one core", 1 / cost, at_least=LEAST_PAGES)
    record.figure("memory of all processes", memory, "MB", at_most=MOST_MEMORY)
    record.figure("cost of a page with ten times as many", cost / before, "times", at_most=MOST_GROWTH)
    for name, one in sampled.items():
        record.figure(f"a sample after an edit: {name}", one.wall, "s", at_most=MOST_SECONDS)
    record.end(arguments.result)


if __name__ == "__main__":
    main()
