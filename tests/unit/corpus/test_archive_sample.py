"""Which archive pages stand for all: of each column some, by twos, and pages that gave links before those that gave none."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from webarticlecurator.corpus.archive_sample import archive_sample, looked_at, neighbours, spread
from webarticlecurator.corpus.ledger import Ledger


@pytest.mark.parametrize(
    ("count", "most", "places"),
    [(0, 4, []), (3, 4, [0, 1, 2]), (10, 4, [0, 1, 8, 9]), (100, 6, [0, 1, 49, 50, 98, 99]), (5, 1, [0, 1])],
)
def test_places_come_by_twos_from_the_first_to_the_last(count: int, most: int, places: list[int]) -> None:
    assert neighbours(count, most) == places


@pytest.mark.parametrize(("count", "most", "places"), [(2, 5, [0, 1]), (9, 3, [0, 4, 8]), (9, 1, [0])])
def test_places_are_spread(count: int, most: int, places: list[int]) -> None:
    assert spread(count, most) == places


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    path = tmp_path / "ledger.sqlite"
    Ledger.open(path).close()
    return path


def walk(ledger: Path, column: str, links: dict[str, int]) -> None:
    """A walk over these pages, each with so many links."""
    with sqlite3.connect(ledger) as database:
        number = database.execute("INSERT INTO walks (column, run, started, rules) VALUES (?, 1, '', '')", (column,)).lastrowid
        rows = [(number, url, "fetched", count) for url, count in links.items()]
        database.executemany(
            "INSERT INTO pages (walk, key, url, outcome, result, reason, links, at) VALUES (?, 0, ?, ?, '', '', ?, '')", rows
        )


def sampled(ledger: Path, most: int) -> dict[str, tuple[str, ...]]:
    with Ledger.reading(ledger) as reading:
        return archive_sample(reading, most).columns


def test_pages_without_links_are_passed_over(ledger: Path) -> None:
    walk(ledger, "regi", {"/empty/1": 0, "/full": 3, "/empty/2": 0})
    assert sampled(ledger, 10) == {"regi": ("/full",)}


def test_of_a_column_that_never_gave_a_link_its_pages_are_taken_all_the_same(ledger: Path) -> None:
    walk(ledger, "regi", {"/1": 0, "/2": 0})
    assert sampled(ledger, 10) == {"regi": ("/1", "/2")}


def test_a_page_that_was_walked_twice_is_taken_once(ledger: Path) -> None:
    walk(ledger, "hirek", {"/1": 5})
    walk(ledger, "hirek", {"/1": 5, "/2": 5})
    assert sampled(ledger, 10) == {"hirek": ("/1", "/2")}


def test_every_column_has_its_share_and_sections_are_their_columns(ledger: Path) -> None:
    for column in ("a", "b", "a » /x"):
        walk(ledger, column, {f"/{column}/{number}": 1 for number in range(50)})
    found = sampled(ledger, 16)
    assert [len(urls) for urls in found.values()] == [8, 8]
    assert "/a » /x/0" in found["a"]


def test_there_are_never_more_columns_than_can_be_read(ledger: Path) -> None:
    for number in range(40):
        walk(ledger, f"c{number:02}", {f"/{number}": 1})
    assert len(sampled(ledger, 48)) == 12


def test_without_walks_there_is_what_was_looked_at(ledger: Path) -> None:
    with Ledger.reading(ledger) as reading:
        assert looked_at(reading, 10) == []
