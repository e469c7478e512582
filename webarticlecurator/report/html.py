"""Markup made of values: whatever came from a stranger's page stays text, is told where it is cut, and steers nothing around it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape

LONGEST = 160
"""Characters of a stranger's text that are shown."""
_LONGEST_ADDRESS = 2_000
"""Of an address that is still a link: what browsers take."""
_LONGEST_TEXT = 1_000
"""Of any text: a sentence of ours is shorter."""
_MARKS = 4
"""Combining marks on one letter; more would grow over the lines around it."""

# Control characters, marks of direction, line separators, halves of characters, what has no width (but the joiners that scripts need).
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufdd0-\ufdef\ufeff\ufff9-\uffff"
    "\U000e0000-\U000e0fff]"
)
_WEB = re.compile(r"https?://[^\s<>\"\x00-\x20\x7f-\x9f]+", re.IGNORECASE)
_MANY_MARKS = re.compile(
    f"([\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{{{_MARKS}}})"
    "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+"
)


class Html(str):
    """Markup of ours; any other string is text."""

    __slots__ = ()


Child = str | int | Iterable["Child"] | None
Attribute = str | int | float | bool | None
_VOID = frozenset({"meta", "br", "col", "rect", "line", "path", "circle", "use"})


def element(name: str, /, *children: Child, **attributes: Attribute) -> Html:
    """An element; `class_`, `aria_label` and `for_` are written as Python allows. None and False: the attribute is left out."""
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}{_value(value)}"
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    content = joined(children)
    return Html(f"<{name}{written}/>" if name in _VOID and not content else f"<{name}{written}>{content}</{name}>")


def joined(children: Child) -> Html:
    """Several, one after the other."""
    return Html("".join(_pieces(children)))


def text(written: str) -> str:
    """As markup that shows it; what is not seen is named."""
    shown = written if written.isprintable() else _UNSEEN.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", written)
    return escape(shown)


def stranger(written: str, longest: int = LONGEST) -> Html:
    """A text out of a page: cut where it is long (which is told), and kept from steering the direction of its neighbours."""
    tamed = _MANY_MARKS.sub(r"\1", " ".join(written[: 4 * longest].split()))
    if len(tamed) <= longest and len(written) <= 4 * longest:
        return element("bdi", tamed or "(empty)")
    cut = element("span", f" … ({len(written):,} characters)", class_="cut")
    return Html(element("bdi", tamed[:longest]) + cut)


def link(address: str, longest: int = 90) -> Html:
    """A web address as a link; any other text that stands where one should be is shown as text."""
    shown = element("code", stranger(address, longest), class_="address")
    if len(address) > _LONGEST_ADDRESS or not _WEB.fullmatch(address) or not address.isprintable():
        return shown
    return element("a", shown, href=address, rel="noreferrer noopener")


def _value(value: Attribute) -> str:
    if value is True:
        return ""
    written = f"{value:g}" if isinstance(value, float) else text(str(value))
    return f'="{written}"'


def _pieces(children: Child) -> Iterator[str]:
    if children is None:
        return
    if isinstance(children, Html):
        yield children
    elif isinstance(children, str):
        yield text(children) if len(children) <= _LONGEST_TEXT else stranger(children)
    elif isinstance(children, int):
        yield f"{children:,}"
    else:
        for child in children:
            yield from _pieces(child)
