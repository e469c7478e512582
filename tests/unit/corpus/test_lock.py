"""One writer a corpus."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from webarticlecurator.corpus.lock import locked
from webarticlecurator.errors import CorpusBusy


def test_the_second_writer_is_told_who_the_first_is(tmp_path: Path) -> None:
    with (
        locked(tmp_path / "crawl.lock", "crawl"),
        pytest.raises(CorpusBusy, match=f"process {os.getpid()} on "),
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
