"""Every comparison again, one after the other, and the page of docs/ that tells what came out: `make bench`.

  python -m benchmarks.bench [--quick] [--only NAME ...] [--all] [--again] [--page]

Each comparison is one of the scripts of this folder, run as a process of its own with the sizes of the table below. What a run found is
kept in `benchmarks/results/`; a run that was cut off goes on where it was, since what this machine found within the last day with the same
sizes is not measured again (`--again` does). What takes very long runs with `--all`, or named by `--only`.
`--quick` takes sizes that show in ten minutes that all of it works; its figures and its page go to
`benchmarks/results/quick/`, which is no part of the project. `--page` only writes the page of what is there.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.results import FOLDER, Result, as_markdown, figures_table, footing, load, load_all, save, script_parser, this_machine

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "docs" / "explanation" / "performance.md"
FRESH = timedelta(days=1)
HEAD = """\
# Performance

What crawling, building, reading and looking cost, beside published programs, as `make bench` measured it. This page is written by that
command: no figure in it was typed. [benchmarks/](../../benchmarks/README.md) says what each script does and how to run one of them alone.

Ratios carry over to other machines, seconds do not. Run `make bench` to see yours, or `make bench QUICK=1` first, which shows in about ten
minutes that all of it runs. Each figure that was wanted stands with what was wanted of it, and a figure that is worse is called missed.
Where other programs kept the machine busy meanwhile, the section says how much; an older one says the load of the minute before instead.
"""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One script and its sizes; `{scratch}` is a folder that all share, and that goes at the end."""

    name: str
    """The script, and after a hyphen what of it."""
    full: str
    quick: str | None
    """None: it has no quick form."""
    extra: bool = False
    """It takes so long that it runs only when it is named, or with `--all`."""
    minutes: int = 30
    """After which it is given up."""

    def sizes(self, *, quick: bool) -> str:
        return (self.quick or "") if quick else self.full

    def command(self, *, quick: bool, result: Path) -> list[str]:
        words = self.sizes(quick=quick).format(scratch=result.parent / "scratch").split()
        return [sys.executable, str(HERE / f"{self.name.partition('-')[0]}.py"), *words, "--result", str(result)]


FORMATS = "jsonl text markdown csv parquet sqlite vertical conllu"
COMPARISONS = (
    Comparison("crawl_cpu", "--rounds 3", "--archive-pages 20 --rounds 1"),
    Comparison("crawl_rate", "--delays 0.1", "--delays 0.05 --archive-pages 2"),
    Comparison("rerun", "", "--articles 300"),
    Comparison("scale-urls", "urls", "urls --sizes 2000 20000"),
    Comparison("scale-urls-ten_million", "urls --sizes 10000 10000000", None, extra=True, minutes=240),
    Comparison("scale-columns", "columns", "columns --sizes 2 6 --years 2", extra=True, minutes=120),
    Comparison("scale-articles", "articles", "articles --sizes 200 600", extra=True, minutes=60),
    Comparison("scale-articles-million", "articles --sizes 10000 100000 1000000", None, extra=True, minutes=360),
    Comparison("build_speed", "--others 100 --rounds 2", "--articles 150 --others 15 --rounds 1"),
    Comparison("reader_score", "", "--sets fundus,cleanportaleval"),
    Comparison("tags-workshop", "workshop", "workshop"),
    Comparison("tags-agreement", "agreement", "agreement"),
    Comparison("tags-suggestions", "suggestions", "suggestions --articles 60"),
    Comparison("learned-links", "links", "links --sets recorded"),
    Comparison("learned-paging", "paging", "paging --sets recorded"),
    Comparison("learned-metadata", "metadata", "metadata"),
    Comparison("learned-bodies", "bodies", None),
    Comparison("learned-posts", "posts", None, extra=True),
    Comparison("drift", "", "--sets cleanportaleval"),
    Comparison("large-inventory", "inventory", "inventory --articles 1000"),
    Comparison("large-export", f"export --folder {{scratch}}/large --to {FORMATS}", "export --folder {scratch}/large --articles 3000"),
    Comparison("large-statistics", "statistics --folder {scratch}/large", "statistics --folder {scratch}/large --articles 3000"),
)
"""In the order of the page."""


def is_fresh(place: Path, comparison: Comparison, *, quick: bool) -> bool:
    """Whether this machine has just measured it with these sizes."""
    if not place.exists():
        return False
    result = load(place)
    is_same = (result.machine, result.quick, result.sizes) == (this_machine(), quick, comparison.sizes(quick=quick))
    return is_same and datetime.now(UTC) - datetime.fromisoformat(result.date) <= FRESH


