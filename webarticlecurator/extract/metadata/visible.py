"""Reader of what a visitor of the page sees: headings, byline, dates, tags, breadcrumbs."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extract.metadata.clues import Clues
from webarticlecurator.extract.metadata.page_marks import Mark, marks_of
from webarticlecurator.text import element_text, squeeze

MAX_ELEMENTS = 60_000
MAX_CANDIDATES = 40
_LONGEST_NAME, _LONGEST_BYLINE, _LONGEST_DATE, _LONGEST_TAG, _LONGEST_HEADING = 60, 200, 120, 60, 300
_MOSTLY_LINKS = 3
"""A third of a list's text, at least, is its links'."""
_OUTSIDE_TAGS = frozenset({"nav", "footer", "form", "noscript", "script", "style", "template"})
_HEADINGS = frozenset({"h1", "h2", "h3"})


@dataclass(slots=True)
class Sight:
    """The elements that may hold metadata, in page order."""

    headings: list[Element] = field(default_factory=list)
    times: list[Element] = field(default_factory=list)
    rel_author: list[Element] = field(default_factory=list)
    authors: list[Element] = field(default_factory=list)
    bylines: list[Element] = field(default_factory=list)
    dates: list[Element] = field(default_factory=list)
    rel_tag: list[Element] = field(default_factory=list)
    tag_lists: list[Element] = field(default_factory=list)
    crumbs: list[Element] = field(default_factory=list)

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
    for count, element in enumerate(tree.iter(etree.Element)):
        if count > MAX_ELEMENTS:
            break
        if element.tag in _HEADINGS:
            sight.headings.append(element)
        elif element.tag == "time":
            sight.times.append(element)
        written = element.get("class")
        if written and (marks := marks_of(written)):
            for mark in marks:
                if mark in lists:
                    lists[mark].append(element)
        rel = element.get("rel")
        if rel and element.tag != "link":
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
        "html:byline": lambda: _short_texts(sight.bylines, _LONGEST_BYLINE, around),
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
    for element in _inside(elements, around):
        text = squeeze(element_text(element))
        if 1 < len(text) <= longest:
            yield text


def _times(elements: list[Element], around: Collection[Element]) -> Iterator[str]:
    for element in _inside(elements, around):
        yield element.get("datetime") or element_text(element)


def _links_of(lists: list[Element], around: Collection[Element]) -> Iterator[str]:
    """The texts of links (and buttons) in lists of such; what holds more than that is no list."""
    for container in _inside(lists, around):
        texts = [squeeze(element_text(link)) for link in container.iter("a", "button")]
        if sum(map(len, texts)) * _MOSTLY_LINKS >= len(squeeze(element_text(container))):
            yield from (text for text in texts if len(text) <= _LONGEST_TAG)
