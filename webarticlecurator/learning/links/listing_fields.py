"""What stands beside the links of a list: the date, the headline, the section, the author; each by a name that most items have."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.config.portal import ArchiveFormat
from webarticlecurator.extraction.metadata.people import names_in
from webarticlecurator.extraction.metadata.sources import Clue
from webarticlecurator.labelling.names import ClassHint, LinkKind, hints_of, link_kind
from webarticlecurator.learning.element_selectors import HEADINGS, selected
from webarticlecurator.learning.links.archive_reading import ArchiveReading
from webarticlecurator.learning.links.candidates import names_of
from webarticlecurator.learning.links.json_links import json_texts
from webarticlecurator.learning.links.listing_items import items_of
from webarticlecurator.model.links import ArticleLink
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Plain
from webarticlecurator.text import short_text

_MOST_ELEMENTS = 80
"""Of one item."""
_LONGEST = 200
_MOST_TRIED = 3
"""Picks for one field."""
_FEWEST = 0.8
"""Share of the items that must have a value."""
_PART = re.compile(r"[\w-]+", re.ASCII)
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:T.*)?")
_HINTS = {
    ClassHint.PUBLISHED: "datePublished",
    ClassHint.DATE: "datePublished",
    ClassHint.AUTHOR: "author",
    ClassHint.SECTION: "articleSection",
    ClassHint.HEADING: "headline",
}
_FIELDS = ("headline", "datePublished", "author", "articleSection")
_MOST_TEXTS = 5_000
_FEWEST_WORDS, _MOST_WORDS = 2.5, 25
"""Of a headline, on average."""
_LINKS = {LinkKind.AUTHOR: "author", LinkKind.SECTION: "articleSection"}


@dataclass(frozen=True, slots=True)
class ListingField:
    """A field of the listing, and how many articles it tells it of."""

    name: str
    pick: Plain
    told: int
    of: int
    sample: str


def listing_fields(
    picks: Mapping[str, Plain], pages: Sequence[Page], reading: ArchiveReading, format: ArchiveFormat = ArchiveFormat.HTML
) -> tuple[ListingField, ...]:
    """What the items of these picks tell of most articles."""
    tried = _tried_json(picks, pages) if format is ArchiveFormat.JSON else _tried_html(picks, pages)
    found = []
    for name, alternatives in tried.items():
        read = ((pick, *_read(name, pick, picks, pages, (reading, format))) for pick in alternatives[:_MOST_TRIED])
        fitting = (one for one in read if one[1])
        best = max(fitting, key=lambda one: _names(one[1]), default=None) if name == "author" else next(fitting, None)
        if best is not None:
            pick, told, of = best
            found.append(ListingField(name, pick, len(told), of, told[0]))
    return tuple(found)


def _names(values: Sequence[str]) -> tuple[int, int]:
    """How many are names, and how little else is said: a box with a name in it may say what its bearer does."""
    return sum(bool(names_in([Clue(value)], None, visible=True)) for value in values), -sum(map(len, values))


def _tried_html(picks: Mapping[str, Plain], pages: Sequence[Page]) -> dict[str, list[Plain]]:
    """Field -> picks that most items have something for."""
    item, link = picks["item"], picks["link"]
    assert isinstance(item, str)
    assert isinstance(link, str)
    counts: Counter[tuple[str, str]] = Counter()
    several: set[str] = set()
    number, is_headline = 0, True
    for element in (element for of_page in items_of(item, pages) for element in of_page):
        links = selected(link, element)
        if links:  # else it is an item of another list, such as a menu
            number += 1
            firsts = ((field, css) for field, css, one in _candidates(element) if next(iter(selected(css, element)), None) is one)
            found = list(dict.fromkeys(firsts))
            counts.update(found)
            several |= {css for field, css in found if field == "articleSection" and len(selected(css, element)) > 1}
            is_headline = is_headline and not any(field != "headline" for field, *_ in _candidates(links[0]))
    likely = [key for key, count in counts.items() if count >= _FEWEST * number]
    likely.sort(key=lambda key: (-counts[key], len(key[1]), key))
    tried = {name: [_pick(css, all_of_them=css in several) for field, css in likely if field == name] for name in _FIELDS}
    return {**tried, "headline": [*tried["headline"][: _MOST_TRIED - 1], *([link] if is_headline else [])]}


def _tried_json(picks: Mapping[str, Plain], pages: Sequence[Page]) -> dict[str, list[Plain]]:
    """By their values: dates are dates, and the headline is what has several words."""
    item = picks.get("item")
    start = str(item["json"]) if isinstance(item, Mapping) and "json" in item else ""
    values: dict[str, list[str]] = {}
    for page in pages if start else ():
        for one in islice(json_texts(page.json), _MOST_TEXTS):
            if one.path.startswith(f"{start}."):
                values.setdefault(one.path.removeprefix(f"{start}."), []).append(one.text)
    plain = {path: texts for path, texts in values.items() if "[]" not in path and "*" not in path}
    dates = [path for path, texts in plain.items() if all(map(_DATE.match, texts))]
    words = {path: sum(len(text.split()) for text in texts) / len(texts) for path, texts in plain.items()}
    titles = [path for path in plain if _FEWEST_WORDS <= words[path] <= _MOST_WORDS and path not in dates]
    return {"headline": [{"json": path} for path in titles], "datePublished": [{"json": path} for path in dates]}


def _candidates(item: Element) -> Iterator[tuple[str, str, Element]]:
    """Field, selector and element of what the names of elements, and the addresses of links, say."""
    for element in islice(item.iterdescendants(etree.Element), _MOST_ELEMENTS):
        tag = str(element.tag)
        if tag in HEADINGS:
            yield "headline", tag, element
        if tag == "time":
            yield "datePublished", "time[datetime]" if element.get("datetime") else "time", element
        names = [name for name in names_of(element) if name != tag] or _names_by_target(element)
        fields = {_HINTS[hint] for hint in hints_of(element.get("class") or "") if hint in _HINTS}
        kind = link_kind(element.get("href") or "") if tag == "a" else None
        fields |= {_LINKS[kind]} if kind in _LINKS else set()
        if "author" in fields and sum(len(text.split()) > 1 for text in element.itertext()) > 1:
            fields.discard("author")  # a name and what its bearer does, or several names: the article's page parts them
        if fields and short_text(element, _LONGEST):
            yield from ((field, name, element) for field in fields for name in names)


def _names_by_target(element: Element) -> list[str]:
    """Of a link without a name: by the part of its address that says what it leads to."""
    parts = (element.get("href") or "").rstrip("/").rsplit("/", 2)
    return [f'a[href*="/{parts[1]}/"]'] if element.tag == "a" and len(parts) > 2 and _PART.fullmatch(parts[1]) else []


def _pick(css: str, *, all_of_them: bool) -> Plain:
    if css == "time[datetime]":
        return {"css": "time", "attr": "datetime"}
    return {"css": css, "take": "all"} if all_of_them else css


def _read(
    name: str, pick: Plain, picks: Mapping[str, Plain], pages: Sequence[Page], by: tuple[ArchiveReading, ArchiveFormat]
) -> tuple[list[str], int]:
    """What the archive's reader finds by it, none if that is not what the field should be; and for how many articles it was asked."""
    reading, format = by
    values: list[str | None] = []
    for page in pages:
        read = reading.archive_page({**picks, "fields": {name: pick}}, page, format)
        values += [_value(link, name) for link in read.articles] if read is not None else []
    told = [value for value in values if value is not None and _FITS[name](value)]
    is_another = name == "headline" and not _are_headlines(told, of_links=pick == picks["link"])
    return ([] if is_another or len(told) < _FEWEST * max(len(values), 1) else told), len(values)


def _are_headlines(told: Sequence[str], *, of_links: bool) -> bool:
    """Whether they differ; and of links, whether not nearly all have a number: those are days and titles in one."""
    numbered = sum(any(map(str.isdigit, text)) for text in told)
    return len(set(told)) >= _FEWEST * len(told) and not (of_links and numbered >= _FEWEST * len(told))


def _value(link: ArticleLink, name: str) -> str | None:
    return next(iter(link.fields.get(name, ())), None)


_FITS: Mapping[str, Callable[[str], bool]] = {
    "headline": lambda value: len(value) > 3,
    "datePublished": lambda value: _DATE.fullmatch(value) is not None,
    "author": lambda value: len(value) < 80 and not any(map(str.isdigit, value)),
    "articleSection": lambda value: len(value) < 50,
}
