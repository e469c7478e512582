"""Dates as portals write them: CLDR patterns with month names of any language, ISO 8601, and a careful `auto`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from unicodedata import normalize

from babel import Locale, UnknownLocaleError
from babel.dates import format_date as babel_format_date
from dateutil.parser import parse as dateutil_parse

MAX_LENGTH = 200
"""Characters of a pattern, and of a text that a date is read from."""

_TOKEN = re.compile(r"''|'((?:[^']|'')*)'|([A-Za-z])\2*|(\s+)|([^A-Za-z'])")
_NUMERIC = {
    **dict.fromkeys("yu", "year"),
    **dict.fromkeys("ML", "month"),
    **dict.fromkeys("HkhK", "hour"),
    "d": "day",
    "m": "minute",
    "s": "second",
}
_ACCENTS = re.compile("[\u0300-\u036f]")
_ZONE_LETTERS = frozenset("zZXxOvV")
_ZONES = {
    **dict.fromkeys(("z", "utc", "gmt", "wet"), 0),
    **dict.fromkeys(("bst", "cet", "met", "mez", "west"), 60),
    **dict.fromkeys(("cest", "mest", "mesz", "eet"), 120),
    **dict.fromkeys(("eest", "msk"), 180),
    "edt": -240,
    **dict.fromkeys(("est", "cdt"), -300),
    **dict.fromkeys(("cst", "mdt"), -360),
    **dict.fromkeys(("mst", "pdt"), -420),
    "pst": -480,
}
_ZONE = r"(?P<zone>(?:gmt|utc)?[+\-−]\d{1,2}:?(?:\d\d)?|" + "|".join(sorted(_ZONES, key=len, reverse=True)) + ")"
_HALVES = {"am": 0, "a.m.": 0, "pm": 12, "p.m.": 12}

Fields = Mapping[str, int]


class DateFormatError(ValueError):
    """The text is not a date format; the message says why."""


@dataclass(frozen=True, slots=True)
class DateFormat:
    """`iso`, `auto`, or a CLDR pattern; equal when written equally."""

    text: str
    _tokens: tuple[tuple[str, str], ...] = field(compare=False, repr=False)
    """(kind, text): a letter run of the pattern, a literal, or a blank."""

    @classmethod
    def parse(cls, text: str) -> DateFormat:
        """Raises DateFormatError."""
        if text in ("iso", "auto"):
            return cls(text, ())
        if len(text) > MAX_LENGTH:
            raise DateFormatError(f"the date pattern has {len(text)} characters; at most {MAX_LENGTH} are allowed")
        tokens = _tokenize(text)
        letters = {part[0] for kind, part in tokens if kind == "field"}
        if not letters & set(_NUMERIC):
            raise DateFormatError(f"{text!r} names no part of a date; a CLDR pattern looks like yyyy. MMMM d. HH:mm, or write iso or auto")
        if letters & {"h", "K"} and "a" not in letters:
            raise DateFormatError(f"{text!r}: h is the hour of a half day and needs a (am or pm); for 0 to 23 write H")
        return cls(text, tokens)

    def read(self, text: str, *, language: str | None, timezone: tzinfo, now: datetime | None) -> str | None:
        """ISO 8601 with offset; a day without a time stays a day. None where the text holds no such date.

        A pattern without year (or day) counts back from `now`, the moment of the capture.
        """
        return read_date([self], text, language=language, timezone=timezone, now=now)


def read_date(formats: Sequence[DateFormat], text: str, *, language: str | None, timezone: tzinfo, now: datetime | None) -> str | None:
    """What the first fitting format reads: one that fits the whole text goes before one that fits a part of it."""
    cleaned = normalize("NFC", " ".join(text[: MAX_LENGTH * 4].split()))
    if not cleaned or len(cleaned) > MAX_LENGTH:
        return None
    for whole in (True, False):
        for one in formats:
            value = _read(one, cleaned, whole, language, timezone, now)
            if value is not None:
                return value
    return None


def format_date(day: date, pattern: str, language: str | None) -> str:
    """Write a day by a CLDR pattern."""
    return babel_format_date(day, pattern, locale=_locale(language))


def _read(one: DateFormat, text: str, whole: bool, language: str | None, zone: tzinfo, now: datetime | None) -> str | None:
    if one.text == "iso":
        return _read_iso(text, zone) if whole else None
    if one.text == "auto":
        return _read_auto(text, whole, language, zone)
    compiled = _pattern_regex(one._tokens, language)
    found = compiled.fullmatch(text) if whole else compiled.search(text)
    return _value(found, language, zone, now) if found else None


# --- ISO 8601 ---

_ISO_PART = re.compile(r"(\d{4})(?:-(\d\d))?")


def _read_iso(text: str, zone: tzinfo) -> str | None:
    if part := _ISO_PART.fullmatch(text):
        return text if part[2] is None or 1 <= int(part[2]) <= 12 else None
    try:
        if len(text) <= 10 and ":" not in text and "T" not in text:
            return date.fromisoformat(text).isoformat()
        return _moment(datetime.fromisoformat(text), zone)
    except (ValueError, OverflowError):
        return None


def _moment(value: datetime, zone: tzinfo) -> str | None:
    try:
        aware = value if value.tzinfo is not None else value.replace(tzinfo=zone)
        return aware.replace(microsecond=0).isoformat()
    except (ValueError, OverflowError):
        return None


# --- CLDR patterns ---


def _tokenize(pattern: str) -> tuple[tuple[str, str], ...]:
    tokens: list[tuple[str, str]] = []
    position = 0
    while position < len(pattern):
        found = _TOKEN.match(pattern, position)
        if found is None:
            raise DateFormatError(f"{pattern!r}: an apostrophe opens a literal text and must close it ('' is the apostrophe itself)")
        position = found.end()
        if found[2]:
            tokens.append(("field", _known_field(found[0], pattern)))
        elif found[3]:
            tokens.append(("blank", " "))
        else:
            literal = "'" if found[0] == "''" else (found[1].replace("''", "'") if found[1] is not None else found[0])
            tokens.append(("literal", literal))
    return tuple(tokens)


def _known_field(letters: str, pattern: str) -> str:
    letter = letters[0]
    if letter not in _NUMERIC and letter not in _ZONE_LETTERS and letter not in "ESceaG":
        advice = {"Y": "Y is the year of a week, write y", "D": "D is the day of a year, write d"}
        hint = advice.get(letter, "text stands in apostrophes: 'text'")
        raise DateFormatError(f"{pattern!r}: unknown letter {letter}; {hint}")
    return letters


@lru_cache(maxsize=512)
def _pattern_regex(tokens: tuple[tuple[str, str], ...], language: str | None) -> re.Pattern[str]:
    pieces: list[str] = []
    seen: set[str] = set()
    for index, (kind, part) in enumerate(tokens):
        if kind == "literal":
            pieces.append(re.escape(part))
        elif kind == "blank":
            pieces.append(r"\s*" if index and tokens[index - 1] == ("literal", ".") else r"\s+")
        else:
            beside = tokens[max(index - 1, 0) : index] + tokens[index + 1 : index + 2]
            tight = any(neighbour == "field" for neighbour, _ in beside)
            pieces.append(_field_regex(part, tight, language, seen))
    return re.compile(r"(?<!\d)" + "".join(pieces) + r"(?!\d)", re.IGNORECASE)


def _field_regex(letters: str, tight: bool, language: str | None, seen: set[str]) -> str:
    letter, width = letters[0], len(letters)
    if letter in "Ece":
        return _names_regex(_weekday_names(language))
    if letter == "G":
        return r"[\w. ]+?"
    if letter == "S":
        return r"\d+"
    name = "zone" if letter in _ZONE_LETTERS else "half" if letter == "a" else _NUMERIC[letter]
    if name in seen:
        return rf"(?:(?P={name}))"
    seen.add(name)
    if name == "zone":
        return _ZONE
    if name == "half":
        return f"(?P<half>{_names_regex(_half_names(language))})"
    if name == "month" and width >= 3:
        return f"(?P<month>{_names_regex(_month_names(language))})"
    if name == "year":
        return r"(?P<year>\d{2})" if width == 2 else r"(?P<year>\d{4})"
    return rf"(?P<{name}>\d{{{width if tight else '1,2'}}})"


def _value(found: re.Match[str], language: str | None, zone: tzinfo, now: datetime | None) -> str | None:
    groups = {name: value for name, value in found.groupdict().items() if value is not None}
    month = groups.get("month")
    numbers = {name: int(value) for name, value in groups.items() if value.isdigit()}
    if month is not None and not month.isdigit():
        numbers["month"] = _month_names(language)[_fold(month)]
    if "year" in numbers and len(groups["year"]) == 2:
        numbers["year"] = _century(numbers["year"], now)
    if "half" in groups:
        numbers["hour"] = numbers.get("hour", 0) % 12 + _half_names(language)[_fold(groups["half"])]
    offset = _offset(groups["zone"]) if "zone" in groups else None
    try:
        return _assemble(numbers, offset or zone, now)
    except (ValueError, OverflowError):
        return None


def _assemble(parts: Fields, zone: tzinfo, now: datetime | None) -> str | None:
    year, month, day = (parts.get(name) for name in ("year", "month", "day"))
    if "hour" not in parts:
        if year is not None and day is None:
            return f"{date(year, month or 1, 1):%Y-%m}" if month is not None else f"{date(year, 1, 1):%Y}"
        found = _day(year, month, day, zone, now)
        return found.isoformat() if found else None
    base = _day(year, month, day, zone, now)
    if base is None:
        return None
    value = datetime(base.year, base.month, base.day, parts["hour"] % 24, parts.get("minute", 0), parts.get("second", 0), tzinfo=zone)
    if day is None and now is not None and value > now:
        value -= timedelta(days=1)
    return _moment(value, zone)


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


def _century(two_digits: int, now: datetime | None) -> int:
    """CLDR's rule: from 80 years before to 20 years after the present."""
    present = (now or datetime.now(UTC)).year
    year = present - present % 100 + two_digits
    return year - 100 if year > present + 20 else year


