"""Where ticks stand, and how numbers are written."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log10

from webarticlecurator.amounts import amount

_STEPS = (1, 2, 2.5, 5, 10)


def ticks(largest: float, about: int = 4) -> tuple[float, ...]:
    """Round numbers from 0 to the first that is not below the largest; counts of things get no halves."""
    if largest <= 0:
        return (0, 1)
    rough = largest / about
    power = 10 ** floor(log10(rough))
    step = max(1, next(one * power for one in _STEPS if one * power >= rough * 0.999))
    step = ceil(step)
    return tuple(step * number for number in range(ceil(largest / step) + 1))


def thinned(labels: Sequence[str], room: int) -> list[tuple[int, str]]:
    """Every so many-th label with its place, so that no more than `room` stand; years go by round numbers where they can."""
    every = next((step for step in (1, 2, 5, 10, 20, 50, 100) if len(labels) / step <= room), ceil(len(labels) / max(1, room)))
    numbers = every > 1 and all(label.isdigit() for label in labels)
    return [(place, label) for place, label in enumerate(labels) if (int(label) if numbers else place) % every == 0]


def count(number: float) -> str:
    """12,345; a mean with one decimal."""
    return f"{number:,}" if isinstance(number, int) else f"{number:,.0f}" if float(number).is_integer() else f"{number:,.1f}"


def short(number: float) -> str:
    """12,345 as 12k, 3,400,000 as 3.4M: for axes."""
    for size, unit in ((1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")):
        if number >= size:
            return f"{number / size:g}{unit}"
    return f"{number:g}"


def percent(part: float, whole: float) -> str:
    """Never 100 % where something is missing, never 0 % where something is there."""
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
    told = amount(articles, "article is in a language", "articles are in languages")
    return f" {told} without blanks between words, and not counted." if articles else ""
