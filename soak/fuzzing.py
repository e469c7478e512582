"""Fuzzing: by atheris, which is guided by what the code reaches, else by hypothesis.

`python -m soak.fuzzing NAME SECONDS FOLDER` leaves what it found in FOLDER: a file for each broken promise, with the input that broke it.
"""

from __future__ import annotations

import argparse
import faulthandler
import importlib.util
import json
import math
import os
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

from soak import ROOT

PACKAGE = "webarticlecurator"
HARD_LIMIT = 120.0
"""Seconds after which a process that nothing else can stop is ended, with the place where it hangs."""
_TOLD_EVERY = 5.0
_LONGEST_INPUT = 4000


class TooSlow(Exception):
    """One input took more CPU than any should."""


@dataclass(slots=True)
class Tally:
    """What a process has done so far."""

    target: str
    inputs: int = 0
    seconds: float = 0.0
    """Of CPU: what else runs on the machine makes no difference."""
    found: list[str] = field(default_factory=list)
    """Where each broken promise was told from."""


class Fuzzed:
    """A target with its tally: each input is counted, timed, and what it breaks is kept once."""

    def __init__(self, name: str, check: Callable[[Any], None], limit: float, folder: Path) -> None:
        self.tally = Tally(name)
        self.shown: dict[str, str] = {}
        """Place of a fault -> the last input that led there: the smallest, when hypothesis has made it small."""
        self._check = check
        self._limit = limit
        self._folder = folder
        self._told, self._begun = time.monotonic(), time.process_time()
        self._trace = (folder / f"{name}.hang").open("w")  # closed with the process, which may end in a hang
        signal.signal(signal.SIGVTALRM, _too_slow)

    def __call__(self, value: Any, *, known_pass: bool = True) -> None:
        """Raises what the input broke, unless that is known."""
        faulthandler.dump_traceback_later(HARD_LIMIT, exit=True, file=self._trace)
        signal.setitimer(signal.ITIMER_VIRTUAL, self._limit)
        try:
            self._check(value)
        except Exception as error:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            place = _place_of(error)
            if place in self.tally.found and known_pass:
                return
            self.shown[place] = f"{traceback.format_exc()}\n--- the input ---\n{value!r}"[-100_000:]
            raise
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            self.tally.inputs += 1
            self._tell()

    def keep(self) -> None:
        """Write down what is new."""
        for place, shown in self.shown.items():
            if place not in self.tally.found:
                self.tally.found.append(place)
            (self._folder / f"{self.tally.target}-{self.tally.found.index(place) + 1}.txt").write_text(
                shown, encoding="utf-8", errors="replace"
            )
        self.shown.clear()
        self._tell(now=True)

    def _tell(self, *, now: bool = False) -> None:
        moment = time.monotonic()
        if now or moment - self._told > _TOLD_EVERY:
            self._told, self.tally.seconds = moment, time.process_time() - self._begun
            (self._folder / f"{self.tally.target}.json").write_text(json.dumps(asdict(self.tally)))


def _too_slow(_: int, __: FrameType | None) -> None:
    raise TooSlow


