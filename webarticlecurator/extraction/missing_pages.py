"""Which pages of an article are not at hand: what the links and the addresses of the others say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count, islice, pairwise
from math import gcd

from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.article_pages import next_article_page
from webarticlecurator.extraction.pager_signs import PAGE_WORD, pages_apart
from webarticlecurator.model.article import MissingPage
from webarticlecurator.model.page import Page
from webarticlecurator.urls import normalise

MOST_TOLD = 1000
_FEWEST_ITEMS = 5
"""On a page, where addresses count them: `start=25` is a second page, `start=2` a third."""
_SAYS_PAGE = re.compile(rf"(?<![^\W\d_]){PAGE_WORD}[=/_-]?\d+", re.IGNORECASE)


def missing_pages(pages: Sequence[Page], next_page: str | None, portal: Portal) -> tuple[MissingPage, ...]:
    """Those before, between and behind the pages of an article; `next_page` is where the last of them leads."""
    asked = [normalise(page.requested_url) for page in pages]
    led = [next_article_page(page, portal, asked[:place]) for place, page in enumerate(pages[:-1], start=1)]
    numbers = page_numbers([*asked, *filter(None, (*led, next_page))])
    if not _are_in_order([numbers.get(url, 0) for url in asked]) or not (numbers[asked[0]] == 1 or says_page(asked[0])):
        numbers = {}
    before = (MissingPage(number, None) for number in range(1, numbers.get(asked[0], 1)))
    between = (_between(*pair, url, numbers) for pair, url in zip(pairwise(asked), led, strict=True))
    behind = [MissingPage(numbers.get(next_page), next_page)] if next_page is not None else []
    return tuple(islice(chain(before, chain.from_iterable(between), behind), MOST_TOLD))


def _between(here: str, following: str, led: str | None, numbers: dict[str, int]) -> Iterator[MissingPage]:
    """Of two pages that are there; nothing is between them where the first leads to the second, whatever their addresses are like."""
    if led == following:
        return
    absent = range(numbers[here] + 1, numbers[following]) if numbers else range(0)
    if led is not None and numbers.get(led) not in absent:
        yield MissingPage(numbers.get(led), led)
    yield from (MissingPage(number, led if led is not None and numbers[led] == number else None) for number in absent)


def page_numbers(urls: Sequence[str]) -> dict[str, int]:
    """Which page each address of one article is, where they differ in nothing but a number; else nothing."""
    first, *others = dict.fromkeys(urls)
    apart = [pages_apart(first, url) for url in others]
    told = [pair for pair in apart if pair is not None]
    if not told or len(told) < len(others) or len({own for own, _ in told}) > 1:
        return {}
    numbers = {first: told[0][0], **{url: number for url, (_, number) in zip(others, told, strict=True)}}
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


def addresses_behind(url: str, before: str) -> Iterator[str]:
    """Where the pages behind a further page of an article may lie, by the one before it: one address after the other, without end."""
    own, number = pages_apart(before, url) or (1, 0)
    places = list(re.finditer(rf"(?<!\d){number}(?!\d)", url))
    if number <= own or not places:
        return
    step = number if own <= 1 and number >= _FEWEST_ITEMS and not says_page(url) else number - own
    begin, end = places[-1].span()
    yield from (f"{url[:begin]}{number + times * step}{url[end:]}" for times in count(1))


def _are_in_order(numbers: Sequence[int]) -> bool:
    return numbers[0] > 0 and all(one < other for one, other in pairwise(numbers))
