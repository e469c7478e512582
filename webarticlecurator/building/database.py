"""build.sqlite: what building knows of every article, and of the posts on index pages. Exports and statistics
read it again."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import orjson

from webarticlecurator.building.article_row import COLUMNS, ArticleRow, Contents, Facts, packed_line
from webarticlecurator.building.kept_json import read_kept, with_rules
from webarticlecurator.corpus.ledger_schema import BUILD_VERSION, VERSION
from webarticlecurator.corpus.stored_articles import PostPlace
from webarticlecurator.databases import Row, check_version, connect, make_again, transaction, unpack
from webarticlecurator.errors import CorpusError
from webarticlecurator.model.outcome import DOCUMENTED, PAGE_FAILURES, Kept

if TYPE_CHECKING:
    from webarticlecurator.building.document_doubts import DocumentDoubt
    from webarticlecurator.building.index_pages import PostsOfPage

"""All of the database follows from the WARCs, the ledger and the portal file, so a new version simply makes
it again."""

TEMPLATE, TEMPLATE_DIGEST = "template", "template digest"
"""Words on the whole corpus: the header by which its documents are made, and the digest of its file."""
RULE_DOUBTS, CONTAINER_DOUBTS = "doubts", "container doubts"
"""Others: what speaks against its rules, by what they gave, and by articles that were looked at when they
were new."""
_ADDRESSES = 3
"""Articles that are named for each of these."""
GONE_CORRECTIONS = "gone corrections"
"""Another: values mended by hand of articles that are not there."""
DOCUMENT_DOUBTS = "document doubts"
"""Another: documents that say what can hardly be true, each with the reason and the sentence on all of its
kind."""

_NOT_APPLIED = "values mended by hand are not applied to documents; `curator fix` lists them, and why"
FAILED_IN_SQL = f"""('{"', '".join(sorted(PAGE_FAILURES))}')"""
DOCUMENTED_IN_SQL = f"""('{"', '".join(sorted(DOCUMENTED))}')"""
_BY_DATE = "coalesce(a.published, ''), a.id"
"""The order of exports: it depends on nothing but the articles."""

_AT_ONCE = 500
"""Rows of one statement: SQLite takes some thousands of values."""

_UNAPPLIED = f"""
    SELECT url, 'correction' AS outcome, value AS reason, since FROM articles, json_each(unapplied)
        WHERE unapplied != '[]'
    UNION ALL
    SELECT doubt.value ->> 1, 'correction', doubt.value ->> 0, doubt.value ->> 2
        FROM meta, json_each(meta.value) AS doubt WHERE name = '{GONE_CORRECTIONS}'
"""
"""The values mended by hand that could not be applied, as lines of problems."""

_TABLES = f"""
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE articles (
    number INTEGER PRIMARY KEY, {", ".join(f"{name} {type_}" for name, type_ in COLUMNS.items())}, UNIQUE (id)
);
CREATE INDEX articles_key ON articles (key);
CREATE INDEX articles_outcome ON articles (outcome);
CREATE INDEX articles_canonical ON articles (canonical) WHERE canonical IS NOT NULL;
CREATE INDEX articles_same ON articles (headline_and_text) WHERE headline_and_text IS NOT NULL;

-- Of articles with a document.
CREATE TABLE contents (
    id TEXT PRIMARY KEY,
    digest BLOB NOT NULL,                -- of the line
    line BLOB NOT NULL,                  -- zstd: the line of JSON that `export --to jsonl` prints
    beside TEXT NOT NULL                 -- JSON: what a document tells and the line does not
);

-- Of articles that were read: which names occur on their pages, as `building/page_names.py` packs them.
CREATE TABLE page_names (
    article INTEGER PRIMARY KEY,         -- articles.number
    names BLOB NOT NULL
);

-- The views `authors` and `keywords`, the table `posts`, and of the table `articles` the columns that docs/reference/stability.md names,
-- are for everybody's own questions and stay as they are.

