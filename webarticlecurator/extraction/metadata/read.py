"""Reads the metadata of an article page: the portal's picks, the listing, then every source that pages have in common."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from functools import lru_cache
from itertools import chain

from lxml.etree import _Element as Element

from webarticlecurator.config.fields import FIELDS
from webarticlecurator.config.picks import Picks
from webarticlecurator.config.portal import Kind, Portal
from webarticlecurator.extraction.metadata.choose import (
    Chosen,
    Offer,
    PageClues,
    choose_description,
    choose_language,
    choose_section,
    choose_topics,
    choose_url,
    chosen_from,
    contradicting,
    language_tag,
    plain_offers,
)
from webarticlecurator.extraction.metadata.data import ARTICLES, ArticleObjects
from webarticlecurator.extraction.metadata.dates import OFFSET, Clock, completed, day_in_url, in_zone, odd_dates
from webarticlecurator.extraction.metadata.headline import choose_headline, first_level, leads_home, without_site
from webarticlecurator.extraction.metadata.people import choose_authors
from webarticlecurator.extraction.metadata.publication import choose_publication
from webarticlecurator.extraction.metadata.sources import CARD, READ, SITE_NAMES, SOURCES, Clues
from webarticlecurator.extraction.metadata.visible import MarkedElements, VisibleParts, VisibleSources
from webarticlecurator.extraction.picks import PageContext, pick_fields
from webarticlecurator.extraction.structured_data import MAX_TEXT, MICRODATA, RDFA, embedded
from webarticlecurator.model.links import TOLD_BY_FEED, Fields
from webarticlecurator.model.metadata import Found, Metadata
from webarticlecurator.model.outline import Outline
from webarticlecurator.model.page import Page
from webarticlecurator.text import folded
from webarticlecurator.urls import bare_host

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
        disagreements["headline"] = _saying_more(titles, metadata["headline"], outlets)
    if "dateModified" not in decided:
        metadata["dateModified"] = _by_one_clock(metadata, portal.timezone)
    own_type = next((name for name in types if name in ARTICLES and name not in _VAGUE), _TYPES[portal.kind])
    declared = tuple(one for one in metadata.get("additionalType", ()) if one.value != own_type)
    metadata = _without_itself({**metadata, "additionalType": declared}, page)
    metadata, disagreements = ({name: found for name, found in every.items() if found} for every in (metadata, disagreements))
    return ReadMetadata(
        metadata=metadata,
        disagreements=disagreements,
        flags=tuple(odd_dates(metadata, portal, page.date)),
        type=own_type,
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


def _saying_more(titles: Sequence[Found], headline: Sequence[Found], names: frozenset[str]) -> tuple[Found, ...]:
    """Those that are more than the headline with a name of the site."""
    said = {folded(one.value) for one in headline}
    return tuple(one for one in titles if folded(without_site(one.value, names, ())) not in said)


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
    types: Types = (None,)
    marked = None
    if page.tree is not None:
        marked = MarkedElements(page.outline)
        types = _file_page(page, marked, clues)
    language = portal.language or next(filter(None, map(language_tag, clues.texts(*SOURCES["inLanguage"]))), None)
    outlets = _outlets(page, portal, clues)
    if marked is not None:
        parts = VisibleParts(page.outline, marked, clues.texts("html:title", "meta:og:title"), outlets, bare_host(page.url))
        clues.to_look_for.update(VisibleSources(parts, language).readers())
    known = PageClues(
        page=page,
        clues=clues,
        clock=Clock(portal.timezone, language, page.date),
        language=language,
        outlets=outlets,
        archive=portal.columns[0].template.text if len(portal.columns) == 1 else "",
        is_news=(types[0] or "").endswith("NewsArticle"),
    )
    present = clues.sources()
    fields = {name: [source for source in sources if source in present] for name, sources in SOURCES.items()}
    return {name: _choose(name, sources, known) for name, sources in fields.items() if sources}, types, outlets


_CHOOSERS: dict[str, Callable[[Sequence[str], PageClues], Iterable[Offer]]] = {
    "headline": choose_headline,
    "description": choose_description,
    "author": choose_authors,
    "datePublished": choose_publication,
    "keywords": choose_topics,
    "articleSection": choose_section,
    "url": choose_url,
    "inLanguage": choose_language,
    "additionalType": lambda sources, known: [list(chain.from_iterable(plain_offers("additionalType", sources, known)))],
}
"""Fields that are not plainly the first source's value."""


def _choose(name: str, sources: Sequence[str], known: PageClues) -> Chosen:
    chooser = _CHOOSERS.get(name)
    many = FIELDS[name].many or name == "articleSection"  # a pick gives one
    return chosen_from(chooser(sources, known) if chooser else plain_offers(name, sources, known), many=many)


