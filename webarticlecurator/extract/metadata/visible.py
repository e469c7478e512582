"""Reader of what a visitor of the page sees: headings, byline, dates, tags, breadcrumbs."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import islice

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extract.metadata.clues import Clues
from webarticlecurator.extract.metadata.page_marks import Mark, marks_of
from webarticlecurator.text import short_text

MAX_ELEMENTS = 200_000
MAX_CANDIDATES, MAX_LINKS = 40, 100
_LONGEST_NAME, _LONGEST_BYLINE, _LONGEST_DATE, _LONGEST_TAG, _LONGEST_HEADING = 60, 200, 120, 60, 300
_MOSTLY_LINKS = 3
"""A third of a list's text, at least, is its links'."""
_OUTSIDE_TAGS = frozenset({"nav", "footer", "form", "noscript", "script", "style", "template"})
_TELLING = frozenset({"meta", "link", "title"})


@dataclass(slots=True)
class Sight:
    """The elements that may hold metadata, in page order."""

    told: list[Element] = field(default_factory=list)
    """What tells of the whole page: meta, link, title and h1."""
    scripts: list[Element] = field(default_factory=list)
    headings: list[Element] = field(default_factory=list)
    times: list[Element] = field(default_factory=list)
    rel_author: list[Element] = field(default_factory=list)
    authors: list[Element] = field(default_factory=list)
    bylines: list[Element] = field(default_factory=list)
    dates: list[Element] = field(default_factory=list)
    rel_tag: list[Element] = field(default_factory=list)
    tag_lists: list[Element] = field(default_factory=list)
    crumbs: list[Element] = field(default_factory=list)
    microdata: list[Element] = field(default_factory=list)
    rdfa: list[Element] = field(default_factory=list)

    def by_mark(self) -> dict[Mark, list[Element]]:
        return {
            Mark.AUTHOR: self.authors,
            Mark.BYLINE: self.bylines,
            Mark.DATE: self.dates,
            Mark.TAGS: self.tag_lists,
            Mark.CRUMBS: self.crumbs,
            Mark.HEADING: self.headings,
        }


def look(tree: Element) -> Sight:
    """One walk over the page."""
    sight = Sight()
    lists = sight.by_mark()
    microdata, rdfa = sight.microdata, sight.rdfa
    by_tag = {"script": (sight.scripts,), "h1": (sight.told, sight.headings), "h2": (sight.headings,), "h3": (sight.headings,)}
    by_tag |= {"time": (sight.times,), **dict.fromkeys(_TELLING, (sight.told,))}
    # This loop sees every element of the page: what asks for attributes that only few have comes last.
    for element in islice(tree.iter(etree.Element), MAX_ELEMENTS):
        tag, get = element.tag, element.get
        if tag in by_tag:
            for collected in by_tag[tag]:
                collected.append(element)
            if tag == "script":
                continue
        if get("itemprop") is not None:
            microdata.append(element)
        if tag in _TELLING:
            continue
        written = get("class")
        if written and (marks := marks_of(written)):
            for mark in marks:
                if mark in lists:
                    lists[mark].append(element)
        if get("property") is not None:
            rdfa.append(element)
        if tag == "a" and (rel := get("rel")):
            _by_rel(element, rel.lower().split(), sight)
    return sight


def _by_rel(element: Element, rels: list[str], sight: Sight) -> None:
    if "author" in rels:
        sight.rel_author.append(element)
    if "tag" in rels:
        sight.rel_tag.append(element)


def file_sight(sight: Sight, clues: Clues) -> None:
    """Promise what the elements say as `html:...`."""
    around = frozenset(above for heading in sight.headings if heading.tag == "h1" for above in heading.iterancestors())
    for source, texts in {
        "html:heading": lambda: _short_texts(sight.headings, _LONGEST_HEADING, around),
        "html:time": lambda: _times(sight.times, around),
        "html:date": lambda: _short_texts(sight.dates, _LONGEST_DATE, around),
        "html:rel-author": lambda: _names(sight.rel_author, around),
        "html:author": lambda: _names(sight.authors, around),
        "html:byline": lambda: _short_texts(_together(list(_inside(sight.bylines, around))), _LONGEST_BYLINE, around),
        "html:rel-tag": lambda: _short_texts(sight.rel_tag, _LONGEST_TAG, around),
        "html:tags": lambda: _links_of(sight.tag_lists, around),
        "html:breadcrumb": lambda: _links_of(sight.crumbs[:1], around),
    }.items():
        clues.promise(source, texts)


def is_outside(element: Element, around: Collection[Element] = ()) -> bool:
    """Whether an element stands in a part of the page that is not the article's; what holds the heading is the article's."""
    for above in (element, *element.iterancestors()):
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


def _links_of(lists: list[Element], around: Collection[Element]) -> Iterator[str]:
    """The texts of links (and buttons) in lists of such; what holds more than that is no list."""
    for container in _inside(lists, around):
        texts = [text for link in islice(container.iter("a", "button"), MAX_LINKS) if (text := short_text(link, _LONGEST_TAG))]
        if short_text(container, _MOSTLY_LINKS * sum(map(len, texts))) is not None:
            yield from texts
