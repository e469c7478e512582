"""Who wrote an article: which of the names that data, bylines and links tell counts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import compress
from typing import NamedTuple

from webarticlecurator.extraction.checks import Check, first_reason
from webarticlecurator.extraction.metadata.headline import names_behind
from webarticlecurator.extraction.metadata.names import (
    AGENCIES,
    DESKS,
    is_company,
    looks_like_name,
    names_in,
    starts_with_by,
    without_by,
)
from webarticlecurator.extraction.metadata.sources import (
    SOURCES,
    Offer,
    PageClues,
    collect,
    folded_values,
    is_visible,
    others_than,
    read_url,
)
from webarticlecurator.labelling.element_names import LinkKind
from webarticlecurator.model.links import TOLD_BY_FEED
from webarticlecurator.model.metadata import Found
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import folded
from webarticlecurator.urls import bare_host

_SHOWN_ALONE = ("html:rel-author", "html:author-link", "html:author")
"""Places of a name alone that the page itself calls those of an author."""
_NAMES_ALONE = frozenset((*_SHOWN_ALONE, "html:person-link", "html:near-by"))
"""Places of the page that hold a name and nothing else, so that one word may be one."""
_MAY_BE_NAME = linear_at(r"[^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){1,3}")
READ_AS_NO_NAME = "author is not read, since this looks like no name"
_BY_SITE_MAKERS = frozenset({"meta:author", "meta:article:author"})
"""Sources in which organisations are mostly those that made the site."""
_OF_LIBRARIES = frozenset({"meta:citation_author", "meta:dc.creator", "meta:dcterms.creator"})
"""Sources in which the family name may come first: "Lee, Ann"."""
_DATELINE = linear_at(r"(?:,[^–—()]{1,40})? ?\([^()]{2,40}\) ?[–—-]{1,2} ?\w")
"""The rest of a dateline behind its place, with the agency that told it: ", May 1 (Reuters) – The dam"."""
_MOST_STRINGS = 200
"""Strings of a page behind its headline in which a dateline may stand."""
_FEWEST_OF_SLOGAN = 4
"""Words."""
_ARTICLES = ("Article", "BlogPosting")
"""Ends of the types of what one author writes."""
_LOGIN = linear_at(r"(?=[^ ]*[\d._a-z][A-Z\d._]|[a-z])[a-zA-Z][\w.-]*")
"""One word that is written as names of accounts are: ann.lee, annlee, AnnL, ann_20."""
_FAMILY_NAME_FIRST = linear(r"^([^\s,]+|[a-zà-ÿ][^,]*), ([^,]+)$")
"""One name of a person with a comma in it; several words before that begin with a particle: "van Dam,
Eva"."""
_TWO_WORDS = linear(r"^([A-ZÀ-ÖØ-ÞŁŐŚŠŰŽČĐ][^\W\d_]+), ([A-ZÀ-ÖØ-ÞŁŐŚŠŰŽČĐ][^\W\d_]+)$")
"""One name with a comma in it, since none of its words is a name of two."""
_OF_AUTHORS = ("rel-author", LinkKind.AUTHOR, LinkKind.PERSON)
"""Links to the pages of authors."""
_NO_ADDRESS = linear(r"^$| |#/?(?:schema/)?person\b", re.IGNORECASE)
"""A part of what is no address: of a sentence, or of a name for somebody within the data of a site; and an
empty text."""


class _TellingSource(NamedTuple):
    """The names that a source tells."""

    names: list[Found]
    doubt: str
    """The reason why none of them is a person who wrote the article; the portal itself is the last."""


def choose_authors(known: PageClues) -> list[Offer]:
    """Return persons before logins, and these before the portal itself: each counts only where nothing else
    is said.

    What the page shows is read only where nothing better names an author.
    """
    told = sorted(collect("author", known, _ask, _are_enough), key=_place)
    offers = [[replace(name, url=_page_url(name.url, known)) for name in source.names] for source in told]
    return [[_with_page(author, known) for author in offer] for offer in offers[:1]] + offers[1:]


def _place(told: _TellingSource) -> int:
    return [*_DOUBTS, told.doubt].index(told.doubt)


def _ask(source: str, known: PageClues) -> _TellingSource | None:
    """Return the names that a source tells: others than the portal itself, or else the portal."""
    names = _names_of(source, known)
    doubts = [first_reason(_AGAINST_AUTHOR, _NameOnPage(name, known)) for name in names]
    others = [name for name, doubt in zip(names, doubts, strict=True) if doubt != _OWN]
    return _TellingSource(others or names, min(doubts, key=_DOUBTS.index)) if names else None


