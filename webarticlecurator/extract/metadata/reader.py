"""Reads the metadata of an article page: the portal's picks, the listing, then every source that pages have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lxml.etree import _Element as Element

from webarticlecurator.config.fields import FIELDS
from webarticlecurator.config.picks import Picks
from webarticlecurator.config.portal import Kind, Portal
from webarticlecurator.document.page import Page
from webarticlecurator.extract.metadata.authors import folded
from webarticlecurator.extract.metadata.choose import CHOOSERS, Chosen, Reading, choose_plain, language_tag
from webarticlecurator.extract.metadata.clues import Clues
from webarticlecurator.extract.metadata.embedded import MICRODATA, RDFA, read_embedded
from webarticlecurator.extract.metadata.gate import odd_dates
from webarticlecurator.extract.metadata.head import read_head
from webarticlecurator.extract.metadata.json_ld import read_json_ld
from webarticlecurator.extract.metadata.merge import FIELDS_FROM, SOURCES
from webarticlecurator.extract.metadata.moments import Clock
from webarticlecurator.extract.metadata.running_text import text_bylines, text_dates
from webarticlecurator.extract.metadata.schema_types import ARTICLES
from webarticlecurator.extract.metadata.url_clues import day_in_url
from webarticlecurator.extract.metadata.visible import file_sight, look
from webarticlecurator.extract.nodes import Place
from webarticlecurator.extract.picks import pick_fields
from webarticlecurator.model.links import Fields
from webarticlecurator.model.metadata import Found, Metadata
from webarticlecurator.urls import bare_host

_TYPES = {Kind.NEWS: "NewsArticle", Kind.BLOG: "BlogPosting", Kind.FORUM: "DiscussionForumPosting"}
_VAGUE = frozenset({"Article", "Report", "SocialMediaPosting"})
"""Types that say less than the kind of the portal does."""
_SITE_NAMES = (
    *("meta:og:site_name", "json-ld:publisher", "microdata:publisher", "meta:application-name", "meta:apple-mobile-web-app-title"),
    *("meta:twitter:site", "meta:publisher", "meta:dc.publisher", "html:site-name"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadMetadata:
    """The metadata of one page."""

    metadata: Metadata
    disagreements: Metadata = field(default_factory=dict)
    """What sources that did not win say instead."""
    flags: tuple[str, ...] = ()
    type: str = "NewsArticle"
    """Schema.org's."""


def read_metadata(page: Page, portal: Portal, picks: Mapping[str, Picks], *, listing: Fields | None = None) -> ReadMetadata:
    """The portal's `picks` first, then the fields of the listing, then what pages say of themselves."""
    listing = listing or {}
    decided = dict(pick_fields(picks, Place.whole(page, portal, listing=listing)))
    for name, values in listing.items():
        if name in FIELDS and values:
            decided.setdefault(name, tuple(Found(value=value, raw=value, source=f"listing:{name}") for value in values))
    general, told = _general(page, page.tree, portal) if page.tree is not None else ({}, None)
    metadata: dict[str, tuple[Found, ...]] = {}
    disagreements: dict[str, tuple[Found, ...]] = {}
    for name in FIELDS:
        chosen = general.get(name, Chosen())
        values = decided.get(name) or chosen.values
        said = {folded(one.value) for one in values}
        others = tuple(one for one in (*(chosen.values if name in decided else ()), *chosen.others) if folded(one.value) not in said)
        if values:
            metadata[name] = values
        if others:
            disagreements[name] = others
    return ReadMetadata(
        metadata=metadata,
        disagreements=disagreements,
        flags=tuple(odd_dates(metadata, portal, page.date)),
        type=told if told in ARTICLES and told not in _VAGUE else _TYPES[portal.kind],
    )


def _general(page: Page, tree: Element, portal: Portal) -> tuple[dict[str, Chosen], str | None]:
    clues, told = _all_clues(page, tree)
    language = portal.language or next(filter(None, map(language_tag, clues.texts(*SOURCES["inLanguage"]))), None)
    clues.promise("html:text-date", lambda: text_dates(tree))
    clues.promise("html:by", lambda: text_bylines(tree, language))
    reading = Reading(
        page=page,
        clues=clues,
        clock=Clock(portal.timezone, language, page.date),
        language=language,
        outlets=_outlets(page, portal, clues),
    )
    fields = {name for source in clues.sources() for name in FIELDS_FROM.get(source, ())}
    return {name: CHOOSERS.get(name, choose_plain)(name, SOURCES[name], reading) for name in fields}, told


def _all_clues(page: Page, tree: Element) -> tuple[Clues, str | None]:
    """What every reader says, and the type that the page's own JSON-LD has."""
    clues = Clues()
    read_head(tree, clues)
    urls = [page.url, page.requested_url, *clues.texts("link:canonical", "meta:og:url")]
    told = read_json_ld(tree, urls, clues.texts("html:h1", "meta:og:title", "html:title"), clues)
    for syntax in (MICRODATA, RDFA):
        read_embedded(tree, syntax, clues)
    file_sight(look(tree), clues)
    clues.add("url:date", day_in_url(page.url))
    return clues, told


def _outlets(page: Page, portal: Portal, clues: Clues) -> frozenset[str]:
    """The names of the portal: as its file, its pages and its address give them."""
    host = bare_host(page.url)
    names = [portal.title, portal.name, portal.publisher.name or "", host, host.rpartition(".")[0], host.split(".")[0]]
    names += clues.texts(*_SITE_NAMES)
    return frozenset(filter(None, map(folded, names)))
