"""How many threads does each section of a board have, by the row that leads to it: "Boats | 40 | 499"?

No word is needed: of two columns of numbers that counts threads which is the smaller one in all rows.
"""

from __future__ import annotations

from collections.abc import Mapping

from lxml.etree import _Element as Element

from webarticlecurator.extraction.picked_list import PickedList
from webarticlecurator.model.page import Outline
from webarticlecurator.own_patterns import linear

_LONGEST_CELL = 25
_FEWEST_ROWS = 2
_NUMBER = linear(r"\d{1,3}(?:[.,\u00a0 ]\d{3})+(?!\d)|\d+")

Path = tuple[int, ...]
"""Where a cell stands in its row: the number of each element on the way to it."""


def section_counts(outline: Outline, links: Mapping[Element, str]) -> Mapping[str, int]:
    """Return the address of each section with the number of its threads; nothing where the rows do not say it alike."""
    picked = PickedList.of(outline, links, ())
    rows: dict[str, dict[Path, int]] = {}
    for link, url in links.items():
        item = next((row for row in picked.around(outline.row_of[link]) if row in picked.items), None)
        cells = _numbers(outline, item) if item is not None else {}
        if cells:
            rows.setdefault(url, cells)
    shared = set.intersection(*map(set, rows.values())) if len(rows) >= _FEWEST_ROWS else set[Path]()
    if len(shared) != 2:
        return {}
    first, second = sorted(shared)
    pairs = {url: (cells[first], cells[second]) for url, cells in rows.items()}
    of_threads = _smaller_column(list(pairs.values()))
    return {} if of_threads is None else {url: pair[of_threads] for url, pair in pairs.items()}


def _smaller_column(pairs: list[tuple[int, int]]) -> int | None:
    """Return which of the two columns is never the larger one; None where they change places, or are the same."""
    if all(one == other for one, other in pairs):
        return None
    if all(one <= other for one, other in pairs):
        return 0
    return 1 if all(one >= other for one, other in pairs) else None


def _numbers(outline: Outline, item: int) -> dict[Path, int]:
    """Return the cells of a row that hold one number and no link, by where they stand; of those in one another the outermost."""
    cells: dict[Path, int] = {}
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
