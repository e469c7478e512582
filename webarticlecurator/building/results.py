"""What is to be built or read, and what came of it: what the database keeps, and what travels to a worker and back."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Self

import orjson

from webarticlecurator.building.portal_values import Value
from webarticlecurator.corpus.stored_articles import LostArticle, StoredArticle
from webarticlecurator.databases import pack
from webarticlecurator.model.article import Article, CaptureRef
from webarticlecurator.model.article_json import stored_line
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.text import word_count
from webarticlecurator.urls import is_http, normalise

_LEVEL = 3
"""Higher ones save a tenth of the room and take twice the time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildTask:
    """One article to be built."""

    source: StoredArticle
    captures: str
    """`source.digest()`."""
    path: str | None = None
    """Of the document that it has now."""
    captured: str | None = None
    """When the newest was stored that the last build knew of it."""
    invalid: bool = False
    """The document made of it last was not valid, and lies apart."""


@dataclass(frozen=True, slots=True)
class Contents:
    """All that exports and statistics tell of an article, packed."""

    line: bytes
    """What `export --to jsonl` prints of it."""
    versions: str
    """JSON: its other captures."""

    @classmethod
    def of(cls, article: Article) -> Self:
        versions = [one.to_json() for one in article.versions]
        return cls(pack(_as_bytes(stored_line(article)), _LEVEL), _as_bytes(versions).decode())


def _as_bytes(told: dict[str, Any] | list[dict[str, Any]]) -> bytes:
    try:
        return orjson.dumps(told)
    except TypeError:  # half a character of two, which JSON-LD can hold
        return json.dumps(told, ensure_ascii=False).encode("utf-8", "replace")


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildResult:
    """One built article."""

    id: str
    key: int
    identity: str
    url: str
    outcome: PageOutcome
    reason: str
    captures: str
    path: str | None = None
    part: str | None = None
    """Digest of the article part of its document."""
    size: int | None = None
    """Bytes of its document."""
    captured: str | None = None
    """When something new of it came last."""
    stored_again: bool = False
    """Something of it is newer than what the last build knew."""
    edited: bool = False
    """And with that its text became another."""
    text_changed: str | None = None
    """When the capture was made that brought its text, where older ones have another."""
    headline_and_text: int | None = None
    """A digest, by which two documents of one article are found; None where the text is too short to tell."""
    moved_to: int | None = None
    """The ledger's hash of the identity that its address led to, where that is another."""
    written: bool = False
    """The document is another than before; else it was left alone."""
    removed: bool = False
    """A document of it is gone."""
    unfinished: bool = False
    """Whoever worked on it died: the next build tries again."""
    type: str = ""
    language: str | None = None
    headline: str | None = None
    published: str | None = None
    modified: str | None = None
    canonical: str | None = None
    words: int = 0
    characters: int = 0
    posts: int = 0
    layout: str | None = None
    flags: tuple[str, ...] = ()
    fields: dict[str, str] = field(default_factory=dict)
    """Metadata field -> digest of its values."""
    said: frozenset[Value] = frozenset()
    """What its page says that may be the portal's."""
    left_out: frozenset[Value] = frozenset()
    """What its document lacks, since it is the portal's."""
    unknown_tags: tuple[str, ...] = ()
    comment_words: int = 0
    """Of what looks like readers' comments and is read by no rule."""
    comment_digest: str | None = None
    """Of these words: what many articles have in common was written by the site."""
    goes_on: str | None = None
    """What shows that it has further pages, where no rule follows."""
    missing_pages: str | None = None
    """Which pages of it are not stored, in a sentence."""
    conflict: str | None = None
    lost_addresses: int = 0
    """How many its document could not hold."""
    lost_address: str | None = None
    """The first of them, with why."""
    contents: Contents | None = None
    """What is kept of an article with a document, beside that."""
    gained: int = 0
    """Words that only the new document has; counted when builds are compared."""
    lost: int = 0


@dataclass(frozen=True, slots=True)
class StoredIndexPage:
    """An archive page, which may hold posts."""

    url: str
    """By which it was asked for."""
    column: str | None
    capture: CaptureRef


@dataclass(frozen=True, slots=True)
class PostsOfPage:
    """What stands on one page."""

    page: StoredIndexPage
    posts: tuple[tuple[str, str, int, str, bool], ...] = ()
    """Of each the identity, the address, how many characters it has, a digest of these, and whether it is whole."""
    nameless: int = 0
    """Posts without an address: they can be no articles."""
    problem: str | None = None
    """Why its posts could not be read; the next build tries again."""


def _is_later(moment: str | None, known: str | None) -> bool:
    return moment is not None and known is not None and moment > known


_TELLING = 200
"""Characters of a text that two articles do not share by chance, as they may share a headline, or what a wall shows."""


def result_of(article: Article, task: BuildTask) -> BuildResult:
    """What is kept of an article beside its document."""
    captured = task.source.captured
    comments = " ".join(piece.text for piece in article.unread_comments)
    return BuildResult(
        id=article.id,
        key=task.source.key,
        identity=article.identity,
        url=article.url,
        outcome=article.outcome,
        reason=article.reason,
        captures=task.captures,
        captured=captured,
        stored_again=_is_later(captured, task.captured),
        edited=_is_later(article.text_changed, task.captured),
        text_changed=article.text_changed,
        headline_and_text=_headline_and_text(article),
        type=article.type,
        language=article.language,
        headline=_first(article, "headline"),
        published=_first(article, "datePublished"),
        modified=_first(article, "dateModified"),
        canonical=_canonical(article),
        words=article.extent.words or 0,
        characters=article.extent.characters,
        posts=len(article.posts),
        layout=article.layout,
        flags=article.flags,
        fields={name: _short_digest([one.value for one in found]) for name, found in article.metadata.items()},
        unknown_tags=tuple(one.tag for one in article.unknown_tags),
        comment_words=word_count(comments),
        comment_digest=_short_digest([comments]) if comments else None,
        goes_on=article.goes_on,
        missing_pages=_missing(article),
    )


def _headline_and_text(article: Article) -> int | None:
    headline = _first(article, "headline")
    if headline is None or article.outcome is not PageOutcome.ARTICLE or article.extent.characters < _TELLING:
        return None
    digest = sha256(f"{headline} {article.words}".encode("utf-8", "replace")).digest()
    return int.from_bytes(digest[:8], signed=True)


def _missing(article: Article) -> str | None:
    first, *others = map(str, article.missing_pages or ("",))
    return (first + (f", nor are {len(others):,} more" if others else "")) or None


def failed(task: BuildTask, reason: str) -> BuildResult:
    """Of an article whose reading came to no end."""
    source = task.source
    return BuildResult(
        id=source.id,
        key=source.key,
        identity=source.identity,
        url=source.url,
        outcome=PageOutcome.UNREADABLE,
        reason=reason,
        captures=task.captures,
        captured=task.captured,
    )


def lost_result(article: str, lost: LostArticle, path: str) -> BuildResult:
    """Of an article of which nothing is left but its document."""
    return BuildResult(
        id=article,
        key=lost.key,
        identity=lost.identity,
        url=lost.url,
        outcome=PageOutcome.UNREADABLE,
        reason=lost.reason,
        captures="",
        path=path,
    )


def _first(article: Article, name: str) -> str | None:
    found = article.metadata.get(name)
    return found[0].value if found else None


def _canonical(article: Article) -> str | None:
    url = _first(article, "url")
    return normalise(url) if url and is_http(url) else None


def _short_digest(values: list[str]) -> str:
    return sha256(orjson.dumps(values)).hexdigest()[:12]
