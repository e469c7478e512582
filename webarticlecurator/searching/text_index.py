"""search.sqlite: the texts of a corpus, a passage a row, as the full text search of SQLite (FTS5) finds them.

It is made when something is searched for, and brought up to date by what a build or a program that annotates
has changed since. It holds nothing that cannot be made again: one that SQLite finds damaged, or of another
version, is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import orjson

from webarticlecurator.annotations.layer import Layer, Sentence, layer_file
from webarticlecurator.building.database import BuiltArticle
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.lock import locked
from webarticlecurator.databases import Database, connect, remove, transaction
from webarticlecurator.errors import DatabaseDamaged
from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.export_options import ExportOptions, Part
from webarticlecurator.exporting.exporter import ExportedPortal
from webarticlecurator.exporting.passage_tokens import composed, one_line
from webarticlecurator.model.progress import Work
from webarticlecurator.text import letters_apart, word_count

APART = "\uffff"
"""The sign between two letters of a script without blanks, so that each is a word to SQLite. No text holds
it, since `composed` takes it out."""
_ALL_PARTS = ExportOptions(with_=frozenset({Part.BOXES, Part.CAPTIONS, Part.COMMENTS}))
_AT_ONCE = 1_000
"""Articles of one transaction."""
_VERSION = 1
_TABLES = f"""
BEGIN;
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE articles (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    digest BLOB NOT NULL,                -- of what the build keeps of it
    annotated BLOB                       -- what the digest was when it was annotated, if it was
);

CREATE TABLE passages (
    number INTEGER PRIMARY KEY,
    article INTEGER NOT NULL,            -- articles.number
    part TEXT NOT NULL,                  -- of the article: headline, body, comment, ...
    words INTEGER NOT NULL,
    text TEXT NOT NULL,
    lemmas TEXT NOT NULL                 -- a blank between two; of what has no annotations nothing
);
CREATE INDEX passages_article ON passages (article, part, words);

CREATE VIRTUAL TABLE plain USING fts5 (
    text, lemmas, content = 'passages', content_rowid = 'number', tokenize = 'unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE accented USING fts5 (
    text, lemmas, content = 'passages', content_rowid = 'number', tokenize = 'unicode61 remove_diacritics 0'
);
PRAGMA user_version = {_VERSION};
COMMIT;
"""
_CHANGED = """
    SELECT b.id FROM build.contents b LEFT JOIN articles a ON a.id = b.id WHERE a.digest IS NOT b.digest
    UNION ALL SELECT id FROM articles WHERE id NOT IN (SELECT id FROM build.contents)
"""
"""Articles that are new, have another text, or are gone."""
_OF_BATCH = "article IN (SELECT number FROM articles WHERE id IN (SELECT id FROM changed WHERE batch = ?))"
_TAKE_OUT = f"""
    INSERT INTO {{table}} ({{table}}, rowid, text, lemmas)
    SELECT 'delete', number, text, lemmas FROM passages WHERE {_OF_BATCH} ORDER BY number
"""
_PUT_IN = f"""
    INSERT INTO {{table}} (rowid, text, lemmas)
    SELECT number, text, lemmas FROM passages WHERE {_OF_BATCH} ORDER BY number
"""
"""Many rows at a time, in their order: FTS5 writes what it has at each statement, and at each row before the
last one."""
_TEXT_TABLES = ("plain", "accented")
_ANNOTATED_ANEW = """
    UNION SELECT a.id FROM articles a JOIN build.contents b ON b.id = a.id
        LEFT JOIN layer.articles l ON l.id = a.id AND l.failed IS NULL
        WHERE a.annotated IS NOT l.contents
"""
_ANNOTATED = """
    UPDATE articles SET annotated = (SELECT contents FROM layer.articles WHERE id = ? AND failed IS NULL)
        WHERE number = ?
