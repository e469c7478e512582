"""The analysis of one corpus brought up to date, and that of one or several read."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from itertools import chain, islice, takewhile
from threading import Event as Flag
from typing import Self

import orjson

from webarticlecurator.analysis.database import CLUSTERS, AnalysisDatabase, is_clustered, is_current, opened, write_clusters
from webarticlecurator.analysis.job import AnalysisJob, Task
from webarticlecurator.building.database import BuiltArticles
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.lock import locked
from webarticlecurator.databases import connect
from webarticlecurator.errors import CorpusError
from webarticlecurator.model.analysis import Analysis, Dedup
from webarticlecurator.workers import pool
from webarticlecurator.workers.carriers import Workers

Show = Callable[[str, int, int], None]
"""Told what is being done, how far it is, and how far it will go."""
_BATCH = 256
"""Articles in one message to a process."""
_KEPT_TOGETHER = 16
"""Batches in one transaction: ids come in no order, so each writes most pages of their index."""
_AT_A_TIME = 1000
_STORED = """
    SELECT c.rowid, a.id, a.published, a.headline, c.line, k.digest
    FROM contents c JOIN articles a ON a.id = c.id LEFT JOIN analysis.articles k ON k.id = c.id
    WHERE c.rowid > ? ORDER BY c.rowid LIMIT ?
