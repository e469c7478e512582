"""build.sqlite: what building knows of every article."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields
from hashlib import sha256
from pathlib import Path
from typing import Self

import orjson

from webarticlecurator.building.index_post_tables import INDEX_TABLES, IndexPostTables
from webarticlecurator.building.portal_values import MIN_ARTICLES, Value, as_own, is_of_portal, may_be_of_portal
from webarticlecurator.building.results import BuildResult
from webarticlecurator.databases import connect, transaction
from webarticlecurator.errors import CorpusError
from webarticlecurator.model.article import INDEX_SIGN
from webarticlecurator.model.outcome import GoingOn, PageOutcome

_VERSION = 9
"""All of the database follows from the WARCs, the ledger and the portal file, so a new version simply makes it again."""

_PORTAL_VALUES = "portal values"
"""A word on the whole corpus: what was left out of its documents."""

_FAILED = "('unreadable', 'invalid', 'consent', 'empty')"
"""`model.outcome.PAGE_FAILURES` in SQL."""

_DOCUMENTED = "('article', 'paywall')"
"""`model.outcome.DOCUMENTED`."""

_OF_SITE = 10
"""Articles below which the same stands among comments, so that the site wrote it."""
UNREAD_COMMENTS = f"""
    SELECT coalesce(sum(words), 0), coalesce(sum(articles), 0) FROM (
        SELECT sum(comment_words) AS words, count(*) AS articles FROM articles
        WHERE comment_digest IS NOT NULL AND outcome IN {_DOCUMENTED} GROUP BY comment_digest HAVING count(*) < {_OF_SITE})
"""
"""Words of what looks like readers' comments, and in how many articles; what stands in several of them was written by the site."""

