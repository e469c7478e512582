"""Reads the metadata of an article page: the portal's picks, the listing, then every source that pages have in common."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, tzinfo
from functools import lru_cache
from itertools import chain, islice

from lxml.etree import _Element as Element

from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.config.picks import Picks
from webarticlecurator.config.portal import Kind, Portal
from webarticlecurator.extraction.metadata.authors import VisibleNames, choose_authors
from webarticlecurator.extraction.metadata.data import ARTICLES, ArticleObjects, bare_address
from webarticlecurator.extraction.metadata.dates import DAY, OFFSET, Clock, completed, day_in_url, in_zone, odd_dates, read_iso
from webarticlecurator.extraction.metadata.headline import choose_headline, first_level, leads_home, without_site
from webarticlecurator.extraction.metadata.publication import VisibleDates, choose_publication
from webarticlecurator.extraction.metadata.sources import (
    CARD,
    MAX_TEXT,
    READ,
    SITE_NAMES,
    SOURCES,
    Clues,
    Offer,
    PageClues,
    is_front_page,
    language_tag,
    plain_offers,
    read_all,
)
from webarticlecurator.extraction.metadata.topics import VisibleTopics, choose_section, choose_topics
from webarticlecurator.extraction.metadata.visible import VisibleParts, samples_in
from webarticlecurator.extraction.picks import PageContext, pick_fields
from webarticlecurator.model.links import TOLD_BY_FEED, Fields
from webarticlecurator.model.metadata import Found, Metadata
from webarticlecurator.model.page import Outline, Page
from webarticlecurator.text import folded
from webarticlecurator.urls import bare_host

_TYPES = {Kind.NEWS: "NewsArticle", Kind.BLOG: "BlogPosting", Kind.FORUM: "DiscussionForumPosting"}
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
            listed = [Found(value=text, raw=text, source=f"listing:{name}") for text in texts]
            decided.setdefault(name, _kept(listed, picks.get(name)))
    known = _known(page, portal, listing)
    routed = {folded(value.value) for name, found in ruled.items() if name not in picks for value in found}
    metadata: dict[str, tuple[Found, ...]] = {}
    disagreements: dict[str, tuple[Found, ...]] = {}
    for name in FIELDS:
        offers = [kept for offer in _offers(name, known) if (kept := _kept(offer, picks.get(name)))]
        if not offers and name not in decided:
            continue
        told = [value for offer in offers for value in offer]
        # what a rule sent to another field does not come back into its own
        own = tuple(value for value in offers[0] if not (name in picks and folded(value.value) in routed)) if offers else ()
        metadata[name] = _with_pages(completed(decided[name], told, portal.timezone), told) if decided.get(name) else own
        if len(told) > len(own) or metadata[name] != own:
            disagreements[name] = _contradicting(told, metadata[name])
    if titles := disagreements.get("headline"):
        disagreements["headline"] = _saying_more(titles, metadata["headline"], known.outlets)
    if "dateModified" not in decided:
        metadata["dateModified"] = _by_one_clock(metadata, portal.timezone)
    own_type = next((name for name in known.types if name in ARTICLES and name not in _VAGUE), _TYPES[portal.kind])
    declared = tuple(found for found in metadata.get("additionalType", ()) if found.value != own_type)
    metadata = _without_itself({**metadata, "additionalType": declared}, page)
    metadata, disagreements = ({name: found for name, found in every.items() if found} for every in (metadata, disagreements))
    return ReadMetadata(
        metadata=metadata,
        disagreements=disagreements,
        flags=tuple(odd_dates(metadata, portal, page.date)),
        type=own_type,
        outlets=known.outlets,
    )


def _by_one_clock(metadata: Metadata, zone: tzinfo) -> tuple[Found, ...]:
    """When it was changed, by the portal's clock where the publication is told by a local one: else it may seem to be the day before."""
    published = next((found.value for found in metadata.get("datePublished", ()) if OFFSET.search(found.value)), "+00:00")
    modified = metadata.get("dateModified", ())
    return modified if published.endswith("+00:00") else tuple(in_zone(found, zone) for found in modified)


def _with_pages(found: Sequence[Found], told: Sequence[Found]) -> tuple[Found, ...]:
    """With the pages about them that the page links to: what a rule or a listing says is a name alone."""
    pages = {folded(value.value): value for value in told if value.url}
    linked = ((value, None if value.url else pages.get(folded(value.value))) for value in found)
    return tuple(value if page is None else replace(value, url=page.url, kind=value.kind or page.kind) for value, page in linked)


