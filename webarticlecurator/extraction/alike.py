"""Finding what repeats on a page: things of one make, and the elements that hold one of them, or several.

Posts of threads, boxes of teasers, numbers of pagers and items of lists are known by it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable
from itertools import chain, islice
from typing import TypeVar

from lxml.etree import _Element as Element

Thing = TypeVar("Thing")
Make = TypeVar("Make", bound=Hashable)


def by_make(things: Iterable[Thing], make_of: Callable[[Thing], Make]) -> dict[Make, list[Thing]]:
    """Return the things of each make, in their order."""
    alike: defaultdict[Make, list[Thing]] = defaultdict(list)
    for thing in things:
        alike[make_of(thing)].append(thing)
    return dict(alike)


def first_of_each(things: Iterable[Thing], make_of: Callable[[Thing], Hashable]) -> list[Thing]:
    """Return the first thing of each make, in their order."""
    first: dict[Hashable, Thing] = {}
    for thing in things:
        first.setdefault(make_of(thing), thing)
    return list(first.values())


def make_of(element: Element) -> str:
    """Return the tag and the first class of an element, which things of one list have in common."""
    return " ".join((str(element.tag), *element.get("class", "").split()[:1]))


def held_in(elements: Iterable[Element], levels: int | None = None) -> Counter[Element]:
    """Return how many of the elements each element around them holds, up to so many levels above."""
    return Counter(chain.from_iterable(islice(element.iterancestors(), levels) for element in elements))
