"""From pages to picks of metadata: where the sources agree the general reader is right, and no rule is proposed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import Portal
from webarticlecurator.learning.file_rules import ABSENT, FileRules
from webarticlecurator.learning.metadata.candidates import candidates, general
from webarticlecurator.learning.metadata.comparison import (
    DATES,
    VISIBLE,
    Candidate,
    agreements,
    contradictions,
    same,
    says_all_of,
    says_less,
)
from webarticlecurator.learning.metadata.days import days_by_clock
from webarticlecurator.learning.metadata.midnights import without_midnight
from webarticlecurator.learning.metadata.plausible import Values
from webarticlecurator.learning.metadata.question import asked, filling
from webarticlecurator.learning.metadata.read_pages import read_page
from webarticlecurator.learning.page_sizes import evenly, left_out, of_usual_size
from webarticlecurator.model.links import Fields
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Learned, Proposal
from webarticlecurator.text import folded

MAX_PAGES = 24
"""That are read; from more of one layout nothing more is learned."""
LEARNED_FIELDS = ("headline", "author", "datePublished", "dateModified", "articleSection", "keywords")
_ASKED = frozenset({"headline", "author", "datePublished", "articleSection"})
"""Fields that are worth a question where sources differ; of the others only what fills gaps is proposed, and what is marked as the
field, and passed over by the general reader on all pages: tags beside the text may be the site's."""
_OF_ARTICLE = frozenset({"headline", "datePublished"})
"""No two articles of a portal have them all alike."""
_FEWEST_AGREEING = 3
"""Pages on which a place must say what the general reader says before it fills that one's gaps unasked."""
_DIFFERS = 0.1
"""Of the pages on which both say something."""
_COVERS = 0.5
"""Of the pages of which anything tells the field; places on fewer are not asked for."""
_HAS_GAPS = 0.8
"""Of these pages the general reader must find the field; where it does not, any place may be asked for."""
_TRUSTED = {
    "headline": frozenset({"json-ld:headline", "html:h1", "meta:og:title", "microdata:headline", "rdfa:headline"}),
    "author": frozenset(
        (
            *("json-ld:author", "microdata:author", "rdfa:author", "meta:author", "meta:article:author", "meta:og:article:author"),
            *("meta:articleauthor", "html:rel-author"),
        )
    ),
    "datePublished": frozenset(
        ("json-ld:datePublished", "microdata:datePublished", "rdfa:datePublished", "meta:article:published_time", "html:date")
    ),
}
"""Sources that are worth a question where they say otherwise, though the general reader finds something."""
MOST_RIVALS = 2
_FEWEST_OTHERWISE = 2
"""Pages on which the heading that readers see must say otherwise than what programs are told."""
_HEADING = re.compile(r"(?:^|[\s>])h[2-4][^\s>]*$")
"""How a selector of headings ends."""
_UNNAMED = "what stands in the text alone, such as a name below it, takes a rule of yours"

Confirmed = Mapping[str, Mapping[str, Values]]
"""Address of a page -> field -> what a person has found to be right."""


def find_metadata(
    pages: Sequence[Page], portal: Portal, *, confirmed: Confirmed | None = None, listings: Mapping[str, Fields] | None = None
) -> Learned:
    """What the sources of each field should be on these pages of articles: rules that fill gaps, and one question where sources differ.

    What a person `confirmed` of some of the pages decides between the places that differ there; `listings` are what archive pages say of
    some, by URL. Fields that the portal file, or the layout of a page, has rules for already are left alone.
    """
    chosen = list(of_usual_size(evenly([page for page in pages if page.tree is not None], MAX_PAGES)))
    read_pages = [read_page(page, portal, (listings or {}).get(page.requested_url)) for page in chosen]
    proposals: list[Proposal] = []
    remarks = left_out("metadata", len(chosen), len(pages), f": at most {MAX_PAGES}, and none of unusual size")
    settled: list[Compared] = []
    has_zone = not portal.sources or FileRules(portal).value(("timezone",)) is not ABSENT  # one without a file was given it
    zone = portal.timezone if has_zone else None
    for name in LEARNED_FIELDS:
        without_rule = [one for one in read_pages if name not in one.ruled]
        if read_pages and not without_rule:
            continue
        own = general(name, without_rule)
        places = candidates(name, own, without_rule, portal)
        its_pages = [one.page for one in without_rule]
        tags = general("keywords", without_rule).values if name == "articleSection" else ()
        midnights = without_midnight(own, places, without_rule, portal) if name == "datePublished" else None
        compared = Compared(name, own, places, its_pages, _truths(name, its_pages, confirmed or {}), zone, tags, midnights)
        proposal = decided(compared)
        if proposal is not None:
            proposals.append(proposal)
        elif (missing := _missing_zone(compared)) is not None:
            remarks += (missing,)
        else:
            settled.append(compared)
    remarks += _settled(settled)
    return Learned(proposals=tuple(proposals), remarks=tuple(remarks))


