"""Who wrote an article: which of the names that data, bylines and links tell counts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import compress
from operator import attrgetter
from typing import NamedTuple

from webarticlecurator.extraction.checks import Check, first_reason
from webarticlecurator.extraction.metadata.names import names_in, starts_with_by
from webarticlecurator.extraction.metadata.sources import (
    Clue,
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
_WEAK = "html:by"
"""The place whose names may be anybody's, so that the portal's own goes before them."""
_BY_SITE_MAKERS = frozenset({"meta:author", "meta:article:author"})
"""Sources in which organisations are mostly those that made the site."""
_OF_LIBRARIES = frozenset({"meta:citation_author", "meta:dc.creator", "meta:dcterms.creator"})
"""Sources in which the family name may come first: "Lee, Ann"."""
_FAMILY_NAME_FIRST = linear(r"^([^\s,]+|[a-zà-ÿ][^,]*), ([^,]+)$")
"""One name of a person with a comma in it; several words before that begin with a particle: "van Dam,
Eva"."""
_OF_AUTHORS = ("rel-author", LinkKind.AUTHOR, LinkKind.PERSON)
"""Links to the pages of authors."""
_NO_ADDRESS = linear(r" |#/?(?:schema/)?person\b", re.IGNORECASE)
"""A part of what is no address: of a sentence, or of a name for somebody within the data of a site."""


class _TellingSource(NamedTuple):
    """The names that a source tells."""

    names: list[Found]
    is_own: bool
    """True if they are but the portal itself."""


def choose_authors(known: PageClues) -> list[Offer]:
    """Return others before the portal itself: its own name counts only where nothing else is said.

    What the page shows is read only where nothing better names an author.
    """
    told = sorted(collect("author", known, _ask, _are_enough), key=attrgetter("is_own"))
    offers = [[replace(name, url=_page_url(name.url, known)) for name in source.names] for source in told]
    return [[_with_page(author, known) for author in offer] for offer in offers[:1]] + offers[1:]


def _ask(source: str, known: PageClues) -> _TellingSource | None:
    """Return the names that a source tells: others than the portal itself, or else the portal."""
    names = _names_of(source, known)
    others = [name for name in names if not _is_own(name, known)]
    return _TellingSource(others or names, not others) if names else None


def _are_enough(source: str, told: Sequence[_TellingSource]) -> bool:
    """Return True for what the page shows, where an author is known.

    Where names may be anybody's, the portal is enough, but not by a feed: many name it as the author of all.
    """
    if source == _WEAK:
        return any(names[0].source != TOLD_BY_FEED["author"] or not is_own for names, is_own in told)
    return is_visible(source) and not all(is_own for _, is_own in told)


def _names_of(source: str, known: PageClues) -> list[Found]:
    """Return the names that a source tells; where sections stand beside them, these are none."""
    clues = known.get(source)
    if source in _OF_LIBRARIES:
        clues = list(map(_given_name_first, clues))
    visible, alone = is_visible(source), source in _NAMES_ALONE
    names = names_in(clues, known.clock.language, source=source, visible=visible, alone=alone)
    if visible or source in _BY_SITE_MAKERS:
        return others_than(names, known.sections_told)
    return names


def _given_name_first(clue: Clue) -> Clue:
    """Return "Ann Lee" for "Lee, Ann"; a text with more commas or words is a list of names."""
    return clue._replace(text=_FAMILY_NAME_FIRST.sub(r"\2 \1", clue.text))


class _NameOnPage(NamedTuple):
    """A name of a page that may be the portal's."""

    name: Found
    known: PageClues


def _is_shown_office(told: _NameOnPage) -> bool:
    """Return True where the page shows an editor's office, which begins with the name of the portal."""
    return is_visible(told.name.source) and folded(told.name.value.split()[0]) in told.known.outlets


def _is_site_maker(told: _NameOnPage) -> bool:
    return told.name.source in _BY_SITE_MAKERS and told.name.kind == "organization"


_SIGNS_OF_PORTAL: tuple[Check[_NameOnPage], ...] = (
    Check("it is a name of the portal", lambda told: folded(told.name.value) in told.known.outlets),
    Check("it is of those that made the site", _is_site_maker),
    Check("it is an editor's office", _is_shown_office),
)
"""Reasons why a name is the portal's own."""


def _is_own(name: Found, known: PageClues) -> bool:
    return bool(first_reason(_SIGNS_OF_PORTAL, _NameOnPage(name, known)))


# --- pages about authors ---


def _with_page(author: Found, known: PageClues) -> Found:
    """Return an author with the page that a link with that name leads to, where the data have no other.

    An address with a fragment is but a name within this page or site.
    """
    if author.url and "#" not in author.url:
        return author
    for link in _links_called(author.value, known):
        if link not in known.parts.samples and known.parts.kind_of(link) in _OF_AUTHORS:
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
    if not written or _NO_ADDRESS.search(written):
        return ""
    url = read_url(written, known) or ""
    return "" if _is_own_front_page(url, known) else url


def _is_own_front_page(url: str, known: PageClues) -> bool:
    return known.is_front_page(url) and bare_host(url) == bare_host(known.page.url)


# --- what looks like a name, and was not read ---


def unread_names(known: PageClues, authors: Sequence[Found]) -> Iterator[str]:
    """Yield what stands where the page shows the names of its authors, and nobody was known by: it may be one
    whose name is rare."""
    sources = [source for source in _SHOWN_ALONE if not authors or authors[0].source == source]
    names = folded_values(authors)
    for text in known.texts(*sources):
        if _may_be_rare_name(text, known) and not any(name in folded(text) for name in names):
            yield text


def _may_be_rare_name(text: str, known: PageClues) -> bool:
    has_shape = _MAY_BE_NAME.fullmatch(text) and not starts_with_by(text, known.clock.language)
    return bool(has_shape) and folded(text) not in known.outlets
