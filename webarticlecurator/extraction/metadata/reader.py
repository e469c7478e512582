"""Reads the metadata of an article page: the portal's picks, the listing, then every source that pages have in common."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import tzinfo

from lxml.etree import _Element as Element

from webarticlecurator.config.fields import FIELDS
from webarticlecurator.config.picks import Picks
from webarticlecurator.config.portal import Kind, Portal
from webarticlecurator.extraction.metadata.article_object import ARTICLES, ArticleObjects
from webarticlecurator.extraction.metadata.authors import folded
from webarticlecurator.extraction.metadata.choose import choose
from webarticlecurator.extraction.metadata.clues import Clues
from webarticlecurator.extraction.metadata.dates import OFFSET, Clock, completed, day_in_url, in_zone, odd_dates
from webarticlecurator.extraction.metadata.head import read_head
from webarticlecurator.extraction.metadata.offers import Chosen, PageClues, contradicting, language_tag
from webarticlecurator.extraction.metadata.sources import FIELDS_FROM, SITE_NAMES, SOURCES
from webarticlecurator.extraction.metadata.titles import without_site
from webarticlecurator.extraction.metadata.visible import VisibleElements
from webarticlecurator.extraction.picks import PageContext, pick_fields
from webarticlecurator.extraction.structured_data import MICRODATA, RDFA, embedded
from webarticlecurator.model.links import TOLD_BY_FEED, Fields
from webarticlecurator.model.metadata import Found, Metadata
from webarticlecurator.model.page import Page
from webarticlecurator.text import element_text
from webarticlecurator.urls import bare_host, join

_TYPES = {Kind.NEWS: "NewsArticle", Kind.BLOG: "BlogPosting", Kind.FORUM: "DiscussionForumPosting"}
Types = tuple[str | None, ...]
_VAGUE = frozenset({"Article", "Report", "SocialMediaPosting"})
"""Types that say less than the kind of the portal does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadMetadata:
    """The metadata of one page."""

    metadata: Metadata
    disagreements: Metadata = field(default_factory=dict)
    """What sources that did not win say instead."""
    flags: tuple[str, ...] = ()
    type: str = "NewsArticle"
    """Schema.org's."""
    outlets: frozenset[str] = frozenset()
    """The names of the portal, folded."""


def read_metadata(
    page: Page, portal: Portal, picks: Mapping[str, Picks], *, listing: Fields | None = None, certain: Metadata | None = None
) -> ReadMetadata:
    """What is `certain` first, then the portal's `picks`, the fields of the listing, and what pages say of themselves."""
    listing = listing or {}
    ruled = pick_fields(picks, PageContext.whole(page, portal, listing=listing))
    decided = {**ruled, **(certain or {})}
    for name, texts in listing.items():
        if name in FIELDS and texts:
            listed = tuple(Found(value=text, raw=text, source=f"listing:{name}") for text in texts)
            decided.setdefault(name, _kept(listed, picks.get(name)))
    general, types, outlets = _general(page, portal, listing)
    general |= {name: _without_dropped(general[name], rule) for name, rule in picks.items() if name in general}
    routed = {folded(one.value) for name, found in ruled.items() if name not in picks for one in found}
    metadata: dict[str, tuple[Found, ...]] = {}
    disagreements: dict[str, tuple[Found, ...]] = {}
    for name in (name for name in FIELDS if name in general or name in decided):
        chosen = general.get(name, Chosen())
        # what a rule sent to another field does not come back into its own
        own = tuple(one for one in chosen.values if not (name in picks and folded(one.value) in routed))
        told = (*chosen.values, *chosen.others)
        metadata[name] = _with_pages(completed(decided[name], told, portal.timezone), told) if decided.get(name) else own
        if chosen.others or metadata[name] != chosen.values:
            disagreements[name] = tuple(contradicting((*chosen.values, *chosen.others), metadata[name]))
    if titles := disagreements.get("headline"):
        disagreements["headline"] = _saying_more(titles, metadata["headline"], outlets, page, portal.home)
    if "dateModified" not in decided:
        metadata["dateModified"] = _by_one_clock(metadata, portal.timezone)
    metadata = _without_itself(metadata, page)
    metadata, disagreements = ({name: found for name, found in every.items() if found} for every in (metadata, disagreements))
    return ReadMetadata(
        metadata=metadata,
        disagreements=disagreements,
        flags=tuple(odd_dates(metadata, portal, page.date)),
        type=next((told for told in types if told in ARTICLES and told not in _VAGUE), _TYPES[portal.kind]),
        outlets=outlets,
    )


