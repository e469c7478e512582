"""The long run: `make soak`, or `python -m soak [--hours 4] [--only KIND ...] [--readers READER ...] [--short] [--page]`.

A quarter of the time is for what is disturbed (each case so often, and no longer than its share), the rest for fuzzing, on all
processors. Kinds are fuzzing, kills, power cuts, full disks, network, clocks, databases, portal files. Results lie in
`benchmarks/results/soak/`, and docs/explanation/long-run.md is written of them. What fuzzing has reached lies in `.soak/`, where the next
run goes on; its inputs are added to those of its last result. The exit code is 1 where a promise was broken.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.results import FOLDER, Record, load_all, save, version_of
from soak import ROOT, full_disks, kills, power_cuts, surroundings
from soak.cases import Case, Limits, Outcome
from soak.fuzz_rounds import fuzz
from soak.fuzz_targets import TARGETS
from soak.fuzzing import Tally
from soak.page import COUNTS, PAGE, long_run_page

RESULTS = FOLDER / "soak"
CASES: tuple[Case, ...] = (*kills.CASES, *power_cuts.CASES, *full_disks.CASES, *surroundings.CASES)
KINDS = tuple(dict.fromkeys(case.kind for case in CASES))
FUZZING = "fuzzing"
_FOR_CASES = 0.25
_SHORT_FUZZING = 2.0
"""Seconds for each target."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m soak", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=4.0)
    parser.add_argument("--only", nargs="+", metavar="KIND", default=[], help=f"of {', '.join((FUZZING, *KINDS))}; parts of names will do")
    parser.add_argument("--readers", nargs="+", metavar="READER", default=[], help="fuzz these alone; parts of names will do")
    parser.add_argument("--short", action="store_true", help="each case once, in about a minute; nothing is kept")
    parser.add_argument("--page", action="store_true", help="only write the page of what was found before")
    asked = parser.parse_args(arguments)
    if not asked.page:
        if unknown := [part for part in asked.only if not any(part in kind for kind in (*KINDS, FUZZING))]:
            parser.error(f"there is no kind {', '.join(unknown)}: kinds are {', '.join((FUZZING, *KINDS))}")
        chosen = [kind for kind in (*KINDS, FUZZING) if not asked.only or any(part in kind for part in asked.only)]
        readers = [name for name in TARGETS if not asked.readers or any(part in name for part in asked.readers)]
        if not readers:
            parser.error(f"there is no reader {', '.join(asked.readers)}: readers are {', '.join(TARGETS)}")
        broken = sum([_run(kind, chosen, readers, asked.hours * 3600, short=asked.short) for kind in chosen])
        if asked.short:
            return 1 if broken else 0
    PAGE.write_text(long_run_page(load_all(RESULTS), CASES, TARGETS), encoding="utf-8")
    print(f"written: {PAGE.relative_to(ROOT)}")
    return 1 if not asked.page and broken else 0


def _run(kind: str, chosen: Sequence[str], readers: Sequence[str], seconds: float, *, short: bool) -> int:
    """How many promises were broken."""
    if kind == FUZZING:
        processors = os.cpu_count() or 1
        share = _SHORT_FUZZING if short else seconds * (1 - _FOR_CASES if len(chosen) > 1 else 1) * processors / len(readers)
        return _fuzzing(readers, share, short=short)
    share = seconds * (_FOR_CASES if FUZZING in chosen else 1)
    cases = [case for case in CASES if case.kind in chosen]
    return _cases(kind, [case for case in cases if case.kind == kind], share / len(cases), short=short)


def _cases(kind: str, cases: Iterable[Case], seconds: float, *, short: bool) -> int:
    record, rows, broken = Record(title=kind, about=f"The cases of {kind}."), [], 0
    for case in cases:
        if short and not case.short:
            continue
        if case.needs_mount and not full_disks.may_mount():
            record.leave_out(f"{case.name}: only root may make a small disk")
            continue
        begun = time.monotonic()
        outcome = run_case(case, Limits(case.short if short else case.times, begun + seconds))
        rows.append((case.name, outcome.times, *map(len, outcome.faults())))
        broken += sum(map(len, outcome.faults()))
        print(f"{kind}: {case.name}: {outcome.times} times in {time.monotonic() - begun:.0f} s", flush=True)
        for fault in (fault for several in outcome.faults() for fault in several):
            print(f"  {fault}", flush=True)
    record.table("", ("case", *COUNTS), rows)
    record.end(None if short else RESULTS / f"{kind.replace(' ', '_')}.json")
    return broken


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


def _fuzzing(readers: Sequence[str], seconds: float, *, short: bool) -> int:
    folder = Path(tempfile.mkdtemp(prefix="soak-")) if short else ROOT / ".soak"
    place = None if short else RESULTS / f"{FUZZING}.json"
    record = Record(title=FUZZING, about="What was given to each reader.")
    record.versions = {name: version_of(name) for name in ("atheris", "hypothesis") if version_of(name) != "-"}
    before, tallies = _fuzzed_before(), dict[str, Tally]()
    for tallies in fuzz(readers, seconds, folder, first_seed=int(time.time())):
        record.tables.clear()
        rows = [_so_far(name, tallies.get(name), *before.get(name, (0, 0, 0))) for name in TARGETS]
        record.table("", ("reader", "inputs", "minutes", "broken"), rows)
        if place is not None:
            save(replace(record.result(), name=FUZZING), place.parent)
    record.end(place)
    for tally in tallies.values():
        for found in tally.found:
            print(f"  {tally.target}: {found}: see {folder}", flush=True)
    return sum(len(tally.found) for tally in tallies.values())


def _so_far(name: str, tally: Tally | None, inputs: int, minutes: int, broken: int) -> tuple[str, int, int, int]:
    """With what this run has added. What was found before may be mended by now, and is not counted again."""
    if tally is None:
        return name, inputs, minutes, broken
    return name, inputs + tally.inputs, minutes + round(tally.seconds / 60), len(tally.found)


def _fuzzed_before() -> dict[str, tuple[int, int, int]]:
    """Reader -> inputs, minutes and what was broken, as of the runs so far."""
    if (result := load_all(RESULTS).get(FUZZING)) is None:
        return {}
    (table,) = result.tables
    return {str(name): (int(inputs or 0), int(minutes or 0), int(broken or 0)) for name, inputs, minutes, broken in table.rows}


if __name__ == "__main__":
    sys.exit(main())
