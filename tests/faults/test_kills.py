"""A crawl killed at any moment and run again: the same corpus as if nothing had happened.

`CURATOR_KILLS=100` kills more often than a test run has time for.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random

from crawling import ROOT, WITHOUT_CALENDAR, Crawling, crawling
from ledgers import differences

from webarticlecurator import pipeline
from webarticlecurator.cli.exit_codes import ExitCode
from webarticlecurator.config.load import load_portal

KILLS = int(os.environ.get("CURATOR_KILLS", "12"))
KILLS_OF_ONE_CORPUS = 12


def test_killed_at_random_moments_and_finished(tmp_path: Path) -> None:
    chance = Random(20240515)
    left = KILLS
    while left > 0:
        folder = tmp_path / str(left)
        folder.mkdir()
        with crawling(folder, articles=110, page_size=3, columns=WITHOUT_CALENDAR) as site:
            left -= _kill_and_finish(site, min(left, KILLS_OF_ONE_CORPUS), chance)
            _check(site)


def _kill_and_finish(site: Crawling, kills: int, chance: Random) -> int:
    """Crawl, kill, crawl again, and at last let it finish; gives the number of kills."""
    killed = 0
    while killed < kills:
        process = site.start("--quiet")
        if not _kill(process, site, after=chance.randint(1, 25), then=chance.uniform(0, 0.02)):
            break
        killed += 1
        site.portal.publish(chance.randint(0, 2))
    assert site.start().wait(60) == ExitCode.OK
    return max(1, killed)


def _kill(process: subprocess.Popen[str], site: Crawling, *, after: int, then: float) -> bool:
    """Kill after so many requests and a moment; False when the crawl had ended before."""
    before = len(site.portal.requests)
    while process.poll() is None and len(site.portal.requests) < before + after:
        time.sleep(0.0005)
    time.sleep(then)
    process.kill()
    process.communicate()
    return process.returncode != ExitCode.OK


def _check(site: Crawling) -> None:
    assert site.fetched == site.expected
    assert set(site.stored_articles.values()) == {1}
    assert not [path for path in site.warcs if path.name.endswith(".open")]
    for path in site.warcs:
        checked = subprocess.run([sys.executable, "-m", "fastwarc.cli", "check", str(path)], capture_output=True, text=True, check=False)
        assert checked.returncode == 0, checked.stdout + checked.stderr
    ours = [sys.executable, "-m", "webarticlecurator", "warc", "check", str(site.corpus)]
    checked = subprocess.run(ours, cwd=ROOT, capture_output=True, text=True, check=False)
    assert checked.returncode == ExitCode.OK, checked.stdout + checked.stderr

    kept = site.folder / "kept.sqlite"
    (site.corpus / "ledger.sqlite").rename(kept)
    pipeline.index(load_portal(site.file), corpus=site.corpus)
    assert differences(kept, site.corpus / "ledger.sqlite") == []