def _kept(found: Sequence[Found], rule: Picks | None) -> tuple[Found, ...]:
    """Without what the rule drops: its file says that it is no value of this field, whoever else tells it."""
    return tuple(found if rule is None else (value for value in found if not (rule.drops(value.value) or rule.drops(value.raw))))


def _saying_more(titles: Sequence[Found], headline: Sequence[Found], names: frozenset[str]) -> tuple[Found, ...]:
    """Those that are more than the headline with a name of the site."""
    said = {folded(title.value) for title in headline}
    return tuple(title for title in titles if folded(without_site(title.value, names, ())) not in said)


def _contradicting(told: Sequence[Found], values: Sequence[Found]) -> tuple[Found, ...]:
    """Those that say something else, each once; another spelling, another offset, a day without its time or with midnight is the same."""
    written = {value.value for value in values}
    unlike = _distinct(other for other in told if other.value not in written)
    if not unlike:  # nearly always
        return ()
    said = {key for value in values for key in (folded(value.value), *read_iso(value.value, UTC)) if key is not None}
    others = []
    for other in unlike:
        day, moment = read_iso(other.value, UTC)
        is_whole_day = other.value[DAY:].startswith("T00:00:00") or moment is None
        if said.isdisjoint((folded(other.value), moment, day if is_whole_day else None)):
            others.append(other)
    return tuple(others)


def _without_itself(metadata: Mapping[str, tuple[Found, ...]], page: Page) -> dict[str, tuple[Found, ...]]:
    """No article is based on itself, none has its own headline or description for another headline, and no author contributes, too."""
    authors = {folded(author.value) for author in metadata.get("author", ())}
    titles = {folded(title.value) for name in ("headline", "name", "description") for title in metadata.get(name, ())[:1]}
    said = {"contributor": authors, "alternativeHeadline": titles}
    kept = {name: tuple(found for found in values if folded(found.value) not in said.get(name, ())) for name, values in metadata.items()}
    told = (url.value for name in ("url", "mainEntityOfPage") for url in metadata.get(name, ()))
    own = set(map(bare_address, (page.url, page.requested_url, *told)))
    works = (name for name in _OTHER_WORKS if name in kept)
    return kept | {name: tuple(work for work in kept[name] if bare_address(work.value) not in own) for name in works}


_OTHER_WORKS = ("isBasedOn", "citation", "translationOfWork", "workTranslation")


# --- what each field may be ---

_BREAKS_OFF = re.compile(r"(?:\.\.\.|…|\[…\]|\[\.\.\.\])\s*$")
_SAYS_NOTHING = re.compile(
    r"(?:(?:page )?(?:is )?loading|please wait|wird geladen|laden|chargement|cargando|carregando|caricamento|betöltés|null|undefined|none|"
    r"description|untitled)\W*|[\w%.-]+\.(?:html?|php|aspx?|jpe?g|png|gif|webp|svg|pdf|docx?|txt|md)",
    re.IGNORECASE,
)
"""What programs write where nobody described anything, and the name of a file."""
_SHORTEST_SUMMARY = 30
"""Characters; what is shorter is a slogan, or a title."""


def _offers(name: str, known: PageClues) -> Iterator[Offer]:
    """What each source has for a field, the first that counts before others; of a field with one value each has one."""
    if sources := known.clues.sources_of(name):
        chooser = _CHOOSERS.get(name)
        many = FIELDS[name].many or name == "articleSection"  # a pick gives one
        for offer in chooser(sources, known) if chooser else plain_offers(name, sources, known):
            yield _distinct(offer) if many else offer[:1]


def _distinct(told: Iterable[Found]) -> list[Found]:
    """Of each value the first."""
    distinct: dict[str, Found] = {}
    for found in told:
        distinct.setdefault(found.value, found)
    return list(distinct.values())


def _choose_description(sources: Sequence[str], known: PageClues) -> list[Offer]:
    """The first one; if a program cut that off, one that somebody wrote to its end."""
    said = plain_offers("description", sources, known)
    offers = [offer for offer in said if offer and not _SAYS_NOTHING.fullmatch(offer[0].value)]
    if offers and _BREAKS_OFF.search(offers[0][0].value):
        offers.sort(key=lambda offer: len(offer[0].value) < _SHORTEST_SUMMARY or bool(_BREAKS_OFF.search(offer[0].value)))
    return offers


def _choose_url(sources: Sequence[str], known: PageClues) -> list[Offer]:
    """The canonical address; one that leads to the portal's front page is a mistake of its template."""
    offers = plain_offers("url", sources, known)
    return [[url for url in offer if bare_host(url.value) and not is_front_page(url.value, known)] for offer in offers]


