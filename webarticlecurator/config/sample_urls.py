"""Addresses that a column asks for, tried with one day and one page."""

from __future__ import annotations

from datetime import date

from webarticlecurator.config.portal import Column
from webarticlecurator.config.template import UrlTemplate, interval_end

SAMPLE_DAY = date(2019, 5, 17)


def sample_url(column: Column, page: str = "1", day: date = SAMPLE_DAY) -> str:
    """Return the URL of one archive page of a column."""
    return filled(column.template, column, page, day)


def filled(template: UrlTemplate, column: Column, page: str, day: date) -> str:
    """Return the address of one page of one day."""
    return template.of_page(page).fill(
        {"page": page, "column": column.name}, start=day, end=interval_end(day, "day")
    )
