"""What on a page belongs to the site and not to the article: share bars, related articles, newsletter forms, advertisements, comments.

An element's names decide, but only together with its size: a `div.has-comments` around the whole article is no list of comments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from webarticlecurator.extraction.body.densities import Terrain
from webarticlecurator.extraction.body.names import Part
from webarticlecurator.extraction.body.phrases import is_label, leads_away

_KEPT = frozenset((Part.BODY, Part.LEAD, Part.CAPTION))
_LARGEST: Mapping[Part, float] = {Part.COMMENTS: 0.9}
"""Share of the running text that an element may hold and still be furniture: comments are often longer than what they comment on."""
_LARGEST_OF_OTHERS = 0.5
_SITE_TAGS = frozenset(("aside", "footer", "form"))
_LISTS = frozenset(("article", "div", "li", "ol", "section", "table", "ul"))
_LONGEST_BYLINE = 200
_LINKS_OF_DOUBTFUL = 0.5
_LINKS_OF_LIST = 0.7
_SHORTEST_LIST = 30
_LONGEST_LABEL = 45
_LONGEST_BOX = 600
_LINKS_OF_BOX = 0.2


class Furniture:
    """Judges the blocks of a page by their names and by what they hold of it."""

    def __init__(self, terrain: Terrain, prose: list[float]) -> None:
        """`prose` says how much running text each row and all below it hold."""
        self._terrain = terrain
        self._prose = prose
        self._characters = terrain.summed(terrain.flow)
        self._links = terrain.summed(terrain.linked)
        self._openings = _all_openings(terrain)
        self._more_text_than_links = self._balance_of_lists()

    def reason(self, row: int, whole: int = 0) -> str | None:
        """Why a block is no part of the article, which is somewhere in the row `whole`; None if it may be one."""
        if not self._characters[row]:
            return None
        return self._by_names(row, whole) or self._by_tag(row, whole) or self._by_links(row, whole)

    def _by_names(self, row: int, whole: int) -> str | None:
        role = self._terrain.roles[row]
        if role is None or role.part in _KEPT:
            return None
        if role.part is Part.BYLINE:
            told = self._characters[row] <= _LONGEST_BYLINE
        elif role.certain:
            told = self._prose[row] < _LARGEST.get(role.part, _LARGEST_OF_OTHERS) * self._prose[whole]
        else:
            told = self._links[row] > _LINKS_OF_DOUBTFUL * self._characters[row]
        return str(role.part) if told else None

    def _by_tag(self, row: int, whole: int) -> str | None:
        tag = self._terrain.tags[row]
        return f"<{tag}>" if tag in _SITE_TAGS and self._prose[row] < _LARGEST_OF_OTHERS * self._prose[whole] else None

    def _by_links(self, row: int, whole: int) -> str | None:
        told = (
            self._terrain.tags[row] in _LISTS
            and self._characters[row] > _SHORTEST_LIST
            and self._is_links(row)
            and self._prose[row] < _LARGEST_OF_OTHERS * self._prose[whole]
            and not self._is_among_text(row)
        )
        return "nothing but links" if told else None

    def _is_links(self, row: int) -> bool:
        return self._links[row] > _LINKS_OF_LIST * self._characters[row]

    def _is_among_text(self, row: int) -> bool:
        """Whether it is an item of a list of which at least half is text: there a link is an item like the others."""
        return self._terrain.tags[row] == "li" and self._more_text_than_links[self._terrain.parents[row]] >= 0

    def _balance_of_lists(self) -> Counter[int]:
        """For each list how many more items of text than links it has."""
        balance: Counter[int] = Counter()
        for row, tag in enumerate(self._terrain.tags):
            if tag == "li" and self._characters[row]:
                balance[self._terrain.parents[row]] += -1 if self._is_links(row) else 1
        return balance

    def reason_by_words(self, row: int) -> str | None:
        """The same by how its text begins; asked only of what is inside the article."""
        characters, links, opening = self._characters[row], self._links[row], self._openings.get(row)
        if opening is None:
            return None
        if not links:
            return "label" if characters <= _LONGEST_LABEL and characters == len(opening.strip()) and is_label(opening) else None
        return leads_away(opening) if characters <= _LONGEST_BOX and links > _LINKS_OF_BOX * characters else None


def _all_openings(terrain: Terrain) -> dict[int, str]:
    """A block without text of its own begins as the first block in it that has some."""
    openings = dict(terrain.openings)
    for row in range(len(terrain) - 1, 0, -1):
        parent = terrain.parents[row]
        if row in openings and parent not in terrain.openings:
            openings[parent] = openings[row]
    return openings
