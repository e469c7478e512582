from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

import pytest

from webarticlecurator.cli.interrupt import interruptible


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
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
