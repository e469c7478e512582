"""Charts as inline SVG: nothing is run to see them. The page says the same beside each, and shows its numbers
as a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import accumulate, groupby
from math import ceil, floor, log10
from typing import NamedTuple

from markupsafe import Markup

from webarticlecurator.amounts import count
from webarticlecurator.report.pages import named

_WIDTH = 760
"""Units of a drawing, which is never shown narrower than is legible: on a phone it scrolls within its box."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 8, 20, 22
_BETWEEN = 14
"""The room above a panel that stands below another: more than above the first."""
TONES = 8
"""Colours that can be told apart; what is more folds into one series."""


class ChartSeries(NamedTuple):
    """A kind of thing over all periods."""

    name: str
    values: Sequence[float]
    tone: str
    """The class of its colour: `t0` to `t7`, or one with a meaning: `good`, `bad`, `open`, `other`."""


class Panel(NamedTuple):
    """A set of columns: what is counted, and the series from the bottom up."""

    unit: str
    series: Sequence[ChartSeries]
    height: int = 130
    top: float = 0
    """The scale's end; 0: the highest column."""


def toned(series: Iterable[ChartSeries]) -> list[ChartSeries]:
    """The largest in their order, each with a colour; all others as one, which says how many they are."""
    every = list(series)
    largest = every if len(every) <= TONES else sorted(every, key=lambda row: -sum(row.values))[: TONES - 1]
    kept = [row for row in every if row in largest]
    shown = [row._replace(tone=row.tone or f"t{place}") for place, row in enumerate(kept)]
    if rest := [row for row in every if row not in largest]:
        sums = [sum(values) for values in zip(*(row.values for row in rest), strict=True)]
        shown.append(ChartSeries(f"{len(rest):,} others", sums, "other"))
    return shown


