"""The picture above an article's body: which of the page's pictures it is, and the lines beside it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.furniture import Furniture
from webarticlecurator.extraction.body.leads_above import WORDS_OF_TITLE
from webarticlecurator.extraction.body.page_blocks import PageBlocks
from webarticlecurator.extraction.body.signs import all_hold, any_holds
from webarticlecurator.extraction.body.targets import (
    PICTURE_FILE,
    file_of,
    is_decoration,
    picture_file,
    pixels,
)
from webarticlecurator.labelling.element_names import PagePart
from webarticlecurator.own_patterns import linear
from webarticlecurator.text import HEADINGS, letters_of, word_count

_PICTURES = ("img", "amp-img")
_LONGEST_CAPTION = 800
"""Characters of text in a figure."""
_LONGEST_LINES, _NUMBER_OF_LINES = 400, range(1, 4)
"""Characters of lines beside a picture, and how many there may be."""
_WIDEST_SIGN = 150
"""Pixels of a picture that is no more than a sign."""
_SIGN = linear(r"(?<![a-z])(?:author|avatar|badge|byline|gravatar|icon|logo|profile)(?![a-z])", re.IGNORECASE)
"""In the names of pictures of the site, or of those who write for it."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A picture above the body."""

    element: Element
    link: str | None
    """The address of the link in which it stands; None where it stands in none."""
    boxes: frozenset[int]
    """The blocks around it that are around neither headline nor body."""
    shown: int
    """The row of its figure, or of the block in which it stands."""
    is_figure: bool
    is_before: bool
    """True if it stands before the headline, or before the `article` of headline and body."""
    is_of_page: bool
    """True for the picture that the page's data tell."""


class _LeadPicture:
    """Chooses among the pictures above a body."""

    def __init__(self, furniture: Furniture, headline: int, root: int, image: str) -> None:
        self._furniture, self._root = furniture, root
        self._blocks = furniture.blocks
        self._image = picture_file(image)
        above, beside = self._blocks.above(root), self._blocks.above(headline)
        self._around = above | beside
        self._first = max(above & beside & set(self._blocks.tagged("article")), default=headline)
        """Pictures behind this row stand between headline and body, or before both in the same `article`."""
        self._figures = {*self._blocks.tagged("figure"), *self._blocks.by_part[PagePart.CAPTION]}

    def row(self) -> int | None:
        """Return the row of the first figure, or picture of the page's data, against which nothing speaks."""
        for outlined in self._blocks.outline.rows(*_PICTURES):
            place = self._blocks.of[outlined]
            if 0 <= place < self._root and place not in self._around:
                candidate = self._candidate(outlined, place)
                if not any(speaks_against(self, candidate) for speaks_against in _AGAINST.values()):
                    return candidate.shown
        return None

    def _candidate(self, outlined: int, place: int) -> _Candidate:
        boxes = frozenset(self._blocks.above(place) - self._around)
        element = self._blocks.outline.elements[outlined]
        figure = min(boxes & self._figures, default=None)
        if place > self._first and figure not in self._blocks.with_text:
            figure = _with_lines(self._blocks, boxes, figure)
        return _Candidate(
            element=element,
            link=self._blocks.links_around[outlined],
            boxes=boxes,
            shown=place if figure is None else figure,
            is_figure=figure is not None,
            is_before=place <= self._first,
            is_of_page=file_of(element) == self._image,
        )

    # --- what speaks against a picture ---

    def is_any_picture(self, candidate: _Candidate) -> bool:
        """Return True if neither a figure nor the page's data say that it is one of the article's."""
        return not candidate.is_of_page and (candidate.is_before or not candidate.is_figure)

    def is_in_header(self, candidate: _Candidate) -> bool:
        in_header = candidate.is_before and not candidate.is_figure
        return in_header and not candidate.boxes.isdisjoint(self._blocks.tagged("header"))

    def has_much_text(self, candidate: _Candidate) -> bool:
        return self._blocks.characters[candidate.shown] > (_LONGEST_CAPTION if candidate.is_figure else 0)

    def is_small(self, candidate: _Candidate) -> bool:
        return 0 < pixels(candidate.element, "width") < _WIDEST_SIGN

    def is_named_sign(self, candidate: _Candidate) -> bool:
        names = f"{candidate.element.get('class')} {self._blocks.elements[candidate.shown].get('class')}"
        return _SIGN.search(names) is not None

    def leads_away(self, candidate: _Candidate) -> bool:
        link = candidate.link if candidate.link is not None else "#"
        return not link.startswith("#") and PICTURE_FILE.search(link) is None

    def is_decoration(self, candidate: _Candidate) -> bool:
        return is_decoration(candidate.element)

    def is_beside(self, candidate: _Candidate) -> bool:
        return any(map(self._furniture.is_beside, candidate.boxes))

    def is_of_site(self, candidate: _Candidate) -> bool:
        return any(self._furniture.reason(box, self._root) for box in candidate.boxes)

    def is_not_alone(self, candidate: _Candidate) -> bool:
        """Return True if other pictures stand beside it, or it has no file."""
        return _files(self._blocks, candidate.shown) != {file_of(candidate.element)}

    def is_in_body(self, candidate: _Candidate) -> bool:
        return file_of(candidate.element) in _files(self._blocks, self._root)


