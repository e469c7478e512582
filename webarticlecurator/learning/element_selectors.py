"""The selectors by which an element may be named in a rule: what its start tag says, without what differs
from page to page; and picks as plain data, made what a portal file makes of them: what is proposed is tried
by the same code that will run it."""

from __future__ import annotations

import json
from pathlib import Path

from lxml.etree import _Element as Element

from webarticlecurator.config.picks import Picks, read_picks
from webarticlecurator.config.scalars import NodeCompiler
from webarticlecurator.config.yaml_reading import read_document
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.labelling.simplified_tags import simplified
from webarticlecurator.model.proposals import Plain
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.selectors import Selector, identifier, quoted

_STATES = frozenset(
    (
        "active", "clear", "clearfix", "col", "collapsed", "current", "even", "first", "hidden", "last",
        "left", "odd", "open", "right", "row",
    )
)  # fmt: skip
"""Classes that tell how an element looks at the moment, or in what grid it stands."""
_LOOKS = linear_at(
    r"(?:align|basis|bg|block|bold|border|btn|button|col|d|flex|float|font|grid|h|has|inline|is|items|justify|m[bltrxy]?|order|p[bltrxy]?|"
    r"position|rounded|shadow|small|space|table|text|u|w|wp-block-group)(?:-|$)"
)
"""How names begin that frameworks of styles give to anything: they say how it looks."""
_WRITABLE = linear_at(r"[^\W\d][\w-]*")
"""No star, for a number or a hash, and no sign that a selector has to escape: `md:hidden`."""
_TELLING = ("itemprop", "property", "role")
_TELLING_TAGS = ("article", "aside", "main")
"""Which say without any name what they are."""
_HUMPS = linear(r"[A-Z]?[^A-Z]+|[A-Z]")


def selected(selector: str, tree: Element | None) -> list[Element]:
    """Return what it matches on a page; nothing, where that would take too long: then it is no rule for such
    pages."""
    try:
        return Selector.parse(selector).select(tree) if tree is not None else []
    except PatternTimeout:
        return []


def selectors_of(element: Element) -> tuple[str, ...]:
    """Each a tag with one class, id or attribute; the most telling first. Nothing: it has no name of its
    own."""
    tag = simplified(element.tag, [(str(name), str(value)) for name, value in element.attrib.items()])
    name = identifier(tag.name)
    selectors = [
        f"{name}[{mark}={quoted(value)}]"
        for mark, value in tag.attributes
        if mark in _TELLING and _is_plain(value)
    ]
    selectors += [
        f"{name}.{identifier(css)}" for css in tag.classes if _is_lasting(css) and not _says_how_it_looks(css)
    ]
    if tag.id:
        selectors.append(f"{name}#{identifier(tag.id)}")
    words = (element.get("id") or "").split()
    if len(words) > 1:  # meant for classes
        selectors += [f"{name}[id~={quoted(word)}]" for word in reversed(words) if _is_lasting(word)]
    if tag.name in _TELLING_TAGS or "-" in tag.name:
        selectors.append(name)
    return tuple(selectors[:12])


def _is_plain(value: str) -> bool:
    return bool(value) and "*" not in value


def _is_lasting(name: str) -> bool:
    return _WRITABLE.fullmatch(name) is not None and not is_made_by_machine(name)


def _says_how_it_looks(name: str) -> bool:
    return name.lower() in _STATES or _LOOKS.match(name.lower()) is not None


def named_selectors(element: Element, above: int = 3) -> tuple[str, ...]:
    """Of an element without a name: as a child, and below what stands around it and has one."""
    path, around = "", element
    for _ in range(above + 1):
        if names := selectors_of(around):
            return tuple(f"{name}{path}" for name in names)
        path, parent = f" > {around.tag}{path}", around.getparent()
        if parent is None:
            break
        around = parent
    return ()


def is_made_by_machine(name: str) -> bool:
    """Say whether it will be another one when the site's styles are made again; what has digits in it is
    known by them."""
    humps_in = (
        (part, _HUMPS.findall(part)) for part in linear(r"[-_]+").split(name)
    )  # short ones give it away: `gfolHV`
    return any(
        len(part) <= 8 and not part.isupper() and len(humps) > 1 and min(map(len, humps)) <= 2
        for part, humps in humps_in
    )


def picks_of(value: Plain, source: str) -> Picks | None:
    """The picks that this value would be in a portal file; None where there is none, or its loader would
    refuse them."""
    if value is None:
        return None
    try:
        content = json.dumps(value, ensure_ascii=False).encode("utf-8")  # JSON is YAML
    except UnicodeEncodeError:  # half a character, as only broken pages have it
        return None
    node, mistakes = read_document(content, Path("proposal"))
    compiler = NodeCompiler()
    picks = read_picks(compiler, node, source)
    return picks if not mistakes and not compiler.mistakes else None
