"""Dates by patterns in CLDR's letters (`yyyy. MMMM d. HH:mm`), with its names of months in any language: read as they would be written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from functools import cache, lru_cache
from typing import Any, NamedTuple
from unicodedata import normalize

from babel import Locale, UnknownLocaleError
from babel.dates import tokenize_pattern

from webarticlecurator.word_lists import read_word_lists


class ReadDate(NamedTuple):
    """A date, and which words of the text say it."""

    value: str
    """ISO 8601."""
    written: str


_HALVES = {"am": 0, "pm": 12}


@lru_cache(maxsize=64)
def locale_of(language: str | None) -> Locale:
    """The nearest one of a language that is known; English where there is none."""
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
    return normalize("NFC", re.sub("[\u0300-\u036f]", "", decomposed)).replace("ı", "i")


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
def half_names(language: str | None) -> dict[str, int]:
    """Folded names -> the hour that the half begins with; those with dots and blanks without them, too."""
    names = {fold(name): hour for half, hour in _HALVES.items() for name in DATE_WORDS[half]}
    for name, half in _all_names(locale_of(language).day_periods, ("wide", "abbreviated", "narrow")):
        folded = fold(" ".join(name.split()))
        if half in ("am", "pm") and folded:
            names.setdefault(folded, _HALVES[half])
            names.setdefault(re.sub(r"[.\s]", "", folded), _HALVES[half])
    return names


def written_halves(language: str | None) -> list[str]:
    """Those of them that are no letter of an alphabet with capitals: such a letter may begin another word."""
    return [name for name in half_names(language) if len(name) > 1 or name.upper() == name]


def hour_of_day(hour: int, half: str | None, language: str | None) -> int:
    """0 to 24; the clock of a half day has no thirteenth hour."""
    return hour if half is None or hour > 12 else hour % 12 + half_names(language)[fold(half)]


def any_of(names: Iterable[str]) -> str:
    """The longest first, since what begins like a longer one would hide it."""
    return "|".join(map(re.escape, sorted(names, key=len, reverse=True)))


def names_regex(names: Iterable[str]) -> str:
    """Matches the folded names in a `plain` text, in any case, with or without the dot."""
    return rf"(?:{any_of(names)})(?!\w)\.?"


def plain(text: str) -> str:
    """Without accents, each letter in its place: names and patterns are found in it however a page writes them."""
    return text.translate(_plain_letters())


@cache
def _plain_letters() -> dict[int, str]:
    letters = {code: fold(chr(code)) for code in [*range(0xC0, 0x250), *range(0x370, 0x460), *range(0x1E00, 0x2000)]}
    return {code: folded for code, folded in letters.items() if len(folded) == 1 and folded != chr(code)}


_PLAIN_BLANKS = {**dict.fromkeys(map(ord, "\u200e\u200f\u202a\u202b\u202c\u2066\u2067\u2068\u2069")), 0xA0: " ", 0x202F: " "}
"""Marks of the direction of writing go; a blank is a blank, however wide."""


def one_line(text: str) -> str:
    """A text as dates are read from it; empty where it is too long for one."""
    line = normalize("NFC", " ".join(text[: MAX_LENGTH * 4].translate(_PLAIN_BLANKS).split()))
    return line if len(line) <= MAX_LENGTH else ""


DATE_WORDS = read_word_lists(__file__, "date_words.txt")
ABBREVIATIONS = {word: int(name.split()[1]) for name, words in DATE_WORDS.items() if name.startswith("zone ") for word in words}
"""Of zones, with their minutes from UTC."""
ZONE = r"(?P<zone>(?:gmt|utc)?[+\-−]\d{1,2}:?(?:\d\d)?|" + "|".join(sorted(ABBREVIATIONS, key=len, reverse=True)) + ")"
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
"""Fields whose text has no certain length: several of a kind could share out a text in too many ways to try them all."""
_ZONE_LETTERS = frozenset("zZXxOvV")
_BLANKS = re.compile(r"(\\\.)?(?:\\\s)+")
"""In an escaped text; behind a full stop they may be left out."""


class DateFormatError(ValueError):
    """The text is not a date format; the message says why."""


Tokens = tuple[tuple[str, Any], ...]
"""Of a pattern: ("field", (its letter, how often it stands)) and ("chars", a literal text)."""


def read_pattern(text: str) -> Tokens:
    """Raises DateFormatError."""
    if len(text) > MAX_LENGTH:
        raise DateFormatError(f"the date pattern has {len(text)} characters; at most {MAX_LENGTH} are allowed")
    if text.count("'") % 2:
        raise DateFormatError(f"{text!r}: an apostrophe opens a literal text and must close it ('' is the apostrophe itself)")
    tokens = tuple(tokenize_pattern(text))
    letters = [part[0] for kind, part in tokens if kind == "field"]
    for letter in letters:
        if letter not in _NUMERIC and letter not in _ZONE_LETTERS and letter not in "ESceaG":
            advice = {"Y": "Y is the year of a week, write y", "D": "D is the day of a year, write d"}
            hint = advice.get(letter, "text stands in apostrophes: 'text'")
            raise DateFormatError(f"{text!r}: unknown letter {letter}; {hint}")
        if letter in _OPEN_ENDED and letters.count(letter) > 1:
            raise DateFormatError(
                f"{text!r}: {letter} stands twice; its text may have any length, and nothing would tell one from the other"
            )
    if _NUMERIC.keys().isdisjoint(letters):
        raise DateFormatError(f"{text!r} names no part of a date; a CLDR pattern looks like yyyy. MMMM d. HH:mm, or write iso or auto")
    if not {"h", "K"}.isdisjoint(letters) and "a" not in letters:
        raise DateFormatError(f"{text!r}: h is the hour of a half day and needs a (am or pm); for 0 to 23 write H")
    return tokens


@lru_cache(maxsize=512)
def pattern_regex(tokens: Tokens, language: str | None) -> re.Pattern[str]:
    """What the pattern would write, in a language, as a `plain` text; parts of the date are named groups."""
    return re.compile(rf"(?<!\d){pattern_text(tokens, language)}(?!\d)", re.IGNORECASE)


def pattern_text(tokens: Tokens, language: str | None) -> str:
    """The same, as a part of a larger expression."""
    pieces: list[str] = []
    seen: set[str] = set()
    for index, (kind, part) in enumerate(tokens):
        if kind == "chars":
            pieces.append(_BLANKS.sub(lambda blanks: r"\.\s*" if blanks[1] else r"\s+", re.escape(plain(part.translate(_PLAIN_BLANKS)))))
        else:
            beside = tokens[max(index - 1, 0) : index] + tokens[index + 1 : index + 2]
            tight = any(neighbour == "field" for neighbour, _ in beside)
            letter, width = part
            pieces.append(_field_regex(letter, width, tight, language, seen))
    return "".join(pieces)


def _field_regex(letter: str, width: int, tight: bool, language: str | None, seen: set[str]) -> str:
    if letter in "Ece":
        return names_regex({fold(name): number for name, number in _all_names(locale_of(language).days)})
    if letter == "G":
        return r"[\w. ]{1,40}?"
    if letter == "S":
        return r"\d+"
    name = "zone" if letter in _ZONE_LETTERS else "half" if letter == "a" else _NUMERIC[letter]
    if name in seen:
        return rf"(?:(?P={name}))"
    seen.add(name)
    if name == "zone":
        return ZONE
    if name == "half":
        return f"(?P<half>{names_regex(half_names(language))})"
    if name == "month" and width >= 3:
        return f"(?P<month>{names_regex(month_names(language))})"
    if name == "year":
        return r"(?P<year>\d{2})" if width == 2 else r"(?P<year>\d{4})"
    return rf"(?P<{name}>\d{{{width if tight else '1,2'}}})"


def read_match(match: re.Match[str] | None, text: str, language: str | None, zone: tzinfo, now: datetime | None) -> ReadDate | None:
    """The date or moment that a pattern matched in the `plain` form of a text; None where there is no such day."""
    if match is None:
        return None
    groups = {name: value for name, value in match.groupdict().items() if value is not None}
    month = groups.get("month")
    numbers = {name: int(value) for name, value in groups.items() if value.isdigit()}
    if month is not None and not month.isdigit():
        numbers["month"] = month_names(language)[fold(month)]
    if "year" in numbers and len(groups["year"]) == 2:
        # CLDR's rule: from 80 years before the capture to 20 years after it
        present = now.year if now is not None else 2048
        year = present - present % 100 + numbers["year"]
        numbers["year"] = year - 100 if year > present + 20 else year
    if "hour" in numbers:
        numbers["hour"] = hour_of_day(numbers["hour"], groups.get("half") or groups.get("before"), language)
    offset = _offset(groups["zone"]) if "zone" in groups else None
    try:
        value = _assembled(numbers, offset or zone, now)
    except (ValueError, OverflowError):
        return None
    return ReadDate(value, text[slice(*match.span())]) if value is not None else None


def _assembled(parts: Mapping[str, int], zone: tzinfo, now: datetime | None) -> str | None:
    year, month, day = (parts.get(name) for name in ("year", "month", "day"))
    if "hour" not in parts and year is not None and day is None:
        return date(year, month or 1, 1).isoformat()[: len("yyyy-mm") if month is not None else len("yyyy")]
    base = _day(year, month, day, zone, now)
    if base is None or "hour" not in parts:
        return base.isoformat() if base else None
    value = datetime(base.year, base.month, base.day, parts["hour"] % 24, parts.get("minute", 0), parts.get("second", 0), tzinfo=zone)
    value += timedelta(days=parts["hour"] == 24)
    if day is None and now is not None and value > now:
        value -= timedelta(days=1)
    return written_moment(value)


def _day(year: int | None, month: int | None, day: int | None, zone: tzinfo, now: datetime | None) -> date | None:
    """The day; what the text does not say is taken from the capture: the latest such day that had come by then."""
    if year is not None:
        return date(year, month, day) if month is not None and day is not None else None
    if now is None or (month is None) != (day is None):
        return None
    today = now.astimezone(zone).date()
    if month is None or day is None:
        return today
    this_year = date(today.year, month, day)
    return this_year if this_year <= today + timedelta(days=1) else date(today.year - 1, month, day)


def _offset(text: str) -> tzinfo | None:
    folded = text.lower().replace("−", "-")
    if folded in ABBREVIATIONS:
        return timezone(timedelta(minutes=ABBREVIATIONS[folded]))
    sign, digits = re.sub(r"^(gmt|utc)", "", folded)[0], re.sub(r"\D", "", folded)
    hours, minutes = (int(digits), 0) if len(digits) < 3 else (int(digits[:-2]), int(digits[-2:]))
    if hours > 15 or minutes > 59:
        return None
    return timezone((timedelta(hours=hours, minutes=minutes)) * (-1 if sign == "-" else 1))


def written_moment(moment: datetime, zone: tzinfo = UTC) -> str:
    """ISO 8601, to the second; in a zone where it tells none. Offsets, which towns had with seconds, are told to the minute."""
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=zone)
    offset = aware.utcoffset() or timedelta(0)
    minutes = timezone(timedelta(minutes=round(offset.total_seconds() / 60)))
    return aware.replace(microsecond=0, tzinfo=minutes).isoformat()
