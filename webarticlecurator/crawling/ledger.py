"""The ledger: what crawling knows of every URL, walk and span. Written by `apply` alone, one event at a time.

Nothing here decides anything: the events say what happened, so applying the events of the WARCs in their order gives
the same ledger again.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal, Self

import orjson

from webarticlecurator.crawling.events import ArticleEvent, BlockedEvent, DriftEvent, Event, PageEvent, UnprovedEvent, WalkEndEvent
from webarticlecurator.crawling.ledger_schema import ASKED_AGAIN, TABLES, VERSION
from webarticlecurator.crawling.ledger_troubles import told
from webarticlecurator.crawling.plan import interval_start
from webarticlecurator.crawling.steps import NO_SPAN, EndKind, OldSpan, PageResult, Place
from webarticlecurator.errors import CorpusError
from webarticlecurator.model.capture import Location
from webarticlecurator.model.links import Fields
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.urls import host_and_port
from webarticlecurator.warc.stored import Stored, StoredResponse

CACHE_KIB = 16_384
"""SQLite's page cache: with it, memory does not grow with the corpus."""
LISTED_TITLES = ("headline", "name")
"""Listing fields that name the article."""


@dataclass(frozen=True, slots=True)
class Task:
    """An article (or its next page) that is to be asked for."""

    id: int
    url: str
    """The article's."""
    identity: str
    host: str
    asked: str
    """What to ask for: the article's URL, or that of its next page."""
    part: int
    """Which page of the article `asked` is, from 1."""
    via: str | None