def columns(
    ident: str, periods: Sequence[object], *panels: Panel, labels: Sequence[tuple[int, str]] | None = None
) -> Markup:
    """Draw stacked columns, one panel above another. `labels`: places of periods with what stands below them;
    else their names, as far as there is room."""
    content: list[Markup] = []
    names = [str(period) for period in periods]
    step = (_WIDTH - _LEFT - _RIGHT) / max(1, len(names))
    top = -_BETWEEN
    for panel in panels:
        top += _BETWEEN + _TOP
        sums = [
            list(accumulate(values, initial=0))
            for values in zip(*(row.values for row in panel.series), strict=True)
        ]
        ticks = _ticks(
            panel.top or max((column[-1] for column in sums), default=0), about=max(2, panel.height // 36)
        )
        content += _axis(ticks, panel.unit, top, panel.height)
        for number, row in enumerate(panel.series):
            path = _filled_columns(
                sums, number, step, scale=panel.height / ticks[-1], bottom=top + panel.height
            )
            if path:
                content.append(_path(path, f"{row.tone} filled"))
        content += _axis_again(ticks, panel.unit, top, panel.height)
        if len(names) <= 64:  # more are too narrow for the mouse, and the file would grow
            content += [_hint(name, panel, place, step, top) for place, name in enumerate(names)]
        top += panel.height
    for place, label in thinned(names) if labels is None else labels:
        content.append(_text(label, round(_LEFT + (place + 0.5) * step, 1), top + 15, "middle"))
    return _drawing(ident, top + _BOTTOM, content)


def _gap_between(step: float) -> float:
    """Return the room between two columns: none where they are too narrow for it."""
    if step > 6:
        return step * 0.18
    return step * 0.1 if step > 3 else 0


def _filled_columns(
    sums: Sequence[Sequence[float]], number: int, step: float, *, scale: float, bottom: float
) -> str:
    """Return the path of one series; something small is still seen: no less than a hair."""
    path, gap = "", _gap_between(step)
    for place, column in enumerate(sums):
        low, high = column[number], column[number + 1]
        if high > low:
            width, height = step - gap, max((high - low) * scale, 0.6)
            path += f"M{_LEFT + place * step + gap / 2:.4g} {bottom - low * scale:.4g}v-{height:.3g}h{width:.3g}v{height:.3g}z"
    return path


def _hint(name: str, panel: Panel, place: int, step: float, top: float) -> Markup:
    """Return a box over a column that tells its numbers under the mouse."""
    numbers = [f"{row.name[:60]}: {count(row.values[place])}" for row in panel.series if row.values[place]]
    box = Markup('<rect x="{}" y="{}" width="{}" height="{}" class="hovered"><title>{}: {}</title></rect>')
    words = (name, named(", ".join(numbers)) or "nothing")
    return box.format(round(_LEFT + place * step, 1), top, round(step, 1), panel.height, *words)


def small_columns(values: Sequence[float]) -> Markup:
    """A small drawing without words, for a panel that tells its numbers beside it."""
    width, height = 220, 62
    highest, step = max(values, default=0) or 1, width / max(1, len(values))
    path = "".join(
        f"M{place * step + step * 0.1:.4g} "
        f"{height}v-{max(value / highest * (height - 2), 0.8):.3g}h{step * 0.8:.3g}V{height}z"
        for place, value in enumerate(values)
        if value
    )
    content = _path(f"M0 {height - 0.5}H{width}", "base") + (_path(path, "t0") if path else "")
    drawing = '<svg class="small" viewBox="0 0 {} {}" preserveAspectRatio="none" aria-hidden="true">{}</svg>'
    return Markup(drawing).format(width, height, content)


# --- every day of many years: a row a year, and of each state one path in which equal days stand together ---

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_BESIDE, _ROW, _GAP = 40, 13, 3
_DAY = (_WIDTH - _BESIDE) / 366
_HATCH = Markup(
    '<defs><pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)"><path d="M0 0V5" class="line"/></pattern></defs>'
)
"""What fills the days on which there is nothing, as is proved."""


def calendar(ident: str, years: Sequence[int], states: Mapping[date, str]) -> Markup:
    """Draw a calendar of years; `states`: of days that have one, the class of its colour."""
    height = _TOP + len(years) * (_ROW + _GAP)
    content: list[Markup] = []
    for month, name in enumerate(MONTHS, 1):
        x = _BESIDE + _place(date(2000, month, 1)) * _DAY
        content += [_text(name, round(x + 3, 1), 12), _path(f"M{x:.5g} 4V{height}", "grid")]
    paths: dict[str, str] = {}
    labels: list[Markup] = []
    first, last = min(states, default=date.min), max(states, default=date.max)
    for row, year in enumerate(years):
        y = _TOP + row * (_ROW + _GAP)
        begin = _place(max(first, date(year, 1, 1))) * _DAY
        known = (_place(min(last, date(year, 12, 31))) + 1) * _DAY - begin
        content.append(_path(f"M{_BESIDE + begin:.5g} {y}h{known:.4g}v{_ROW}h-{known:.4g}z", "none"))
        labels.append(_text(str(year), _BESIDE - 6, y + _ROW - 2.5, "end"))
        labels.append(_text(str(year), _WIDTH - 4, y + _ROW - 2.5, "end again"))
        days = (
            date(year, 1, 1) + timedelta(days=number)
            for number in range((date(year, 12, 31) - date(year, 1, 1)).days + 1)
        )
        for state, run in groupby(days, key=lambda day: states.get(day, "")):
            if state:
                places = [_place(day) for day in run]
                width = f"{(places[-1] - places[0] + 1) * _DAY:.4g}"
                paths[state] = (
                    f"{paths.get(state, '')}M{_BESIDE + places[0] * _DAY:.5g} {y}h{width}v{_ROW}h-{width}z"
                )
    return _drawing(
        ident,
        height,
        [_HATCH, *content, *(_path(path, state) for state, path in sorted(paths.items())), *labels],
        "chart calendar",
    )


def _place(day: date) -> int:
    """Return the place of a day, which is the same of the same day in every year: 1 March follows a place
    that only leap years fill."""
    return (date(2000, day.month, day.day) - date(2000, 1, 1)).days


_SIZES = ((1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k"))


def _drawing(ident: str, height: float, content: Iterable[Markup], kind: str = "chart") -> Markup:
    """Return a drawing, which is named and described by what stands above it in the page."""
    drawing = (
        '<svg class="{}" viewBox="0 0 {} {}" role="img" aria-labelledby="{}-title" '
        'aria-describedby="{}-said">{}</svg>'
    )
    return Markup(drawing).format(kind, _WIDTH, height, ident, ident, Markup("").join(content))


def _path(path: str, kind: str) -> Markup:
    return Markup('<path d="{}" class="{}"/>').format(path, kind)


def _text(text: str, x: float, y: float, kind: str = "") -> Markup:
    return Markup('<text x="{}" y="{}" class="{}">{}</text>').format(x, y, kind, named(text))


def _axis(ticks: Sequence[float], unit: str, top: float, height: float) -> Iterator[Markup]:
    """Yield the lines across and their numbers; the unit stands above the highest."""
    for number in ticks:
        y = round(top + height * (1 - number / ticks[-1]), 1)
        yield _path(f"M{_LEFT} {y}H{_WIDTH - _RIGHT}", "grid" if number else "base")
        yield _text(_short(number), _LEFT - 6, round(y + 3.5, 1), "end")
    yield _text(unit, _LEFT, round(top - 8, 1), "unit")


def _axis_again(ticks: Sequence[float], unit: str, top: float, height: float) -> Iterator[Markup]:
    """Yield the same numbers for the other end, which is all that a narrow screen shows at first."""
    for number in ticks[1:]:
        y = round(top + height * (1 - number / ticks[-1]) - 2, 1)
        yield _text(_short(number), _WIDTH - _RIGHT, y, "end again")
    yield _text(unit, _WIDTH - _RIGHT - 30, round(top - 8, 1), "end again")


def _short(number: float) -> str:
    """Return a number as an axis has it: 1k, 2.5M."""
    size, suffix = next((pair for pair in _SIZES if number >= pair[0]), (1, ""))
    return f"{number / size:g}{suffix}"


def _ticks(largest: float, about: int = 4) -> Sequence[float]:
    """Return round numbers from 0 to the first that is not below the largest; counts of things get no
    halves."""
    if largest <= 0:
        return (0, 1)
    rough = largest / about
    power = 10 ** floor(log10(rough))
    step = ceil(
        max(1, next(number * power for number in (1, 2, 2.5, 5, 10) if number * power >= rough * 0.999))
    )
    return range(0, ceil(largest / step) * step + 1, step)


def thinned(labels: Sequence[str]) -> list[tuple[int, str]]:
    """Return every so many-th label with its place, so that all find room below a chart; years go by round
    numbers where they can."""
    every = next(
        (step for step in (1, 2, 5, 10, 20, 50, 100) if len(labels) / step <= 21), ceil(len(labels) / 21)
    )
    by_number = every > 1 and all(label.isdigit() for label in labels)
    return [
        (place, label)
        for place, label in enumerate(labels)
        if (int(label) if by_number else place) % every == 0
    ]