"""


def is_damaged(corpus: Corpus) -> bool:
    """Return True if SQLite finds that the index of a corpus is not whole."""
    try:
        with closing(connect(corpus.search_database, read_only=True)) as db:
            for _ in db.execute("SELECT part, text, lemmas FROM passages"):
                pass  # bytes that are no text are damage, which SQLite does not look for
            return bool(db.execute("PRAGMA quick_check(1)").fetchone() != ("ok",))
    except DatabaseDamaged:
        return True


def update_index(portal: ExportedPortal, layer: Layer | None, work: Work) -> None:
    """Bring the index of a corpus up to date; with a layer, also the lemmas in it.

    What is done stays where somebody ends it. Raises Stopped, CorpusBusy.
    """
    corpus = portal.corpus
    if _is_up_to_date(portal, layer):
        return
    with locked(corpus.search_lock, "search"):
        if not _is_of_this_version(corpus.search_database):
            remove(corpus.search_database)
        with closing(_opened(portal, layer, read_only=False)) as db:
            _index_changed(db, portal, layer, work)


def _is_of_this_version(path: Path) -> bool:
    if not path.exists():
        return False
    with closing(connect(path, read_only=True)) as db:
        return bool(db.execute("PRAGMA user_version").fetchone() == (_VERSION,))


def _opened(portal: ExportedPortal, layer: Layer | None, *, read_only: bool) -> Database:
    """Open the index, with the build and the layer beside it."""
    path = portal.corpus.search_database
    is_new = not path.exists()
    db = connect(path, read_only=read_only)
    if is_new:
        db.execute("PRAGMA journal_mode = WAL")
        db.executescript(_TABLES)
    db.execute("PRAGMA synchronous = NORMAL")
    db.execute("PRAGMA cache_size = -65536")
    db.attach(portal.corpus.build_database, "build")
    if layer is not None:
        db.attach(layer_file(portal.corpus.folder, layer.name), "layer")
    return db


def _is_up_to_date(portal: ExportedPortal, layer: Layer | None) -> bool:
    """Return True if there is nothing to do; so any number may search at a time, also in a folder that may
    only be read."""
    if not _is_of_this_version(portal.corpus.search_database):
        return False
    with closing(_opened(portal, layer, read_only=True)) as db:
        is_same_layer = layer is None or _noted_layer(db) == _origin_of(layer)
        return is_same_layer and db.execute(f"{_question(layer)} LIMIT 1").fetchone() is None


def _question(layer: Layer | None) -> str:
    return _CHANGED if layer is None else f"{_CHANGED} {_ANNOTATED_ANEW}"


def _origin_of(layer: Layer) -> str:
    """Return what a layer is known again by, whatever was added to it since."""
    return orjson.dumps([layer.name, layer.made]).decode()


def _noted_layer(db: Database) -> str | None:
    """Return the origin of the layer that the lemmas are from."""
    row = db.execute("SELECT value FROM meta WHERE name = 'layer'").fetchone()
    return str(row[0]) if row is not None else None


def _index_changed(db: Database, portal: ExportedPortal, layer: Layer | None, work: Work) -> None:
    if layer is not None and _noted_layer(db) != _origin_of(layer):
        with transaction(db):
            db.execute("UPDATE articles SET annotated = 'by another layer' WHERE annotated IS NOT NULL")
            db.execute("INSERT OR REPLACE INTO meta VALUES ('layer', ?)", (_origin_of(layer),))
    db.execute(f"CREATE TEMP TABLE changed AS SELECT id, 0 AS batch FROM ({_question(layer)})")
    db.execute("UPDATE changed SET batch = (rowid - 1) / ?", (_AT_ONCE,))
    (total,) = db.execute("SELECT count(*) FROM changed").fetchone()
    for batch, done in enumerate(range(0, total, _AT_ONCE)):
        work.check()
        work.show("new or changed articles indexed", done, total)
        with transaction(db):
            _put_batch(db, batch, portal, layer)
    work.show("new or changed articles indexed", total, total)


def _put_batch(db: Database, batch: int, portal: ExportedPortal, layer: Layer | None) -> None:
    """Write what is to be found of some articles in place of what was; of those that are gone nothing."""
    for table in _TEXT_TABLES:
        db.execute(_TAKE_OUT.format(table=table), (batch,))
    db.execute(f"DELETE FROM passages WHERE {_OF_BATCH}", (batch,))
    db.execute("DELETE FROM articles WHERE id IN (SELECT id FROM changed WHERE batch = ?)", (batch,))
    for (article,) in db.execute("SELECT id FROM changed WHERE batch = ?", (batch,)).fetchall():
        built = portal.built.by_id(article)
        if built is not None:
            _put(db, built, portal, layer)
    for table in _TEXT_TABLES:
        db.execute(_PUT_IN.format(table=table), (batch,))


def _put(db: Database, built: BuiltArticle, portal: ExportedPortal, layer: Layer | None) -> None:
    put = db.execute("INSERT INTO articles (id, digest) VALUES (?, ?)", (built.id, built.contents.digest))
    number = put.lastrowid
    if layer is not None:
        db.execute(_ANNOTATED, (built.id, number))
    rows = ((number, *row) for row in _passages(built, portal, layer))
    db.executemany("INSERT INTO passages (article, part, words, text, lemmas) VALUES (?, ?, ?, ?, ?)", rows)


def _passages(
    built: BuiltArticle, portal: ExportedPortal, layer: Layer | None
) -> Iterator[tuple[str, int, str, str]]:
    """Give the part, words, text and lemmas of each passage."""
    for passage in ExportArticle(portal=portal.name, built=built, options=_ALL_PARTS).each_passage():
        text = composed(passage.text)
        sentences = layer.passage(built.id, text) if layer is not None else None
        lemmas = " ".join(lemmas_of(sentences or ()))
        yield passage.part, word_count(text), letters_apart(text, APART), lemmas


def lemmas_of(sentences: Sequence[Sentence]) -> list[str]:
    """Return the lemma of each token, or its form where the program gave none."""
    return [one_line(token.lemma or token.form) for sentence in sentences for token in sentence.tokens]
