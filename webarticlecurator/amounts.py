"""Numbers as people read them: of things, shares, sizes; and the sentences that they stand in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

T = TypeVar("T")


def amount(number: int, singular: str, many: str | None = None) -> str:
    """Return a number with its noun, `1 article`, `2 articles`; with what follows, where that differs, too:
    `1 page was`, `2 pages were`."""
    return f"{number:,} {singular if number == 1 else many or f'{singular}s'}"


def agreeing(number: int, singular: str, many: str) -> str:
    """Return the word that agrees with a number of things: `lists` with one, `list` with two."""
    return singular if number == 1 else many


def if_any(number: int, text: str) -> str:
    """Return a part of a sentence that is said where there is at least one; else nothing."""
    return text if number > 0 else ""


def part(form: str, value: object) -> str:
    """Return a part of a sentence with a value in it, `part(" ({})", reason)`; nothing where there is no
    value."""
    return form.format(value) if value else ""


def text_if(holds: object, text: str) -> str:
    """Return a part of a sentence that is said where something holds; else nothing."""
    return text if holds else ""


def each_number(numbers: Mapping[str, int], form: str = "{:,} {}") -> list[str]:
    """Return of each thing how many there are: `["3 articles", "1 listing"]`."""
    return [form.format(number, what) for what, number in numbers.items()]


def prefixed(beginning: str, lines: Iterable[object]) -> list[str]:
    """Return the lines, each behind the same beginning."""
    return [f"{beginning}{line}" for line in lines]


def those_that_hold(*rows: tuple[object, T]) -> list[T]:
    """Return, in their order, the sentences (or what else a row is) whose condition holds."""
    return [row for holds, row in rows if holds]


def count(number: float) -> str:
    """Return a number as people read it: 12,345; a mean with one decimal."""
    if isinstance(number, int):
        return f"{number:,}"
    return f"{number:,.0f}" if number.is_integer() else f"{number:,.1f}"


def percent(part: float, whole: float) -> str:
    """Return a share in percent: never 100 % where something is missing, never 0 % where something is
    there."""
    if not whole:
        return "–"
    share = 100 * part / whole
    if 0 < share < 0.1:
        return "<\u00a00.1\u00a0%"
    return f"{min(share, 99.9) if part < whole else share:.1f}\u00a0%"


def size(number: int) -> str:
    """Bytes, as people say them."""
    for unit_size, unit in ((1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")):
        if number >= unit_size:
            return f"{number / unit_size:,.1f} {unit}"
    return f"{number:,} bytes"


def uncounted(articles: int) -> str:
    """The sentence on those whose words no figure has; empty: none."""
    are = amount(articles, "article is in a language", "articles are in languages")
    return f" {are} without blanks between words, and not counted." if articles else ""
