"""Reader of the page's own address: the day, or the month, that many portals write into it."""

from __future__ import annotations

import re

from webarticlecurator.urls import split

_YEAR, _MONTH, _DAY = r"(?P<year>(?:19[89]|20[0-4])\d)", r"(?P<month>0?[1-9]|1[0-2])", r"(?P<day>0?[1-9]|[12]\d|3[01])"
_IN_PATH = (
    re.compile(rf"(?<![\d])/?{_YEAR}(?P<sep>[/_-]){_MONTH}(?P=sep){_DAY}(?![\d])"),
    re.compile(r"(?<!\d)(?P<year>20[0-4]\d)(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])(?!\d)"),
)
_MONTH_IN_PATH = re.compile(rf"/{_YEAR}[/-]{_MONTH}/(?=[^/]*[^\W\d])")
"""A title stands behind it: `/forum/2021/6` is the sixth page of a thread."""


def day_in_url(url: str) -> str | None:
    """The day in the path, as ISO 8601."""
    path = split(url).path
    for pattern in _IN_PATH:
        if found := pattern.search(path):
            return f"{found['year']}-{int(found['month']):02}-{int(found['day']):02}"
    return None


def month_in_url(url: str) -> str | None:
    """The month in the path, where no day is."""
    found = _MONTH_IN_PATH.search(split(url).path)
    return f"{found['year']}-{int(found['month']):02}" if found else None
