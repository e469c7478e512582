"""Since when a calendar lists articles: a few of its pages, each further back than the last, until nothing is listed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta

from webarticlecurator.config.template import UrlTemplate
from webarticlecurator.learning.site.archive_columns import Column, columns_of, furniture, is_of_a_time, needed, own_links
from webarticlecurator.learning.site.look_plan import Ask, Looking, Purpose, Since, SiteSeen
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.model.page import Page

_MOST_ASKED = 4
"""Pages of all calendars together."""
_DAYS_BACK = (56, 224, 896, 3584)
"""From the oldest date that was seen: whole weeks, since on some days of a week nothing may appear."""

_EMPTY_IN_A_ROW = {"day": 2, "week": 2}
"""Pages without articles that are a beginning; of longer times one is enough."""


@dataclass(slots=True)
class _Calendar:
    column: Column
    template: UrlTemplate
    oldest: date
    left: list[date] = field(init=False)
    """Dates that may be asked for, the nearest first."""
    empty: int = 0
    """In a row."""

    def __post_init__(self) -> None:
        self.left = list(dict.fromkeys(_back_from(self.oldest, self.template.finest_step)))


def look_at_older_dates(seen: SiteSeen) -> Looking:
    """What is found is noted in `seen.since`; a calendar of which nothing is known to be empty may go on further back."""
    if not any(is_of_a_time(one.candidate) for one in seen.archives):
        return
    waiting, boxes = list(_calendars(seen)), furniture(seen.archives)
    for _ in range(_MOST_ASKED):
        if not waiting:
            return
        calendar = waiting.pop(0)
        column, day = calendar.column, calendar.left.pop(0)
        answer = yield Ask(calendar.template.fill({"page": "1"}, start=day, end=day + timedelta(days=1)), Purpose.OLDER, column.url)
        known = seen.since.get(column.url, Since(calendar.oldest))
        page = answer.page
        if isinstance(page, Page) and own_links(column.rule.links_of(page), page, boxes) - column.articles:
            seen.since[column.url], calendar.empty = Since(day), 0
        elif isinstance(page, Page) or answer.verdict.outcome is FetchOutcome.GONE:
            seen.since[column.url], calendar.empty = Since(known.listed, empty=day), calendar.empty + 1
        else:
            continue  # who failed once is not asked again
        if calendar.left and calendar.empty < _EMPTY_IN_A_ROW.get(str(calendar.template.finest_step), 1):
            waiting.append(calendar)


def _calendars(seen: SiteSeen) -> Iterator[_Calendar]:
    for column in needed([one for one in columns_of(seen)[0] if not one.is_a_day], seen.fed)[0]:
        if column.since is not None:
            template = UrlTemplate.parse(str(column.settings["url"]))
            if template.finest_step is not None:
                calendar = _Calendar(column, template, column.since)
                yield from [calendar] if calendar.left else []


def _back_from(oldest: date, step: str | None) -> Iterator[date]:
    for days in _DAYS_BACK:
        day = oldest - timedelta(days=days)
        yield day.replace(month=1, day=1) if step == "year" else day.replace(day=1) if step == "month" else day
