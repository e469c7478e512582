"""Event records that no program of ours wrote: a file of a stranger is refused in a sentence, whatever it says."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from crawling import Crawling, crawling, exit_code
from seams import ExitCode
from strange_events import with_one_spoilt_event

CORPORA = 40
"""Of each one event is spoilt."""


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Crawling:
    with crawling(tmp_path_factory.mktemp("crawled"), articles=16, columns=("belfold", "regi")) as site:
        summary = site.crawl()
    assert exit_code(summary) is ExitCode.OK
    return site


@pytest.mark.parametrize("number", range(CORPORA))
def test_an_event_that_is_not_what_it_should_be_is_refused_or_makes_no_difference(
    crawled: Crawling, number: int, curator: Callable[..., Any], tmp_path: Path
) -> None:
    chance = Random(number)
    path = chance.choice(crawled.warcs)
    (tmp_path / "corpus" / "warc").mkdir(parents=True)
    for one in crawled.warcs:
        content = with_one_spoilt_event(one, chance) if one == path else one.read_bytes()
        (tmp_path / "corpus" / "warc" / one.name).write_bytes(content)
    (file,) = crawled.folder.glob("*.yaml")
    for command in (("warc", "index"), ("status",), ("build", "--jobs", 1), ("status", "--json")):
        ended = curator(*command, file, "--corpus", tmp_path / "corpus")
        assert ended.code in (ExitCode.OK, ExitCode.FAILURES, ExitCode.USAGE), ended.err
        if ended.code == ExitCode.USAGE:
            assert re.search(rf"{re.escape(path.name)}: byte \d+: ", ended.err)
            return
