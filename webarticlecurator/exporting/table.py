"""The one table of flat columns: what each is called, holds and means, and how an article gives it.

csv, parquet, sqlite, metadata.csv and the attributes of other formats show these columns;
docs/reference/formats.md, the dataset card and the descriptions in the files are made of the same rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from operator import attrgetter

from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.dates import instant
from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.export_options import did_you_mean
from webarticlecurator.exporting.harmless import plain
from webarticlecurator.text import whole_number

Value = str | int | float | bool | date | datetime | tuple[str, ...] | None
Getter = Callable[[ExportArticle], Value]


class ColumnType(StrEnum):
    """The types of columns: what all their values are, where there is one."""

    TEXT = "text"
    TEXTS = "list of texts"
    INTEGER = "integer"
    NUMBER = "number"
    YES_NO = "yes or no"
    DAY = "day"
    INSTANT = "instant (UTC)"


TEXTUAL = frozenset({ColumnType.TEXT, ColumnType.TEXTS})
"""The types that can hold what a spreadsheet takes for a formula; numbers stay numbers."""


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column of the table."""

    name: str
    holds: ColumnType
    description: str
    """A sentence."""
    get: Getter


def row_of(article: ExportArticle, columns: Sequence[TableColumn]) -> list[Value]:
    """The values of an article in these columns, without characters that no file should hold."""
    values = [column.get(article) for column in columns]
    return list(map(_plain, values))


def _plain(value: Value) -> Value:
    if isinstance(value, str):
        return plain(value)
    return tuple(map(plain, value)) if isinstance(value, tuple) else value


def columns_of(fields: Sequence[str] = ()) -> tuple[TableColumn, ...]:
    """Return those columns, in that order; all of them where none is named. Any other metadata field is one
    by its Schema.org name, and some have a usual name, too."""
    return tuple(map(_named, dict.fromkeys(fields))) or tuple(COLUMNS.values())


def _named(name: str) -> TableColumn:
    if name in COLUMNS:
        return COLUMNS[name]
    if name in USUAL_NAMES:
        return replace(USUAL_NAMES[name], name=name)
    if name in FIELDS:
        said = f"The field `{name}` of Schema.org, as the page or the rules of the portal give it."
        of_one = _HOLDS.get(FIELDS[name].holds, (ColumnType.TEXT, _first))
        holds, get = (ColumnType.TEXTS, _all) if FIELDS[name].many else of_one
        return TableColumn(name, holds, said, get(name))
    meant = did_you_mean(name, (*COLUMNS, *FIELDS))
    others = ", ".join(field for field in FIELDS if field not in COLUMNS)
    raise UsageError(
        f"There is no column {name}. {meant}Columns are: {', '.join(COLUMNS)}; and as metadata of the "
        f"article: {others}."
    )


