"""What one export is asked to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Literal

from webarticlecurator.exporting.selection import Selection


class Part(StrEnum):
    """What stands in an article beside its running text."""

    COMMENTS = "comments"
    POSTS = "posts"
    BOXES = "boxes"
    CAPTIONS = "captions"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """How many of the articles that were chosen, and which."""

    size: int
    by: tuple[str, ...] = ()
    """Columns of the table (`exporting.table`): articles that are equal in them are one stratum."""
    seed: int = 0
    equal: bool = False
    """As many of every stratum as of any other; else as many as its share of all articles is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportOptions:
    """The flags of `curator export`, but for the portals and the place of the output."""

    format: str = "jsonl"
    selection: Selection = field(default_factory=Selection)
    sample: Sample | None = None
    dedup: Literal["exact", "near"] | None = None
    parts: frozenset[Part] = frozenset()
    """--with: what is shown beside the running text."""
    headline: bool = True
    """Whether the headline is the first passage of the text."""
    fields: tuple[str, ...] = ()
    """--fields; empty: all that the format has."""
    pseudonymise: frozenset[str] = frozenset()
    """Whose names are replaced: `who` (who posts and who is quoted), `author` (bylines)."""
    key: Path | None = None
    """The file that pseudonyms are made with; None: one in the person's settings folder."""
    per_article: bool = False
    """A file an article, where the format can be both."""
    analyse: bool = False
    """Bring the analysis up to date first, even for a format that shows nothing of it."""
    tokenizer: str = "own"
    """`own` or `spacy`."""
    format_options: Mapping[str, str | bool] = field(default_factory=dict)
    """What only one format understands."""
