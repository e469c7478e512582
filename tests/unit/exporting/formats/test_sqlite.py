"""The database, asked as those ask it who get it."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import orjson
import pytest
from export_articles import CAPTURE, PORTAL, export_article, post
from exported import exported

from webarticlecurator.exporting.formats import sqlite_schema
from webarticlecurator.exporting.options import Part
from webarticlecurator.exporting.table import COLUMNS, Holds

ACCENTS = export_article(
    metadata={
        "headline": "Megnyílt az új híd",
        "author": ["Kiss Anna", "Nagy Béla"],
        "keywords": ["híd", "Duna"],
        "articleSection": "Belföld",
    },
    text="Őszre elkészült a kormány hídja.",
    posts=(post("At ten.", id="7", who="Ada", when="2024-05-01T10:00:00+02:00", title="First"), post("At eleven.", reply_to="7")),
    comments=(post("No!", kind="comments", who="Bob", likes="3"),),
    captures=(CAPTURE, replace(CAPTURE, offset=9_000)),
    built={"versions": (asdict(replace(CAPTURE, offset=99)),)},
    parts=frozenset({Part.POSTS, Part.COMMENTS}),
)
OTHER = export_article(2, metadata={"author": ["Kiss Anna"], "datePublished": "2024-06-01", "articleSection": []})


@pytest.fixture
def database(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(exported("sqlite", tmp_path / "a.sqlite", [ACCENTS, OTHER]))) as opened:
        yield opened


def ask(database: sqlite3.Connection, sql: str, *values: object) -> list[tuple[Any, ...]]:
    return database.execute(sql, values).fetchall()


@pytest.mark.parametrize("words", ["hid", "híd", "HÍD", "kormany*", "kormány", "oszre elkeszult"])
def test_words_are_found_with_and_without_accents(words: str, database: sqlite3.Connection) -> None:
    found = ask(database, "SELECT id FROM articles JOIN articles_fts ON number = articles_fts.rowid WHERE articles_fts MATCH ?", words)
    assert found == [(ACCENTS.id,)]


def test_words_are_shown_where_they_stand_and_the_text_is_held_once(database: sqlite3.Connection) -> None:
    (shown,) = ask(database, "SELECT snippet(articles_fts, 1, '[', ']', '', 3) FROM articles_fts WHERE articles_fts MATCH 'kormany'")
    assert "[kormány]" in shown[0]
    assert ask(database, "SELECT name FROM sqlite_master WHERE name = 'articles_fts_content'") == []
    database.execute("INSERT INTO articles_fts (articles_fts, rank) VALUES ('integrity-check', 1)")


def test_an_article_is_a_row_and_its_lists_are_tables(database: sqlite3.Connection) -> None:
    columns = [row[1] for row in ask(database, "PRAGMA table_info(articles)")]
    assert columns == ["number", *(one.name for one in COLUMNS.values() if one.holds is not Holds.TEXTS)]
    assert ask(database, "SELECT headline, date_utc, year, words FROM articles") == [
        ("Megnyílt az új híd", "2024-05-01T08:00:00Z", 2024, 5),
        ("Title 2", None, 2024, 4),
    ]
    authors = "SELECT articles.id, name, position FROM article_authors JOIN authors ON author = authors.number"
    assert ask(database, f"{authors} JOIN articles ON article = articles.number ORDER BY 1, 3") == [
        (ACCENTS.id, "Kiss Anna", 1),
        (ACCENTS.id, "Nagy Béla", 2),
        (OTHER.id, "Kiss Anna", 1),
    ]
    assert ask(database, "SELECT keyword FROM keywords") == [("híd",), ("Duna",)]
    assert ask(database, "SELECT name, home, licence FROM portals") == [("pelda", PORTAL.home, PORTAL.licence)]


def test_every_reference_leads_somewhere_and_nothing_is_broken(database: sqlite3.Connection) -> None:
    assert ask(database, "PRAGMA foreign_key_check") == []
    assert ask(database, "PRAGMA integrity_check") == [("ok",)]
    referring = ("articles", "article_authors", "article_keywords", "article_sections", "posts", "captures")
    assert all(ask(database, f"PRAGMA foreign_key_list({table})") for table in referring)
    assert ask(database, "PRAGMA user_version") == [(1,)]


def test_posts_and_comments_that_are_shown_are_rows(database: sqlite3.Connection) -> None:
    posts = ask(database, "SELECT article, position, kind, id, who, posted, title, reply_to, likes, text FROM posts")
    assert posts == [
        (1, 1, "liveblog", "7", "Ada", "2024-05-01T10:00:00+02:00", "First", None, None, "At ten."),
        (1, 2, "liveblog", None, None, None, None, "7", None, "At eleven."),
        (1, 3, "comments", None, "Bob", None, None, None, "3", "No!"),
    ]


@pytest.mark.parametrize(
    ("text", "parts", "shown"),
    [("Text.", frozenset(), []), ("", frozenset(), ["At ten.", "At eleven."]), ("Text.", frozenset({Part.COMMENTS}), ["No!"])],
)
def test_what_the_export_does_not_show_is_not_there(text: str, parts: frozenset[Part], shown: list[str], tmp_path: Path) -> None:
    article = export_article(text=text, posts=(post("At ten."), post("At eleven.")), comments=(post("No!", kind="comments"),), parts=parts)
    with closing(sqlite3.connect(exported("sqlite", tmp_path / "a.sqlite", [article]))) as database:
        assert [text for (text,) in ask(database, "SELECT text FROM posts")] == shown


def test_the_posts_of_a_thread_are_rows_whatever_stands_above_them(tmp_path: Path) -> None:
    thread = export_article(text="The rules of this board.", posts=(post("Who knows?", kind="forum"),))
    with closing(sqlite3.connect(exported("sqlite", tmp_path / "a.sqlite", [thread]))) as database:
        assert ask(database, "SELECT text FROM posts") == [("Who knows?",)]


def test_captures_say_where_pages_and_versions_are(database: sqlite3.Connection) -> None:
    captures = ask(database, "SELECT kind, warc_file, warc_offset, warc_record_id FROM captures WHERE article = 1 ORDER BY position")
    assert captures == [
        (kind, CAPTURE.file, offset, CAPTURE.record_id) for kind, offset in (("page", 512), ("page", 9_000), ("version", 99))
    ]


def test_the_usual_questions_have_their_views(database: sqlite3.Connection) -> None:
    assert ask(database, "SELECT * FROM articles_by_month") == [(2024, 5, 1, 5), (2024, 6, 1, 4)]
    assert ask(database, "SELECT * FROM articles_by_author")[0] == ("Kiss Anna", 2, 9, "2024-05-01T10:00:00+02:00", "2024-06-01")
    assert ask(database, "SELECT * FROM articles_by_section") == [("Belföld", 1, 5)]
    assert ask(database, "SELECT * FROM articles_by_keyword ORDER BY keyword") == [("Duna", 1, 2024, 2024), ("híd", 1, 2024, 2024)]


def test_every_table_and_column_is_described(database: sqlite3.Connection) -> None:
    described = set(ask(database, "SELECT table_name, column_name FROM descriptions WHERE description <> ''"))
    made = ask(database, "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'articles_fts_%'")
    assert {(name, "") for (name,) in made if not name.startswith("sqlite_")} <= described
    assert {("articles", row[1]) for row in ask(database, "PRAGMA table_info(articles)")} <= described


def test_chosen_columns_are_the_only_ones_beside_the_id(tmp_path: Path) -> None:
    path = exported("sqlite", tmp_path / "a.sqlite", [ACCENTS], fields=("mentions", "headline"))
    with closing(sqlite3.connect(path)) as database:
        assert [row[1] for row in ask(database, "PRAGMA table_info(articles)")] == ["number", "id", "headline"]
        assert ask(database, "SELECT rowid FROM articles_fts('hid')") == [(1,)]
        assert ask(database, "SELECT count(*) FROM article_mentions") == [(0,)]
        assert ask(database, "SELECT name FROM sqlite_master WHERE type = 'view'") == []


def test_hostile_values_are_text_and_nothing_else(tmp_path: Path) -> None:
    hostile = "'; DROP TABLE articles; --\x00<script>alert(1)</script>"
    article = export_article(metadata={"headline": hostile, "author": [hostile], "keywords": ["x", "x"]}, text="y " * 5_000_000)
    with closing(sqlite3.connect(exported("sqlite", tmp_path / "a.sqlite", [article]))) as database:
        clean = hostile.replace("\x00", "")
        assert ask(database, "SELECT headline, length(text) FROM articles") == [(clean, 10_000_000)]
        assert ask(database, "SELECT name FROM authors") == [(clean,)]
        assert ask(database, "SELECT count(*) FROM article_keywords") == [(1,)]


def test_an_export_without_articles_is_a_database_all_the_same(tmp_path: Path) -> None:
    with closing(sqlite3.connect(exported("sqlite", tmp_path / "a.sqlite", []))) as database:
        assert ask(database, "SELECT count(*) FROM articles") == [(0,)]


def test_datasette_opens_it_finds_words_and_shows_the_descriptions(tmp_path: Path) -> None:
    datasette = pytest.importorskip("datasette.app", reason="datasette is not installed")
    script = export_article(3, metadata={"headline": "<script>alert(1)</script>"})
    path = exported("sqlite", tmp_path / "pelda.sqlite", [ACCENTS, OTHER, script])
    metadata = orjson.loads((tmp_path / "pelda.metadata.json").read_bytes())

    async def asked(*addresses: str) -> list[Any]:
        app = datasette.Datasette([str(path)], metadata=metadata)
        await app.invoke_startup()
        return [await app.client.get(address) for address in addresses]

    found, shown = asyncio.run(asked("/pelda/articles.json?_search=kormany&_shape=array", "/pelda/articles"))
    assert [row["id"] for row in found.json()] == [ACCENTS.id]
    assert "Every article of this export." in shown.text
    assert "&lt;script&gt;alert(1)" in shown.text and "<script>alert(1)" not in shown.text
    assert metadata["source_url"] == PORTAL.home


def test_addresses_that_are_none_are_no_links(tmp_path: Path) -> None:
    portal = replace(PORTAL, home="javascript:alert(1)", licence="javascript:alert(1)")
    exported("sqlite", tmp_path / "a.sqlite", [], portals=[portal])
    assert b"javascript:" not in (tmp_path / "a.metadata.json").read_bytes()


def test_a_disk_that_is_full_is_told_and_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_schema, "_STATISTICS", "PRAGMA max_page_count = 1; CREATE TABLE too_much (x);")
    with pytest.raises(OSError, match="full"):
        exported("sqlite", tmp_path / "a.sqlite", [ACCENTS])
    assert list(tmp_path.iterdir()) == []


def test_the_same_articles_give_the_same_bytes(tmp_path: Path) -> None:
    one, other = (exported("sqlite", tmp_path / name / "a.sqlite", [ACCENTS, OTHER]) for name in ("one", "other"))
    assert one.read_bytes() == other.read_bytes()


def test_the_questions_in_the_docs_are_answered(database: sqlite3.Connection) -> None:
    page = (Path(__file__).resolve().parents[4] / "docs" / "reference" / "tables.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```sql\n(.*?)```", page, re.DOTALL)
    found, by_year = (ask(database, question) for question in re.sub("--.*", "", block).split(";")[:2])
    assert [headline for _, headline, _ in found] == ["Megnyílt az új híd"]
    assert by_year == [(2024, 2)]
