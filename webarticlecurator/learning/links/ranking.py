"""Which selectors find articles: as many links as may be, on as many pages, that are likely articles and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from math import log1p
from operator import or_
from statistics import median

from lxml.etree import _Element as Element

from webarticlecurator.learning.links.anchors import LinksOfPages
from webarticlecurator.learning.links.candidates import Candidate, as_found

MOST_SELECTED = 60
"""Selectors that are looked at more closely."""
_EXTENDED = 12
"""The best sets, for which further selectors are looked for."""
MOST_JOINED = 2
"""Further selectors beside the first."""
_EXPONENT = 2.2
"""Of the precision: rather a link too few than a menu."""
_IN_BOX, _RICH, _PLACES = 0.55, 0.85, 0.75
"""By what a score is multiplied where all links are in boxes, where no item says more than its link, and where nothing is in one place."""
_HEADING = 1.25
"""And where all are in headings: headlines stand there; links around pictures lead to the same articles, but not always to all."""
_OTHER_SHAPE, _OTHER_PLACE = 0.6, 0.7
"""How much less likely an address is an article's that does not look like the example on its page, or stands elsewhere."""
OTHER = 0.6
"""Of what two sets have at most in common, where one is no variant of the other."""
_LIKELY, _EMPTY = 0.35, 0.25
_SAME_PRECISION = 0.85
_SAME_SHAPE = 0.75
"""Share of what a further selector adds that must look like the rest."""
_NEAR, _FAR = 2, 5
"""Levels above the element that holds the first one's links, in which those of a further one may stand, and a lead of some pages."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A selector, or several, with the addresses that it finds."""

    candidates: tuple[Candidate, ...]
    bits: int
    precision: float
    score: float

    @property
    def is_item(self) -> bool:
        return self.candidates[0].is_item

    @property
    def css(self) -> str:
        return ", ".join(one.selector for one in self.candidates)

    @property
    def order(self) -> tuple[float, float, bool, int, int, str]:
        return (-self.score, -self.precision, self.is_item, -self.bits.bit_count(), len(self.css), self.css)


