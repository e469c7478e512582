"""The queries of numbers.sql, by the names of the numbers that they are."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import NamedTuple

_HEAD = re.compile(r"^--- ([a-z-]+)(?:: (.+?))?(?: \[(\d+)\])?\n", re.MULTILINE)


class Number(NamedTuple):
    """What is counted, and how."""

    name: str
    title: str
    """On the screen; empty: nothing is shown of it there."""
    most: int | None
    """Rows; how many there are beyond them is told."""
    sql: str
    """Empty: code counts it."""


def _numbers() -> tuple[str, tuple[Number, ...]]:
    """The statements that prepare the tables for them, then they."""
    _, *parts = _HEAD.split(files(__package__).joinpath("numbers.sql").read_text("utf-8"))
    (_, _, _, prepared), *numbers = zip(*(iter(parts),) * 4, strict=True)
    return prepared, tuple(Number(name, title or "", int(most) if most else None, sql.strip()) for name, title, most, sql in numbers)


PREPARED, NUMBERS = _numbers()
