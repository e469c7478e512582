"""All targets of the fuzzing in turn, each in processes of its own, so that a hang or a crash of one costs no other."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from soak import ROOT
from soak.fuzzing import HARD_LIMIT, Tally

SLICE = 180.0
"""Seconds that a target is given at a time, so that all have had their share whenever it is stopped."""


def fuzz(targets: Sequence[str], seconds: float, folder: Path, *, first_seed: int = 1) -> dict[str, Tally]:
    """Each target for so many seconds. Inputs of earlier runs count, too, but what they found may be mended by now."""
    begun = time.time()
    for number, (target, piece) in enumerate(_turns(targets, seconds)):
        _run(target, piece, folder, first_seed + number)
    return {target: total_of(target, folder, begun) for target in targets}


def _turns(targets: Sequence[str], seconds: float) -> Iterator[tuple[str, float]]:
    done = 0.0
    while done < seconds:
        piece = min(SLICE, seconds - done)
        yield from ((target, piece) for target in targets)
        done += piece


def _run(target: str, seconds: float, folder: Path, seed: int) -> None:
    """One process; its tally is added to those of the target before."""
    part = folder / f"{int(time.time() * 1000)}-{seed}"
    part.mkdir(parents=True)
    command = [sys.executable, "-m", "soak.fuzzing", target, f"{seconds:.0f}", str(part), "--seed", str(seed)]
    reached = folder / f"{target}.reached"
    if reached.exists():
        reached.rename(part / reached.name)
    with (part / "log.txt").open("w") as log:
        try:
            ended = subprocess.run(command, cwd=ROOT, stdout=log, stderr=log, timeout=seconds + 4 * HARD_LIMIT, check=False).returncode
        except subprocess.TimeoutExpired:
            ended = -1
    if ended != 0:
        (part / f"{target}-ended-{ended}.txt").write_text((part / "log.txt").read_text("utf-8", "replace")[-20_000:], "utf-8")
    if (part / reached.name).exists():
        (part / reached.name).rename(reached)


def total_of(target: str, folder: Path, since: float) -> Tally:
    """What all processes of a target did together, and what those found that began after that moment."""
    whole = Tally(target, "")
    for part in sorted(folder.glob("*-*/")):
        if (path := part / f"{target}.json").exists():
            tally = Tally(**json.loads(path.read_text()))
            whole.inputs += tally.inputs
            whole.seconds += tally.seconds
            whole.engine = tally.engine
            if int(part.name.partition("-")[0]) >= since * 1000:
                whole.found += [place for place in tally.found if place not in whole.found]
                whole.found += [ended.stem for ended in part.glob(f"{target}-ended-*.txt")]
    return whole
