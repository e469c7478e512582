"""What one page tells of its site: where it offers its articles to programs, what it is called, and which software made it.

By which signs a software is known stands in `software_signs.txt`, with how sure they make.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from ipaddress import ip_address
from itertools import chain
from math import prod
from pathlib import Path
from typing import Literal

from webarticlecurator.config.portal import PortalKind
from webarticlecurator.document.parsed_page import feed_links
from webarticlecurator.http.message import unpacked_body
from webarticlecurator.http.robots_text import MOST_BYTES, robots_text
from webarticlecurator.model.capture import Exchange
from webarticlecurator.model.page import Page, relations
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.selectors import Selector
from webarticlecurator.text import squeeze
from webarticlecurator.urls import bare_host, is_http, join

EntranceKind = Literal["api", "sitemap", "feed"]
USUAL_PLACE = "usual place"
_PARTED = linear(r"(?<!\s)\s+(?:[|–—·»:-]+)\s+")
_HOSTED = linear(r"\.(?:blogspot|wordpress|substack|tumblr|typepad|livejournal|medium)\.com$|\.ghost\.io$")
_WORDPRESS_API = linear_at(r"(.*?)(?:wp-json/|index\.php\?rest_route=|\?rest_route=)")
_SITEMAP_LINE = linear(r"(?im)^[ \t]*sitemap[ \t]*:[ \t]*(\S+)")


@dataclass(frozen=True, slots=True)
class Entrance:
    """An address that lists articles for programs."""

    kind: EntranceKind
    url: str
    told_by: str
    """What names it."""


USUAL: Mapping[str, tuple[tuple[EntranceKind, str], ...]] = {
    "WordPress": (("api", "wp-json/wp/v2/posts"), ("sitemap", "wp-sitemap.xml"), ("sitemap", "sitemap_index.xml"), ("feed", "feed/")),
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
_ANYWHERE: tuple[tuple[EntranceKind, str], ...] = (("sitemap", "sitemap.xml"), ("sitemap", "sitemap_index.xml"))


def named_entrances(page: Page) -> Iterator[Entrance]:
    """Yield what the head of a page names."""
    for url in _related(page, "https://api.w.org/", "link"):
        yield Entrance("api", f"{url.rstrip('/')}/wp/v2/posts", '<link rel="https://api.w.org/">')
    for url in _related(page, "sitemap", "link"):
        yield Entrance("sitemap", url, '<link rel="sitemap">')
    feeds = feed_links(page.tree) if page.tree is not None else ()
    for url in _web_addresses(page, feeds):
        yield Entrance("feed", url, '<link rel="alternate">')
    of_ghost = (script.get("data-api") for script in page.outline.named("script") if "data-ghost" in script.attrib)
    for url in _web_addresses(page, of_ghost):
        yield Entrance("api", f"{url.rstrip('/')}/posts/", "the script of its portal (its public key stands there, too)")


def _related(page: Page, relation: str, *tags: str) -> Iterator[str]:
    """Give the addresses of the links of a page that say so in their `rel`."""
    return _web_addresses(page, (link.get("href") for link in page.outline.named(*tags) if relation in relations(link)))


def _web_addresses(page: Page, written: Iterable[str | None]) -> Iterator[str]:
    """Give the addresses that a page writes, as whole ones, where they lead to web pages."""
    return filter(is_http, page.joined(written))


def entrances_of(page: Page, rights: Iterable[Exchange], software: str | None) -> list[Entrance]:
    """Return all that a page of the site and its robots.txt name, each once; the usual places of its software for each kind of
    which they name none."""
    named = [*_sitemaps_in_robots(rights), *named_entrances(page)]
    home = home_of(page)
    kinds = {entrance.kind for entrance in named}
    usual = [(kind, join(home, path)) for kind, path in USUAL.get(software or "", _ANYWHERE) if kind not in kinds]
    guessed = (Entrance(kind, url, USUAL_PLACE) for kind, url in usual if url is not None)
    kept: dict[str, Entrance] = {}
    for entrance in (*named, *guessed):
        kept.setdefault(entrance.url, entrance)
    return sorted(kept.values(), key=lambda entrance: ("api", "sitemap", "feed").index(entrance.kind))[:36]


def _sitemaps_in_robots(rights: Iterable[Exchange]) -> Iterator[Entrance]:
    """Yield the sitemaps that robots.txt names, which was asked for before the first page of a host."""
    for answer in rights:
        if answer.request.url.endswith("/robots.txt") and answer.status == 200:
            named = robots_text(unpacked_body(answer, MOST_BYTES))
            for url in filter(is_http, _SITEMAP_LINE.findall(named)):
                yield Entrance("sitemap", url, "robots.txt")


def home_of(page: Page) -> str:
    """The home page of the site that a page is of, as well as the page tells it."""
    told = chain.from_iterable(sign(page) for sign in _SIGNS_OF_HOME)
    return next(told, None) or join(page.url, "/") or page.url


def _home_by_api(page: Page) -> Iterator[str]:
    """Give the folder above WordPress's interface."""
    urls = (entrance.url for entrance in named_entrances(page) if entrance.kind == "api")
    for api in filter(None, map(_WORDPRESS_API.match, urls)):
        yield api[1]


