"""Rules for metadata that a correction teaches: where on a page the value stands that a person has said to be
right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from webarticlecurator.amounts import amount
from webarticlecurator.budget import Budget
from webarticlecurator.config.portal import Portal
from webarticlecurator.dates import DAY, Clock, read_visible
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.metadata import rules_for
from webarticlecurator.extraction.metadata.read import read_metadata
from webarticlecurator.extraction.metadata.sources import SOURCES
from webarticlecurator.extraction.picked_values import PageContext, pick_fields
from webarticlecurator.learning.element_selectors import named_selectors, picks_of
from webarticlecurator.model.links import Fields
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Choice, Learned, Plain, Proposal
from webarticlecurator.text import folded

FIELDS = ("headline", "author", "datePublished")
"""Fields that rules are learned for."""
_ELEMENTS: dict[str, Plain] = {
    "html:h1": "h1",
    "html:title": "title",
    "html:date": {"css": "time[datetime]", "attr": "datetime"},
    "html:rel-author": 'a[rel~="author"]',
    "url:date": {"page_url": r"/((?:19|20)\d\d/\d\d?/\d\d?)(?:/|$)", "date": "yyyy/M/d"},
}
"""Source of the general reader that is no attribute -> its pick."""
_SYNTAX = {"json-ld": "jsonld", "meta": "meta", "link": "head_link"}
"""Syntax of a source of the general reader -> the key of a pick; for microdata and the like there is none."""
_OF_HEAD = frozenset(
    {"html", "head", "meta", "link", "title", "script", "style", "noscript", "template", "body"}
)
_LONGEST, _LONGEST_SHOWN = 400, 160
_MOST_OTHERS = 12
"""Pages that nobody has corrected, on which it is looked what a rule would say."""
_MOST_ELEMENTS = 24
"""The most elements looked at that say what is right, on one page."""

Values = tuple[str, ...]
"""The values of one field on one page."""
Confirmed = Mapping[str, Mapping[str, Values]]
"""Address of a page -> field -> what a person has found to be right."""


class _ReadPage(NamedTuple):
    """A page of an article, as it is read without any pick for metadata."""

    page: Page
    fields: Mapping[str, Values]
    ruled: frozenset[str]
    """Fields that the portal file has rules for on this page."""
    known: Mapping[str, Values]
    """Field -> the values that a person has confirmed."""

    @property
    def language(self) -> str | None:
        return next(iter(self.fields.get("inLanguage", ())), None)


def find_metadata(
    pages: Sequence[Page],
    portal: Portal,
    *,
    confirmed: Confirmed,
    listings: Mapping[str, Fields] | None = None,
) -> Learned:
    """A rule for each field that is read otherwise than a person `confirmed`, where something on the page
    says what is right.

    `listings`: what archive pages say of some pages, by URL.
    """
    read_pages: list[_ReadPage] = []
    others = 0
    for page in pages if confirmed else ():
        known = confirmed.get(page.requested_url) or confirmed.get(page.url) or {}
        others += not known
        if page.tree is not None and (known or others <= _MOST_OTHERS):
            read_pages.append(_read(page, portal, (listings or {}).get(page.requested_url, {}), known))
    found = (_proposal(name, read_pages, portal) for name in FIELDS)
    return Learned(proposals=tuple(proposal for proposal in found if proposal is not None))


def _read(page: Page, portal: Portal, listing: Fields, known: Mapping[str, Values]) -> _ReadPage:
    read = read_metadata(page, portal, {}, listing=listing)
    fields = {name: tuple(item.value for item in values) for name, values in read.metadata.items()}
    return _ReadPage(page, fields, frozenset(rules_for(page, portal, listing).metadata), known)


def _proposal(name: str, read_pages: Sequence[_ReadPage], portal: Portal) -> Proposal | None:
    """The rule that says what was confirmed, and on the other pages most often what is read there."""
    without_rule = [read for read in read_pages if name not in read.ruled]
    taught = [read for read in without_rule if read.known.get(name)]
    others = [read for read in without_rule if name not in read.known]
    right = _right_picks(name, taught, portal)
    otherwise = [sum(_says_otherwise(name, pick, read, portal) for read in others) for pick in right]
    if not right:
        return None
    fewest = min(otherwise)
    reason = f"says what was confirmed on {amount(len(taught), 'page')}"
    reason += (
        f", and otherwise than is read on {fewest} of {amount(len(others), 'other page')}" if fewest else ""
    )
    return _proposed(name, right[otherwise.index(fewest)], reason, [*taught, *others][:3], portal)


def _right_picks(name: str, taught: Sequence[_ReadPage], portal: Portal) -> list[Plain]:
    """Return the picks that say what was confirmed; none where it is read without one."""
    zone = portal.timezone
    if all(
        _key(name, read.fields.get(name, ()), zone) == _key(name, read.known[name], zone) for read in taught
    ):
        return []
    picks = (*_known_picks(name), *_picks_by_text(name, taught, portal))
    return [pick for pick in picks if all(_is_right(name, pick, read, portal) for read in taught)]


def _proposed(name: str, pick: Plain, reason: str, shown: Sequence[_ReadPage], portal: Portal) -> Proposal:
    """The rule, and that there is none, with what both give on some pages."""
    by_rule = tuple(_shown(_given(pick, name, read, portal)) for read in shown)
    as_read = tuple(_shown(read.fields.get(name, ())) for read in shown)
    choices = (
        Choice(value=pick, reason=reason, samples=by_rule),
        Choice(value=None, reason="no rule here: what the general reader finds", samples=as_read),
    )
    return Proposal(name=name, path=("metadata", name), choices=choices, sure=True)


def _is_right(name: str, pick: Plain, read: _ReadPage, portal: Portal) -> bool:
    """Return whether a pick says what a person has confirmed."""
    return _key(name, _given(pick, name, read, portal), portal.timezone) == _key(
        name, read.known[name], portal.timezone
    )


def _known_picks(name: str) -> Iterator[Plain]:
    """The sources that the general reader knows, the most trusted first, each as a pick."""
    for source in SOURCES.get(name, ()):
        syntax, _, written = source.partition(":")
        if source in _ELEMENTS:
            yield _ELEMENTS[source]
        elif (syntax, name) == ("json-ld", "author"):
            yield [{"jsonld": f"[{written}][].name"}, {"jsonld": written}]
        elif syntax in _SYNTAX:
            yield {_SYNTAX[syntax]: written}


def _picks_by_text(name: str, taught: Sequence[_ReadPage], portal: Portal) -> Iterator[Plain]:
    """Elements of corrected pages that say what is right, by their names."""
    names: dict[str, None] = {}
    for read in taught:
        known, outline = _key(name, read.known[name], portal.timezone), read.page.outline
        rows = (row for row, element in enumerate(outline.elements) if element.tag not in _OF_HEAD)
        saying = [
            row
            for row in rows
            if _key_of_text(name, outline.short_text(row, _LONGEST) or "", read, portal) in known
        ]
        for row in saying[:_MOST_ELEMENTS]:
            names |= dict.fromkeys(named_selectors(outline.elements[row], 1))
    for css in names:
        if name == "datePublished":  # the moment that it, or a `time` in it, has for machines
            yield from (
                {"css": css, "attr": "datetime"},
                {"css": f"{css} time[datetime]", "attr": "datetime"},
            )
        elif name == "author":  # what stands around the link may be a role
            yield f"{css} a"
        yield css


def _given(pick: Plain, name: str, read: _ReadPage, portal: Portal) -> Values:
    """Return what a pick gives on a page; nothing where a portal file may not say it, or it would take too
    long."""
    picks = picks_of(pick, f"metadata.{name}")
    if picks is None:
        return ()
    context = PageContext.whole(replace(read.page, budget=Budget()), portal, language=read.language)
    try:
        values = pick_fields({name: picks}, context).get(name, ())
    except PatternTimeout:
        return ()
    return tuple(value.value for value in values if value.value)


def _says_otherwise(name: str, pick: Plain, read: _ReadPage, portal: Portal) -> bool:
    """Return whether a pick says something else of a page than is read there without it."""
    given, as_read = _given(pick, name, read, portal), read.fields.get(name, ())
    return _key(name, given, portal.timezone) != _key(name, as_read, portal.timezone)


def _key(name: str, values: Values, zone: ZoneInfo) -> frozenset[str]:
    """Return what is compared: names in any order, days by the portal's clock, texts without regard to case
    and signs."""
    if name == "datePublished":
        return frozenset(_day(value, zone) for value in values[:1])
    return frozenset(map(folded, values))


def _key_of_text(name: str, text: str, read: _ReadPage, portal: Portal) -> str:
    """Return what is compared of a text that a reader sees."""
    if name != "datePublished":
        return folded(text)
    if len(text) > _LONGEST_SHOWN:
        return ""
    return _day(
        read_visible(text, Clock(portal.timezone, read.language, read.page.date)) or "", portal.timezone
    )


def _day(written: str, zone: ZoneInfo) -> str:
    """The day that readers see, by the portal's clock; of what is no moment the day as it is written."""
    try:
        moment = datetime.fromisoformat(written)
        if len(written) > DAY and moment.tzinfo is not None:
            return moment.astimezone(zone).date().isoformat()
    except (ValueError, OverflowError):  # what a page tells need be no date, or one at the end of time
        pass
    return written[:DAY]


def _shown(values: Values) -> str:
    text = "; ".join(values) or "(nothing)"
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"
