"""The items of a list: the element around each link that has no other one, and how all of them are called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

from lxml.etree import _Element as Element

from webarticlecurator.learning.element_selectors import selected
from webarticlecurator.learning.links.archive_reading import ArchiveReading
from webarticlecurator.learning.links.candidates import names_of
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Plain

MOST_PAGES, MOST_ITEMS = 4, 100
"""Pages, and items of each, that are looked at."""
_MOST_TRIED, _FEWEST_LINKS = 6, 3
_FEWEST = 0.9
"""Share of the links that must stand in an item of that name."""


def with_items(css: str, pages: Sequence[Page], found: Sequence[Sequence[str]], reading: ArchiveReading) -> dict[str, Plain] | None:
    """The same links as `item` and `link`; None where no name fits all items and nothing else."""
    chosen = [number for number, urls in enumerate(found) if urls][:MOST_PAGES]
    held = [_held(css, pages[number]) for number in chosen]
    names = Counter(name for by_link in held for around in by_link for name in {name for one in around for name in names_of(one)})
    links = sum(map(len, held))
    if links < _FEWEST_LINKS:
        return None
    depths = _depths(held)
    likely = [name for name, count in names.items() if count >= _FEWEST * links]
    likely.sort(key=lambda name: (depths[name], name.isalnum(), len(name), name))
    for item in (*likely[:_MOST_TRIED], *(f"{css.split(' ')[0]} {name}" for name in likely[:_MOST_TRIED] if " " in css and "," not in css)):
        for link in _shortened(css, item):
            picks: dict[str, Plain] = {"item": item, "link": link}
            if all(frozenset(reading.links(picks, pages[number])) == frozenset(found[number]) for number in chosen):
                everywhere = all(frozenset(reading.links(picks, page)) == frozenset(urls) for page, urls in zip(pages, found, strict=True))
                return picks if everywhere else None
    return None


def items_of(css: str, pages: Sequence[Page]) -> Iterator[list[Element]]:
    """The items on each page."""
    for page in pages[:MOST_PAGES]:
        yield selected(css, page.tree)[:MOST_ITEMS]


def _held(css: str, page: Page) -> list[list[Element]]:
    """The elements around each link that hold no link to another article, the innermost first."""
    links = selected(css, page.tree)
    holders: dict[Element, str] = {}
    for link in links:
        href = link.get("href") or ""
        for one in link.iterancestors():
            holders[one] = href if holders.get(one, href) == href else ""
    return [list(takewhile(lambda one: bool(holders.get(one)), link.iterancestors())) for link in links[:MOST_ITEMS]]


def _depths(held: Sequence[Sequence[Sequence[Element]]]) -> Mapping[str, int]:
    """Name -> how far it is from the outermost element that could be an item; the outermost says most."""
    depths: dict[str, int] = {}
    for around in (around for by_link in held for around in by_link):
        for depth, one in enumerate(reversed(around)):
            for name in names_of(one):
                depths[name] = max(depths.get(name, 0), depth)
    return depths


def _shortened(css: str, item: str) -> Iterator[str]:
    """As it may be said inside an item: without what stands around that, and the item itself."""
    if "," in css:
        yield css
        return
    steps = css.split(" ")
    yield from (" ".join(steps[start:]) for start in range(len(steps)) if steps[start] not in (">", item))
