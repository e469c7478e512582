"""docs/reference/stability.md: what it calls stable is there. A line that goes from it is a broken promise: say so in CHANGELOG.md."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_corpus import SmallCorpus, page

import webarticlecurator
from webarticlecurator import extract, load_portal

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "stability.md").read_text(encoding="utf-8")
ARCHIVE = "archive: {url: 'https://pelda.example/lista', item: li}\n"
ASKED = {
    "crawl --json": "crawl {portal} --corpus {corpus} --offline --json",
    "status --json": "status {portal} --corpus {corpus} --json",
    "build --json": "build {portal} --corpus {corpus} --jobs 1 --json",
    "annotate --json": "annotate {portal} --corpus {corpus} --with cat --json",
    "try --as article --json": "try {portal} https://pelda.example/a --corpus {corpus} --as article --json",
    "try --as archive --json": "try {portal} https://pelda.example/lista --corpus {corpus} --as archive --json",
    "export --to jsonl": "export {portal} --corpus {corpus} --to jsonl",
    "check --json": "check {portal} --json",
    "search --json": "search {portal} bridge --corpus {corpus} --json",
    "diff URL --json": "diff {portal} https://pelda.example/a --corpus {corpus} --json",
    "audit --json": "audit {portal} --corpus {corpus} --jobs 1 --json",
}


def section(heading: str) -> str:
    return PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


KEYS = {command: set(re.findall(r"`(\w+)`", keys)) for command, keys in re.findall(r"(?m)^\| `curator (.+?)` \| (.+) \|$", PAGE)}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> SmallCorpus:
    small = SmallCorpus(tmp_path_factory.mktemp("stable"), rules=ARCHIVE)
    small.store(("/a", page()), ("/lista", b"<ul><li><a href='/a'>A bridge</a></ul>"))
    small.build()
    return small


def test_every_output_of_the_page_is_asked_for_here() -> None:
    assert set(KEYS) == set(ASKED)


@pytest.mark.parametrize("command", ASKED)
def test_an_output_has_the_keys_that_are_promised(command: str, corpus: SmallCorpus, curator: Callable[..., Any]) -> None:
    ended = curator(*shlex.split(ASKED[command].format(portal=corpus.base / "portal.yaml", corpus=corpus.folder)))
    assert KEYS[command] - set(json.loads(ended.out.splitlines()[0])) == set(), ended.err


def test_a_value_of_metadata_says_what_it_is_and_where_it_stood(corpus: SmallCorpus, curator: Callable[..., Any]) -> None:
    ended = curator(*shlex.split(ASKED["export --to jsonl"].format(portal=corpus.base / "portal.yaml", corpus=corpus.folder)))
    (headline,) = json.loads(ended.out)["metadata"]["headline"]
    assert {"value", "raw", "source"} <= set(headline)


def test_an_id_is_made_as_the_page_says(corpus: SmallCorpus) -> None:
    portal = load_portal(corpus.base / "portal.yaml")
    (url,) = re.findall(r"the article `(.+?)`", section("Ids"))
    assert f"\n{extract(page().decode(), url, portal).id}\n" in section("Ids")


def test_the_names_for_python_are_those_of_the_package() -> None:
    named = set(re.findall(r"`(\w+)`", section("Python")))
    assert named == set(webarticlecurator.__all__) - {"__version__"}
