"""What one export is asked to do."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Annotated, cast, get_args

from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.selection import Selection
from webarticlecurator.flags import TypedAs
from webarticlecurator.model.analysis import Dedup
from webarticlecurator.model.outcome import PageOutcome

Texts = Iterable[str] | str | None
WHOSE = ("who", "author")
"""Whose names may be replaced: of whoever posts or is quoted; of the authors of articles."""


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
    dedup: Dedup | None = None
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


def _formats() -> list[str]:
    from webarticlecurator.exporting.formats import FORMATS

    return [*FORMATS, "list"]


def export_options(
    to: Annotated[str, TypedAs("--to", "A format; `--to list` tells them all.", "FORMAT", offers=_formats)] = "list",
    *,
    from_: Annotated[date | str | None, TypedAs("--from", "Published on this day or later.", "DAY")] = None,
    until: Annotated[date | str | None, TypedAs("--until", "Published on this day or before.", "DAY")] = None,
    column: Annotated[Texts, TypedAs("--column", "Listed by this column of the archive", "NAME", repeated=True)] = (),
    section: Annotated[Texts, TypedAs("--section", "Of this section", "NAME", repeated=True)] = (),
    author: Annotated[Texts, TypedAs("--author", "By this author", "NAME", repeated=True)] = (),
    keyword: Annotated[Texts, TypedAs("--keyword", "With this keyword", "WORD", repeated=True)] = (),
    language: Annotated[Texts, TypedAs("--language", "In this language, as the article says or shows", "TAG", repeated=True)] = (),
    kind: Annotated[Texts, TypedAs("--kind", "news, blog, forum, or a type of Schema.org", "KIND", repeated=True)] = (),
    words: Annotated[str | None, TypedAs("--words", "With so many words; either may be left out.", "MIN..MAX")] = None,
    outcome: Annotated[Texts, TypedAs("--outcome", "article (unasked), or paywall: what is seen of it", "OUTCOME", repeated=True)] = (),
    layout: Annotated[Texts, TypedAs("--layout", "Read by this layout of the portal file", "NAME", repeated=True)] = (),
    where: Annotated[
        Texts, TypedAs("--where", "FIELD=VALUE, !=, ~REGEX, !~, >=, <=, >, <; all must hold", "CONDITION", repeated=True)
    ] = (),
    sample: Annotated[int | None, TypedAs("--sample", "Only N of the articles that are left, drawn by chance.", "N", least=1)] = None,
    by: Annotated[Texts, TypedAs("--by", "Draw from each value of these fields its share (year,section)", "FIELD,...", repeated=True)] = (),
    equal: Annotated[bool, TypedAs("--equal", "Draw as many from each instead.")] = False,
    seed: Annotated[int, TypedAs("--seed", "Another seed, another sample; the same, the same.", "S")] = 0,
    dedup: Annotated[str | None, TypedAs("--dedup", "Of the same text (exact), or nearly (near), only the first.", "HOW")] = None,
    with_: Annotated[Texts, TypedAs("--with", "Show comments, posts, boxes, captions, too", "PART,...", repeated=True)] = (),
    headline: Annotated[bool, TypedAs("--no-headline", "Leave the headline out of the running text.")] = True,
    fields: Annotated[Texts, TypedAs("--fields", "Only these columns or fields", "NAME,...", repeated=True)] = (),
    pseudonymise: Annotated[
        Texts, TypedAs("--pseudonymise", "Replace names: who (of whoever posts), author", "WHOSE,...", repeated=True)
    ] = (),
    key: Annotated[Path | str | None, TypedAs("--key", "The key of the pseudonyms.  [default: one beside your settings]", "FILE")] = None,
    per_article: Annotated[bool, TypedAs("--per-article", "A folder with a file an article, where the format can be that.")] = False,
    names: Annotated[str | None, TypedAs("--names", "What files are named after: date goes before the id.", "id|date")] = None,
    everything: Annotated[bool, TypedAs("--everything", "cdxj: all that is stored, whatever articles are chosen.")] = False,
    bom: Annotated[bool, TypedAs("--bom", "csv: begin with a byte order mark, for Excel.")] = False,
    analyse: Annotated[bool, TypedAs("--analyse", "Identify languages and duplicates first, even if the format shows none.")] = False,
    tokenizer: Annotated[str, TypedAs("--tokenizer", "own or spacy.", "NAME")] = "own",
) -> ExportOptions:
    """The options of an export by the names that they have on the command line, which reads them here. Raises UsageError."""
    if sample is None and (by or equal):
        raise UsageError("--by and --equal say how a sample is drawn; say how large it is with --sample N.")
    selection = Selection(
        start=_day("--from", from_),
        until=_day("--until", until),
        columns=_several(column),
        sections=_several(section),
        authors=_several(author),
        keywords=_several(keyword),
        languages=_listed(language),
        kinds=_listed(kind),
        words=_range(words),
        outcomes=_listed(outcome) or (PageOutcome.ARTICLE,),
        layouts=_several(layout),
        where=_several(where),
    )
    return ExportOptions(
        format=to,
        selection=selection,
        sample=Sample(size=sample, by=_listed(by), seed=seed, equal=equal) if sample is not None else None,
        dedup=cast(Dedup, _one_of("--dedup", dedup, get_args(Dedup))) if dedup is not None else None,
        parts=frozenset(Part(_one_of("--with", one, [*Part])) for one in _listed(with_)),
        headline=headline,
        fields=_listed(fields),
        pseudonymise=frozenset(_one_of("--pseudonymise", one, WHOSE) for one in _listed(pseudonymise)),
        key=Path(key) if key is not None else None,
        per_article=per_article,
        analyse=analyse,
        tokenizer=tokenizer,
        format_options={name: value for name, value in (("names", names), ("everything", everything), ("bom", bom)) if value},
    )


def _several(values: Texts) -> tuple[str, ...]:
    return (values,) if isinstance(values, str) else tuple(values or ())


def _listed(values: Texts) -> tuple[str, ...]:
    """What may also be written as `a,b`: names, none of which has a comma."""
    return tuple(one.strip() for value in _several(values) for one in value.split(",") if one.strip())


def _day(option: str, value: date | str | None) -> date | None:
    try:
        return date.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        raise UsageError(f"{option} {value}: this is not a day; write it as 2024-05-01.") from None


def _range(words: str | None) -> tuple[int | None, int | None]:
    if words is None:
        return None, None
    found = re.fullmatch(r"(\d{0,9})\.\.(\d{0,9})", words.strip())
    if found is None or not any(found.groups()):
        raise UsageError(f"--words {words}: write it as 100..500, 100.. or ..500.")
    at_least, at_most = (int(one) if one else None for one in found.groups())
    if at_least is not None and at_most is not None and at_least > at_most:
        raise UsageError(f"--words {words}: no article can have at least {at_least} and at most {at_most}.")
    return at_least, at_most


def _one_of(option: str, value: str, known: Sequence[str]) -> str:
    if value not in known:
        raise UsageError(f"{option} {value} is unknown. {did_you_mean(value, known)}There are {', '.join(known)}.")
    return value


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A question to somebody who mistyped one of these, if it looks like one; then a blank."""
    near = difflib.get_close_matches(word, list(known), n=1)
    return f"Did you mean {near[0]}? " if near else ""
