"""Do memory and cost stay level as a corpus grows?

  python benchmarks/scale.py urls [--sizes 10000 100000 1000000]
  python benchmarks/scale.py columns [--sizes 10 100 1000] [--years 25]
  python benchmarks/scale.py articles [--sizes 10000 30000 100000]

`urls`: known addresses. The whole archive (about 90 articles on an archive page), then 2,000 of the articles, then a rerun with nothing
new, then the status; all that is written is synced to the disk as in any crawl.
`columns`: columns of so many years of days each. The ledger is filled with the events of a crawl that walked every day of every column to
its end (nine million walks for 1,000 columns, which takes half an hour); then a crawl asks for the days that are not settled, and once
more, and `status` counts.
`articles`: small invented pages (`large_corpus.py`) become documents, report and exports without rules, by `curator` as a person runs it.
A million articles take hours, and 12 GB below the system's temporary folder; `TMPDIR` names another one.

Portals of `urls` and `columns` are only simulated. Each step is a process of its own; memory is that of the largest process.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from processes import Cost, run, size_of
from results import Record, result_option, script_parser

LIMIT, LIMIT_OF_REPORT = 150, 300
"""Megabytes that no step may pass."""
MOST_GROWTH = 1.15
"""Times the cost of building an article of the smallest corpus."""
ARTICLES = 2_000
"""Asked for in the second step of `urls`."""
CURATOR = (sys.executable, "-m", "webarticlecurator")
COMMANDS: Mapping[str, Sequence[str]] = {
    "build": ("build", "portal.yaml", "--zip", "--jobs", "2"),
    "build again": ("build", "portal.yaml"),
    "report": ("report", "portal.yaml", "-o", "report.html"),
    "jsonl": ("export", "portal.yaml", "--to", "jsonl", "-o", "articles.jsonl"),
    "csv": ("export", "portal.yaml", "--to", "csv", "-o", "articles.csv"),
    "vertical": ("export", "portal.yaml", "--to", "vertical", "-o", "articles.vert"),
}
"""What is done with stored articles."""
EXPECTED_CODES = (0, 1)
"""Some of the invented pages failed, and are listed."""


@dataclass(frozen=True, slots=True)
class Step:
    name: str
    cost: Cost
    counts: Mapping[str, int]
    """What it was about: known addresses, pages that were asked for, days."""


Measured = Mapping[int, Mapping[str, Step]]
"""By size and name of the step."""


def simulated(question: str, names: Sequence[str], folder: Path, size: int, years: int) -> Iterator[Step]:
    for name in ("describe", *names):
        cost = run([sys.executable, __file__, question, "--step", name, folder, "--sizes", str(size), "--years", str(years)])
        if name != "describe":
            yield Step(name, cost, json.loads(cost.output))
    ledger = (folder / "corpus" / "ledger.sqlite").stat().st_size
    print(f"{size:>10,} ledger of {ledger / 1e6:,.0f} MB, WARC of {size_of(folder, '*.warc.gz*') / 1e6:,.0f} MB", flush=True)


def do_step(question: str, name: str, folder: Path, size: int, years: int) -> None:
    """What the process of a step does. Only here the program is imported: what else scripts need must not count."""
    from simulated_portal import step_of_addresses, step_of_columns

    told = step_of_addresses(name, folder, size, ARTICLES) if question == "urls" else step_of_columns(name, folder, size, years)
    print(json.dumps(told))


def commands(folder: Path, size: int) -> Iterator[Step]:
    place = folder / "corpus"
    run([sys.executable, Path(__file__).with_name("large_corpus.py"), place, "--articles", str(size), "--only-stored"])
    for name, words in COMMANDS.items():
        yield Step(name, run([*CURATOR, *words, "--quiet"], cwd=place, codes=EXPECTED_CODES), {"articles": size})


# --- what is asked ---


def of_urls(record: Record, measured: Measured) -> None:
    rows = [
        (step.counts["known"], step.name, step.cost.memory, step.cost.cpu, step.counts["archive"], step.counts["articles"])
        for steps in measured.values()
        for step in steps.values()
    ]
    record.table("Steps", ("known addresses", "step", "memory MB", "CPU s", "archive pages", "articles"), rows)
    record.figure("most memory of any step", most_memory(measured), "MB", at_most=LIMIT)
    first, last = min(measured), max(measured)
    for what, name in (("archive page", "archive"), ("article", "articles")):
        of_smallest, of_largest = (measured[size][name].cost.cpu / measured[size][name].counts[name] for size in (first, last))
        record.figure(f"CPU of an {what} with {last:,} known addresses / with {first:,}", of_largest / of_smallest, "times")


def of_columns(record: Record, measured: Measured) -> None:
    rows = [
        (size, step.name, step.counts["days"], step.cost.cpu, step.cost.memory)
        for size, steps in measured.items()
        for step in steps.values()
    ]
    record.table("Steps", ("columns", "step", "days", "CPU s", "memory MB"), rows)
    record.figure("most memory of any step", most_memory(measured), "MB", at_most=LIMIT)
    first, last = min(measured), max(measured)
    for name in ("rerun", "status"):
        record.figure(f"CPU of a {name} for a column of {last:,} / of {first:,}", growth(measured, name), "times")


def of_articles(record: Record, measured: Measured) -> None:
    rows = [
        (size, step.name, 1000 * step.cost.cpu / size, step.cost.wall, step.cost.memory)
        for size, steps in measured.items()
        for step in steps.values()
    ]
    disk = run(["stat", "-f", "-c", "%T", tempfile.gettempdir()]).output.strip()
    record.table("Commands", ("articles", "command", "CPU ms an article", "s", "memory MB"), rows, f"Written to a disk of {disk}.")
    first, last = min(measured), max(measured)
    for name, step in measured[last].items():
        limit = LIMIT_OF_REPORT if name == "report" else LIMIT
        record.figure(f"memory of {name} of {last:,} articles", step.cost.memory, "MB", at_most=limit)
    name = f"CPU of a build for an article of {last:,} / of {first:,}"
    record.figure(name, growth(measured, "build"), "times", at_most=MOST_GROWTH)


def most_memory(measured: Measured) -> float:
    return max(step.cost.memory for steps in measured.values() for step in steps.values())


def growth(measured: Measured, name: str) -> float:
    """What a step costs for one of the largest size, beside one of the smallest."""
    of_smallest, of_largest = (measured[size][name].cost.cpu / size for size in (min(measured), max(measured)))
    return of_largest / of_smallest


@dataclass(frozen=True, slots=True)
class Question:
    title: str
    about: str
    sizes: Sequence[int]
    note: Callable[[Record, Measured], None]
    steps: Sequence[str] = ()
    """On a simulated portal; without any it is about stored articles."""


QUESTIONS = {
    "urls": Question(
        "Memory and cost as the known addresses grow to {most:,}",
        "The crawl code on a simulated portal, each step in a process of its own: the whole archive, then 2,000 articles, then a rerun "
        "with nothing new, then the status. No step may pass 150 MB, and cost may not grow with what is known.",
        (10_000, 100_000, 1_000_000),
        of_urls,
        ("archive", "articles", "rerun", "status"),
    ),
    "columns": Question(
        "Reruns of many columns with many days",
        "A ledger in which every day of every column is proved but the last four; then two crawls of the archive as it is, and the status, "
        "each a process of its own. The portal is simulated.",
        (10, 100, 1_000),
        of_columns,
        ("fill", "rerun", "rerun again", "status"),
    ),
    "articles": Question(
        "From stored pages to documents, report and exports, of up to {most:,} articles",
        "Small invented pages, read without rules; every command as a person runs it, from nothing. Memory is that of the largest process.",
        (10_000, 30_000, 100_000),
        of_articles,
    ),
}


def measure(name: str, size: int, years: int) -> dict[str, Step]:
    """All steps for one size, told as they end."""
    folder = Path(tempfile.mkdtemp(prefix="scale-"))
    steps, names = {}, QUESTIONS[name].steps
    for step in simulated(name, names, folder, size, years) if names else commands(folder, size):
        steps[step.name] = step
        counts = "  ".join(f"{what} {count:,}" for what, count in step.counts.items())
        print(f"{size:>10,} {step.name:12} {step.cost.cpu:9.1f} s CPU {step.cost.memory:7.0f} MB  {counts}", flush=True)
    shutil.rmtree(folder)
    return steps


def main() -> None:
    parser = script_parser(__doc__)
    parser.add_argument("question", choices=QUESTIONS)
    parser.add_argument("--sizes", type=int, nargs="+")
    parser.add_argument("--years", type=int, default=25, help="of days that a column has")
    parser.add_argument("--step", nargs=2, metavar=("NAME", "FOLDER"), help=argparse.SUPPRESS)
    asked = result_option(parser).parse_args()
    question = QUESTIONS[asked.question]
    sizes = asked.sizes or question.sizes
    if asked.step:
        do_step(asked.question, asked.step[0], Path(asked.step[1]), sizes[0], asked.years)
        return
    record = Record(question.title.format(most=max(sizes)), question.about)
    question.note(record, {size: measure(asked.question, size, asked.years) for size in sizes})
    record.end(asked.result)


if __name__ == "__main__":
    main()
