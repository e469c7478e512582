"""Read pages that are in no corpus: articles come of them, one after the other, by as many processes as there
are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from webarticlecurator.config.load import as_portal
from webarticlecurator.corpus.saved_pages import addressed
from webarticlecurator.extraction.article_reader import read_capture
from webarticlecurator.loose_pages.handed_pages import HandedPage, handed_capture
from webarticlecurator.model.article import Article
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.workers.pool import BATCH, Job, Workers, run

if TYPE_CHECKING:
    from webarticlecurator.config.portal import Portal


def extract(
    html: HandedPage,
    url: str | None = None,
    portal: Portal | str | Path | None = None,
    *,
    captured: datetime | None = None,
) -> Article:
    """The article on one page: by the rules of a portal, or without one as the general reader sees it.

    `html` is a text, or bytes as they came, a path of a file, a tree of lxml, or a capture of `iter_warc`,
    which knows its URL, date and encoding. Without `url` it is the one that the head of the page tells; where
    that tells none, the page is named after its digest. `portal` is a portal, the path of its file, or its
    name. `captured` is the time that relative dates ("two hours ago") count from; without it, they are not
    read. Without a portal a time without an offset is written without one. Whatever the page is, there is an
    article, with an outcome and its reason.

    >>> from webarticlecurator import extract
    >>> article = extract("<title>Not much here</title>", "https://pelda.example/empty")
    >>> article.outcome
    <PageOutcome.EMPTY: 'empty'>
    """
    return _read(handed_capture(html, url, captured), _loaded(portal))


def extract_many(
    pages: Iterable[HandedPage | tuple[HandedPage, str | None]],
    portal: Portal | str | Path | None = None,
    *,
    jobs: int | None = None,
) -> Iterator[Article]:
    """The article on each page, in their order: of what `extract` takes, or of pairs of that and its address.

    However many they are, only some are held at a time. `jobs` processes read them, without it one a
    processor, at most four. A page that ends its process costs that page alone.

    >>> from webarticlecurator import extract_many, iter_warc
    >>> titles = [article.title for article in extract_many(iter_warc("corpora/kilenchid"))]
    """
    waiting = map(_capture, pages)
    first = list(islice(waiting, BATCH))
    workers = Workers.asked_for(jobs).for_tasks(len(first), BATCH)
    return chain.from_iterable(run(_Reading(_loaded(portal)), chain(first, waiting), workers=workers))


def _capture(page: HandedPage | tuple[HandedPage, str | None]) -> Capture:
    """Return a page as it can be sent to another process. Raises UsageError."""
    page, url = page if isinstance(page, tuple) and len(page) == 2 else (page, None)
    return handed_capture(page, url)


def _loaded(portal: Portal | str | Path | None) -> Portal | None:
    return as_portal(portal) if portal is not None else None


def _read(capture: Capture, portal: Portal | None) -> Article:
    """Return the article on a page; where nobody said its address, its head does, or its digest is its
    name."""
    return read_capture(capture if capture.url else addressed(capture), portal)


@dataclass(frozen=True, slots=True)
class _Reading(Job[Capture, Article]):
    """Reads pages by the rules of a portal, or by the general rules; it is its own worker."""

    portal: Portal | None

    def make(self, tasks: list[Capture]) -> list[Article]:
        return [_read(capture, self.portal) for capture in tasks]

    def give_up(self, task: Capture, reason: str) -> Article:
        """Return an article of a page on which its process died."""
        nothing = _read(replace(task, entity=b""), self.portal)
        return replace(nothing, outcome=PageOutcome.UNREADABLE, reason=reason)
