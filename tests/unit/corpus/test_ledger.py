from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from webarticlecurator.corpus.earlier_walks import EarlierWalks
from webarticlecurator.corpus.events import PageEvent, WalkEndEvent
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.errors import CorpusError

AT = "2024-05-01T00:00:00+00:00"


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """A column that was walked once, to a proved end."""
    path = tmp_path / "ledger.sqlite"
    page = PageEvent(
        seq=1, run=1, at=AT, walk=1, column="news", interval=None, mode="none", index=0, page="", url="https://pelda.example/",
        request="GET https://pelda.example/", outcome="fetched", result="links", reason="", span=1, covers=True, rules="old rules",
        links=(("https://pelda.example/a", None, {}),),
    )  # fmt: skip
    end = WalkEndEvent(seq=2, run=1, at=AT, walk=1, column="news", interval=None, end="proved", reason="the only page", proves=1)
    with closing(Ledger.open(path)) as ledger, ledger.transaction():
        for event in (page, end):
            ledger.apply(event, None)
    return path


def test_a_ledger_of_another_version_says_how_it_is_made_again(ledger: Path) -> None:
    with closing(sqlite3.connect(ledger)) as database:
        database.execute("PRAGMA user_version = 1")

    with pytest.raises(CorpusError, match=r"another version of curator.*`curator warc index` makes it again"):
        Ledger.open(ledger)


def test_a_damaged_ledger_is_told_in_a_sentence(ledger: Path) -> None:
    ledger.write_bytes(b"no database at all, but long enough to be looked into" * 20)

    with pytest.raises(CorpusError, match="is damaged"), Ledger.reading(ledger):
        pass


@pytest.mark.parametrize(("rules", "proved", "otherwise"), [("old rules", [None], False), ("new rules", [], True)])
def test_what_was_proved_under_other_rules_counts_no_longer(ledger: Path, rules: str, proved: list[None], otherwise: bool) -> None:
    with Ledger.reading(ledger) as opened:
        earlier = EarlierWalks(opened, "news", rules)

        assert (list(earlier.proved()), earlier.proved_otherwise()) == (proved, otherwise)


def test_nothing_is_proved_of_a_column_that_was_never_walked(ledger: Path) -> None:
    with Ledger.reading(ledger) as opened:
        earlier = EarlierWalks(opened, "sport", "rules")

        assert (earlier.proved(), earlier.proved_otherwise(), earlier.gave_links()) == ({}, False, False)
