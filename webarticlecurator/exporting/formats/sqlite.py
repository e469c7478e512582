"""An SQLite database: articles, whom and what they name, posts, captures, and an index of the text; with metadata for Datasette."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import orjson

from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.formats.sqlite_schema import ListTable, Schema, schema_of
from webarticlecurator.exporting.harmless import plain
from webarticlecurator.exporting.options import ExportOptions, Part
from webarticlecurator.exporting.output import Output
from webarticlecurator.exporting.passages import has_only_posts
from webarticlecurator.exporting.portals import PortalInfo
from webarticlecurator.exporting.table import Holds, Table, Value, as_text, columns_of

_AT_ONCE = 200
"""Articles whose rows are written together."""
_POST = ("kind", "id", "number", "who", "when", "title", "reply_to", "url", "likes")
_CAPTURE = ("url", "date", "file", "offset", "length", "record_id", "digest")


class SqliteDatabase:
    """Everything is written in one transaction to a draft; what speeds up reading is made at its end."""

    def __init__(self, output: Output, options: ExportOptions, corpora: Sequence[PortalInfo]) -> None:
        self._output = output
        self._corpora = corpora
        names = dict.fromkeys(("id", *options.fields)) if options.fields else ()  # by `id` other data is joined to it
        self._table = Table(columns_of(tuple(names)), corpora)
        self._schema = schema_of(self._table.columns)
        self._lists = {one.column: _Values(one) for one in self._schema.lists}
        self._rows: dict[str, list[tuple[Any, ...]]] = {}
        self._number = 0
        self._db = sqlite3.connect(output.main_path(), isolation_level=None)
        # A draft that nobody reads before it is finished needs no journal.
        self._db.executescript("PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536;")
        self._db.executescript(f"BEGIN; {self._schema.tables}")

    def write(self, article: ExportArticle) -> None:
        self._number += 1
        plain_values: list[Any] = [self._number]
        for column, value in zip(self._table.columns, self._table.row(article), strict=True):
            if column.holds is Holds.TEXTS:
                self._link(column.name, value)
            else:
                plain_values.append(as_text(value) if column.holds is Holds.INSTANT and value is not None else value)
        self._add("articles", tuple(plain_values))
        for row in _posts(article):
            self._add("posts", (self._number, *row))
        for row in _captures(article):
            self._add("captures", (self._number, *row))
        if self._number % _AT_ONCE == 0:
            self._flush()

    def finish(self) -> None:
        self._flush()
        with _disk_errors():
            for values in self._lists.values():
                numbered = ((number, one) for one, number in values.numbers.items())
                self._db.executemany(f'INSERT INTO "{values.table.name}" VALUES (?, ?)', numbered)
            self._db.executemany("INSERT INTO descriptions VALUES (?, ?, ?)", self._schema.descriptions)
            self._db.executemany("INSERT INTO portals VALUES (?, ?, ?, ?, ?, ?, ?)", map(_portal, self._corpora))
            self._db.executescript(f"BEGIN; {self._schema.at_the_end} COMMIT;")  # which commits the rows first
        self._db.close()
        with self._output.file(f"{self._output.stem}.metadata.json") as file:
            file.write(orjson.dumps(_datasette(self._output.stem, self._corpora, self._schema), option=orjson.OPT_INDENT_2))

    def _link(self, column: str, value: Value) -> None:
        assert isinstance(value, tuple)
        values = self._lists[column]
        for position, one in enumerate(dict.fromkeys(value), start=1):
            self._add(values.table.links, (self._number, values.number(one), position))

    def _add(self, table: str, row: tuple[Any, ...]) -> None:
        self._rows.setdefault(table, []).append(row)

    def _flush(self) -> None:
        with _disk_errors():
            for table, rows in self._rows.items():
                self._db.executemany(f'INSERT INTO "{table}" VALUES ({", ".join("?" * len(rows[0]))})', rows)
        self._rows.clear()


@contextmanager
def _disk_errors() -> Iterator[None]:
    """A full disk is told as one, as of any other file."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise OSError(str(error)) from error


class _Values:
    """The different values of a list column, numbered. They are held: a few dozen bytes a name or keyword, however often it comes."""

    def __init__(self, table: ListTable) -> None:
        self.table = table
        self.numbers: dict[str, int] = {}

    def number(self, value: str) -> int:
        return self.numbers.setdefault(value, len(self.numbers) + 1)


def _posts(article: ExportArticle) -> Iterator[tuple[Any, ...]]:
    """Those that the export shows, with their text as it stands in the article's."""
    record = article.record
    blocks: Sequence[dict[str, Any]] = record.get("blocks", ())
    shown = [(number, one) for number, one in enumerate(blocks) if one["type"] == "post"]
    if Part.POSTS not in article.parts and not has_only_posts(record):
        shown = []
    if Part.COMMENTS in article.parts:
        shown += list(enumerate(record.get("comments", ()), start=len(blocks)))
    if not shown:
        return
    texts: dict[int, list[str]] = {}
    for passage in article.passages:
        if passage.post is not None and not (passage.kind == "head" and passage.text == passage.post.title):
            texts.setdefault(passage.block, []).append(passage.text)
    for position, (number, post) in enumerate(shown, start=1):
        told = (_cell(post.get(name)) for name in _POST)
        yield (position, *told, _cell("\n".join(texts.get(number, ()))))


def _captures(article: ExportArticle) -> Iterator[tuple[Any, ...]]:
    of = (*((one, "page") for one in article.record["captures"]), *((one, "version") for one in article.built.versions))
    for position, (capture, kind) in enumerate(of, start=1):
        yield (position, kind, *(_cell(capture[name]) for name in _CAPTURE))


def _cell(value: Any) -> Any:
    return plain(value) if isinstance(value, str) else value


def _portal(portal: PortalInfo) -> tuple[Any, ...]:
    told = (portal.name, portal.title, portal.home, portal.publisher, portal.licence, portal.rights, ", ".join(portal.rules))
    return tuple(map(_cell, told))


def _datasette(stem: str, corpora: Sequence[PortalInfo], schema: Schema) -> dict[str, Any]:
    """What `datasette NAME.sqlite -m NAME.metadata.json` shows of it."""
    first = corpora[0]
    tables: dict[str, Any] = {}
    for table, column, said in schema.descriptions:
        told = tables.setdefault(table, {"columns": {}})
        if column:
            told["columns"][column] = said
        else:
            told["description"] = said
    tables["articles"] |= {"fts_table": "articles_fts", "size": 25, **schema.shown}
    address = first.home if len(corpora) == 1 and first.home.startswith(("http://", "https://")) else None
    licence = first.licence if len(corpora) == 1 and (first.licence or "").startswith(("http://", "https://")) else None
    return {
        "title": plain(f"Articles of {' and '.join(one.title for one in corpora)}"),
        **({"source": plain(first.title), "source_url": address} if address else {}),
        **({"license": plain(first.rights or licence or ""), "license_url": licence} if licence else {}),
        "databases": {stem: {"tables": tables}},
    }
