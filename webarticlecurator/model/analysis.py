"""What an analysis of a built corpus found of an article: its language, and which other articles say the same."""

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
    exact: str | None = None
    """The id of the first article with the same text, which may be this one; None where no other has it."""
    near: str | None = None
    """The id of the first article of its cluster of nearly the same texts, which may be this one; None where it is in none."""
