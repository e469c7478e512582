"""How long work takes, so that a slow or busy machine, and what other tests left in memory, make no test fail."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from time import thread_time

_TURNS = 400_000
_USUAL = 0.02
"""Seconds in which a machine of 2024 adds so many numbers."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Of this thread's work, as a usual machine would take them."""
    before = _slowness()
    with undisturbed():
        began = thread_time()
        yield
        taken = thread_time() - began
    usual = taken / max(1.0, before, _slowness())
    assert usual < seconds, f"{taken:.2f} s here, {usual:.2f} s on a usual machine, where {seconds} were allowed"


@contextmanager
def undisturbed() -> Iterator[None]:
    """Without all that other tests left in memory: else it would be looked through again and again while objects are made."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _slowness() -> float:
    """How many times as long this machine takes now."""
    began = thread_time()
    sum(number & 7 for number in range(_TURNS))
    return (thread_time() - began) / _USUAL
