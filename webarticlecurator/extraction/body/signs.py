"""Signs: a judgement is a table of them, and each holds where all that it asks of a thing is so."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, NamedTuple, TypeVar

Thing = TypeVar("Thing")


class Sign(NamedTuple, Generic[Thing]):
    """One reason for a judgement, and its conditions."""

    reason: Callable[[Thing], str | None]
    """Says the reason, where all conditions are fulfilled."""
    conditions: tuple[Callable[[Thing], Any], ...]
    """Are asked in this order, so that the cheap ones come first."""


def constantly(reason: str) -> Callable[[Any], str]:
    """Return what always says this reason."""
    return lambda _: reason


def all_hold(conditions: Iterable[Callable[[Thing], Any]], thing: Thing) -> bool:
    """Return True if each of the conditions is fulfilled."""
    for condition in conditions:  # noqa: SIM110  # a generator costs more
        if not condition(thing):
            return False
    return True


def any_holds(conditions: Iterable[Callable[[Thing], Any]], thing: Thing) -> bool:
    """Return True if one of the conditions is fulfilled."""
    return any(condition(thing) for condition in conditions)


def reason_by(signs: Iterable[Sign[Thing]], thing: Thing) -> str | None:
    """Return the reason of the first sign that holds; None where none does."""
    # generators cost more, and signs are asked of each block of a page
    for reason_of, conditions in signs:
        for condition in conditions:
            if not condition(thing):
                break
        else:
            reason = reason_of(thing)
            if reason is not None:
                return reason
    return None
