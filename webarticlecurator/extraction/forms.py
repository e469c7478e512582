"""Forms of a page and lists to choose from: where they lead, and what is sent along."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
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

_FILLED_IN = linear_at(r"|text|search|email|password|tel|url|number|date", re.IGNORECASE)
"""Types of fields that readers write into; one without a type is for text."""
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
        return self.page.outline.elements[self.row].get("name", "")

    @fact
    def options(self) -> Sequence[Option]:
        outline = self.page.outline
        return [_option(self.page, row) for row in outline.rows_in(self.row, "option")]

    @property
    def chosen(self) -> str:
        """Return the value that is sent as long as nobody chooses another."""
        return max(self.options, key=attrgetter("is_chosen"), default=_NO_OPTION).value

    @property
    def is_in_form(self) -> bool:
        outline = self.page.outline
        return not set(outline.around(self.row)).isdisjoint(outline.rows("form"))

    def addresses(self, among: Among) -> Iterator[Choice]:
        """Give some of the options that are addresses."""
        for option in among([option for option in self.options if option.is_address]):
            url = address_of(self.page, option.value)
            if url is not None:
                yield Choice(self.row, url, option.text)


def _option(page: Page, row: int) -> Option:
    element = page.outline.elements[row]
    value = element.get("value", page.outline.text(row).strip())
    return Option(value, page.outline.label(row, LONGEST_LABEL), "selected" in element.attrib)


Among = Callable[[Sequence[Option]], Sequence[Option]]
"""Returns those options of a list that are asked."""


def ends(options: Sequence[Option]) -> Sequence[Option]:
    """Return the first and the last option."""
    return (*options[:1], *options[1:][-1:])


def all_that_say_something(options: Sequence[Option]) -> Sequence[Option]:
    """Return the options with a value: the one without asks readers to choose."""
    return [option for option in options if option.value]


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
        types = [field.get("type", "") for field in self.fields]
        return any(map(_FILLED_IN.fullmatch, types)) or bool(self.page.outline.rows_in(self.row, "textarea"))

    @fact
    def asked(self) -> str | None:
        """The address that it asks by GET, without a query; None where it sends something in another way."""
        url = address_of(self.page, self.element.get("action") or self.page.url)
        is_get = squeeze(self.element.get("method", "")).lower() in ("get", "")
        return url.partition("?")[0] if url is not None and is_get else None

    @fact
    def asks_own_page(self) -> bool:
        """True if it asks the page that it stands on."""
        return self.asked is not None and stem_of(self.asked) == stem_of(normalise(self.page.url))

    @property
    def hidden_fields(self) -> dict[str, str]:
        """Return names and values of what it sends along."""
        hidden = [field for field in self.fields if field.get("type", "").lower() == "hidden"]
        sent = {field.get("name", ""): field.get("value", "") for field in hidden}
        sent.pop("", None)
        return sent

    @property
    def named_lists(self) -> list[ChoiceList]:
        """Return the lists of which it sends the chosen value."""
        return [choice_list for choice_list in self.lists if choice_list.name]

    def choices(self, among: Among) -> Iterator[Choice]:
        """Give the addresses that it sends readers to who choose one of these options of a list, or only send
        it.

        The other lists are as they are chosen.
        """
        yield from self.sent_by_button
        lists = self.named_lists
        sent = self.hidden_fields | {choice_list.name: choice_list.chosen for choice_list in lists}
        for choice_list in lists:
            chosen = sent[choice_list.name] if self.asks_own_page else None
            for option in among(choice_list.options):
                if option.value != chosen:
                    yield self._choice(choice_list.row, {**sent, choice_list.name: option.value}, option.text)

    @property
    def sent_by_button(self) -> Iterator[Choice]:
        """Give the address of a form that asks its own page, and has nothing to choose or to write."""
        if self.asks_own_page and self.hidden_fields and not self.is_filled_in and not self.named_lists:
            yield self._choice(self.row, self.hidden_fields, "")

    def _choice(self, row: int, sent: Mapping[str, str], text: str) -> Choice:
        return Choice(row, normalise(f"{self.asked}?{urlencode(sent)}"), text)


def stem_of(url: str) -> str:
    """Return the path of an address without its extension, `/index.html` and the slash at its end."""
    return EXTENSION.sub("", split_path(url)[0]).rstrip("/")


def forms_of(page: Page) -> list[Form]:
    """Return the forms of a page."""
    return [Form(page, row) for row in page.outline.rows("form")]


def choices_of(
    page: Page, among: Among, is_asked: Callable[[Form], bool], lists: Iterable[ChoiceList]
) -> Iterator[Choice]:
    """Give the addresses that readers are sent to by some of the forms of a page, and by lists to choose
    from."""
    of_forms = (form.choices(among) for form in filter(is_asked, forms_of(page)))
    of_lists = (choice_list.addresses(among) for choice_list in lists)
    return chain.from_iterable(chain(of_forms, of_lists))


def lists_of(page: Page) -> list[ChoiceList]:
    """Return the lists of a page."""
    return [ChoiceList(page, row) for row in page.outline.rows("select")]


def lists_outside_forms(page: Page) -> list[ChoiceList]:
    """Return the lists of a page that stand in no form."""
    return [choice_list for choice_list in lists_of(page) if not choice_list.is_in_form]
