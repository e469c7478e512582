"""The pages of a column that are counted: which value `{page}` has on each."""

from __future__ import annotations

from webarticlecurator.config.portal import Column


def page_value(column: Column, index: int) -> str | None:
    """The value of `{page}` on the index-th page; None beyond the named ones."""
    paging = column.paging
    if paging.values:
        return paging.values[index] if index < len(paging.values) else None
    if paging.first is None:
        return str(paging.start + index)
    return paging.first if index == 0 else str(paging.start + index - 1)
