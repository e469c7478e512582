"""Reader of what a visitor of the page sees: headings, byline, dates, tags, breadcrumbs."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import chain, islice, takewhile

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.metadata.clues import Clues
from webarticlecurator.extraction.metadata.page_marks import Mark, marks_of
from webarticlecurator.text import short_text

MAX_ELEMENTS = 200_000
MAX_CANDIDATES, MAX_LINKS = 40, 100
_LONGEST_NAME, _LONGEST_BYLINE, _LONGEST_DATE, _LONGEST_TAG, _LONGEST_HEADING = 60, 200, 120, 60, 300
_MOSTLY_LINKS = 3
"""A third of a list's text, at least, is its links'."""
_OUTSIDE_TAGS = frozenset({"nav", "footer", "form", "noscript", "script", "style", "template"})
_HEADINGS = ("h1", "h2", "h3")
_HEADER_LEVELS = 2
"""How far above the heading the block may begin that holds its byline, too."""
_PAGE_TAGS = frozenset({"main", "body", "html"})
_TELLING = ("meta", "link", "title")
_WITHOUT_CLASS = frozenset({*_TELLING, "script"})
"""Whose class says nothing of what a reader sees."""


@dataclass(frozen=True, slots=True)
class Sight:
    """The elements that may hold metadata, in page order."""

    tree: Element
    told: list[Element]
    """What tells of the whole page: meta, link, title and h1."""
    scripts: list[Element]
    times: list[Element]
    microdata: list[Element]
    rdfa: list[Element]
    marked: dict[Mark, list[Element]]
    """By what the class says."""
    linked: dict[str, list[Element]]
    """Links, by what their rel says."""

    def headings(self) -> list[Element]:
        """By tag or class."""
        marked = set(self.marked[Mark.HEADING])
        return [one for one in self.tree.iter(etree.Element) if one.tag in _HEADINGS or one in marked] if marked else self._by_tag()

    def _by_tag(self) -> list[Element]:
        return list(self.tree.iter(*_HEADINGS))


def look(tree: Element) -> Sight:
    """Find them. Asking for a tag is far cheaper than asking each element for attributes, so that is done in one walk, and once."""
    microdata: list[Element] = []
    rdfa: list[Element] = []
    marked: dict[Mark, list[Element]] = {mark: [] for mark in Mark}
    for element in islice(tree.iter(etree.Element), MAX_ELEMENTS):
        get = element.get
        if get("itemprop") is not None and element.tag != "script":
            microdata.append(element)
        if get("property") is not None and element.tag not in _WITHOUT_CLASS:
            rdfa.append(element)
        written = get("class")
        if written and (marks := marks_of(written)) and element.tag not in _WITHOUT_CLASS:
            for mark in marks:
                marked[mark].append(element)
    return Sight(
        tree=tree,
        told=list(tree.iter(*_TELLING, "h1")),
        scripts=list(tree.iter("script")),
        times=list(tree.iter("time")),
        microdata=microdata,
        rdfa=rdfa,
        marked=marked,
        linked=_linked(tree),
    )


def _linked(tree: Element) -> dict[str, list[Element]]:
    linked: dict[str, list[Element]] = {"author": [], "tag": []}
    for link in tree.iter("a"):
        if rel := link.get("rel"):
            rels = rel.lower().split()
            for name, links in linked.items():
                if name in rels:
                    links.append(link)
    return linked


def file_sight(sight: Sight, clues: Clues) -> None:
    """Promise what the elements say as `html:...`."""
    around = frozenset(above for one in sight.told if one.tag == "h1" for above in one.iterancestors())
    marked, linked = sight.marked, sight.linked
    for source, texts in {
        "html:heading": lambda: _short_texts(sight.headings(), _LONGEST_HEADING, around),
        "html:time": lambda: _times(_placed(sight.times, sight, above=False), around),
        "html:date": lambda: _short_texts(_placed(marked[Mark.DATE], sight, above=False), _LONGEST_DATE, around),
        "html:page-date": lambda: _page_dates(sight, around),
        "html:rel-author": lambda: _names(linked["author"], around),
        "html:author": lambda: _names(marked[Mark.AUTHOR], around),
        "html:byline": lambda: _short_texts(_together(list(_inside(marked[Mark.BYLINE], around))), _LONGEST_BYLINE, around),
        "html:rel-tag": lambda: _short_texts(linked["tag"], _LONGEST_TAG, around),
        "html:tags": lambda: _links_of(marked[Mark.TAGS], around),
        "html:breadcrumb": lambda: _links_of(marked[Mark.CRUMBS][:1], around),
    }.items():
        clues.promise(source, texts)


def is_outside(element: Element, around: Collection[Element] = ()) -> bool:
    """Whether an element stands in a part of the page that is not the article's; what holds the heading is the article's."""
    for above in chain((element,), element.iterancestors()):
        if above in around or above.tag in ("body", "main"):
            return False
        if above.tag in _OUTSIDE_TAGS:
            return True
        for name in ("class", "id"):
            written = above.get(name)
            if written and Mark.OUTSIDE in marks_of(written):
                return True
    return False


def _inside(elements: list[Element], around: Collection[Element]) -> Iterator[Element]:
    return (one for one in elements[:MAX_CANDIDATES] if not is_outside(one, around))


def _names(elements: list[Element], around: Collection[Element]) -> Iterator[str]:
    return _short_texts(_together(list(_inside(elements, around))), _LONGEST_NAME, around)


def _together(elements: list[Element]) -> list[Element]:
    """The first, and those that stand beside it: others sign other articles."""
    if not elements:
        return []
    first = elements[0].getparent()
    beside = {first, first.getparent()} if first is not None else set()
    return [one for one in elements if (above := one.getparent()) is not None and (above in beside or above.getparent() in beside)]


def _short_texts(elements: list[Element], longest: int, around: Collection[Element]) -> Iterator[str]:
    return (text for element in _inside(elements, around) if (text := short_text(element, longest)) and len(text) > 1)


def _times(elements: list[Element], around: Collection[Element]) -> Iterator[str]:
    return (element.get("datetime") or short_text(element, _LONGEST_DATE) or "" for element in _inside(elements, around))


def _page_dates(sight: Sight, around: Collection[Element]) -> Iterator[str]:
    """Dates above the article, where many portals write what day it is."""
    yield from _times(_placed(sight.times, sight, above=True), around)
    yield from _short_texts(_placed(sight.marked[Mark.DATE], sight, above=True), _LONGEST_DATE, around)


def _placed(elements: list[Element], sight: Sight, *, above: bool) -> list[Element]:
    """Those that stand above the article, or those that do not."""
    head = _page_head(sight)
    return [one for one in elements[:MAX_CANDIDATES] if above == any(around in head for around in chain((one,), one.iterancestors()))]


def _page_head(sight: Sight) -> Collection[Element]:
    """The breadcrumbs, and what stands before the heading and the block that it opens."""
    head = set(sight.marked[Mark.CRUMBS])
    heading = next((one for one in sight.told if one.tag == "h1"), None)
    if heading is not None:
        block = _header_block(heading)
        for around in chain((block,), block.iterancestors()):
            head.update(around.itersiblings(preceding=True))
        head.difference_update(heading.iterancestors())  # "page has-breadcrumbs"
    return head


def _header_block(heading: Element) -> Element:
    """The heading with what stands close around it."""
    around = list(takewhile(lambda one: one.tag not in _PAGE_TAGS, heading.iterancestors()))
    article = next((one for one in around if one.tag == "article"), None)
    return article if article is not None else [heading, *around[:_HEADER_LEVELS]][-1]


def _links_of(lists: list[Element], around: Collection[Element]) -> Iterator[str]:
    """The texts of links (and buttons) in lists of such; what holds more than that is no list."""
    for container in _inside(lists, around):
        texts = [text for link in islice(container.iter("a", "button"), MAX_LINKS) if (text := short_text(link, _LONGEST_TAG))]
        if short_text(container, _MOSTLY_LINKS * sum(map(len, texts))) is not None:
            yield from texts
