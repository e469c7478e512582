"""Articles as rows: CSV, parquet and SQLite, each read back by those who read it."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from published import Publish, article

COLUMNS = "".join(
    (
        "id portal url canonical headline alternativeHeadline author datePublished date date_utc year month day ",
        "dateModified articleSection keywords description language language_code language_identified language_certainty ",
        "type outcome isAccessibleForFree source words characters posts comments layout column captured warc_file ",
        "warc_offset warc_length warc_record_id versions text_changed corrected gone duplicates near_duplicates rights text ",
    )
).split()

PLAIN = ("--fields", ",".join(name for name in COLUMNS if not name.endswith(("_identified", "_certainty", "duplicates"))))
"""Without what languages and duplicates have to be looked for."""


def rows(content: bytes) -> list[dict[str, str]]:
    usual = csv.field_size_limit(1 << 30)  # Python's own is 131,072 characters
    try:
        return list(csv.DictReader(io.StringIO(content.decode("utf-8"), newline="")))
    finally:
        csv.field_size_limit(usual)


def by_id(content: bytes) -> dict[str, dict[str, str]]:
    return {row["id"]: row for row in rows(content)}


# --- CSV ---


def test_a_row_an_article_with_all_columns_by_rfc_4180(library: Any, export: Any) -> None:
    content = export(library.files, "csv", "a.csv", "--outcome", "article,paywall", "--fields", ",".join(COLUMNS)).content
    assert content.startswith(",".join(COLUMNS).encode() + b"\r\n")
    assert content.endswith(b"\r\n")
    table = by_id(content)
    assert len(table) == 9
    bridge = table[library["bridge"].id]
    counted = ("text", "text_changed", "words", "characters")
    assert {name: told for name, told in bridge.items() if told and name not in counted and not name.startswith("warc_")} == {
        "id": library["bridge"].id,
        "portal": "pelda",
        "url": "https://pelda.example/1",
        "headline": "The bridge is open",
        "author": "Kiss Anna; Nagy Béla",
        "datePublished": "2024-05-01T10:00:00+02:00",
        "date": "2024-05-01",
        "date_utc": "2024-05-01T08:00:00Z",
        "year": "2024",
        "month": "5",
        "day": "1",
        "articleSection": "Belföld",
        "keywords": "híd; Duna",
        "description": "What it cost.",
        "language": "en",
        "language_code": "en",
        "language_identified": "en",
        "language_certainty": "1.0",
        "type": "NewsArticle",
        "outcome": "article",
        "isAccessibleForFree": "true",
        "source": "MTI",
        "posts": "0",
        "comments": "2",
        "captured": "2024-06-01T00:00:00Z",
        "versions": "0",
        "rights": "https://pelda.example/terms",
    }
    assert bridge["text"].split("\n")[1:] == [
        *("one", "in it", "two", "Why", "Costs", "a\tb"),
        *("It was old.", "Said the mayor.", "Magyarul szól ez a mondat."),
    ]
    assert int(bridge["warc_offset"]) > 0 and bridge["warc_record_id"].startswith("urn:uuid:")
    assert (table[library["paid"].id]["outcome"], table[library["paid"].id]["layout"]) == ("paywall", "old")
    assert table[library["again"].id]["versions"] == "1"
    assert [table[library["undated"].id][name] for name in ("headline", "year", "date_utc", "rights")] == [
        *("", "", ""),
        "https://creativecommons.org/licenses/by-sa/4.0/",
    ]
    assert [table[library["thread"].id][name] for name in ("posts", "comments", "text")] == ["2", "0", "Who knows?\nI do."]


@pytest.mark.parametrize(
    ("published", "instant", "parts"),
    [
        ("2024-05-01", "", ("2024", "5", "1")),
        ("2024-05", "", ("2024", "5", "")),
        ("2024", "", ("2024", "", "")),
        ("2024-01-01T00:30:00+01:00", "2023-12-31T23:30:00Z", ("2024", "1", "1")),
    ],
)
def test_a_day_is_not_its_midnight(publish: Publish, export: Any, published: str, instant: str, parts: tuple[str, ...]) -> None:
    (row,) = rows(export(publish(article(1, "Text.", date=published)), "csv", "a.csv", *PLAIN).content)
    assert (row["date_utc"], (row["year"], row["month"], row["day"])) == (instant, parts)


FORMULAS = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "%0A=1", "-", "+36 1 234", "--5", "＝1"]
NO_FORMULAS = ["-5", "+3.2", "-1,5", "Duna", "a=b", "1=2", "'=1"]


def test_no_cell_begins_a_formula_and_numbers_and_words_stay_as_they_are(publish: Publish, export: Any) -> None:
    texts = FORMULAS + NO_FORMULAS
    pages = [article(number, f"{text} is told", title=text, author=[text, "B"], keywords=["B", text]) for number, text in enumerate(texts)]
    table = by_id(export(publish(*pages), "csv", "a.csv", *PLAIN).content)
    for text, page in zip(texts, pages, strict=True):
        row, before = table[page.id], "'" if text in FORMULAS else ""
        assert row["headline"] == f"{before}{text}"
        assert row["author"].startswith("'" if text[0] in "=+-@%＝" else text), text
        assert row["text"].startswith("'" if text[0] in "=+-@%＝" else text), text
        assert row["keywords"] == f"B; {text}"
        assert row["warc_offset"].isdigit()


def test_lists_are_joined_so_that_no_value_falls_in_two_and_what_was_changed_or_excel_cuts_is_told(publish: Publish, export: Any) -> None:
    portal = publish(article(1, "x " * 20_000, title="=1", keywords=["a;b", "c"], author="D"), article(2, "Text."))
    made = export(portal, "csv", "a.csv", *PLAIN)
    row = rows(made.content)[0]
    assert row["keywords"] == "a,b; c"
    for told in ("1 cell", "apostrophe", "1 list", "semicolon", "32,767"):
        assert told in made.said


def test_a_byte_order_mark_is_written_on_request(library: Any, export: Any) -> None:
    assert export(library.pelda, "csv", "a.csv", "--bom").content.startswith(b"\xef\xbb\xbfid,")


def test_columns_are_chosen_also_where_all_of_them_are_empty(publish: Publish, export: Any) -> None:
    portal = publish(page := article(1, "Text.", commentCount="17", mentions=["Buda", "Pest"]))
    assert export(portal, "csv", "a.csv", "--fields", "genre,id,mentions,commentCount").content == (
        f"genre,id,mentions,commentCount\r\n,{page.id},Buda; Pest,17\r\n".encode()
    )
    assert export(portal, "csv", "b.csv", "--fields", "genre").content == b'genre\r\n""\r\n'
    assert "Did you mean keywords?" in export(portal, "csv", "c.csv", "--fields", "keyword", code=2).said


def test_comments_are_counted_whether_they_are_shown_or_not(library: Any, export: Any) -> None:
    flags = ("--fields", "id,comments,text", "--where", "author=Kiss Anna", "--where", "words>=10")
    (without,) = rows(export(library.pelda, "csv", "a.csv", *flags).content)
    (shown,) = rows(export(library.pelda, "csv", "b.csv", *flags, "--with", "comments").content)
    assert without["comments"] == shown["comments"] == "2"
    assert shown["text"] == without["text"] + "\nNonsense!\nWell said!"


# --- parquet ---


def test_pyarrow_reads_typed_columns_with_their_descriptions(library: Any, export: Any) -> None:
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    made = export(library.pelda, "parquet", "a.parquet")
    table = parquet.read_table(made.path)
    assert table.column_names == COLUMNS
    kinds = {"date_utc": "timestamp[us, tz=UTC]", "isAccessibleForFree": "bool", "language_certainty": "double"}
    assert {name: str(table.schema.field(name).type) for name in kinds} == kinds
    assert table.schema.field("author").type == pyarrow.list_(pyarrow.string())
    assert all(table.schema.field(name).metadata[b"description"].endswith(b".") for name in COLUMNS)
    values = {row["id"]: row for row in table.to_pylist()}
    bridge, undated = values[library["bridge"].id], values[library["undated"].id]
    assert (bridge["author"], bridge["date_utc"]) == (["Kiss Anna", "Nagy Béla"], datetime(2024, 5, 1, 8, tzinfo=UTC))
    assert (bridge["isAccessibleForFree"], bridge["warc_record_id"].startswith("urn:uuid:")) == (True, True)
    assert (undated["datePublished"], undated["date_utc"], undated["day"], undated["keywords"]) == (None, None, None, [])
    assert values[library["hostile"].id]["headline"].startswith("=1+1 <script>"), "no spreadsheet opens it"
    assert parquet.ParquetFile(made.path).metadata.row_group(0).column(0).compression == "ZSTD"


def test_without_articles_it_is_a_table_without_rows_and_it_is_not_packed_twice(library: Any, export: Any) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    empty = export(library.pelda, "parquet", "a.parquet", "--where", "section=nowhere", "--fields", "mentions,text", code=1)
    assert parquet.read_table(empty.path).to_pylist() == []
    assert ".gz" in export(library.pelda, "parquet", "a.parquet.gz", code=2).said


# --- SQLite ---


Ask = Callable[..., list[tuple[Any, ...]]]


@pytest.fixture
def ask(library: Any, export: Any) -> Iterator[Ask]:
    """The database of the library's first portal with all posts, asked as those ask it who get it."""
    with closing(sqlite3.connect(export(library.pelda, "sqlite", "a.sqlite", "--with", "comments,posts").path)) as opened:
        yield lambda sql, *values: opened.execute(sql, values).fetchall()


