"""Write a layer: which articles wait to be annotated, and the answers on them."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from webarticlecurator.annotations.answers import Answer
from webarticlecurator.annotations.layer import (
    COLUMNS,
    TABLES,
    VERSION,
    About,
    KeptSentence,
    about_in,
    packed,
)
from webarticlecurator.databases import check_version, connect, make_again, transaction

_FORGET = """
    DELETE FROM passages WHERE article IN (SELECT number FROM articles WHERE {which});
    DELETE FROM articles WHERE {which};
"""
_GONE = _FORGET.format(which="id NOT IN (SELECT id FROM build.contents)")
_ASKED_AGAIN = "contents = x''"
"""True of articles that are to be annotated once more."""
_TAKE_IN = f"""
    PRAGMA synchronous = FULL;
    BEGIN IMMEDIATE;
    {_FORGET.format(which="id IN (SELECT id FROM share.articles WHERE failed IS NULL)")}
    INSERT OR IGNORE INTO articles
        SELECT NULL, id, contents, not_aligned, empty_nodes, columns, failed FROM share.articles;
    INSERT OR IGNORE INTO about SELECT * FROM share.about;
    INSERT OR IGNORE INTO passages SELECT NULL, own.number, digest, tokens, sentences
        FROM share.passages p JOIN share.articles a ON a.number = p.article JOIN articles own ON own.id = a.id
        ORDER BY p.number;
    COMMIT;
    PRAGMA synchronous = NORMAL;
"""
"""The share is deleted afterwards: what it says must be on the disk by then. An article on which the program
failed there changes nothing that is known of it."""
_WAITING = """
    SELECT c.id FROM build.contents c LEFT JOIN articles a ON a.id = c.id
        WHERE (a.contents IS NOT c.digest OR a.failed IS NOT NULL) AND c.rowid % ? = ? AND {further}
        ORDER BY a.failed IS NOT NULL, c.rowid
"""
"""The articles of a share that are to be annotated. Those that failed come last: whoever starts a program
that fails is told soon."""
_NOT_IN_WHOLE = """
    NOT EXISTS (
        SELECT 1 FROM whole.articles w WHERE w.id = c.id AND w.contents = c.digest AND w.failed IS NULL
    )
"""
"""True of articles that the layer itself does not know, where a share of it is made."""
_PUT = """
    INSERT INTO articles (id, contents, not_aligned, empty_nodes, columns, failed) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET not_aligned = excluded.not_aligned, empty_nodes = excluded.empty_nodes,
            contents = iif(excluded.failed IS NULL, excluded.contents, contents),
            columns = iif(excluded.failed IS NULL, excluded.columns, columns), failed = excluded.failed
        RETURNING number
"""
"""Where a program fails, what it said before of the same texts is still right."""
_CONFIRM = """
    INSERT INTO articles (id, contents, not_aligned, empty_nodes, columns) VALUES (?, ?, 0, 0, 0)
        ON CONFLICT (id) DO UPDATE SET contents = excluded.contents, failed = NULL
        RETURNING number
"""

_COUNTS = """
    SELECT count(*) FILTER (WHERE failed IS NULL),
        (SELECT count(*) FROM passages), (SELECT coalesce(sum(tokens), 0) FROM passages),
        coalesce(sum(not_aligned), 0), coalesce(sum(empty_nodes), 0), count(failed) FROM articles
