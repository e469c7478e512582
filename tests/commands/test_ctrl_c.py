from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from webarticlecurator.cli.exit_codes import ExitCode
from webarticlecurator.cli.interrupt import interruptible


@pytest.fixture(autouse=True)
def _not_under_nohup() -> Iterator[None]:
    """`nohup` and jobs in the background begin with signals ignored, which is left so."""
    before = {number: signal.signal(number, signal.SIG_DFL) for number in (signal.SIGHUP, signal.SIGTERM)}
    before[signal.SIGINT] = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_first_signal_asks_for_a_clean_end(number: signal.Signals, capfd: pytest.CaptureFixture[str]) -> None:
    with interruptible() as stop:
        assert not stop.is_set()
        os.kill(os.getpid(), number)
        assert stop.wait(1)
    assert "Ctrl-C again" in capfd.readouterr().err


def test_quiet_stops_without_a_word(capfd: pytest.CaptureFixture[str]) -> None:
    with interruptible(quiet=True) as stop:
        os.kill(os.getpid(), signal.SIGINT)
        assert stop.wait(1)
    assert capfd.readouterr().err == ""


def test_afterwards_signals_mean_what_they_meant_before() -> None:
    before = signal.getsignal(signal.SIGINT)
    with interruptible():
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.slow
def test_the_second_signal_ends_the_process_with_130_even_while_threads_run() -> None:
    script = (
        "import os, signal, threading, time\n"
        "from webarticlecurator.cli.interrupt import interruptible\n"
        "threading.Thread(target=time.sleep, args=(60,)).start()\n"
        "with interruptible():\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=20, check=False)
    assert ended.returncode == 130
    assert "Traceback" not in ended.stderr


def test_outside_the_main_thread_it_does_no_harm() -> None:
    events: list[threading.Event] = []

    def work() -> None:
        with interruptible() as stop:
            events.append(stop)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert not events[0].is_set()


def test_a_terminal_that_hangs_up_twice_does_not_end_it_at_once(capfd: pytest.CaptureFixture[str]) -> None:
    with interruptible() as stop:
        os.kill(os.getpid(), signal.SIGHUP)
        os.kill(os.getpid(), signal.SIGHUP)
        assert stop.wait(1)
    assert capfd.readouterr().err.count("Stopping") == 1


def test_what_nohup_ignores_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with interruptible() as stop:
            os.kill(os.getpid(), signal.SIGHUP)
            assert not stop.is_set()
    finally:
        signal.signal(signal.SIGHUP, before)


CTRL_C = "os.kill(os.getpid(), signal.SIGINT)"


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(f"{CTRL_C}", id="once"),
        pytest.param(f"try: {CTRL_C}\n    finally:\n        {CTRL_C}; print('still there')", id="again while the first ends the command"),
        pytest.param(
            f"class Gone:\n        def __del__(self):\n            {CTRL_C}; print('still there')\n    Gone()\n    print('still there')",
            id="where nothing can be raised",
        ),
        pytest.param(
            "def last():\n        while threading.main_thread().is_alive(): pass\n"
            f"        while True: {CTRL_C}; time.sleep(0.01)\n    threading.Thread(target=last).start()\n    return 0",
            id="when the command is done and a thread is not",
        ),
        pytest.param(f"import atexit; atexit.register(lambda: {CTRL_C})\n    return 0", id="at the interpreter's very end"),
    ],
)
@pytest.mark.slow
def test_whenever_ctrl_c_comes_the_process_ends_with_130_and_without_a_word(command: str) -> None:
    script = (
        "import os, signal, sys, threading, time\n"
        "from webarticlecurator.cli.interrupt import guarded\n"
        f"def command():\n    {command}\n"
        "sys.exit(guarded(lambda: command))\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=20, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (ExitCode.INTERRUPTED, "", "")


@pytest.mark.slow
def test_what_a_script_runs_in_the_background_does_not_hear_of_ctrl_c() -> None:
    script = (
        "import os, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "from webarticlecurator.cli.interrupt import guarded\n"
        "def command():\n    os.kill(os.getpid(), signal.SIGINT)\n    return 7\n"
        "sys.exit(guarded(lambda: command))\n"
    )
    assert subprocess.run([sys.executable, "-c", script], timeout=20, check=False).returncode == 7
