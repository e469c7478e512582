"""Ctrl-C: the first ends a command cleanly, the second ends it at once; never a traceback, and never the wrong exit code."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scripted_portal import listing

SOON = 60.0
"""Seconds in which a process must have done what it was told."""


@pytest.fixture(autouse=True)
def _not_under_nohup() -> Iterator[None]:
    """`nohup` and jobs in the background begin with signals ignored, which is left so."""
    before = {number: signal.signal(number, signal.SIG_DFL) for number in (signal.SIGHUP, signal.SIGTERM)}
    before[signal.SIGINT] = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def crawled(desk: Any, *numbers: signal.Signals, flags: str = "") -> Any:
    """A crawl of thirty articles, during which this process hears these signals."""

    def send(_: str) -> str:
        for number in numbers:
            os.kill(os.getpid(), number)
        return "<h1>Cikk</h1><p>Szöveg."

    desk.rules()
    desk.site.script |= {"/l/1": listing(*range(30)), "/l/2": listing(), "/c/3": send}
    return desk.types(f"crawl portal.yaml {flags}")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_first_signal_ends_a_crawl_cleanly_and_the_next_crawl_goes_on(number: signal.Signals, desk: Any) -> None:
    before = signal.getsignal(number)
    ended = crawled(desk, number)
    assert ended.code == 4
    assert ended.err.count("Ctrl-C again") == 1
    assert "Incomplete: interrupted" in ended.err
    assert signal.getsignal(number) is before, "afterwards signals mean what they meant before"
    assert not list(Path("corpora/pelda/warc").glob("*.open"))
    desk.site.script.pop("/c/3")
    assert desk.types("crawl portal.yaml").code == 0
    assert sorted(desk.site.articles_asked.count(f"/c/{article}") for article in range(30)) == [1] * 30


def test_quiet_stops_without_a_word_and_a_terminal_may_hang_up_twice(desk: Any) -> None:
    ended = crawled(desk, signal.SIGHUP, signal.SIGHUP, flags="--quiet")
    assert (ended.code, "Stopping" in ended.err) == (4, False)


def test_what_nohup_ignores_stays_ignored(desk: Any) -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    assert crawled(desk, signal.SIGHUP).code == 0


CTRL_C = "os.kill(os.getpid(), signal.SIGINT)"


def ended_process(command: str) -> subprocess.CompletedProcess[str]:
    """How a process `curator` ends that does this."""
    script = (
        f"import os, signal, sys, threading, time\nsys.path.insert(0, {str(Path(__file__).resolve().parents[1] / 'support')!r})\n"
        f"from seams import as_process\ndef command():\n    {command}\nsys.exit(as_process(command))\n"
    )
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=SOON, check=False)


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(CTRL_C, id="once"),
        pytest.param(
            f"try: {CTRL_C}\n    finally:\n        {CTRL_C}; print('still there')",
            id="again while the first ends the command",
            marks=pytest.mark.nightly,
        ),
        pytest.param(
            f"class Gone:\n        def __del__(self):\n            {CTRL_C}; print('still there')\n    Gone()\n    print('still there')",
            id="where nothing can be raised",
            marks=pytest.mark.nightly,
        ),
        pytest.param(
            "def last():\n        while threading.main_thread().is_alive(): pass\n"
            f"        while True: {CTRL_C}; time.sleep(0.01)\n    threading.Thread(target=last).start()\n    return 0",
            id="when the command is done and a thread is not",
            marks=pytest.mark.nightly,
        ),
        pytest.param(f"import atexit; atexit.register(lambda: {CTRL_C})\n    return 0", id="at the interpreter's very end"),
    ],
)
def test_whenever_ctrl_c_comes_the_process_ends_with_130_and_without_a_word(command: str) -> None:
    ended = ended_process(command)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")


def test_what_a_script_runs_in_the_background_does_not_hear_of_ctrl_c() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    assert ended_process(f"{CTRL_C}\n    return 7").returncode == 7
