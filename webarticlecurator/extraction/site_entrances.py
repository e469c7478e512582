"""A site by one of its pages: its entrances for programs, its name, and the software that made it.

The signs by which a software is known stand in `software_signs.txt`, with how sure they make.
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
from typing import Literal, NamedTuple

from webarticlecurator.config.portal import PortalKind
from webarticlecurator.document.parsed_page import feed_links
from webarticlecurator.extraction.page_context import selected_on
from webarticlecurator.model.capture import Exchange
from webarticlecurator.model.page import Page, relations
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.protocol.message import unpacked_body
from webarticlecurator.protocol.robots_text import MOST_BYTES, robots_text
from webarticlecurator.selectors import Selector
from webarticlecurator.text import squeeze
from webarticlecurator.urls import bare_host, is_http, join

EntranceKind = Literal["api", "sitemap", "feed"]
USUAL_PLACE = "usual place"
_PARTED = linear(r"(?<!\s)\s+(?:[|–—·»:-]+)\s+")
_ENDING = linear(r"\.(?:blogspot|wordpress|substack|tumblr|typepad|livejournal|medium)\.com$|\.ghost\.io$|(?<=.)\.[^.]*$")
"""The end of a host that many sites share."""
_PLAIN_NAME = linear_at(r"(?!(?:true|false|null)$)[a-z]")
"""The beginning of a name that YAML takes for a text without quotation marks."""
_WORDPRESS_API = linear_at(r"(.*?)(?:wp-json/|index\.php\?rest_route=|\?rest_route=)")
_SITEMAP_LINE = linear(r"(?im)^[ \t]*sitemap[ \t]*:[ \t]*(\S+)")


@dataclass(frozen=True, slots=True)
class Entrance:
    """An address that lists articles for programs."""

    kind: EntranceKind
    url: str
    told_by: str
    """The place that names it."""


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


def named_entrances(page: Page) -> Iterator[Entrance]:
    """Yield what the head of a page names."""
    for source in _NAMED:
        for url in filter(is_http, page.joined(source.addresses(page))):
            whole = f"{url.rstrip('/')}{source.below}" if source.below else url
            yield Entrance(source.kind, whole, source.told_by)


def _related(page: Page, relation: str) -> Iterator[str | None]:
    """Give the addresses of the links in the head of a page that say so in their `rel`."""
    return (link.get("href") for link in page.outline.named("link") if relation in relations(link))


def _ghost_interfaces(page: Page) -> Iterator[str | None]:
    return (script.get("data-api") for script in page.outline.named("script") if "data-ghost" in script.attrib)


class _Source(NamedTuple):
    """A place in the head of a page that names an entrance."""

    kind: EntranceKind
    addresses: Callable[[Page], Iterable[str | None]]
    told_by: str
    below: str = ""
    """The place of the articles below the address."""


_NAMED = (
    _Source(
        "api",
        lambda page: _related(page, "https://api.w.org/"),
        '<link rel="https://api.w.org/">',
        "/wp/v2/posts",
    ),
    _Source("sitemap", lambda page: _related(page, "sitemap"), '<link rel="sitemap">'),
    _Source("feed", lambda page: feed_links(page.tree) if page.tree is not None else (), '<link rel="alternate">'),
    _Source("api", _ghost_interfaces, "the script of its portal (its public key stands there, too)", "/posts/"),
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
    kept: dict[str, Entrance] = {}
    for entrance in (*named, *guessed):
        kept.setdefault(entrance.url, entrance)
    return sorted(kept.values(), key=lambda entrance: _KINDS.index(entrance.kind))[:_MOST_ENTRANCES]


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
    bases = (f"{base.rstrip('/')}/" for base in _metas(page, "name", "discourse-base-uri"))
    return page.joined(bases)


def _home_by_script(page: Page) -> Iterator[str]:
    """Give the folder of a script: software of that kind stands in one."""
    folder = "." if linear(r"\.php(?:[/?]|$)").search(page.url) else None
    return _joined_to_address(page, folder)


def _home_by_link(page: Page) -> Iterator[str]:
    """Give where a link leads that is related to nothing but the home page, on the host."""
    urls = page.joined(_only_related(page, "home", "a", "link"))
    return (f"{url.removesuffix('/')}/" for url in urls if bare_host(url) == bare_host(page.url))


def _root(page: Page) -> Iterator[str]:
    return _joined_to_address(page, "/")


def _joined_to_address(page: Page, reference: str | None) -> Iterator[str]:
    """Give the address to which a reference leads from the page's own, whatever base the page names."""
    url = join(page.url, reference) if reference is not None else None
    return filter(None, (url,))


