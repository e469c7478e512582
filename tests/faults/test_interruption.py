"""A crawl that is interrupted, however often and wherever: the next ones go on, nothing is missing, nothing is fetched twice."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path
from random import Random

import deadly
import pytest
from crawling import BY_MODE, Crawling, StopAfter, crawling, exit_code, wait_for
from seams import ExitCode

SOON = 20.0
"""Seconds in which a process must have done what it was told."""

EVERY = [pytest.param(7, id="some"), pytest.param(1, id="every", marks=pytest.mark.nightly)]
"""After each of so many requests."""


@pytest.mark.parametrize("every", EVERY)
@pytest.mark.parametrize("stops", [pytest.param((1,), id="two runs", marks=pytest.mark.nightly), pytest.param((2, 3), id="three runs")])
@pytest.mark.parametrize("mode", BY_MODE)
def test_interrupted_after_any_request_with_articles_arriving_in_between(
    mode: str, stops: tuple[int, ...], every: int, tmp_path: Path
) -> None:
    column = BY_MODE[mode]
    first, finished = 2 - every, False
    while not finished:
        first += every
        folder = tmp_path / str(first)
        folder.mkdir()
        with crawling(folder, columns=(column,)) as site:
            finished = _stopped_after(site, first) is not ExitCode.INCOMPLETE
            for further in stops[1:]:
                site.portal.publish(3, column)
                _stopped_after(site, first % further + 1)
            site.portal.publish(3, column)
            assert exit_code(site.crawl()) is ExitCode.OK
            assert site.fetched == site.expected, f"interrupted after {first} requests"
            assert set(site.stored_articles.values()) == {1}, f"interrupted after {first} requests"
    assert first > 4


def _stopped_after(site: Crawling, requests: int) -> ExitCode:
    return exit_code(site.crawl(stop=StopAfter(site.portal, requests)))


@pytest.mark.parametrize("case", deadly.DISKS)
def test_where_answers_are_stored_together_no_fault_of_disk_or_machine_costs_what_was_stored(case: str, tmp_path: Path) -> None:
    with crawling(tmp_path, articles=120, page_size=20, columns=("belfold",), concurrency=8) as site:
        environment = deadly.with_disk(case, tmp_path / "first")
        ended = subprocess.run(site.command(), env=environment, capture_output=True, text=True, timeout=60, check=False)
        assert ended.returncode in (-signal.SIGKILL, ExitCode.USAGE), ended.stderr
        assert "Traceback" not in ended.stderr
        stored = site.stored_articles
        assert len(site.fetched) > 2, "one sync was for one answer"
        assert site.fetched <= stored.keys(), "the ledger tells of what is in no file"
        if ended.returncode == ExitCode.USAGE:
            assert site.ask("SELECT count(*) FROM responses WHERE part > 0") == [(stored.total(),)]

        assert exit_code(site.crawl()) is ExitCode.OK
        assert site.fetched == site.expected
        assert set(site.stored_articles.values()) == {1}
        assert site.unclean == {}


def test_a_second_ctrl_c_ends_the_command_at_once(tmp_path: Path) -> None:
    with crawling(tmp_path, columns=("belfold",), timeout="30s") as site:
        site.portal.switch_on("slow")
        process = site.start()
        wait_for(lambda: site.portal.touched("slow") > 0)
        process.send_signal(signal.SIGINT)
        with pytest.raises(TimeoutError):
            wait_for(lambda: process.poll() is not None, seconds=0.3)
        process.send_signal(signal.SIGINT)
        assert process.wait(1) == ExitCode.INTERRUPTED

        site.portal.switch_off()
        assert site.start().wait(SOON) == ExitCode.OK
        assert site.fetched == site.expected
        assert set(site.stored_articles.values()) == {1}


SCRIPTED = ("gorgetett", "tovabbi", "hozzajarulas")


@pytest.mark.browser
@pytest.mark.nightly
def test_a_crawl_by_a_browser_killed_or_interrupted_at_random_and_run_again(tmp_path: Path) -> None:
    chance = Random(1415)
    with crawling(tmp_path, articles=40, page_size=1, scripted=True, columns=SCRIPTED) as site:
        for how in (signal.SIGKILL, signal.SIGINT, signal.SIGKILL):
            process = site.start("--quiet")
            after = len(site.portal.requests) + chance.randint(3, 30)
            while process.poll() is None and len(site.portal.requests) < after:
                time.sleep(0.002)
            process.send_signal(how)
            _, told = process.communicate(timeout=60)
            assert "Traceback" not in told
            site.portal.publish(1, chance.choice(("english", "deutsch", "gyorshirek")))
        assert exit_code(site.crawl()) is ExitCode.OK
        assert site.fetched == site.expected
        assert set(site.stored_articles.values()) == {1}
        assert site.unclean == {}
