"""Articles in rows: JSON Lines, CSV, Parquet, SQLite."""

from __future__ import annotations

import codecs
import csv
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import accumulate, compress, islice
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any

import orjson

from webarticlecurator.amounts import amount, those_that_hold
from webarticlecurator.building.kept_json import kept_json
from webarticlecurator.config.fields import FIELDS
from webarticlecurator.databases import connect
from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.export_options import Part, did_you_mean
from webarticlecurator.exporting.exporter import Exporter
from webarticlecurator.exporting.flat import flat_line
from webarticlecurator.exporting.formats import Format
from webarticlecurator.exporting.harmless import csv_cell, plain
from webarticlecurator.exporting.output import Output
from webarticlecurator.exporting.table import (
    TEXTUAL,
    ColumnType,
    TableColumn,
    Value,
    as_text,
    columns_of,
    row_of,
)
from webarticlecurator.exporting.token_rows import COLUMNS as TOKENS
from webarticlecurator.exporting.token_rows import token_rows
from webarticlecurator.version import PROGRAM

_KEYS = (
    *(
        "id", "captures", "url", "kind", "outcome", "reason", "direction", "metadata", "next_page", "goes_on",
        "missing_pages", "text", "blocks",
    ),
    *("comments", "unknown_tags", "dropped", "disagreements", "text_changed", "corrections", "gone"),
    "language",
)  # fmt: skip
"""The keys of an article's object. `url` is one of them and a metadata field; here it is the former."""
_COMMENTS = b'"comments":'
"""The beginning of comments in JSON. No text can hold it: its quotes would be escaped there. No other key has
the name."""


def write_jsonl(export: Exporter, output: Output) -> None:
    """Write a line an article: all that is known of it, or a value a name."""
    if export.options.flat:
        if export.options.tokens:
            raise UsageError(
                "--tokens has no place in flat lines: leave --flat out, or take sqlite or parquet."
            )
        _write_flat(export, output)
        return
    _check_keys(export.options.fields)
    for article in export.articles():
        line = _line_of(article)
        if export.options.tokens:
            tokens = b",".join(map(kept_json, token_rows(article)))
            line = b'%b%b"tokens":[%b]}' % (line[:-1], b"," if line != b"{}" else b"", tokens)
        output.main.write(line + b"\n")


def _check_keys(fields: Sequence[str]) -> None:
    """Raises UsageError where one of them is neither a key of an object nor a field of metadata."""
    for name in fields:
        if name not in _KEYS and name not in FIELDS:
            meant = did_you_mean(name, (*_KEYS, *FIELDS))
            keys = ", ".join(_KEYS)
            raise UsageError(
                f"--fields {name} is unknown. {meant}A line has the keys {keys}, and in `metadata` "
                "Schema.org's fields, such as author."
            )


def _line_of(article: ExportArticle) -> bytes:
    """Return the line that the build kept, wherever nothing in it changes, else one made anew."""
    fields, line = article.options.fields, article.built.line
    hides_comments = Part.COMMENTS not in article.parts and article.built.posts > 0 and _COMMENTS in line
    if not (fields or hides_comments or article.change or article.gone):
        return line[:-1] + b',"language":' + orjson.dumps(article.built.language) + b"}"
    record = {**article.record, "language": article.built.language}
    if hides_comments:
        article.left_out[Part.COMMENTS] = len(record.pop("comments", ()))
    return kept_json(_chosen(record, fields) if fields else record)


def _chosen(record: dict[str, Any], fields: Sequence[str]) -> dict[str, Any]:
    """Return only these keys of an object, and these fields of its metadata, which stay in there."""
    values = record["metadata"]
    metadata = {name: values[name] for name in fields if values.get(name) and name not in _KEYS}
    chosen = {name: record[name] for name in fields if name in record}
    return {**chosen, "metadata": chosen.get("metadata", metadata)} if metadata else chosen


def _write_flat(export: Exporter, output: Output) -> None:
    """Write what tables hold: a value, or a list of texts, a name."""
    columns_of(export.options.fields)  # which tells of unknown ones, also where there is no article
    for article in export.articles():
        output.main.write(flat_line(article, export.options.fields))


# --- CSV ---

_EXCEL = 32_767
"""Characters that a cell of it holds."""
_NOTES = {
    "formulas": "An apostrophe stands before {cells} that a spreadsheet would have taken for a formula.",
    "parted": "In {lists} a semicolon inside a value became a comma.",
    "long": f"Longer than the {_EXCEL:,} characters that Excel holds: {{cells}}; it cuts them when it opens "
    "the file.",
}


