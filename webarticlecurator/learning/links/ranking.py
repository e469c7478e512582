"""Which selectors find articles: as many links as may be, on as many pages, that are likely articles and nothing else."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from math import log1p
from operator import or_

from lxml.etree import _Element as Element

from webarticlecurator.learning.links.anchors import LinksOfPages
from webarticlecurator.learning.links.candidates import Candidate, as_found

MOST_SELECTED = 30
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
_SAME_SHAPE = 0.75
"""Share of what a further selector adds that must look like the rest."""
_SAME_PRECISION = 0.85
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
        return ", ".join(candidate.selector for candidate in self.candidates)

    @property
    def order(self) -> tuple[float, float, bool, int, int, str]:
        return (-self.score, -self.precision, self.is_item, -self.bits.bit_count(), len(self.css), self.css)


def members(bits: int) -> Iterator[int]:
    """The numbers whose bits are set, the lowest first."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def united(sets: Iterable[int]) -> int:
    """All bits that are set in any of them."""
    return reduce(or_, sets, 0)


def varied(ranked: Sequence[Ranked]) -> list[Ranked]:
    """The third is one that finds something else: where the first is wrong, those that hardly differ from it are mostly wrong, too."""
    other = next((rule for rule in ranked[2:] if all(_overlap(rule.bits, better.bits) < OTHER for better in ranked[:2])), None)
    return [*ranked[:2], *([other] if other is not None else ()), *(rule for rule in ranked[2:] if rule is not other)]


def _overlap(bits: int, others: int) -> float:
    return (bits & others).bit_count() / (bits | others).bit_count()


