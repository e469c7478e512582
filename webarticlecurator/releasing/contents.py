"""What a release holds, by its level, what it says of itself, and its fingerprint."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import msgspec

from webarticlecurator.errors import CorpusError, UsageError

Level = Literal["ids", "metadata", "texts", "full"]
"""Each holds all that those before it hold."""
LEVELS: tuple[str, ...] = get_args(Level)
PAYLOAD = "data"
"""BagIt's name for the folder of everything but checksums."""
ARTICLES = "articles.jsonl"
_LONGEST = 4 << 20
"""Bytes of release.json, and of a line of articles.jsonl."""


def holds(level: str, other: str) -> bool:
    """Whether a release of this level holds all that one of the other level holds."""
    return LEVELS.index(level) >= LEVELS.index(other)


def library(name: str) -> Any:
    """A module that only releases need. Raises UsageError."""
    try:
        return import_module(name)
    except ModuleNotFoundError:
        raise UsageError(f'Releases need {name}, which is not installed: pip install "webarticlecurator[release]"') from None


class ReleasedPortal(msgspec.Struct, frozen=True):
    """What a release says of one of its portals."""

    name: Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]([a-z0-9._-]{0,62}[a-z0-9_])?\Z")]
    """As portal files may say it: paths are made of it."""
    title: str
    home: str
    articles: int
    rules: tuple[str, ...]
    """Digests of the rules that its documents name."""
    publisher: str | None = None
    licence: str | None = None
    rights: str | None = None


class Release(msgspec.Struct, frozen=True):
    """release.json."""

    program: str
    """Name and version."""
    made: str
    """The day: the only date that is not that of an article, a page, or a document's making."""
    level: Level
    fingerprint: str
    """`sha256:` and the digest of articles.jsonl."""
    articles: int
    portals: tuple[ReleasedPortal, ...]
    creators: tuple[str, ...]


class ReleasedArticle(msgspec.Struct, frozen=True):
    """A line of articles.jsonl."""

    id: Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9._-]{1,100}\Z")]
    document: str
    """SHA-256 of its TEI document, without what tells when and by which version it was made: so it can be made again."""
    records: tuple[tuple[str, str], ...]
    """Of the responses that it was read from: WARC-Record-ID and WARC-Payload-Digest."""


def account_of(folder: Path) -> Release:
    """Its release.json. Raises UsageError where there is no release, or it may not be read, CorpusError where it cannot."""
    check_folder(folder)
    place = folder / PAYLOAD / "release.json"
    try:
        with place.open("rb") as file:
            return msgspec.json.decode(file.read(_LONGEST), type=Release)
    except (OSError, ValueError, RecursionError) as error:
        raise CorpusError(f"{place} cannot be read: {error}") from None


def check_folder(folder: Path) -> None:
    """Releases come from strangers: nothing may lead out of the folder. Raises UsageError."""
    if not (folder / PAYLOAD).is_dir():
        raise UsageError(f"{folder} is no release: it has no folder {PAYLOAD}. Name the folder that `curator release` made.")
    for top, folders, names in os.walk(folder):
        for path in (Path(top) / name for name in (*folders, *names)):
            if not stat.S_ISREG(path.lstat().st_mode) and not stat.S_ISDIR(path.lstat().st_mode):
                raise UsageError(f"{path} is a link or no plain file, and a release has none: nothing of it was read.")


def released_articles(folder: Path) -> Iterator[tuple[bytes, ReleasedArticle]]:
    """The lines of its list. Raises CorpusError for the first that is none, and where they are not in order."""
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