def _by_one_clock(metadata: Metadata, zone: tzinfo) -> tuple[Found, ...]:
    """When it was changed, by the portal's clock where the publication is told by a local one: else it may seem to be the day before."""
    published = next((one.value for one in metadata.get("datePublished", ()) if OFFSET.search(one.value)), "+00:00")
    modified = metadata.get("dateModified", ())
    return modified if published.endswith("+00:00") else tuple(in_zone(one, zone) for one in modified)


def _with_pages(found: Sequence[Found], told: Sequence[Found]) -> tuple[Found, ...]:
    """With the pages about them that the page links to: what a rule or a listing says is a name alone."""
    pages = {folded(one.value): one for one in told if one.url}
    linked = ((one, None if one.url else pages.get(folded(one.value))) for one in found)
    return tuple(one if page is None else replace(one, url=page.url, kind=one.kind or page.kind) for one, page in linked)


def _kept(found: tuple[Found, ...], rule: Picks | None) -> tuple[Found, ...]:
    """Without what the rule drops: its file says that it is no value of this field, whoever else tells it."""
    return found if rule is None else tuple(one for one in found if not (rule.drops(one.value) or rule.drops(one.raw)))


def _without_dropped(chosen: Chosen, rule: Picks) -> Chosen:
    """What the next source says takes the place of values that are all dropped."""
    values, others = _kept(chosen.values, rule), _kept(chosen.others, rule)
    values = values or tuple(one for one in others if one.source == others[0].source)
    return Chosen(values, tuple(one for one in others if one not in values))


def _saying_more(titles: Sequence[Found], headline: Sequence[Found], names: frozenset[str], page: Page, home: str) -> tuple[Found, ...]:
    """Those that are more than the headline with a name of the site; by that name pages link to the front page, too."""
    said = tuple(folded(one.value) for one in headline)
    more = [one for one in titles if folded(without_site(one.value, names, ())) not in said]
    if page.tree is None or not any(text.startswith(said) or text.endswith(said) for text in (folded(one.value) for one in more)):
        return tuple(more)
    links = (link for link in page.tree.iterfind(".//a[@href]") if _address(join(page.base, link.get("href", "")) or "") == _address(home))
    names |= {folded(element_text(link)) for link in links}
    return tuple(one for one in more if folded(without_site(one.value, names, ())) not in said)


def _without_itself(metadata: Mapping[str, tuple[Found, ...]], page: Page) -> dict[str, tuple[Found, ...]]:
    """No article is based on itself, none has its own headline or description for another headline, and no author contributes, too.

    Nor is a picture its own that blog software shows of everything without one.
    """
    kept = dict(metadata)
    authors = {folded(one.value) for one in metadata.get("author", ())}
    kept["image"] = tuple(one for one in metadata.get("image", ()) if _PLACEHOLDER.search(one.value) is None)
    kept["contributor"] = tuple(one for one in metadata.get("contributor", ()) if folded(one.value) not in authors)
    titles = {folded(one.value) for name in ("headline", "name", "description") for one in metadata.get(name, ())[:1]}
    kept["alternativeHeadline"] = tuple(one for one in metadata.get("alternativeHeadline", ()) if folded(one.value) not in titles)
    works = [name for name in _OTHER_WORKS if name in metadata]
    if works:
        told = (one.value for name in ("url", "mainEntityOfPage") for one in metadata.get(name, ()))
        own = set(map(_address, (page.url, page.requested_url, *told)))
        kept |= {name: tuple(one for one in metadata[name] if _address(one.value) not in own) for name in works}
    return kept


