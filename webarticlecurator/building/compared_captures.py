"""Compare the captures of one article: since when it has its text, and whether its addresses are one
article."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from webarticlecurator.building.stored_reading import StoredReading, last_place
from webarticlecurator.corpus.stored_articles import ArticleResponse
from webarticlecurator.extraction.article_reader import read_article
from webarticlecurator.model.article import Article
from webarticlecurator.model.outcome import DOCUMENTED
from webarticlecurator.model.page import NoPage, Page
from webarticlecurator.text import squeeze


def text_changed(reading: StoredReading, article: Article) -> str | None:
    """Return when the capture was made that brought the article's headline and text; None where the oldest
    readable one has it already.

    It follows from the captures alone, whenever they were built. Not all of them are read, since some
    articles are stored anew every night: the oldest, then always the one in the middle; so a text that was
    changed and changed back is the old one.
    """
    source, states = reading.source, reading.source.states
    if source.post is not None and source.post.capture in article.captures:
        return None  # it stands on an index page

    def text_in(state: int) -> tuple[str | None, str] | None:
        older = replace(reading, source=replace(source, stored=states[state], post=None)).from_own_page()
        is_alike = (older.next_page, older.missing_pages) == (
            article.next_page,
            article.missing_pages,
        )  # its pages came one by one
        return (older.title, older.words) if older.outcome in DOCUMENTED and is_alike else None

    newest_text = article.title, article.words
    for oldest in range(len(states) - 1, 0, -1):
        oldest_text = text_in(oldest)
        if oldest_text is not None:
            break
    else:
        return None
    if oldest_text == newest_text:
        return None
    since = last_place(0, oldest, lambda state: text_in(state) == newest_text)
    return replace(source, stored=states[since]).captured


def captured_articles(reading: StoredReading) -> Iterator[tuple[str, Article | NoPage]]:
    """Yield the article as each capture of it has it, the oldest first, with the time of the capture; why
    there is none, where a capture cannot be read."""
    for state in reversed(reading.source.states):
        at = replace(reading, source=replace(reading.source, stored=state, post=None), pages=[])
        for first in at.source.first_responses[:1]:
            page = at.page(first)
            yield first.capture.date, at.of_page(first, page) if isinstance(page, Page) else page


def conflict_in(reading: StoredReading, article: Article) -> str | None:
    """Return what speaks against it that the addresses of one identity are one article: another headline and
    another text at one of them.

    Portals give an article a new headline, and an address made of it.
    """
    newest_of_address: dict[str, ArticleResponse] = {}
    for stored in reading.source.first_responses:
        newest_of_address.setdefault(stored.url, stored)
    newest_of_address.pop(article.url, None)
    for url, stored in newest_of_address.items():
        page = reading.page(stored)
        if isinstance(page, Page):
            read = read_article(
                [page], reading.portal, id=article.id, identity=article.identity, url=url, listing={}
            )
            if _is_another(article, read):
                mine, other = squeeze(article.title or ""), squeeze(read.title or "")
                return (
                    f"one identity, two headlines: {mine!r}, and {other!r} at {url}; `articles.identity` may "
                    "take too much together"
                )
    return None


def _is_another(article: Article, other: Article) -> bool:
    """Say whether two pages hold two articles: both headlines are known and differ, and less than half of the
    shorter text is in both."""
    headlines = {squeeze(each.title or "") for each in (article, other)}
    if "" in headlines or len(headlines) == 1:
        return False
    lines, other_lines = (set(map(squeeze, each.text.split("\n"))) for each in (article, other))
    common, *lengths = (sum(map(len, some)) for some in (lines & other_lines, lines, other_lines))
    return common == 0 or 2 * common < min(lengths)
