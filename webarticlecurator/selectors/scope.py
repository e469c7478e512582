"""Where one selection takes place, and how much work it may do."""

from __future__ import annotations

from collections.abc import Callable

from lxml.etree import _Element as Element

from webarticlecurator.budget import MAX_STEPS
from webarticlecurator.errors import PatternTimeout


class SelectorError(ValueError):
    """The text is not a selector that the engine supports; the message says why."""


class Scope:
    """Where one selection takes place, and how much work it may still do."""

    __slots__ = ("anchor", "left", "root", "rule")

    def __init__(self, root: Element | None, anchor: Element | None = None, left: int = MAX_STEPS, rule: str = "") -> None:
        self.root = root
        """Neither ancestors nor siblings of this element are looked at; None: the whole page."""
        self.anchor = anchor
        """What the left end of a `:has()` argument must be; for `:scope` the root."""
        self.left = left
        self.rule = rule
        """The one that is being asked."""

    def step(self, cost: int = 1) -> None:
        self.left -= cost
        if self.left < 0:
            raise PatternTimeout(f"{self.rule!r} had to look at too many elements of a page; make it simpler (name a class, not a chain)")


Test = Callable[[Element, Scope], bool]
"""Whether an element fulfils one condition."""


def both(first: Test, second: Test) -> Test:
    return lambda element, scope: first(element, scope) and second(element, scope)
