"""The rules: which layout read what, how much of the text they kept, and what they left out."""

from __future__ import annotations

from collections.abc import Mapping

from webarticlecurator.amounts import amount, count, percent
from webarticlecurator.model.statistics import CorpusStatistics
from webarticlecurator.report.charts.columns import Panel, columns
from webarticlecurator.report.charts.figure import Series, Table, figure, folded, share, table
from webarticlecurator.report.html import Html, element, stranger
from webarticlecurator.report.page.parts import (
    Section,
    by_year,
    capped,
    counted,
    elsewhere,
    examples,
    shown_years,
    span,
    tell_lacks,
    titled,
    total,
    year_span,
)

_DROPS = 25
_TAGS = 20


def section(statistics: CorpusStatistics) -> Section:
    content = [
        tell_lacks(statistics, "rules", "coverage"),
        _layouts(statistics),
        _coverage(statistics),
        _drops(statistics),
        _undecided(statistics),
    ]
    return Section("rules", "Layouts and rules", content)


def kept_share(statistics: CorpusStatistics) -> tuple[int, int, int]:
    """Words that were kept, that were left out, and those kept in tags that no rule decides."""
    rows = statistics.coverage
    return sum(one.kept for one in rows), sum(one.dropped for one in rows), sum(one.undecided for one in rows)


def of_undecided(words: int, whole: int) -> str:
    """That a rule decides every tag is not known: a footnote is told by the links from and to it, and its tag is not counted."""
    if not words:
        return "tags that no rule decides hold no words of their own"
    return f"{percent(words, whole)} stand in tags that no rule decides"


def _layouts(statistics: CorpusStatistics) -> Html:
    if not statistics.layouts:
        return Html("")
    years = shown_years(total(counted(one.years) for one in statistics.layouts))
    series = folded([Series(one.name or "the base rules", by_year(years, counted(one.years)), "") for one in statistics.layouts])
    series = tuple(Series(one.name, one.values, one.tone or f"t{place}") for place, one in enumerate(series))
    rows = [
        (
            stranger(one.name, 60) if one.name else element("i", "the base rules"),
            count(one.articles),
            share(one.articles, statistics.totals.articles),
            count(one.words),
            span(one.first, one.last),
        )
        for one in statistics.layouts[:40]
    ]
    numbers = Table(("Layout", "Articles", "Share", "Words", "First and last"), rows, frozenset((1, 3)))
    said = f"{_layout_count(len(statistics.layouts))} read {amount(statistics.totals.articles, 'article')}."
    drawn = columns("layouts", [str(year) for year in years], [Panel("articles", series)])
    legend = [(one.tone, stranger(one.name, 60)) for one in series]
    return figure("layouts", "Layouts over time", said, drawn, legend=legend, table=numbers)


def _layout_count(number: int) -> str:
    return f"{amount(number, 'variant')} of the rules"


def _coverage(statistics: CorpusStatistics) -> Html:
    rows = [one for one in statistics.coverage if one.kept or one.dropped]
    if not rows:
        return Html("")
    whole: Mapping[int | None, int] = {one.year: one.kept + one.dropped for one in rows}
    years = shown_years(whole)
    parts: dict[str, tuple[str, Mapping[int | None, int]]] = {
        "kept": ("t0", {one.year: one.kept - one.undecided for one in rows}),
        "kept, in tags that no rule decides": ("open", {one.year: one.undecided for one in rows}),
        "left out by a rule": ("other", {one.year: one.dropped for one in rows}),
    }
    series = tuple(
        Series(name, tuple(round(100 * part.get(year, 0) / whole[year], 2) if whole.get(year) else 0 for year in years), tone)
        for name, (tone, part) in parts.items()
    )
    kept, dropped, undecided = kept_share(statistics)
    said = (
        f"Of {amount(kept + dropped, 'word')} in the articles' containers {percent(kept, kept + dropped)} were kept"
        f" and {percent(dropped, kept + dropped)} left out; {of_undecided(undecided, kept + dropped)}." + elsewhere(years, whole, "word")
    )
    numbers = Table(
        ("Year", "Articles", "Words kept", "Left out", "Share kept", "In undecided tags", "Articles with one"),
        [
            (
                year_span((one.year,)), count(one.articles), count(one.kept), count(one.dropped),
                percent(one.kept, one.kept + one.dropped), count(one.undecided), count(one.articles_undecided),
            )
            for one in rows
        ],
        frozenset(range(1, 7)),
    )  # fmt: skip
    drawn = columns("coverage", [str(year) for year in years], [Panel("percent of the words", series, top=100)])
    legend = [(tone, name) for name, (tone, _) in parts.items()]
    return figure("coverage", "What the rules kept", said, drawn, legend=legend, table=numbers)


def _drops(statistics: CorpusStatistics) -> Html:
    if not statistics.drops:
        return Html("")
    shown, note = capped(statistics.drops, _DROPS, "rules")
    whole = kept_share(statistics)[1]
    rows = [
        (
            element("code", stranger(one.rule, 120)),
            count(one.words),
            share(one.words, whole),
            count(one.pieces),
            count(one.articles),
            [(element("code", stranger(tag.name, 40)), " ") for tag in one.tags[:3]],
            examples(one.examples, 2, 120),
        )
        for one in shown
    ]
    headings = ("Rule", "Words", "Of all left out", "Pieces", "Articles", "Tags", "Examples")
    return titled(
        "drops", "What the rules left out", table(Table(headings, rows, frozenset((1, 3, 4)), note), label="Largest drops by rule")
    )


def _undecided(statistics: CorpusStatistics) -> Html:
    if not statistics.undecided:
        return Html("")
    shown, note = capped(statistics.undecided, _TAGS, "tags")
    rows = [
        (element("code", stranger(one.tag, 80)), count(one.words), count(one.count), count(one.articles), examples((one.example,), 1, 120))
        for one in shown
    ]
    content = table(Table(("Tag", "Words", "Times", "Articles", "Example"), rows, frozenset((1, 2, 3)), note), label="Undecided tags")
    return titled("undecided", "Tags that no rule decides", content)
