"""Dates as portals write them: CLDR patterns with month names of any language, ISO 8601, and a careful `auto`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from babel.dates import format_date as babel_format_date

from webarticlecurator.budget import allowed
from webarticlecurator.dates.auto import find_auto, find_iso
from webarticlecurator.dates.cldr import (
    MAX_LENGTH,
    DateFormatError,
    ReadDate,
    Tokens,
    locale_of,
    one_line,
    pattern_regex,
    plain,
    read_pattern,
    value_of,
    written_moment,
)

__all__ = ["DateFormatError", "ReadDate", "written_moment"]

DAY = len("2024-05-01")
"""Characters of ISO 8601 that tell the day."""
LONGEST_WRITTEN = 60
"""Characters that a date is written with; what is longer says something else."""


@dataclass(frozen=True, slots=True)
class DateFormat:
    """`iso`, `auto`, or a CLDR pattern; equal when written equally."""

    text: str
    _tokens: Tokens = field(compare=False, repr=False)

    @classmethod
    def parse(cls, text: str) -> DateFormat:
        """Raises DateFormatError."""
        return cls(text, () if text in ("iso", "auto") else read_pattern(text))


def find_date(formats: Sequence[DateFormat], text: str, *, language: str | None, timezone: tzinfo, now: datetime | None) -> ReadDate | None:
    """ISO 8601 with offset; a day without a time stays a day. None where the text holds no such date.

    It is what the first fitting format reads: one that fits the whole text goes before one that fits a part of it. A pattern
    without year (or day) counts back from `now`, the moment of the capture.
    """
    line = one_line(text)
    read = (_find(format, line, whole, language, timezone, now) for whole in (True, False) for format in formats if line)
    return next((date_read for date_read in read if date_read is not None), None)


def latest_moment(value: str) -> datetime | None:
    """The last moment, UTC, that ISO 8601 may mean; a day is over when it is over everywhere on earth. A time without offset is UTC."""
    try:
        if ":" in value:
            moment = datetime.fromisoformat(value)
            return (moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)).astimezone(UTC)
        year, month, day = (*(int(part) for part in value.split("-")), 0, 0)[:3]
        after = date(year, month, day) + timedelta(days=1) if day else date(year + month // 12, month % 12 + 1, 1)
        return datetime.combine(after if month else date(year + 1, 1, 1), time(12), UTC)
    except (ValueError, OverflowError):
        return None


def format_date(day: date, pattern: str, language: str | None) -> str:
    """Write a day by a CLDR pattern. Raises DateFormatError."""
    if len(pattern) > MAX_LENGTH:
        raise DateFormatError(f"the date pattern has {len(pattern)} characters; at most {MAX_LENGTH} are allowed")
    try:
        return babel_format_date(day, pattern, locale=locale_of(language))
    except (ValueError, KeyError, AttributeError) as problem:  # a length that a letter cannot have, no letter of a date
        raise DateFormatError(f"{pattern!r} is no pattern that a day can be written by: {problem}") from None


def _find(format: DateFormat, text: str, whole: bool, language: str | None, zone: tzinfo, now: datetime | None) -> ReadDate | None:
    if format.text == "iso":
        return find_iso(text, zone) if whole else None
    if format.text == "auto":
        return find_auto(text, whole, language, zone)
    allowed(format.text)
    pattern, searched = pattern_regex(format._tokens, language), plain(text)
    match = pattern.fullmatch(searched) if whole else pattern.search(searched)
    value = value_of(match, language, zone, now) if match else None
    return ReadDate(value, text[slice(*match.span())]) if match and value is not None else None
