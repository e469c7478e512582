"""The ways of paging: how each finds the next archive page, and what its pages mean for the walk's end.

Another way of paging is a class here, a name in `PagingMode` and one in `schemas/portal.schema.json`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from webarticlecurator.config.picks import Picks
from webarticlecurator.config.portal import ArchiveFormat, PagingMode
from webarticlecurator.corpus.events import ArchivePlace, EndKind, PageResult, ProofGround
from webarticlecurator.crawling.fingerprints import Fingerprints
from webarticlecurator.crawling.growing_pages import GrowingPage
from webarticlecurator.crawling.requests import page_url, page_value
from webarticlecurator.crawling.walk import FAILED_IN_A_ROW, STEPS_BACK, Here, Streaks, Walk
from webarticlecurator.crawling.walk_steps import ArchiveAnswer, Asking, Note, Reading, WalkEnd, WalkStep
from webarticlecurator.model.links import ArchivePage
from webarticlecurator.urls import normalise

HEAD_LOOKS = 5
"""How often the head is asked again, while each time something new is there."""


class OnePage(Walk):
    """`none`: there is nothing to go on to."""

    single = True
    ends_empty = False

    def _following(self, place: ArchivePlace, reading: Reading) -> ArchivePlace | WalkEnd:  # noqa: ARG002
        return WalkEnd(kind=EndKind.PROVED, reason="the only page", ground=ProofGround.ONLY_PAGE)


class NextLinks(Walk):
    """`next-link`: each page has a link to the one below; what leads back to an earlier page is no such link."""

    def _following(self, place: ArchivePlace, reading: Reading) -> ArchivePlace | WalkEnd:
        url = normalise(reading.page.next_url) if reading.page is not None and reading.page.next_url is not None else None
        if url is None or url in self._here:
            return WalkEnd(kind=EndKind.PROVED, reason="no next link", ground=self._ground(place, reading.page))
        if url in self._asked:
            return WalkEnd(kind=EndKind.FAILED, reason=self._astray(url, "an earlier page of this walk"))
        return ArchivePlace(place.index + 1, "", url)

    def _end_by_emptiness(self, place: ArchivePlace, reading: Reading) -> WalkEnd | None:
        """A feed says itself where it goes on: what cannot be asked for there is missing, and an empty page may lead on."""
        end = super()._end_by_emptiness(place, reading)
        if end is None or not end.complete or not self._is_feed or place.index == 0:
            return end
        if reading.page is None:
            return WalkEnd(kind=EndKind.FAILED, reason=f"the feed says that it goes on at {place.url} ({reading.reason})")
        if reading.page.next_url is None:
            return replace(end, ground=self._ground(place, reading.page))
        if self._streaks.empty < FAILED_IN_A_ROW:
            return None
        reason = f"{self._streaks.empty} pages of the feed in a row list nothing, and the last, {place.url}, leads on to another"
        return WalkEnd(kind=EndKind.FAILED, reason=reason)

    @property
    def _is_feed(self) -> bool:
        return self.column.format is ArchiveFormat.FEED

    def _ground(self, place: ArchivePlace, page: ArchivePage | None) -> ProofGround:
        """A feed is worth what it says of itself; whether its total was reached is asked when the walk ends."""
        if not self._is_feed:
            return ProofGround.NO_NEXT
        if self._signs.states_total:
            return ProofGround.FEED_TOTAL
        if page is not None and page.complete:
            return ProofGround.FEED_COMPLETE
        return ProofGround.FEED_PAGES if place.index > self._pages_seen.feed_at else ProofGround.FEED_ALONE

    def _back_at(self, place: ArchivePlace, final: str) -> Reading:
        if final in self._here:
            return Reading(PageResult.EMPTY, "it redirects to the page that links to it")
        return Reading(PageResult.FAILED, self._astray(place.url, f"which redirects to {final}, an earlier page of this walk"))

    def _listed_before(self, place: ArchivePlace, page: ArchivePage, earlier: int) -> Reading:
        if earlier == place.index - 1 and not self._is_feed:
            return super()._listed_before(place, page, earlier)
        return Reading(PageResult.FAILED, self._astray(place.url, f"which lists the same articles as page {earlier + 1} of this walk"))

    def _astray(self, url: str, what: str) -> str:
        """The rule `next` leads astray: the page, the link and the rule."""
        page = self._here[0] if self._here else url
        if self.column.next is None:
            return f"on {page} the {self.column.format}'s own link to its next page leads to {url}, {what}"
        rule = self.column.next.named
        return f"on {page} the `next` rule ({rule}) takes the link to {url}, {what}; it must match only the link to the next page"


class Endless(Walk):
    """`infinite`: the pages are counted, until one is empty."""

    counted = True

    def _following(self, place: ArchivePlace, reading: Reading) -> ArchivePlace | WalkEnd:
        value = page_value(self.column, place.index + 1)
        if value is not None:
            return ArchivePlace(place.index + 1, value, page_url(self.column, self.interval, value))
        if reading.result is not PageResult.EMPTY:
            return WalkEnd(kind=EndKind.LIMIT, reason=f"page {place.page}, the last of `values` in the portal file, still has links")
        return WalkEnd(kind=EndKind.PROVED, reason="the last of the named pages is empty", ground=ProofGround.LAST_VALUE)


@dataclass(kw_only=True)
class Numbered(Endless):
    """`numbered`: the pages are counted up to the last, which the pager or the portal file names."""

    ends_empty = False
    _empty: dict[int, tuple[str, str]] = field(init=False, default_factory=dict)
    """Pages that gave nothing though the pager names them, and why: what they should list is missing, where one below has links."""

    def _read(self, place: ArchivePlace, answer: ArchiveAnswer) -> Reading:
        reading = super()._read(place, answer)
        self._empty.pop(place.index, None)
        if reading.result is PageResult.EMPTY and isinstance(self.column.paging.last, Picks):
            self._empty[place.index] = (place.url, reading.reason)
        above = [index for index in self._empty if index < place.index] if reading.has_links else []
        if above:
            self._pages_seen.unread += [self._empty.pop(index) for index in above]
            self._start_new_span()
        return reading

    def _forget(self) -> None:
        super()._forget()
        self._empty = {}

    def _following(self, place: ArchivePlace, reading: Reading) -> ArchivePlace | WalkEnd:
        following, paging = super()._following(place, reading), self.column.paging
        if paging.values or isinstance(following, WalkEnd):
            return following
        last = paging.last if isinstance(paging.last, int) else self._pages_seen.last_number
        if last is None:
            if reading.result is PageResult.EMPTY:
                return WalkEnd(kind=EndKind.PROVED, reason=f"an empty page ({reading.reason})", ground=ProofGround.EMPTY)
            return WalkEnd(kind=EndKind.PROVED, reason="no pager", ground=ProofGround.NO_PAGER)
        if int(following.page) <= last:
            return following
        if isinstance(paging.last, int) and reading.result is not PageResult.EMPTY:
            return WalkEnd(kind=EndKind.LIMIT, reason=f"page {last}, the `last` of the portal file, still has links")
        return WalkEnd(kind=EndKind.PROVED, reason=f"page {last} is the last", ground=ProofGround.LAST_NUMBER)

    def _end_by_repetition(self, reading: Reading) -> WalkEnd | None:
        end = super()._end_by_repetition(reading)
        return replace(end, kind=EndKind.LIMIT) if end is not None else None


@dataclass(kw_only=True)
class Expanding(Endless):
    """`expanding`: like `infinite`, and articles come and go above while the walk goes down."""

    _seen: Fingerprints = field(init=False, default_factory=Fingerprints)
    """All article links so far."""
    _first_link: str | None = field(init=False, default=None)
    _grown: int = field(init=False, default=0)
    """Articles that appeared on pages that had been read before."""

    def _read(self, place: ArchivePlace, answer: ArchiveAnswer) -> Reading:
        again = place.index in self._indexes
        reading = super()._read(place, answer)
        if again:
            self._grown += sum(1 for link in reading.links if link.url not in self._seen)
        if self._first_link is None and reading.has_links and reading.links:
            self._first_link = reading.links[0].url
        return reading

    def _note(self, place: ArchivePlace, reading: Reading) -> Note:
        note = super()._note(place, reading)
        for url in reading.urls if note.covers else ():
            self._seen.add(url)
        return note

    def _forget(self) -> None:
        super()._forget()
        self._first_link = None

    def _end_by_repetition(self, reading: Reading) -> WalkEnd | None:
        return super()._end_by_repetition(reading) if self._repeats_for_good(reading) else None

    def _repeats_for_good(self, reading: Reading) -> bool:
        """Repeated pages in a row that prove the end: two, and as many as new articles may have pushed down under the walk."""
        return self._streaks.repeated >= 2 + -(-self._grown // max(1, len(reading.urls)))

    def _checked(self, here: Here) -> Asking[Here]:
        _, _, reading = here
        if not self._above or reading.result is PageResult.FAILED or self._above & reading.urls:
            return here
        return (yield from self._look_back(here))

    def _look_back(self, here: Here) -> Asking[Here]:
        """This page shares no link with the one above. Usually they just adjoin (or the archive ends); but if articles were
        removed between the two requests, others slid up past us. So the page above is asked again: if it shows nothing new, nothing
        was missed. If it does, go back until a page shows nothing new, and walk on from there. Where articles were published during
        the walk, too, this page is asked once more: they may have pushed back down what had slid up.
        """
        note, place, reading = here
        streaks, nothing_new = self._streaks, False
        fresh: set[str] = set()  # what was not seen before this look back
        note = _without_bottom(note)
        earlier, checked = place, reading
        for index in range(place.index - 1, max(-1, place.index - 1 - STEPS_BACK), -1):
            earlier = self._place_at(index)
            checked = self._read(earlier, (yield WalkStep(note, earlier)))
            unseen = {url for url in checked.urls if url in fresh or url not in self._seen}
            fresh |= unseen
            note = self._note(earlier, checked)
            if checked.result is PageResult.FAILED:
                # What follows is covered, but that it adjoins is not proved.
                self._pages_seen.unread.append((earlier.url, checked.reason))
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
                again = self._read(place, (yield WalkStep(note, place)))
                moved = any(url not in self._seen for url in again.urls)
                note = _without_bottom(self._note(place, again))
            if not moved:
                self._streaks = streaks
                return (self._reaching(note, place, reading) if reading.has_links else note), place, reading
        self._streaks = Streaks()
        return note, earlier, checked

    def _confirmed(self, here: Here, end: WalkEnd) -> Asking[tuple[Note, ArchivePlace | WalkEnd]]:
        """What appeared at the head while the walk went down; again and again, until a look shows nothing new."""
        note, place, reading = here
        if not end.complete:
            return note, end
        streaks = self._streaks
        appeared: set[str] = set()
        for _ in range(0 if self._oldest_first else HEAD_LOOKS):
            before = len(appeared)
            note = yield from self._look_at_head(note, appeared)
            if len(appeared) == before:
                break
        self._streaks = streaks
        if reading.result is PageResult.REPEATED and not self._repeats_for_good(reading):
            return note, self._next(place, reading)
        return note, end

    def _look_at_head(self, note: Note, appeared: set[str]) -> Asking[Note]:
        """From the first page down to the first link that this walk saw, or to a page without a new one; `appeared` takes what is new."""
        for index in range(STEPS_BACK):
            if page_value(self.column, index) is None:
                break
            place = self._place_at(index)
            reading = self._read(place, (yield WalkStep(note, place)))
            appeared |= {url for url in reading.urls if url not in self._seen}
            note = _without_bottom(self._note(place, reading))
            if not reading.has_links or self._first_link in reading.urls or not reading.urls & appeared:
                break
        return note


WALKS: Mapping[PagingMode, type[Walk]] = {
    PagingMode.NONE: OnePage,
    PagingMode.NEXT_LINK: NextLinks,
    PagingMode.NUMBERED: Numbered,
    PagingMode.INFINITE: Endless,
    PagingMode.EXPANDING: Expanding,
    PagingMode.SCROLL: GrowingPage,
    PagingMode.LOAD_MORE: GrowingPage,
}


def _without_bottom(note: Note) -> Note:
    return replace(note, bottom=None, bottom_links=())
