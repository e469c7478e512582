"""What stands beside the links of a list: the items, and in them date, headline, section and author by names that most have."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, takewhile

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.labelling.names import ClassHint, LinkKind, hints_of, link_kind
from webarticlecurator.learning.element_selectors import HEADINGS, selected
from webarticlecurator.learning.links.candidates import names_of
from webarticlecurator.learning.links.findings import ArchiveReading
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Plain
from webarticlecurator.text import short_text

_MOST_PAGES, _MOST_ITEMS, _MOST_ELEMENTS = 4, 100, 80
"""Pages, items of each, and elements of each of these that are looked at."""
_MOST_NAMES, _FEWEST_LINKS = 6, 3
_OF_LINKS = 0.9
"""Share of the links that must stand in an item of that name."""
_FEWEST = 0.8
"""Share of the items that must have a value."""
_LONGEST = 200
_MOST_TRIED = 3
"""Picks for one field."""
_PART = re.compile(r"[\w-]+", re.ASCII)
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:T.*)?")
_HINTS = {
    ClassHint.PUBLISHED: "datePublished",
    ClassHint.DATE: "datePublished",
    ClassHint.AUTHOR: "author",
    ClassHint.SECTION: "articleSection",
    ClassHint.HEADING: "headline",
}
_LINKS = {LinkKind.AUTHOR: "author", LinkKind.SECTION: "articleSection"}
_FITS: Mapping[str, Callable[[str], bool]] = {
    "headline": lambda value: len(value) > 3,
    "datePublished": lambda value: _DATE.fullmatch(value) is not None,
    "author": lambda value: len(value) < 80 and not any(map(str.isdigit, value)),
    "articleSection": lambda value: len(value) < 50,
}


# --- items ---


def with_items(css: str, pages: Sequence[Page], found: Sequence[Sequence[str]], reading: ArchiveReading) -> dict[str, Plain] | None:
    """The same links as `item` and `link`; None where no name fits all items and nothing else."""
    chosen = [number for number, urls in enumerate(found) if urls][:_MOST_PAGES]
    held = [around for number in chosen for around in _held(css, pages[number])]
    names = Counter(name for around in held for name in {name for element in around for name in names_of(element)})
    if len(held) < _FEWEST_LINKS:
        return None
    depths: dict[str, int] = {}  # how far it is from the outermost element that could be an item; the outermost says most
    for around in held:
        for depth, element in enumerate(reversed(around)):
            for name in names_of(element):
                depths[name] = max(depths.get(name, 0), depth)
    likely = [name for name, count in names.items() if count >= _OF_LINKS * len(held)]
    likely = sorted(likely, key=lambda name: (depths[name], name.isalnum(), len(name), name))[:_MOST_NAMES]
    for item in (*likely, *(f"{css.split(' ')[0]} {name}" for name in likely if " " in css and "," not in css)):
        for link in _inside(css, item):
            picks: dict[str, Plain] = {"item": item, "link": link}
            if all(frozenset(reading.links(picks, pages[number])) == frozenset(found[number]) for number in chosen):
                everywhere = all(frozenset(reading.links(picks, page)) == frozenset(urls) for page, urls in zip(pages, found, strict=True))
                return picks if everywhere else None
    return None


def _held(css: str, page: Page) -> list[list[Element]]:
    """The elements around each link that hold no link to another article, the innermost first."""
    links = selected(css, page.tree)
    holders: dict[Element, str] = {}
    for link in links:
        href = link.get("href") or ""
        for element in link.iterancestors():
            holders[element] = href if holders.get(element, href) == href else ""
    return [list(takewhile(lambda element: bool(holders.get(element)), link.iterancestors())) for link in links[:_MOST_ITEMS]]


def _inside(css: str, item: str) -> Iterator[str]:
    """As it may be said inside an item: without what stands around that, and the item itself."""
    if "," in css:
        yield css
        return
    steps = css.split(" ")
    yield from (" ".join(steps[start:]) for start in range(len(steps)) if steps[start] not in (">", item))


# --- fields ---


def listing_fields(picks: Mapping[str, Plain], pages: Sequence[Page], reading: ArchiveReading) -> dict[str, tuple[Plain, int]]:
    """What the items of these picks tell of most articles: field -> its pick, and of how many it is told."""
    fields: dict[str, tuple[Plain, int]] = {}
    for name, tried in _tried(picks, pages).items():
        read = ((pick, _values(name, pick, picks, pages, reading)) for pick in tried[:_MOST_TRIED])
        told = [(pick, values) for pick, values in read if values]
        if told:  # of an author the shortest: a box with a name in it may say what its bearer does
            pick, values = min(told, key=lambda each: sum(map(len, each[1]))) if name == "author" else told[0]
            fields[name] = (pick, len(values))
    return fields


def _tried(picks: Mapping[str, Plain], pages: Sequence[Page]) -> dict[str, list[Plain]]:
    """Field -> picks that most items have something for."""
    item, link = str(picks["item"]), str(picks["link"])
    counts: Counter[tuple[str, str]] = Counter()
    several: set[str] = set()
    number, is_headline = 0, True
    for element in (element for page in pages[:_MOST_PAGES] for element in selected(item, page.tree)[:_MOST_ITEMS]):
        links = selected(link, element)
        if links:  # else it is an item of another list, such as a menu
            number += 1
            named = {(field, css) for field, css, inner in _named(element) if next(iter(selected(css, element)), None) is inner}
            counts.update(named)
            several |= {css for field, css in named if field == "articleSection" and len(selected(css, element)) > 1}
            is_headline = is_headline and not any(field != "headline" for field, *_ in _named(links[0]))
    likely = [key for key, count in counts.items() if count >= _FEWEST * number]
    likely.sort(key=lambda key: (-counts[key], len(key[1]), key))
    tried = {name: [_pick(css, all_of_them=css in several) for field, css in likely if field == name] for name in _FITS}
    return {**tried, "headline": [*tried["headline"][: _MOST_TRIED - 1], *([link] if is_headline else [])]}


def _named(item: Element) -> Iterator[tuple[str, str, Element]]:
    """Field, selector and element of what the names of elements, and the addresses of links, say."""
    for element in islice(item.iterdescendants(etree.Element), _MOST_ELEMENTS):
        tag = str(element.tag)
        if tag in HEADINGS:
            yield "headline", tag, element
        if tag == "time":
            yield "datePublished", "time[datetime]" if element.get("datetime") else "time", element
        fields = {_HINTS[hint] for hint in hints_of(element.get("class") or "") if hint in _HINTS}
        kind = link_kind(element.get("href") or "") if tag == "a" else None
        fields |= {_LINKS[kind]} if kind in _LINKS else set()
        if "author" in fields and sum(len(text.split()) > 1 for text in element.itertext()) > 1:
            fields.discard("author")  # a name and what its bearer does, or several names: the article's page parts them
        if fields and short_text(element, _LONGEST):
            names = [name for name in names_of(element) if name != tag] or _names_by_target(element)
            yield from ((field, name, element) for field in fields for name in names)


def _names_by_target(element: Element) -> list[str]:
    """Of a link without a name: by the part of its address that says what it leads to."""
    parts = (element.get("href") or "").rstrip("/").rsplit("/", 2)
    return [f'a[href*="/{parts[1]}/"]'] if element.tag == "a" and len(parts) > 2 and _PART.fullmatch(parts[1]) else []


def _pick(css: str, *, all_of_them: bool) -> Plain:
    if css == "time[datetime]":
        return {"css": "time", "attr": "datetime"}
    return {"css": css, "take": "all"} if all_of_them else css


def _values(name: str, pick: Plain, picks: Mapping[str, Plain], pages: Sequence[Page], reading: ArchiveReading) -> list[str]:
    """What the archive's reader finds by it; none if that is not what the field should be, or too little."""
    links = [link for page in pages for link in reading.articles({**picks, "fields": {name: pick}}, page)]
    values = [value for link in links if (value := next(iter(link.fields.get(name, ())), None)) is not None and _FITS[name](value)]
    if len(values) < _FEWEST * max(len(links), 1):
        return []
    if name == "headline":  # headlines differ; and if nearly all texts of links have a number, those are days and titles in one
        numbered = sum(any(map(str.isdigit, text)) for text in values)
        if len(set(values)) < _FEWEST * len(values) or (pick == picks["link"] and numbered >= _FEWEST * len(values)):
            return []
    return values
