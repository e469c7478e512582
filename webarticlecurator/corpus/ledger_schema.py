"""The tables of ledger.sqlite, and how rows are found in them.

All of it follows from the events in the WARCs, so a new version simply makes it again.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

from webarticlecurator.corpus.events import PROVED_ENDS
from webarticlecurator.model.links import NO_LOSS
from webarticlecurator.model.outcome import ASKED_AGAIN, FAILURES

VERSION = 16
BUILD_VERSION = 24
"""Version of the tables in build.sqlite, which the ledger is asked together with; they stand in
`building/database.py`."""


def in_sql(codes: Iterable[str]) -> str:
    """As a list for `IN`."""
    return "(" + ", ".join(sorted(f"'{code}'" for code in codes)) + ")"


ASKED_AGAIN_IN_SQL = in_sql(ASKED_AGAIN)
"""Literally, since a partial index needs it so."""
FAILURES_IN_SQL = in_sql(FAILURES)

TABLES = f"""
-- How far each file of the store is accounted for, the numbers of its first and last event, and the last run that wrote into it.
CREATE TABLE files (
    name TEXT PRIMARY KEY, committed INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, run INTEGER NOT NULL
) WITHOUT ROWID;

-- Files that went missing, or hold less than they did.
CREATE TABLE lost (
    name TEXT PRIMARY KEY,
    size INTEGER NOT NULL,               -- bytes that were left
    known INTEGER NOT NULL,              -- bytes that there were
    articles INTEGER NOT NULL,
    archive_pages INTEGER NOT NULL
) WITHOUT ROWID;

-- Numbers for the columns, for the tables that have rows for each article.
CREATE TABLE columns (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    rules INTEGER                        -- of its newest walk for listing fields; NULL: not noted
);

-- Rules by which listing fields were read: each field with a digest.
CREATE TABLE field_rules (id INTEGER PRIMARY KEY, rules TEXT NOT NULL UNIQUE);

-- Every article URL that was ever seen, with its one outcome.
CREATE TABLE urls (
    id INTEGER PRIMARY KEY,
    key INTEGER NOT NULL,                -- hash of url: much smaller in the index than the URL
    url TEXT NOT NULL,
    identity_key INTEGER NOT NULL,       -- hash of identity
    other_identity TEXT,                 -- NULL: the URL itself
    identity TEXT AS (coalesce(other_identity, url)),
    host TEXT NOT NULL,
    walk INTEGER,                        -- that saw it first; NULL: imported
    via TEXT,                            -- the archive page that listed it first
    outcome TEXT NOT NULL,
    reason TEXT NOT NULL,
    again TEXT,                          -- of a stored article: how it ended when it was asked for again and did not come, for that reason
    told_reason TEXT AS (CASE WHEN again IS NULL THEN reason ELSE 'asked for again: ' || again || ': ' || reason END),
    code TEXT,                           -- 'whole-post', 'page-missing' or 'further-page': the reason, where something follows from it
    saw TEXT,                            -- what the crawl saw the page to be, where it is no article that can be read
    parts INTEGER NOT NULL DEFAULT 0,    -- pages of the article that are in the store
    next_url TEXT,                       -- its next page, while that is not
    unfollowed TEXT,                     -- why the article ends where `articles.next` leads on, in words
    goes_on TEXT,                        -- what shows further pages that no rule follows
    no_page TEXT,                        -- where `articles.next` led that is no page of it
    led_by TEXT,                         -- by which rule
    lost TEXT,                           -- the file with which it was lost, until it is stored again
    gone TEXT,                           -- when the site said first that it has a stored article no more; NULL: it has it
    asked_run INTEGER NOT NULL DEFAULT 0,
    lastmod TEXT,                        -- when it was changed last, by the archive page that said so last
    lastmod_by INTEGER,                  -- the column of that page
    changed INTEGER NOT NULL DEFAULT 0,  -- since its last capture, by a lastmod: to be asked for again
    first_seen TEXT NOT NULL,
    since TEXT NOT NULL                  -- of the outcome
);
CREATE INDEX urls_key ON urls (key);
CREATE INDEX urls_identity ON urls (identity_key);
CREATE INDEX urls_waiting ON urls (host, id) WHERE outcome IN {ASKED_AGAIN_IN_SQL};
CREATE INDEX urls_outcome ON urls (outcome);
CREATE INDEX urls_changed ON urls (asked_run, id) WHERE changed;
CREATE INDEX urls_unfollowed ON urls (id) WHERE unfollowed IS NOT NULL;
CREATE INDEX urls_gone ON urls (gone) WHERE gone IS NOT NULL;
CREATE INDEX urls_lost ON urls (lost) WHERE lost IS NOT NULL;

