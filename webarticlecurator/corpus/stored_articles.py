"""Articles that something is stored of, as the ledger knows them, in the order in which they lie in the WARC
files."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.config.portal import Column, Portal, column_of
from webarticlecurator.corpus.ledger import PLACE, Ledger
from webarticlecurator.corpus.ledger_schema import key_of
from webarticlecurator.corpus.left_out import LeftOut, Listing
from webarticlecurator.dates import latest_moment
from webarticlecurator.extraction.url_rules import article_id
from webarticlecurator.model.article import CaptureRef
from webarticlecurator.model.capture import Location, NotedRecord, url_of_key
from webarticlecurator.model.links import KIND, Fields
from webarticlecurator.warc.store import Series, series_of, sizes

# Made first and kept in a temporary file, so that a crawl beside us is not held up by one long question.
_PLAN = """
    CREATE TEMP TABLE plan AS SELECT * FROM (
        SELECT u.url AS url, u.identity_key AS key, u.identity AS identity, r.file AS file, r.offset AS offset, r.length AS length,
            r.record AS record, r.target AS target, r.digest AS digest, max(r.at) AS at
        FROM urls u JOIN captures r ON r.url_id = u.id WHERE u.parts > 0 AND u.lost IS NULL AND r.part = 1
        GROUP BY u.identity_key, u.identity
        UNION ALL
        SELECT p.url, p.key, p.identity, p.file, p.offset, p.length, p.record, p.target, p.digest, p.at FROM posts p WHERE NOT EXISTS (
            SELECT 1 FROM urls u WHERE u.identity_key = p.key AND u.identity = p.identity AND u.parts > 0 AND u.lost IS NULL
        )
    ) ORDER BY file, offset
"""
_LISTINGS = """
    SELECT l.fields, c.name, r.rules, u.url, u.walk FROM urls u JOIN listings l ON l.url_id = u.id JOIN columns c ON c.id = l.column_id
    LEFT JOIN field_rules r ON r.id = l.rules WHERE u.identity_key = {} AND u.identity = {} ORDER BY l.seq
"""
"""The fields as JSON, the column, the rules by which they were read, the address, and the walk that saw it
first; the latest last."""
_FIRST_PAGES = f"""
    SELECT url, identity, file, offset, length, record, target, digest,
        (SELECT json_group_array(json_array(fields, name, rules, url, walk)) FROM ({_LISTINGS.format("p.key", "p.identity")}))
    FROM plan p WHERE key & ? = 0 AND (? IS NULL OR key IN (SELECT value FROM json_each(?))) ORDER BY rowid
"""
_RESPONSES = f"""
    SELECT u.url, part, request, kind = 'revisit', {PLACE}, made_of FROM urls u JOIN responses r ON r.url_id = u.id
    WHERE u.identity_key = ? AND u.identity = ? AND u.parts > 0 AND r.part > 0
    AND (status BETWEEN 200 AND 299 OR (kind = 'revisit' AND status = 304)) ORDER BY at DESC, r.id DESC
