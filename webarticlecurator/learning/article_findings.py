"""What stored articles show of a portal's rules: each finder by itself, asked here or by other processes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Self

from webarticlecurator.config.portal import Portal
from webarticlecurator.document.page import read_page
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.article_pages import next_article_page
from webarticlecurator.faults import reason_of
from webarticlecurator.learning.bodies.find import find_bodies
from webarticlecurator.learning.bodies.known_texts import Truth
from webarticlecurator.learning.metadata import find_metadata
from webarticlecurator.learning.paging import find_article_paging
from webarticlecurator.learning.posts import find_posts
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.links import Fields
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Learned
from webarticlecurator.urls import normalise
from webarticlecurator.workers import pool
from webarticlecurator.workers.carriers import Workers

ARCHIVE, ARTICLES, METADATA = "archive", "articles", "metadata"
PARTS = (ARCHIVE, ARTICLES, METADATA)


@dataclass(frozen=True, slots=True, kw_only=True)
class PagesToLearnFrom:
    """Stored pages of a portal."""

    archive: Mapping[str, tuple[Page, ...]] = field(default_factory=dict)
    """By the name of their column, in the order of the walk."""
    walked: Mapping[str, int] = field(default_factory=dict)
    """Column that was walked to a proved or known end by the rules of the file -> archive pages that gave links on its longest walk."""
    articles: tuple[Page, ...] = ()
    listings: Mapping[str, Fields] = field(default_factory=dict)
    """What archive pages say of the articles, by URL."""
    truths: tuple[Truth, ...] = ()
    """What a person said of the texts of some articles."""
    confirmed: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """And of their metadata, by URL and field."""


def _bodies(portal: Portal, pages: PagesToLearnFrom) -> Learned:
    return find_bodies(pages.articles, pages.truths, portal=portal, listings=pages.listings)


def _paging(portal: Portal, pages: PagesToLearnFrom) -> Learned:
    """Nothing, where `articles.next` of the file leads to the same pages."""
    found, rules = find_article_paging(pages.articles, pages.listings), portal.articles.next
    as_good = rules is not None and all(
        _normal(next_article_page(page, portal, ())) == _normal(found.next_of(page)) for page in pages.articles
    )
    return Learned(proposals=() if as_good or not found.choices else tuple(found.proposals()))


def _metadata(portal: Portal, pages: PagesToLearnFrom) -> Learned:
    return find_metadata(pages.articles, portal, confirmed=pages.confirmed, listings=pages.listings)


def _posts(portal: Portal, pages: PagesToLearnFrom) -> Learned:
    return find_posts(pages.articles, portal)


def _normal(url: str | None) -> str | None:
    return None if url is None else normalise(url)


_FINDERS: Mapping[str, tuple[str, Callable[[Portal, PagesToLearnFrom], Learned]]] = {
    "bodies": (ARTICLES, _bodies),
    "further pages of articles": (ARTICLES, _paging),
    "metadata": (METADATA, _metadata),
    "posts": (METADATA, _posts),
}
"""What is looked for -> of which part it is, and who looks."""


def finders_of(parts: Sequence[str]) -> list[str]:
    """What is looked for in articles."""
    return [what for what, (part, _) in _FINDERS.items() if part in parts]


def find_in_articles(what: str, portal: Portal, pages: PagesToLearnFrom) -> Learned:
    """What one finder finds. A page may be anything, and one of them must not end the whole."""
    try:
        return _FINDERS[what][1](portal, pages) if pages.articles else Learned()
    except (MemoryError, OSError):
        raise
    except Exception as error:
        return _not_learned(what, str(error) if isinstance(error, PatternTimeout) else reason_of(error))


def _not_learned(what: str, reason: str) -> Learned:
    return Learned(remarks=(f"{what} could not be learned: {reason}",))


@dataclass(frozen=True, slots=True)
class FindersJob:
    """What every process is told: a page does not travel, and is read again from its answer."""

    portal: Portal
    captures: tuple[Capture, ...]
    """Of the articles, in their order."""
    told: PagesToLearnFrom
    """What is known beside the pages."""

    def worker(self) -> _Worker:
        """Where one process works."""
        rules = self.portal
        read = (read_page(one, encoding=rules.fetch.encoding, format=rules.articles.format) for one in self.captures)
        return _Worker(rules, replace(self.told, articles=tuple(page for page in read if isinstance(page, Page))))

    def must_agree(self) -> Mapping[str, str]:
        """Nothing beside the program: the pages come with the job."""
        return {}


@dataclass(frozen=True, slots=True)
class _Worker:
    portal: Portal
    pages: PagesToLearnFrom

    def make(self, tasks: list[str]) -> list[Learned]:
        return [find_in_articles(what, self.portal, self.pages) for what in tasks]

    def give_up(self, task: str, reason: str) -> Learned:
        return _not_learned(task, reason)


class FindersElsewhere:
    """Finders that work while this process does something else. Used in a `with`."""

    def __init__(self, job: FindersJob, wanted: Sequence[str], workers: Workers) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="finders")
        self._found = self._thread.submit(
            lambda: dict(zip(wanted, chain.from_iterable(pool.run(job, wanted, workers=workers, batch=1)), strict=True))
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._thread.shutdown()

    def __call__(self, what: str) -> Learned:
        """What one of them finds, as soon as all have."""
        return self._found.result()[what]
