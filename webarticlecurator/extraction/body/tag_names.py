"""Simplified tags: what an element's start tag says, with what differs from page to page left out; and how they are written.

    div#content.post.post-*[itemprop=articleBody][data-src]

A name, the id, classes, and the attributes that tell something; a star stands for numbers and for what is longer than a name would be.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from lxml.etree import _Element as Element

from webarticlecurator.selectors import identifier, quoted

LONGEST_NAME = 30
"""Characters of a tag, a class, an id that a person may have named."""

_SAY_NOTHING = frozenset((
    "align", "alt", "background", "bgcolor", "border", "cellpadding", "cellspacing", "class", "clear", "color", "contenteditable",
    "decoding", "dir", "draggable", "face", "fetchpriority", "frameborder", "height", "hspace", "id", "loading", "marginheight",
    "marginwidth", "nowrap", "scrolling", "size", "sizes", "spellcheck", "srcset", "style", "tabindex", "target", "title", "valign",
    "vspace", "width", "xml:lang", "xmlns",
))  # fmt: skip
"""How an element looks, and what is said of it by its class and id."""
_VALUES_TELL = frozenset(("itemprop", "itemtype", "property", "rel", "role", "type"))
"""Attributes whose values come from a fixed set of words; of all others only the name is kept."""
_VALUES_READ = _VALUES_TELL | {"class", "id"}
_WRITTEN = re.compile(
    r"""(?P<mark>[#.])(?P<name>[^#.\[\]\s]+)      # id, class
      | \[(?P<attribute>[^=\[\]\s]+)(?:=(?P<value>[^\[\]]*))?\]""",
    re.VERBOSE,
)
_TAG_NAME = re.compile(r"""[^#.\[\]\s<>\\"']+""")
"""What can be written without being taken for something else, here and in a selector."""
_ATTRIBUTE_NAME = re.compile(r"""[^=#.\[\]\s<>\\"']+""")
_MACHINE_MADE = re.compile(
    r"(?=[^_-]*\d)(?=[^_-]*[A-Za-z])[A-Za-z0-9]{6,}$|[0-9a-f]{8,}$|(?:(?<=^css-)|(?<=^astro-)|(?<=^svelte-))[a-z0-9]{5,8}$"
)
"""The end of a class in which digits and letters alternate: `css-1x2yz9a`; any short one behind the names of what makes them."""


class TagNotationError(ValueError):
    """The text is no simplified tag; the message says why."""


@dataclass(frozen=True, slots=True)
class Tag:
    """A simplified tag."""

    name: str
    id: str | None = None
    classes: tuple[str, ...] = ()
    attributes: tuple[tuple[str, str], ...] = ()
    """Name and value; "" where only the name counts."""

    @property
    def text(self) -> str:
        """As it is written."""
        id = f"#{self.id}" if self.id else ""
        classes = "".join(f".{name}" for name in self.classes)
        attributes = "".join(f"[{name}={value}]" if value else f"[{name}]" for name, value in self.attributes)
        return f"{self.name}{id}{classes}{attributes}"

    @classmethod
    def parse(cls, text: str) -> Tag:
        """The reverse of `text`. Raises TagNotationError."""
        written = text.strip()
        start = _TAG_NAME.match(written)
        if start is None:
            raise TagNotationError(f"{text[:80]!r} does not begin with the name of a tag")
        id, classes, attributes, position = None, [], [], start.end()
        while position < len(written):
            part = _WRITTEN.match(written, position)
            if part is None:
                raise TagNotationError(f"{text[:80]!r} is no tag from {written[position : position + 20]!r} on; such as div.post[data-id]")
            position = part.end()
            if part["attribute"]:
                attributes.append((part["attribute"], part["value"] or ""))
            elif part["mark"] == "#":
                id = part["name"]
            else:
                classes.append(part["name"])
        return cls(start[0], id, tuple(classes), tuple(attributes))


def parsed_or_bare(text: str) -> Tag:
    """The tag that is written so; of a name that nobody can write in a rule (`x"y`) it is all that is known."""
    try:
        return Tag.parse(text)
    except TagNotationError:
        return Tag(text)


def simplified(name: str, attributes: Iterable[tuple[str, str]]) -> Tag:
    """The simplified tag of an element with these attributes, as they stand in the page; with no more than a person can take in."""
    id: str | None = None
    classes: tuple[str, ...] = ()
    kept: list[tuple[str, str]] = []
    for key, value in attributes:
        if key == "class":
            classes = tuple(dict.fromkeys(kept_name(name) for name in value.split()[:100]))
        elif key == "id":
            id = named if "*" not in (named := kept_name(value)) else None  # one with a number in it names a thing, and no place
        elif key not in _SAY_NOTHING and not key.startswith(("aria-", "data-v-", "on")) and _ATTRIBUTE_NAME.fullmatch(key):
            kept.append((kept_name(key), kept_name(value) if key in _VALUES_TELL else ""))
    return Tag(name[:LONGEST_NAME], id, classes[:8], tuple(sorted(dict.fromkeys(kept))[:12]))


def simplified_tag(element: Element) -> str:
    """How an element's simplified tag is written."""
    return tag_of(element)[1]


def tag_of(element: Element) -> tuple[Tag, str]:
    """An element's simplified tag, and how that is written."""
    # elements for which this is the same have the same tag; pages may hold anything in a value, and tags are remembered
    telling = tuple([(name, value[:4_000]) if name in _VALUES_READ else name for name, value in element.items()])
    return _tag_of(element.tag, telling)


@lru_cache(maxsize=16384)
def _tag_of(name: str, attributes: tuple[str | tuple[str, str], ...]) -> tuple[Tag, str]:
    tag = simplified(name, (attribute if isinstance(attribute, tuple) else (attribute, "") for attribute in attributes))
    return tag, tag.text


def ends_in_hash(name: str) -> bool:
    """Whether a program made it of the site's styles (`css-1x2yz9a`): another one when these change."""
    return _MACHINE_MADE.search(name) is not None


def general_name(name: str) -> str:
    """A class, an id or the like, without what tells one page from another."""
    if len(name) > LONGEST_NAME:
        return "*"
    return re.sub(r"\d+", "*", _MACHINE_MADE.sub("*", name))


def kept_name(name: str) -> str:
    """What is kept of a class, an id, a value: a star for what differs from page to page, and for what could not be written."""
    general = general_name(name)
    return general if _TAG_NAME.fullmatch(general) else "*"


def selector_of(tag: Tag) -> str:
    """Such as `div.post[class*="item-"][data-src]`: what is a star in the tag is left open; never narrower than the tag."""
    id = f"#{identifier(tag.id)}" if tag.id else ""
    plain = "".join(f".{identifier(name)}" for name in tag.classes if "*" not in name)
    general = "".join(_containing("class", name) for name in tag.classes if "*" in name)
    attributes = ""
    for name, value in tag.attributes:
        if "*" not in name:
            said = _containing(name, value) if "*" in value else f"[{identifier(name)}={quoted(value)}]" if value else ""
            attributes += said or f"[{identifier(name)}]"
    return f"{identifier(tag.name)}{id}{plain}{general}{attributes}"


def _containing(attribute: str, general: str) -> str:
    """What stands around the stars; a hyphen alone says nothing."""
    pieces = dict.fromkeys(piece for piece in general.split("*") if any(map(str.isalpha, piece)))
    return "".join(f"[{identifier(attribute)}*={quoted(piece)}]" for piece in pieces)
