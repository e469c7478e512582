"""What building knows of posts on index pages: the tables of build.sqlite for them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator

from webarticlecurator.building.results import PostsOfPage
from webarticlecurator.corpus.stored_articles import PostPlace
from webarticlecurator.databases import transaction

INDEX_TABLES = """
-- Archive pages that were looked at for whole posts, and the posts on them that have an address.
CREATE TABLE index_pages (
    id INTEGER PRIMARY KEY,
    record TEXT NOT NULL UNIQUE,
    rules TEXT NOT NULL,                 -- digest of the rules under which it was looked at
    page TEXT NOT NULL,                  -- the URL that it was asked for by
    column TEXT,
    nameless INTEGER NOT NULL,           -- posts on it without an address
    problem TEXT,                        -- why its posts could not be read
    digest TEXT NOT NULL,
    file TEXT NOT NULL,
    offset INTEGER NOT NULL,
    length INTEGER NOT NULL,
    target TEXT NOT NULL,
    at TEXT NOT NULL
);
CREATE TABLE index_posts (
    index_page INTEGER NOT NULL,
    identity TEXT NOT NULL,
    url TEXT NOT NULL,
    characters INTEGER NOT NULL,
    text TEXT NOT NULL,                  -- digest of its text
    whole INTEGER NOT NULL,
    PRIMARY KEY (index_page, identity)
) WITHOUT ROWID;
"""
_FULLEST_POSTS = """
    SELECT identity, url, page, column, characters, text, whole, record, digest, file, offset, length, target, at FROM (
        SELECT *, row_number() OVER (PARTITION BY identity ORDER BY whole DESC, characters DESC, at, record) AS place
        FROM index_posts JOIN index_pages ON id = index_page
    ) WHERE place = 1
"""


class IndexPostTables:
    """The pages that were looked at, and where each post stands."""

    _db: sqlite3.Connection

    def keep_index_pages(self, records: Iterable[str]) -> None:
        """Forget the pages that are none of these: the ledger knows them no more, or nobody reads posts any more."""
        with transaction(self._db):
            self._db.execute("CREATE TEMP TABLE IF NOT EXISTS present (record TEXT PRIMARY KEY) WITHOUT ROWID")
            self._db.executemany("INSERT OR IGNORE INTO present VALUES (?)", ((one,) for one in records))
            gone = "SELECT id FROM index_pages WHERE record NOT IN (SELECT record FROM present)"
            self._db.execute(f"DELETE FROM index_posts WHERE index_page IN ({gone})")
            self._db.execute(f"DELETE FROM index_pages WHERE id IN ({gone})")
            self._db.execute("DELETE FROM present")

    def knows_index_page(self, record: str, rules: str) -> bool:
        """Whether it was looked at under these rules."""
        return self._db.execute("SELECT 1 FROM index_pages WHERE record = ? AND rules = ?", (record, rules)).fetchone() is not None

    def put_index_pages(self, found: Iterable[PostsOfPage], rules: str) -> None:
        """What stands on these pages."""
        for one in found:
            capture = one.page.capture
            place = (capture.digest, capture.file, capture.offset, capture.length, capture.url, capture.date)
            (number,) = self._db.execute(
                "INSERT INTO index_pages (record, rules, page, column, nameless, problem, digest, file, offset, length, target, at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (record) DO UPDATE SET"
                " rules = excluded.rules, column = excluded.column, nameless = excluded.nameless, problem = excluded.problem RETURNING id",
                (capture.record_id, "" if one.problem else rules, one.page.url, one.page.column, one.nameless, one.problem, *place),
            ).fetchone()
            if one.problem is not None:
                continue  # what was found there before still stands there
            self._db.execute("DELETE FROM index_posts WHERE index_page = ?", (number,))
            self._db.executemany("INSERT INTO index_posts VALUES (?, ?, ?, ?, ?, ?)", ((number, *post) for post in one.posts))

    def index_posts(self) -> Iterator[PostPlace]:
        """Each post where there is most of it; of places with as much, the first that was stored."""
        yield from map(PostPlace._make, self._db.execute(_FULLEST_POSTS))

    def nameless_posts(self) -> tuple[int, str | None]:
        """How many posts on index pages have no address, and the address of one of the pages."""
        row = self._db.execute("SELECT coalesce(sum(nameless), 0), min(page) FROM index_pages WHERE nameless > 0").fetchone()
        return int(row[0]), row[1]
