"""One writer a corpus, also of a folder that several machines share."""

from __future__ import annotations

import errno
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from io import FileIO
from itertools import groupby
from pathlib import Path

import pytest

from webarticlecurator.corpus import lock
from webarticlecurator.corpus.lock import locked
from webarticlecurator.errors import CorpusBusy


def test_the_second_writer_is_told_who_the_first_is(tmp_path: Path) -> None:
    with (
        locked(tmp_path / "crawl.lock", "crawl"),
        pytest.raises(CorpusBusy, match=f"process {os.getpid()} on .*, since .*, last sign of life 0 s ago"),
        locked(tmp_path / "crawl.lock", "crawl"),
    ):
        pass


def test_a_lock_that_was_let_go_of_can_be_taken_again(tmp_path: Path) -> None:
    for _ in range(2):
        with locked(tmp_path / "corpus" / "crawl.lock", "crawl"):
            pass


def test_what_a_dead_process_left_in_the_file_holds_nobody_up(tmp_path: Path) -> None:
    (tmp_path / "crawl.lock").write_text('{"process": 1, "host": "gone", "since": "2024-05-01"}')
    with locked(tmp_path / "crawl.lock", "crawl"):
        pass


def test_what_a_dead_process_of_this_machine_left_is_taken_without_waiting(tmp_path: Path) -> None:
    code = "import os, sys; from pathlib import Path; from webarticlecurator.corpus.lock import locked\n"
    code += "with locked(Path(sys.argv[1]), 'crawl'): os._exit(1)"
    subprocess.run([sys.executable, "-c", code, tmp_path / "a"], check=False)
    assert (tmp_path / "a").read_text()
    with locked(tmp_path / "a", "crawl", wait=_never):
        pass


def _never(seconds: float) -> bool:
    raise AssertionError(f"waited for {seconds} s")


