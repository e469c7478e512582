"""Python's search for objects that hold one another, put off while pages are read."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collector() -> Iterator[None]:
    """Pages are made of very many objects in no circles: to look for circles among them, again and again, took a tenth of the time.

    Behind it, Python looks as ever, so what a batch of pages left in circles goes before the next one.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
