"""Further pages of an article: where `articles.next` leads, what a page says that is none of them, signs of more, which are missing."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, count, islice, pairwise
from math import gcd

from lxml.etree import _Element as Element

from webarticlecurator.budget import one_page
from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.listing_length import NUMBER_OF_NUMBER, stated_counts
from webarticlecurator.extraction.pager_links import pager_links
from webarticlecurator.extraction.pager_signs import (
    DIGIT,
    LONGEST_LABEL,
    NEXT_PHRASES,
    NEXT_WORDS,
    REL_NEXT,
    page_label,
    page_links,
    plain_label,
)
from webarticlecurator.extraction.picked_values import PageContext, pick_links
from webarticlecurator.extraction.url_rules import cleaned
from webarticlecurator.model.article import MissingPage
from webarticlecurator.model.links import IN_HEAD, PagerLink
from webarticlecurator.model.page import Page, relations
from webarticlecurator.own_patterns import linear
from webarticlecurator.text import folded, squeeze
from webarticlecurator.urls import EXTENSION, PAGE_WORD, bare_host, host_allowed, normalise, pages_apart, same_page, split

_WORDS, _LETTERS = linear(r"\w+"), linear(r"[^\W\d_]+")
_RELATED = (REL_NEXT, IN_HEAD)
_NUMBERS = linear(r"\d+")
_FEWEST_ITEMS = 5
"""On a page, where addresses count them: `start=25` is a second page, `start=2` a third."""
_SAYS_PAGE = linear(rf"(?<![^\W\d_]){PAGE_WORD}[=/_-]?\d+", re.IGNORECASE)


@one_page()
def skip_reason(page: Page, portal: Portal) -> str | None:
    """Which rule of `articles.skip` says that the page is no article."""
    skip = portal.articles.skip
    if pattern := next((pattern for pattern in skip.url if pattern.in_address(normalise(page.requested_url))), None):
        return f"articles.skip.url: {pattern.text}"
    if page.tree is None or not skip.when:
        return None
    with page.budget:
        return next((f"articles.skip.when: {selector.text}" for selector in skip.when if selector.select(page.tree)), None)


@one_page()
def next_article_page(page: Page, portal: Portal, seen: Collection[str]) -> str | None:
    """Where `articles.next` leads: the first link that is on the portal's hosts, and no page of this article yet."""
    further = list(chain(portal.article_urls.hosts, *(column.urls.hosts for column in portal.columns)))
    return next((url for url in unseen_links(page, portal, seen) if host_allowed(url, portal.hosts, further)), None)


@one_page()
def unseen_links(page: Page, portal: Portal, seen: Collection[str]) -> list[str]:
    """All that `articles.next` gives and that was not seen before, on whatever host."""
    if portal.articles.next is None:
        return []
    known = {normalise(url) for url in (*seen, page.url, page.requested_url)}
    links = pick_links(portal.articles.next, PageContext.whole(page, portal), many=True).values
    return [url for link in links if (url := normalise(cleaned(link.text, portal.article_urls))) not in known]


def another_article(page: Page, article: str, first_page: Callable[[], Page | None], portal: Portal) -> str | None:
    """What says that a page is not one more of the article at that URL: its canonical URL and its headline, both."""
    url, headline = _declared(page, portal)
    if not (url and headline) or _continues(url, article):
        return None
    first = first_page()
    own_url, own_headline = _declared(first, portal) if first is not None else ("", "")
    if not own_headline or _continues(url, own_url or article) or _is_same_title(headline, own_headline):
        return None
    return f"its canonical URL is {url}, and its headline {headline!r} instead of {own_headline!r}"


def same_headline(page: Page, other: Page, portal: Portal) -> bool:
    """Whether nothing speaks against it that two pages, neither of which leads to the other, have one headline."""
    one, headline = (_declared(each, portal)[1] for each in (page, other))
    return not (one and headline) or _is_same_title(one, headline)


def _declared(page: Page, portal: Portal) -> tuple[str, str]:
    """Canonical URL and headline, by the portal's rules and what pages have in common; empty where there is none."""
    # Asked only of further pages: a crawl without them starts sooner.
    from webarticlecurator.extraction.metadata import read_metadata, rules_for

    metadata = read_metadata(page, portal, rules_for(page, portal, {}).metadata).metadata
    url, headline = (metadata[name][0].value if name in metadata else "" for name in ("url", "headline"))
    return url, headline


