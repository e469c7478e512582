"""Index pages in a crawl: which pages are such, and which posts need no page of their own to be whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webarticlecurator.config.portal import Column, Portal
from webarticlecurator.crawling.run import Run
from webarticlecurator.document.page import read_page
from webarticlecurator.model.capture import Capture, Request
from webarticlecurator.model.page import NoPage

if TYPE_CHECKING:
    from webarticlecurator.extraction.index_posts import IndexPage

_MOST_KEPT = 8
"""Pages whose posts are remembered: the queue goes through them one after the other, on each host."""
_MOST_CAPTURES = 5
"""Of one page, the newest first: what slid to the next page stood there before."""


def is_index_page(capture: Capture, portal: Portal) -> bool:
    """Whether a page holds posts of several articles. Raises PatternTimeout."""
    index = _index_page(capture, portal, None)
    return index is not None and index.is_index


def _index_page(capture: Capture, portal: Portal, column: Column | None) -> IndexPage | None:
    from webarticlecurator.extraction.index_posts import read_index_page  # few crawls have a need of it

    page = read_page(capture, encoding=portal.fetch.encoding)
    return None if isinstance(page, NoPage) else read_index_page(page, portal, column.urls if column is not None else None)


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
        whole: dict[str, str] = {}
        name = self.run.ledger.column_of_page(via)
        column = next((one for one in self.run.portal.columns if one.name == name), None)
        for response in self.run.ledger.latest_responses(Request(url=via).key, most=_MOST_CAPTURES):
            index = _index_page(self.run.stored(response), self.run.portal, column)
            whole |= {identity: via for identity, post in index.by_identity.items() if post.whole} if index is not None else {}
        return whole
