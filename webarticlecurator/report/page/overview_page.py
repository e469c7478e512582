"""Several portals on one page, each with a link to its own report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from webarticlecurator.amounts import amount, count, percent
from webarticlecurator.model.statistics import CorpusStatistics, PortalOverview
from webarticlecurator.report.charts.areas import small_columns
from webarticlecurator.report.charts.figure import Table, table
from webarticlecurator.report.html import Child, Html, element, stranger
from webarticlecurator.report.page.completeness import proved_share
from webarticlecurator.report.page.frame import page
from webarticlecurator.report.page.parts import by_year, commanded, counted, shown_years, total


@dataclass(frozen=True, slots=True)
class Reported:
    """One portal's row."""

    overview: PortalOverview
    statistics: CorpusStatistics | None
    """None: `overview.unreadable` says why."""
    address: str
    """Of its report, relative to the overview."""


def overview_page(portals: Sequence[Reported], *, made_on: date, program: str) -> bytes:
    """The whole file."""
    known = [one.statistics for one in portals if one.statistics]
    articles, words = (sum(getattr(one.totals, what) for one in known) for what in ("articles", "words"))
    said = (
        f"{amount(len(portals), 'portal')}, {amount(articles, 'article')},"
        f" {amount(words, 'word')}; made on {made_on.isoformat()} by {program}."
    )
    years = shown_years(total(counted(one.years) for one in known))
    note = f"The small columns are articles a year, {years[0]} to {years[-1]}, each with a scale of its own." if years else None
    headings = ("Portal", "Articles", "Words", "Years", "Articles a year", "Proved", "Waiting", "Failed", "Problems", "Next")
    rows = [_row(one, years) for one in portals]
    made = table(Table(headings, rows, frozenset((1, 2, 5, 6, 7, 8)), note), label="Portals", kind="portals")
    main = element("main", element("section", element("h2", "Portals", id="portals"), made, aria_labelledby="portals"), id="main")
    return page("Corpora: an overview", (element("header", element("h1", "Corpora"), element("p", said, class_="made")), main))


def _row(one: Reported, years: Sequence[int]) -> Sequence[Child]:
    overview, statistics = one.overview, one.statistics
    if statistics is None:
        why = element("span", stranger(overview.unreadable or "it could not be read", 300), class_="warning")
        return (stranger(overview.portal, 80), *("–" for _ in range(8)), why)
    name = element("a", stranger(statistics.portal.title or overview.portal, 80), href=one.address)
    own = shown_years(counted(statistics.years))
    proved, _, intervals = proved_share(statistics)
    return (
        name,
        count(statistics.totals.articles),
        count(statistics.totals.words),
        f"{own[0]}–{own[-1]}" if own else "–",
        element("span", small_columns(by_year(years, counted(statistics.years))), class_="inline"),
        percent(proved, intervals),
        count(overview.waiting),
        count(overview.failed),
        count(overview.problems),
        _next(overview),
    )


def _next(overview: PortalOverview) -> Html:
    pieces = overview.next.split("`")
    return element("span", (commanded(piece) if place % 2 else piece for place, piece in enumerate(pieces)))
