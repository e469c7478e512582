"""What is kept of a built article: its row; its contents, with what is counted of it; and its document, in a file or in a zip a month.

A document that was made anew lies in a file of its own until its zip was, and goes before what that holds of it. The new zip takes the
place of the old one at once. So at any moment a reader finds each document, as it was or as it is.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from functools import lru_cache
from hashlib import blake2b, sha256
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self, overload
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo, is_zipfile

import orjson
import zstandard
from msgspec import Raw
from msgspec.json import decode

from webarticlecurator.corpus.stored_articles import LostArticle, StoredArticle
from webarticlecurator.databases import unpack
from webarticlecurator.dates import first_day
from webarticlecurator.errors import CorpusError
from webarticlecurator.model.article import Article, Fate, beside_line, plain_text, stored_line
from webarticlecurator.model.metadata import Metadata
from webarticlecurator.model.outcome import Kept, PageOutcome
from webarticlecurator.model.progress import Work
from webarticlecurator.own_patterns import linear_at
from webarticlecurator.text import word_count
from webarticlecurator.urls import is_http, normalise

if TYPE_CHECKING:
    from webarticlecurator.building.database import BuildDatabase

_LEVEL = 3
"""Of compression: higher ones save a tenth of the room and take twice the time."""

LONGEST = 500
"""Characters of a value, and of a name: what a page tells may be of any length."""
_SHOWN = 120
"""Characters of a text that is shown as an example."""
_SHORTEST_COMPARED = 200
"""Characters of a text that no other has by chance."""
_MONTH = linear_at(r"(\d{4})(-(?:0[1-9]|1[0-2]))?(?!-?\d)")
"""A date that tells the year, and perhaps the month, alone."""

Facts = Mapping[str, list[tuple[Any, ...]]]
"""Table -> its rows, without the number of the article that they are of."""


@dataclass(slots=True, kw_only=True)
class ArticleRow:
    """An article that something is stored of, with its one page outcome: the columns of the table `articles`."""

    id: str
    """The document's name: <portal>-<16 hex digits>."""
    key: int
    """The ledger's hash of the identity."""
    identity: str
    url: str
    """That it was asked for by."""
    outcome: PageOutcome
    reason: str
    since: str = ""
    """Of outcome and reason."""
    captures: str
    """Digest of what it was made of."""
    captured: str | None = None
    """When something new of it came last."""
    text_changed: str | None = None
    """When the capture was made that brought its text, where older ones have another."""
    headline_and_text: int | None = None
    """A digest, by which two documents of one article are found; None where the text is too short to tell."""
    rules: str = ""
    """Digest of the rules under which it was made, or last confirmed; empty where the next build has to try again."""
    made_by: str | None = None
    """Digest of the rules that the document itself names."""
    path: str | None = None
    """Of the document, below the corpus folder; None: it has none."""
    part: str | None = None
    """Digest of the document's article part."""
    size: int | None = None
    """Bytes of the document."""
    type: str = ""
    language: str | None = None
    language_declared: int = 0
    """1: page or portal file say so; 0: its words show it, or nothing does."""
    section: str | None = None
    """The first one."""
    free: int | None = None
    """Whether it says that it may be read without paying."""
    headline: str | None = None
    published: str | None = None
    day: str | None = None
    """Of publication, where a whole one is known; and month and year, which may be known where it is not:"""
    month: str | None = None
    year: int | None = None
    modified: str | None = None
    canonical: str | None = None
    words: int = 0
    characters: int = 0
    posts: int = 0
    layout: str | None = None
    flags: tuple[str, ...] = ()
    goes_on: str | None = None
    """What shows that it has further pages, where no rule follows."""
    missing_pages: str | None = None
    """Which pages of it are not stored, in a sentence."""
    conflict: str | None = None
    """What speaks against its identity."""
    breaks_off: int = 0
    """1: its page ends amid the text, without the end that HTML has."""
    kept: Kept | None = None
    """Why its document stays as it was made; None: it is the one that its pages give by the rules."""
    damaged: str | None = None
    """A record that it is read from, and that is damaged."""
    damage: str | None = None
    """In what way."""

    @classmethod
    def of_sql(cls, values: tuple[Any, ...]) -> Self:
        """Of the columns, in their order."""
        row = dict(zip(COLUMNS, values, strict=False))
        kept = Kept(row["kept"]) if row["kept"] is not None else None
        return cls(**{**row, "outcome": PageOutcome(row["outcome"]), "flags": tuple(orjson.loads(row["flags"])), "kept": kept})

    def to_sql(self) -> list[Any]:
        """The columns, in their order."""
        return [_as_bytes(self.flags).decode() if name == "flags" else getattr(self, name) for name in COLUMNS]


