"""Commands of curator in processes that begin at once, since they are forked from one that has all loaded; so they can be killed often."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from multiprocessing.context import ForkServerContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random

_PRELOADED = [
    *("webarticlecurator.__main__", "webarticlecurator.cli.app", "webarticlecurator.stages.pipeline", "webarticlecurator.stages.build"),
    *("webarticlecurator.stages.export", "webarticlecurator.stages.learn", "webarticlecurator.exporting.formats", "soak.commands"),
]
BAD_SIGNS = ("Traceback", "bug of curator")
PATIENCE = 120.0
"""Seconds after which a command that has not ended hangs."""


@cache
def _server() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_PRELOADED)
    return context


@dataclass(slots=True)
class Running:
    """A command in a process of its own."""

    process: BaseProcess
    said: Path

    def kill_after(self, seconds: float) -> bool:
        """As the system kills it; False when it had ended before."""
        self.process.join(seconds)
        if self.process.exitcode is not None:
            return False
        self.process.kill()
        self.process.join()
        return True

    def end(self) -> int:
        """Its exit code; whatever hangs is killed, and its code is negative."""
        self.process.join(PATIENCE)
        if self.process.exitcode is None:
            self.process.kill()
            self.process.join()
        return int(self.process.exitcode or 0)

    @property
    def bad_signs(self) -> list[str]:
        """What no command may ever say."""
        text = self.said.read_text("utf-8", "replace")
        return [line for line in text.splitlines() if any(sign in line for sign in BAD_SIGNS)]


def start(folder: Path, *words: object, before: Callable[[], None] | None = None) -> Running:
    """`curator WORDS`; `before` is done in its process, at its beginning."""
    folder.mkdir(parents=True, exist_ok=True)
    said = folder / "said.txt"
    process = _server().Process(target=_command, args=(str(said), tuple(map(str, words)), before))
    process.start()
    return Running(process, said)


def _command(said: str, words: Sequence[str], before: Callable[[], None] | None) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with open(said, "w", encoding="utf-8") as stream:  # noqa: PTH123
        os.dup2(stream.fileno(), 1)
        os.dup2(stream.fileno(), 2)
    sys.argv = ["curator", *words]
    from webarticlecurator.__main__ import main

    if before is not None:
        before()
    code = main()
    with contextlib.suppress(Exception):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def killed_until_done(folder: Path, chance: Random, usual: float, kills: int, *words: object) -> tuple[int, Running]:
    """Start a command, kill it at a random moment, and so on; at last let it end. Gives the number of kills, and the last run."""
    killed = 0
    while killed < kills:
        running = start(folder, *words)
        if not running.kill_after(usual * 0.8**killed * chance.uniform(0, 0.7)):  # each run has less left to do
            break
        killed += 1
    last = start(folder, *words)
    last.end()
    return killed, last


def seconds_of(folder: Path, *words: object) -> float:
    """How long an undisturbed run takes."""
    start(folder / "warm", "--version").end()  # so that the process is there from which all others are forked
    begun = time.monotonic()
    code = start(folder, *words).end()
    if code not in (0, 1):
        raise RuntimeError(f"an undisturbed `curator {' '.join(map(str, words))}` ended with {code}: {(folder / 'said.txt').read_text()}")
    return time.monotonic() - begun
