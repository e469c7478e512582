"""Links to the sections of an article: which of them stand in one row, and where they say what the article is filed under."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import islice, pairwise, takewhile

from lxml.etree import _Element as Element

from webarticlecurator.extraction.metadata.class_hints import ClassHint, hints_of
from webarticlecurator.text import short_text

_BETWEEN_ITEMS = re.compile(r"\s*[,;·•|/]\s*")
"""Of a list; a path is known by its addresses, and mostly by arrows."""
_NO_WORD, _ICONS = re.compile(r"\W*"), ("i", "span", "svg")
_FOOT_LEVELS, _LONGEST_FILING = 5, 300


def in_a_row(links: Sequence[Element]) -> list[Element]:
    """The first of them that stand beside one another with nothing but a comma or the like between, or each in an item of one list.

    Steps down in items, or parted by arrows, are a path, unless the page itself calls them categories of the article: "Culture > Music".
    """
    among, row = set(links), list[Element]()
    for link in links:
        following: Element | None = link
        while following is not None and following in among and following not in row:
            row.append(following)
            following = _beside(following)
        if len(row) > 1 and (all(map(_is_called_section, row)) or not _are_steps(row)):
            return row
        row.clear()
    return []


def _beside(link: Element) -> Element | None:
    """What stands behind a link in the same list, or at the beginning of the next of several."""
    above = link.getparent()
    is_item = above is not None and above.tag == "li"
    between, behind = link.tail or "", None if is_item else link.getnext()
    while behind is not None and behind.tag in _ICONS and not len(behind) and _NO_WORD.fullmatch(behind.text or ""):
        between, behind = f"{between}{behind.text or ''}{behind.tail or ''}", behind.getnext()
    if behind is not None:
        return behind if (_NO_WORD if _is_called_section(link) else _BETWEEN_ITEMS).fullmatch(between) else None
    following = above.getnext() if above is not None and (is_item or _is_called_section(above)) else None
    if above is None or following is None or following.tag != above.tag:
        return None
    return following[0] if len(following) == 1 and not (following.text or "").strip() else None


def _is_called_section(element: Element) -> bool:
    return ClassHint.SECTION in hints_of(element.get("class") or "")


def _are_steps(links: Sequence[Element]) -> bool:
    """Whether they stand in items, and one leads from each to the next: a section, and one within it."""
    addresses = [(one.get("href") or "").rstrip("/") + "/" for one in links]
    in_items = any(above is not None and above.tag == "li" for above in (one.getparent() for one in links))
    return in_items and any(longer.startswith(shorter) for shorter, longer in pairwise(addresses))


def is_in_foot(element: Element) -> bool:
    return any(
        one.tag == "footer" or ClassHint.FOOT in hints_of(one.get("class") or "") for one in islice(element.iterancestors(), _FOOT_LEVELS)
    )


def is_filed(link: Element, tags: Collection[Element]) -> bool:
    """Whether a box of few words holds it and a tag, or holds what is told of the article, and the link is called a category."""
    boxes = takewhile(lambda box: short_text(box, _LONGEST_FILING) is not None, islice(link.iterancestors(), _FOOT_LEVELS))
    called = _is_called_section(link)
    return any(
        (called and ClassHint.BYLINE in hints_of(box.get("class") or "")) or any(one in tags for one in box.iter("a")) for box in boxes
    )
