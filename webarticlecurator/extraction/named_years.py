"""Which years does a page name in choices and buttons that have no address, and of which years are the items of its list?"""

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
_FEWEST_NAMED = 2
"""Years, before they are a choice."""


def years_by_script(page: Page, picked: PickedList) -> frozenset[int]:
    """Return the years that only a script brings: choices without addresses, and buttons, outside of the items of a list."""
    outline = page.outline
    choices = (*_choices(page), *_buttons(page, picked))
    years = [_YEAR.findall(outline.short_text(row, LONGEST_LABEL) or "") for row in choices]
    named = frozenset(int(found[0]) for found in years if len(found) == 1)
    return named if len(named) >= _FEWEST_NAMED else frozenset()


def _choices(page: Page) -> Iterator[int]:
    """Give the options of lists that no form sends to the list itself by an address, and that stand beside nothing to be written into."""
    outline = page.outline
    of_forms = {select: form for form in outline.rows("form") for select in outline.rows_in(form, "select")}
    for select in outline.rows("select"):
        form = of_forms.get(select)
        if form is None or not (is_asked_by_form(page, form, select) or is_filled_in(outline, form)):
            yield from (row for row in outline.rows_in(select, "option") if _is_short(outline, row) and not _has_address(outline, row))


def _buttons(page: Page, picked: PickedList) -> Iterator[int]:
    for row in page.outline.rows("a", "button"):
        if _is_short(page.outline, row) and not picked.in_item(row) and leads_nowhere(page, page.outline.elements[row]):
            yield row


def _is_short(outline: Outline, row: int) -> bool:
    return outline.length(row) <= _LONGEST_CHOICE


def _has_address(outline: Outline, option: int) -> bool:
    value = outline.elements[option].get("value") or ""
    return "/" in value or value.startswith("?")


def years_of_items(picked: PickedList) -> tuple[frozenset[int], ...]:
    """Return of each item of a list the years in its text, its dates and its addresses."""
    elements = picked.outline.elements
    return tuple(frozenset(map(int, _YEAR.findall(_all_of(elements[begin])))) for begin, _ in picked.spans)


def _all_of(item: Element) -> str:
    attributes = (str(element.get(name) or "") for element in item.iter("*") for name in ("datetime", "href", "title"))
    return " ".join((element_text(item), *attributes))
