"""The tables of build.sqlite. All of it follows from the WARCs, the ledger and the portal file, so a new version simply makes it again."""

VERSION = 2

FAILED = "('unreadable', 'invalid', 'consent', 'empty')"
"""`model.outcome.PAGE_FAILURES` in SQL."""

TABLES = f"""
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- Every article that something is stored of, with its one page outcome.
CREATE TABLE articles (
    id TEXT PRIMARY KEY,                 -- the document's name: <portal>-<16 hex digits>
    key INTEGER NOT NULL,                -- the ledger's hash of the identity
    identity TEXT NOT NULL,
    url TEXT NOT NULL,                   -- that it was asked for by
    outcome TEXT NOT NULL,
    reason TEXT NOT NULL,
    since TEXT NOT NULL,                 -- of outcome and reason
    captures TEXT NOT NULL,              -- digest of what it was made of
    rules TEXT NOT NULL,                 -- digest of the rules under which it was made, or last confirmed
    made_by TEXT,                        -- digest of the rules that the document itself names
    path TEXT,                           -- of the document, below the corpus folder; NULL: it has none
    part TEXT,                           -- digest of the document's article part
    type TEXT NOT NULL,
    language TEXT,
    headline TEXT,
    published TEXT,
    modified TEXT,
    canonical TEXT,
    words INTEGER NOT NULL,
    characters INTEGER NOT NULL,
    posts INTEGER NOT NULL,
    layout TEXT,
    flags TEXT NOT NULL,                 -- JSON list
    fields TEXT NOT NULL,                -- JSON: metadata field -> digest of its values
    unknown_tags TEXT NOT NULL,          -- JSON list
    goes_on TEXT,                        -- what shows that it has further pages, where no rule follows
    conflict TEXT,                       -- what speaks against its identity
    lost_addresses INTEGER NOT NULL,     -- that its document could not hold
    lost_address TEXT                    -- the first of them, with why
);
CREATE INDEX articles_key ON articles (key);
CREATE INDEX articles_outcome ON articles (outcome);
CREATE INDEX articles_canonical ON articles (canonical) WHERE canonical IS NOT NULL;

-- What needs a human, as in problems.jsonl.
CREATE VIEW problems AS
    SELECT url, outcome, reason, since FROM articles WHERE outcome IN {FAILED}
    UNION ALL
    SELECT url, 'conflict', conflict, since FROM articles WHERE conflict IS NOT NULL
    UNION ALL
    SELECT url, 'lost-address', lost_addresses || ' of its addresses could not be written; the first: ' || lost_address, since
        FROM articles WHERE lost_addresses > 0
    UNION ALL
    SELECT min(url), 'conflict', count(*) || ' articles name one canonical URL, ' || canonical || '; another is ' || max(url), min(since)
        FROM articles WHERE canonical IS NOT NULL AND outcome = 'article' GROUP BY canonical HAVING count(*) > 1;
"""