def write_csv(export: Exporter, output: Output) -> None:
    """Write CSV: UTF-8, lines end in CRLF; lists are joined by `; `. Unless columns are named, those without
    any value are left out."""
    counts: Counter[str] = Counter()
    columns = columns_of(export.options.fields)
    has_values = [bool(export.options.fields)] * len(columns)
    with TemporaryFile("w+", encoding="utf-8", newline="") as waiting:
        rows = csv.writer(waiting)
        for article in export.articles():
            cells = list(_cells(article, columns, counts))
            has_values = [known or cell != "" for known, cell in zip(has_values, cells, strict=True)]
            rows.writerow(cells)
        waiting.seek(0)
        shown = has_values if any(has_values) else [True] * len(columns)
        written = csv.writer(codecs.getwriter("utf-8-sig" if export.options.bom else "utf-8")(output.main))
        written.writerow(compress((column.name for column in columns), shown))
        written.writerows(compress(row, shown) for row in _long_rows(waiting))
    left_out = [column.name for column, is_shown in zip(columns, shown, strict=True) if not is_shown]
    output.notes += those_that_hold(
        (
            left_out,
            f"Columns without any value are left out: {', '.join(left_out)}; --fields names those that you "
            "want.",
        ),
        *(
            (
                counts[what],
                note.format(cells=amount(counts[what], "cell"), lists=amount(counts[what], "list")),
            )
            for what, note in _NOTES.items()
        ),
    )


def _long_rows(lines: Iterable[str]) -> Iterator[list[str]]:
    """Yield rows of any length: Python's own limit is 131,072 characters a cell."""
    usual = csv.field_size_limit(1 << 31)
    try:
        yield from csv.reader(lines)
    finally:
        csv.field_size_limit(usual)


def _cells(article: ExportArticle, columns: Sequence[TableColumn], counts: Counter[str]) -> Iterator[str]:
    """Yield the cells of a row, and count what had to be changed, or will not fit."""
    for column, value in zip(columns, row_of(article, columns), strict=True):
        text = as_text(value)
        if column.holds in TEXTUAL:
            cell = csv_cell(text)
            counts["formulas"] += cell is not text
            counts["long"] += len(cell) > _EXCEL
            counts["parted"] += isinstance(value, tuple) and any(";" in item for item in value)
            text = cell
        yield text


# --- Parquet ---