def _are_enough(source: str, told: Sequence[_TellingSource]) -> bool:
    """Return True for what the page shows, where an author is known.

    Where names may be anybody's, the portal is enough, but not by a feed: many name it as the author of all.
    """
    if not is_visible(source):
        return False
    enough = _ENOUGH_BESIDE.get(source, ("",))
    return any(doubt in enough and (not doubt or not _is_of_feed(names)) for names, doubt in told)


def _is_of_feed(names: Sequence[Found]) -> bool:
    return names[0].source == TOLD_BY_FEED["author"]


def _names_of(source: str, known: PageClues) -> list[Found]:
    """Return the names that a source tells, without what the page shows to be something else."""
    clues = known.get(source)
    if source in _OF_LIBRARIES:
        clues = [clue._replace(text=_FAMILY_NAME_FIRST.sub(r"\2 \1", clue.text)) for clue in clues]
    elif not is_visible(source):
        clues = [clue._replace(text=_TWO_WORDS.sub(_in_order, clue.text)) for clue in clues]
    visible, alone = is_visible(source), source in _NAMES_ALONE
    names = names_in(clues, known.clock.language, source=source, visible=visible, alone=alone)
    names = _house_and_agency(names, known) or names
    return [name for name in names if not first_reason(_NO_AUTHOR, _NameOnPage(name, known))]


def _house_and_agency(names: Sequence[Found], known: PageClues) -> list[Found]:
    """Return the one name that the portal and an agency sign by, as "Példa Hírek and Reuters"."""
    if first_reason(_TWO_AUTHORS, _SignedNames(names, others_than(names, known.outlets))):
        return []
    return [replace(names[0], value=without_by(names[0].raw, known.clock.language)[0], kind="organization")]


class _SignedNames(NamedTuple):
    """The names that a source tells, and those of them that are not the portal's."""

    names: Sequence[Found]
    others: Sequence[Found]


_TWO_AUTHORS: tuple[Check[_SignedNames], ...] = (
    Check("they are not two", lambda signed: len(signed.names) != 2),
    Check("each is told by itself", lambda signed: signed.names[0].raw != signed.names[1].raw),
    Check("the portal is none or both of them", lambda signed: len(signed.others) != 1),
    Check("the other is no agency", lambda signed: signed.others[0].value.casefold() not in AGENCIES),
)
"""Reasons why names are not that of the portal and an agency, which sign as one."""


def _in_order(names: re.Match[str]) -> str:
    """Return "Ann Lee" for "Lee, Ann"; two houses in one text are two."""
    houses = DESKS | AGENCIES
    return names[0] if not houses.isdisjoint(map(str.casefold, names.groups())) else f"{names[2]} {names[1]}"


class _NameOnPage(NamedTuple):
    """A name that a page tells of its author, and that may be somebody else's, or nobody's."""

    name: Found
    known: PageClues

    @property
    def key(self) -> str:
        """The name, folded."""
        return folded(self.name.value)


# --- what is no author at all ---


def _is_section(told: _NameOnPage) -> bool:
    """Return True for a section that data tell, unless data have it for an author, too, and it may be one: it
    is called as people are, or as the portal is."""
    name, known = told.name, told.known
    may_be_one = looks_like_name(name.value.split()) or told.key in known.outlets
    is_anybodys = is_visible(name.source) or name.source in _BY_SITE_MAKERS
    return told.key in known.sections_told and (is_anybodys or not may_be_one)


def _is_linked_section(told: _NameOnPage) -> bool:
    """Return True for what the page shows, where a link to a section is called so."""
    return is_visible(told.name.source) and told.key in told.known.parts.sections_linked


def _is_place(told: _NameOnPage) -> bool:
    """Return True where a text below the headline begins with it as with the place of its dateline."""
    parts, place = told.known.parts, told.name.value
    first = parts.outline.strings[parts.begin : parts.begin + _MOST_STRINGS]
    beginnings = (text for text in first if text.startswith((place, place.upper())))
    return any(_DATELINE.match(text, len(place)) for text in beginnings)


def _is_slogan(told: _NameOnPage) -> bool:
    """Return True for several words that are written as no name is, and that the page says of itself."""
    words = told.name.value.split()
    return (
        len(words) >= _FEWEST_OF_SLOGAN
        and not looks_like_name(words)
        and told.key in _said_of_itself(told.known)
    )