_TYPES = {"str | None": "TEXT", "Kept | None": "TEXT", "int | None": "INTEGER", "int": "INTEGER NOT NULL"}
COLUMNS = {one.name: _TYPES.get(str(one.type), "TEXT NOT NULL") for one in fields(ArticleRow)}
"""Name -> SQL, in the order of the fields; the flags are JSON."""


class Contents(NamedTuple):
    """All that exports and statistics tell of an article, and all that its document is made of."""

    line: bytes
    """Packed: what `export --to jsonl` prints of it."""
    beside: str
    """JSON: what that does not tell."""
    facts: Facts | None = None
    """What is counted; it is written with the rest, and not read again."""

    @property
    def digest(self) -> bytes:
        """By which it is known whether the line is another than before."""
        return blake2b(self.line, digest_size=8).digest()

    @classmethod
    def of(cls, article: Article) -> Self:
        """Of one with a document; what was dropped is added up by rule and tag."""
        dropped: dict[tuple[str, str], tuple[int, int, str]] = {}
        for piece in (piece for piece in article.pieces if piece.fate is Fate.DROPPED):
            key = piece.rule[:LONGEST], piece.tag[:LONGEST]
            number, words, longest = dropped.get(key, (0, 0, ""))
            words += piece.text.count(" ") + bool(piece.text)  # white space is normalised
            dropped[key] = number + 1, words, max(longest, piece.text, key=len)
        posts = [
            (
                place,
                post.kind,
                post.author[:LONGEST] if post.author else None,
                day_of(post.when),
                word_count(plain_text(post.blocks)),
                bool(post.reply_to),
                bool(post.deleted),
            )
            for place, post in enumerate(article.posts)
        ]
        facts: Facts = {
            "metadata": [*_values(article.metadata, disagrees=False), *_values(article.disagreements, disagrees=True)],
            "dropped": [(*key, number, words, longest[:_SHOWN]) for key, (number, words, longest) in dropped.items()],
            "undecided": [(tag.tag[:LONGEST], tag.count, tag.words) for tag in article.unknown_tags],
            "posts": posts,
        }
        line = zstandard.ZstdCompressor(_LEVEL, write_checksum=True).compress(_as_bytes(stored_line(article)))
        return cls(line, _as_bytes(beside_line(article)).decode(), facts)

    def record(self) -> dict[str, Any]:
        """The line as data."""
        record: dict[str, Any] = orjson.loads(unpack(self.line, "build.sqlite"))
        return record


# --- reading the line of a long article ---

_READ_AT_ONCE = 1 << 20
"""Bytes of JSON: as data, they may take ten times the room."""
_OF_NODES = frozenset({"blocks", "comments", "children"})


def read_kept(line: bytes) -> Mapping[str, Any]:
    """Read a line as data. Of a long one each text and each block is read when somebody looks at it, and not kept."""
    if len(line) > _READ_AT_ONCE:
        return _LongNode(line)
    record: dict[str, Any] = orjson.loads(line)
    return record


def kept_json(value: Any) -> bytes:
    """JSON of what was read by `read_kept`, or is made of it."""
    return orjson.dumps(value, default=lambda long: orjson.Fragment(bytes(long.json)))


