"""Index pages in a crawl: which pages are such, and which posts need no page of their own to be whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

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
    _kept: dict[str, Mapping[str, str]] = field(default_factory=dict)
    """Index page -> identity of a whole post on it -> the URL of the page."""

    def page_with(self, identity: str, via: str | None) -> str | None:
        """The index page on which an article stands whole, if the page that listed it is one."""
        if via is None:
            return None
        if via not in self._kept:
            while len(self._kept) >= _MOST_KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[via] = self.run.guarded(via, lambda: self._whole_posts(via), lambda _: {})
        return self._kept[via].get(identity)

    def _whole_posts(self, via: str) -> Mapping[str, str]:
        from webarticlecurator.extraction.index_posts import index_page_of

        whole: dict[str, str] = {}
        name = self.run.ledger.column_of_page(via)
        column = next((one for one in self.run.portal.columns if one.name == name), None)
        for response in self.run.ledger.latest_responses(Request(url=via).key, most=_MOST_CAPTURES):
            index = index_page_of(self.run.stored(response), self.run.portal, column)
            whole |= {identity: via for identity, post in index.by_identity.items() if post.whole} if not isinstance(index, NoPage) else {}
        return whole