@pytest.fixture
def move_to(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Go on as if on another machine, where the locks of the system do not reach."""
    monkeypatch.setattr(lock, "_take", lambda _: None)
    return lambda machine: monkeypatch.setattr(lock, "this_machine", lambda: machine)


def test_a_lock_of_another_machine_that_gives_signs_of_life_is_never_taken(tmp_path: Path, move_to: Callable[[str], None]) -> None:
    file, waited, said = tmp_path / "crawl.lock", [], []
    move_to("one")
    with locked(file, "crawl") as held:

        def beaten_meanwhile(seconds: float) -> None:
            waited.append(seconds)
            if sum(waited) > lock.PATIENCE - lock.BEAT:
                held.give_sign()

        move_to("two")
        with pytest.raises(CorpusBusy, match="Another crawl"), locked(file, "crawl", say=said.append, wait=beaten_meanwhile):
            pass
        assert held.is_ours()
    assert f"process {os.getpid()} on " in said[0] and "Watching for 30 s" in said[0]


def test_a_lock_of_another_machine_without_signs_of_life_is_taken_over_and_its_holder_writes_no_more(
    tmp_path: Path, move_to: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, waited = tmp_path / "crawl.lock", []
    move_to("one")
    with locked(file, "crawl") as asleep:
        asleep.check()
        move_to("two")
        with locked(file, "crawl", wait=waited.append) as awake:
            assert sum(waited) >= lock.PATIENCE + lock.SETTLING
            now = time.clock_gettime(time.CLOCK_BOOTTIME)
            monkeypatch.setattr(lock, "_clock", lambda: now + lock.PATIENCE)
            with pytest.raises(CorpusBusy, match="taken over by process"):
                asleep.check()
            awake.check()
    assert file.read_bytes() == b""  # the one that had lost it did not let go of the other's


def test_a_holder_that_is_stopped_just_after_it_looked_at_the_file_looks_again_before_it_writes(
    tmp_path: Path, move_to: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, clock = tmp_path / "crawl.lock", [1_000.0]
    monkeypatch.setattr(lock, "_clock", lambda: clock[0])
    move_to("one")
    with locked(file, "crawl") as stopped:

        def stopped_here(path: Path) -> None:
            if clock[0] < 1_050:
                clock[0] += 60
                file.write_text('{"process": 7, "host": "four", "since": "now", "machine": "four", "token": "y"}')

        monkeypatch.setattr(os, "utime", stopped_here)
        clock[0] += lock.PATIENCE
        with pytest.raises(CorpusBusy, match="taken over by process 7 on four"):
            stopped.check()


def test_where_another_machine_took_it_in_the_same_moment_only_one_goes_on(tmp_path: Path, move_to: Callable[[str], None]) -> None:
    file = tmp_path / "crawl.lock"
    file.write_text('{"process": 1, "host": "a", "since": "b", "machine": "three", "token": "x"}')
    move_to("two")

    def taken_by_another(seconds: float) -> None:
        if seconds == lock.SETTLING:
            file.write_text('{"process": 7, "host": "four", "since": "now", "machine": "four", "token": "y"}')

    with pytest.raises(CorpusBusy, match="process 7 on four"), locked(file, "crawl", wait=taken_by_another):
        pass
    assert b"four" in file.read_bytes()


def test_where_another_machine_saw_it_free_and_signed_it_later_the_first_writes_no_more(
    tmp_path: Path, move_to: Callable[[str], None]
) -> None:
    file = tmp_path / "crawl.lock"
    move_to("one")
    with locked(file, "crawl") as first:
        first.check()
        file.write_text('{"process": 7, "host": "four", "since": "now", "machine": "four", "token": "y"}')
        with pytest.raises(CorpusBusy, match="taken over by process 7 on four"):
            first.check()
    assert b"four" in file.read_bytes()


def test_a_person_need_not_wait_until_it_is_clear_whether_another_machine_lives(tmp_path: Path, move_to: Callable[[str], None]) -> None:
    (tmp_path / "crawl.lock").write_text('{"process": 1, "host": "a", "since": "b", "machine": "three", "token": "x"}')
    move_to("two")
    with pytest.raises(CorpusBusy, match="Interrupted"), locked(tmp_path / "crawl.lock", "crawl", wait=lambda _: True):
        pass


def test_a_file_system_without_locks_leaves_the_signs_of_life(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none_here(file: FileIO) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(lock, "_take", none_here)
    waited: list[float] = []
    with locked(tmp_path / "crawl.lock", "crawl", wait=waited.append) as held:
        assert waited == [lock.SETTLING]

        def beaten(_: float) -> None:
            held.give_sign()

        with pytest.raises(CorpusBusy), locked(tmp_path / "crawl.lock", "crawl", wait=beaten):
            pass


def test_a_lock_that_is_held_gives_its_signs_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "BEAT", 0.01)
    file = tmp_path / "crawl.lock"
    with locked(file, "crawl"), locked(tmp_path / "build.lock", "build"):
        os.utime(file, (0, 0))
        deadline = time.monotonic() + 20
        while file.stat().st_mtime == 0 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert file.stat().st_mtime > 0
    while any(thread.name == "signs of life" for thread in threading.enumerate()) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(thread.name == "signs of life" for thread in threading.enumerate())


_A_MACHINE = """
import os, random, sys, time
from pathlib import Path
from webarticlecurator.corpus import lock
from webarticlecurator.errors import CorpusBusy

lock._take = lambda file: None
lock.this_machine = lambda: sys.argv[1]
lock.BEAT, lock.PATIENCE, lock.SETTLING = 0.1, 1.5, 0.5
folder, chance, turn = Path(sys.argv[2]), random.Random(sys.argv[1]), 0
until = time.monotonic() + 6
while time.monotonic() < until or turn < 2:
    try:
        with lock.locked(folder / "crawl.lock", "crawl") as held:
            turn += 1
            for _ in range(chance.randrange(1, 6)):
                held.check()
                with (folder / "written").open("a") as file:
                    file.write(f"{sys.argv[1]}.{turn}\\n")
                time.sleep(chance.uniform(0, 0.1))
    except CorpusBusy:
        time.sleep(chance.uniform(0, 0.2))
    time.sleep(0.05)
"""


@pytest.mark.slow
def test_machines_that_die_at_random_never_hold_it_together_and_never_stop_the_others(tmp_path: Path) -> None:
    chance, names = random.Random(14), iter(range(1_000))

    def start() -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-c", _A_MACHINE, str(next(names)), str(tmp_path)])

    machines = [start() for _ in range(3)]
    for _ in range(3):
        time.sleep(chance.uniform(0.5, 2.0))
        dead = machines.pop(chance.randrange(len(machines)))
        dead.send_signal(signal.SIGKILL)
        dead.wait()
        machines.append(start())
    assert [machine.wait(timeout=120) for machine in machines] == [0, 0, 0]
    turns = [turn for turn, _ in groupby((tmp_path / "written").read_text().split())]
    assert len(turns) == len(set(turns)), "whoever was taken for dead, and wakes, writes no more"
    assert len(turns) >= 6