def test_words_are_found_with_and_without_accents(publish: Publish, export: Any) -> None:
    portal = publish(page := article(1, "Őszre elkészült a kormány hídra szánt terve.", title="Megnyílt az új híd"), article(2, "Other."))
    with closing(sqlite3.connect(export(portal, "sqlite", "a.sqlite", *PLAIN).path)) as database:
        sql = "SELECT id FROM articles JOIN articles_fts ON number = articles_fts.rowid WHERE articles_fts MATCH ?"
        for words in ("hid", "híd", "HÍD", "hidr*", "oszre elkeszult"):
            assert database.execute(sql, (words,)).fetchall() == [(page.id,)], words
        (shown,) = database.execute("SELECT snippet(articles_fts, 1, '[', ']', '', 3) FROM articles_fts WHERE articles_fts MATCH 'kormany'")
        assert "[kormány]" in shown[0]


def test_an_article_is_a_row_its_lists_are_json_and_a_view_and_every_reference_leads_somewhere(ask: Ask, library: Any) -> None:
    columns = [row[1] for row in ask("PRAGMA table_info(articles)")]
    assert columns == ["number", *COLUMNS]
    bridge = library["bridge"].id
    assert ask("SELECT headline, date_utc, year, author FROM articles WHERE id = ?", bridge) == [
        ("The bridge is open", "2024-05-01T08:00:00Z", 2024, '["Kiss Anna","Nagy Béla"]')
    ]
    authors = "SELECT id, value, position FROM lists JOIN articles ON article = number WHERE field = 'author'"
    found = ask(f"{authors} AND (value LIKE 'K%' OR value LIKE 'N%')")
    assert set(found) == {(bridge, "Kiss Anna", 1), (bridge, "Nagy Béla", 2), (library["undated"].id, "Kiss Anna", 1)}
    counted = ask("SELECT value, count(*), min(year) FROM lists JOIN articles ON article = number WHERE field = 'keywords' GROUP BY value")
    assert {("híd", 1, 2024), ("Duna", 1, 2024)} <= set(counted)
    assert ask("SELECT name, home, licence FROM portals") == [
        ("pelda", "https://pelda.example/", "https://creativecommons.org/licenses/by-sa/4.0/")
    ]
    assert ask("PRAGMA foreign_key_check") == []
    assert ask("PRAGMA integrity_check") == [("ok",)]


