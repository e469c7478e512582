"""The entrances of a site for programs, and its home page, by one of its pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from operator import attrgetter

from webarticlecurator.extraction.alike import first_of_each
from webarticlecurator.extraction.site_entrances import (
    Entrance,
    EntranceKind,
    metas_of,
    named_entrances,
    only_related,
)
from webarticlecurator.model.capture import Exchange
from webarticlecurator.model.page import Page
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.protocol.message import unpacked_body
from webarticlecurator.protocol.robots_text import MOST_BYTES, robots_text
from webarticlecurator.urls import bare_host, is_http, join

USUAL_PLACE = "usual place"
_WORDPRESS_API = linear_at(r"(.*?)(?:wp-json/|index\.php\?rest_route=|\?rest_route=)")
_SITEMAP_LINE = linear(r"(?im)^[ \t]*sitemap[ \t]*:[ \t]*(\S+)")
USUAL: Mapping[str, tuple[tuple[EntranceKind, str], ...]] = {
    "WordPress": (
        ("api", "wp-json/wp/v2/posts"),
        ("sitemap", "wp-sitemap.xml"),
        ("sitemap", "sitemap_index.xml"),
        ("feed", "feed/"),
    ),
    "Blogger": (("api", "feeds/posts/default"), ("sitemap", "sitemap.xml")),
    "Ghost": (("sitemap", "sitemap.xml"), ("feed", "rss/")),
    "Discourse": (("api", "latest.json"), ("sitemap", "sitemap.xml"), ("feed", "latest.rss")),
    "phpBB": (("feed", "app.php/feed"), ("sitemap", "sitemap.xml")),
    "Simple Machines Forum": (("feed", "index.php?action=.xml;type=rss"), ("sitemap", "sitemap.xml")),
    "MyBB": (("feed", "syndication.php"), ("sitemap", "sitemap-index.xml")),
    "XenForo": (("feed", "forums/-/index.rss"), ("sitemap", "sitemap.xml")),
    "Drupal": (("api", "jsonapi/node/article"), ("sitemap", "sitemap.xml")),
}
"""Software -> where it offers its articles, below its home, unless somebody changed it."""
_ANYWHERE: tuple[tuple[EntranceKind, str], ...] = (
    ("sitemap", "sitemap.xml"),
    ("sitemap", "sitemap_index.xml"),
)


def entrances_of(page: Page, rights: Iterable[Exchange], software: str | None) -> list[Entrance]:
    """Return all that a page of the site and its robots.txt name, each once.

    Of a kind of which they name none, the usual places of its software.
    """
    named = [*_sitemaps_in_robots(rights), *named_entrances(page)]
    home = home_of(page)
    kinds = {entrance.kind for entrance in named}
    usual = [(kind, path) for kind, path in USUAL.get(software or "", _ANYWHERE) if kind not in kinds]
    guessed = [Entrance(kind, join(home, path) or home, USUAL_PLACE) for kind, path in usual]
    entrances = first_of_each((*named, *guessed), attrgetter("url"))
    return sorted(entrances, key=lambda entrance: _KINDS.index(entrance.kind))[:_MOST_ENTRANCES]


_KINDS: tuple[EntranceKind, ...] = ("api", "sitemap", "feed")
"""The most telling first."""
_MOST_ENTRANCES = 36


def _sitemaps_in_robots(rights: Iterable[Exchange]) -> Iterator[Entrance]:
    """Yield the sitemaps that robots.txt names, which was asked for before the first page of a host."""
    for answer in rights:
        if answer.request.url.endswith("/robots.txt") and answer.status == 200:
            named = robots_text(unpacked_body(answer, MOST_BYTES))
            for url in filter(is_http, _SITEMAP_LINE.findall(named)):
                yield Entrance("sitemap", url, "robots.txt")


def home_of(page: Page) -> str:
    """Return the home page of the site that a page is of, as well as the page tells it."""
    by_signs = chain.from_iterable(sign(page) for sign in _SIGNS_OF_HOME)
    return next(by_signs, page.url)


def _home_by_api(page: Page) -> Iterator[str]:
    """Give the folder above WordPress's interface."""
    urls = (entrance.url for entrance in named_entrances(page) if entrance.kind == "api")
    for api in filter(None, map(_WORDPRESS_API.match, urls)):
        yield api[1]


def _home_by_forum(page: Page) -> Iterator[str]:
    """Give the base that Discourse names."""
    bases = (f"{base.rstrip('/')}/" for base in metas_of(page, "name", "discourse-base-uri"))
    return page.joined(bases)


def _home_by_script(page: Page) -> Iterator[str]:
    """Give the folder of a script: software of that kind stands in one."""
    if linear(r"\.php(?:[/?]|$)").search(page.url):
        yield from _joined_to_address(page, ".")


def _home_by_link(page: Page) -> Iterator[str]:
    """Give where a link leads that is related to nothing but the home page, on the host."""
    urls = page.joined(only_related(page, "home", "a", "link"))
    return (f"{url.removesuffix('/')}/" for url in urls if bare_host(url) == bare_host(page.url))


def _root(page: Page) -> Iterator[str]:
    return _joined_to_address(page, "/")


def _joined_to_address(page: Page, reference: str) -> Iterator[str]:
    """Give the address to which a reference leads from the page's own, whatever base the page names."""
    return filter(None, (join(page.url, reference),))


_SIGNS_OF_HOME: tuple[Callable[[Page], Iterator[str]], ...] = (
    _home_by_api,
    _home_by_forum,
    _home_by_script,
    _home_by_link,
    _root,
)
"""The surest first."""
