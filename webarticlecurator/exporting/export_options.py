"""The options of one export."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from webarticlecurator.errors import UsageError
from webarticlecurator.model.outcome import DOCUMENTED, PageOutcome
from webarticlecurator.written_options import TypedAs


class Part(StrEnum):
    """A kind of content that an export may show or leave out."""

    HEADLINE = "headline"
    LEAD = "lead"
    BODY = "body"
    """The text that stands in none of the other parts."""
    QUOTES = "quotes"
    LISTS = "lists"
    COMMENTS = "comments"
    POSTS = "posts"
    TABLES = "tables"
    BOXES = "boxes"
    CAPTIONS = "captions"
    LINKS = "links"
    """Addresses of links, where a format can show them."""
    IMAGES = "images"
    """Addresses of pictures, the same."""

    @property
    def one(self) -> str:
        """A single one of them."""
        return "box" if self is Part.BOXES else self.value.removesuffix("s")


USUALLY_SHOWN = frozenset(
    {Part.HEADLINE, Part.LEAD, Part.BODY, Part.QUOTES, Part.LISTS, Part.POSTS, Part.TABLES}
)
"""Parts that are text of the article: they are left out only where somebody says so."""
OF_TEXT = frozenset(Part) - {Part.LINKS, Part.IMAGES}
"""Parts that are text."""
ALL = "all"
"""The word for all of these."""
Dedup = Literal["exact", "near"]
"""Articles of which one is kept: those with the same text, or those with nearly the same, too."""
_chosen = partial(TypedAs, group="Which articles")
WHOSE = ("who", "author")
"""The people whose names may be replaced: whoever posts or is quoted; the authors of articles."""
_CHOICES: Mapping[str, Sequence[str]] = {
    "outcome": sorted(DOCUMENTED),
    "dedup": get_args(Dedup),
    "parts": [ALL, *sorted(OF_TEXT)],
    "with_": [*Part],
    "without": sorted(USUALLY_SHOWN - {Part.BODY}),
    "pseudonymise": WHOSE,
    "names": ("id", "date"),
}
_NAMES = ("outcome", "by", "parts", "with_", "without", "fields", "pseudonymise")
"""The options that may also be written as `a,b`: they take names, none of which has a comma."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportOptions:
    """The options of an export, typed as it stands here; UsageError where one cannot be.

    Of the filters all that are given must hold; of the values of one, any.
    """

    to: str = "jsonl"
    """The format."""
    from_: Annotated[date | None, _chosen("--from", "Published on this day or later.", "DAY")] = None
    until: Annotated[date | None, _chosen("--until", "Published on this day or before.", "DAY")] = None
    outcome: Annotated[
        tuple[str, ...], _chosen("--outcome", "article, or paywall (what is seen before a wall)", "OUTCOME")
    ] = (PageOutcome.ARTICLE,)
    where: Annotated[
        tuple[str, ...],
        _chosen("--where", "FIELD=VALUE, !=, ~REGEX, !~, >=, <=, >, <; all must hold", "CONDITION"),
    ] = ()
    sample: Annotated[
        int | None, _chosen("--sample", "Only N of those that are left, drawn by chance.", "N", least=1)
    ] = None
    by: Annotated[
        tuple[str, ...], _chosen("--by", "Draw from each value of these fields its share", "FIELD,...")
    ] = ()
    seed: Annotated[int, _chosen("--seed", "Another seed, another sample; the same, the same.", "S")] = 0
    equal: Annotated[bool, _chosen("--equal", "Draw as many from each instead.")] = False
    dedup: Annotated[
        Dedup | None, _chosen("--dedup", "Of the same text (exact), or nearly (near), only the first.", "HOW")
    ] = None
    parts: Annotated[
        frozenset[Part],
        TypedAs("--parts", "Only headline, lead, body, quotes, comments; or all", "PART,..."),
    ] = frozenset()
    with_: Annotated[
        frozenset[Part], TypedAs("--with", "Show comments, boxes, captions, links, images, too", "PART,...")
    ] = frozenset()
    without: Annotated[
        frozenset[Part],
        TypedAs("--without", "Leave out posts (of a live blog), tables, quotes", "PART,..."),
    ] = frozenset()
    headline: Annotated[bool, TypedAs("--no-headline", "Leave the headline out of the running text.")] = True
    fields: Annotated[tuple[str, ...], TypedAs("--fields", "Only these columns or fields", "NAME,...")] = ()
    pseudonymise: Annotated[
        frozenset[str],
        TypedAs("--pseudonymise", "Replace names: who (who posts), author (bylines)", "WHOSE,..."),
    ] = frozenset()
    key: Annotated[
        Path | None,
        TypedAs("--key", "The key of the pseudonyms.  [default: one beside your settings]", "FILE"),
    ] = None
    names: Annotated[
        str | None, TypedAs("--names", "What files are named after: date goes before the id.", "id|date")
    ] = None
    flat: Annotated[
        bool, TypedAs("--flat", "jsonl: a value a name, as in a table, for pandas and the like.")
    ] = False
    front_matter: Annotated[
        bool, TypedAs("--front-matter", "markdown: begin with the data of the article, in YAML.")
    ] = False
    bom: Annotated[bool, TypedAs("--bom", "csv: begin with a byte order mark, for Excel.")] = False
    layer: Annotated[
        str | None,
        TypedAs("--layer", "These annotations, or none.  [default: the only]", "NAME"),
    ] = None
    tokens: Annotated[bool, TypedAs("--tokens", "jsonl, sqlite, parquet: with tokens.")] = False
    analyse: Annotated[
        bool, TypedAs("--analyse", "Identify languages and duplicates first, in any case.")
    ] = False

    def __post_init__(self) -> None:
        """Take values as Python's callers write them: one or several, and texts where values have a type."""
        self._set("where", _values(self.where))
        for name in _NAMES:
            parts = ",".join(_values(getattr(self, name))).split(",")
            self._set(name, tuple(part.strip() for part in parts if part.strip()))
        for name, known in _CHOICES.items():
            for value in _values(getattr(self, name)):
                if value not in known:
                    option = name.removesuffix("_")
                    raise UsageError(
                        f"--{option} {value} is unknown. {did_you_mean(value, known)}There are "
                        f"{', '.join(known)}."
                    )
        self._set("from_", _day("--from", self.from_))
        self._set("until", _day("--until", self.until))
        self._set("outcome", self.outcome or (PageOutcome.ARTICLE,))
        self._set("parts", OF_TEXT if ALL in self.parts else frozenset(map(Part, self.parts)))
        self._set("with_", frozenset(map(Part, self.with_)))
        self._set("without", frozenset(map(Part, self.without)))
        self._set("pseudonymise", frozenset(self.pseudonymise))
        self._set("key", Path(self.key) if self.key is not None else None)
        if self.sample is None and (self.by or self.equal):
            raise UsageError(
                "--by and --equal say how a sample is drawn; say how large it is with --sample N."
            )

    @property
    def shown(self) -> frozenset[Part]:
        """Parts of articles that are shown."""
        left_out = self.without if self.headline else self.without | {Part.HEADLINE}
        return ((self.parts or USUALLY_SHOWN) | self.with_) - left_out

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)


def _values(given: Any) -> tuple[Any, ...]:
    """Return one value, several, or none as several."""
    return (given,) if isinstance(given, str) else tuple(given or ())


def _day(option: str, value: date | str | None) -> date | None:
    try:
        return date.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        raise UsageError(f"{option} {value}: this is not a day; write it as 2024-05-01.") from None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A question to somebody who mistyped one of these, if it looks like one; then a blank."""
    known = list(known)
    near = [name for name in known if name.startswith(word)] or difflib.get_close_matches(word, known, n=1)
    return f"Did you mean {near[0]}? " if near else ""
