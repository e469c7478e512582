"""Every comparison again, one after the other, and the page of docs/ that tells what came out: `make bench`.

  python -m benchmarks.bench [--quick] [--only NAME ...] [--all] [--again] [--page]

Each comparison is one of the scripts of this folder, run as a process of its own with the sizes of the table below. What a run found is
kept in `benchmarks/results/`; a run that was cut off goes on where it was, since what this machine found within the last day with the same
sizes is not measured again (`--again` does). What takes very long, or needs other software, runs with `--all`, or named by `--only`.
`--quick` takes sizes that show in ten minutes that all of it works; its figures and its page go to
`benchmarks/results/quick/`, which is no part of the project. `--page` only writes the page of what is there.
"""

from __future__ import annotations

import argparse
import ast
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.performance_page import performance_page
from benchmarks.results import FOLDER, Machine, Record, Result, load, load_all, save, this_machine

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "docs" / "explanation" / "performance.md"
FRESH = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Comparison:
    """One script and its sizes; `{scratch}` is a folder that all share, and that goes at the end."""

    name: str
    full: str
    quick: str | None
    """None: it has no quick form."""
    title: str = ""
    """Of a script that prints what it found and keeps nothing: its output is kept as it is, and its first sentence says what was done."""
    extra: bool = False
    """It takes so long, or needs so much, that it runs only when it is named, or with `--all`."""
    minutes: int = 30
    """After which it is given up."""

    @property
    def script(self) -> Path:
        return HERE / f"{self.name.partition('-')[0]}.py"

    def sizes(self, *, quick: bool) -> str:
        return (self.quick or "") if quick else self.full

    def command(self, *, quick: bool, result: Path) -> list[str]:
        words = self.sizes(quick=quick).format(scratch=result.parent / "scratch").split()
        return [sys.executable, str(self.script), *words, *([] if self.title else ["--result", str(result)])]

    def keep_printed(self, ended: subprocess.CompletedProcess[str], begun: Record, result: Path) -> None:
        """Make a result of what was printed."""
        words = [f"benchmarks/{self.script.name}", *ended.args[2:]]
        save(replace(begun.result(), name=self.name, command=" ".join(["python", *words]), printed=ended.stdout.strip()), result.parent)


FORMATS = "jsonl text markdown csv parquet sqlite vertical conllu"
COMPARISONS = (
    Comparison("crawl_cpu", "--rounds 3", "--archive-pages 20 --rounds 1"),
    Comparison("crawl_rate", "--delays 0.1", "--delays 0.05 --archive-pages 2"),
    Comparison("rerun", "", "--articles 300"),
    Comparison("known_urls", "", "--sizes 2000 20000"),
    Comparison("known_urls-ten_million", "--sizes 10000 10000000", None, extra=True, minutes=240),
    Comparison("scale_columns", "", "--columns 2 6 --years 2", extra=True, minutes=120),
    Comparison("scale_articles", "--sizes 10000 30000 100000", "--sizes 200 600", extra=True, minutes=60),
    Comparison("scale_articles-million", "--sizes 10000 100000 1000000", None, extra=True, minutes=360),
    Comparison("sitemap_tree", "--forms plain", "--urls 20000 --each 2000 --forms plain"),
    Comparison("many_portals", "--portals 500 --delay 10", "--portals 20 --sharing 4 --delay 1"),
    Comparison("build_speed", "--others 100 --rounds 2", "--articles 150 --others 15 --rounds 1"),
    Comparison("reader_score", "", "--sets fundus,cleanportaleval"),
    Comparison("workshop_score", "", ""),
    Comparison("tag_agreement", "", ""),
    Comparison("learned_links", "", "--sets recorded"),
    Comparison("learned_paging", "", "--skip-example"),
    Comparison("learned_metadata", "", ""),
    Comparison("learned_bodies", "", None),
    Comparison("drift", "", "--sets cleanportaleval"),
    Comparison("inventory_speed", "", "--pages 1000"),
    Comparison("export_speed", f"{{scratch}}/large --to {FORMATS}", "{scratch}/large --articles 3000"),
    Comparison("statistics_speed", "--folder {scratch}/large", "--folder {scratch}/large --articles 3000"),
    Comparison("tag_suggestions", "", None, "Suggested tags"),
    Comparison("labeller", "", None, "The labeller alone", extra=True),
    Comparison("labeller-finder", "--finder", None, "The labeller with the general finder", extra=True),
    Comparison("labeller-time", "--time", None, "What the labeller costs a page", extra=True),
    Comparison("labeller-boilernet", "--boilernet", None, "The labeller on the features of BoilerNet", extra=True),
    Comparison("learned_posts", "", None, "Learning: comments and posts", extra=True),
    Comparison("preset_sites", "", None, "Presets on theme-true sites", extra=True),
    Comparison("software_sites", "", None, "Sites made by real software, without rules", extra=True),
    Comparison("preset_software", "", None, "Sites made by real software, by presets", extra=True),
    Comparison("new_sites", "", None, "Sites made by real software, by curator new", extra=True),
)
"""In the order of the page."""