_SIGNS_OF_HOME: tuple[Callable[[Page], Iterator[str]], ...] = (
    _home_by_api,
    _home_by_forum,
    _home_by_script,
    _home_by_link,
    _root,
)
"""The surest first."""


def _only_related(page: Page, relation: str, *tags: str) -> Iterator[str]:
    """Give what is written in the links of a page that have this relation alone."""
    return (link.get("href", "") for link in page.outline.named(*tags) if relations(link) == [relation])


def address_of(page: Page) -> str | None:
    """Return the page's own address, as a saved page tells it."""
    canonical = _only_related(page, "canonical", "link")
    return next(filter(is_http, (*canonical, *_metas(page, "property", "og:url"))), None)


def site_titles(home: Page, others: Sequence[Page], of_feed: str = "") -> list[str]:
    """Return the names of a site: the part of its home page's title that is its feed's, or that most share.

    Of several that may be it all, as they stand there.
    """
    shared = Counter(chain.from_iterable(set(_parts_of_title(page)) for page in others))
    of_feed_parts = {of_feed, *_PARTED.split(of_feed)}
    named = squeeze(next(_metas(home, "property", "og:site_name"), ""))
    parts = [named] if named else _parts_of_title(home)
    ranks = {part: (part in of_feed_parts, shared[part]) for part in filter(str.isprintable, parts)}
    return [part[:120] for part, rank in ranks.items() if rank == max(ranks.values())]


def about_site(home: Page) -> list[str]:
    """Return what its home page says of it in its head: title, name, description."""
    metas = (("property", "og:site_name"), ("name", "description"), ("property", "og:description"))
    of_metas = chain.from_iterable(_metas(home, *meta) for meta in metas)
    return [_title(home), *map(squeeze, of_metas)]


def _parts_of_title(page: Page) -> list[str]:
    return list(filter(None, _PARTED.split(_title(page))))


def _title(page: Page) -> str:
    """Return what stands in the title of a page; empty where it has none."""
    titles = (title.text or "" for title in page.outline.named("title"))
    return squeeze(next(titles, ""))


def name_of(home: str) -> str:
    """Return a name for folders and files: of pelda.example `pelda`, of naplo.blogspot.com `naplo`."""
    host = bare_host(home)
    try:
        return json.dumps(str(ip_address(host.strip("[]"))).replace(":", "-").strip("-") or "0")
    except ValueError:
        name = _ENDING.sub("", host)
        name = linear(r"[^a-z0-9._-]").sub("-", name.lower())[:64].strip("._-") or "portal"
        return name if _PLAIN_NAME.match(name) else json.dumps(name)


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
    """The kind of the sites that are made with it."""
    signs: int
    """That the page shows."""


@dataclass(frozen=True, slots=True)
class _Sign:
    """A text or an element that software writes into its pages."""

    place: str
    """A key of `_READERS`, or `css`."""
    weight: float
    """The certainty that it gives alone."""
    what: str
    """A regular expression, or a selector."""

    def is_shown(self, page: Page, texts: Mapping[str, Sequence[str]]) -> bool:
        """Say whether a page shows it."""
        if self.place == _CSS:
            return bool(selected_on(page, _parsed(self.what)))
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

    A page that names its software is believed: classes that others use, too, are no signs of anything else.
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
    metas = page.outline.named("meta")
    written = (meta.get("content") for meta in metas if meta.get("name", "").lower() == "generator")
    return list(filter(None, written))


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
    return [url for url in _addresses(page, "img", "src") if bare_host(url) == bare_host(page.url)]


def _links_elsewhere(page: Page) -> list[str]:
    return [url for url in _addresses(page, "a", "href") if bare_host(url) != bare_host(page.url)]


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