def _file_portal(portal: Portal, clues: Clues) -> None:
    """What the portal file says of all its articles, by where it stands there."""
    clues.add("language", portal.language)
    clues.add("publisher.name", portal.publisher.name, "organization")
    clues.add("publisher.rights.licence", portal.publisher.rights.licence)
    clues.add("publisher.rights.statement", portal.publisher.rights.statement)


def _file_page(page: Page, marked: MarkedElements, clues: Clues) -> Types:
    """What every reader of data says; the types that JSON-LD and what is embedded give the article."""
    _read_head(page.outline, clues, marked.samples)
    told = clues.texts("link:canonical", "meta:og:url")
    titles = [heading.text for heading in first_level(page.outline, marked.samples)]
    titles += clues.texts("meta:og:title", "html:title")
    objects = ArticleObjects([page.url, page.requested_url, *told], titles, clues)
    return (
        objects.read_json_ld(page.json_ld),
        objects.read_embedded("microdata", embedded(marked.microdata, MICRODATA)),
        objects.read_embedded("rdfa", embedded(marked.rdfa, RDFA)),
    )


def _outlets(page: Page, portal: Portal, clues: Clues) -> frozenset[str]:
    """The names of the portal: as its file, its pages and its address give them."""
    host = bare_host(page.url)
    names = [portal.title, portal.name, portal.publisher.name or "", host, host.rpartition(".")[0], host.split(".")[0]]
    headlines = clues.texts("json-ld:headline")
    told = (clue for source in SITE_NAMES for clue in clues.get(source))
    names += [one.text for one in told if one.kind != "person" and one.text not in headlines]
    return frozenset(filter(None, map(folded, names)))


# --- the head of the page ---

_WRITTEN_BY = re.compile(
    r"\bby\b|author|autor|auteur|verfasst|geschrieben|écrit|escrit|scritto|szerz|írta|napisan|skrevet|skriven|kirjoitt|geschreven|door|yazan|автор",
    re.IGNORECASE,
)
_OWN_KEYWORDS = tuple(f"{mark}{name}" for mark in ":._-" for name in ("keywords", "tags"))
"""A portal's own name for its keywords."""
_OF_ITS_OWN = "meta:own-keywords"
_CARD_LABEL = "twitter:misc:"
"""Before the label of one of a card's values, where that is the element's name."""
_LINKS = frozenset({"canonical", "license"})
_NAMES = ("property", "name", "http-equiv")
_LONGEST_NAME = 200


def _read_head(outline: Outline, clues: Clues, samples: Collection[int]) -> None:
    """File `meta:NAME` (lower case), `link:REL`, and the title, the language and the card for social media as `html:...`."""
    tree = outline.elements[0]
    clues.add("html:lang", tree.get("lang") or tree.get("{http://www.w3.org/XML/1998/namespace}lang") or tree.get("xml:lang"))
    for row in outline.rows("meta", "link", "title", "h1"):
        tag, element = outline.tags[row], outline.elements[row]
        if row in samples:
            continue
        if tag == "meta":
            _meta(element, clues)
        elif tag == "link":
            for rel in _LINKS.intersection((element.get("rel") or "").lower().split()):
                clues.add(f"link:{rel}", element.get("href"))
        elif tag == "h1" and leads_home(element):
            clues.add("html:site-name", outline.short_text(row, MAX_TEXT))
        elif tag == "title" and outline.tags[outline.parents[row]] in ("head", "html", "body"):  # drawings have titles, too
            clues.add("html:title", element.text)
    _file_card_author(clues)


def _meta(element: Element, clues: Clues) -> None:
    content = element.get("content")
    if not content:
        return
    for attribute in _NAMES:
        name = element.get(attribute)
        if name and len(name) <= _LONGEST_NAME:
            for source in _sources_of(name):
                if source != _OF_ITS_OWN or ":" not in content:
                    clues.add(source, content)


@lru_cache(maxsize=4_096)
def _sources_of(written: str) -> tuple[str, ...]:
    """Where the content of a meta element of this name is filed; of most names nobody asks."""
    name = written.strip().lower()
    own = (_OF_ITS_OWN,) if name.endswith(_OWN_KEYWORDS) else ()
    card = ("html:card",) if name.startswith(_CARD_LABEL) and _WRITTEN_BY.search(name) else ()
    return (*((source,) if (source := f"meta:{name}") in READ else ()), *own, *card)


def _file_card_author(clues: Clues) -> None:
    """One of the labelled values of a card may be the author."""
    for labelled, valued in CARD:
        label, value = clues.texts(labelled), clues.texts(valued)
        if label and value and _WRITTEN_BY.search(label[0]):
            clues.add("html:card", value[0])
