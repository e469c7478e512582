"""How many threads does each section of a board have, by the row that leads to it: "Boats | 40 | 499"?

No word is needed: of two columns of numbers that counts threads which is the smaller one in all rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from lxml.etree import _Element as Element

from webarticlecurator.model.page import Outline
from webarticlecurator.own_patterns import linear

_LONGEST_CELL = 25
_FEWEST_ROWS = 2
_COLUMNS = 2
"""Of numbers in a row: threads and posts."""
_LEVELS = 6
"""Elements around a link in which its row is looked for."""
_NUMBER = linear(r"\d{1,3}(?:[.,\u00a0 ]\d{3})+(?!\d)|\d+")

Path = tuple[int, ...]
"""Where a cell stands in its row: the number of each element on the way to it."""
Cells = dict[Path, int]
"""Numbers by where they stand."""


def section_counts(outline: Outline, links: Mapping[Element, str]) -> Mapping[str, int]:
    """Return the address of each section with the number of its threads; nothing where the rows do not say it alike.

    A row is the first link's in it: the others lead to sections of that section.
    """
    rows: dict[int, tuple[str, Cells]] = {}
    for link, url in links.items():
        row, cells = _row_of(outline, outline.row_of[link])
        if cells:
            rows.setdefault(row, (url, cells))
    columns = {tuple(cells) for _, cells in rows.values()}
    if len(rows) < _FEWEST_ROWS or len(columns) != 1:
        return {}
    pairs = {url: tuple(cells.values()) for url, cells in rows.values()}
    of_threads = _smaller_column(list(pairs.values()))
    return {} if of_threads is None else {url: pair[of_threads] for url, pair in pairs.items()}


def _row_of(outline: Outline, link: int) -> tuple[int, Cells]:
    """Return the nearest element around a link that has two cells with numbers, and these.

    No cells where there is none.
    """
    for row in islice(outline.around(link), _LEVELS):
        cells = _numbers(outline, row)
        if cells:
            return row, cells if len(cells) == _COLUMNS else {}
    return link, {}


def _smaller_column(pairs: list[tuple[int, ...]]) -> int | None:
    """Return which of the two columns is never the larger one.

    None where they change places, or are the same.
    """
    if all(one == other for one, other in pairs):
        return None
    if all(one <= other for one, other in pairs):
        return 0
    return 1 if all(one >= other for one, other in pairs) else None


def _numbers(outline: Outline, item: int) -> Cells:
    """Return the cells of a row that hold one number and no link, by where they stand.

    Of those in one another the outermost.
    """
    cells: Cells = {}
    paths: dict[int, Path] = {item: ()}
    children: dict[int, int] = {}
    for row in range(item + 1, outline.ends[item]):
        parent = outline.parents[row]
        children[parent] = children.get(parent, 0) + 1
        paths[row] = (*paths[parent], children[parent])
        number = _only_number(outline, row)
        if number is not None and not any(paths[row][:depth] in cells for depth in range(len(paths[row]))):
            cells[paths[row]] = number
    return cells


def _only_number(outline: Outline, row: int) -> int | None:
    if outline.tags[row] in ("a", "time") or outline.rows_in(row, "a", "time"):
        return None
    numbers = _NUMBER.findall(outline.short_text(row, _LONGEST_CELL) or "")
    return int("".join(filter(str.isdigit, numbers[0]))) if len(numbers) == 1 else None
