"""What an analysis of a built corpus found of an article: its languages, and which other articles say the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Dedup = Literal["exact", "near"]
"""Articles of which one is kept: those with the same text, or those with nearly the same, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """What is known of one article beside what its page and the rules say."""

    language: str | None = None
    """BCP 47, as its text shows it; None where there is too little text, or too little in it that tells."""
    certainty: float = 0.0
    """From 0 to 1: how probable the model holds that language to be."""
    parts: tuple[tuple[int, str], ...] = ()
    """Top-level blocks in another language than the article's: their number in `blocks` of its line of JSON, from 0, and that language."""
    exact: str | None = None
    """The id of the first article with the same text, which may be this one; None where no other has it."""
    near: str | None = None
    """The id of the first article of its cluster of nearly the same texts, which may be this one; None where it is in none."""


_SAME = {"nb": "no", "nn": "no", "cmn": "zh", "yue": "zh", "wuu": "zh", "iw": "he", "in": "id", "fil": "tl", "arz": "ar", "ary": "ar"}
_SAME |= dict.fromkeys(("bs", "hr", "sr", "sh", "cnr"), "sh")
"""Languages that are declared by more than one name, or told apart by convention: they are no disagreement."""


def primary(tag: str) -> str:
    """The language of a BCP 47 tag, whatever the script or the country: `pt` of `pt-BR`."""
    return tag.replace("_", "-").partition("-")[0].lower()


def same_language(language: str, other: str) -> bool:
    """Whether two BCP 47 tags name one language: regions and scripts do not count, nor names of the same."""
    first, second = primary(language), primary(other)
    return _SAME.get(first, first) == _SAME.get(second, second)
