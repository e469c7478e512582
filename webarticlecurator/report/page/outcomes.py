"""What became of every URL, year by year, and what needs a human first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from webarticlecurator.amounts import amount, count, percent
from webarticlecurator.model.outcome import FetchOutcome, PageOutcome
from webarticlecurator.model.statistics import CorpusStatistics, OutcomeCount, Problem
from webarticlecurator.model.status import Trouble
from webarticlecurator.report.charts.columns import Panel, columns
from webarticlecurator.report.charts.figure import Series, Table, figure, table
from webarticlecurator.report.html import Child, Html, element, joined, stranger
from webarticlecurator.report.page.parts import (
    Section,
    addresses,
    by_year,
    capped,
    commanded,
    elsewhere,
    in_sentences,
    shown_years,
    tell_lacks,
    titled,
    total,
    year_span,
)

_PROBLEMS = 40
_REASONS = 60
KINDS: dict[str, tuple[str, frozenset[str]]] = {
    "articles": ("t0", frozenset({PageOutcome.ARTICLE})),
    "behind a paywall": ("t4", frozenset({PageOutcome.PAYWALL})),
    "pages that are no article": ("t7", frozenset({PageOutcome.LISTING, PageOutcome.NOT_ARTICLE})),
    "gone": ("other", frozenset({FetchOutcome.GONE})),
    "refused, duplicate, robots": ("t2", frozenset({FetchOutcome.REFUSED, FetchOutcome.DUPLICATE, FetchOutcome.ROBOTS})),
    "waiting or not built": ("open", frozenset({FetchOutcome.QUEUED, FetchOutcome.FETCHED})),
}
"""Outcomes that are one colour of the chart; every other one is a failure."""
_FAILED = "failed"
_NO_PROBLEMS = (
    "No failure, no gap, nothing suspicious in what crawls and builds noted and in the counts of this report."
    " What the rules make of the texts was not looked at: `curator audit` does."
)


def problems_section(statistics: CorpusStatistics) -> Section:
    shown, note = capped(statistics.problems, _PROBLEMS, "problems")
    rows = [_problem(one) for one in shown]
    headings = ("What", "How many", "Why", "Examples", "What to do")
    content: Child = (
        table(Table(headings, rows, frozenset((1,)), note), label="Problems", kind="problems")
        if rows
        else element("p", in_sentences(_NO_PROBLEMS))
    )
    return Section("problems", "Problems, most pressing first", content)


def section(statistics: CorpusStatistics) -> Section:
    content = [tell_lacks(statistics, "outcomes")]
    if statistics.outcomes:
        content += [_chart(statistics), _reasons(statistics.outcomes)]
    if statistics.status is not None and statistics.status.not_again:
        content.append(_not_again(statistics.status.not_again))
    return Section("outcomes", "What became of every address", content)


def _problem(one: Problem) -> Sequence[Child]:
    return (
        element("strong", stranger(one.kind, 40)),
        count(one.count),
        joined((stranger(one.reason, 300), f" (since {one.since[:10]})" if one.since else None)),
        addresses(one.examples),
        commanded(one.command) if one.command else "–",
    )


def _chart(statistics: CorpusStatistics) -> Html:
    counts: dict[str, dict[int | None, int]] = {name: defaultdict(int) for name in (*KINDS, _FAILED)}
    for one in statistics.outcomes:
        counts[_kind(one.outcome)][one.year] += one.count
    whole = total(counts.values())
    years = shown_years(whole)
    used = {name: of_year for name, of_year in counts.items() if of_year}
    tones = {name: KINDS[name][0] if name in KINDS else "bad" for name in used}
    known, failed = sum(whole.values()), sum(counts[_FAILED].values())
    made = sum(counts["articles"].values()) + sum(counts["behind a paywall"].values())
    said = (
        f"Of {amount(known, 'known address', 'known addresses')} {made:,} ({percent(made, known)}) are articles of the corpus,"
        f" {failed:,} ({percent(failed, known)}) failed." + elsewhere(years, whole, "address", "addresses")
    )
    series = tuple(Series(name, by_year(years, of_year), tones[name]) for name, of_year in used.items())
    ordered = sorted(whole, key=lambda year: year or 9999)
    rows = [(year_span((year,)), *(count(of_year.get(year, 0)) for of_year in used.values())) for year in ordered]
    numbers = Table(("Year", *used), rows, frozenset(range(1, len(used) + 1)))
    legend = [(tones[name], f"{name} ({sum(of_year.values()):,})") for name, of_year in used.items()]
    drawn = columns("outcomes-yearly", [str(year) for year in years], [Panel("addresses", series, height=170)])
    return figure("outcomes-yearly", "Outcomes by year", said, drawn, legend=legend, table=numbers)


def _kind(outcome: str) -> str:
    return next((name for name, (_, outcomes) in KINDS.items() if outcome in outcomes), _FAILED)


@dataclass
class _Reason:
    count: int = 0
    years: set[int | None] = field(default_factory=set)
    examples: list[str] = field(default_factory=list)


def _reasons(outcomes: Sequence[OutcomeCount]) -> Html:
    """Every reason once, whatever the year; failures first."""
    found: dict[tuple[bool, str, str], _Reason] = defaultdict(_Reason)
    for one in outcomes:
        if one.outcome != PageOutcome.ARTICLE:
            reason = found[one.failed, one.outcome, one.reason]
            reason.count += one.count
            reason.years.add(one.year)
            reason.examples += one.examples
    if not found:
        return element("p", "Every known address is an article of the corpus.")
    ordered = sorted(found.items(), key=lambda row: (not row[0][0], -row[1].count, row[0]))
    shown, note = capped(ordered, _REASONS, "reasons")
    rows = [
        (
            element("span", stranger(outcome, 40), class_="warning" if failed else None),
            count(one.count),
            year_span(one.years),
            stranger(reason, 300) if reason else element("i", "many rare reasons, or none told"),
            addresses(list(dict.fromkeys(one.examples))),
        )
        for (failed, outcome, reason), one in shown
    ]
    headings = ("Outcome", "Addresses", "Years", "Reason", "Examples")
    return titled("reasons", "Reasons", table(Table(headings, rows, frozenset((1,)), note), label="Outcomes and their reasons"))


def _not_again(troubles: Sequence[Trouble]) -> Html:
    """What the portal no longer gives."""
    said = element("p", "They could not be had when they were last asked for again. What is stored of them stays, and so do the documents.")
    shown, note = capped(troubles, _REASONS, "reasons")
    rows = [(stranger(one.outcome, 40), count(one.count), stranger(one.reason, 300), addresses(one.urls)) for one in shown]
    made = table(
        Table(("Outcome", "Pages", "Reason", "Examples"), rows, frozenset((1,)), note), label="Stored pages that could not be had again"
    )
    return titled("not-again", "Stored, and not to be had again", (said, made))
