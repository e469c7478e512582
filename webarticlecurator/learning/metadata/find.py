"""Rules for metadata: only for a field that is missing on some pages, or that trusted sources tell otherwise than it is read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from zoneinfo import ZoneInfo

from webarticlecurator.amounts import amount
from webarticlecurator.budget import Budget
from webarticlecurator.config.portal import Portal
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.layouts import rules_for
from webarticlecurator.extraction.metadata.dates import DAY
from webarticlecurator.extraction.metadata.people import names_in
from webarticlecurator.extraction.metadata.read import read_metadata
from webarticlecurator.extraction.metadata.sources import Clue
from webarticlecurator.extraction.picks import PageContext, pick_fields
from webarticlecurator.learning.metadata.places import LEARNED_FIELDS, known_picks, named_picks, names_alone
from webarticlecurator.learning.page_sizes import sample
from webarticlecurator.learning.plain_picks import picks_of
from webarticlecurator.model.links import Fields
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Choice, Learned, Plain, Proposal
from webarticlecurator.text import folded

_CALLED = {
    "headline": "the headline",
    "author": "who wrote the article",
    "datePublished": "when the article was published",
    "articleSection": "the section of the article",
}
"""Fields that are worth a question; of the others only what fills gaps is proposed."""
_TRUSTED = {
    "headline": ("json-ld:headline", "html:h1", "meta:og:title", "microdata:headline", "rdfa:headline"),
    "author": (
        *("json-ld:author", "microdata:author", "rdfa:author", "meta:author", "meta:article:author", "meta:og:article:author"),
        *("meta:articleauthor", "html:rel-author"),
    ),
    "datePublished": ("json-ld:datePublished", "microdata:datePublished", "rdfa:datePublished", "meta:article:published_time", "html:date"),
}
"""Sources that are worth a question where they say otherwise, though the general reader finds something."""
_FEWEST_AGREEING = 3
"""Pages on which a place must say what is read without a rule before it fills that one's gaps unasked."""
_DIFFERS, _COVERS, _HAS_GAPS = 0.1, 0.5, 0.8
"""Shares: of the pages on which two places say something, those on which they differ; of the pages of which anything tells the field, those
that a place must tell, and those that must be read without a rule for it to be asked of no other place than the trusted ones."""
_MOST_RIVALS, _SHOWN = 2, 3
_MOST_VALUES, _LONGEST, _LONGEST_SECTION, _LONGEST_SHOWN = 30, 400, 60, 160
_DATE = re.compile(r"(?:19|20)\d\d-\d\d-\d\d(?:T|$)")
_SITE_BEHIND = re.compile(r"\s*[|–—·•»«›/\\：:｜-]")
_WORDS_SHARED = 0.5
"""Of the words of a headline that the page's other titles have, too."""

Values = tuple[str, ...]
"""Of one field on one page."""
Confirmed = Mapping[str, Mapping[str, Values]]
"""Address of a page -> field -> what a person has found to be right."""