def _offset(text: str) -> tzinfo | None:
    folded = text.lower().replace("−", "-")
    if folded in _ZONES:
        return timezone(timedelta(minutes=_ZONES[folded]))
    sign, digits = re.sub(r"^(gmt|utc)", "", folded)[0], re.sub(r"\D", "", folded)
    hours, minutes = (int(digits), 0) if len(digits) < 3 else (int(digits[:-2]), int(digits[-2:]))
    if hours > 15 or minutes > 59:
        return None
    return timezone((timedelta(hours=hours, minutes=minutes)) * (-1 if sign == "-" else 1))


# --- names from CLDR ---


@lru_cache(maxsize=64)
def _locale(language: str | None) -> Locale:
    wanted = (language or "en").replace("_", "-")
    while wanted:
        try:
            return Locale.parse(wanted, sep="-")
        except (UnknownLocaleError, ValueError):
            wanted = wanted.rpartition("-")[0]
    return Locale("en")


def known_language(language: str) -> bool:
    """Whether CLDR has names of months for it."""
    try:
        Locale.parse(language.replace("_", "-").partition("-")[0])
    except (UnknownLocaleError, ValueError):
        return False
    return True


def _fold(name: str) -> str:
    """Lower case, without accents and the dot of an abbreviation: pages write all of these."""
    decomposed = normalize("NFD", name.casefold().rstrip(".").strip())
    return normalize("NFC", _ACCENTS.sub("", decomposed))


