"""What one page tells of its site: where it offers its articles to programs, what it is called, and which software made it.

By which signs a software is known stands in `software_signs.txt`, with how sure they make.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from ipaddress import ip_address
from math import prod
from pathlib import Path
from typing import Literal

from webarticlecurator.config.portal import PortalKind
from webarticlecurator.document.parsed_page import feed_links
from webarticlecurator.http.message import unpacked_body
from webarticlecurator.model.capture import Exchange
from webarticlecurator.model.page import Page, relations
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.selectors import Selector
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
    """What the head of a page names."""
    for link in page.outline.named("link"):
        href = join(page.base, link.get("href") or "")
        if href is None or not is_http(href) or not link.get("href"):
            continue
        if "https://api.w.org/" in relations(link):
            yield Entrance("api", f"{href.rstrip('/')}/wp/v2/posts", '<link rel="https://api.w.org/">')
        elif "sitemap" in relations(link):
            yield Entrance("sitemap", href, '<link rel="sitemap">')
    for written in feed_links(page.tree) if page.tree is not None else ():
        if (url := join(page.base, written)) is not None and is_http(url):
            yield Entrance("feed", url, '<link rel="alternate">')
    for script in page.outline.named("script"):
        address = join(page.base, script.get("data-api") or "") if {"data-ghost", "data-api"}.issubset(script.attrib) else None
        if address is not None:
            yield Entrance("api", f"{address.rstrip('/')}/posts/", "the script of its portal (its public key stands there, too)")


def entrances_of(page: Page, rights: Iterable[Exchange], software: str | None) -> list[Entrance]:
    """All that a page of the site and its robots.txt name, each once; where they name none of a kind, the usual places of its software."""
    named: list[Entrance] = []
    for answer in rights:
        if answer.request.url.endswith("/robots.txt") and answer.status == 200:  # asked for before the first page of a host
            robots = unpacked_body(answer, 500 << 10).decode("utf-8", "replace")
            named += (Entrance("sitemap", line[1], "robots.txt") for line in _SITEMAP_LINE.finditer(robots) if is_http(line[1]))
    named += named_entrances(page)
    home = home_of(page)
    kinds = {entrance.kind for entrance in named}
    usual = [(kind, join(home, path)) for kind, path in USUAL.get(software or "", _ANYWHERE) if kind not in kinds]
    kept: dict[str, Entrance] = {}
    for entrance in (*named, *(Entrance(kind, url, USUAL_PLACE) for kind, url in usual if url is not None)):
        kept.setdefault(entrance.url, entrance)
    return sorted(kept.values(), key=lambda entrance: ("api", "sitemap", "feed").index(entrance.kind))[:36]


def home_of(page: Page) -> str:
    """The home page of the site that a page is of, as well as the page tells it."""
    for entrance in named_entrances(page):
        if entrance.kind == "api" and (wordpress := _WORDPRESS_API.match(entrance.url)):
            return wordpress[1]
    for base in _metas(page, "name", "discourse-base-uri"):
        return join(page.url, f"{base.rstrip('/')}/") or page.url
    if linear(r"\.php(?:[/?]|$)").search(page.url):
        return join(page.url, ".") or page.url
    for link in page.outline.named("a", "link"):
        url = join(page.base, link.get("href") or "") if relations(link) == ["home"] else None
        if url is not None and bare_host(url) == bare_host(page.url):
            return url if url.endswith("/") else f"{url}/"
    return join(page.url, "/") or page.url


def address_of(page: Page) -> str | None:
    """The page's own address, as a saved page tells it."""
    canonical = [link.get("href") or "" for link in page.outline.named("link") if relations(link) == ["canonical"]]
    return next(filter(is_http, (*canonical, *_metas(page, "property", "og:url"))), None)


