"""Columns that write one address in two ways: a feed with `http:`, pages with `https:`; the article is collected once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from webarticlecurator.model.links import ArchivePage, ArticleLink
from webarticlecurator.urls import other_spellings


def in_known_spellings(page: ArchivePage, is_known: Callable[[str], bool]) -> ArchivePage:
    """The page with each article under the address by which it is known, or stands on the page itself, where that is another.

    What an `identity` rule tells apart, or finds to be one, stays as it is.
    """
    articles: dict[str, ArticleLink] = {}
    for link in page.articles:
        url = _known_as(link, articles, is_known)
        articles.setdefault(url, link if url == link.url else replace(link, url=url, identity=url))
    return replace(page, articles=tuple(articles.values()))


def _known_as(link: ArticleLink, listed: dict[str, ArticleLink], is_known: Callable[[str], bool]) -> str:
    if link.identity != link.url or link.url in listed or is_known(link.url):
        return link.url
    spellings = (url for url in other_spellings(link.url) if url in listed or is_known(url))
    return next(spellings, link.url)
