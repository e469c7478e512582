"""Links of a page that seem to lead to the next one.

Of those that look like a pager's it is the one that leads on by one, or is said to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter

from lxml.etree import _Element as Element

from webarticlecurator.extraction.article_pages import lies_below
from webarticlecurator.extraction.checks import Check, fact, first_reason
from webarticlecurator.extraction.pager_links import links_of_pagers
from webarticlecurator.extraction.pager_signs import LONGEST_LABEL, NEXT_WORDS, are_next, page_links
from webarticlecurator.learning.paging.number_rows import NumberRow, number_rows
from webarticlecurator.model.links import SURE, PagerLink
from webarticlecurator.model.page import Page
from webarticlecurator.own_patterns import linear
from webarticlecurator.urls import PAGE_WORD, normalise, pages_apart

_PAGE_WORD = linear(rf"\b{PAGE_WORD}", re.IGNORECASE)
_ARTICLE_WORD = linear(
    r"\b(?:articles?|post|story|entry|artikel|beitrag|meldung|cikk|hír|bejegyzés|írás|poszt|articolo|notizia"
    r"|artículo|noticia|entrada|artigo|notícia|artykuł|wpis|článek|článok|příspěvek|príspevok|articol|știre"
    r"|artikkel|artikkeli|innlegg|inlägg|indlæg|nyhet|nyhed|članak|vijest|vest|članek|novica|статья|новость"
    r"|стаття|новина|статия|άρθρο|haber|yazı|makale|uudis|raksts|straipsnis|bericht)\b",
    re.IGNORECASE,
)
_COMMENTS = linear(r"comment|reply|print|share|login|mailto", re.IGNORECASE)
_LOADS_MORE = linear(r"load-?(?:more|all)", re.IGNORECASE)
_HIGHEST_PAGE = 1000
"""Numbers of articles are usually larger."""
_BEHIND_SCHEME = len("https://")


@dataclass(frozen=True, slots=True)
class NextLink:
    """A link that seems to lead to the next page."""

    element: Element
    url: str
    """Normalised."""
    row: NumberRow | None = None
    """The row of numbers that it stands in."""

    @property
    def in_head(self) -> bool:
        """No reader sees it; some software writes it on the last page, too."""
        return bool(self.element.tag == "link")


@dataclass(eq=False)
class LinkOn:
    """A link that may lead to the next page, and what a pager's links are judged to be."""

    element: Element
    url: str
    page: Page
    of_article: bool
    in_row: bool
    """True if it stands in a row of numbers, of which one leads on at most."""
    judged: PagerLink | None
    """The link as one of a pager by itself."""

    @property
    def page_url(self) -> str:
        return normalise(self.page.requested_url)

    @fact
    def text(self) -> str:
        outline = self.page.outline
        return outline.short_text(outline.row_of[self.element], LONGEST_LABEL) or ""

    @fact
    def lies_below_page(self) -> bool:
        return lies_below(self.url, self.page_url.partition("?")[0])

    @fact
    def numbers_by_address(self) -> tuple[int, int] | None:
        if self.judged is not None and self.judged.numbers is not None:
            return self.judged.numbers
        return pages_apart(self.page_url, self.url)

    @fact
    def is_script_button(self) -> bool:
        """A script would answer it by showing the rest of an article."""
        return not first_reason(NO_BUTTON, self)

    @fact
    def says_next_among_words(self) -> bool:
        """True if it says "next" with more words, and its address has the next page's number."""
        is_next = self.judged is None and are_next(self.numbers_by_address)
        return is_next and not NEXT_WORDS.isdisjoint(self.text.casefold().split())

    @property
    def numbers(self) -> tuple[int, int] | None:
        return None if self.is_script_button else self.numbers_by_address

    @fact
    def shown(self) -> PagerLink | None:
        """The link as one of a pager, by itself or because a script or its words make it one."""
        if self.judged is None and (self.says_next_among_words or self.is_script_button):
            return PagerLink(url=self.url, text=self.text)
        return self.judged


