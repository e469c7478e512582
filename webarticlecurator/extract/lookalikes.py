"""Links that look like the picked articles and that no rule took: what a wrong `item` or `link` leaves behind."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

from lxml.etree import _Element as Element

from webarticlecurator.model.links import Lookalike
from webarticlecurator.selectors.escaping import identifier
from webarticlecurator.urls import bare_host, split_path

MOST = 500
"""Of one page; more say nothing more."""
_OF_THE_SITE = frozenset({"nav", "footer"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_SLUG = re.compile(r"[\d_%-]")
_FILE_TYPE = re.compile(r"\.[A-Za-z]{2,5}$")


def shape_of(url: str) -> tuple[str, ...]:
    """What a normalised URL has in common with those of its kind: numbers and slugs are alike, words that name a section are not."""
    path, query = split_path(url)
    segments = [segment for segment in path.split("/") if segment]
    kinds = [_kind(segment, may_be_slug=number > 0 and number == len(segments) - 1) for number, segment in enumerate(segments)]
    pairs = sorted(pair.partition("=") for pair in query.split("&")) if query else []
    return (bare_host(url), *kinds, *(f"{name}={_kind(value, may_be_slug=True)}" for name, _, value in pairs))


def _kind(segment: str, *, may_be_slug: bool) -> str:
    file_type = _FILE_TYPE.search(segment)
    stem, suffix = (segment[: file_type.start()], file_type[0].lower()) if file_type else (segment, "")
    if stem.isdigit():
        return f"#{suffix}"
    return f"~{suffix}" if may_be_slug or _SLUG.search(stem) else segment.lower()


@dataclass(frozen=True, slots=True)
class PickedLinks:
    """The links that the rules took of a page."""

    elements: Collection[Element]
    urls: Collection[str]
    items: Collection[Element] = ()
    """What an `item` rule matched."""


def lookalikes(links: Iterable[tuple[Element, str]], picked: PickedLinks, is_article: Callable[[str], bool]) -> tuple[Lookalike, ...]:
    """Of a page's links those that are like the picked ones, or all of them where nothing was picked.

    `is_article` says whether the portal's `urls` rules let one in.
    """
    shapes = {shape_of(url) for url in picked.urls}
    items = _Items.of(picked)
    found: dict[str, Lookalike] = {}
    for element, url in links:
        if url in picked.urls or element.tag != "a":
            continue
        shape = shape_of(url)
        if (shapes and shape not in shapes) or not is_article(url):
            continue
        before = found.get(url)
        if (before is not None and before.in_list) or any(ancestor.tag in _OF_THE_SITE for ancestor in element.iterancestors()):
            continue
        found[url] = Lookalike(url, shape, _selector(element), items.has_beside(element))
        if len(found) >= MOST:
            break
    return tuple(found.values())


@dataclass(frozen=True, slots=True)
class _Items:
    """The items of the picked links: what the `item` rule matched, or the outermost elements that hold one picked link each."""

    elements: frozenset[Element]
    looks: frozenset[tuple[Element | None, str, str | None]]
    """The list, the tag and a class of each item."""

    @classmethod
    def of(cls, picked: PickedLinks) -> _Items:
        links = picked.elements
        held = Counter(ancestor for link in links for ancestor in _with_ancestors(link))
        outermost = {next(one for one in _with_ancestors(link) if _holds_more(one, held)) for link in links}
        items = frozenset(item for item in (*outermost, *picked.items) if item.getparent() is not None)
        return cls(items, frozenset(look for item in items for look in _looks(item)))

    def has_beside(self, link: Element) -> bool:
        """Whether the link stands in an element beside the items that looks like one of them."""
        return any(one not in self.elements and not self.looks.isdisjoint(_looks(one)) for one in _with_ancestors(link))


def _holds_more(element: Element, held: Counter[Element]) -> bool:
    parent = element.getparent()
    return parent is None or held[parent] > 1


def _looks(element: Element) -> Iterator[tuple[Element | None, str, str | None]]:
    parent, classes = element.getparent(), (element.get("class") or "").split()
    yield from ((parent, str(element.tag), name) for name in classes)
    if not classes:
        yield parent, str(element.tag), None


def _with_ancestors(element: Element) -> Iterator[Element]:
    yield element
    yield from element.iterancestors()


def _selector(link: Element) -> str:
    """What names the link and others like it: its heading, and the nearest element around it that has a class."""
    around = next((one for one in link.iterancestors() if (one.get("class") or "").strip()), None)
    heading = next((str(one.tag) for one in link.iterancestors() if one.tag in _HEADINGS), None)
    steps = [_named(around)] if around is not None else []
    if heading is not None and (around is None or around.tag != heading):
        steps.append(heading)
    return " ".join([*steps, _named(link)])


def _named(element: Element) -> str:
    classes = (element.get("class") or "").split()
    return str(element.tag) + (f".{identifier(classes[0])}" if classes else "")
