"""Which years does a page name in choices and buttons without an address, and of which years are its items?"""

from __future__ import annotations

from collections.abc import Iterator

from lxml.etree import _Element as Element

from webarticlecurator.extraction.buttons import leads_nowhere
from webarticlecurator.extraction.neighbours import is_asked_by_form, is_filled_in
from webarticlecurator.extraction.pager_signs import LONGEST_LABEL
from webarticlecurator.extraction.picked_list import PickedList
from webarticlecurator.model.page import Outline, Page
from webarticlecurator.own_patterns import linear
from webarticlecurator.text import element_text

_YEAR = linear(r"(?<![\d.,:])(?:19|20)\d\d(?![\d,:])")
_LONGEST_CHOICE = 20
"""Characters of "2019 (34)" and "December 2019"."""
_ATTRIBUTES = ("datetime", "href", "title")
"""Of the elements in an item: where a year may stand besides its text."""
_FEWEST_NAMED = 2
"""Years, before they are a choice."""


def years_by_script(page: Page, picked: PickedList) -> frozenset[int]:
    """Return the years that only a script brings: in choices without addresses, and buttons beside the items."""
    outline = page.outline
    choices = (*_choices(page), *_buttons(page, picked))
    years = [_YEAR.findall(outline.short_text(row, LONGEST_LABEL) or "") for row in choices]
    named = frozenset(int(found[0]) for found in years if len(found) == 1)
    return named if len(named) >= _FEWEST_NAMED else frozenset()


def _choices(page: Page) -> Iterator[int]:
    """Give the options of lists to choose from, but of forms that ask the page itself, or that readers fill in."""
    outline = page.outline
    forms = {select: form for form in outline.rows("form") for select in outline.rows_in(form, "select")}
    for select in outline.rows("select"):
        if select in forms and _is_of_other_kind(page, forms[select], select):
            continue
        yield from (row for row in outline.rows_in(select, "option") if _may_name_year(outline, row))


def _is_of_other_kind(page: Page, form: int, select: int) -> bool:
    return is_asked_by_form(page, form, select) or is_filled_in(page.outline, form)


def _may_name_year(outline: Outline, option: int) -> bool:
    value = outline.elements[option].get("value") or ""
    has_address = "/" in value or value.startswith("?")
    return _is_short(outline, option) and not has_address


def _buttons(page: Page, picked: PickedList) -> Iterator[int]:
    outline = page.outline
    for row in outline.rows("a", "button"):
        is_beside = _is_short(outline, row) and not picked.in_item(row)
        if is_beside and leads_nowhere(page, outline.elements[row]):
            yield row


def _is_short(outline: Outline, row: int) -> bool:
    return outline.length(row) <= _LONGEST_CHOICE


def years_of_items(picked: PickedList) -> tuple[frozenset[int], ...]:
    """Return of each item of a list the years in its text, its dates and its addresses."""
    elements = picked.outline.elements
    return tuple(frozenset(map(int, _YEAR.findall(_all_of(elements[begin])))) for begin, _ in picked.spans)


def _all_of(item: Element) -> str:
    values = (element.get(name) for element in item.iter("*") for name in _ATTRIBUTES)
    return " ".join((element_text(item), *filter(None, values)))
