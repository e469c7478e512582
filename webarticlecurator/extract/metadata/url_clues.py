"""Reader of the page's own address: the day that many portals write into it."""

from __future__ import annotations

import re

from webarticlecurator.urls import split

_YEAR, _MONTH, _DAY = r"(?P<year>(?:19[89]|20[0-4])\d)", r"(?P<month>0?[1-9]|1[0-2])", r"(?P<day>0?[1-9]|[12]\d|3[01])"
_IN_PATH = (
    re.compile(rf"(?<![\d])/?{_YEAR}(?P<sep>[/_-]){_MONTH}(?P=sep){_DAY}(?![\d])"),
    re.compile(r"(?<!\d)(?P<year>20[0-4]\d)(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])(?!\d)"),
)


def day_in_url(url: str) -> str | None:
    """The day in the path, as ISO 8601."""
    path = split(url).path
    for pattern in _IN_PATH:
        if found := pattern.search(path):
            return f"{found['year']}-{int(found['month']):02}-{int(found['day']):02}"
    return None
