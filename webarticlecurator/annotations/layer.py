"""A layer: all that one program said of the words of a corpus, kept in CORPUS/annotations/NAME.sqlite.

Sentences are kept by the article and a digest of the passage's text: where a text is another now, nothing is
said of it. A passage that stands twice in an article is there once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple, Self

import msgspec
import zstandard

from webarticlecurator.databases import Database, check_version, connect, unpack
from webarticlecurator.errors import CorpusError

VERSION = 2
TABLES = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE articles (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    contents BLOB NOT NULL,              -- digest of what the build keeps of it; empty: it is asked again
    not_aligned INTEGER NOT NULL,        -- tokens of the program that are not in the text
    empty_nodes INTEGER NOT NULL,        -- those that stand for no word at all
    columns INTEGER NOT NULL,            -- those of COLUMNS that are said of a token, a bit each
    failed TEXT                          -- why nothing is known of it
);

CREATE TABLE passages (
    number INTEGER PRIMARY KEY,
    article INTEGER NOT NULL,            -- articles.number
    digest BLOB NOT NULL,                -- of its text
    tokens INTEGER NOT NULL,
    sentences BLOB NOT NULL,
    UNIQUE (article, digest)
);
"""
NO_LAYER = "none"
"""The word for no layer at all."""
FOLDER = "annotations"
"""The folder of the layers in that of a corpus."""


class Token(NamedTuple):
    """A word of a program, at its place in the text of a passage; an empty value is one that it did not
    give."""

    start: int
    """The first character, in the passage's text as exports write it."""
    end: int
    """The place behind the last character."""
    form: str
    lemma: str = ""
    upos: str = ""
    xpos: str = ""
    feats: str = ""
    head: int = -1
    """The number of its head in the sentence, from 1; 0: it is the root; -1: not given."""
    deprel: str = ""
    deps: str = ""
    misc: str = ""
    entity: str = ""
    """A label such as B-PER or I-PER."""


class Sentence(NamedTuple):
    """A sentence as a program found it."""

    start: int
    end: int
    tokens: tuple[Token, ...]
    multiword: tuple[tuple[int, int, str], ...] = ()
    """The numbers of the first and the last token, from 1, and the form of what is one word in the text; all
    of them have its characters."""


class KeptSentence(NamedTuple):
    """A sentence as it is kept."""

    start: int
    end: int
    columns: Sequence[Sequence[int | str]]
    """The values of all its words, a column each, in the order of `Token`; an empty column says nothing of
    any word."""
    multiword: tuple[tuple[int, int, str], ...] = ()

    @property
    def length(self) -> int:
        """The number of its words."""
        return len(self.columns[0])

    def sentence(self) -> Sentence:
        """Return it word by word."""
        columns = [
            column or [default] * self.length for column, default in zip(self.columns, _DEFAULTS, strict=True)
        ]
        tokens = map(Token._make, zip(*columns, strict=True))
        return Sentence(self.start, self.end, tuple(tokens), self.multiword)


COLUMNS = ("lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc", "entity")
"""The values that a layer may have of tokens."""


_DEFAULTS = (0, 0, "", *(Token._field_defaults[name] for name in COLUMNS))


class About(NamedTuple):
    """The origin of a layer."""

    command: str
    version: str
    """The first line that the program says of its version; empty where it says none."""
    model: str
    """The model, as the person named it."""
    day: str
    """The day on which the layer was last added to."""
    curator: str
    """The version of this program."""

    @property
    def origin(self) -> tuple[str, str]:
        """The command and the model."""
        return self.command, self.model


_PACKER = zstandard.ZstdCompressor(3, write_checksum=True)
_DECODER = msgspec.msgpack.Decoder(list[KeptSentence])


def digest_of(text: str) -> bytes:
    """Return the digest by which the text of a passage is known again."""
    return blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()


def packed(sentences: Sequence[KeptSentence]) -> bytes:
    """Return sentences as they are kept."""
    return _PACKER.compress(msgspec.msgpack.encode(sentences))


def layer_file(corpus_folder: Path, name: str) -> Path:
    """Return the file of a layer."""
    return corpus_folder / FOLDER / f"{name}.sqlite"


def layer_names(corpus_folder: Path) -> list[str]:
    """Return the names of the layers of a corpus."""
    return sorted(path.stem for path in (corpus_folder / FOLDER).glob("*.sqlite"))


def about_in(database: Database) -> About:
    """Return where the layer in a database comes from."""
    values = dict(database.execute("SELECT name, value FROM about"))
    return About(*[values.get(name, "") for name in About._fields])


class Layer:
    """A layer that is read."""

    def __init__(self, database: Database, name: str) -> None:
        self._db = database
        self.name = name

    @classmethod
    def reading(cls, corpus_folder: Path, name: str) -> Self:
        """Open a layer of a corpus. Raises CorpusError where there is none of that name."""
        path = layer_file(corpus_folder, name)
        if not path.exists():
            names = ", ".join(layer_names(corpus_folder)) or "none; `curator annotate` makes one"
            raise CorpusError(f"There is no layer {name} in {path.parent}. There are: {names}.")
        return cls.in_file(path, name)

    @classmethod
    def in_file(cls, path: Path, name: str) -> Self:
        """Open a layer, or a share of one. Raises CorpusError where another version wrote it."""
        database = connect(path, read_only=True)
        try:
            check_version(database, path, VERSION, "annotate")
        except CorpusError:
            database.close()
            raise
        return cls(database, name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        self._db.close()

    @property
    def about(self) -> About:
        """Return where it comes from."""
        return about_in(self._db)

    @property
    def made(self) -> str:
        """Return a mark that is another where all was annotated once more."""
        row = self._db.execute("SELECT value FROM about WHERE name = 'made'").fetchone()
        return str(row[0]) if row is not None else ""

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the columns that any token has a value in."""
        masks = [mask for (mask,) in self._db.execute("SELECT DISTINCT columns FROM articles")]
        return tuple(name for bit, name in enumerate(COLUMNS) if any(mask >> bit & 1 for mask in masks))

    def passage(self, article_id: str, text: str) -> tuple[Sentence, ...] | None:
        """Return the sentences of a passage, given its composed text; None where nothing is known of that."""
        row = self._db.execute(
            "SELECT sentences FROM passages JOIN articles ON articles.number = article WHERE id = ? AND "
            "digest = ?",
            (article_id, digest_of(text)),
        ).fetchone()
        return self._unpacked(row[0]) if row is not None else None

    def article(self, article_id: str) -> Iterator[tuple[str, tuple[Sentence, ...]]]:
        """Give each different passage of an article: the digest of its text, in hexadecimal digits, and its
        sentences."""
        with closing(
            self._db.execute(
                "SELECT digest, sentences FROM passages JOIN articles ON articles.number = article "
                "WHERE id = ? ORDER BY passages.number",
                (article_id,),
            )
        ) as rows:
            for digest, sentences in rows:
                yield digest.hex(), self._unpacked(sentences)

    def digests(self, article_id: str) -> set[bytes]:
        """Return the digests of all passages of an article that are annotated, and not asked again."""
        rows = self._db.execute(
            "SELECT digest FROM passages JOIN articles ON articles.number = article "
            "WHERE id = ? AND contents != x''",
            (article_id,),
        )
        return {digest for (digest,) in rows}

    def _unpacked(self, sentences: bytes) -> tuple[Sentence, ...]:
        kept = _DECODER.decode(unpack(sentences, f"{self.name}.sqlite"))
        return tuple([sentence.sentence() for sentence in kept])
