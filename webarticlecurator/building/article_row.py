"""The row of a built article in the table `articles`, and its contents with what is counted of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from hashlib import blake2b, sha256
from typing import Any, NamedTuple, Self

import orjson
import zstandard

from webarticlecurator.building.kept_json import as_bytes
from webarticlecurator.corpus.stored_articles import LostArticle, StoredArticle
from webarticlecurator.databases import unpack
from webarticlecurator.dates import first_day
from webarticlecurator.model.article import Article, Fate, beside_line, from_json, plain_text, stored_line
from webarticlecurator.model.metadata import Metadata
from webarticlecurator.model.outcome import Kept, PageOutcome
from webarticlecurator.own_patterns import linear_at
from webarticlecurator.text import word_count
from webarticlecurator.urls import is_http, normalise

_LEVEL = 3
"""Of compression: higher ones save a tenth of the room and take twice the time."""

LONGEST = 500
"""Characters of a value, and of a name: what a page tells may be of any length."""
_SHOWN = 120
"""Characters of a text that is shown as an example."""
_SHORTEST_COMPARED = 200
"""Characters of a text that no other has by chance."""
_MONTH = linear_at(r"(\d{4})(-(?:0[1-9]|1[0-2]))?(?!-?\d)")
"""A date that tells the year, and perhaps the month, alone."""

Facts = Mapping[str, list[tuple[Any, ...]]]
"""Table -> its rows, without the number of the article that they are of."""


@dataclass(slots=True, kw_only=True)
class ArticleRow:
    """An article that something is stored of, with its one page outcome: the columns of the table
    `articles`."""

    id: str
    """The document's name: <portal>-<16 hex digits>."""
    key: int
    """The ledger's hash of the identity."""
    identity: str
    url: str
    """The address that it was asked for by."""
    outcome: PageOutcome
    reason: str
    since: str = ""
    """The time since when outcome and reason hold."""
    captures: str
    """Digest of what it was made of."""
    captured: str | None = None
    """When something new of it came last."""
    text_changed: str | None = None
    """When the capture was made that brought its text, where older ones have another."""
    headline_and_text: int | None = None
    """A digest, by which two documents of one article are found; None where the text is too short to tell."""
    rules: str = ""
    """Digest of the rules under which it was made, or last confirmed; empty where the next build has to try
    again."""
    made_by: str | None = None
    """Digest of the rules that the document itself names."""
    path: str | None = None
    """The path of the document, below the corpus folder; None: it has none."""
    part: str | None = None
    """Digest of the document's article part."""
    size: int | None = None
    """Bytes of the document."""
    type: str = ""
    language: str | None = None
    language_declared: int = 0
    """1: page or portal file say so; 0: its words show it, or nothing does."""
    section: str | None = None
    """The first one."""
    free: int | None = None
    """True if it says that it may be read without paying."""
    headline: str | None = None
    published: str | None = None
    day: str | None = None
    """The day of publication, where a whole one is known; and month and year, which may be known where it is
    not."""
    month: str | None = None
    year: int | None = None
    modified: str | None = None
    canonical: str | None = None
    words: int = 0
    characters: int = 0
    posts: int = 0
    layout: str | None = None
    flags: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    """How texts between its headline and its body begin that are not read, each with its place."""
    goes_on: str | None = None
    """The sign that it has further pages, where no rule follows."""
    missing_pages: str | None = None
    """The pages of it that are not stored, in a sentence."""
    conflict: str | None = None
    """The reason against its identity."""
    corrections: str = ""
    """A digest of what a person has mended of it by hand."""
    unapplied: tuple[str, ...] = ()
    """The values mended by hand that could not be applied: the field of each, and why."""
    breaks_off: int = 0
    """1: its page ends amid the text, without the end that HTML has."""
    kept: Kept | None = None
    """Why its document stays as it was made; None: it is the one that its pages give by the rules."""
    damaged: str | None = None
    """A record that it is read from, and that is damaged."""
    damage: str | None = None
    """In what way."""

    @classmethod
    def of_sql(cls, values: tuple[Any, ...]) -> Self:
        """Return the values of the columns, in their order."""
        row = dict(zip(COLUMNS, values, strict=False))
        kept = Kept(row["kept"]) if row["kept"] is not None else None
        return cls(
            **{
                **row,
                "outcome": PageOutcome(row["outcome"]),
                **{name: tuple(orjson.loads(row[name])) for name in _LISTS},
                "kept": kept,
            }
        )

    def to_sql(self) -> list[Any]:
        """The columns, in their order."""
        values = {name: getattr(self, name) for name in COLUMNS}
        return list({**values, **{name: as_bytes(values[name]).decode() for name in _LISTS}}.values())


_TYPES = {"str | None": "TEXT", "Kept | None": "TEXT", "int | None": "INTEGER", "int": "INTEGER NOT NULL"}
COLUMNS = {one.name: _TYPES.get(str(one.type), "TEXT NOT NULL") for one in fields(ArticleRow)}
"""Name -> SQL, in the order of the fields."""
_LISTS = ("flags", "above", "unapplied")
"""Columns that are JSON."""


