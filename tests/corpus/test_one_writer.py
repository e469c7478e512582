"""One writer a corpus, also of a folder that several machines share: the second is told who the first is, and nothing is doubled."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scripted_portal import Crawler, listing
from warc_records import records

RULES = "archive: {url: HOME/lista, pages: none, link: h2 a}\n"
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
    said = " ".join(second.err.split())
    assert f"Another crawl of {ready.corpus} is running: " in said and "Wait until it has ended, or stop it with Ctrl-C there." in said
    assert f"process {first.pid} on " in said and f"process {first.pid}" in third.err
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
    assert (set(articles(ready)), set(articles(ready).values())) == ({f"/c/{number}" for number in range(1, 7)}, {1})


@pytest.mark.parametrize("left", ["", "no JSON", '{"since": "2024-05-01"}', "[1]"])
def test_a_file_that_names_nobody_holds_nobody_up(ready: Crawler, lock: Path, left: str) -> None:
    lock.write_text(left)
    assert ready.crawl() == 0
    assert lock.read_bytes() == b"", "who has done lets go"


def test_after_a_power_cut_nobody_waits_for_a_process_of_the_same_machine(ready: Crawler, lock: Path) -> None:
    lock.write_text(json.dumps({**OTHER, "host": socket.gethostname(), "machine": "as it was called before it was started anew"}))
    begun = time.monotonic()
    assert ready.crawl() == 0
    assert time.monotonic() - begun < 15
    assert lock.read_bytes() == b""


def test_the_corpus_of_another_machine_is_never_taken_and_it_is_said_what_to_remove(ready: Crawler, lock: Path) -> None:
    lock.write_text(json.dumps(OTHER))
    assert ready.crawl() == 2
    assert ("process 7 on four" in ready.said, f"remove {lock}" in ready.said) == (True, True)
    assert (json.loads(lock.read_text()), ready.portal.asked) == (OTHER, [])
    lock.unlink()
    assert ready.crawl() == 0