class _LongNode(Mapping[str, Any]):
    """An article, a block, an inline or a post."""

    def __init__(self, json: bytes | Raw) -> None:
        self.json = json
        self._values = decode(json, type=dict[str, Raw])

    def __getitem__(self, name: str) -> Any:
        value = self._values[name]
        if name in _OF_NODES and len(memoryview(value)) > _READ_AT_ONCE:
            return _LongList(value)
        return decode(value)

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


class _LongList(Sequence[Mapping[str, Any]]):
    """Blocks, inlines or posts."""

    def __init__(self, json: Raw) -> None:
        self.json = json
        self._nodes = decode(json, type=list[Raw])

    @overload
    def __getitem__(self, place: int) -> Mapping[str, Any]: ...
    @overload
    def __getitem__(self, place: slice) -> list[Mapping[str, Any]]: ...
    def __getitem__(self, place: int | slice) -> Any:
        return list(map(_node, self._nodes[place])) if isinstance(place, slice) else _node(self._nodes[place])

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        return map(_node, self._nodes)

    def __len__(self) -> int:
        return len(self._nodes)


def _node(json: Raw) -> Mapping[str, Any]:
    node: Mapping[str, Any] = _LongNode(json) if len(memoryview(json)) > _READ_AT_ONCE else decode(json)
    return node


def _as_bytes(value: Any) -> bytes:
    try:
        return orjson.dumps(value)
    except TypeError:  # half a character of two, which JSON-LD can hold
        return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")


def unread_row(id: str, of: StoredArticle | LostArticle, reason: str, *, captures: str = "") -> ArticleRow:
    """Return what is kept of an article that could not be read."""
    return ArticleRow(id=id, key=of.key, identity=of.identity, url=of.url, outcome=PageOutcome.UNREADABLE, reason=reason, captures=captures)


def row_of(article: Article, source: StoredArticle) -> ArticleRow:
    """Return what is kept of an article beside its contents."""
    first = {name: values[0].value for name, values in article.metadata.items() if values}
    canonical, headline = first.get("url"), first.get("headline")
    published = first.get("datePublished")
    known = _day_or_month(published)
    return ArticleRow(
        id=article.id,
        key=source.key,
        identity=article.identity,
        url=article.url,
        outcome=article.outcome,
        reason=article.reason,
        captures=source.digest(),
        captured=source.captured,
        text_changed=article.text_changed,
        headline_and_text=_digest(article, headline),
        type=article.type,
        language=article.language,
        language_declared=bool(article.metadata.get("inLanguage")),
        section=first.get("articleSection"),
        free={"true": 1, "false": 0}.get(first.get("isAccessibleForFree", "")),
        headline=headline,
        published=published,
        day=day_of(published),
        month=known[:7] if len(known) > len("2024") else None,
        year=int(known[:4] or 0) or None,
        modified=first.get("dateModified"),
        canonical=normalise(canonical) if canonical and is_http(canonical) else None,
        words=article.extent.words or 0,
        characters=article.extent.characters,
        posts=len(article.posts),
        layout=article.layout,
        flags=article.flags,
        goes_on=article.goes_on,
        breaks_off=article.breaks_off,
        missing_pages=_missing_pages(article),
    )


def _digest(article: Article, headline: str | None) -> int | None:
    """Return a digest of an article's headline and text, which no two share by chance; None where the text is too short."""
    if headline is None or article.outcome is not PageOutcome.ARTICLE or article.extent.characters < _SHORTEST_COMPARED:
        return None
    return int.from_bytes(sha256(f"{headline} {article.words}".encode("utf-8", "replace")).digest()[:8], signed=True)


def _missing_pages(article: Article) -> str | None:
    """Return which pages of an article are not stored, in a sentence; None if all are."""
    if not article.missing_pages:
        return None
    missing, *more = map(str, article.missing_pages)
    return f"{missing}, nor are {len(more):,} more" if more else missing


def _day_or_month(published: str | None) -> str:
    """Return the day of a date, else its month or year, which may be known where no day is."""
    day, month = day_of(published), _MONTH.match(published or "")
    return day or (month[0] if month else "")