def measure(comparison: Comparison, folder: Path, *, quick: bool) -> str | None:
    """Run it and keep what it found; gives what went wrong."""
    place = folder / "unfinished" / f"{comparison.name}.json"
    print(f"\n=== {comparison.name}", flush=True)
    try:
        code = subprocess.run(comparison.command(quick=quick, result=place), timeout=60 * comparison.minutes, check=False).returncode
    except subprocess.TimeoutExpired:
        return f"not done after {comparison.minutes} minutes"
    if not place.exists():
        return f"ended with {code} and told nothing"
    save(replace(load(place), quick=quick, sizes=comparison.sizes(quick=quick)), folder / place.name)
    return None


def page_of(results: Sequence[Result]) -> str:
    return "\n".join([HEAD, *_summary(results), *map(_section, results)])


def _summary(results: Sequence[Result]) -> Iterator[str]:
    """Where it was measured, and all that was missed in one table."""
    yield from (f"Machine: {machine}.\n" for machine in dict.fromkeys(result.machine for result in results))
    if any(result.quick for result in results):
        yield "**Some sections are of a quick run**, whose sizes are too small for figures to be relied on; each says so at its end.\n"
    figures = [figure for result in results for figure in result.figures if figure.reached is not None]
    missed = [figure for figure in figures if not figure.reached]
    yield f"{len(figures)} figures have a mark to reach; {len(figures) - len(missed)} of them reached it.\n"
    if missed:
        yield f"## What is missed\n\n{as_markdown(figures_table(missed))}\n"
        yield from (f"- {why}" for why in dict.fromkeys(figure.why for figure in missed if figure.why))
        yield ""


def _section(result: Result) -> str:
    """Its figures; its tables where it has none."""
    parts = [f"## {result.title}", result.about, f"`{result.command}`", *(f"**Not measured here**: {what}." for what in result.left_out)]
    if result.figures:
        parts.append(as_markdown(figures_table(result.figures)))
    else:
        parts += [part for table in result.tables for part in (f"{table.title}:", as_markdown(table), table.note)]
    return "\n\n".join(part for part in (*parts, footing(result)) if part) + "\n"


def chosen(only: Sequence[str], *, every: bool, quick: bool) -> list[Comparison]:
    """A name, or the name of a script, which is all that it compares."""
    names = {name for comparison in COMPARISONS for name in (comparison.name, comparison.name.partition("-")[0])}
    if unknown := set(only) - names:
        raise SystemExit(f"no comparison is named {', '.join(sorted(unknown))}; there are {', '.join(sorted(names))}")
    wanted = [
        comparison
        for comparison in COMPARISONS
        if comparison.name in only or (not comparison.extra and comparison.name.partition("-")[0] in only)
        or (not only and (every or not comparison.extra))
    ]  # fmt: skip
    return [comparison for comparison in wanted if not quick or comparison.quick is not None]


def main() -> int:
    parser = script_parser(__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME")
    parser.add_argument("--all", action="store_true", help="also what takes long")
    parser.add_argument("--again", action="store_true", help="also what this machine has just measured")
    parser.add_argument("--page", action="store_true", help="measure nothing")
    asked = parser.parse_args()
    folder, page = (FOLDER / "quick", FOLDER / "quick" / "performance.md") if asked.quick else (FOLDER, PAGE)
    begun, failed = time.monotonic(), dict[str, str]()
    for comparison in () if asked.page else chosen(asked.only, every=asked.all, quick=asked.quick):
        if not asked.again and is_fresh(folder / f"{comparison.name}.json", comparison, quick=asked.quick):
            print(f"\n=== {comparison.name}: measured within the last day", flush=True)
        elif trouble := measure(comparison, folder, quick=asked.quick):
            failed[comparison.name] = trouble
    shutil.rmtree(folder / "unfinished", ignore_errors=True)
    results = load_all(folder)
    page.write_text(page_of([results[comparison.name] for comparison in COMPARISONS if comparison.name in results]), encoding="utf-8")
    print(f"\n{page}\n{(time.monotonic() - begun) / 60:.1f} minutes")
    for name, trouble in failed.items():
        print(f"{name}: {trouble}")
    return int(bool(failed))


if __name__ == "__main__":
    raise SystemExit(main())
