"""What is made of pages that are in no corpus: articles, one after the other, by as many processes as there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import TYPE_CHECKING

from webarticlecurator.errors import UsageError
from webarticlecurator.extraction.article_reader import extract
from webarticlecurator.model.article import Article
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.workers.pool import BATCH, Job, Workers, run

if TYPE_CHECKING:
    from webarticlecurator.config.portal import Portal

_GivenPage = Capture | tuple[str | bytes, str]
"""A capture; or a page and its address."""


def extract_many(
    pages: Iterable[Capture | tuple[str | bytes, str]],
    portal: Portal | None = None,
    *,
    jobs: int | None = None,
) -> Iterator[Article]:
    """The article on each page, in their order: of captures, or of pairs of a page and its address.

    However many they are, only some are held at a time. `jobs` processes read them, without it one a processor, at most four.
    A page that ends its process costs that page alone.

    >>> from webarticlecurator import extract_many, iter_warc
    >>> titles = [article.title for article in extract_many(iter_warc("corpora/kilenchid"))]
    """
    waiting = iter(pages)
    first = list(islice(waiting, BATCH))
    workers = Workers.asked_for(jobs).for_tasks(len(first), BATCH)
    return chain.from_iterable(run(_Reading(portal), chain(first, waiting), workers=workers))


@dataclass(frozen=True, slots=True)
class _Reading(Job[_GivenPage, Article]):
    """Reads pages by the rules of a portal, or by the general rules; it is its own worker."""

    portal: Portal | None

    def make(self, tasks: list[_GivenPage]) -> list[Article]:
        return list(map(self._article, tasks))

    def give_up(self, task: _GivenPage, reason: str) -> Article:
        """Return an article of a page on which its process died."""
        url = task.requested_url if isinstance(task, Capture) else task[1]
        nothing = extract(b"", url, self.portal)
        return replace(nothing, outcome=PageOutcome.UNREADABLE, reason=reason)

    def _article(self, page: _GivenPage) -> Article:
        if isinstance(page, Capture):
            return extract(page, portal=self.portal)
        if not isinstance(page, tuple) or len(page) != 2:
            raise UsageError(f"extract_many() takes captures, or pairs of a page and its address; this is neither: {page!r:.80}")
        return extract(*page, portal=self.portal)
