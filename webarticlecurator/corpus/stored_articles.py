"""What the ledger knows of each article that something is stored of, in the order in which it lies in the WARC files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import orjson

from webarticlecurator.config.column_urls import column_of
from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus import ledger_articles
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.dates import latest_moment
from webarticlecurator.errors import CorpusError
from webarticlecurator.extraction.url_rules import article_id
from webarticlecurator.model.article import CaptureRef
from webarticlecurator.model.capture import Location, url_of_key
from webarticlecurator.model.links import Fields
from webarticlecurator.warc.store import Series, series_of, sizes

_DAY = len("2024-05-01")


class LostArticle(NamedTuple):
    """An article of which nothing whole is stored any more."""

    key: int
    """The ledger's hash of its identity."""
    identity: str
    url: str
    file: str
    """The WARC file with which it was lost."""


def reason_of_loss(file: str) -> str:
    """Why there is nothing to build an article of."""
    return f"what was stored of it is lost ({file})"


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
class PostPlace:
    """Where a whole post, or the beginning of one, stands on an index page."""

    identity: str
    url: str
    """The post's own."""
    page: str
    """By which the index page was asked for."""
    column: str | None
    """Whose archive page that is."""
    characters: int
    text: str
    """A digest of it."""
    whole: bool
    capture: CaptureRef
    """Of the index page."""

    @property
    def row(self) -> tuple[Any, ...]:
        """For a table."""
        told = (self.identity, self.url, self.page, self.column, self.characters, self.text, self.whole)
        where = self.capture
        return (*told, where.record_id, where.digest, where.file, where.offset, where.length, where.url, where.date)

    @classmethod
    def of_row(cls, row: tuple[Any, ...]) -> Self:
        """What `row` gave."""
        identity, url, page, column, characters, text, whole, *where = row
        told = {"identity": identity, "url": url, "page": page, "column": column, "characters": characters, "text": text}
        return cls(**told, whole=bool(whole), capture=capture_of(*where))


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredArticle:
    """One article, and all that was stored of it."""

    id: str
    identity: str
    key: int
    """The ledger's hash of the identity."""
    listing: Fields
    listed: bool = True
    """An archive page leads to it."""
    stored: tuple[ArticleResponse, ...]
    """Newest first; none where it is known from an index page alone."""
    post: PostPlace | None = None
    """Where it stands on an index page; of several, where there is most of it."""

    @property
    def url(self) -> str:
        """The one it was asked for by last, or would be."""
        return self.stored[0].url if self.stored or self.post is None else self.post.url

    @property
    def places(self) -> tuple[Location, ...]:
        """Where lies what is read of it, as far as that can be told before."""
        newest = {one.part: one.capture for one in reversed(self.stored) if not one.revisit}
        captures = newest.values() if newest or self.post is None else (self.post.capture,)
        return tuple(capture.location for capture in captures)

    @property
    def states(self) -> list[tuple[ArticleResponse, ...]]:
        """What there was of it each time when it had been asked for and something new had come, newest first."""
        asked = [place for place, response in enumerate(self.stored) if response.part == 1]
        begins = [0, *(place + 1 for place in asked)]
        answers = ((begin, self.stored[begin : first_page + 1]) for begin, first_page in zip(begins, asked, strict=False))
        return [self.stored[begin:] for begin, answer in answers if not all(response.revisit for response in answer)]

    @property
    def captured(self) -> str | None:
        """When something new of it came last; None where it is known from an index page alone."""
        newest = next(iter(self.states), ())
        return next((response.capture.date for response in newest if response.part == 1), None)

    def digest(self) -> str:
        """Changes with whatever an article is made of; a revisit of its first page says only that nothing changed."""
        pages = [(one.url, one.part, one.capture.record_id) for one in self.stored if not (one.revisit and one.part == 1)]
        post = [] if self.post is None else [(self.post.text, self.post.whole)]
        listing = {name: values for name, values in self.listing.items() if name != "lastmod"}  # new captures tell of changes
        return sha256(orjson.dumps([pages, listing, *post], option=orjson.OPT_SORT_KEYS)).hexdigest()


