"""The contents of a release, by its level, and what it says of itself; and checks that it is what was made:
its files by the bag's checksums, its list by the fingerprint, each document by the list."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from hashlib import file_digest, sha256
from heapq import merge
from importlib import import_module
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from struct import Struct
from typing import Annotated, Any, Literal, get_args
from zipfile import BadZipFile, ZipFile

import msgspec

from webarticlecurator.building.document_store import LARGEST, SPOILED, id_of
from webarticlecurator.errors import CorpusError, UsageError
from webarticlecurator.model.progress import Work
from webarticlecurator.tei.document import part_digest

Level = Literal["ids", "metadata", "texts", "full"]
"""The levels of releases: each holds all that those before it hold."""
LEVELS: tuple[str, ...] = get_args(Level)
PAYLOAD = "data"
"""BagIt's name for the folder of everything but checksums."""
ARTICLES = "articles.jsonl"
MOST = 10_000
"""Documents of one zip."""
_LONGEST = 4 << 20
"""Bytes of release.json, and of a line of articles.jsonl."""


def holds(level: str, other: str) -> bool:
    """True if a release of this level holds all that one of the other level holds."""
    return LEVELS.index(level) >= LEVELS.index(other)


def library(name: str) -> Any:
    """A module that only releases need. Raises UsageError."""
    try:
        return import_module(name)
    except ModuleNotFoundError:
        raise UsageError(
            f'Releases need {name}, which is not installed: pip install "webarticlecurator[release]"'
        ) from None


class ReleasedPortal(msgspec.Struct, frozen=True):
    """The account that a release gives of one of its portals."""

    name: Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]([a-z0-9._-]{0,62}[a-z0-9_])?\Z")]
    """The name as portal files may say it: paths are made of it."""
    title: str
    home: str
    articles: int
    rules: tuple[str, ...]
    """Digests of the rules that its documents name."""
    corrected: int = 0
    """The number of articles with values mended by hand: corrections.yaml beside the rules lists them."""
    publisher: str | None = None
    licence: str | None = None
    rights: str | None = None


class Release(msgspec.Struct, frozen=True):
    """The account of a release: release.json."""

    program: str
    """The name and version of the program."""
    made: str
    """The day: the only date that is not that of an article, a page, or a document's making."""
    level: Level
    fingerprint: str
    """The fingerprint: `sha256:` and the digest of articles.jsonl."""
    articles: int
    portals: tuple[ReleasedPortal, ...]
    creators: tuple[str, ...]


class ReleasedArticle(msgspec.Struct, frozen=True):
    """A line of articles.jsonl."""

    id: Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9._-]{1,100}\Z")]
    document: str
    """The SHA-256 of its TEI document, without what tells when and by which version it was made: so it can be
    made again."""
    records: tuple[tuple[str, str], ...]
    """The responses that the article was read from: WARC-Record-ID and WARC-Payload-Digest of each."""


def account_of(folder: Path) -> Release:
    """Return the release.json of a release. Raises UsageError where there is no release, or it may not be
    read, CorpusError where it cannot."""
    check_folder(folder)
    place = folder / PAYLOAD / "release.json"
    try:
        with place.open("rb") as file:
            return msgspec.json.decode(file.read(_LONGEST), type=Release)
    except (OSError, ValueError, RecursionError) as error:
        raise CorpusError(f"{place} cannot be read: {error}") from None


def check_folder(folder: Path) -> None:
    """Check a folder of a release: they come from strangers, and nothing may lead out of the folder. Raises
    UsageError."""
    if not (folder / PAYLOAD).is_dir():
        raise UsageError(f"{folder} is no release: it has no folder {PAYLOAD}.", advice="release")
    for top, folders, names in os.walk(folder):
        for path in (Path(top) / name for name in (*folders, *names)):
            if not stat.S_ISREG(path.lstat().st_mode) and not stat.S_ISDIR(path.lstat().st_mode):
                raise UsageError(
                    f"{path} is a link or no plain file, and a release has none: nothing of it was read."
                )


def released_articles(folder: Path) -> Iterator[tuple[bytes, ReleasedArticle]]:
    """The lines of its list. Raises CorpusError for the first that is none, and where they are not in
    order."""
    place, before = folder / PAYLOAD / ARTICLES, ""
    try:
        with place.open("rb") as lines:
            while line := lines.readline(_LONGEST):
                article = msgspec.json.decode(line, type=ReleasedArticle)
                if article.id <= before or not line.endswith(b"\n"):
                    raise ValueError(f"{article.id} is not in the order of ids, or its line has no end")
                before = article.id
                yield line, article
    except (OSError, ValueError, RecursionError) as error:
        raise CorpusError(f"{place} cannot be read after {before or 'its beginning'}: {error}") from None


# --- is it what was made? ---

_TAG_FILES = ("bag-info.txt", "bagit.txt", "manifest-sha256.txt")
_TAG_MANIFEST = "tagmanifest-sha256.txt"
_SHARD_END, _ZIP64 = Struct("<4s16x4s4x2xHL6x"), b"PK\6\7"
"""The form in which a zip of documents ends, and the mark that would stand before that if it were of the form
without limits: there is no comment."""


