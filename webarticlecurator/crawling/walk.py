"""One pass over one column's archive pages: what each answer means, and where the walk goes on.

A walk is a generator without network, clock or disk: it yields its `Reading` of the answer before and the
page to ask for next (or the walk's end), and is sent an `ArchiveAnswer`. What differs from one way of paging
to another stands in `crawling/paging.py`; what an end is worth says `crawling/judge.py`.

In the default order, newest first, a walk starts at the head and covers a *span*: a stretch of the archive
without a gap. A span is *open* while nothing is known below its bottom, and *proved* once it reaches the
archive's end or a span that does. New articles push everything down, so page numbers mean nothing between two
runs: older spans are recognised by their links. With the oldest first a walk goes on at the bottom of the
span that it begins in, proved or not.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from webarticlecurator.amounts import amount
from webarticlecurator.config.picks import Picks
from webarticlecurator.config.portal import ArchiveFormat, Column, Order, PagingMode
from webarticlecurator.corpus.events import NO_SPAN, ArchivePlace, EndKind, PageResult, ProofGround
from webarticlecurator.corpus.intervals import Interval
from webarticlecurator.corpus.ledger_walks import EarlierWalks, OldSpan
from webarticlecurator.crawling import paging
from webarticlecurator.crawling.judge import Ended, judge
from webarticlecurator.crawling.page_contents import PageContents
from webarticlecurator.crawling.probes import Probes, ends_first
from webarticlecurator.crawling.requests import is_page, page_url, pages_before, place_at, without_page
from webarticlecurator.crawling.signs import Signs
from webarticlecurator.crawling.walk_end import WalkEnd
from webarticlecurator.crawling.walk_reading import ArchiveAnswer, Probe, Reading, Steps, Streaks
from webarticlecurator.extraction.checks import Check, first_reason
from webarticlecurator.extraction.url_rules import url_shape
from webarticlecurator.model.links import NO_PAGE, ArchivePage, ArticleLink, PagerLink
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.urls import normalise, split_path

MAX_PAGES = 200_000
"""Pages of one walk at most: a server that invents pages for ever must not hold us for ever."""
HEAD_LOOKS = 5
"""How often the head of an archive that moves meanwhile is read again, while each time something new is
there."""
STEPS_BACK = 20
"""How far a walk goes back."""
_KNOWN_PAGES = 3
"""Pages in a row that lie in proved ground before a walk takes it for that."""
_KNOWN = 200
"""Articles by which it is known how addresses are written."""
_FEWEST_ITEMS = 5
"""Items without a link on a page that is no empty page for that."""


@dataclass(kw_only=True)
class Walk:
    """One walk; `run()` is the generator described above."""

    column: Column
    interval: Interval | None = None
    """A date interval is walked whole: the walk joins nothing."""
    home: str
    earlier: EarlierWalks
    new_span: Callable[[], int]
    full: bool = False
    """--full: neither what is proved nor open spans shorten the walk."""
    others: tuple[Column, ...] = ()
    """The other columns of the crawl."""
    probes: Probes
    """Requests that the crawl may make beside its lists."""

    span: int = field(init=False, default=NO_SPAN)
    pages: int = field(init=False, default=0)
    """Answers so far."""
    streaks: Streaks = field(init=False, default_factory=Streaks)
    asked: set[str] = field(init=False, default_factory=set)
    seen: set[int] = field(init=False, default_factory=set)
    """Hashes of all article links so far, on a page that grows or an archive that moves."""
    link_sets: dict[int, int] = field(init=False, default_factory=dict)
    """Hash of a page's article links -> the index of the page."""
    indexes: set[int] = field(init=False, default_factory=set)
    """Places that have been read."""
    empty_places: dict[int, tuple[str, str]] = field(init=False, default_factory=dict)
    """Pages that gave nothing though the pager names them, and why: what they should list is missing, where
    one below has links."""
    here: tuple[str, ...] = field(init=False, default=())
    """The last page, as asked for and as answered."""
    behind_next: str | None = field(init=False, default=None)
    """The page behind the next one, by the last page with links."""
    answer: ArchiveAnswer = field(init=False)
    """The last one."""
    first_link: str | None = field(init=False, default=None)
    items: int = field(init=False, default=0)
    """Items that the rule `item` takes on the last page with links."""
    contents: PageContents = field(init=False, default_factory=PageContents)
    signs: Signs = field(init=False)
    gap: str | None = field(init=False, default=None)
    """Addresses of articles that no page of the walk seems to list."""
    unread: list[tuple[str, str]] = field(init=False, default_factory=list)
    """Pages on the way that could not be read, and why: what lay on them is missing."""
    began: dict[int, str] = field(init=False, default_factory=lambda: {0: "", 1: ""})
    """The addresses of the first two pages."""
    has_older: bool = field(init=False, default=False)
    """There are spans of other walks of the column."""
    above: frozenset[str] = field(init=False, default=frozenset())
    """The article links of the page above, where it adjoins."""
    joined: bool = field(init=False, default=False)
    """Pages between were read by an earlier walk."""
    covered: bool = field(init=False, default=False)
    """A page had links."""
    met: bool = field(init=False, default=False)
    """A link lay in a span of an earlier walk; or there are none to lie there, only sections or a feed."""
    entered: bool = field(init=False, default=False)
    """A link lay in a proved span."""
    passed: bool = field(init=False, default=False)
    """A link lay on the lowest page of a proved span."""
    pushed_down: int = field(init=False, default=0)
    """Links that appeared on pages that had been read before."""
    barren: int = field(init=False, default=0)
    """Pages in a row without a new link."""
    grown: bool = field(init=False, default=False)
    """A page after the first had a new link."""
    neighbours: tuple[PagerLink, ...] = field(init=False, default=())
    """Addresses that the first page leads to, and that may list more."""
    left_beside: list[PagerLink] = field(init=False, default_factory=list)
    """Links that may list more, in the order in which they are asked for."""
    beside: tuple[str, frozenset[str]] | None = field(init=False, default=None)
    """A link that leads to more, in words, and what the walk knows nothing of."""
    ended: WalkEnd | None = field(init=False, default=None)
    """As the way of paging found it."""

    def __post_init__(self) -> None:
        self.signs = Signs(
            self.mode.counts, lambda url: is_page(self.column, self.interval, url), self.mode.in_steps
        )

    def run(self) -> Steps[None]:
        """Walk page by page to an end."""
        self.span = self.new_span()
        reading: Reading | None = None
        following: ArchivePlace | WalkEnd = place_at(self.column, self.interval, 0)
        while isinstance(following, ArchivePlace):
            answer = yield reading, following
            reading, last, following = yield from self._step(following, answer)
            if last.result is PageResult.FAILED:
                self._start_new_span()
        assert reading is not None
        reading = yield from self._look_beside(reading, following)
        self.ended = replace(following, last=last.place.url, last_links=len(last.links))
        yield reading, judge(self, self.ended)

    def _step(
        self, place: ArchivePlace, answer: ArchiveAnswer
    ) -> Steps[tuple[Reading, Reading, ArchivePlace | WalkEnd]]:
        """Take in a page; gives the last reading, the one to go on from, and where."""
        last = reading = self._cover(self._read(place, answer))
        if self._may_have_slid(last):
            reading, last = yield from self._look_back(last)
        self.above = last.urls
        following: ArchivePlace | WalkEnd | None = self._end(last)
        if following is None:
            old = self._reached()
            if old is not None:
                reading, last = yield from self._join(last, old)
            following = self._next(last)
        if isinstance(following, WalkEnd):
            return (yield from self._look_further(reading, last, following))
        return reading, last, following

    def _may_have_slid(self, last: Reading) -> bool:
        """Say whether articles may have slid past the walk: of a list that moves, a page shares no link with
        the one above."""
        return not first_reason(NOT_SLID, PageOfWalk(self, last))

    def _look_further(
        self, reading: Reading, last: Reading, end: WalkEnd
    ) -> Steps[tuple[Reading, Reading, ArchivePlace | WalkEnd]]:
        """Look behind what seems to be the end, and once more at the head of a list that moves."""
        following: ArchivePlace | WalkEnd = end
        behind = self._behind(last, end)
        if behind is not None:
            reading, last, following = yield from self._look_behind(reading, last, end, behind)
        is_end = isinstance(following, WalkEnd) and following.complete
        if is_end and self.mode.moves and not self.oldest_first:
            reading, following = yield from self._look_at_head(last, following)
        return reading, last, following

    def _look_beside(self, reading: Reading, end: WalkEnd) -> Steps[Reading]:
        """Ask for what may come before the first page, and for what the list leads to that may list more."""
        steps = ((self._above_the_first, self._begins_above), (self._beside, self._lists_more))
        for probes, lists_more in steps:
            for probe in probes(end):
                reading = self._look_aside(probe.place, (yield reading, probe.place))
                if lists_more(probe, reading):
                    break
        return reading

    def was_asked(self, url: str) -> bool:
        """Say whether this walk has asked for that archive page, or one before where this one goes on in its
        span; a slash or a question mark at the end is no difference."""
        bare = url.rstrip("?/")
        forms = set(map(normalise, (url, bare, f"{bare}/")))
        return not forms.isdisjoint(self.asked) or (self.joined and any(map(self.earlier.was_asked, forms)))

    def was_read(self, url: str) -> bool:
        """Say whether an address was asked for, or is a page of another column, or one beside the list that
        lists no more, or whose like do not."""
        return bool(first_reason(READ, AddressSeen(self, url)))

    def is_of_another(self, url: str) -> bool:
        return self.earlier.ledger.column_of_page(normalise(url)) not in (None, self.column.name)

    @property
    def mode(self) -> PagingMode:
        return self.column.paging.mode

    @property
    def by_word(self) -> bool:
        """A person says that there is one page."""
        return self.mode is PagingMode.NONE and self.column.paging.stated

    @property
    def oldest_first(self) -> bool:
        return self.column.paging.order is Order.OLDEST_FIRST

    @cached_property
    def may_grow_below(self) -> bool:
        """Say whether new articles may come at the end of the list, be it that a person says so, be it that
        none ever came at its head: then what is known is no end, and the walk goes on where the one before
        had ended."""
        return self.oldest_first or (self.column.stop.at_known and self.earlier.head_never_changed())

    def _next(self, reading: Reading) -> ArchivePlace | WalkEnd:
        following, stop = paging.following(self, reading), self.column.stop
        if isinstance(following, ArchivePlace) and stop.is_at(following.url):
            return WalkEnd(
                end=EndKind.PROVED, reason=f"stop.at_url: {stop.at_url}", ground=ProofGround.STOP_RULE
            )
        return following

    def place(self, index: int) -> ArchivePlace | None:
        """Return the page with that number, where pages are counted; None behind the last that is named."""
        is_named = self.column.paging.value_at(index) is not None
        return place_at(self.column, self.interval, index) if is_named else None

    def _start_new_span(self) -> None:
        """Below a page that could not be read: contiguous again from here, but not with what was above."""
        self.span = self.new_span()
        self.streaks = replace(self.streaks, known=0, inside=0, within=None)

    def _look_back(self, last: Reading) -> Steps[tuple[Reading, Reading]]:
        """This page shares no link with the one above. Usually they just adjoin (or the archive ends); but if
        articles were removed between the two requests, others slid up past us. So the page above is asked
        again: if it shows nothing new, nothing was missed. If it does, go back until a page shows nothing
        new, and walk on from there. Where articles were published during the walk, too, this page is asked
        once more: they may have pushed back down what had slid up.

        Gives the last reading, and the one to go on from.
        """
        streaks, reading, above = self.streaks, last, last
        for index in range(last.place.index - 1, max(-1, last.place.index - 1 - STEPS_BACK), -1):
            place, reading.bottom = place_at(self.column, self.interval, index), None
            above = reading = self._cover(self._read(place, (yield reading, place)), reaches=False)
            if (
                above.result is PageResult.FAILED
            ):  # what follows is covered, but that it adjoins is not proved
                self.unread.append((above.place.url, above.reason))
                self._start_new_span()
                self.streaks = Streaks()
                return above, last
            if above.lists_nothing_new:
                break
        moved = above.place.index != last.place.index - 1 or not above.lists_nothing_new
        if not moved and self.pushed_down:
            reading = self._cover(self._read(last.place, (yield reading, last.place)), reaches=False)
            moved = bool(reading.fresh)
        if moved:
            self.streaks = Streaks()
            return reading, above
        self.streaks = streaks
        reading.bottom = last if last.has_links else None
        return reading, last

    def _look_at_head(
        self, last: Reading, end: ArchivePlace | WalkEnd
    ) -> Steps[tuple[Reading, ArchivePlace | WalkEnd]]:
        """Return what appeared at the head while the walk went down, until a look shows nothing new; each
        from the first page down to the first link that the walk saw, or to a page without a new one."""
        streaks, reading = self.streaks, last
        appeared: set[str] = set()
        for _ in range(HEAD_LOOKS):
            before = len(appeared)
            for index in range(STEPS_BACK):
                place = self.place(index)
                if place is None:
                    break
                reading = self._cover(self._read(place, (yield reading, place)), reaches=False)
                appeared |= reading.fresh
                if not reading.has_links or self.first_link in reading.urls or not reading.urls & appeared:
                    break
            if len(appeared) == before:
                break
        self.streaks = streaks
        if last.result is PageResult.REPEATED and paging.repeated(self, last) is None:
            return reading, self._next(last)
        return reading, end

    # -- beside the list: once, before anything of a column is proved
    # -----------------------------------------------------

    def _behind(self, last: Reading, end: WalkEnd) -> ArchivePlace | None:
        """Return the place behind a page that lists nothing, or behind the last that the portal file names.

        The server may have failed to say what is there, and the list go on; or it may end there.
        """
        index = last.place.index + 1
        if end.end is EndKind.LIMIT and end.ground is ProofGround.LAST_VALUE:
            value = self.column.paging.value_behind
            return (
                ArchivePlace(index, value, page_url(self.column, self.interval, value))
                if value is not None
                else None
            )
        if (
            not self._ends_on_nothing(last, end)
            or not self._is_first_proof(end)
            or self.column.paging.empty_pages > 1
        ):
            return None
        if self.mode.counts:
            return self.place(index)
        for url in filter(None, (last.page.next_url, self.behind_next)):
            if not self.was_asked(url):
                return ArchivePlace(index, "", url)
        return None

    def _ends_on_nothing(self, last: Reading, end: WalkEnd) -> bool:
        """Say whether the end is a page that lists nothing, or nothing new."""
        if end.ground is ProofGround.LAST_NUMBER:
            return last.result is PageResult.EMPTY and isinstance(self.column.paging.last, Picks)
        return end.ground in (ProofGround.EMPTY, ProofGround.REPEATED)

    def _look_behind(
        self, reading: Reading, last: Reading, end: WalkEnd, behind: ArchivePlace
    ) -> Steps[tuple[Reading, Reading, ArchivePlace | WalkEnd]]:
        """Gives the last reading, the one to go on from, and where; a page that lists nothing was none that
        could be read if the list goes on behind it."""
        looked = self._look(behind, (yield reading, behind))
        if end.end is EndKind.LIMIT:
            if looked.result is not PageResult.FAILED and not self._unknown(looked):
                end = WalkEnd(
                    end=EndKind.PROVED, reason=f"{behind.url} lists nothing more", ground=ProofGround.EMPTY
                )
            looked.result, looked.reason = (
                PageResult.EMPTY,
                "behind the last page that the portal file names",
            )  # else it were taken in
            return looked, last, end
        if not self._unknown(looked):
            return looked, last, end
        without_loss = "if nothing is missing there, say `empty_pages: 2`"
        self.unread.append((last.place.url, f"{last.reason}, and the list goes on behind it; {without_loss}"))
        self._start_new_span()
        looked = self._cover(self._take(looked))
        return looked, looked, self._end(looked) or self._next(looked)

    def _above_the_first(self, end: WalkEnd) -> list[Probe]:
        """Return places above the first, by the numbers in addresses.

        The portal may count its pages from a lower number than the file says, or write none into the address
        of the first.
        """
        index = max(self.indexes, default=0) + 1
        numbered = enumerate(self._numbers_above(end), index)
        return [Probe(ArchivePlace(number, value, url)) for number, (value, url) in numbered]

    def _numbers_above(self, end: WalkEnd) -> list[tuple[str, str]]:
        """Return addresses of pages above the first, each with the number that is filled into it."""
        is_first_proof = self._is_first_proof(end)
        if self.mode is PagingMode.NEXT_LINK and is_first_proof:
            return [("", url) for url in pages_before(self.began[0], self.began[1]) if not self.was_read(url)]
        if first_reason(NO_NUMBER_BELOW, self):
            return []
        is_missing = self._never_listed(end)
        return self._below_the_start(is_missing=is_missing) if is_missing or is_first_proof else []

    def _below_the_start(self, *, is_missing: bool) -> list[tuple[str, str]]:
        """Return the number below the first one with its page, and the address without a number."""
        first, number = self.column.paging.first, str(self.column.paging.start - 1)
        below = []
        if number not in (first, "-1"):
            below.append((number, page_url(self.column, None, number)))
        bare = without_page(self.column) if first is None or is_missing else None
        if bare is not None and not self.was_asked(bare):
            below.append(("", bare))
        heads = self._other_heads()
        return [
            (value, url)
            for value, url in below
            if normalise(url) not in heads and not self.is_of_another(url)
        ]

    def _never_listed(self, end: WalkEnd) -> bool:
        """Say whether a list of pages came to its end without ever having listed an article."""
        return not first_reason(LISTED, Ended(self, end))

    def _other_heads(self) -> set[str]:
        """Return where the lists of the other columns begin."""
        return {normalise(place_at(other, None).url) for other in self.others if other.dates is None}

    def _begins_above(self, probe: Probe, looked: Reading) -> bool:
        """Say whether the list seems to begin there; then it is told."""
        unknown, paging = self._unknown(looked), self.column.paging
        number, url = probe.place.page, probe.place.url
        if not unknown:
            return False
        comes_before = f"{url}, which comes before the first page of the walk, lists {unknown:,} more"
        if self.mode is PagingMode.NEXT_LINK:
            self.gap = f"{comes_before}; begin there, by `url`"
        elif self.covered:
            say = f"start: {number}" if number else f"first: {url}"
            no_page = f"if it is no page of the list, say `first: {paging.first or paging.start}`"
            self.gap = f"{comes_before}; if the list begins there, say `{say}` under `pages`; {no_page}"
        else:
            self.gap = (
                f"{url} lists {unknown:,}; if the list begins there, say `first: {number or url}` under "
                "`pages`"
            )
            looked.result, looked.reason = (
                PageResult.EMPTY,
                "at an address that no rule names",
            )  # else a later walk expected links
        return True

    def _unknown(self, looked: Reading) -> int:
        """How many of its links no page of the walk has, if most are such: the head may come again by another
        address, an article later."""
        unknown = len(looked.urls) - len(self.earlier.spans_of(looked.urls)) if looked.has_links else 0
        return unknown if 2 * unknown > len(looked.urls) else 0

    def _beside(self, end: WalkEnd) -> Iterator[Probe]:
        """Give what the list leads to that may list more, the likeliest first: whether it does can be seen
        there."""
        if not self._is_first_proof(end):
            return
        between = self.signs.skips.link_between() if self.mode is PagingMode.NEXT_LINK else []
        leading = (*between, *self.signs.links.unasked(self.was_read), *self.neighbours)
        links = {link.url: link for link in leading}
        # what the last page names is an article, and not written down yet
        passed_over = self._heads() | self.above
        left = [link for url, link in links.items() if url not in passed_over]
        self.left_beside, index = ends_first(left, _form_of), max(self.indexes, default=0) + 3
        for number, link in enumerate(self.left_beside, index):
            if not self._is_known(link.url) and self.probes.take_beside(self.column, link.url, self.began[0]):
                yield Probe(ArchivePlace(number, "", link.url), link.text)

    def _beside_like(self, url: str) -> list[str]:
        """Return an address beside the list, and those that are written like it."""
        alike = [link.url for link in self.left_beside if _form_of(link) == url_shape(url, sections=True)]
        return list(dict.fromkeys((url, *alike)))

    def _heads(self) -> set[str]:
        """Return where other lists begin, and the home page.

        A person says where this one does not begin. A complete crawl looks at the home page by itself.
        """
        above = without_page(self.column) if self.column.paging.first is not None else None
        return {*self._other_heads(), *map(normalise, filter(None, (self.home, above)))}

    def _is_known(self, url: str) -> bool:
        """Say whether an address is that of an article that a list names, or of a page that was read."""
        return self.earlier.ledger.url_id(url) is not None or self.was_read(url)

    def _lists_more(self, probe: Probe, looked: Reading) -> bool:
        """Say whether a page beside the list lists what the walk knows nothing of; what lists nothing unknown
        is no sign of anything.

        What is written otherwise than all known articles may be a list of a year: the crawl asks what it is.
        """
        page = self.answer.page
        if page is None:
            return False
        listed = page.urls or self._written_alike(page)
        known = {
            url for url, span in self.earlier.spans_of(listed).items() if span.proved or span.id == self.span
        }
        unknown = self._written_as_articles(listed - known)
        if not unknown:
            looked.result, looked.beside_like = (
                PageResult.BESIDE,
                tuple(map(normalise, self._beside_like(probe.place.url))),
            )
            self.probes.note_in_vain(self.column, probe.place.url, self.began[0])
            return False
        looked.result = PageResult.LISTS_MORE
        self.probes.note_telling(self.column, probe.place.url, self.began[0])
        lists = amount(
            len(unknown), "article that no page of the walk lists", "articles that no page of the walk lists"
        )
        reason = (
            f"the link {probe.text!r} leads to {probe.place.url}, which has {lists} (such as {min(unknown)})"
        )
        self.beside = reason, unknown
        return True

    def _written_as_articles(self, urls: frozenset[str]) -> frozenset[str]:
        """Return the addresses that are written like a known article of the column; while none is known,
        all."""
        articles = self.earlier.ledger.listed_by(self.column.name, _KNOWN, stored=False) if urls else []
        shapes = {url_shape(url, sections=True) for url in articles}
        return frozenset(url for url in urls if not shapes or url_shape(url, sections=True) in shapes)

    def _written_alike(self, page: ArchivePage) -> frozenset[str]:
        """Return the links of a page that are written as those of articles; the rules find nothing there."""
        shapes = {url_shape(url, sections=True) for url in self.earlier.spans_of(page.others)}
        return frozenset(url for url in page.others if url_shape(url, sections=True) in shapes)

    def _is_first_proof(self, end: WalkEnd) -> bool:
        """Say whether the walk proves the first stretch of a column by nothing but where its pages end."""
        return not first_reason(NO_FIRST_PROOF, Ended(self, end))

    def _spans_of(self, urls: Collection[str]) -> dict[str, OldSpan]:
        self.has_older = self.has_older or self.earlier.have_spans()
        return self.earlier.spans_of(urls) if self.has_older else {}

    def _reached(self) -> OldSpan | None:
        """The span of an earlier walk that this walk is now surely inside of, if it is to go on at its
        bottom."""
        return None if first_reason(NOT_INSIDE, self) else self.streaks.within

    def _join(self, reading: Reading, old: OldSpan) -> Steps[tuple[Reading, Reading]]:
        """Go on at the bottom of a span; gives the last reading, and the one to go on from.

        New articles can only have pushed what was there further down, so the bottom's old URL is a safe place
        to go on from. With the oldest first nothing but what was removed moves: what stands there first tells
        that nothing unknown has slid above it.
        """
        reading.joined, reading.bottom = (old.id,), None
        self.joined, self.above = True, frozenset()
        self.signs.counts.from_head = False
        if old.bottom.index <= reading.place.index + 1:
            return reading, reading
        streaks, read_before = self.streaks, old.bottom.index in self.indexes
        landed = self._read(old.bottom, (yield reading, old.bottom))
        inside = {url for url, span in self._spans_of(landed.urls).items() if span.id in (old.id, self.span)}
        fits = (
            landed.links[0].url in inside
            if self.oldest_first and landed.links
            else 2 * len(inside) >= len(landed.urls)
        )
        if landed.has_links and fits:
            return self._cover(landed), landed
        # Articles were removed, so that page now shows what lay below: walk down to the bottom instead.
        self.streaks = streaks
        if not read_before:
            self.indexes.discard(old.bottom.index)
        self.asked.discard(normalise(old.bottom.url))
        self.link_sets.pop(hash(landed.urls), None)
        landed.reason = "not the bottom of the open span"
        return landed, reading

    def _read(self, place: ArchivePlace, answer: ArchiveAnswer) -> Reading:
        return self._take(self._look(place, answer))

    def _look_aside(self, place: ArchivePlace, answer: ArchiveAnswer) -> Reading:
        """Return what stands at an address that no rule names; what cannot be read there is nobody's loss."""
        reading = self._look(place, answer)
        if answer.page is None:  # nobody knows what it lists
            self.asked.discard(normalise(place.url))
        if reading.result is PageResult.FAILED:
            reading.result = PageResult.EMPTY
        return reading

    def _look(self, place: ArchivePlace, answer: ArchiveAnswer) -> Reading:
        """Return what stands there, which need be no page of the list."""
        self.pages += 1
        self.answer = answer
        # every step of a page that grows is at the same address, wherever that redirects to
        asked = normalise(place.url)
        final = asked if self.mode.in_steps and place.index else normalise(answer.final_url)
        reading = self._understood(place, answer, asked, final)
        self.asked.add(asked)
        if reading.page is not NO_PAGE:  # only then a redirect led to a page of the walk
            self.asked.add(final)
        self.here = (asked, final)
        return reading

    def _take(self, reading: Reading) -> Reading:
        """Return what a page of the list says of it."""
        if reading.place.index == 0:
            self.neighbours = reading.page.neighbours
        if reading.has_links:
            self.behind_next, self.items = reading.page.behind_next, reading.page.items or 0
            self._show(reading.place, reading.page)
        self._note_copy(reading)
        self._note_links(reading)
        self._note_emptiness(reading)
        self.streaks = self._counted(reading)
        return reading

    def _note_copy(self, reading: Reading) -> None:
        """Compare a stored page with the one above it."""
        if reading.links and self.answer.stored is not None and not self.oldest_first:
            last = reading.links[-1].url
            is_known = any(span.proved for span in self._spans_of([last]).values())
            self.signs.copies.take(
                reading.place, reading.links, self.answer.stored, on_proved_ground=is_known
            )

    def _show(self, place: ArchivePlace, page: ArchivePage) -> None:
        """Show a page with links to those who look for signs against the end."""
        index = place.index - self.contents.feed_at
        if index in self.began:
            self.began[index] = place.url
        self.signs.take(index, place.url, page, self.asked)

    def _understood(self, place: ArchivePlace, answer: ArchiveAnswer, asked: str, final: str) -> Reading:
        self.contents.leads_on = False
        if answer.limit is not None:
            self.contents.limit = f"{place.url} was not shown to its end: {answer.limit}"
        if answer.verdict.outcome is FetchOutcome.GONE:
            return Reading(place=place, result=PageResult.EMPTY, reason=answer.verdict.reason)
        if answer.page is None:
            return Reading(place=place, result=PageResult.FAILED, reason=answer.verdict.reason)
        redirected = self._redirected(place, asked, final) if final != asked else None
        return redirected or self._links_of(place, answer.page)

    def _redirected(self, place: ArchivePlace, asked: str, final: str) -> Reading | None:
        """Return what it means that a redirect led to an earlier page of the walk, or home; None: it did
        not."""
        if final in self.asked:
            if self.mode is PagingMode.NEXT_LINK and final not in self.here:
                reason = self.astray(place.url, f"which redirects to {final}, an earlier page of this walk")
                return Reading(place=place, result=PageResult.FAILED, reason=reason)
            return Reading(place=place, result=PageResult.EMPTY, reason="it redirects to a page of this walk")
        # the root of a site may lead to its home page and be meant; where another list stood that begins
        # there, something is wrong
        if final != normalise(self.home) or split_path(asked) == ("/", ""):
            return None
        of_many = place.index or self.interval or self.column.section_of is not None
        result = PageResult.EMPTY if of_many else PageResult.FAILED
        return Reading(place=place, result=result, reason="it redirects to the home page")

    def _links_of(self, place: ArchivePlace, page: ArchivePage) -> Reading:
        if not self.contents.gives_links(place, page):
            return self._without_links(place, page)
        self.met |= self.contents.leads_on and not page.articles
        links = hash(page.urls)
        earlier = self.link_sets.get(links) if page.articles and place.index not in self.indexes else None
        self.link_sets.setdefault(links, place.index)
        if earlier is None:
            return Reading(place=place, result=PageResult.LINKS, page=page, links=page.articles)
        if self.mode is PagingMode.NEXT_LINK and (
            earlier != place.index - 1 or self.column.format is ArchiveFormat.FEED
        ):
            reason = self.astray(
                place.url, f"which lists the same articles as page {earlier + 1} of this walk"
            )
            return Reading(place=place, result=PageResult.FAILED, reason=reason)
        reason = "the same article links as on an earlier page"
        return Reading(place=place, result=PageResult.REPEATED, reason=reason, page=page, links=page.articles)

    def _without_links(self, place: ArchivePlace, page: ArchivePage) -> Reading:
        if page.asks_password:
            reason = "no article links, but a form that asks for a password"
            # on pages that say so all along it is furniture
            if self.covered and not self.contents.ask_password:
                return Reading(place=place, result=PageResult.FAILED, reason=reason)
            return Reading(place=place, result=PageResult.EMPTY, reason=reason, page=page)
        if not first_reason(NOTHING_UNPICKED, ShownPage(self, page)):
            took = f"{place.url} has {page.items:,} of what `item` takes, and `link` finds none in it"
            self.gap = f"{took}, so that it is no empty page; look at `link`"
        return Reading(place=place, result=PageResult.EMPTY, reason="no article links", page=page)

    def astray(self, url: str, fault: str) -> str:
        """The rule `next` leads astray: the page, the link and the rule."""
        page, rule = self.here[0], self.column.next
        if rule is None:
            return f"on {page} the {self.column.format}'s own link to its next page leads to {url}, {fault}"
        return (
            f"on {page} the `next` rule ({rule.named}) takes the link to {url}, {fault}; it must match only "
            "the link to the next page"
        )

    def _note_links(self, reading: Reading) -> None:
        index = reading.place.index
        if (
            self.mode.in_steps or self.mode.moves
        ):  # others need not know which links are new, of which an archive may have a million
            reading.fresh = frozenset(url for url in reading.urls if hash(url) not in self.seen)
            self.seen.update(map(hash, reading.fresh))
            self.barren = 0 if reading.fresh else self.barren + 1
            self.grown |= index > 0 and bool(reading.fresh)
            if index in self.indexes:
                self.pushed_down += len(reading.fresh)
        if reading.links:
            self.first_link = self.first_link or reading.links[0].url
        if reading.result is not PageResult.FAILED:
            self.indexes.add(index)

    def _note_emptiness(self, reading: Reading) -> None:
        """Where the pager names a page that lists nothing, and one below lists something, a page could not be
        read."""
        self.empty_places.pop(reading.place.index, None)
        if reading.result is PageResult.EMPTY and isinstance(self.column.paging.last, Picks):
            self.empty_places[reading.place.index] = (reading.place.url, reading.reason)
        above = [index for index in self.empty_places if index < reading.place.index]
        if above and reading.has_links:
            self.unread += map(self.empty_places.pop, above)
            self._start_new_span()

    def _counted(self, reading: Reading) -> Streaks:
        """Count on how many pages in a row were what, by the spans in which the links of this one lie."""
        before = self.streaks
        alike = before.alike + 1 if reading.result is before.result else 1
        if not reading.links:
            return replace(before, result=reading.result, alike=alike)
        spans = self._spans_of(reading.urls)
        proved = {url for url, span in spans.items() if span.proved}
        by_id = {span.id: span for span in spans.values()}
        self.met |= not by_id.keys() <= {self.span}
        self.entered |= bool(proved)
        self.passed |= any(url in spans[url].bottom_links for url in proved)
        if self.contents.leads_on or spans.keys() != reading.urls:
            return Streaks(reading.result, alike)
        known = before.known + 1 if proved == reading.urls else 0
        if len(by_id) > 1 or (proved and not self.may_grow_below):
            return Streaks(reading.result, alike, known)
        return Streaks(reading.result, alike, known, before.inside + 1, *by_id.values())

    def _cover(self, reading: Reading, *, reaches: bool = True) -> Reading:
        """Cover a page: what has links is covered, and the span reaches down to it."""
        reading.span, reading.covers = self.span, reading.result in (PageResult.LINKS, PageResult.REPEATED)
        reading.bottom = reading if reading.covers and reaches else None
        self.covered |= reading.covers
        return reading

    def _end(self, reading: Reading) -> WalkEnd | None:
        """The end, if this answer ends the walk whatever would follow."""
        if self.pages >= MAX_PAGES:
            return WalkEnd(end=EndKind.LIMIT, reason=f"{MAX_PAGES:,} archive pages in one walk")
        return _ENDS[reading.result](self, reading)

    def _end_by_failure(self, reading: Reading) -> WalkEnd | None:
        self.unread.append((reading.place.url, reading.reason))
        if self.mode.counts and self.streaks.alike < paging.FAILED_IN_A_ROW:
            return None
        return WalkEnd(end=EndKind.FAILED, reason=f"{reading.place.url}: {reading.reason}")

    def _end_by_repetition(self, reading: Reading) -> WalkEnd | None:
        return paging.repeated(self, reading) or self._end_by_rule(reading)

    def _end_by_emptiness(self, reading: Reading) -> WalkEnd | None:
        url, reason = reading.place.url, reading.reason
        if self.mode.in_steps and reading.place.index and self.answer.end is None:
            return None  # what is new may be no article, as long as the page grows
        if self.column.paging.has_names:
            return paging.empty(self, reading)
        if not first_reason(MAY_BE_EMPTY, PageOfWalk(self, reading)):
            reason = (
                f"the first page, {url}, gives no article links where earlier walks found some ({reason})"
            )
            return WalkEnd(end=EndKind.DRIFT, reason=reason)
        if self._is_inside_proved_ground:
            return WalkEnd(
                end=EndKind.DRIFT, reason=f"{url} gives no article links inside proved ground ({reason})"
            )
        return paging.empty(self, reading)

    @property
    def _is_inside_proved_ground(self) -> bool:
        """The walk has entered a proved span, and not come to its lowest page."""
        return not first_reason(MAY_END, self)

    def _end_by_rule(self, reading: Reading) -> WalkEnd | None:
        stop = self.column.stop
        if stop.after is not None and _older_than(stop.after, reading.links):
            reason = f"stop.after: the listing went back beyond {stop.after}"
            return WalkEnd(end=EndKind.PROVED, reason=reason, ground=ProofGround.STOP_RULE)
        if first_reason(NOT_KNOWN, self):
            return None
        reason = f"{_KNOWN_PAGES} pages in a row of proved ground"
        return WalkEnd(end=EndKind.KNOWN, reason=reason, ground=ProofGround.KNOWN)