class Contents(NamedTuple):
    """All that exports and statistics tell of an article, and all that its document is made of."""

    line: bytes
    """Packed: what `export --to jsonl` prints of it."""
    beside: str
    """JSON: what that does not tell."""
    facts: Facts | None = None
    """What is counted; it is written with the rest, and not read again."""

    @property
    def digest(self) -> bytes:
        """By which it is known whether the line is another than before."""
        return blake2b(self.line, digest_size=8).digest()

    @classmethod
    def of(cls, article: Article) -> Self:
        """Return the contents of an article with a document; what was dropped is added up by rule and tag."""
        dropped: dict[tuple[str, str], tuple[int, int, str]] = {}
        for piece in (piece for piece in article.pieces if piece.fate is Fate.DROPPED):
            key = piece.rule[:LONGEST], piece.tag[:LONGEST]
            number, words, longest = dropped.get(key, (0, 0, ""))
            words += piece.text.count(" ") + bool(piece.text)  # white space is normalised
            dropped[key] = number + 1, words, max(longest, piece.text, key=len)
        posts = [
            (
                place,
                post.kind,
                post.author[:LONGEST] if post.author else None,
                day_of(post.when),
                word_count(plain_text(post.blocks)),
                bool(post.reply_to),
                bool(post.deleted),
            )
            for place, post in enumerate(article.posts)
        ]
        facts: Facts = {
            "metadata": [
                *_values(article.metadata, disagrees=False),
                *_values(article.disagreements, disagrees=True),
            ],
            "dropped": [
                (*key, number, words, longest[:_SHOWN]) for key, (number, words, longest) in dropped.items()
            ],
            "undecided": [(tag.tag[:LONGEST], tag.count, tag.words) for tag in article.unknown_tags],
            "posts": posts,
        }
        line = packed_line(as_bytes(stored_line(article)))
        return cls(line, as_bytes(beside_line(article)).decode(), facts)

    def article(self) -> Article:
        """Return the article again; of what became of its characters, only what was dropped."""
        return from_json(self.record(), orjson.loads(self.beside))

    def record(self) -> dict[str, Any]:
        """The line as data."""
        record: dict[str, Any] = orjson.loads(unpack(self.line, "build.sqlite"))
        return record


def packed_line(line: bytes) -> bytes:
    """Return a line as it is kept."""
    return zstandard.ZstdCompressor(_LEVEL, write_checksum=True).compress(line)


def unread_row(id: str, of: StoredArticle | LostArticle, reason: str, *, captures: str = "") -> ArticleRow:
    """Return what is kept of an article that could not be read."""
    return ArticleRow(
        id=id,
        key=of.key,
        identity=of.identity,
        url=of.url,
        outcome=PageOutcome.UNREADABLE,
        reason=reason,
        captures=captures,
    )


def row_of(article: Article, source: StoredArticle) -> ArticleRow:
    """Return what is kept of an article beside its contents."""
    first = {name: values[0].value for name, values in article.metadata.items() if values}
    canonical, headline = first.get("url"), first.get("headline")
    published = first.get("datePublished")
    known = _day_or_month(published)
    return ArticleRow(
        id=article.id,
        key=source.key,
        identity=article.identity,
        url=article.url,
        outcome=article.outcome,
        reason=article.reason,
        captures=source.digest(),
        captured=source.captured,
        text_changed=article.text_changed,
        headline_and_text=_digest(article, headline),
        type=article.type,
        language=article.language,
        language_declared=bool(article.metadata.get("inLanguage")),
        section=first.get("articleSection"),
        free={"true": 1, "false": 0}.get(first.get("isAccessibleForFree", "")),
        headline=headline,
        published=published,
        day=day_of(published),
        month=known[:7] if len(known) > len("2024") else None,
        year=int(known[:4] or 0) or None,
        modified=first.get("dateModified"),
        canonical=normalise(canonical) if canonical and is_http(canonical) else None,
        words=article.extent.words or 0,
        characters=article.extent.characters,
        posts=len(article.posts),
        layout=article.layout,
        flags=article.flags,
        above=article.above,
        goes_on=article.goes_on,
        breaks_off=article.breaks_off,
        missing_pages=_missing_pages(article),
    )


def _digest(article: Article, headline: str | None) -> int | None:
    """Return a digest of an article's headline and text, which no two share by chance; None where the text is
    too short."""
    if (
        headline is None
        or article.outcome is not PageOutcome.ARTICLE
        or article.extent.characters < _SHORTEST_COMPARED
    ):
        return None
    return int.from_bytes(
        sha256(f"{headline} {article.words}".encode("utf-8", "replace")).digest()[:8], signed=True
    )


def _missing_pages(article: Article) -> str | None:
    """Return which pages of an article are not stored, in a sentence; None if all are."""
    if not article.missing_pages:
        return None
    missing, *more = map(str, article.missing_pages)
    return f"{missing}, nor are {len(more):,} more" if more else missing


def _day_or_month(published: str | None) -> str:
    """Return the day of a date, else its month or year, which may be known where no day is."""
    day, month = day_of(published), _MONTH.match(published or "")
    return day or (month[0] if month else "")


@lru_cache(4_096)
def day_of(published: str | None) -> str | None:
    """The day of a date, as the portal's readers know it; None of what is none, or only a year or a month."""
    day = first_day((published,))
    return day.isoformat() if day is not None else None


def _values(metadata: Metadata, *, disagrees: bool) -> Iterator[tuple[Any, ...]]:
    for name, values in metadata.items():
        seen: set[str] = set()
        for place, found in enumerate(values):
            value = found.value[:LONGEST]
            if disagrees or value not in seen:  # what is said twice is one value
                yield name, disagrees, place, value, found.source[:LONGEST]
            seen.add(value)
