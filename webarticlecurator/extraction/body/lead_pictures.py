"""The picture beside the headline, where it stands above the element that holds the text: it is the article's, too."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import islice

from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.furniture import Furniture
from webarticlecurator.extraction.body.media import is_decoration, picture_address
from webarticlecurator.extraction.body.page_blocks import PageBlocks
from webarticlecurator.labelling.names import PagePart

_SMALLEST = 150
"""Pixels of a width from which a picture is more than a sign."""
_SIGN = re.compile(r"(?<![a-z])(?:author|avatar|badge|byline|gravatar|icon|logo|profile)(?![a-z])", re.IGNORECASE)
"""In the names of pictures of the site, or of those who write for it."""
_PICTURE_FILE = re.compile(r"\.(?:jpe?g|png|gif|webp|avif)(?:[?#]|$)", re.IGNORECASE)
_COPY = re.compile(r"[?#].*|-(?:\d{2,5}x\d{2,5}|scaled)(?=\.\w+(?:[?#]|$))")
"""What parts the addresses of one picture in several sizes."""
_LONGEST_CAPTION = 800
_MOST_PICTURES, _MOST_LOOKED_AT, _AROUND = 200, 50, 6


def lead_picture(blocks: PageBlocks, furniture: Furniture, headline: int, root: int, image: str) -> int | None:
    """The row of the first figure, or of the first picture that is the page's `image`; None if the body shows it again.

    It stands between headline and body, or before both in the same `article`. A link makes it the picture of another page.
    """
    shown: Collection[str] | None = None
    for row in islice(_pictured(blocks, furniture, headline, root), _MOST_LOOKED_AT):
        files = _files(blocks.elements[row])
        is_figure = blocks.tags[row] == "figure" or blocks.is_part(row, PagePart.CAPTION)
        captioned = furniture.characters(row) <= (_LONGEST_CAPTION if is_figure else 0)
        if len(files) != 1 or not captioned or not (is_figure or files == {_name(image)}):
            continue
        shown = _files(blocks.elements[root]) if shown is None else shown
        if files.isdisjoint(shown) and all(map(_is_own, _pictures(blocks.elements[row]))):
            return row
    return None


def _pictured(blocks: PageBlocks, furniture: Furniture, headline: int, root: int) -> Iterator[int]:
    """The rows that have a picture and may be of the article."""
    above, beside = blocks.above(root), blocks.above(headline)
    around, row = above | beside, max((one for one in above & beside if blocks.tags[one] == "article"), default=headline) + 1
    while row < root:
        if row in around:
            row += 1
        elif furniture.is_beside(row) or furniture.reason(row, root) or next(_pictures(blocks.elements[row]), None) is None:
            row = blocks.ends[row]
        else:
            yield row
            row += 1


def _files(element: Element) -> frozenset[str]:
    return frozenset(map(_file, islice(_pictures(element), _MOST_PICTURES)))


def _pictures(element: Element) -> Iterator[Element]:
    return (image for image in element.iter("img", "amp-img") if not is_decoration(image))


def _file(image: Element) -> str:
    return _name(picture_address(image) or "")


def _name(address: str) -> str:
    return _COPY.sub("", address).rpartition("/")[2]


def _is_own(image: Element) -> bool:
    """Whether neither size nor names nor a link say that a picture is of the site, of its people or of another page."""
    around = (image, *islice(image.iterancestors(), _AROUND))
    width = image.get("width") or ""
    small = width.isdecimal() and int(width) < _SMALLEST
    signs = any(_SIGN.search(one.get("class") or "") for one in around[:2])
    links = (one.get("href") or "" for one in around if one.tag == "a")
    return bool(_file(image)) and not small and not signs and all(map(_shows_it_alone, links))


def _shows_it_alone(link: str) -> bool:
    return link.startswith("#") or _PICTURE_FILE.search(link) is not None
