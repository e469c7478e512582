"""Selectors for the links of a page: each element around a link, by its tag, class or id, with the way from there to the link."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from typing import NamedTuple

from lxml.etree import _Element as Element

from webarticlecurator.learning.element_selectors import HEADINGS, is_made_by_machine, selected
from webarticlecurator.learning.links.anchors import Anchor, LinksOfPages
from webarticlecurator.selectors import identifier

MOST_LEVELS = 9
"""Elements around a link that a selector may begin with."""
_MIDDLE_LEVELS = 4
_MOST_NAMES = 4
"""Classes of one element."""
_BARE = frozenset((*HEADINGS, "article", "main", "section", "ul", "ol", "table", "li", "td", "dt", "dd", "p", "header", "figure"))
"""Tags that say something without a class."""
_ITEMS = frozenset((*HEADINGS, "article", "li", "td", "dt", "dd", "p", "header", "figure"))
"""Tags that may stand between a list and its links."""
_ODD = re.compile(
    r"\d|active|current|selected|hover|visited|\bodd\b|\beven\b|first|last|(?-i:[a-z][A-Z]\w*[a-z][A-Z])|__\w{5}$", re.IGNORECASE
)
"""In a class that says which one of a list it is, or that is made anew with each version of the page's program."""
_LONGEST_NAME = 60


@dataclass(slots=True)
class Candidate:
    """What a selector finds: the numbers of addresses as bits, and which of those it finds in a heading, outside all boxes, in
    an item that says more."""

    selector: str
    is_item: bool = False
    """It finds items, and the first link in each counts."""
    bits: int = 0
    in_headings: int = 0
    outside: int = 0
    rich: int = 0

    def add(self, anchor: Anchor) -> None:
        bit = 1 << anchor.number
        self.bits |= bit
        self.in_headings |= bit * anchor.is_heading
        self.outside |= bit * (not anchor.in_box)
        self.rich |= bit * anchor.is_rich

    def unite(self, other: Candidate) -> None:
        """Find what another one finds, too."""
        self.bits |= other.bits
        self.in_headings |= other.in_headings
        self.outside |= other.outside
        self.rich |= other.rich

    @property
    def order(self) -> tuple[bool, int, int, int, str]:
        """Of those that find the same, the first is the one to say."""
        return (self.is_item, -self.outside.bit_count(), -self.in_headings.bit_count(), len(self.selector), self.selector)


class _Way(NamedTuple):
    """How the elements around a link are called, the innermost first: the links of one list have one way."""

    ends: tuple[str, ...]
    """What the link itself may be called."""
    tags: tuple[str, ...]
    names: tuple[tuple[str, ...], ...]


def candidates(anchors: Iterable[Anchor]) -> list[Candidate]:
    """Of all that find the same addresses one."""
    by_way: defaultdict[_Way, Candidate] = defaultdict(lambda: Candidate(""))
    items: defaultdict[str, Candidate] = defaultdict(lambda: Candidate("", is_item=True))
    begun: set[Element] = set()
    for anchor in anchors:
        levels = [holder for holder in islice(anchor.element.iterancestors(), MOST_LEVELS) if holder.tag not in ("body", "html")]
        names = tuple(map(names_of, levels))
        by_way[_Way(_ends(anchor.element), tuple(str(holder.tag) for holder in levels), names)].add(anchor)
        for holder, own in zip(levels, names, strict=True):  # of an item the first link counts
            if holder in begun:
                break
            begun.add(holder)
            for name in own:
                items[name].add(anchor)
    found: defaultdict[str, Candidate] = defaultdict(lambda: Candidate(""))
    for way, reached in by_way.items():
        for selector in dict.fromkeys(_selectors(way)):
            found[selector].unite(reached)
    best: dict[int, Candidate] = {}
    for selector, candidate in chain(found.items(), items.items()):
        candidate.selector = selector
        known = best.get(candidate.bits)
        if known is None or candidate.order < known.order:
            best[candidate.bits] = candidate
    return list(best.values())


def as_found(candidate: Candidate, links: LinksOfPages, by_element: Mapping[Element, Anchor]) -> Candidate:
    """What the selector really finds: it may fit links deeper inside than those that it was made for."""
    if not by_element:
        return candidate
    found = Candidate(candidate.selector, candidate.is_item)
    for root in links.roots:
        for element in selected(candidate.selector, root):
            inside = element.iter("a") if candidate.is_item else iter((element,))
            anchor = next((by_element[link] for link in inside if link in by_element), None)
            if anchor is not None:
                found.add(anchor)
    return found


def _selectors(way: _Way) -> Iterator[str]:
    yield from way.ends[1:]
    for level, names in enumerate(way.names):
        for name in names:
            for end in way.ends:
                yield f"{name} {end}"
                if level == 0:
                    yield f"{name} > {end}"
    # with one more element between the outer one and the link
    for middle, tag in enumerate(way.tags[:_MIDDLE_LEVELS]):
        between = [tag] if tag in _ITEMS else []
        between += [name for name in way.names[middle] if "." in name or "#" in name][:2]
        for name in chain.from_iterable(way.names[middle + 1 :]):
            for inner in between:
                if inner != name:
                    yield f"{name} {inner} {way.ends[0]}"
                    if middle == 0:
                        yield f"{name} {inner} > {way.ends[0]}"


def _ends(link: Element) -> tuple[str, ...]:
    ends = ["a", *(f"a.{identifier(name)}" for name in _classes(link.get("class") or ""))]
    if "bookmark" in (link.get("rel") or "").lower().split():
        ends.append('a[rel~="bookmark"]')
    if link.get("itemprop") == "url":
        ends.append("a[itemprop=url]")
    heading = next((str(child.tag) for child in link if child.tag in HEADINGS), None)
    if heading is not None:
        ends.append(f"a:has(> {heading})")
    return tuple(ends)


def names_of(element: Element) -> tuple[str, ...]:
    """How an element may be called: by each of its classes, its id, or its tag alone where that says something.

    Not by the id of a heading, which is made of its words.
    """
    id = element.get("id") if element.tag not in HEADINGS else None
    return _names(str(element.tag), element.get("class") or "", id or "")


@lru_cache(maxsize=8192)
def _names(tag: str, classes: str, id: str) -> tuple[str, ...]:
    found = [f"{tag}.{identifier(name)}" for name in _classes(classes)]
    if id and is_steady(id):
        found.append(f"{tag}#{identifier(id)}")
    if tag in _BARE:
        found.append(tag)
    return tuple(found)


@lru_cache(maxsize=8192)
def _classes(written: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(is_steady, written.split())))[:_MOST_NAMES]


def is_steady(name: str) -> bool:
    """Whether a class or id will be there tomorrow, and on the next page."""
    return (
        len(name) <= _LONGEST_NAME
        and name.isprintable()
        and not set(" \\").intersection(name)
        and not _ODD.search(name)
        and not is_made_by_machine(name)
    )
