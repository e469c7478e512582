"""The selectors by which an element may be named in a rule: what its start tag says, without what differs from page to page."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml.etree import _Element as Element

from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.body.tag_names import simplified
from webarticlecurator.selectors import Selector, identifier, quoted

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_BY_THEMSELVES = frozenset(("article", "aside", "main"))
"""Tags that say without any name what they are."""
_SAY_WHERE = ("itemprop", "property", "role")
_STATES = frozenset(
    ("active", "clear", "clearfix", "col", "collapsed", "current", "even", "first", "hidden", "last", "left", "odd", "open", "right", "row")
)
"""Classes that tell how an element looks at the moment, or in what grid it stands."""
_LOOKS = re.compile(
    r"(?:align|basis|bg|block|bold|border|btn|button|col|d|flex|float|font|grid|h|has|inline|is|items|justify|m[bltrxy]?|order|p[bltrxy]?|"
    r"position|rounded|shadow|small|space|table|text|u|w|wp-block-group)(?:-|$)"
)
"""How names begin that frameworks of styles give to anything: they say how it looks."""
_WRITABLE = re.compile(r"[^\W\d][\w-]*")
"""No star, for a number or a hash, and no sign that a selector has to escape: `md:hidden`."""
_PARTS = re.compile(r"[-_]+")
_HUMPS = re.compile(r"[A-Z]?[^A-Z]+|[A-Z]")
_LONGEST_HASH, _LONGEST_HUMP = 8, 2
"""Letters of a part of a class that a program may have made up, and of the humps that give it away: `gfolHV`."""
_MOST = 12
"""Selectors of one element."""


def selected(selector: str, tree: Element | None) -> list[Element]:
    """What it matches on a page; nothing, where that would take too long: then it is no rule for such pages."""
    try:
        return Selector.parse(selector).select(tree) if tree is not None else []
    except PatternTimeout:
        return []


def selectors_of(element: Element) -> tuple[str, ...]:
    """Each a tag with one class, id or attribute; the most telling first. Nothing: it has no name of its own."""
    return tuple(list(_selectors(element))[:_MOST])


def named_selectors(element: Element, above: int = 3) -> tuple[str, ...]:
    """Of an element without a name: as a child, and below what stands around it and has one."""
    own = selectors_of(element)
    if own:
        return own
    around = element.getparent()
    path = element.tag
    for _ in range(above):
        if around is None:
            return ()
        if names := selectors_of(around):
            return tuple(f"{name} > {path}" for name in names)
        path = f"{around.tag} > {path}"
        around = around.getparent()
    return ()


def is_made_by_machine(name: str) -> bool:
    """Whether it will be another one when the site's styles are made again; what has digits in it is known by them."""
    return any(_is_hash(part) for part in _PARTS.split(name))


def _is_hash(part: str) -> bool:
    humps = _HUMPS.findall(part)
    return len(part) <= _LONGEST_HASH and len(humps) > 1 and not part.isupper() and any(len(hump) <= _LONGEST_HUMP for hump in humps)


def _selectors(element: Element) -> Iterator[str]:
    tag = simplified(element.tag, [(str(name), str(value)) for name, value in element.attrib.items()])
    name = identifier(tag.name)
    for attribute, value in tag.attributes:
        if attribute in _SAY_WHERE and value and "*" not in value:
            yield f"{name}[{attribute}={quoted(value)}]"
    for css in tag.classes:
        if _WRITABLE.fullmatch(css) and css.lower() not in _STATES and not _LOOKS.match(css.lower()) and not is_made_by_machine(css):
            yield f"{name}.{identifier(css)}"
    if tag.id:
        yield f"{name}#{identifier(tag.id)}"
    words = (element.get("id") or "").split()
    if len(words) > 1:  # meant for classes
        yield from (f"{name}[id~={quoted(word)}]" for word in reversed(words) if _WRITABLE.fullmatch(word) and not is_made_by_machine(word))
    if tag.name in _BY_THEMSELVES or "-" in tag.name:
        yield name