@dataclass(frozen=True)
class _ReadPage:
    """A page of an article, as it is read without any pick for metadata."""

    page: Page
    fields: Mapping[str, Values]
    listed: frozenset[str]
    """Fields that are told by archive pages."""
    ruled: frozenset[str]
    """Fields that the portal file has rules for on this page."""
    outlets: frozenset[str]
    """The names of the portal, folded."""

    @property
    def language(self) -> str | None:
        return next(iter(self.fields.get("inLanguage", ())), None)

    @cached_property
    def titles(self) -> str:
        """All that it calls itself, one behind the other."""
        elements = self.page.tree.iter("title", "meta") if self.page.tree is not None else ()
        named = (one.text or one.get("content") or "" for one in elements if one.tag == "title" or one.get("property") == "og:title")
        return " ".join((*self.fields.get("headline", ()), *named))


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a field may stand, and what stands there on each page."""

    pick: Plain
    """None: what is read without one."""
    source: str
    values: tuple[Values, ...]
    rank: int = 0
    """Among the places of the field, the most trusted first."""

    @property
    def pages(self) -> int:
        return sum(map(bool, self.values))

    @property
    def varies(self) -> bool:
        """Whether it is about the article: of several pages not all have the same."""
        told = [one for one in self.values if one]
        return len(told) < 2 or len(set(told)) > 1


def find_metadata(
    pages: Sequence[Page], portal: Portal, *, confirmed: Confirmed | None = None, listings: Mapping[str, Fields] | None = None
) -> Learned:
    """Rules that fill gaps, and one question of each field where sources differ; fields that have rules already are left alone.

    What a person `confirmed` of some of the pages decides between the places that differ there; `listings` are what archive pages say of
    some, by URL.
    """
    chosen, remarks = sample("metadata", pages)
    read_pages = [_read(page, portal, (listings or {}).get(page.requested_url, {})) for page in chosen]
    proposals: list[Proposal] = []
    told: list[str] = []
    for name in LEARNED_FIELDS:
        without_rule = [one for one in read_pages if name not in one.ruled]
        proposal = _Field(name, without_rule, portal, confirmed or {}).proposal() if without_rule else None
        if proposal is not None:
            proposals.append(proposal)
        elif without_rule:
            told.append(f"{name} on {sum(bool(one.fields.get(name)) for one in without_rule)} of {len(without_rule)}")
    remarks += [f"metadata: read without a rule, and nothing is proposed: {', '.join(told)}"] if told else []
    return Learned(proposals=tuple(proposals), remarks=tuple(remarks))


def _read(page: Page, portal: Portal, listing: Fields) -> _ReadPage:
    read = read_metadata(page, portal, {}, listing=listing)
    fields = {name: tuple(found.value for found in values) for name, values in read.metadata.items()}
    listed = frozenset(name for name, values in read.metadata.items() if values and values[0].source.startswith("listing:"))
    return _ReadPage(page, fields, listed, frozenset(rules_for(page, portal, listing).metadata), read.outlets)


class _Field:
    """One field on some pages, with all places that may hold it."""

    def __init__(self, name: str, pages: Sequence[_ReadPage], portal: Portal, confirmed: Confirmed) -> None:
        self._name, self._pages, self._portal = name, pages, portal
        listed = 2 * sum(name in one.listed for one in pages) > len(pages)
        self._own = _Place(None, "`archive.fields`" if listed else "the general reader", tuple(one.fields.get(name, ()) for one in pages))
        told = ((at, confirmed.get(one.page.requested_url) or confirmed.get(one.page.url) or {}) for at, one in enumerate(pages))
        self._truths = {at: tuple(values[name]) for at, values in told if name in values}
        self._places = list(self._found_places())

    def proposal(self) -> Proposal | None:
        """The rule or the question; None where the field can be left to the general reader."""
        own = self._own
        if self._truths and not self._mistakes(own):
            return None
        right = [one for one in self._places if self._truths and not self._mistakes(one)]
        if right:
            best = min(right, key=lambda one: (self._against(one), one.rank))
            said = f"says what was confirmed on {amount(len(self._truths), 'page')}; says something on {self._of_pages(best)}"
            return self._proposed([best, own], [said, self._without_rule()], sure=True)
        usable = [one for one in self._places if one.varies or self._name == "author"]
        fills = [one for one in usable if self._fills(one)]
        if fills:
            best = min(fills, key=lambda one: (-one.pages, one.rank))
            reason = f"says the same as {own.source} on {amount(self._agreeing(own, best), 'page')}, and {self._added(best)} more"
            return self._proposed([best, own], [f"{reason} that it does not find", self._without_rule()], sure=True)
        rivals = list(self._rivals(usable)) if self._name in _CALLED else []
        if not rivals:
            return None
        reasons = [self._otherwise(one) for one in rivals]
        if own.source == "`archive.fields`":  # that places of the article's own page say otherwise speaks against it
            return self._proposed([*rivals, own], [*reasons, self._without_rule()], sure=False)
        return self._proposed([own, *rivals], [self._without_rule(), *reasons], sure=False)

    # --- places ---

    def _found_places(self) -> Iterator[_Place]:
        """Those that give something, the most trusted first; of those that give the same the first alone."""
        pages = [one.page for one in self._pages]
        named = (("the page", pick) for pick in named_picks(self._name, pages, self._own.values))
        seen = set[tuple[Values, ...]]()
        for rank, (source, pick) in enumerate((*known_picks(self._name), *named)):
            if self._name == "author":
                lines = [(text, one.language) for values, one in zip(self._given(pick), self._pages, strict=False) for text in values]
                pick = names_alone(pick, lines)
            is_marked = source != "the page"
            given = zip(self._given(pick), self._pages, strict=False)
            values = tuple(told if self._may_be(told, one, is_marked) else () for told, one in given)
            if any(values) and values not in seen:
                seen.add(values)
                yield _Place(pick, source, values, rank)

    def _given(self, pick: Plain) -> list[Values]:
        """Of each page; nothing where the loader of portal files, or the time that rules have, would not allow the pick."""
        picks = picks_of(pick, f"metadata.{self._name}")
        found: list[Values] = []
        if picks is None:
            return found
        for one in self._pages:
            context = PageContext.whole(replace(one.page, budget=Budget()), self._portal, language=one.language)
            try:
                given = pick_fields({self._name: picks}, context).get(self._name, ())
            except PatternTimeout:
                return []
            found.append(tuple(value.value for value in given if value.value))
        return found

    def _may_be(self, values: Values, page: _ReadPage, is_marked: bool) -> bool:
        """Whether each of them can be meant; of what nothing marks less can, since anything may stand there."""
        if len(values) > _MOST_VALUES or any(len(text) > _LONGEST for text in values):
            return False
        match self._name:
            case "headline":
                return all(_is_title(text, page) for text in values)
            case "author":
                return all(_is_name(text, page, is_marked) for text in values)
            case "articleSection":
                titles = folded(page.titles)
                return all(len(text) <= _LONGEST_SECTION and any(map(str.isalpha, text)) and folded(text) not in titles for text in values)
            case "datePublished" | "dateModified":
                return all(map(_DATE.match, values))
        return True

    # --- comparing ---

    def _fills(self, place: _Place) -> bool:
        """Whether it says what is read wherever both say something, often enough, and says more, which is no tag of the page."""
        gaps = [(told, one) for own, told, one in zip(self._own.values, place.values, self._pages, strict=True) if told and not own]
        is_tag = self._name == "articleSection" and any(set(told) & set(one.fields.get("keywords", ())) for told, one in gaps)
        agrees = self._agreeing(self._own, place) >= _FEWEST_AGREEING and not self._against(place)
        return bool(gaps) and agrees and place.varies and not is_tag

    def _rivals(self, usable: Sequence[_Place]) -> Iterator[_Place]:
        """Places that say otherwise, the most likely first; none where most of the trusted agree with what is read."""
        told = sum(any(one.values[at] for one in (self._own, *self._places)) for at in range(len(self._pages)))
        has_gaps = self._own.pages < _HAS_GAPS * told
        trusted = [one for one in usable if one.source in _TRUSTED.get(self._name, ())]
        against = [one for one in trusted if self._differs(one)]
        if not has_gaps and len(trusted) - len(against) > len(against):
            return
        may_be = [one for one in (usable if has_gaps else against) if one.pages >= _COVERS * told and self._differs(one)]
        chosen: list[_Place] = []
        support = {one.rank: sum(self._agreeing(one, other) / (1 + other.rank) for other in self._places) for one in may_be}
        for one in sorted(may_be, key=lambda place: (-round(support[place.rank], 4), place.rank)):
            if (
                len(chosen) < _MOST_RIVALS
                and self._own.pages + one.pages
                and not any(self._agreeing(other, one) == one.pages for other in chosen)
            ):
                chosen.append(one)
                yield one

    def _differs(self, place: _Place) -> bool:
        agreeing, against = self._agreeing(self._own, place), self._against(place)
        pairs = [(self._key(told), self._key(own)) for own, told in zip(self._own.values, place.values, strict=True) if own and told]
        says_less = bool(pairs) and all(told <= own for told, own in pairs) and any(told < own for told, own in pairs)
        return not says_less and (against > _DIFFERS * (agreeing + against) or (not pairs and place.pages > 0))

    def _key(self, values: Values) -> frozenset[str]:
        """What is compared: names in any order, days by the portal's clock, texts without regard to case and signs."""
        if "date" in self._name:
            return frozenset(_day(value, self._portal.timezone) for value in values[:1])
        return frozenset(map(folded, values))

    def _same(self, one: Values, other: Values) -> bool:
        return self._key(one) == self._key(other)

    def _agreeing(self, one: _Place, other: _Place) -> int:
        """Pages on which both say the same, and something."""
        return sum(bool(told) and self._same(own, told) for own, told in zip(one.values, other.values, strict=True))

    def _against(self, place: _Place) -> int:
        """Pages on which it says something else than what is read."""
        return sum(bool(own and told) and not self._same(own, told) for own, told in zip(self._own.values, place.values, strict=True))

    def _added(self, place: _Place) -> int:
        return sum(bool(told) and not own for own, told in zip(self._own.values, place.values, strict=True))

    def _mistakes(self, place: _Place) -> int:
        """Pages on which it does not say what a person has found to be right."""
        return sum(not self._same(place.values[at], truth) for at, truth in self._truths.items())

    # --- telling ---

    def _proposed(self, places: Sequence[_Place], reasons: Sequence[str], *, sure: bool) -> Proposal:
        """The rule, or the question, with the texts of these places on the same pages side by side."""
        first = places[0]
        apart = {at: sum(not self._same(one.values[at], first.values[at]) for one in places) for at in range(len(self._pages))}
        shown = sorted(sorted(apart, key=lambda at: (-apart[at], at))[:_SHOWN])
        urls = [self._pages[at].page.requested_url[:_LONGEST_SHOWN] for at in shown]
        choices = [
            Choice(
                value=place.pick,
                reason=reason,
                samples=tuple(_shown(place, at) for at in shown),
                differs=tuple(
                    line
                    for at, url in zip(shown, urls, strict=True)
                    if place is not first and not self._same(place.values[at], first.values[at])
                    for line in (f"- {url}: {_shown(first, at)}", f"+ {url}: {_shown(place, at)}")
                ),
                score=round(place.pages / len(self._pages), 4),
            )
            for place, reason in zip(places, reasons, strict=True)
        ]
        meant = _CALLED.get(self._name, self._name)
        question = f"Which of these {len(choices)} is {meant}? Their texts are of {amount(len(shown), 'page')}: {', '.join(urls)}"
        return Proposal(
            name=self._name,
            path=("metadata", self._name),
            choices=tuple(choices),
            sure=sure,
            question=None if sure else question,
        )

    def _of_pages(self, place: _Place) -> str:
        return f"{place.pages} of {amount(len(self._pages), 'page')}"

    def _without_rule(self) -> str:
        return f"no rule here: {self._own.source} tells it on {self._of_pages(self._own)}"

    def _otherwise(self, rival: _Place) -> str:
        against, agreeing = self._against(rival), self._agreeing(self._own, rival)
        return f"{rival.source}: on {self._of_pages(rival)}; on {against} of {against + agreeing} it says otherwise than {self._own.source}"