def _said_of_itself(known: PageClues) -> Iterator[str]:
    """Yield what a page says of itself, folded: its descriptions, and what stands behind its titles."""
    yield from map(folded, known.texts(*SOURCES["description"]))
    for title in known.texts("html:title", "meta:og:title"):
        yield from map(folded, names_behind(title))


def _is_company_of_makers(told: _NameOnPage) -> bool:
    return told.name.source in _BY_SITE_MAKERS and is_company(told.name.value)


_NO_AUTHOR: tuple[Check[_NameOnPage], ...] = (
    Check("it is the section", _is_section),
    Check("it is a section that the page links to", _is_linked_section),
    Check("it is the place of the dateline", _is_place),
    Check("the page says it of itself", _is_slogan),
    Check("it is the company that made the site", _is_company_of_makers),
)
"""Reasons why a name is no author, whoever tells it."""


# --- who else may sign ---


def _is_shown_office(told: _NameOnPage) -> bool:
    """Return True where the page shows an editor's office, which begins with the name of the portal."""
    return is_visible(told.name.source) and folded(told.name.value.split()[0]) in told.known.outlets


def _is_site_maker(told: _NameOnPage) -> bool:
    return told.name.source in _BY_SITE_MAKERS and told.name.kind == "organization"


def _is_login(told: _NameOnPage) -> bool:
    """Return True for the name of an account that the data of an article have; in threads accounts write."""
    of_article = any(name.endswith(_ARTICLES) for name in told.known.types)
    return of_article and not is_visible(told.name.source) and _LOGIN.fullmatch(told.name.value) is not None


_OWN = "it is the portal's own name"
_AGAINST_AUTHOR: tuple[Check[_NameOnPage], ...] = (
    Check(_OWN, lambda told: told.key in told.known.outlets),
    Check(_OWN, _is_site_maker),
    Check(_OWN, _is_shown_office),
    Check("it is a login", _is_login),
)
"""Reasons why a name is no person's who wrote the article."""
_DOUBTS = ("", *dict.fromkeys(check.name for check in reversed(_AGAINST_AUTHOR)))
"""The reasons, the least one first."""
_ENOUGH_BESIDE = {"html:person-link": _DOUBTS[:-1], "html:by": _DOUBTS}
"""Places whose names may be anybody's, each with what is doubted and yet enough beside them."""


# --- pages about authors ---


def _with_page(author: Found, known: PageClues) -> Found:
    """Return an author with the page that a link with that name leads to, where the data have no other.

    An address with a fragment is but a name within this page or site.
    """
    if author.url and "#" not in author.url:
        return author
    for link in _links_called(author.value, known):
        if known.parts.kind_of(link) in _OF_AUTHORS:
            return replace(author, url=_page_url(known.parts.href(link), known))
    return author


def _links_called(name: str, known: PageClues) -> Iterator[int]:
    """Yield the links whose text, or a string in them, is a name."""
    outline, key = known.parts.outline, folded(name)
    for place in compress(range(len(outline.lengths)), map(len(name).__eq__, outline.lengths)):
        link = known.parts.link_around(outline.owners[place])
        if link is not None and folded(outline.strings[place]) == key:
            yield link


def _page_url(written: str, known: PageClues) -> str:
    """Return the address of a page about somebody; the front page of the portal is about nobody."""
    if _NO_ADDRESS.search(written):
        return ""
    url = read_url(written, known) or ""
    return "" if _is_own_front_page(url, known) else url


def _is_own_front_page(url: str, known: PageClues) -> bool:
    return known.is_front_page(url) and bare_host(url) == bare_host(known.page.url)


# --- what looks like a name, and was not read ---


def unread_names(known: PageClues, authors: Sequence[Found]) -> Iterator[str]:
    """Yield what stands where the page shows the names of its authors, and nobody was known by: it may be one
    whose name is rare."""
    told_by = [author.source for author in authors[:1]]
    sources = set(_SHOWN_ALONE).intersection(told_by) if told_by else _SHOWN_ALONE
    names = folded_values(authors)
    for text in known.texts(*sources):
        if _may_be_rare_name(text, known) and not any(name in folded(text) for name in names):
            yield text


def _may_be_rare_name(text: str, known: PageClues) -> bool:
    has_shape = _MAY_BE_NAME.fullmatch(text) and not starts_with_by(text, known.clock.language)
    return bool(has_shape) and folded(text) not in known.outlets
