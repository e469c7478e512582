"""Further pages of an article: where `articles.next` leads, why a page is none of them, which are missing."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count, islice, pairwise
from math import gcd
from operator import itemgetter

from webarticlecurator.budget import one_page
from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.checks import Check, fact, first_reason
from webarticlecurator.extraction.page_context import selected_on
from webarticlecurator.extraction.pager_signs import page_links
from webarticlecurator.extraction.picked_values import PageContext, pick_links
from webarticlecurator.extraction.url_rules import cleaned
from webarticlecurator.model.article import MissingPage
from webarticlecurator.model.page import Page
from webarticlecurator.own_patterns import linear
from webarticlecurator.urls import PAGE_WORD, host_allowed, normalise, page_numbers, pages_apart, same_page

_WORDS = linear(r"\w+")
_FEWEST_ITEMS = 5
"""On a page, where addresses count them: `start=25` is a second page, `start=2` a third."""
_SAYS_PAGE = linear(rf"(?<![^\W\d_]){PAGE_WORD}[=/_-]?\d+", re.IGNORECASE)


@one_page()
def skip_reason(page: Page, portal: Portal) -> str | None:
    """Return the rule of `articles.skip` that says that the page is no article."""
    skip, address = portal.articles.skip, normalise(page.requested_url)
    by_url = (f"articles.skip.url: {pattern.text}" for pattern in skip.url if pattern.in_address(address))
    with page.budget:
        return next(chain(by_url, _skipped_by_look(page, portal)), None)


def _skipped_by_look(page: Page, portal: Portal) -> Iterator[str]:
    for selector in portal.articles.skip.when:
        if selected_on(page, selector):
            yield f"articles.skip.when: {selector.text}"


@one_page()
def next_article_page(page: Page, portal: Portal, seen: Collection[str]) -> str | None:
    """Return where `articles.next` leads: the first link on the portal's hosts that is no page of this
    article yet."""
    further = list(chain(portal.article_urls.hosts, *(column.urls.hosts for column in portal.columns)))
    return next(
        (url for url in unseen_links(page, portal, seen) if host_allowed(url, portal.hosts, further)), None
    )


@one_page()
def unseen_links(page: Page, portal: Portal, seen: Collection[str]) -> list[str]:
    """Return all that `articles.next` gives and that was not seen before, on whatever host."""
    known = set(map(normalise, (*seen, page.url, page.requested_url)))
    links = pick_links(portal.articles.next, PageContext.whole(page, portal), many=True).values
    urls = [normalise(cleaned(link.text, portal.article_urls)) for link in links]
    return [url for url in urls if url not in known]


def another_article(
    page: Page,
    article: str,
    first_page: Callable[[], Page | None],
    portal: Portal,
) -> str | None:
    """Return why a page is not one more of the article: by its canonical URL and its headline, both."""
    further = FurtherPage(page, article, first_page, portal)
    if first_reason(OF_ONE_ARTICLE, further):
        return None
    url, headline = further.declared
    return f"its canonical URL is {url}, and its headline {headline!r} instead of {further.of_first[1]!r}"


@dataclass(eq=False)
class FurtherPage:
    """A page that may be one more of an article."""

    page: Page
    article: str
    """Its address."""
    first_page: Callable[[], Page | None]
    portal: Portal

    @fact
    def declared(self) -> tuple[str, str]:
        """The canonical URL and the headline of the page."""
        return _declared(self.page, self.portal)

    @fact
    def of_first(self) -> tuple[str, str]:
        """The canonical URL and the headline of the article's first page."""
        first = self.first_page()
        return _declared(first, self.portal) if first is not None else ("", "")


def _is_address_of_first(page: FurtherPage) -> bool:
    return _continues(page.declared[0], page.of_first[0] or page.article)


OF_ONE_ARTICLE: tuple[Check[FurtherPage], ...] = (
    Check("it declares no address", lambda page: not page.declared[0]),
    Check("it declares no headline", lambda page: not page.declared[1]),
    Check("its address is the article's", lambda page: _continues(page.declared[0], page.article)),
    Check("the first page has no headline", lambda page: not page.of_first[1]),
    Check("its address is that of the first page", _is_address_of_first),
    Check("their headlines are one", lambda page: _is_same_title(page.declared[1], page.of_first[1])),
)
"""Why a page may be one more of an article."""


def same_headline(page: Page, other: Page, portal: Portal) -> bool:
    """Say whether two pages, neither of which leads to the other, may have one headline."""
    one, headline = (_declared(each, portal)[1] for each in (page, other))
    return _is_same_title(one, headline)


def _declared(page: Page, portal: Portal) -> tuple[str, str]:
    """Return canonical URL and headline, by the portal's rules and general ones; empty where there is
    none."""
    # Asked only of further pages: a crawl without them starts sooner.
    from webarticlecurator.extraction.metadata import read_metadata, rules_for

    metadata = read_metadata(page, portal, rules_for(page, portal, {}).metadata).metadata
    url, headline = (metadata[name][0].value if name in metadata else "" for name in ("url", "headline"))
    return url, headline


def linked_from(page: Page) -> list[str]:
    """Return where the links of a page lead, each address once."""
    return list(dict.fromkeys(map(itemgetter(1), page_links(page, page.outline.rows("a")))))


