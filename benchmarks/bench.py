"""Every comparison again, one after the other, and a table of all figures: `make bench`.

  python -m benchmarks.bench [--quick] [--only NAME ...] [--all] [--again] [--table]

Each comparison is one of the scripts of this folder, run as a process of its own with the sizes of the table below. What a run found is
kept in `benchmarks/results/`; a run that was cut off goes on where it was, since what this machine found within the last day with the same
sizes is not measured again (`--again` does). What takes very long runs with `--all`, or named by `--only`.
`--quick` takes sizes that show in ten minutes that all of it works; its figures go to `benchmarks/results/quick/`, which is no part of the
project. `--table` only prints what is there. `make docs` takes the few that docs/explanation/figures.md shows.
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

from benchmarks.results import FOLDER, Result, as_text, figures_table, footing, load, load_all, save, script_parser, this_machine

HERE = Path(__file__).resolve().parent
FRESH = timedelta(days=1)


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
    Comparison("page_cost", "", "--pages 10 --rounds 1"),
    Comparison("extract_warc", "--others 200", "--pages 200 --others 20"),
    Comparison("reader_score", "", "--sets fundus,cleanportaleval"),
    Comparison("newspaper_rules", "", ""),
    Comparison("tags-workshop", "workshop", "workshop"),
    Comparison("tags-agreement", "agreement", "agreement"),
    Comparison("tags-suggestions", "suggestions", "suggestions --articles 60"),
    Comparison("learned-links", "links", "links --sets recorded"),
    Comparison("learned-paging", "paging", "paging --sets recorded"),
    Comparison("learned-metadata", "metadata", "metadata"),
    Comparison("learned-bodies", "bodies", None),
    Comparison("drift", "", "--sets cleanportaleval"),
    Comparison("large-inventory", "inventory", "inventory --articles 1000"),
    Comparison("large-export", f"export --folder {{scratch}}/large --to {FORMATS}", "export --folder {scratch}/large --articles 3000"),
    Comparison("large-statistics", "statistics --folder {scratch}/large", "statistics --folder {scratch}/large --articles 3000"),
)
"""In the order in which they are told."""


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


def told(results: Sequence[Result]) -> Iterator[str]:
    """Every figure; the tables of those that have none; and at the end what was missed."""
    for result in results:
        tables = [figures_table(result.figures)] if result.figures else result.tables
        yield "\n".join([f"{result.title}: {result.command}", *map(as_text, tables), *result.left_out, footing(result), ""])
    figures = [figure for result in results for figure in result.figures if figure.reached is not None]
    missed = [figure for figure in figures if not figure.reached]
    yield f"{len(figures)} figures have a goal; {len(missed)} missed it."
    if missed:
        yield as_text(figures_table(missed))
        yield from dict.fromkeys(figure.why for figure in missed if figure.why)


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
    parser.add_argument("--table", action="store_true", help="measure nothing")
    asked = parser.parse_args()
    folder = FOLDER / "quick" if asked.quick else FOLDER
    begun, failed = time.monotonic(), dict[str, str]()
    for comparison in () if asked.table else chosen(asked.only, every=asked.all, quick=asked.quick):
        if not asked.again and is_fresh(folder / f"{comparison.name}.json", comparison, quick=asked.quick):
            print(f"\n=== {comparison.name}: measured within the last day", flush=True)
        elif trouble := measure(comparison, folder, quick=asked.quick):
            failed[comparison.name] = trouble
    shutil.rmtree(folder / "unfinished", ignore_errors=True)
    results = load_all(folder)
    print("\n", *told([results[one.name] for one in COMPARISONS if one.name in results]), sep="\n")
    print(f"\n{folder}: {(time.monotonic() - begun) / 60:.1f} minutes")
    for name, trouble in failed.items():
        print(f"{name}: {trouble}")
    return int(bool(failed))


if __name__ == "__main__":
    raise SystemExit(main())
