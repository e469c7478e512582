"""One pass over one column's archive pages: which page to ask for next, what each answer means, and what the end proves.

A walk is a generator without network, clock or disk: it yields a `Step` (what to note of the last answer, what to ask
next), is sent the `ArchiveAnswer`, and returns its last note and a `WalkEnd`. What earlier walks found out comes through `EarlierWalks`.

In the default order, newest first, a walk starts at the head and covers a *span*: a stretch of the archive without a
gap. A span is *open* while nothing is known below its bottom, and *proved* once it reaches the archive's end or a span
that does. New articles push everything down, so page numbers mean nothing between two runs: older spans are recognised
by their links.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import count

from webarticlecurator.config.portal import Column, Order, PagingMode
from webarticlecurator.corpus.earlier_walks import EarlierWalks, OldSpan
from webarticlecurator.corpus.walks import ArchivePlace, EndKind, PageResult, ProofGround
from webarticlecurator.crawling.contradictions import EndSigns
from webarticlecurator.crawling.fingerprints import Fingerprints
from webarticlecurator.crawling.paging import page_value
from webarticlecurator.model.links import OTHER_SCHEME, ArchivePage, ArticleLink
from webarticlecurator.model.outcome import FetchOutcome, Verdict

MAX_PAGES = 200_000
"""Of one walk: a server that invents pages for ever must not hold us for ever."""
FAILED_IN_A_ROW = 3
"""Archive pages that may fail one after the other before the walk gives up; fewer are stepped over."""
REFUSED_IN_A_ROW = 3
"""Pages with nothing but refused links before they count as empty: such links may be the page's furniture."""
JOIN_PAGES = 3
"""Pages in a row that must lie inside an older open span before the walk believes that it has reached it."""
STEPS_BACK = 20
"""How far a walk goes back to look for articles that slid past it, or for the end of what it knew."""

HEAD_LOOKS = 5
"""How often the head is asked again, while each time something new is there."""


SELF_MADE = frozenset({ProofGround.STOP_RULE, ProofGround.KNOWN})
"""Grounds that the pages cannot contradict: the walk was not meant to go further."""


