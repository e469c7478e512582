"""What leads to an article's text and stands above the element that holds it: headline, leads, and the first picture."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from webarticlecurator.extraction.body.furniture import Furniture
from webarticlecurator.extraction.body.media import is_decoration, picture_address
from webarticlecurator.extraction.body.page_blocks import PageBlocks
from webarticlecurator.labelling.names import PagePart
from webarticlecurator.text import letters_of

_SHORTEST_HEADLINE, _LONGEST_HEADLINE = 10, 500
_LEAD, _NAMED_LEAD, _SENTENCE, _PARAGRAPH = 100, 20, 30, 80
"""Characters of a text above the body that is its lead, and of one that says so; of a sentence, and of a long one."""
_NO_LEAD = frozenset(("figure", "figcaption", "form", "ol", "table", "ul"))
_SENTENCE_END = re.compile(r"""(?:[?!…:？！。।]|(?:[^\s\d]|\d{4})\.)["'”’»“)]*$""")
"""Not the stop of a day: `2014. 3. 31.`."""
_SMALLEST = 150
"""Pixels of a width from which a picture is more than a sign."""
_SIGN = re.compile(r"(?<![a-z])(?:author|avatar|badge|byline|gravatar|icon|logo|profile)(?![a-z])", re.IGNORECASE)
"""In the names of pictures of the site, or of those who write for it."""
_PICTURE_FILE = re.compile(r"\.(?:jpe?g|png|gif|webp|avif)(?:[?#]|$)", re.IGNORECASE)
_COPY = re.compile(r"[?#].*|-(?:\d{2,5}x\d{2,5}|scaled)(?=\.\w+(?:[?#]|$))")
"""What parts the addresses of one picture in several sizes."""
_LONGEST_CAPTION = 800


def headline_row(blocks: PageBlocks, headline: str) -> int | None:
    """The heading that says what the metadata say, else the only `h1`."""
    wanted = letters_of(headline)
    is_short = 0 < len(wanted) <= _SHORTEST_HEADLINE
    alone: list[int] = []
    for outlined in blocks.outline.rows("h1", "h2", "h3"):
        row = blocks.of[outlined]
        if row < 0:
            continue
        text = letters_of(blocks.short_text(row, _LONGEST_HEADLINE))
        if is_short and text == wanted:
            if 2 * sum(blocks.plain[row + 1 :]) > sum(blocks.plain):  # a heading of one word can be that of a box beside the article
                return row
            is_short = False  # the next ones stand even farther down
        if len(text) > _SHORTEST_HEADLINE:
            if wanted.startswith(text):
                return row
            if blocks.tags[row] == "h1":
                alone.append(row)
    return alone[0] if len(alone) == 1 else None


def leads_above(furniture: Furniture, headline: int | None, root: int, description: str) -> list[int]:
    """The rows of leads, and of what stands between two of them in the same block: their headings and lists."""
    blocks, leads = furniture.blocks, list(_leads(furniture, headline, root, description))
    for before, behind in pairwise(tuple(leads)):
        if blocks.parents[before] == blocks.parents[behind]:
            between = (row for row in range(blocks.ends[before], behind) if blocks.parents[row] == blocks.parents[before])
            leads += [
                row
                for row in between
                if blocks.characters[row] and not furniture.reason_inside(row, root) and not furniture.is_mostly_links(row)
            ]
    return sorted(leads)


def _leads(furniture: Furniture, headline: int | None, root: int, description: str) -> Iterator[int]:
    """Running text between headline and body, or what the page's description begins with; where no headline was found, only a long one."""
    blocks, around = furniture.blocks, furniture.blocks.above(root)
    closed, named = set[int](), set[int]()
    for row in range(0 if headline is None else headline + 1, root):
        if row in around:
            continue
        if headline is not None and _is_lead_in_points(furniture, row) and not furniture.reason_inside(row, root):
            closed.add(row)
            yield row
            continue
        no_lead = blocks.tags[row] in _NO_LEAD or blocks.is_part(row, PagePart.CAPTION)
        if no_lead or blocks.parents[row] in closed or furniture.reason(row, root):
            closed.add(row)
            continue
        if blocks.is_part(row, PagePart.LEAD) or blocks.parents[row] in named:
            named.add(row)
        plain = blocks.plain[row]
        if plain < (_LEAD if headline is None else _NAMED_LEAD):
            continue
        says_so = blocks.is_part(row, PagePart.LEAD) or (row in named and plain >= _SENTENCE)
        is_lead = headline is not None and (says_so or (plain >= _LEAD and row in blocks.has_stops))
        if is_lead or ((text := letters_of(blocks.openings[row])) and description.startswith(text)):
            closed.add(row)
            yield row


def _is_lead_in_points(furniture: Furniture, row: int) -> bool:
    """Whether it is a list of sentences, or a heading that is one."""
    blocks, tag = furniture.blocks, furniture.blocks.tags[row]
    if tag in ("ol", "ul"):
        lines = [line for line in blocks.below(row) if blocks.characters[line] and blocks.parents[line] == row]
        are_lines = len(lines) > 1 and min(map(blocks.characters.__getitem__, lines)) >= _SENTENCE
    else:
        lines = [row]
        are_lines = tag in ("h2", "h3", "h4") and row in blocks.has_stops and blocks.flow[row] >= _PARAGRAPH
    return are_lines and not blocks.links[row] and all(_SENTENCE_END.search(blocks.text(line).rstrip()) for line in lines)


def lead_picture(furniture: Furniture, headline: int, root: int, image: str) -> int | None:
    """The row of the first figure, or of the page's `image`, between headline and body, or before both in the same `article`.

    It is none of the site, of its people or of another page, and the body does not show it again.
    """
    blocks, outline = furniture.blocks, furniture.blocks.outline
    above, beside = blocks.above(root), blocks.above(headline)
    first = max((row for row in above & beside if blocks.tags[row] == "article"), default=headline)
    for row in outline.rows("img", "amp-img"):
        place, picture = blocks.of[row], outline.elements[row]
        if not first < place < root or place in above | beside or is_decoration(picture):
            continue
        boxes = blocks.above(place) - above - beside
        figure = min((box for box in boxes if blocks.tags[box] == "figure" or blocks.is_part(box, PagePart.CAPTION)), default=None)
        file, link, width = _file(picture_address(picture) or ""), blocks.links_around[row], picture.get("width") or ""
        shown = place if figure is None and file == _file(image) else figure
        if shown is None or not file or blocks.characters[shown] > (0 if figure is None else _LONGEST_CAPTION):
            continue
        names = f"{picture.get('class') or ''} {blocks.elements[shown].get('class') or ''}"
        is_sign = _SIGN.search(names) is not None or (width.isdecimal() and int(width) < _SMALLEST)
        leads_away = link is not None and not link.startswith("#") and _PICTURE_FILE.search(link) is None
        if is_sign or leads_away or any(furniture.is_beside(box) or furniture.reason(box, root) for box in boxes):
            continue
        if _files(blocks, shown) == [file] and file not in _files(blocks, root):
            return shown
    return None


def _files(blocks: PageBlocks, row: int) -> list[str]:
    """Of the pictures in it, each once."""
    pictures = (blocks.outline.elements[picture] for picture in blocks.outline.rows_in(blocks.rows[row], "img", "amp-img"))
    return list(
        {_file(address) for picture in pictures if (address := picture_address(picture) or "") and not is_decoration(picture, address)}
    )


def _file(address: str) -> str:
    return _COPY.sub("", address).rpartition("/")[2]
