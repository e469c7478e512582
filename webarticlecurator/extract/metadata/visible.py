"""Reader of what a visitor of the page sees: byline, dates, tags, breadcrumbs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extract.metadata.clues import ClueFile
from webarticlecurator.extract.metadata.page_marks import Mark, marks_of
from webarticlecurator.text import element_text, squeeze

MAX_ELEMENTS = 60_000
MAX_CANDIDATES = 40
_LONGEST_BYLINE, _LONGEST_DATE, _LONGEST_TAG = 200, 120, 60
_OUTSIDE_TAGS = frozenset({"nav", "footer", "aside", "form", "noscript", "script", "style", "template"})
_NO_MARKS: frozenset[Mark] = frozenset()


@dataclass(slots=True)
class Sight:
    """The elements that may hold metadata, in page order."""

    times: list[Element] = field(default_factory=list)
    authors: list[Element] = field(default_factory=list)
    """Links that say that they lead to the author."""
    bylines: list[Element] = field(default_factory=list)
    dates: list[Element] = field(default_factory=list)
    tags: list[Element] = field(default_factory=list)
    tag_lists: list[Element] = field(default_factory=list)
    crumbs: list[Element] = field(default_factory=list)


_LISTS = {Mark.BYLINE: "bylines", Mark.DATE: "dates", Mark.TAGS: "tag_lists", Mark.CRUMBS: "crumbs"}


def look(tree: Element) -> Sight:
    """One walk over the page."""
    sight = Sight()
    for count, element in enumerate(tree.iter(etree.Element)):
        if count > MAX_ELEMENTS:
            break
        tag, attributes = element.tag, element.attrib
        if tag == "time":
            sight.times.append(element)
        if not attributes:
            continue
        if rel := attributes.get("rel"):
            _by_rel(element, str(rel).lower().split(), sight)
        if written := attributes.get("class"):
            for mark in marks_of(str(written)):
                if mark in _LISTS:
                    getattr(sight, _LISTS[mark]).append(element)
    return sight


def _by_rel(element: Element, rels: list[str], sight: Sight) -> None:
    if element.tag == "link":
        return
    if "author" in rels:
        sight.authors.append(element)
    if "tag" in rels:
        sight.tags.append(element)


def file_sight(sight: Sight, clues: ClueFile) -> None:
    """File what the elements say as `html:...`."""
    clues.add_all("html:time", _times(sight.times))
    clues.add_all("html:date", _short_texts(sight.dates, _LONGEST_DATE))
    clues.add_all("html:rel-author", _short_texts(sight.authors, _LONGEST_BYLINE))
    clues.add_all("html:byline", _short_texts(sight.bylines, _LONGEST_BYLINE))
    clues.add_all("html:rel-tag", _short_texts(sight.tags, _LONGEST_TAG))
    clues.add_all("html:tags", _links_of(sight.tag_lists))
    clues.add_all("html:breadcrumb", _links_of(sight.crumbs[:1]))


def is_outside(element: Element) -> bool:
    """Whether an element stands in a part of the page that is not the article's."""
    for above in (element, *element.iterancestors()):
        if above.tag in ("body", "article", "main"):
            return False
        if above.tag in _OUTSIDE_TAGS:
            return True
        for name in ("class", "id"):
            written = above.get(name)
            if written and Mark.OUTSIDE in marks_of(written):
                return True
    return False


def _inside(elements: list[Element]) -> Iterator[Element]:
    return (one for one in elements[:MAX_CANDIDATES] if not is_outside(one))


def _short_texts(elements: list[Element], longest: int) -> Iterator[str]:
    for element in _inside(elements):
        text = squeeze(element_text(element))
        if 1 < len(text) <= longest:
            yield text


def _times(elements: list[Element]) -> Iterator[str]:
    for element in _inside(elements):
        yield element.get("datetime") or element_text(element)


def _links_of(lists: list[Element]) -> Iterator[str]:
    for container in _inside(lists):
        if container.tag == "a":
            yield element_text(container)
        yield from (element_text(link) for link in container.iter("a"))
