"""Last resort: a date or a byline somewhere in the text around the heading, where nothing marks it as one."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from itertools import islice

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.metadata.authors import byline_start, starts_with_by
from webarticlecurator.extraction.metadata.visible import is_outside
from webarticlecurator.text import squeeze

MAX_PIECES, MAX_FOUND = 5_000, 100
_CANDIDATES = 12
_NEAR = 60
"""Characters at the beginning of a text in which a date must stand to be the article's and not a part of its story."""
_LONGEST_BYLINE = 120
_UNSEEN = frozenset({"script", "style", "template", "noscript", "head", "select", "option", "button"})
_YEAR = re.compile(r"(?<!\d)(?:19[89]|20[0-4])\d(?!\d)|\d[./]\d\d?[./]\d\d(?!\d)")
_TWO_DIGITS = re.compile(r"\d\d")
_Read = Callable[[str], str | None]
"""Of a text as written what is wanted of it; None of most texts."""


def text_dates(tree: Element) -> Iterator[str]:
    """Texts that begin with a date: behind the heading first, then before it, then outside of the article."""
    return islice(_pieces(tree, _dated), _CANDIDATES)


def text_bylines(tree: Element, language: str | None) -> Iterator[str]:
    """The first short text that begins with "By ..."."""
    may_be = byline_start(language).match

    def byline(text: str) -> str | None:
        if may_be(text) and len(text := squeeze(text)) <= _LONGEST_BYLINE and starts_with_by(text, language):
            return text
        return None

    return islice(_pieces(tree, byline), 1)


def _dated(text: str) -> str | None:
    if len(text) <= _NEAR and not _TWO_DIGITS.search(text):  # by far most texts of a page
        return None
    beginning = " ".join(text.split(None, _NEAR // 2)[: _NEAR // 2])[:_NEAR]  # so many words at least are as long as that
    return beginning if _YEAR.search(beginning) else None


def _pieces(tree: Element, read: _Read) -> Iterator[str]:
    heading = next(tree.iter("h1"), None)
    around: Collection[Element] = frozenset(heading.iterancestors()) if heading is not None else ()
    before: list[str] = []
    outside: list[str] = []
    passed = heading is None
    found = 0
    for element, written in islice(_texts(tree), MAX_PIECES):
        passed = passed or element is heading
        text = read(written)
        if text is None:
            continue
        found += 1
        if found > MAX_FOUND:
            break
        if is_outside(element, around):
            outside.append(text)
        elif passed:
            yield text
        else:
            before.append(text)
    yield from (*reversed(before), *outside)


def _texts(tree: Element) -> Iterator[tuple[Element, str]]:
    """Every stretch of text as written, with the element it stands in."""
    for element in tree.iter(etree.Element):
        if (text := element.text) and not text.isspace() and element.tag not in _UNSEEN:
            yield element, text
        if (text := element.tail) and not text.isspace() and (parent := element.getparent()) is not None and parent.tag not in _UNSEEN:
            yield parent, text
