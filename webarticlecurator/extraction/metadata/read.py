"""Reads the metadata of an article page: the portal's picks, the listing, then every source that pages have
in common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date
from itertools import chain, islice, takewhile

from webarticlecurator.config.fields import FIELDS
from webarticlecurator.config.picks import Picks
from webarticlecurator.config.portal import Portal, PortalKind
from webarticlecurator.dates import DAY, LONGEST_WRITTEN
from webarticlecurator.extraction.metadata.authors import READ_AS_NO_NAME, unread_names
from webarticlecurator.extraction.metadata.choices import distinct, kept_by, offers_for
from webarticlecurator.extraction.metadata.clues import clues_of
from webarticlecurator.extraction.metadata.data import ARTICLES, bare_address
from webarticlecurator.extraction.metadata.dates import by_one_clock, completed, odd_dates, read_iso
from webarticlecurator.extraction.metadata.headline import other_wordings
from webarticlecurator.extraction.metadata.sources import (
    Offer,
    PageClues,
    folded_values,
    is_visible,
    others_than,
)
from webarticlecurator.extraction.picked_values import PageContext, pick_fields, unread_date
from webarticlecurator.model.article import UNCONFIRMED_SIGN
from webarticlecurator.model.links import KIND, NO_FIELDS, Fields
from webarticlecurator.model.metadata import Found, Metadata
from webarticlecurator.model.page import Page
from webarticlecurator.text import folded

Values = dict[str, tuple[Found, ...]]
"""Field -> its values."""
Meaning = str | date | None
"""A meaning of a value: its spelling, its day or its moment; None where it tells none."""
_TYPES = {
    PortalKind.NEWS: "NewsArticle",
    PortalKind.BLOG: "BlogPosting",
    PortalKind.FORUM: "DiscussionForumPosting",
}
_TELLING = ARTICLES - {"Article", "Report", "SocialMediaPosting"}
"""Types of articles that say more than the kind of the portal does."""
_NO_RULE = Picks(alternatives=())
"""Stands for the rule of a field for which the portal has none."""
_WORKS_OF_OTHERS = ("isBasedOn", "citation", "translationOfWork", "workTranslation")
"""Fields whose values are addresses of what an article has used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadMetadata:
    """The metadata of one page."""

    metadata: Metadata
    disagreements: Metadata = field(default_factory=dict)
    """Values of sources that did not win."""
    flags: tuple[str, ...] = ()
    type: str = "NewsArticle"
    """Schema.org's."""


def read_metadata(
    page: Page,
    portal: Portal,
    picks: Mapping[str, Picks],
    *,
    listing: Fields = NO_FIELDS,
    certain: Mapping[str, tuple[Found, ...]] = {},
) -> ReadMetadata:
    """Return what is `certain`, then what the portal's `picks`, the listing, and the page itself say, in this
    order."""
    context = PageContext.whole(page, portal, listing=listing)
    ruled = pick_fields(picks, context)
    listed = _values_of_listing(listing, picks)
    decided = {**listed, **ruled, **certain}
    clues = clues_of(page, portal, listing)
    offers = {name: offers_for(name, clues, picks.get(name, _NO_RULE)) for name in FIELDS}
    metadata = _decided_or_offered(decided, offers, portal)
    for headline in metadata["headline"][:1]:
        # a person who has a rule for the headline decides of it
        wordings = () if decided.get("headline") else other_wordings(headline, chain(*offers["headline"]))
        told = others_than(metadata["alternativeHeadline"], folded_values([headline]))
        metadata["alternativeHeadline"] = tuple(told or islice(wordings, 1))
    unconfirmed: list[str] = []
    if decided.get("author"):
        unconfirmed = _unconfirmed(metadata["author"], offers["author"])
    disagreements = _disagreements(offers, listed, metadata)
    metadata["dateModified"] = by_one_clock(metadata, portal.timezone)
    type_of_page = _type(clues, PortalKind(next(iter(listing.get(KIND, ())), portal.kind)))
    metadata["additionalType"] = _unlike(metadata["additionalType"], {type_of_page})
    metadata = _filled(_without_itself(metadata, page))
    flags = chain(
        odd_dates(metadata, portal, page.date),
        _names_not_read(clues, metadata, knows_authors="author" in {**decided, **picks}),
        [f"{UNCONFIRMED_SIGN}{name}" for name in unconfirmed[:1]],
        _dates_not_read(context, picks, ruled),
        _dates_of_data_not_read(clues, offers, metadata),
    )
    return ReadMetadata(
        metadata=metadata,
        disagreements=_filled(disagreements),
        flags=tuple(flags),
        type=type_of_page,
    )


def _filled(fields: Mapping[str, tuple[Found, ...]]) -> Values:
    """Return the fields that have a value."""
    return {name: values for name, values in fields.items() if values}


# --- what rules and listings decide, and what the page offers ---


def _values_of_listing(listing: Fields, picks: Mapping[str, Picks]) -> Values:
    """Return what the listing says of the article, without what a rule for the field drops."""
    listed: Values = {}
    for name in FIELDS.keys() & listing.keys():
        values = [Found(value=text, raw=text, source=f"listing:{name}") for text in listing[name]]
        listed[name] = tuple(kept_by(picks.get(name, _NO_RULE), values))
    return listed


def _decided_or_offered(decided: Metadata, offers: Mapping[str, list[Offer]], portal: Portal) -> Values:
    """Return the values of each field: what was decided, completed by what the page says; else the page's
    first offer."""
    values: Values = {}
    for name in FIELDS:
        if decided.get(name):
            offered = list(chain(*offers[name]))
            values[name] = _with_pages(completed(decided[name], offered, portal.timezone), offered)
        else:
            values[name] = tuple(chain(*offers[name][:1]))
    return values


