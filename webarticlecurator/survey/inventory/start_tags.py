"""Start tags as they are written in pages: the simplified tag of each, and how many different ones there are."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from heapq import nsmallest
from typing import NamedTuple

from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.tag_names import Tag, simplified, telling

_MOST = 10_000
"""Start tags that are remembered; links make a new one each."""
_LONGEST = 1_000
"""Characters of one that is remembered: a page may hold its pictures in attributes."""
_MOST_HASHES = 16_384
"""That are kept: the estimate is within about one in a hundred."""
_HASHES = 1 << 64


class StartTag(NamedTuple):
    """One start tag."""

    tag: Tag
    text: str
    """Of the tag."""
    hash: int


class StartTags:
    """What this process has seen, so that each is looked at once."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], StartTag] = {}
        self._tags: dict[tuple[object, ...], tuple[Tag, str]] = {}

    def of(self, element: Element) -> StartTag:
        """The start tag of an element."""
        written = (element.tag, *element.items())
        start = self._known.get(written)
        if start is None:
            text = repr(written)
            start = StartTag(*self._tag(element), hash_of(text))
            if len(self._known) >= _MOST:
                self._known.clear()
            if len(text) <= _LONGEST:
                self._known[written] = start
        return start

    def _tag(self, element: Element) -> tuple[Tag, str]:
        """Most start tags that were not seen before differ in nothing but an address."""
        kind = (element.tag, *telling(attributes_of(element)))
        known = self._tags.get(kind)
        if known is None:
            if len(self._tags) >= _MOST:
                self._tags.clear()
            tag = simplified(element.tag, attributes_of(element))
            known = self._tags[kind] = tag, tag.text
        return known


def attributes_of(element: Element) -> list[tuple[str, str]]:
    """As they stand in the page; lxml's types also allow for bytes, which its parsers never give."""
    return element.items()  # type: ignore[return-value]


def hash_of(text: str) -> int:
    """64 bits; the same in every process."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


class DistinctCount:
    """How many different things there are, in bounded memory: exact for some thousands, then an estimate.

    It keeps the smallest hashes of all that was added: how densely they lie says how many there were.
    """

    def __init__(self, hashes: Iterable[int] = ()) -> None:
        self._kept = set(hashes)
        self._limit = _HASHES

    def add(self, one: int) -> None:
        """Take in the hash of one thing."""
        if one < self._limit:
            self._kept.add(one)
            if len(self._kept) >= 2 * _MOST_HASHES:
                self._shrink()

    def join(self, other: DistinctCount) -> None:
        """Take in all that another one has."""
        for one in other._kept:
            self.add(one)

    @property
    def count(self) -> int:
        """How many there were."""
        self._shrink()
        return len(self._kept) if len(self._kept) < _MOST_HASHES else round((_MOST_HASHES - 1) * (_HASHES / (max(self._kept) + 1)))

    def _shrink(self) -> None:
        if len(self._kept) > _MOST_HASHES:
            self._kept = set(nsmallest(_MOST_HASHES, self._kept))
            self._limit = max(self._kept)
