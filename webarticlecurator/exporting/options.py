"""What one export is asked to do."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Any, get_args

from webarticlecurator.errors import UsageError
from webarticlecurator.model.analysis import Dedup
from webarticlecurator.model.outcome import DOCUMENTED, PageOutcome


class Part(StrEnum):
    """What stands in an article beside its running text."""

    COMMENTS = "comments"
    POSTS = "posts"
    BOXES = "boxes"
    CAPTIONS = "captions"

    @property
    def one(self) -> str:
        """A single one of them."""
        return "box" if self is Part.BOXES else self.value.removesuffix("s")


WHOSE = ("who", "author")
"""Whose names may be replaced: of whoever posts or is quoted; of the authors of articles."""
_CHOICES: Mapping[str, Sequence[str]] = {
    "outcome": sorted(DOCUMENTED),
    "dedup": get_args(Dedup),
    "with_": [*Part],
    "pseudonymise": WHOSE,
    "names": ("id", "date"),
}
_TEXTS = ("column", "section", "author", "keyword", "layout", "where")
"""Options that are given several times, or once."""
_NAMES = ("language", "kind", "outcome", "by", "with_", "fields", "pseudonymise")
"""What may also be written as `a,b`: names, none of which has a comma."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportOptions:
    """The options of `curator export` by their names there, but for portals and places; UsageError where one cannot be.

    Of the filters all that are given must hold; of the values of one, any.
    """

    to: str = "jsonl"
    """The format."""
    from_: date | None = None
    """The first day of publication."""
    until: date | None = None
    """The last one."""
    column: tuple[str, ...] = ()
    """Of the archive."""
    section: tuple[str, ...] = ()
    author: tuple[str, ...] = ()
    keyword: tuple[str, ...] = ()
    language: tuple[str, ...] = ()
    """BCP 47; `de` is also `de-AT`."""
    kind: tuple[str, ...] = ()
    """Schema.org types, or news, blog, forum."""
    words: str | None = None
    """`100..500`, at least and at most; either may be left out."""
    outcome: tuple[str, ...] = (PageOutcome.ARTICLE,)
    layout: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    """Conditions on fields, as they are written: `headline~híd`."""
    sample: int | None = None
    """How many of the articles that were chosen."""
    by: tuple[str, ...] = ()
    """Columns of the table (`exporting.table`): articles that are equal in them are one stratum of the sample."""
    seed: int = 0
    equal: bool = False
    """As many of every stratum as of any other; else as many as its share of all articles is."""
    dedup: Dedup | None = None
    with_: frozenset[Part] = frozenset()
    """What is shown beside the running text."""
    headline: bool = True
    """Whether the headline is the first passage of the text."""
    fields: tuple[str, ...] = ()
    """Empty: all that the format has."""
    pseudonymise: frozenset[str] = frozenset()
    """Whose names are replaced: `who` (who posts and who is quoted), `author` (bylines)."""
    key: Path | None = None
    """The file that pseudonyms are made with; None: one in the person's settings folder."""
    per_article: bool = False
    """A file an article, where the format can be both."""
    names: str | None = None
    """What files are named after."""
    everything: bool = False
    bom: bool = False
    analyse: bool = False
    """Bring the analysis up to date first, even for a format that shows nothing of it."""

    def __post_init__(self) -> None:
        """Whoever calls from Python writes one value or several, and texts where values have a type."""
        for name in (*_TEXTS, *_NAMES):
            given = getattr(self, name)
            values = (given,) if isinstance(given, str) else tuple(given or ())
            if name in _NAMES:
                values = tuple(part.strip() for value in values for part in value.split(",") if part.strip())
            self._set(name, values)
        for name, known in _CHOICES.items():
            given = getattr(self, name)
            for value in (given,) if isinstance(given, str) else given or ():
                if value not in known:
                    option = name.removesuffix("_")
                    raise UsageError(f"--{option} {value} is unknown. {did_you_mean(value, known)}There are {', '.join(known)}.")
        self._set("from_", _day("--from", self.from_))
        self._set("until", _day("--until", self.until))
        self._set("outcome", self.outcome or (PageOutcome.ARTICLE,))
        self._set("with_", frozenset(map(Part, self.with_)))
        self._set("pseudonymise", frozenset(self.pseudonymise))
        self._set("key", Path(self.key) if self.key is not None else None)
        _ = self.words_between
        if self.sample is None and (self.by or self.equal):
            raise UsageError("--by and --equal say how a sample is drawn; say how large it is with --sample N.")
        if self.from_ is not None and self.until is not None and self.from_ > self.until:
            raise UsageError(f"--from {self.from_} lies after --until {self.until}: no article can be of both.")

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    @property
    def words_between(self) -> tuple[int | None, int | None]:
        """At least and at most."""
        if self.words is None:
            return None, None
        written = re.fullmatch(r"(\d{0,9})\.\.(\d{0,9})", self.words.strip())
        if written is None or not any(written.groups()):
            raise UsageError(f"--words {self.words}: write it as 100..500, 100.. or ..500.")
        at_least, at_most = (int(number) if number else None for number in written.groups())
        if at_least is not None and at_most is not None and at_least > at_most:
            raise UsageError(f"--words {self.words}: no article can have at least {at_least} and at most {at_most}.")
        return at_least, at_most


def _day(option: str, value: date | str | None) -> date | None:
    try:
        return date.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        raise UsageError(f"{option} {value}: this is not a day; write it as 2024-05-01.") from None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A question to somebody who mistyped one of these, if it looks like one; then a blank."""
    near = difflib.get_close_matches(word, list(known), n=1)
    return f"Did you mean {near[0]}? " if near else ""
