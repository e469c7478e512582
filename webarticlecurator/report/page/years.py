"""Which years a chart shows, where its rows are counts by year."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from webarticlecurator.model.statistics import Period
from webarticlecurator.report.page.parts import shown_years


def years_of(counts: Mapping[int | None, int]) -> tuple[int, ...]:
    """The successive years that hold most."""
    return shown_years(Period(name=str(year), articles=number) for year, number in counts.items() if year is not None)


def every_year(counts: Iterable[Mapping[int | None, int]]) -> tuple[int, ...]:
    """The same of several counts together."""
    added: dict[int | None, int] = {}
    for one in counts:
        for year, number in one.items():
            added[year] = added.get(year, 0) + number
    return years_of(added)