def _place_of(error: Exception) -> str:
    """Kind of the error, and the innermost line of ours: what two inputs have in common that found the same."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if f"/{PACKAGE}/" in frame.filename] or list(frames)
    if isinstance(error, AssertionError) or not ours:
        ours = [frame for frame in frames if "/soak/" in frame.filename or "/tests/" in frame.filename] or list(frames)
    return f"{type(error).__name__} at {Path(ours[-1].filename).name}:{ours[-1].lineno}"


def by_hypothesis(name: str, seconds: float, folder: Path, seed: int) -> None:
    """Rounds of made-up inputs, each with another seed; what breaks a promise is made as small as can be."""
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import seed as seeded

    from soak.fuzz_targets import TARGETS

    target = TARGETS[name]
    fuzzed = Fuzzed(name, target.check, target.seconds, folder)
    if target.seeds is not None:
        target.seeds()  # made before hypothesis counts on nothing else being drawn by chance
    until, chance = time.monotonic() + seconds, Random(seed)
    while (left := until - time.monotonic()) > 0:

        @seeded(chance.getrandbits(64))
        @settings(
            max_examples=300 if left > 20 else 25,
            deadline=None, database=None, suppress_health_check=list(HealthCheck), phases=(Phase.generate, Phase.shrink),
        )  # fmt: skip
        @given(target.inputs)
        def one_round(value: Any) -> None:
            if time.monotonic() < until + HARD_LIMIT:
                fuzzed(value)

        with suppress(Exception, ExceptionGroup):
            one_round()
        fuzzed.keep()


def by_atheris(name: str, seconds: float, folder: Path, seed: int) -> None:
    """Inputs that reach new places are kept and changed further; what they are lies in FOLDER for the next time."""
    import atheris

    with atheris.instrument_imports(include=[PACKAGE], enable_loader_override=False):
        from soak.fuzz_targets import TARGETS
    from hypothesis import given, settings

    target = TARGETS[name]
    fuzzed = Fuzzed(name, target.check, target.seconds, folder)

    @settings(deadline=None, database=None)
    @given(target.inputs)
    def as_made_up(value: Any) -> None:
        fuzzed(value)

    feed = fuzzed if target.seeds else as_made_up.hypothesis.fuzz_one_input
    reached = folder / f"{name}.reached"
    if not reached.exists():
        reached.mkdir()
        for number, content in enumerate(target.seeds() if target.seeds else ()):
            (reached / f"seed-{number}").write_bytes(content)

    def one(data: bytes) -> None:
        with suppress(Exception):
            feed(data)
        if fuzzed.shown:
            fuzzed.keep()

    options = [
        f"-max_total_time={max(1, int(seconds))}",
        f"-seed={seed}",
        "-max_len=8192",
        "-rss_limit_mb=4000",
        f"-timeout={HARD_LIMIT:.0f}",
    ]
    atheris.Setup([sys.argv[0], *options, "-print_final_stats=0", "-verbosity=0", f"-artifact_prefix={folder}/{name}-", str(reached)], one)
    atheris.Fuzz()


ENGINES = {"atheris": by_atheris, "hypothesis": by_hypothesis}


# --- all targets by turns, one a processor, each in processes of its own, so that a hang or a crash of one costs no other ---

SLICE = 180.0
"""Seconds that a target is given at a time, so that all have had their share whenever it is stopped."""
HANGS = -1
"""In place of the exit code of a process that had to be ended."""


def fuzz(targets: Sequence[str], seconds: float, folder: Path, *, first_seed: int) -> Iterator[dict[str, Tally]]:
    """Each target for so many seconds; after each round what was done so far, so that a run that is stopped loses no more than a round."""
    begun, seed = time.time(), count(first_seed)
    with ThreadPoolExecutor(os.cpu_count()) as processors:
        while seconds > 0:
            piece = min(SLICE, seconds)
            list(processors.map(lambda target, piece=piece: _in_a_process(target, piece, folder, next(seed)), targets))
            seconds -= piece
            yield {target: total_of(target, folder, begun) for target in targets}


def _in_a_process(target: str, seconds: float, folder: Path, seed: int) -> None:
    """Goes on from what the target has reached."""
    part = folder / f"{int(time.time() * 1000)}-{seed}"
    part.mkdir(parents=True)
    command = [sys.executable, "-m", "soak.fuzzing", target, f"{seconds:.0f}", str(part), "--seed", str(seed)]
    reached = folder / f"{target}.reached"
    if reached.exists():
        reached.rename(part / reached.name)
    with (part / "log.txt").open("w") as log:
        process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)
        code = _exit_code(process, seconds + 4 * HARD_LIMIT)
    if code != 0:
        (part / f"{target}-ended-{code}.txt").write_text((part / "log.txt").read_text("utf-8", "replace")[-20_000:], "utf-8")
    if (part / reached.name).exists():
        (part / reached.name).rename(reached)


def _exit_code(process: subprocess.Popen[bytes], seconds: float) -> int:
    """Or HANGS. Second for second: while the whole run is paused, as for a measurement beside it, none goes by."""
    for _ in range(math.ceil(seconds)):
        with suppress(subprocess.TimeoutExpired):
            return process.wait(1)
    process.kill()
    process.wait()
    return HANGS


def total_of(target: str, folder: Path, since: float) -> Tally:
    """What the processes of a target that began after that moment did and found together."""
    whole = Tally(target)
    for part in sorted(folder.glob("[0-9]*-*/")):
        if int(part.name.partition("-")[0]) < since * 1000:
            continue
        if (path := part / f"{target}.json").exists():
            tally = Tally(**json.loads(path.read_text()))
            whole.inputs += tally.inputs
            whole.seconds += tally.seconds
            whole.found += [place for place in tally.found if place not in whole.found]
        whole.found += [ended.stem for ended in part.glob(f"{target}-ended-*.txt")]
    return whole


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target")
    parser.add_argument("seconds", type=float)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", choices=ENGINES, default="atheris" if importlib.util.find_spec("atheris") else "hypothesis")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    ENGINES[options.engine](options.target, options.seconds, options.folder, options.seed)


if __name__ == "__main__":
    main()
