"""Keep what is found of each built article: its language, and which articles say the same; brought up to
date, kept in analysis.sqlite, and read."""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from datetime import UTC, datetime
from functools import cached_property
from importlib.metadata import version
from itertools import chain, islice, takewhile
from pathlib import Path
from typing import Any, Literal, TypeAlias

import orjson

from webarticlecurator.building.database import BuiltArticle, BuiltArticles
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.lock import locked
from webarticlecurator.databases import Database, Row, connect, make_again, transaction, unpack
from webarticlecurator.model.progress import Stopped, Work
from webarticlecurator.own_patterns import linear
from webarticlecurator.program_faults import reason_of
from webarticlecurator.workers import pool
from webarticlecurator.workers.pool import Workers

_BATCH = 256
"""Articles in one message to a process."""
_AT_A_TIME = 1000
_VERSION = 4
_METHOD = f"{_VERSION}, py3langid {version('py3langid')}, rensa {version('rensa')}"
"""The versions that decide what is found, beside the articles: where these change, all is made anew."""
_CLUSTERS = """
-- The articles that say the same as another, or nearly so.
CREATE TABLE clusters (
    id TEXT PRIMARY KEY,
    place INTEGER NOT NULL,              -- among all articles, the earliest published first
    exact TEXT,                          -- id of the first with the same text
    near TEXT NOT NULL                   -- id of the first with nearly the same
) WITHOUT ROWID;
"""
_TABLES = f"""
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE articles (
    id TEXT PRIMARY KEY,
    digest BLOB NOT NULL,                -- of what it was analysed from; empty: the analysis failed
    published TEXT NOT NULL,             -- by which the earliest is found
    language TEXT,
    certainty REAL NOT NULL,
    exact BLOB,                          -- digest of the text
    signature BLOB,                      -- numbers of two bytes
    problem TEXT                         -- why its analysis failed
);
{_CLUSTERS}
"""
_STORED = """
    SELECT c.rowid, a.id, a.published, a.headline, c.digest, c.line
    FROM contents c JOIN articles a ON a.id = c.id LEFT JOIN analysis.articles k ON k.id = c.id
    WHERE c.rowid > ? AND k.digest IS NOT c.digest ORDER BY c.rowid LIMIT ?
"""
_GONE = "SELECT id FROM analysis.articles WHERE id NOT IN (SELECT id FROM contents)"


Ended: TypeAlias = tuple[list[str], bool]
"""The articles of which nothing is known, each with why (they are tried again the next time), and whether the
analysis came to its end."""


# --- what every article is asked, by several processes ---


Task: TypeAlias = tuple[str, str | None, str | None, bytes, bytes]
"""A built article: id, date published, headline, digest, and what the build keeps of it (compressed, of which
that is the digest)."""
Analysed: TypeAlias = tuple[str, bytes, str, str | None, float, bytes | None, bytes | None, str | None]
"""The findings on one article: a row of `articles`."""