_PLACEHOLDER = re.compile(r"//static\.ghost\.org/[^?#]*/publication-cover\.|//s0\.wp\.com/(?:i/blank|_si/)")
_OTHER_WORKS = ("isBasedOn", "citation", "translationOfWork", "workTranslation")
_SCHEME_AND_TRACES = re.compile(r"^https?://(?:www\.|m\.)?|#.*$|[?&](?:utm_|fbclid|gclid)[^&#]*")


def _address(url: str) -> str:
    """Of a page, however it is asked for."""
    return _SCHEME_AND_TRACES.sub("", url).rstrip("/").casefold()


def _general(page: Page, portal: Portal, listing: Fields) -> tuple[dict[str, Chosen], Types, frozenset[str]]:
    """What each field may be, the types, and what the portal is called."""
    clues = Clues()
    _file_portal(portal, clues)
    for source in TOLD_BY_FEED.values():
        for text in listing.get(source, ()):
            clues.add(source, text, "person" if source == TOLD_BY_FEED["author"] else "")
    clues.add("url:date", day_in_url(page.url))
    elements = None
    if page.tree is not None:
        elements = VisibleElements(page.tree, lambda: clues.texts("html:title", "meta:og:title"), bare_host(page.url))
    types = _file_page(page, page.tree, elements, clues) if page.tree is not None and elements is not None else (None,)
    language = portal.language or next(filter(None, map(language_tag, clues.texts(*SOURCES["inLanguage"]))), None)
    if elements is not None:
        elements.promise(clues, language)
    known = PageClues(
        page=page,
        clues=clues,
        clock=Clock(portal.timezone, language, page.date),
        language=language,
        outlets=_outlets(page, portal, clues),
        archive=portal.columns[0].template.text if len(portal.columns) == 1 else "",
        is_news=(types[0] or "").endswith("NewsArticle"),
    )
    present = frozenset(clues.sources())
    fields = {name for source in present for name in FIELDS_FROM.get(source, ())}
    return {name: choose(name, known, present) for name in fields}, types, known.outlets


def _file_portal(portal: Portal, clues: Clues) -> None:
    """What the portal file says of all its articles, by where it stands there."""
    clues.add("language", portal.language)
    clues.add("publisher.name", portal.publisher.name, "organization")
    clues.add("publisher.rights.licence", portal.publisher.rights.licence)
    clues.add("publisher.rights.statement", portal.publisher.rights.statement)


def _file_page(page: Page, tree: Element, elements: VisibleElements, clues: Clues) -> Types:
    """What every reader of data says; the types that JSON-LD and what is embedded give the article."""
    read_head(tree, clues, elements.samples)
    told = clues.texts("link:canonical", "meta:og:url")
    objects = ArticleObjects([page.url, page.requested_url, *told], clues.texts("html:h1", "meta:og:title", "html:title"), clues)
    return (
        objects.read_json_ld(page.json_ld),
        objects.read_embedded("microdata", embedded(elements.microdata, MICRODATA)),
        objects.read_embedded("rdfa", embedded(elements.rdfa, RDFA)),
    )


def _outlets(page: Page, portal: Portal, clues: Clues) -> frozenset[str]:
    """The names of the portal: as its file, its pages and its address give them."""
    host = bare_host(page.url)
    names = [portal.title, portal.name, portal.publisher.name or "", host, host.rpartition(".")[0], host.split(".")[0]]
    headlines = clues.texts("json-ld:headline")
    told = (clue for source in SITE_NAMES for clue in clues.get(source))
    names += [one.text for one in told if one.kind != "person" and one.text not in headlines]
    return frozenset(filter(None, map(folded, names)))
