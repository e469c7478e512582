"""What the ledger knows of each article that something is stored of, in the order in which it lies in the WARC files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

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

    @property
    def reason(self) -> str:
        """Why there is nothing to build an article of."""
        return f"what was stored of it is lost ({self.file})"


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


class PostPlace(NamedTuple):
    """Where a whole post, or the beginning of one, stands on an index page: a row of a table."""

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
    record: str
    """Of the index page, and so are these:"""
    digest: str
    file: str
    offset: int
    length: int
    target: str
    at: str

    @property
    def capture(self) -> CaptureRef:
        return capture_of(self.record, self.digest, self.file, self.offset, self.length, self.target, self.at)


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
        newest = {page.part: page.capture for page in reversed(self.stored) if not page.revisit}
        captures = newest.values() if newest or self.post is None else (self.post.capture,)
        return tuple(capture.location for capture in captures)

    @property
    def states(self) -> list[tuple[ArticleResponse, ...]]:
        """What there was of it each time when it had been asked for and something new had come, newest first."""
        states, begin = [], 0
        for end, response in enumerate(self.stored, start=1):
            if response.part == 1:
                if not all(answer.revisit for answer in self.stored[begin:end]):
                    states.append(self.stored[begin:])
                begin = end
        return states

    @property
    def captured(self) -> str | None:
        """When something new of it came last; None where it is known from an index page alone."""
        newest = next(iter(self.states), ())
        return next((response.capture.date for response in newest if response.part == 1), None)

    def digest(self) -> str:
        """Changes with whatever an article is made of; a revisit of its first page says only that nothing changed."""
        pages = [(page.url, page.part, page.capture.record_id) for page in self.stored if not (page.revisit and page.part == 1)]
        post = [] if self.post is None else [(self.post.text, bool(self.post.whole))]
        listing = {name: values for name, values in self.listing.items() if name != "lastmod"}  # new captures tell of changes
        return sha256(orjson.dumps([pages, listing, *post], option=orjson.OPT_SORT_KEYS)).hexdigest()


class StoredArticles:
    """The articles of one ledger, which is only read; and those that stand on index pages, each where there is most of it."""

    def __init__(self, ledger: Path, portal: Portal, posts: Iterable[PostPlace] = ()) -> None:
        self._portal = portal
        self._columns = {column.name: column for column in portal.columns}
        self._ledger = Ledger.open(ledger, read_only=True)
        try:
            self.has_posts = ledger_articles.keep_posts(self._ledger, posts)
        except CorpusError:
            self._ledger.close()
            raise

    def close(self) -> None:
        """Let the ledger go."""
        self._ledger.close()

    @cached_property
    def total(self) -> int:
        """All of them; the first question plans in which order they are given, which takes as long as there are many."""
        return ledger_articles.plan_articles(self._ledger)

    def __iter__(self) -> Iterator[StoredArticle]:
        for key, identity in ledger_articles.planned(self._ledger) if self.total else ():
            yield self.of(key, identity)

    def first_pages(self) -> Iterator[tuple[str, str, Location, str, Fields]]:
        """URL, identity, place and date of the newest whole capture of the first page of each article, and what its listings say.

        In the order in which they lie; asked at once, since a sample looks at each of very many for a moment.
        """
        for url, identity, file, offset, length, at, listings in ledger_articles.first_pages(self._ledger) if self.total else ():
            place = Location(file=file, offset=offset, length=length)
            yield url, identity, place, _date(at), self._united(orjson.loads(listings))

    def has(self, key: int, identity: str) -> bool:
        """Whether something is stored of an article."""
        return ledger_articles.is_stored(self._ledger, key, identity) or self._post(key, identity) is not None

    @cached_property
    def lost(self) -> Mapping[str, LostArticle]:
        """Articles whose pages the store held, and holds no more, by their ids."""
        rows = map(LostArticle._make, ledger_articles.lost_articles(self._ledger))
        return {article_id(article.identity, self._portal): article for article in rows}

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
        return PostPlace(*row) if row is not None else None

    def _united(self, listings: Iterable[Sequence[Any]]) -> Fields:
        """What listings, each with its column, say together: lists unite; of single values the column's that gave one first, but a moment
        before its day alone.

        Of a column's own listings the latest counts: the article was edited. A column's language is one of the values.
        Fields that a column's rules do not pick any more are none, and neither is what other rules picked before the latest listing.
        """
        read: dict[str, tuple[str | None, dict[str, list[str]]]] = {}
        for text, name, rules in listings:
            column = self._columns.get(column_of(name))
            before, fields = read.get(name, (rules, {}))
            gone = _rules_apart(before, rules)
            fields = {field: values for field, values in fields.items() if field not in gone}
            listed = orjson.loads(text).items()
            fields |= {field: values for field, values in listed if column is None or column.told is None or field in column.told}
            read[name] = rules, fields
        united: dict[str, tuple[str, ...]] = {}
        for name, (_, fields) in read.items():
            column = self._columns.get(column_of(name))
            language = {"inLanguage": [column.language]} if column is not None and column.language is not None else {}
            for field, values in (language | fields).items():
                if field not in united or _is_moment_of_day(field, united[field], values):
                    united[field] = tuple(values)
                elif field in FIELDS and FIELDS[field].many:
                    united[field] = tuple(dict.fromkeys((*united[field], *values)))
        return united


def _rules_apart(before: str | None, now: str | None) -> set[str]:
    """The fields of which one of two sets of rules differs from the other: of `author:1f2e` and `author:3d4c` the author."""
    return {rule.partition(":")[0] for rule in set((before or "").split()) ^ set((now or "").split())}


def _stored(url: str, part: int, request: str, kind: str, made_of: str | None, *place: Any) -> ArticleResponse:
    capture = capture_of(*place)
    if made_of is not None:
        capture = replace(capture, made_of=capture_of(**orjson.loads(made_of), file=capture.file))
    return ArticleResponse(url=url, part=part, asked=url_of_key(request), revisit=kind == "revisit", capture=capture)


def capture_of(record: str, digest: str | None, file: str, offset: int, length: int, target: str, at: str) -> CaptureRef:
    """By the columns of a table of responses."""
    return CaptureRef(record_id=record, digest=digest or "", file=file, offset=offset, length=length, url=target, date=_date(at))


def _date(at: str) -> str:
    return at.replace("+00:00", "Z")


def _is_moment_of_day(name: str, known: Sequence[str], values: Sequence[str]) -> bool:
    """Whether of a date the day was known, and these values tell its time, too; lists may show the day by the clock of UTC."""
    is_date = name in FIELDS and FIELDS[name].holds is Holds.DATE
    if not is_date or not len(known) == len(values) == 1 or not len(known[0]) == len("2024-05-01") < len(values[0]):
        return False
    moment = latest_moment(values[0])
    return moment is not None and known[0] in (values[0][: len(known[0])], moment.date().isoformat())
