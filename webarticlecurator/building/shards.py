"""Shards: zips of at most 10,000 documents by date. How documents are divided among them, and the index that says where each lies.

A shard is never changed: its name tells its content, and the index is what makes another one take its place.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from itertools import pairwise
from typing import Any, Self

import orjson

from webarticlecurator.building.database import BuildDatabase
from webarticlecurator.building.document_zips import FOLDER
from webarticlecurator.errors import CorpusError

MOST = 10_000
"""Documents of one shard."""
INDEX = "index.json"
"""Its name in the folder of documents."""
_NAME = re.compile(r"(\d{4}|undated)[0-9a-f-]*-[0-9a-f]{16}\.zip")
_DAY = (len(f"{FOLDER}/2024/05"), len(f"{FOLDER}/2024/05/01"))
_DIGITS = 4
"""Of ids: a day of more than 10,000 documents is divided by these."""


@dataclass(frozen=True, slots=True)
class Shard:
    """One zip file, as the index tells of it."""

    file: str
    """Its name in the folder of documents."""
    first: str
    """Path of its first document, below the corpus folder."""
    last: str
    documents: int
    paths: str
    """Digest of the paths of its documents."""
    bytes: int
    sha256: str

    @property
    def path(self) -> str:
        """Below the corpus folder."""
        return f"{FOLDER}/{self.file}"


@dataclass(frozen=True, slots=True)
class ShardIndex:
    """Which documents lie in which shard."""

    shards: tuple[Shard, ...] = ()
    """In the order of their documents."""
    _firsts: Sequence[str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_firsts", [shard.first for shard in self.shards])

    def shard_of(self, path: str) -> Shard | None:
        """The one that would hold a document."""
        at = bisect_right(self._firsts, path) - 1
        return self.shards[at] if at >= 0 and path <= self.shards[at].last else None

    @classmethod
    def of_json(cls, content: bytes) -> Self:
        """Of the file that `as_json` made. Raises CorpusError."""
        try:
            shards = tuple(Shard(**told) for told in orjson.loads(content)["shards"])
            sound = all(_is_told(one) and is_shard(one.file) and one.first <= one.last for one in shards)
            if not sound or any(one.last >= other.first for one, other in pairwise(shards)):
                raise ValueError("its shards are none")
        except (ValueError, TypeError, KeyError) as error:
            raise CorpusError(f"{FOLDER}/{INDEX} cannot be read ({error}). Delete it; `curator build --shards` makes it again.") from error
        return cls(shards)

    def as_json(self) -> bytes:
        """For people and programs; the same shards give the same bytes."""
        told: dict[str, Any] = {"documents": sum(one.documents for one in self.shards), "shards": [asdict(one) for one in self.shards]}
        return orjson.dumps(told, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _is_told(shard: Shard) -> bool:
    """Whether all that is said of a shard, which may be anything, is of its kind."""
    texts = (shard.file, shard.first, shard.last, shard.paths, shard.sha256)
    return all(isinstance(one, str) for one in texts) and all(isinstance(one, int) for one in (shard.documents, shard.bytes))


def is_shard(name: str) -> bool:
    """Whether a file of the folder of documents is called like a shard."""
    return _NAME.fullmatch(name) is not None


def digest_of(paths: Iterable[str]) -> str:
    """By which it is seen that a shard holds the documents that it has to hold."""
    return sha256("\n".join(paths).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Stretch:
    """Documents that lie together, in the order of their paths."""

    prefix: str
    """Of the paths: where it begins."""
    documents: int

    def label(self, portal: str) -> str:
        """For names: 2024, 2024-05, 2024-05-01, undated-3f."""
        return self.prefix.removeprefix(f"{FOLDER}/").replace(f"/{portal}-", "-").replace("/", "-")


def divided(database: BuildDatabase, portal: str, most: int) -> Iterator[Stretch]:
    """All documents of a portal in stretches for one shard each.

    How they are divided depends on nothing but what there is: years that hold too many into months, these into days, days by the ids of
    their documents; neighbours of one level are taken together again as far as they fit. So a new document never moves those of other
    years, and seldom those of other months.
    """
    for folder, documents in database.document_folders(FOLDER):
        ids = len(f"{folder if folder.endswith('undated') else f'{folder}/05/01'}/{portal}-")
        lengths = [*(() if folder.endswith("undated") else _DAY), *range(ids + 1, ids + 1 + _DIGITS)]
        yield from _pieces(database, Stretch(folder, documents), lengths, most)


def _pieces(database: BuildDatabase, whole: Stretch, lengths: Sequence[int], most: int) -> list[Stretch]:
    if whole.documents <= most or not lengths:
        return [whole]
    pieces: list[Stretch] = []
    for prefix, documents in database.document_counts(whole.prefix, lengths[0]):
        below = _pieces(database, Stretch(prefix, documents), lengths[1:], most)
        before = pieces[-1] if pieces else None
        is_neighbour = before is not None and len(before.prefix) == len(prefix) and len(below) == 1
        if before is not None and is_neighbour and before.documents + documents <= most:
            pieces[-1] = Stretch(before.prefix, before.documents + documents)
        else:
            pieces += below
    return pieces
