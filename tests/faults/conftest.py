"""Corpora that tests spoil: made once, of each a copy for each test."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import pytest
from crawling import Crawling, Heard, crawling, exit_code
from seams import ExitCode, main


@pytest.fixture(scope="session")
def crawled_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawling]:
    with crawling(tmp_path_factory.mktemp("crawled"), columns=("belfold", "english")) as running:
        assert exit_code(running.crawl()) is ExitCode.OK
        yield running


def copy_of(made: Crawling, folder: Path) -> Crawling:
    """That corpus in another folder, and the portal as it was at the start."""
    made.portal.begin_again()
    copytree(made.corpus, folder / "corpus")
    return replace(made, folder=folder, heard=Heard())


@pytest.fixture(scope="session")
def built_once(crawled_once: Crawling, tmp_path_factory: pytest.TempPathFactory) -> Crawling:
    site = copy_of(crawled_once, tmp_path_factory.mktemp("built"))
    assert main(["build", str(site.file), "--corpus", str(site.corpus), "--jobs", "1", "--quiet"]) == ExitCode.OK
    return site


@pytest.fixture
def uncrawled(tmp_path: Path) -> Iterator[Crawling]:
    """Two columns of the example portal, of which nothing is crawled yet."""
    with crawling(tmp_path, columns=("belfold", "english")) as running:
        yield running


@pytest.fixture
def crawled(crawled_once: Crawling, tmp_path: Path) -> Crawling:
    """The same with all their articles."""
    return copy_of(crawled_once, tmp_path)


@pytest.fixture
def built(crawled: Crawling, built_once: Crawling) -> Crawling:
    """The same with their documents; nobody has the databases open."""
    copytree(built_once.corpus, crawled.corpus, dirs_exist_ok=True)
    return crawled
