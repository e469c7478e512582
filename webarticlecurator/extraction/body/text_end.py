"""What stands at the end of a body and is none of its text: a heading of nothing, the line of author and
date, a link by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from operator import not_

from webarticlecurator.extraction.body.bylines import LONGEST_BYLINE, Bylines
from webarticlecurator.extraction.body.furniture import RELATED, Furniture, JudgedBlock
from webarticlecurator.extraction.body.signs import Sign, constantly, reason_by
from webarticlecurator.labelling.element_names import PagePart
from webarticlecurator.model.metadata import Metadata
from webarticlecurator.own_patterns import linear
from webarticlecurator.text import HEADINGS

_SHOWN = ("amp-img", "audio", "embed", "iframe", "img", "object", "table", "video")
"""Elements that show something beside text, which a heading may be of."""
_OF_NOTHING = "heading of nothing"
"""Reason why a heading is left out behind which there is no text of its own."""
_OF_OTHERS = (Furniture.LINKS, RELATED)
"""Reasons why what a heading is of is left out."""
_MOST_AT_END = 50
"""Texts that are left out one after the other."""
_LONGEST_CALL = 60
"""Characters of a link by itself."""
_SENTENCE_END = linear(r"[^.][.!?。！？]$")
"""The end of a sentence, and not of words that something is to follow: "What to read next ..."."""
_COPYRIGHT = linear(r"^(?:[^\W\d_]{1,12} )?©")
"""The beginning of a line about whose the text is: `Copyright © 2020 ...`."""
_LISTED = frozenset(("blockquote", "dl", "ol", "pre", "table", "ul"))
"""Elements in which no link stands by itself."""
_ADDRESS = linear(r"://|^\S+\.\S+$")
"""A link whose text is its address."""


def left_out_of_rest(
    furniture: Furniture, root: int, metadata: Metadata, inside: Mapping[int, str], *, is_of_links: bool
) -> Iterator[tuple[int, str]]:
    """Yield the texts below a row that are none of the article's, since others are left out: the last ones,
    and the headings of links. `inside`: the rows that are left out, each with the reason."""
    blocks, bylines = furniture.blocks, Bylines(metadata)
    outline, whole = blocks.outline, blocks.rows[root]
    is_out = blocks.flagged(inside)
    is_left = [*map(not_, is_out), False]  # the last one for what is in no block
    # the text of a box may stand behind the blocks in it
    read_last = (
        outline.owners[place] for place in reversed(outline.strings_in(whole)) if outline.lengths[place]
    )
    texts = list(filter(is_left.__getitem__, dict.fromkeys(map(blocks.of.__getitem__, read_last))))
    shown = filter(lambda row: is_left[blocks.of[row]], outline.rows_in(whole, *_SHOWN))
    last_shown = max(shown, default=whole)
    signs = () if is_of_links else SIGNS.values()
    for row, *before in islice(zip(texts, texts[1:], texts[2:], strict=False), _MOST_AT_END):
        why = reason_by(signs, _LastText(furniture, root, row, before, last_shown, bylines))
        if why is None:
            break
        yield row, why
    for head in texts:
        behind = next(filter(is_left.__getitem__, blocks.behind(head)), head)
        is_over = _is_over(blocks.tags[head], blocks.tags[behind])
        if is_over and inside.get(next(blocks.behind(head), root)) in _OF_OTHERS:
            yield head, _OF_NOTHING


def _is_over(head: str, behind: str) -> bool:
    """Return True if the section of a heading ends with what is behind it: another heading, or itself where
    nothing is left."""
    return HEADINGS[0] <= behind <= head <= HEADINGS[-1]


class _LastText(JudgedBlock):
    """The last text of a body, before which others stand."""

    __slots__ = ("before", "bylines", "last_shown")

    def __init__(
        self,
        furniture: Furniture,
        root: int,
        row: int,
        before: Sequence[int],
        last_shown: int,
        bylines: Bylines,
    ) -> None:
        super().__init__(furniture, row, root)
        self.before, self.last_shown, self.bylines = before, last_shown, bylines

    @property
    def text(self) -> str:
        return self.blocks.outline.label(self.blocks.rows[self.row], LONGEST_BYLINE)

    def is_all_there(self) -> bool:
        """Return True if no block with text stands in it."""
        return self.blocks.flow[self.row] == self.characters

    def is_no_known_text(self) -> bool:
        """Return False for what the data of the page say that the article has."""
        return self.row not in self.blocks.known

    def is_last_of_all(self) -> bool:
        """Return True if neither a picture nor the like stands in it or behind it."""
        return self.blocks.rows[self.row] > self.last_shown

    def is_no_sentence(self) -> bool:
        return _SENTENCE_END.search(self.text) is None

    def is_in_no_list_of_headings(self) -> bool:
        """Return False for the last of three headings of one level: they are what the page lists."""
        return {self.tag} != set(map(self.blocks.tags.__getitem__, self.before))

    def is_byline(self) -> bool:
        return self.bylines.is_byline(self.element, self.text)

    def is_of_copyright(self) -> bool:
        return _COPYRIGHT.search(self.text) is not None

    def fits_call(self) -> bool:
        return 0 < self.characters <= _LONGEST_CALL

    def is_all_links(self) -> bool:
        return self.links == self.characters

    def is_only_link_at_end(self) -> bool:
        return not self.furniture.is_links(self.before[0])

    def is_in_no_list(self) -> bool:
        around = chain((self.element,), self.element.iterancestors())
        return _LISTED.isdisjoint(element.tag for element in around)

    def is_no_address(self) -> bool:
        return _ADDRESS.search(self.text) is None


SIGNS: dict[str, Sign[_LastText]] = {
    "teaser": Sign(
        constantly(RELATED),
        (
            _LastText.is_heading,
            _LastText.is_all_there,
            _LastText.is_no_known_text,
            _LastText.is_all_links,
        ),
    ),
    "heading": Sign(
        constantly(_OF_NOTHING),
        (
            _LastText.is_heading,
            _LastText.is_all_there,
            _LastText.is_no_known_text,
            _LastText.is_last_of_all,
            _LastText.is_no_sentence,
            _LastText.is_in_no_list_of_headings,
        ),
    ),
    "byline": Sign(
        constantly(str(PagePart.BYLINE)),
        (
            _LastText.is_all_there,
            _LastText.is_no_known_text,
            _LastText.is_no_sentence,
            _LastText.is_byline,
        ),
    ),
    "copyright": Sign(
        constantly("copyright"),
        (_LastText.is_all_there, _LastText.is_of_copyright),
    ),
    "call": Sign(
        constantly("call"),
        (
            _LastText.fits_call,
            _LastText.is_all_links,
            _LastText.is_all_there,
            _LastText.is_no_known_text,
            _LastText.is_no_heading,
            _LastText.is_only_link_at_end,
            _LastText.is_in_no_list,
            _LastText.is_no_address,
        ),
    ),
}
"""Signs that the last text of a body is none of the article's."""