"""


@dataclass(frozen=True, slots=True)
class LayerCounts:
    """All that a layer has."""

    articles: int
    """The number of articles that are annotated."""
    passages: int
    """The number of their passages, each different one of an article once."""
    tokens: int
    """The number of words in these."""
    not_aligned: int
    """Words of the program that are not in the texts, and not kept."""
    empty_nodes: int
    """Those that stand for no word of a text, and are not kept."""
    failed: int
    """The number of articles on which the program failed."""


_MADE = "INSERT OR REPLACE INTO about VALUES ('made', hex(randomblob(8)))"
"""Gives a layer another mark, so that what was made of it elsewhere is made again."""


class LayerWriter(AbstractContextManager["LayerWriter"]):
    """A layer that is written; the file is made where there is none, and stays if anything is annotated.
    `anew`: one that another version of this program wrote is made again, too."""

    def __init__(self, path: Path, build_database: Path, *, anew: bool = False) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._db = connect(path)
        self._db.execute("PRAGMA synchronous = NORMAL")
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if version == 0 or (anew and version != VERSION):
            make_again(self._db, TABLES, VERSION)
            self._db.execute(_MADE)
        check_version(self._db, path, VERSION, "annotate")
        self._db.attach(build_database, "build")

    def __exit__(self, *exception: object) -> None:
        counts = self.counts()
        is_empty = counts.articles == counts.passages == 0
        self._db.close()
        if is_empty:
            self._path.unlink()

    @property
    def about(self) -> About:
        """Return where it comes from."""
        return about_in(self._db)

    def ask_again(self) -> None:
        """Note that every article is to be annotated once more; what is known stays until that is done."""
        self._db.execute("UPDATE articles SET contents = x''")
        self._db.execute(_MADE)

    def note(self, about: About) -> None:
        """Note where it comes from; what waits to be annotated once more and is of another program goes."""
        if about.origin != self.about.origin:
            self._db.executescript(f"BEGIN IMMEDIATE; {_FORGET.format(which=_ASKED_AGAIN)} COMMIT;")
        with transaction(self._db):
            self._db.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", list(about._asdict().items()))

    def forget_gone(self) -> int:
        """Forget the articles that are not built any more; gives how many there were."""
        before = self.counts().articles
        self._db.executescript(f"BEGIN IMMEDIATE; {_GONE} COMMIT;")
        return before - self.counts().articles

    def take_in(self, share: Path) -> None:
        """Take in what another process wrote of a share of the articles."""
        self._db.attach(share, "share")
        check_version(self._db, share, VERSION, "annotate", name="share")
        self._db.executescript(_TAKE_IN)
        self._db.execute("DETACH share")

    def waiting(self, share: tuple[int, int], whole: Path | None = None) -> list[str]:
        """Return the ids of the articles that are new, or not what they were, or on which the program failed.

        `share`: only the K-th of N shares of all; `whole`: the layer that it is a share of, where there is
        one already.
        """
        number, of = share
        if whole is not None:
            self._db.attach(whole, "whole")
        question = _WAITING.format(further=_NOT_IN_WHOLE if whole is not None else "1")
        return [article for (article,) in self._db.execute(question, (of, number - 1))]

    def failed(self) -> set[str]:
        """Return the ids of the articles on which the program failed."""
        return {
            article for (article,) in self._db.execute("SELECT id FROM articles WHERE failed IS NOT NULL")
        }

    def store(self, answers: Iterable[Answer]) -> None:
        """Store answers, all or none."""
        with transaction(self._db):
            for answer in answers:
                self._store(answer)

    def _store(self, answer: Answer) -> None:
        task = answer.task
        if task.sent:
            columns = _columns_of(chain.from_iterable(answer.sentences.values()))
            told = (answer.not_aligned, answer.empty_nodes, columns, answer.failed)
            rows = self._db.execute(_PUT, (task.id, task.contents, *told))
        else:  # it has no word, or none that is not known
            rows = self._db.execute(_CONFIRM, (task.id, task.contents))
        (number,) = rows.fetchone()
        # sentences that are still right stay where there are no others
        right = task.passages if answer.failed or not task.sent else ()
        digests = ", ".join(f"x'{digest.hex()}'" for digest, _ in right)
        self._db.execute(f"DELETE FROM passages WHERE article = ? AND digest NOT IN ({digests})", (number,))
        self._db.executemany(
            "INSERT OR IGNORE INTO passages (article, digest, tokens, sentences) VALUES (?, ?, ?, ?)",
            [
                (
                    number,
                    task.passages[passage][0],
                    sum(sentence.length for sentence in made),
                    packed(made),
                )
                for passage, made in sorted(answer.sentences.items())
                if not answer.failed
            ],
        )

    def counts(self) -> LayerCounts:
        """Count what is in it."""
        return LayerCounts(*self._db.execute(_COUNTS).fetchone())


def _columns_of(sentences: Iterable[KeptSentence]) -> int:
    """Return the columns in which any word has a value, a bit each."""
    columns = zip(*[sentence.columns[-len(COLUMNS) :] for sentence in sentences], strict=True)
    return sum(any(values) << bit for bit, values in enumerate(columns))
