"""A chart of a result as an SVG file that reads in light and dark, without any script or font of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.results import Chart, number
from webarticlecurator.report.charts.scales import ticks
from webarticlecurator.report.html import Html, element

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 760, 190, 70, 44, 34
ROW, BAR, GAP = 26, 16, 12
LINES = 220
"""Height of what lines are drawn in."""
TONES = ("#3b6fb6", "#c8691c", "#4c8c4a", "#8d5aa8", "#b03a48", "#6b6b6b", "#2f8f9d", "#a88a1f")
STYLE = """
text { font: 13px system-ui, sans-serif; fill: #222 }
.title { font-weight: 600; font-size: 15px }
.small { font-size: 11px; fill: #555 }
.paper { fill: #fff } .grid { stroke: #ddd } .base { stroke: #888 }
@media (prefers-color-scheme: dark) {
  .paper { fill: #1c1e22 } text { fill: #e6e6e6 } .small { fill: #b5b5b5 } .grid { stroke: #444 }
}
"""


def as_svg(chart: Chart) -> str:
    body, height = (_bars if chart.kind == "bars" else _lines)(chart)
    whole = height + (24 if len(chart.series) > 1 else 0)
    drawn = element(
        "svg",
        element("title", chart.title),
        element("style", Html(STYLE)),
        element("rect", width=WIDTH, height=whole, class_="paper"),
        element("text", f"{chart.title} ({chart.unit})" if chart.unit else chart.title, x=8, y=22, class_="title"),
        body,
        _legend(chart, height) if len(chart.series) > 1 else None,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {whole}",
        width=WIDTH,
        height=whole,
        role="img",
    )
    return f"{drawn}\n"


def _bars(chart: Chart) -> tuple[list[Html], int]:
    """One row a label, in it one bar a series, with its number behind it."""
    most = max((value for one in chart.series for value in one.values if value is not None), default=1) or 1
    room = WIDTH - LEFT - RIGHT
    thick = BAR if len(chart.series) == 1 else 11
    found: list[Html] = []
    top = TOP
    for place, label in enumerate(chart.labels):
        middle = top + thick * len(chart.series) / 2 + 4.5
        found.append(element("text", label, x=LEFT - 8, y=round(middle, 1), text_anchor="end"))
        for tone, one in zip(TONES, chart.series, strict=False):
            value = one.values[place]
            if value is not None:
                width = round(max(1.0, room * value / most), 1)
                found.append(element("rect", x=LEFT, y=top, width=width, height=thick - 1, fill=tone))
            found.append(element("text", number(value), x=LEFT + (0 if value is None else width) + 5, y=top + thick - 2, class_="small"))
            top += thick
        top += GAP
    return found, top


def _lines(chart: Chart) -> tuple[list[Html], int]:
    """Labels from left to right at equal distances, each series a line with its points."""
    marks = ticks(max((value for one in chart.series for value in one.values if value is not None), default=1))
    left, right = 60, 30
    step = (WIDTH - left - right) / max(1, len(chart.labels) - 1)

    def at(place: int, value: float) -> tuple[float, float]:
        return round(left + place * step, 1), round(TOP + LINES * (1 - value / marks[-1]), 1)

    found = list(_grid(marks, left, right))
    for place, label in enumerate(chart.labels):
        anchor = "start" if not place else "end" if place == len(chart.labels) - 1 else "middle"
        found.append(element("text", label, x=at(place, 0)[0], y=TOP + LINES + 18, text_anchor=anchor, class_="small"))
    for tone, one in zip(TONES, chart.series, strict=False):
        points = [at(place, value) for place, value in enumerate(one.values) if value is not None]
        found.append(element("polyline", points=" ".join(f"{x},{y}" for x, y in points), fill="none", stroke=tone, stroke_width=2))
        found += [element("circle", cx=x, cy=y, r=3.5, fill=tone) for x, y in points]
    return found, TOP + LINES + BOTTOM


def _grid(marks: Sequence[float], left: int, right: int) -> Iterator[Html]:
    for mark in marks:
        y = round(TOP + LINES * (1 - mark / marks[-1]), 1)
        yield element("path", d=f"M{left} {y}H{WIDTH - right}", class_="grid" if mark else "base")
        yield element("text", f"{mark:,g}", x=left - 6, y=round(y + 4, 1), text_anchor="end", class_="small")


def _legend(chart: Chart, top: int) -> list[Html]:
    found, x = [], 8.0
    for tone, one in zip(TONES, chart.series, strict=False):
        found.append(element("rect", x=x, y=top + 2, width=11, height=11, fill=tone))
        found.append(element("text", one.name, x=x + 16, y=top + 12, class_="small"))
        x += 34 + 6.4 * len(one.name)
    return found
