"""Which elements of a page are worth an example: those of tags that have too few, and the first of a node."""

from __future__ import annotations

from webarticlecurator.survey.counting.container_rows import Rows
from webarticlecurator.survey.counting.context import Context
from webarticlecurator.survey.counting.observations import MOST_EXAMPLES, Observations, keep_example
from webarticlecurator.survey.counting.observed import PlacedExample
from webarticlecurator.survey.counting.path_tree import Year
from webarticlecurator.survey.inventory.results import Example

_MOST_TAGS, _MOST_NODES = 30_000, 200_000
"""Of which is remembered what was shown."""


class Examples:
    """What one process has shown already, in whatever tally: no page is taken apart for an example that nobody will keep."""

    def __init__(self) -> None:
        self._shown: dict[str, list[PlacedExample]] = {}
        self._paths: set[int] = set()

    def show(self, rows: Rows, nodes: list[int], fresh: list[int], year: Year, url: str, into: Observations) -> None:
        """Add the examples of one container."""
        wanted, first = self._wanted(rows, nodes, year, url, into), [row for row in fresh if self._is_first(nodes[row], into)]
        if not wanted and not first:
            return
        context = Context(rows.elements[0], url)
        for tag, row in wanted.items():
            keep_example(_bare(year, url), self._shown.setdefault(tag, []))
            into.show(tag, PlacedExample(node=nodes[row], year=year, example=context.example(rows.elements[row])))
        for row in first:
            into.first_examples[nodes[row]] = context.example(rows.elements[row])

    def _wanted(self, rows: Rows, nodes: list[int], year: Year, url: str, into: Observations) -> dict[str, int]:
        """Tags with the row to be shown: the first one with words, else the first."""
        if len(self._shown) > _MOST_TAGS:
            self._shown.clear()
        spots, words = into.tree.spots, rows.words
        tags = {spots[node].text for node in set(nodes[1:])}
        wanted = {tag for tag in tags if self._is_wanted(tag, year, url)}
        chosen: dict[str, int] = {}
        for row in range(1, len(rows) if wanted else 1):
            tag = spots[nodes[row]].text
            if tag in wanted:
                best = chosen.setdefault(tag, row)
                if words[row] and not words[best]:
                    chosen[tag] = row
        return chosen

    def _is_wanted(self, tag: str, year: Year, url: str) -> bool:
        shown = self._shown.get(tag)
        if shown is None:
            return True
        if len(shown) == MOST_EXAMPLES and any(one.year == year for one in shown):
            return False  # by far the most frequent answer, so it comes cheap
        return keep_example(_bare(year, url), list(shown))

    def _is_first(self, node: int, into: Observations) -> bool:
        """Whether no element of such a path was shown before."""
        path = 0
        place = node
        while place >= 0:
            path = hash((path, into.tree.spots[place].key))
            place = into.tree.parents[place]
        if path in self._paths or into.tree.spots[node].is_more:
            return False
        if len(self._paths) > _MOST_NODES:
            self._paths.clear()
        self._paths.add(path)
        return True


def _bare(year: Year, url: str) -> PlacedExample:
    """As much of an example as decides whether it is kept."""
    return PlacedExample(node=0, year=year, example=Example(url=url))
