"""Counts that pages state of their list, and whether the walk has seen as much. Which texts are counts is
known to `extraction/stated_counts.py`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from webarticlecurator.crawling.seen_page import SeenPage
from webarticlecurator.model.links import Stated

_NEARLY = 0.9
"""Share of an answer's total that a walk sees at least where the answer counts something else besides."""


class _PageOfPages(NamedTuple):
    """A page that says which one of how many it is."""

    here: int
    stated: Stated


@dataclass(slots=True)
class SignsOfCounts:
    """Keeps what the first and the last page say, and which links all of them have."""

    grows: bool
    """It is one page in a browser: "5 / 14" counts its articles."""
    from_head: bool = True
    """All pages of the list were read by this walk."""
    pages: int = 0
    """Pages with links."""
    gap: str | None = None
    """Between which two pages articles may be missing."""
    of_whole: frozenset[str] = frozenset()
    """Counts that stand alike on the pages of other dates: they are of the whole column."""
    first: tuple[Stated, ...] = ()
    """Counts on the first page."""
    last: tuple[Stated, ...] = ()
    """Counts on the last page."""
    counted_on: tuple[Stated, ...] = ()
    """Counts on the last page that says which one it is, if it counted on from the page above it."""
    _counts_links: bool = False
    """The first page says something that may be the number of all articles."""
    _listed: set[int] = field(default_factory=set)
    """Hashes of the links of all pages, refused ones included, where they are counted.

    Pages that slide list some twice.
    """

    def take(self, seen: SeenPage) -> None:
        """Take in what a page says, and what it lists."""
        stated = seen.page.stated
        if seen.index == 0:
            self.first = stated
            self._counts_links = not all(map(_counts_pages, stated))
            self._listed.clear()
        if self._counts_links:
            self._listed.update(map(hash, seen.listed))
        if seen.is_next:
            self._compare(seen.url, stated)
        if seen.is_lowest:
            self.last = stated
            self.pages += 1

    def _compare(self, url: str, stated: tuple[Stated, ...]) -> None:
        """Compare what a page says with what the page above it says."""
        above, now = _page_of_pages(self.last), _page_of_pages(stated)
        if above is None or now is None or above.stated.total != now.stated.total:
            return
        if self.gap is None and abs(now.here - above.here) > 1:
            between = "what lies between was not asked for"
            self.gap = (
                f"{url} says {now.stated.text!r}, and the page above it {above.stated.text!r}: {between}"
            )
        self.counted_on = (now.stated,) if now.here == above.here + 1 else ()

    # --- what was reached ---

    @property
    def states_total(self) -> bool:
        """The first page says how many articles there are, and not fewer than were seen."""
        return self._counts_links and all(total >= self.links for total in self._totals())

    @property
    def total_reached(self) -> bool:
        """As many articles were seen as the pages say that there are."""
        if self.grows and any(count.here == count.total and self.moves(count) for count in self.last):
            return True
        return self.links in self._totals()

    def _totals(self) -> list[int]:
        return [count.total for count in self.first if _is_total(count)]

    # --- what was not ---

    def reason_against(self) -> str | None:
        """Return what the pages say of the length of the list, and was not reached."""
        for check in CHECKS:
            for count in check.counts(self):
                if check.holds(self, count):
                    return check.sentence(self, count)
        return None

    @property
    def is_single(self) -> bool:
        """There was one page."""
        return self.pages == 1

    @property
    def links(self) -> int:
        """Links of all pages, where they are counted."""
        return len(self._listed)

    @property
    def counts_down(self) -> bool:
        """The first page says "10 / 10", and the last one "1 / 10"."""
        ends = {count.total for count in _without_items(self.last) if count.here == 1}
        return not self.is_single and any(
            count.here == count.total in ends for count in _without_items(self.first)
        )

    @property
    def counts_up(self) -> bool:
        """The pages say their numbers, and each a higher one."""
        return not (self.grows or self.counts_down)

    def moves(self, count: Stated) -> bool:
        """Say whether it is another than on the first page: else it is no count of pages."""
        on_first = {(first.here, first.total) for first in self.first}
        return self.is_single or (count.here, count.total) not in on_first


