"""How a command line writes an option: declared beside the option itself, as `Annotated[TYPE, TypedAs(...)]`."""

from __future__ import annotations

from typing import NamedTuple


class TypedAs(NamedTuple):
    """One option of a command. A bool is a switch; one that is on unasked is switched off by it."""

    name: str
    help: str
    takes: str = ""
    """What stands after it; nothing after a switch."""
    repeated: bool = False
    """It may be given several times."""
    least: int | None = None
    """The smallest number that it takes."""
