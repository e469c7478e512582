"""Reads the metadata of an article page: the portal's picks, the listing, then every source that pages have in common; and its layout."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date
from functools import cache
from itertools import chain, islice

from webarticlecurator.config.article_rules import Layout
from webarticlecurator.config.fields import FIELDS
from webarticlecurator.config.picks import Picks
from webarticlecurator.config.portal import Portal, PortalKind
from webarticlecurator.dates import DAY, LONGEST_WRITTEN, Clock, day_in_url, first_day
from webarticlecurator.extraction.metadata.authors import READ_AS_NO_NAME, VISIBLE_NAMES, choose_authors, unread_names
from webarticlecurator.extraction.metadata.data import ARTICLES, ArticleObjects, bare_address, read_head
from webarticlecurator.extraction.metadata.dates import VISIBLE_DATES, by_one_clock, choose_publication, completed, odd_dates, read_iso
from webarticlecurator.extraction.metadata.sources import SITE_NAMES, SOURCES, WORDS, Offer, PageClues, language_tag, offers_of
from webarticlecurator.extraction.metadata.topics import VISIBLE_TOPICS, choose_section, choose_topics
from webarticlecurator.extraction.metadata.visible import VISIBLE_TITLES, VisibleParts, choose_headline
from webarticlecurator.extraction.picked_values import PageContext, pick_fields, unread_date
from webarticlecurator.model.article import UNCONFIRMED_SIGN
from webarticlecurator.model.links import KIND, TOLD_BY_FEED, Fields
from webarticlecurator.model.metadata import Found, Metadata
from webarticlecurator.model.page import Page
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import folded
from webarticlecurator.urls import any_spelling, bare_host, join, normalise

_TYPES = {PortalKind.NEWS: "NewsArticle", PortalKind.BLOG: "BlogPosting", PortalKind.FORUM: "DiscussionForumPosting"}
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
    context = PageContext.whole(page, portal, listing=listing)
    ruled = pick_fields(picks, context)
    listed: dict[str, tuple[Found, ...]] = {}
    for name, texts in listing.items():
        if name in FIELDS:
            of_field = [Found(value=text, raw=text, source=f"listing:{name}") for text in texts]
            listed[name] = tuple(_kept(of_field, picks[name]) if name in picks else of_field)
    decided = {**listed, **ruled, **(certain or {})}
    routed = {folded(value.value) for name, values in ruled.items() if name not in picks for value in values}
    known = _known(page, portal, listing)
    metadata: dict[str, tuple[Found, ...]] = {}
    disagreements: dict[str, tuple[Found, ...]] = {}
    unconfirmed: list[str] = []
    """Authors that no byline and no data of the page have, beside some that they have: as of a box with other articles."""
    for name in FIELDS:
        offers = _CHOOSERS[name](known) if name in _CHOOSERS else offers_of(name, known)
        offers = [_distinct(offer) if len(offer) > 1 else offer for offer in offers]
        if (rule := picks.get(name)) is not None:
            offers = [kept for offer in offers if (kept := _kept(offer, rule))]
        if not (offers or name in decided):
            continue
        offered = [value for offer in offers for value in offer]
        if decided.get(name):
            # what a rule or a listing says is a name alone: the page may link to one about its bearer
            pages = {folded(value.value): value for value in offered if value.url}
            values = completed(decided[name], offered, portal.timezone)
            linked = ((value, None if value.url else pages.get(folded(value.value))) for value in values)
            metadata[name] = tuple(
                value if page is None else replace(value, url=page.url, kind=value.kind or page.kind) for value, page in linked
            )
        elif offers:  # what a rule sent to another field does not come back into its own
            metadata[name] = tuple(value for value in offers[0] if not (name in picks and folded(value.value) in routed))
        if name == "author" and decided.get(name):
            said, offered = {folded(author.value) for author in metadata[name]}, []
            for offer in offers:  # a name that stands by itself is told with those beside it, where a rule gave one of these
                is_theirs = not said.isdisjoint(folded(author.value) for author in offer)
                together = ", ".join(author.value for author in offer) if is_theirs else ""
                offered += [replace(author, raw=together) if together and author.raw == author.value else author for author in offer]
            beside = [(folded(author.value), folded(f"{author.value} {author.raw}")) for author in offered]
            names = {author.value: folded(author.value) for author in metadata[name]}
            unconfirmed = [value for value, key in names.items() if not any(key in text or offer in key for offer, text in beside)]
            unconfirmed = unconfirmed if len(unconfirmed) < len(names) else []
        if name == "datePublished":  # lists call an article by another headline, and its authors by initials, but know its day
            offered += listed.get(name, ())
        disagreements[name] = _contradicting(offered, metadata.get(name, ()))
    if "dateModified" in metadata.keys() - decided.keys():
        metadata["dateModified"] = by_one_clock(metadata, portal.timezone)
    kind = PortalKind(next(iter(listing.get(KIND, ())), portal.kind))
    own_type = next((name for name in known.types if name in ARTICLES and name not in _VAGUE), _TYPES[kind])
    metadata["additionalType"] = tuple(found for found in metadata.get("additionalType", ()) if found.value != own_type)
    metadata, disagreements = (
        {name: values for name, values in fields.items() if values} for fields in (_without_itself(metadata, page), disagreements)
    )
    knows_authors = "author" in decided or any(pick.drop or pick.route for pick in (picks["author"].each() if "author" in picks else ()))
    unread = ((name, unread_date(rule, context)) for name, rule in picks.items() if name not in ruled)
    flags = (
        *odd_dates(metadata, portal, page.date),
        *(f"{READ_AS_NO_NAME}: {text}" for text in islice(() if knows_authors else unread_names(known, metadata.get("author", ())), 1)),
        *(f"{UNCONFIRMED_SIGN}{name}" for name in unconfirmed[:1]),
        *(f"{name} is not read by {texts[1]} of the portal file: {texts[0][:LONGEST_WRITTEN]}" for name, texts in unread if texts),
    )
    return ReadMetadata(metadata=metadata, disagreements=disagreements, flags=flags, type=own_type, outlets=known.outlets)


def rules_for(page: Page, portal: Portal, listing: Fields, read: Callable[[], ReadMetadata] | None = None) -> Portal | Layout:
    """The first layout whose conditions all hold, else the portal itself for its base rules. Raises PatternTimeout.

    `read`: the metadata by these, for layouts with dates.
    """
    if not portal.layouts:
        return portal
    read = read or cache(lambda: read_metadata(page, portal, portal.metadata, listing=listing))
    with page.budget:
        return next((layout for layout in portal.layouts if _fits(layout, page, listing, read)), portal)


def _fits(layout: Layout, page: Page, listing: Fields, read: Callable[[], ReadMetadata]) -> bool:
    """The date comes last, the listing's, the URL's, or else what the base rules read: that may cost."""
    if layout.url and not any(pattern.search(page.url) for pattern in layout.url):
        return False
    if layout.when is not None and (page.tree is None or not layout.when.select(page.tree)):
        return False
    if layout.start is None and layout.until is None:
        return True
    listed_day = first_day((*listing.get("datePublished", ()), day_in_url(page.url)))
    published = listed_day or first_day(found.value for found in read().metadata.get("datePublished", ()))
    return published is not None and (layout.start or date.min) <= published <= (layout.until or date.max)


def _kept(values: Iterable[Found], rule: Picks) -> list[Found]:
    """Without what the rule drops: its file says that it is no value of this field, whoever else tells it."""
    return [value for value in values if not (rule.drops(value.value) or rule.drops(value.raw))]


def _contradicting(offered: Sequence[Found], values: Sequence[Found]) -> tuple[Found, ...]:
    """Those that say something else, each once; another spelling, another offset, a day without its time or with midnight is the same."""
    written = {value.value for value in values}
    unlike = [other for other in offered if other.value not in written]
    if not unlike:  # nearly always
        return ()
    said = {key for value in values for key in (folded(value.value), *read_iso(value.value, UTC)) if key is not None}
    others = []
    for other in _distinct(unlike):
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
    told = {name: tuple(found for found in metadata[name] if folded(found.value) not in said[name]) for name in said if name in metadata}
    if works := [name for name in ("isBasedOn", "citation", "translationOfWork", "workTranslation") if metadata.get(name)]:
        addresses = (url.value for name in ("url", "mainEntityOfPage") for url in metadata.get(name, ()))
        own = set(map(bare_address, (page.url, page.requested_url, *addresses)))
        told |= {name: tuple(work for work in metadata[name] if bare_address(work.value) not in own) for name in works}
    return {**metadata, **told}


_BREAKS_OFF = linear(r"(?:\.\.\.|…|\[…\]|\[\.\.\.\])\s*$")
_FILE_NAME = r"[\w%.-]+\.(?:html?|php|aspx?|jpe?g|png|gif|webp|svg|pdf|docx?|txt|md)"
_SAYS_NOTHING = linear_at(rf"(?:{'|'.join(WORDS['no description'])})\W*|{_FILE_NAME}", re.IGNORECASE)


def _distinct(values: Iterable[Found]) -> list[Found]:
    distinct: dict[str, Found] = {}
    for found in values:
        distinct.setdefault(found.value, found)
    return list(distinct.values())


def _choose_description(known: PageClues) -> list[Offer]:
    """The first one; if a program cut that off, one that somebody wrote to its end."""
    offers = [offer for offer in offers_of("description", known) if not _SAYS_NOTHING.fullmatch(offer[0].value)]
    if offers and _BREAKS_OFF.search(offers[0][0].value):
        offers.sort(key=lambda offer: len(offer[0].value) < 30 or bool(_BREAKS_OFF.search(offer[0].value)))  # a slogan, or a title
    return offers


_CHOOSERS: dict[str, Callable[[PageClues], list[Offer]]] = {
    "headline": choose_headline,
    "description": _choose_description,
    "author": choose_authors,
    "datePublished": choose_publication,
    "keywords": choose_topics,
    "articleSection": choose_section,
    # one that leads to the portal's front page is a mistake of its template
    "url": lambda known: [
        offer for offer in offers_of("url", known) if bare_host(offer[0].value) and not known.is_front_page(offer[0].value)
    ],
    "additionalType": lambda known: [list(chain(*offers))] if (offers := offers_of("additionalType", known)) else [],
}
"""Fields that are not plainly the first source's value."""


