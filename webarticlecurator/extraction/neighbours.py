"""Links and forms of a list's page that may lead to more: beside the list or below it, near its own address.

Neither words nor names are needed: whoever asks these addresses sees what they list.
Words and names put the likeliest first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import islice
from operator import attrgetter
from urllib.parse import parse_qsl

from lxml.etree import _Element as Element

from webarticlecurator.extraction.checks import Check, Evidence, fact, first_reason, total_weight
from webarticlecurator.extraction.forms import choices_of, ends, lists_outside_forms, stem_of
from webarticlecurator.extraction.lookalikes import is_box
from webarticlecurator.extraction.pager_links import CandidateLink, NamesAround
from webarticlecurator.extraction.pager_signs import DIGIT, LONGEST_LABEL, leads_to_file
from webarticlecurator.extraction.picked_list import HOLDERS, PickedList
from webarticlecurator.model.links import WITHOUT_WORDS, PagerLink
from webarticlecurator.model.page import Outline, Page
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.urls import bare_host, normalise, pages_apart, split_path

OF_LANGUAGE = linear_at(r"lang(?:uage)?|lng|locale|hl", re.IGNORECASE)
"""Names of parameters that ask for another edition."""
OF_PLACE = linear(r"off|start|skip|page|^p$|from|begin|before|after|cursor|until|cut", re.IGNORECASE)
"""Names of parameters that say where in a list a page begins."""
_NUMBER_OR_QUERY = linear(r"[0-9?]")
_BEHIND_NAME = "/-_.,"
"""Marks between the address of a list and the rest of one that lies below it."""
_GROUPS = frozenset({"header", "menu", "ol", "ul"})
"""Elements besides boxes that may hold the menu of a site."""
_SIDES = frozenset({"aside", "footer"})
_FEWEST_IN_MENU = 3


class NearbyAddress:
    """The address of a list, by which others are near it or not."""

    def __init__(self, url: str) -> None:
        self._url, self._host = normalise(url), bare_host(url)
        path, query = split_path(self._url)
        self._parameters = _parameters(query)
        self._stem = stem_of(self._url)
        self._below = tuple(self._stem + mark for mark in _BEHIND_NAME)
        self._has_number = DIGIT.search(path) is not None
        self._behind_host = len(self._url) - len(self._url.partition("://")[2].partition("/")[2])
        self.is_near = cache(self._is_near)
        """Says of an address whether it may list more of the same list; menus repeat themselves."""

    def _is_near(self, url: str) -> bool:
        return url != self._url and bare_host(url) == self._host and self._is_written_nearby(url)

    def _is_written_nearby(self, url: str) -> bool:
        stem = stem_of(url)
        if stem == self._stem:
            return self.is_asked_otherwise(url)
        return stem.startswith(self._below) or (self._has_number and pages_apart(self._url, url) is not None)

    def is_asked_otherwise(self, url: str) -> bool:
        """Say whether an address asks the same list for something else.

        Another value for what parts sections is another list, and a language another edition.
        """
        if stem_of(url) != self._stem:
            return False
        parameters = _parameters(split_path(url)[1])
        changed = dict(parameters.items() ^ self._parameters.items())
        return bool(parameters) and all(map(self._may_change, changed))

    def _may_change(self, name: str) -> bool:
        is_added = name not in self._parameters
        return (is_added or OF_PLACE.search(name) is not None) and not OF_LANGUAGE.fullmatch(name)

    def is_related(self, url: str) -> bool:
        """Say whether it speaks of the list even where that is the home page, below which everything lies."""
        speaks_of_list = bool(self._stem) or _NUMBER_OR_QUERY.search(url, self._behind_host) is not None
        return speaks_of_list and self.is_near(url)


def _parameters(query: str) -> dict[str, str]:
    return dict(parse_qsl(query, keep_blank_values=True))


@dataclass(eq=False)
class NeighbourLink:
    """An address that a page leads to, and where the link stands: an `a`, or an option of a form."""

    row: int
    url: str
    text: str
    surroundings: Surroundings

    @property
    def picked(self) -> PickedList:
        return self.surroundings.picked

    @fact
    def candidate(self) -> CandidateLink:
        """The link, as one that may be a pager's."""
        around = self.surroundings
        return CandidateLink(self.row, self.url, around.url, around.names)


@dataclass(frozen=True, eq=False)
class Surroundings:
    """The list of a page with what stands around it."""

    page: Page
    picked: PickedList
    links: Sequence[tuple[Element, str]]
    is_listed: Callable[[str], bool]
    """Says of an address whether it is among the list's articles, or refused."""
    names: NamesAround
    nearby: NearbyAddress
    pager: Mapping[str, PagerLink]
    """Links that look like a pager's, by address."""

    @property
    def url(self) -> str:
        return normalise(self.page.url)

    @property
    def outline(self) -> Outline:
        return self.page.outline

    @fact
    def urls_in_rows(self) -> dict[int, str]:
        return {self.outline.row_of[element]: url for element, url in self.links}

    @cached_property
    def is_menu(self) -> Callable[[int], bool]:
        """Says of a box whether it is the site's menu: most of its links lead elsewhere than near the
        list."""
        return cache(self._is_menu)

    def _is_menu(self, box: int) -> bool:
        urls = set(map(self.urls_in_rows.get, self.outline.rows_in(box, "a"))) - {None}
        related = sum(map(self.nearby.is_related, filter(None, urls)))
        return len(urls) >= _FEWEST_IN_MENU and 2 * related <= len(urls)