"""


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
        """Return why there is nothing to build an article of."""
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
    """The place of a whole post, or the beginning of one, on an index page: a row of a table."""

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
    """The record of the index page, as are the fields that follow."""
    digest: str
    file: str
    offset: int
    length: int
    target: str
    at: str

    @property
    def capture(self) -> CaptureRef:
        return _capture_at(
            self.record, self.target, self.at, self.digest, self.file, self.offset, self.length
        )


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
    left_out: str | None = None
    """Why it has no document any more, by the portal file alone."""
    unfollowed: str | None = None
    """The crawl's reason not to follow a link that leads on from the last page."""
    no_page: str | None = None
    """The address that this link leads to, if it is no page of the article."""
    post: PostPlace | None = None
    """Its place on an index page; of several, the one with most of it."""

    @property
    def url(self) -> str:
        """The one it was asked for by last, or would be."""
        return self.stored[0].url if self.stored or self.post is None else self.post.url

    @property
    def first_responses(self) -> list[ArticleResponse]:
        """Return the whole responses of its first page, newest first."""
        return [response for response in self.stored if response.part == 1 and not response.revisit]

    @property
    def places(self) -> tuple[Location, ...]:
        """Return where lies what is read of it, as far as that can be told before."""
        newest = {page.part: page.capture for page in reversed(self.stored) if not page.revisit}
        captures = newest.values() if newest or self.post is None else (self.post.capture,)
        return tuple(capture.location for capture in captures)

    @property
    def states(self) -> list[tuple[ArticleResponse, ...]]:
        """Return what there was of it each time when it had been asked for and something new had come, newest
        first."""
        states, begin = [], 0
        for end, response in enumerate(self.stored, start=1):
            if response.part == 1:
                if not all(answer.revisit for answer in self.stored[begin:end]):
                    states.append(self.stored[begin:])
                begin = end
        return states

    @property
    def captured(self) -> str | None:
        """Return when something new of it came last; None where it is known from an index page alone."""
        return next(
            (response.capture.date for response in next(iter(self.states), ()) if response.part == 1), None
        )

    def digest(self) -> str:
        """Changes with whatever an article is made of; a revisit of its first page says only that nothing
        changed."""
        pages = [
            (page.url, page.part, page.capture.record_id)
            for page in self.stored
            if not (page.revisit and page.part == 1)
        ]
        post = [] if self.post is None else [(self.post.text, bool(self.post.whole))]
        listing = {
            name: values for name, values in self.listing.items() if name != "lastmod"
        }  # new captures tell of changes
        crawled = [text for text in (self.unfollowed, self.left_out) if text is not None]
        return sha256(
            orjson.dumps([pages, listing, *post, *crawled], option=orjson.OPT_SORT_KEYS)
        ).hexdigest()