-- What archive pages say of an article.
CREATE TABLE listings (
    url_id INTEGER NOT NULL,
    column_id INTEGER NOT NULL,
    key INTEGER NOT NULL,                -- hash of fields
    seq INTEGER NOT NULL,
    rules INTEGER,                       -- by which it was read; NULL: not noted
    fields TEXT NOT NULL,                -- JSON
    PRIMARY KEY (url_id, column_id, key)
) WITHOUT ROWID;

-- Links that were not followed.
CREATE TABLE refused (
    url TEXT PRIMARY KEY,
    key INTEGER NOT NULL,                -- hash of url
    host TEXT NOT NULL,
    reason TEXT NOT NULL
) WITHOUT ROWID;
-- Of these the ones that no rule leaves out, and that nothing else is known of.
CREATE VIEW refused_links AS SELECT * FROM refused r
    WHERE reason NOT IN {in_sql(NO_LOSS)} AND NOT EXISTS (SELECT 1 FROM urls u WHERE u.key = r.key AND u.url = r.url);

-- Every response in the store that somebody may want to read again.
CREATE TABLE responses (
    id INTEGER PRIMARY KEY,
    key INTEGER NOT NULL,                -- hash of request
    request TEXT NOT NULL,
    url_id INTEGER,                      -- of the article; NULL: an archive page
    part INTEGER,                        -- of the article, from 1; 0: asked for as one, but of another article
    at TEXT NOT NULL,
    status INTEGER,                      -- NULL: what came is no HTTP
    kind TEXT NOT NULL,                  -- response, revisit, or conversion: what a browser made of one
    record TEXT NOT NULL,
    target TEXT NOT NULL,
    digest TEXT,
    file TEXT NOT NULL,
    offset INTEGER NOT NULL,
    length INTEGER NOT NULL,
    made_of TEXT,                        -- JSON: of a conversion, the response beside it in the same file
    rights TEXT                          -- JSON: what headers and meta tags say of its use; NULL: nothing
);
-- Those that a page can be read from.
CREATE VIEW captures AS SELECT * FROM responses WHERE kind != 'revisit' AND status BETWEEN 200 AND 299;

CREATE INDEX responses_key ON responses (key);
CREATE INDEX responses_url ON responses (url_id) WHERE url_id IS NOT NULL;

-- Of archive pages that a browser showed, and of all that pages loaded there, the newest whole answer to each request:
-- what has not changed is stored as a revisit of it.
CREATE TABLE loaded (
    key INTEGER PRIMARY KEY,             -- hash of the request
    record TEXT NOT NULL,
    target TEXT NOT NULL,
    at TEXT NOT NULL,
    digest TEXT NOT NULL,
    file TEXT NOT NULL,
    offset INTEGER NOT NULL,
    length INTEGER NOT NULL
);

-- Style sheets, pictures and fonts that pages of articles, or their style sheets, name: each address once.
CREATE TABLE requisites (
    id INTEGER PRIMARY KEY,
    key INTEGER NOT NULL UNIQUE,         -- hash of the normalised url
    url TEXT NOT NULL,
    host TEXT NOT NULL,
    needed_as TEXT NOT NULL,             -- css, fonts, images
    depth INTEGER NOT NULL,              -- steps between a page and it
    outcome TEXT NOT NULL,
    reason TEXT NOT NULL,
    tries INTEGER NOT NULL,              -- crawls that asked for it
    asked_run INTEGER NOT NULL,
    whole INTEGER,                       -- 0: a revisit of a record with the same digest; NULL: not stored
    record TEXT, target TEXT, at TEXT, digest TEXT, file TEXT, offset INTEGER, length INTEGER
);
CREATE INDEX requisites_waiting ON requisites (id) WHERE outcome IN {ASKED_AGAIN_IN_SQL};
CREATE INDEX requisites_digest ON requisites (digest) WHERE whole;
CREATE INDEX requisites_sheets ON requisites (id) WHERE needed_as = 'css' AND record IS NOT NULL;

-- Records of pages and style sheets that were looked through for names of such files.
CREATE TABLE looked_through (
    record TEXT PRIMARY KEY,
    kinds TEXT NOT NULL                  -- that were looked for
) WITHOUT ROWID;