class Ranking:
    """The candidates of some pages."""

    def __init__(self, links: LinksOfPages, found: Sequence[Candidate], examples: Iterable[str] = ()) -> None:
        self._links, self._found = links, found
        self._pages, self._shapes = [0] * links.pages, defaultdict[str, int](int)
        """The addresses of each page, and those of each shape."""
        for number, address in enumerate(links.addresses):
            self._pages[address.page] |= 1 << number
            self._shapes[address.shape] |= 1 << number
        self._places = self._by_place()
        known = frozenset(examples)
        self._wanted = united(1 << number for number, address in enumerate(links.addresses) if address.url in known)
        self._likely = [self._likelihood(number) for number in range(len(links.addresses))]

    def _by_place(self) -> list[list[int]]:
        """Of each page the addresses of each list; of links to the same one the first outside of boxes says where it stands."""
        places: dict[int, str] = {}
        for anchor in sorted(self._links.anchors, key=lambda anchor: anchor.in_box):
            places.setdefault(anchor.number, anchor.place)
        by_place = [defaultdict[str, int](int) for _ in self._pages]
        for number, place in places.items():
            by_place[self._links.addresses[number].page][place] |= 1 << number
        return [list(of_page.values()) for of_page in by_place]

    def _likelihood(self, number: int) -> float:
        """Less on the page of an example, where an address does not look like that, or stands elsewhere."""
        address, bit = self._links.addresses[number], 1 << number
        if not self._pages[address.page] & self._wanted:
            return address.likely
        if any(bits & bit and bits & self._wanted for bits in self._places[address.page]):
            return address.likely
        return address.likely * _OTHER_PLACE * (1.0 if self._shapes[address.shape] & self._wanted else _OTHER_SHAPE)

    @cached_property
    def best(self) -> tuple[Ranked, ...]:
        """Each set of links once, the best first."""
        by_element = {anchor.element: anchor for anchor in self._links.anchors}
        likeliest = self._ranked(self._found)[:MOST_SELECTED]
        ranked = self._ranked(as_found(rule.candidates[0], self._links, by_element) for rule in likeliest)
        links = [rule for rule in ranked if not rule.is_item]
        joined = [self._joined(rule, links) for rule in links[:_EXTENDED]]
        distinct: dict[int, Ranked] = {}
        for rule in sorted((*ranked, *filter(None, joined)), key=lambda rule: rule.order):
            distinct.setdefault(rule.bits, rule)
        return tuple(distinct.values())

    def _ranked(self, candidates: Iterable[Candidate]) -> list[Ranked]:
        wanted = (candidate for candidate in candidates if candidate.bits and (candidate.bits & self._wanted or not self._wanted))
        return sorted(map(self._rank, wanted), key=lambda rule: rule.order)

    def _rank(self, *candidates: Candidate) -> Ranked:
        bits = united(candidate.bits for candidate in candidates)
        count, pages = bits.bit_count(), self._pages_of(bits)
        precision = sum(self._likely[number] for number in members(bits)) / count
        score = precision**_EXPONENT * log1p(count / len(pages)) * len(pages) / len(self._pages)
        score *= _between(_IN_BOX, 1.0, united(candidate.outside for candidate in candidates).bit_count() / count)
        score *= _between(1.0, _HEADING, united(candidate.in_headings for candidate in candidates).bit_count() / count)
        score *= _between(_RICH, 1.0, united(candidate.rich for candidate in candidates).bit_count() / count)
        if self._links.anchors:
            score *= _between(_PLACES, 1.0, self._in_one_place(candidates, len(pages)))
        if self._wanted:
            score *= (bits & self._wanted).bit_count() / self._wanted.bit_count()
        return Ranked(candidates, bits, round(precision, 6), round(score, 6))

    def _in_one_place(self, candidates: Sequence[Candidate], pages: int) -> float:
        """Which share stands in the list that has most of its page; what is found on some pages alone, as the lead is, by itself."""
        everywhere = united(candidate.bits for candidate in candidates if len(self._pages_of(candidate.bits)) == pages)
        parts = [everywhere, *(candidate.bits & ~everywhere for candidate in candidates)]
        largest = (max(((bits & place).bit_count() for place in places), default=0) for bits in parts for places in self._places)
        return sum(largest) / max(sum(map(int.bit_count, parts)), 1)

    def _joined(self, first: Ranked, others: Sequence[Ranked]) -> Ranked | None:
        """With up to two more that find the same kind of links in the same place."""
        joined = first
        for _ in range(MOST_JOINED):
            ranked = [self._rank(*joined.candidates, *other.candidates) for other in others if self._belongs(other, joined)]
            better = [rule for rule in ranked if rule.score > joined.score]
            if not better:
                break
            joined = min(better, key=lambda rule: rule.order)
        return joined if joined is not first else None

    def _belongs(self, other: Ranked, joined: Ranked) -> bool:
        new = other.bits & ~joined.bits
        if not new or other.precision < _SAME_PRECISION * joined.precision or new & ~other.candidates[0].outside:
            return False
        alike = united(bits for bits in self._shapes.values() if bits & joined.bits)
        if (new & alike).bit_count() < _SAME_SHAPE * new.bit_count() or not self._links.anchors:
            return False
        if self._pages_of(new).isdisjoint(self._pages_of(joined.bits)):
            return True
        return (len(self._pages) > 1 or bool(other.bits & joined.bits)) and self._is_near(other.bits, joined.bits)

    def _pages_of(self, bits: int) -> set[int]:
        return {page for page, own in enumerate(self._pages) if own & bits}

    def _is_near(self, bits: int, others: int) -> bool:
        """Whether on each page both stand in one element, not far above the one that holds the links of the second."""
        by_page: dict[int, tuple[list[Element], list[Element]]] = {}
        for anchor in self._links.anchors:
            bit = 1 << anchor.number
            if bit & (bits | others) and not anchor.in_box:
                both, held = by_page.setdefault(anchor.page, ([], []))
                both.append(anchor.element)
                if bit & others:
                    held.append(anchor.element)
        on_some = len(self._pages_of(bits & ~others)) < len(self._pages_of(others))
        return all(not held or _is_near(both, held, on_some=on_some) for both, held in by_page.values())


def _between(lowest: float, highest: float, share: float) -> float:
    return lowest + (highest - lowest) * share


def _is_near(both: Sequence[Element], held: Sequence[Element], *, on_some: bool) -> bool:
    """The lead comes before the list, and often on the first page alone; what follows the list is mostly a box of other things."""
    levels = _common_depth(held) - _common_depth(both)
    if both[len(held) - 1] is held[-1]:
        return levels == 0
    comes_before = both[-len(held)] is held[0]
    return levels <= (_FAR if comes_before and on_some else _NEAR)


def _common_depth(elements: Sequence[Element]) -> int:
    """How many elements hold all of them: those around both the first and the last in the order of the page."""
    return len(set(elements[0].iterancestors()).intersection(elements[-1].iterancestors()))
