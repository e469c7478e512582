"""Which columns were walked to their end by the rules of now, and over how many pages."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.ways import walked_to_end

RULES = b"portal: pelda\nhome: https://pelda.example/\narchive: {url: 'https://pelda.example/{column}', link: a}\ncolumns: [hirek, sport]\n"
Walk = tuple[str, str | None, int]
"""Column, end, archive pages with links."""


@pytest.fixture
def portal() -> Portal:
    return load_portal(Path("portal.yaml"), content=RULES)


def walked(folder: Path, portal: Portal, *walks: Walk, rules: str | None = None) -> dict[str, int]:
    path = folder / "ledger.sqlite"
    Ledger.open(path).close()
    present = {one.name: one.rules for one in portal.columns}
    with sqlite3.connect(path) as database:
        database.executemany(
            "INSERT INTO walks (column, run, started, end, covered, rules) VALUES (?, 1, '', ?, ?, ?)",
            [(name, end, covered, rules or present[name]) for name, end, covered in walks],
        )
    with Ledger.reading(path) as ledger:
        return walked_to_end(portal.columns, ledger)


def test_the_longest_walk_counts_where_a_later_one_met_known_ground(tmp_path: Path, portal: Portal) -> None:
    assert walked(tmp_path, portal, ("hirek", "proved", 8), ("hirek", "known", 1)) == {"hirek": 8}


@pytest.mark.parametrize("end", ["unproved", "failed", None])
def test_a_column_whose_last_walk_came_to_no_end_is_not_told(end: str | None, tmp_path: Path, portal: Portal) -> None:
    assert walked(tmp_path, portal, ("hirek", "proved", 8), ("hirek", end, 3), ("sport", "proved", 2)) == {"sport": 2}


def test_walks_by_other_rules_tell_nothing(tmp_path: Path, portal: Portal) -> None:
    assert walked(tmp_path, portal, ("hirek", "proved", 8), rules="of before") == {}
