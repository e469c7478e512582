"""Where ticks stand, and how numbers are written."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log10

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


def short(number: float) -> str:
    """12,345 as 12k, 3,400,000 as 3.4M: for axes."""
    for size, unit in ((1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")):
        if number >= size:
            return f"{number / size:g}{unit}"
    return f"{number:g}"
