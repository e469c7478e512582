"""Values made harmless for the place where they stand: pages are hostile, and what reads an export may believe what it reads."""

from __future__ import annotations

import re

from webarticlecurator.text import visible

_BLANKS = re.compile("[\x0b\x0c\x1c-\x1f\x85]")
"""Control characters that part words."""
_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ufdd0-\ufdef\ufffe\uffff]")
_RETURNS = re.compile("\r\n?")
_HALVES = re.compile("[\ud800-\udfff]")
_FORMULA = tuple("=+-@\t\r\n")
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?")


def plain(text: str) -> str:
    """Text as any file may hold it: no control characters but tab and line feed, no half characters, nothing invisible."""
    if text.isprintable():
        return visible(text)
    clean = _HALVES.sub("\ufffd", _CONTROL.sub("", _BLANKS.sub(" ", _RETURNS.sub("\n", text))))
    return visible(clean)


def csv_cell(text: str) -> str:
    """Text that no spreadsheet takes for a formula: an apostrophe comes before what would begin one. Numbers are none."""
    if text.startswith(_FORMULA) and not _NUMBER.fullmatch(text):
        return f"'{text}"
    return text