-- The values of each metadata field.
CREATE TABLE metadata (
    article INTEGER NOT NULL,            -- articles.number
    field TEXT NOT NULL,
    disagrees INTEGER NOT NULL,          -- 1: what another source says, and was not believed
    place INTEGER NOT NULL,              -- among the values of the field, from 0
    value TEXT NOT NULL,
    source TEXT NOT NULL,
    PRIMARY KEY (article, field, disagrees, place)
) WITHOUT ROWID;

-- What the rules left out.
CREATE TABLE dropped (
    article INTEGER NOT NULL,
    rule TEXT NOT NULL,
    tag TEXT NOT NULL,
    pieces INTEGER NOT NULL,
    words INTEGER NOT NULL,
    text TEXT NOT NULL,                  -- how the longest piece begins
    PRIMARY KEY (article, rule, tag)
) WITHOUT ROWID;

-- Tags that no rule decides.
CREATE TABLE undecided (
    article INTEGER NOT NULL,
    tag TEXT NOT NULL,
    count INTEGER NOT NULL,
    words INTEGER NOT NULL,              -- immediately in them
    PRIMARY KEY (article, tag)
) WITHOUT ROWID;

-- Comments, forum posts, entries of live blogs, posts of blogs.
CREATE TABLE posts (
    article INTEGER NOT NULL,
    place INTEGER NOT NULL,
    kind TEXT NOT NULL,
    author TEXT,
    day TEXT,
    words INTEGER NOT NULL,
    answers INTEGER NOT NULL,            -- it says which post it answers
    deleted INTEGER NOT NULL,
    PRIMARY KEY (article, place)
) WITHOUT ROWID;

CREATE VIEW authors AS
    SELECT article, value AS author, source FROM metadata WHERE field = 'author' AND NOT disagrees;
CREATE VIEW keywords AS
    SELECT article, value AS keyword, source FROM metadata WHERE field = 'keywords' AND NOT disagrees;
-- Archive pages that were looked at for whole posts.
CREATE TABLE index_pages (
    record TEXT PRIMARY KEY,
    rules TEXT NOT NULL,                 -- digest of the rules under which it was looked at
    page TEXT NOT NULL,                  -- the URL that it was asked for by
    column TEXT,
    problem TEXT,                        -- why its posts could not be read
    digest TEXT NOT NULL,
    file TEXT NOT NULL,
    offset INTEGER NOT NULL,
    length INTEGER NOT NULL,
    target TEXT NOT NULL,
    at TEXT NOT NULL,
    posts TEXT NOT NULL                  -- JSON: those that have an address, as `PostsOfPage` tells of them
) WITHOUT ROWID;

-- What needs a human, as in problems.jsonl.
CREATE VIEW problems AS
    SELECT url, outcome, reason, since FROM articles WHERE outcome IN {FAILED_IN_SQL}
    UNION ALL
    SELECT url, kept, iif(kept = '{Kept.PAGE_DAMAGED}', 'kept: its page is damaged: ', 'kept: ') || damage, since
        FROM articles WHERE kept IS NOT NULL
    UNION ALL
    SELECT url, 'conflict', conflict, since FROM articles WHERE conflict IS NOT NULL
    UNION ALL
    SELECT url, 'missing-page', missing_pages, since FROM articles WHERE missing_pages IS NOT NULL
    UNION ALL
    {_UNAPPLIED}
    UNION ALL
    SELECT page, 'unreadable', 'its posts could not be read: ' || problem, at FROM index_pages WHERE problem IS NOT NULL
    UNION ALL
    SELECT min(url), 'conflict', count(*) || ' articles name one canonical URL, ' || canonical || '; another is ' || max(url), min(since)
        FROM articles WHERE canonical IS NOT NULL AND outcome = 'article' GROUP BY canonical
        HAVING count(*) > 1 AND NOT (count(headline_and_text) = count(*) AND min(headline_and_text) = max(headline_and_text))
    UNION ALL
    SELECT min(url), 'conflict', CASE count(*) WHEN 2 THEN 'two' ELSE count(*) END || ' addresses of one article, with the same headline'
        || ' and text: ' || min(url) || ' and ' || max(url) || '; where the addresses show it, `articles.identity` makes them one'
        || ' (what is stored takes that by an import into a new corpus)', max(since) FROM articles WHERE headline_and_text IN (
            SELECT headline_and_text FROM articles WHERE headline_and_text IS NOT NULL GROUP BY 1 HAVING count(*) > 1  -- by the index alone
        ) GROUP BY headline_and_text
    UNION ALL
    SELECT doubt.value ->> 1, 'suspicious', doubt.value ->> 0, doubt.value ->> 2 FROM meta, json_each(meta.value) AS doubt
        WHERE name IN ('{RULE_DOUBTS}', '{CONTAINER_DOUBTS}', '{DOCUMENT_DOUBTS}');
