"""Simplified tags: an element's name and classes, with what differs from page to page left out."""

from __future__ import annotations

import re
from functools import lru_cache

from lxml.etree import _Element as Element

_LONGEST = 30
"""Characters of a class that a person may have named."""
_MOST_CLASSES = 8
_NUMBERS = re.compile(r"\d+")
_MACHINE_MADE = re.compile(
    r"(?=[^_-]*\d)(?=[^_-]*[A-Za-z])[A-Za-z0-9]{6,}$|[0-9a-f]{8,}$|(?:(?<=^css-)|(?<=^astro-)|(?<=^svelte-))[a-z0-9]{5,8}$"
)
"""The end of a class in which digits and letters alternate: `css-1x2yz9a`; any short one behind the names of what makes them."""


def simplified_tag(element: Element) -> str:
    """`div.post.post-*`: name and classes; numbers, and what is longer than a name would be, are a star."""
    return _simplified(element.tag, element.get("class") or "")


@lru_cache(maxsize=8192)
def _simplified(tag: str, names: str) -> str:
    classes = dict.fromkeys(general_name(name) for name in names.split()[:_MOST_CLASSES])
    return ".".join((tag[:_LONGEST], *classes))


def ends_in_hash(name: str) -> bool:
    """Whether a program made it of the site's styles (`css-1x2yz9a`): another one when these change."""
    return _MACHINE_MADE.search(name) is not None


def general_name(name: str) -> str:
    """A class, an id or the like, without what tells one page from another."""
    if len(name) > _LONGEST:
        return "*"
    return _NUMBERS.sub("*", _MACHINE_MADE.sub("*", name))