CREATE TABLE walks (
    id INTEGER PRIMARY KEY,
    column TEXT NOT NULL,
    interval TEXT,
    run INTEGER NOT NULL,
    started TEXT NOT NULL,
    ended TEXT,
    end TEXT,                            -- NULL: cut off
    reason TEXT,
    pages INTEGER NOT NULL DEFAULT 0,
    links INTEGER NOT NULL DEFAULT 0,
    fresh INTEGER NOT NULL DEFAULT 0,    -- links never seen before
    more INTEGER NOT NULL DEFAULT 0,     -- pages that told of a following one
    covered INTEGER NOT NULL DEFAULT 0,  -- different pages with links of their own
    rules TEXT NOT NULL,                 -- digest of the column's archive rules
    first_links INTEGER,                 -- hash of the links of the first page; NULL: none
    ground TEXT,                         -- what the proof leans on
    last_url TEXT,                       -- the page that the end was found on, and the links there
    last_links INTEGER
);
CREATE INDEX walks_column ON walks (column, interval);

-- Walks that reached the end of the archive, or what had been proved before.
CREATE VIEW proved_walks AS SELECT * FROM walks WHERE end IN {in_sql(PROVED_ENDS)};

-- Of each column and interval, the last walk of a crawl.
CREATE VIEW last_walks AS SELECT * FROM walks w WHERE id = (
    SELECT max(id) FROM walks l WHERE l.column = w.column AND l.interval IS w.interval AND l.end IS NOT 'imported'
);

CREATE TABLE pages (
    id INTEGER PRIMARY KEY,
    walk INTEGER NOT NULL,
    key INTEGER NOT NULL,                -- hash of url
    url TEXT NOT NULL,
    outcome TEXT NOT NULL,
    result TEXT NOT NULL,
    reason TEXT NOT NULL,
    whole INTEGER NOT NULL,              -- a sitemap that lists articles, and all of them were taken in
    links INTEGER NOT NULL,
    at TEXT NOT NULL
);
CREATE INDEX pages_walk ON pages (walk);
CREATE INDEX pages_key ON pages (key);

-- Links like the picked ones that no rule took, of the newest walk that saw them.
CREATE TABLE lookalikes (
    column TEXT NOT NULL,
    url TEXT NOT NULL,
    rules TEXT NOT NULL,
    run INTEGER NOT NULL,
    via TEXT NOT NULL,                   -- the archive page that showed it first in that run
    pages INTEGER NOT NULL,              -- archive pages of that run that showed it; counted to 2
    selector TEXT NOT NULL,              -- what would take it
    in_list INTEGER NOT NULL,            -- it stands in the list of the picked links
    in_box INTEGER NOT NULL,             -- it stands in a box beside
    on_empty INTEGER NOT NULL,           -- the rules took nothing of that page
    PRIMARY KEY (column, url)
) WITHOUT ROWID;

-- Addresses that are written like those of articles and that no list names, as the last crawl that looked left them.
CREATE TABLE seen_forms (
    form TEXT PRIMARY KEY,               -- what the addresses have in common
    number INTEGER NOT NULL,             -- how many of them there are
    state TEXT NOT NULL                  -- articles, others, unasked, left
) WITHOUT ROWID;
CREATE TABLE seen_addresses (
    form TEXT NOT NULL,
    url TEXT NOT NULL,
    via TEXT NOT NULL,                   -- where it was seen first
    pages INTEGER NOT NULL,              -- pages of articles that lead there
    PRIMARY KEY (form, url)
) WITHOUT ROWID;
-- Pages of articles of which the links were looked at, up to a crawl: a single row.
CREATE TABLE seen_on (run INTEGER PRIMARY KEY, pages INTEGER NOT NULL);

-- Stretches of the archive without a gap (see crawling/walk.py).
CREATE TABLE spans (
    id INTEGER PRIMARY KEY,
    column TEXT NOT NULL,
    interval TEXT,
    walk INTEGER NOT NULL,
    proved INTEGER NOT NULL DEFAULT 0,
    merged_into INTEGER,
    bottom_index INTEGER,
    bottom_page TEXT,
    bottom_url TEXT,
    bottom_links TEXT                    -- JSON
);
CREATE INDEX spans_column ON spans (column, interval) WHERE merged_into IS NULL;
CREATE INDEX spans_merged ON spans (merged_into) WHERE merged_into IS NOT NULL;

-- In which span the link to an article lies.
CREATE TABLE span_links (
    column_id INTEGER NOT NULL,
    url_id INTEGER NOT NULL,
    span INTEGER NOT NULL,
    PRIMARY KEY (column_id, url_id)
) WITHOUT ROWID;

-- One identity, different titles in the listings: reported, never merged silently.
CREATE TABLE conflicts (
    identity TEXT PRIMARY KEY,
    key INTEGER NOT NULL,                -- hash of identity
    url TEXT NOT NULL,
    reason TEXT NOT NULL,
    since TEXT NOT NULL
) WITHOUT ROWID;
"""


def key_of(text: str) -> int:
    """64 bits of a hash, as SQLite's signed integer; whoever finds a row by it compares the text as well."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), signed=True)
