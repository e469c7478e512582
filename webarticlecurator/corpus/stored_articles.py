"""What the ledger knows of each article that something is stored of, in the order in which it lies in the WARC files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import orjson

from webarticlecurator.config.fields import FIELDS
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.ledger import Ledger, explained_errors
from webarticlecurator.errors import CorpusError
from webarticlecurator.extraction.url_rules import article_id
from webarticlecurator.model.article import CaptureRef
from webarticlecurator.model.capture import url_of_key
from webarticlecurator.model.links import Fields
from webarticlecurator.warc.store import Series, series_of, size_of

_SAME = "s.identity_key = u.identity_key AND coalesce(s.identity, s.url) = coalesce(u.identity, u.url)"
"""Two rows of the ledger's `urls` that are one article."""

# Made first and kept in a temporary file, so that a crawl beside us is not held up by one long question.
_PLAN = """
    CREATE TEMP TABLE plan AS SELECT * FROM (
        SELECT u.id AS url_id, u.url AS url, u.identity_key AS identity_key, coalesce(u.identity, u.url) AS identity,
            r.file AS file, r.offset AS offset, r.length AS length, max(r.at) AS at
        FROM urls u JOIN responses r ON r.url_id = u.id
        WHERE u.parts > 0 AND u.lost IS NULL AND r.part = 1 AND r.kind = 'response' AND r.status BETWEEN 200 AND 299
        GROUP BY u.identity_key, coalesce(u.identity, u.url)
    ) ORDER BY file, offset
"""
_ARTICLE = f"""
    SELECT s.id, s.url, s.parts, coalesce(s.identity, s.url), s.identity_key
    FROM urls u JOIN urls s ON {_SAME} WHERE u.id = ? ORDER BY s.id
"""
_STORED = """
    SELECT url_id, part, request, kind, at, record, digest, file, offset, length, target FROM responses
    WHERE url_id IN ({}) AND part > 0 AND (status BETWEEN 200 AND 299 OR (kind = 'revisit' AND status = 304)) ORDER BY at DESC, id DESC
"""
_LISTINGS = """
    SELECT l.fields, c.name FROM listings l JOIN columns c ON c.id = l.column_id WHERE l.url_id IN ({}) ORDER BY l.seq
"""
_OF_ONE_ARTICLE = "SELECT s.id FROM urls s WHERE s.identity_key = p.identity_key AND coalesce(s.identity, s.url) = p.identity"
_FIRST_PAGES = f"""
    SELECT url, identity, file, offset, length, at,
        (SELECT json_group_array(json_array(fields, name)) FROM ({_LISTINGS.format(_OF_ONE_ARTICLE)}))
    FROM plan p ORDER BY rowid
"""


class FirstPage(NamedTuple):
    """Where the newest whole capture of an article's first page lies, and what the listings say of the article."""

    url: str
    identity: str
    file: str
    offset: int
    length: int
    date: str
    listing: Fields


@dataclass(frozen=True, slots=True)
class ArticleResponse:
    """A response (or a revisit) that belongs to an article."""

    url: str
    """The article's, by which it was asked for."""
    part: int
    asked: str
    """The URL of this page of the article."""
    revisit: bool
    capture: CaptureRef


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredArticle:
    """One article, and all that was stored of it."""

    id: str
    identity: str
    key: int
    """The ledger's hash of the identity."""
    listing: Fields
    stored: tuple[ArticleResponse, ...]
    """Newest first."""

    def digest(self) -> str:
        """Changes with whatever an article is made of; a revisit of its first page says only that nothing changed."""
        pages = [(one.url, one.part, one.capture.record_id) for one in self.stored if not (one.revisit and one.part == 1)]
        return sha256(orjson.dumps([pages, self.listing], option=orjson.OPT_SORT_KEYS)).hexdigest()


