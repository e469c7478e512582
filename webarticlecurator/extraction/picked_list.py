"""The list on a page of which rules picked links, and the elements that hold it."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice

from lxml.etree import _Element as Element

from webarticlecurator.model.page import Outline

HOLDERS = 4
"""Number of elements around a list that may hold what belongs to it."""
_ITEM_TAGS = frozenset({"article", "dd", "dl", "li", "section", "td", "tr"})
"""Tags of items of a list; they tell of a list that has a single item."""


@dataclass(frozen=True, eq=False)
class PickedList:
    """The picked links of a page, by their rows in its outline."""

    outline: Outline
    links: tuple[int, ...]
    """Rows of the picked links, in page order."""
    by_rule: frozenset[int]
    """Rows of what an `item` rule matched."""

    @classmethod
    def of(cls, outline: Outline, links: Iterable[Element], items: Iterable[Element]) -> PickedList:
        """Return the list of these links and items.

        Those that do not stand on the page itself are left out.
        """
        return cls(outline, tuple(sorted(_rows_of(outline, links))), frozenset(_rows_of(outline, items)))

    def around(self, row: int) -> Iterator[int]:
        """Give a row and those of the elements around it, the nearest first."""
        yield row
        yield from self.outline.around(row)

    @cached_property
    def holding(self) -> Counter[int]:
        """Return how many picked links stand in each element that holds any."""
        return Counter(row for link in self.links for row in self.around(link))

    @cached_property
    def outermost(self) -> dict[int, int]:
        """Return for each link the outermost element that holds no other."""
        rows = {}
        for link in self.links:
            row = link
            while self.holding[self.outline.parents[row]] == 1:
                row = self.outline.parents[row]
            rows[link] = row
        return rows

    @cached_property
    def items(self) -> frozenset[int]:
        """Return the items: what the rule matched, and what holds one link and no other."""
        rows = self.by_rule.union(self.outermost.values())
        return frozenset(row for row in rows if self.outline.parents[row] >= 0)

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Return the first row of each item, and the row behind it; one that stands in another is left
        out."""
        beside = Counter(self.outline.parents[row] for row in self.items)
        spans: list[tuple[int, int]] = []
        end = 0
        for row in sorted({*self.by_rule, *(self._item_of(link, beside) for link in self.links)}):
            if row >= end:
                end = self.outline.ends[row]
                spans.append((row, end))
        return spans

    def _item_of(self, link: int, beside: Counter[int]) -> int:
        """Return the row of a link's item: it has others beside it, or is of a kind that items are of."""
        outermost = self.outermost[link]
        if beside[self.outline.parents[outermost]] > 1:
            return outermost
        for row in self.outline.around(link):
            if self.outline.tags[row] in _ITEM_TAGS and row >= outermost:
                return row
        return link

    def in_item(self, row: int) -> bool:
        """Say whether an element stands in an item of the list."""
        place = bisect_right(self.spans, (row, len(self.outline.tags))) - 1
        return place >= 0 and row < self.spans[place][1]

    @property
    def end(self) -> int:
        """Return the row behind the last item, or behind the page where nothing was picked."""
        return self.spans[-1][1] if self.spans else len(self.outline.tags)

    @cached_property
    def holders(self) -> tuple[int, ...]:
        """Return the nearest elements that hold all picked links."""
        if not self.links:
            return ()
        around = self.outline.around(self.links[0])
        return tuple(islice((row for row in around if self.holding[row] == len(self.links)), HOLDERS))

    @property
    def beside(self) -> list[int]:
        """Return what stands next to the list, and next to its nearest holder."""
        children = chain.from_iterable(
            self.outline.elements[row].iterchildren("*") for row in self.holders[:2]
        )
        return [self.outline.row_of[child] for child in children]

    def item_above(self, row: int) -> int | None:
        """Return the row of the last item before an element; None if another of its holder follows."""
        place = bisect_right(self.spans, (row, row)) - 1
        if place < 0 or row < self.spans[place][1]:
            return None
        above = self.spans[place][0]
        parents, following = self.outline.parents, self.spans[place + 1 : place + 2]
        is_between = any(parents[row] == parents[above] for row, _ in following)
        return None if is_between else above


def _rows_of(outline: Outline, elements: Iterable[Element]) -> set[int]:
    """Return the rows of those of the elements that stand on the page itself."""
    return {outline.row_of[element] for element in outline.row_of.keys() & set(elements)}
