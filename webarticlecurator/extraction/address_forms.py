"""Addresses that are written like those of known articles: in the same section or another, behind a prefix,
or on a sister host?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache

from webarticlecurator.extraction.url_rules import url_shape
from webarticlecurator.urls import bare_host, host_and_port, root_of, site_name

_FEWEST = 3
"""Articles that must be written alike, where more than a handful are known."""
_MOST_PREFIXES = 2
"""Segments that may stand before what is written like an article, such as `/de` or `/blogs/de`."""


class ArticleForms:
    """The forms of the addresses of known articles."""

    def __init__(self, articles: Iterable[str]) -> None:
        urls = list(articles)
        counts = Counter(url_shape(url, sections=False) for url in urls)
        enough = min(_FEWEST, len(urls))
        self._shapes = frozenset(shape for shape, number in counts.items() if number >= enough)
        self._sites = frozenset(map(site_of, urls))

    def is_like(self, url: str) -> bool:
        """Tell whether an address is written like an article's, perhaps behind a prefix or on a host of the
        same site."""
        return site_of(url) in self._sites and not self._shapes.isdisjoint(_shapes_of(url))

    def is_within(self, others: ArticleForms) -> bool:
        """Tell whether whatever is written like these articles is written like the others, too."""
        return self._sites <= others._sites and self._shapes <= others._shapes


def form_of(url: str) -> str:
    """Return what an address has in common with others of its section: its host, and its segments with titles
    and numbers as kinds."""
    return bare_host(url) + url_shape(url, sections=True)


def site_of(url: str) -> str:
    """Return the host without what may name a part of the site, with its port: `pelda.example` of
    `de.pelda.example`."""
    return _site_at(root_of(url))


@lru_cache(maxsize=4096)
def _site_at(root: str) -> str:
    return f"{site_name(root)}:{host_and_port(root).rpartition(':')[2]}"


def _shapes_of(url: str) -> Iterator[str]:
    """Give the shape of an address, then those without its first segments."""
    shape = url_shape(url, sections=False)
    yield shape
    path, _, query = shape.partition("?")
    segments = path.split("/")
    for prefixes in range(1, min(_MOST_PREFIXES, len(segments) - 2) + 1):
        yield "/".join(("", *segments[1 + prefixes :])) + (f"?{query}" if query else "")
