"""Which columns a crawl is asked to walk."""

from __future__ import annotations

import difflib
import shlex
from collections.abc import Sequence

from webarticlecurator.config.portal import Column, Portal
from webarticlecurator.crawling.options import CrawlOptions
from webarticlecurator.errors import UsageError


def chosen_columns(portal: Portal, options: CrawlOptions) -> tuple[Column, ...]:
    """In the order of the portal file. Raises UsageError where there is no such column, or where its pages have no dates to choose by."""
    names = [column.name for column in portal.columns]
    unknown = next((name for name in options.columns if name not in names), None)
    if unknown is not None:
        close = difflib.get_close_matches(unknown, names, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"there are: {', '.join(names) or 'none'}"
        raise UsageError(f"--column {unknown}: {portal.name} has no such column; {hint}")
    chosen = tuple(column for column in portal.columns if not options.columns or column.name in options.columns)
    undated = [column.name for column in chosen if column.dates is None]
    if (options.start or options.until) and undated:
        raise UsageError(_why_not(portal.name, undated, [column.name for column in chosen if column.dates is not None]))
    return chosen


def _why_not(portal: str, undated: Sequence[str], dated: Sequence[str]) -> str:
    named = ", ".join(undated)
    reason = f"--from and --until cannot choose among archive pages without dates: in {portal} these columns have no `dates`: {named}."
    if not dated:
        return f"{reason} They can only be walked whole; --limit N takes a part of their articles."
    return f"{reason} Those that have are chosen with {shlex.join(word for name in dated for word in ('--column', name))}"
