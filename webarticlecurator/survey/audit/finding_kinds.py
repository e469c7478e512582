"""What is to be said of a kind of findings: it stands above the function that finds them, in the module where its like are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

Find = TypeVar("Find", bound=Callable[..., Iterator[Any]])


@dataclass(slots=True)
class FindingKind:
    """One of them, to be written as a decorator. `find` is given a page (AuditedPage), and yields a PageFinding for each place; or, where
    there is no `share`, what was counted of all pages (Counts), with the portal, and yields the rows of the report."""

    rank: int
    """The report begins with the lowest: the most costly."""
    key: str
    """Of several kinds where one thing shows in several ways."""
    message: str
    """What was found. {tag} and {rule} are what it is about, {pages} and {words} how much it is."""
    advice: str
    """What to do."""
    share: float = 0.0
    """Of the pages of a layout from which it is told; of those of one year, twice as many. It is small where each page is a loss: all of a
    page without a container, an article without its comments, a box that is rare. It is larger where honest pages show the sign, too:
    notices outside the container, lists of links, long questions as headings. A container that is too large is so nearly everywhere."""
    variety: float = 0.0
    """Different texts among all, at least: what is the same on all pages is furniture, and rightly dropped."""
    words: float = 0.0
    """In the mean, at least."""
    find: Callable[..., Iterator[Any]] = field(init=False)

    def __call__(self, find: Find) -> Find:
        self.find = find
        KINDS.append(self)
        return find


KINDS: list[FindingKind] = []