def linked_from(page: Page) -> frozenset[str]:
    """The pages of its host that an article leads to."""
    if page.tree is None:
        return frozenset()
    return frozenset(url for _, url in page_links(page, page.outline.rows("a")) if bare_host(url) == bare_host(page.url))


def linked_by(page: Page, names: Iterable[str]) -> Iterator[str]:
    """Where the links lead that say no more than one of these names."""
    wanted = set(map(folded, names)) if page.tree is not None else set()
    for link, url in page_links(page, page.outline.rows("a")) if wanted else ():
        if folded("".join(map(str, link.itertext()))) in wanted:
            yield url


def lies_below(url: str, article: str) -> bool:
    """Whether an address is an article's own with something behind it."""
    return normalise(url).startswith(tuple(normalise(article).rstrip("/") + mark for mark in "/?&"))


def named_as_page(url: str, article: str) -> bool:
    """Whether an address is an article's own with something behind it, or with a page's number."""
    return lies_below(url, article) or pages_apart(normalise(article), normalise(url)) is not None


def _continues(url: str, article: str) -> bool:
    """Whether a canonical URL is the article's own or lies below it: many portals let each page name itself."""
    return same_page(url, article) or lies_below(url, article)


def _is_same_title(mine: str, other: str) -> bool:
    """`The bridge` and `The bridge - page 2` are one headline."""
    first, second = (f" {' '.join(_WORDS.findall(title.casefold()))} " for title in (mine, other))
    return first in second or second in first


@one_page()
def goes_on(page: Page, article: str, seen: Collection[str]) -> str | None:
    """The strongest sign of further pages on a page of the article at that URL, for a sentence: `rel=next to https://...`; `seen` are all
    its pages up to this one.

    A link counts only where its address is the article's own with a page's number, or below it: most links with `rel=next` lead to
    the next article. A count that says the number in the article's address, and not that of the page, is a list's: `/page/10/`.
    """
    labelled = _labelled_links(page, article)
    known = {normalise(url) for url in (*seen, article)}
    pager = pager_links(page, labelled) if labelled else ()
    shown = (link for link in pager if link.is_sure and not link.leads_back and link.url not in known)
    # where the pager names pages that were read by their addresses, others that it names were not
    own_url, further, fewest = normalise(article), list[PagerLink](), 1 if any(link.url in known for link in pager) else len(seen)
    for link in shown:
        # the URL of a first page has no number, or 1, or 0 where items are counted: other numbers are those of articles
        start, number = pages_apart(own_url, link.url) or (1, 0)
        # from 1 to 2 the next article may lie, too; there a number has to be written on the link
        is_numbered = link.number is not None or _NUMBERS.sub("0", link.url) != _NUMBERS.sub("0", own_url)
        is_behind = start <= 1 and (number > len(seen) if link.number is None else link.number > fewest)
        if is_numbered and (is_behind or ((link.text in _RELATED or (link.continues and number)) and lies_below(link.url, own_url))):
            further.append(link)
    if further:
        nearest = min(further, key=lambda link: link.number or 0)
        return f"{nearest.text} to {nearest.url}" if nearest.text in _RELATED else f'a link "{nearest.text}" to {nearest.url}'
    if page.tree is not None and not NUMBER_OF_NUMBER.search("".join(page.outline.strings)):
        return None  # as on most pages
    own = _NUMBERS.findall(article)[-1:]
    said = (one for one in stated_counts(page) if one.items or one.here == len(seen) or own != [str(one.here)])
    counts = (one for one in said if len(seen) < one.total and (one.here or 0) < one.total)
    return next((f'it says "{one.text}"' for one in counts), None)


def _labelled_links(page: Page, article: str) -> list[tuple[Element, str]]:
    """Those of `page_links` that may lead to a further page of the article at that URL: by their rel, or a pager's label; and by their
    address, which holds the longest word of the article's own, or is written as seen from the page."""
    outline, path = page.outline, EXTENSION.sub("", split(normalise(article)).path)
    words = _LETTERS.findall(path.rpartition("/")[2]) if "%" not in path else []  # what is encoded may be written otherwise
    word = max(words, key=len, default="")
    rows = []
    for row in outline.rows("a", "link"):
        link = outline.elements[row]
        href = link.get("href")
        if href and (word in href or (href[0] != "/" and ":" not in href)):
            has_number = DIGIT.search(href) is not None and outline.length(row) <= LONGEST_LABEL
            if (has_number and _is_label(outline.text(row))) or "next" in relations(link):
                rows.append(row)
    return list(page_links(page, rows)) if rows else []


