"""The names that occur on the pages of an article, by which it is known whether a rule can match anything
there.

A name is that of a tag, a class, an id, an attribute, a `meta`, the relation of a `link`, or a key of
JSON-LD. What a rule needs is written in the same names: `config/rule_needs.py`.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, chain
from operator import methodcaller
from struct import Struct
from typing import Any, NamedTuple
from zlib import crc32

from webarticlecurator.budget import MAX_STEPS
from webarticlecurator.config.rule_needs import ASKED, ATTRIBUTE, CLASS, ID, KEY, META, RELATION, TAG, Need
from webarticlecurator.model.page import NoPage, Outline, Page, relations
from webarticlecurator.own_patterns import linear
from webarticlecurator.selectors import BLANKS

MOST_PAGES = 20
"""Pages of an article, captures among them, whose names are kept; one of more is read after each change."""
_NUMBERS = 1 << 20
"""How many numbers there are for names: two names seldom share one, and if they do, a page is read in
vain."""
_HEAD = Struct("<II")
"""Work and depth, before the names."""
_MOST_WORK = 2**32 - 1
"""The largest number that it holds."""
_FARTHEST = 2**16 - 1
"""The greatest distance between two numbers."""
_DIGITS = linear("[0-9]+")
_ODD_BLANK = linear(r"[^\S \t\r\n\f]")
"""A blank that parts words for Python, and no classes in HTML."""
_NAMES = methodcaller("keys")
"""Gives the names of an element's attributes."""
_LEFT_FOR_CHANGES = MAX_STEPS // 2
"""Steps of looking at elements that the changed rules of one build may take on a page, at most."""


class PageNames(NamedTuple):
    """The names on all pages of an article, and how much there is to look at."""

    names: frozenset[int]
    """The numbers of all names."""
    work: int
    """How many elements are around all elements, added up: what it costs at most to look above each once."""
    depth: int
    """How deep the deepest element stands."""

    def may_match(self, needs: Collection[Numbers]) -> bool:
        """Say whether one of several rules can match anything, or would be long in finding out that it does
        not.

        A rule that matches nothing may still take all the steps that a page allows, which ends its reading.
        """
        steps = sum(self.work * max(self.depth, 2) ** need.walks for need in needs)
        return steps > _LEFT_FOR_CHANGES or any(need.names <= self.names for need in needs)

    @classmethod
    def of_any(cls, several: Iterable[PageNames]) -> PageNames:
        """Return the names that occur on any of several pages, and the most that there is to look at on
        one."""
        names, work, depths = zip(*several, strict=True)
        return cls(frozenset().union(*names), max(work), max(depths))

    def pack(self) -> bytes:
        """Return them as bytes: work and depth, then the numbers in order, each as its distance from the one
        before; where that is too far, by way of a number that no name has."""
        distances, before = array("H"), 0
        for number in sorted(self.names):
            while number - before > _FARTHEST:
                distances.append(_FARTHEST)
                before += _FARTHEST
            distances.append(number - before)
            before = number
        return _HEAD.pack(min(self.work, _MOST_WORK), self.depth) + _little_endian(distances).tobytes()

    @classmethod
    def unpack(cls, packed: bytes) -> PageNames:
        """Return what was packed."""
        work, depth = _HEAD.unpack_from(packed)
        distances = _little_endian(array("H", packed[_HEAD.size :]))
        return cls(frozenset(accumulate(distances)), work, depth)


UNKNOWN = PageNames(frozenset(), _MOST_WORK, 0)
"""Stands for names that are not known: whatever rule is another may match."""


def _little_endian(distances: array[int]) -> array[int]:
    """Return numbers as they are on most machines, on whichever this is; or those that are so as they are on
    this one."""
    if sys.byteorder == "big":
        distances.byteswap()
    return distances


class Numbers(NamedTuple):
    """The need of a rule, with the numbers of names in place of the names."""

    names: frozenset[int]
    walks: int

    @classmethod
    def of(cls, need: Need) -> Numbers:
        """Return the numbers of a need."""
        return cls(frozenset(map(number_of, need.names)), max(0, need.walks - 1))


@lru_cache(1 << 16)
def number_of(name: str) -> int:
    """Return the number of a name, the same on every machine; names that differ in digits alone share it, so
    that what counts articles up is one name."""
    folded = name if name.startswith(TAG) else _DIGITS.sub("0", name)
    return crc32(folded.encode("utf-8", "surrogatepass")) % _NUMBERS


def names_of(pages: Sequence[Page | NoPage]) -> PageNames | None:
    """Return the names on all pages that an article was read from; None where that cannot be known: it has
    too many, one is damaged or no HTML, or the rules have taken most of their time."""
    known = [page for page in pages if isinstance(page, Page) and _is_known(page)]
    if len(pages) > MOST_PAGES or len(known) < len(pages):
        return None
    names, work, deepest = set[str](), 0, 0
    for page in known:
        names.update(_of_head(page))
        for outline in (page.outline, *map(Outline, page.parts)):
            names.update(_of_outline(outline))
            depths = _depths(outline)
            work += sum(depths)
            deepest = max(deepest, *depths)
    return PageNames(frozenset(map(number_of, names)), work, deepest)


def _is_known(page: Page) -> bool:
    return page.tree is not None and page.budget.steps >= _LEFT_FOR_CHANGES


def _depths(outline: Outline) -> list[int]:
    """Return how deep each element stands."""
    depths: list[int] = []
    for parent in outline.parents:
        depths.append(depths[parent] + 1 if parent >= 0 else 1)
    return depths


def _of_outline(outline: Outline) -> Iterator[str]:
    """Yield the names of elements, of their attributes, classes and ids."""
    # Asked of every page: no calls but to the interpreter's own.
    yield from map(TAG.__add__, set(outline.tags))
    yield from map(ATTRIBUTE.__add__, set[str]().union(*map(_NAMES, outline.elements)))
    yield from map(ID.__add__, filter(None, set(outline.attribute("id"))))
    classes = " ".join(filter(None, set(outline.attribute("class"))))
    yield from map(CLASS.__add__, set(classes.split()))
    if _ODD_BLANK.search(classes):  # part classes for the tag dictionary, and not for selectors
        yield from map(CLASS.__add__, BLANKS.split(classes))


def _of_head(page: Page) -> Iterator[str]:
    """Yield the names of what picks look for on the whole page: names of `meta`, relations of `link`, keys of
    JSON-LD; and the texts on it that the portal's title may be."""
    yield from map(ASKED.__add__, page.asked)
    for meta in page.outline.named("meta"):
        yield f"{META}{meta.get('name', '').lower()}"
        yield f"{META}{meta.get('property', '').lower()}"
    yield from map(RELATION.__add__, chain.from_iterable(map(relations, page.outline.named("link"))))
    yield from map(KEY.__add__, _keys_in(page.json_ld))


def _keys_in(values: Iterable[Any]) -> Iterator[str]:
    """Yield all keys in JSON, however deep."""
    waiting = list(values)
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            yield from value
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
