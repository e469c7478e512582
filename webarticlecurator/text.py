"""Text: white space, what of an element's text a reader sees, and which language a tag names."""

from __future__ import annotations

import html
from collections.abc import Collection, Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal
from unicodedata import combining, is_normalized, normalize
from urllib.parse import unquote

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.own_patterns import linear, linear_by_properties

if TYPE_CHECKING:
    import regex

UNSEEN = frozenset({"script", "style", "template", "noscript"})
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
SAMPLES = ("code", "kbd", "pre", "samp", "textarea")
"""Elements whose content is shown, and not meant."""
BREAKS = frozenset(
    (
        *(
            "address", "article", "aside", "blockquote", "body", "br", "caption", "center", "col",
            "colgroup", "dd", "details", "dialog",
        ),
        *(
            "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "frameset", "h1",
            "h2", "h3", "h4", "h5", "h6",
        ),
        *(
            "header", "hgroup", "hr", "html", "legend", "li", "listing", "main", "menu", "nav", "ol",
            "optgroup", "option", "p", "plaintext",
        ),
        *(
            "pre", "search", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr",
            "ul", "xmp",
        ),
    )
)  # fmt: skip
"""Elements with which a line begins and ends."""
_ENTITY = linear(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")

_JOINED = "\u0590-\u08ff\u0900-\u0fff\u1000-\u109f\u1780-\u18af\u1a20-\u1aaf\u1b00-\u1bff"
_JOINED += "\ua800-\ua9ff\uaa00-\uabff\ufb1d-\ufdff\ufe70-\ufefc\U00010a00-\U00012fff\U0001e900-\U0001e95f"
"""Scripts whose letters take another form where a joiner or a mark of direction stands beside them."""
_WITHOUT_BLANKS = "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u1950-\u19df\u1a20-\u1aaf"
"""Scripts that part words by a space without width, if at all."""
_EMOJI = "\u2190-\u2bff\ufe0f\U0001f000-\U0001faff"
INVISIBLE = linear(
    "((?:[\u00ad\u2060\ufeff\u0001-\u0008\u000e-\u001b\u007f]"
    f"|(?<![{_WITHOUT_BLANKS}])\u200b(?![{_WITHOUT_BLANKS}])"
    f"|(?<![{_JOINED}])[\u200c\u200e\u200f\u202a-\u202e\u2066-\u2069](?![{_JOINED}])"
    f"|(?<![{_JOINED}{_EMOJI}])\u200d(?![{_JOINED}{_EMOJI}]))+)"
)
"""Soft hyphens, control characters and others that have no width, unless a script or an emoji needs them."""
_CONTROLS = linear("[\u0001-\u0008\u000e-\u001b\u007f]")
_PERHAPS = linear(
    "[\u0001-\u0008\u000e-\u001b\u007f\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]"
)

_NO_LETTER = linear(r"[\W_]+")
_PLAIN = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe"})
"""Letters that Unicode does not take apart, as addresses write them."""
_UNSPACED = linear(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
"""Letters of scripts that put no blanks between words."""


def unescaped(text: str) -> str:
    """Return a text without entities that were written into a value: only whole ones, for in `?a=1&copy=2`
    there is none."""
    return _ENTITY.sub(lambda entity: html.unescape(entity[0]), text) if "&" in text else text


def visible(text: str) -> str:
    """The text without what is invisible in it; the same object, if there is nothing."""
    if text.isprintable() or (_CONTROLS if text.isascii() else _PERHAPS).search(text) is None:
        return text
    shown = INVISIBLE.sub("", text)
    return shown if len(shown) < len(text) else text


def normalised(form: Literal["NFC", "NFD", "NFKC", "NFKD"], text: str) -> str:
    """Return the text in a normal form of Unicode, made "stream-safe" first, as its annex 15 says.

    Marks of one letter are sorted, which takes the square of how many they are; no script has more than a
    few.
    """
    if text.isascii():
        return text
    if len(text) > _MOST_MARKS and _MAY_BE_MARKS.search(text) is not None:
        # behind thirty marks, if more follow, comes the combining grapheme joiner, which nobody sees
        text = _marks_without_end().sub("\\1\u034f", text)
    return text if is_normalized(form, text) else normalize(form, text)


_MOST_MARKS = 30
"""The most marks in a row: more are nobody's script."""
_MAY_BE_MARKS = linear(r"[^\x00-\u02ff]{30}")
"""Marks that are letters' stand behind these characters; most texts in Latin letters have no such row."""


@cache
def _marks_without_end() -> regex.Pattern[str]:
    return linear_by_properties(
        r"([\P{ccc=0}\u0f73\u0f75\u0f81\uff9e\uff9f]{30})(?=[\P{ccc=0}\u0f73\u0f75\u0f81\uff9e\uff9f])"
    )


def nfc(text: str) -> str:
    """Return the composed form of a text."""
    return text if text.isascii() else normalised("NFC", text)


def squeeze(text: str) -> str:
    """Return a text with white space normalised: runs of it are one blank, none at the ends."""
    return " ".join(text.split())


def whole_number(text: str, longest: int = 7) -> int | None:
    """The number that a text is, of at most so many digits."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= longest else None


def word_count(text: str) -> int:
    """Words; in scripts without blanks, as many as such a text would have: half as many as characters."""
    words = text.split()
    if text.isascii() or _UNSPACED.search(text) is None:
        return len(words)
    return sum(max(1, len(_UNSPACED.findall(word)) // 2) for word in words)


def letters_apart(text: str, sign: str) -> str:
    """Return a text with a sign behind each letter of a script that puts no blanks between words."""
    return text if text.isascii() else _UNSPACED.sub(rf"\g<0>{sign}", text)


def letters_of(text: str) -> str:
    """Return the letters and digits of a text, whatever their case: by these two texts are compared that may
    be written with other marks."""
    return "".join(filter(str.isalnum, text.casefold()))


def letters_in_addresses(text: str) -> str:
    """Return the letters and digits of a text as addresses spell them: without accents."""
    return letters_of(normalised("NFKD", unquote(text)))


@lru_cache(maxsize=4_096)
def folded(text: str) -> str:
    """Return what two spellings of one name or title have in common: letters and digits, without accents and
    case."""
    return _NO_LETTER.sub(
        "", text.lower() if text.isascii() else normalised("NFKD", text.casefold()).translate(_PLAIN)
    )


def without_accents(text: str) -> str:
    """The letters of a text without their marks."""
    return "".join(letter for letter in normalised("NFKD", text) if not combining(letter))


def element_text(element: Element, *, without: Collection[Element] = ()) -> str:
    """The text of an element as written, a blank where a block or a line ends; without scripts, and without
    the elements named."""
    return "".join(_pieces(element, without))


def short_text(element: Element, longest: int, without: Collection[Element] = ()) -> str | None:
    """Return the text of an element, white space normalised; None where it is longer than that, found without
    reading all of it."""
    if not len(element):  # most elements that are asked for their text
        text = (element.text or "").strip()
        return squeeze(text) if len(text) <= longest else None
    pieces: list[str] = []
    length = 0
    for piece in _pieces(element, without):
        pieces.append(piece)
        length += len(piece.strip())
        if length > longest:
            return None
    text = squeeze("".join(pieces))
    return text if len(text) <= longest else None


def label_of(element: Element, longest: int, without: Collection[Element] = ()) -> str:
    """The text of an element, white space normalised; empty where it is longer than that."""
    return short_text(element, longest, without) or ""


def text_inside(element: Element) -> str:
    """Return the text between the beginning of an element and its first child."""
    return element.text or ""


def text_behind(element: Element) -> str:
    """Return the text between the end of an element and the next one."""
    return element.tail or ""


def texts_in(element: Element) -> Iterator[str]:
    """Yield the texts in an element, in page order."""
    return map(str, element.itertext(etree.Element))


def own_text(element: Element) -> str:
    """Return only the text that stands directly in the element, not that of its children."""
    return "".join([text_inside(element), *(f" {text_behind(child)}" for child in element)])


def _pieces(element: Element, without: Collection[Element]) -> Iterator[str]:
    if not len(element):
        yield element.text or ""
        return
    walker = etree.iterwalk(element, events=("start", "end", "comment", "pi"))
    for event, node in walker:
        if event == "start":
            if node is not element and (node.tag in UNSEEN or node in without):
                walker.skip_subtree()
                continue
            if node is not element and node.tag in BREAKS:
                yield " "
            yield node.text or ""
        elif node is not element:
            if node.tag in BREAKS:
                yield " "
            yield node.tail or ""


_SAME = {
    "nb": "no",
    "nn": "no",
    "cmn": "zh",
    "yue": "zh",
    "wuu": "zh",
    "iw": "he",
    "in": "id",
    "fil": "tl",
    "arz": "ar",
    "ary": "ar",
}
_SAME |= dict.fromkeys(("bs", "hr", "sr", "sh", "cnr"), "sh")
"""Languages that are declared by more than one name, or told apart by convention: they are no
disagreement."""


def primary(tag: str) -> str:
    """The language of a BCP 47 tag, whatever the script or the country: `pt` of `pt-BR`."""
    return tag.replace("_", "-").partition("-")[0].lower()


def same_language(language: str, other: str) -> bool:
    """Say whether two BCP 47 tags name one language: regions and scripts do not count, nor names of the
    same."""
    first, second = primary(language), primary(other)
    return _SAME.get(first, first) == _SAME.get(second, second)
