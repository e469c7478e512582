"""How much work the rules of a portal file may make on one page: one budget for all its picks, patterns, dates and selectors.

Portal files are shared between strangers. Each pattern and each selection has a limit of its own, but a hundred of them one after the other
could still hold up a run for a minute a page.
"""

from __future__ import annotations

from contextvars import ContextVar, Token
from time import thread_time

from webarticlecurator.errors import PatternTimeout

PAGE_LIMIT = 10.0
"""Seconds of computing in this thread, which waiting and a busy machine take nothing of; a page of usual size needs thousandths."""
MAX_STEPS = 3_000_000
"""Elements that one selection may look at, and all tag rules of a page together; about two seconds."""


class Budget:
    """Of one page. While rules work on it (`with budget:`) the clock runs; it stands while the program does work of its own."""

    __slots__ = ("_left", "_outer", "_working", "steps", "until")

    def __init__(self) -> None:
        self.steps = MAX_STEPS
        """What its tag rules have left."""
        self._left = PAGE_LIMIT
        self.until = 0.0
        """Where the computing time ends."""
        self._working = 0
        """How many of those that let rules work on it have begun and not ended."""
        self._outer: Token[Budget | None] | None = None

    def __enter__(self) -> None:
        self._working += 1
        if self._working == 1:
            self.until = thread_time() + self._left
            self._outer = _WORKING.set(self)

    def __exit__(self, *_: object) -> None:
        self._working -= 1
        if not self._working and self._outer is not None:
            _WORKING.reset(self._outer)
            self._left = self.until - thread_time()


_WORKING: ContextVar[Budget | None] = ContextVar("budget", default=None)


def allowed(rule: str, most: float = 0.001) -> float:
    """For how many seconds a rule may work now, at most `most`. Raises PatternTimeout where the page's time is over."""
    budget = _WORKING.get()
    left = most if budget is None else min(most, budget.until - thread_time())
    if left <= 0:
        raise over(rule)
    return left


def over(rule: str) -> PatternTimeout:
    """What is said when the rules of a portal file needed too long together."""
    needed = f"the rules of the portal file needed more than {PAGE_LIMIT:g} s for one page"
    return PatternTimeout(f"{needed}, and were stopped at {rule[:200]!r}; make them simpler")
