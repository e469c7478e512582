"""What the watch has seen is remembered, and made again where that cannot be read."""

from __future__ import annotations

from pathlib import Path

from watched_portal import article

from webarticlecurator.watching.database import StoredDrift, WatchDatabase

DRIFT = StoredDrift("", "https://pelda.example/1", "2024-05-01", "from this article on")


def test_pages_are_remembered_with_the_state_of_their_articles(tmp_path: Path) -> None:
    with WatchDatabase(tmp_path / "watch.sqlite") as database:
        database.put([("a", "article 1", article(1).page), ("b", "article 2", None)])
    with WatchDatabase(tmp_path / "watch.sqlite") as database:
        assert database.states() == {"a": "article 1", "b": "article 2"}
        seen = database.facts("a")
        assert seen is not None and "div.story" in seen.names
        assert database.facts("b") is None
        database.keep_only(["b"])
        assert database.states() == {"b": "article 2"}


def test_a_drift_is_known_since_it_was_found_first(tmp_path: Path) -> None:
    with WatchDatabase(tmp_path / "watch.sqlite") as database:
        database.note_drifts([DRIFT], now="2024-06-01", instead=True)
        database.note_drifts([DRIFT._replace(reason="otherwise told")], now="2024-06-02", instead=True)
        assert [one.reason for one in database.drifts()] == ["otherwise told"]
        assert database._db.execute("SELECT since FROM drifts").fetchall() == [("2024-06-01",)]
        database.note_drifts([], now="2024-06-03", instead=False)
        assert len(database.drifts()) == 1
        database.note_drifts([], now="2024-06-03", instead=True)
        assert database.drifts() == ()


def test_a_damaged_file_is_made_again(tmp_path: Path) -> None:
    (tmp_path / "watch.sqlite").write_bytes(b"no database at all, and longer than a header of one would have to be" * 20)
    with WatchDatabase(tmp_path / "watch.sqlite") as database:
        assert database.states() == {}


def test_what_another_version_wrote_is_made_again(tmp_path: Path) -> None:
    with WatchDatabase(tmp_path / "watch.sqlite") as database:
        database.put([("a", "1", None)])
        database._db.execute("PRAGMA user_version = 77")
    with WatchDatabase(tmp_path / "watch.sqlite") as database:
        assert database.states() == {}


def test_pages_that_another_version_looked_at_are_looked_at_again(tmp_path: Path) -> None:
    with WatchDatabase(tmp_path / "watch.sqlite") as database:
        database.put([("a", "1", article(1).page)])
        database.note_drifts([DRIFT], now="2024-06-01", instead=True)
        database.note("made by", "0.0.1")
    with WatchDatabase(tmp_path / "watch.sqlite") as database:
        assert database.states() == {} and len(database.drifts()) == 1