def _with_pages(values: Iterable[Found], offered: Iterable[Found]) -> tuple[Found, ...]:
    """Return the values, each with the page about its bearer: a rule or a listing tells a name alone, but the
    page may link to one."""
    bearers = {folded(value.value): value for value in offered if value.url}
    return tuple(_with_page(value, bearers.get(folded(value.value), value)) for value in values)


def _with_page(value: Found, bearer: Found) -> Found:
    return replace(value, url=value.url or bearer.url, kind=value.kind or bearer.kind)


def _unlike(values: Iterable[Found], others: Iterable[str]) -> tuple[Found, ...]:
    """Return the values that are none of these."""
    return tuple(value for value in values if value.value not in others)


# --- who contradicts, and what nobody confirms ---


def _unconfirmed(authors: Iterable[Found], offers: Iterable[Offer]) -> list[str]:
    """Return the authors that no byline and no data of the page have, beside some that they have: as of a box
    with other articles."""
    beside = [(folded(author.value), folded(f"{author.value} {author.raw}")) for author in chain(*offers)]
    names = dict.fromkeys(author.value for author in authors)
    unconfirmed = [name for name in names if not _is_told(folded(name), beside)]
    return unconfirmed if len(unconfirmed) < len(names) else []


def _is_told(key: str, beside: Iterable[tuple[str, str]]) -> bool:
    return any(key in text or name in key for name, text in beside)


def _disagreements(offers: Mapping[str, list[Offer]], listed: Metadata, metadata: Metadata) -> Values:
    """Return what was offered for each field and says something else than what was chosen.

    Lists call an article by another headline, and its authors by initials, but know its day.
    """
    told = {name: list(chain(*offers[name])) for name in FIELDS}
    told["datePublished"] += listed.get("datePublished", ())
    return {name: _contradicting(values, metadata[name]) for name, values in told.items()}


def _contradicting(offered: Iterable[Found], values: Sequence[Found]) -> tuple[Found, ...]:
    """Return those that say something else, each once.

    Another spelling or offset, a day without its time or with midnight, is the same.
    """
    others = _unlike(offered, {value.value for value in values})
    if not others:  # nearly always
        return ()
    said = set[Meaning]().union(*(_meanings(value) for value in values))
    return tuple(other for other in distinct(others) if said.isdisjoint(_same_meanings(other)))


def _meanings(value: Found) -> set[Meaning]:
    """Return what a value says: its spelling, and the day and the moment that it tells."""
    day, moment = read_iso(value.value, UTC)
    return {folded(value.value), day, moment} - {None}


def _same_meanings(value: Found) -> set[Meaning]:
    """Return what another value must say to be no contradiction of this one: of a moment, the day alone is
    not enough."""
    day, moment = read_iso(value.value, UTC)
    is_whole_day = moment is None or value.value[DAY:].startswith("T00:00:00")
    return {folded(value.value), moment, day if is_whole_day else None} - {None}


# --- what the page is ---


def _type(clues: PageClues, kind: PortalKind) -> str:
    """Return Schema.org's type of the article: what its data call it, unless the kind of the portal says
    more."""
    telling = [name for name in clues.types if name in _TELLING]
    return (*telling, _TYPES[kind])[0]


def _without_itself(metadata: Values, page: Page) -> Values:
    """Return the metadata without what says the article itself again.

    No article is based on itself, none has its own headline or description for another headline, and no
    author contributes, too.
    """
    titles = chain(*(metadata[name][:1] for name in ("headline", "name", "description")))
    told = {
        "contributor": tuple(others_than(metadata["contributor"], folded_values(metadata["author"]))),
        "alternativeHeadline": tuple(others_than(metadata["alternativeHeadline"], folded_values(titles))),
    }
    addresses = (url.value for url in chain(metadata["url"], metadata["mainEntityOfPage"]))
    own = set(map(bare_address, (page.url, page.requested_url, *addresses)))
    for name in _WORKS_OF_OTHERS:
        told[name] = tuple(work for work in metadata[name] if bare_address(work.value) not in own)
    return {**metadata, **told}


# --- what people should look at ---


def _names_not_read(clues: PageClues, metadata: Metadata, *, knows_authors: bool) -> Iterator[str]:
    """Yield a flag for a text that looks like a name and was not read as one, unless the portal or its rules
    decide who the authors are."""
    if knows_authors:
        return
    for text in islice(unread_names(clues, metadata.get("author", ())), 1):
        yield f"{READ_AS_NO_NAME}: {text}"


def _dates_not_read(context: PageContext, picks: Mapping[str, Picks], ruled: Metadata) -> Iterator[str]:
    """Yield a flag for each date that a rule found and could not read."""
    for name, rule in picks.items():
        texts = unread_date(rule, context) if name not in ruled else None
        if texts:
            yield f"{name} is not read by {texts[1]} of the portal file: {texts[0][:LONGEST_WRITTEN]}"


def _dates_of_data_not_read(
    clues: PageClues, offers: Mapping[str, Sequence[Offer]], metadata: Metadata
) -> Iterator[str]:
    """Yield a flag for a date of publication that the data of the page tell and nobody can read, where
    another source tells one."""
    read = {found.source for found in chain.from_iterable(offers.get("datePublished", ()))}
    asked = takewhile(lambda source: not is_visible(source), clues.sources_of("datePublished"))
    unread = [source for source in asked if source not in read and metadata.get("datePublished")]
    for source in unread[:1]:
        yield f"datePublished is not read of {source}: {clues.texts(source)[0][:LONGEST_WRITTEN]}"
