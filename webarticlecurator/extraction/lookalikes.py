"""Links that look like the picked ones, as a wrong `item` or `link` leaves them behind."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import chain, islice, takewhile
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from lxml.etree import _Element as Element

from webarticlecurator.config.picks import Pick, Picks
from webarticlecurator.config.portal import Column
from webarticlecurator.extraction.picked_list import PickedList
from webarticlecurator.extraction.picked_values import PageContext, pick_links
from webarticlecurator.extraction.url_rules import article_url, url_shape
from webarticlecurator.labelling.element_names import PagePart, sure_part
from webarticlecurator.model.links import LinkPlace, Lookalike, RefusedLink
from webarticlecurator.selectors import Selector, identifier
from webarticlecurator.text import HEADINGS, element_text
from webarticlecurator.urls import normalise, web_link

FIRST_LINK = Picks(alternatives=(Pick(css=Selector.parse("a[href]")), Pick()))
"""Without `link`: the item itself, if it is an `a`, else the first usable `a[href]` in it.

In JSON an item may be the URL itself.
"""
_MOST_ALIKE = 500
"""More say nothing more."""
_MOST_ENTRIES = 20_000
"""Entries of lists in JSON that are looked at: an answer may be of any length, and each entry costs."""
_BOX_PARTS = frozenset(
    {
        PagePart.ADVERTISEMENT,
        PagePart.COMMENTS,
        PagePart.NAVIGATION,
        PagePart.NEWSLETTER,
        PagePart.RELATED,
        PagePart.SHARE,
    }
)

_PLACES = {
    (True, True): LinkPlace.LEFT_ITEM,
    (True, False): LinkPlace.LIST,
    (False, True): LinkPlace.BOX,
    (False, False): LinkPlace.ELSEWHERE,
}
"""Places of links by whether they stand in an item of the list, and in a box."""

Look = tuple[int, str, str]
"""The list that an element stands in, its tag, and one of its classes."""


@dataclass(frozen=True, eq=False)
class LookedAt:
    """The links of a page beside those that the rules took."""

    picked: PickedList
    links: Sequence[tuple[Element, str]]
    urls: Collection[str]
    """Addresses of the picked links."""
    is_article: Callable[[str], bool]
    """Says whether the portal's `urls` rules let a link in, as one that is not listed yet."""

    @cached_property
    def anchors(self) -> Sequence[tuple[Element, str]]:
        return [(link, url) for link, url in self.links if link.tag == "a"]

    def row(self, element: Element) -> int:
        return self.picked.outline.row_of[element]

    @cached_property
    def shapes(self) -> set[str]:
        return set(map(_shape_of, self.urls))

    @cached_property
    def shape_of(self) -> Callable[[str], str | None]:
        """Returns what an address has in common with the picked ones; None where it is like none of them.

        Menus repeat themselves, and judging costs.
        """
        return cache(self._judged_shape)

    def _judged_shape(self, url: str) -> str | None:
        shape = _shape_of(url)
        is_alike = url not in self.urls and (not self.shapes or shape in self.shapes)
        return shape if is_alike and self.is_article(url) else None

    @cached_property
    def looks(self) -> set[Look]:
        return set(chain.from_iterable(_looks(self.picked, item) for item in self.picked.items))

    @cached_property
    def positions_of_headlines(self) -> set[tuple[str, Element | None]]:
        """Return the positions of links that lead to most of the articles.

        They are headlines, where the rule takes a "read more" that short articles lack.
        """
        leading = {(_position_of(link), url) for link, url in self.anchors if url in self.urls}
        articles = Counter(map(itemgetter(0), leading))
        return {position for position, number in articles.items() if 2 * number > max(len(self.urls), 2)}

    def place_of(self, link: Element) -> LinkPlace:
        place = _PLACES[self._is_in_item(link), self._is_in_box(link)]
        is_of_headline = place is LinkPlace.ELSEWHERE and _position_of(link) in self.positions_of_headlines
        return LinkPlace.LIST if is_of_headline else place

    def _is_in_box(self, link: Element) -> bool:
        """Say whether it stands in a menu or the like that holds no picked link."""
        picked = self.picked
        around = picked.around(self.row(link))
        return any(is_box(picked.outline.elements[row]) for row in around if row not in picked.holding)

    def _is_in_item(self, link: Element) -> bool:
        """Say whether it stands in one more item of the list."""
        around = self.picked.around(self.row(link))
        return any(
            not self.looks.isdisjoint(_looks(self.picked, row))
            for row in around
            if row not in self.picked.items
        )


def lookalikes(
    picked: PickedList,
    links: Sequence[tuple[Element, str]],
    urls: Collection[str],
    is_article: Callable[[str], bool],
) -> tuple[Lookalike, ...]:
    """Return the links of a page that are like the picked ones, or all of them where nothing was picked."""
    looked_at = LookedAt(picked, links, urls, is_article)
    return tuple({**_alike(looked_at), **_in_items_without_links(looked_at)}.values())


def _alike(looked_at: LookedAt) -> dict[str, Lookalike]:
    """Return links with addresses as the picked ones have.

    Of several to one address the one whose place tells most counts.
    """
    by_url: dict[str, Lookalike] = {}
    for link, url in looked_at.anchors:
        shape = looked_at.shape_of(url)
        if shape is not None and len(by_url) < _MOST_ALIKE:
            found = Lookalike(url, shape, _selector(link), looked_at.place_of(link))
            by_url[url] = max(by_url.get(url, found), found, key=attrgetter("place"))
    return by_url


