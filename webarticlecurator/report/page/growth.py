"""Articles and words over time, and how the columns and the sections grew."""

from __future__ import annotations

from collections.abc import Sequence

from webarticlecurator.amounts import amount, count, percent
from webarticlecurator.model.statistics import CorpusStatistics, Growth, Period
from webarticlecurator.report.charts.areas import growth, small_columns
from webarticlecurator.report.charts.calendar import MONTHS
from webarticlecurator.report.charts.columns import Panel, columns
from webarticlecurator.report.charts.figure import TONES, Series, Table, figure, folded
from webarticlecurator.report.charts.heat_table import heat_table
from webarticlecurator.report.html import Html, element, stranger
from webarticlecurator.report.page.parts import Section, by_year, capped, counted, elsewhere, shown_years, span, tell_lacks

_PANELS = 24


def section(statistics: CorpusStatistics) -> Section:
    years = shown_years(counted(statistics.years))
    content = [tell_lacks(statistics, "articles", "dates")]
    if years:
        content += [_yearly(statistics, years), _monthly(statistics, years), _sections(statistics, years), _columns(statistics, years)]
    return Section("growth", "Articles and words over time", content)


def _yearly(statistics: CorpusStatistics, years: Sequence[int]) -> Html:
    articles, words = counted(statistics.years), counted(statistics.years, "words")
    most = max(years, key=lambda year: articles.get(year, 0))
    empty = [year for year in years if not articles.get(year)]
    said = (
        f"{amount(sum(by_year(years, articles)), 'article')} of {amount(len(years), 'year')},"
        f" {years[0]} to {years[-1]}; most in {most} ({articles[most]:,})"
        + (f"; none in {_named(empty)}." if empty else ".")
        + elsewhere(years, articles)
    )
    panels = [
        Panel("articles", (Series("articles", by_year(years, articles), "t0"),)),
        Panel("words", (Series("words", by_year(years, words), "t4"),), height=90),
    ]
    rows = [
        (one.name or "no date", count(one.articles), count(one.words), count(round(one.words / one.articles)) if one.articles else "–")
        for one in statistics.years
    ]
    numbers = Table(("Year", "Articles", "Words", "Words an article"), rows, frozenset((1, 2, 3)))
    return figure("yearly", "Articles and words a year", said, columns("yearly", [str(year) for year in years], panels), table=numbers)


def _monthly(statistics: CorpusStatistics, years: Sequence[int]) -> Html:
    of_month = {one.name: one for one in statistics.months if one.name}
    names = [f"{year:04d}-{month:02d}" for year in years for month in range(1, 13)]
    shown = [of_month.get(name, Period(name=name)) for name in names]
    held = [one.articles for one in shown if one.articles]
    largest = max(shown, key=lambda one: one.articles)
    without = _empty_between(shown)
    said = (
        f"{amount(len(held), 'month has', 'months have')} articles, {sum(held) / max(1, len(held)):,.0f} each on the average; "
        f"most in {largest.name} ({largest.articles:,}). "
        + (
            f"{amount(without, 'month between the first and the last has', 'months between the first and the last have')} none."
            if without
            else "No month between the first and the last is empty."
        )
    )
    every = next(step for step in (1, 2, 5, 10) if len(years) / step <= 21)
    labels = [(number * 12 + 5, str(year)) for number, year in enumerate(years) if year % every == 0]
    panels = [
        Panel("articles", (Series("articles", tuple(one.articles for one in shown), "t0"),)),
        Panel("words", (Series("words", tuple(one.words for one in shown), "t4"),), height=90),
    ]
    rows = [
        (str(year), *(count(of_month.get(f"{year:04d}-{month:02d}", Period(name=None)).articles) for month in range(1, 13)))
        for year in years
    ]
    numbers = Table(("Year", *MONTHS), rows, frozenset(range(1, 13)))
    return figure("monthly", "Articles and words a month", said, columns("monthly", names, panels, labels=labels), table=numbers)


