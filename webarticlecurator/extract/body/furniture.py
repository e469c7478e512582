"""What on a page belongs to the site and not to the article: share bars, related articles, newsletter forms, advertisements, comments.

An element's names decide, but only together with its size: a `div.has-comments` around the whole article is no list of comments.
"""

from __future__ import annotations

from collections.abc import Mapping

from webarticlecurator.extract.body.densities import Terrain
from webarticlecurator.extract.body.names import Part

_KEPT = frozenset((Part.BODY, Part.LEAD, Part.CAPTION))
_LARGEST: Mapping[Part, float] = {Part.COMMENTS: 0.9}
"""Share of the running text that an element may hold and still be furniture: comments are often longer than what they comment on."""
_LARGEST_OF_OTHERS = 0.5
_SITE_TAGS = frozenset(("aside", "footer", "form"))
_LISTS = frozenset(("article", "div", "li", "ol", "section", "table", "ul"))
_LONGEST_BYLINE = 200
_LINKS_OF_DOUBTFUL = 0.4
_LINKS_OF_LIST = 0.7
_LINKS_OF_PARAGRAPH = 0.9
_SHORTEST_LIST = 30


class Furniture:
    """Judges the blocks of a page by what they hold of a whole: the page, or the part of it where the article is."""

    def __init__(self, terrain: Terrain, prose: list[float], whole: int) -> None:
        """`prose` says how much running text a row and all below it hold; `whole` is the row that holds the whole."""
        self._terrain = terrain
        self._prose = prose
        self._whole = prose[whole] or 1.0
        self._characters = terrain.summed(terrain.flow)
        self._links = terrain.summed(terrain.linked)

    def reason(self, row: int) -> str | None:
        """Why a block is no part of the article; None if it may be one."""
        if not self._characters[row]:
            return None
        return self._by_names(row) or self._by_tag(row) or self._by_links(row)

    def _by_names(self, row: int) -> str | None:
        role = self._terrain.roles[row]
        if role is None or role.part in _KEPT:
            return None
        if role.part is Part.BYLINE:
            told = self._characters[row] <= _LONGEST_BYLINE
        elif role.certain:
            told = self._share(row) < _LARGEST.get(role.part, _LARGEST_OF_OTHERS)
        else:
            told = self._links[row] > _LINKS_OF_DOUBTFUL * self._characters[row]
        return str(role.part) if told else None

    def _by_tag(self, row: int) -> str | None:
        tag = self._terrain.tags[row]
        return f"<{tag}>" if tag in _SITE_TAGS and self._share(row) < _LARGEST_OF_OTHERS else None

    def _by_links(self, row: int) -> str | None:
        tag, characters, links = self._terrain.tags[row], self._characters[row], self._links[row]
        if tag in _LISTS:
            told = characters > _SHORTEST_LIST and links > _LINKS_OF_LIST * characters
        else:
            told = tag == "p" and links > _LINKS_OF_PARAGRAPH * characters
        return "nothing but links" if told else None

    def _share(self, row: int) -> float:
        return self._prose[row] / self._whole