@lru_cache(maxsize=8192)
def _is_label(text: str) -> bool:
    """The menus of a portal say the same on all its pages."""
    label = plain_label(text)
    is_said = not label or label in NEXT_WORDS or label in NEXT_PHRASES or page_label(label) is not None
    return is_said and bool(text.strip()) and len(squeeze(text)) <= LONGEST_LABEL


def missing_pages(pages: Sequence[Page], next_page: str | None, portal: Portal) -> tuple[MissingPage, ...]:
    """Those before, between and behind the pages of an article; `next_page` is where the last of them leads."""
    asked = [normalise(page.requested_url) for page in pages]
    led = [next_article_page(page, portal, asked[:place]) for place, page in enumerate(pages[:-1], start=1)]
    numbers = _page_numbers([*asked, *filter(None, (*led, next_page))])
    places = [0, *(numbers.get(url, 0) for url in asked)]
    if any(one >= other for one, other in pairwise(places)) or not (places[1] == 1 or says_page(asked[0])):
        numbers = {}
    before = (MissingPage(number, None) for number in range(1, numbers.get(asked[0], 1)))
    between = (_between(*pair, url, numbers) for pair, url in zip(pairwise(asked), led, strict=True))
    behind = [MissingPage(numbers.get(next_page), next_page)] if next_page is not None else []
    return tuple(islice(chain(before, chain.from_iterable(between), behind), 1000))


def _between(here: str, following: str, led: str | None, numbers: dict[str, int]) -> Iterator[MissingPage]:
    """Of two pages that are there; nothing is between them where the first leads to the second, whatever their addresses are like."""
    if led == following:
        return
    absent = range(numbers[here] + 1, numbers[following]) if numbers else range(0)
    if led is not None and numbers.get(led) not in absent:
        yield MissingPage(numbers.get(led), led)
    yield from (MissingPage(number, led if led is not None and numbers[led] == number else None) for number in absent)


def _page_numbers(urls: Sequence[str]) -> dict[str, int]:
    """Which page each address of one article is, where they differ in nothing but a number; else nothing."""
    first, *others = dict.fromkeys(urls)
    known = [pair for url in others if (pair := pages_apart(first, url)) is not None]
    if not known or len(known) < len(others) or len({own for own, _ in known}) > 1:
        return {}
    numbers = {first: known[0][0], **{url: number for url, (_, number) in zip(others, known, strict=True)}}
    items = gcd(*(number for number in numbers.values() if number > 1))
    if items >= _FEWEST_ITEMS and not any(map(says_page, others)):
        return {url: number // items + 1 for url, number in numbers.items()}
    return {url: number + (0 in numbers.values()) for url, number in numbers.items()}


def in_page_order(own: str, others: Iterable[str]) -> list[str]:
    """An address with those that differ from it in a page's number alone, by that number."""
    apart = {url: pair for url in others if url != own and (pair := pages_apart(own, url)) is not None}
    places = {own: next((place for place, _ in apart.values()), 1), **{url: place for url, (_, place) in apart.items()}}
    return sorted(places, key=lambda url: places[url])


def says_page(url: str) -> bool:
    """Whether an address calls a number in it that of a page."""
    return _SAYS_PAGE.search(url) is not None


def addresses_behind(before: str, url: str) -> Iterator[str]:
    """Where the pages behind two successive ones of an article or a list may lie: one address after the other, without end."""
    before, url = normalise(before), normalise(url)
    own, number = pages_apart(before, url) or (1, 0)
    step = number if own <= 1 and number >= _FEWEST_ITEMS and not says_page(url) else number - own
    for place in reversed(list(linear(rf"(?<!\d){number}(?!\d)").finditer(url))) if number > own else ():
        begin, end = place.span()
        if pages_apart(url, f"{url[:begin]}{number + step}{url[end:]}") == (number, number + step):
            yield from (f"{url[:begin]}{number + times * step}{url[end:]}" for times in count(1))