class _CountCheck(NamedTuple):
    """One question about a count, and what is said where the answer is yes."""

    counts: Callable[[SignsOfCounts], Sequence[Stated]]
    """The counts that are asked about."""
    holds: Callable[[SignsOfCounts, Stated], bool]
    sentence: Callable[[SignsOfCounts, Stated], str]


def _sees_fewer_links(signs: SignsOfCounts, count: Stated) -> bool:
    """The total of the first page counts: what is published during the walk is the next crawl's."""
    if not signs.from_head or count.text in signs.of_whole:
        return False
    return _counts_articles(signs, count) and signs.links < count.total


def _counts_articles(signs: SignsOfCounts, count: Stated) -> bool:
    """Say whether it is the number of all articles; on several pages a guess may be of another list."""
    if not count.guessed:
        return count.items
    is_much_less = count.for_programs and signs.links < _NEARLY * count.total
    return signs.is_single or not count.items or is_much_less


def _is_first_of_guessed_pages(signs: SignsOfCounts, count: Stated) -> bool:
    return count.guessed and signs.is_single and count.here == 1 < count.total


def _begins_below(signs: SignsOfCounts, count: Stated) -> bool:
    """Say whether the first page says that it is a further one."""
    is_further = _counts_pages(count) and (count.here or 0) > 1
    return signs.counts_up and is_further and (signs.is_single or count not in signs.last)


def _goes_on(signs: SignsOfCounts, count: Stated) -> bool:
    """Say whether the last page says that it is not the last one."""
    if count.guessed or count.here is None or signs.counts_down:
        return False
    return count.here < count.total and signs.moves(count)


def _is_of_more_pages(signs: SignsOfCounts, count: Stated) -> bool:
    """Say whether the last page says of how many pages it is one, and these are more."""
    tells_total = _counts_pages(count) and count.here is None
    return signs.counts_up and tells_total and _sees_fewer_pages(signs, count)


def _is_last_that_counts(signs: SignsOfCounts, count: Stated) -> bool:
    """Say whether the last page says nothing, and one above it of how many pages it is one."""
    return not signs.last and _sees_fewer_pages(signs, count)


def _sees_fewer_pages(signs: SignsOfCounts, count: Stated) -> bool:
    return signs.from_head and signs.pages < count.total


CHECKS = (
    _CountCheck(
        lambda signs: signs.first,
        _sees_fewer_links,
        lambda signs, count: f"the first page says {count.text!r}, and the walk saw {signs.links:,} links",
    ),
    _CountCheck(
        lambda signs: signs.first,
        _is_first_of_guessed_pages,
        lambda _, count: f"the first page says {count.text!r}",
    ),
    _CountCheck(
        lambda signs: signs.first,
        _begins_below,
        lambda _, count: f"the first page says {count.text!r}",
    ),
    _CountCheck(
        lambda signs: signs.last,
        _goes_on,
        lambda signs, count: f"the {'page' if signs.is_single else 'last page'} says {count.text!r}",
    ),
    _CountCheck(
        lambda signs: signs.last,
        _is_of_more_pages,
        lambda signs, count: f"the last page says {count.text!r}, and the walk saw {signs.pages:,} pages",
    ),
    _CountCheck(
        lambda signs: signs.counted_on,
        _is_last_that_counts,
        lambda signs, count: (
            f"a page above the last one says {count.text!r}, and the walk saw {signs.pages:,} pages"
        ),
    ),
)
"""The surest first."""


def _page_of_pages(stated: Sequence[Stated]) -> _PageOfPages | None:
    """Return which page of how many a page says that it is, where it says that in one way."""
    counts = filter(_counts_pages, stated)
    pages = {_PageOfPages(count.here, count) for count in counts if count.here is not None}
    return pages.pop() if len(pages) == 1 else None


def _without_items(stated: Sequence[Stated]) -> list[Stated]:
    """Return the counts that count no articles."""
    return [count for count in stated if not count.items]


def _counts_pages(count: Stated) -> bool:
    return not (count.items or count.guessed)


def _is_total(count: Stated) -> bool:
    return count.items and not count.guessed
