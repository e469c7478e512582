"""Forms of a page and lists to choose from: where they lead, and what is sent along."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple
from urllib.parse import urlencode

from lxml.etree import _Element as Element

from webarticlecurator.extraction.checks import fact
from webarticlecurator.extraction.pager_signs import LONGEST_LABEL, address_of
from webarticlecurator.model.page import Page
from webarticlecurator.own_patterns import linear_at
from webarticlecurator.text import squeeze
from webarticlecurator.urls import EXTENSION, normalise, split_path

_FILLED_IN = linear_at(r"text|search|email|password|tel|url|number|date", re.IGNORECASE)
"""Types of fields that readers write into."""
_ADDRESS = linear_at(r"[?]|.*/", re.DOTALL)
"""The beginning of an option's value that is an address."""


class Option(NamedTuple):
    """One thing to choose."""

    value: str
    text: str
    is_chosen: bool
    """True if it is chosen before a reader chooses."""

    @property
    def is_address(self) -> bool:
        return _ADDRESS.match(self.value) is not None


_NO_OPTION = Option("", "", is_chosen=False)


class Choice(NamedTuple):
    """An address that readers are sent to who choose an option."""

    row: int
    url: str
    text: str


@dataclass(eq=False)
class ChoiceList:
    """A list to choose from."""

    page: Page
    row: int

    @property
    def name(self) -> str:
        """The name under which a form sends the chosen value."""
        return self.page.outline.elements[self.row].get("name") or ""

    @fact
    def options(self) -> Sequence[Option]:
        outline = self.page.outline
        return [_option(self.page, row) for row in outline.rows_in(self.row, "option")]

    @property
    def chosen(self) -> str:
        """Return the value that is sent as long as nobody chooses another."""
        return max(self.options, key=attrgetter("is_chosen"), default=_NO_OPTION).value

    @property
    def addresses(self) -> Iterator[Choice]:
        """Give the first and the last option that are addresses."""
        for option in ends([option for option in self.options if option.is_address]):
            url = address_of(self.page, option.value)
            if url is not None:
                yield Choice(self.row, url, option.text)


def _option(page: Page, row: int) -> Option:
    element = page.outline.elements[row]
    value = element.get("value", page.outline.text(row).strip())
    return Option(value, page.outline.short_text(row, LONGEST_LABEL) or "", "selected" in element.attrib)


def ends(options: Sequence[Option]) -> Sequence[Option]:
    """Return the first and the last option."""
    return (*options[:1], *options[1:][-1:])


@dataclass(eq=False)
class Form:
    """A form, as readers send it."""

    page: Page
    row: int

    @property
    def element(self) -> Element:
        return self.page.outline.elements[self.row]

    @fact
    def lists(self) -> Sequence[ChoiceList]:
        return [ChoiceList(self.page, row) for row in self.page.outline.rows_in(self.row, "select")]

    @property
    def fields(self) -> Iterator[Element]:
        outline = self.page.outline
        return map(outline.elements.__getitem__, outline.rows_in(self.row, "input"))

    @fact
    def is_filled_in(self) -> bool:
        """True if it has fields that readers write into."""
        types = [field.get("type") or "text" for field in self.fields]
        return any(map(_FILLED_IN.fullmatch, types)) or bool(self.page.outline.rows_in(self.row, "textarea"))

    @fact
    def action(self) -> str | None:
        """The address that it is sent to, if it asks the page itself by GET."""
        own = normalise(self.page.url)
        url = address_of(self.page, self.element.get("action") or own)
        is_get = squeeze(self.element.get("method") or "get").lower() == "get"
        if url is None or not is_get or stem_of(url) != stem_of(own):
            return None
        return url.partition("?")[0]

    @property
    def hidden_fields(self) -> dict[str, str]:
        """Return names and values of what it sends along."""
        hidden = [field for field in self.fields if field.get("type", "").lower() == "hidden"]
        sent = {field.get("name", ""): field.get("value", "") for field in hidden}
        sent.pop("", None)
        return sent

    @property
    def choices(self) -> Iterator[Choice]:
        """Give the addresses that it sends readers to who choose the first or the last option of a list.

        The other lists are as they are chosen. A form without lists that readers write nothing into sends its
        hidden fields.
        """
        lists = [choice_list for choice_list in self.lists if choice_list.name]
        sent = self.hidden_fields | {choice_list.name: choice_list.chosen for choice_list in lists}
        if not lists and sent and not self.is_filled_in:
            yield self._asked(self.row, sent, "")
        for choice_list in lists:
            for option in ends(choice_list.options):
                if option.value != sent[choice_list.name]:
                    yield self._asked(choice_list.row, {**sent, choice_list.name: option.value}, option.text)

    def _asked(self, row: int, sent: Mapping[str, str], text: str) -> Choice:
        return Choice(row, normalise(f"{self.action}?{urlencode(sent)}"), text)


def stem_of(url: str) -> str:
    """Return the path of an address without its extension, `/index.html` and the slash at its end."""
    return EXTENSION.sub("", split_path(url)[0]).rstrip("/")


def forms_of(page: Page) -> list[Form]:
    """Return the forms of a page."""
    return [Form(page, row) for row in page.outline.rows("form")]


def lists_outside(page: Page, forms: Sequence[Form]) -> list[ChoiceList]:
    """Return the lists of a page that stand in none of the forms."""
    inside = {choice_list.row for form in forms for choice_list in form.lists}
    return [ChoiceList(page, row) for row in page.outline.rows("select") if row not in inside]
