"""The form of an option or argument on a command line: declared beside its value, as `Annotated[TYPE,
TypedAs(...)]`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from webarticlecurator.errors import UsageError
from webarticlecurator.own_patterns import linear_at

_SHARE = linear_at(r"([0-9]{1,4})/([0-9]{1,4})")


class TypedAs(NamedTuple):
    """An option or argument of a command. A bool is a switch; one that is on unasked is switched off by
    it."""

    name: str
    """The flags, with blanks between them; of an argument nothing."""
    help: str
    takes: str = ""
    """The name of what stands after it; empty for a switch."""
    least: float | None = None
    """The smallest number that it takes."""
    most: float | None = None
    parse: Callable[[str], Any] | None = None
    """The function that makes a value of what was typed, where its type does not say it."""
    group: str = ""
    """The heading under which help shows it."""


def share_named(written: str) -> tuple[int, int]:
    """Return the numbers of a share: 3 and 10 of `3/10`, the third of ten. Raises UsageError."""
    number, of = map(int, parts.groups()) if (parts := _SHARE.fullmatch(written)) else (0, 0)
    if not 1 <= number <= of:
        raise UsageError(f"--share {written}: write the third of ten shares as 3/10.")
    return number, of