def write_parquet(export: Exporter, output: Output) -> None:
    """A row an article, in groups."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if output.path is not None and output.path.suffix in (".gz", ".zst"):
        raise UsageError(
            f"Parquet is packed by itself, and nothing reads {output.path.name}: leave {output.path.suffix} "
            "away."
        )
    columns = columns_of(export.options.fields)
    types = {
        ColumnType.TEXT: pa.string(),
        ColumnType.TEXTS: pa.list_(pa.string()),
        ColumnType.INTEGER: pa.int64(),
        ColumnType.NUMBER: pa.float64(),
        ColumnType.YES_NO: pa.bool_(),
        ColumnType.DAY: pa.date32(),
        ColumnType.INSTANT: pa.timestamp("us", tz="UTC"),
    }
    fields = [
        pa.field(column.name, types[column.holds], metadata={"description": column.description})
        for column in columns
    ]
    token = pa.struct([(name, types[holds]) for name, holds in TOKENS.items()])
    has_tokens = export.options.tokens
    fields += [pa.field("tokens", pa.list_(token))] if has_tokens else []
    about = {
        "title": ", ".join(portal.file.title for portal in export.portals).encode("utf-8", "replace"),
        "program": PROGRAM.encode(),
        "portals": orjson.dumps([portal.told for portal in export.portals]),
    }
    schema = pa.schema(fields, metadata=about)
    told_again = [
        column.name
        for column in columns
        if column.holds is not ColumnType.TEXTS and column.name not in ("id", "text")
    ]
    with pq.ParquetWriter(
        output.main, schema, compression="zstd", compression_level=6, use_dictionary=told_again
    ) as writer:
        articles = export.articles()
        while some := [
            (row_of(article, columns), _packed_tokens(article, token) if has_tokens else None)
            for article in islice(articles, 1_000)
        ]:  # what is held of a corpus is never more
            rows, packed = zip(*some, strict=True)
            arrays = _arrays_of(rows, schema) + ([_lists_of(packed)] if has_tokens else [])
            writer.write_batch(pa.record_batch(arrays, schema=schema))


def _arrays_of(rows: Sequence[Sequence[Value]], schema: Any) -> list[Any]:
    """Return the columns of the table."""
    import pyarrow as pa

    columns = zip(zip(*rows, strict=True), schema, strict=False)
    return [pa.array(values, field.type) for values, field in columns]


def _packed_tokens(article: ExportArticle, type_: Any) -> Any:
    """Return the tokens of an article as pyarrow packs them: some at a time, since as Python has them they
    take ten times as much memory."""
    import pyarrow as pa

    tokens, packed = token_rows(article), [pa.array([], type_)]
    while some := list(islice(tokens, 10_000)):
        packed.append(pa.array(some, type_))
    return pa.concat_arrays(packed)


def _lists_of(packed: Sequence[Any]) -> Any:
    """Return one array of lists."""
    import pyarrow as pa

    ends = pa.array(accumulate(map(len, packed), initial=0), pa.int32())
    return pa.ListArray.from_arrays(ends, pa.concat_arrays(packed))


# --- SQLite ---

# A draft that nobody reads before it is finished needs no journal. The version changes when tables or columns
# change their meaning.
_PRAGMAS = (
    "PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = "
    "-65536; PRAGMA user_version = 2;"
)
_SQL = {ColumnType.INTEGER: "INTEGER", ColumnType.NUMBER: "REAL", ColumnType.YES_NO: "INTEGER"}
"""The types of SQL for columns; all other columns are text, where a list is one of JSON."""
_INDEXED = ("url", "datePublished", "date_utc", "year", "language", "type", "duplicates", "near_duplicates")
_POST = ("kind", "id", "number", "who", "when", "title", "reply_to", "url", "likes")
_CAPTURE = ("url", "date", "file", "offset", "length", "record_id", "digest")
_TABLES = """
CREATE TABLE posts (
    article INTEGER NOT NULL REFERENCES articles (number), position INTEGER NOT NULL, kind TEXT, id TEXT, post_number TEXT, who TEXT,
    posted TEXT, title TEXT, reply_to TEXT, url TEXT, likes TEXT, text TEXT NOT NULL, PRIMARY KEY (article, position)
);
CREATE TABLE captures (
    article INTEGER NOT NULL REFERENCES articles (number), position INTEGER NOT NULL, kind TEXT NOT NULL, url TEXT NOT NULL,
    captured TEXT NOT NULL, warc_file TEXT NOT NULL, warc_offset INTEGER NOT NULL, warc_length INTEGER NOT NULL,
    warc_record_id TEXT NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (article, position)
);
CREATE TABLE portals (
    name TEXT PRIMARY KEY, title TEXT, home TEXT, publisher TEXT, licence TEXT, rights TEXT, rules TEXT
) WITHOUT ROWID;
"""

_TABLE_OF_TOKENS = f"""
CREATE TABLE tokens (
    article INTEGER NOT NULL REFERENCES articles (number),
    {", ".join(f"{name} {_SQL.get(holds, 'TEXT')}" for name, holds in TOKENS.items())},
    PRIMARY KEY (article, passage, sentence, number)
) WITHOUT ROWID;
"""
_ADD_TOKEN = f"INSERT INTO tokens VALUES (:article, {', '.join(f':{name}' for name in TOKENS)})"
_NOTHING = dict.fromkeys(TOKENS)
_COUNTS_OF_LEMMAS = """
CREATE TABLE lemmas AS SELECT {year} AS year, lemma, upos, count(*) AS tokens FROM tokens
    JOIN articles ON articles.number = tokens.article WHERE lemma IS NOT NULL GROUP BY 1, 2, 3;
