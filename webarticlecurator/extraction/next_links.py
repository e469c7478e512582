"""Which link of a page seems to lead to the next one: of those that look like a pager's the one that leads on by one, or is said to.

A row of page numbers, "1 2 [3] 4 ... 20", says which number is the page's own, and where the one after it leads.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice, pairwise, takewhile

from lxml.etree import _Element as Element

from webarticlecurator.extraction.article_pages import lies_below
from webarticlecurator.extraction.pager_signs import LONGEST_LABEL, NEXT_WORDS, is_year, links_of_pagers, page_links
from webarticlecurator.model.links import SURE, PagerLink
from webarticlecurator.model.page import Page
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.selectors import identifier
from webarticlecurator.urls import PAGE_WORD, bare_host, is_http, join, normalise, pages_apart

_PAGE_WORD = linear(rf"\b{PAGE_WORD}", re.IGNORECASE)
_ARTICLE_WORD = linear(
    r"\b(?:articles?|post|story|entry|artikel|beitrag|meldung|cikk|hír|bejegyzés|írás|poszt|articolo|notizia|artículo|noticia|entrada|artigo|"
    r"notícia|artykuł|wpis|článek|článok|příspěvek|príspevok|articol|știre|artikkel|artikkeli|innlegg|inlägg|indlæg|nyhet|nyhed|članak|vijest|"
    r"vest|članek|novica|статья|новость|стаття|новина|статия|άρθρο|haber|yazı|makale|uudis|raksts|straipsnis|bericht)\b",
    re.IGNORECASE,
)
_COMMENTS = linear(r"comment|reply|print|share|login|mailto", re.IGNORECASE)
_LOADS_MORE = linear(r"load-?(?:more|all)", re.IGNORECASE)
_LEVELS_UP = 3
_MARKED = linear(r"(?:^|[^a-z])(?:current|active|selected|actual|aktiv|aktuell|actuel|here)", re.IGNORECASE)
_PLAIN_NAME = linear_at(r"[A-Za-z][A-Za-z_-]*")


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


def next_links(page: Page, *, of_article: bool = False) -> tuple[NextLink, ...]:
    """All that may lead to the next page, the likeliest first. `of_article`: to the next page of the same article."""
    own, links = normalise(page.requested_url), list(page_links(page))
    urls = dict(links)
    rows = [row for row in number_rows(page) if row.own is not None]
    in_rows = {entry.link for row in rows for entry in row.entries}
    # of a row of numbers only the one after the page's own leads on
    following = ((row, row.leads_on) for row in rows)
    of_rows = [NextLink(link, urls[link], row) for row, link in following if link is not None and not page.is_at(urls[link])]
    offered = [(True, 2 * SURE, next_link) for next_link in of_rows]
    of_pager = dict(links_of_pagers(page, links))
    for element, url in links:
        shown = of_pager.get(element)
        apart = shown.numbers if shown is not None and shown.numbers is not None else pages_apart(own, url)
        text = page.outline.short_text(page.outline.row_of[element], LONGEST_LABEL) or ""
        if shown is None and _is_following(apart) and not NEXT_WORDS.isdisjoint(text.casefold().split()):
            shown = PagerLink(url=url, text=text)  # it says "next" with more words
        if shown is None and of_article and lies_below(url, own.partition("?")[0]) and _LOADS_MORE.search(element.get("class") or ""):
            shown, apart = PagerLink(url=url, text=text), None  # a button that a script would answer
        if shown is None or element in in_rows or (of_article and _leads_elsewhere(text, url, apart, own)):
            continue
        # where pages count downwards, `rel=next` leads to a lower number
        leads_back = shown.leads_back or (apart is not None and apart[1] <= apart[0] and shown.signs < 2 * SURE)
        if leads_back or not shown.is_sure or not (shown.number is None or _is_following(apart)):
            continue
        offered.append((_is_following(apart), shown.signs, NextLink(element, url)))
    return tuple(next_link for *_, next_link in sorted(offered, key=lambda ranked: ranked[:2], reverse=True))


def _is_following(apart: tuple[int, int] | None) -> bool:
    return apart is not None and apart[1] == apart[0] + 1


def _leads_elsewhere(text: str, url: str, apart: tuple[int, int] | None, own: str) -> bool:
    """Whether it seems to lead to another article, as most links do that say "next", or to comments and the like."""
    names_article = _ARTICLE_WORD.search(text) is not None and _PAGE_WORD.search(text) is None
    is_beside = url.rpartition(".")[0].startswith(own.rpartition(".")[0])
    may_number_pages = apart is not None and apart[0] < 1000 and (apart[0] > 1 or is_beside)  # those of articles are usually large
    return _COMMENTS.search(url[8:]) is not None or names_article or not (lies_below(url, own.partition("?")[0]) or may_number_pages)


@dataclass(frozen=True, slots=True)
class NumberInRow:
    """One number of a row."""

    number: int
    element: Element
    """That holds nothing else."""
    link: Element | None
    url: str | None
    """Normalised."""


@dataclass(frozen=True, slots=True)
class NumberRow:
    """The numbers of one pager."""

    container: Element
    entries: tuple[NumberInRow, ...]
    current: NumberInRow | None
    """The one that shows itself to be the page's own."""
    own: int | None
    """The page's own number, by that or by its address."""

    @property
    def leads_on(self) -> Element | None:
        """The link to the next page."""
        return next((entry.link for entry in self.entries if entry.number - 1 == self.own and entry.url is not None), None)


