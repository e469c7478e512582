"""Signs of further pages of an article that no rule follows, with the rule that would."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Set
from itertools import chain, islice

from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.tag_names import general_name
from webarticlecurator.extraction.going_on import goes_on
from webarticlecurator.extraction.pager_signs import page_links
from webarticlecurator.model.page import Page
from webarticlecurator.selectors import Selector
from webarticlecurator.selectors.escaping import identifier, quoted
from webarticlecurator.survey.audit.page import Looked, Sign
from webarticlecurator.survey.audit.results import Kind
from webarticlecurator.text import element_text, squeeze
from webarticlecurator.urls import same_page

_LEVELS = 4
"""Around a link, on which what holds a pager may have a name."""
_MOST_CLASSES = 3
"""Of an element; more make no selector better."""


def unfollowed_pages(looked: Looked) -> Iterator[Sign]:
    """The page shows that the article goes on, and `articles.next` gives nothing."""
    if looked.article.goes_on is None:
        return
    sign = goes_on(looked.page, looked.page.requested_url, (looked.page.requested_url,))
    selector = _selector(sign.links, looked.page) if sign is not None else ""
    quotable = selector.replace("'", "''")
    rule = f"articles: {{next: '{quotable}'}}" if selector else "articles.next"
    yield Sign(kind=Kind.GOES_ON, rule=rule, tag=selector, words=0, text=looked.article.goes_on)


def _selector(links: Collection[Element], page: Page) -> str:
    """The first that gives these links and no other ones but to the page itself; empty where there is none."""
    usable = {*links, *(element for element, url in page_links(page) if same_page(url, page.url) or same_page(url, page.requested_url))}
    said_first = sorted(links, key=lambda link: not _says_next(link))
    return next((text for link in said_first for text in _candidates(link) if _gives_only(text, usable, page)), "")


def _gives_only(text: str, links: Set[Element], page: Page) -> bool:
    found = Selector.parse(text).select(page.tree) if page.tree is not None else []
    return bool(found) and links >= set(found)


def _candidates(link: Element) -> Iterator[str]:
    """From what the link says of itself to what it stands in."""
    if _says_next(link):
        yield f"{link.tag}[rel~=next]"
    around = islice(chain((link,), link.iterancestors()), 1 + _LEVELS)
    for element in around:
        if named := _named(element):
            yield named if element is link else f"{named} {link.tag}"
    yield f"{link.tag}:contains({quoted(squeeze(element_text(link)))})"


def _says_next(link: Element) -> bool:
    return "next" in (link.get("rel") or "").lower().split()


def _named(element: Element) -> str:
    """Its name with the classes, else the id, that are the same on all pages; empty where it has none."""
    names = [f".{identifier(name)}" for name in (element.get("class") or "").split() if general_name(name) == name]
    id = element.get("id") or ""
    names = names[:_MOST_CLASSES] or ([f"#{identifier(id)}"] if id and general_name(id) == id else [])
    return f"{element.tag}{''.join(names)}" if names else ""