def members(bits: int) -> Iterator[int]:
    """The numbers whose bits are set, the lowest first."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def varied(ranked: Sequence[Ranked]) -> list[Ranked]:
    """The third is one that finds something else: where the first is wrong, those that hardly differ from it are mostly wrong, too."""
    other = next((one for one in ranked[2:] if all(_overlap(one.bits, better.bits) < OTHER for better in ranked[:2])), None)
    return [*ranked[:2], *([other] if other is not None else ()), *(one for one in ranked[2:] if one is not other)]


def _overlap(one: int, other: int) -> float:
    return (one & other).bit_count() / (one | other).bit_count()


class Ranking:
    """The candidates of some pages."""

    def __init__(self, links: LinksOfPages, found: Sequence[Candidate], examples: Iterable[str] = ()) -> None:
        self._links = links
        self._found = found
        wanted = frozenset(examples)
        self._places: dict[int, str] = {}
        for anchor in links.anchors:
            if not anchor.in_box or anchor.number not in self._places:
                self._places.setdefault(anchor.number, anchor.place)
        numbers = [number for number, one in enumerate(links.addresses) if one.url in wanted]
        self._wanted = sum(1 << number for number in numbers)
        shapes, places = {links.addresses[number].shape for number in numbers}, {self._places.get(number) for number in numbers}
        self._likely = [one.likely for one in links.addresses]
        told = {links.addresses[number].page for number in numbers}
        for number, one in enumerate(links.addresses):
            if one.page in told and (not self._places or self._places.get(number) not in places):
                self._likely[number] *= _OTHER_PLACE if one.shape in shapes else _OTHER_PLACE * _OTHER_SHAPE
        weights = [self._weight(page) for page in range(links.pages)]
        usual = median(weights or [1.0]) or 1.0
        self._weights = [_EMPTY + (1 - _EMPTY) * min(weight / usual, 1.0) for weight in weights]

    @cached_property
    def best(self) -> tuple[Ranked, ...]:
        """Each set of links once, the best first."""
        by_element = {anchor.element: anchor for anchor in self._links.anchors}
        likeliest = self._ranked(self._found)[:MOST_SELECTED]
        ranked = self._ranked(as_found(one.candidates[0], self._links, by_element) for one in likeliest)
        links = [one for one in ranked if not one.is_item]
        joined = [self._joined(one, links) for one in links[:_EXTENDED]]
        distinct: dict[int, Ranked] = {}
        for one in sorted((*ranked, *filter(None, joined)), key=lambda one: one.order):
            distinct.setdefault(one.bits, one)
        return tuple(distinct.values())

    def _ranked(self, found: Iterable[Candidate]) -> list[Ranked]:
        wanted = (one for one in found if one.bits and (one.bits & self._wanted or not self._wanted))
        return sorted(map(self._rank, wanted), key=lambda one: one.order)

    def _rank(self, *candidates: Candidate) -> Ranked:
        bits = reduce(or_, (one.bits for one in candidates))
        numbers = list(members(bits))
        addresses = [self._links.addresses[number] for number in numbers]
        count = len(numbers)
        precision = sum(self._likely[number] for number in numbers) / count
        pages = {one.page for one in addresses}
        score = precision**_EXPONENT * log1p(count / len(pages)) * sum(self._weights[page] for page in pages) / sum(self._weights)
        score *= _between(_IN_BOX, 1.0, _share(count, (one.outside for one in candidates)))
        score *= _between(1.0, _HEADING, _share(count, (one.in_headings for one in candidates)))
        score *= _between(_RICH, 1.0, _share(count, (one.rich for one in candidates)))
        score *= _between(_PLACES, 1.0, self._in_one_place(candidates, len(pages)))
        if self._wanted:
            score *= (bits & self._wanted).bit_count() / self._wanted.bit_count()
        return Ranked(candidates, bits, round(precision, 6), round(score, 6))

    def _weight(self, page: int) -> float:
        """How much a page has that looks like articles: the last page of an archive may have none."""
        return sum(likely for one, likely in zip(self._links.addresses, self._likely, strict=True) if one.page == page and likely > _LIKELY)

    def _in_one_place(self, candidates: Sequence[Candidate], pages: int) -> float:
        """Which share stands in the list that has most of its page; what is found on some pages alone, as the lead is, by itself."""
        everywhere = reduce(or_, (one.bits for one in candidates if len(self._pages_of(one.bits)) == pages), 0)
        parts = [everywhere, *(one.bits & ~everywhere for one in candidates if one.bits & ~everywhere)]
        most = count = 0
        for bits in parts:
            found = Counter((self._links.addresses[number].page, self._places.get(number)) for number in members(bits))
            by_page: dict[int, int] = {}
            for (page, _), own in found.items():
                by_page[page] = max(by_page.get(page, 0), own)
            most, count = most + sum(by_page.values()), count + found.total()
        return most / count

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
        if not self._links.anchors:
            return False
        if self._pages_of(new).isdisjoint(self._pages_of(joined.bits)):
            return True
        return (self._links.pages > 1 or bool(one.bits & joined.bits)) and self._is_near(one.bits, joined.bits)

    def _pages_of(self, bits: int) -> set[int]:
        return {self._links.addresses[number].page for number in members(bits)}

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
        on_some = len(self._pages_of(one & ~other)) < len(self._pages_of(other))
        return all(not held or _is_near(both, held, on_some=on_some) for both, held in by_page.values())


def _between(lowest: float, highest: float, share: float) -> float:
    return lowest + (highest - lowest) * share


def _share(count: int, bits: Iterable[int]) -> float:
    return reduce(or_, bits).bit_count() / count


def _common(elements: Sequence[Element]) -> Element:
    """The innermost element around all of them: around the first and the last in the order of the page."""
    around = set(elements[0].iterancestors())
    return next(one for one in elements[-1].iterancestors() if one in around)


def _is_near(both: Sequence[Element], held: Sequence[Element], *, on_some: bool) -> bool:
    """The lead comes before the list, and often on the first page alone; what follows the list is mostly a box of other things."""
    levels = _depth(_common(held)) - _depth(_common(both))
    if both[len(held) - 1] is held[-1]:
        return levels == 0
    comes_before = both[-len(held)] is held[0]
    return levels <= (_FAR if comes_before and on_some else _NEAR)


def _depth(element: Element) -> int:
    return sum(1 for _ in element.iterancestors())