def _truths(name: str, pages: Sequence[Page], confirmed: Confirmed) -> dict[int, Values]:
    told = ((at, confirmed.get(page.requested_url) or confirmed.get(page.url) or {}) for at, page in enumerate(pages))
    return {at: tuple(values[name]) for at, values in told if name in values}


@dataclass(frozen=True, slots=True)
class Compared:
    """A field, with all that may say it."""

    name: str
    own: Candidate
    places: Sequence[Candidate]
    pages: Sequence[Page]
    truths: Mapping[int, Values] = field(default_factory=dict)
    zone: ZoneInfo | None = None
    """None: the portal file tells none."""
    tags: Sequence[Values] = ()
    """Of each page; what is one of them is no section for that reason alone that it stands where sections do on other pages."""
    midnights: Candidate | None = None
    """The days that may be meant where the general reader finds midnight."""

    def explained(self, place: Candidate) -> int:
        """Pages on which a place says another day only because its clock is not that of UTC."""
        return days_by_clock(zip(self.own.values, place.values, strict=True), self.zone) if self.name in DATES else 0

    def mistakes(self, candidate: Candidate) -> int:
        """Pages on which it does not say what a person has found to be right."""
        return sum(not same(self.name, candidate.values[at], truth) for at, truth in self.truths.items())

    def fills_with_tags(self, place: Candidate) -> bool:
        """Whether on a page where the general reader finds nothing it says what is a tag there: links to both may look alike."""
        texts = zip(self.own.values, place.values, self.tags, strict=False)
        return any(not own and set(map(folded, told)) & set(map(folded, tags)) for own, told, tags in texts)

    @property
    def with_sections_as_tags(self) -> int:
        """Pages without any other tag than their sections."""
        return sum(
            bool(tags) and set(map(folded, tags)) <= set(map(folded, own)) for own, tags in zip(self.own.values, self.tags, strict=False)
        )

    @property
    def told(self) -> int:
        """Pages of which anything tells it."""
        return sum(any(one.values[at] for one in (self.own, *self.places)) for at in range(len(self.pages)))


def decided(compared: Compared) -> Proposal | None:
    """The rule or the question for a field; None where it can be left to the general reader."""
    name, own = compared.name, compared.own
    if compared.truths and not compared.mistakes(own):
        return None
    may_be_alike = name not in _OF_ARTICLE and (own.pages > 0 or name != "articleSection")  # else it is a list of all sections
    usable = [one for one in compared.places if one.varies or may_be_alike]
    if compared.truths:
        right = [one for one in usable if compared.mistakes(one) == 0]
        if right:
            best = sorted(right, key=lambda one: (contradictions(name, own, one), one.rank))[0]
            return filling(name, own, best, compared.pages, confirmed=len(compared.truths))
    fills = [one for one in usable if _fills(name, own, one) and not compared.fills_with_tags(one)]
    if fills:
        best = sorted(fills, key=lambda one: (-one.pages, one.rank))[0]
        return filling(name, own, best, compared.pages)
    marked = [one for one in usable if one.source != VISIBLE and one.varies] if not own.pages else []
    rivals = [*_rivals(compared, usable if name in _ASKED else marked), *filter(None, [compared.midnights])]
    return asked(name, own, rivals, compared.pages) if rivals else None


def _fills(name: str, own: Candidate, place: Candidate) -> bool:
    """Whether it says what the general reader says wherever both do, often enough, and says more."""
    missing = sum(bool(told) and not read for read, told in zip(own.values, place.values, strict=True))
    return bool(missing) and agreements(name, own, place) >= _FEWEST_AGREEING and not contradictions(name, own, place) and place.varies


def _rivals(compared: Compared, usable: Sequence[Candidate]) -> list[Candidate]:
    """Places that say otherwise, each for all that say the same as it, the most likely first; none where most of the trusted agree."""
    name, own = compared.name, compared.own
    headings = [one for one in _headings(compared, usable) if contradictions(name, own, one) >= _FEWEST_OTHERWISE]
    trusted = [*_trusted(name, usable), *headings]
    against = [one for one in trusted if one in headings or _differs(name, own, one, compared.explained(one))]
    has_gaps = own.pages < _HAS_GAPS * compared.told
    if not has_gaps and len(trusted) - len(against) > len(against):
        return []
    may_be = [one for one in usable if _differs(name, own, one)] if has_gaps else against
    differing = [one for one in may_be if one.pages >= _COVERS * compared.told]
    chosen: list[Candidate] = []
    for one in sorted(differing, key=lambda place: (-_support(name, place, compared.places), place.rank)):
        if not any(says_all_of(name, other, one) for other in chosen):
            chosen.append(one)
        if len(chosen) == MOST_RIVALS:
            break
    return chosen