"""
_FULLEST_POSTS = """
    WITH places AS (
        SELECT post.value ->> 0 AS identity, post.value ->> 1 AS url, post.value ->> 2 AS characters, post.value ->> 3 AS text,
            post.value ->> 4 AS whole, index_pages.* FROM index_pages, json_each(posts) AS post
    ), ranked AS (
        SELECT *, row_number() OVER (
            PARTITION BY identity ORDER BY problem IS NOT NULL, whole DESC, characters DESC, at, record
        ) AS rank FROM places
    )
    SELECT identity, url, page, column, characters, text, whole, record, digest, file, offset, length, target, at FROM ranked WHERE rank = 1
"""
_UNTOUCHED = "rules = ? AND number NOT IN (SELECT number FROM temp.touched)"
_READ = f"SELECT {', '.join(f'a.{name}' for name in COLUMNS)}"
_PUT = f"""
    INSERT INTO articles ({", ".join(COLUMNS)}) VALUES ({", ".join("?" * len(COLUMNS))})
    ON CONFLICT (id) DO UPDATE SET {", ".join(f"{name} = excluded.{name}" for name in COLUMNS if name != "id")}
    RETURNING number
"""
_PUT_INDEX_PAGE = f"""
    INSERT INTO index_pages VALUES ({", ".join("?" * 12)}) ON CONFLICT (record) DO UPDATE SET
        rules = excluded.rules, column = excluded.column, problem = excluded.problem,
        posts = iif(excluded.problem IS NULL, excluded.posts, posts)  -- what was found there before still stands there