"""
_GONE = "SELECT id FROM analysis.articles WHERE id NOT IN (SELECT id FROM contents)"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisSummary:
    """How the analysis of one corpus ended."""

    analysed: int = 0
    """Articles that were new or changed."""
    failed: tuple[str, ...] = ()
    """Articles of which nothing is known, each with why; they are tried again the next time."""
    finished: bool = True
    """False: it was stopped before the end."""


def analyse(corpus: Corpus, portal: str, *, workers: Workers, stop: Flag | None = None, show: Show | None = None) -> AnalysisSummary:
    """Bring the analysis of a corpus up to date with what is built. Raises CorpusError, and CorpusBusy where another process does it."""
    with _told_of(corpus):
        if _is_up_to_date(corpus, portal):
            return AnalysisSummary()
        with (
            locked(corpus.analysis_lock, "analysis"),
            AnalysisDatabase(corpus.analysis_database) as database,
            _built(corpus, portal) as built,
        ):
            return _bring_up_to_date(built, database, workers, stop or Flag(), show or _unseen)


def _is_up_to_date(corpus: Corpus, portal: str) -> bool:
    """Found without a lock: so any number of commands may read at a time, also in a folder that nothing can be written to."""
    if not corpus.analysis_database.exists():
        BuiltArticles.of(corpus.build_database, portal).__exit__()  # which says what is wrong with it
        return False
    with closing(opened(corpus.analysis_database)) as db:
        if not is_current(db) or not is_clustered(db):
            return False
    with _built(corpus, portal) as built:
        return next(chain(built.rows(_GONE), _tasks(built)), None) is None


@contextmanager
def _built(corpus: Corpus, portal: str) -> Iterator[BuiltArticles]:
    """What is built, with what is known of it."""
    with BuiltArticles.of(corpus.build_database, portal) as built:
        built.attach(corpus.analysis_database, "analysis")
        yield built


def _tasks(built: BuiltArticles) -> Iterator[Task]:
    """Articles that are new or changed.

    Some are asked for at a time: while a query is open, what is written beside it piles up.
    """
    rows = list(built.rows(_STORED, (0, _AT_A_TIME)))
    while rows:
        for _, article, published, headline, line, known in rows:
            digest = blake2b(line, digest_size=8).digest()
            if digest != known:
                yield Task(article, published, headline, digest, line)
        rows = list(built.rows(_STORED, (rows[-1][0], _AT_A_TIME)))


def _bring_up_to_date(built: BuiltArticles, database: AnalysisDatabase, workers: Workers, stop: Flag, show: Show) -> AnalysisSummary:
    gone = [article for (article,) in built.rows(_GONE)]
    if gone:
        database.forget(gone)
    total = sum(1 for _ in _tasks(built))
    show("articles analysed", 0, total)
    done, failed = 0, list[str]()
    waiting = takewhile(lambda _: not stop.is_set(), _tasks(built))
    batches = pool.run(AnalysisJob(), waiting, workers=workers.for_tasks(total, _BATCH), batch=_BATCH)
    while some := list(chain.from_iterable(islice(batches, _KEPT_TOGETHER))):
        database.put(some)
        done += len(some)
        failed += [f"{one.id}: {one.problem}" for one in some if one.problem]
        show("articles analysed", done, total)
    finished = not stop.is_set() and database.cluster(stop, partial(show, "comparing texts"))
    return AnalysisSummary(analysed=done, failed=tuple(failed), finished=finished)


def _unseen(doing: str, done: int, total: int) -> None:
    """Nobody watches."""


@contextmanager
def _told_of(corpus: Corpus) -> Iterator[None]:
    """What the disk refuses is a sentence."""
    try:
        yield
    except OSError as error:
        path = corpus.analysis_database
        raise CorpusError(f"{path} cannot be read or written ({error}).") from error


class Analyses:
    """What was found of the articles of one or several corpora, as it stands; clusters are those of all of them together."""

    def __init__(self, corpora: Sequence[Corpus]) -> None:
        self._open = ExitStack()
        with _told_of(corpora[0]):
            self._sources = [self._open.enter_context(closing(opened(one.analysis_database))) for one in corpora]
            self._clusters = self._sources[0] if len(corpora) == 1 else self._common_clusters()
        self._last = self._sources[0]

    def _common_clusters(self) -> sqlite3.Connection:
        """Of several corpora, in a temporary file."""
        clusters = self._open.enter_context(closing(connect("")))
        clusters.executescript(CLUSTERS)
        write_clusters(clusters, self._sources)
        return clusters

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._open.close()

    def of(self, article: str) -> Analysis:
        """Of the article of that id; an empty one where it was not analysed."""
        language, certainty, parts = self._found(article) or (None, 0.0, "[]")
        row = self._clusters.execute("SELECT exact, near, similarity FROM clusters WHERE id = ?", (article,)).fetchone()
        exact, near, similarity = row or (None, None, None)
        told = () if parts == "[]" else tuple((number, part) for number, part in orjson.loads(parts))
        return Analysis(language=language, certainty=certainty, parts=told, exact=exact, near=near, similarity=similarity)

    def _found(self, article: str) -> tuple[str | None, float, str] | None:
        """Of several corpora the one that knew the last article is asked first: articles are read corpus by corpus."""
        for source in (self._last, *(one for one in self._sources if one is not self._last)):
            row: tuple[str | None, float, str] | None = source.execute(
                "SELECT language, certainty, parts FROM articles WHERE id = ?", (article,)
            ).fetchone()
            if row is not None:
                self._last = source
                return row
        return None

    def cluster(self, article: str, dedup: Dedup) -> tuple[str | None, int]:
        """The cluster that an article is in, by its first one, and which article it is of all, the earliest published first."""
        row = self._clusters.execute(f"SELECT {dedup}, place FROM clusters WHERE id = ?", (article,)).fetchone()
        return (row[0], row[1]) if row is not None else (None, 0)

    def clusters(self, dedup: Dedup) -> tuple[int, int]:
        """How many there are, and how many articles are in them."""
        number, articles = self._clusters.execute(f"SELECT count(DISTINCT {dedup}), count({dedup}) FROM clusters").fetchone()
        return number, articles

    def largest(self, dedup: Dedup, clusters: int, articles: int) -> Iterator[tuple[int, tuple[str, ...]]]:
        """The largest clusters first: the articles of each, and the ids of the first of them."""
        largest = f"SELECT {dedup}, count(*) FROM clusters WHERE {dedup} IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, min(place) LIMIT ?"
        for first, size in self._clusters.execute(largest, (clusters,)).fetchall():
            rows = self._clusters.execute(f"SELECT id FROM clusters WHERE {dedup} = ? ORDER BY place LIMIT ?", (first, articles))
            yield size, tuple(article for (article,) in rows)
