"""What the sections of a report are made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from webarticlecurator.amounts import amount
from webarticlecurator.model.statistics import CorpusStatistics, Example, Period
from webarticlecurator.report.html import LONGEST, Child, Html, element, joined, link, stranger

MOST_YEARS = 60
"""Successive years that a chart shows; a wrong date may lie in any."""
EXAMPLES = 3
_Row = TypeVar("_Row")


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report: where it is found, its heading, and what stands in it."""

    id: str
    title: str
    content: Child


def titled(ident: str, title: str, content: Child) -> Html:
    """A part of a section under its own heading."""
    return element("section", element("h3", title, id=ident), content, aria_labelledby=ident)


def shown_years(counts: Mapping[int | None, int]) -> tuple[int, ...]:
    """The successive years that hold most, without the empty ones at their ends."""
    held = {year: number for year, number in counts.items() if year is not None and number}
    if not held:
        return ()
    begins = max(held, key=lambda first: (sum(number for year, number in held.items() if first <= year < first + MOST_YEARS), first))
    return tuple(range(begins, max(year for year in held if year < begins + MOST_YEARS) + 1))


def by_year(years: Sequence[int], counts: Mapping[int | None, int]) -> tuple[int, ...]:
    """The counts of these years, nothing where there is none."""
    return tuple(counts.get(year, 0) for year in years)


def counted(periods: Iterable[Period], of: str = "articles") -> dict[int | None, int]:
    """Articles (or words) by year."""
    return {int(one.name) if one.name else None: getattr(one, of) for one in periods}


def elsewhere(years: Sequence[int], counts: Mapping[int | None, int], one: str = "article", many: str | None = None) -> str:
    """What a chart of these years does not show."""
    undated = counts.get(None, 0)
    outside = sum(number for year, number in counts.items() if year is not None and year not in years)
    parts = ([f"{amount(undated, one, many)} without a date"] if undated else []) + (
        [f"{amount(outside, one, many)} of years before {years[0]} or after {years[-1]}"] if outside and years else []
    )
    return f" Not in the chart: {' and '.join(parts)}." if parts else ""


def capped(rows: Sequence[_Row], most: int, what: str) -> tuple[Sequence[_Row], Html | None]:
    """As many rows as a page holds, and a sentence about the others."""
    told = in_sentences(f"{len(rows) - most:,} more {what} are not shown; `curator stats --json` has them.") if len(rows) > most else None
    return rows[:most], told


def addresses(urls: Sequence[str], most: int = EXAMPLES) -> Html:
    """Some URLs, one below the other."""
    return element("ul", (element("li", link(url)) for url in urls[:most]), class_="examples") if urls else Html("")


def examples(shown: Sequence[Example], most: int = EXAMPLES, longest: int = LONGEST) -> Html:
    """Some articles: what they show, and where they are."""
    lines = (element("li", (stranger(one.text, longest), " ") if one.text else None, link(one.url)) for one in shown[:most])
    return element("ul", lines, class_="examples") if shown else Html("")


def span(first: str | None, last: str | None) -> str:
    """From a day to a day."""
    if not first or not last:
        return "–"
    return first if first == last else f"{first} – {last}"


def year_span(years: Iterable[int | None]) -> str:
    """From a year to a year, however many are between."""
    known = sorted({year for year in years if year is not None})
    return "no date" if not known else str(known[0]) if len(known) == 1 else f"{known[0]}–{known[-1]}"


def commanded(command: str) -> Html:
    """A command as it is typed."""
    return element("code", stranger(command, 200), class_="command")


def in_sentences(sentence: str) -> Html:
    """What stands between grave accents is code."""
    return joined(element("code", piece) if place % 2 else _around_code(piece) for place, piece in enumerate(sentence.split("`")))


def _around_code(piece: str) -> Html:
    """Strangers' texts lose the space at their ends, which parts these from the code."""
    before, after = (piece[:1].isspace(), piece[-1:].isspace())
    return joined((" " if before else None, stranger(piece, 600), " " if after else None) if piece.strip() else piece)


def tell_lacks(statistics: CorpusStatistics, *parts: str) -> Html:
    """Why a section is empty, where it is for want of something."""
    found = [one for one in statistics.lacks if one.what in parts]
    lines = (element("p", in_sentences(one.why), (" ", commanded(one.command)) if one.command else None, class_="lack") for one in found)
    return joined(lines)


def total(counts: Iterable[Mapping[int | None, int]]) -> Counter[int | None]:
    """Added up."""
    added: Counter[int | None] = Counter()
    for one in counts:
        added.update(one)
    return added