"""


class BuiltArticle(ArticleRow):
    """An article with a document, and what is kept of it; it is read only."""

    path: str
    part: str
    contents: Contents

    @cached_property
    def line(self) -> bytes:
        """Return what `export --to jsonl` prints of it, comments included."""
        return unpack(self.contents.line, "build.sqlite")

    @cached_property
    def record(self) -> dict[str, Any]:
        """Return the line of JSON as data."""
        record: dict[str, Any] = orjson.loads(self.line)
        return record

    @cached_property
    def kept_record(self) -> Mapping[str, Any]:
        """The record, too; that of a long article is not all in memory, and may only be looked at."""
        return read_kept(self.line)

    @cached_property
    def beside(self) -> dict[str, Any]:
        """Return what the line does not tell, as data."""
        beside: dict[str, Any] = orjson.loads(self.contents.beside)
        return beside

    @property
    def versions(self) -> list[dict[str, Any]]:
        """Its other captures."""
        versions: list[dict[str, Any]] = self.beside["versions"]
        return versions


class _FirstAddresses:
    """The first addresses by the alphabet, as JSON: the aggregate `first_urls` of SQL."""

    def __init__(self) -> None:
        self.urls: list[str] = []

    def step(self, url: Any, /) -> None:
        """Take in the address of a row."""
        self.urls = sorted({*self.urls, url})[:_ADDRESSES]

    def finalize(self) -> Any:
        """Return those of all rows."""
        return orjson.dumps(self.urls).decode()


class BuiltArticles:
    """One open build.sqlite, only to be read: the articles with a document, and what else it knows."""

    def __init__(self, path: Path | str, *, read_only: bool = True) -> None:
        self._db = connect(path, read_only=read_only)
        self._db.execute("PRAGMA cache_size = -16384")
        self._db.create_aggregate("first_urls", 1, _FirstAddresses)
        self.is_made_again = False
        """It was of another version of curator."""
        if read_only:
            check_version(self._db, path, BUILD_VERSION, "build")
        elif (version := self._db.execute("PRAGMA user_version").fetchone()[0]) != BUILD_VERSION:
            self.is_made_again = version > 0
            make_again(self._db, _TABLES, BUILD_VERSION)
        self._db.execute("PRAGMA synchronous = NORMAL")

    @classmethod
    def of(cls, path: Path, portal: str) -> Self:
        """Open that file; raises CorpusError where nothing is built, or another version of curator did it."""
        if not path.exists():
            raise CorpusError(f"Nothing of {portal} is built yet ({path} is not there).", advice="build")
        return cls(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._db.close()

    def attach(self, path: Path, name: str) -> None:
        """Another database beside this one, for conditions that look into it; only to be read."""
        self._db.attach(path, name)

    def attach_ledger(self, path: Path, name: str) -> None:
        """Open the ledger beside it under a name. Raises CorpusError where the file is no ledger of this
        version."""
        self._db.attach(path, name)
        check_version(self._db, path, VERSION, "index", name=name)

    def hold(self) -> None:
        """From here on they stay as they are, whatever is built meanwhile."""
        self._db.execute("BEGIN")

    def rows(self, sql: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        """Return what a query gives, for counts that need no contents."""
        return self._db.execute(sql, values)  # whoever leaves it half read may close the database before it

    def count(self, where: str = "1", values: Sequence[object] = ()) -> int:
        """How many fulfil an SQL condition on the table of articles, there called `a`."""
        return int(
            next(
                self.rows(
                    f"SELECT count(*) FROM articles a JOIN contents c ON c.id = a.id WHERE {where}", values
                )
            )[0]
        )

    def read(
        self, where: str = "1", values: Sequence[object] = (), *, order: str = _BY_DATE
    ) -> Iterator[BuiltArticle]:
        """Return the articles that fulfil an SQL condition on the table of articles, there called `a`; the
        oldest first."""
        # What is sorted are names: with the contents beside them, it would be the whole corpus.
        for (article,) in self._db.execute(
            f"SELECT a.id FROM articles a WHERE {where} ORDER BY {order}", values
        ):
            row = self._db.execute(
                f"{_READ}, c.line, c.beside FROM articles a JOIN contents c ON c.id = a.id WHERE a.id = ?",
                (article,),
            ).fetchone()
            if row is not None:
                built = BuiltArticle.of_sql(row)
                built.contents = Contents(*row[-2:])
                yield built

    def by_id(self, article: str) -> BuiltArticle | None:
        """The one of that id."""
        return next(self.read("a.id = ?", (article,)), None)

    def noted(self, name: str) -> str | None:
        """A word on the whole corpus."""
        return next(
            (str(value) for (value,) in self.rows("SELECT value FROM meta WHERE name = ?", (name,))), None
        )

    def noted_doubts(self, name: str) -> dict[str, str]:
        """Return what speaks against rules, in sentences -> an article."""
        return {doubt: url for doubt, url, *_ in orjson.loads(self.noted(name) or "[]")}

    def noted_document_doubts(self) -> dict[str, str]:
        """Return the sentences on documents that say what can hardly be true -> the first of them."""
        noted = orjson.loads(self.noted(DOCUMENT_DOUBTS) or "[]")
        return {sentence: url for _, url, _, sentence in reversed(noted)}

    def unapplied_corrections(self) -> list[tuple[str, str]]:
        """Return the values mended by hand that could not be applied: the address, and why."""
        return [(url, reason) for url, _, reason, _ in self.rows(_UNAPPLIED)]

    def doubtful_documents(self, most: int) -> list[Row]:
        """Return each such sentence with its first documents, at most so many, and what is told of each; with
        the values mended by hand that could not be applied."""
        noted = orjson.loads(self.noted(DOCUMENT_DOUBTS) or "[]")
        documents: defaultdict[str, list[Row]] = defaultdict(list)
        for url, reason in dict(self.unapplied_corrections()).items():
            documents[_NOT_APPLIED].append(Row(url=url, text=reason))
        for reason, url, _, sentence in noted:
            documents[sentence].append(Row(url=url, text=reason))
        return [
            Row(message=sentence, examples=of_sentence[:most]) for sentence, of_sentence in documents.items()
        ]


class BuildDatabase(BuiltArticles):
    """One open build.sqlite that a build writes."""

    def __init__(self, path: Path | str, *, read_only: bool = False) -> None:
        super().__init__(path, read_only=read_only)
        self._db.execute("CREATE TEMP TABLE touched (number INTEGER PRIMARY KEY)")
        self._since: str | None = None
        """Digest of the rules that were, if it is known which articles changes can touch."""
        self.has_other_values = False
        """A document was put here, or taken away, or one was put here again with other metadata."""

    def transaction(self) -> AbstractContextManager[None]:
        """All or nothing."""
        return transaction(self._db)

    def put(self, row: ArticleRow, contents: Contents | None = None, names: bytes | None = None) -> None:
        """Keep what was built, and which names occur on the pages that it was read from, where that is
        known."""
        number = self.put_row(row)
        if contents is None:
            gone = self._db.execute("DELETE FROM contents WHERE id = ?", (row.id,)).rowcount
            self.has_other_values = self.has_other_values or gone > 0
        else:
            self.has_other_values = self.has_other_values or self.contents(row.id) is None
            self._db.execute(
                "INSERT OR REPLACE INTO contents VALUES (?, ?, ?, ?)",
                (row.id, contents.digest, *contents[:2]),
            )
        self._put_facts(number, (contents.facts if contents else None) or {})
        self._put_names(number, names)
        self._note_damage(row)

    def put_row(self, row: ArticleRow) -> int:
        """Keep the row of an article alone, and return its number."""
        (number,) = self._db.execute(_PUT, row.to_sql()).fetchone()
        return int(number)

    def _put_names(self, article: int, names: bytes | None) -> None:
        if names is None:
            self._db.execute("DELETE FROM page_names WHERE article = ?", (article,))
        else:
            self._db.execute("INSERT OR REPLACE INTO page_names VALUES (?, ?)", (article, names))

    def _put_facts(self, article: int, facts: Facts) -> None:
        """Write what is counted of the article of that number in place of what was."""
        for table in ("metadata", "dropped", "undecided", "posts"):
            before = self._db.execute(f"DELETE FROM {table} WHERE article = ? RETURNING *", (article,))
            rows = [(article, *row) for row in facts.get(table, ())]
            if table == "metadata":
                self.has_other_values |= set(before.fetchall()) != set(rows)
            for begin in range(0, len(rows), _AT_ONCE):
                some = rows[begin : begin + _AT_ONCE]
                marks = ", ".join([f"({', '.join('?' * len(some[0]))})"] * len(some))
                self._db.execute(
                    f"INSERT OR IGNORE INTO {table} VALUES {marks}", list(chain.from_iterable(some))
                )

    def forget(self, article: str) -> None:
        self.has_other_values = True
        for (number,) in self._db.execute(
            "DELETE FROM articles WHERE id = ? RETURNING number", (article,)
        ).fetchall():
            self._put_facts(number, {})
            self._put_names(number, None)
        self._db.execute("DELETE FROM contents WHERE id = ?", (article,))

    def lose(self, article: str, reason: str, *, now: str) -> None:
        """Note why an article cannot be built any more; its document stays as it is."""
        sql = (
            "UPDATE articles SET kept = ?, damage = ?, captures = '' WHERE id = ? AND path IS NOT NULL AND "
            f"outcome IN {DOCUMENTED_IN_SQL}"
        )
        if self._db.execute(sql, (Kept.PAGE_LOST, reason, article)).rowcount:
            return
        self._db.execute(
            "UPDATE articles SET since = CASE WHEN reason = :reason THEN since ELSE :now END, outcome = "
            "'unreadable',"
            " reason = :reason, captures = '' WHERE id = :id",
            {"reason": reason, "now": now, "id": article},
        )

    def keep(self, row: ArticleRow) -> None:
        """Note why an article has the document that it had; what is known of that stays, and the next build
        tries again."""
        sql = "UPDATE articles SET kept = ?, damaged = ?, damage = ?, captures = '' WHERE id = ?"
        self._db.execute(sql, (row.kept, row.damaged, row.damage, row.id))
        self._note_damage(row)

    def _note_damage(self, row: ArticleRow) -> None:
        """Note the damage of an index page: its posts that stand elsewhere, too, are read there, and the next
        build looks at it again."""
        if row.damaged is not None:
            self._db.execute(
                "UPDATE index_pages SET problem = ?, rules = '' WHERE record = ?", (row.damage, row.damaged)
            )

    # --- articles that no changed rule can touch ---

    def find_touched(self, rules: str, may_touch: Callable[[bytes], bool] | None) -> int:
        """Look for the articles that were built by these rules, and whose pages have names that match or are
        not known; return how many others there are. `None`: nothing touches any."""
        built = self._db.execute(
            "SELECT a.number, n.names FROM articles a LEFT JOIN page_names n ON n.article = a.number "
            "WHERE a.rules = ?",
            (rules,),
        ).fetchall()
        touched = [
            (number,)
            for number, names in built
            if may_touch is not None and (names is None or may_touch(names))
        ]
        self._db.executemany("INSERT INTO touched VALUES (?)", touched)
        self._since = rules
        return len(built) - len(touched)

    def is_untouched(self, article: str) -> bool:
        """Say whether it is among the others."""
        untouched = f"SELECT 1 FROM articles WHERE id = ? AND {_UNTOUCHED}"
        return self._db.execute(untouched, (article, self._since)).fetchone() is not None

    def states(self, rules: str) -> Iterator[tuple[str, str | None, int | None, bool, bool]]:
        """Yield the id, path and size of each article that was read from all that is stored of it, whether
        that was by these rules, and whether it is among those that no changed rule can touch."""
        yield from self._db.execute(
            f"SELECT id, path, size, rules = ?, {_UNTOUCHED} FROM articles WHERE captures <> ''",
            (rules, self._since),
        )

    def unfinished(self) -> list[str]:
        """Return the ids of all others."""
        return [id for (id,) in self._db.execute("SELECT id FROM articles WHERE captures = ''")]

    def confirm_unread(self, rules: str, moved: Mapping[str, str], read: Collection[str]) -> None:
        """Keep the digest of the rules for the articles that were not read. `moved`: how rules were named
        that dropped something -> how they are named now."""
        if moved:
            names = orjson.dumps(list(moved)).decode()
            sql = (
                "SELECT DISTINCT a.number, a.id FROM dropped d JOIN articles a ON a.number = d.article WHERE "
                "d.rule IN (SELECT value FROM json_each(?)) AND a.captures <> ''"
            )
            for number, id in self._db.execute(sql, (names,)).fetchall():
                if id not in read:
                    self._name_rules_anew(number, id, moved)
        self._db.execute(
            "UPDATE articles SET rules = ? WHERE rules = ? AND captures <> ''", (rules, self._since)
        )

    def _name_rules_anew(self, number: int, id: str, moved: Mapping[str, str]) -> None:
        """Write the names of rules that stand in other lines now into what is kept of an article."""
        rows = self._db.execute(
            "DELETE FROM dropped WHERE article = ? RETURNING article, rule, tag, pieces, words, text",
            (number,),
        ).fetchall()
        renamed = [(article, moved.get(rule, rule), *rest) for article, rule, *rest in rows]
        self._db.executemany("INSERT INTO dropped VALUES (?, ?, ?, ?, ?, ?)", renamed)
        (line,) = self._db.execute("SELECT line FROM contents WHERE id = ?", (id,)).fetchone()
        contents = Contents(packed_line(with_rules(unpack(line, "build.sqlite"), moved)), "")
        self._db.execute(
            "UPDATE contents SET line = ?, digest = ? WHERE id = ?", (contents.line, contents.digest, id)
        )

    def contents(self, article: str) -> Contents | None:
        """Return what is kept of the article of that id, if it has a document."""
        row = self._db.execute("SELECT line, beside FROM contents WHERE id = ?", (article,)).fetchone()
        return None if row is None else Contents(*row)

    def known(self, article: str) -> ArticleRow | None:
        """Return what is known of the article of that id."""
        row = self._db.execute(f"{_READ} FROM articles a WHERE id = ?", (article,)).fetchone()
        return None if row is None else ArticleRow.of_sql(row)

    def identities(self) -> Iterator[tuple[str, int, str, str | None]]:
        """Id, hash and text of the identity, and path of everything known."""
        yield from self._db.execute("SELECT id, key, identity, path FROM articles")

    def paths(self) -> Iterator[str]:
        """Return the paths of all documents, sorted."""
        return (
            path
            for (path,) in self._db.execute("SELECT path FROM articles WHERE path IS NOT NULL ORDER BY path")
        )

    def note(self, name: str, value: str) -> None:
        self._db.execute(
            "INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", (name, value)
        )

    def note_doubts(self, name: str, doubts: Iterable[tuple[str, Sequence[str]]], now: str) -> None:
        """Keep what speaks against a rule or the corpus: sentences, each with articles that show it."""
        noted = [(doubt, urls[0], now, urls) for doubt, urls in dict(doubts).items()]
        self.note(name, orjson.dumps(noted).decode())

    def note_document_doubts(self, doubts: Iterable[DocumentDoubt], now: str) -> None:
        """Keep each document that says what can hardly be true."""
        noted = [
            (
                f"{doubt.reason}: {document.value}" if document.value else doubt.reason,
                document.url,
                now,
                doubt.sentence,
            )
            for doubt in doubts
            for document in doubt.documents
        ]
        self.note(DOCUMENT_DOUBTS, orjson.dumps(noted).decode())

    def keep_index_pages(self, records: Iterable[str]) -> None:
        """Forget the pages that are none of these: the ledger knows them no more, or nobody reads posts any
        more."""
        present = orjson.dumps(list(records)).decode()
        self._db.execute(
            "DELETE FROM index_pages WHERE record NOT IN (SELECT value FROM json_each(?))", (present,)
        )

    def knows_index_page(self, record: str, rules: str) -> bool:
        """Say whether it was looked at under these rules."""
        return (
            self._db.execute(
                "SELECT 1 FROM index_pages WHERE record = ? AND rules = ?", (record, rules)
            ).fetchone()
            is not None
        )

    def put_index_pages(self, looked_at: Iterable[PostsOfPage], rules: str) -> None:
        """Keep what stands on these pages."""
        for (url, column, capture), posts, problem in looked_at:
            place = (capture.digest, capture.file, capture.offset, capture.length, capture.url, capture.date)
            row = (
                capture.record_id,
                "" if problem else rules,
                url,
                column,
                problem,
                *place,
                orjson.dumps(posts).decode(),
            )
            self._db.execute(_PUT_INDEX_PAGE, row)

    def index_posts(self) -> Iterator[PostPlace]:
        """Each post where there is most of it; of places with as much, the first that was stored."""
        yield from map(PostPlace._make, self._db.execute(_FULLEST_POSTS))