def _home_by_forum(page: Page) -> Iterator[str]:
    """Give the base that Discourse names."""
    for base in _metas(page, "name", "discourse-base-uri"):
        yield join(page.url, f"{base.rstrip('/')}/") or page.url


def _home_by_script(page: Page) -> Iterator[str]:
    """Give the folder of a script: software of that kind stands in one."""
    if linear(r"\.php(?:[/?]|$)").search(page.url):
        yield join(page.url, ".") or page.url


def _home_by_link(page: Page) -> Iterator[str]:
    """Give where a link leads that is related to nothing but the home page, on the host."""
    for url in page.joined(_only_related(page, "home", "a", "link")):
        if bare_host(url) == bare_host(page.url):
            yield f"{url.removesuffix('/')}/"


_SIGNS_OF_HOME: tuple[Callable[[Page], Iterator[str]], ...] = (_home_by_api, _home_by_forum, _home_by_script, _home_by_link)
"""The surest first."""


def _only_related(page: Page, relation: str, *tags: str) -> Iterator[str]:
    """Give what is written in the links of a page that have this relation alone."""
    return (link.get("href", "") for link in page.outline.named(*tags) if relations(link) == [relation])


def address_of(page: Page) -> str | None:
    """The page's own address, as a saved page tells it."""
    canonical = _only_related(page, "canonical", "link")
    return next(filter(is_http, (*canonical, *_metas(page, "property", "og:url"))), None)


def site_titles(home: Page, others: Sequence[Page], of_feed: str = "") -> list[str]:
    """What the site calls itself: the part of its home page's title that is its feed's, or that most titles share; of several that may be
    it all, as they stand there."""
    shared = Counter(part for page in others for part in set(_parts_of_title(page)))
    of_feed_parts = {of_feed, *_PARTED.split(of_feed)}
    named = squeeze(next(_metas(home, "property", "og:site_name"), ""))
    parts = [named] if named else _parts_of_title(home)
    ranks = {part: (part in of_feed_parts, shared[part]) for part in filter(str.isprintable, parts)}
    return [part[:120] for part, rank in ranks.items() if rank == max(ranks.values())]


def about_site(home: Page) -> list[str]:
    """What its home page says of it in its head: title, name, description."""
    metas = (("property", "og:site_name"), ("name", "description"), ("property", "og:description"))
    of_metas = chain.from_iterable(_metas(home, *meta) for meta in metas)
    return [_title(home), *map(squeeze, of_metas)]


def _parts_of_title(page: Page) -> list[str]:
    return list(filter(None, _PARTED.split(_title(page))))


def _title(page: Page) -> str:
    """Return what stands in the title of a page; empty where it has none."""
    title = next(page.outline.named("title"), None)
    return squeeze(title.text or "") if title is not None else ""


def name_of(home: str) -> str:
    """A name for folders and files: of pelda.example `pelda`, of naplo.blogspot.com `naplo`."""
    host = bare_host(home)
    try:
        return json.dumps(str(ip_address(host.strip("[]"))).replace(":", "-").strip("-") or "0")
    except ValueError:
        name = host[: hosted.start()] if (hosted := _HOSTED.search(host)) else host.rpartition(".")[0] or host
        name = linear(r"[^a-z0-9._-]").sub("-", name.lower())[:64].strip("._-") or "portal"
        return name if name[0].isalpha() and name not in ("true", "false", "null") else json.dumps(name)


