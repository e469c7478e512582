"""What archive pages say: links to articles, and the way to the next archive page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.config.picks import Pick, Picks
from webarticlecurator.config.portal import ArchiveFormat, Column, PagingMode, Portal
from webarticlecurator.document.page import Page
from webarticlecurator.extract.article_pages import another_article, next_article_page, unseen_links
from webarticlecurator.extract.going_on import goes_on
from webarticlecurator.extract.nodes import Place
from webarticlecurator.extract.picks import pick_fields, pick_nodes, pick_values
from webarticlecurator.extract.url_rules import article_url, cleaned, identity_of
from webarticlecurator.extract.values import Wanted
from webarticlecurator.model.links import ArchivePage, ArticleLink, Fields, RefusedLink
from webarticlecurator.selectors import Selector
from webarticlecurator.urls import is_http, join, normalise

__all__ = ["another_article", "goes_on", "identity_of", "next_article_page", "read_archive_page", "skip_reason", "unseen_links"]

MAX_LINKS = 20_000
"""Of one archive page, refused ones included; what follows is left unread, and the page says so."""
_LINK = Wanted(holds=Holds.URL, link=True)
_FIRST_LINK = Picks(alternatives=(Pick(css=Selector.parse("a[href]")), Pick()))
"""In JSON, where an item may be the URL itself, the second one."""
_NUMBER = re.compile(r"(?a:\d{1,9})")
_LINKS = Wanted(many=True, holds=Holds.URL, link=True)


def read_archive_page(page: Page, column: Column, portal: Portal) -> ArchivePage:
    """Links to articles in page order, and what there is to go on with. Never raises but for a rule that runs out of time."""
    place = Place.whole(page, portal, language=column.language, base=column.base)
    articles: dict[str, ArticleLink] = {}
    refused: dict[str, RefusedLink] = {}
    overfull = False
    for joined, fields in _links(place, column):
        if len(articles) + len(refused) >= MAX_LINKS:
            overfull = True
            break
        listed = article_url(joined, column.urls, portal)
        if isinstance(listed, RefusedLink):
            refused.setdefault(listed.url, listed)
            continue
        url = normalise(listed)
        seen = articles.get(url) or ArticleLink(url=url, identity=identity_of(url, portal))
        articles[url] = _listed_again(seen, listed, fields)
    return ArchivePage(
        articles=tuple(articles.values()),
        refused=tuple(refused.values()),
        next_url=_next_url(place, column),
        last_page=_last_page(place, column),
        overfull=overfull,
        stop=_stop(page, column),
    )


def skip_reason(page: Page, portal: Portal) -> str | None:
    """Which selector of `articles.skip.when` says that the page is no article."""
    if page.tree is None:
        return None
    return next((f"articles.skip.when: {selector.text}" for selector in portal.articles.skip_when if selector.select(page.tree)), None)


def _links(place: Place, column: Column) -> Iterator[tuple[str, Fields]]:
    """Joined URLs with their listing fields."""
    if column.format is ArchiveFormat.URLS:
        yield from ((url, {}) for url in _listed_urls(place))
    elif column.item is not None:
        for node in pick_nodes(column.item, place):
            item = place.item(node)
            urls = list(_links_of_item(item, column))
            fields = _fields(item, column) if urls else {}
            yield from ((url, fields) for url in urls)
    elif column.link is not None:
        for value in pick_values(column.link, place, _LINKS).values:
            yield value.text, _fields(place.item(value.node), column) if value.node is not None else {}


def _links_of_item(item: Place, column: Column) -> Iterator[str]:
    """What the `link` pick finds; without one the item itself, if it is an `a`, else the first usable `a[href]` in it."""
    yield from (value.text for value in pick_values(column.link or _FIRST_LINK, item, _LINK).values)


def _listed_urls(place: Place) -> Iterator[str]:
    """One URL a line; empty lines and comments are passed over."""
    for line in place.page.text.splitlines():
        url = join(place.base or place.page.base, line) if line.strip() and not line.lstrip().startswith("#") else None
        if url is not None and is_http(url):
            yield url


def _fields(item: Place, column: Column) -> Fields:
    found = pick_fields(column.fields, item)
    return {name: tuple(value.value for value in values) for name, values in found.items()}


def _listed_again(link: ArticleLink, listed: str, fields: Fields) -> ArticleLink:
    """One more listing of an article: lists unite, of single values the first seen wins."""
    united = dict(link.fields)
    for name, values in fields.items():
        many = FIELDS[name].many if name in FIELDS else False
        if many:
            united[name] = tuple(dict.fromkeys((*united.get(name, ()), *values)))
        else:
            united.setdefault(name, values)
    return replace(link, spellings=tuple(dict.fromkeys((*link.spellings, listed))), fields=united)


def _next_url(place: Place, column: Column) -> str | None:
    if column.paging.mode is not PagingMode.NEXT_LINK or column.next is None:
        return None
    found = pick_values(column.next, place, _LINK).values
    return cleaned(found[0].text, column.urls) if found else None


def _last_page(place: Place, column: Column) -> int | None:
    """The highest number that the `last` pick finds; whole texts count before numbers inside them."""
    if column.paging.mode is not PagingMode.NUMBERED or not isinstance(column.paging.last, Picks):
        return None
    texts = [value.text for value in pick_values(column.paging.last, place, Wanted(many=True)).values]
    whole = [int(text) for text in texts if _NUMBER.fullmatch(text)]
    return max(whole or [int(number) for text in texts for number in _NUMBER.findall(text)], default=None)


def _stop(page: Page, column: Column) -> str | None:
    selector = column.stop.when
    return selector.text if selector is not None and page.tree is not None and selector.select(page.tree) else None