_VISIBLE = VISIBLE_TITLES | VISIBLE_NAMES | VISIBLE_DATES | VISIBLE_TOPICS


def _known(page: Page, portal: Portal, listing: Fields) -> PageClues:
    """What the portal file, the listing, the address and the data of the page say; and where to look for what it shows."""
    parts = VisibleParts(page.outline, page.url) if page.tree is not None else None
    known = PageClues(page, Clock(portal.timezone, portal.language, page.date), parts, _VISIBLE)
    known.is_forum = portal.kind is PortalKind.FORUM
    known.front_pages = frozenset(any_spelling(url) for url in (normalise(portal.home), join(portal.home, "/")) if url)
    known.add("language", portal.language)
    known.add("publisher.name", portal.publisher.name, "organization")
    known.add("publisher.rights.licence", portal.publisher.rights.licence)
    known.add("publisher.rights.statement", portal.publisher.rights.statement)
    for source in TOLD_BY_FEED.values():
        for text in listing.get(source, ()):
            known.add(source, text, "person" if source == TOLD_BY_FEED["author"] else "")
    known.add("url:date", day_in_url(page.url))
    if parts is not None:
        read_head(known, parts.samples)
        titles = [heading.text for heading in parts.first_level] + known.texts("meta:og:title", "html:title")
        objects = ArticleObjects(titles, known)
        has_microdata = any(page.outline.attribute("itemprop"))  # most pages have none
        known.types = [objects.read_json_ld(), objects.read_microdata(parts.samples) if has_microdata else ""]
    language = portal.language or next(filter(None, map(language_tag, known.texts(*SOURCES["inLanguage"]))), None)
    known.clock = replace(known.clock, language=language)
    host = bare_host(page.url)
    names = [portal.title, portal.name, portal.publisher.name or "", host, host.rpartition(".")[0], host.split(".")[0]]
    headlines = known.texts("json-ld:headline")
    site_names = (clue for source in SITE_NAMES for clue in known.get(source))
    names += [clue.text for clue in site_names if clue.kind != "person" and clue.text not in headlines]
    known.outlets = frozenset(filter(None, map(folded, names)))
    if parts is not None:
        parts.language = language
        parts.find_headline(known.texts("html:title", "meta:og:title"), known.outlets)
    return known
