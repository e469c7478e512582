"""Dates as pages show and tell them, read without a portal's rules."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from webarticlecurator.dates.ages import find_relative
from webarticlecurator.dates.cldr import MAX_LENGTH
from webarticlecurator.dates.written import Place, ReadDate, find_auto, one_line
from webarticlecurator.own_patterns import linear, linear_at

_FOR_MACHINES = linear_at(r"(?:19|20)\d\d([-/.]?)\d\d?\1\d\d?(?:[T_\s].*)?|\d{10}(?:\d{3})?", re.DOTALL)
"""Dates that programs write for programs: no words of the page."""
_DAY_IN_DIGITS = linear_at(r"\s*((?:19|20)\d\d)(\d\d)(\d\d)\s*")
_ZERO = linear_at(r"000\d-|1970-01-01[T ]00:00:00|0+$")
"""The day with which the calendars of programs begin: an empty field, not a date."""
_NAMED_MONTH = linear(
    r"\d\W{1,3}(?:de )?[^\W\d_]{3,}\W{1,3}(?:de )?(?:19|20)\d\d"
    r"|(?:19|20)\d\d\W{1,3}[^\W\d_]{3,}\W{1,3}\d",
)
_GUESSED = {
    linear("[\u0400-\u04ff]"): ("ru", "uk", "bg", "sr"),
    linear("[\u0370-\u03ff]"): ("el",),
    linear(""): ("de", "fr", "es", "it", "pt", "nl", "pl", "hu", "cs", "sv", "nb", "fi", "tr", "ro"),
}
"""Languages in which months are tried where none was told, by the script of the text."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The circumstances in which the dates of a page are read."""

    zone: tzinfo
    """The zone of dates without an offset."""
    language: str | None
    now: datetime
    """The time when the page was captured, or the last moment at which it may have been."""
    is_capture_known: bool = True
    """True if ages can be counted back from then."""


def read_moment(text: str, clock: Clock) -> str | None:
    """Return a day or a moment with its offset, from a value that is meant to be a date."""
    moment = _find_anyhow(text.strip().strip("\"'"), _place(clock, is_all=True))
    return moment.value if moment is not None else None


def _place(clock: Clock, *, is_all: bool) -> Place:
    return Place(clock.language, clock.zone, clock.now, is_all)


def find_shown(text: str, clock: Clock, *, is_all: bool = False) -> ReadDate | None:
    """Return the date of what a reader of the page sees, with the words that say it, if they are words.

    `is_all`: the page marks the text as a date.
    """
    text = text.strip()
    languages: tuple[str | None, ...] = (clock.language,)
    if clock.language in {None, "en", "en-US"} and _NAMED_MONTH.search(text):  # of owners who never set it
        languages += next(guessed for script, guessed in _GUESSED.items() if script.search(text))
    for language in languages:
        moment = _find_anyhow(text, _place(replace(clock, language=language), is_all=is_all))
        if moment:
            return moment._replace(written="") if _FOR_MACHINES.fullmatch(text) else moment
    return None


def find_age(text: str, clock: Clock) -> ReadDate | None:
    """Return the date that an age tells, if it is known from when it counts."""
    if not clock.is_capture_known:
        return None
    return find_relative(text.strip(), language=clock.language, timezone=clock.zone, now=clock.now)


def _find_anyhow(text: str, place: Place) -> ReadDate | None:
    """Return the date that a text is, else one in it."""
    if _ZERO.match(text):
        return None
    day = _DAY_IN_DIGITS.fullmatch(text)
    line = "-".join(day.groups()) if day else one_line(text[:MAX_LENGTH])
    return find_auto(line, True, place) or find_auto(line, False, place)


def read_visible(text: str, clock: Clock, stated: str = "") -> str | None:
    """Return the date of what a reader of the page sees, which may be an age where none is `stated` beside
    it."""
    moment = find_shown(text, clock, is_all=True) or find_shown(stated, clock) or find_age(text, clock)
    return moment.value if moment is not None else None
