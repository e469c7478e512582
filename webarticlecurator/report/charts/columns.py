"""Stacked columns over periods: one panel above another, all with the same periods."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from webarticlecurator.amounts import count
from webarticlecurator.report.charts.figure import WIDTH, Series, drawing
from webarticlecurator.report.charts.scales import short, thinned, ticks
from webarticlecurator.report.html import Html, element

LEFT, RIGHT, TOP, BOTTOM = 52, 8, 20, 22
_BETWEEN = 14
"""More room above a panel that stands below another."""
_LABELS = 21
"""Names of periods that find room below a chart."""
_HOVERED = 64
"""Periods that tell their numbers under the mouse; more columns are too narrow for it, and the file would grow."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One set of columns: what is counted, and the series from the bottom up."""

    unit: str
    series: tuple[Series, ...]
    height: int = 130
    top: float | None = None
    """The scale's end; the highest column where it is not given."""


def columns(ident: str, periods: Sequence[str], panels: Sequence[Panel], *, labels: Sequence[tuple[int, str]] | None = None) -> Html:
    """`labels`: places of periods with what stands below them; else as many of their names as there is room for."""
    content: list[Html] = []
    top = 0
    for panel in panels:
        top += _BETWEEN if top else 0
        content += _panel(periods, panel, top)
        top += TOP + panel.height
    step = _step(periods)
    for place, label in thinned(periods, _LABELS) if labels is None else labels:
        content.append(element("text", label, x=round(LEFT + (place + 0.5) * step, 1), y=top + 15, class_="middle"))
    return drawing(ident, top + BOTTOM, content)


def axis(numbers: Sequence[float], unit: str, top: float, height: float) -> Iterator[Html]:
    """Lines across and their numbers; the unit stands above the highest."""
    highest = numbers[-1]
    for number in numbers:
        y = round(top + height * (1 - number / highest), 1)
        yield element("path", d=f"M{LEFT} {y}H{WIDTH - RIGHT}", class_="grid" if number else "base")
        yield element("text", short(number), x=LEFT - 6, y=round(y + 3.5, 1), class_="end")
    yield element("text", unit, x=LEFT, y=round(top - 8, 1), class_="unit")


def _panel(periods: Sequence[str], panel: Panel, above: int) -> list[Html]:
    stacked = [list(accumulate(values, initial=0)) for values in zip(*(one.values for one in panel.series), strict=True)]
    numbers = ticks(panel.top or max((column[-1] for column in stacked), default=0), about=max(2, panel.height // 36))
    top, scale = above + TOP, panel.height / numbers[-1]
    made = list(axis(numbers, panel.unit, top, panel.height))
    for place, one in enumerate(panel.series):
        spans = ((number, column[place], column[place + 1]) for number, column in enumerate(stacked) if column[place + 1] > column[place])
        path = "".join(_rectangle(number, low, high, _step(periods), top + panel.height, scale) for number, low, high in spans)
        if path:
            made.append(element("path", d=path, class_=f"{one.tone} filled"))
    if len(periods) <= _HOVERED:
        made += _hovered(periods, panel, top)
    return made


def _rectangle(place: int, low: float, high: float, step: float, base: float, scale: float) -> str:
    """Something small is still seen: no less than a hair."""
    gap = step * 0.18 if step > 6 else step * 0.1 if step > 3 else 0
    width, height = step - gap, max((high - low) * scale, 0.6)
    return f"M{LEFT + place * step + gap / 2:.4g} {base - low * scale:.4g}v-{height:.3g}h{width:.3g}v{height:.3g}z"


def _hovered(periods: Sequence[str], panel: Panel, top: float) -> Iterator[Html]:
    step = _step(periods)
    for place, period in enumerate(periods):
        named = [f"{one.name[:60]}: {count(one.values[place])}" for one in panel.series if one.values[place]]
        told = element("title", f"{period}: {', '.join(named) or 'nothing'}")
        yield element("rect", told, x=round(LEFT + place * step, 1), y=top, width=round(step, 1), height=panel.height, class_="hovered")


def _step(periods: Sequence[str]) -> float:
    return (WIDTH - LEFT - RIGHT) / max(1, len(periods))
