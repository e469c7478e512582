"""A Dask cluster as the carrier of work: what one process makes, each article once, whatever becomes of workers and scheduler."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from deadly import children, kill, run, with_deadly_pages
from own_dask import OTHER_VERSION, OwnDask, own_dask
from pushed_corpus import SITE, TEXT, PushedCorpus
from warc_records import foreign

pytestmark = [pytest.mark.cluster, pytest.mark.nightly]
COUNT = 200


@pytest.fixture
def corpus(curator: Callable[..., Any], tmp_path: Path) -> PushedCorpus:
    made = PushedCorpus(curator, tmp_path / "own")
    pages = [(f"{SITE}/{number}", "200 OK", TEXT.format(f"bridge {number}")) for number in range(COUNT)]
    made.run("warc", "import", foreign(made.base / "in.warc.gz", pages))
    return made


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[OwnDask]:
    with own_dask(tmp_path / "dask", workers=2, kept=True) as begun:
        yield begun


def start(corpus: PushedCorpus, address: str, *flags: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "webarticlecurator", "build", str(corpus.file), "--corpus", str(corpus.folder), *flags]
    return subprocess.Popen([*command, "--cluster", address], stderr=subprocess.PIPE, text=True, cwd=corpus.base, start_new_session=True)


def whole(corpus: PushedCorpus) -> None:
    """All is there once, and as one process makes it."""
    ids = [json.loads(line)["id"] for line in corpus.run("export", "--to", "jsonl").out.splitlines()]
    assert len(ids) == len(set(ids)) == COUNT
    assert corpus.built("--all")["confirmed"] == COUNT


def test_a_page_that_ends_process_after_process_costs_only_itself(corpus: PushedCorpus, tmp_path: Path) -> None:
    deadly = foreign(corpus.base / "deadly.warc.gz", [(f"{SITE}/deadly", "200 OK", TEXT.format("one that ends its process"))])
    corpus.run("warc", "import", deadly)
    with own_dask(tmp_path / "dask", workers=2, kept=True, environment=with_deadly_pages(tmp_path / "first")) as dask:
        ended = run("build", corpus.file, "--corpus", corpus.folder, "--cluster", dask.address, "--json")
    assert (ended.returncode, json.loads(ended.stdout)["outcomes"]) == (1, {"article": COUNT, "unreadable": 1}), ended.stderr


def test_workers_killed_at_random_lose_nothing_and_give_nothing_twice(corpus: PushedCorpus, dask: OwnDask) -> None:
    chance, kills = Random(14), 0
    building = start(corpus, dask.address, "--quiet")
    while building.poll() is None and kills < 4:
        if kills or list((corpus.folder / "tei").rglob("*.xml")):  # Dask gives up a worker that ends while it begins
            living = [process for worker in dask.workers for process in (worker, *children(worker))]
            kills += bool(living) and kill(chance.choice(living))
        threading.Event().wait(0.8)
    said = building.communicate(timeout=240)[1]
    assert (building.returncode in (0, 1), kills > 0) == (True, True), said
    corpus.run("build", "--jobs", 1)  # those whose processes were killed again and again
    whole(corpus)


def test_ctrl_c_in_a_terminal_is_for_the_command_alone(corpus: PushedCorpus, dask: OwnDask) -> None:
    building = start(corpus, dask.address)
    while building.poll() is None and not list((corpus.folder / "tei").rglob("*.xml")):
        threading.Event().wait(0.05)
    os.killpg(building.pid, signal.SIGINT)
    said = building.communicate(timeout=120)[1]
    assert (building.returncode in (0, 4), "Traceback" in said) == (True, False), said
    corpus.run("build", "--jobs", 1)
    whole(corpus)


def test_what_is_wrong_with_the_machine_ends_the_work_with_its_reason(corpus: PushedCorpus, dask: OwnDask) -> None:
    (corpus.folder / "tei").write_text("in the way")
    building = start(corpus, dask.address, "--quiet")
    said = building.communicate(timeout=120)[1]
    assert (building.returncode, "tei" in said, "Traceback" in said) == (2, True, False), said


def test_a_worker_of_another_version_is_named_and_nothing_is_done(corpus: PushedCorpus, tmp_path: Path) -> None:
    with own_dask(tmp_path, workers=0) as dask:
        dask.start_worker(OTHER_VERSION)
        building = start(corpus, dask.address)
        said = building.communicate(timeout=120)[1]
    assert (building.returncode, "tcp://127.0.0.1:" in said, "0.0.9" in said) == (2, True, True), said
    assert not (corpus.folder / "tei").exists()


def test_a_scheduler_that_is_gone_is_told_and_the_next_build_goes_on(corpus: PushedCorpus, tmp_path: Path) -> None:
    with own_dask(tmp_path) as dask:
        building = start(corpus, dask.address, "--quiet")
        while building.poll() is None and not list((corpus.folder / "tei").rglob("*.xml")):
            threading.Event().wait(0.05)
        dask.scheduler.kill()
        said = building.communicate(timeout=240)[1]
    assert (building.returncode, "is gone" in said, "Traceback" in said) == (2, True, False), said
    assert corpus.built()["articles"] == COUNT
    whole(corpus)


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\xff" * 1000])
def test_another_program_at_the_address_is_said_in_a_sentence(corpus: PushedCorpus, answer: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connections = []
            with suppress(OSError):
                while True:
                    connections.append(server.accept()[0])
                    connections[-1].sendall(answer)

        threading.Thread(target=serve, daemon=True).start()
        ended = corpus.run("build", "--cluster", f"tcp://127.0.0.1:{server.getsockname()[1]}")
    assert (ended.code, "No Dask scheduler" in ended.err) == (2, True)
