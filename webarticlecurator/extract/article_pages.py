"""The next page of a multi-page article, with a guard against the link that leads to the next article."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from urllib.parse import parse_qsl

from webarticlecurator.config.fields import Holds
from webarticlecurator.config.portal import Portal
from webarticlecurator.document.page import Page
from webarticlecurator.extract.nodes import Place
from webarticlecurator.extract.picks import pick_values
from webarticlecurator.extract.url_rules import cleaned
from webarticlecurator.extract.values import Wanted
from webarticlecurator.urls import bare_host, normalise, split

_LINKS = Wanted(many=True, holds=Holds.URL, link=True)
_PATH = re.compile(r"(.*?)/?(\.[A-Za-z]{2,5})?/?", re.DOTALL)
"""A path without what may stand at its end: a slash, a file type."""
_PAGE_MARK = re.compile(r"[/,_.-](?:(?:page|p|pg|oldal|seite|pagina|strana|str|sivu|side)[-_/=]?)?(\d{1,3})$", re.IGNORECASE | re.ASCII)
"""What a further page adds to a path: `/2`, `-2`, `/page/2`, `_oldal-2`; longer numbers are those of articles."""
_NAMES_AN_ARTICLE = re.compile(
    r"(?:^|[^a-z])(?:aid|nid|cid|article|artikel|cikk|hir|news|post|story|topic)(?:$|[^a-z])|(?<!page)id$",
    re.IGNORECASE,
)
"""Query parameters whose number is the article's own."""
_IS_A_TITLE = re.compile(r"[^/]*[-_][^/]*$|[^/]*\d[^/]*$")
"""The end of a path that can be one article's; `/news` is where all of them lie, and the numbers below it are theirs."""
_IS_A_DATE = re.compile(r"/(?:19|20)\d\d(?:[/-]\d\d?){0,2}$", re.ASCII)


def next_article_page(page: Page, portal: Portal, seen: Collection[str]) -> str | None:
    """Where `articles.next` leads, as long as it is the same article and a page that was not seen before."""
    if portal.articles.next is None:
        return None
    known = {normalise(url) for url in (*seen, page.url, page.requested_url)}
    for found in pick_values(portal.articles.next, Place.whole(page, portal), _LINKS).values:
        url = normalise(cleaned(found.text, portal.article_urls))
        if url not in known and _is_same_article(url, page, portal, known):
            return url
    return None


def _is_same_article(url: str, page: Page, portal: Portal, known: Collection[str]) -> bool:
    if bare_host(url) != bare_host(page.url):
        return False
    identity = portal.articles.identity
    if identity is not None:
        there, here = identity.search(url), identity.search(normalise(page.url))
        if there is not None and here is not None:
            return there.groups() == here.groups() and (bool(there.groups()) or there[0] == here[0])
    return any(_is_further_page(one, url, known) for one in known)


def _is_further_page(one: str, other: str, known: Iterable[str]) -> bool:
    """Whether two URLs of a host look like two pages of one article: only a page number differs, or was added.

    `known` are the pages that are surely the article's.
    """
    first, second = split(one), split(other)
    if first.path != second.path:
        return first.query == second.query and _differ_by_page_mark(first.path, second.path, {split(url).path for url in known})
    mine, theirs = dict(parse_qsl(first.query or "", keep_blank_values=True)), dict(parse_qsl(second.query or "", keep_blank_values=True))
    changed = [name for name in mine.keys() & theirs.keys() if mine[name] != theirs[name]]
    added, gone = theirs.keys() - mine.keys(), mine.keys() - theirs.keys()
    if len(changed) + len(gone) + len(added) == 0 or len(changed) > 1 or any(_NAMES_AN_ARTICLE.search(name) for name in (*changed, *added)):
        return False
    return all(mine[name].isdigit() and theirs[name].isdigit() for name in changed)


def _differ_by_page_mark(one: str, other: str, known: Collection[str]) -> bool:
    (mine, my_type), (theirs, their_type) = _split_path(one), _split_path(other)
    there = _PAGE_MARK.search(theirs)
    if there is None or my_type != their_type:
        return False
    stem, number = theirs[: there.start()], int(there[1])
    if mine == stem:
        return number <= 2  # the first page has no number
    here = _PAGE_MARK.search(mine)
    if here is None or mine[: here.start()] != stem or abs(int(here[1]) - number) != 1:
        return False
    is_article = any(_split_path(path)[0] == stem for path in known)
    return is_article or (_IS_A_TITLE.search(stem) is not None and _IS_A_DATE.search(stem) is None)


def _split_path(path: str) -> tuple[str, str | None]:
    found = _PATH.fullmatch(path)
    assert found is not None  # the pattern matches every path
    return found[1], found[2]