_TABLES = f"""
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
    captured TEXT,                       -- when something new of it came last
    text_changed TEXT,                   -- when the capture was made that brought its text; NULL: the first one has it
    headline_and_text INTEGER,           -- digest of what is the same in two documents of one article; NULL: too short to tell
    moved_to INTEGER,                    -- the ledger's hash of the identity that its address led to; NULL: its own
    rules TEXT NOT NULL,                 -- digest of the rules under which it was made, or last confirmed
    made_by TEXT,                        -- digest of the rules that the document itself names
    path TEXT,                           -- of the document, below the corpus folder; NULL: it has none
    part TEXT,                           -- digest of the document's article part
    size INTEGER,                        -- bytes of the document
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
    comment_words INTEGER NOT NULL,      -- of what looks like readers' comments and is read by no rule
    comment_digest TEXT,                 -- of these words
    goes_on TEXT,                        -- what shows that it has further pages, where no rule follows
    said TEXT NOT NULL,                  -- JSON list: the numbers of what its page says that may be the portal's
    left_out TEXT NOT NULL,              -- JSON list: the numbers of those that its document lacks
    missing_pages TEXT,                  -- which pages of it are not stored
    conflict TEXT,                       -- what speaks against its identity
    lost_addresses INTEGER NOT NULL,     -- that its document could not hold
    lost_address TEXT                    -- the first of them, with why
);
CREATE INDEX articles_key ON articles (key);
CREATE INDEX articles_outcome ON articles (outcome);
CREATE INDEX articles_canonical ON articles (canonical) WHERE canonical IS NOT NULL;
CREATE INDEX articles_moved ON articles (moved_to) WHERE moved_to IS NOT NULL;
CREATE INDEX articles_same ON articles (headline_and_text) WHERE headline_and_text IS NOT NULL;

-- What exports and statistics tell of articles with a document.
CREATE TABLE contents (
    id TEXT PRIMARY KEY,
    line BLOB NOT NULL,                  -- zstd: the line of JSON that `export --to jsonl` prints
    versions TEXT NOT NULL               -- JSON list: its other captures
);

-- What pages of articles with a document say, which may be the portal's and not the article's.
CREATE TABLE said (
    number INTEGER PRIMARY KEY,          -- a hash
    field TEXT NOT NULL,
    value TEXT NOT NULL,
    articles INTEGER NOT NULL,           -- how many say it
    left_out INTEGER NOT NULL            -- how many documents lack it
);
CREATE INDEX said_often ON said (articles) WHERE articles >= {MIN_ARTICLES};

{INDEX_TABLES}
-- Articles that have documents under several addresses.
CREATE VIEW same_articles AS
    SELECT CASE count(*) WHEN 2 THEN 'two' ELSE count(*) END || ' addresses of one article, with the same headline and text' AS sign,
        min(url) AS url, max(url) AS other, max(since) AS since
        FROM articles WHERE headline_and_text IN (
            SELECT headline_and_text FROM articles WHERE headline_and_text IS NOT NULL GROUP BY 1 HAVING count(*) > 1  -- by the index alone
        ) GROUP BY headline_and_text
    UNION ALL
    SELECT 'two addresses of one article, the first of which leads to the other', a.url, b.url, max(a.since, b.since)
        FROM articles a JOIN articles b ON b.key = a.moved_to
        WHERE a.moved_to IS NOT NULL AND a.path IS NOT NULL AND b.path IS NOT NULL
        AND coalesce(a.headline_and_text != b.headline_and_text, 1);

-- What needs a human, as in problems.jsonl.
CREATE VIEW problems AS
    SELECT url, outcome, reason, since FROM articles WHERE outcome IN {_FAILED}
    UNION ALL
    SELECT url, 'conflict', conflict, since FROM articles WHERE conflict IS NOT NULL
    UNION ALL
    SELECT url, 'missing-page', missing_pages, since FROM articles WHERE missing_pages IS NOT NULL
    UNION ALL
    SELECT url, 'lost-address', lost_addresses || ' of its addresses could not be written; the first: ' || lost_address, since
        FROM articles WHERE lost_addresses > 0
    UNION ALL
    SELECT page, 'unreadable', 'its posts could not be read: ' || problem, at FROM index_pages WHERE problem IS NOT NULL
    UNION ALL
    SELECT min(url), 'conflict', count(*) || ' articles name one canonical URL, ' || canonical || '; another is ' || max(url), min(since)
        FROM articles WHERE canonical IS NOT NULL AND outcome = 'article' GROUP BY canonical
        HAVING count(*) > 1 AND NOT (count(headline_and_text) = count(*) AND min(headline_and_text) = max(headline_and_text))
            AND NOT coalesce(count(*) = 2 AND max(moved_to) IN (min(key), max(key)), 0)
    UNION ALL
    SELECT url, 'conflict', sign || ': ' || url || ' and ' || other || '; where the addresses show it, `articles.identity` makes them one'
        || ' (what is stored: by `curator warc import` into a new corpus)', since FROM same_articles;
"""
_CACHE_KIB = 16_384
_JSON = ("flags", "fields", "unknown_tags")
_NOT_KEPT = frozenset(
    {"written", "removed", "changes", "unfinished", "gained", "lost", "said", "left_out", "contents", "stored_again", "edited"}
)
_AS_THEY_ARE = tuple(one.name for one in fields(BuildResult) if one.name not in _NOT_KEPT and one.name not in _JSON)
_KEPT = (*_AS_THEY_ARE, *_JSON, "said", "left_out", "since", "rules", "made_by")
_PUT = f"""
    INSERT INTO articles ({", ".join(_KEPT)}) VALUES ({", ".join(f":{name}" for name in _KEPT)})
    ON CONFLICT (id) DO UPDATE SET {", ".join(f"{name} = excluded.{name}" for name in _KEPT if name not in ("id", "since", "made_by"))},
        since = CASE WHEN outcome = excluded.outcome AND reason = excluded.reason THEN since ELSE excluded.since END,
        made_by = CASE WHEN :written OR excluded.path IS NULL THEN excluded.made_by ELSE made_by END
"""


