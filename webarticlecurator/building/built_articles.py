"""What is built, read again: each article's row of build.sqlite with what is kept of it, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import orjson

from webarticlecurator.building.database import BuildDatabase
from webarticlecurator.databases import Database, connect, unpack
from webarticlecurator.errors import CorpusError
from webarticlecurator.model.article import Article
from webarticlecurator.model.article_json import from_json
from webarticlecurator.model.outcome import PageOutcome

_CACHE_KIB = 16_384
_BY_DATE = "coalesce(a.published, ''), a.id"
"""The order of exports: it depends on nothing but the articles."""


@dataclass(frozen=True, kw_only=True)
class BuiltArticle:
    """An article with a document."""

    id: str
    key: int
    """The ledger's hash of its identity."""
    identity: str
    url: str
    """That it was asked for by."""
    outcome: PageOutcome
    reason: str
    type: str
    """Schema.org's."""
    language: str | None
    headline: str | None
    published: str | None
    modified: str | None
    canonical: str | None
    words: int
    characters: int
    posts: int
    layout: str | None
    flags: tuple[str, ...]
    text_changed: str | None
    """When the capture was made that brought its text, where its first one has another."""
    path: str
    """Of its document, below the corpus folder."""
    part: str
    """Digest of what its document tells of it."""
    rules: str
    """Digest of the rules under which it was made, or last confirmed."""
    packed: bytes
    """Its line of JSON, compressed."""
    versions: tuple[dict[str, Any], ...]
    """Its other captures."""

    @cached_property
    def line(self) -> bytes:
        """What `export --to jsonl` prints of it, comments included."""
        return unpack(self.packed, "build.sqlite")

    @cached_property
    def record(self) -> dict[str, Any]:
        """The same as data."""
        record: dict[str, Any] = orjson.loads(self.line)
        return record

    @cached_property
    def article(self) -> Article:
        """The same as it was understood."""
        return from_json(
            self.record, identity=self.identity, type=self.type, language=self.language, layout=self.layout, versions=self.versions
        )


_READ_OTHERWISE = ("packed", "versions")
_COLUMNS = tuple(one.name for one in fields(BuiltArticle) if one.name not in _READ_OTHERWISE)
_SELECT = f"SELECT {', '.join(f'a.{name}' for name in _COLUMNS)}, c.line, c.versions FROM articles a JOIN contents c ON c.id = a.id"


class BuiltArticles:
    """The articles of one build.sqlite, only to be read."""

    def __init__(self, db: Database) -> None:
        self._db = db
        db.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")

    @classmethod
    def of(cls, path: Path, portal: str) -> Self:
        """Of that file; raises CorpusError where nothing is built, or another version of curator did it."""
        if not path.exists():
            raise CorpusError(f"Nothing of {portal} is built yet ({path} is not there): `curator build` comes first.")
        with BuildDatabase(path, read_only=True):  # which says what is wrong with it
            return cls(connect(path, read_only=True))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._db.close()

    def attach(self, path: Path, name: str) -> None:
        """Another database beside this one, for conditions that look into it; only to be read."""
        self._db.attach(path, name)

    def hold(self) -> None:
        """From here on they stay as they are, whatever is built meanwhile."""
        self._db.execute("BEGIN")

    def count(self, where: str = "1", values: Sequence[object] = ()) -> int:
        """How many fulfil an SQL condition on the table of articles, there called `a`."""
        (number,) = self._db.execute(f"SELECT count(*) FROM articles a JOIN contents c ON c.id = a.id WHERE {where}", values).fetchone()
        return int(number)

    def read(self, where: str = "1", values: Sequence[object] = (), *, order: str = _BY_DATE) -> Iterator[BuiltArticle]:
        """Those that fulfil an SQL condition on the table of articles, there called `a`; the oldest first."""
        # What is sorted are names: with the contents beside them, it would be the whole corpus.
        ids = self._db.execute(f"SELECT a.id FROM articles a WHERE {where} ORDER BY {order}", values)
        for (one,) in ids:
            row = self._db.execute(f"{_SELECT} WHERE a.id = ?", (one,)).fetchone()
            if row is not None:
                yield _built(row)

    def by_id(self, article: str) -> BuiltArticle | None:
        """The one of that id."""
        return next(self.read("a.id = ?", (article,)), None)

    def rows(self, sql: str, values: Sequence[object] = ()) -> Iterator[tuple[Any, ...]]:
        """What a query gives, for counts that need no contents."""
        yield from self._db.execute(sql, values)


def _built(row: tuple[Any, ...]) -> BuiltArticle:
    told = dict(zip(_COLUMNS, row, strict=False))
    told |= {"outcome": PageOutcome(told["outcome"]), "flags": tuple(orjson.loads(told["flags"]))}
    packed, versions = row[len(_COLUMNS) :]
    return BuiltArticle(**told, packed=packed, versions=tuple(orjson.loads(versions)))
