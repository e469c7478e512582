"""Named checks: a judgement is a table of them, and each asks one question."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, NamedTuple, TypeVar

Thing = TypeVar("Thing")


class Check(NamedTuple, Generic[Thing]):
    """One question about a thing, with the reason that holds where the answer is yes."""

    name: str
    holds: Callable[[Thing], bool]


class Evidence(NamedTuple, Generic[Thing]):
    """One kind of evidence for a thing, and how much of it there is."""

    name: str
    weight: Callable[[Thing], int]


def first_reason(checks: Iterable[Check[Thing]], thing: Thing) -> str:
    """Return the name of the first check that holds; empty where none does."""
    for check in checks:
        if check.holds(thing):
            return check.name
    return ""


def total_weight(evidence: Iterable[Evidence[Thing]], thing: Thing) -> int:
    """Return how much all the evidence weighs together."""
    return sum(kind.weight(thing) for kind in evidence)
