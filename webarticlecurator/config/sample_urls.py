"""The addresses that a column asks for, tried with one day and one page."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from webarticlecurator.config.portal import Column
from webarticlecurator.config.template import UrlTemplate, interval_end

SAMPLE_DAY = date(2019, 5, 17)


def sample_urls(column: Column, page: str = "1", day: date = SAMPLE_DAY) -> Iterator[str]:
    """Yield one archive page's URL for each template of a column."""
    return (filled(template, column, page, day) for template in column.templates)


def filled(template: UrlTemplate, column: Column, page: str, day: date) -> str:
    """Return the address of one page of one day."""
    return template.of_page(page).fill(
        {"page": page, "column": column.name}, start=day, end=interval_end(day, "day")
    )