class AnalysisJob(pool.Job[Task, Analysed]):
    """Makes analyses, which are the same in every process, since all that is read comes with the tasks."""

    @cached_property
    def _model(self) -> Any:
        """Return the model of py3langid: 0.5 s and 120 MB to load, once a process."""
        from py3langid.langid import (
            MODEL_FILE,
            LanguageIdentifier,
        )  # loaded where texts are read, and nowhere else

        return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)

    def make(self, tasks: list[Task]) -> list[Analysed]:
        return list(map(self._analysed_or_given_up, tasks))

    def _analysed_or_given_up(self, task: Task) -> Analysed:
        try:
            return self._analysed(task)
        except (MemoryError, OSError):
            raise
        except Exception as error:  # a text may be anything, and one of them must never end an analysis
            return self.give_up(task, reason_of(error))

    def _analysed(self, task: Task) -> Analysed:
        from webarticlecurator.analysis.clusters import fingerprint

        article, published, headline, digest, line = task
        content = unpack(line, "build.sqlite")
        # the faster reader takes a third more memory
        record = (json.loads if len(content) > _LONG_LINE else orjson.loads)(content)
        del content
        language, certainty = self._language_of(record.get("blocks", ()))
        text = record.get("text", "")
        del record  # of a long article it takes more than all the rest
        exact, signature = fingerprint(text, headline)
        return article, digest, instant(published), language, certainty, exact, signature, None

    def _language_of(self, blocks: Sequence[Mapping[str, Any]]) -> tuple[str | None, float]:
        """Return the language of an article, by the `blocks` of its line of JSON, and how certain that is."""
        written = [block for block in blocks if block["text"]]
        prose = [block for block in written if block["type"] not in _NO_PROSE] or written
        spread = prose[:: 1 + len(prose) // _MOST_BLOCKS]
        read = [_of_prose(block["text"]) for block in spread]
        # fewer letters say nothing of a language; so many are soon counted
        if sum(1 for _ in islice(filter(str.isalpha, chain.from_iterable(read)), 40)) < 40:
            return None, 0.0
        most = max(100, _OF_AN_ARTICLE // len(read))
        language, certainty = self._model.classify("\n".join([text[:most] for text in read]))
        # where none is probable, it may be one that the model does not know
        return (None, 0.0) if language == "zxx" or certainty < 0.5 else (language, round(float(certainty), 2))

    def give_up(self, task: Task, reason: str) -> Analysed:
        """Return what is known of an article on which its process died."""
        return task[0], b"", instant(task[1]), None, 0.0, None, None, reason


def instant(published: str | None) -> str:
    """Return the key that sorts articles of any time zone by when they were published; a day without a time
    comes before all times in it."""
    try:
        when = datetime.fromisoformat(published or "")
        if "T" not in (published or ""):
            return when.date().isoformat()
        return when.replace(tzinfo=when.tzinfo or UTC).astimezone(UTC).isoformat()
    except (ValueError, OverflowError):  # in UTC, it may lie before the first year, or behind the last
        return "9"  # behind every date


def analyse(corpus: Corpus, work: Work, *, workers: Workers) -> Ended:
    """Bring the analysis of a corpus up to date with what is built. Raises CorpusError, and CorpusBusy where
    another process does it."""
    if _is_up_to_date(corpus, work.portal):
        return [], True
    with (
        locked(corpus.analysis_lock, "analysis"),
        writing_analysis(corpus.analysis_database) as db,
        _built(corpus, work.portal) as built,
    ):
        if gone := list(built.rows(_GONE)):
            with transaction(db):
                _note(db, clustered="no")
                db.executemany("DELETE FROM articles WHERE id = ?", gone)
        return _bring_up_to_date(db, _tasks(built), sum(1 for _ in _tasks(built)), workers, work)


def analyse_alone(
    path: Path, articles: Iterable[BuiltArticle], total: int, work: Work, *, workers: Workers
) -> Ended:
    """Analyse so many articles and no others, of whatever corpora, into a database of their own."""
    tasks = (
        (article.id, article.published, article.headline, article.contents.digest, article.contents.line)
        for article in articles
    )
    with writing_analysis(path) as db:
        return _bring_up_to_date(db, tasks, total, workers, work)


def _is_up_to_date(corpus: Corpus, portal: str) -> bool:
    """Return True if the analysis is up to date, without a lock: so any number of commands may read at a
    time, also in a folder that nothing can be written to."""
    if not corpus.analysis_database.exists():
        BuiltArticles.of(corpus.build_database, portal).__exit__()  # which says what is wrong with it
        return False
    with closing(connect(corpus.analysis_database, read_only=True)) as db:
        if not _is_current(db) or _noted(db, "clustered") != "yes":
            return False
    with _built(corpus, portal) as built:
        return next(chain(built.rows(_GONE), _tasks(built)), None) is None


@contextmanager
def _built(corpus: Corpus, portal: str) -> Iterator[BuiltArticles]:
    """Give what is built, with what is known of it."""
    with BuiltArticles.of(corpus.build_database, portal) as built:
        built.attach(corpus.analysis_database, "analysis")
        yield built


def _tasks(built: BuiltArticles) -> Iterator[Task]:
    """Articles that are new or changed.

    Some are asked for at a time: while a query is open, what is written beside it piles up.
    """
    rows = list(built.rows(_STORED, (0, _AT_A_TIME)))
    while rows:
        yield from (row[1:] for row in rows)
        rows = list(built.rows(_STORED, (rows[-1][0], _AT_A_TIME)))


def _bring_up_to_date(db: Database, tasks: Iterable[Task], total: int, workers: Workers, work: Work) -> Ended:
    done, failed = 0, list[str]()
    work.show("new or changed articles analysed", 0, total)
    waiting = takewhile(lambda _: not work.stopped, tasks)
    batches = pool.run(AnalysisJob(), waiting, workers=workers.for_tasks(total, _BATCH), batch=_BATCH)
    # many batches in one transaction: ids come in no order, so each writes most pages of their index
    while some := list(chain.from_iterable(islice(batches, 16))):
        with transaction(db):
            _note(db, clustered="no")
            db.executemany("INSERT OR REPLACE INTO articles VALUES (?, ?, ?, ?, ?, ?, ?, ?)", some)
        done += len(some)
        failed += [f"{article}: {problem}" for article, *_, problem in some if problem]
        work.show("new or changed articles analysed", done, total)
    with suppress(Stopped), transaction(db):
        if not work.stopped:
            db.execute("DELETE FROM clusters")
            _write_clusters(db, [db], work)
            _note(db, clustered="yes")
            return failed, True
    return failed, False


def _write_clusters(target: Database, sources: Sequence[Database], work: Work) -> None:
    """The clusters of all articles of these databases together. Raises Stopped."""
    from webarticlecurator.analysis.clusters import (
        clusters_of,
    )  # numpy is loaded where something is compared, and nowhere else

    texts = ((exact, signature) for *_, exact, signature in _in_order(sources, "exact", "signature"))
    names = enumerate(article for _, article in _in_order(sources))
    firsts: dict[int, str] = {}

    def rows() -> Iterator[tuple[object, ...]]:
        for number, exact, near in clusters_of(texts, work):
            name = next(name for place, name in names if place == number)
            if number in (exact, near):
                firsts[number] = name
            yield name, number, None if exact is None else firsts[exact], firsts[near]

    target.executemany("INSERT OR IGNORE INTO clusters VALUES (?, ?, ?, ?)", rows())


def _in_order(sources: Sequence[Database], *further: str) -> Iterator[tuple[Any, ...]]:
    """Yield all articles: when they were published, and their ids; the earliest first."""
    columns = ", ".join(("published", "id", *further))
    rows = (source.execute(f"SELECT {columns} FROM articles ORDER BY published, id") for source in sources)
    return heapq.merge(*rows, key=lambda row: row[:2])


@contextmanager
def writing_analysis(path: Path) -> Iterator[Database]:
    """The database of that path, made where there is none."""
    with closing(connect(path)) as db:
        db.execute("PRAGMA synchronous = NORMAL")
        if not _is_current(db):
            make_again(db, _TABLES, _VERSION)
            _note(db, method=_METHOD)
        yield db


def _is_current(db: Database) -> bool:
    """Say whether this version of curator made it, by the same means."""
    return db.execute("PRAGMA user_version").fetchone() == (_VERSION,) and _noted(db, "method") == _METHOD


def _note(db: Database, **values: str) -> None:
    """Note values in a database. `clustered`: whether the clusters are those of the articles."""
    db.executemany(
        "INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
        list(values.items()),
    )


def _noted(db: Database, name: str) -> str | None:
    row = db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    return str(row[0]) if row else None


class Analyses(AbstractContextManager["Analyses"]):
    """The findings in these databases, as they stand; clusters are those of all of them together."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._open = ExitStack()
        self._sources = [self._open.enter_context(closing(connect(path, read_only=True))) for path in paths]
        self._clusters = self._sources[0]
        if len(paths) > 1:
            self._clusters = self._open.enter_context(closing(connect("")))  # a temporary file
            self._clusters.executescript(_CLUSTERS)
            _write_clusters(self._clusters, self._sources, Work())

    def __exit__(self, *exception: object) -> None:
        self._open.close()

    def of(self, article: str) -> Row:
        """Return what is known of the article of that id; an empty one where it was not analysed.

        `language`: BCP 47, as its text shows it, where there is enough that tells; `certainty`: from 0 to 1,
        how probable the model holds it to be; `exact`, `near`: the id of the first article with the same
        text, or with nearly the same, which may be this one.
        """
        question = "SELECT language, certainty FROM articles WHERE id = ?"
        rows = (source.execute(question, (article,)).fetchone() for source in self._sources)
        language, certainty = next(filter(None, rows), (None, 0.0))
        exact, near = self._clusters.execute(
            "SELECT exact, near FROM clusters WHERE id = ?", (article,)
        ).fetchone() or (None, None)
        return Row(language=language, certainty=certainty, exact=exact, near=near)

    def cluster(self, article: str, dedup: Literal["exact", "near"]) -> tuple[str | None, int]:
        """The cluster that an article is in, by its first one, and which article it is of all, the earliest
        published first."""
        row = self._clusters.execute(
            f"SELECT {dedup}, place FROM clusters WHERE id = ?", (article,)
        ).fetchone()
        return (row[0], row[1]) if row is not None else (None, 0)


_OF_AN_ARTICLE = 1_600
"""Characters that are enough: so much is read of each block from its beginning, and more where there are few
blocks."""
_LONG_LINE = 2_000_000
"""Bytes of what a build keeps of an article."""
_MOST_BLOCKS = 1_000
"""Blocks that are read of an article; where there are more, they are spread over it."""
_NO_PROSE = frozenset({"code", "divider", "embed", "figure", "gallery", "list", "page-break", "table"})
"""Blocks of names, captions and figures, more often than of sentences."""
_ADDRESSES = linear(r"https?://\S+|www\.\S+|[^\s@]{0,64}@\S+|#\w+")
"""The parts of a text that are English, if anything, in any language."""


def _of_prose(text: str) -> str:
    """Return so much of a text as is read at most, without addresses: the pattern is slow, and most texts
    have none."""
    text = text[:_OF_AN_ARTICLE]
    return _ADDRESSES.sub(" ", text) if any(sign in text for sign in ("://", "www.", "@", "#")) else text
