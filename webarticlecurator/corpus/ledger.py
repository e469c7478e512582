"""The ledger: what crawling knows of every URL, walk and span. Written by `apply` alone, one event at a time.

Nothing here decides anything: the events say what happened, so applying the events of the WARCs in their
order gives the same ledger again.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import date, datetime
from itertools import starmap
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self

import orjson

from webarticlecurator.config.portal import SECTION, Portal
from webarticlecurator.corpus.events import PageResult
from webarticlecurator.corpus.ledger_schema import ASKED_AGAIN_IN_SQL, BUILD_VERSION, TABLES, VERSION, key_of
from webarticlecurator.corpus.ledger_writing import LedgerWriter
from webarticlecurator.corpus.left_out_by_digits import left_out_by_digits
from webarticlecurator.databases import check_version, connect, step, transaction
from webarticlecurator.errors import CorpusError, PatternTimeout
from webarticlecurator.extraction.url_rules import url_shape
from webarticlecurator.model.capture import Request, url_of_key
from webarticlecurator.model.links import BY_A_PERSON, OTHER_HOST, Refused
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.warc.stored import StoredResponse

_QUEUED = """
    SELECT id, url, identity, host, coalesce(next_url, url), CASE outcome WHEN 'fetched' THEN 1 ELSE parts + 1 END, via,
        EXISTS (SELECT 1 FROM responses r WHERE r.url_id = u.id)
    FROM urls u
"""
_NOT_BEFORE = "(:since IS NULL OR lastmod IS NULL OR lastmod >= substr(:since, 1, length(lastmod)))"
"""Articles that may be of a day or a later one: what was changed last before was not published after it."""
_QUEUES = {
    "waiting": f"outcome IN {ASKED_AGAIN_IN_SQL} AND {_NOT_BEFORE}",
    "recent": "outcome = 'fetched' AND first_seen >= :since",
    "whole posts": "outcome = 'duplicate' AND code = 'whole-post'",
}
"""The last ones stand whole on index pages, so that no crawl asked for them."""
PLACE = "record, target, at, digest, file, offset, length"
"""The columns that say which record holds a response, and where it lies."""
_MOST_ALIKE = 1_000
"""Addresses that are looked at for one that is written like an article."""
CACHE_KIB = 16_384
"""SQLite's page cache: with it, memory does not grow with the corpus."""


class EndOfArticle(NamedTuple):
    """The last page of an article that shows further pages, or leads to what is none of them."""

    url: str
    unfollowed: str
    """All of it, for a person."""
    goes_on: str | None
    """The sign of further pages that no rule follows."""
    led_by: str | None
    """The rule that leads to what is no page of the article."""


@dataclass(frozen=True, slots=True)
class QueuedPage:
    """An article (or its next page) that is to be asked for."""

    id: int
    url: str
    """The article's."""
    identity: str
    host: str
    asked: str
    """The address to ask for: the article's URL, or that of its next page."""
    part: int
    """The number of the page of the article that `asked` is, from 1."""
    via: str | None
    is_stored: bool
    """There are answers for it, whatever they are."""


