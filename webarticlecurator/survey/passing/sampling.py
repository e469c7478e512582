"""How many pages of each year a sample has: in proportion, but of each year at least some."""

from __future__ import annotations

from collections.abc import Mapping

Year = int | None
_LEAST = 5
"""Pages of a year that has them, where the sample is large enough."""


def shares(pages: Mapping[Year, int], wanted: int) -> dict[Year, int]:
    """Of these pages by year, so many in all; all of them, if there are no more. The same whenever it is asked."""
    total = sum(pages.values())
    if wanted >= total:
        return dict(pages)
    years = sorted(pages, key=lambda year: (-pages[year], year is None, year or 0))
    least = min(_LEAST, wanted // len(years)) if years else 0
    given = {year: min(pages[year], least or (1 if place < wanted else 0)) for place, year in enumerate(years)}
    room = {year: pages[year] - given[year] for year in years}
    left, spare = wanted - sum(given.values()), sum(room.values())
    exact = {year: left * room[year] / spare if spare else 0.0 for year in years}
    given = {year: given[year] + int(exact[year]) for year in years}
    missing = wanted - sum(given.values())
    for year in sorted(years, key=lambda year: int(exact[year]) - exact[year])[:missing]:
        given[year] += 1
    return given
