"""A number of things, in words."""

from __future__ import annotations


def amount(number: int, one: str, many: str | None = None) -> str:
    """`1 article`, `2 articles`; with what follows, where that differs, too: `1 page was`, `2 pages were`."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