def test_posts_that_are_shown_are_rows_and_captures_say_where_pages_and_versions_are(ask: Ask, library: Any) -> None:
    columns = "posts.position, kind, posts.id, who, posted, posts.title, reply_to, likes, posts.text"
    posts = f"SELECT {columns} FROM posts JOIN articles ON article = number"
    assert ask(f"{posts} WHERE articles.id = ? ORDER BY 1", library["bridge"].id) == [
        (1, "comments", "1", "Zed Quill", None, None, None, "3", "Nonsense!"),
        (2, "comments", "2", "Eve", None, None, "1", None, "Well said!"),
    ]
    assert ask(f"{posts} WHERE articles.id = ?", library["live"].id) == [
        (1, "liveblog", "7", "Ada", "2023-03-01T10:00:00+01:00", "First", None, None, "At ten.")
    ]
    captures = "SELECT kind FROM captures JOIN articles ON article = number WHERE articles.id = ? ORDER BY captures.position"
    assert ask(captures, library["again"].id) == [("page",), ("version",)]


@pytest.mark.parametrize(
    ("flags", "shown"),
    [
        ((), ["At ten.", "Who knows?", "I do."]),
        (("--without", "posts"), ["Who knows?", "I do."]),
        (("--with", "comments", "--without", "posts"), ["Who knows?", "I do.", "Nonsense!", "Well said!"]),
    ],
)
def test_posts_that_the_export_does_not_show_are_not_there(library: Any, export: Any, flags: tuple[str, ...], shown: list[str]) -> None:
    """In a thread they are the text."""
    with closing(sqlite3.connect(export(library.pelda, "sqlite", "a.sqlite", *flags).path)) as database:
        assert sorted(text for (text,) in database.execute("SELECT text FROM posts")) == sorted(shown)


def test_chosen_columns_are_the_only_ones_beside_the_id_and_hostile_values_are_text(publish: Publish, export: Any) -> None:
    hostile = "'; DROP TABLE articles; -- <script>alert(1)</script>"
    portal = publish(article(1, "Text.", title=hostile, author=hostile, keywords=["x", "x"]))
    with closing(sqlite3.connect(export(portal, "sqlite", "a.sqlite", "--fields", "mentions,headline").path)) as database:
        assert [row[1] for row in database.execute("PRAGMA table_info(articles)")] == ["number", "id", "mentions", "headline"]
        assert database.execute("SELECT headline FROM articles").fetchall() == [(hostile,)]
    with closing(sqlite3.connect(export(portal, "sqlite", "b.sqlite").path)) as database:
        assert database.execute("SELECT value FROM lists WHERE field = 'author'").fetchall() == [(hostile,)]


