"""How the pages of an archive follow one another, and those of an article; the addresses of archive pages and the dates in them."""

from webarticlecurator.learning.paging.find_paging import PagingFindings, PagingRule, find_article_paging, find_paging

__all__ = ["PagingFindings", "PagingRule", "find_article_paging", "find_paging"]
