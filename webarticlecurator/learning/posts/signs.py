"""By what the parts of a post are known: its time, the name of its author, its id, what it answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.labelling.names import ClassHint, LinkKind, hints_of, link_kind
from webarticlecurator.learning.element_selectors import HEADINGS
from webarticlecurator.text import short_text

LONGEST_NAME, LONGEST_TIME, LONGEST_TITLE = 60, 60, 250
_MOST = 200
"""Elements of an item that are looked at."""
_DIGITS = re.compile(r"\d")
_CLOCK_OR_DAY = re.compile(
    r"\d{1,2}[:.h]\d\d|\d{4}|\d{1,2}[./-]\d{1,2}|\d+\s+\w+\s+(?:ago|ezelőtt|temu|siden|sedan)|(?:vor|il y a|hace|há)\s+\d+"
)
_NAMES = re.compile(
    r"(?:^|[\s_-])(?:author|autor|auteur|user|username|nick|nickname|name|nev|szerzo|poster|byline|fn|commenter|writer|reporter)s?(?:$|[\s_-])",
    re.IGNORECASE,
)
_CONTROLS = ("input", "label", "select", "textarea")


def is_time(element: Element) -> bool:
    """Whether an element tells a time, and nothing else."""
    if element.tag == "time":
        return True
    written = element.get("class")
    if not written or not {ClassHint.DATE, ClassHint.PUBLISHED} & hints_of(written):
        return False
    text = short_text(element, LONGEST_TIME)
    return text is not None and _CLOCK_OR_DAY.search(text) is not None


def is_name(element: Element) -> bool:
    """Whether the class of an element, or where it leads, says that it is somebody's name; what asks for a name holds none."""
    text = short_text(element, LONGEST_NAME)
    if not text or not any(map(str.isalpha, text)) or next(element.iter(*_CONTROLS), None) is not None:
        return False
    marked = element.get("itemprop") in ("author", "name") or _NAMES.search(element.get("class") or "") is not None
    return marked or (element.tag == "a" and link_kind(element.get("href") or "") in (LinkKind.AUTHOR, LinkKind.PERSON))


def is_title(element: Element) -> bool:
    return element.tag in HEADINGS[1:] and bool(short_text(element, LONGEST_TITLE))


def name_in(item: Element) -> Element | None:
    """The first name in a post."""
    return next((one for one in islice(item.iterdescendants(etree.Element), _MOST) if is_name(one)), None)


def id_attribute(items: Sequence[Element]) -> str | None:
    """The attribute that tells every item from all others, and has a number in it."""
    names = sorted({str(name) for item in items for name in item.attrib} - {"class", "style", "title"}, key=_order_of_id)
    for name in names:
        values = [item.get(name) or "" for item in items]
        if len(set(values)) == len(items) and all(_DIGITS.search(value) for value in values):
            return name
    return None


def _order_of_id(name: str) -> tuple[bool, bool, int, str]:
    """A portal's own id goes before the anchor in the page."""
    return not name.endswith("id"), name == "id", len(name), name


def answer_attribute(items: Sequence[Element], id_name: str) -> str | None:
    """The attribute that names the id of another item, where some answer others."""
    ids = {item.get(id_name) for item in items}
    names = sorted({str(name) for item in items for name in item.attrib} - {id_name, "class", "style"})
    for name in names:
        values = [value for item in items if (value := item.get(name)) and value != "0"]
        if values and all(value in ids for value in values) and all(item.get(name) != item.get(id_name) for item in items):
            return name
    return None