CREATE INDEX lemmas_lemma ON lemmas (lemma, year);
CREATE INDEX tokens_lemma ON tokens (lemma);
"""


def write_sqlite(export: Exporter, output: Output) -> None:
    """Write a database: everything in one transaction to a draft; what speeds up reading is made at its
    end."""
    names = (
        dict.fromkeys(("id", *export.options.fields)) if export.options.fields else ()
    )  # by `id` other data is joined to it
    columns = columns_of(tuple(names))
    also = {"id": " NOT NULL", "portal": " REFERENCES portals (name)"}
    defined = (
        f'"{column.name}" {_SQL.get(column.holds, "TEXT")}{also.get(column.name, "")}' for column in columns
    )
    articles = f"CREATE TABLE articles ({', '.join(['number INTEGER PRIMARY KEY', *defined])});"
    row = f"INSERT INTO articles VALUES ({', '.join('?' * (len(columns) + 1))})"
    has_tokens = export.options.tokens
    with TemporaryDirectory(prefix="curator-", dir=output.drafts) as folder:
        path = Path(folder) / "articles.sqlite"
        with closing(connect(path)) as db:
            db.executescript(
                f"{_PRAGMAS} BEGIN; {articles} {_TABLES} {_TABLE_OF_TOKENS if has_tokens else ''}"
            )
            for number, article in enumerate(export.articles(), start=1):
                db.execute(row, (number, *map(_cell, row_of(article, columns))))
                if has_tokens:
                    db.executemany(
                        _ADD_TOKEN,
                        ({"article": number, **_NOTHING, **token} for token in token_rows(article)),
                    )
                posts = ((number, *post) for post in _posts(article))
                db.executemany(f"INSERT INTO posts VALUES ({', '.join('?' * 12)})", posts)
                captures = ((number, *capture) for capture in _captures(article))
                db.executemany(f"INSERT INTO captures VALUES ({', '.join('?' * 10)})", captures)
            for told in (portal.told for portal in export.portals):
                about = (
                    *map(told.get, ("name", "title", "home", "publisher", "licence", "rights")),
                    ", ".join(told["rules"]),
                )
                db.execute("INSERT INTO portals VALUES (?, ?, ?, ?, ?, ?, ?)", tuple(map(_plain, about)))
            if has_tokens:
                year = "articles.year" if "year" in {column.name for column in columns} else "NULL"
                db.executescript(_COUNTS_OF_LEMMAS.format(year=year))
            db.executescript(f"BEGIN; {_at_the_end(columns)} COMMIT;")  # which commits the rows first
        with path.open("rb") as file:
            shutil.copyfileobj(file, output.main)


def _at_the_end(columns: Sequence[TableColumn]) -> str:
    """Return the SQL for the end: indexes, the index of the text, which is not held twice (it looks into the
    table), and the view of all lists."""
    names = [column.name for column in columns]
    made = ["CREATE UNIQUE INDEX articles_id ON articles (id);", "CREATE INDEX posts_who ON posts (who);"]
    made += [f'CREATE INDEX "articles_{name}" ON articles ("{name}");' for name in _INDEXED if name in names]
    if searched := ", ".join(name for name in ("headline", "text") if name in names):
        made.append(
            f'CREATE VIRTUAL TABLE articles_fts USING fts5({searched}, content="articles", '
            'content_rowid="number",'
            ' tokenize="unicode61 remove_diacritics 2"); INSERT INTO articles_fts (articles_fts) VALUES '
            "('rebuild');"
        )
    lists = [
        f"SELECT number AS article, '{column.name}' AS field, key + 1 AS position, value FROM articles, "
        f'json_each("{column.name}")'
        for column in columns
        if column.holds is ColumnType.TEXTS
    ]
    made += [f"CREATE VIEW lists AS {' UNION ALL '.join(lists)};"] if lists else []
    return " ".join(
        [*made, "PRAGMA analysis_limit = 400; ANALYZE;"]
    )  # by which SQLite chooses among the indexes


def _cell(value: Value) -> Any:
    if isinstance(value, tuple):
        return orjson.dumps(value).decode()
    return as_text(value) if hasattr(value, "isoformat") else value


def _captures(article: ExportArticle) -> Iterator[tuple[Any, ...]]:
    """Give the pages that it was read from, and its other versions, with where they lie."""
    kinds = [("page", page) for page in article.built.kept_record["captures"]]
    kinds += [("version", old) for old in article.built.versions]
    for position, (kind, capture) in enumerate(kinds, start=1):
        yield (position, kind, *map(_plain, map(capture.get, _CAPTURE)))


def _posts(article: ExportArticle) -> Iterator[tuple[Any, ...]]:
    """Give those that the export shows, with their text as it stands in the article's."""
    record, parts = article.record, article.parts
    blocks: Sequence[dict[str, Any]] = record.get("blocks", ())
    shown = []
    if Part.POSTS in parts:
        shown = [(number, block) for number, block in enumerate(blocks) if block["type"] == "post"]
    if Part.COMMENTS in parts:
        shown += list(enumerate(record.get("comments", ()), start=len(blocks)))
    if not shown:
        return
    texts: dict[int, list[str]] = {}
    for passage in article.passages:
        if passage.post is not None and not (
            passage.kind == "head" and passage.text == passage.post.get("title")
        ):
            texts.setdefault(passage.block, []).append(passage.text)
    for position, (number, post) in enumerate(shown, start=1):
        yield (position, *(_plain(post.get(name)) for name in _POST), plain("\n".join(texts.get(number, ()))))


def _plain(value: Any) -> Any:
    return plain(value) if isinstance(value, str) else value


FORMATS = (
    Format(
        "jsonl",
        write_jsonl,
        "one JSON object a line: all that is known of each article",
        ".jsonl",
        ignores=("headline", "parts", "without"),
        options=("flat", "layer", "tokens"),
    ),
    Format(
        "csv",
        write_csv,
        "a table for spreadsheets: a row an article",
        ".csv",
        analysed=True,
        options=("bom",),
    ),
    Format(
        "parquet",
        write_parquet,
        "a typed table",
        ".parquet",
        binary=True,
        library="pyarrow",
        analysed=True,
        options=("layer", "tokens"),
    ),
    Format(
        "sqlite",
        write_sqlite,
        "a database with full-text search, for Datasette",
        ".sqlite",
        binary=True,
        analysed=True,
        options=("layer", "tokens"),
    ),
)
