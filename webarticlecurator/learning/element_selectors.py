"""The selectors by which an element may be named in a rule: what its start tag says, without what differs
from page to page; and picks as plain data, made what a portal file makes of them: what is proposed is tried
by the same code that will run it."""

from __future__ import annotations

import json
import re
from functools import lru_cache
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
from webarticlecurator.text import HEADINGS

_NAME = linear_at(r"[^\W\d][^\W\d-]*(?:-+[^\W\d]+)*-*")
"""A class or an id that a selector has as it is: without a digit, which says which one of several it is, and
without a sign that would have to be escaped, as in `md:hidden`."""
_LONGEST_NAME = 60
_LONGEST_ID = 30
_STATES = linear(
    r"active|current|selected|hover|visited|\bodd\b|\beven\b|first|last"
    r"|(?-i:[a-z][A-Z]\w*[a-z][A-Z])|__\w{5}$",
    re.IGNORECASE,
)
"""In a class that says which one of a list it is, how it looks at the moment, or that is made anew with each
version of the page's program."""
_PASSING = frozenset(
    (
        "active", "clear", "clearfix", "col", "collapsed", "current", "even", "first", "hidden", "last",
        "left", "odd", "open", "right", "row",
    )
)  # fmt: skip
"""Classes that tell how an element looks at the moment, or in what grid it stands."""
_LOOKS = linear_at(
    r"(?:align|basis|bg|block|bold|border|btn|button|col|d|flex|float|font|grid|h|has|inline|is|items|"
    r"justify|m[bltrxy]?|order|p[bltrxy]?|position|rounded|shadow|small|space|table|text|u|w|"
    r"wp-block-group)(?:-|$)"
)
"""How names begin that frameworks of styles give to anything: they say how it looks."""
_WRITABLE = linear_at(r"[^\W\d][\w-]*")
"""A name without a star, for a number or a hash, and without a sign that a selector has to escape:
`md:hidden`."""
_TELLING = ("itemprop", "property", "role")
_TELLING_TAGS = ("article", "aside", "main")
"""Tags that say without any name what they are."""
_BARE = frozenset(
    (
        *HEADINGS,
        "article", "aside", "main", "section", "ul", "ol", "table", "li", "td", "dt", "dd", "p", "header",
        "figure",
    )
)  # fmt: skip
"""Tags that say something without a class."""
_HUMPS = linear(r"[A-Z]?[^A-Z]+|[A-Z]")


def selected(selector: str, tree: Element | None) -> list[Element]:
    """Return what it matches on a page; nothing, where that would take too long: then it is no rule for such
    pages."""
    try:
        return Selector.parse(selector).select(tree) if tree is not None else []
    except PatternTimeout:
        return []


def names_of(element: Element) -> tuple[str, ...]:
    """Return how an element may be called: by each of its classes, its id, or its tag alone where that says
    something.

    Not by the id of a heading, nor by another one that is made of the words of one.
    """
    id = element.get("id") if element.tag not in HEADINGS else None
    return _names(str(element.tag), element.get("class") or "", id or "")


@lru_cache(maxsize=8192)
def _names(tag: str, classes: str, id: str) -> tuple[str, ...]:
    names = [f"{tag}.{name}" for name in classes_of(classes)]
    if len(id) < _LONGEST_ID and is_steady(id):
        names.append(f"{tag}#{id}")
    if tag in _BARE:
        names.append(tag)
    return tuple(names)


@lru_cache(maxsize=8192)
def classes_of(written: str) -> tuple[str, ...]:
    """Return the first few classes of an attribute that will be there tomorrow, too."""
    return tuple(dict.fromkeys(filter(is_steady, written.split())))[:4]


def is_steady(name: str) -> bool:
    """Say whether a class or id will be there tomorrow, and on the next page."""
    is_name = len(name) <= _LONGEST_NAME and _NAME.fullmatch(name) is not None
    return is_name and not (_STATES.search(name) or is_made_by_machine(name))


def selectors_of(element: Element) -> tuple[str, ...]:
    """Return selectors of an element, each a tag with one class, id or attribute, the most telling first;
    nothing if it has no name of its own."""
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
    return name.lower() in _PASSING or _LOOKS.match(name.lower()) is not None


def named_selectors(element: Element, above: int = 3) -> tuple[str, ...]:
    """Return selectors of an element; of one without a name: as a child of what stands around it and has
    one."""
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