def _choose_language(sources: Sequence[str], known: PageClues) -> list[Offer]:
    """The portal's language, unless two sources of the page agree on another: here and there a template keeps a system's default."""
    told = [found for source in sources for found in islice(read_all(Holds.LANGUAGE, source, known), 1)]
    votes = Counter(_primary(found) for found in told[1:])
    agreed = [found for found in told[1:] if votes[_primary(found)] > 1]
    is_overruled = bool(agreed) and told[0].source == "language" and not votes[_primary(told[0])]
    return [[found] for found in (agreed if is_overruled else []) + told]


def _primary(found: Found) -> str:
    return found.value.partition("-")[0]


_CHOOSERS: dict[str, Callable[[Sequence[str], PageClues], Iterable[Offer]]] = {
    "headline": choose_headline,
    "description": _choose_description,
    "author": choose_authors,
    "datePublished": choose_publication,
    "keywords": choose_topics,
    "articleSection": choose_section,
    "url": _choose_url,
    "inLanguage": _choose_language,
    "additionalType": lambda sources, known: [list(chain.from_iterable(plain_offers("additionalType", sources, known)))],
}
"""Fields that are not plainly the first source's value."""


# --- what is known of the page ---


def _known(page: Page, portal: Portal, listing: Fields) -> PageClues:
    """What the portal file, the listing, the address and the data of the page say; and where to look for what it shows."""
    clues = Clues()
    clues.add("language", portal.language)
    clues.add("publisher.name", portal.publisher.name, "organization")
    clues.add("publisher.rights.licence", portal.publisher.rights.licence)
    clues.add("publisher.rights.statement", portal.publisher.rights.statement)
    for source in TOLD_BY_FEED.values():
        for text in listing.get(source, ()):
            clues.add(source, text, "person" if source == TOLD_BY_FEED["author"] else "")
    clues.add("url:date", day_in_url(page.url))
    outline, types = page.outline, list[str]()
    samples = samples_in(outline)
    first = first_level(outline, samples)
    if page.tree is not None:
        _read_head(outline, clues, samples)
        titles = [heading.text for heading in first] + clues.texts("meta:og:title", "html:title")
        objects = ArticleObjects([page.url, page.requested_url, *clues.texts("link:canonical", "meta:og:url")], titles, clues)
        types.append(objects.read_json_ld(page.json_ld))
        marked = [row for row, written in enumerate(outline.attribute("itemprop")) if written is not None]
        types.append(objects.read_microdata([outline.elements[row] for row in marked if row not in samples]))
    language = portal.language or next(filter(None, map(language_tag, clues.texts(*SOURCES["inLanguage"]))), None)
    outlets = _outlets(page, portal, clues)
    if page.tree is not None:
        parts = VisibleParts(outline, samples, first, clues.texts("html:title", "meta:og:title"), outlets)
        for readers in (parts, VisibleNames(parts, language), VisibleDates(parts), VisibleTopics(parts)):
            clues.to_look_for.update(readers.sources())
    return PageClues(page, clues, Clock(portal.timezone, language, page.date), outlets, types)


def _outlets(page: Page, portal: Portal, clues: Clues) -> frozenset[str]:
    """The names of the portal: as its file, its pages and its address give them."""
    host = bare_host(page.url)
    names = [portal.title, portal.name, portal.publisher.name or "", host, host.rpartition(".")[0], host.split(".")[0]]
    headlines = clues.texts("json-ld:headline")
    told = (clue for source in SITE_NAMES for clue in clues.get(source))
    names += [clue.text for clue in told if clue.kind != "person" and clue.text not in headlines]
    return frozenset(filter(None, map(folded, names)))


# --- the head of the page ---

_WRITTEN_BY = re.compile(
    r"\bby\b|author|autor|auteur|verfasst|geschrieben|écrit|escrit|scritto|szerz|írta|napisan|skrevet|skriven|kirjoitt|geschreven|door|yazan|автор",
    re.IGNORECASE,
)
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
                clues.add(source, content)


@lru_cache(maxsize=4_096)
def _sources_of(written: str) -> tuple[str, ...]:
    """Where the content of a meta element of this name is filed; of most names nobody asks."""
    name = written.strip().lower()
    card = ("html:card",) if name.startswith(_CARD_LABEL) and _WRITTEN_BY.search(name) else ()
    return (*((source,) if (source := f"meta:{name}") in READ else ()), *card)


def _file_card_author(clues: Clues) -> None:
    """One of the labelled values of a card may be the author."""
    for labelled, valued in CARD:
        label, value = clues.texts(labelled), clues.texts(valued)
        if label and value and _WRITTEN_BY.search(label[0]):
            clues.add("html:card", value[0])