def verify(folder: Path, work: Work) -> Iterator[str]:
    """Give what is wrong, a sentence each. Raises UsageError where it is no release, or may not be read."""
    check_folder(folder)
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    payload = {name for name in there if name.startswith(f"{PAYLOAD}/")}
    yield from _bag_findings(
        folder, _TAG_MANIFEST, there, {*_TAG_FILES, *there} - payload - {_TAG_MANIFEST}, work
    )
    yield from _bag_findings(folder, "manifest-sha256.txt", there, payload, work)
    try:
        yield from _article_findings(folder, work)
    except CorpusError as error:
        yield str(error)


def _bag_findings(
    folder: Path, manifest: str, there: set[str], belonging: set[str], work: Work
) -> Iterator[str]:
    """Give what is wrong by checksums of the bag. Nothing is opened because a list names it, but what lies in
    the folder."""
    if manifest not in there:
        yield f"{manifest} is missing: it was not read"
        return
    if (folder / manifest).stat().st_size > 128 << 20:  # that of a million files
        yield f"{manifest} is far too large: it was not read"
        return
    lines = (folder / manifest).read_bytes().decode("utf-8", "replace").split("\n")[:-1]
    listed = {name.removeprefix(" "): digest for digest, _, name in (line.partition(" ") for line in lines)}
    for name in sorted(listed.keys() | belonging):
        work.step("checksums")
        if name not in belonging & there:
            yield f"{name} is missing; {manifest} lists it"
        elif name not in listed:
            yield f"{name} was added; {manifest} does not list it"
        elif _sha256_of(folder / name) != listed[name]:
            yield f"{name}, or its checksum in {manifest}, was changed"


def _sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def side_by_side(
    left: Iterable[tuple[str, Any]], right: Iterable[tuple[str, Any]]
) -> Iterator[tuple[str, Any, Any]]:
    """Give what two rows that are sorted by their names have under each name; None where one has nothing."""
    both: Iterator[tuple[str, int, Any]] = merge(
        ((name, 0, value) for name, value in left),
        ((name, 1, value) for name, value in right),
        key=itemgetter(0, 1),
    )
    for name, group in groupby(both, key=itemgetter(0)):
        values = {side: value for _, side, value in group}
        yield name, values.get(0), values.get(1)


def _article_findings(folder: Path, work: Work) -> Iterator[str]:
    release = account_of(folder)
    digest_of_list, number, unreadable = sha256(), 0, list[str]()

    def listed() -> Iterator[tuple[str, str]]:
        nonlocal number
        for number, (line, article) in enumerate(released_articles(folder), start=1):
            digest_of_list.update(line)
            work.step("documents", number, release.articles)
            yield article.id, article.document

    def documents() -> Iterator[tuple[str, str]]:
        before = ""
        for shard in sorted((folder / PAYLOAD / "tei").glob("*.zip")):
            for name, digest in _documents(shard, unreadable):
                yield name, digest if name > before else "it is there twice, or not in the order of ids"
                before = name

    has_documents = holds(release.level, "texts")
    for name, digest, own in side_by_side(listed(), documents() if has_documents else ()):
        if digest is None:
            yield f"{name}: there is a document of it in data/tei, and articles.jsonl does not list it"
        elif own is None and has_documents:
            yield f"{name}: its document is missing in data/tei"
        elif own is not None and own != digest:
            yield f"{name}: its document was changed ({own if ' ' in own else 'its digest is another'})"
    yield from unreadable
    if (
        fingerprint := f"sha256:{digest_of_list.hexdigest()}"
    ) != release.fingerprint or number != release.articles:
        yield (
            f"articles.jsonl, or the fingerprint in release.json, was changed: the list of {number:,} "
            f"articles gives {fingerprint}"
        )


def _documents(shard: Path, unreadable: list[str]) -> Iterator[tuple[str, str]]:
    """The id and the digest of each document of a zip, which anybody may have written; no digest of what
    cannot be read."""
    try:
        with shard.open("rb") as file:
            file.seek(-_SHARD_END.size, os.SEEK_END)
            larger, signature, number, directory = _SHARD_END.unpack(file.read())
        if larger == _ZIP64 or signature != b"PK\5\6" or number > MOST or directory > 1024 * MOST:
            raise BadZipFile("it is not as curator writes it")
        with ZipFile(shard) as file:
            members = file.infolist()
            if (
                sum(member.file_size for member in members) > 1100 * shard.stat().st_size
            ):  # deflate packs no better
                raise BadZipFile("it holds more than its bytes can hold")
            for member in members:
                try:
                    yield (
                        id_of(member.filename),
                        part_digest(file.read(member)) if member.file_size <= LARGEST else "it is too large",
                    )
                except SPOILED:
                    yield id_of(member.filename), "it cannot be unpacked"
    except (OSError, *SPOILED) as error:
        unreadable.append(f"{shard.name} in data/tei cannot be read: {error}")