def _all_names(table: Mapping[str, Mapping[str, Mapping[int, str]]]) -> Iterable[tuple[str, int]]:
    for context in ("format", "stand-alone"):
        for width in ("wide", "abbreviated"):
            for number, name in table.get(context, {}).get(width, {}).items():
                yield name, number


@lru_cache(maxsize=64)
def _month_names(language: str | None) -> dict[str, int]:
    """Folded names, and their unambiguous beginnings of three letters and more ("szep" for szeptember)."""
    names = {_fold(name): number for name, number in _all_names(_locale(language).months) if not name.isdigit()}
    beginnings: dict[str, set[int]] = {}
    for name, number in names.items():
        for end in range(3, len(name)):
            beginnings.setdefault(name[:end], set()).add(number)
    for beginning, numbers in beginnings.items():
        if len(numbers) == 1 and beginning.isalpha():
            names.setdefault(beginning, next(iter(numbers)))
    return names


@lru_cache(maxsize=64)
def _weekday_names(language: str | None) -> dict[str, int]:
    return {_fold(name): number for name, number in _all_names(_locale(language).days)}


@lru_cache(maxsize=64)
def _half_names(language: str | None) -> dict[str, int]:
    periods = _locale(language).day_periods
    names = {_fold(name): hours for name, hours in _HALVES.items()}
    for context in ("format", "stand-alone"):
        for width in ("wide", "abbreviated", "narrow"):
            for key, hours in (("am", 0), ("pm", 12)):
                if name := periods.get(context, {}).get(width, {}).get(key):
                    names.setdefault(_fold(name), hours)
    return names