@dataclass(frozen=True, slots=True)
class ArchiveAnswer:
    """What came back for one place."""

    verdict: Verdict
    final_url: str
    page: ArchivePage | None
    """None when it could not be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What to write down of one answer."""

    place: ArchivePlace
    result: PageResult
    reason: str = ""
    """Why the page is empty, repeated or failed."""
    span: int
    covers: bool
    """The page's links belong to the span."""
    bottom: ArchivePlace | None = None
    """The span now reaches down to here."""
    bottom_links: tuple[str, ...] = ()
    """The article links of that place."""
    joined: tuple[int, ...] = ()
    """Older spans that this span has reached: they are one from here on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkEnd:
    kind: EndKind
    reason: str
    proves: int | None = None
    """The span that is proved by this end."""
    ground: ProofGround | None = None
    """Of ends that are proved, or would be."""
    last: str | None = None
    """The page that the end was found on."""
    last_links: int = 0
    """Article links there."""
    whole: bool = False
    """It reaches from the head of the archive to its end: nothing of this column or interval stays open."""


@dataclass(frozen=True, slots=True)
class Step:
    """What a walk wants next."""

    note: Note | None
    """Of the answer before; None on the first step."""
    ask: ArchivePlace


@dataclass(frozen=True, slots=True)
class Reading:
    """One answer, understood."""

    result: PageResult
    reason: str = ""
    links: tuple[ArticleLink, ...] = ()
    page: ArchivePage | None = None

    @property
    def urls(self) -> frozenset[str]:
        return frozenset(link.url for link in self.links)

    @property
    def has_links(self) -> bool:
        return self.result is PageResult.LINKS


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


Steps = Generator[Step, ArchiveAnswer, tuple[Note | None, WalkEnd]]


@dataclass(slots=True, kw_only=True)
class Walk:
    """One walk; `run()` is the generator described above."""

    column: Column
    url_of: Callable[[str], str]
    """Value of `{page}` -> URL, with the interval's dates filled in."""
    home: str
    earlier: EarlierWalks
    new_span: Callable[[], int]
    dated: bool = False
    """A date interval is walked whole: the walk joins nothing."""
    full: bool = False
    """--full: neither known ground nor open spans shorten the walk."""
    same_url: Callable[[str], str]
    """Normaliser for comparing URLs."""
    is_page: Callable[[str], bool | None]
    """Whether a URL is an archive page of this walk; False: of another interval; None: of neither."""

    span: int = field(init=False, default=-1)
    pages: int = field(init=False, default=0)
    """Answers so far."""
    _streaks: Streaks = field(init=False, default_factory=Streaks)
    _urls: set[str] = field(init=False, default_factory=set)
    _link_sets: dict[int, int] = field(init=False, default_factory=dict)
    """Hash of a page's article links -> the index of the page."""
    _here: tuple[str, ...] = field(init=False, default=())
    """The last page, as asked for and as answered."""
    _signs: EndSigns = field(init=False)
    _joined: bool = field(init=False, default=False)
    """Pages between were read by an earlier walk."""
    _refused: Fingerprints = field(init=False, default_factory=Fingerprints)
    _only_refused: int = field(init=False, default=0)
    _covered: bool = field(init=False, default=False)
    """A page had links."""
    _seen: Fingerprints = field(init=False, default_factory=Fingerprints)
    """All article links so far; kept where the archive may move under the walk."""
    _first_link: str | None = field(init=False, default=None)
    _indexes: set[int] = field(init=False, default_factory=set)
    """Places that have been read."""
    _last: int | None = field(init=False, default=None)
    _grown: int = field(init=False, default=0)
    """Articles that appeared on pages that had been read before."""
    _unread: list[str] = field(init=False, default_factory=list)
    """Pages on the way that could not be read: what lay on them is missing."""
    _overfull: str | None = field(init=False, default=None)
    """A page with more links than are taken in from one."""
    _met: bool = field(init=False, default=False)
    """A link lay in a span of an earlier walk."""
    _entered: bool = field(init=False, default=False)
    """A link lay in a proved span."""
    _passed: bool = field(init=False, default=False)
    """A link lay on the lowest page of a proved span."""

    def __post_init__(self) -> None:
        self._signs = EndSigns(self.column.paging.mode, self.is_page)

    def run(self) -> Steps:
        """Walk."""
        self.span = self.new_span()
        if self._oldest_first and not (self.full or self.dated) and self.earlier.spans():
            return (yield from self._resume())
        return (yield from self._down(None, self._place_at(0)))

    # -- the road -----------------------------------------------------------------------------------------------------

    def _down(self, note: Note | None, place: ArchivePlace, reading: Reading | None = None) -> Steps:
        """From `place` (already read, if there is a reading) page by page to an end."""
        previous: frozenset[str] = frozenset()
        while True:
            if reading is None:
                reading = self._read(place, (yield Step(note, place)))
                note = self._note(place, reading)
                if self._expanding and previous and reading.result is not PageResult.FAILED and not previous & reading.urls:
                    note, place, reading = yield from self._look_back(note, place, reading)
            previous = reading.urls
            following: ArchivePlace | WalkEnd | None = self._end(place, reading)
            if following is None:
                old = self._reached()
                if old is not None and note is not None:
                    note, place, reading = yield from self._join(note, place, reading, old)
                    previous = frozenset()
                following = self._next(place, reading)
            if isinstance(following, WalkEnd) and self._expanding and following.kind in (EndKind.PROVED, EndKind.KNOWN):
                note = yield from self._ask_head_again(note)
                if reading.result is PageResult.REPEATED and self._streaks.repeated < self._patience(reading):
                    following = self._next(place, reading)
            if isinstance(following, WalkEnd):
                return note, self._judged(replace(following, last=place.url, last_links=len(reading.links)))
            if reading.result is PageResult.FAILED:
                self._start_new_span()
            place, reading = following, None

    def _judged(self, end: WalkEnd) -> WalkEnd:
        """What the end proves, with all that the walk has seen."""
        if end.kind not in (EndKind.PROVED, EndKind.KNOWN):
            return end
        ended_above = end.kind is EndKind.PROVED and not self._met and end.ground is not ProofGround.STOP_RULE
        may_end_above = self.dated or self.full or self.column.paging.mode is PagingMode.NONE
        if ended_above and not may_end_above and any(span.proved for span in self.earlier.spans()):
            return replace(end, kind=EndKind.DRIFT, reason=f"{end.reason}, but no page on the way had a link that earlier walks knew")
        if self._overfull is not None:
            return replace(end, kind=EndKind.LIMIT, reason=f"{self._overfull} has more article links than are taken in from one page")
        if self._unread:
            return replace(end, kind=EndKind.FAILED, reason=_unread_in_words(self._unread), proves=self.span)
        contradiction = self._contradiction(end)
        if contradiction is not None:
            return replace(end, kind=EndKind.UNPROVED, reason=f"{end.reason}; but {contradiction}")
        return replace(end, proves=self.span, whole=True)

    def _contradiction(self, end: WalkEnd) -> str | None:
        """What the pages say against the end, unless the portal file says that there is no pager to follow."""
        paging = self.column.paging
        if end.ground in SELF_MADE or (paging.mode is PagingMode.NONE and paging.stated):
            return None
        return self._signs.contradiction(
            lambda url: self.same_url(url) in self._urls or self.earlier.was_asked(url), from_head=not self._joined
        )

    # -- reading an answer --------------------------------------------------------------------------------------------

    def _read(self, place: ArchivePlace, answer: ArchiveAnswer) -> Reading:
        self.pages += 1
        asked, final = self.same_url(place.url), self.same_url(answer.final_url)
        if answer.verdict.outcome is FetchOutcome.GONE:
            reading = Reading(PageResult.EMPTY, answer.verdict.reason)
        elif answer.page is None:
            reading = Reading(PageResult.FAILED, answer.verdict.reason)
        elif final != asked and final in self._urls:
            reading = self._read_redirect(place, final)
        elif final != asked and final == self.same_url(self.home):
            reading = Reading(PageResult.EMPTY, "it redirects to the home page")
        else:
            reading = self._read_links(place, answer.page)
        # where a redirect led is a page of the walk only if it was read as one
        self._urls |= {asked} if reading.page is None else {asked, final}
        self._here = (asked, final)
        if reading.page is not None and reading.result is PageResult.LINKS:
            self._signs.take(place.index, place.url, reading.page, self._urls)
        if reading.result is not PageResult.FAILED:
            self._indexes.add(place.index)
        self._streaks = self._counted(reading)
        return reading

    def _read_redirect(self, place: ArchivePlace, final: str) -> Reading:
        """Back to a page of the walk: an empty page, or a link that was none to the next page."""
        if self.column.paging.mode is not PagingMode.NEXT_LINK:
            return Reading(PageResult.EMPTY, "it redirects to a page of this walk")
        if final in self._here:
            return Reading(PageResult.EMPTY, "it redirects to the page that links to it")
        return Reading(PageResult.FAILED, self._fault(place.url, f"which redirects to {final}, an earlier page of this walk"))

    def _fault(self, url: str, what: str) -> str:
        """The rule `next` leads astray: the page, the link and the rule."""
        page = self._here[0] if self._here else url
        rule = self.column.next.named if self.column.next is not None else ""
        return f"on {page} the `next` rule ({rule}) takes the link to {url}, {what}; it must match only the link to the next page"

    def _read_links(self, place: ArchivePlace, page: ArchivePage) -> Reading:
        if page.overfull:
            self._overfull = place.url
        if page.last_page is not None:
            self._last = max(page.last_page, self._last or 0)
        if not self._gives_links(page):
            return Reading(PageResult.EMPTY, "no article links", page=page)
        links = hash(frozenset(link.url for link in page.articles))
        again = place.index in self._indexes
        earlier = self._link_sets.get(links) if page.articles and not again else None
        self._grown += sum(1 for link in page.articles if link.url not in self._seen) if again and self._expanding else 0
        self._link_sets.setdefault(links, place.index)
        if earlier is not None and self.column.paging.mode is PagingMode.NEXT_LINK and earlier != place.index - 1:
            return Reading(PageResult.FAILED, self._fault(place.url, f"which lists the same articles as page {earlier + 1} of this walk"))
        if earlier is not None:
            return Reading(PageResult.REPEATED, "the same article links as on an earlier page", page.articles, page)
        if self._first_link is None and page.articles:
            self._first_link = page.articles[0].url
        return Reading(PageResult.LINKS, "", page.articles, page)

    def _gives_links(self, page: ArchivePage) -> bool:
        """A page of nothing but refused articles is no end; a page of nothing but furniture that the rules refuse is one."""
        if page.articles:
            self._only_refused = 0
        fresh = {link.url for link in page.refused if link.url not in self._refused and not link.reason.startswith(OTHER_SCHEME)}
        for url in fresh:
            self._refused.add(url)
        if page.articles:
            return True
        self._only_refused += 1
        return bool(fresh) and self._only_refused <= REFUSED_IN_A_ROW

    def _counted(self, reading: Reading) -> Streaks:
        before = self._streaks
        known, inside, within = before.known, before.inside, before.within
        if reading.links:
            spans = self.earlier.spans_of(reading.urls)
            proved = {url for url, span in spans.items() if span.proved}
            self._met |= any(span.id != self.span for span in spans.values())
            self._entered |= bool(proved)
            self._passed |= any(url in spans[url].bottom_links for url in proved)
            known = known + 1 if proved == reading.urls else 0
            one_open = not proved and len(spans) == len(reading.urls) and len({span.id for span in spans.values()}) == 1
            inside, within = (inside + 1, next(iter(spans.values()))) if one_open else (0, None)
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
        if covers and self._expanding:
            for url in reading.urls:
                self._seen.add(url)
        note = Note(place=place, result=reading.result, reason=reading.reason, span=self.span, covers=covers)
        return _reaching(note, place, reading) if covers else note

    # -- ends ---------------------------------------------------------------------------------------------------------

    def _end(self, place: ArchivePlace, reading: Reading) -> WalkEnd | None:
        """The end, if this answer ends the walk whatever would follow."""
        if self.pages >= MAX_PAGES:
            return WalkEnd(kind=EndKind.LIMIT, reason=f"{MAX_PAGES:,} archive pages in one walk")
        if reading.result is PageResult.FAILED:
            return self._end_by_failure(place, reading)
        if reading.result is PageResult.EMPTY:
            return self._end_by_emptiness(place, reading)
        if reading.result is PageResult.REPEATED and not (self._expanding and self._streaks.repeated < self._patience(reading)):
            kind = EndKind.LIMIT if self.column.paging.mode is PagingMode.NUMBERED else EndKind.PROVED
            ground = ProofGround.SECOND_REPEATS_FIRST if len(self._link_sets) == 1 else ProofGround.REPEATED
            return WalkEnd(kind=kind, reason=reading.reason, ground=ground)
        return self._end_by_rule(reading)

    def _end_by_failure(self, place: ArchivePlace, reading: Reading) -> WalkEnd | None:
        self._unread.append(place.url)
        countable = self.column.paging.mode in (PagingMode.NUMBERED, PagingMode.INFINITE, PagingMode.EXPANDING)
        if countable and self._streaks.failed < FAILED_IN_A_ROW:
            return None
        return WalkEnd(kind=EndKind.FAILED, reason=f"{place.url}: {reading.reason}")

    def _end_by_emptiness(self, place: ArchivePlace, reading: Reading) -> WalkEnd | None:
        if place.index == 0 and not self._covered and not self.dated and self.earlier.gave_links():
            reason = f"the first page, {place.url}, gives no article links where earlier walks found some ({reading.reason})"
            return WalkEnd(kind=EndKind.DRIFT, reason=reason)
        if self._entered and not self._passed and not self._oldest_first:
            return WalkEnd(kind=EndKind.DRIFT, reason=f"{place.url} gives no article links inside proved ground ({reading.reason})")
        ends = self.column.paging.mode in (PagingMode.INFINITE, PagingMode.EXPANDING, PagingMode.NEXT_LINK)
        if ends and self._streaks.empty >= self.column.paging.empty_pages:
            return WalkEnd(kind=EndKind.PROVED, reason=f"an empty page ({reading.reason})", ground=ProofGround.EMPTY)
        return None

    def _end_by_rule(self, reading: Reading) -> WalkEnd | None:
        stop = self.column.stop
        if reading.page is not None and reading.page.stop is not None:
            return WalkEnd(kind=EndKind.LIMIT, reason=f"stop.when: the page has {reading.page.stop}")
        if stop.after is not None and older_than(stop.after, reading.links):
            reason = f"stop.after: the listing went back beyond {stop.after}"
            return WalkEnd(kind=EndKind.PROVED, reason=reason, ground=ProofGround.STOP_RULE)
        wanted = stop.known_pages
        if wanted is not None and not self.full and not self._oldest_first and self._streaks.known >= wanted:
            return WalkEnd(kind=EndKind.KNOWN, reason=f"{wanted} pages in a row of proved ground", ground=ProofGround.KNOWN)
        return None

    # -- the next place -----------------------------------------------------------------------------------------------

    def _next(self, place: ArchivePlace, reading: Reading) -> ArchivePlace | WalkEnd:
        mode = self.column.paging.mode
        if mode is PagingMode.NONE:
            return WalkEnd(kind=EndKind.PROVED, reason="the only page", ground=ProofGround.ONLY_PAGE)
        following = self._by_link(place, reading) if mode is PagingMode.NEXT_LINK else self._by_number(place, reading)
        at_url = self.column.stop.at_url
        if isinstance(following, ArchivePlace) and at_url is not None and self.same_url(following.url) == self.same_url(at_url):
            return WalkEnd(kind=EndKind.PROVED, reason=f"stop.at_url: {at_url}", ground=ProofGround.STOP_RULE)
        return following

    def _by_link(self, place: ArchivePlace, reading: Reading) -> ArchivePlace | WalkEnd:
        url = self.same_url(reading.page.next_url) if reading.page is not None and reading.page.next_url is not None else None
        if url is None or url in self._here:
            return WalkEnd(kind=EndKind.PROVED, reason="no next link", ground=ProofGround.NO_NEXT)
        if url in self._urls:
            return WalkEnd(kind=EndKind.FAILED, reason=self._fault(url, "an earlier page of this walk"))
        return ArchivePlace(place.index + 1, "", url)

    def _by_number(self, place: ArchivePlace, reading: Reading) -> ArchivePlace | WalkEnd:
        paging = self.column.paging
        value = page_value(self.column, place.index + 1)
        if value is None and reading.result is not PageResult.EMPTY:
            return WalkEnd(kind=EndKind.LIMIT, reason=f"page {place.page}, the last of `values` in the portal file, still has links")
        if value is None:
            return WalkEnd(kind=EndKind.PROVED, reason="the last of the named pages is empty", ground=ProofGround.LAST_VALUE)
        following = ArchivePlace(place.index + 1, value, self.url_of(value))
        if paging.mode is not PagingMode.NUMBERED or paging.values:
            return following
        last = paging.last if isinstance(paging.last, int) else self._last
        if last is not None and int(value) <= last:
            return following
        if last is None:
            return WalkEnd(kind=EndKind.PROVED, reason="no pager", ground=ProofGround.NO_PAGER)
        if isinstance(paging.last, int) and reading.result is not PageResult.EMPTY:
            return WalkEnd(kind=EndKind.LIMIT, reason=f"page {last}, the `last` of the portal file, still has links")
        return WalkEnd(kind=EndKind.PROVED, reason=f"page {last} is the last", ground=ProofGround.LAST_NUMBER)

    def _place_at(self, index: int) -> ArchivePlace:
        value = page_value(self.column, index) or ""
        return ArchivePlace(index, value, self.url_of(value))

    # -- older spans --------------------------------------------------------------------------------------------------

    def _reached(self) -> OldSpan | None:
        """The open span of an earlier walk that this walk is now surely inside of."""
        if self.full or self.dated or self._oldest_first or self._streaks.inside < (self.column.stop.known_pages or JOIN_PAGES):
            return None
        within = self._streaks.within
        return within if within is not None and within.id != self.span else None

    def _join(
        self, note: Note, place: ArchivePlace, reading: Reading, old: OldSpan
    ) -> Generator[Step, ArchiveAnswer, tuple[Note, ArchivePlace, Reading]]:
        """Go on at the bottom of an open span.

        New articles can only have pushed what was there further down, so the bottom's old URL is a safe place to go on from.
        """
        note = replace(note, joined=(old.id,), bottom=None, bottom_links=())
        self._joined = True
        if old.bottom.index <= place.index + 1:
            return note, place, reading
        streaks, read_before = self._streaks, old.bottom.index in self._indexes
        landed = self._read(old.bottom, (yield Step(note, old.bottom)))
        inside = {url for url, span in self.earlier.spans_of(landed.urls).items() if span.id in (old.id, self.span)}
        if landed.has_links and 2 * len(inside) >= len(landed.urls):
            return self._note(old.bottom, landed), old.bottom, landed
        # Articles were removed, so that page now shows what lay below: walk down to the bottom instead.
        self._streaks = streaks
        if not read_before:
            self._indexes.discard(old.bottom.index)
        self._urls.discard(self.same_url(old.bottom.url))
        self._link_sets.pop(hash(landed.urls), None)
        astray = Note(place=old.bottom, result=landed.result, reason="not the bottom of the open span", span=self.span, covers=False)
        return astray, place, reading

    def _start_new_span(self) -> None:
        """Below a page that could not be read: contiguous again from here, but not with what was above."""
        self.span = self.new_span()
        self._streaks = replace(self._streaks, known=0, inside=0, within=None)

    # -- an archive that moves under the walk -------------------------------------------------------------------------

    @property
    def _expanding(self) -> bool:
        return self.column.paging.mode is PagingMode.EXPANDING

    def _look_back(
        self, note: Note, place: ArchivePlace, reading: Reading
    ) -> Generator[Step, ArchiveAnswer, tuple[Note, ArchivePlace, Reading]]:
        """This page shares no link with the one before. Usually they just adjoin (or the archive ends); but if articles were
        removed between the two requests, others slid up past us. So the page before is asked again: if it shows nothing new, nothing
        was missed. If it does, go back until a page shows nothing new, and walk on from there. Where articles were published during
        the walk, too, this page is asked once more: they may have pushed back down what had slid up.
        """
        streaks, nothing_new = self._streaks, False
        fresh: set[str] = set()  # what was not seen before this look back
        note = replace(note, bottom=None, bottom_links=())
        earlier, checked = place, reading
        for index in range(place.index - 1, max(-1, place.index - 1 - STEPS_BACK), -1):
            earlier = self._place_at(index)
            checked = self._read(earlier, (yield Step(note, earlier)))
            unseen = {url for url in checked.urls if url in fresh or url not in self._seen}
            fresh |= unseen
            note = self._note(earlier, checked)
            if checked.result is PageResult.FAILED:
                # What follows is covered, but that it adjoins is not proved.
                self._unread.append(earlier.url)
                self._start_new_span()
                self._streaks = Streaks()
                return note, place, reading
            nothing_new = checked.has_links and not unseen
            if nothing_new:
                break
        if earlier.index == place.index - 1 and nothing_new:
            moved = False
            if self._grown:
                # What was published since may have hidden what was removed before: then this page shows something new by now.
                again = self._read(place, (yield Step(note, place)))
                moved = any(url not in self._seen for url in again.urls)
                note = replace(self._note(place, again), bottom=None, bottom_links=())
            if not moved:
                self._streaks = streaks
                return (_reaching(note, place, reading) if reading.has_links else note), place, reading
        self._streaks = Streaks()
        return note, earlier, checked

    def _ask_head_again(self, note: Note | None) -> Generator[Step, ArchiveAnswer, Note | None]:
        """What appeared at the head while the walk went down; again and again, until a look shows nothing new."""
        streaks = self._streaks
        appeared: set[str] = set()
        for _ in range(0 if self._oldest_first else HEAD_LOOKS):
            before = len(appeared)
            note = yield from self._look_at_head(note, appeared)
            if len(appeared) == before:
                break
        self._streaks = streaks
        return note

    def _look_at_head(self, note: Note | None, appeared: set[str]) -> Generator[Step, ArchiveAnswer, Note | None]:
        """From the first page down to the first link that this walk saw, or to a page of old ground; `appeared` takes what is new."""
        for index in range(min(STEPS_BACK, len(self._indexes))):
            place = self._place_at(index)
            reading = self._read(place, (yield Step(note, place)))
            appeared |= {url for url in reading.urls if url not in self._seen}
            note = replace(self._note(place, reading), bottom=None, bottom_links=())
            if not reading.has_links or self._first_link in reading.urls or not reading.urls & appeared:
                break
        return note

    def _patience(self, reading: Reading) -> int:
        """Repeated pages in a row that prove the end: two, and as many as new articles may have pushed down under the walk."""
        return 2 + -(-self._grown // max(1, len(reading.urls)))

    # -- oldest first -------------------------------------------------------------------------------------------------

    @property
    def _oldest_first(self) -> bool:
        return self.column.paging.order is Order.OLDEST_FIRST

    def _resume(self) -> Steps:
        """New articles are at the end, so start at the last page that is known, or a little before it if articles were removed."""
        old = min(self.earlier.spans(), key=lambda span: span.bottom.index)
        note: Note | None = None
        for index in count(old.bottom.index, -1):
            place = old.bottom if index == old.bottom.index else self._place_at(index)
            reading = self._read(place, (yield Step(note, place)))
            if reading.result is PageResult.FAILED:
                return self._note(place, reading), WalkEnd(kind=EndKind.FAILED, reason=f"{place.url}: {reading.reason}")
            first = reading.links[0].url if reading.links else None
            if first is not None and self.earlier.spans_of([first]):
                self._joined = True
                return (yield from self._down(replace(self._note(place, reading), joined=(old.id,)), place, reading))
            note = Note(place=place, result=reading.result, reason="not where the walk before ended", span=self.span, covers=False)
            if index == 0 or index <= old.bottom.index - STEPS_BACK or self.column.paging.mode is PagingMode.NEXT_LINK:
                break
        self._forget()
        return (yield from self._down(note, self._place_at(0)))

    def _forget(self) -> None:
        """Start over as if nothing had been asked."""
        self._streaks = Streaks()
        self._urls.clear()
        self._link_sets.clear()
        self._indexes.clear()
        self._first_link = None
        self._signs = EndSigns(self.column.paging.mode, self.is_page)


def _reaching(note: Note, place: ArchivePlace, reading: Reading) -> Note:
    return replace(note, bottom=place, bottom_links=tuple(link.url for link in reading.links))


def _unread_in_words(urls: Sequence[str]) -> str:
    first, more = urls[0], len(urls) - 1
    others = f", nor {more:,} more archive page{'' if more == 1 else 's'} on the way" if more else ""
    return f"{first} could not be read{others}"


def older_than(day: date, links: tuple[ArticleLink, ...]) -> bool:
    """Whether the last dated link is from before that day; the first ones may be old and pinned."""
    dated = [values[0] for link in links if (values := link.fields.get("datePublished"))]
    try:
        return bool(dated) and date.fromisoformat(dated[-1][:10]) < day
    except ValueError:
        return False
