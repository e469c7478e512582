"""`curator stats`: what the corpus is made of, in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from webarticlecurator.amounts import amount
from webarticlecurator.cli import arguments, console
from webarticlecurator.cli.arguments import Cluster, CorpusFolder, Jobs, PortalNames
from webarticlecurator.cli.exit_codes import ExitCode
from webarticlecurator.cli.progress import at_work
from webarticlecurator.errors import CuratorError
from webarticlecurator.model.statistics import CorpusStatistics, Growth, Names, Period
from webarticlecurator.report.charts.scales import percent, size, uncounted

_ROWS = 8
Block = Sequence[str]


def stats(
    portals: PortalNames,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything, one JSON object a portal on a line.")] = False,
    analyse: Annotated[bool, typer.Option(help="Bring identified languages and duplicates up to date first.")] = True,
    read_warc: Annotated[bool, typer.Option("--warc/--no-warc", help="Read new WARC files for digests and rights signals.")] = True,
    jobs: Jobs = None,
    cluster: Cluster = None,
    corpus: CorpusFolder = None,
) -> None:
    """
    \b
    Examples:
      curator stats portal.yaml
      curator stats portal.yaml --json | jq '.years[] | [.name, .articles]'
      curator stats portal.yaml --no-analyse --no-warc      only what ledger and build tell

    Count the corpus: articles and words over time, gaps, outcomes, metadata and their sources, layouts, dropped text, languages,
    lengths, duplicates, access, posts, requests, files. What cannot be counted is told, with the command that makes it.
    docs/reference/statistics.md tells how each number is counted.
    """
    from webarticlecurator.corpus_statistics import statistics
    from webarticlecurator.workers.carriers import Workers

    arguments.check_corpus(corpus, portals)
    failed, stop = False, None
    workers = Workers.asked_for(jobs, cluster)
    for portal in portals:
        try:
            (loaded,) = arguments.load_portals([portal])
            typed = arguments.as_typed(portal, corpus)
            with at_work() as (stop, progress):
                counted = statistics(
                    loaded,
                    corpus=corpus,
                    analysed=analyse,
                    read_warc=read_warc,
                    called=typed,
                    workers=workers,
                    progress=progress,
                    stop=stop,
                )
        except CuratorError as error:
            if stop is not None and stop.is_set():
                console.complain(str(error))
                raise typer.Exit(ExitCode.INCOMPLETE) from None
            if len(portals) == 1:
                raise
            console.complain(f"{portal}: {error}")
            failed = True
            continue
        console.report(counted, screen(counted, complete=console.verbosity() is console.Verbosity.VERBOSE), as_json=as_json)
        console.say(f"\nNext: {_next(counted, typed)}")
    raise typer.Exit(ExitCode.USAGE if failed else ExitCode.OK)


def _next(counted: CorpusStatistics, typed: str) -> str:
    command = next((lack.command for lack in counted.lacks if lack.command), "")
    return f"`{command}` makes what is missing, or tells why" if command else f"`curator report {typed}` shows all of it as pictures"


def screen(counted: CorpusStatistics, *, complete: bool) -> list[str]:
    """The numbers as lines of text; `complete` leaves nothing out for want of room."""
    most = None if complete else _ROWS
    blocks = (
        _head(counted),
        [f"Missing: {lack.why}{f' ({lack.command})' if lack.command else ''}" for lack in counted.lacks],
        _years(counted),
        _table("Columns", ("column", "articles", "words", "first", "last"), [_grown(one) for one in counted.columns], most),
        _table(
            "Sections, by the first of each article",
            ("section", "articles", "words", "first", "last"),
            [_grown(one) for one in counted.sections],
            most,
        ),
        _table(
            "Days without articles that look like gaps",
            ("of", "first", "last", "days", "expected", ""),
            [
                (one.column or "whole portal", one.first, one.last, f"{one.days:,}", f"{one.expected:,.0f}", "proved" if one.proved else "")
                for one in counted.gaps
            ],
            most,
        ),
        _problems(counted, most),
        _fields(counted, most),
        *(_names(one, most) for one in counted.names),
        _table("Odd dates", ("articles", "why"), [(f"{one.articles:,}", one.why) for one in counted.dates], most),
        _table(
            "Layouts",
            ("layout", "articles", "words", "first", "last"),
            [_grown(one, "base rules") for one in counted.layouts],
            most,
        ),
        _table(
            "Dropped, by rule",
            ("rule", "words", "articles"),
            [(one.rule, f"{one.words:,}", f"{one.articles:,}") for one in counted.drops],
            most,
        ),
        _table(
            "Languages",
            ("language", "identified", "articles"),
            [
                (one.language or "none", (one.identified or "") + (" (!)" if one.disagree else ""), f"{one.articles:,}")
                for one in counted.languages
            ],
            most,
        ),
        _texts(counted),
        _made(counted),
    )
    return [line for block in blocks if block for line in (*block, "")][:-1]


def _head(counted: CorpusStatistics) -> Block:
    totals = counted.totals
    lines = [
        f"{counted.portal.name}: {amount(totals.articles, 'article')}, {amount(totals.words, 'word')}, {amount(totals.posts, 'post')};"
        f" {totals.urls:,} URLs known; {counted.portal.corpus}"
    ]
    ends = ((totals.first, "first"), (totals.last, "last"))
    lines += [f"  {which}: {end.text} {end.url}" for end, which in ends if end is not None]
    lines += [f"  {totals.undated:,} without a day"] if totals.undated else []
    return [*lines, *([f"  words:{uncounted(counted.lengths.uncounted)}"] if counted.lengths.uncounted else [])]


def _years(counted: CorpusStatistics) -> Block:
    outcomes: dict[int | None, int] = {}
    for one in counted.outcomes:
        if one.failed:
            outcomes[one.year] = outcomes.get(one.year, 0) + one.count
    kept = {one.year: (one.kept, one.dropped) for one in counted.coverage}
    rows = [_year_row(one, outcomes, kept) for one in counted.years]
    return _table("By year", ("year", "articles", "words", "failed", "text kept"), rows, None)


def _year_row(one: Period, failed: dict[int | None, int], kept: dict[int | None, tuple[int, int]]) -> tuple[str, ...]:
    year = int(one.name) if one.name else None
    words, dropped = kept.get(year, (0, 0))
    return (one.name or "no date", f"{one.articles:,}", f"{one.words:,}", f"{failed.get(year, 0):,}", percent(words, words + dropped))


def _grown(one: Growth, unnamed: str = "none") -> tuple[str, ...]:
    return (one.name or unnamed, f"{one.articles:,}", f"{one.words:,}", one.first or "", one.last or "")


def _problems(counted: CorpusStatistics, most: int | None) -> Block:
    lines = [
        f"  {one.count:,} {one.kind}: {one.reason}{f' (such as {one.examples[0]})' if one.examples else ''}" for one in counted.problems
    ]
    return ["To look at first", *lines[:most], *_more(len(lines), most)] if lines else []


def _fields(counted: CorpusStatistics, most: int | None) -> Block:
    rows = [
        (
            one.field,
            percent(one.filled, counted.totals.articles),
            ", ".join(f"{source.name} {percent(source.count, one.filled)}" for source in one.sources[:3]),
            f"{one.disagreeing:,}",
        )
        for one in counted.fields
    ]
    return _table("Metadata", ("field", "filled", "from", "disagree"), rows, None if most is None else 2 * most)


def _names(names: Names, most: int | None) -> Block:
    rows = [(one.name, f"{one.articles:,}", "; ".join(one.suspicious)) for one in names.rows]
    title = f"{names.field}: {names.distinct:,} in {amount(names.articles, 'article')}"
    return _table(f"{title}, {names.suspects:,} to look at" if names.suspects else title, ("name", "articles", ""), rows, most)


def _texts(counted: CorpusStatistics) -> Block:
    lines = []
    if counted.lengths.quantiles:
        lines.append(f"Words an article: {', '.join(f'{number:,}' for number in counted.lengths.quantiles)} (5, 25, 50, 75, 95 percent)")
    lines += [
        f"Duplicates, {one.kind}: {amount(one.clusters, 'cluster')} of {amount(one.articles, 'article')},"
        f" {one.surplus:,} more than one of each"
        for one in counted.duplicates
    ]
    walls, paid = sum(one.paywall for one in counted.access), sum(one.paid for one in counted.access)
    lines.append(f"Access: {amount(paid, 'article')} declared not to be free, {walls:,} cut by a wall")
    lines += [f"Posts: {one.posts:,} {one.kind} in {amount(one.articles, 'article')}" for one in counted.posts]
    return lines if counted.totals.articles else []


def _made(counted: CorpusStatistics) -> Block:
    made = counted.provenance
    days = amount(len({one.day for one in made.requests}), "day")
    lines = [f"Requests: {sum(one.requests for one in made.requests):,} stored, on {days}"]
    lines += [f"Rights: {one.name}: {one.value} on {amount(one.pages, 'page')}" for one in made.signals[:_ROWS]]
    current = sum(one.articles for one in made.rules if one.current)
    if made.rules:
        versions = len({one.digest for one in made.rules})
        lines.append(f"Rules: {amount(versions, 'version')}; {amount(current, 'document is', 'documents are')} right by those of now")
    lines.append(f"WARC: {amount(len(made.warc_files), 'file')}, {size(sum(one.bytes for one in made.warc_files))}")
    return lines


def _table(title: str, headings: Sequence[str], rows: Sequence[Sequence[str]], most: int | None) -> Block:
    if not rows:
        return []
    shown = [tuple(map(console.printable, row)) for row in rows[:most]]
    return [title, *console.aligned([tuple(headings), *shown], headed=True), *_more(len(rows), most)]


def _more(number: int, most: int | None) -> Block:
    return [f"  and {number - most:,} more (--verbose shows all)"] if most is not None and number > most else []
