"""Since when a calendar lists articles: a few of its pages, each further back than the last, until nothing is listed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from webarticlecurator.config.template import UrlTemplate
from webarticlecurator.document.page import read_page
from webarticlecurator.learning.site.archive_columns import find_columns, furniture, links_beside_menus, needed
from webarticlecurator.learning.site.seen import Since, SiteSeen
from webarticlecurator.model.capture import Fetched
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.model.page import Page

_MOST_ASKED = 4
"""Pages of all calendars together."""
_DAYS_BACK = (56, 224, 896, 3584)
"""From the oldest date that was seen: whole weeks, since on some days of a week nothing may appear."""
_EMPTY_IN_A_ROW = {"day": 2, "week": 2}
"""Pages without articles that are a beginning; of longer times one is enough."""


def look_at_older_dates(seen: SiteSeen, ask: Callable[[str], Fetched]) -> None:
    """What is seen is noted in `seen.since`; a calendar of which nothing is known to be empty may go on further back."""
    if not any(archive.is_of_a_time for archive in seen.archives):
        return
    boxes = furniture(seen.archives)
    waiting = []
    for column in needed([column for column in find_columns(seen.archives, seen.fed)[0] if not column.is_one_of_a_calendar], seen.fed)[0]:
        template = UrlTemplate.parse(str(column.settings["url"]))
        if (oldest := column.oldest) is not None and template.finest_step is not None:
            waiting.append((column, template, _back_from(oldest, template.finest_step), 0))
    for _ in range(_MOST_ASKED):
        if not waiting:
            return
        column, template, (day, *left), empty = waiting.pop(0)
        fetched = ask(template.fill({"page": "1"}, start=day, end=day + timedelta(days=1)))
        page = read_page(fetched.capture) if fetched.capture is not None else None
        if isinstance(page, Page):
            listed = (column.rule.links_of(page) & links_beside_menus(page)) - boxes - column.articles
        elif fetched.verdict.outcome is FetchOutcome.GONE:
            listed = frozenset()
        else:
            continue  # who failed once is not asked again
        seen.since[column.url], empty = Since(day, is_empty=not listed), 0 if listed else empty + 1
        if left and empty < _EMPTY_IN_A_ROW.get(str(template.finest_step), 1):
            waiting.append((column, template, left, empty))


def _back_from(oldest: date, step: str) -> list[date]:
    """Dates that may be asked for, the nearest first."""
    days = (oldest - timedelta(days=days) for days in _DAYS_BACK)
    first = {"year": lambda day: day.replace(month=1, day=1), "month": lambda day: day.replace(day=1)}.get(step, lambda day: day)
    return list(dict.fromkeys(map(first, days)))