class Ledger:
    """One open ledger.sqlite."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self.inserted = 0
        """URLs seen for the first time since the ledger was opened."""
        self._columns: dict[str, int] = dict(connection.execute("SELECT name, id FROM columns"))
        self._handlers: dict[type[Event], Callable[[Any, Stored | None], None]] = {
            PageEvent: self._apply_page,
            WalkEndEvent: self._apply_walk_end,
            UnprovedEvent: self._apply_unproved,
            DriftEvent: self._apply_drift,
            ArticleEvent: self._apply_article,
            BlockedEvent: self._apply_blocked,
        }

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False) -> Self:
        """Open; a new file gets its tables unless it is only to be read."""
        with told(path):
            connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rwc'}", uri=True, isolation_level=None)
            connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version == 0 and not read_only:
                connection.executescript(
                    f"PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; BEGIN; {TABLES} PRAGMA user_version = {VERSION}; COMMIT;"
                )
                version = VERSION
            connection.execute("PRAGMA synchronous = NORMAL")
            if version != VERSION:
                raise CorpusError(
                    f"{path} was written by another version of curator. `curator warc index` makes it again from the WARC files."
                )
            return cls(connection)

    def close(self) -> None:
        self._db.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    # -- writing ------------------------------------------------------------------------------------------------------

    def apply(self, event: Event, stored: Stored | None) -> None:
        """Take one event in; `stored` says where its records lie. Inside a transaction."""
        handler = self._handlers.get(type(event))
        if handler is not None:
            handler(event, stored)
        if stored is not None:
            end = stored.location.offset + stored.location.length
            self._db.execute(
                "INSERT INTO files VALUES (?, ?) ON CONFLICT DO UPDATE SET committed = max(committed, excluded.committed)",
                (stored.location.file, end),
            )
        self._db.execute(
            "INSERT INTO meta VALUES ('seq', ?), ('run', ?) ON CONFLICT DO UPDATE SET value = max(value, excluded.value)",
            (event.seq, event.run),
        )

    def _apply_page(self, event: PageEvent, stored: Stored | None) -> None:
        column = self._column_id(event.column)
        self._db.execute(
            "INSERT OR IGNORE INTO walks (id, column_id, interval, mode, run, started) VALUES (?, ?, ?, ?, ?, ?)",
            (event.walk, column, event.interval, event.mode, event.run, event.at),
        )
        if event.span != NO_SPAN:
            self._db.execute(
                "INSERT OR IGNORE INTO spans (id, column_id, interval, walk) VALUES (?, ?, ?, ?)",
                (event.span, column, event.interval, event.walk),
            )
        fresh = 0
        for url, identity, listing in event.links:
            url_id, is_new = self._url_id(url, identity or url, event)
            fresh += is_new
            self._list(url_id, column, identity or url, url, listing, event)
            if event.covers:
                self._db.execute("INSERT OR REPLACE INTO ground VALUES (?, ?, ?)", (column, url_id, event.span))
        self._db.executemany(
            "INSERT OR IGNORE INTO refused VALUES (?, ?, ?, ?)", [(url, reason, event.url, event.at) for url, reason in event.refused]
        )
        self._db.execute(
            "UPDATE walks SET pages = pages + 1, failed = failed + ?, links = links + ?, fresh = fresh + ?, refused = refused + ?,"
            " more = more + ? WHERE id = ?",
            (event.result == PageResult.FAILED, len(event.links), fresh, len(event.refused), event.more, event.walk),
        )
        self._db.execute(
            "INSERT INTO pages (walk, place, page, url, outcome, result, reason, links, fresh, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (event.walk, event.index, event.page, event.url, event.outcome, event.result, event.reason, len(event.links), fresh, event.at),
        )
        self._extend_span(event)
        if stored is not None and stored.response is not None:
            self._keep_response(event.request, None, None, stored.response)

    def _extend_span(self, event: PageEvent) -> None:
        for older in event.joined:
            self._merge(older, event.span)
            self._take_bottom(older, event.span)
        if event.bottom is not None:
            self._db.execute(
                "UPDATE spans SET bottom_index = ?, bottom_page = ?, bottom_url = ?, bottom_links = ? WHERE id = ?",
                (*event.bottom, orjson.dumps(event.bottom_links).decode(), event.span),
            )

    def _merge(self, older: int, into: int) -> None:
        self._db.execute("UPDATE spans SET merged_into = ? WHERE id = ? OR merged_into = ?", (into, older, older))

    def _take_bottom(self, older: int, into: int) -> None:
        """A span that goes on in an older one reaches down to where that one does."""
        self._db.execute(
            "UPDATE spans SET (bottom_index, bottom_page, bottom_url, bottom_links) ="
            " (SELECT bottom_index, bottom_page, bottom_url, bottom_links FROM spans WHERE id = ?) WHERE id = ?",
            (older, into),
        )

    def _apply_walk_end(self, event: WalkEndEvent, _stored: Stored | None) -> None:
        self._db.execute("UPDATE walks SET ended = ?, end = ?, reason = ? WHERE id = ?", (event.at, event.end, event.reason, event.walk))
        if event.proves is None:
            return
        self._db.execute("UPDATE spans SET proved = 1 WHERE id = ?", (event.proves,))
        if event.whole:
            others = self._db.execute(
                "SELECT id, proved FROM spans WHERE column_id = ? AND interval IS ? AND merged_into IS NULL AND id != ? ORDER BY id",
                (self._column_id(event.column), event.interval, event.proves),
            ).fetchall()
            for other, proved in others:
                if proved and event.end == EndKind.KNOWN:
                    self._take_bottom(other, event.proves)
                self._merge(other, event.proves)

    def _apply_unproved(self, event: UnprovedEvent, _stored: Stored | None) -> None:
        for name in event.columns:
            column = self._column_id(name)
            self._db.execute("UPDATE walks SET end = 'unproved', reason = ? WHERE column_id = ? AND end = 'proved'", (event.reason, column))
            self._db.execute("UPDATE spans SET proved = 0 WHERE column_id = ?", (column,))

    def _apply_drift(self, event: DriftEvent, _stored: Stored | None) -> None:
        for walk in event.walks:
            self._db.execute("UPDATE walks SET end = ?, reason = ? WHERE id = ?", (EndKind.DRIFT, event.reason, walk))
            self._db.execute("UPDATE spans SET proved = 0 WHERE walk = ?", (walk,))

    def _apply_article(self, event: ArticleEvent, stored: Stored | None) -> None:
        url_id, _ = self._url_id(event.url, event.identity or event.url, event)
        if event.again:
            self._db.execute("UPDATE urls SET reason = ?, asked_run = ? WHERE id = ?", (event.reason, event.run, url_id))
        else:
            self._settle_article(event, url_id)
        if stored is not None and stored.response is not None:
            self._keep_response(event.request, url_id, event.part, stored.response)

    def _settle_article(self, event: ArticleEvent, url_id: int) -> None:
        fetched = event.outcome == FetchOutcome.FETCHED
        unfinished = fetched and event.next is not None
        self._db.execute(
            "UPDATE urls SET since = CASE WHEN outcome = ?1 AND reason = ?2 THEN since ELSE ?3 END, outcome = ?1, reason = ?2, page = ?4,"
            " parts = ?5, next_url = ?6, attempts = attempts + 1, asked_run = ?7 WHERE id = ?8",
            (
                FetchOutcome.QUEUED if unfinished else event.outcome,
                "its next page is still to be fetched" if unfinished else event.reason,
                event.at,
                event.page,
                event.part if fetched else event.part - 1,
                event.next if fetched else event.asked if event.part > 1 else None,
                0 if unfinished else event.run,
                url_id,
            ),
        )

    def _apply_blocked(self, event: BlockedEvent, _stored: Stored | None) -> None:
        for url in event.urls:
            # What had counted as fetched was the block's page: the article is asked for from its first page on.
            self._db.execute(
                "UPDATE urls SET parts = CASE outcome WHEN 'fetched' THEN 0 ELSE parts END, outcome = 'blocked', reason = ?, since = ?,"
                " asked_run = ? WHERE id = ?",
                (event.reason, event.at, event.run, self._find(url)),
            )

    def _keep_response(self, request: str, url_id: int | None, part: int | None, response: StoredResponse) -> None:
        self._db.execute(
            "INSERT INTO responses (key, request, url_id, part, at, status, kind, record, target, digest, file, offset, length)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                _key(request),
                request,
                url_id,
                part,
                response.date.isoformat(),
                response.status,
                response.kind,
                response.record_id,
                response.url,
                response.payload_digest,
                response.location.file,
                response.location.offset,
                response.location.length,
            ),
        )

    def _list(self, url_id: int, column: int, identity: str, url: str, listing: Fields, event: PageEvent) -> None:
        if not listing:
            self._db.execute("INSERT OR IGNORE INTO listings VALUES (?, ?, 0, ?, '{}')", (url_id, column, event.seq))
            return
        text = orjson.dumps(listing, option=orjson.OPT_SORT_KEYS).decode()
        inserted = self._db.execute(
            "INSERT OR IGNORE INTO listings VALUES (?, ?, ?, ?, ?)", (url_id, column, _key(text), event.seq, text)
        ).rowcount
        title = next((listing[name][0] for name in LISTED_TITLES if listing.get(name)), None)
        if inserted and title is not None:
            self._note_conflict(identity, url, title, event.at)

    def _note_conflict(self, identity: str, url: str, title: str, at: str) -> None:
        """Another title for the same identity is a problem for a person."""
        rows = self._db.execute(
            "SELECT l.fields FROM urls u JOIN listings l ON l.url_id = u.id WHERE u.identity_key = ? AND l.key != 0 LIMIT 50",
            (_key(identity),),
        )
        for (fields,) in rows:
            other = next((value[0] for name in LISTED_TITLES if (value := orjson.loads(fields).get(name))), None)
            if other is not None and other != title:
                reason = f"the listings give one article two titles: {other!r} and {title!r}"
                self._db.execute("INSERT OR IGNORE INTO conflicts VALUES (?, ?, ?, ?)", (identity, url, reason, at))
                return

    def _column_id(self, name: str) -> int:
        """The row of a column, made where there is none."""
        if name not in self._columns:
            self._db.execute("INSERT INTO columns (name) VALUES (?)", (name,))
            self._columns[name] = self._db.execute("SELECT id FROM columns WHERE name = ?", (name,)).fetchone()[0]
        return self._columns[name]

    def _known_column(self, name: str) -> int:
        """The row of a column for a question; one that fits nothing where there is none."""
        return self._columns.get(name, -1)

    def _url_id(self, url: str, identity: str, event: PageEvent | ArticleEvent) -> tuple[int, bool]:
        """The row of a URL, made where there is none."""
        found = self._find(url)
        if found is not None:
            return found, False
        walk, via = (event.walk, event.url) if isinstance(event, PageEvent) else (None, event.via)
        cursor = self._db.execute(
            "INSERT INTO urls (key, url, identity_key, identity, host, walk, via, outcome, reason, first_seen, since)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, 'queued', 'not asked for yet', ?, ?)",
            (_key(url), url, _key(identity), None if identity == url else identity, host_and_port(url), walk, via, event.at, event.at),
        )
        assert cursor.lastrowid is not None
        self.inserted += 1
        return cursor.lastrowid, True

    def _find(self, url: str) -> int | None:
        rows = self._db.execute("SELECT id, url FROM urls WHERE key = ?", (_key(url),))
        return next((row_id for row_id, stored in rows if stored == url), None)

    # -- counters -----------------------------------------------------------------------------------------------------

    @property
    def seq(self) -> int:
        return self._number("seq")

    @property
    def run(self) -> int:
        return self._number("run")

    def _number(self, name: str) -> int:
        row = self._db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return int(row[0]) if row else 0

    def last_walk(self) -> int:
        return int(self._db.execute("SELECT coalesce(max(id), 0) FROM walks").fetchone()[0])

    def last_span(self) -> int:
        return int(self._db.execute("SELECT coalesce(max(id), 0) FROM spans").fetchone()[0])

    def committed(self) -> dict[str, int]:
        """File -> how many of its bytes are accounted for."""
        return dict(self._db.execute("SELECT name, committed FROM files"))

    def forget_file(self, name: str) -> None:
        """A file that held no whole exchange is gone."""
        self._db.execute("DELETE FROM files WHERE name = ?", (name,))

    # -- ground -------------------------------------------------------------------------------------------------------

    def spans(self, column: str, interval: str | None, *, before_walk: int) -> list[OldSpan]:
        rows = self._db.execute(
            f"SELECT {_SPAN} FROM spans WHERE column_id = ? AND interval IS ? AND merged_into IS NULL AND walk < ?"
            " AND bottom_url IS NOT NULL ORDER BY id DESC",
            (self._known_column(column), interval, before_walk),
        )
        return [_old_span(row) for row in rows]

    def spans_of(self, column: str, urls: Collection[str]) -> dict[str, OldSpan]:
        found: dict[str, int] = {}
        for url in urls:
            row = self._db.execute(
                "SELECT span FROM ground WHERE column_id = ? AND url_id = ?", (self._known_column(column), self._find(url))
            ).fetchone()
            if row is not None:
                found[url] = row[0]
        spans = {span: self._living_span(span) for span in set(found.values())}
        return {url: old for url, span in found.items() if (old := spans[span]) is not None}

    def _living_span(self, span: int) -> OldSpan | None:
        row = self._db.execute(f"SELECT {_SPAN}, merged_into FROM spans WHERE id = ?", (span,)).fetchone()
        if row is not None and row[-1] is not None:
            return self._living_span(row[-1])
        return _old_span(row[:-1]) if row is not None and row[4] is not None else None

    def gave_links(self, column: str, interval: str | None = None, *, before_walk: int) -> bool:
        """Whether an earlier walk of the column (of that interval, if one is given) found links."""
        sql = "SELECT 1 FROM walks WHERE column_id = ? AND id < ? AND links > 0"
        values: list[int | str | None] = [self._known_column(column), before_walk]
        if interval is not None:
            sql += " AND interval = ?"
            values.append(interval)
        return self._db.execute(f"{sql} LIMIT 1", values).fetchone() is not None

    def proved_intervals(self, column: str) -> dict[str, datetime]:
        """Interval -> when it was last walked to a proved end."""
        rows = self._db.execute(
            "SELECT interval, max(ended) FROM walks WHERE column_id = ? AND interval IS NOT NULL AND end IN ('proved', 'known')"
            " GROUP BY interval",
            (self._known_column(column),),
        )
        return {interval: datetime.fromisoformat(ended) for interval, ended in rows}

    def stopped_at(self, column: str) -> date | None:
        """The first day of the oldest interval in which a stop rule ended the column."""
        rows = self._db.execute(
            "SELECT interval FROM walks WHERE column_id = ? AND interval IS NOT NULL AND (end = 'known' OR reason LIKE 'stop.%')",
            (self._known_column(column),),
        )
        return min((interval_start(interval) for (interval,) in rows), default=None)

    def expects_links(self, column: str, interval: str, walk: int) -> bool:
        """Whether a date must have links: an earlier walk found some, or in earlier crawls the three dates before it all had some."""
        if self.gave_links(column, interval, before_walk=walk):
            return True
        before = self._db.execute(
            "SELECT max(links) FROM walks WHERE column_id = ?1 AND interval < ?2 AND run < (SELECT value FROM meta WHERE name = 'run')"
            " GROUP BY interval ORDER BY interval DESC LIMIT 3",
            (self._known_column(column), interval),
        ).fetchall()
        return len(before) == 3 and all(links > 0 for (links,) in before)

    def never(self, what: Literal["links", "more"], columns: Collection[str]) -> list[str]:
        """The columns whose walks came to an end without ever finding a link, or a page that told of a following one."""
        rows = self._db.execute(
            "SELECT name FROM columns c JOIN walks w ON w.column_id = c.id GROUP BY c.id"
            f" HAVING sum({what}) = 0 AND sum(end IN ('proved', 'unproved')) > 0"
        )
        return [name for (name,) in rows if name in columns]

    # -- the queue ----------------------------------------------------------------------------------------------------

    def waiting_hosts(self) -> list[str]:
        # SQLite would rather look at every URL than go through this index.
        rows = self._db.execute(f"SELECT DISTINCT host FROM urls INDEXED BY urls_waiting WHERE outcome IN {ASKED_AGAIN} ORDER BY host")
        return [host for (host,) in rows]

    def tasks(self, host: str, run: int, after: int, limit: int) -> list[Task]:
        """The next URLs of a host that this run has not asked for, in the order in which they were seen."""
        rows = self._db.execute(
            f"SELECT {_TASK} FROM urls WHERE outcome IN {ASKED_AGAIN} AND host = ? AND id > ? AND asked_run < ? ORDER BY id LIMIT ?",
            (host, after, run, limit),
        )
        return [_task(row) for row in rows]

    def furthest(self, host: str, run: int) -> Task | None:
        """The last of them."""
        row = self._db.execute(
            f"SELECT {_TASK} FROM urls WHERE outcome IN {ASKED_AGAIN} AND host = ? AND asked_run < ? ORDER BY id DESC LIMIT 1", (host, run)
        ).fetchone()
        return _task(row) if row is not None else None

    def count_waiting(self) -> int:
        return int(self._db.execute(f"SELECT count(*) FROM urls WHERE outcome IN {ASKED_AGAIN}").fetchone()[0])

    def hosts(self) -> list[str]:
        """All hosts that articles lie on."""
        return [host for (host,) in self._db.execute("SELECT DISTINCT host FROM urls ORDER BY host")]

    def recent(self, host: str, since: datetime, run: int, after: int, limit: int) -> list[Task]:
        """Fetched articles of a host first seen since then."""
        rows = self._db.execute(
            "SELECT id, url, coalesce(identity, url), host, url, 1, via FROM urls WHERE outcome = 'fetched' AND host = ?"
            " AND first_seen >= ? AND id > ? AND asked_run < ? ORDER BY id LIMIT ?",
            (host, since.isoformat(), after, run, limit),
        )
        return [_task(row) for row in rows]

    def fetched_elsewhere(self, task: Task) -> str | None:
        """Another URL of the same identity that has been fetched."""
        rows = self._db.execute(
            "SELECT url, coalesce(identity, url) FROM urls WHERE identity_key = ? AND (outcome = 'fetched' OR parts > 0) AND id != ?",
            (_key(task.identity), task.id),
        )
        return next((url for url, identity in rows if identity == task.identity), None)

    def is_listed(self, url: str) -> bool:
        """Whether it is known as the URL of an article."""
        return self._find(url) is not None

    def has_response(self, request: str, at: datetime) -> bool:
        """Whether the answer to a request of that moment is in the store."""
        rows = self._db.execute("SELECT request, at FROM responses WHERE key = ?", (_key(request),))
        return any(stored == request and moment == at.isoformat() for stored, moment in rows)

    def has_pages(self, url: str) -> bool:
        """Whether a page of this article is in the store."""
        row = self._db.execute("SELECT parts FROM urls WHERE id = ?", (self._find(url),)).fetchone()
        return row is not None and row[0] > 0

    def latest_response(self, request: str) -> StoredResponse | None:
        """The newest stored answer to a request that was not itself a revisit."""
        rows = self._db.execute(
            "SELECT request, record, target, at, status, digest, file, offset, length FROM responses"
            " WHERE key = ? AND kind = 'response' AND status = 200 ORDER BY id DESC",
            (_key(request),),
        )
        for stored, record, target, at, status, digest, file, offset, length in rows:
            if stored == request:
                return StoredResponse(
                    record_id=record,
                    location=Location(file=file, offset=offset, length=length),
                    url=target,
                    date=datetime.fromisoformat(at),
                    status=status,
                    payload_digest=digest,
                    kind="response",
                )
        return None

    # -- what the rest of the crawl asks ------------------------------------------------------------------------------

    def stream(self, sql: str, values: Sequence[object] = ()) -> Iterator[tuple[Any, ...]]:
        """The answer to a report's question, row by row."""
        yield from self._db.execute(sql, values)

    def beside(self, database: Path, sql: str) -> Iterator[tuple[Any, ...]]:
        """The same of a question that also asks another database, which it calls `other`."""
        try:
            self._db.execute("ATTACH ? AS other", (f"{database.absolute().as_uri()}?mode=ro",))
            yield from self._db.execute(sql).fetchall()
            self._db.execute("DETACH other")
        except sqlite3.DatabaseError as error:
            raise CorpusError(f"{database} cannot be read ({error}). Delete it; `curator build --all` makes it again.") from error

    def outcomes(self) -> Mapping[FetchOutcome, int]:
        """Of every article URL that is known, refused ones included; what `urls.only` and the like leave out is none."""
        counted = Counter(
            {FetchOutcome(outcome): number for outcome, number in self._db.execute("SELECT outcome, count(*) FROM urls GROUP BY outcome")}
        )
        refused = self._db.execute("SELECT url FROM refused WHERE reason NOT LIKE 'urls.%'")
        counted[FetchOutcome.REFUSED] += sum(1 for (url,) in refused if self._find(url) is None)
        return {outcome: number for outcome, number in counted.items() if number}


_SPAN = "id, proved, bottom_index, bottom_page, bottom_url, bottom_links"
_TASK = "id, url, coalesce(identity, url), host, coalesce(next_url, url), parts + 1, via"


def _old_span(row: tuple[Any, ...]) -> OldSpan:
    span, proved, index, page, url, links = row
    return OldSpan(span, bool(proved), Place(index, page, url), frozenset(orjson.loads(links)))


def _task(row: tuple[Any, ...]) -> Task:
    url_id, url, identity, host, asked, part, via = row
    return Task(url_id, url, identity, host, asked, part, via)


def _key(text: str) -> int:
    """64 bits of a hash, as SQLite's signed integer; whoever finds a row by it compares the text as well."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), signed=True)
