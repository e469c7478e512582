"""One pass over one column's archive pages: what each answer means, where the walk goes on, and what its end proves.

A walk is a generator without network, clock or disk: it yields a `WalkStep` (what to note of the last answer, and the page to ask for next
or the walk's end) and is sent an `ArchiveAnswer`. What differs from one way of paging to another stands in `crawling/paging.py`.

In the default order, newest first, a walk starts at the head and covers a *span*: a stretch of the archive without a
gap. A span is *open* while nothing is known below its bottom, and *proved* once it reaches the archive's end or a span
that does. New articles push everything down, so page numbers mean nothing between two runs: older spans are recognised
by their links.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import count
from typing import ClassVar

from webarticlecurator.config.portal import Column, Order
from webarticlecurator.corpus.earlier_walks import EarlierWalks, OldSpan
from webarticlecurator.corpus.events import ArchivePlace, EndKind, PageResult, ProofGround
from webarticlecurator.corpus.intervals import Interval
from webarticlecurator.crawling.contradictions import PagerSigns
from webarticlecurator.crawling.pages_seen import PagesSeen
from webarticlecurator.crawling.requests import is_page, page_url, page_value
from webarticlecurator.crawling.walk_steps import ArchiveAnswer, Asking, Note, Reading, WalkEnd, WalkStep
from webarticlecurator.model.links import ArchivePage, ArticleLink
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.urls import normalise

MAX_PAGES = 200_000
"""Of one walk: a server that invents pages for ever must not hold us for ever."""
FAILED_IN_A_ROW = 3
"""Archive pages that may fail one after the other before the walk gives up; fewer are stepped over."""
JOIN_PAGES = 3
"""Pages in a row that must lie inside an older open span before the walk believes that it has reached it."""
ASKS_PASSWORD = "a form that asks for a password"
STEPS_BACK = 20
"""How far a walk goes back to look for articles that slid past it, or for the end of what it knew."""

_ALL_NEW = (
    "the feed lists nothing that the crawl before knew: between the two there may be articles that it lists no more; crawl more often,"
    " or let a sitemap or the archive's pages tell of them"
)
_STATED_GROUNDS = (ProofGround.STOP_RULE, ProofGround.KNOWN)
"""What the pages cannot contradict: the walk was not meant to go further."""


@dataclass(frozen=True, slots=True)
class Streaks:
    """How many pages in a row were what."""

    empty: int = 0
    failed: int = 0
    repeated: int = 0
    known: int = 0
    """Entirely inside proved spans."""
    inside: int = 0
    """Entirely inside one open span."""
    within: OldSpan | None = None
    """That span."""


Here = tuple[Note, ArchivePlace, Reading]
"""How far a walk is: the last answer, noted and understood, and its place."""


@dataclass(kw_only=True)
class Walk(ABC):
    """One walk; `run()` is the generator described above. Each way of paging is a class of its own."""

    counted: ClassVar[bool] = False
    """The pages have numbers, so that one that cannot be read can be stepped over."""
    ends_empty: ClassVar[bool] = True
    """An empty page is the archive's end."""
    single: ClassVar[bool] = False
    """There is one page only."""
    grows: ClassVar[bool] = False
    """There is one page only, which grows."""

    column: Column
    interval: Interval | None = None
    """A date interval is walked whole: the walk joins nothing."""
    home: str
    earlier: EarlierWalks
    new_span: Callable[[], int]
    full: bool = False
    """--full: neither what is proved nor open spans shorten the walk."""

    span: int = field(init=False, default=-1)
    _pages: int = field(init=False, default=0)
    """Answers so far."""
    _streaks: Streaks = field(init=False, default_factory=Streaks)
    _asked: set[str] = field(init=False, default_factory=set)
    _link_sets: dict[int, int] = field(init=False, default_factory=dict)
    """Hash of a page's article links -> the index of the page."""
    _indexes: set[int] = field(init=False, default_factory=set)
    """Places that have been read."""
    _here: tuple[str, ...] = field(init=False, default=())
    """The last page, as asked for and as answered."""
    _above: frozenset[str] = field(init=False, default=frozenset())
    """The article links of the page above, where it adjoins."""
    _signs: PagerSigns = field(init=False)
    _joined: bool = field(init=False, default=False)
    """Pages between were read by an earlier walk."""
    _covered: bool = field(init=False, default=False)
    """A page had links."""
    _pages_seen: PagesSeen = field(init=False, default_factory=PagesSeen)
    _met: bool = field(init=False, default=False)
    """A link lay in a span of an earlier walk; or there are none to lie there, only sections or a feed."""
    _entered: bool = field(init=False, default=False)
    """A link lay in a proved span."""
    _passed: bool = field(init=False, default=False)
    """A link lay on the lowest page of a proved span."""

    def __post_init__(self) -> None:
        self._forget()

    def run(self) -> Generator[WalkStep, ArchiveAnswer, None]:
        """Walk."""
        self.span = self.new_span()
        resumes = self._oldest_first and not (self.full or self.interval) and bool(self.earlier.spans())
        note, end = yield from self._resume() if resumes else self._down(None, self._place_at(0))
        yield WalkStep(note, end)

    # -- what differs between the ways of paging ----------------------------------------------------------------------

    @abstractmethod
    def _following(self, place: ArchivePlace, reading: Reading) -> ArchivePlace | WalkEnd:
        """The next page, or that this was the last one."""

    def _back_at(self, place: ArchivePlace, final: str) -> Reading:  # noqa: ARG002
        """A redirect to an earlier page of the walk, `final`."""
        return Reading(PageResult.EMPTY, "it redirects to a page of this walk")

    def _listed_before(self, place: ArchivePlace, page: ArchivePage, earlier: int) -> Reading:  # noqa: ARG002
        """A page with the very links of the one at the index `earlier`."""
        return Reading(PageResult.REPEATED, "the same article links as on an earlier page", page.articles, page)

    def _end_by_repetition(self, reading: Reading) -> WalkEnd | None:
        ground = ProofGround.SECOND_REPEATS_FIRST if len(self._link_sets) == 1 else ProofGround.REPEATED
        return WalkEnd(kind=EndKind.PROVED, reason=reading.reason, ground=ground)

    def _checked(self, here: Here) -> Asking[Here]:
        """Before the walk goes on from a page: whether it adjoins the one above."""
        yield from ()
        return here

    def _confirmed(self, here: Here, end: WalkEnd) -> Asking[tuple[Note, ArchivePlace | WalkEnd]]:
        """Before the walk ends: whether that is the end."""
        yield from ()
        return here[0], end

    # -- the road -----------------------------------------------------------------------------------------------------

    def _down(self, note: Note | None, place: ArchivePlace, reading: Reading | None = None) -> Asking[tuple[Note | None, WalkEnd]]:
        """From `place` (already read and noted, if there is a reading) page by page to an end."""
        while True:
            if reading is None or note is None:
                reading = self._read(place, (yield WalkStep(note, place)))
                note, place, reading = yield from self._checked((self._note(place, reading), place, reading))
            self._above = reading.urls
            following: ArchivePlace | WalkEnd | None = self._end(place, reading)
            if following is None:
                old = self._reached()
                if old is not None:
                    note, place, reading = yield from self._join((note, place, reading), old)
                following = self._next(place, reading)
            if isinstance(following, WalkEnd):
                note, following = yield from self._confirmed((note, place, reading), following)
            if isinstance(following, WalkEnd):
                return note, self._proof_of(replace(following, last=place.url, last_links=len(reading.links)))
            if reading.result is PageResult.FAILED:
                self._start_new_span()
            place, reading = following, None

    def _proof_of(self, end: WalkEnd) -> WalkEnd:
        """What the end proves, with all that the walk has seen."""
        if not end.complete:
            return end
        ended_above = end.kind is EndKind.PROVED and not self._met and end.ground is not ProofGround.STOP_RULE
        may_end_above = self.interval or self.full or self.single or (self._pages_seen.unread and not self._covered)
        if ended_above and not may_end_above and any(span.proved for span in self.earlier.spans()):
            if end.ground is ProofGround.FEED_ALONE:
                return replace(end, kind=EndKind.LIMIT, reason=_ALL_NEW)
            return replace(end, kind=EndKind.DRIFT, reason=f"{end.reason}, but no page on the way had a link that earlier walks knew")
        if self._pages_seen.overfull is not None:
            return replace(end, kind=EndKind.LIMIT, reason=self._pages_seen.overfull)
        if self._pages_seen.broken is not None:
            return replace(end, kind=EndKind.FAILED, reason=self._pages_seen.broken, proves=None)
        if self._pages_seen.unread:
            return replace(end, kind=EndKind.FAILED, reason=self._pages_seen.unread_in_words(), proves=self.span)
        contradiction = self._pages_seen.gap or self._contradiction(end)
        if contradiction is None:
            doubt = None if self._by_word else self._signs.doubt(self._was_asked)
            return replace(end, proves=self.span, whole=True, doubt=doubt or "")
        if self._by_word and self._pages_seen.gap is None:
            reason = f"proved by your word, `pages: none`; but {contradiction}"
            return replace(end, proves=self.span, whole=True, reason=reason, ground=ProofGround.BY_WORD)
        return replace(end, kind=EndKind.UNPROVED, reason=f"{end.reason}; but {contradiction}")

    @property
    def _by_word(self) -> bool:
        return self.single and self.column.paging.stated

    def _contradiction(self, end: WalkEnd) -> str | None:
        """What the pages say against the end."""
        if end.ground in _STATED_GROUNDS:
            return None
        return self._signs.contradiction(self._was_asked, from_head=not self._joined, by_word=self._by_word)

    def _was_asked(self, url: str) -> bool:
        return normalise(url) in self._asked or self.earlier.was_asked(url)

    # -- reading an answer --------------------------------------------------------------------------------------------

    def _read(self, place: ArchivePlace, answer: ArchiveAnswer) -> Reading:
        self._pages += 1
        self._pages_seen.leads_on = False
        if answer.limit is not None:
            self._pages_seen.overfull = f"{place.url} was not shown to its end: {answer.limit}"
        asked, final = normalise(place.url), normalise(answer.final_url)
        if answer.verdict.outcome is FetchOutcome.GONE:
            reading = Reading(PageResult.EMPTY, answer.verdict.reason)
        elif answer.page is None:
            reading = Reading(PageResult.FAILED, answer.verdict.reason)
        elif final != asked and final in self._asked:
            reading = self._back_at(place, final)
        elif final != asked and final == normalise(self.home):
            reading = Reading(PageResult.EMPTY, "it redirects to the home page")
        else:
            reading = self._read_links(place, answer.page)
        # where a redirect led is a page of the walk only if it was read as one
        self._asked |= {asked} if reading.page is None else {asked, final}
        self._here = (asked, final)
        if reading.page is not None and reading.has_links:
            self._signs.take(place.index - self._pages_seen.feed_at, place.url, reading.page, self._asked)
        if reading.links and answer.stored is not None and not self._oldest_first:
            last = self.earlier.spans_of([reading.links[-1].url]).values()
            known = any(span.proved for span in last)
            self._pages_seen.take_copy(place, reading.links, answer.stored, on_proved_ground=known)
        if reading.result is not PageResult.FAILED:
            self._indexes.add(place.index)
        self._streaks = self._counted(reading)
        return reading

    def _read_links(self, place: ArchivePlace, page: ArchivePage) -> Reading:
        if not self._pages_seen.gives_links(place, page):
            reason = "no article links" + (f", but {ASKS_PASSWORD}" if page.asks_password else "")
            # on pages that say so all along it is furniture
            closed = page.asks_password and self._covered and not self._pages_seen.ask_password
            return Reading(PageResult.FAILED, reason) if closed else Reading(PageResult.EMPTY, reason, page=page)
        self._met |= self._pages_seen.leads_on and not page.articles
        links = hash(frozenset(link.url for link in page.articles))
        earlier = self._link_sets.get(links) if page.articles and place.index not in self._indexes else None
        self._link_sets.setdefault(links, place.index)
        if earlier is not None:
            return self._listed_before(place, page, earlier)
        return Reading(PageResult.LINKS, "", page.articles, page)

    def _counted(self, reading: Reading) -> Streaks:
        before = self._streaks
        known, inside, within = before.known, before.inside, before.within
        if reading.links:
            spans = self.earlier.spans_of(reading.urls)
            proved = {url for url, span in spans.items() if span.proved}
            self._met |= any(span.id != self.span for span in spans.values())
            self._entered |= bool(proved)
            self._passed |= any(url in spans[url].bottom_links for url in proved)
            known = known + 1 if proved == reading.urls and not self._pages_seen.leads_on else 0
            one_open = not proved and len(spans) == len(reading.urls) and len({span.id for span in spans.values()}) == 1
            inside, within = (inside + 1, next(iter(spans.values()))) if one_open and not self._pages_seen.leads_on else (0, None)
        return Streaks(
            empty=before.empty + 1 if reading.result is PageResult.EMPTY else 0,
            failed=before.failed + 1 if reading.result is PageResult.FAILED else 0,
            repeated=before.repeated + 1 if reading.result is PageResult.REPEATED else 0,
            known=known,
            inside=inside,
            within=within,
        )

    def _note(self, place: ArchivePlace, reading: Reading) -> Note:
        """The usual note: what has links is covered, and the span reaches down to it."""
        covers = reading.result in (PageResult.LINKS, PageResult.REPEATED)
        self._covered |= covers
        note = Note(place=place, result=reading.result, reason=reading.reason, span=self.span, covers=covers)
        return self._reaching(note, place, reading) if covers else note

    def _reaching(self, note: Note, place: ArchivePlace, reading: Reading) -> Note:
        return replace(note, bottom=place, bottom_links=tuple(link.url for link in reading.links))

    # -- ends ---------------------------------------------------------------------------------------------------------

    def _end(self, place: ArchivePlace, reading: Reading) -> WalkEnd | None:
        """The end, if this answer ends the walk whatever would follow."""
        if self._pages >= MAX_PAGES:
            return WalkEnd(kind=EndKind.LIMIT, reason=f"{MAX_PAGES:,} archive pages in one walk")
        if reading.result is PageResult.FAILED:
            return self._end_by_failure(place, reading)
        if reading.result is PageResult.EMPTY:
            return self._end_by_emptiness(place, reading)
        repeated = self._end_by_repetition(reading) if reading.result is PageResult.REPEATED else None
        return repeated or self._end_by_rule(reading)

    def _end_by_failure(self, place: ArchivePlace, reading: Reading) -> WalkEnd | None:
        self._pages_seen.unread.append((place.url, reading.reason))
        if self.counted and self._streaks.failed < FAILED_IN_A_ROW:
            return None
        return WalkEnd(kind=EndKind.FAILED, reason=f"{place.url}: {reading.reason}")

    def _end_by_emptiness(self, place: ArchivePlace, reading: Reading) -> WalkEnd | None:
        if place.index == 0 and not self._covered and not self.interval and self.earlier.gave_links():
            reason = f"the first page, {place.url}, gives no article links where earlier walks found some ({reading.reason})"
            return WalkEnd(kind=EndKind.DRIFT, reason=reason)
        if self._entered and not self._passed and not self._oldest_first:
            return WalkEnd(kind=EndKind.DRIFT, reason=f"{place.url} gives no article links inside proved ground ({reading.reason})")
        if self.ends_empty and self._streaks.empty >= self.column.paging.empty_pages:
            return WalkEnd(kind=EndKind.PROVED, reason=f"an empty page ({reading.reason})", ground=ProofGround.EMPTY)
        return None

    def _end_by_rule(self, reading: Reading) -> WalkEnd | None:
        stop = self.column.stop
        if reading.page is not None and reading.page.stop is not None:
            reason = f"stop.when: the page has {reading.page.stop}"
            return WalkEnd(kind=EndKind.LIMIT, reason=reason, ground=ProofGround.STOP_RULE)
        if stop.after is not None and _older_than(stop.after, reading.links):
            reason = f"stop.after: the listing went back beyond {stop.after}"
            return WalkEnd(kind=EndKind.PROVED, reason=reason, ground=ProofGround.STOP_RULE)
        wanted = stop.known_pages
        if wanted is not None and not self.full and not self._oldest_first and self._streaks.known >= wanted:
            return WalkEnd(kind=EndKind.KNOWN, reason=f"{wanted} pages in a row of proved ground", ground=ProofGround.KNOWN)
        return None

    def _next(self, place: ArchivePlace, reading: Reading) -> ArchivePlace | WalkEnd:
        following, at_url = self._following(place, reading), self.column.stop.at_url
        if isinstance(following, ArchivePlace) and at_url is not None and normalise(following.url) == normalise(at_url):
            return WalkEnd(kind=EndKind.PROVED, reason=f"stop.at_url: {at_url}", ground=ProofGround.STOP_RULE)
        return following

    def _place_at(self, index: int) -> ArchivePlace:
        value = page_value(self.column, index) or ""
        return ArchivePlace(index, value, page_url(self.column, self.interval, value))

    # -- older spans --------------------------------------------------------------------------------------------------

    def _reached(self) -> OldSpan | None:
        """The open span of an earlier walk that this walk is now surely inside of."""
        if self.full or self.interval or self._oldest_first or self._streaks.inside < (self.column.stop.known_pages or JOIN_PAGES):
            return None
        within = self._streaks.within
        return within if within is not None and within.id != self.span else None

    def _join(self, here: Here, old: OldSpan) -> Asking[Here]:
        """Go on at the bottom of an open span.

        New articles can only have pushed what was there further down, so the bottom's old URL is a safe place to go on from.
        """
        note, place, reading = here
        note = replace(note, joined=(old.id,), bottom=None, bottom_links=())
        self._joined, self._above = True, frozenset()
        if old.bottom.index <= place.index + 1:
            return note, place, reading
        streaks, read_before = self._streaks, old.bottom.index in self._indexes
        landed = self._read(old.bottom, (yield WalkStep(note, old.bottom)))
        inside = {url for url, span in self.earlier.spans_of(landed.urls).items() if span.id in (old.id, self.span)}
        if landed.has_links and 2 * len(inside) >= len(landed.urls):
            return self._note(old.bottom, landed), old.bottom, landed
        # Articles were removed, so that page now shows what lay below: walk down to the bottom instead.
        self._streaks = streaks
        if not read_before:
            self._indexes.discard(old.bottom.index)
        self._asked.discard(normalise(old.bottom.url))
        self._link_sets.pop(hash(landed.urls), None)
        astray = Note(place=old.bottom, result=landed.result, reason="not the bottom of the open span", span=self.span, covers=False)
        return astray, place, reading

    def _start_new_span(self) -> None:
        """Below a page that could not be read: contiguous again from here, but not with what was above."""
        self.span = self.new_span()
        self._streaks = replace(self._streaks, known=0, inside=0, within=None)

    # -- oldest first -------------------------------------------------------------------------------------------------

    @property
    def _oldest_first(self) -> bool:
        return self.column.paging.order is Order.OLDEST_FIRST

    def _resume(self) -> Asking[tuple[Note | None, WalkEnd]]:
        """New articles are at the end, so start at the last page that is known, or a little before it if articles were removed."""
        old = min(self.earlier.spans(), key=lambda span: span.bottom.index)
        note: Note | None = None
        for index in count(old.bottom.index, -1):
            place = old.bottom if index == old.bottom.index else self._place_at(index)
            reading = self._read(place, (yield WalkStep(note, place)))
            if reading.result is PageResult.FAILED:
                return self._note(place, reading), WalkEnd(kind=EndKind.FAILED, reason=f"{place.url}: {reading.reason}")
            first = reading.links[0].url if reading.links else None
            if first is not None and self.earlier.spans_of([first]):
                self._joined = True
                return (yield from self._down(replace(self._note(place, reading), joined=(old.id,)), place, reading))
            note = Note(place=place, result=reading.result, reason="not where the walk before ended", span=self.span, covers=False)
            if index == 0 or index <= old.bottom.index - STEPS_BACK or not self.counted:
                break
        self._forget()
        return (yield from self._down(note, self._place_at(0)))

    def _forget(self) -> None:
        """Start over as if nothing had been asked."""
        self._streaks = Streaks()
        self._asked.clear()
        self._link_sets.clear()
        self._indexes.clear()
        self._signs = PagerSigns(self.counted, lambda url: is_page(self.column, self.interval, url), self.grows)


def _older_than(day: date, links: tuple[ArticleLink, ...]) -> bool:
    """Whether the last dated link is from before that day; the first ones may be old and pinned."""
    dated = [values[0] for link in links if (values := link.fields.get("datePublished"))]
    try:
        return bool(dated) and date.fromisoformat(dated[-1][:10]) < day
    except ValueError:
        return False