_AGAINST: dict[str, Callable[[_LeadPicture, _Candidate], bool]] = {
    "nothing says that it is the article's": _LeadPicture.is_any_picture,
    "it stands in the header of the page": _LeadPicture.is_in_header,
    "it stands in a text": _LeadPicture.has_much_text,
    "it is as small as a sign": _LeadPicture.is_small,
    "it is named a sign of the site, or of its people": _LeadPicture.is_named_sign,
    "it leads to another page": _LeadPicture.leads_away,
    "it is no picture by itself": _LeadPicture.is_decoration,
    "it stands in what is named the site's, or hidden": _LeadPicture.is_beside,
    "it stands in what is the site's": _LeadPicture.is_of_site,
    "it is one of several": _LeadPicture.is_not_alone,
    "the body shows it again": _LeadPicture.is_in_body,
}
"""Reasons why a picture is not the one above the body, in the order in which they are asked."""


def lead_picture(furniture: Furniture, headline: int, root: int, image: str) -> int | None:
    """Return the row of the picture above the body, which may be the `image` of the page's data."""
    return _LeadPicture(furniture, headline, root, image).row() if headline >= 0 else None


class _BoxOfPicture(NamedTuple):
    """A box around a picture, in which there may be a few lines about it, and nothing else."""

    blocks: PageBlocks
    row: int

    def holds_picture(self) -> bool:
        return len(self.blocks.inner(self.row, *_PICTURES)) > 0

    def holds_no_links(self) -> bool:
        return not self.blocks.links[self.row]

    def is_short(self) -> bool:
        return self.blocks.characters[self.row] <= _LONGEST_LINES

    @property
    def lines(self) -> list[int]:
        """The rows of the lines in it."""
        return list(_lines_in(self.blocks, self.row))

    def holds_few_lines(self) -> bool:
        """Return True if there are lines beside the picture, such as a caption and a credit."""
        return len(self.lines) in _NUMBER_OF_LINES and self.lines != [self.row]

    def holds_no_heading(self) -> bool:
        return {self.blocks.tags[line] for line in self.lines}.isdisjoint(HEADINGS)

    def is_of_picture(self) -> bool:
        """Return True for one line, and for several of which one is called a caption, or says what the
        picture is said to show: else they may say who wrote the article, and when."""
        return any_holds(_SIGNS_OF_CAPTION, self)

    def holds_one_line(self) -> bool:
        return len(self.lines) == 1

    def is_called_caption(self) -> bool:
        rows = range(self.row, self.blocks.ends[self.row])
        return not set(rows).isdisjoint(self.blocks.by_part[PagePart.CAPTION])

    def says_what_it_shows(self) -> bool:
        said = letters_of(self.blocks.text(self.row))
        shown = {letters_of(picture.get("alt", "")) for picture in self.blocks.inner(self.row, *_PICTURES)}
        return any(text in said for text in shown - {""})

    def says_enough(self) -> bool:
        return word_count(self.blocks.text(self.row)) >= WORDS_OF_TITLE


_SIGNS_OF_CAPTION = (
    _BoxOfPicture.holds_one_line,
    _BoxOfPicture.is_called_caption,
    _BoxOfPicture.says_what_it_shows,
)
_SIGNS_OF_LINES = (
    _BoxOfPicture.holds_no_links,
    _BoxOfPicture.is_short,
    _BoxOfPicture.holds_few_lines,
    _BoxOfPicture.holds_no_heading,
    _BoxOfPicture.is_of_picture,
    _BoxOfPicture.says_enough,
)


def _with_lines(blocks: PageBlocks, boxes: Collection[int], figure: int | None) -> int | None:
    """Return the innermost box with text around a picture, if that is a few lines about it, and nothing else;
    else its figure, if there is one."""
    box = max(blocks.with_text.intersection(boxes), default=None)
    return box if box is not None and all_hold(_SIGNS_OF_LINES, _BoxOfPicture(blocks, box)) else figure


def _lines_in(blocks: PageBlocks, row: int) -> Iterator[int]:
    return filter(blocks.flow.__getitem__, range(row, blocks.ends[row]))


def boxes_of_pictures(blocks: PageBlocks, leads: Collection[int]) -> Iterator[int]:
    """Yield the rows of the boxes above the body that hold a picture and lines about it."""
    boxes = (_BoxOfPicture(blocks, lead) for lead in leads)
    return (box.row for box in boxes if all_hold((_BoxOfPicture.holds_picture, *_SIGNS_OF_LINES), box))


def _files(blocks: PageBlocks, row: int) -> set[str]:
    """Return the files of the pictures in a row."""
    return {file_of(picture) for picture in blocks.inner(row, *_PICTURES) if not is_decoration(picture)} - {
        "",
    }
