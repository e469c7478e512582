"""Formulas in TeX: as machines note them beside what they draw, in alternative texts of pictures, and written
among the words of pages that have them drawn by a script."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from lxml.etree import _Element as Element

from webarticlecurator.own_patterns import linear
from webarticlecurator.text import element_text, squeeze, text_inside

_LONGEST_FORMULA = 5_000
"""Characters of a formula."""
_LONGEST_SCRIPT = 2_000
"""Characters of a script that are looked at."""
_INVISIBLE_SIGNS = dict.fromkeys(range(0x2061, 0x2065))
"""Signs of MathML that say how others belong together."""


def tex_of(element: Element) -> str | None:
    """Return the formula in TeX that a `math`, what MathJax drew, a `script` or a picture stands for; of
    MathML without it, its signs.

    None for anything else.
    """
    read = _FORMULAS.get(element.tag)
    return _clean(read(element)) if read is not None else None


def _tex_of_mathml(math: Element) -> str:
    in_tex = (note for note in math.iter("annotation") if "tex" in note.get("encoding", "").lower())
    notes = list(map(element_text, in_tex))
    signs = element_text(math, without=frozenset(math.iter("annotation", "annotation-xml")))
    return next(filter(None, (*notes[:1], math.get("alttext"))), "".join(signs.split()))


def _tex_of_mathjax(drawn: Element) -> str:
    math = next(drawn.iter("math"), None)
    if math is not None:
        return _tex_of_mathml(math)
    # what MathJax notes beside the signs that it draws: of the whole formula first
    return next(filter(None, [part.get("data-latex") for part in drawn.iter("*")]), "")


_FORMULAS: dict[str, Callable[[Element], str]] = {
    "mjx-container": _tex_of_mathjax,
    "math": _tex_of_mathml,
    "script": text_inside,
    "img": lambda picture: picture.get("alt", ""),
}


def is_tex(script: Element) -> bool:
    """Return True if a script is no program but a formula that a program is to draw."""
    return script.get("type", "").startswith("math/tex")


_DELIMITED = (r"\A\$\$(.+)\$\$\Z", r"\A\$(.+)\$\Z", r"\A\\\((.+)\\\)\Z", r"\A\\\[(.+)\\\]\Z")
_DELIMITERS = [linear(pattern, re.DOTALL) for pattern in _DELIMITED]
"""Signs before and behind a formula."""


def _clean(tex: str) -> str | None:
    tex = squeeze(tex.translate(_INVISIBLE_SIGNS).replace("% <![CDATA[", "").replace("%]]>", ""))
    for delimiters in _DELIMITERS:
        tex = delimiters.sub(r"\1", tex).strip()
    return tex if 0 < len(tex) <= _LONGEST_FORMULA else None


# --- formulas among words ---

_RENDERER = linear(r"mathjax|katex", re.IGNORECASE)
"""The programs that draw formulas where signs stand before and behind them."""
_INNER = r"((?:[^\\]|\\\\|\\(?![()\[\]\\]))+)"
"""TeX without the signs that begin or end a formula."""
_IS_TEX = r"(?=[^\s$])(?:(?=[^$]*[\\^_={}<>+])|(?![^$]*[^\W\d_]{2}))"
"""There are signs of TeX before the next dollar, or no words."""
_WRITTEN = linear(
    rf"\$\$(?=\s*[^\s$])([^$]+)\$\$|\\\((?!\s*\\\)){_INNER}\\\)|\\\[(?!\s*\\\]){_INNER}\\\]"
    rf"|(?<![\\$\w])\${_IS_TEX}([^$]*[^\s$\\])\$(?![\d$])"
)
"""A formula between the signs that these programs know; between single dollars as Pandoc knows them, which no
sums of money are."""


class WrittenFormula(NamedTuple):
    """A formula among words."""

    words: str
    """The text between the formula before and this one."""
    opening: str
    """The sign before it."""
    tex: str
    closing: str


def draws_formulas(element: Element) -> bool:
    """Return True if the page of an element has a program that draws formulas in its texts."""
    return any(map(_names_renderer, element.getroottree().getroot().iter("script", "link")))


def _names_renderer(holder: Element) -> bool:
    told = f"{holder.get('src')} {holder.get('href')} {text_inside(holder)[:_LONGEST_SCRIPT]}"
    return _RENDERER.search(told) is not None


def may_hold_formula(text: str) -> bool:
    """Return False for most texts: no sign of a formula is in them."""
    return "$" in text or "\\" in text


def formulas_in(text: str) -> tuple[list[WrittenFormula], str]:
    """Return the formulas that are written in a text, and what stands behind the last of them."""
    formulas, end = list[WrittenFormula](), 0
    for match in _WRITTEN.finditer(text):
        tex = "".join(filter(None, match.groups())).strip()
        opening, _, closing = match[0].partition(tex)
        formulas.append(WrittenFormula(text[end : match.start()], opening, tex, closing))
        end = match.end()
    return formulas, text[end:]