class StoredArticles:
    """The articles of one ledger, which is only read; and those that stand on index pages, each where there
    is most of it."""

    def __init__(self, ledger: Path, portal: Portal, posts: Iterable[PostPlace] = ()) -> None:
        self._portal = portal
        self._columns = {column.name: column for column in portal.columns}
        self._ledger = Ledger.open(ledger, read_only=True)
        with self._ledger.transaction():  # beside the ledger, which stays as it is
            self._ledger.rows(f"CREATE TEMP TABLE posts (key, {', '.join(PostPlace._fields)})")
            rows = ((key_of(post.identity), *post) for post in posts)
            marks = ", ".join("?" * (1 + len(PostPlace._fields)))
            number = self._ledger._db.executemany(f"INSERT INTO posts VALUES ({marks})", rows).rowcount
            self._ledger.rows("CREATE INDEX temp.posts_key ON posts (key)")
        self.has_posts = number > 0
        self._rules = LeftOut(self._ledger, portal)

    def close(self) -> None:
        self._ledger.close()

    @cached_property
    def total(self) -> int:
        """Return all of them; the first question plans in which order they are given, which takes as long as
        there are many."""
        self._ledger.rows(_PLAN)
        return int(next(self._ledger.rows("SELECT count(*) FROM plan"))[0])

    def __iter__(self) -> Iterator[StoredArticle]:
        for key, identity in (
            self._ledger.rows("SELECT key, identity FROM plan ORDER BY rowid") if self.total else ()
        ):
            yield self.of(key, identity)

    def first_pages(
        self, about: int | None, keys: Collection[int] | None = None
    ) -> Iterator[tuple[str, str, NotedRecord, Fields]]:
        """URL, identity, place of the newest whole capture of the first page of each article, and what its
        listings say.

        In the order in which they lie; asked at once, since a sample looks at each of very many for a moment.
        `about`: of more than so many only a part, no smaller than that and chosen by their keys, which are
        chance. `keys`: only these articles.
        """
        mask = 0
        while about and self.total // (2 * mask + 2) >= about:
            mask = 2 * mask + 1
        wanted = orjson.dumps(list(keys)).decode() if keys is not None else None
        rows = self._ledger.rows(_FIRST_PAGES, (mask, wanted, wanted)) if self.total else ()
        for url, identity, *place, text in rows:
            listings = orjson.loads(text)
            if self._left_out(listings) is None:
                yield url, identity, NotedRecord.of_row(*place), self._united(listings)

    def has(self, key: int, identity: str) -> bool:
        """True if something is stored of an article."""
        sql = "SELECT 1 FROM urls WHERE identity_key = ? AND identity = ? AND parts > 0 AND lost IS NULL"
        return any(self._ledger.rows(sql, (key, identity))) or self._post(key, identity) is not None

    @cached_property
    def lost(self) -> Mapping[str, LostArticle]:
        """Articles whose pages the store held, and holds no more, by their ids."""
        lost = map(
            LostArticle._make,
            self._ledger.rows("SELECT identity_key, identity, url, lost FROM urls WHERE lost IS NOT NULL"),
        )
        return {article_id(article.identity, self._portal): article for article in lost}

    def has_record(self, record: str) -> bool:
        """True if the ledger knows of a record of that id, as a page of whatever."""
        return record in self._records

    @cached_property
    def _records(self) -> frozenset[str]:
        return frozenset(record for (record,) in self._ledger.rows("SELECT record FROM responses"))

    def has_file(self, name: str) -> bool:
        """True if the ledger knows of a WARC file."""
        return any(name == known for known, *_ in self._ledger.files())

    def short_files(self, folder: Path) -> list[str]:
        """WARC files of articles that are missing, or hold less than the ledger knows."""
        needed = (Series.ARTICLES, Series.ARCHIVE) if self.has_posts else (Series.ARTICLES,)
        known, there = {name: size for name, size, *_ in self._ledger.files()}, sizes(folder)
        return [
            name for name in sorted(known) if series_of(name) in needed and there.get(name, 0) < known[name]
        ]

    def of(self, key: int, identity: str) -> StoredArticle:
        """Return one article, which there must be."""
        listings = list(self._ledger.rows(_LISTINGS.format("?", "?"), (key, identity)))
        listing = self._united(listings)
        values = "max(lastmod), max(unfollowed), max(no_page), max(walk IS NULL)"
        sql = f"SELECT {values} FROM urls WHERE identity_key = ? AND identity = ?"
        lastmod, unfollowed, no_page, is_imported = next(self._ledger.rows(sql, (key, identity)))
        return StoredArticle(
            id=article_id(identity, self._portal),
            identity=identity,
            key=key,
            listed=bool(listings),
            listing={**listing, "lastmod": (lastmod,)} if lastmod else listing,
            stored=tuple(
                ArticleResponse(url, part, url_of_key(request), bool(is_revisit), _capture_at(*place))
                for url, part, request, is_revisit, *place in self._ledger.rows(_RESPONSES, (key, identity))
            ),
            unfollowed=unfollowed,
            no_page=no_page,
            left_out=None if is_imported else self._left_out(listings),
            post=self._post(key, identity),
        )

    def _post(self, key: int, identity: str) -> PostPlace | None:
        rows = (
            self._ledger.rows("SELECT * FROM posts WHERE key = ? AND identity = ?", (key, identity))
            if self.has_posts
            else ()
        )
        return next((PostPlace._make(row) for _, *row in rows), None)

    def _left_out(self, listings: Sequence[Sequence[Any]]) -> str | None:
        """Say by what the portal file leaves an article out that was not imported."""
        if any(walk is None for *_, walk in listings):
            return None
        return self._rules.reason(Listing(name, url) for _, name, _, url, _ in listings)

    def _united(self, listings: Iterable[Sequence[Any]]) -> Fields:
        """Return what listings, each with its column, say together: lists unite; of single values the
        column's that gave one first, but a moment before its day alone.

        Of a column's own listings the latest counts: the article was edited. A column's language and kind are
        among the values. Fields that a column's rules do not pick any more are none, and neither is what
        other rules picked before the latest listing.
        """
        united: dict[str, tuple[str, ...]] = {}
        for name, fields in self._by_column(listings).items():
            column = self._columns.get(column_of(name))
            if column is not None:
                fields = _of_file(column) | fields
            for field, values in fields.items():
                if field not in united or _is_moment_of_day(field, united[field], values):
                    united[field] = tuple(values)
                elif field in FIELDS and FIELDS[field].many:
                    united[field] = tuple(dict.fromkeys((*united[field], *values)))
        return united

    def _by_column(self, listings: Iterable[Sequence[Any]]) -> dict[str, dict[str, list[str]]]:
        """Return what each column (or section) says, by its latest listing and by those before it that were
        read by the same rules."""
        read: dict[str, dict[str, list[str]]] = {}
        rules_of: dict[str, str | None] = {}
        for text, name, rules, *_ in listings:
            fields = read.setdefault(name, {})
            for field in _read_otherwise(rules_of.get(name, rules), rules):
                fields.pop(field, None)
            fields |= self._wanted(name, orjson.loads(text))
            rules_of[name] = rules
        return read

    def _wanted(self, name: str, listed: dict[str, list[str]]) -> dict[str, list[str]]:
        """Return the fields that the rules of a column pick now; all of them where the format tells others,
        too."""
        column = self._columns.get(column_of(name))
        if column is None or column.format.tells_links:
            return listed
        return {field: values for field, values in listed.items() if field in column.fields}


