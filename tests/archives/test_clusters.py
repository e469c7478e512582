"""`--cluster` on the command line: what is said of a cluster, and of what is wrong with one."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_corpus import SmallCorpus, page

Curator = Callable[..., Any]
CLUSTER = ("--cluster", "local:2")


def small(folder: Path, pages: int) -> SmallCorpus:
    corpus = SmallCorpus(folder, rules="body: {root: div.text}\n")
    numbered = {number: page(f"Bridge {number}", published=f"20{number % 20:02}-05-01T10:00:00+02:00") for number in range(pages)}
    corpus.store(
        *((f"/{number}", html.replace(b"</article>", b'<div class="ad">Buy a boat</div></article>')) for number, html in numbered.items())
    )
    corpus.build()
    return corpus


WRONG = {
    "no address": (("--cluster", "ten"), "'ten' is no cluster"),
    "twice": ((*CLUSTER, "--jobs", "2"), "--jobs"),
}
COMMANDS = ("build --all", "tags", "audit", "export --to vertical -o OUT", "stats", "report")


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_with_a_cluster_is_told_by_every_command_and_nothing_is_written(curator: Curator, tmp_path: Path, wrong: str) -> None:
    corpus = small(tmp_path, 1)
    before = sorted(tmp_path.rglob("*"))
    flags, told = WRONG[wrong]
    for command in COMMANDS:
        word, *more = command.replace("OUT", str(tmp_path / "out.vert")).split()
        ended = curator(word, corpus.base / "portal.yaml", *more, "--corpus", corpus.folder, *flags)
        assert (ended.code, ended.out) == (2, ""), command
        assert told in ended.err, command
    assert sorted(tmp_path.rglob("*")) == before


def test_what_is_no_cluster_for_a_crawl_and_two_portals_of_one_name_are_told_before_anybody_is_asked(
    curator: Curator, tmp_path: Path
) -> None:
    files = [tmp_path / folder / "portal.yaml" for folder in ("one", "two")]
    for file in files:
        file.parent.mkdir()
        file.write_text("portal: pelda\nhome: http://127.0.0.1:9/\narchive: {url: 'http://127.0.0.1:9/l', item: li}\n", encoding="utf-8")
    ended = curator("crawl", files[0], "--cluster", "ten")
    assert (ended.code, "'ten' is no cluster" in ended.err) == (2, True)
    ended = curator("crawl", *files, "--cluster", "tcp://127.0.0.1:9")
    assert (ended.code, "name" in ended.err) == (2, True), ended.err


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:8786", "local:1"])
def test_without_dask_it_is_said_what_to_install(curator: Curator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    for name in ("dask", "distributed"):
        monkeypatch.setitem(sys.modules, name, None)  # as if it were not installed
    corpus = small(tmp_path, 1)
    ended = curator("tags", corpus.base / "portal.yaml", "--json", "--corpus", corpus.folder, "--cluster", address)
    assert (ended.code, ended.out) == (2, "")
    assert 'pip install "webarticlecurator[cluster]"' in ended.err