def as_text(value: Value, *, between: str = "; ") -> str:
    """A value where a format has nothing but text. Lists are joined; the mark between their values becomes a
    comma inside of them."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return between.join(text.replace(between.strip(), ",") for text in value)
    return value.isoformat().replace("+00:00", "Z") if isinstance(value, date) else str(value)


def _values(article: ExportArticle, name: str) -> tuple[str, ...]:
    return tuple(value["value"] for value in article.record.get("metadata", {}).get(name, ()))


def _first(name: str) -> Getter:
    return lambda article: next(iter(_values(article, name)), None)


def _all(name: str) -> Getter:
    return lambda article: _values(article, name)


def _truth(name: str) -> Getter:
    return lambda article: {"true": True, "false": False}.get(next(iter(_values(article, name)), "").lower())


def _whole_number(name: str) -> Getter:
    return lambda article: whole_number(
        next(iter(_values(article, name)), ""), 15
    )  # what is longer fits no column of numbers


def _part_of_date(start: int, end: int) -> Getter:
    return lambda article: (
        whole_number(written[start:end]) if len(written := article.built.published or "") >= end else None
    )


def _day(article: ExportArticle) -> date | None:
    with suppress(ValueError):
        return date.fromisoformat((article.built.published or "")[:10])
    return None


def _analysed(name: str) -> Getter:
    return lambda article: getattr(article.analysis, name, None)


def _first_capture(article: ExportArticle) -> Mapping[str, str]:
    captures: Sequence[Mapping[str, str]] = article.record["captures"]
    return captures[0] if captures else {}


def _capture(name: str) -> Getter:
    return lambda article: _first_capture(article).get(name)


def _comments(article: ExportArticle) -> int:
    return len(article.record.get("comments", ()))


_HOLDS = {Holds.NUMBER: (ColumnType.INTEGER, _whole_number), Holds.YES_NO: (ColumnType.YES_NO, _truth)}

_T, _L, _I = ColumnType.TEXT, ColumnType.TEXTS, ColumnType.INTEGER
# fmt: off
_ROWS: tuple[tuple[str, ColumnType, str, Getter], ...] = (
    ("id", _T, "The article's name, everywhere the same: the portal's, and 16 hexadecimal "
               "digits.", attrgetter("built.id")),
    ("portal", _T, "The portal it comes from.", lambda article: article.portal),
    ("url", _T, "The address by which it was collected.", attrgetter("built.url")),
    ("canonical", _T, "The address that its page says is the right one.",
     lambda article: article.built.canonical if _values(article, "url") else None),  # none where it names somebody with a pseudonym
    ("headline", _T, "Its headline.", _first("headline")),
    ("alternativeHeadline", _T, "A second headline: over or under the first, or in "
                                "short.", _first("alternativeHeadline")),
    ("author", _L, "Who wrote it, in the order of the page.", _all("author")),
    ("datePublished", _T, "When it was published, in ISO 8601 as exactly as it is known: a moment with its "
                          "offset, a day, a month, a year.",
     _first("datePublished")),
    ("date", ColumnType.DAY, "The day on which it was published; nothing where only the month or year is "
                             "known.", _day),
    ("date_utc", ColumnType.INSTANT, "The same moment in UTC; nothing where only the day is known.",
     lambda article: instant(article.built.published)),
    ("year", _I, "The year of `datePublished`, where it was published.", _part_of_date(0, 4)),
    ("month", _I, "Its month, 1 to 12.", _part_of_date(5, 7)),
    ("day", _I, "Its day of the month.", _part_of_date(8, 10)),
    ("dateModified", _T, "When it was last changed, in ISO 8601.", _first("dateModified")),
    ("articleSection", _L, "The part of the portal that it stands in.", _all("articleSection")),
    ("keywords", _L, "What the portal says it is about.", _all("keywords")),
    ("description", _T, "The portal's summary of it, else how its text begins.", _first("description")),
    ("language", _T, "Its language as the page or the portal declares it (BCP 47); where neither does, as "
                     "its commonest words show it.",
     attrgetter("built.language")),
    ("language_code", _T, "The same without region or script: `de` where `language` is `de-AT`.",
     lambda article: (article.built.language or "").partition("-")[0] or None),
    ("language_identified", _T, "Its language as the text shows it, whatever is "
                                "declared.", _analysed("language")),
    ("language_certainty", ColumnType.NUMBER, "How certain that is, from 0 to 1.", _analysed("certainty")),
    ("type", _T, "What it is in the words of Schema.org: `NewsArticle`, `BlogPosting`, `LiveBlogPosting`, "
                 "`DiscussionForumPosting`, ...",
     attrgetter("built.type")),
    ("outcome", _T, "`article`, or `paywall` where the page shows only the "
                    "beginning.", lambda article: article.built.outcome.value),
    ("isAccessibleForFree", ColumnType.YES_NO, "Whether the page says that everybody may read all of "
                                               "it.", _truth("isAccessibleForFree")),
    ("source", _L, "The agencies or media that it was taken from.", _all("source")),
    ("words", _I, "Words of `text`, as far as this export shows it; nothing in languages that part them by "
                  "no blanks.",
     attrgetter("extent.words")),
    ("characters", _I, "Characters of the same, one between two words.", attrgetter("extent.characters")),
    ("posts", _I, "Entries of a live blog, posts of a "
                  "thread.", lambda article: article.built.posts - _comments(article)),
    ("comments", _I, "Comments of readers that were collected with it.", _comments),
    ("layout", _T, "Which of the portal's layouts its page has; nothing where it is read by the general "
                   "rules of the portal.",
     attrgetter("built.layout")),
    ("column", _L, "The columns of the portal's archive that listed it.", lambda article: article.columns),
    ("captured", ColumnType.INSTANT, "When "
                                     "its "
                                     "page "
                                     "was "
                                     "collected.", lambda article: instant(_first_capture(article).get("date"))),
    ("warc_file", _T, "The WARC file that holds its page; of several pages, the first.", _capture("file")),
    ("warc_offset", _I, "The byte at which the record begins there.", _capture("offset")),
    ("warc_length", _I, "The bytes of the record.", _capture("length")),
    ("warc_record_id", _T, "The name of the record.", _capture("record_id")),
    ("versions", _I, "How many other captures of it there are.", lambda article: len(article.built.versions)),
    ("text_changed", ColumnType.INSTANT, "When the capture was made that brought its present text, where its "
                                         "first capture has another.",
     lambda article: instant(article.built.text_changed)),
    ("corrected", _L, "Its fields that a person mended by hand; `drop` and `keep` stand for its text.",
     lambda article: tuple(mended["field"] for mended in article.record.get("corrections", ()))),
    ("gone", ColumnType.INSTANT, "When the site said first, asked again, that it has it no more; what was "
                                 "collected stays.",
     lambda article: instant(article.gone)),
    ("duplicates", _T, "The `id` of the first of all articles with exactly this text, itself too; nothing "
                       "where there is no other.",
     _analysed("exact")),
    ("near_duplicates", _T, "The `id` of the first of all articles with nearly this text, itself too; "
                            "nothing where there is no other.",
     _analysed("near")),
    ("rights", _T, "The licence that its page names, else what the portal file says of rights.",
     lambda article: next(iter(_values(article, "license")), None) or article.rights),
    ("text", _T, "What is to be read in it, a paragraph or a row of a table a line, without the "
                 "headline.", lambda article: article.text),
)
# fmt: on

COLUMNS: Mapping[str, TableColumn] = {row[0]: TableColumn(*row) for row in _ROWS}
"""The columns by name, in their order."""

FIRST_SECTION = TableColumn(
    "section", ColumnType.TEXT, "The first part of the portal that it stands in.", _first("articleSection")
)
"""The section where there is room for one alone."""
USUAL_NAMES: Mapping[str, TableColumn] = {
    "title": COLUMNS["headline"],
    "authors": COLUMNS["author"],
    "published": COLUMNS["datePublished"],
    "section": FIRST_SECTION,
}
"""Columns by the names that people know from other tools, which are those of `Article` in Python."""
OF_ANALYSIS = frozenset({"language_identified", "language_certainty", "duplicates", "near_duplicates"})
"""The columns that show what the analysis found."""
