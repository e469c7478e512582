"""What stands beside the links of a list: items that hold one article each, and the date and the author that most of them tell."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, takewhile

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.metadata.authors import names_in
from webarticlecurator.extraction.metadata.sources import Clue
from webarticlecurator.labelling.names import ClassHint, LinkKind, hints_of, link_kind
from webarticlecurator.learning.element_selectors import selected
from webarticlecurator.learning.links.anchors import MOST_LINKS
from webarticlecurator.learning.links.candidates import names_of
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Plain
from webarticlecurator.selectors import quoted
from webarticlecurator.text import folded

Picks = Mapping[str, Plain]
_MOST_PAGES, _MOST_ITEMS, _MOST_ELEMENTS = 4, 60, 80
"""Pages, items of each, and elements of each of these that are looked at."""
_MOST_NAMES, _FEWEST_LINKS, _MOST_TRIED = 6, 3, 3
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_OF_LINKS, _OF_ITEMS = 0.9, 0.8
"""Shares of the links that stand in an element of an item's name, and of the items that must tell a field."""


def with_items(css: str, pages: Sequence[Page], finds_the_same: Callable[[Picks], bool]) -> Picks | None:
    """The links as `item` and `link`, by a name of the outermost elements that hold one article each; None where there is none."""
    named: list[dict[str, None]] = []
    """Of each link the names of the elements around it that hold no link to another article, the outermost first."""
    for page in pages[:_MOST_PAGES]:
        of, found = dict[Element, str](), selected(css, page.tree)[:MOST_LINKS]
        for link in found:
            href = link.get("href") or ""
            of.update({around: href if of.get(around, href) == href else "" for around in link.iterancestors()})
        for link in found[:_MOST_ITEMS]:
            holders = list(takewhile(of.__getitem__, link.iterancestors()))
            named.append(dict.fromkeys(name for holder in reversed(holders) for name in names_of(holder)))
    counts, fewest = Counter(name for names in named for name in names), max(_OF_LINKS * len(named), _FEWEST_LINKS)
    likely = [name for names in named[len(named) // 2 :][:1] for name in names if counts[name] >= fewest][:_MOST_NAMES]
    steps = [] if {",", "("}.intersection(css) else css.split(" ")
    links = [" ".join(steps[start:]) for start in range(len(steps)) if steps[start] != ">"] or [css]
    items = (*likely, *(f"{steps[0]} {name}" for name in likely if len(steps) > 1))
    picks: Iterator[Picks] = ({"item": item, "link": link} for item in items for link in links if not link.startswith(f"{item} "))
    return next(filter(finds_the_same, picks), None)


Told = Callable[[Picks, str, Plain, Page], Sequence[tuple[str, ...]]]


def listing_fields(picks: Picks, pages: Sequence[Page], told: Told) -> dict[str, tuple[Plain, int]]:
    """Field -> its pick, and of how many articles it is `told` by the reader of archives. What all have alike is nothing of an article."""
    counts, number = Counter[tuple[str, str]](), 0
    for item in (item for page in pages[:_MOST_PAGES] for item in selected(str(picks["item"]), page.tree)[:_MOST_ITEMS]):
        if selected(str(picks["link"]), item):  # else it is an item of another list
            counts.update(set(_named(item)))
            number += 1
    likely = sorted((key for key, count in counts.items() if count >= _OF_ITEMS * number), key=lambda key: (-counts[key], len(key[1]), key))
    fields: dict[str, tuple[Plain, int]] = {}
    for name in ("datePublished", "author"):
        best: list[str] = []
        for css in islice((css for field, css in likely if field == name), _MOST_TRIED):
            pick: Plain = {"css": "time", "attr": "datetime"} if css == "time[datetime]" else css
            listed = [(page, texts) for page in pages for texts in told(picks, name, pick, page)]
            values = [text for _, texts in listed for text in texts[:1]]
            fit = all(_fits(name, text, page) for page, texts in listed for text in texts)
            # a moment says more than its day
            if fit and len(values) >= _OF_ITEMS * len(listed) and len(set(values)) > 1 and sum(map(len, values)) > sum(map(len, best)):
                best, fields[name] = values, (pick, len(values))
    return fields


def _fits(field: str, text: str, page: Page) -> bool:
    """Of authors one person without a word more: what has to be cut is for a person to say."""
    if field == "datePublished":
        return _DATE.match(text) is not None
    language = page.tree.get("lang") if page.tree is not None else None
    return {folded(name.value) for name in names_in([Clue(text)], language, visible=True, alone=True)} == {folded(text)}


def _named(item: Element) -> Iterator[tuple[str, str]]:
    """Field and selector of what tags, classes and the addresses of links say."""
    for element in islice(item.iterdescendants(etree.Element), _MOST_ELEMENTS):
        if element.tag == "time":
            yield "datePublished", "time[datetime]" if element.get("datetime") else "time"
        hints = hints_of(element.get("class") or "")
        names = [name for name in names_of(element) if name != element.tag]
        if hints & {ClassHint.DATE, ClassHint.PUBLISHED} and ClassHint.UPDATED not in hints:
            yield from (("datePublished", name) for name in names)
        leads_to_author = element.tag == "a" and link_kind(element.get("href") or "") is LinkKind.AUTHOR
        if leads_to_author and not names:
            names = [f"a[href*={quoted('/' + part + '/')}]" for part in (element.get("href") or "").rstrip("/").rsplit("/", 2)[1:2]]
        if leads_to_author or ClassHint.AUTHOR in hints:
            yield from (("author", name) for name in names)
