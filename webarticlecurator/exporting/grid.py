"""Tables as they are seen: each cell in its column, also beside or below one that goes over several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from webarticlecurator.text import whole_number

Block = Mapping[str, Any]
"""A table, a row or a cell as in the line of JSON that a build keeps."""
_MOST_SPANNED = 100
"""Rows or columns that a cell goes over; a page may claim any number."""


def grid_of(table: Block) -> list[list[Block | None]]:
    """Return the rows of a table with each cell in its column; None stands where one before it goes over,
    too."""
    covered: dict[int, int] = {}
    return [_laid_out(row, covered) for row in table["children"] if row["type"] == "row"]


def _laid_out(row: Block, covered: dict[int, int]) -> list[Block | None]:
    """Return a row in its columns; `covered` holds for how many rows on a cell above goes over a column."""
    line: list[Block | None] = []
    for cell in row["children"]:
        _pass_covered(line, covered)
        columns, rows = (
            min(whole_number(str(cell.get(name, ""))) or 1, _MOST_SPANNED) for name in ("columns", "rows")
        )
        covered.update((column, rows) for column in range(len(line), len(line) + columns))
        line += [cell, *[None] * (columns - 1)]
    _pass_covered(line, covered)
    for column, rows in covered.items():
        covered[column] = max(0, rows - 1)
    return line


def _pass_covered(line: list[Block | None], covered: Mapping[int, int]) -> None:
    """Add the columns over which a cell above goes, up to the next that is free."""
    while covered.get(len(line)):
        line.append(None)