def test_columns_without_any_value_are_left_out_and_named(publish: Publish, export: Any) -> None:
    made = export(publish(article(1, "Text.", author="Ada")), "csv", "a.csv")
    (row,) = rows(made.content)
    assert row["author"] == "Ada" and all(row.values())
    left_out = made.said.split("Columns without any value are left out: ")[1].split(";")[0].split(", ")
    assert {*left_out, *row} == set(COLUMNS)
    chosen = export(publish(article(1, "Text.")), "csv", "b.csv", "--fields", "id,author")
    assert list(rows(chosen.content)[0]) == ["id", "author"], "whoever names a column gets it"


# --- flat lines ---


def test_flat_lines_have_a_value_a_name(library: Any, export: Any) -> None:
    lines = {line["id"]: line for line in map(json.loads, export(library.pelda, "jsonl", "a.jsonl", "--flat").text.splitlines())}
    bridge = lines[library["bridge"].id]
    assert (bridge["title"], bridge["date"], bridge["warc_file"][-8:]) == ("The bridge is open", "2024-05-01", ".warc.gz")
    assert "At ten." in lines[library["live"].id]["text"], "entries of a live blog are its text"
    chosen = export(library.pelda, "jsonl", "b.jsonl", "--flat", "--fields", "id,headline").text.splitlines()
    assert {tuple(json.loads(line)) for line in chosen} == {("id", "headline")}
    assert "--flat means nothing" in export(library.pelda, "csv", "a.csv", "--flat", code=2).said


def test_columns_have_the_names_of_flat_lines_too(library: Any, export: Any) -> None:
    fields = ("--fields", "id,title,authors,published,section")
    table = {row["id"]: row for row in rows(export(library.pelda, "csv", "a.csv", *fields).content)}
    lines = {line["id"]: line for line in map(json.loads, export(library.pelda, "jsonl", "a.jsonl", "--flat").text.splitlines())}
    bridge, line = table[library["bridge"].id], lines[library["bridge"].id]
    assert list(bridge) == ["id", "title", "authors", "published", "section"]
    assert bridge == {**{name: line[name] for name in bridge}, "authors": "; ".join(line["authors"])}


def test_words_are_those_of_the_text_that_is_shown(library: Any, export: Any) -> None:
    for flags in ((), ("--without", "posts"), ("--with", "boxes,captions,comments")):
        rows = csv.DictReader(io.StringIO(export(library.pelda, "csv", "a.csv", *flags).content.decode(), newline=""))
        for row in rows:
            assert row["words"] in ("", str(len(row["text"].split()))), (flags, row["text"])
            assert row["characters"] == str(len(" ".join(row["text"].removeprefix("'").split())))


@pytest.mark.nightly
def test_flat_lines_are_typed_for_pandas_duckdb_and_datasets(library: Any, export: Any, tmp_path: Path) -> None:
    pandas, duckdb = pytest.importorskip("pandas"), pytest.importorskip("duckdb")
    datasets = pytest.importorskip("datasets")
    path = export(library.pelda, "jsonl", "a.jsonl", "--flat").path
    frame = pandas.read_json(path, lines=True)
    assert str(frame["date"].dtype).startswith("datetime64")
    types = dict(duckdb.sql(f"SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM read_json_auto('{path}'))").fetchall())
    assert (types["date"], types["authors"], types["captured"][:9]) == ("DATE", "VARCHAR[]", "TIMESTAMP")
    loaded = datasets.load_dataset("json", data_files=str(path), cache_dir=str(tmp_path / "cache"))["train"]
    assert "timestamp" in str(loaded.features["date"]) and "string" in str(loaded.features["title"])


# --- pandas ---


@pytest.mark.nightly
def test_pandas_reads_all_of_them_with_their_types(library: Any, export: Any) -> None:
    pandas = pytest.importorskip("pandas")
    frames = {
        "csv": pandas.read_csv(export(library.pelda, "csv", "a.csv").path, parse_dates=["date_utc"], dtype_backend="numpy_nullable"),
        "parquet": pandas.read_parquet(export(library.pelda, "parquet", "a.parquet").path, dtype_backend="numpy_nullable"),
    }
    for name, frame in frames.items():
        row = frame[frame["id"] == library["bridge"].id].iloc[0]
        assert row["date_utc"] == pandas.Timestamp("2024-05-01T08:00:00Z"), name
        assert str(frame["year"].dtype) == "Int64", name
        assert frame["year"].isna().sum() == 1, name
