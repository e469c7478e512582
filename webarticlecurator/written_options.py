"""How a command line writes an option or argument: declared beside its value, as `Annotated[TYPE,
TypedAs(...)]`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class TypedAs(NamedTuple):
    """One option or argument of a command. A bool is a switch; one that is on unasked is switched off by
    it."""

    name: str
    """Flags, with blanks between them; of an argument nothing."""
    help: str
    takes: str = ""
    """What stands after it; nothing after a switch."""
    least: float | None = None
    """The smallest number that it takes."""
    most: float | None = None
    parse: Callable[[str], Any] | None = None
    """What makes a value of what was typed, where its type does not say it."""
    group: str = ""
    """The heading under which help shows it."""
