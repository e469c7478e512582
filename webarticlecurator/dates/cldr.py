"""Date patterns in CLDR's letters (`yyyy. MMMM d. HH:mm`), turned into regexes that read what they would write."""

from __future__ import annotations

import re
from functools import lru_cache

from webarticlecurator.dates.names import half_names, month_names, names_regex, weekday_names
from webarticlecurator.dates.values import ZONE

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
_OPEN_ENDED = "GSEec"
"""Fields whose text has no certain length: several of a kind could share out a text in too many ways to try them all."""
_ZONE_LETTERS = frozenset("zZXxOvV")


class DateFormatError(ValueError):
    """The text is not a date format; the message says why."""


def read_pattern(text: str) -> tuple[tuple[str, str], ...]:
    """The tokens of a pattern: ("field", its letters), ("literal", its text) or ("blank", " "). Raises DateFormatError."""
    if len(text) > MAX_LENGTH:
        raise DateFormatError(f"the date pattern has {len(text)} characters; at most {MAX_LENGTH} are allowed")
    tokens = _tokenize(text)
    letters = [part[0] for kind, part in tokens if kind == "field"]
    if _NUMERIC.keys().isdisjoint(letters):
        raise DateFormatError(f"{text!r} names no part of a date; a CLDR pattern looks like yyyy. MMMM d. HH:mm, or write iso or auto")
    if not {"h", "K"}.isdisjoint(letters) and "a" not in letters:
        raise DateFormatError(f"{text!r}: h is the hour of a half day and needs a (am or pm); for 0 to 23 write H")
    for letter in _OPEN_ENDED:
        if letters.count(letter) > 1:
            raise DateFormatError(
                f"{text!r}: {letter} stands twice; its text may have any length, and nothing would tell one from the other"
            )
    return tokens


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
def pattern_regex(tokens: tuple[tuple[str, str], ...], language: str | None) -> re.Pattern[str]:
    """What the pattern would write, in a language; parts of the date are named groups."""
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
        return names_regex(weekday_names(language))
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