def next_links(page: Page, *, of_article: bool = False) -> tuple[NextLink, ...]:
    """Return all that may lead to the next page, the likeliest first.

    `of_article`: to the next page of the same article.
    """
    links = list(page_links(page))
    rows = [row for row in number_rows(page) if row.own is not None]
    in_rows = {entry.link for entry in chain.from_iterable(row.entries for row in rows)}
    offered = [(True, 2 * SURE, link) for link in _next_of_rows(page, rows, dict(links))]
    of_pager = dict(links_of_pagers(page, links))
    checks = (*AGAINST, *AGAINST_OF_ARTICLE) if of_article else AGAINST
    for element, url in links:
        link = LinkOn(element, url, page, of_article, element in in_rows, of_pager.get(element))
        if not first_reason(checks, link):
            offered.append((are_next(link.numbers), _shown(link).signs, NextLink(element, url)))
    offered.sort(key=itemgetter(0, 1), reverse=True)
    return tuple(map(itemgetter(2), offered))


def _next_of_rows(page: Page, rows: list[NumberRow], urls: dict[Element, str]) -> Iterator[NextLink]:
    """Give of each row of numbers the link after the page's own number; no other of it leads on."""
    for row in rows:
        link = row.leads_on
        if link is not None and not page.is_at(urls[link]):
            yield NextLink(link, urls[link], row)


# --- reasons against a link of a pager ---


def _is_about_comments(link: LinkOn) -> bool:
    return _COMMENTS.search(link.url[_BEHIND_SCHEME:]) is not None


def _names_article(link: LinkOn) -> bool:
    """Say whether its words speak of another article, as most do that say "next", and of no page."""
    return _ARTICLE_WORD.search(link.text) is not None and _PAGE_WORD.search(link.text) is None


def _has_other_address(link: LinkOn) -> bool:
    """Say whether its address is neither below the article's own nor that with a page's number."""
    return not (link.lies_below_page or _may_number_pages(link))


def _may_number_pages(link: LinkOn) -> bool:
    own, _ = link.numbers or (_HIGHEST_PAGE, 0)
    is_beside = link.url.rpartition(".")[0].startswith(link.page_url.rpartition(".")[0])
    return own < _HIGHEST_PAGE and (own > 1 or is_beside)


def _leads_back(link: LinkOn) -> bool:
    """Say whether it leads to a page before.

    Where pages count downwards, `rel=next` leads to a lower number.
    """
    shown = _shown(link)
    is_lower = link.numbers is not None and link.numbers[1] <= link.numbers[0]
    return shown.leads_back or (is_lower and shown.signs < 2 * SURE)


def _shown(link: LinkOn) -> PagerLink:
    assert link.shown is not None  # others are not asked about
    return link.shown


def _is_doubtful(link: LinkOn) -> bool:
    return not _shown(link).is_sure


def _has_other_number(link: LinkOn) -> bool:
    return _shown(link).number is not None and not are_next(link.numbers)


NO_BUTTON: tuple[Check[LinkOn], ...] = (
    Check("it looks like a pager's", lambda link: link.judged is not None),
    Check("it stands on no article", lambda link: not link.of_article),
    Check("it says that it leads to the next page", lambda link: link.says_next_among_words),
    Check("it does not lead below the page", lambda link: not link.lies_below_page),
    Check(
        "it is not called after loading more",
        lambda link: _LOADS_MORE.search(link.element.get("class", "")) is None,
    ),
)
"""Why a script would not answer a link by showing the rest of an article."""
AGAINST_OF_ARTICLE: tuple[Check[LinkOn], ...] = (
    Check("its address speaks of comments, of printing or the like", _is_about_comments),
    Check("its words name another article", _names_article),
    Check("its address is not the article's own with something behind it", _has_other_address),
)
"""Why a link does not lead to the next page of the same article."""
AGAINST: tuple[Check[LinkOn], ...] = (
    Check("it stands in a row of numbers", lambda link: link.in_row),
    Check("nothing shows that it is a pager's", lambda link: link.shown is None),
    Check("it leads back", _leads_back),
    Check("too little speaks for it", _is_doubtful),
    Check("the number on it is not the next one", _has_other_number),
)
