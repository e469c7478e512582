"""Texts between the headline and the body of a page that are not read, though nothing says that they are none
of the article.

One page alone does not show whether such a text is its lead or the site's: those of all pages together do.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import partial
from itertools import chain, islice, takewhile
from operator import attrgetter
from typing import NamedTuple

from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.signs import all_hold
from webarticlecurator.extraction.body.tag_rules import ELEMENTS
from webarticlecurator.extraction.page_reading import PageReading
from webarticlecurator.labelling.element_names import PagePart, sure_part
from webarticlecurator.labelling.simplified_tags import tag_of
from webarticlecurator.model.page import Outline
from webarticlecurator.own_patterns import linear

_SHORTEST = 60
"""Characters of a text without elements in it."""
_LONGEST = 1_000
"""Characters of a lead."""
_BEGINNING = 40
"""Characters by which it is known whether a text is read elsewhere."""
_SHOWN = 80
"""Characters of a text by which it is known on other pages."""
_MOST = 3
"""Texts of a page."""
_INLINE = frozenset(ELEMENTS["inline"])
_NO_LEADS = frozenset(
    ("a", "aside", "blockquote", "dialog", "figcaption", "figure", "footer", "form", "li", "nav", "table")
)
_PARTS_OF_ARTICLE = frozenset((None, PagePart.BODY, PagePart.LEAD))
_SENTENCE_END = linear(r"[^\W\d_]\W?[.!?…。！？][\"'”’»)\]]*$")


def texts_above(reading: PageReading, kept: str) -> tuple[str, ...]:
    """Return where each of them stands, and how it begins: "p.intro above div.text: The council met"; `kept`
    is what is read of the page."""
    container, outline = reading.container, reading.page.outline
    if container is None or container.root not in outline.row_of:
        return ()
    body = outline.row_of[container.root]
    headings = outline.rows("h1", "h2")
    headline = (body, *headings[: bisect_left(headings, body)])[-1]
    between = range(outline.strings_in(headline).stop, outline.strings_in(body).start)
    owners = (outline.owners[place] for place in between if outline.lengths[place] >= _SHORTEST)
    rows = dict.fromkeys(map(partial(_block_around, outline), owners))
    texts = map(partial(_TextAbove, outline, body, kept), rows)
    leads = filter(partial(all_hold, _SIGNS), texts)
    return tuple(map(str, islice(leads, _MOST)))


def _block_around(outline: Outline, row: int) -> int:
    while outline.tags[row] in _INLINE:
        row = outline.parents[row]
    return row


class _TextAbove(NamedTuple):
    """A text between headline and body."""

    outline: Outline
    body: int
    kept: str
    row: int

    def __str__(self) -> str:
        place, body = tag_of(self.outline.elements[self.row]), tag_of(self.outline.elements[self.body])
        return f"{place.text} above {body.text}: {self.text[:_SHOWN]}"

    @property
    def text(self) -> str:
        return self.outline.label(self.row, _LONGEST)

    def around(self) -> Iterator[Element]:
        """Yield its element, and those around it in which the body is not."""
        rows = chain((self.row,), self.outline.around(self.row))
        own = takewhile(lambda row: self.outline.ends[row] <= self.body, rows)
        return map(self.outline.elements.__getitem__, own)

    def ends_as_sentence(self) -> bool:
        return _SENTENCE_END.search(self.text) is not None

    def is_not_read(self) -> bool:
        return self.text[:_BEGINNING] not in self.kept

    def is_hardly_linked(self) -> bool:
        links = self.outline.rows_in(self.row, "a")
        return 5 * sum(map(self.outline.length, links)) <= self.outline.length(self.row)

    def may_be_lead_by_tags(self) -> bool:
        return _NO_LEADS.isdisjoint(map(attrgetter("tag"), self.around()))

    def may_be_lead_by_names(self) -> bool:
        return _PARTS_OF_ARTICLE.issuperset(map(_part_of, self.around()))


def _part_of(element: Element) -> PagePart | None:
    return sure_part(element.get("class"), element.get("id"))


_SIGNS = (
    _TextAbove.ends_as_sentence,
    _TextAbove.is_not_read,
    _TextAbove.is_hardly_linked,
    _TextAbove.may_be_lead_by_tags,
    _TextAbove.may_be_lead_by_names,
)
"""Signs of a text that may be a lead."""
