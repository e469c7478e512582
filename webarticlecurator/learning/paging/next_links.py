"""Links of a page that seem to lead to the next one.

They are those that a crawl takes for a pager's. Of these the one counts that leads on by one, or is said to;
where none does, it may be one of which little is said, or one that says "previous": who asks for it sees what
it lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum, auto
from itertools import chain
from operator import attrgetter

from lxml.etree import _Element as Element

from webarticlecurator.extraction.article_pages import lies_below
from webarticlecurator.extraction.checks import Check, fact, first_reason
from webarticlecurator.extraction.neighbours import NearbyAddress
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


class Leads(IntEnum):
    """How a link shows that it leads on, the surest first."""

    ON = auto()
    """Its number, its words or its names say so."""
    UNSEEN = auto()
    """The head of the page says so, which no reader sees; some software writes it on the last page, too."""
    PERHAPS = auto()
    """Little speaks for it."""
    BACK = auto()
    """It says that it leads back, which on some sites is to older articles."""


WORTH_ASKING = (Leads.PERHAPS, Leads.BACK)
"""Kinds of links that are believed only if the page that they lead to was seen."""


@dataclass(frozen=True, slots=True)
class NextLink:
    """A link that seems to lead to the next page."""

    element: Element
    url: str
    """Normalised."""
    text: str
    """Its text."""
    kind: Leads = Leads.ON
    is_next_number: bool = True
    """The addresses, or a row of numbers, say that it is the page after this one."""
    signs: int = 2 * SURE
    row: NumberRow | None = None
    """The row of numbers that it stands in."""

    @property
    def order(self) -> tuple[int, bool, int]:
        """The likeliest is the first."""
        return self.kind, not self.is_next_number, -self.signs


@dataclass(eq=False)
class LinkOn:
    """A link that may lead to the next page, and what a pager's links are judged to be."""

    element: Element
    url: str
    page: Page
    in_row: bool
    """True if it stands in a row of numbers, of which one leads on at most."""
    judged: PagerLink | None
    """The link as one of a pager by itself."""

    @property
    def page_url(self) -> str:
        return normalise(self.page.requested_url)

    @property
    def is_unseen(self) -> bool:
        return self.element.tag == "link"

    @fact
    def text(self) -> str:
        outline = self.page.outline
        return outline.short_text(outline.row_of[self.element], LONGEST_LABEL) or ""

    @fact
    def lies_below_page(self) -> bool:
        return lies_below(self.url, self.page_url.partition("?")[0])

    @fact
    def loads_more(self) -> bool:
        """It is called after loading more, as what a script would answer by showing the rest."""
        is_called_so = _LOADS_MORE.search(self.element.get("class", "")) is not None
        return is_called_so and self.judged is None and self.lies_below_page

    @fact
    def numbers(self) -> tuple[int, int] | None:
        """The numbers of both pages; of all of a page there is none."""
        if self.judged is not None and self.judged.numbers is not None:
            return self.judged.numbers
        return None if self.loads_more else pages_apart(self.page_url, self.url)

    @fact
    def says_next_among_words(self) -> bool:
        """It says "next" with more words, and its address has the next page's number."""
        return are_next(self.numbers) and not NEXT_WORDS.isdisjoint(self.text.casefold().split())

    @fact
    def shown(self) -> PagerLink | None:
        """The link as one of a pager, by itself or because its class or its words make it one."""
        if self.judged is None and (self.loads_more or self.says_next_among_words):
            return PagerLink(url=self.url, text=self.text)
        return self.judged

    @fact
    def kind(self) -> Leads:
        """How it shows that it leads on: a number that grows by one is worth more than any word."""
        assert self.shown is not None  # others are not asked about
        is_lower = self.numbers is not None and self.numbers[1] <= self.numbers[0]
        if self.is_unseen or are_next(self.numbers):
            return Leads.UNSEEN if self.is_unseen else Leads.ON
        # where pages count downwards, `rel=next` leads to a lower number
        if self.shown.leads_back or (is_lower and self.shown.signs < 2 * SURE):
            return Leads.BACK
        return Leads.ON if self.shown.is_sure else Leads.PERHAPS


def next_links(page: Page, *, of_article: bool = False) -> list[NextLink]:
    """Return all that may lead to the next page, the likeliest first.

    `of_article`: to the next page of the same article.
    """
    links = list(page_links(page))
    rows = number_rows(page)
    in_rows = {entry.link for entry in chain.from_iterable(row.entries for row in rows)}
    offered = list(_next_of_rows(page, rows, dict(links)))
    of_pager = dict(links_of_pagers(page, links))
    checks = AGAINST_OF_ARTICLE if of_article else AGAINST
    for element, url in links:
        link = LinkOn(element, url, page, element in in_rows, of_pager.get(element))
        if not first_reason(checks, link) and link.shown is not None:
            offered.append(
                NextLink(element, url, link.text, link.kind, are_next(link.numbers), link.shown.signs)
            )
    return sorted(offered, key=attrgetter("order"))


def _next_of_rows(page: Page, rows: Sequence[NumberRow], urls: dict[Element, str]) -> Iterator[NextLink]:
    """Give of each row of numbers the link after the page's own number; no other of it leads on."""
    for row in rows:
        link = row.leads_on
        if link is not None and not page.is_at(urls[link]):
            yield NextLink(link, urls[link], link.text or "", row=row)


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


def _has_other_number(link: LinkOn) -> bool:
    return link.judged is not None and link.judged.number is not None and not are_next(link.numbers)


def _is_of_other_list(link: LinkOn) -> bool:
    """Say whether the head names a page that is not near this one, such as that of the next category."""
    return link.is_unseen and not NearbyAddress(link.page.url).is_related(link.url)


OF_NO_PAGER: tuple[Check[LinkOn], ...] = (
    Check("it stands in a row of numbers", lambda link: link.in_row),
    Check("nothing shows that it is a pager's", lambda link: link.shown is None),
    Check("the number on it is not the next one", _has_other_number),
)
AGAINST: tuple[Check[LinkOn], ...] = (
    *OF_NO_PAGER,
    Check("the head names a page of another list", _is_of_other_list),
)
"""Why a link does not lead to the next page of a list."""
AGAINST_OF_ARTICLE: tuple[Check[LinkOn], ...] = (
    Check("its address speaks of comments, of printing or the like", _is_about_comments),
    Check("its words name another article", _names_article),
    Check("its address is not the article's own with something behind it", _has_other_address),
    *OF_NO_PAGER,
    Check("too little says that it leads on", lambda link: link.kind in WORTH_ASKING),
)
"""Why a link does not lead to the next page of the same article."""
