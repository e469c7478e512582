"""Event records that no program of ours wrote: a file of a stranger is refused in a sentence, whatever it says."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from shutil import copytree
from typing import Any

import pytest
from crawling import Crawling, crawling, exit_code
from seams import ExitCode
from strange_events import change_event, spoil_one_event
from warc_records import records

CORPORA = [number if number < 10 else pytest.param(number, marks=pytest.mark.nightly) for number in range(60)]
"""Of each one event is spoilt."""


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Crawling:
    with crawling(tmp_path_factory.mktemp("crawled"), articles=16, columns=("belfold", "regi")) as site:
        summary = site.crawl()
    assert exit_code(summary) is ExitCode.OK
    return site


@pytest.fixture
def corpus(crawled: Crawling, tmp_path: Path) -> Path:
    """Its WARC files alone."""
    copytree(crawled.corpus / "warc", tmp_path / "corpus" / "warc")
    return tmp_path / "corpus"


@pytest.fixture
def index(crawled: Crawling, curator: Callable[..., Any]) -> Callable[[Path], Any]:
    (rules,) = crawled.folder.glob("*.yaml")
    return lambda corpus, *command: curator(*(command or ("warc", "index")), rules, "--corpus", corpus)


@pytest.mark.parametrize("number", CORPORA)
def test_an_event_that_is_not_what_it_should_be_is_refused_or_makes_no_difference(number: int, corpus: Path, index: Any) -> None:
    chance = Random(number)
    path = chance.choice(sorted((corpus / "warc").iterdir()))
    spoil_one_event(path, chance)
    for command in (("warc", "index"), ("status",), ("build", "--jobs", 1), ("status", "--json")):
        ended = index(corpus, *command)
        assert ended.code in (ExitCode.OK, ExitCode.FAILURES, ExitCode.USAGE), ended.err
        if ended.code == ExitCode.USAGE:
            assert re.search(rf"{re.escape(path.name)}: byte \d+: ", ended.err)
            return


CHANGES = {
    "of a newer program": ({"kind": "from-the-future"}, "newer"),
    "a text for a number": ({"seq": "1"}, "seq"),
    "a truth for a number": ({"seq": True}, "seq"),
    "the end of time": ({"at": "9999-12-31T23:59:59-14:00"}, "at"),
    "the beginning of time": ({"at": "0001-01-01T00:00:00+14:00"}, "at"),
    "too large a number": ({"seq": 2**63}, "seq"),
    "less than nothing": ({"run": -1}, "run"),
    "no time": ({"at": "yesterday"}, "at"),
    "a time without offset": ({"at": "2024-05-01T12:00:00"}, "at"),
    "no address": ({"url": None}, "url"),
    "no request": ({"request": "GET"}, "request"),
    "no outcome": ({"outcome": "burnt"}, "outcome"),
    "a missing time": ({"at": ...}, "at"),
    "what it does not know": ({"mood": "good"}, None),
}


@pytest.mark.parametrize(("change", "noun"), CHANGES.values(), ids=CHANGES)
def test_a_refusal_names_file_place_and_field(corpus: Path, index: Any, change: dict[str, Any], noun: str | None) -> None:
    path = next(path for path in sorted((corpus / "warc").iterdir()) if "-articles-" in path.name)
    place = next(place for place, record in enumerate(records(path)) if record.type == "metadata" and b'"article"' in record.block)
    change_event(path, place, lambda event: {name: value for name, value in {**event, **change}.items() if value is not ...})
    ended = index(corpus)
    if noun is None:
        assert ended.code == ExitCode.OK, ended.err
    else:
        assert ended.code == ExitCode.USAGE
        assert re.search(rf"{re.escape(path.name)}: byte \d+: .*\b{noun}\b", ended.err), ended.err
