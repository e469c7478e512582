"""Names of months, weekdays and halves of the day in any language, from CLDR, matched as pages write them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import Any
from unicodedata import normalize

from babel import Locale, UnknownLocaleError

_ACCENTS = re.compile("[\u0300-\u036f]")
_HALVES = {"am": 0, "a.m.": 0, "pm": 12, "p.m.": 12}


@lru_cache(maxsize=64)
def locale_of(language: str | None) -> Locale:
    wanted = (language or "en").replace("_", "-")
    while wanted:
        try:
            return Locale.parse(wanted, sep="-")
        except (UnknownLocaleError, ValueError):
            wanted = wanted.rpartition("-")[0]
    return Locale("en")


def fold(name: str) -> str:
    """Lower case, without accents and the dot of an abbreviation: pages write all of these. Turkish capitals of ı and i look alike."""
    decomposed = normalize("NFD", name.casefold().rstrip(".").strip())
    return normalize("NFC", _ACCENTS.sub("", decomposed)).replace("ı", "i")


def _all_names(table: Mapping[str, Any], widths: Iterable[str] = ("wide", "abbreviated")) -> Iterator[tuple[str, Any]]:
    """(name, what it names)"""
    for context in ("format", "stand-alone"):
        for width in widths:
            for named, name in table.get(context, {}).get(width, {}).items():
                yield name, named


@lru_cache(maxsize=64)
def month_names(language: str | None) -> dict[str, int]:
    """Folded names, and their unambiguous beginnings of three letters and more ("szep" for szeptember)."""
    names = {fold(name): number for name, number in _all_names(locale_of(language).months) if not name.isdigit()}
    beginnings: dict[str, set[int]] = {}
    for name, number in names.items():
        for end in range(3, len(name)):
            beginnings.setdefault(name[:end], set()).add(number)
    for beginning, numbers in beginnings.items():
        if len(numbers) == 1 and beginning.isalpha():
            names.setdefault(beginning, next(iter(numbers)))
    return names


@lru_cache(maxsize=64)
def weekday_names(language: str | None) -> dict[str, int]:
    return {fold(name): number for name, number in _all_names(locale_of(language).days)}


@lru_cache(maxsize=64)
def half_names(language: str | None) -> dict[str, int]:
    """Folded names -> the hour that the half begins with."""
    names = {fold(name): hour for name, hour in _HALVES.items()}
    for name, half in _all_names(locale_of(language).day_periods, ("wide", "abbreviated", "narrow")):
        if half in ("am", "pm") and name:
            names.setdefault(fold(name), _HALVES[half])
    return names


def names_regex(names: Mapping[str, int], *, in_plain_text: bool = False) -> str:
    """Matches the folded names in any case, with or without the dot, and with or without accents, which a `plain` text has not."""
    variants = {} if in_plain_text else _variants()
    written = (
        "".join(variants.get(character, re.escape(character)) for character in name) for name in sorted(names, key=len, reverse=True)
    )
    return rf"(?:{'|'.join(written)})(?!\w)\.?"


@cache
def _variants() -> dict[str, str]:
    """A letter -> all that are written in its place."""
    found: dict[str, str] = {}
    for code, folded in _plain_letters().items():
        found[folded] = found.get(folded, folded) + chr(code)
    return {folded: f"[{characters}]" for folded, characters in found.items()}


def plain(text: str) -> str:
    """Without accents, each letter in its place. A pattern that names are found by there is far smaller, and so made far faster."""
    return text.translate(_plain_letters())


@cache
def _plain_letters() -> dict[int, str]:
    letters = {code: fold(chr(code)) for code in [*range(0xC0, 0x250), *range(0x370, 0x460), *range(0x1E00, 0x2000)]}
    return {code: folded for code, folded in letters.items() if len(folded) == 1 and folded != chr(code)}
