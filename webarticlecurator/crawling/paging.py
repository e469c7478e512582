"""How a walk finds the next archive page, and whether an empty page, or one that repeats another, is its end.

What a mode of paging is, `PagingMode` says; only what finds pages by another road has a function here. A page
that is known ends a walk, whatever its pager says: so a walk must begin at the newest page, or never end
there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from webarticlecurator.config.portal import ArchiveFormat, PagingMode
from webarticlecurator.corpus.events import ArchivePlace, EndKind, PageResult, ProofGround
from webarticlecurator.crawling.requests import place_at
from webarticlecurator.crawling.walk_end import WalkEnd
from webarticlecurator.extraction.checks import Check, first_reason
from webarticlecurator.model.links import NO_PAGE
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.urls import normalise

if TYPE_CHECKING:
    from webarticlecurator.crawling.walk import Walk
    from webarticlecurator.crawling.walk_reading import Reading

FAILED_IN_A_ROW = 3
"""Archive pages that may fail one after the other before the walk gives up; fewer are stepped over."""
_ONE_PAGE = (PagingMode.NONE, PagingMode.SCROLL, PagingMode.LOAD_MORE)
"""Modes in which there is one page."""
BARREN = 10
"""Steps in a row without a new article link before a page that goes on growing counts as one that has no
more."""
_MOST_STEPS = 1_000
"""Steps of a page that still has new articles."""


def following(walk: Walk, reading: Reading) -> ArchivePlace | WalkEnd:
    """The next page, or that this was the last one."""
    return _FOLLOWING[walk.mode](walk, reading)


def empty(walk: Walk, reading: Reading) -> WalkEnd | None:
    """The end, if an empty page is one."""
    if first_reason(GOES_ON, walk):
        return None
    end = WalkEnd(end=EndKind.PROVED, reason=f"an empty page ({reading.reason})", ground=ProofGround.EMPTY)
    is_behind_link = walk.mode is PagingMode.NEXT_LINK and reading.place.index > 0
    return _empty_behind_link(walk, reading, end) if is_behind_link else end


GOES_ON: tuple[Check[Walk], ...] = (
    Check("it is one page", lambda walk: walk.mode in _ONE_PAGE),
    Check("too few in a row are empty", lambda walk: walk.streaks.alike < walk.column.paging.empty_pages),
    Check("the last page is named", lambda walk: walk.column.paging.names_last),
)
"""Why an empty page is no end."""


def repeated(walk: Walk, reading: Reading) -> WalkEnd | None:
    """The end, if a page that lists what an earlier one listed is one."""
    if walk.mode.in_steps or walk.column.paging.has_names:
        return None
    # where the list moves, two in a row prove it, and as many as new articles may have pushed down under the
    # walk
    if walk.mode.moves and walk.streaks.alike < 2 + -(-walk.pushed_down // max(1, len(reading.urls))):
        return None
    ground = ProofGround.SECOND_REPEATS_FIRST if len(walk.link_sets) == 1 else ProofGround.REPEATED
    return WalkEnd(
        end=EndKind.LIMIT if walk.column.paging.names_last else EndKind.PROVED,
        reason=reading.reason,
        ground=ground,
    )


def _only_page(_: Walk, __: Reading) -> WalkEnd:
    return WalkEnd(end=EndKind.PROVED, reason="the only page", ground=ProofGround.ONLY_PAGE)


def _next_linked(walk: Walk, reading: Reading) -> ArchivePlace | WalkEnd:
    """Each page has a link to the one below."""
    url = normalise(reading.page.next_url) if reading.page.next_url is not None else ""
    if not url or url in walk.here:
        return WalkEnd(end=EndKind.PROVED, reason="no next link", ground=_ground_without_next(walk, reading))
    if url in walk.asked:
        return WalkEnd(end=EndKind.FAILED, reason=walk.astray(url, "an earlier page of this walk"))
    return ArchivePlace(reading.place.index + 1, "", url)


def _empty_behind_link(walk: Walk, reading: Reading, end: WalkEnd) -> WalkEnd | None:
    """Return the end at a missing or empty page that a link leads to; None where the walk goes on. Nobody
    knows what a missing page had, unless those behind it can be asked for by their numbers. A feed says
    itself where it goes on: what cannot be asked for there is missing, and an empty page may lead on."""
    url = reading.place.url
    if walk.column.format is not ArchiveFormat.FEED:
        if walk.answer.verdict.outcome is not FetchOutcome.GONE or walk.behind_next is not None:
            return end
        reason = f"the link to the next page leads to {url}, which is not there ({reading.reason})"
        return WalkEnd(
            end=EndKind.FAILED, reason=f"{reason}; if the list ends there, say `stop: {{at_url: {url}}}`"
        )
    if reading.page is NO_PAGE:
        return WalkEnd(
            end=EndKind.FAILED, reason=f"the feed says that it goes on at {url} ({reading.reason})"
        )
    if reading.page.next_url is None:
        return replace(end, ground=_ground_without_next(walk, reading))
    if walk.streaks.alike < FAILED_IN_A_ROW:
        return None
    reason = (
        f"{walk.streaks.alike} pages of the feed in a row list nothing, and the last, {url}, leads on to "
        "another"
    )
    return WalkEnd(end=EndKind.FAILED, reason=reason)


def _ground_without_next(walk: Walk, reading: Reading) -> ProofGround:
    """A feed is worth what it says of itself; whether its total was reached is asked when the walk ends."""
    if walk.column.format is not ArchiveFormat.FEED:
        return ProofGround.NO_NEXT
    if walk.signs.counts.states_total:
        return ProofGround.FEED_TOTAL
    if reading.page.complete:
        return ProofGround.FEED_COMPLETE
    return ProofGround.FEED_PAGES if reading.place.index > walk.contents.feed_at else ProofGround.FEED_ALONE


def _counted(walk: Walk, reading: Reading) -> ArchivePlace | WalkEnd:
    """Until a page is empty, or the values of `{page}` are at an end."""
    following = walk.place(reading.place.index + 1)
    if following is not None:
        return following
    if walk.column.paging.has_names:
        if (
            reading.result is PageResult.REPEATED and walk.streaks.alike == walk.pages - 1
        ):  # so `{page}` chooses nothing there
            return WalkEnd(end=EndKind.LIMIT, reason=reading.reason, ground=ProofGround.SECOND_REPEATS_FIRST)
        return WalkEnd(
            end=EndKind.PROVED, reason="all pages that `values` names were read", ground=ProofGround.LAST_NAME
        )
    if reading.result is not PageResult.EMPTY:
        reason = f"page {reading.place.page}, the last of `values` in the portal file, still has links"
        return WalkEnd(end=EndKind.LIMIT, reason=reason, ground=ProofGround.LAST_VALUE)
    return WalkEnd(
        end=EndKind.PROVED, reason="the last of the named pages is empty", ground=ProofGround.LAST_VALUE
    )


def _up_to_last(walk: Walk, reading: Reading) -> ArchivePlace | WalkEnd:
    """Counted up to the last, which the pager or the portal file names."""
    following, paging = _counted(walk, reading), walk.column.paging
    if paging.values or isinstance(following, WalkEnd):
        return following
    last = paging.last if isinstance(paging.last, int) else walk.contents.last_number
    if last is None:
        if reading.result is PageResult.EMPTY:
            return WalkEnd(
                end=EndKind.PROVED, reason=f"an empty page ({reading.reason})", ground=ProofGround.EMPTY
            )
        return WalkEnd(end=EndKind.PROVED, reason="no pager", ground=ProofGround.NO_PAGER)
    if int(following.page) <= last:
        return following
    if isinstance(paging.last, int) and reading.result is not PageResult.EMPTY:
        reason = f"page {last}, the `last` of the portal file, still has links"
        return WalkEnd(end=EndKind.LIMIT, reason=reason, ground=ProofGround.LAST_VALUE)
    return WalkEnd(end=EndKind.PROVED, reason=f"page {last} is the last", ground=ProofGround.LAST_NUMBER)


def _grown(walk: Walk, reading: Reading) -> ArchivePlace | WalkEnd:
    """One page that a browser lets grow: each step shows what is new since the one before."""
    answer, counts, index = walk.answer, walk.signs.counts, reading.place.index
    if answer.end is not None or (counts.total_reached and not reading.has_links):
        ground = ProofGround.GROWN_TO_TOTAL if counts.total_reached else ProofGround.GROWN
        return WalkEnd(end=EndKind.PROVED, reason=answer.end or ground.value, ground=ground)
    limit = answer.limit or _limit_of_growth(walk, index)
    return (
        place_at(walk.column, walk.interval, index + 1)
        if limit is None
        else WalkEnd(end=EndKind.LIMIT, reason=limit)
    )


def _limit_of_growth(walk: Walk, steps: int) -> str | None:
    """Return why a page that still grows is let grow no further."""
    if walk.barren >= BARREN:
        return f"{BARREN} steps in a row gave no new article link, and the page still grows"
    if steps < _MOST_STEPS:
        return None
    return f"the page still grows after {steps:,} steps; name parts of it as `columns`, each a shorter list"


_FOLLOWING: Mapping[PagingMode, Callable[[Walk, Reading], ArchivePlace | WalkEnd]] = {
    PagingMode.NONE: _only_page,
    PagingMode.NEXT_LINK: _next_linked,
    PagingMode.NUMBERED: _up_to_last,
    PagingMode.INFINITE: _counted,
    PagingMode.EXPANDING: _counted,
    PagingMode.SCROLL: _grown,
    PagingMode.LOAD_MORE: _grown,
}
"""How each mode finds the next page."""