class _Title(NamedTuple):
    """A link of an item, with the length of what is written on it."""

    written: int
    url: str
    link: Element


def _in_items_without_links(looked_at: LookedAt) -> dict[str, Lookalike]:
    """Return the title of each item of which nothing was taken, the longest text in it: perhaps an article of
    a kind that `link` misses."""
    picked = looked_at.picked
    bare = {item for item in picked.by_rule if not picked.holding[item]}
    titles: dict[int, _Title] = {}
    for link, url in looked_at.links:
        items = bare.intersection(picked.outline.around(looked_at.row(link)))
        if items and looked_at.is_article(url):
            title = _Title(len(element_text(link)), url, link)
            titles[max(items)] = max(titles.get(max(items), title), title, key=lambda held: held.written)
    alike = [
        Lookalike(title.url, _shape_of(title.url), _selector(title.link), LinkPlace.LEFT_ITEM)
        for title in titles.values()
    ]
    return {title.url: title for title in alike if title.shape not in looked_at.shapes}


def _position_of(link: Element) -> tuple[str, Element | None]:
    """Return a selector that takes such links, and the element that their list is."""
    return _selector(link), next(iter((*_named_around(link), link))).getparent()


def _named_around(link: Element) -> list[Element]:
    """Return the nearest element around it that has a class, if there is one."""
    named = (holder for holder in link.iterancestors() if holder.get("class", "").strip())
    return list(islice(named, 1))


def is_box(element: Element) -> bool:
    """Say whether its tag or its names tell that it is a menu, a sidebar or the like."""
    return (
        element.tag in {"aside", "footer", "nav"}
        or sure_part(element.get("class"), element.get("id")) in _BOX_PARTS
    )


def _looks(picked: PickedList, row: int) -> list[Look]:
    """Return the list that an element stands in, its tag, and each of its classes."""
    outline = picked.outline
    classes = outline.elements[row].get("class", "").split() or [""]
    return [(outline.parents[row], outline.tags[row], name) for name in classes]


def _selector(link: Element) -> str:
    """Return what names links like it: the heading, and the nearest element around it that has a class."""
    around = _named_around(link)
    within = takewhile(lambda holder: holder not in around, link.iterancestors())
    headings = [str(holder.tag) for holder in within if holder.tag in HEADINGS][:1]
    return " ".join([*map(_named, around), *headings, _named(link)])


def _named(element: Element) -> str:
    first_class = [f".{identifier(name)}" for name in element.get("class", "").split()[:1]]
    return "".join((str(element.tag), *first_class))


# --- in JSON ---


def left_in_json(
    context: PageContext,
    column: Column,
    urls: Collection[str],
    refused: Iterable[str],
    is_article: Callable[[str], bool],
) -> tuple[Lookalike, ...]:
    """Return the links of other entries in lists of which the rules took most."""
    shapes, known = set(map(_shape_of, urls)), {*urls, *refused}
    left: dict[str, Lookalike] = {}
    looked_at = 0
    for path, entries in _lists(context.page.json).items():
        looked_at += len(entries)
        if looked_at > _MOST_ENTRIES:
            break
        of_entries = [list(_links_of(entry, context, column)) for entry in entries]
        unknown = [links for links in of_entries if known.isdisjoint(links)]
        if 2 * (len(entries) - len(unknown)) > len(urls):
            alike = (url for url in chain.from_iterable(unknown) if _shape_of(url) in shapes)
            left |= {
                url: Lookalike(url, _shape_of(url), path, LinkPlace.LIST) for url in filter(is_article, alike)
            }
    return tuple(islice(left.values(), _MOST_ALIKE))


_shape_of = partial(url_shape, sections=True)


def _lists(data: Any) -> dict[str, list[Any]]:
    """Return the entries of all lists in JSON, by their paths."""
    lists: dict[str, list[Any]] = defaultdict(list)
    waiting = [("", data)]
    for path, value in waiting:
        if isinstance(value, Mapping):
            waiting += ((f"{path}.{name}".lstrip("."), inner) for name, inner in value.items())
        elif isinstance(value, list):
            lists[f"{path}[]"] += value
            waiting += ((f"{path}[]", entry) for entry in value)
    return lists


def _links_of(entry: Any, context: PageContext, column: Column) -> Iterator[str]:
    """Give what the rules pick in an entry, and other addresses in it, as the `urls` rules leave them."""
    picked = pick_links(column.link or FIRST_LINK, context.item(entry), many=False).values
    texts = (text for text in _texts(entry) if isinstance(text, str) and "/" in text)
    joined = (web_link(context.base_of_links, text) for text in texts)
    for url in filter(None, chain((value.text for value in picked), joined)):
        listed = article_url(url, column.urls, context.portal)
        yield listed.url if isinstance(listed, RefusedLink) else normalise(listed)


def _texts(entry: Any) -> Iterator[Any]:
    """Give an entry's values, and those one level below."""
    return chain.from_iterable(map(_values, _values(entry)))


def _values(entry: Any) -> Iterable[Any]:
    return entry.values() if isinstance(entry, Mapping) else (entry,)
