"""What is to be said of a kind of findings: it stands above the function that finds them, in the module where its like are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from webarticlecurator.config.portal import Portal
from webarticlecurator.databases import Row
from webarticlecurator.survey.audit.audited_page import AuditedPage, PageFinding
from webarticlecurator.survey.page_pass import Counts

OnPage = Callable[[AuditedPage], Iterator[PageFinding]]
OnAll = Callable[[Counts, Portal], Iterator[Row]]


class FindingKind(NamedTuple):
    """One of them."""

    rank: int
    """The report begins with the lowest: the most costly."""
    key: str
    """Of several kinds where one thing shows in several ways."""
    message: str
    """What was found. {tag} and {rule} are what it is about, {pages} and {words} how much it is."""
    advice: str
    """What to do."""
    on_page: OnPage | None = None
    """How it is found on a single page."""
    on_all: OnAll | None = None
    """How it is found in what was counted of all pages."""
    share: float = 0.0
    """Of the pages of a layout from which it is told; of those of one year, twice as many.

    It is small where each page is a loss: all of a page without a container, an article without its comments, a box that is rare. It is
    larger where honest pages show the sign, too: notices outside the container, lists of links, long questions of an interview as headings.
    A container that is too large is so nearly everywhere.
    """
    variety: float = 0.0
    """Different texts among all, at least: what is the same on all pages is furniture, and rightly dropped."""
    words: float = 0.0
    """In the mean, at least."""


KINDS: list[FindingKind] = []
"""Of all modules that were imported."""


def on_a_page(
    rank: int, key: str, message: str, advice: str, *, share: float, variety: float = 0.0, words: float = 0.0
) -> Callable[[OnPage], OnPage]:
    """The function below finds it on a page; it is told where `share`, `variety` and `words` are reached."""

    def add(find: OnPage) -> OnPage:
        KINDS.append(FindingKind(rank, key, message, advice, on_page=find, share=share, variety=variety, words=words))
        return find

    return add


def on_all_pages(rank: int, key: str, message: str, advice: str) -> Callable[[OnAll], OnAll]:
    """The function below finds it in what was counted of all pages."""

    def add(find: OnAll) -> OnAll:
        KINDS.append(FindingKind(rank, key, message, advice, on_all=find))
        return find

    return add
