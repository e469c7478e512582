"""Text that nearly all values of a rule have in common, and that is no part of them: a label before, a mark
behind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import chain

from webarticlecurator.building.document_sample import NEARLY_ALL

TOPICS = ("articleSection", "keywords")
"""Portals call these in many ways; only one and the same on every page is none."""
DIFFERENT = 4
"""Values that have no word in common by chance."""
_ENDS = ".?!…\"”“’‘'»«)]%"
"""Marks that end headlines."""
_Lines = Mapping[str, str]
"""All values of a document, and the first of them."""


def _of_several(values: _Lines) -> list[list[str]]:
    return [whole.split("; ") for whole in values if "; " in whole]


def _first_words(values: _Lines) -> list[list[str]]:
    return [value.split()[:1] for value in values.values()]


def _last_words(values: _Lines) -> list[list[str]]:
    return [value.split()[-1:] for value in values.values()]


def _marks_behind(values: _Lines) -> list[list[str]]:
    lasts = [value[-1:] for value in values.values()]
    return [[mark] for mark in lasts if mark and not mark.isalnum() and mark not in _ENDS]


def _marks_before(values: _Lines) -> list[list[str]]:
    firsts = [value[:1] for value in values]
    return [[mark] for mark in firsts if mark and not mark.isalnum()]


_IN_COMMON = (_of_several, _first_words, _last_words, _marks_before)
_OF_HEADLINES = (_marks_behind, _marks_before)
_ONLY_LABELS = {
    ("articleSection", _of_several),
    ("headline", _marks_before),
    *((field, _last_words) for field in TOPICS),
}
"""Fields whose values may have a part in common, unless that ends as a label does; and where it stands."""


def in_common(field: str, values: _Lines) -> str:
    """Return what nearly all of different values have: the word that names begin or end with, one among
    several names, a mark behind headlines, a label before topics."""
    if len(values) < DIFFERENT:
        return ""
    topics_of_words = field in TOPICS and not all(" " in value for value in values.values())
    for parts_of in _OF_HEADLINES if field == "headline" else _IN_COMMON:
        only_labels = (field, parts_of) in _ONLY_LABELS or (topics_of_words and parts_of is _first_words)
        times = Counter(chain.from_iterable(map(dict.fromkeys, parts_of(values))))
        part, most = times.most_common(1)[0] if times else ("", 0)
        if most >= NEARLY_ALL * len(values) and (not only_labels or part.endswith((":", "："))):
            return part
    return ""
