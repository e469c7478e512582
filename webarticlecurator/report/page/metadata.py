"""The metadata: how each field is filled year by year, where its values come from, who disagrees, and names that look wrong."""

from __future__ import annotations

from collections.abc import Sequence

from webarticlecurator.amounts import amount, count, percent
from webarticlecurator.model.statistics import CorpusStatistics, FieldStatistics, Name, Names
from webarticlecurator.report.charts.figure import Table, share, table
from webarticlecurator.report.charts.heat_table import heat_table
from webarticlecurator.report.html import Child, Html, element, joined, stranger
from webarticlecurator.report.page.parts import Section, capped, examples, in_sentences, shown_years, span, tell_lacks, titled, total

_FIELDS = 40
_SOURCES = 4
_NAMES = 20
_SUSPICIOUS = 20
_TITLES = {"author": "Authors", "articleSection": "Sections", "keywords": "Keywords", "source": "Agencies and other sources"}


def section(statistics: CorpusStatistics) -> Section:
    content = [tell_lacks(statistics, "fields", "metadata")]
    if statistics.fields:
        content += [_fill(statistics), _sources(statistics), _disagreements(statistics)]
    content += [_dates(statistics), *(_names(one, statistics.totals.articles) for one in statistics.names if one.rows)]
    return Section("metadata", "Metadata", content)


def _fill(statistics: CorpusStatistics) -> Html:
    years = shown_years(total({one.year: one.articles for one in field.years} for field in statistics.fields))
    fields, note = capped(statistics.fields, _FIELDS, "fields")
    rows = []
    for one in fields:
        of_year = {year.year: (year.filled, year.articles) for year in one.years}
        rows.append((element("code", one.field), [(one.filled, statistics.totals.articles), *(of_year.get(year) for year in years)]))
    said = "How many percent of each year's articles have a value; a day in every article, and an author in many, can be expected of news."
    made = heat_table("Metadata by field and year, in percent", ("Field", "All", *(f"’{year % 100:02d}" for year in years)), rows, note)
    return titled("filled", "How the fields are filled", (element("p", said), made)) if years or rows else Html("")


def _sources(statistics: CorpusStatistics) -> Html:
    rows = [
        (element("code", one.field), count(one.filled), _from(one), count(one.disagreeing), percent(one.disagreeing, one.filled))
        for one in statistics.fields[:_FIELDS]
        if one.filled
    ]
    headings = ("Field", "Articles", "Source of the value", "Others disagree", "Share")
    note = "Where several sources give a value, the first of them is believed; the others are compared with it."
    return titled(
        "sources", "Where the values come from", table(Table(headings, rows, frozenset((1, 3, 4)), note), label="Sources of each field")
    )


def _from(one: FieldStatistics) -> Html:
    told = [
        joined((element("code", stranger(source.name, 40)), f" {percent(source.count, one.filled)}")) for source in one.sources[:_SOURCES]
    ]
    rest = len(one.sources) - _SOURCES
    pieces: Sequence[Child] = [piece for one_told in told for piece in (one_told, ", ")][:-1]
    return joined((*pieces, f" and {rest} more" if rest > 0 else None))


def _disagreements(statistics: CorpusStatistics) -> Html:
    if not statistics.disagreements:
        return Html("")
    shown, note = capped(statistics.disagreements, 20, "pairs of sources")
    rows = [
        (
            element("code", one.field),
            joined((element("code", stranger(one.chosen, 40)), " was believed, not ", element("code", stranger(one.other, 40)))),
            count(one.articles),
            examples(one.examples, 2),
        )
        for one in shown
    ]
    content = table(Table(("Field", "Sources", "Articles", "Examples"), rows, frozenset((2,)), note), label="Sources that disagree")
    return titled("disagreements", "Sources that disagree", content)


def _dates(statistics: CorpusStatistics) -> Html:
    if not statistics.dates:
        return Html("")
    rows = [(stranger(one.why), count(one.articles), examples(one.examples)) for one in statistics.dates]
    content = table(Table(("What is odd", "Articles", "Examples"), rows, frozenset((1,))), label="Suspicious dates")
    return titled("dates", "Suspicious dates", content)


def _names(one: Names, articles: int) -> Html:
    title = _TITLES.get(one.field, one.field)
    rows = [_row(name, one.articles) for name in one.rows[:_NAMES]]
    hidden = one.distinct - len(rows)
    note = (
        in_sentences(f"{amount(hidden, 'more is', 'more are')} not shown; `curator stats --json` has the most frequent.")
        if hidden > 0
        else None
    )
    headings = (title, "Articles", "Share", "First and last", "Mark")
    shown = {name.name for name in one.rows[:_NAMES]}
    rare = [name for name in one.suspicious if name.name not in shown]
    said = f"{one.distinct:,} different, in {one.articles:,} of {amount(articles, 'article')} ({percent(one.articles, articles)});"
    said += f" {_marked(one.suspects)}."
    content: list[Child] = [element("p", said), table(Table(headings, rows, frozenset((1,)), note), label=title)]
    if rare:
        more = (
            f"{amount(one.suspects - len(rare), 'marked one is', 'marked ones are')} above or not shown."
            if one.suspects > len(rare)
            else None
        )
        suspects = Table(headings, [_row(name, one.articles) for name in rare[:_SUSPICIOUS]], frozenset((1,)), more)
        content.append(
            element("details", element("summary", f"Rarer ones with a mark ({len(rare):,})"), table(suspects, label=f"{title} with a mark"))
        )
    return titled(f"names-{one.field}", title, content)


def _row(one: Name, whole: int) -> Sequence[Child]:
    marks: list[Child] = [element("span", element("b", "! "), stranger(why, 200), class_="warning") for why in one.suspicious]
    shown = examples((one.example,), 1) if one.suspicious and one.example else None
    return (stranger(one.name, 80), count(one.articles), share(one.articles, whole), span(one.first, one.last), joined((marks, shown)))


def _marked(suspects: int) -> str:
    return f"{amount(suspects, 'looks wrong and is', 'look wrong and are')} marked" if suspects else "none looks wrong"