@dataclass(frozen=True, slots=True)
class KnownArticle:
    """What an earlier build knows of an article."""

    outcome: PageOutcome
    captures: str
    captured: str | None
    rules: str
    path: str | None
    part: str | None
    """Digest of the article part of its document."""
    size: int | None
    """Bytes of its document."""
    fields: dict[str, str]


class BuildDatabase(IndexPostTables):
    """One open build.sqlite."""

    def __init__(self, path: Path | str, *, read_only: bool = False) -> None:
        self._db = connect(path, read_only=read_only)
        try:
            self._db.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
            if self._db.execute("PRAGMA user_version").fetchone()[0] != _VERSION:
                if read_only:
                    raise CorpusError(f"{path} was written by another version of curator; `curator build` makes it again.")
                self._make()
            self._db.execute("PRAGMA synchronous = NORMAL")
        except CorpusError:
            self._db.close()
            raise

    def _make(self) -> None:
        """Empty, whatever another version of curator had in it."""
        old = self._db.execute("SELECT type, name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'")
        drops = "".join([f'DROP {type_} "{name}"; ' for type_, name in old.fetchall()])
        self._db.executescript(f"PRAGMA journal_mode = WAL; BEGIN; {drops}{_TABLES} PRAGMA user_version = {_VERSION}; COMMIT;")

    @classmethod
    def of_earlier_build(cls, path: Path) -> Self:
        """Only to be read; an empty one where nothing was built yet."""
        return cls(path, read_only=True) if path.exists() else cls(":memory:")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._db.close()

    def transaction(self) -> AbstractContextManager[None]:
        """All or nothing."""
        return transaction(self._db)

    # -- writing ------------------------------------------------------------------------------------------------------

    def put(self, results: Iterable[BuildResult], *, rules: str, now: str) -> None:
        """Note what was built, under which rules."""
        for one in results:
            said = {_number(value): value for value in one.said} if one.path else {}
            left_out = frozenset(_number(value) for value in one.left_out & one.said) if one.path else frozenset()
            self._count_said(one.id, said, left_out)
            self._db.execute(_PUT, _row(one, sorted(said), sorted(left_out), rules, now))
            if one.contents is None:
                self._db.execute("DELETE FROM contents WHERE id = ?", (one.id,))
            else:
                self._db.execute("INSERT OR REPLACE INTO contents VALUES (?, ?, ?)", (one.id, one.contents.line, one.contents.versions))

    def forget(self, ids: Iterable[str]) -> None:
        for one in ids:
            self._count_said(one, {})
            self._db.execute("DELETE FROM articles WHERE id = ?", (one,))
            self._db.execute("DELETE FROM contents WHERE id = ?", (one,))

    def _count_said(self, article: str, said: Mapping[int, Value], left_out: frozenset[int] = frozenset()) -> None:
        """Count what its page says and its document lacks now, and no more what that was before."""
        row = self._db.execute("SELECT said, left_out FROM articles WHERE id = ?", (article,)).fetchone()
        before, lacked = map(frozenset, map(orjson.loads, row or ("[]", "[]")))
        self._db.executemany(
            "INSERT INTO said VALUES (?, ?, ?, 1, 0) ON CONFLICT DO UPDATE SET articles = articles + 1",
            [(number, *value) for number, value in said.items() if number not in before],
        )
        self._db.executemany("UPDATE said SET articles = articles - 1 WHERE number = ?", [(one,) for one in before - said.keys()])
        self._db.executemany("UPDATE said SET left_out = left_out + 1 WHERE number = ?", [(one,) for one in left_out - lacked])
        self._db.executemany("UPDATE said SET left_out = left_out - 1 WHERE number = ?", [(one,) for one in lacked - left_out])

    def note_portal_values(self, values: frozenset[Value]) -> None:
        """Documents are made without these from now on: those of articles whose pages say what was decided otherwise are made anew."""
        changed = [_number(value) for value in values ^ self.portal_values()]
        self.note(_PORTAL_VALUES, orjson.dumps(sorted(values)).decode())
        self._db.execute(
            "UPDATE articles SET rules = '' WHERE EXISTS"
            " (SELECT 1 FROM json_each(articles.said) WHERE value IN (SELECT value FROM json_each(?)))",
            (orjson.dumps(changed).decode(),),
        )

    def lose(self, reasons: Iterable[tuple[str, str]], *, now: str) -> None:
        """Note of articles (by id) why they cannot be built any more; their documents stay as they are."""
        for article, reason in reasons:
            self._count_said(article, {})
            self._db.execute(
                "UPDATE articles SET since = CASE WHEN reason = :reason THEN since ELSE :now END, outcome = 'unreadable',"
                " reason = :reason, captures = '', said = '[]', left_out = '[]' WHERE id = :id",
                {"reason": reason, "now": now, "id": article},
            )

    def note(self, name: str, value: str) -> None:
        """Keep a word on the whole corpus."""
        self._db.execute("INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", (name, value))

    # -- reading ------------------------------------------------------------------------------------------------------

    def noted(self, name: str) -> str | None:
        row = self._db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else None

    def known(self, article: str) -> KnownArticle | None:
        """What is known of the article of that id."""
        row = self._db.execute(
            "SELECT outcome, captures, captured, rules, path, part, size, fields FROM articles WHERE id = ?", (article,)
        ).fetchone()
        if row is None:
            return None
        outcome, captures, captured, rules, path, part, size, fields = row
        return KnownArticle(PageOutcome(outcome), captures, captured, rules, path, part, size, orjson.loads(fields))

    def portal_values(self) -> frozenset[Value]:
        """What the documents are made without."""
        return frozenset((name, value) for name, value in orjson.loads(self.noted(_PORTAL_VALUES) or "[]"))

    def left_out(self) -> dict[Value, int]:
        """What documents lack since it is the portal's, and how many do."""
        rows = self._db.execute("SELECT field, value, left_out FROM said WHERE articles >= ? AND left_out > 0", (MIN_ARTICLES,))
        return {(name, value): documents for name, value, documents in rows}

    def frequent_values(self) -> frozenset[Value]:
        """What the pages of so many articles say that it is the portal's."""
        total = self._db.execute(f"SELECT count(*) FROM articles WHERE outcome IN {_DOCUMENTED}").fetchone()[0]
        rows = self._db.execute("SELECT field, value, articles FROM said WHERE articles >= ?", (MIN_ARTICLES,))
        many = [(name, value, articles) for name, value, articles in rows if may_be_of_portal(name, articles)]
        every = ((name, value, articles + self._said(as_own((name, value)))) for name, value, articles in many)
        return frozenset((name, value) for name, value, articles in every if is_of_portal(name, articles, total))

    def _said(self, value: Value) -> int:
        """By how many articles."""
        row = self._db.execute("SELECT articles FROM said WHERE number = ?", (_number(value),)).fetchone()
        return int(row[0]) if row else 0

    def identities(self) -> Iterator[tuple[str, int, str, str | None]]:
        """Id, hash and text of the identity, and path of everything known."""
        yield from self._db.execute("SELECT id, key, identity, path FROM articles")

    def paths(self, folder: str) -> Iterator[str]:
        """Of all documents in a folder, sorted."""
        rows = self._db.execute("SELECT path FROM articles WHERE path GLOB ? ORDER BY path", (f"{folder}/*",))
        return (path for (path,) in rows)

    def index_paths(self) -> None:
        """Make what follows quick, where documents are many; kept from then on."""
        self._db.execute("CREATE INDEX IF NOT EXISTS articles_path ON articles (path) WHERE path IS NOT NULL")

    def document_folders(self, top: str) -> list[tuple[str, int]]:
        """The folders of years (and of documents without a date), sorted, and how many documents each has."""
        at = len(top) + 2
        folder = f"substr(path, 1, instr(substr(path, {at}), '/') + {at - 2})"
        return self._db.execute(f"SELECT {folder}, count(*) FROM articles WHERE path IS NOT NULL GROUP BY 1 ORDER BY 1").fetchall()

    def document_counts(self, prefix: str, length: int) -> list[tuple[str, int]]:
        """How many documents have paths that begin so, by as many characters of these."""
        sql = "SELECT substr(path, 1, ?), count(*) FROM articles WHERE path GLOB ? GROUP BY 1 ORDER BY 1"
        return self._db.execute(sql, (length, f"{prefix}*")).fetchall()

    def make_anew(self, paths: Iterable[str]) -> None:
        """The next build makes the articles of these documents again."""
        self._db.executemany("UPDATE articles SET rules = '', part = NULL WHERE path = ?", [(path,) for path in paths])

    def outcomes(self) -> dict[PageOutcome, int]:
        rows = self._db.execute("SELECT outcome, count(*) FROM articles GROUP BY outcome")
        return {PageOutcome(outcome): number for outcome, number in rows}

    def reasons(self) -> Iterator[tuple[str, str, int, str]]:
        """Of what needs a human: outcome, reason, how often, and one of the URLs; most frequent first."""
        yield from self._db.execute(
            f"SELECT outcome, reason, count(*), min(url) FROM articles WHERE outcome IN {_FAILED} GROUP BY outcome, reason"
            " ORDER BY count(*) DESC, outcome, reason"
        )

    def lost_addresses(self) -> int:
        """How many addresses the documents could not hold."""
        return int(self._db.execute("SELECT coalesce(sum(lost_addresses), 0) FROM articles").fetchone()[0])

    def same_articles(self) -> tuple[int, tuple[str, str] | None]:
        """How many articles have documents under several addresses, and two addresses of one of them."""
        row = self._db.execute("SELECT count(*), min(url), other FROM same_articles").fetchone()
        return row[0], (row[1], row[2]) if row[0] else None

    def going_on(self) -> GoingOn | None:
        """The articles that seem to have further pages which no rule follows."""
        row = self._db.execute("SELECT count(*), min(url), goes_on FROM articles WHERE goes_on IS NOT NULL").fetchone()
        return GoingOn(*row) if row[0] else None

    def unread_comments(self) -> tuple[int, int]:
        """Words of what looks like readers' comments and is read by no rule, and in how many articles."""
        words, articles = self._db.execute(UNREAD_COMMENTS).fetchone()
        return words, articles

    def missing_pages(self) -> int:
        """How many articles lack a page."""
        return int(self._db.execute("SELECT count(*) FROM articles WHERE missing_pages IS NOT NULL").fetchone()[0])

    def index_flags(self) -> dict[str, int]:
        """What was said of articles that stand on index pages: how often."""
        rows = self._db.execute(
            f"SELECT value, count(*) FROM articles, json_each(articles.flags) WHERE outcome IN {_DOCUMENTED} AND value GLOB ?"
            " GROUP BY value ORDER BY count(*) DESC, value",
            (f"{INDEX_SIGN}*",),
        )
        return dict(rows)

    def unknown_tags(self) -> frozenset[str]:
        """Tags that no rule decided in any article."""
        rows = self._db.execute("SELECT DISTINCT value FROM articles, json_each(articles.unknown_tags)")
        return frozenset(tag for (tag,) in rows)


def _number(value: Value) -> int:
    return int.from_bytes(sha256("\0".join(value).encode("utf-8", "replace")).digest()[:8], signed=True)


def _row(result: BuildResult, said: list[int], left_out: list[int], rules: str, now: str) -> dict[str, object]:
    values: dict[str, object] = {name: getattr(result, name) for name in _AS_THEY_ARE}
    values |= {name: orjson.dumps(getattr(result, name)).decode() for name in _JSON}
    return {
        **values,
        "said": orjson.dumps(said).decode(),
        "left_out": orjson.dumps(left_out).decode(),
        "since": now,
        "rules": "" if result.unfinished else rules,
        "made_by": rules if result.path else None,
        "written": result.written,
    }