class StoredArticles:
    """The articles of one ledger, which is only read."""

    def __init__(self, ledger: Path, portal: Portal) -> None:
        self._portal = portal
        self._languages = {column.name: column.language for column in portal.columns if column.language is not None}
        self._ledger = Ledger.open(ledger, read_only=True)
        try:
            with explained_errors(ledger):
                self._rows(_PLAN)
                self.total = int(self._rows("SELECT count(*) FROM plan")[0][0])
                self.lost = int(self._rows("SELECT count(*) FROM urls WHERE lost IS NOT NULL")[0][0])
                """Articles whose pages the store held, and holds no more."""
        except CorpusError:
            self._ledger.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._ledger.close()

    def __iter__(self) -> Iterator[StoredArticle]:
        for (url_id,) in self._ledger.rows("SELECT url_id FROM plan ORDER BY rowid"):
            yield self._source(url_id)

    def first_pages(self) -> Iterator[FirstPage]:
        """Of all articles, in the order in which they lie; asked at once, since a sample looks at each of very many for a moment."""
        for url, identity, file, offset, length, at, listings in self._ledger.rows(_FIRST_PAGES):
            listing = self._united(orjson.loads(listings)) if listings != "[]" else {}
            yield FirstPage(url, identity, file, offset, length, at.replace("+00:00", "Z"), listing)

    def has(self, key: int, identity: str) -> bool:
        """Whether something is stored of an article."""
        return self._find(key, identity) is not None

    def lost_with(self, key: int, identity: str) -> str | None:
        """The WARC file with which an article was lost, of which nothing whole is stored."""
        sql = "SELECT lost FROM urls WHERE identity_key = ? AND coalesce(identity, url) = ? AND lost IS NOT NULL"
        return next((file for (file,) in self._rows(sql, (key, identity))), None)

    def lost_ids(self) -> frozenset[str]:
        """Those of the articles that were lost."""
        rows = self._rows("SELECT coalesce(identity, url) FROM urls WHERE lost IS NOT NULL") if self.lost else ()
        return frozenset(article_id(identity, self._portal) for (identity,) in rows)

    def short_files(self, folder: Path) -> list[str]:
        """WARC files of articles that are missing, or hold less than the ledger knows."""
        rows = self._rows("SELECT name, committed FROM files ORDER BY name")
        return [name for name, known in rows if series_of(name) == Series.ARTICLES and (size_of(folder, name) or 0) < known]

    def of(self, key: int, identity: str) -> StoredArticle:
        """One article, which there must be."""
        url_id = self._find(key, identity)
        assert url_id is not None
        return self._source(url_id)

    def _find(self, key: int, identity: str) -> int | None:
        sql = "SELECT id FROM urls WHERE identity_key = ? AND coalesce(identity, url) = ? AND parts > 0 AND lost IS NULL"
        return next((url_id for (url_id,) in self._rows(sql, (key, identity))), None)

    def _source(self, url_id: int) -> StoredArticle:
        urls = self._rows(_ARTICLE, (url_id,))
        _, _, _, identity, key = urls[0]
        kept = {row_id: url for row_id, url, parts, _, _ in urls if parts}
        return StoredArticle(
            id=article_id(identity, self._portal),
            identity=identity,
            key=key,
            listing=self._united(self._rows(_LISTINGS, [row[0] for row in urls])),
            stored=tuple(_stored(kept[row[0]], row) for row in self._rows(_STORED, list(kept))),
        )

    def _united(self, listings: Iterable[Sequence[Any]]) -> Fields:
        """What listings, each with its column, say together: lists unite; of single values the first seen wins.

        A column's language is one of them.
        """
        united: dict[str, tuple[str, ...]] = {}
        for text, column in listings:
            said = orjson.loads(text)
            if column in self._languages:
                said.setdefault("inLanguage", (self._languages[column],))
            for name, values in said.items():
                if name not in united:
                    united[name] = tuple(values)
                elif name in FIELDS and FIELDS[name].many:
                    united[name] = tuple(dict.fromkeys((*united[name], *values)))
        return united

    def _rows(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """The answer as a whole; `{}` in the question is a place for each value."""
        return list(self._ledger.rows(sql.format(", ".join("?" * len(values))), values))


def _stored(url: str, row: tuple[Any, ...]) -> ArticleResponse:
    _, part, request, kind, at, record, digest, file, offset, length, target = row
    capture = CaptureRef(
        record_id=record, digest=digest or "", file=file, offset=offset, length=length, url=target, date=at.replace("+00:00", "Z")
    )
    return ArticleResponse(url=url, part=part, asked=url_of_key(request), revisit=kind == "revisit", capture=capture)