def _names_regex(names: Mapping[str, int]) -> str:
    """Matches the folded names in any case, with or without accents, with or without the dot."""
    alternatives = "|".join(_accented(name) for name in sorted(names, key=len, reverse=True))
    return rf"(?:{alternatives})(?!\w)\.?"


def _accented(folded: str) -> str:
    return "".join(_VARIANTS.get(character, re.escape(character)) for character in folded)


def _variants() -> dict[str, str]:
    found: dict[str, str] = {}
    for code in [*range(0xC0, 0x250), *range(0x370, 0x460), *range(0x1E00, 0x2000)]:
        folded = _fold(chr(code))
        if len(folded) == 1 and folded != chr(code):
            found[folded] = found.get(folded, folded) + chr(code)
    return {folded: f"[{characters}]" for folded, characters in found.items()}


_VARIANTS = _variants()


# --- auto ---

_EPOCH = re.compile(r"\d{10}(?:\d{3})?")
_FULL_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_TIME = (
    r"(?:\D{1,4}(?P<hour>\d{1,2})[:.](?P<minute>\d\d)(?::(?P<second>\d\d))?(?:[.,]\d+)?"
    rf"(?:\s*(?P<half>[ap]\.?m\b))?(?:\s*{_ZONE})?(?!\w))?"
)
_YEAR, _MONTH, _DAY = r"(?P<year>(?:19|20)\d\d)", r"(?P<month>\d{1,2})", r"(?P<day>\d{1,2})"
_AUTO_DAYS = (
    rf"{_YEAR}(?P<sep>[./-]| [./-]? ?|\. ){_MONTH}(?P=sep){_DAY}",
    rf"{_YEAR}年{_MONTH}月{_DAY}日",
    rf"{_YEAR}\.? *%(name)s,? *{_DAY}",
    rf"{_DAY}(?:\.|st|nd|rd|th|er|º|ª)?(?: of| de|-)?[ -]?%(name)s,?(?: de|-)? ?{_YEAR}",
    rf"%(name)s {_DAY}(?:st|nd|rd|th)?,? {_YEAR}",
    rf"{_DAY}\. ?{_MONTH}\. ?{_YEAR}",
)
_SLASHED = {"d": rf"{_DAY}(?P<sep>[/-]){_MONTH}(?P=sep){_YEAR}", "M": rf"{_MONTH}(?P<sep>[/-]){_DAY}(?P=sep){_YEAR}"}
"""With slashes only the language says which number is the day; where it writes the year first, none does."""


def _read_auto(text: str, whole: bool, language: str | None, zone: tzinfo) -> str | None:
    """Unmistakable forms only: every one of them names its year and its day."""
    if whole:
        if _EPOCH.fullmatch(text):
            return datetime.fromtimestamp(int(text[:10]), zone).isoformat()
        return _read_iso(text, zone) if len(text) >= 10 else None
    if not _FULL_YEAR.search(text):
        return None
    order = str(_locale(language).date_formats["short"].pattern)[0]
    for tongue in dict.fromkeys((language, "en")):
        for pattern in _auto_patterns(tongue, order):
            found = pattern.search(text)
            value = _value(found, tongue, zone, None) if found else None
            if value is not None:
                return value
    return _read_english(text, zone)


@lru_cache(maxsize=64)
def _auto_patterns(language: str | None, order: str) -> tuple[re.Pattern[str], ...]:
    name = f"(?P<month>{_names_regex(_month_names(language))})"
    days = [day % {"name": name} if "%(name)s" in day else day for day in _AUTO_DAYS]
    if order in _SLASHED:
        days.append(_SLASHED[order])
    return tuple(re.compile(rf"(?<!\d){day}(?!\d){_TIME}", re.IGNORECASE) for day in days)


def _read_english(text: str, zone: tzinfo) -> str | None:
    """The rest, by dateutil, where it is spelt with words; it fills in what a text lacks, so two fillings must agree."""
    if not re.search(r"[A-Za-z]{3}", text):
        return None
    fillings = datetime(1996, 2, 3), datetime(2003, 11, 25, 13, 47, 11)
    try:
        one, other = (dateutil_parse(text, default=filling) for filling in fillings)
    except (ValueError, OverflowError, TypeError):
        return None
    if one.date() != other.date():
        return None
    return _moment(one, zone) if one.timetz() == other.timetz() else one.date().isoformat()
