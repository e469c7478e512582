"""Every day of many years in one drawing: a row a year, and of each state one path in which equal days stand together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import groupby

from webarticlecurator.report.charts.figure import WIDTH, drawing
from webarticlecurator.report.html import Html, element

_LEFT, _TOP, _ROW, _GAP = 40, 20, 13, 3
_DAYS = 366
_DAY = (WIDTH - _LEFT) / _DAYS
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_LEAP = 2000
"""A year in which every day has its place."""


def calendar(ident: str, years: Sequence[int], states: Mapping[date, str]) -> Html:
    """`states`: of days that have one, the class of its colour."""
    paths: dict[str, list[str]] = {}
    for row, year in enumerate(years):
        for state, first, last in _runs(year, states):
            width = f"{(last - first + 1) * _DAY:.4g}"
            box = f"M{_LEFT + first * _DAY:.5g} {_TOP + row * (_ROW + _GAP)}h{width}v{_ROW}h-{width}z"
            paths.setdefault(state, []).append(box)
    height = _TOP + len(years) * (_ROW + _GAP)
    content = [element("path", d="".join(boxes), class_=state) for state, boxes in sorted(paths.items())]
    return drawing(ident, height, *_frame(years), content, kind="chart calendar")


def _frame(years: Sequence[int]) -> Iterator[Html]:
    height = _TOP + len(years) * (_ROW + _GAP)
    for month, name in enumerate(MONTHS, 1):
        x = _LEFT + _place(date(_LEAP, month, 1)) * _DAY
        yield element("text", name, x=round(x + 3, 1), y=12)
        yield element("path", d=f"M{x:.5g} 4V{height}", class_="grid")
    for row, year in enumerate(years):
        y = _TOP + row * (_ROW + _GAP)
        yield element("text", str(year), x=_LEFT - 6, y=y + _ROW - 2.5, class_="end")
        yield element("path", d=f"M{_LEFT} {y}h{WIDTH - _LEFT}v{_ROW}h-{WIDTH - _LEFT}z", class_="none")


def _runs(year: int, states: Mapping[date, str]) -> Iterator[tuple[str, int, int]]:
    """Successive days of one state: the state, the place of the first, that of the last."""
    first = date(year, 1, 1)
    days = (first + timedelta(days=number) for number in range((date(year, 12, 31) - first).days + 1))
    placed = ((_place(day), states.get(day, "")) for day in days)
    for state, run in groupby(placed, key=lambda one: one[1]):
        if state:
            places = [place for place, _ in run]
            yield state, places[0], places[-1]


def _place(day: date) -> int:
    """The same of the same day in every year: 1 March follows a place that only leap years fill."""
    return (date(_LEAP, day.month, day.day) - date(_LEAP, 1, 1)).days
