"""Whatever came from a stranger's page stays text, is told where it is cut, and steers nothing around it."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

LONGEST = 160
"""Characters of a stranger's text that are shown."""
_LONGEST_ADDRESS = 2_000
"""Of an address that is still a link: what browsers take."""
_LONGEST_VALUE = 1_000
"""Of what a template prints without a filter: a sentence of ours is shorter."""
_MARKS = "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"

# Control characters, marks of direction, line separators, halves of characters, what has no width (but the joiners that scripts need).
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufdd0-\ufdef\ufeff\ufff9-\uffff"
    "\U000e0000-\U000e0fff]"
)
_WEB = re.compile(r"https?://[^\s<>\"\x00-\x20\x7f-\x9f]+", re.IGNORECASE)
_MANY_MARKS = re.compile(f"([{_MARKS}]{{4}})[{_MARKS}]+")
"""More combining marks on one letter would grow over the lines around it."""


def named(text: str) -> str:
    """The same text, in which what is not seen is named."""
    return text if text.isprintable() else _UNSEEN.sub(lambda match: f"⟨U+{ord(match[0]):04X}⟩", text)


def printed(value: object) -> object:
    """What a template prints: a text of any kind may stand in an attribute, so nothing but characters becomes of it."""
    if value is None:
        return ""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return named(value if len(value) <= _LONGEST_VALUE else f"{value[:LONGEST]} … ({len(value):,} characters)")


def whole(text: str) -> Markup:
    """A text of any length: of an article, the source of a document."""
    return escape(named(text))


def stranger(text: str, longest: int = LONGEST) -> Markup:
    """A text out of a page: cut where it is long (which is told), and kept from steering the direction of its neighbours."""
    tamed = _MANY_MARKS.sub(r"\1", " ".join(text[: 4 * longest].split()))
    is_cut = len(tamed) > longest or len(text) > 4 * longest
    cut = Markup('<span class="cut"> … ({:,} characters)</span>').format(len(text)) if is_cut else ""
    return Markup("<bdi>{}</bdi>{}").format(named(tamed[:longest]) or "(empty)", cut)


def link(address: str, longest: int = 90) -> Markup:
    """A web address as a link; any other text that stands where one should be is shown as text."""
    shown = Markup('<code class="address">{}</code>').format(stranger(address, longest))
    if len(address) > _LONGEST_ADDRESS or not _WEB.fullmatch(address) or not address.isprintable():
        return shown
    return Markup('<a href="{}" rel="noreferrer noopener">{}</a>').format(address, shown)


def sentence(text: str) -> Markup:
    """What stands between grave accents is code."""
    pieces = enumerate(text.split("`"))
    return Markup("").join(Markup("<code>{}</code>" if place % 2 else "{}").format(named(piece)) for place, piece in pieces)
