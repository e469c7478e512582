"""The ways from page to page that stored pages show, ranked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from webarticlecurator.learning.paging.findings import ArticlePagingFindings, PagingFindings
from webarticlecurator.model.page import Page


def find_paging(pages: Sequence[Page], links_of: Callable[[Page], frozenset[str]] | None = None) -> PagingFindings:
    """How these archive pages follow one another; `links_of`: the articles that a page lists, where that is known."""
    del links_of
    return PagingFindings(following={page.requested_url: None for page in pages})


def find_article_paging(pages: Sequence[Page]) -> ArticlePagingFindings:
    """How the further pages of these articles follow one another."""
    return ArticlePagingFindings(following={page.requested_url: None for page in pages})
