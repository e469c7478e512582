"""Selectors for the links of a page, and which of them find articles: as many links as may be, on as many
pages, that are likely articles.

A candidate is an element around a link, by its tag, class or id, with the way from there to the link.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import chain, islice
from math import log1p
from operator import attrgetter, or_

from lxml.etree import _Element as Element

from webarticlecurator.extraction.alike import first_of_each
from webarticlecurator.learning.element_selectors import classes_of, names_of
from webarticlecurator.learning.links.anchors import Address, Anchor
from webarticlecurator.text import HEADINGS

_ITEMS = frozenset((*HEADINGS, "article", "li", "td", "dt", "dd", "p", "header", "figure"))
"""Tags that may stand between a list and its links."""


@dataclass(slots=True)
class Candidate:
    """A selector with the addresses that it finds: their numbers as bits, and which of them it finds in a
    heading, outside all boxes, in an item that says more."""

    selector: str
    is_item: bool = False
    """It finds items, and the first link in each counts."""
    bits: int = 0
    in_headings: int = 0
    outside: int = 0
    rich: int = 0

    @classmethod
    def of(cls, anchor: Anchor) -> Candidate:
        """Return what finds one link alone."""
        bit = 1 << anchor.number
        headings, outside, rich = bit * anchor.is_heading, bit * (not anchor.in_box), bit * anchor.is_rich
        return cls("", bits=bit, in_headings=headings, outside=outside, rich=rich)

    def add(self, other: Candidate) -> None:
        """Let it find what another one finds, too."""
        self.bits |= other.bits
        self.in_headings |= other.in_headings
        self.outside |= other.outside
        self.rich |= other.rich

    @property
    def order(self) -> tuple[bool, int, int, int, str]:
        """The order of selectors that find the same: the first is the one to say."""
        return (
            self.is_item,
            -self.outside.bit_count(),
            -self.in_headings.bit_count(),
            len(self.selector),
            self.selector,
        )


_Way = tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[str, ...], ...]]
"""Names of a link, then the tags of the elements around it, the innermost first, and their names: the links
of one list have one way."""


def _candidates(anchors: Iterable[Anchor]) -> list[Candidate]:
    """Return one of all the selectors that find the same addresses."""
    by_way: defaultdict[_Way, Candidate] = defaultdict(lambda: Candidate(""))
    items: defaultdict[str, Candidate] = defaultdict(lambda: Candidate("", is_item=True))
    begun: set[Element] = set()
    for anchor in anchors:
        levels = [
            holder
            for holder in islice(anchor.element.iterancestors(), 9)
            if holder.tag not in ("body", "html")
        ]
        names = tuple(map(names_of, levels))
        alone = Candidate.of(anchor)
        by_way[_ends(anchor.element), tuple(str(holder.tag) for holder in levels), names].add(alone)
        for holder, own in zip(levels, names, strict=True):  # of an item the first link counts
            if holder in begun:
                break
            begun.add(holder)
            for name in own:
                items[name].add(alone)
    found: defaultdict[str, Candidate] = defaultdict(lambda: Candidate(""))
    for way, reached in by_way.items():
        for selector in dict.fromkeys(_selectors(*way)):
            found[selector].add(reached)
    best: dict[int, Candidate] = {}
    for selector, candidate in chain(found.items(), items.items()):
        candidate.selector = selector
        known = best.get(candidate.bits)
        if known is None or candidate.order < known.order:
            best[candidate.bits] = candidate
    return list(best.values())


def _selectors(
    ends: tuple[str, ...], tags: tuple[str, ...], names_around: tuple[tuple[str, ...], ...]
) -> Iterator[str]:
    yield from ends[1:]
    for level, names in enumerate(names_around):
        for name in names:
            for end in ends:
                yield f"{name} {end}"
                if level == 0:
                    yield f"{name} > {end}"
    # with one more element between the outer one and the link
    for middle, tag in enumerate(tags[:4]):
        between = [tag] if tag in _ITEMS else []
        between += [name for name in names_around[middle] if "." in name or "#" in name][:2]
        for name in chain.from_iterable(names_around[middle + 1 :]):
            for inner in between:
                if inner != name:
                    yield f"{name} {inner} {ends[0]}"
                    if middle == 0:
                        yield f"{name} {inner} > {ends[0]}"


def _ends(link: Element) -> tuple[str, ...]:
    ends = ["a", *(f"a.{name}" for name in classes_of(link.get("class") or ""))]
    heading = next((str(child.tag) for child in link if child.tag in HEADINGS), None)
    if heading is not None:
        ends.append(f"a:has(> {heading})")
    return tuple(ends)


OTHER = 0.6
"""Share that two sets have in common at most, where one is no variant of the other."""


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


def _members(bits: int) -> Iterator[int]:
    """The numbers whose bits are set, the lowest first."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def united(sets: Iterable[int]) -> int:
    """All bits that are set in any of them."""
    return reduce(or_, sets, 0)