def fresh(place: Path, comparison: Comparison, machine: Machine, *, quick: bool) -> bool:
    """Whether this machine has just measured it with these sizes."""
    if not place.exists():
        return False
    result = load(place)
    old = datetime.now(UTC) - datetime.fromisoformat(result.date) > FRESH
    same = replace(result.machine, load=machine.load) == machine and result.quick == quick
    return same and not old and result.sizes == comparison.sizes(quick=quick)


def measure(comparison: Comparison, folder: Path, *, quick: bool) -> str | None:
    """Run it and keep what it found; gives what went wrong."""
    result = folder / "unfinished" / f"{comparison.name}.json"
    print(f"\n=== {comparison.name}", flush=True)
    begun = Record(comparison.title, first_sentence(comparison.script))
    try:
        pipe = subprocess.PIPE if comparison.title else None
        command = comparison.command(quick=quick, result=result)
        ended = subprocess.run(command, timeout=60 * comparison.minutes, check=False, stdout=pipe, stderr=pipe, text=True)
    except subprocess.TimeoutExpired:
        return f"not done after {comparison.minutes} minutes"
    if comparison.title:
        print(ended.stdout, ended.stderr, flush=True)
        if ended.returncode and "Traceback" not in ended.stderr:  # it says what it lacks
            begun.leave_out(ended.stderr.strip())
        if not ended.returncode or begun.left_out:
            comparison.keep_printed(ended, begun, result)
    if not result.exists():
        return f"ended with {ended.returncode} and told nothing"
    save(replace(load(result), quick=quick, sizes=comparison.sizes(quick=quick)), folder)
    result.unlink()
    return None


def first_sentence(script: Path) -> str:
    """Of its docstring, which says what the script asks."""
    return (ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))) or "").partition("\n\n")[0]


def write_page(results: Mapping[str, Result], page: Path) -> None:
    ordered = [results[comparison.name] for comparison in COMPARISONS if comparison.name in results]
    page.write_text(performance_page(ordered), encoding="utf-8")
    print(f"\n{page}")


def chosen(only: Sequence[str], *, every: bool, quick: bool) -> Iterator[Comparison]:
    unknown = set(only) - {one.name for one in COMPARISONS}
    if unknown:
        raise SystemExit(f"no comparison is named {', '.join(sorted(unknown))}; there are {', '.join(one.name for one in COMPARISONS)}")
    wanted = [one for one in COMPARISONS if (one.name in only if only else every or not one.extra)]
    return (one for one in wanted if not quick or one.quick is not None)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME")
    parser.add_argument("--all", action="store_true", help="also what takes long, or needs software that is not here")
    parser.add_argument("--again", action="store_true", help="also what this machine has just measured")
    parser.add_argument("--page", action="store_true", help="measure nothing")
    asked = parser.parse_args()
    folder = FOLDER / "quick" if asked.quick else FOLDER
    machine, begun, failed = this_machine(), time.monotonic(), {}
    for comparison in () if asked.page else chosen(asked.only, every=asked.all, quick=asked.quick):
        if not asked.again and fresh(folder / f"{comparison.name}.json", comparison, machine, quick=asked.quick):
            print(f"\n=== {comparison.name}: measured within the last day; --again (AGAIN=1) measures it again")
        elif (trouble := measure(comparison, folder, quick=asked.quick)) is not None:
            failed[comparison.name] = trouble
    shutil.rmtree(folder / "unfinished", ignore_errors=True)
    write_page(load_all(folder), folder / "performance.md" if asked.quick else PAGE)
    print(f"{(time.monotonic() - begun) / 60:.1f} minutes")
    for name, trouble in failed.items():
        print(f"{name}: {trouble}")
    return int(bool(failed))


if __name__ == "__main__":
    raise SystemExit(main())
