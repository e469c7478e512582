"""How many addresses that no rule names may a crawl still ask for, and which of them could tell nothing new?

All that ask beside the rules of a portal file share one number: walks for what stands beside their lists,
those who look for other lists, for articles that no list names, and for further pages of articles. Where two
addresses of one form have told nothing new, others of the form, such as the months of an archive or the
members of a forum, are not asked for.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, starmap
from operator import itemgetter
from typing import TypeVar
from urllib.parse import parse_qsl

from webarticlecurator.config.portal import SECTION, Column, column_of
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.extraction.url_rules import url_shape
from webarticlecurator.urls import split_path

MOST_OF_COLUMN = 12
"""Addresses that are asked for in one crawl for each column of the portal file."""
MOST_BESIDE = 4
"""Pages that are asked for beside the list of a column, and as many beside the lists of all its sections
together."""
ENOUGH_IN_VAIN = 2
"""Addresses of one form that told nothing new, before no others of the form are asked for."""

T = TypeVar("T")


@dataclass(kw_only=True)
class Probes:
    """Requests that one crawl may make beside its rules, and what it has learned by them."""

    ledger: Ledger
    left: int
    """How many addresses may still be asked for."""
    _beside: Counter[str] = field(default_factory=Counter)
    """How many pages were asked for beside the list of each column, and beside those of its sections."""
    _left_beside: list[tuple[str, str]] = field(default_factory=list)
    """Pages beside lists for which there was no room, each with the first page of its list."""

    @classmethod
    def of(cls, columns: Iterable[Column], ledger: Ledger) -> Probes:
        """Return the probes of a crawl; several ways to the same articles are one column."""
        number = len({column.ways or (column.name,) for column in columns})
        return cls(ledger=ledger, left=MOST_OF_COLUMN * number)

    def take(self, number: int) -> bool:
        """Take so many of what may be asked for; False: fewer are left."""
        may_ask = self.left >= number
        self.left -= number * may_ask
        return may_ask

    def take_beside(self, column: Column, url: str, list_page: str) -> bool:
        """Take one for a page beside the list of a column; where there is no room, keep the page in mind."""
        lists = column.name if column.section_of is None else f"{column.section_of}{SECTION}"
        may_ask = self._beside[lists] < MOST_BESIDE and self.take(1)
        self._beside[lists] += may_ask
        if not may_ask:
            self._left_beside.append((url, list_page))
        return may_ask

    def left_beside(self) -> list[tuple[str, str]]:
        """Return the pages beside lists that were left, each with its list, the rarest first: what all
        sections lead to is how they are."""
        numbers = Counter(starmap(_kind_beside, self._left_beside))
        return sorted(self._left_beside, key=lambda left: numbers[_kind_beside(*left)])

    def note_in_vain(self, column: Column, url: str, list_page: str) -> None:
        """Keep in mind that a page beside a list told nothing new."""
        self._in_vain.update(_forms_of_column(column.name, column.rules, url, list_page))

    def note_telling(self, column: Column, url: str, list_page: str) -> None:
        """Keep in mind that a page beside a list told something new: what is like it is asked for, whatever
        others told."""
        self._telling.update(_forms_of_column(column.name, column.rules, url, list_page))

    def are_in_vain(self, column: Column, url: str, list_page: str) -> bool:
        """Say whether pages like this one, beside lists of a column, have told nothing new often enough, and
        none has told something.

        Without the address of a list, those beside all lists count.
        """
        forms = _of_column(column.name, column.rules, forms_beside(url, list_page))
        return (
            self._telling.isdisjoint(forms) and max(map(self._in_vain.__getitem__, forms)) >= ENOUGH_IN_VAIN
        )

    @cached_property
    def _in_vain(self) -> Counter[tuple[str, str, str]]:
        """How many pages of each form told nothing new, by column and its rules: in this crawl and those
        before it."""
        return Counter(self._forms_beside(telling=False))

    @cached_property
    def _telling(self) -> set[tuple[str, str, str]]:
        """The forms of pages that told something new."""
        return set(self._forms_beside(telling=True))

    def _forms_beside(self, *, telling: bool) -> Iterable[tuple[str, str, str]]:
        return chain.from_iterable(starmap(_forms_of_column, self.ledger.pages_beside(telling=telling)))


def _forms_of_column(name: str, rules: str, url: str, list_page: str) -> list[tuple[str, str, str]]:
    """Return the forms of an address beside a list, its own among them, with the column of the portal file
    and its rules."""
    return _of_column(name, rules, {url_shape(url, sections=True), *forms_beside(url, list_page)})


def _of_column(name: str, rules: str, forms: Iterable[str]) -> list[tuple[str, str, str]]:
    """Return forms with the column of the portal file and its rules."""
    return [(column_of(name), rules, form) for form in forms]


def forms_beside(url: str, list_page: str) -> tuple[str, ...]:
    """Return the forms by which an address near that of a list is told from others.

    Its own; and if it asks the same list otherwise, its own beside that list, and the parameters by which it
    differs: each section of a forum may lead to its first page by `page=1`, and one alone to what is older
    than a year.
    """
    (path, query), (of_list, query_of_list) = split_path(url), split_path(list_page)
    own = url_shape(url, sections=True)
    if path != of_list:
        return (own,)
    parameters, known = (parse_qsl(text, keep_blank_values=True) for text in (query, query_of_list))
    return f"{list_page} {own}", f"?{sorted(set(parameters).difference(known))}"


def _kind_beside(url: str, list_page: str) -> str:
    """Return what an address beside a list has in common with those beside other lists."""
    return forms_beside(url, list_page)[-1]


def ends_first(addresses: Iterable[T], form_of: Callable[[T], str]) -> list[T]:
    """Return the first of each form, then the last of each, then all others: what is the same on both ends is
    so between them."""
    alike = defaultdict[str, list[T]](list)
    for address in addresses:
        alike[form_of(address)].append(address)
    groups = alike.values()
    return list(
        dict.fromkeys(
            (*map(itemgetter(0), groups), *map(itemgetter(-1), groups), *chain.from_iterable(groups))
        )
    )
