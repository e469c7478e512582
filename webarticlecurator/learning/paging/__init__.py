"""How the pages of an archive follow one another, and those of an article; the addresses of archive pages and the dates in them."""

from webarticlecurator.learning.paging.find import find_article_paging, find_paging
from webarticlecurator.learning.paging.findings import ArticlePagingFindings, PagingFindings, PagingRule

__all__ = ["ArticlePagingFindings", "PagingFindings", "PagingRule", "find_article_paging", "find_paging"]
