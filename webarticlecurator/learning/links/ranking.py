"""Which selectors find articles: as many links as may be, on as many pages, that are likely articles and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from math import log1p
from operator import or_

from lxml.etree import _Element as Element

from webarticlecurator.learning.links.anchors import LinksOfPages
from webarticlecurator.learning.links.candidates import Candidate

MOST_TRIED = 400
"""Sets of links that are looked at more closely."""
_EXTENDED = 5
"""The best sets, for which further selectors are looked for."""
MOST_JOINED = 2
"""Further selectors beside the first."""
_EXPONENT = 2.2
"""Of the precision: rather a link too few than a menu."""
_IN_BOX = 0.55
_HEADING = 1.12
"""Headlines stand in headings; links around pictures and excerpts lead to the same articles, but not always to all."""
_OTHER_SHAPES = 0.6
_SAME_PRECISION = 0.85
_SAME_SHAPE = 0.75
"""Share of what a further selector adds that must look like the rest."""
_NEAR = 2
"""Levels above the element that holds the first one's links, in which those of a further one may stand."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A selector, or several, with the addresses that it finds."""

    candidates: tuple[Candidate, ...]
    bits: int
    precision: float
    score: float

    @property
    def css(self) -> str:
        return ", ".join(one.selector for one in self.candidates)

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

    def __init__(self, links: LinksOfPages, found: Sequence[Candidate], examples: Iterable[str] = ()) -> None:
        self._links = links
        self._found = found
        wanted = frozenset(examples)
        self._wanted = sum(1 << number for number, one in enumerate(links.addresses) if one.url in wanted)
        shapes = {links.addresses[number].shape for number in members(self._wanted)}
        self._likely = [one.likely if not shapes or one.shape in shapes else one.likely * _OTHER_SHAPES for one in links.addresses]

    @cached_property
    def best(self) -> tuple[Ranked, ...]:
        """Each set of links once, the best first."""
        found = (one for one in self._found if one.bits & self._wanted or not self._wanted)
        ranked = sorted(map(self._rank, found), key=lambda one: one.order)[:MOST_TRIED]
        joined = [self._joined(one, ranked) for one in ranked[:_EXTENDED]]
        distinct: dict[int, Ranked] = {}
        for one in sorted((*ranked, *filter(None, joined)), key=lambda one: one.order):
            distinct.setdefault(one.bits, one)
        return tuple(distinct.values())

    def _rank(self, *candidates: Candidate) -> Ranked:
        bits = reduce(or_, (one.bits for one in candidates))
        numbers = list(members(bits))
        addresses = [self._links.addresses[number] for number in numbers]
        count = len(numbers)
        precision = sum(self._likely[number] for number in numbers) / count
        pages = len({one.page for one in addresses})
        shapes = Counter(one.shape for one in addresses)
        score = precision**_EXPONENT * log1p(count / pages) * pages / self._links.pages
        score *= _IN_BOX + (1 - _IN_BOX) * reduce(or_, (one.outside for one in candidates)).bit_count() / count
        score *= 1 + (_HEADING - 1) * reduce(or_, (one.in_headings for one in candidates)).bit_count() / count
        score *= _OTHER_SHAPES + (1 - _OTHER_SHAPES) * max(shapes.values()) / count
        if self._wanted:
            score *= (bits & self._wanted).bit_count() / self._wanted.bit_count()
        return Ranked(candidates, bits, round(precision, 6), round(score, 6))

    def _joined(self, first: Ranked, others: Sequence[Ranked]) -> Ranked | None:
        """With up to two more that find the same kind of links in the same place."""
        joined = first
        for _ in range(MOST_JOINED):
            further = [one for one in others if self._belongs(one, joined)]
            ranked = [self._rank(*joined.candidates, *one.candidates) for one in further]
            better = [one for one in ranked if one.score > joined.score]
            if not better:
                break
            joined = min(better, key=lambda one: one.order)
        return joined if joined is not first else None

    def _belongs(self, one: Ranked, joined: Ranked) -> bool:
        new = one.bits & ~joined.bits
        if not new or one.precision < _SAME_PRECISION * joined.precision or new & ~one.candidates[0].outside:
            return False
        shapes = {self._links.addresses[number].shape for number in members(joined.bits)}
        added = [self._links.addresses[number].shape in shapes for number in members(new)]
        if sum(added) < _SAME_SHAPE * len(added):
            return False
        if one.bits & joined.bits or not self._links.anchors:
            return bool(self._links.anchors)
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


def _common(elements: Sequence[Element]) -> Element:
    """The innermost element around all of them."""
    around = list(elements[0].iterancestors())
    for element in elements[1:]:
        own = set(element.iterancestors())
        around = [one for one in around if one in own]
    return around[0]


def _depth(element: Element) -> int:
    return sum(1 for _ in element.iterancestors())
