"""Rules for metadata: only for a field that is missing on some pages, or that trusted sources tell otherwise than it is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from typing import NamedTuple
from zoneinfo import ZoneInfo

from webarticlecurator.amounts import amount
from webarticlecurator.budget import Budget
from webarticlecurator.config.portal import Portal
from webarticlecurator.dates import DAY, Clock, read_visible
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.metadata import rules_for
from webarticlecurator.extraction.metadata.names import names_in
from webarticlecurator.extraction.metadata.read import read_metadata
from webarticlecurator.extraction.metadata.sources import SOURCES, Clue
from webarticlecurator.extraction.picked_values import PageContext, pick_fields
from webarticlecurator.labelling.comment_boxes import called_comments
from webarticlecurator.labelling.element_names import ClassHint, hints_of
from webarticlecurator.learning.element_selectors import picks_of, selected, selectors_of
from webarticlecurator.model.links import Fields
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Choice, Learned, Plain, Proposal
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import folded

_HINTS = {
    "headline": {ClassHint.HEADING},
    "author": {ClassHint.AUTHOR, ClassHint.BYLINE},
    "datePublished": {ClassHint.DATE, ClassHint.PUBLISHED},
}
"""Fields that are learned -> what the class or id of an element that holds it says."""
_CALLED = {"headline": "the headline", "author": "who wrote the article", "datePublished": "when the article was published"}
_TRUSTED = {
    "headline": ("json-ld:headline", "html:h1", "meta:og:title"),
    "author": ("json-ld:author", "meta:author", "meta:article:author", "meta:og:article:author", "meta:articleauthor", "html:rel-author"),
    "datePublished": ("json-ld:datePublished", "meta:article:published_time", "html:date"),
}
"""Sources that are worth a question where they say otherwise, though the general reader finds something."""
_ELEMENTS: dict[str, Plain] = {
    "html:h1": "h1",
    "html:title": "title",
    "html:date": {"css": "time[datetime]", "attr": "datetime"},
    "html:rel-author": 'a[rel~="author"]',
    "url:date": {"page_url": r"/((?:19|20)\d\d/\d\d?/\d\d?)(?:/|$)", "date": "yyyy/M/d"},
}
_OF_HEAD = frozenset({"html", "head", "meta", "link", "title", "script", "style", "noscript", "template", "body"})
_LONGEST, _LONGEST_SHOWN = 400, 160
_SITE_BEHIND = linear_at(r"\s*[|–—·•»«›/\\：:｜-]")

Values = tuple[str, ...]
"""Of one field on one page."""
Confirmed = Mapping[str, Mapping[str, Values]]
"""Address of a page -> field -> what a person has found to be right."""


class _ReadPage(NamedTuple):
    """A page of an article, as it is read without any pick for metadata."""

    page: Page
    fields: Mapping[str, Values]
    ruled: frozenset[str]
    """Fields that the portal file has rules for on this page."""
    outlets: frozenset[str]
    """The names of the portal, folded."""

    @property
    def language(self) -> str | None:
        return next(iter(self.fields.get("inLanguage", ())), None)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a field may stand, and what stands there on each page."""

    pick: Plain
    """None: what is read without one."""
    source: str
    values: tuple[Values, ...]

    @property
    def pages(self) -> int:
        return sum(map(bool, self.values))

    @property
    def varies(self) -> bool:
        """Whether it is about the article: of several pages not all have the same."""
        return self.pages < 2 or len(set(filter(None, self.values))) > 1


def find_metadata(
    pages: Sequence[Page], portal: Portal, *, confirmed: Confirmed | None = None, listings: Mapping[str, Fields] | None = None
) -> Learned:
    """Rules that fill gaps, and one question of each field where sources differ; fields that have rules already are left alone.

    What a person `confirmed` of some of the pages decides between the places that differ there; `listings` are what archive pages say of
    some, by URL.
    """
    read_pages, proposals, as_read = list[_ReadPage](), list[Proposal](), list[str]()
    for page in (page for page in pages if page.tree is not None):
        listing = (listings or {}).get(page.requested_url, {})
        read = read_metadata(page, portal, {}, listing=listing)
        fields = {name: tuple(item.value for item in values) for name, values in read.metadata.items()}
        read_pages.append(_ReadPage(page, fields, frozenset(rules_for(page, portal, listing).metadata), read.outlets))
    for name in _HINTS:
        without_rule = [read_page for read_page in read_pages if name not in read_page.ruled]
        field = _Field(name, without_rule, portal, confirmed or {})
        proposal = field.proposal() if without_rule else None
        if proposal is not None:
            proposals.append(proposal)
        elif without_rule:
            as_read.append(f"{name} on {field.own.pages} of {len(without_rule)}")
    remarks = (f"metadata: read without a rule, and nothing is proposed: {', '.join(as_read)}",) if as_read else ()
    return Learned(proposals=tuple(proposals), remarks=remarks)


