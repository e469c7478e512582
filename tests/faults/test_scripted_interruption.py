"""A crawl by a browser that is interrupted or killed at random, and run again: nothing is missing, nothing is stored twice."""

from __future__ import annotations

import signal
import time
from pathlib import Path
from random import Random

import pytest
from crawling import crawling, exit_code
from seams import ExitCode

pytestmark = [pytest.mark.browser, pytest.mark.nightly]
COLUMNS = ("gorgetett", "tovabbi", "hozzajarulas")


def test_the_command_killed_or_interrupted_at_random_and_run_again(tmp_path: Path) -> None:
    chance = Random(1415)
    with crawling(tmp_path, articles=40, page_size=1, scripted=True, columns=COLUMNS) as site:
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
