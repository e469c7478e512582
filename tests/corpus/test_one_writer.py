"""One writer a corpus, also of a folder that several machines share: the second is told who the first is, and nothing is doubled."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from scripted_portal import Crawler, listing
from warc_records import records

OTHER = {"process": 7, "host": "four", "since": "2024-05-01T00:00:00+00:00", "machine": "another machine", "token": "y", "sign": ""}
"""What a machine writes into the file that says who holds a corpus."""


def articles(crawler: Crawler) -> Counter[str]:
    """Responses of each article that are stored."""
    stored = (record for file in (crawler.corpus / "warc").iterdir() for record in records(file))
    return Counter(record.url.removeprefix(crawler.portal.home) for record in stored if record.type == "response" and "/c/" in record.url)


@pytest.fixture
def ready(crawler: Crawler) -> Crawler:
    crawler.portal.script["/lista"] = listing(*range(1, 7))
    (crawler.corpus).mkdir()
    return crawler


@pytest.fixture
def lock(ready: Crawler) -> Path:
    return ready.corpus / "crawl.lock"


def test_the_second_of_one_machine_is_told_who_the_first_is_and_asks_for_nothing(ready: Crawler, curator: Callable[..., Any]) -> None:
    arrived, free = threading.Event(), threading.Event()

    def wait(_: str) -> str:
        arrived.set()
        free.wait(60)
        return "<p>Text."

    ready.portal.script["/c/6"] = wait
    first = subprocess.Popen(
        [sys.executable, "-m", "webarticlecurator", "crawl", str(ready.file), "--corpus", str(ready.corpus), "--quiet"]
    )
    assert arrived.wait(60)
    asked = len(ready.portal.asked)
    second = curator("crawl", ready.file, "--corpus", ready.corpus)
    third = curator("warc", "index", ready.file, "--corpus", ready.corpus)
    assert (second.code, third.code, len(ready.portal.asked)) == (2, 2, asked)
    assert f"process {first.pid} on " in second.err and f"process {first.pid}" in third.err
    free.set()
    assert first.wait(60) == 0
    assert ready.crawl() == 0
    assert set(articles(ready).values()) == {1}


def test_what_a_killed_crawl_left_is_taken_without_waiting(ready: Crawler) -> None:
    running = threading.Event()
    ready.portal.script["/c/6"] = lambda _: running.set() or "<p>Text." if not running.is_set() else "<p>Text."
    command = [sys.executable, "-m", "webarticlecurator", "crawl", str(ready.file), "--corpus", str(ready.corpus), "--quiet"]
    killed = subprocess.Popen(command)
    assert running.wait(60)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    assert ready.crawl() == 0
    assert "Watching" not in ready.said
    assert (set(articles(ready)), set(articles(ready).values())) == ({f"/c/{number}" for number in range(1, 7)}, {1})


@pytest.mark.parametrize("left", ["", "no JSON", '{"process": 1, "host": "gone", "since": "2024-05-01"}'])
def test_a_file_that_names_nobody_alive_holds_nobody_up(ready: Crawler, lock: Path, left: str) -> None:
    lock.write_text(left)
    assert ready.crawl() == 0
    assert "Watching" not in ready.said
    assert lock.read_bytes() == b"", "who has done lets go"


@contextmanager
def alive(lock: Path) -> Iterator[None]:
    """Another machine that touches its file now and then."""
    over = threading.Event()

    def live() -> None:
        while not over.wait(0.2):
            os.utime(lock)

    thread = threading.Thread(target=live)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def test_the_corpus_of_another_machine_that_gives_signs_of_life_is_never_taken(ready: Crawler, lock: Path) -> None:
    lock.write_text(json.dumps(OTHER))
    with alive(lock):
        assert ready.crawl() == 2
    assert "process 7 on four" in ready.said and "Watching" in ready.said
    assert (json.loads(lock.read_text()), ready.portal.asked) == (OTHER, [])


@pytest.mark.nightly
def test_without_signs_of_life_it_is_taken_over(ready: Crawler, lock: Path) -> None:
    """Half a minute without one: that long a machine may be out of the network."""
    lock.write_text(json.dumps(OTHER))
    assert ready.crawl() == 0
    assert "process 7 on four" in ready.said
    assert lock.read_bytes() == b""


def test_who_lost_it_to_another_machine_writes_no_more(ready: Crawler, lock: Path) -> None:
    def taken(_: str) -> str:
        lock.write_text(json.dumps(OTHER))
        return "<p>Text."

    ready.portal.script["/lista"] = taken
    assert ready.crawl() == 2
    assert "process 7 on four" in ready.said
    assert json.loads(lock.read_text()) == OTHER, "it does not let go of the other's"
    warc = ready.corpus / "warc"
    assert not [record for file in (warc.iterdir() if warc.exists() else ()) for record in records(file) if record.type == "response"]


def test_a_person_need_not_wait_until_it_is_clear_whether_another_machine_lives(ready: Crawler, lock: Path) -> None:
    lock.write_text(json.dumps(OTHER))
    command = [sys.executable, "-m", "webarticlecurator", "crawl", str(ready.file), "--corpus", str(ready.corpus)]
    waiting = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert waiting.stderr is not None
    said = [waiting.stderr.readline()]
    waiting.send_signal(signal.SIGINT)
    said += waiting.communicate(timeout=20)[1].splitlines()
    assert waiting.returncode in (2, 4, 130)
    assert any("process 7 on four" in line for line in said)
    assert not [line for line in said if "Traceback" in line]
