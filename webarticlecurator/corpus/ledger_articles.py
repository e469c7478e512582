"""What building, exports and samples ask the ledger: which articles are stored, where they lie, and what the listings say of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.ledger_schema import key_of

Rows = Iterator[tuple[Any, ...]]
# Made first and kept in a temporary file, so that a crawl beside us is not held up by one long question.
_PLAN = """
    CREATE TEMP TABLE plan AS SELECT * FROM (
        SELECT u.url AS url, u.identity_key AS key, u.identity AS identity, r.file AS file, r.offset AS offset, r.length AS length,
            max(r.at) AS at
        FROM urls u JOIN captures r ON r.url_id = u.id WHERE u.parts > 0 AND u.lost IS NULL AND r.part = 1
        GROUP BY u.identity_key, u.identity
        UNION ALL
        SELECT p.url, p.key, p.identity, p.file, p.offset, p.length, p.at FROM posts p WHERE NOT EXISTS (
            SELECT 1 FROM urls u WHERE u.identity_key = p.key AND u.identity = p.identity AND u.parts > 0 AND u.lost IS NULL
        )
    ) ORDER BY file, offset
"""
_POSTS = """
    CREATE TEMP TABLE posts (
        key INTEGER, identity TEXT, url TEXT, page TEXT, column TEXT, characters INTEGER, text TEXT, whole INTEGER,
        record TEXT, digest TEXT, file TEXT, offset INTEGER, length INTEGER, target TEXT, at TEXT
    )
"""
_CAPTURE = "record, digest, file, offset, length, target, at"
_LISTINGS = """
    SELECT l.fields, c.name, r.rules FROM urls u JOIN listings l ON l.url_id = u.id JOIN columns c ON c.id = l.column_id
    LEFT JOIN field_rules r ON r.id = l.rules WHERE u.identity_key = {} AND u.identity = {} ORDER BY l.seq
"""


def keep_posts(ledger: Ledger, posts: Iterable[Sequence[object]]) -> bool:
    """Put posts of index pages, each as the row of a `PostPlace`, beside the ledger, which stays as it is; gives whether there are any."""
    with ledger.transaction():
        ledger.rows(_POSTS)
        rows = ((key_of(str(identity)), identity, *row) for identity, *row in posts)
        number = ledger._db.executemany(f"INSERT INTO posts VALUES ({', '.join('?' * 15)})", rows).rowcount
        ledger.rows("CREATE INDEX temp.posts_key ON posts (key)")
    return number > 0


def post_of(ledger: Ledger, key: int, identity: str) -> tuple[Any, ...] | None:
    """The row of a post that was put there."""
    return next((tuple(row) for _, *row in ledger.rows("SELECT * FROM posts WHERE key = ? AND identity = ?", (key, identity))), None)


def plan_articles(ledger: Ledger) -> int:
    """Put all articles, and posts of no article, into the order in which they lie; gives their number."""
    ledger.rows(_PLAN)
    return int(next(ledger.rows("SELECT count(*) FROM plan"))[0])


def planned(ledger: Ledger) -> Rows:
    """Key and identity of these."""
    return ledger.rows("SELECT key, identity FROM plan ORDER BY rowid")


def first_pages(ledger: Ledger) -> Rows:
    """URL and identity of these, where the newest capture of the first page lies, its moment, and all `listings_of` them as JSON."""
    return ledger.rows(f"""
        SELECT url, identity, file, offset, length, at,
            (SELECT json_group_array(json_array(fields, name, rules)) FROM ({_LISTINGS.format("p.key", "p.identity")}))
        FROM plan p ORDER BY rowid
    """)


def is_stored(ledger: Ledger, key: int, identity: str) -> bool:
    """Whether a page of an article is."""
    sql = "SELECT 1 FROM urls WHERE identity_key = ? AND identity = ? AND parts > 0 AND lost IS NULL"
    return any(ledger.rows(sql, (key, identity)))


def lost_articles(ledger: Ledger) -> Rows:
    """Key, identity and URL of articles of which nothing whole is stored any more, and the WARC file with which they were lost."""
    return ledger.rows("SELECT identity_key, identity, url, lost FROM urls WHERE lost IS NOT NULL")


def lastmod_of(ledger: Ledger, key: int, identity: str) -> str | None:
    """The latest of all its URLs."""
    (lastmod,) = next(ledger.rows("SELECT max(lastmod) FROM urls WHERE identity_key = ? AND identity = ?", (key, identity)))
    return str(lastmod) if lastmod else None


def listings_of(ledger: Ledger, key: int, identity: str) -> Rows:
    """Fields as JSON, column, and the rules by which they were read; the latest last."""
    return ledger.rows(_LISTINGS.format("?", "?"), (key, identity))


def responses_of(ledger: Ledger, key: int, identity: str) -> Rows:
    """URL of the article, part, request and kind of what was stored of it, what it is made of, and the capture; the newest first."""
    sql = f"""
        SELECT u.url, part, request, kind, made_of, {_CAPTURE} FROM urls u JOIN responses r ON r.url_id = u.id
        WHERE u.identity_key = ? AND u.identity = ? AND u.parts > 0 AND r.part > 0
        AND (status BETWEEN 200 AND 299 OR (kind = 'revisit' AND status = 304)) ORDER BY at DESC, r.id DESC
    """
    return ledger.rows(sql, (key, identity))


def plan_archive_pages(ledger: Ledger) -> None:
    """The same for pages of the archive."""
    ledger.rows(f"""
        CREATE TEMP TABLE archive_pages AS SELECT request, {_CAPTURE} FROM captures WHERE url_id IS NULL ORDER BY file, offset
    """)


def planned_archive_pages(ledger: Ledger) -> Rows:
    """Request and capture of these."""
    return ledger.rows("SELECT * FROM archive_pages ORDER BY rowid")
