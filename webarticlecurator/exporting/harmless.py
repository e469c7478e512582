"""Values made harmless for the place where they stand: pages are hostile, and what reads an export may
believe what it reads.

| place | what makes it harmless |
|---|---|
| any text | `plain`: no control characters, halves of characters, invisible characters, overrides of the direction of writing |
| one line of a table, a list, an attribute | `one_line`: the same, and every run of white space is one blank |
| where a link or picture leads | `address`: nothing that runs a script |
| a cell of CSV | `csv_cell`, after `plain`: no spreadsheet takes it for a formula |

JSON Lines alone keeps texts as they were found: JSON escapes what steers.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import visible

_CONTROL = linear("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u202d\u202e\ufdd0-\ufdef\ufffe\uffff]")
"""The characters that go. Besides control characters: an override makes any text read backwards, and no
script needs one. What is no character no XML may hold."""
_RETURNS = linear("\r\n?")
_BLANKS = linear("[\x0b\x0c\x1c-\x1f\x85\u2028\u2029]")
"""The characters that part words for whoever reads, and end lines for some programs."""
_HALVES = linear("[\ud800-\udfff]")
_FORMULA = tuple("=+-@\t\r\n|%＝＋－＠")  # wide ones, too: spreadsheets read them as the others
_NUMBER = linear_at(r"[+-]?\d+(?:[.,]\d+)?")


def plain(text: str) -> str:
    """Return a text as any file may hold it: its only control characters are tab and line feed."""
    if text.isprintable():  # nothing of the kind is; most texts are, and are back in no time
        return text
    return visible(_HALVES.sub("\ufffd", _CONTROL.sub("", _BLANKS.sub(" ", _RETURNS.sub("\n", text)))))


def one_line(text: str) -> str:
    """Return a text as any file may hold it, and on one line, where a line feed or a tab would begin
    something new."""
    return " ".join(plain(text).split())


def csv_cell(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula: an apostrophe comes before what would begin one.
    Numbers are none."""
    if text.lstrip(" \u00a0").startswith(_FORMULA) and not _NUMBER.fullmatch(text):
        return f"'{text}"
    return text


_SCHEMES = ("http://", "https://", "ftp://", "mailto:", "tel:")
"""Beginnings of addresses that run nothing."""
_ANY_SCHEME = linear_at("[A-Za-z][A-Za-z0-9+.-]*:")


def address(node: Mapping[str, str]) -> str:
    """Return where a link or picture leads; empty where that would run something.

    For a page that has no address itself it is what stands there, which leads on from wherever the page lies.
    """
    url = node.get("url") or ""
    if url:
        return url if url.lower().startswith(_SCHEMES) else ""
    relative = "".join(plain(node.get("original_url", "")).split())
    return relative if _ANY_SCHEME.match(relative) is None else ""


_SIGNS = linear(r"([\\`*_{}\[\]()#|~!])")


def as_markdown(text: str | None) -> str:
    """Return a text that Markdown shows as nothing but text; an address in it becomes no link with another
    name."""
    return _SIGNS.sub(r"\\\1", escape(one_line(text or ""), quote=False)) or "not stated"
