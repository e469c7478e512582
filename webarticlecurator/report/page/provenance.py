"""Where everything came from: requests, robots.txt and other signals, versions of rules and program, WARC files with digests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import date, timedelta

from webarticlecurator.amounts import amount, count, size
from webarticlecurator.model.statistics import CorpusStatistics, Provenance
from webarticlecurator.report.charts.columns import Panel, columns
from webarticlecurator.report.charts.figure import Series, Table, figure, share, table
from webarticlecurator.report.html import Child, Html, element, joined, link, stranger
from webarticlecurator.report.page.parts import Section, addresses, capped, in_sentences, span, tell_lacks, titled

_DAYS = 370
"""Days that are columns of their own; of more, months are."""
_MONTHS = 600
_FILES = 500
_SIGNALS = 30
_HOSTS = 20


def section(statistics: CorpusStatistics) -> Section:
    of = statistics.provenance
    content = [tell_lacks(statistics, "warc", "provenance"), _requests(of), _robots(of), _signals(of), _rules(of, statistics), _files(of)]
    return Section("provenance", "Politeness and provenance", content)


def _requests(of: Provenance) -> Html:
    if not of.requests:
        return Html("")
    days: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    hosts: Counter[str] = Counter()
    busiest = max(of.requests, key=lambda one: one.requests)
    for one in of.requests:
        days[one.day] += one.requests
        failed[one.day] += one.failed
        hosts[one.host] += one.requests
    periods, what = _periods(days)
    panel = Panel(
        "requests",
        (
            Series("answered", tuple(sum(days[day] - failed[day] for day in group) for group in periods.values()), "t0"),
            Series("failed", tuple(sum(failed[day] for day in group) for group in periods.values()), "bad"),
        ),
    )
    said = (
        f"{amount(sum(days.values()), 'answer')} of {amount(len(hosts), 'host')} {'is' if sum(days.values()) == 1 else 'are'} stored,"
        f" {sum(failed.values()):,} of them failed;"
        f" most on {busiest.day}: {busiest.requests:,} by {busiest.host[:60]},"
        f" which is one every {86_400 / max(1, busiest.requests):,.1f} seconds over the day."
    )
    rows = [(stranger(host, 80), count(number), share(number, sum(hosts.values()))) for host, number in hosts.most_common(_HOSTS)]
    hidden = len(hosts) - _HOSTS
    numbers = Table(
        ("Host", "Requests", "Share"),
        rows,
        frozenset((1,)),
        f"{amount(hidden, 'more host is', 'more hosts are')} not shown." if hidden > 0 else None,
    )
    drawn = columns("requests", list(periods), [panel])
    return figure("requests", f"Requests a {what}", said, drawn, legend=(("t0", "answered"), ("bad", "failed")), table=numbers)


def _periods(days: Mapping[str, int]) -> tuple[dict[str, list[str]], str]:
    """All days from the first to the last, or all months where these are too many; what is not between them stands at its own place."""
    names = sorted(days)
    first, last = date.fromisoformat(names[0]), date.fromisoformat(names[-1])
    if (last - first).days < _DAYS:
        every = [(first + timedelta(days=number)).isoformat() for number in range((last - first).days + 1)]
        return {day: [day] for day in every}, "day"
    months: dict[str, list[str]] = {}
    if (last - first).days < 31 * _MONTHS:
        months = {(first + timedelta(days=number)).isoformat()[:7]: [] for number in range((last - first).days + 1)}
    for day in names:
        months.setdefault(day[:7], []).append(day)
    return months, "month"


def _robots(of: Provenance) -> Html:
    said = {"obey": "robots.txt is obeyed", "record": "robots.txt is recorded, not obeyed"}.get(
        of.robots_policy, "nothing is said of robots.txt"
    )
    content: list[Child] = [element("p", f"By the portal file {said}.")]
    if of.robots:
        rows = [(stranger(one.outcome, 40), count(one.count), stranger(one.reason), addresses(one.examples)) for one in of.robots[:20]]
        content.append(table(Table(("Outcome", "Addresses", "Reason", "Examples"), rows, frozenset((1,))), label="What robots.txt forbade"))
    return titled("robots", "robots.txt", content)


def _signals(of: Provenance) -> Html:
    shown, _ = capped(of.signals, _SIGNALS, "signals")
    if not shown:
        return titled("signals", "Rights signals", element("p", "No stored page carries a signal that restricts its use."))
    rows = [
        (element("code", stranger(one.name, 60)), element("code", stranger(one.value)), count(one.pages), link(one.example))
        for one in shown
    ]
    hidden = of.signals_distinct - len(rows)
    numbers = Table(
        ("Signal", "Value", "Pages", "Example"),
        rows,
        frozenset((2,)),
        f"{amount(hidden, 'more is', 'more are')} not shown." if hidden > 0 else None,
    )
    return titled("signals", "Rights signals", table(numbers, label="Rights signals"))


def _rules(of: Provenance, statistics: CorpusStatistics) -> Html:
    rows = [
        (
            element("code", one.digest[:16]),
            stranger(one.program, 60) if one.program else "–",
            count(one.articles),
            share(one.articles, statistics.totals.articles),
            "right by these rules and this program" if one.current else in_sentences("made under others: `curator build` makes them anew"),
        )
        for one in of.rules[:40]
    ]
    headings = ("Rules", "Program", "Documents", "Share", "State")
    content = table(Table(headings, rows, frozenset((2,))), label="Versions of the rules") or element("p", "No document was made yet.")
    return titled("versions", "Versions of the rules and of the program", content)


def _files(of: Provenance) -> Html:
    shown, note = capped(of.warc_files, _FILES, "files")
    rows = [
        (
            element("code", stranger(one.file, 100)),
            size(one.bytes),
            count(one.exchanges),
            span(one.first and one.first[:10], one.last and one.last[:10]),
            joined((stranger(one.software, 60) if one.software else "–", " (open)" if one.open else None)),
            element("code", one.sha256, class_="digest") if one.sha256 else "not known yet",
        )
        for one in shown
    ]
    said = f"{amount(len(of.warc_files), 'file')}, {size(sum(one.bytes for one in of.warc_files))}."
    headings = ("File", "Size", "Exchanges", "First and last", "Software", "SHA-256")
    content = (element("p", said), table(Table(headings, rows, frozenset((1, 2)), note), label="WARC files"))
    return titled("warc-files", "WARC files", content)
