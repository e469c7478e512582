"""How many addresses that no rule names may a crawl still ask for, and which of them could tell nothing new?

All that ask beside the rules of a portal file share one number: walks for what stands beside their lists, those who look for other lists,
for articles that no list names, and for further pages of articles. Where two addresses of one form have told nothing new, others of the
form, such as the months of an archive or the members of a forum, are not asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TypeVar
from urllib.parse import parse_qsl

from webarticlecurator.config.portal import Column, column_of
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.extraction.url_rules import url_shape
from webarticlecurator.urls import split_path

MOST_OF_COLUMN = 12
"""Addresses that are asked for in one crawl for each column of the portal file."""
MOST_BESIDE = 4
"""Of these, the pages beside the list of a column, and of its sections."""
ENOUGH_IN_VAIN = 2
"""Addresses of one form that told nothing new, before no others of the form are asked for."""

T = TypeVar("T")


@dataclass(kw_only=True)
class Probes:
    """What one crawl may ask for beside its rules, and what it has learned by that."""

    ledger: Ledger
    left: int
    """How many addresses may still be asked for."""
    _beside: Counter[str] = field(default_factory=Counter)
    """How many pages beside the lists of each column were asked for."""

    @classmethod
    def of(cls, columns: Iterable[Column], ledger: Ledger) -> Probes:
        """Return the probes of a crawl; several ways to the same articles are one column."""
        number = len({column.ways or (column.name,) for column in columns})
        return cls(ledger=ledger, left=MOST_OF_COLUMN * number)

    def take(self, *, leaving: int = 0) -> bool:
        """Take one of what may be asked for; False: no more than that number is left."""
        may_ask = self.left > leaving
        self.left -= may_ask
        return may_ask

    def take_beside(self, column: Column) -> bool:
        """Take one for a page beside the list of a column."""
        name = column_of(column.name)
        may_ask = self._beside[name] < MOST_BESIDE and self.take()
        self._beside[name] += may_ask
        return may_ask

    def note_in_vain(self, column: Column, url: str, list_page: str) -> None:
        """Keep in mind that a page beside a list told nothing new."""
        self._in_vain.update((column_of(column.name), column.rules, form) for form in forms_beside(url, list_page))

    def are_in_vain(self, column: Column, url: str, list_page: str) -> bool:
        """Say whether pages like this one, beside lists of a column, have told nothing new often enough."""
        name = column_of(column.name)
        return any(self._in_vain[name, column.rules, form] >= ENOUGH_IN_VAIN for form in forms_beside(url, list_page))

    @cached_property
    def _in_vain(self) -> Counter[tuple[str, str, str]]:
        """How many pages of each form told nothing new, by column and its rules: in this crawl and those before it."""
        rows = self.ledger.pages_beside()
        forms = (((column_of(name), rules, form) for form in forms_beside(url, first)) for name, rules, url, first in rows)
        return Counter(chain.from_iterable(forms))


def forms_beside(url: str, list_page: str) -> tuple[str, ...]:
    """Return the forms of an address near that of a list.

    Its own, and the parameters by which it differs: each section of a forum may lead to its first page by `page=1`.
    """
    (path, query), (of_list, query_of_list) = split_path(url), split_path(list_page)
    own = url_shape(url, sections=True)
    if path != of_list:
        return (own,)
    known = parse_qsl(query_of_list, keep_blank_values=True)
    differing = sorted(pair for pair in parse_qsl(query, keep_blank_values=True) if pair not in known)
    return own, f"?{differing}"


def ends_first(addresses: Sequence[T], form_of: Callable[[T], str]) -> list[T]:
    """Return the first of each form, then the last of each, then all others: what is the same on both ends is so between them."""
    first = {form_of(address): address for address in reversed(addresses)}
    last = {form_of(address): address for address in addresses}
    in_order = [first[form] for form in dict.fromkeys(map(form_of, addresses))]
    return list(dict.fromkeys((*in_order, *last.values(), *addresses)))
