"""How something grew: what there was at the end of each period, the series stacked; and the same of many, each in a small panel."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from webarticlecurator.report.charts.columns import BOTTOM, LEFT, RIGHT, TOP, axis
from webarticlecurator.report.charts.figure import WIDTH, Series, drawing
from webarticlecurator.report.charts.scales import thinned, ticks
from webarticlecurator.report.html import Html, element

_HEIGHT = 220
_LABELS = 16
_SMALL = (220, 62)
"""Width and height of a small panel's drawing."""


def growth(ident: str, periods: Sequence[str], series: Sequence[Series], unit: str) -> Html:
    """Stacked areas of what had come together by the end of each period; they begin with nothing."""
    grown = [list(accumulate(one.values, initial=0)) for one in series]
    sums = [list(accumulate(values, initial=0)) for values in zip(*grown, strict=True)]
    numbers = ticks(sums[-1][-1] if sums else 0)
    step, scale = (WIDTH - LEFT - RIGHT) / max(1, len(periods)), _HEIGHT / numbers[-1]
    content = list(axis(numbers, unit, TOP, _HEIGHT))
    for place, one in enumerate(series):
        if any(one.values):
            above = [(LEFT + number * step, TOP + _HEIGHT - one_sum[place + 1] * scale) for number, one_sum in enumerate(sums)]
            below = [(LEFT + number * step, TOP + _HEIGHT - one_sum[place] * scale) for number, one_sum in enumerate(sums)]
            content.append(element("path", d=_polygon([*above, *reversed(below)]), class_=f"{one.tone} filled"))
    for place, label in thinned(periods, _LABELS):
        x = LEFT + (place + 1) * step
        content.append(element("path", d=f"M{x:.5g} {TOP + _HEIGHT}v4", class_="base"))
        content.append(element("text", label, x=round(x - step / 2, 1), y=TOP + _HEIGHT + 16, class_="middle"))
    return drawing(ident, TOP + _HEIGHT + BOTTOM, content)


def small_columns(values: Sequence[float], tone: str = "t0") -> Html:
    """A small drawing without words, for a panel that tells its numbers beside it."""
    width, height = _SMALL
    highest, step = max(values, default=0) or 1, width / max(1, len(values))
    bars = "".join(
        f"M{number * step + step * 0.1:.4g} {height}v-{max(value / highest * (height - 2), 0.8):.3g}h{step * 0.8:.3g}V{height}z"
        for number, value in enumerate(values)
        if value
    )
    base = element("path", d=f"M0 {height - 0.5}H{width}", class_="base")
    return element(
        "svg",
        base,
        element("path", d=bars, class_=tone) if bars else None,
        viewBox=f"0 0 {width} {height}",
        preserveAspectRatio="none",
        aria_hidden="true",
        class_="small",
    )


def _polygon(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.5g} {y:.5g}" for x, y in points) + "z"