@lru_cache(4_096)
def day_of(published: str | None) -> str | None:
    """The day of a date, as the portal's readers know it; None of what is none, or only a year or a month."""
    day = first_day((published,))
    return day.isoformat() if day is not None else None


def _values(metadata: Metadata, *, disagrees: bool) -> Iterator[tuple[Any, ...]]:
    for name, values in metadata.items():
        seen: set[str] = set()
        for place, found in enumerate(values):
            value = found.value[:LONGEST]
            if disagrees or value not in seen:  # what is said twice is one value
                yield name, disagrees, place, value, found.source[:LONGEST]
            seen.add(value)


# --- documents ---

FOLDER = "tei"
"""Of documents, below that of the corpus; a zip names them without it."""
_DRAFT = ".new"
_ZIP_NAME = linear_at(r"(\d{4}-\d\d|undated-[0-9a-f]{2})\.zip")
"""Its month, or the first two digits of the ids in it."""
_DOCUMENT = linear_at(r"(\d{4}/\d\d/\d\d|undated)/[^/\\]{1,200}-[0-9a-f]{16}\.xml")
"""What a zip calls one. A zip of somebody else may name places outside the corpus."""
LARGEST = 256 << 20
"""Bytes of a document; one of the largest page that is read has fewer."""
_LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The first moment that a zip can name; the real one would change the bytes."""
_READABLE_BY_ALL, _UNIX = 0o644 << 16, 3
SPOILED = (KeyError, ValueError, BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError)
"""What is raised for zips that nobody wrote whole, or that somebody wrote to do harm."""


class DocumentStore:
    """The documents of one corpus."""

    def __init__(self, corpus: Path) -> None:
        self.corpus = corpus
        self._whole: dict[str, bool] = {}
        """Whether a zip of that name is there, to its end."""
        self._open: dict[str, ZipFile] = {}

    def close(self) -> None:
        """Close the zips that were read from."""
        while self._open:
            self._open.popitem()[1].close()

    @property
    def zips(self) -> list[Path]:
        """Those of documents."""
        return [place for place in (self.corpus / FOLDER).glob("*.zip") if _ZIP_NAME.fullmatch(place.name)]

    def read(self, path: str) -> bytes | None:
        """A document; None where there is none."""
        with suppress(FileNotFoundError):
            return self._file(path).read_bytes()
        name = _zip_of(path)
        try:
            if name not in self._open:
                self._open[name] = ZipFile(self.corpus / FOLDER / name)
                if len(self._open) > 3:  # what is known of one with 10,000 documents takes 6 MB
                    self._open.pop(next(iter(self._open))).close()
            member = self._open[name].getinfo(path.removeprefix(f"{FOLDER}/"))
            is_ours = member.compress_type in (ZIP_DEFLATED, ZIP_STORED) and not member.flag_bits & 1 and member.file_size <= LARGEST
            return self._open[name].read(member) if is_ours else None
        except (FileNotFoundError, *SPOILED):
            return None

    def has(self, path: str, size: int | None) -> bool:
        """Whether a document of so many bytes (or the zip that it belongs in) is there. A power cut may leave a part of them."""
        with suppress(FileNotFoundError):
            return self._file(path).stat().st_size == size
        return self._has_zip(_zip_of(path))

    def _has_zip(self, name: str) -> bool:
        if name not in self._whole:
            self._whole[name] = is_zipfile(self.corpus / FOLDER / name)
        return self._whole[name]

    def write(self, path: str, document: bytes) -> None:
        """Put a document in its place, all of it at once."""
        place = self._file(path)
        draft = place.with_name(place.name + _DRAFT)
        try:
            draft.write_bytes(document)
        except FileNotFoundError:  # the first in its folder, or another process took the last one away
            place.parent.mkdir(parents=True, exist_ok=True)
            draft.write_bytes(document)
        draft.replace(place)

    def remove(self, path: str) -> None:
        """Take a document away, and the folders that held nothing else. In a zip it stays until that is packed anew."""
        place = self._file(path)
        place.unlink(missing_ok=True)
        for folder in place.parents:
            if folder == self.corpus:
                return
            try:
                folder.rmdir()
            except OSError:  # it holds something
                return

    def loose(self, portal: str) -> Iterator[tuple[str, str]]:
        """Id and path of every file that is a document of this portal by its name, or a draft of one."""
        for folder, _, names in os.walk(self.corpus / FOLDER):
            for name in names:
                if name.startswith(f"{portal}-") and name.endswith((".xml", f".xml{_DRAFT}")):
                    yield id_of(name.removesuffix(_DRAFT)), (Path(folder) / name).relative_to(self.corpus).as_posix()

    def packed(self) -> Iterator[str]:
        """The paths of all documents in zips."""
        for place in self.zips:
            with suppress(*SPOILED), ZipFile(place) as file:
                yield from (f"{FOLDER}/{name}" for name in file.namelist() if _DOCUMENT.fullmatch(name))

    def _file(self, path: str) -> Path:
        """Raises CorpusError for a path that leads out of the corpus: a database or a zip of somebody else may hold any."""
        if not path.startswith(f"{FOLDER}/") or ".." in path.split("/") or "\\" in path or "\0" in path:
            raise CorpusError(f"{path!r} is no place of a document. Delete build.sqlite, and build again.")
        return self.corpus / path

    def pack(self, database: BuildDatabase, work: Work, *, failed: int) -> None:
        """Put documents into the zips that they belong in, and take out what is no document any more. Raises CorpusError.

        `failed`: articles of which none was made, for the lines of progress.
        """
        folder = self.corpus / FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        kept: set[str] = set()
        done, total = 0, database.count()
        for name, of_zip in groupby(database.paths(), key=_zip_of):
            work.show("packing", done, total, failed=failed)
            if work.stopped:
                return
            paths = list(of_zip)
            files = [path for path in paths if (self.corpus / path).exists()]
            holds = sha256("\n".join(paths).encode()).hexdigest()
            if files or database.noted(name) != holds or not self._has_zip(name):
                database.note(name, holds if self._zip(name, paths, work) == len(paths) else "")
                for path in files:
                    self.remove(path)
            kept.add(name)
            done += len(paths)
        for place in (*self.zips, *folder.glob(f"*.zip{_DRAFT}")):
            if place.name not in kept:
                place.unlink()

    def _zip(self, name: str, paths: Sequence[str], work: Work) -> int:
        """Make the zip that holds these documents, on the disk when this returns; how many of them are anywhere."""
        place, held = self.corpus / FOLDER / name, 0
        draft = place.with_name(name + _DRAFT)
        with draft.open("wb") as out:
            with ZipFile(out, "w", ZIP_DEFLATED) as file:
                for path in paths:
                    document = self.read(path)
                    if document is not None:
                        file.writestr(zip_member(path.removeprefix(f"{FOLDER}/")), document)
                        held += 1
                    elif self._has_zip(name):
                        raise CorpusError(f"{FOLDER}/{name} is damaged. Delete it, and build again.")
                    else:
                        work.say(f"{path} is lost, and with it what it was made of.")
            out.flush()
            os.fsync(out.fileno())
        if (old := self._open.pop(name, None)) is not None:
            old.close()
        if held:
            draft.replace(place)
            self._whole[name] = True
        return held


def _zip_of(path: str) -> str:
    """The name of the zip that a document belongs in: 2024-05.zip; undated-3f.zip by its id."""
    folders = path.split("/")
    return f"{'-'.join(folders[1:3]) if folders[1] != 'undated' else f'undated-{id_of(path)[-16:-14]}'}.zip"


def zip_member(name: str, compressed: int = ZIP_DEFLATED) -> ZipInfo:
    """What tells of a file in a zip: the same whenever and wherever it is written."""
    member = ZipInfo(name, _LONG_AGO)
    member.compress_type, member.external_attr, member.create_system = compressed, _READABLE_BY_ALL, _UNIX
    return member


def id_of(path: str) -> str:
    """Of the article whose document has this path."""
    return path.rpartition("/")[2].removesuffix(".xml")