def neighbours_of(
    page: Page,
    picked: PickedList,
    links: Sequence[tuple[Element, str]],
    pager: Iterable[PagerLink],
    is_listed: Callable[[str], bool],
) -> tuple[PagerLink, ...]:
    """Return where a page of a list leads that may list more, the likeliest first.

    `pager` are the links of its pager.
    """
    by_url = {link.url: link for link in pager}
    names, nearby = NamesAround(page.outline), NearbyAddress(page.url)
    around = Surroundings(page, picked, links, is_listed, names, nearby, by_url)
    weights: dict[str, int] = {}
    texts: dict[str, str] = {}
    for link in (*_links(around), *_choices(around)):
        if not first_reason(AGAINST, link):
            weights[link.url] = max(weights.get(link.url, 0), total_weight(EVIDENCE, link))
            texts.setdefault(link.url, link.text)
    likeliest = sorted(weights, key=lambda url: -weights[url])
    return tuple(by_url.get(url) or _as_link(around, url, texts[url]) for url in likeliest)


def _as_link(around: Surroundings, url: str, text: str) -> PagerLink:
    numbers = pages_apart(around.url, url)
    return PagerLink(
        url=url, text=text or WITHOUT_WORDS, numbers=numbers, continues=numbers is not None, signs=1
    )


def _links(around: Surroundings) -> Iterator[NeighbourLink]:
    """Give the links to near addresses."""
    outline = around.outline
    for element, url in around.links:
        if element.tag == "a" and around.nearby.is_near(url):
            row = outline.row_of[element]
            yield NeighbourLink(row, url, outline.label(row, LONGEST_LABEL), around)


def _choices(around: Surroundings) -> Iterator[NeighbourLink]:
    """Give the addresses that forms, and lists to choose from, send readers to."""
    asks_it, lists = attrgetter("asks_own_page"), lists_outside_forms(around.page)
    for choice in choices_of(around.page, ends, asks_it, lists):
        yield NeighbourLink(choice.row, choice.url, choice.text, around)


# --- reasons against an address, and what puts it before others ---


def _lies_elsewhere(link: NeighbourLink) -> bool:
    return not link.surroundings.nearby.is_near(link.url)


def _is_listed(link: NeighbourLink) -> bool:
    return link.surroundings.is_listed(link.url)


def _is_of_item(link: NeighbourLink) -> bool:
    return link.picked.in_item(link.row)


def _is_no_page(link: NeighbourLink) -> bool:
    return leads_to_file(link.url)


def _is_in_menu(link: NeighbourLink) -> bool:
    """Say whether it stands in the site's menu; what looks like a pager's is no part of it."""
    if link.url in link.surroundings.pager:
        return False
    outline = link.surroundings.outline
    beside = set(outline.around(link.row)) - link.picked.holding.keys()
    groups = (row for row in beside if outline.tags[row] in _GROUPS or is_box(outline.elements[row]))
    return any(map(link.surroundings.is_menu, groups))


AGAINST: tuple[Check[NeighbourLink], ...] = (
    Check("its address is not near that of the list", _lies_elsewhere),
    Check("the page lists it, or refuses it", _is_listed),
    Check("it is an item's own", _is_of_item),
    Check("it leads to no page", _is_no_page),
    Check("it stands in the menu of the site", _is_in_menu),
)


def _weight_of_pager(link: NeighbourLink) -> int:
    shown = link.surroundings.pager.get(link.url)
    return 0 if shown is None else 4 + shown.is_sure


def _weight_of_names(link: NeighbourLink) -> int:
    return link.candidate.in_pager + any(link.candidate.direction)


def _weight_of_words(link: NeighbourLink) -> int:
    return int(link.candidate.weight_of_words > 0)


def _weight_of_place(link: NeighbourLink) -> int:
    """Put what stands below the list, and in no side bar, before what stands elsewhere."""
    outline = link.surroundings.outline
    around = set(islice(outline.around(link.row), HOLDERS))
    return 2 * int(link.row >= link.picked.end and around.isdisjoint(outline.rows(*_SIDES)))


def _weight_of_address(link: NeighbourLink) -> int:
    return int(link.surroundings.nearby.is_related(link.url))


EVIDENCE: tuple[Evidence[NeighbourLink], ...] = (
    Evidence("it looks like a pager's", _weight_of_pager),
    Evidence("it, or what is around it, is called so", _weight_of_names),
    Evidence("what is written on it, as in a pager", _weight_of_words),
    Evidence("it stands below the list", _weight_of_place),
    Evidence("its address speaks of the list", _weight_of_address),
)
