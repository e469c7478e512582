"""Files that a page needs to look as its readers saw it: the style sheets, pictures and fonts that it, or one
of its style sheets, names."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from typing import Any

from lxml.etree import XPath
from lxml.etree import _Element as Element

from webarticlecurator.model.capture import REQUISITE_KINDS, RequisiteKind
from webarticlecurator.own_patterns import linear
from webarticlecurator.urls import is_http, join, without_fragment

Names = dict[str, RequisiteKind]
"""The kind of each file, by its address."""

_Texts = Callable[[Element], Any]
"""Returns texts of a page."""
_MOST = 200
"""Files that are taken from one page, or from one style sheet."""
_MOST_WRITTEN = 5_000
"""Addresses of one kind of place that are looked at; they may lead to the same."""
_LONGEST_SHEET = 5_000_000
"""Characters of a style sheet that are looked through."""
_REL = "translate(@rel, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')"
_PLACES: tuple[tuple[RequisiteKind, _Texts], ...] = (
    ("css", XPath(f"//link[contains({_REL}, 'stylesheet') or @as = 'style']/@href")),
    ("fonts", XPath("//link[@as = 'font']/@href")),
    ("images", XPath(f"//link[contains({_REL}, 'icon') or @as = 'image']/@href")),
    ("images", XPath("//img/@src | //input[@type = 'image']/@src | //video/@poster | //@background")),
    (
        "images",
        XPath("//img/@*[name() = 'data-src' or name() = 'data-lazy-src' or name() = 'data-original']"),
    ),
    ("images", XPath("//image/@*[name() = 'href' or name() = 'xlink:href']")),
)
"""Attributes that hold one address."""
_SETS: _Texts = XPath("//@srcset | //@data-srcset | //@data-lazy-srcset | //@imagesrcset")
"""Attributes that hold the addresses of one picture in several sizes: which of them a reader saw depends on
the screen."""
_CANDIDATE = linear(r"([^\s,]\S*?)(?:,(?=\s|$)|\s+[^\s,]*,?|$)")
"""An address in such a set, before its size: commas may stand in it."""
_STYLES: _Texts = XPath("//style/text() | //@style")
_COMMENT = linear(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_ADDRESS = r"""(?:"([^"\n]+)|'([^'\n]+)|([^"'()\s]+))"""
_IMPORT = linear(rf"@import\s{{0,9}}(?:url\(\s{{0,9}})?{_ADDRESS}", re.IGNORECASE)
_FONT_FACE = linear(r"@font-face\s{0,99}\{([^{}]*)", re.IGNORECASE)
_NO_FILE = linear(r"@(?:namespace|(?:-moz-)?document)[^;{]{0,999}", re.IGNORECASE)
"""Rules whose addresses are names, or those of pages."""
_URL = linear(rf"url\(\s{{0,9}}{_ADDRESS}", re.IGNORECASE)
_FONT = linear(rf"url\((?![^()\n]{{0,2000}}\.(?:eot|svg)(?:[?#\"')\s]|$))\s{{0,9}}{_ADDRESS}", re.IGNORECASE)
"""A font in another format than those that browsers of today pass over."""


def named_on_page(tree: Element, base: str) -> Names:
    """Return the files that a page names, of which `base` is what its addresses are joined with."""
    names: Names = {}
    for kind, places in _PLACES:
        _add(names, kind, places(tree), base)
    _add(names, "images", _CANDIDATE.findall(",\n".join(_SETS(tree))), base)
    # what is not closed in one of them is closed behind it
    return named_in_sheet("\n}\n".join(_STYLES(tree)), base) | names


def named_in_sheet(css: str, base: str) -> Names:
    """Return the files that a style sheet names: of the formats of one font the first that browsers of today
    take."""
    css = _NO_FILE.sub(" ", _COMMENT.sub(" ", css[:_LONGEST_SHEET]))
    names: Names = {}
    _add(names, "css", _written(_IMPORT, css), base)
    for face in _FONT_FACE.findall(css)[:_MOST]:
        _add(names, "fonts", _written(_FONT, face)[:1], base)
    _add(names, "images", _written(_URL, _FONT_FACE.sub(" ", css)), base)
    return names


def chosen(names: Names, kinds: Collection[str]) -> Names:
    """Return the files of these kinds, style sheets first; no more than one page may ask for."""
    ordered = sorted(names.items(), key=lambda name: REQUISITE_KINDS.index(name[1]))
    return dict([name for name in ordered if name[1] in kinds][:_MOST])


def _written(pattern: re.Pattern[str], css: str) -> list[str]:
    """Return the addresses that a pattern finds, without their quotation marks."""
    return ["".join(groups) for groups in pattern.findall(css)]


def _add(names: Names, kind: RequisiteKind, written: Iterable[str], base: str) -> None:
    """Add what these addresses lead to, but the page itself, and what is written into it."""
    for address in list(dict.fromkeys(written))[:_MOST_WRITTEN]:
        url = without_fragment(join(base, address) or "")
        if url != base and is_http(url):
            names.setdefault(url, kind)