def site_titles(home: Page, others: Sequence[Page], of_feed: str = "") -> list[str]:
    """What the site calls itself: the part of its home page's title that is its feed's, or that most titles share; of several that may be
    it all, as they stand there."""
    shared = Counter(part for page in others for part in set(_parts_of_title(page)))
    of_feed_parts = {of_feed, *_PARTED.split(of_feed)}
    named = " ".join(next(_metas(home, "property", "og:site_name"), "").split())
    ranks = {part: (part in of_feed_parts, shared[part]) for part in ([named] if named else _parts_of_title(home)) if part.isprintable()}
    return [part[:120] for part, rank in ranks.items() if rank == max(ranks.values())]


def about_site(home: Page) -> list[str]:
    """What its home page says of it in its head: title, name, description."""
    titles = [title.text or "" for title in home.outline.named("title")][:1]
    metas = (("property", "og:site_name"), ("name", "description"), ("property", "og:description"))
    return [" ".join(text.split()) for text in (*titles, *(text for meta in metas for text in _metas(home, *meta)))]


def _parts_of_title(page: Page) -> list[str]:
    titles = [" ".join((title.text or "").split()) for title in page.outline.named("title")]
    return [part for part in _PARTED.split(titles[0]) if part] if titles else []


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
    return (meta.get("content") or "" for meta in page.outline.named("meta") if meta.get(attribute) == name)


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


@cache
def _systems() -> Mapping[tuple[str, str, PortalKind | None], list[tuple[str, str, float]]]:
    """The signs of each by its name, its preset and the kind of its sites: where it writes what into its pages, and how sure that makes."""
    systems: dict[tuple[str, str, PortalKind | None], list[tuple[str, str, float]]] = {}
    signs: list[tuple[str, str, float]] = []
    for line in Path(__file__).with_name("software_signs.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            place, weight, what = line.split(maxsplit=2)
            signs.append((place, what, float(weight)))
        elif line and not line.startswith("#"):
            name, preset, *kind = line.split(", ")
            signs = systems[name, preset, PortalKind(kind[0]) if kind else None] = []
    return systems


def detect_software(page: Page) -> tuple[Detected, ...]:
    """What a page of a site shows, the likeliest first."""
    texts = _texts(page)

    def is_shown(place: str, what: str) -> bool:
        if place == "css":
            return page.tree is not None and bool(_parsed(what).select(page.tree))
        return any(linear(what).search(text) for text in texts[place])

    detected: list[Detected] = []
    for (name, preset, kind), signs in _systems().items():
        shown = [weight for place, what, weight in signs if is_shown(place, what)]
        certainty = 1 - prod(1 - weight for weight in shown)
        if certainty >= 0.3:
            detected.append(Detected(name, certainty, preset, kind, len(shown)))
    return tuple(sorted(detected, key=lambda system: -system.certainty))


def generators(page: Page) -> list[str]:
    """What the page itself says that made it."""
    metas = (meta for meta in page.outline.named("meta") if (meta.get("name") or "").lower() == "generator")
    return list(filter(None, (meta.get("content") for meta in metas)))


def _texts(page: Page) -> Mapping[str, Sequence[str]]:
    """What of a page the signs are looked for in, by their places."""

    def addresses(tag: str, attribute: str, rel: str = "") -> list[str]:
        written = [element.get(attribute) or "" for element in page.outline.named(tag) if rel in (element.get("rel") or "").lower()]
        return [url for address in written if address and (url := join(page.base, address)) is not None]

    own = bare_host(page.url)
    return {
        "generator": generators(page),
        "header": [f"{name}: {value}" for name, value in page.headers],
        "cookie": [value.partition("=")[0].strip() for name, value in page.headers if name.lower() == "set-cookie"],
        "address": [page.url],
        "asset": [*addresses("script", "src"), *addresses("link", "href", rel="stylesheet")],
        "picture": [url for url in addresses("img", "src") if bare_host(url) == own],
        "link": [url for url in addresses("a", "href") if bare_host(url) != own],
        "script": [script.text or "" for script in page.outline.named("script")],
    }


_parsed = cache(Selector.parse)
