"""`crawl --share K/N`: the jobs of a batch system divide portals among them, and those that share a host stay together."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Curator = Callable[..., Any]
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


def shares(curator: Curator, files: list[Path], of: int) -> list[set[str]]:
    """The portals of each share, by what a dry run says."""
    said = [curator("crawl", *files, "--share", f"{number}/{of}", "--dry-run") for number in range(1, of + 1)]
    assert {ended.code for ended in said} == {0}, said[0].err
    return [{name for name in HOSTS if f"{name}: column" in ended.err} for ended in said]


def test_each_portal_is_in_one_share_and_those_of_one_host_are_together(curator: Curator, files: list[Path]) -> None:
    parts = shares(curator, files, 3)
    assert sorted(name for part in parts for name in part) == sorted(HOSTS)
    assert all(any(group <= part for part in parts) for group in TOGETHER)
    assert [len(part) for part in parts] == [3, 3, 2]


def test_the_order_of_the_files_does_not_matter(curator: Curator, files: list[Path]) -> None:
    assert shares(curator, files[::-1], 3) == shares(curator, files, 3)


def test_a_share_without_portals_is_no_failure(curator: Curator, files: list[Path]) -> None:
    assert sum(not part for part in shares(curator, files, 9)) == 4


@pytest.mark.parametrize("share", ["3", "0/3", "4/3", "a/b", "1/99999", "-1/3"])
def test_what_is_no_share_is_refused_with_what_to_write(curator: Curator, files: list[Path], share: str) -> None:
    ended = curator("crawl", *files, "--share", share, "--dry-run")
    assert (ended.code, "3/10" in ended.err) == (2, True), ended.err
