"""Selectors for the links of a page: each element around a link, by its tag, class or id, with the way from there to the link."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

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

    @property
    def order(self) -> tuple[bool, int, int, int, str]:
        """Of those that find the same, the first is the one to say."""
        return (self.is_item, -self.outside.bit_count(), -self.in_headings.bit_count(), len(self.selector), self.selector)


def candidates(anchors: Iterable[Anchor]) -> list[Candidate]:
    """Of all that find the same addresses one."""
    found: dict[tuple[str, bool], Candidate] = {}
    begun: set[Element] = set()
    for anchor in anchors:
        selectors = dict.fromkeys((selector, False) for selector in _selectors(anchor.element))
        selectors |= dict.fromkeys((name, True) for name in _items_begun(anchor.element, begun))
        for key in selectors:
            one = found.get(key) or found.setdefault(key, Candidate(*key))
            one.add(anchor)
    best: dict[int, Candidate] = {}
    for one in found.values():
        known = best.get(one.bits)
        if known is None or one.order < known.order:
            best[one.bits] = one
    return list(best.values())


def as_found(candidate: Candidate, links: LinksOfPages, by_element: Mapping[Element, Anchor]) -> Candidate:
    """What the selector really finds: it may fit links deeper inside than those that it was made for."""
    if not by_element:
        return candidate
    found = Candidate(candidate.selector, candidate.is_item)
    for root in links.roots:
        for element in selected(candidate.selector, root):
            inside = element.iter("a") if candidate.is_item else iter((element,))
            anchor = next((by_element[one] for one in inside if one in by_element), None)
            if anchor is not None:
                found.add(anchor)
    return found


def _items_begun(link: Element, begun: set[Element]) -> Iterator[str]:
    """The elements around a link in which it is the first; `begun` are those that have had theirs."""
    for one in islice(link.iterancestors(), MOST_LEVELS):
        if one in begun or one.tag in ("body", "html"):
            return
        begun.add(one)
        yield from names_of(one)


def _selectors(element: Element) -> Iterator[str]:
    ends = _ends(element)
    yield from ends[1:]
    levels = [one for one in islice(element.iterancestors(), MOST_LEVELS) if one.tag not in ("body", "html")]
    names = [names_of(one) for one in levels]
    for level, ancestors in enumerate(names):
        for name in ancestors:
            for end in ends:
                yield f"{name} {end}"
                if level == 0:
                    yield f"{name} > {end}"
    yield from _by_way_of(names, levels, ends)


def _by_way_of(names: list[tuple[str, ...]], levels: list[Element], ends: list[str]) -> Iterator[str]:
    """With one more element between the outer one and the link."""
    for middle in range(min(_MIDDLE_LEVELS, len(levels))):
        tag = str(levels[middle].tag)
        between = [tag] if tag in _ITEMS else []
        between += [name for name in names[middle] if "." in name or "#" in name][:2]
        for outer in range(middle + 1, len(levels)):
            for name in names[outer]:
                for way in between:
                    if way != name:
                        yield f"{name} {way} {ends[0]}"
                        if middle == 0:
                            yield f"{name} {way} > {ends[0]}"


def _ends(link: Element) -> list[str]:
    ends = ["a", *(f"a.{identifier(name)}" for name in _classes(link.get("class") or ""))]
    rel = (link.get("rel") or "").lower().split()
    if "bookmark" in rel:
        ends.append('a[rel~="bookmark"]')
    if link.get("itemprop") == "url":
        ends.append("a[itemprop=url]")
    heading = next((str(one.tag) for one in link if one.tag in HEADINGS), None)
    if heading is not None:
        ends.append(f"a:has(> {heading})")
    return ends


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