def _trusted(name: str, places: Sequence[Candidate]) -> list[Candidate]:
    return [one for one in places if one.source in _TRUSTED.get(name, ())]


def _headings(compared: Compared, places: Sequence[Candidate]) -> Iterator[Candidate]:
    """Where pages have no first-level heading: other headings, one a page, that say the headline on most pages."""
    if compared.name != "headline" or any(next(page.tree.iter("h1"), None) is not None for page in compared.pages if page.tree is not None):
        return
    for place in places:
        once = all(len(values) <= 1 for values in place.values)
        if once and _HEADING.search(str(place.pick)) and 2 * agreements("headline", compared.own, place) >= len(compared.pages):
            yield place


def _differs(name: str, own: Candidate, place: Candidate, explained: int = 0) -> bool:
    """`explained`: pages on which that it says otherwise does not count."""
    both = agreements(name, own, place) + contradictions(name, own, place)
    against = contradictions(name, own, place) - explained
    if says_less(name, place, own):
        return False
    return against > _DIFFERS * both or (not both and place.pages > 0)


def _missing_zone(compared: Compared) -> str | None:
    """What is said where a trusted place has the days of a clock that the portal file does not tell."""
    if compared.zone is not None or compared.truths:
        return None
    name, own = compared.name, compared.own
    otherwise = [one for one in _trusted(name, compared.places) if _differs(name, own, one)]
    differing = [one for one in otherwise if not _differs(name, own, one, compared.explained(one))]
    if not differing:
        return None
    place = max(differing, key=compared.explained)
    others = contradictions(name, own, place)
    told = f"on {others} of {amount(agreements(name, own, place) + others, 'page')} the day that readers see is not that of UTC"
    return f"metadata: {told}: `timezone` is missing in the portal file"


def _support(name: str, place: Candidate, places: Sequence[Candidate]) -> float:
    """By how many pages how many places say the same, the trusted ones counted more."""
    return round(sum(agreements(name, place, other) / (1 + other.rank) for other in places), 4)


def _settled(fields: Sequence[Compared]) -> Iterator[str]:
    """What is said, in one line, of the fields that need no rule, and of those that nothing can be proposed for."""
    alone = [one for one in fields if one.name == "author" and one.own.pages >= _FEWEST_AGREEING and not one.own.varies]
    days = [one for one in fields if one.name == "datePublished" and one.own.pages == len(one.pages) > 0 and _is_by_address(one)]
    only_sections = sum(one.with_sections_as_tags for one in fields if one.name == "articleSection")
    unmarked = [one for one in fields if one.name == "datePublished" and one.own.unmarked and one.own.pages == len(one.pages)]
    said = (*alone, *days, *unmarked)
    others = [one for one in fields if one not in said and not (only_sections and one.name == "keywords")]
    read = ", ".join(one.name for one in others if one.pages and one.own.pages == len(one.pages))
    partly = ", ".join(f"{one.name} (on {one.own.pages} of {len(one.pages)})" for one in others if 0 < one.own.pages < len(one.pages))
    lost = ", ".join(one.name for one in fields if one.pages and not one.own.pages)
    if read:
        yield f"metadata: read on all pages, so that no rule is needed, and nothing trusted says otherwise: {read}"
    for one in alone:
        name = ", ".join(next(filter(None, one.own.values)))
        yield f"metadata: the author is {name} on each of {amount(one.own.pages, 'page')} that have one; {_UNNAMED}"
    if only_sections:
        yield f"metadata: all keywords are the sections on {amount(only_sections, 'page')}: where tags stand apart from them takes a rule"
    for one in days:
        yield (
            f"metadata: datePublished is the day that the address tells, by whatever clock, on each of {amount(one.own.pages, 'page')};"
            " where the time is shown takes a rule, and what a feed tells a column of its own: docs/recipes/metadata-rules.md"
        )
    for one in unmarked:
        yield (
            f"metadata: datePublished is a day with which a line begins, and that nothing marks as the article's, on {one.own.unmarked} of"
            f" {amount(len(one.pages), 'page')}: look whether it is the right one; if not, or where the time is shown,"
            " write a rule: docs/recipes/metadata-rules.md"
        )
    if partly:
        yield f"metadata: read on some pages, and no element of the others is called so: {partly}; {_UNNAMED}"
    if lost:
        yield f"metadata: found nowhere on these pages, and no element of them is called so: {lost}; {_UNNAMED}"


def _is_by_address(compared: Compared) -> bool:
    return {place.source for place in compared.places if place.values == compared.own.values} == {"url:date"}
