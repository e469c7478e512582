"""Which selectors find articles: as many links as may be, on as many pages, that are likely articles and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log1p, sqrt

from lxml.etree import _Element as Element

from webarticlecurator.learning.links.anchors import Anchor, LinksOfPages

MOST_TRIED = 400
"""Sets of links that are looked at more closely."""
MOST_JOINED = 2
"""Further selectors beside the first."""
_EXPONENT = 2.2
"""Of the precision: rather a link too few than a menu."""
_IN_BOX = 0.55
_OTHER_SHAPES = 0.6
_SAME_PRECISION = 0.85
_SAME_SHAPE = 0.75
"""Share of what a further selector adds that must look like the rest."""
_NEAR = 2
"""Levels above the element that holds the first one's links, in which those of a further one may stand."""
_EXAMPLE_LIKELY = 0.9


@dataclass(frozen=True, slots=True)
class Ranked:
    """A selector, or several, with the addresses that it finds."""

    selectors: tuple[str, ...]
    bits: int
    precision: float
    score: float

    @property
    def css(self) -> str:
        return ", ".join(self.selectors)

    @property
    def order(self) -> tuple[float, float, int, int, str]:
        return (-self.score, -self.precision, -self.bits.bit_count(), len(self.css), self.css)


def members(bits: int) -> Iterator[int]:
    """The numbers whose bits are set, the lowest first."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


class Ranking:
    """The candidates of some pages."""

    def __init__(self, links: LinksOfPages, found: Mapping[str, int], examples: Iterable[str] = ()) -> None:
        self._links = links
        wanted = frozenset(examples)
        self._wanted = sum(1 << number for number, one in enumerate(links.addresses) if one.url in wanted)
        shapes = {links.addresses[number].shape for number in members(self._wanted)}
        self._likely = [one.likely if not shapes else _by_example(one.likely, one.shape in shapes) for one in links.addresses]
        self._in_box = self._boxed(links.anchors)
        self._selectors = _shortest(found)

    @cached_property
    def best(self) -> tuple[Ranked, ...]:
        """Each set of links once, the best first."""
        bits = [one for one in self._selectors if one & self._wanted or not self._wanted]
        ranked = sorted((self._rank((self._selectors[one],), one) for one in bits), key=lambda one: one.order)[:MOST_TRIED]
        joined = [self._joined(one, ranked) for one in ranked[:5]]
        distinct: dict[int, Ranked] = {}
        for one in sorted((*ranked, *filter(None, joined)), key=lambda one: one.order):
            distinct.setdefault(one.bits, one)
        return tuple(distinct.values())

    def _boxed(self, anchors: Sequence[Anchor]) -> int:
        """Addresses that stand in boxes alone."""
        inside = outside = 0
        for anchor in anchors:
            if anchor.in_box:
                inside |= 1 << anchor.number
            else:
                outside |= 1 << anchor.number
        return inside & ~outside

    def _rank(self, selectors: tuple[str, ...], bits: int) -> Ranked:
        numbers = list(members(bits))
        addresses = [self._links.addresses[number] for number in numbers]
        count = len(numbers)
        precision = sum(self._likely[number] for number in numbers) / count
        pages = len({one.page for one in addresses})
        shapes = Counter(one.shape for one in addresses)
        score = precision**_EXPONENT * log1p(count / pages) * sqrt(pages / self._links.pages)
        score *= 1 - (1 - _IN_BOX) * (bits & self._in_box).bit_count() / count
        score *= _OTHER_SHAPES + (1 - _OTHER_SHAPES) * max(shapes.values()) / count
        if self._wanted:
            score *= (bits & self._wanted).bit_count() / self._wanted.bit_count()
        return Ranked(selectors, bits, round(precision, 6), round(score, 6))

    def _joined(self, first: Ranked, others: Sequence[Ranked]) -> Ranked | None:
        """With up to two more that find the same kind of links in the same place."""
        joined = first
        for _ in range(MOST_JOINED):
            further = [one for one in others if self._belongs(one, joined)]
            ranked = [self._rank((*joined.selectors, *one.selectors), joined.bits | one.bits) for one in further]
            better = [one for one in ranked if one.score > joined.score]
            if not better:
                break
            joined = min(better, key=lambda one: one.order)
        return joined if joined is not first else None

    def _belongs(self, one: Ranked, joined: Ranked) -> bool:
        new = one.bits & ~joined.bits
        if not new or one.precision < _SAME_PRECISION * joined.precision or new & self._in_box & ~joined.bits:
            return False
        shapes = {self._links.addresses[number].shape for number in members(joined.bits)}
        added = [self._links.addresses[number].shape in shapes for number in members(new)]
        if sum(added) < _SAME_SHAPE * len(added):
            return False
        if one.bits & joined.bits:
            return True
        return self._links.pages > 1 and self._is_near(one.bits, joined.bits)

    def _is_near(self, one: int, other: int) -> bool:
        """Whether on each page both stand in one element, not far above the one that holds the links of the second."""
        by_page: dict[int, tuple[list[Element], list[Element]]] = {}
        for anchor in self._links.anchors:
            bit = 1 << anchor.number
            if bit & (one | other) and not anchor.in_box:
                both, held = by_page.setdefault(anchor.page, ([], []))
                both.append(anchor.element)
                if bit & other:
                    held.append(anchor.element)
        return all(held and _depth(_common(held)) - _depth(_common(both)) <= _NEAR for both, held in by_page.values())


def _by_example(likely: float, same_shape: bool) -> float:
    return max(likely, _EXAMPLE_LIKELY) if same_shape else likely * _OTHER_SHAPES


def _shortest(found: Mapping[str, int]) -> dict[int, str]:
    """Each set of links with the selector that is said most easily."""
    shortest: dict[int, str] = {}
    for selector, bits in found.items():
        known = shortest.get(bits)
        if known is None or (len(selector), selector) < (len(known), known):
            shortest[bits] = selector
    return shortest


def _common(elements: Sequence[Element]) -> Element:
    """The innermost element around all of them."""
    around = list(elements[0].iterancestors())
    for element in elements[1:]:
        own = set(element.iterancestors())
        around = [one for one in around if one in own]
    return around[0]


def _depth(element: Element) -> int:
    return sum(1 for _ in element.iterancestors())