def number_rows(page: Page) -> tuple[NumberRow, ...]:
    """The rows of page numbers on a page, in its order."""
    numbers: list[NumberInRow] = []
    for written, owner in zip(page.outline.strings, page.outline.owners, strict=True):
        text, element = written.strip(" \t\r\n[]()\u00a0"), page.outline.elements[owner]
        if not (text.isascii() and text.isdigit() and len(text) <= 6) or len(element) or element.tag == "option":
            continue
        link = next((around for around in (element, *islice(element.iterancestors(), 2)) if around.tag == "a" and around.get("href")), None)
        url = join(page.base, link.get("href") or "", encoding=page.encoding) if link is not None else None
        numbers.append(NumberInRow(int(text), element, link, normalise(url) if url is not None and is_http(url) else None))
    counted = Counter(around for entry in numbers for around in _around(entry.element))
    by_container: dict[Element, list[NumberInRow]] = {}
    for entry in numbers:
        container = next((around for around in _around(entry.element) if counted[around] > 1), None)
        if container is not None:
            by_container.setdefault(container, []).append(entry)
    rows, here = [], normalise(page.requested_url)
    for container, entries in by_container.items():
        if not _is_pager(container, entries, page):
            continue
        current = _current(entries, page)
        others = [(entry.number, pages_apart(here, entry.url)) for entry in entries if entry.url is not None and entry.url != here]
        by_address = {apart[0] for number, apart in others if apart is not None and apart[1] == number}
        own = current.number if current is not None else by_address.pop() if len(by_address) == 1 else None
        rows.append(NumberRow(container, tuple(entries), current, own))
    return tuple(rows)


def _around(element: Element) -> Iterator[Element]:
    return islice(element.iterancestors(), _LEVELS_UP)


def _is_pager(container: Element, entries: list[NumberInRow], page: Page) -> bool:
    """Numbers that follow one another, and links to the page's own host."""
    numbers = sorted({entry.number for entry in entries})
    in_table = len(numbers) >= 26 and any(around.tag == "table" for around in (container, *container.iterancestors()))  # days
    urls = [entry.url for entry in entries if entry.url is not None]
    differing = [pages_apart(url, other) is not None for url, other in pairwise(dict.fromkeys(urls))]
    return (
        bool(urls)
        and not in_table
        and any(other <= number + 2 for number, other in pairwise(numbers))  # the page's own may be no element
        and not all(map(is_year, numbers))
        and all(bare_host(url) == bare_host(page.url) for url in urls)
        and len(set(urls)) == len({entry.number for entry in entries if entry.url is not None})
        and 2 * sum(differing) >= len(differing)
    )


def _current(entries: list[NumberInRow], page: Page) -> NumberInRow | None:
    """Said by its mark; else the one without a link, or with one to the page itself; else the one that looks otherwise."""
    looks = Counter(map(_look, entries))
    tests: tuple[Callable[[NumberInRow], bool], ...] = (
        lambda entry: any(
            holder.get("aria-current") or _MARKED.search(holder.get("class") or "")
            for holder in (entry.element, *islice(entry.element.iterancestors(), 1))
        ),
        lambda entry: entry.link is None,
        lambda entry: entry.url is not None and page.is_at(entry.url),
        lambda entry: looks[_look(entry)] == 1 and len(entries) > 2,
    )
    for test in tests:
        passing = [entry for entry in entries if test(entry)]
        if len({entry.number for entry in passing}) == 1:
            return passing[0]
    return None


def _look(entry: NumberInRow) -> tuple[str, ...]:
    around = entry.element.getparent()
    return (*sorted((entry.element.get("class") or "").split()), str(entry.element.tag), "" if around is None else str(around.tag))


def current_selectors(row: NumberRow) -> Iterator[str]:
    """What names the page's own number, and none of the others."""
    if row.current is None:
        return

    def holders(entry: NumberInRow) -> Iterator[Element]:
        around = islice((entry.element, *entry.element.iterancestors()), _LEVELS_UP)
        return takewhile(lambda holder: holder is not row.container, around)

    beside = [holder for entry in row.entries if entry.number != row.current.number for holder in holders(entry)]
    for holder in holders(row.current):
        for name in filter(_PLAIN_NAME.fullmatch, (holder.get("class") or "").split()):
            if not any(name in (other.get("class") or "").split() for other in beside):
                yield f"{holder.tag}.{identifier(name)}"
        if holder.tag in ("b", "strong", "em", "span") and all(other.tag != holder.tag for other in beside):
            yield str(holder.tag)
