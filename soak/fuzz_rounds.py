"""All targets of the fuzzing by turns, one a processor, each in processes of its own, so that a hang or a crash of one costs no other."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import repeat
from pathlib import Path

from soak import ROOT
from soak.fuzzing import HARD_LIMIT, Tally

SLICE = 180.0
"""Seconds that a target is given at a time, so that all have had their share whenever it is stopped."""

HANGS = -1
"""In place of the exit code of a process that had to be ended."""


def fuzz(targets: Sequence[str], seconds: float, folder: Path, *, first_seed: int = 1) -> Iterator[dict[str, Tally]]:
    """Each target for so many seconds; after each round what was done so far, so that a run that is stopped loses no more than a round."""
    begun = time.time()
    with ThreadPoolExecutor(os.cpu_count()) as processors:
        for number, piece in enumerate(_pieces(seconds)):
            seeds = range(first_seed + number * len(targets), first_seed + (number + 1) * len(targets))
            list(processors.map(_run, targets, repeat(piece), repeat(folder), seeds))
            yield {target: total_of(target, folder, begun) for target in targets}


def _pieces(seconds: float) -> Iterator[float]:
    while seconds > 0:
        yield min(SLICE, seconds)
        seconds -= SLICE


def _run(target: str, seconds: float, folder: Path, seed: int) -> None:
    """One process, which goes on from what the target has reached."""
    part = folder / f"{int(time.time() * 1000)}-{seed}"
    part.mkdir(parents=True)
    command = [sys.executable, "-m", "soak.fuzzing", target, f"{seconds:.0f}", str(part), "--seed", str(seed)]
    reached = folder / f"{target}.reached"
    if reached.exists():
        reached.rename(part / reached.name)
    with (part / "log.txt").open("w") as log:
        process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)
        ended = _ended(process, seconds + 4 * HARD_LIMIT)
    if ended != 0:
        (part / f"{target}-ended-{ended}.txt").write_text((part / "log.txt").read_text("utf-8", "replace")[-20_000:], "utf-8")
    if (part / reached.name).exists():
        (part / reached.name).rename(reached)


def _ended(process: subprocess.Popen[bytes], seconds: float) -> int:
    """The exit code, or HANGS. Second for second: while the whole run is paused, as for a measurement beside it, none goes by."""
    for _ in range(math.ceil(seconds)):
        with suppress(subprocess.TimeoutExpired):
            return process.wait(1)
    process.kill()
    process.wait()
    return HANGS


def total_of(target: str, folder: Path, since: float) -> Tally:
    """What the processes of a target that began after that moment did and found together."""
    whole = Tally(target, "")
    for part in sorted(folder.glob("[0-9]*-*/")):
        if int(part.name.partition("-")[0]) < since * 1000:
            continue
        if (path := part / f"{target}.json").exists():
            tally = Tally(**json.loads(path.read_text()))
            whole.inputs += tally.inputs
            whole.seconds += tally.seconds
            whole.engine = tally.engine
            whole.found += [place for place in tally.found if place not in whole.found]
        whole.found += [ended.stem for ended in part.glob(f"{target}-ended-*.txt")]
    return whole