class StoredArticles:
    """The articles of one ledger, which is only read; and those that stand on index pages, each where there is most of it."""

    def __init__(self, ledger: Path, portal: Portal, posts: Iterable[PostPlace] = ()) -> None:
        self._portal = portal
        self._languages = {column.name: column.language for column in portal.columns if column.language is not None}
        self._told = {column.name: column.told for column in portal.columns}
        self._ledger = Ledger.open(ledger, read_only=True)
        try:
            self.has_posts = ledger_articles.keep_posts(self._ledger, (one.row for one in posts))
            self._lost = {(one.key, one.identity): one for one in map(LostArticle._make, ledger_articles.lost_articles(self._ledger))}
        except CorpusError:
            self._ledger.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._ledger.close()

    @cached_property
    def total(self) -> int:
        """All of them; the first question plans in which order they are given, which takes as long as there are many."""
        return ledger_articles.plan_articles(self._ledger)

    def __iter__(self) -> Iterator[StoredArticle]:
        for key, identity in ledger_articles.planned(self._ledger) if self.total else ():
            yield self.of(key, identity)

    def first_pages(self) -> Iterator[FirstPage]:
        """Of all articles, in the order in which they lie; asked at once, since a sample looks at each of very many for a moment."""
        for url, identity, file, offset, length, at, listings in ledger_articles.first_pages(self._ledger) if self.total else ():
            listing = self._united(orjson.loads(listings)) if listings != "[]" else {}
            yield FirstPage(url, identity, file, offset, length, at.replace("+00:00", "Z"), listing)

    def has(self, key: int, identity: str) -> bool:
        """Whether something is stored of an article."""
        return ledger_articles.is_stored(self._ledger, key, identity) or self._post(key, identity) is not None

    @property
    def lost(self) -> int:
        """Articles whose pages the store held, and holds no more."""
        return len(self._lost)

    def lost_with(self, key: int, identity: str) -> str | None:
        """The WARC file with which an article was lost, of which nothing whole is stored."""
        lost = self._lost.get((key, identity))
        return lost.file if lost is not None else None

    def lost_articles(self) -> dict[str, LostArticle]:
        """By their ids."""
        return {article_id(one.identity, self._portal): one for one in self._lost.values()}

    def short_files(self, folder: Path) -> list[str]:
        """WARC files of articles that are missing, or hold less than the ledger knows."""
        needed = (Series.ARTICLES, Series.ARCHIVE) if self.has_posts else (Series.ARTICLES,)
        known, there = self._ledger.committed(), sizes(folder)
        return [name for name in sorted(known) if series_of(name) in needed and there.get(name, 0) < known[name]]

    def of(self, key: int, identity: str) -> StoredArticle:
        """One article, which there must be."""
        listings = list(ledger_articles.listings_of(self._ledger, key, identity))
        listing, lastmod = self._united(listings), ledger_articles.lastmod_of(self._ledger, key, identity)
        return StoredArticle(
            id=article_id(identity, self._portal),
            identity=identity,
            key=key,
            listed=bool(listings),
            listing=listing if lastmod is None else {**listing, "lastmod": (lastmod,)},
            stored=tuple(_stored(*row) for row in ledger_articles.responses_of(self._ledger, key, identity)),
            post=self._post(key, identity),
        )

    def _post(self, key: int, identity: str) -> PostPlace | None:
        row = ledger_articles.post_of(self._ledger, key, identity) if self.has_posts else None
        return PostPlace.of_row(row) if row is not None else None

    def _united(self, listings: Iterable[Sequence[Any]]) -> Fields:
        """What listings, each with its column, say together: lists unite; of single values the column's that gave one first, but a moment
        before its day alone.

        Of a column's own listings the latest counts: the article was edited. A column's language is one of the values.
        Fields that a column's rules do not pick any more are none, and neither is what other rules picked before the latest listing.
        """
        columns: dict[str, dict[str, list[str]]] = {}
        read_by: dict[str, str | None] = {}
        for text, column, rules in listings:
            said, told = columns.setdefault(column, {}), self._told.get(column_of(column))
            for field in _read_otherwise(read_by.setdefault(column, rules), rules):
                said.pop(field, None)
            read_by[column] = rules
            said |= {field: values for field, values in orjson.loads(text).items() if told is None or field in told}
        united: dict[str, tuple[str, ...]] = {}
        for column, said in columns.items():
            language = self._languages.get(column_of(column))
            for name, values in (({"inLanguage": [language]} if language else {}) | said).items():
                if name not in united or _is_moment_of_day(name, united[name], values):
                    united[name] = tuple(values)
                elif name in FIELDS and FIELDS[name].many:
                    united[name] = tuple(dict.fromkeys((*united[name], *values)))
        return united


def _read_otherwise(before: str | None, now: str | None) -> set[str]:
    """The fields of which one of two sets of rules differs from the other: of `author:1f2e` and `author:3d4c` the author."""
    if before == now:
        return set()
    return {one.partition(":")[0] for one in set((before or "").split()) ^ set((now or "").split())}


def _stored(url: str, part: int, request: str, kind: str, made_of: str | None, *place: Any) -> ArticleResponse:
    capture = capture_of(*place)
    if made_of is not None:
        capture = replace(capture, made_of=capture_of(**orjson.loads(made_of), file=capture.file))
    return ArticleResponse(url=url, part=part, asked=url_of_key(request), revisit=kind == "revisit", capture=capture)


def capture_of(record: str, digest: str | None, file: str, offset: int, length: int, target: str, at: str) -> CaptureRef:
    """By the columns of a table of responses."""
    date = at.replace("+00:00", "Z")
    return CaptureRef(record_id=record, digest=digest or "", file=file, offset=offset, length=length, url=target, date=date)


def _is_moment_of_day(name: str, known: Sequence[str], values: Sequence[str]) -> bool:
    """Whether of a date the day was known, and these values tell its time, too; lists may show the day by the clock of UTC."""
    is_date = name in FIELDS and FIELDS[name].holds is Holds.DATE
    if not is_date or not len(known) == len(values) == 1 or not len(known[0]) == _DAY < len(values[0]):
        return False
    moment = latest_moment(values[0])
    return moment is not None and known[0] in (values[0][:_DAY], moment.date().isoformat())
