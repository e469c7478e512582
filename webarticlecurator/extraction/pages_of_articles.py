"""Links of a list to a later page of an article that it names, too: `/topic.php?id=5&p=2` beside `?id=5`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from urllib.parse import parse_qsl

from lxml.etree import _Element as Element

from webarticlecurator.model.links import PAGE_OF_ARTICLE, RefusedLink
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import element_text
from webarticlecurator.urls import EXTENSION, drop_params, split_path

_NUMBER = linear_at(r"\d{1,6}")
_LETTERS = linear(r"[^\W\d_]")
_NUMBER_AT_END = linear(r"[-/_,]\d{1,6}$")
_NUMBER_BEHIND_WORD = linear(r"[-/_,][^\W\d_]{1,15}[-/_,]?\d{1,6}$")
"""`/page/2`, `/oldal-2`, `-p2`: whatever pages are called."""
_LONGEST_LABEL = 12
_MOST_PARAMETERS = 8


def pages_of_articles(listed: Iterable[tuple[str, Element]]) -> dict[str, RefusedLink]:
    """Return the listed addresses that are later pages of other listed ones, as links that are not followed.

    `listed`: normalised addresses, each with its link. On that stands a number, or some other sign: an
    article has a title. Or it leads to a place within the page, such as the last post of a thread; of
    comments in a box below the home page nothing is known.
    """
    links: defaultdict[str, list[Element]] = defaultdict(list)
    for url, link in listed:
        links[url].append(link)
    below_home = {url for url in links if split_path(url)[0].strip("/")}
    pages = list[str]()
    for is_sign, articles in ((_is_labelled_as_page, links.keys()), (_leads_within_page, below_home)):
        pages += (url for url in links if all(map(is_sign, links[url])) and is_later_page(url, articles))
    return {url: RefusedLink(url=url, reason=PAGE_OF_ARTICLE) for url in pages}


def _leads_within_page(link: Element) -> bool:
    return "#" in link.get("href", "")


def _is_labelled_as_page(link: Element) -> bool:
    label = element_text(link)
    return 0 < len(label) <= _LONGEST_LABEL and _LETTERS.search(label) is None


def is_later_page(url: str, articles: Collection[str]) -> bool:
    """Say whether an address is that of one of the articles with nothing but a page's number more."""
    return any(first in articles for first in first_pages(url) if first != url)


def first_pages(url: str) -> Iterator[str]:
    """Give the addresses that one may be a later page of."""
    path, query = split_path(url)
    numbered = (name for name, value in parse_qsl(query, keep_blank_values=True) if _NUMBER.fullmatch(value))
    yield from (drop_params(url, [name]) for name in islice(numbered, _MOST_PARAMETERS))
    stem = EXTENSION.sub("", path)
    host, behind = url.partition(path)[0], url[len(url.partition(path)[0]) + len(path) :]
    for ending in (_NUMBER_AT_END, _NUMBER_BEHIND_WORD):
        match = ending.search(stem)
        if match is not None:
            first = f"{host}{stem[: match.start()]}"
            yield from (f"{first}{way}{behind}" for way in ("", "/", path[len(stem) :], ".html"))
