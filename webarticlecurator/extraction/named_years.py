"""Years that a page names in choices and buttons without an address, and the years of its items."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, filterfalse, takewhile
from operator import attrgetter

from lxml.etree import _Element as Element

from webarticlecurator.extraction.buttons import buttons_of
from webarticlecurator.extraction.forms import ChoiceList, Form, forms_of, lists_outside_forms
from webarticlecurator.extraction.picked_list import PickedList
from webarticlecurator.model.page import Page
from webarticlecurator.own_patterns import linear
from webarticlecurator.text import element_text

_YEAR = linear(r"(?<![\d.,:])(?:19|20)\d\d(?![\d,:])")
_LONGEST_CHOICE = 20
"""Characters of "2019 (34)" and "December 2019"."""
_ATTRIBUTES = ("datetime", "href", "title")
"""Attributes of the elements in an item in which a year may stand."""
_FEWEST_NAMED = 2
"""Years, before they are a choice."""


def years_by_script(page: Page, picked: PickedList) -> frozenset[int]:
    """Return the years that only a script brings: of choices without addresses, and buttons beside the
    items."""
    of_buttons = map(attrgetter("shown"), buttons_of(page, _with_years(picked)))
    texts = chain(_options(page), of_buttons)
    years = [_YEAR.findall(text) for text in texts if len(text) <= _LONGEST_CHOICE]
    named = frozenset(int(found[0]) for found in years if len(found) == 1)
    return named if len(named) >= _FEWEST_NAMED else frozenset()


def _with_years(picked: PickedList) -> set[int]:
    """Return the rows of elements beside the items in whose texts a year stands, and of those that have other
    texts."""
    outline = picked.outline
    written = [row for text, row in zip(outline.strings, outline.owners, strict=True) if _YEAR.search(text)]
    beside = set[int]()
    for row in filterfalse(picked.in_item, written):
        beside.update(takewhile(lambda around: around not in beside, chain((row,), outline.around(row))))
    return beside.union(outline.rows("button", "input"))


def _options(page: Page) -> Iterator[str]:
    """Give the options of lists to choose from, but for those that a form sends, or that are addresses."""
    lists = chain(lists_outside_forms(page), *map(_lists_for_scripts, forms_of(page)))
    options = chain.from_iterable(choice_list.options for choice_list in lists)
    return (option.text for option in options if not option.is_address)


def _lists_for_scripts(form: Form) -> list[ChoiceList]:
    """Return the lists of a form that neither asks the page itself for what is chosen, nor is filled in."""
    unnamed = [choice_list for choice_list in form.lists if not form.asks_own_page or not choice_list.name]
    return unnamed if not form.is_filled_in else []


def years_of_items(picked: PickedList) -> tuple[frozenset[int], ...]:
    """Return of each item of a list the years in its text, its dates and its addresses."""
    elements = picked.outline.elements
    return tuple(frozenset(map(int, _YEAR.findall(_all_of(elements[begin])))) for begin, _ in picked.spans)


def _all_of(item: Element) -> str:
    values = (element.get(name) for element in item.iter("*") for name in _ATTRIBUTES)
    return " ".join((element_text(item), *filter(None, values)))