class _Field:
    """One field on some pages, with all places that may hold it."""

    def __init__(self, name: str, pages: Sequence[_ReadPage], portal: Portal, confirmed: Confirmed) -> None:
        self._name, self._pages, self._portal = name, pages, portal
        self.own = _Place(None, "the general reader", tuple(page.fields.get(name, ()) for page in pages))
        known = ((at, confirmed.get(each.page.requested_url) or confirmed.get(each.page.url) or {}) for at, each in enumerate(pages))
        self.truths = {at: tuple(values[name]) for at, values in known if name in values}
        """Page -> what a person has confirmed."""
        self._confirmed = frozenset(chain.from_iterable(self.truths.values()))
        self.places: list[_Place] = []
        """Those that give something, the most trusted first; of those that give the same the first alone."""
        seen = set[tuple[Values, ...]]()
        for source, pick in (*_known_picks(name), *self._named_picks()):
            given = zip(self._given(pick), pages, strict=False)
            values = tuple(offered if self._may_be(offered, page, is_marked=source != _UNMARKED) else () for offered, page in given)
            if any(values) and values not in seen:
                seen.add(values)
                self.places.append(_Place(pick, source, values))

    def proposal(self) -> Proposal | None:
        """The rule or the question; None where the field can be left to the general reader."""
        own = self.own
        if self.truths:
            if self.is_true(own):
                return None
            if right := [place for place in self.places if self.is_true(place)]:
                best = min(right, key=lambda place: self._beside_own(place)[1])
                return self._proposed([best, own], f"says what was confirmed on {amount(len(self.truths), 'page')}", sure=True)
        usable = [place for place in self.places if place.varies or self._name == "author"]
        filling = []  # what says all that is read wherever both say something, often enough, and says more
        for place in usable:
            has_more = any(offered and not read for read, offered in zip(own.values, place.values, strict=True))
            agreeing, other, _ = self._beside_own(place)
            filling += [place] if has_more and agreeing >= 3 and not other and place.varies else []
        if filling:
            best = max(filling, key=lambda place: place.pages)
            more = sum(bool(offered) and not read for read, offered in zip(own.values, best.values, strict=True))
            same = amount(self._beside_own(best)[0], "page")
            return self._proposed([best, own], f"says the same as {own.source} on {same}, and {more} more that it does not find", sure=True)
        # places that say otherwise, the most trusted first; none where most of the trusted agree with what is read
        anywhere = sum(any(values) for values in zip(*(place.values for place in (own, *self.places)), strict=True))
        has_gaps = own.pages < 0.8 * anywhere  # then other places are asked than the trusted ones, if they tell half of the pages
        trusted = [place for place in usable if place.source in _TRUSTED[self._name]]
        against = [place for place in trusted if self._beside_own(place)[2]]
        if not has_gaps and len(trusted) - len(against) > len(against):
            return None
        may_be = [place for place in (usable if has_gaps else against) if place.pages >= anywhere / 2 and self._beside_own(place)[2]]
        return self._proposed([own, *may_be[:2]], "", sure=False) if may_be else None

    def _named_picks(self) -> Iterator[tuple[str, Plain]]:
        """Elements that are called what the field is, or that say on some page what is read there; those on most pages first."""
        counted: Counter[str] = Counter()
        for page, values in zip(self._pages, self.own.values, strict=True):
            known, outline, names = self._key(values), page.page.outline, list[str]()
            for row, element in enumerate(outline.elements):
                if element.tag not in _OF_HEAD and len(names) < 200:
                    is_called_so = bool(_HINTS[self._name] & hints_of(f"{element.get('class') or ''} {element.get('id') or ''}"))
                    text = outline.short_text(row, _LONGEST) if is_called_so or known else None
                    if text and (is_called_so or self._shown_key(page, text) in known):
                        names += selectors_of(element)
            counted.update(set(names[:200]))
        for css in sorted(counted, key=lambda css: (-counted[css], css.isalnum(), len(css), css))[:24]:
            links = css if css.startswith("a.") else f"{css} a"
            picks: list[Plain] = [css]
            if self._name == "datePublished":  # the moment that it, or a `time` in it, has for machines
                picks = [{"css": css, "attr": "datetime"}, {"css": f"{css} time[datetime]", "attr": "datetime"}, css]
            elif self._name == "author" and ClassHint.AUTHOR in hints_of(css):  # what stands around the link may be a role
                picks = [links, css]
            yield from ((_UNMARKED, pick) for pick in picks)

    def _shown_key(self, page: _ReadPage, text: str) -> str:
        """What is compared of a text that a reader sees; the day of a change is mostly that of the publication, and shows no place."""
        if self._name != "datePublished" or len(text) > _LONGEST_SHOWN:
            return folded(text)
        zone = self._portal.timezone
        return _day(read_visible(text, Clock(zone, page.language, page.page.date)) or "", zone) if linear(r"\d\d").search(text) else ""

    def _given(self, pick: Plain) -> list[Values]:
        """Of each page; nothing where the loader of portal files, or the time that rules have, would not allow the pick, or where it takes
        who wrote a comment for the author."""
        picks = picks_of(pick, f"metadata.{self._name}")
        if picks is None:
            return []
        values: list[Values] = []
        for page in self._pages:
            context = PageContext.whole(replace(page.page, budget=Budget()), self._portal, language=page.language)
            try:
                given = pick_fields({self._name: picks}, context).get(self._name, ())
            except PatternTimeout:
                return []
            if given and self._name == "author":  # an article of opinion may be called a comment, with its headline
                boxes = (box for box in called_comments(page.page.outline) if next(box.iter("h1"), None) is None)
                of_picks = {at for pick in picks.each() if pick.css is not None for at in selected(pick.css.text, page.page.tree)}
                if any(not of_picks.isdisjoint(box.iter()) for box in boxes):
                    return []
            values.append(tuple(value.value for value in given if value.value))
        return values

    def _may_be(self, values: Values, page: _ReadPage, *, is_marked: bool) -> bool:
        """Whether each of them can be meant; of what nothing marks less can, since anything may stand there."""
        if len(values) > 30 or any(len(text) > _LONGEST for text in values):
            return False
        if self._name == "headline":  # not with the site's name behind it
            headline = next(iter(page.fields.get("headline", ())), "")
            return not any(headline and text.startswith(headline) and _SITE_BEHIND.match(text, len(headline)) for text in values)
        if self._name == "author":
            return all(text in self._confirmed or _is_name(text, page, is_marked) for text in values)
        return all(linear_at(r"(?:19|20)\d\d-\d\d-\d\d(?:T|$)").match(text) for text in values)

    def _beside_own(self, place: _Place) -> tuple[int, int, bool]:
        """Pages on which it says what is read there, and on which it says something else; whether it differs, and not only says less."""
        both = [(offered, read) for read, offered in zip(self.own.values, place.values, strict=True) if read and offered]
        pairs = [(self._key(offered), self._key(read)) for offered, read in both]
        other = sum(offered != read for offered, read in pairs)
        says_less = other > 0 and all(offered <= read for offered, read in pairs)
        return len(pairs) - other, other, not says_less and (other > 0.1 * len(pairs) if pairs else place.pages > 0)

    def is_true(self, place: _Place) -> bool:
        """Whether it says what a person has found to be right."""
        return all(self._key(place.values[at]) == self._key(truth) for at, truth in self.truths.items())

    def _key(self, values: Values) -> frozenset[str]:
        """What is compared: names in any order, days by the portal's clock, texts without regard to case and signs."""
        if self._name == "datePublished":
            return frozenset(_day(value, self._portal.timezone) for value in values[:1])
        return frozenset(map(folded, values))

    def _proposed(self, places: Sequence[_Place], why: str, *, sure: bool) -> Proposal:
        """The rule, or the question, with the texts of these places on the same pages side by side."""
        first, total = places[0], len(self._pages)
        apart = [sum(self._key(place.values[at]) != self._key(first.values[at]) for place in places) for at in range(total)]
        shown = sorted(sorted(range(total), key=lambda at: (-apart[at], at))[:3])
        urls = [self._pages[at].page.requested_url[:_LONGEST_SHOWN] for at in shown]
        choices = []
        for place in places:
            texts = [_shown(place, at) for at in shown]
            lines = zip(urls, (_shown(first, at) for at in shown), texts, strict=True)
            differs = tuple(line for url, best, text in lines if best != text for line in (f"- {url}: {best}", f"+ {url}: {text}"))
            same, other, _ = self._beside_own(place)
            of_pages = f"on {place.pages} of {amount(total, 'page')}"
            reason = why or f"{place.source}: {of_pages}; on {other} of {other + same} it says otherwise than {self.own.source}"
            if place.pick is None:
                reason = f"no rule here: {place.source} tells it {of_pages}"
            choices.append(Choice(value=place.pick, reason=reason, samples=tuple(texts), differs=differs))
        meant = f"{len(choices)} is {_CALLED[self._name]}"
        question = None if sure else f"Which of these {meant}? Their texts are of {amount(len(shown), 'page')}: {', '.join(urls)}"
        return Proposal(name=self._name, path=("metadata", self._name), choices=tuple(choices), sure=sure, question=question)


_UNMARKED = "the page"


def _known_picks(name: str) -> Iterator[tuple[str, Plain]]:
    """The sources that the general reader knows, the most trusted first, each with its pick; for microdata and the like none is made."""
    for source in SOURCES.get(name, ()):
        syntax, _, written = source.partition(":")
        if source in _ELEMENTS:
            yield source, _ELEMENTS[source]
        elif syntax == "json-ld":
            yield source, [{"jsonld": f"[{written}][].name"}, {"jsonld": written}] if name == "author" else {"jsonld": written}
        elif syntax in ("meta", "link"):
            yield source, {"meta" if syntax == "meta" else "head_link": written}


def _is_name(text: str, page: _ReadPage, is_marked: bool) -> bool:
    """A name, and not the site's; data may put several into one text."""
    if folded(text) in page.outlets:
        return False
    names = {folded(name.value) for name in names_in([Clue(text)], page.language, visible=not is_marked, alone=True)}
    return names == {folded(text)} or (is_marked and bool(names) and names != set(map(folded, page.fields.get("author", ()))))


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
