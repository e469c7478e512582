"""Formulas as TeX: what MathML tells beside its signs, what pictures of formulas say, else the signs of MathML put into TeX."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.text import element_text, squeeze

_LONGEST, _MOST_PARTS, _DEEPEST = 5_000, 2_000, 30
_INVISIBLE = dict.fromkeys(range(0x2061, 0x2065))
"""Signs of MathML that say how others belong together."""
_NOTES = frozenset({"annotation", "annotation-xml"})


def tex_of(element: Element) -> str | None:
    """The formula that a `math`, what MathJax drew, a `script` or a picture stands for; None for anything else."""
    if element.tag == "mjx-container":
        math = next(element.iter("math"), None)
        return tex_of(math) if math is not None else _clean(_drawn(element) or "")
    if element.tag == "math":
        return _clean(_told(element) or _written(element, _DEEPEST)) if _is_small(element) else None
    if element.tag == "script":
        return _clean(element.text or "")
    return _clean(element.get("alt") or "") if element.tag == "img" else None


def is_tex(script: Element) -> bool:
    """Whether a script is no program but a formula that a program is to draw."""
    return (script.get("type") or "").startswith("math/tex")


def _clean(tex: str) -> str | None:
    tex = squeeze(tex.translate(_INVISIBLE).replace("% <![CDATA[", "").replace("%]]>", ""))
    for before, after in (("$$", "$$"), ("$", "$"), (r"\(", r"\)"), (r"\[", r"\]")):
        if tex.startswith(before) and tex.endswith(after) and len(tex) > len(before + after):
            tex = tex[len(before) : -len(after)].strip()
    return tex if 0 < len(tex) <= _LONGEST else None


def _is_small(math: Element) -> bool:
    return next(islice(math.iter(etree.Element), _MOST_PARTS, None), None) is None


def _drawn(container: Element) -> str | None:
    """What MathJax notes beside the signs that it draws: of the whole formula first."""
    return next((told for one in islice(container.iter(etree.Element), _MOST_PARTS) if (told := one.get("data-latex"))), None)


def _told(math: Element) -> str | None:
    for note in math.iter("annotation"):
        if "tex" in (note.get("encoding") or "").lower():
            return element_text(note)
    return math.get("alttext")


# --- signs ---

_Write = Callable[[Sequence[str]], str]


def _script(sign: str) -> _Write:
    return lambda parts: f"{_base(parts)}{sign}{{{parts[1]}}}"


def _base(parts: Sequence[str]) -> str:
    return parts[0] if len(parts[0]) < 2 else f"{{{parts[0]}}}"


_SHAPES: Mapping[tuple[str, int], _Write] = {
    ("mfrac", 2): lambda parts: rf"\frac{{{parts[0]}}}{{{parts[1]}}}",
    ("mroot", 2): lambda parts: rf"\sqrt[{parts[1]}]{{{parts[0]}}}",
    **{(name, 2): _script("^") for name in ("msup", "mover")},
    **{(name, 2): _script("_") for name in ("msub", "munder")},
    **{(name, 3): lambda parts: f"{_base(parts)}_{{{parts[1]}}}^{{{parts[2]}}}" for name in ("msubsup", "munderover")},
}
"""How signs with this many parts are written."""
_AROUND: Mapping[str, tuple[str, str, str]] = {
    "msqrt": (r"\sqrt{", "", "}"),
    "mfenced": ("(", ", ", ")"),
    "mtable": (r"\begin{matrix}", r" \\ ", r"\end{matrix}"),
    "mtr": ("", " & ", ""),
    "mtext": (r"\text{", "", "}"),
}
"""What stands before, between and after the parts of others."""


def _written(element: Element, depth: int) -> str:
    parts = [_written(child, depth - 1) for child in element.iterchildren(etree.Element) if child.tag not in _NOTES] if depth else []
    if shape := _SHAPES.get((element.tag, len(parts))):
        return shape(parts)
    before, between, after = _AROUND.get(element.tag, ("", "", ""))
    text = between.join(parts) if parts else squeeze(element_text(element))
    return f"{before}{text}{after}" if text else ""