def _of_file(column: Column) -> dict[str, list[str]]:
    """Return what the portal file says of all articles of a column."""
    fields = {"inLanguage": column.language, KIND: column.kind}
    return {field: [value] for field, value in fields.items() if value is not None}


def _read_otherwise(before: str | None, now: str | None) -> set[str]:
    """Return the fields whose rules changed: of `author:1f2e` and `author:3d4c` the author."""
    others = set((before or "").split()) ^ set((now or "").split())
    return {rule.partition(":")[0] for rule in others}


def _capture_at(
    record: str,
    target: str,
    at: str,
    digest: str,
    file: str,
    offset: int,
    length: int,
    made_of: str | None = None,
) -> CaptureRef:
    """Return how documents name a response, by the columns that say where it lies."""
    return CaptureRef(
        record_id=record,
        digest=digest,
        file=file,
        offset=offset,
        length=length,
        url=target,
        date=at.replace("+00:00", "Z"),
        made_of=_capture_at(**orjson.loads(made_of), file=file) if made_of is not None else None,
    )


def _is_moment_of_day(name: str, known: Sequence[str], values: Sequence[str]) -> bool:
    """True if of a date the day was known, and these values tell its time, too; lists may show the day by the
    clock of UTC."""
    is_date = name in FIELDS and FIELDS[name].holds is Holds.DATE
    if (
        not is_date
        or not len(known) == len(values) == 1
        or not len(known[0]) == len("2024-05-01") < len(values[0])
    ):
        return False
    moment = latest_moment(values[0])
    return moment is not None and known[0] in (values[0][: len(known[0])], moment.date().isoformat())


def archive_pages(ledger: Ledger) -> Iterator[tuple[str, CaptureRef]]:
    """The URL that each page of the archive was asked for by, and where it lies, in that order."""
    pages = f"SELECT request, {PLACE} FROM captures WHERE url_id IS NULL ORDER BY file, offset"
    ledger.rows(f"CREATE TEMP TABLE IF NOT EXISTS archive_pages AS {pages}")
    for request, *place in ledger.rows("SELECT * FROM archive_pages ORDER BY rowid"):
        yield url_of_key(request), _capture_at(*place)