def varied(ranked: Sequence[Ranked]) -> list[Ranked]:
    """The third is one that finds something else: where the first is wrong, those that hardly differ from it
    are mostly wrong, too."""
    for other in ranked[2:]:
        shares = (
            (other.bits & better.bits).bit_count() / (other.bits | better.bits).bit_count()
            for better in ranked[:2]
        )
        if max(shares) < OTHER:
            return [*ranked[:2], other, *(rule for rule in ranked[2:] if rule is not other)]
    return list(ranked)


class Ranking:
    """The candidates of some pages."""

    def __init__(
        self, pages: int, anchors: Sequence[Anchor], addresses: Sequence[Address], examples: Iterable[str]
    ) -> None:
        self._anchors, self._addresses = anchors, addresses
        self._pages, self._shapes = [0] * pages, defaultdict[str, int](int)
        """The addresses of each page, and those of each shape."""
        for number, address in enumerate(addresses):
            self._pages[address.page] |= 1 << number
            self._shapes[address.shape] |= 1 << number
        places: dict[int, str] = {}
        for anchor in sorted(anchors, key=lambda anchor: anchor.in_box):
            places.setdefault(anchor.number, anchor.place)
        by_place = [defaultdict[str, int](int) for _ in self._pages]
        for number, place in places.items():
            by_place[addresses[number].page][place] |= 1 << number
        self._places = [list(of_page.values()) for of_page in by_place]
        """Page -> the addresses of each of its lists; of links to the same one the first outside of boxes
        says where it stands."""
        known = frozenset(examples)
        self._wanted = united(1 << number for number, address in enumerate(addresses) if address.url in known)
        self._likely = [self._likelihood(number) for number in range(len(addresses))]

    def _likelihood(self, number: int) -> float:
        """Less on the page of an example, where an address stands elsewhere, and still less where it does not
        look like that, too."""
        address, bit = self._addresses[number], 1 << number
        if not self._pages[address.page] & self._wanted:
            return address.likely
        if any(bits & bit and bits & self._wanted for bits in self._places[address.page]):
            return address.likely
        return address.likely * 0.7 * (1.0 if self._shapes[address.shape] & self._wanted else 0.6)

    @cached_property
    def best(self) -> tuple[Ranked, ...]:
        """Each set of links once, the best first."""
        wanted = (each for each in _candidates(self._anchors) if each.bits & self._wanted or not self._wanted)
        ranked = sorted(map(self._rank, wanted), key=lambda rule: rule.order)[:30]
        links = [rule for rule in ranked if not rule.is_item]
        for first in links[:12]:  # with up to two more that find the same kind of links in the same place
            joined = first
            for _ in range(2):
                more = [
                    self._rank(*joined.candidates, *other.candidates)
                    for other in links
                    if self._belongs(other, joined)
                ]
                joined = min((joined, *more), key=attrgetter("order"))
            ranked.append(joined)
        in_order = sorted(ranked, key=attrgetter("order"))
        return tuple(first_of_each(in_order, attrgetter("bits")))

    def _rank(self, *candidates: Candidate) -> Ranked:
        whole = Candidate("")
        for candidate in candidates:
            whole.add(candidate)
        bits = whole.bits
        count, pages = bits.bit_count(), self._pages_of(bits)
        precision = sum(self._likely[number] for number in _members(bits)) / count
        score = (
            precision**2.2 * log1p(count / len(pages)) * len(pages) / len(self._pages)
        )  # rather a link too few than a menu
        # from where all are in boxes, or no item says more than its link, to where none is, or each does
        score *= 0.55 + 0.45 * whole.outside.bit_count() / count
        score *= 0.85 + 0.15 * whole.rich.bit_count() / count
        # headlines stand in headings; links around pictures lead to the same articles, but not always to all
        score *= 1.0 + 0.25 * whole.in_headings.bit_count() / count
        # which share stands in the list that has most of its page; what some pages alone have, as the lead,
        # by itself
        everywhere = united(
            candidate.bits for candidate in candidates if len(self._pages_of(candidate.bits)) == len(pages)
        )
        parts = [everywhere, *(candidate.bits & ~everywhere for candidate in candidates)]
        largest = (
            max(((bits & place).bit_count() for place in places), default=0)
            for bits in parts
            for places in self._places
        )
        score *= 0.75 + 0.25 * sum(largest) / max(sum(map(int.bit_count, parts)), 1)
        if self._wanted:
            score *= (bits & self._wanted).bit_count() / self._wanted.bit_count()
        return Ranked(candidates, bits, round(precision, 6), round(score, 6))

    def _belongs(self, other: Ranked, joined: Ranked) -> bool:
        new = other.bits & ~joined.bits
        if not new or other.precision < 0.85 * joined.precision or new & ~other.candidates[0].outside:
            return False
        alike = united(bits for bits in self._shapes.values() if bits & joined.bits)
        if (new & alike).bit_count() < 0.75 * new.bit_count():
            return False
        if self._pages_of(new).isdisjoint(self._pages_of(joined.bits)):
            return True
        return len(self._pages) > 1 or bool(other.bits & joined.bits)

    def _pages_of(self, bits: int) -> set[int]:
        return {page for page, own in enumerate(self._pages) if own & bits}
