"""Pages that read like lists, though nearly all pages that are written and made as they are, are articles.

A page alone tells by its links whether it is a list; beside its siblings a message with many links is a
message.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace

from webarticlecurator.building.database import BuildDatabase
from webarticlecurator.extraction.address_forms import form_of
from webarticlecurator.model.article import AMID_SIGN, Article
from webarticlecurator.model.outcome import PageOutcome

_FEWEST_SIBLINGS = 10
"""Articles of one form of address and one layout."""
_MOST_LISTS = 0.05
"""The largest share of such pages that may read like lists by chance."""
_FEWEST_CHARACTERS = 200
"""Characters of a text that somebody may have written."""
_LISTS = "SELECT id, url, layout FROM articles WHERE outcome = 'listing'"
_ARTICLES = "SELECT url, layout FROM articles WHERE path IS NOT NULL"


def lists_amid_articles(database: BuildDatabase) -> set[str]:
    """Return the ids of pages that read like lists, and stand amid articles of their kind."""
    lists: defaultdict[tuple[str, str | None], list[str]] = defaultdict(list)
    for id, url, layout in database.rows(_LISTS):
        lists[form_of(url), layout].append(id)
    if not lists:
        return set()
    articles = Counter((form_of(url), layout) for url, layout in database.rows(_ARTICLES))
    return {id for kind, ids in lists.items() if _are_few(len(ids), articles[kind]) for id in ids}


def as_article(article: Article) -> Article:
    """Return a page that reads like a list as the article that it is beside its siblings, with that doubt;
    one of hardly any text as it is."""
    if article.outcome is not PageOutcome.LISTING or article.extent.characters < _FEWEST_CHARACTERS:
        return article
    doubt = f"{AMID_SIGN}{article.reason}, but nearly all pages written and made like it are articles"
    return replace(article, outcome=PageOutcome.ARTICLE, reason="", flags=(*article.flags, doubt))


def _are_few(lists: int, articles: int) -> bool:
    return articles >= _FEWEST_SIBLINGS and lists <= _MOST_LISTS * (lists + articles)
