"""Buttons of a page that may bring more of its list.

A reader can click on a button, and it leads to no other page. Its place tells more than the words on it: one
below the list, near it, that opens nothing on the page, belongs to the list, in whatever language it speaks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from itertools import chain

from lxml.etree import _Element as Element

from webarticlecurator.extraction.checks import Check, fact, first_reason
from webarticlecurator.extraction.forms import Form
from webarticlecurator.extraction.pager_links import NamesAround
from webarticlecurator.extraction.pager_signs import (
    ARROWS,
    BACK_WORDS,
    DIGIT,
    LONGEST_LABEL,
    MORE_WORDS,
    NEXT_PHRASES,
    WORD,
    names_of,
    page_label,
    plain_label,
)
from webarticlecurator.extraction.picked_list import HOLDERS, PickedList
from webarticlecurator.extraction.url_rules import ROUTE
from webarticlecurator.model.links import WITHOUT_WORDS
from webarticlecurator.model.page import Outline, Page
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import squeeze
from webarticlecurator.urls import split_path

_TAGS = ("a", "button", "div", "input", "li", "p", "span")
"""Elements that scripts make buttons of."""
_CLICK = r"onclick|(?:@|[\w-]+:)click(?:[.]\w+)*|[\w-]+-click"
_ON_CLICK = linear_at(rf"{_CLICK}|data-page")
"""Attributes by which frameworks have a script do something, and that with the number of a page."""
_FOR_SCRIPTS = linear_at(rf"{_CLICK}|data-.*")
"""Attributes that show that a script does something."""
_FOR_MORE = linear(
    r"(?:load|show|view)[-_]?more|more[-_]?(?:posts|articles|news|stories|results|items)",
    re.IGNORECASE,
)
"""Names that programmers give a button that brings more."""
_FOR_ELSE = linear(
    r"cookie|consent|gdpr|(?:back|go|scroll)[-_]?(?:to[-_]?)?top|(?<![a-z])to[-_]?top|theme|dark|share|social|print"
    r"|newsletter|subscri|log-?in|search|filter|toggle|close|menu|lang|popup|modal|player|chat|feedback",
    re.IGNORECASE,
)
"""Names that programmers give buttons of the page around a list."""
_ARROW_ON = linear(r"(?:angle|arrow|caret|chevron|icon)s?[-_](?:\w+[-_])?right", re.IGNORECASE)
"""Names of the picture of an arrow."""
_NOWHERE = linear_at(r"javascript:|#?$")
"""The address of a link that is for scripts alone."""
_UPWARDS = frozenset("↑▲⇧⇑⌃^△⬆")
_BACKWARDS = frozenset("«‹←⟨<")
_OPENING = frozenset(
    (
        "aria-expanded",
        "aria-haspopup",
        "aria-pressed",
        "data-bs-toggle",
        "data-dismiss",
        "data-toggle",
        "popovertarget",
    )
)
"""Attributes of what opens, closes or switches something that is on the page already."""
_AROUND_LISTS = frozenset({"aside", "dialog", "footer", "header"})
_ROLES = frozenset(
    {
        "alertdialog", "banner", "complementary", "contentinfo", "dialog", "menu", "menubar", "search",
        "toolbar",
    }
)  # fmt: skip
"""Roles of elements around a list that have other names."""
_NEAR, _NEAR_ENOUGH = 120, 400
"""Characters between a list and its button, and those where the button says "more"."""
_MOST_IN_BODY = 2
"""Levels of the page itself below which no button of a list stands that stands there."""
_MOST_BESIDE = 2
"""Buttons of one list; where more stand together they are for something else."""


@dataclass(eq=False)
class Button:
    """Something that a reader can click on and that leads to no other page."""

    row: int
    page: Page

    @property
    def outline(self) -> Outline:
        return self.page.outline

    @property
    def element(self) -> Element:
        return self.outline.elements[self.row]

    @fact
    def names(self) -> str:
        """Its names; an element of a framework is called by its tag, too."""
        return f"{self.element.tag} {names_of(self.element)}"

    @fact
    def shown(self) -> str:
        """The text that a reader sees on it."""
        return squeeze(self.outline.label(self.row, LONGEST_LABEL) or self.element.get("value", ""))

    @fact
    def text(self) -> str:
        """The words on it, or those that programs read aloud, or the name of an arrow's picture.

        Empty where that is a sentence.
        """
        short_label = self._label if len(self._label) <= LONGEST_LABEL else ""
        return self.shown or short_label or self._arrow or self._without_words

    @property
    def _label(self) -> str:
        return squeeze(self.element.get("aria-label", "") or self.element.get("title", ""))

    @property
    def _without_words(self) -> str:
        has_words = self._label or self.outline.text(self.row).strip()
        return "" if has_words else WITHOUT_WORDS

    @property
    def _arrow(self) -> str:
        names = (part.get("class", "") for part in self.element.iterchildren("*"))
        return squeeze(next(filter(_ARROW_ON.search, names), ""))

    @property
    def is_named_for_more(self) -> bool:
        return _FOR_MORE.search(self.names) is not None

    @fact
    def says_more(self) -> bool:
        label = plain_label(self.text)
        words = {label, *WORD.findall(label)}
        return self.is_named_for_more or label in NEXT_PHRASES or not MORE_WORDS.isdisjoint(words)

    @property
    def has_script(self) -> bool:
        """Something shows that a script makes it do something."""
        return self._has_attribute(_FOR_SCRIPTS) or self._is_called_button

    @property
    def is_made_by_script(self) -> bool:
        """True if a script makes a button of an element of another kind."""
        return self._has_attribute(_ON_CLICK) or self._is_called_button

    @property
    def _is_called_button(self) -> bool:
        return self.element.get("role") == "button" or self.is_named_for_more

    def _has_attribute(self, name: re.Pattern[str]) -> bool:
        return any(map(name.fullmatch, map(str, self.element.attrib)))


def buttons_of(page: Page, among: Container[int]) -> list[Button]:
    """Return the buttons of a page among these rows, in its order."""
    rows = filter(among.__contains__, page.outline.rows(*_TAGS, *page.outline.custom_tags))
    buttons = (Button(row, page) for row in rows)
    return [button for button in filter(_is_clickable, buttons) if _leads_nowhere(button)]


def _is_clickable(button: Button) -> bool:
    return _CLICKABLE.get(button.element.tag, _is_made_by_script)(button)


def _is_made_by_script(button: Button) -> bool:
    return button.is_made_by_script


_CLICKABLE: dict[str, Callable[[Button], bool]] = {
    **dict.fromkeys(("a", "button"), lambda _: True),
    "input": lambda button: button.element.get("type") in ("button", "submit"),
}
"""Elements that are buttons by themselves, each with the question whether one is."""


def _leads_nowhere(button: Button) -> bool:
    """Say whether a link has no address for anybody but a script.

    One to a place on the page itself leads there.
    """
    href = button.element.get("href", "").strip()
    if _NOWHERE.match(href):
        return True
    return href.startswith("#") and href[1:] not in _places(button.outline)


def _places(outline: Outline) -> set[str | None]:
    """Return what places of a page are called that links lead to."""
    return {"top", *outline.attribute("id"), *outline.attribute("name")}


# --- buttons that may bring more of a list ---


@dataclass(frozen=True, eq=False)
class ButtonOfList:
    """A button below a list that may bring more of it."""

    button: Button
    picked: PickedList

    @property
    def outline(self) -> Outline:
        return self.button.outline

    @property
    def element(self) -> Element:
        return self.button.element

    @fact
    def above(self) -> int | None:
        """The row of the last item of the list that it stands below."""
        return self.picked.item_above(self.button.row)

    @property
    def item(self) -> int:
        """Return the row, where it is known that there is one."""
        assert self.above is not None  # what stands below no item is none already
        return self.above

    @fact
    def around(self) -> list[int]:
        """The elements around it, up to the one that holds the list, too."""
        rows: list[int] = []
        for row in self.outline.around(self.button.row):
            rows.append(row)
            if row < self.item < self.outline.ends[row]:
                break
        return rows

    @property
    def text_around(self) -> str:
        """The text of what holds it, and not the list, without its own."""
        return self.outline.text(self.around[-2]).replace(self.outline.text(self.button.row), "")

    @property
    def group(self) -> range:
        """Rows that stand together with it: in the outermost element that holds no list, or below the
        list."""
        if len(self.around) > 1:
            row = self.around[-2]
            return range(row + 1, self.outline.ends[row])
        return range(self.outline.ends[self.item], self.outline.ends[self.around[-1]])


def buttons_below(buttons: Iterable[Button], picked: PickedList) -> list[Button]:
    """Return those of the buttons of a page that stand below its list and may bring more of it."""
    return [button for button in buttons if not first_reason(AGAINST, ButtonOfList(button, picked))]


def _is_below_no_item(candidate: ButtonOfList) -> bool:
    return candidate.above is None


def _is_in_item(candidate: ButtonOfList) -> bool:
    return candidate.picked.in_item(candidate.button.row)


def _says_a_sentence(candidate: ButtonOfList) -> bool:
    return not candidate.button.text


def _is_disabled(candidate: ButtonOfList) -> bool:
    return "disabled" in candidate.element.attrib


def _is_called_disabled(candidate: ButtonOfList) -> bool:
    return "disabled" in candidate.button.names


def _is_said_to_be_disabled(candidate: ButtonOfList) -> bool:
    """Say whether programs that read pages aloud are told so."""
    return candidate.element.get("aria-disabled") == "true"


def _stands_around_lists(candidate: ButtonOfList) -> bool:
    """Say whether it is a part of the page around the list: its head, its foot, a side bar."""
    outline = candidate.outline
    rows = list(outline.around(candidate.button.row))
    return any(
        outline.tags[row] in _AROUND_LISTS or outline.elements[row].get("role") in _ROLES for row in rows
    )


def _is_in_menu(candidate: ButtonOfList) -> bool:
    """Say whether it stands among links that lead elsewhere; a `nav` without them is a pager."""
    outline = candidate.outline
    menus = set(candidate.around[:-1]).intersection(outline.rows("menu", "nav", "ol", "ul"))
    links = chain.from_iterable(outline.rows_in(row, "a") for row in menus)
    return not all(_is_nowhere(candidate, link) for link in links)


def _is_nowhere(candidate: ButtonOfList, link: int) -> bool:
    return _leads_nowhere(Button(link, candidate.button.page))


def _opens_something(candidate: ButtonOfList) -> bool:
    return not _OPENING.isdisjoint(candidate.element.attrib)


def _is_of_other_form(candidate: ButtonOfList) -> bool:
    """Say whether it sends a form that a reader fills in, or that goes elsewhere.

    One around the list is that of the whole page.
    """
    forms = set(candidate.around[:-1]).intersection(candidate.outline.rows("form"))
    return any(_is_other_form(Form(candidate.button.page, row)) for row in forms)


def _is_other_form(form: Form) -> bool:
    path = split_path(form.element.get("action", ""))[0]
    return form.is_filled_in or bool(form.lists) or path not in ("", split_path(form.page.url)[0])


def _is_number(candidate: ButtonOfList) -> bool:
    """Numbers are looked at together: they may be those of pages."""
    return page_label(candidate.button.shown.strip(ARROWS)) is not None


def _points_back(candidate: ButtonOfList) -> bool:
    """Say whether an arrow on it points up, or back; it has a text, as was asked first."""
    text = candidate.button.text.strip()
    return _UPWARDS.issuperset(text) or _BACKWARDS.issuperset(text)


def _leads_back(candidate: ButtonOfList) -> bool:
    """Say whether it leads to the page before or to the newer ones."""
    return plain_label(candidate.button.text) in BACK_WORDS - NEXT_PHRASES


def _is_of_other_box(candidate: ButtonOfList) -> bool:
    return NamesAround(candidate.outline).in_other_box(candidate.button.row)


def _is_named_for_else(candidate: ButtonOfList) -> bool:
    if candidate.button.is_named_for_more:
        return False
    rows = (candidate.button.row, *candidate.around[:-1])
    return any(_FOR_ELSE.search(names_of(candidate.outline.elements[row])) for row in rows)


def _is_bare_anchor(candidate: ButtonOfList) -> bool:
    """Say whether it is a link without an address that nothing shows to be more than a text."""
    return not first_reason(MORE_THAN_TEXT, candidate)


MORE_THAN_TEXT: tuple[Check[ButtonOfList], ...] = (
    Check("it is no link", lambda candidate: candidate.element.tag != "a"),
    Check("it has an address", lambda candidate: candidate.element.get("href", "") != ""),
    Check("it says more", lambda candidate: candidate.button.says_more),
    Check("a script does something", lambda candidate: candidate.button.has_script),
)
"""Why a button is more than a text."""


def _is_out_of_reach(candidate: ButtonOfList) -> bool:
    """Say whether no element near around it holds the list."""
    return len(candidate.around) > HOLDERS


def _is_elsewhere_in_page(candidate: ButtonOfList) -> bool:
    """Say whether only the whole page holds it and the list, and it is no neighbour of the list there."""
    outline = candidate.outline
    if outline.tags[candidate.around[-1]] not in ("body", "html"):
        return False
    return len(candidate.around) > _MOST_IN_BODY


def _is_far(candidate: ButtonOfList) -> bool:
    """Say whether a text stands between the list and it."""
    outline, item = candidate.outline, candidate.item
    between = outline.begins_at(candidate.button.row) - outline.begins_at(item) - outline.length(item)
    return between > (_NEAR_ENOUGH if candidate.button.says_more else _NEAR)


def _has_a_text_around(candidate: ButtonOfList) -> bool:
    """Say whether a sentence stands with it, as that of a notice."""
    return not first_reason(NO_TEXT_AROUND, candidate)


NO_TEXT_AROUND: tuple[Check[ButtonOfList], ...] = (
    Check("nothing is around it but what holds the list", lambda candidate: len(candidate.around) < 2),
    Check("it says more", lambda candidate: candidate.button.says_more),
    Check("no words stand with it", lambda candidate: not any(map(str.isalpha, candidate.text_around))),
    Check("it is a count", lambda candidate: DIGIT.search(candidate.text_around) is not None),
    Check("other buttons stand with it", lambda candidate: _buttons_together(candidate) > 1),
)
"""Why no sentence stands with a button."""


def _stands_among_many(candidate: ButtonOfList) -> bool:
    return not candidate.button.says_more and _buttons_together(candidate) > _MOST_BESIDE


def _buttons_together(candidate: ButtonOfList) -> int:
    """Return how many buttons stand together with it, itself too."""
    outline, group = candidate.outline, candidate.group
    rows = outline.rows("a", "button", "input")
    return sum(_is_nowhere(candidate, row) for row in rows if row in group)


def _is_route(candidate: ButtonOfList) -> bool:
    """Say whether it leads to another place of an application."""
    return ROUTE.match(candidate.element.get("href", "")) is not None


AGAINST: tuple[Check[ButtonOfList], ...] = (
    Check("it stands below no item of the list", _is_below_no_item),
    Check("it is an item's own", _is_in_item),
    Check("a sentence is written on it", _says_a_sentence),
    Check("nobody can click on it", _is_disabled),
    Check("it is called disabled", _is_called_disabled),
    Check("it is said to be disabled", _is_said_to_be_disabled),
    Check("it stands in a head, a foot or a side bar", _stands_around_lists),
    Check("it stands in a menu", _is_in_menu),
    Check("it opens or switches something", _opens_something),
    Check("it sends another form", _is_of_other_form),
    Check("it is a number", _is_number),
    Check("an arrow points up or back", _points_back),
    Check("it leads back", _leads_back),
    Check("it leads to another place of an application", _is_route),
    Check("it belongs to a slider, a calendar or the like", _is_of_other_box),
    Check("it is called after something else", _is_named_for_else),
    Check("it is a link without an address and without a script", _is_bare_anchor),
    Check("no element near around it holds the list", _is_out_of_reach),
    Check("it stands elsewhere on the page", _is_elsewhere_in_page),
    Check("a text stands between the list and it", _is_far),
    Check("it stands in a text", _has_a_text_around),
    Check("it stands among many", _stands_among_many),
)