def lies_below(url: str, article: str) -> bool:
    """Say whether an address is an article's own with something behind it."""
    return normalise(url).startswith(tuple(normalise(article).rstrip("/") + mark for mark in "/?&"))


def named_as_page(url: str, article: str) -> bool:
    """Say whether an address is an article's own with something behind it, or with a page's number."""
    return lies_below(url, article) or pages_apart(normalise(article), normalise(url)) is not None


def _continues(url: str, article: str) -> bool:
    """Say whether a canonical URL is the article's or lies below it: many portals let each page name
    itself."""
    return same_page(url, article) or lies_below(url, article)


def _is_same_title(mine: str, other: str) -> bool:
    """Say whether two headlines are one, as `The bridge` and `The bridge - page 2` are; an empty one is
    any."""
    first, second = (" ".join(("", *_WORDS.findall(title.casefold()), "")) for title in (mine, other))
    return first in second or second in first


def missing_pages(pages: Sequence[Page], next_page: str | None, portal: Portal) -> tuple[MissingPage, ...]:
    """Return the pages that are missing before, between and behind those of an article.

    `next_page` is where the last of them leads.
    """
    asked = [normalise(page.requested_url) for page in pages]
    led = [next_article_page(page, portal, asked[:place]) for place, page in enumerate(pages[:-1], start=1)]
    numbers = _page_numbers([*asked, *filter(None, (*led, next_page))])
    places = [0, *(numbers.get(url, 0) for url in asked)]
    is_in_order = all(one < other for one, other in pairwise(places))
    if not is_in_order or (places[1] != 1 and not says_page(asked[0])):
        numbers = {}
    before = (MissingPage(number, None) for number in range(1, numbers.get(asked[0], 1)))
    between = (_between(*pair, url, numbers) for pair, url in zip(pairwise(asked), led, strict=True))
    behind = [MissingPage(numbers.get(next_page), next_page)] if next_page is not None else []
    return tuple(islice(chain(before, chain.from_iterable(between), behind), 1000))


def _between(here: str, following: str, led: str | None, numbers: dict[str, int]) -> Iterator[MissingPage]:
    """Give the pages that are missing between two that are there.

    Nothing is between them where the first leads to the second, whatever their addresses are like.
    """
    if led == following:
        return
    absent = range(numbers[here] + 1, numbers[following]) if numbers else range(0)
    if led is not None and numbers.get(led) not in absent:
        yield MissingPage(numbers.get(led), led)
    yield from (
        MissingPage(number, led if led is not None and numbers[led] == number else None) for number in absent
    )


def _page_numbers(urls: Sequence[str]) -> dict[str, int]:
    """Return the page's number of each address of one article, where they differ in nothing but a number."""
    first, *others = dict.fromkeys(urls)
    apart = _apart(first, others)
    own_numbers = set(map(itemgetter(0), apart.values()))
    if len(apart) < len(others) or len(own_numbers) != 1:
        return {}
    numbers = {first: own_numbers.pop(), **{url: number for url, (_, number) in apart.items()}}
    items = gcd(*(number for number in numbers.values() if number > 1))
    if items >= _FEWEST_ITEMS and not any(map(says_page, others)):
        return {url: number // items + 1 for url, number in numbers.items()}
    return {url: number + (0 in numbers.values()) for url, number in numbers.items()}


def in_page_order(own: str, others: Iterable[str]) -> list[str]:
    """Return an address with those that differ from it in a page's number alone, by that number."""
    apart = _apart(own, others)
    own_number, _ = next(iter(apart.values()), (1, 1))
    places = {own: own_number, **{url: place for url, (_, place) in apart.items()}}
    return sorted(places, key=lambda url: places[url])


def _apart(own: str, others: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Return the addresses that differ from one in a page's number alone, each with the two numbers."""
    pairs = {url: pages_apart(own, url) for url in others}
    return {url: pair for url, pair in pairs.items() if pair is not None}


def says_page(url: str) -> bool:
    """Say whether an address calls a number in it that of a page."""
    return _SAYS_PAGE.search(url) is not None


def address_between(before: str, url: str) -> str | None:
    """Return the address of the page behind one of a list, where the one that follows has a higher number."""
    own, number = page_numbers(before, url)
    candidates = [f"{begin}{own + 1}{end}" for begin, end in _around_number(url, number, higher_than=own + 1)]
    return next((url for url in candidates if pages_apart(before, url) == (own, own + 1)), None)


def addresses_behind(before: str, url: str) -> Iterator[str]:
    """Give where the pages behind two successive ones of an article or a list may lie, without end."""
    before, url = normalise(before), normalise(url)
    own, number = page_numbers(before, url)
    counts_items = own <= 1 and number >= _FEWEST_ITEMS and not says_page(url)
    step = number if counts_items else number - own
    for begin, end in _around_number(url, number, higher_than=own):
        if pages_apart(url, f"{begin}{number + step}{end}") == (number, number + step):
            yield from (f"{begin}{number + times * step}{end}" for times in count(1))


def _around_number(url: str, number: int, *, higher_than: int) -> list[tuple[str, str]]:
    """Return the parts of an address before and behind a number, the last one in it first."""
    places = list(linear(rf"(?<!\d){number}(?!\d)").finditer(url)) if number > higher_than else []
    return [(url[: place.start()], url[place.end() :]) for place in reversed(places)]
