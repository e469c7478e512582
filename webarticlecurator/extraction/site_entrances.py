"""Addresses that a page of a site names in its head: entrances for programs, and its own address."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Literal, NamedTuple

from webarticlecurator.document.parsed_page import feed_links
from webarticlecurator.model.page import Page, relations
from webarticlecurator.urls import is_http

EntranceKind = Literal["api", "sitemap", "feed"]


@dataclass(frozen=True, slots=True)
class Entrance:
    """An address that lists articles for programs."""

    kind: EntranceKind
    url: str
    told_by: str
    """The place that names it."""


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
    return (
        script.get("data-api") for script in page.outline.named("script") if "data-ghost" in script.attrib
    )


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
    _Source(
        "feed", lambda page: feed_links(page.tree) if page.tree is not None else (), '<link rel="alternate">'
    ),
    _Source(
        "api", _ghost_interfaces, "the script of its portal (its public key stands there, too)", "/posts/"
    ),
)


def only_related(page: Page, relation: str, *tags: str) -> Iterator[str]:
    """Give what is written in the links of a page that have this relation alone."""
    return (link.get("href", "") for link in page.outline.named(*tags) if relations(link) == [relation])


def address_of(page: Page) -> str | None:
    """Return the page's own address, as a saved page tells it; no outline is made for that, since often the
    head alone is at hand."""
    if page.tree is None:
        return None
    canonical = (link.get("href", "") for link in page.tree.iter("link") if relations(link) == ["canonical"])
    shared = (meta.get("content", "") for meta in page.tree.iter("meta") if meta.get("property") == "og:url")
    return next(filter(is_http, chain(canonical, shared)), None)


def metas_of(page: Page, attribute: str, name: str) -> Iterator[str]:
    """Give the contents of the `meta` elements that an attribute calls so."""
    return (meta.get("content", "") for meta in page.outline.named("meta") if meta.get(attribute) == name)