def _metas(page: Page, attribute: str, name: str) -> Iterator[str]:
    return (meta.get("content", "") for meta in page.outline.named("meta") if meta.get(attribute) == name)


# --- which software made it ---


@dataclass(frozen=True, slots=True)
class Detected:
    """A software that a page may have been made with."""

    software: str
    certainty: float
    """0 to 1."""
    preset: str
    kind: PortalKind | None
    """Of the sites that are made with it."""
    signs: int
    """That the page shows."""


@dataclass(frozen=True, slots=True)
class _Sign:
    """What software writes into its pages."""

    place: str
    """A key of `_READERS`, or `css`."""
    weight: float
    """How sure it alone makes."""
    what: str
    """A regular expression, or a selector."""

    def is_shown(self, page: Page, texts: Mapping[str, Sequence[str]]) -> bool:
        """Whether a page shows it."""
        if self.place == _CSS:
            return page.tree is not None and bool(_parsed(self.what).select(page.tree))
        return any(map(linear(self.what).search, texts[self.place]))


@dataclass(frozen=True, slots=True)
class _System:
    """A software that is known by its signs."""

    name: str
    preset: str
    kind: PortalKind | None
    signs: list[_Sign]


@cache
def _systems() -> Sequence[_System]:
    """Return what `software_signs.txt` knows."""
    systems: list[_System] = []
    for line in Path(__file__).with_name("software_signs.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            place, weight, what = line.split(maxsplit=2)
            systems[-1].signs.append(_Sign(place, float(weight), what))
        elif line[:1] not in ("", "#"):
            name, preset, *kind = line.split(", ")
            systems.append(_System(name, preset, next(map(PortalKind, kind), None), []))
    return systems


def detect_software(page: Page) -> tuple[Detected, ...]:
    """Return the software that a page of a site may be made with, the likeliest first.

    A page that names what made it is believed: classes that others use, too, are then no signs of anything else.
    """
    texts = {place: read(page) for place, read in _READERS.items()}
    names_maker = bool(texts["generator"])
    detected: list[Detected] = []
    for system in _systems():
        shown = [sign for sign in system.signs if sign.is_shown(page, texts)]
        if names_maker and not any(sign.place == "generator" for sign in shown):
            shown = [sign for sign in shown if sign.place != _CSS]
        certainty = 1 - prod(1 - sign.weight for sign in shown)
        if certainty >= 0.3:
            detected.append(Detected(system.name, certainty, system.preset, system.kind, len(shown)))
    return tuple(sorted(detected, key=lambda system: -system.certainty))


def generators(page: Page) -> list[str]:
    """Return the names by which the page itself says what made it."""
    metas = (meta for meta in page.outline.named("meta") if meta.get("name", "").lower() == "generator")
    return list(filter(None, (meta.get("content") for meta in metas)))


def _header_lines(page: Page) -> list[str]:
    return [f"{name}: {value}" for name, value in page.headers]


def _cookies(page: Page) -> list[str]:
    return [value.partition("=")[0].strip() for name, value in page.headers if name.lower() == "set-cookie"]


def _addresses(page: Page, tag: str, attribute: str) -> list[str]:
    """Return the addresses that elements of a page lead to."""
    return list(page.joined(element.get(attribute) for element in page.outline.named(tag)))


def _assets(page: Page) -> list[str]:
    sheets = (link.get("href") for link in page.outline.named("link") if "stylesheet" in link.get("rel", "").lower())
    return [*_addresses(page, "script", "src"), *page.joined(sheets)]


def _own_pictures(page: Page) -> list[str]:
    host = bare_host(page.url)
    return [url for url in _addresses(page, "img", "src") if bare_host(url) == host]


def _links_elsewhere(page: Page) -> list[str]:
    host = bare_host(page.url)
    return [url for url in _addresses(page, "a", "href") if bare_host(url) != host]


_CSS = "css"
_READERS: Mapping[str, Callable[[Page], Sequence[str]]] = {
    "generator": generators,
    "header": _header_lines,
    "cookie": _cookies,
    "address": lambda page: [page.url],
    "asset": _assets,
    "picture": _own_pictures,
    "link": _links_elsewhere,
    "script": lambda page: [script.text or "" for script in page.outline.named("script")],
}
"""Place of a sign -> the texts that it is looked for in."""
_parsed = cache(Selector.parse)
