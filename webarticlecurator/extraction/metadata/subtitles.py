"""The line below a headline that is a second one: a smaller heading right behind it, both in one `header` or `hgroup`.

A long sentence with its full stop is a lead, and stays in the text.
"""

from __future__ import annotations

from lxml.etree import _Element as Element

from webarticlecurator.extraction.metadata.class_hints import ClassHint, hints_of
from webarticlecurator.text import short_text

LONGEST_SUBTITLE = 300
_LONG_SENTENCE = 100
_LEVELS = ("h1", "h2", "h3", "h4", "h5", "h6")
_OF_OTHER_THINGS = ("a", "time", "img")
"""Where one of these stands in it, it is a byline, a sign, or the heading of what follows."""
_NO_SUBTITLE = frozenset((ClassHint.AUTHOR, ClassHint.BYLINE, ClassHint.DATE, ClassHint.TAGS, ClassHint.SECTION, ClassHint.OUTSIDE))


def subtitle_below(headline: Element) -> Element | None:
    """What stands there, if it is one."""
    header, below = headline.getparent(), headline.getnext()
    if header is None or header.tag not in ("header", "hgroup") or below is None or (headline.tail or "").strip():
        return None
    smaller = headline.tag in _LEVELS and below.tag in _LEVELS[_LEVELS.index(headline.tag) + 1 :]
    if not smaller and not (header.tag == "hgroup" and below.tag == "p"):
        return None
    text = short_text(below, LONGEST_SUBTITLE) or ""
    is_lead = len(text) >= _LONG_SENTENCE and text.endswith(".")
    is_named_otherwise = not _NO_SUBTITLE.isdisjoint(hints_of(below.get("class") or ""))
    if not text or is_lead or is_named_otherwise or next(below.iter(*_OF_OTHER_THINGS), None) is not None:
        return None
    return below
