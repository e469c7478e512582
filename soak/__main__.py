"""The long run: `make soak`, or `python -m soak [--hours 4] [--only KIND ...] [--readers READER ...] [--short]`.

A quarter of the time is for what is disturbed (each case so often, and no longer than its share), the rest for fuzzing, on all
processors. Kinds are fuzzing, kills, power cuts, full disks, network, clocks, databases, portal files, robots, flips, hostile pages.
After each disturbance the command runs again, and its corpus is compared with that of a run that nothing disturbed. What was found is
kept in `benchmarks/results/soak.json`.
What fuzzing has reached lies in `.soak/`, where the next run goes on; its inputs are added to those of its last result. It is by atheris
where that is installed (`pip install -e '.[fuzz]'`), else by hypothesis. The exit code is 1 where a promise was broken.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.results import FOLDER, Cell, Record, Table, as_text, load, save, script_parser, version_of
from soak import ROOT, flips, full_disks, hostile_pages, kills, power_cuts, robots_answers, surroundings
from soak.cases import Case, Limits, Outcome
from soak.fuzz_targets import TARGETS
from soak.fuzzing import fuzz

FOUND = FOLDER / "soak.json"
CASES: tuple[Case, ...] = (
    *kills.CASES,
    *power_cuts.CASES,
    *full_disks.CASES,
    *surroundings.CASES,
    *robots_answers.CASES,
    *flips.CASES,
    *hostile_pages.CASES,
)
KINDS = tuple(dict.fromkeys(case.kind for case in CASES))
FUZZING = "fuzzing"
_FOR_CASES = 0.25
_SHORT_FUZZING = 2.0
"""Seconds for each target."""

Row = list[Cell]
Rows = dict[str, Row]
"""By the name of the case, or of the reader, which is the first cell."""
_OF_CASES = ("case", "last run", "disturbed", "lost", "doubled", "invented", "broken")
_OF_FUZZING = ("reader", "last run", "inputs", "minutes", "broken")
"""Inputs and minutes are those of all runs; what was found before may be mended by now, so what is broken is the last run's."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = script_parser(__doc__)
    parser.add_argument("--hours", type=float, default=4.0)
    parser.add_argument("--only", nargs="+", metavar="KIND", default=[], help=f"of {', '.join((FUZZING, *KINDS))}; parts of names will do")
    parser.add_argument("--readers", nargs="+", metavar="READER", default=[], help="fuzz these alone; parts of names will do")
    parser.add_argument("--short", action="store_true", help="each case once, in about a minute; nothing is kept")
    asked = parser.parse_args(arguments)
    if unknown := [part for part in asked.only if not any(part in kind for kind in (*KINDS, FUZZING))]:
        parser.error(f"there is no kind {', '.join(unknown)}: kinds are {', '.join((FUZZING, *KINDS))}")
    chosen = [kind for kind in (*KINDS, FUZZING) if not asked.only or any(part in kind for part in asked.only)]
    readers = [name for name in TARGETS if not asked.readers or any(part in name for part in asked.readers)]
    if not readers:
        parser.error(f"there is no reader {', '.join(asked.readers)}: readers are {', '.join(TARGETS)}")
    cases, fuzzed = kept()
    broken = False
    for kind in chosen:
        is_alone, seconds = len(chosen) == 1, 3600 * asked.hours
        if kind == FUZZING:
            share = seconds * (1 if is_alone else 1 - _FOR_CASES) * (os.cpu_count() or 1) / len(readers)
            found, rows = fuzzed, run_fuzzing(readers, _SHORT_FUZZING if asked.short else share, dict(fuzzed), short=asked.short)
        else:
            share = seconds * (_FOR_CASES if FUZZING in chosen else 1) / sum(case.kind in chosen for case in CASES)
            found, rows = cases, run_cases(kind, share, short=asked.short)
        for row, is_broken in rows:
            found[str(row[0])] = row
            broken |= is_broken
            if not asked.short:
                keep(cases, fuzzed)
    print(*("", *map(as_text, tables_of(cases, fuzzed))), sep="\n\n")
    return int(broken)


def run_cases(kind: str, seconds: float, *, short: bool) -> Iterator[tuple[Row, bool]]:
    """What came of each case, and whether a promise was broken."""
    for case in CASES:
        name, begun = f"{case.kind}: {case.name}", time.monotonic()
        if case.kind != kind or (short and not case.short):
            continue
        if case.needs_mount and not full_disks.may_mount():
            print(f"{name}: left out, since only root may make a small disk")
            continue
        outcome = run_case(case, Limits(case.short if short else case.times, begun + seconds))
        print(f"{name}: {outcome.times} times in {time.monotonic() - begun:.0f} s", flush=True)
        if not outcome.is_clean:
            print(f"  promised: {case.happens}")
        for fault in (fault for several in outcome.faults() for fault in several):
            print(f"  {fault}", flush=True)
        yield [name, today(), outcome.times, *map(len, outcome.faults())], not outcome.is_clean


def run_case(case: Case, limits: Limits) -> Outcome:
    """In a folder of its own, which goes afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="soak-"))
    try:
        return case.run(folder, limits)
    except Exception as error:  # the other cases can still be tried
        traceback.print_exc()
        return Outcome(broken=[f"{type(error).__name__}: {error}"])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run_fuzzing(readers: Sequence[str], seconds: float, before: Rows, *, short: bool) -> Iterator[tuple[Row, bool]]:
    """What was given to each reader, again after each round; `before`: by the runs so far."""
    folder = Path(tempfile.mkdtemp(prefix="soak-")) if short else ROOT / ".soak"
    told: set[str] = set()
    for tallies in fuzz(readers, seconds, folder, first_seed=int(time.time())):
        for name, tally in tallies.items():
            _, _, inputs, minutes, _ = before.get(name, [name, "", 0, 0, 0])
            for place in sorted({*tally.found} - told):
                print(f"{name}: {place}: see {folder}; promised: {TARGETS[name].promise}", flush=True)
            told |= {*tally.found}
            print(f"{name}: {tally.inputs:,} inputs in {tally.seconds:.0f} s", flush=True)
            row = [name, today(), int(inputs or 0) + tally.inputs, int(minutes or 0) + round(tally.seconds / 60), len(tally.found)]
            yield row, bool(tally.found)


def today() -> str:
    return datetime.now(UTC).date().isoformat()


# --- what is kept ---


def kept() -> tuple[Rows, Rows]:
    """What was found so far of cases and of readers."""
    tables = load(FOUND).tables if FOUND.exists() else ()
    cases, fuzzed = ({str(row[0]): list(row) for row in table.rows} for table in tables) if tables else ({}, {})
    return cases, fuzzed


def keep(cases: Rows, fuzzed: Rows) -> None:
    record = Record("The long run", "What was disturbed, and what was given to readers.")
    record.versions = {name: version_of(name) for name in ("atheris", "hypothesis") if version_of(name) != "-"}
    save(replace(record.result(), tables=tables_of(cases, fuzzed)), FOUND)


def tables_of(cases: Rows, fuzzed: Rows) -> list[Table]:
    return [Table(headings=headings, rows=list(rows.values())) for headings, rows in ((_OF_CASES, cases), (_OF_FUZZING, fuzzed))]


if __name__ == "__main__":
    sys.exit(main())
