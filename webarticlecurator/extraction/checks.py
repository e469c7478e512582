"""Named checks: a judgement is a table of them, and each asks one question."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, NamedTuple, TypeVar

Thing = TypeVar("Thing")
Value = TypeVar("Value")


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


def all_hold(checks: Iterable[Check[Thing]], thing: Thing) -> bool:
    """Return True if each check holds."""
    return all(check.holds(thing) for check in checks)


def total_weight(evidence: Iterable[Evidence[Thing]], thing: Thing) -> int:
    """Return how much all the evidence weighs together."""
    return sum(kind.weight(thing) for kind in evidence)


class fact(Generic[Value]):  # noqa: N801  # it stands where `property` would
    """A fact about a thing that is computed once, when a check asks for it.

    `functools.cached_property` of Python 3.11 takes a lock each time, which is felt where each link has
    facts.
    """

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        self._compute, self._name = compute, compute.__name__
        self.__doc__ = compute.__doc__

    def __get__(self, thing: Any, kind: type | None = None) -> Value:
        value = thing.__dict__[self._name] = self._compute(thing)
        return value
