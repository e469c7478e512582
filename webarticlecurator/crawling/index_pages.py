"""Index pages in a crawl: which pages are such, and which posts need no page of their own to be whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from webarticlecurator.config.column_urls import rules_of
from webarticlecurator.config.portal import Portal
from webarticlecurator.crawling.run import Run
from webarticlecurator.model.capture import Capture, Request
from webarticlecurator.model.page import NoPage

_MOST_KEPT = 8
"""Pages whose posts are remembered: the queue goes through them one after the other, on each host."""
_MOST_CAPTURES = 5
"""Of one page, the newest first: what slid to the next page stood there before."""


def is_index_page(capture: Capture, portal: Portal) -> bool:
    """Whether a page holds posts of several articles. Raises PatternTimeout."""
    from webarticlecurator.extraction.index_posts import index_page_of  # few crawls have a need of it

    index = index_page_of(capture, portal)
    return not isinstance(index, NoPage) and index.is_index


@dataclass(slots=True)
class WholePosts:
    """The posts that stand whole on stored index pages."""

    run: Run
    _kept: dict[str, frozenset[str]] = field(default_factory=dict)
    """Index page -> identities of the whole posts on it."""

    def stands_on(self, page: str, identity: str) -> bool:
        """Whether an article stands whole on the page that listed it."""
        if page not in self._kept:
            while len(self._kept) >= _MOST_KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[page] = self.run.guarded(page, lambda: frozenset(self._whole_posts(page)), lambda _: frozenset())
        return identity in self._kept[page]

    def _whole_posts(self, page: str) -> Iterator[str]:
        from webarticlecurator.extraction.index_posts import index_page_of

        column = rules_of(self.run.portal, self.run.ledger.column_of_page(page))
        for response in self.run.ledger.latest_responses(Request(url=page).key, most=_MOST_CAPTURES):
            index = index_page_of(self.run.stored(response), self.run.portal, column)
            if not isinstance(index, NoPage):
                yield from (identity for identity, post in index.by_identity.items() if post.whole)
