"""Values that a page does not say and its text shows: an excerpt for the description, and the first picture.

They are made when the text is read: what finds the text goes by what the page says alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, islice
from operator import methodcaller

from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.structure import unwrapped
from webarticlecurator.extraction.body.targets import file_of, picture_file, pixels
from webarticlecurator.extraction.threads import ordered_fields
from webarticlecurator.model.article import Block, plain_text
from webarticlecurator.model.metadata import OF_BODY, Found, Metadata
from webarticlecurator.own_patterns import linear_at

_SMALL = range(1, 100)
"""Pixels of the longer side of what says that it is no picture of an article."""
_BEGINNING = linear_at(
    r".{60,300}\Z|.{59,299}[.!?…。！？][\"'”’»)\]]{0,3}(?=\s)|(?P<words>.{59,299}\S(?=\s)|.{300})", re.DOTALL
)
"""A whole paragraph that is short enough, else as many of its first sentences as fit, else of its words."""


def with_values_of_body(
    metadata: Metadata, blocks: Iterable[Block], roots: Iterable[Element], ruled: Collection[str]
) -> Metadata:
    """Return the metadata with what the blocks of an article show of it where no source says it; `roots`: the
    elements that they stand in.

    A person who has a rule for a field (`ruled`) decides of it.
    """
    top = unwrapped(blocks, "lead", "gallery")
    shown = {
        "description": tuple(islice(_excerpts(top), 1)),
        "image": tuple(islice(_pictures(top, roots), 1)),
    }
    return ordered_fields({**shown, **dict.fromkeys(ruled, ()), **metadata})


def _excerpts(blocks: Sequence[Block]) -> Iterator[Found]:
    """Yield how each paragraph of running text begins."""
    texts = (plain_text(block) for block in blocks if block.type == "paragraph")
    for match in filter(None, map(_BEGINNING.match, texts)):
        sign = "…" * bool(match["words"])
        yield Found(value=f"{match[0]}{sign}", raw=match[0], source=f"{OF_BODY}first-paragraph")


def _pictures(blocks: Sequence[Block], roots: Iterable[Element]) -> Iterator[Found]:
    """Yield the pictures that do not say that they are small."""
    images = chain.from_iterable(map(methodcaller("iter", "img"), roots))
    small = set(map(_bare_file, map(file_of, filter(_is_small, images))))
    urls = (block.url for block in blocks if block.type == "figure")
    for url in filter(None, urls):
        if _bare_file(picture_file(url)) not in small:
            yield Found(value=url, raw=url, source=f"{OF_BODY}first-picture")


def _is_small(image: Element) -> bool:
    return max(pixels(image, "width"), pixels(image, "height")) in _SMALL


def _bare_file(file: str) -> str:
    """Return the file of a picture without its folder, by which it is known whether its whole address is
    written or not."""
    return file.rpartition("/")[2]
