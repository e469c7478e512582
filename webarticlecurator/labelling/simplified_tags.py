"""Simplified tags of elements, and how they are written.

A simplified tag is what an element's start tag says, with what differs from page to page left out:

    div#content.post.post-*[itemprop=articleBody][data-src]

A name, the id, classes, and the attributes that tell something; a star stands for numbers and for what is
longer than a name would be.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from lxml.etree import _Element as Element

from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.selectors import identifier, quoted

LONGEST_NAME = 30
"""Characters of a tag, a class, an id that a person may have named."""

_SAY_NOTHING = frozenset((
    "align", "alt", "background", "bgcolor", "border", "cellpadding", "cellspacing", "class", "clear", "color", "contenteditable",
    "decoding", "dir", "draggable", "face", "fetchpriority", "frameborder", "height", "hspace", "id", "loading", "marginheight",
    "marginwidth", "nowrap", "scrolling", "size", "sizes", "spellcheck", "srcset", "style", "tabindex", "target", "title", "valign",
    "vspace", "width", "xml:lang", "xmlns",
))  # fmt: skip
"""Attributes that say how an element looks, or the same as its class and id."""
_VALUES_TELL = frozenset(("itemprop", "itemtype", "property", "rel", "role", "type"))
"""Attributes whose values come from a fixed set of words; of all others only the name is kept."""
_VALUES_READ = _VALUES_TELL | {"class", "id"}
_WRITTEN = linear_at(
    r"""(?P<mark>[#.])(?P<name>[^#.\[\]\s]+)      # id, class
      | \[(?P<attribute>[^=\[\]\s]+)(?:=(?P<value>[^\[\]]*))?\]""",
    re.VERBOSE,
)
_TAG_NAME = linear_at(r"""[^#.\[\]\s<>\\"']+""")
"""Names that are not taken for something else, here and in a selector."""
_ATTRIBUTE_NAME = linear_at(r"""[^=#.\[\]\s<>\\"']+""")
MACHINE_MADE = linear(
    r"(?<![A-Za-z0-9])(?=[A-Za-z0-9]*\d)(?=[A-Za-z0-9]*[A-Za-z])[A-Za-z0-9]{6,}$|(?<![0-9a-f])[0-9a-f]{8,}$|(?:(?<=^css-)|(?<=^astro-)|(?<=^svelte-))[a-z0-9]{5,8}$",
)
"""The end of a class in which digits and letters alternate: `css-1x2yz9a`; any short one behind the names of
what makes them."""


class TagNotationError(ValueError):
    """The text is no simplified tag; the message says why."""


@dataclass(frozen=True, slots=True)
class Tag:
    """A simplified tag."""

    name: str
    id: str = ""
    classes: tuple[str, ...] = ()
    attributes: tuple[tuple[str, str], ...] = ()
    """The attributes: name and value; "" where only the name counts."""
    text: str = field(init=False, compare=False, repr=False)
    """The tag as people write it."""

    def __post_init__(self) -> None:
        id = f"#{self.id}" if self.id else ""
        classes = "".join(f".{name}" for name in self.classes)
        attributes = "".join(f"[{name}={value}]" if value else f"[{name}]" for name, value in self.attributes)
        object.__setattr__(self, "text", f"{self.name}{id}{classes}{attributes}")

    @classmethod
    def parse(cls, text: str) -> Tag:
        """Return the tag that a text writes. Raises TagNotationError."""
        written = text.strip()
        start = _TAG_NAME.match(written)
        if start is None:
            raise TagNotationError(f"{text[:80]!r} does not begin with the name of a tag")
        id, classes, attributes, position = "", [], [], start.end()
        while position < len(written):
            part = _WRITTEN.match(written, position)
            if part is None:
                raise TagNotationError(
                    f"{text[:80]!r} is no tag from {written[position : position + 20]!r} on; such as "
                    "div.post[data-id]",
                )
            position = part.end()
            if part["attribute"]:
                attributes.append((part["attribute"], part["value"] or ""))
            elif part["mark"] == "#":
                id = part["name"]
            else:
                classes.append(part["name"])
        return cls(start[0], id, tuple(classes), tuple(attributes))


def parsed_or_bare(text: str) -> Tag:
    """Return the tag that is written so; of a name that nobody can write in a rule (`x"y`) it is all that is
    known."""
    try:
        return Tag.parse(text)
    except TagNotationError:
        return Tag(text)


def simplified(name: str, attributes: Iterable[tuple[str, str]]) -> Tag:
    """Return the simplified tag of an element with these attributes, as they stand in the page; with no more
    than a person can take in."""
    values = dict(attributes)
    id = kept_name(values.get("id", ""))  # one with a number in it names a thing, and no place
    classes = tuple(dict.fromkeys(map(kept_name, values.get("class", "").split()[:100])))
    telling = filter(_tells_something, values)
    kept = {_kept_attribute(attribute, values[attribute]) for attribute in telling}
    return Tag(name[:LONGEST_NAME], id if "*" not in id else "", classes[:8], tuple(sorted(kept)[:12]))


_remembered_tag = lru_cache(maxsize=16384)(simplified)


def _kept_attribute(attribute: str, value: str) -> tuple[str, str]:
    return kept_name(attribute), kept_name(value) if attribute in _VALUES_TELL else ""


def _tells_something(attribute: str) -> bool:
    """Return True if an attribute may say what an element is, and can be written in a tag."""
    if attribute in _SAY_NOTHING or attribute.startswith(("aria-", "data-v-", "on")):
        return False
    return _ATTRIBUTE_NAME.fullmatch(attribute) is not None


def tag_of(element: Element) -> Tag:
    """Return an element's simplified tag."""
    # elements for which this is the same have the same tag; pages may hold anything in a value, and tags
    # are remembered
    telling = tuple(
        [(name, value[:4_000] if name in _VALUES_READ else "") for name, value in element.items()],
    )
    return _remembered_tag(element.tag, telling)


def general_name(name: str) -> str:
    """Return a class, an id or the like, without what tells one page from another."""
    if len(name) > LONGEST_NAME:
        return "*"
    return linear(r"\d+").sub("*", MACHINE_MADE.sub("*", name))


def kept_name(name: str) -> str:
    """Return what is kept of a class, an id, a value: a star for what differs from page to page, and for what
    could not be written."""
    general = general_name(name)
    return general if _TAG_NAME.fullmatch(general) else "*"


def selector_of(tag: Tag) -> str:
    """Return a selector such as `div.post[class*="item-"][data-src]`: what is a star in the tag is left open;
    never narrower than the tag."""
    id = f"#{identifier(tag.id)}" if tag.id else ""
    classes = "".join(_class_selector(name) for name in sorted(tag.classes, key=lambda name: "*" in name))
    named = [(name, value) for name, value in tag.attributes if "*" not in name]
    attributes = "".join(_attribute_selector(name, value) for name, value in named)
    return f"{identifier(tag.name)}{id}{classes}{attributes}"


def _class_selector(name: str) -> str:
    return _condition("class", name) if "*" in name else f".{identifier(name)}"


def _attribute_selector(name: str, value: str) -> str:
    """Return the condition by the value, where all of it or some is known; else by the name alone."""
    known = _condition(name, value) if value else ""
    return known or f"[{identifier(name)}]"


def _condition(attribute: str, general: str) -> str:
    exactly = f"[{identifier(attribute)}={quoted(general)}]"
    return _containing(attribute, general) if "*" in general else exactly


def _containing(attribute: str, general: str) -> str:
    """Return the condition by what stands around the stars; a hyphen alone says nothing."""
    pieces = dict.fromkeys(piece for piece in general.split("*") if any(map(str.isalpha, piece)))
    return "".join(f"[{identifier(attribute)}*={quoted(piece)}]" for piece in pieces)