def _sections(statistics: CorpusStatistics, years: Sequence[int]) -> Html:
    """Each article stands in one section, so that they may be stacked."""
    named = [one for one in statistics.sections if one.articles]
    if not named:
        return Html("")
    series = [Series(_name(one, "no section"), by_year(years, counted(one.years)), "") for one in named]
    rest = [
        whole - sum(values)
        for whole, *values in zip(by_year(years, counted(statistics.years)), *(one.values for one in series), strict=True)
    ]
    if statistics.other_sections and sum(rest) > 0:
        series.append(Series(amount(statistics.other_sections, "smaller section"), tuple(max(0, number) for number in rest), "other"))
    shown = [Series(one.name, one.values, one.tone or f"t{place}") for place, one in enumerate(_largest(series))]
    whole = statistics.totals.articles
    said = (
        f"The largest section is {_quoted(named)}, with {percent(max(one.articles for one in named), whole)} of the articles;"
        f" {len(named) + statistics.other_sections:,} in all, by the first section of each article."
    )
    rows, note = capped(sorted(named, key=lambda one: -one.articles), 40, "sections")
    numbers = Table(
        ("Section", "Articles", "Share", "Words", "First and last"),
        [
            (_cell(one, "no section"), count(one.articles), percent(one.articles, whole), count(one.words), span(one.first, one.last))
            for one in rows
        ],
        frozenset((1, 2, 3)),
        note,
    )
    legend = [(one.tone, stranger(one.name, 60)) for one in reversed(shown)]
    drawn = growth("sections", [str(year) for year in years], shown, "articles so far")
    return figure("sections", "How the sections grew", said, drawn, legend=legend, table=numbers)


def _largest(series: Sequence[Series]) -> tuple[Series, ...]:
    """The smaller sections, which have no names, go into the others."""
    found = folded(sorted(series, key=lambda one: -sum(one.values)), TONES)
    named = [one for one in found if one.tone != "other"]
    others = [one for one in found if one.tone == "other"]
    if len(others) < 2:
        return (*named, *others)
    added = tuple(sum(values) for values in zip(*(one.values for one in others), strict=True))
    return (*named, Series("all others", added, "other"))


def _columns(statistics: CorpusStatistics, years: Sequence[int]) -> Html:
    """An article may stand in several columns, so that they are not stacked."""
    rows, note = capped([one for one in statistics.columns if one.articles], _PANELS, "columns")
    if not rows:
        return Html("")
    panels = [
        element(
            "li",
            element("strong", _cell(one, "listed nowhere")),
            small_columns(by_year(years, counted(one.years))),
            element("span", amount(one.articles, "article"), class_="many"),
            element("span", span(one.first, one.last), class_="when"),
        )
        for one in rows
    ]
    cells = [(_cell(one, "listed nowhere"), [(number, one.articles) for number in by_year(years, counted(one.years))]) for one in rows]
    head = element("h3", "The columns of the archive", id="columns-title")
    said = element(
        "p",
        f"Articles a year, {years[0]} to {years[-1]}, each panel with a scale of its own;"
        " an article that several columns list counts in each.",
    )
    numbers = heat_table("Articles of each column by year, in percent of the column's", ("Column", *map(str, years)), cells)
    return element(
        "section",
        head,
        said,
        element("ul", panels, class_="panels"),
        element("p", note, class_="note") if note else None,
        element("details", element("summary", "The numbers: articles of each column by year, in percent of the column's"), numbers),
        aria_labelledby="columns-title",
    )


def _cell(one: Growth, nothing: str) -> Html:
    return stranger(one.name, 60) if one.name is not None else element("i", nothing)


def _name(one: Growth, nothing: str) -> str:
    return nothing if one.name is None else one.name


def _quoted(named: Sequence[Growth]) -> str:
    largest = max(named, key=lambda one: one.articles)
    return "“no section”" if largest.name is None else f"“{largest.name[:60]}”"


def _empty_between(months: Sequence[Period]) -> int:
    held = [place for place, one in enumerate(months) if one.articles]
    return sum(1 for one in months[held[0] : held[-1]] if not one.articles) if held else 0


def _named(years: Sequence[int]) -> str:
    shown = ", ".join(map(str, years[:6]))
    return f"{shown} and {amount(len(years) - 6, 'more year')}" if len(years) > 6 else shown
