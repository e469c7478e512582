"""How complete the corpus is: what is proved and by what, what is missing, every day of every year."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date

from webarticlecurator.amounts import amount, count, percent
from webarticlecurator.model.statistics import CorpusStatistics, Day
from webarticlecurator.model.status import Completeness
from webarticlecurator.report.charts.calendar import calendar
from webarticlecurator.report.charts.figure import Table, figure, table
from webarticlecurator.report.html import Child, Html, element, joined, link, stranger
from webarticlecurator.report.page.parts import MOST_YEARS, Section, capped, counted, shown_years, span, tell_lacks, titled

_GAPS = 30
_PROOFS = 60
_STRETCHES = 30
_COLUMNS = 60
STATES = {
    "many": "more articles than on most days",
    "some": "articles",
    "unfetched": "links seen, not fetched or built",
    "failed": "some failed",
    "gap": "no article where the rhythm lets one expect some",
    "none": "nothing known",
}
"""Of a day, with what the legend says."""


def section(statistics: CorpusStatistics) -> Section:
    content = [
        tell_lacks(statistics, "ledger"),
        _calendar(statistics),
        _gaps(statistics),
        _columns(statistics),
        _grounds(statistics),
        _open(statistics),
    ]
    return Section("completeness", "Completeness", content)


def proved_share(statistics: CorpusStatistics) -> tuple[int, int, int]:
    """Intervals that are proved, those of feeds and sitemaps that were only read, and all others that are needed."""
    rows = [one for one in statistics.status.completeness if one.counts] if statistics.status else []
    proved, only_read = sum(one.proved for one in rows), sum(one.only_read for one in rows)
    return proved, only_read, sum(one.intervals for one in rows) - only_read


def grounds(statistics: CorpusStatistics) -> Counter[str]:
    """How many intervals lean on what, of the columns that the portal file has."""
    gone = _removed(statistics)
    found: Counter[str] = Counter()
    for one in statistics.proofs:
        if not one.only_read and one.column not in gone:
            found[one.ground] += one.intervals
    return found


def _removed(statistics: CorpusStatistics) -> Mapping[str, str]:
    """Columns that the portal file has no more, as people are told of them."""
    rows = statistics.status.completeness if statistics.status else ()
    return {one.column: one.told_column for one in rows if one.removed}


def _calendar(statistics: CorpusStatistics) -> Html:
    known = {day: one for one in statistics.days if (day := _day(one.day))}
    if not known:
        return Html("")
    years = _years(statistics, known)
    middle = sorted(one.articles for one in known.values() if one.articles)
    often = middle[3 * len(middle) // 4] if middle else 0
    states = {day: _state(one, often) for day, one in known.items()}
    counts = Counter(states.values())
    first, last = min(day for day in known if day.year in years), max(day for day in known if day.year in years)
    days = (last - first).days + 1
    with_articles = counts["many"] + counts["some"]
    said = (
        f"Of {amount(days, 'day')} from {first} to {last},"
        f" {amount(sum(1 for one in known.values() if one.articles), 'has articles', 'have articles')}, "
        f"{amount(counts['failed'], 'has failures', 'have failures')},"
        f" {amount(counts['unfetched'], 'has links that are', 'have links that are')} not fetched or built,"
        f" and {amount(counts['gap'], 'looks like a gap', 'look like gaps')}."
    )
    legend = [(state, f"{words} ({amount(counts[state], 'day')})" if counts[state] else words) for state, words in STATES.items()]
    numbers = Table(
        ("Year", *("Days with articles", "Unfetched", "Failed", "Gaps")), list(_days_a_year(years, states)), frozenset(range(1, 5))
    )
    title = "Every day" if with_articles else "Every day that is known of"
    return figure("calendar", title, said, calendar("calendar", years, states), legend=legend, table=numbers)


def _years(statistics: CorpusStatistics, known: Mapping[date, Day]) -> Sequence[int]:
    """Those of the articles, and those around them that only links are known of."""
    years = shown_years(counted(statistics.years))
    found = [day.year for day in known if not years or abs(day.year - years[0]) < MOST_YEARS]
    return range(max(min(found), max(found) - MOST_YEARS + 1), max(found) + 1)


def _state(one: Day, often: int) -> str:
    if one.gap:
        return "gap"
    if one.failed:
        return "failed"
    if one.waiting or (one.links and not one.articles):
        return "unfetched"
    return "many" if one.articles > often else "some" if one.articles else "none"


def _days_a_year(years: Iterable[int], states: Mapping[date, str]) -> Iterator[tuple[str, ...]]:
    tally = Counter((day.year, state) for day, state in states.items())
    for year in years:
        yield (
            str(year),
            count(tally[year, "many"] + tally[year, "some"]),
            *(count(tally[year, one]) for one in ("unfetched", "failed", "gap")),
        )


def _gaps(statistics: CorpusStatistics) -> Html:
    rows, note = capped(statistics.gaps, _GAPS, "gaps")
    hidden = statistics.other_gaps + max(0, len(statistics.gaps) - _GAPS)
    made = [
        (
            span(one.first, one.last),
            count(one.days),
            stranger(one.column, 60) if one.column else "the whole portal",
            f"{one.expected:,.1f}",
            "yes: it seems to have published nothing" if one.proved else "no",
        )
        for one in rows
    ]
    note = Html(f"{amount(hidden, 'smaller gap is', 'smaller gaps are')} not shown.") if hidden else note
    headings = ("Days", "Length", "Where", "Articles expected", "Proved by the archive")
    content = (
        table(Table(headings, made, frozenset((1, 3)), note), label="Gaps")
        if made
        else element("p", "No stretch of days looks like a gap.")
    )
    return titled("gaps", "Days that look like gaps", content)


def _columns(statistics: CorpusStatistics) -> Html:
    if statistics.status is None:
        return Html("")
    columns = dict.fromkeys(one.column for one in statistics.status.completeness)
    shown, note = capped(list(columns), _COLUMNS, "columns")
    made = [_column([one for one in statistics.status.completeness if one.column == name]) for name in shown]
    headings = ("Column", "Intervals", "Proved", "Open", "Archive pages", "Links", "Fetched", "Waiting", "Failed", "State")
    content = table(Table(headings, made, frozenset(range(1, 9)), note), label="Completeness of each column")
    return titled("columns-complete", "The columns of the archive", content)


def _column(rows: Sequence[Completeness]) -> Sequence[Child]:
    def added(what: str) -> int:
        return sum(getattr(row, what) for row in rows)

    intervals, done = added("intervals"), added("proved") + added("only_read")
    limits = Counter[str]()
    for row in rows:
        limits.update(row.limited)
    parts = [f"{number:,} ended by {limit}" for limit, number in limits.items()]
    state = (
        "not counted" if rows[0].removed
        else "not needed: another way is proved" if rows[0].needless
        else "not walked yet" if not intervals
        else ("only read" if added("only_read") else "proved") if done == intervals
        else ", ".join([*([f"{added('open'):,} open"] if added("open") else []), *parts])
    )  # fmt: skip
    numbers = (added(what) for what in ("open", "pages", "links", "fetched", "waiting", "failed"))
    return (stranger(rows[0].told_column, 90), count(intervals), percent(added("proved"), intervals), *map(count, numbers), stranger(state))


def _grounds(statistics: CorpusStatistics) -> Html:
    if not statistics.proofs:
        return Html("")
    shown, note = capped(statistics.proofs, _PROOFS, "stretches")
    gone = _removed(statistics)
    made = [
        (
            stranger(gone.get(one.column, one.column), 90),
            span(one.first, one.last) if one.first else "all of it",
            count(one.intervals),
            element("span", one.ground, element("em", " (read, not proved)") if one.only_read else None),
            joined((link(one.page), f" ({amount(one.links, 'link')})")),
            f"{one.at:%Y-%m-%d}",
        )
        for one in shown
    ]
    headings = ("Column", "Stretch", "Intervals", "Ground", "The page it ended on", "Proved on")
    content = table(Table(headings, made, frozenset((2,)), note), label="What the proofs lean on")
    return titled("grounds", "What the proofs lean on", content)


def _open(statistics: CorpusStatistics) -> Html:
    status = statistics.status
    if status is None:
        return Html("")
    content: list[Html] = []
    shown, note = capped(status.gaps, _STRETCHES, "open stretches")
    if shown:
        made = [(stranger(one.column, 60), one.interval or "all of it", stranger(one.reason), link(one.url)) for one in shown]
        content.append(table(Table(("Column", "Interval", "Why", "Where"), made, note=note), label="Open stretches"))
    refused, note = capped(status.refused, _STRETCHES, "refused hosts")
    if refused:
        hosts = [(stranger(one.host), count(one.links), stranger(one.reason)) for one in refused]
        content.append(element("h4", "Links that were found and not followed"))
        content.append(table(Table(("Host", "Links", "Why"), hosts, frozenset((1,)), note), label="Links not followed"))
    content += [element("p", "Lost: ", stranger(str(one), 400), class_="warning") for one in status.lost]
    content += [element("p", "The layout seems to have changed: ", stranger(one, 400), class_="warning") for one in status.drift]
    return titled("open", "What is open or was left out", content or element("p", "Nothing is open, refused or lost."))


def _day(written: str) -> date | None:
    try:
        return date.fromisoformat(written)
    except ValueError:
        return None