class Ledger(LedgerWriter):
    """One open ledger.sqlite: what it is asked. How it is written stands in `ledger_writing`."""

    has_build = False
    """The database of what was built is open beside."""

    @classmethod
    def open(cls, path: Path | Literal[""], *, read_only: bool = False, cache_kib: int = CACHE_KIB) -> Self:
        """Open; a new file gets its tables unless it is only to be read. An empty name is a file that goes
        when it is closed."""
        connection = connect(path, read_only=read_only)
        connection.execute(f"PRAGMA cache_size = -{cache_kib}")
        connection.create_function("key_of", 1, key_of, deterministic=True)
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version == 0 and not read_only:
            connection.executescript(
                f"PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; BEGIN; {TABLES} PRAGMA "
                f"user_version = {VERSION}; COMMIT;"
            )
        connection.execute("PRAGMA synchronous = NORMAL")
        try:
            check_version(connection, path, VERSION, "index")
        except CorpusError:
            connection.close()
            raise
        return cls(connection)

    @classmethod
    @contextmanager
    def reading(
        cls,
        path: Path,
        *,
        build: Path | None = None,
        analysis: Path | None = None,
        cache_kib: int = CACHE_KIB,
    ) -> Iterator[Self]:
        """Open for a while, only to be read; `build`: what was built, and `analysis`: what is known of that,
        for questions to all."""
        with closing(cls.open(path, read_only=True, cache_kib=cache_kib)) as ledger:
            if build is not None and build.exists():
                ledger._db.attach(build, "other")
                check_version(ledger._db, build, BUILD_VERSION, "build", name="other")
                ledger.has_build = True
            if analysis is not None:
                ledger._db.attach(analysis, "analysis")
            yield ledger

    def close(self) -> None:
        self._db.close()

    def transaction(self) -> AbstractContextManager[None]:
        return transaction(self._db)

    def step(self) -> AbstractContextManager[None]:
        """All or nothing; what is written so is there for others after `commit`."""
        return step(self._db)

    def commit(self) -> None:
        if self._db.in_transaction:  # a disk that was full may have ended it
            self._db.execute("COMMIT")

    def hold(self) -> None:
        """All answers from here on are of one moment, whatever a crawl writes meanwhile."""
        self._db.execute("BEGIN")

    @property
    def seq(self) -> int:
        """The number of the last event."""
        return self._number("SELECT max(last) FROM files")

    @property
    def run(self) -> int:
        """The number of the last crawl."""
        return self._number("SELECT max(run) FROM files")

    def last(self, table: Literal["walks", "spans", "responses"]) -> int:
        """The number of the last of these."""
        return self._number(f"SELECT max(id) FROM {table}")

    def rows(self, sql: str, values: Sequence[object] | Mapping[str, object] = ()) -> sqlite3.Cursor:
        """The answer to a question. Only the modules of the ledger, and `stored_articles`, ask so: nobody
        else knows its tables."""
        return self._db.execute(sql, values)

    def _text(self, sql: str, *values: object) -> str | None:
        """The first value of the answer; None where there is none."""
        text: str | None = next((value for (value,) in self._db.execute(sql, values)), None)
        return text

    def _number(self, sql: str, *values: object) -> int:
        return int(next((value for (value,) in self._db.execute(sql, values)), 0) or 0)

    def _any(self, sql: str, *values: object) -> bool:
        return self._db.execute(sql, values).fetchone() is not None

    def files(self) -> list[tuple[str, int, int, int]]:
        """Each file with how many of its bytes are accounted for, and the numbers of its first and last
        event; in the order of these."""
        return self._db.execute("SELECT name, committed, first, last FROM files ORDER BY first").fetchall()

    def lost_files(self) -> list[tuple[str, int, int, int, int, int]]:
        """Files that were lost, of which articles are not stored again: bytes left, bytes that there were,
        articles, archive pages, and how many of the articles are not."""
        sql = (
            "SELECT l.name, l.size, l.known, l.articles, l.archive_pages, count(*) FROM lost l JOIN urls u "
            "ON u.lost = l.name GROUP BY 1"
        )
        return self._db.execute(sql).fetchall()

    def lost_in(self, file: str, kept: int) -> tuple[list[tuple[str, str | None, str | None]], int]:
        """URL, identity and archive page of the articles of which a page lies in a file beyond so many bytes,
        and lies nowhere else; and how many answers for archive pages lie there."""
        sql = """
            SELECT DISTINCT u.url, u.other_identity, u.via FROM captures g JOIN urls u ON u.id = g.url_id
            WHERE g.file = :file AND g.offset + g.length > :kept AND g.part BETWEEN 1 AND u.parts AND NOT EXISTS (
                SELECT 1 FROM captures r WHERE r.url_id = g.url_id AND r.part = g.part
                AND NOT (r.file = :file AND r.offset + r.length > :kept)
            ) ORDER BY u.id
        """
        pages = self._number(
            "SELECT count(*) FROM responses WHERE file = ? AND offset + length > ? AND url_id IS NULL",
            file,
            kept,
        )
        return self._db.execute(sql, {"file": file, "kept": kept}).fetchall(), pages

    def left_of_lost(self) -> dict[str, int]:
        """File that was lost, or a part of it -> how many bytes were left."""
        return dict(self._db.execute("SELECT name, size FROM lost"))

    def field_rules(self, column: str) -> str | None:
        """By which the newest walk of the column read listing fields."""
        return self._text(
            "SELECT r.rules FROM columns c JOIN field_rules r ON r.id = c.rules WHERE c.name = ?", column
        )

    def proved(self, column: str) -> dict[str, dict[str | None, datetime]]:
        """Rules -> the intervals (None: the column has none) that were walked to a proved end under them ->
        when they were last."""
        proved: dict[str, dict[str | None, datetime]] = {}
        sql = "SELECT rules, interval, max(ended) FROM proved_walks WHERE column = ? GROUP BY rules, interval"
        for rules, interval, ended in self._db.execute(sql, (column,)):
            proved.setdefault(rules, {})[interval] = datetime.fromisoformat(ended)
        return proved

    def united(self, most: int) -> tuple[int, list[tuple[str, str]]]:
        """Return how many addresses count as articles that others are already, by `articles.identity`; and of
        some of these two addresses each."""
        surplus = "SELECT count(*) - count(DISTINCT identity_key) FROM urls WHERE other_identity IS NOT NULL"
        pairs = "FROM urls WHERE other_identity IS NOT NULL GROUP BY identity_key HAVING count(*) > 1 LIMIT ?"
        return self._number(surplus), [
            (first, last) for first, last in self.rows(f"SELECT min(url), max(url) {pairs}", (most,))
        ]

    def first_page(self, column: str) -> str | None:
        """Return where the newest walk of a column that found articles began."""
        where = "w.column = ? AND p.result = 'links' ORDER BY w.id DESC, p.id LIMIT 1"
        return self._text(f"SELECT p.url FROM pages p JOIN walks w ON w.id = p.walk WHERE {where}", column)

    def listed_first_on(self, identity: str) -> str | None:
        """The archive page that listed an article first."""
        sql = (
            "SELECT via FROM urls WHERE identity_key = ? AND identity = ? AND via IS NOT NULL ORDER BY id "
            "LIMIT 1"
        )
        return self._text(sql, key_of(identity), identity)

    def column_of_page(self, url: str) -> str | None:
        """The column whose archive page a URL was first."""
        where = "p.key = ? AND p.url = ? AND p.result != 'beside'"
        sql = (
            f"SELECT w.column FROM pages p JOIN walks w ON w.id = p.walk WHERE {where} ORDER BY p.id LIMIT 1"
        )
        return self._text(sql, key_of(url), url)

    def pages_beside(self, *, telling: bool) -> Iterator[tuple[str, str, str, str]]:
        """Give the pages beside lists that listed something new, or nothing: column, its rules, the page,
        first page of the list."""
        first = "(SELECT f.url FROM pages f WHERE f.walk = p.walk ORDER BY f.id LIMIT 1)"
        result = PageResult.LISTS_MORE if telling else PageResult.BESIDE
        sql = (
            f"SELECT w.column, w.rules, p.url, {first} FROM pages p JOIN walks w ON w.id = p.walk WHERE "
            "p.result = ?"
        )
        yield from self._db.execute(sql, (result,))

    def _pages(self, where: str, **values: object) -> list[QueuedPage]:
        return [QueuedPage(*row) for row in self._db.execute(f"{_QUEUED} WHERE {where} LIMIT :limit", values)]

    def queues(
        self, which: Literal["waiting", "recent", "whole posts"], run: int, since: date | None = None
    ) -> dict[str, Iterator[QueuedPage]]:
        """Host -> its articles of that kind which this run has not asked for; `since`: recent ones were first
        seen then or later, and those that wait were not changed last before."""
        begin = since.isoformat() if since is not None else None
        # SQLite would rather look at every URL than go through this index
        rows = f"urls {'INDEXED BY urls_waiting' if which == 'waiting' else ''} WHERE {_QUEUES[which]}"
        hosts = self._db.execute(
            f"SELECT DISTINCT host FROM {rows} ORDER BY host", {"since": begin}
        ).fetchall()
        return {
            host: self._queued(f"{_QUEUES[which]} AND host = :host", host=host, run=run, since=begin)
            for (host,) in hosts
        }

    def _queued(self, where: str, **values: object) -> Iterator[QueuedPage]:
        """In the order in which they were seen; some at a time, so that memory does not grow with them."""
        after = 0
        while batch := self._pages(
            f"{where} AND id > :after AND asked_run < :run ORDER BY id", after=after, limit=200, **values
        ):
            yield from batch
            after = batch[-1].id

    def furthest(self, host: str, run: int, since: date | None) -> QueuedPage | None:
        """The last one that waits, and was not changed last before a day."""
        begin = since.isoformat() if since is not None else None
        where = f"{_QUEUES['waiting']} AND host = :host AND asked_run < :run ORDER BY id DESC"
        return next(iter(self._pages(where, host=host, run=run, since=begin, limit=1)), None)

    def was_asked(self, url: str, run: int) -> bool:
        """True if a crawl has asked for an article."""
        sql = "SELECT 1 FROM urls WHERE key = ? AND url = ? AND asked_run = ?"
        return self._any(sql, key_of(url), url, run)

    def count_waiting(self) -> int:
        return self._number(f"SELECT count(*) FROM urls WHERE outcome IN {ASKED_AGAIN_IN_SQL}")

    def count_recent(self, since: datetime) -> int:
        """Return how many fetched articles were first seen since then."""
        return self._number(
            "SELECT count(*) FROM urls WHERE outcome = 'fetched' AND first_seen >= ?", since.isoformat()
        )

    def changed(self, run: int, limit: int) -> list[QueuedPage]:
        """Fetched articles that were changed since, by their `lastmod`; those that were asked for longest ago
        come first."""
        return self._pages(
            "changed AND +outcome = 'fetched' AND asked_run < :run ORDER BY asked_run, id",
            run=run,
            limit=limit,
        )

    def damaged(self, records: Sequence[tuple[int, str]], run: int) -> list[QueuedPage]:
        """Fetched articles whose newest page of some number is one of these records, each with the hash of an
        identity; but for those that could not be had again."""
        where = f"""
            outcome = 'fetched' AND asked_run < :run AND (again IS NULL OR again IN {ASKED_AGAIN_IN_SQL}) AND id IN (
                SELECT r.url_id FROM json_each(:records) d
                JOIN urls a ON a.identity_key = d.value ->> 0 JOIN captures r ON r.url_id = a.id AND r.record = d.value ->> 1
                WHERE NOT EXISTS (SELECT 1 FROM captures n WHERE n.url_id = r.url_id AND n.part = r.part AND n.id > r.id)
            ) ORDER BY id
        """
        return self._pages(where, records=orjson.dumps(list(records)).decode(), run=run, limit=-1)

    def damaged_archive_pages(self, records: Sequence[str]) -> list[str]:
        """The addresses of archive pages whose newest answer is one of these records."""
        sql = """
            SELECT request FROM captures r WHERE url_id IS NULL AND request GLOB 'GET *' AND record IN (SELECT value FROM json_each(?))
            AND NOT EXISTS (SELECT 1 FROM captures n WHERE n.key = r.key AND n.request = r.request AND n.id > r.id) ORDER BY id
        """
        return [
            url_of_key(request)
            for (request,) in self._db.execute(sql, (orjson.dumps(list(records)).decode(),))
        ]

    def count_changed(self, run: int) -> tuple[int, int, int]:
        """Return how many they are; the most of them that have one and the same minute, or a moment since the
        run began; and how many fetched articles have a `lastmod`."""
        sql = """
            SELECT coalesce(sum(n), 0), coalesce(max(max(n), sum(new)), 0) FROM (
                SELECT count(*) AS n, sum(julianday(lastmod) >= (
                    SELECT julianday(min(started), '-2 seconds') FROM walks WHERE run = ?
                )) AS new
                FROM urls INDEXED BY urls_changed WHERE changed AND outcome = 'fetched' AND asked_run < ? GROUP BY substr(lastmod, 1, 16)
            )
        """
        changed, alike = self._db.execute(sql, (run, run)).fetchone()
        dated = (
            self._number("SELECT count(*) FROM urls WHERE lastmod IS NOT NULL AND outcome = 'fetched'")
            if changed
            else 0
        )
        return changed, alike, dated

    def fetched_elsewhere(self, page: QueuedPage) -> str | None:
        """Another URL of the same identity that has been fetched."""
        sql = (
            "SELECT url FROM urls WHERE identity_key = ? AND identity = ? AND id != ? AND (outcome = "
            "'fetched' OR parts > 0)"
        )
        return self._text(sql, key_of(page.identity), page.identity, page.id)

    def fetched_with(self, digest: str, run: int) -> list[str]:
        """Articles that a crawl has fetched, and got these very bytes for."""
        sql = (
            "SELECT u.url FROM responses r JOIN urls u ON u.id = r.url_id WHERE r.digest = ? AND u.outcome = "
            "'fetched' AND u.asked_run = ?"
            " AND r.id = (SELECT max(id) FROM responses WHERE url_id = u.id)"
        )
        return [url for (url,) in self.rows(sql, (digest, run))]

    def listed_by(self, column: str, most: int, *, last: bool = False, stored: bool = True) -> list[str]:
        """Articles that a column or its sections listed, among the first that the crawls met, or among the
        last; `stored`: these alone."""
        among = (
            "u.id > (SELECT max(id) FROM urls) - 20000"
            if last
            else "u.id <= (SELECT min(id) FROM urls) + 20000"
        )
        sql = (
            f"SELECT u.url FROM urls u WHERE {among} AND u.parts >= ? AND EXISTS (SELECT 1 FROM listings l "
            "JOIN columns c"
            f" ON c.id = l.column_id WHERE l.url_id = u.id AND (c.name = ? OR c.name LIKE ?))"
            f" ORDER BY u.id {'DESC' if last else 'ASC'} LIMIT ?"
        )
        return [url for (url,) in self.rows(sql, (int(stored), column, f"{column}{SECTION}%", most))]

    def is_listed_besides(self, column: str, url: str) -> bool:
        """True if another column lists an article."""
        of = "FROM urls u JOIN listings l ON l.url_id = u.id JOIN columns c ON c.id = l.column_id"
        return self._any(
            f"SELECT 1 {of} WHERE u.key = ? AND u.url = ? AND c.name != ?", key_of(url), url, column
        )

    def is_there(self, url: str) -> bool:
        """True if an article's URL is known, and not as gone."""
        return self._any(
            "SELECT 1 FROM urls WHERE key = ? AND url = ? AND outcome != 'gone'", key_of(url), url
        )

    def knows(self, url: str, identity: str) -> bool:
        """True if an article is known by this URL or another."""
        sql = "SELECT 1 FROM urls WHERE (key = ? AND url = ?) OR (identity_key = ? AND identity = ?)"
        return self._any(sql, key_of(url), url, key_of(identity), identity)

    def is_further_page(self, url: str) -> bool:
        """True if an address is that of a page of an article, behind its first."""
        request = Request(url=url).key
        return self._any(
            "SELECT 1 FROM responses WHERE key = ? AND request = ? AND part > 0", key_of(request), request
        )

    def known_as_another(self, url: str, identity: str, page: QueuedPage) -> str | None:
        """The article of another identity whose first page a URL is, by itself or by its identity."""
        sql = (
            "SELECT url FROM urls WHERE ((key = ? AND url = ?) OR (identity_key = ? AND identity = ?)) AND "
            "identity != ?"
        )
        return self._text(sql, key_of(url), url, key_of(identity), identity, page.identity)

    def asked_of_another(self, request: str, page: QueuedPage) -> str | None:
        """The article that a request was first answered for, be it as a further page of it or as none, where
        that has another identity."""
        sql = (
            "SELECT url FROM (SELECT u.url, u.identity FROM responses r JOIN urls u ON u.id = r.url_id"
            " WHERE r.key = ? AND r.request = ? AND r.status = 200 ORDER BY r.id LIMIT 1) WHERE identity != ?"
        )
        return self._text(sql, key_of(request), request, page.identity)

    def perhaps_parts(self, since: int) -> list[int]:
        """Articles that may be pages of others, or have others for pages: they lead on, or came in since that
        response with an identity.

        Those that no other one leads to come first: from there on all pages of a chain are found at once.
        """
        sql = f"""
            WITH waiting AS (SELECT * FROM urls WHERE outcome IN {ASKED_AGAIN_IN_SQL} AND next_url IS NOT NULL AND parts > 0)
            SELECT id FROM (
                SELECT id FROM waiting UNION SELECT u.id FROM responses r JOIN urls u ON u.id = r.url_id
                WHERE r.id > ? AND u.other_identity IS NOT NULL AND u.parts > 0
            ) ORDER BY id IN (SELECT u.id FROM waiting w JOIN urls u ON u.key = key_of(w.next_url) AND u.url = w.next_url), id
        """
        return [row_id for (row_id,) in self._db.execute(sql, (since,))]

    def stored_pages(self, article: int) -> tuple[str, ...]:
        """The pages that are stored of an article, in their order; none where it counts as part of
        another."""
        rows = self._db.execute(
            "SELECT r.part, r.request FROM urls u JOIN responses r ON r.url_id = u.id"
            " WHERE u.id = ? AND u.parts > 0 AND r.part > 0 AND r.status BETWEEN 200 AND 299 ORDER BY r.id",
            (article,),
        )
        pages = {part: url_of_key(request) for part, request in rows}
        return tuple(pages[part] for part in sorted(pages))

    def of_one_identity(self, article: int, most: int) -> list[int]:
        """Return all URLs of an article's identity that something is stored of."""
        rows = self._db.execute(
            "SELECT s.id FROM urls u JOIN urls s ON s.identity_key = u.identity_key AND s.identity = "
            "u.identity"
            " WHERE u.id = ? AND s.parts > 0 ORDER BY s.id LIMIT ?",
            (article, most),
        )
        return [row_id for (row_id,) in rows]

    def is_as_told(self, article: int, pages: Sequence[str], whole: int, following: str | None) -> bool:
        """True if these are an article's pages, so many of them whole, and that what it waits for."""
        row = self._db.execute("SELECT parts, next_url FROM urls WHERE id = ?", (article,)).fetchone()
        return (whole, following) == row and self.stored_pages(article) == tuple(pages)

    def first_page_of(self, url: str, article: int) -> str | None:
        """The first page of the article that a stored page counts to; None where the archive lists that as
        one of another identity."""
        sql = (
            "SELECT o.url FROM responses r JOIN urls o ON o.id = r.url_id JOIN urls u ON u.id = ? WHERE "
            "r.key = ? AND"
            " r.request = ? AND r.part > 0 AND r.status BETWEEN 200 AND 299 AND (o.identity = u.identity"
            " OR NOT EXISTS (SELECT 1 FROM listings l WHERE l.url_id = o.id))"
        )
        request = Request(url=url).key
        return self._text(sql, article, key_of(request), request)

    def has_response(self, request: str, at: datetime) -> bool:
        """True if the answer to a request of that moment is in the store."""
        sql = "SELECT 1 FROM responses WHERE key = ? AND request = ? AND at = ?"
        return self._any(sql, key_of(request), request, at.isoformat())

    def has_pages(self, url: str) -> bool:
        """True if a page of this article is in the store."""
        return self._number("SELECT parts FROM urls WHERE id = ?", self.url_id(url)) > 0

    def latest_response(self, request: str, *, article: int | None = None) -> StoredResponse | None:
        """The newest stored answer to a request that was not itself a revisit; of one article, if that is
        named."""
        return next(iter(self.latest_responses(request, most=1, article=article)), None)

    def latest_responses(
        self, request: str, *, most: int, article: int | None = None
    ) -> list[StoredResponse]:
        """The newest ones, at most so many."""
        where = (
            "key = ? AND request = ? AND kind != 'revisit' AND status = 200 AND (? IS NULL OR (url_id = ? "
            "AND part > 0))"
        )
        return self._responses(
            f"{where} ORDER BY id DESC LIMIT ?", key_of(request), request, article, article, most
        )

    def answers(self, request: str) -> list[StoredResponse]:
        """Return all stored answers to a request, whatever they are: the newest first, and what was none of
        the article last."""
        return self._responses(
            "key = ? AND request = ? ORDER BY part IS 0, at DESC, id DESC", key_of(request), request
        )

    def first_pages_of(self, url: str) -> list[StoredResponse]:
        """Return those of an article, by whatever request."""
        return self._responses("url_id = ? AND part = 1 ORDER BY at DESC, id DESC", self.url_id(url))

    def pages_of(self, url: str) -> list[StoredResponse]:
        """Return all pages of an article, the first one first."""
        return self._responses("url_id = ? AND part > 0 ORDER BY part, at DESC, id DESC", self.url_id(url))

    def outcome_of(self, url: str) -> tuple[str, str] | None:
        """Return what became of an article's URL, and why; None where it is not known as one."""
        return next(
            iter(
                self._db.execute(
                    "SELECT outcome, told_reason FROM urls WHERE key = ? AND url = ?", (key_of(url), url)
                )
            ),
            None,
        )

    def _responses(self, which: str, *values: object) -> list[StoredResponse]:
        rows = self._db.execute(f"SELECT made_of, {PLACE}, kind, status FROM responses WHERE {which}", values)
        return [_response_of(*row) for row in rows]

    def loaded(self, request: str) -> StoredResponse | None:
        """The newest whole answer to what a page in a browser loaded before."""
        rows = self._db.execute(f"SELECT {PLACE} FROM loaded WHERE key = ?", (key_of(request),))
        return next((StoredResponse(*row) for row in rows), None)

    def outcomes(self) -> Mapping[FetchOutcome, int]:
        """Return how many article URLs have which outcome, refused ones included; what `urls.only` and the
        like leave out is not counted."""
        sql = (
            "SELECT outcome, count(*) FROM urls GROUP BY outcome UNION ALL SELECT 'refused', count(*) FROM "
            "refused_links"
        )
        counted: Counter[FetchOutcome] = Counter()
        for outcome, number in self._db.execute(sql):
            counted[FetchOutcome(outcome)] += number
        return +counted

    def ends_of_articles(self) -> Iterator[EndOfArticle]:
        """Articles that end where a link leads on, or that show further pages."""
        sql = "SELECT url, unfollowed, goes_on, led_by FROM urls WHERE unfollowed IS NOT NULL ORDER BY id"
        yield from starmap(EndOfArticle, self._db.execute(sql))

    def refused(self, portal: Portal) -> tuple[Refused, ...]:
        """Links that were not followed, by host and reason; the example of what rules leave out is written
        like an article, if one is."""
        rows = self._db.execute(
            "SELECT host, reason, count(*), min(url) FROM refused GROUP BY host, reason ORDER BY reason = ? "
            "DESC, count(*) DESC, host",
            (OTHER_HOST,),
        )
        known = [
            url
            for (url,) in self._db.execute("SELECT url FROM urls ORDER BY id DESC LIMIT ?", (_MOST_ALIKE,))
        ]
        shapes, refused = {url_shape(url, sections=True) for url in known}, list[Refused]()
        for host, reason, links, any_url in rows.fetchall():
            sql, alike = "SELECT url FROM refused WHERE host = ? AND reason = ? LIMIT ?", list[str]()
            most = _MOST_ALIKE if reason in BY_A_PERSON else 0
            urls = [url for (url,) in self._db.execute(sql, (host, reason, most))]
            with suppress(PatternTimeout):
                alike = left_out_by_digits(reason, urls, known, portal) if urls else []
            example = next(
                (url for url in (*alike, *urls) if url_shape(url, sections=True) in shapes), any_url
            )
            refused.append(Refused(host=host, reason=reason, links=links, example=example, alike=len(alike)))
        return tuple(refused)


def _response_of(made_of: str | None, *columns: Any) -> StoredResponse:
    """By its columns; what a browser showed was made of a response beside it, in the same file."""
    response = StoredResponse(*columns)
    return (
        replace(response, made_of=StoredResponse(**orjson.loads(made_of), file=response.file))
        if made_of is not None
        else response
    )
