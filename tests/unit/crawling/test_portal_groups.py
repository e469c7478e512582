from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.template import UrlTemplate
from webarticlecurator.crawling.portal_groups import groups_by_host


def portal(folder: Path, name: str, host: str, more: str = "") -> Portal:
    file = folder / f"{name}.yaml"
    file.write_text(
        f"portal: {name}\nhome: https://{host}/\narchive: {{item: li}}\ncolumns: {{a: {{url: 'https://{host}/a'{more}}}}}\n", "utf-8"
    )
    return load_portal(file)


@pytest.mark.parametrize(
    ("others", "together"),
    [
        ([("a.example", "")], True),
        ([("www.a.example", "")], True),
        ([("b.example", "")], False),
        ([("b.example", ", urls: {hosts: [a.example]}")], True),
        ([("b.example", ", urls: {hosts: ['*.example']}")], True),
        ([("b.example", ", urls: {hosts: ['*.a.example']}")], False),
        ([("b.example", ", urls: {hosts: ['*.b.example']}"), ("news.b.example", ", urls: {hosts: [a.example]}")], True),
    ],
)
def test_portals_that_may_ask_one_host_are_a_group(tmp_path: Path, others: list[tuple[str, str]], together: bool) -> None:
    first = portal(tmp_path, "first", "a.example")
    portals = [first, *(portal(tmp_path, f"p{number}", host, more) for number, (host, more) in enumerate(others))]
    assert (groups_by_host(portals) == [list(range(len(portals)))]) is together


def test_the_host_that_articles_are_asked_of_by_their_number_counts(tmp_path: Path) -> None:
    one = portal(tmp_path, "one", "a.example")
    made = replace(one.articles, make_url=UrlTemplate.parse("https://b.example/{column}"))
    assert groups_by_host([replace(one, articles=made), portal(tmp_path, "two", "b.example")]) == [[0, 1]]


def test_the_largest_group_is_the_first_and_every_portal_is_in_one(tmp_path: Path) -> None:
    portals = [portal(tmp_path, f"p{number}", f"{'shared' if number in (3, 7, 8) else f'h{number}'}.example") for number in range(10)]
    groups = groups_by_host(portals)
    assert groups[0] == [3, 7, 8]
    assert sorted(place for group in groups for place in group) == list(range(10))


def test_patterns_that_stand_for_the_same_hosts_are_shared(tmp_path: Path) -> None:
    one = portal(tmp_path, "one", "a.example", ", urls: {hosts: ['*.c.example']}")
    two = portal(tmp_path, "two", "b.example", ", urls: {hosts: ['*.d.c.example']}")
    assert groups_by_host([one, two]) == [[0, 1]]
