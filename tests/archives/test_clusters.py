"""`--cluster` and `--share` on the command line: how work is divided, and what is said of a cluster or a share that is none."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from small_corpus import SmallCorpus, page

CLUSTER = ("--cluster", "tcp://127.0.0.1:9")

WRONG = {
    "no address": (("--cluster", "ten"), "'ten' is no cluster"),
    "twice": ((*CLUSTER, "--jobs", "2"), "--jobs"),
}
COMMANDS = ("build --all", "tags", "audit", "export --to vertical -o OUT", "stats", "report")


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_with_a_cluster_is_told_by_every_command_and_nothing_is_written(
    curator: Any, corpus: SmallCorpus, tmp_path: Path, wrong: str
) -> None:
    corpus.store(("/1", page()))
    corpus.build()
    before = sorted(tmp_path.rglob("*"))
    flags, told = WRONG[wrong]
    for command in COMMANDS:
        word, *more = command.replace("OUT", str(tmp_path / "out.vert")).split()
        ended = curator(word, corpus.base / "portal.yaml", *more, "--corpus", corpus.folder, *flags)
        assert (ended.code, ended.out) == (2, ""), command
        assert told in ended.err, command
    assert sorted(tmp_path.rglob("*")) == before


def test_what_is_no_cluster_for_a_crawl_and_two_portals_of_one_name_are_told_before_anybody_is_asked(curator: Any, tmp_path: Path) -> None:
    files = [tmp_path / folder / "portal.yaml" for folder in ("one", "two")]
    for file in files:
        file.parent.mkdir()
        file.write_text("portal: pelda\nhome: http://127.0.0.1:9/\narchive: {url: 'http://127.0.0.1:9/l', item: li}\n", encoding="utf-8")
    ended = curator("crawl", files[0], "--cluster", "ten")
    assert (ended.code, "'ten' is no cluster" in ended.err) == (2, True)
    ended = curator("crawl", *files, "--cluster", "tcp://127.0.0.1:9")
    assert (ended.code, "name" in ended.err) == (2, True), ended.err


def test_without_dask_it_is_said_what_to_install(curator: Any, corpus: SmallCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("dask", "distributed"):
        monkeypatch.setitem(sys.modules, name, None)  # as if it were not installed
    corpus.store(("/1", page()))
    ended = curator("tags", corpus.base / "portal.yaml", "--json", "--corpus", corpus.folder, *CLUSTER)
    assert (ended.code, ended.out) == (2, "")
    assert 'pip install "webarticlecurator[cluster]"' in ended.err


HOSTS = {
    "a": "one.example",
    "b": "www.one.example",
    "c": "two.example",
    "d": "three.example",
    "e": "four.example, urls: {hosts: [three.example]}",
    "f": "five.example, urls: {hosts: ['*.pattern.example']}",
    "g": "x.pattern.example",
    "h": "pattern.example",
}
TOGETHER = ({"a", "b"}, {"d", "e"}, {"f", "g"})


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    made = []
    for name, rest in HOSTS.items():
        host, _, rules = rest.partition(", ")
        path = tmp_path / f"{name}.yaml"
        archive = f"archive: {{url: 'https://{host}/l', link: a{f', {rules}' if rules else ''}}}"
        path.write_text(f"portal: {name}\nhome: https://{host}/\n{archive}\n", encoding="utf-8")
        made.append(path)
    return made


def shares(curator: Any, files: list[Path], of: int) -> list[set[str]]:
    """The portals of each share, by what a dry run says."""
    said = [curator("crawl", *files, "--share", f"{number}/{of}", "--dry-run") for number in range(1, of + 1)]
    assert {ended.code for ended in said} == {0}, said[0].err
    return [{name for name in HOSTS if f"{name}: column" in ended.err} for ended in said]


def test_each_portal_is_in_one_share_with_those_of_its_host_whatever_the_order_of_the_files(curator: Any, files: list[Path]) -> None:
    parts = shares(curator, files, 3)
    assert sorted(name for part in parts for name in part) == sorted(HOSTS)
    assert all(any(group <= part for part in parts) for group in TOGETHER)
    assert [len(part) for part in parts] == [3, 3, 2]
    assert shares(curator, files[::-1], 3) == parts
    assert sum(not part for part in shares(curator, files, 9)) == 4, "a share without portals is no failure"


@pytest.mark.parametrize("share", ["3", "0/3", "4/3", "a/b", "1/99999", "-1/3"])
def test_what_is_no_share_is_refused_with_what_to_write(curator: Any, files: list[Path], share: str) -> None:
    ended = curator("crawl", *files, "--share", share, "--dry-run")
    assert (ended.code, "3/10" in ended.err) == (2, True), ended.err
