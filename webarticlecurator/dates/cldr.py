"""Patterns in CLDR's letters (`yyyy. MMMM d. HH:mm`), with its names of months in any language, as regular
expressions; years that are no Gregorian ones: of the Persian calendar in Iran and Afghanistan, of the
Buddhist one in Thailand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache, lru_cache
from itertools import product
from typing import Any, NamedTuple
from unicodedata import decimal

from babel import Locale, UnknownLocaleError
from babel.dates import tokenize_pattern

from webarticlecurator.own_patterns import linear
from webarticlecurator.resources import read_word_lists
from webarticlecurator.text import normalised, primary

_HALVES = {"am": 0, "pm": 12}
_PERSIAN_MONTH = 101
"""The number of the first month of the Persian calendar, where months of both calendars have names."""
_YEARS = {**dict.fromkeys(("fa", "ps"), r"|1[34]\d\d"), "th": r"|2[45]\d\d"}
"""Years of other calendars, by language, as expressions."""


@lru_cache(maxsize=64)
def locale_of(language: str | None) -> Locale:
    """Return the nearest locale of a language that is known; English where there is none."""
    wanted = (language or "en").replace("_", "-")
    while wanted:
        try:
            return Locale.parse(wanted, sep="-")
        except (UnknownLocaleError, ValueError):
            wanted = wanted.rpartition("-")[0]
    return Locale("en")


_ARABIC_MARKS = "\u064b-\u065f\u0670"
"""The marks above and below letters; that of the ezafe, too, which older versions of CLDR write and newer
ones do not."""
_LETTERS = str.maketrans("ıيىكەہ", "iییکهه")
"""The letters that stand for others: Turkish capitals of ı and i look alike; keyboards of one language that
is written in Arabic letters have those of another one."""


def fold(name: str) -> str:
    """Return a name in lower case, without accents and the dot of an abbreviation: pages write all of it."""
    decomposed = normalised("NFD", name.casefold().rstrip(".").strip())
    letters = linear(f"[\u0300-\u036f{_ARABIC_MARKS}]").sub("", decomposed)
    return normalised("NFC", letters.translate(_LETTERS))


_WIDTHS = ("wide", "abbreviated")


def _all_names(table: Mapping[str, Any], widths: Iterable[str] = _WIDTHS) -> Iterator[tuple[str, Any]]:
    """Yield the names in a table of CLDR, each with what it names."""
    for context, width in product(("format", "stand-alone"), widths):
        for named, name in table.get(context, {}).get(width, {}).items():
            yield name, named


_NAMED_OTHERWISE = {"ar": ("ar-LB", "ar-DZ", "ar-MA"), "de": ("de-AT",), "sr": ("sr-Latn",)}
"""Languages whose months have other names in some countries, or are written in two scripts."""


@lru_cache(maxsize=64)
def month_names(language: str | None) -> dict[str, int]:
    """Return folded names, and their unambiguous beginnings of three letters and more ("szep" for
    szeptember)."""
    names: dict[str, int] = {}
    for tag in (language, *_NAMED_OTHERWISE.get((language or "en").partition("-")[0], ())):
        for name, number in _all_names(locale_of(tag).months):
            if not name.isdigit():
                names.setdefault(fold(name), number)
    names = _beginnings(names) | names
    for place, name in enumerate(DATE_WORDS.get(f"persian months {primary(language or '')}", ())):
        names.setdefault(fold(name), _PERSIAN_MONTH + place % 12)
    return names


def _beginnings(names: Mapping[str, int]) -> dict[str, int]:
    """Return the beginnings of names of months that are of one month only."""
    numbers: dict[str, set[int]] = {}
    for name, number in names.items():
        for end in range(3, len(name)):
            numbers.setdefault(name[:end], set()).add(number)
    return {beginning: min(those) for beginning, those in numbers.items() if len(those) == 1}


@lru_cache(maxsize=64)
def half_names(language: str | None) -> dict[str, int]:
    """Return folded names -> the hour that the half of the day begins with; those with dots and blanks
    without them, too."""
    names = {fold(name): hour for half, hour in _HALVES.items() for name in DATE_WORDS[half]}
    for name, half in _all_names(locale_of(language).day_periods, ("wide", "abbreviated", "narrow")):
        folded = fold(" ".join(name.split()))
        if half in _HALVES:
            names.setdefault(folded, _HALVES[half])
            names.setdefault(linear(r"[.\s]").sub("", folded), _HALVES[half])
    return names


def written_halves(language: str | None) -> list[str]:
    """Return the names of halves that are no letter of an alphabet with capitals: such a letter may begin
    another word."""
    return [name for name in half_names(language) if len(name) > 1 or name.upper() == name]


def hour_of_day(hour: int, half: str | None, language: str | None) -> int:
    """Return the hour from 0 to 24; the clock of a half day has no thirteenth hour."""
    return hour if half is None or hour > 12 else hour % 12 + half_names(language)[fold(half)]


def any_of(names: Iterable[str]) -> str:
    """Return an expression for any of these names, the longest first: what begins like a longer one would
    hide it."""
    return "|".join(map(re.escape, sorted(names, key=len, reverse=True)))


def names_regex(names: Iterable[str]) -> str:
    """Return an expression for the folded names in a `plain` text, in any case, with or without the dot, or a
    mark of a case ending."""
    return rf"(?:{any_of(names)})[{_ARABIC_MARKS}]*(?!\w)\.?"


def plain(text: str) -> str:
    """Return a text without accents, with European digits, each in its place: names and patterns are found in
    it however a page writes them."""
    return text.translate(_plain_letters())


@cache
def _plain_letters() -> dict[int, str]:
    codes = (*range(0xC0, 0x250), *range(0x370, 0x460), *range(0x620, 0x6D6), *range(0x1E00, 0x2000))
    letters = {code: fold(chr(code)) for code in codes}
    digits = {code: decimal(chr(code), None) for code in range(0x660, 0x1100)}
    letters |= {code: str(digit) for code, digit in digits.items() if digit is not None}
    return {code: folded for code, folded in letters.items() if len(folded) == 1}


PLAIN_BLANKS = {
    **dict.fromkeys(map(ord, "\u200e\u200f\u202a\u202b\u202c\u2066\u2067\u2068\u2069")),
    0xA0: " ",
    0x202F: " ",
}
"""Marks of the direction of writing go; a blank is a blank, however wide."""


DATE_WORDS = read_word_lists(__file__, "date_words.txt")
_ZONES = [name for name in DATE_WORDS if name.startswith("zone ")]
ABBREVIATIONS = {word: int(name.split()[1]) for name in _ZONES for word in DATE_WORDS[name]}
"""Abbreviations of zones, with their minutes from UTC."""
ZONE = rf"(?P<zone>(?:gmt|utc)?[+\-−]\d{{1,2}}:?(?:\d\d)?|{any_of(ABBREVIATIONS)})"
"""A zone at the end of a time, as a named group."""
MAX_LENGTH = 200
"""Characters of a pattern, and of a text that a date is read from."""

_NUMERIC = {
    **dict.fromkeys("yu", "year"),
    **dict.fromkeys("ML", "month"),
    **dict.fromkeys("HkhK", "hour"),
    "d": "day",
    "m": "minute",
    "s": "second",
}
_OPEN_ENDED = "GSEec"
"""Fields whose text has no certain length: several of a kind could share out a text in too many ways to try
them all."""
_PARTS = {**_NUMERIC, **dict.fromkeys("zZXxOvV", "zone"), "a": "half"}
"""Letters, and the part of a date that each tells."""
_BLANKS = linear(r"(\\\.)?(?:\\\s)+")
"""Blanks in an escaped text; behind a full stop they may be left out."""


class DateFormatError(ValueError):
    """The text is not a date format; the message says why."""


_STRFTIME = linear(r"%-?([A-Za-z])")
_IN_CLDR = {
    "d": "dd",
    "e": "d",
    "m": "MM",
    "b": "MMM",
    "B": "MMMM",
    "Y": "yyyy",
    "y": "yy",
    "a": "EEE",
    "A": "EEEE",
    "H": "HH",
    "I": "hh",
    "p": "a",
    "M": "mm",
    "S": "ss",
    "z": "xx",
    "Z": "z",
    "T": "HH:mm:ss",
    "R": "HH:mm",
    "F": "yyyy-MM-dd",
}
"""Signs of `strftime` and those of CLDR."""


def of_strftime(pattern: str) -> str | None:
    """Return a sentence that a pattern is written for `strftime`, if it is."""
    if not _STRFTIME.search(pattern):
        return None
    mended = _STRFTIME.sub(lambda sign: _IN_CLDR.get(sign[1], sign[0]), pattern)
    write = f"; write `{mended}`" if "%" not in mended else ""
    return f"`{pattern}` is a pattern of strftime, and patterns here are CLDR's{write}"


Tokens = tuple[tuple[str, Any], ...]
"""The parts of a pattern: ("field", (its letter, how often it stands)) and ("chars", a literal text)."""


def check_length(pattern: str) -> None:
    """Raise DateFormatError for a pattern that is too long."""
    if len(pattern) > MAX_LENGTH:
        most = f"at most {MAX_LENGTH} are allowed"
        raise DateFormatError(f"the date pattern has {len(pattern)} characters; {most}")


def read_pattern(text: str) -> Tokens:
    """Return the tokens of a CLDR pattern. Raises DateFormatError."""
    check_length(text)
    if text.count("'") % 2:
        rule = "an apostrophe opens a literal text and must close it ('' is the apostrophe itself)"
        raise DateFormatError(f"{text!r}: {rule}")
    tokens = tuple(tokenize_pattern(text))
    letters = [part[0] for kind, part in tokens if kind == "field"]
    for letter in letters:
        _check_letter(letter, letters, text)
    if _NUMERIC.keys().isdisjoint(letters):
        advice = "a CLDR pattern looks like yyyy. MMMM d. HH:mm, or write iso or auto"
        raise DateFormatError(f"{text!r} names no part of a date; {advice}")
    if not {"h", "K"}.isdisjoint(letters) and "a" not in letters:
        rule = "h is the hour of a half day and needs a (am or pm); for 0 to 23 write H"
        raise DateFormatError(f"{text!r}: {rule}")
    return tokens


_ADVICE = {"Y": "Y is the year of a week, write y", "D": "D is the day of a year, write d"}
"""Letters of CLDR that are mostly written by mistake."""


def _check_letter(letter: str, letters: Sequence[str], text: str) -> None:
    """Raise DateFormatError where a letter of a pattern is unknown, or stands twice and must not."""
    if letter not in _PARTS and letter not in _TEXTS:
        hint = of_strftime(text) or _ADVICE.get(letter, "text stands in apostrophes: 'text'")
        raise DateFormatError(f"{text!r}: unknown letter {letter}; {hint}")
    if letter in _OPEN_ENDED and letters.count(letter) > 1:
        reason = "its text may have any length, and nothing would tell one from the other"
        raise DateFormatError(f"{text!r}: {letter} stands twice; {reason}")


@lru_cache(maxsize=512)
def pattern_regex(tokens: Tokens, language: str | None) -> re.Pattern[str]:
    """Return what the pattern would write, in a language, as a `plain` text; parts of the date are named
    groups."""
    return linear(rf"(?<!\d){pattern_text(tokens, language)}(?!\d)", re.IGNORECASE)


def pattern_text(tokens: Tokens, language: str | None) -> str:
    """Return what the pattern would write, in a language, as a part of a larger expression."""
    pieces: list[str] = []
    seen: set[str] = set()
    for index, (kind, part) in enumerate(tokens):
        if kind == "chars":
            pieces.append(_literal(part))
        else:
            beside = dict(tokens[max(index - 1, 0) : index] + tokens[index + 1 : index + 2])
            letter, width = part
            pieces.append(_field_regex(letter, width, "field" in beside, language, seen))
    return "".join(pieces)


def _literal(text: str) -> str:
    """Return the expression for a literal text of a pattern, however wide its blanks are."""
    escaped = re.escape(plain(text.translate(PLAIN_BLANKS)))
    return _BLANKS.sub(lambda blanks: r"\.\s*" if blanks[1] else r"\s+", escaped)


class _Field(NamedTuple):
    """A field of a pattern that tells a part of the date."""

    name: str
    """The part of the date."""
    width: int
    """Number of its letters."""
    is_tight: bool
    """True if another field stands beside it: then it has as many digits as letters."""
    language: str | None


def _field_regex(letter: str, width: int, tight: bool, language: str | None, seen: set[str]) -> str:
    """Return the expression for one field of a pattern; a part of the date that was `seen` before must say
    the same again."""
    if letter in _TEXTS:
        return _TEXTS[letter](language)
    name = _PARTS[letter]
    if name in seen:
        return rf"(?:(?P={name}))"
    seen.add(name)
    return _FIELDS.get(name, _number)(_Field(name, width, tight, language))


def _number(field: _Field) -> str:
    digits = field.width if field.is_tight else "1,2"
    return rf"(?P<{field.name}>\d{{{digits}}})"


def _year(field: _Field) -> str:
    return r"(?P<year>\d{2})" if field.width == 2 else r"(?P<year>\d{4})"


def _month(field: _Field) -> str:
    if field.width < 3:
        return _number(field)
    return f"(?P<month>{names_regex(month_names(field.language))})"


def _day(field: _Field) -> str:
    """Return the expression for a day, which may be an ordinal number: "1er septembre", "1º de maio"."""
    return _number(field) + ("" if field.is_tight else "(?:er|st|nd|rd|th|[ºª])?")


def _weekday_regex(language: str | None) -> str:
    return names_regex({fold(name) for name, _ in _all_names(locale_of(language).days)})


_TEXTS: dict[str, Callable[[str | None], str]] = {
    **dict.fromkeys("Ece", _weekday_regex),
    "G": lambda _: r"[\w. ]{1,40}?",
    "S": lambda _: r"\d+",
}
"""Expressions for fields that tell no part of the date: weekdays, eras, fractions of a second."""
_FIELDS: dict[str, Callable[[_Field], str]] = {
    "year": _year,
    "month": _month,
    "day": _day,
    "zone": lambda _: ZONE,
    "half": lambda field: f"(?P<half>{names_regex(half_names(field.language))})",
}
"""Expressions for parts of the date that are no plain numbers."""


def years_regex(language: str | None) -> str:
    """Return an expression for the years of what portals of a language publish."""
    return rf"(?:19\d\d|20\d\d{_YEARS.get(primary(language or ''), '')})"


def gregorian(parts: dict[str, int], language: str | None) -> dict[str, int]:
    """Return the day of a year, month and day in the Gregorian calendar. Raises ValueError where there is
    none."""
    calendar = _CALENDARS.get(primary(language or ""))
    if calendar is None or parts.get("year") not in calendar.years:
        return parts
    return calendar.to_gregorian(parts)


def _of_buddhist(parts: dict[str, int]) -> dict[str, int]:
    return {**parts, "year": parts["year"] - 543}


def _of_persian(parts: dict[str, int]) -> dict[str, int]:
    month = parts.get("month", 0)
    number = month - _PERSIAN_MONTH + 1 if month >= _PERSIAN_MONTH else month
    day = _persian_day(parts["year"], number, parts.get("day", 0))
    return {**parts, "year": day.year, "month": day.month, "day": day.day}


def _persian_day(year: int, month: int, day: int) -> date:
    """Return a day of the Persian calendar. Raises ValueError.

    It goes by the rule of eight leap years in 33, which from 1244 to 1472 gives the days that astronomers
    give.
    """
    new_year, next_year = (365 * (each - 1403) + (8 * each + 21) // 33 for each in (year, year + 1))
    since = new_year + 31 * (month - 1) - max(0, month - 7) + day - 1
    if not (1 <= month <= 12 and 1 <= day <= 31 - (month > 6) and since < next_year):
        raise ValueError(f"{year}-{month}-{day}")
    return date.fromordinal(date(2024, 3, 20).toordinal() - (8 * 1403 + 21) // 33 + since)


class _Calendar(NamedTuple):
    """A calendar that portals of a language write by, beside the Gregorian one."""

    years: range
    """The years that nothing but this calendar may mean in what they publish."""
    to_gregorian: Callable[[dict[str, int]], dict[str, int]]


_PERSIAN = _Calendar(range(1300, 1430), _of_persian)
_CALENDARS = {"fa": _PERSIAN, "ps": _PERSIAN, "th": _Calendar(range(2440, 2600), _of_buddhist)}
"""Calendars beside the Gregorian one, by language."""
