"""A table whose cells are shaded by their share: to be read as a picture or as a table."""

from __future__ import annotations

from collections.abc import Sequence

from webarticlecurator.amounts import percent
from webarticlecurator.report.charts.figure import Table, table
from webarticlecurator.report.html import Child, Html, element

_SHADES = (0.0, 0.2, 0.5, 0.8, 0.95, 1.0)
"""Where the next shade begins."""


def heat_table(
    label: str, headings: Sequence[Child], rows: Sequence[tuple[Child, Sequence[tuple[int, int] | None]]], note: Child = None
) -> Html:
    """Of each row its name and its cells: a part and its whole, or nothing."""
    made = [(name, *(_cell(cell) for cell in cells)) for name, cells in rows]
    return table(Table(headings, made, frozenset(range(1, len(headings))), note), label=label, kind="heat")


def _cell(cell: tuple[int, int] | None) -> Html:
    if cell is None or not cell[1]:
        return element("td", "·", class_="number blank")
    part, whole = cell
    shade = sum(part / whole >= least for least in _SHADES) - 1 if part else 0
    shown = "0" if not part else "<1" if part / whole < 0.01 else str(min(99, 100 * part // whole) if part < whole else 100)
    return element("td", shown, class_=f"number h{shade}", title=f"{part:,} of {whole:,} ({percent(part, whole)})")