class PageOfWalk(NamedTuple):
    """A page that was understood, with its walk."""

    walk: Walk
    reading: Reading


class AddressSeen(NamedTuple):
    """An address to which a page leads, with the walk that has come there."""

    walk: Walk
    url: str


class ShownPage(NamedTuple):
    """The contents of an archive page, with the walk that came to it."""

    walk: Walk
    page: ArchivePage


LISTED: tuple[Check[Ended], ...] = (
    Check("it has not come to its end", lambda ended: not ended.end.complete),
    Check("a date may list nothing", lambda ended: ended.walk.interval is not None),
    Check("a page had links", lambda ended: ended.walk.covered),
    Check("the format says where links are", lambda ended: ended.walk.column.format.tells_links),
    Check("an earlier walk found links", lambda ended: ended.walk.earlier.gave_links()),
)
"""Why no address is looked for at which a list that lists nothing may begin."""
NO_FIRST_PROOF: tuple[Check[Ended], ...] = (
    Check("a person says that there is one page", lambda ended: ended.walk.by_word),
    Check("it proves nothing", lambda ended: ended.end.end is not EndKind.PROVED),
    Check("a rule ended it", lambda ended: ended.end.ground is ProofGround.STOP_RULE),
    Check("as many were seen as there are", lambda ended: ended.walk.signs.counts.total_reached),
    Check("what stands beside the list moves, too", lambda ended: ended.walk.mode.moves),
    Check("it is a date's", lambda ended: ended.walk.interval is not None),
    Check("no page had links", lambda ended: not ended.walk.covered),
    Check("something was proved before", lambda ended: bool(ended.walk.earlier.proved())),
)
"""Why what stands beside a list need not be asked for."""
MAY_BE_EMPTY: tuple[Check[PageOfWalk], ...] = (
    Check("it is not the first page", lambda page: page.reading.place.index > 0),
    Check("another page had links", lambda page: page.walk.covered),
    Check("a date may list nothing", lambda page: page.walk.interval is not None),
    Check("no earlier walk found links", lambda page: not page.walk.earlier.gave_links()),
)
"""Why it is no wonder that a page gives no links."""
MAY_END: tuple[Check[Walk], ...] = (
    Check("no link lay in a proved span", lambda walk: not walk.entered),
    Check("one lay on its lowest page", lambda walk: walk.passed),
    Check("the oldest stand first", lambda walk: walk.oldest_first),
    Check(
        "it went on at the bottom, and articles may come below",
        lambda walk: walk.joined and walk.may_grow_below,
    ),
)
"""Why a list may end where a walk is, by what earlier walks know."""
NO_NUMBER_BELOW: tuple[Check[Walk], ...] = (
    Check("no pages are counted", lambda walk: not walk.mode.counts),
    Check("the portal file names all of them", lambda walk: bool(walk.column.paging.values)),
    Check("links say the numbers of pages", lambda walk: walk.signs.links.counts_as_labelled),
)
"""Why no page can stand before the first one by its number."""
NOTHING_UNPICKED: tuple[Check[ShownPage], ...] = (
    Check("no page had links", lambda shown: not shown.walk.covered),
    Check("rules refuse what it has", lambda shown: bool(shown.page.refused)),
    Check(
        "it has few items", lambda shown: 2 * (shown.page.items or 0) < max(_FEWEST_ITEMS, shown.walk.items)
    ),
)
"""Why a page without links is no sign that `link` takes nothing in its items."""
NOT_SLID: tuple[Check[PageOfWalk], ...] = (
    Check("the list does not move", lambda page: not page.walk.mode.moves),
    Check("no page above adjoins", lambda page: not page.walk.above),
    Check("it could not be read", lambda page: page.reading.result is PageResult.FAILED),
    Check("it shares a link with the page above", lambda page: bool(page.walk.above & page.reading.urls)),
)
"""Why no articles can have slid past the walk, between a page and the one above it."""
READ: tuple[Check[AddressSeen], ...] = (
    Check("this walk has asked for it", lambda seen: seen.walk.was_asked(seen.url)),
    Check("it is a page of another column", lambda seen: seen.walk.is_of_another(seen.url)),
    Check(
        "it stands beside the list and lists no more",
        lambda seen: seen.walk.earlier.lists_no_more(normalise(seen.url)),
    ),
    Check(
        "its like lists no more",
        lambda seen: seen.walk.probes.are_in_vain(seen.walk.column, seen.url, seen.walk.began[0]),
    ),
)
"""Why a link speaks against no end."""
NOT_KNOWN: tuple[Check[Walk], ...] = (
    Check("no rule ends it there", lambda walk: not walk.column.stop.at_known),
    Check("what is known is walked again", lambda walk: walk.full),
    Check("too few in a row are proved", lambda walk: walk.streaks.known < _KNOWN_PAGES),
    Check("new articles may come below", lambda walk: walk.may_grow_below),
)
"""Why proved ground does not end a walk."""
NOT_INSIDE: tuple[Check[Walk], ...] = (
    Check("what is known is walked again", lambda walk: walk.full),
    Check("a date is walked whole", lambda walk: walk.interval is not None),
    Check("one page may be chance", lambda walk: walk.streaks.inside < _KNOWN_PAGES),
    Check("it is the span of this walk", lambda walk: walk.streaks.is_within(walk.span)),
)
"""Why a walk does not go on at the bottom of the span that its last pages lie in."""
_ENDS: Mapping[PageResult, Callable[[Walk, Reading], WalkEnd | None]] = {
    PageResult.LINKS: Walk._end_by_rule,
    PageResult.EMPTY: Walk._end_by_emptiness,
    PageResult.REPEATED: Walk._end_by_repetition,
    PageResult.FAILED: Walk._end_by_failure,
}
"""Result of a page -> the function that says whether the page ends a walk."""


def _form_of(link: PagerLink) -> str:
    return url_shape(link.url, sections=True)


def _older_than(day: date, links: tuple[ArticleLink, ...]) -> bool:
    """Say whether the last dated link is from before that day; the first ones may be old and pinned."""
    dated = list(chain.from_iterable(link.fields.get("datePublished", ())[:1] for link in links))
    try:
        return bool(dated) and date.fromisoformat(dated[-1][:10]) < day
    except ValueError:
        return False
