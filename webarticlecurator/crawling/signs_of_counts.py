"""What do pages say of the length of their list, and has the walk seen as much?

Which texts are counts is known to `extraction/stated_counts.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from webarticlecurator.crawling.seen_page import SeenPage
from webarticlecurator.model.links import Stated

_NEARLY = 0.9
"""Share of an answer's total that a walk sees at least where the answer counts something else besides."""


class _PageOfPages(NamedTuple):
    """Which page of how many a page says that it is."""

    here: int
    pages: int
    text: str
    """As it is written."""


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
    _first: tuple[Stated, ...] = ()
    _last: tuple[Stated, ...] = ()
    _counted_on: _PageOfPages | None = None
    """The last page that says which one it is, if it counted on from the page above it."""
    _listed: set[int] | None = None
    """Hashes of the links of all pages, refused ones included, where the first page says how many there are.

    Pages that slide list some twice.
    """

    def take(self, seen: SeenPage) -> None:
        """Take in what a page says, and what it lists."""
        stated = seen.page.stated
        if seen.index == 0:
            self._first = stated
            self._listed = set() if any(count.guessed or _is_total(count) for count in stated) else None
        if self._listed is not None:
            self._listed.update(map(hash, seen.listed))
        if seen.is_next:
            self._compare(seen.url, stated)
        if seen.is_lowest:
            self._last = stated
            self.pages += 1

    def _compare(self, url: str, stated: tuple[Stated, ...]) -> None:
        """Compare what a page says with what the page above it says."""
        above, now = _page_of_pages(self._last), _page_of_pages(stated)
        if above is None or now is None or above.pages != now.pages:
            return
        if self.gap is None and abs(now.here - above.here) > 1:
            between = "what lies between was not asked for"
            self.gap = f"{url} says {now.text!r}, and the page above it {above.text!r}: {between}"
        self._counted_on = now if now.here == above.here + 1 else None

    # --- what was reached ---

    @property
    def states_total(self) -> bool:
        """The first page says how many articles there are, and not fewer than were seen."""
        return self._listed is not None and all(total >= len(self._listed) for total in self._totals())

    @property
    def total_reached(self) -> bool:
        """As many articles were seen as the pages say that there are."""
        if self.grows and any(count.here == count.total and self._moves(count) for count in self._last):
            return True
        return self._listed is not None and len(self._listed) in self._totals()

    def _totals(self) -> list[int]:
        return [count.total for count in self._first if _is_total(count)]

    # --- what was not ---

    def reason_against(self) -> str | None:
        """Return what the pages say of the length of the list, and was not reached."""
        return next((reason for check in CHECKS for reason in check(self)), None)

    @property
    def is_single(self) -> bool:
        """There was one page."""
        return self.pages == 1

    @property
    def links(self) -> int:
        """Links of all pages, where they are counted."""
        return len(self._listed) if self._listed is not None else 0

    def _fewer_links(self) -> Iterator[str]:
        """The total of the first page counts: what is published during the walk is the next crawl's."""
        for count in self._first if self.from_head else ():
            is_of_list = count.text not in self.of_whole and self._counts_links(count)
            if is_of_list and self.links < count.total:
                yield f"the first page says {count.text!r}, and the walk saw {self.links:,} links"

    def _counts_links(self, count: Stated) -> bool:
        """Say whether it is the number of all articles; on several pages a guess may be of another list."""
        if not count.guessed:
            return count.items
        is_much_less = count.for_programs and self.links < _NEARLY * count.total
        return self.is_single or not count.items or is_much_less

    def _guessed_pages(self) -> Iterator[str]:
        for count in self._first:
            if count.guessed and self.is_single and count.here == 1 < count.total:
                yield f"the first page says {count.text!r}"

    def _begins_below(self) -> Iterator[str]:
        """The first page says that it is a further one."""
        if self.grows or self._counts_down:
            return
        for count in self._first:
            is_further = _counts_pages(count) and (count.here or 0) > 1
            if is_further and (self.is_single or count not in self._last):
                yield f"the first page says {count.text!r}"

    def _goes_on(self) -> Iterator[str]:
        """The last page says that it is not the last one."""
        for count in () if self._counts_down else self._last:
            is_reached = count.here is None or count.here >= count.total
            if not (count.guessed or is_reached) and self._moves(count):
                yield f"the {'page' if self.is_single else 'last page'} says {count.text!r}"

    def _fewer_pages(self) -> Iterator[str]:
        """The last page says of how many pages it is one."""
        if self._counts_down or self.grows or not self.from_head:
            return
        for count in self._last:
            if _counts_pages(count) and count.here is None and self.pages < count.total:
                yield f"the last page says {count.text!r}, and the walk saw {self.pages:,} pages"

    def _fewer_than_counted_on(self) -> Iterator[str]:
        """A page above the last one says of how many it is one, and the last one says nothing."""
        counted = self._counted_on
        if counted is not None and self.from_head and not self._last and self.pages < counted.pages:
            yield f"a page above the last one says {counted.text!r}, and the walk saw {self.pages:,} pages"

    @property
    def _counts_down(self) -> bool:
        """The first page says "10 / 10", and the last one "1 / 10"."""
        ends = {count.total for count in self._last if count.here == 1 and not count.items}
        begins = [count for count in self._first if not count.items]
        return not self.is_single and any(count.here == count.total in ends for count in begins)

    def _moves(self, count: Stated) -> bool:
        """Say whether it is another than on the first page: else it is no count of pages."""
        on_first = {(first.here, first.total) for first in self._first}
        return self.is_single or (count.here, count.total) not in on_first


CHECKS: tuple[Callable[[SignsOfCounts], Iterator[str]], ...] = (
    SignsOfCounts._fewer_links,
    SignsOfCounts._guessed_pages,
    SignsOfCounts._begins_below,
    SignsOfCounts._goes_on,
    SignsOfCounts._fewer_pages,
    SignsOfCounts._fewer_than_counted_on,
)


def _page_of_pages(stated: Sequence[Stated]) -> _PageOfPages | None:
    """Return which page of how many a page says that it is, where it says that in one way."""
    counts = filter(_counts_pages, stated)
    pages = {_PageOfPages(count.here, count.total, count.text) for count in counts if count.here is not None}
    return pages.pop() if len(pages) == 1 else None


def _counts_pages(count: Stated) -> bool:
    return not (count.items or count.guessed)


def _is_total(count: Stated) -> bool:
    return count.items and not count.guessed
