"""Days and months in the addresses of articles."""

from __future__ import annotations

from webarticlecurator.dates.cldr import fold, month_names
from webarticlecurator.own_patterns import linear
from webarticlecurator.urls import split

_URL_YEAR = r"(?P<year>(?:19[89]|20[0-4])\d)"
_URL_MONTH = r"(?P<month>0?[1-9]|1[0-2])"
_URL_DAY = r"(?P<day>0?[1-9]|[12]\d|3[01])"
_IN_PATH = (
    linear(rf"(?<!\d){_URL_YEAR}/{_URL_MONTH}/{_URL_DAY}(?=/|;|$|\.[a-z]+$)"),
    linear(rf"(?<!\d){_URL_YEAR}(?P<sep>[_-]){_URL_MONTH}(?P=sep){_URL_DAY}(?!\d)"),
    linear(r"(?<!\d)(?P<year>20[0-4]\d)(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])(?!\d)"),
)
"""The forms of a day in the path: parts of it, of which the last is nothing but the day, since a title may
begin with a number; or all of it in one part."""
_WITH_NAMED_MONTH = linear(rf"/{_URL_YEAR}/(?P<month>[A-Za-z]{{3,9}})/{_URL_DAY}(?=/|;|$|\.[a-z]+$)")
"""The form of a day with the name of its month: programs write that in English, whatever the language."""
_MONTH_IN_PATH = linear(rf"/{_URL_YEAR}[/-]{_URL_MONTH}/(?=[^/]*[^\W\d])")
"""A title stands behind it: `/forum/2021/6` is the sixth page of a thread."""


def day_in_url(url: str) -> str | None:
    """Return the day in the path, as ISO 8601."""
    path = split(url).path
    for pattern in (*_IN_PATH, _WITH_NAMED_MONTH):
        match = pattern.search(path)
        month = _month(match["month"]) if match else None
        if match and month:
            return f"{match['year']}-{month:02}-{int(match['day']):02}"
    return None


def _month(written: str) -> int | None:
    """Return the number of a month; None where no month is called so."""
    return int(written) if written.isdigit() else month_names("en").get(fold(written))


def month_in_url(url: str) -> str | None:
    """Return the month in the path, where no day is."""
    match = _MONTH_IN_PATH.search(split(url).path)
    return f"{match['year']}-{int(match['month']):02}" if match else None
