"""Portals crawled by a Dask cluster whose workers are killed: everything is crawled, hardly anything twice, and no secret is told."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from deadly import kill
from own_dask import OwnDask, own_dask
from scripted_portal import ScriptedPortal, listing, scripted_portal
from seams import known_urls

pytestmark = [pytest.mark.cluster, pytest.mark.nightly]
ARTICLES = 8


@pytest.fixture
def portals(tmp_path: Path) -> Iterator[dict[Path, ScriptedPortal]]:
    """Portal files, and what they are about."""
    with ExitStack() as served:
        made = {}
        for number in range(4):
            site = served.enter_context(scripted_portal())
            site.script |= {"/lista": listing(*range(ARTICLES))}
            file = tmp_path / f"p{number}.yaml"
            file.write_text(
                f"portal: p{number}\nhome: {site.home}/\nfetch: {{delay: 200ms, retries: 0}}\n"
                f"archive: {{url: {site.home}/lista, pages: none, link: h2 a}}\n"
            )
            made[file] = site
        yield made


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[OwnDask]:
    with own_dask(tmp_path / "dask", workers=2, kept=True) as begun:
        yield begun


def start(portals: dict[Path, ScriptedPortal], dask: OwnDask) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "webarticlecurator", "crawl", *map(str, portals), "--cluster", dask.address]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for_articles(crawling: subprocess.Popen[str], portals: dict[Path, ScriptedPortal], count: int) -> None:
    while crawling.poll() is None and sum(len(site.articles_asked) for site in portals.values()) < count:
        threading.Event().wait(0.05)


def check_whole(portals: dict[Path, ScriptedPortal], *, twice: int) -> None:
    for file in portals:
        known = known_urls(file.parent / "corpora" / file.stem)
        assert Counter(known.values()) == {"fetched": ARTICLES}
    asked = [Counter(site.articles_asked) for site in portals.values()]
    assert sum(sum(counts.values()) - len(counts) for counts in asked) <= twice


def test_a_killed_worker_loses_nothing(portals: dict[Path, ScriptedPortal], dask: OwnDask) -> None:
    crawling = start(portals, dask)
    wait_for_articles(crawling, portals, 6)
    assert kill(dask.workers[0])
    said = crawling.communicate(timeout=240)[1]
    assert crawling.returncode == 0, said
    check_whole(portals, twice=8)


def test_an_interruption_stops_the_portals_of_all_workers_and_the_next_command_goes_on(
    portals: dict[Path, ScriptedPortal], dask: OwnDask
) -> None:
    crawling = start(portals, dask)
    wait_for_articles(crawling, portals, 4)
    crawling.send_signal(signal.SIGINT)
    said = crawling.communicate(timeout=120)[1]
    assert (crawling.returncode, "Traceback" in said) == (4, False), said
    folders = [file.parent / "corpora" / file.stem for file in portals]
    assert not [path for folder in folders for path in folder.glob("warc/*.open")]
    assert start(portals, dask).wait(240) == 0
    check_whole(portals, twice=0)