def _is_name(text: str, page: _ReadPage, is_marked: bool) -> bool:
    """A name, and not the site's; data may put several into one text."""
    if folded(text) in page.outlets:
        return False
    names = {folded(one.text) for one in names_in([Clue(text)], page.language, visible=not is_marked, alone=True)}
    return names == {folded(text)} or (is_marked and bool(names) and names != set(map(folded, page.fields.get("author", ()))))


def _is_title(text: str, page: _ReadPage) -> bool:
    """Not the headline with the site's name behind it."""
    own = next(iter(page.fields.get("headline", ())), "")
    if own and text.startswith(own) and _SITE_BEHIND.match(text, len(own)):
        return False
    words, known = ({folded(word) for word in one.split()} - {""} for one in (text, page.titles))
    return not known or len(words & known) >= _WORDS_SHARED * len(words) > 0


def _day(written: str, zone: ZoneInfo) -> str:
    """The day that readers see, by the portal's clock; of what is no moment the day as it is written."""
    try:
        moment = datetime.fromisoformat(written) if len(written) > DAY else None
        return moment.astimezone(zone).date().isoformat() if moment is not None and moment.tzinfo is not None else written[:DAY]
    except (ValueError, OverflowError):  # what a page tells need be no date, or one at the end of time
        return written[:DAY]


def _shown(place: _Place, at: int) -> str:
    text = "; ".join(place.values[at]) or "(nothing)"
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"
