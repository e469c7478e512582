"""The clues of a page before anything is chosen: what the portal file, the listing, the address and the
data of the page say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from webarticlecurator.config.portal import Portal, PortalKind
from webarticlecurator.dates import Clock, day_in_url
from webarticlecurator.extraction.metadata.bylines import VISIBLE_NAMES
from webarticlecurator.extraction.metadata.data import ArticleObjects
from webarticlecurator.extraction.metadata.head import read_head
from webarticlecurator.extraction.metadata.shown_dates import VISIBLE_DATES
from webarticlecurator.extraction.metadata.shown_topics import VISIBLE_TOPICS
from webarticlecurator.extraction.metadata.sources import (
    SITE_NAMES,
    SOURCES,
    PageClues,
    PortalNames,
    language_tag,
)
from webarticlecurator.extraction.metadata.visible import VISIBLE_TITLES, VisibleParts
from webarticlecurator.model.links import TOLD_BY_FEED, Fields
from webarticlecurator.model.metadata import AgentKind
from webarticlecurator.model.page import Page
from webarticlecurator.text import folded
from webarticlecurator.urls import any_spelling, bare_host, join, normalise

_KINDS_IN_FEEDS: dict[str, AgentKind] = {TOLD_BY_FEED["author"]: "person"}
"""Kinds of the bearers of names in feeds."""
_VISIBLE = VISIBLE_TITLES | VISIBLE_NAMES | VISIBLE_DATES | VISIBLE_TOPICS


def clues_of(page: Page, portal: Portal, listing: Fields) -> PageClues:
    """Return what is said of a page, and where to look for what it shows."""
    parts = VisibleParts(page.outline, page.url)
    clues = PageClues(
        page, Clock(portal.timezone, portal.language, page.date, page.is_dated), parts, _VISIBLE
    )
    clues.is_forum = portal.kind is PortalKind.FORUM
    clues.front_pages = frozenset(_front_pages(portal))
    _file_portal(clues, portal)
    _file_feed(clues, listing)
    clues.add("url:date", day_in_url(page.url))
    _file_data(clues)
    clues.clock = replace(clues.clock, language=portal.language or _language(clues))
    known = frozenset(map(folded, _names_of(portal, clues))) - {""}
    clues.outlets = PortalNames(known, folded(portal.title), page.asked)
    parts.language = clues.clock.language
    parts.find_headline(clues.texts("html:title", "meta:og:title"), clues.outlets)
    return clues


def _front_pages(portal: Portal) -> Iterator[str]:
    """Yield the spellings of the portal's home and of the root of its host."""
    for url in (normalise(portal.home), join(portal.home, "/")):
        if url:
            yield any_spelling(url)


def _file_portal(clues: PageClues, portal: Portal) -> None:
    """File what the portal file says of all articles."""
    clues.add("language", portal.language)
    clues.add("publisher.name", portal.publisher.name, "organization")
    clues.add("publisher.rights.licence", portal.publisher.rights.licence)
    clues.add("publisher.rights.statement", portal.publisher.rights.statement)


def _file_feed(clues: PageClues, listing: Fields) -> None:
    """File what a feed told of the article."""
    for source in TOLD_BY_FEED.values():
        for text in listing.get(source, ()):
            clues.add(source, text, _KINDS_IN_FEEDS.get(source, ""))


def _file_data(clues: PageClues) -> None:
    """File what the head, the JSON-LD and the microdata of the page say."""
    read_head(clues)
    first_level = [heading.text for heading in clues.parts.first_level]
    objects = ArticleObjects(first_level + clues.texts("meta:og:title", "html:title"), clues)
    clues.types = [objects.read_json_ld(), objects.read_microdata()]
    if not any(clues.types):
        clues.types[1] = objects.read_rdfa()


def _language(clues: PageClues) -> str | None:
    """Return the language that the page says it is in."""
    for text in clues.texts(*SOURCES["inLanguage"]):
        if tag := language_tag(text):
            return tag
    return None


def _names_of(portal: Portal, clues: PageClues) -> Iterator[str]:
    """Yield the names of the portal but its title: as its file, its host and its pages have them."""
    host = bare_host(clues.page.url)
    yield from (portal.name, *clues.texts("publisher.name"))
    yield from (host, host.rpartition(".")[0], host.split(".")[0])
    headlines = clues.texts("json-ld:headline")
    for source in SITE_NAMES:
        for clue in clues.get(source):
            if clue.kind != "person" and clue.text not in headlines:
                yield clue.text
