"""`curator status`: what is there, what is missing and why, on one screen."""

from __future__ import annotations

import shlex
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from webarticlecurator.amounts import amount
from webarticlecurator.cli import arguments, console
from webarticlecurator.cli.arguments import CorpusFolder, PortalNames
from webarticlecurator.cli.exit_codes import ExitCode
from webarticlecurator.cli.try_report import refused_links
from webarticlecurator.model.outcome import FetchOutcome, PageOutcome
from webarticlecurator.model.statistics import PortalOverview
from webarticlecurator.model.status import Completeness, OpenStretch, Proof, StatusReport, Trouble, Way
from webarticlecurator.report.charts.scales import percent

_ROWS = 15
_REMOVED = "  removed: the portal file has no such column any more; it counts neither for nor against what is proved"
_ONLY_READ = (
    "  read: a feed or a sitemap to its end, which says nothing of articles that it does not list;"
    " `curator audit --archive --fetch` looks elsewhere for them"
)
_BY_WORD = "  read: one page, which is all by your word (`pages: none`), though it links further ones"
_NO_ARTICLES = "stored page that is no article", "stored pages that are no articles"
_GAPS = 5
_TROUBLES = 8
_COUNTED = ("intervals", "proved", "pages", "links", "new", "fetched", "waiting", "failed")
_OVERVIEW = ("portal", "articles", "URLs", "proved", "waiting", "failed", "not built", "problems", "last crawl")
_HEADINGS = ("column", "year", *_COUNTED, "end")


def status(
    portals: PortalNames,
    corpus: CorpusFolder = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as one JSON object.")] = False,
) -> None:
    """
    \b
    Examples:
      curator status portal.yaml
      curator status portal.yaml --verbose             every column and year, every reason
      curator status portal.yaml --json | jq .completeness
      curator status a.yaml b.yaml c.yaml              a row each; --json prints a list of them

    Show what the corpus has: the outcome of every known URL, how much of each column and year is proved to be complete,
    which stretches are still open, what waits, and what failed for which reason. Of several portals each has a row; one whose corpus
    cannot be read says why, and hides no other.
    """
    from webarticlecurator import pipeline
    from webarticlecurator.corpus.folder import corpus_of

    if len(portals) > 1:
        _overview(portals, corpus, as_json=as_json)
        return
    (portal,) = portals
    (loaded,) = arguments.load_portals([portal])
    report = pipeline.status(loaded, corpus=corpus)
    typed, complete = arguments.as_typed(portal, corpus), console.verbosity() is console.Verbosity.VERBOSE
    lines = screen(report, corpus_of(loaded, corpus).problems, complete=complete)
    console.report(report, [arguments.with_portal(line, typed) for line in lines], as_json=as_json)
    console.say(f"\nNext: {next_command(report, typed)}")


def _overview(portals: Sequence[str], corpus: Path | None, *, as_json: bool) -> None:
    """Several portals, a row each."""
    from webarticlecurator.corpus_statistics import overview

    arguments.check_corpus(corpus, portals)
    rows = overview(portals, next_command=lambda report, typed: next_command(report, arguments.as_typed(typed, None)))
    if as_json:
        console.data_json(rows)
    else:
        cells = [tuple(map(console.printable, _overview_cells(one))) for one in rows if one.unreadable is None]
        for line in console.aligned([_OVERVIEW, *cells], headed=True, indent="") if cells else ():
            console.data(line)
        for one in rows:
            console.lines(f"{one.portal}: cannot be read: {one.unreadable}") if one.unreadable is not None else None
    for one in rows:
        console.say(f"Next for {one.portal}: {one.next}") if one.next else None
    if any(one.unreadable is not None for one in rows):
        raise typer.Exit(ExitCode.USAGE)


def _overview_cells(one: PortalOverview) -> tuple[str, ...]:
    crawled = f"{one.last_crawl:%Y-%m-%d %H:%M}" if one.last_crawl else "never"
    counts = (one.articles, one.urls, one.waiting, one.failed, one.unbuilt, one.problems)
    articles, urls, waiting, failed, unbuilt, problems = (f"{number:,}" for number in counts)
    return (one.portal, articles, urls, percent(one.proved, one.intervals), waiting, failed, unbuilt, problems, crawled)


def screen(report: StatusReport, problems_file: Path, *, complete: bool) -> list[str]:
    """The report as lines of text; `complete` leaves nothing out for want of room."""
    blocks = (
        _head(report),
        _outcomes(report),
        _completeness(report, complete=complete),
        _ways(report.ways),
        _proofs(report, complete=complete),
        _gaps(report, complete=complete),
        refused_links(report.refused),
        _troubles(report, complete=complete),
        _not_again(report, complete=complete),
        _no_articles(report),
        _gone_and_changed(report),
        _stored_anew(report),
        [f"The layout seems to have changed: {where}" for where in (*report.drift, *report.article_drift)],
        [f"Lost: {one}; {amount(one.waiting, 'of the articles is', 'of the articles are')} not stored again" for one in report.lost],
        _unlisted(report),
        [f"{amount(report.problems, 'problem')} for a human: {problems_file}"] if report.problems else [],
    )
    lines = [line for block in blocks if block for line in (*block, "")]
    return lines[:-1]


def _unlisted(report: StatusReport) -> list[str]:
    if not report.unlisted:
        return []
    articles = amount(len(report.unlisted), "article is named", "articles are named")
    where = f"by the site's own feeds or sitemaps and not known here (such as {report.unlisted[0]})"
    return [f"{articles} {where}: `curator audit --archive` lists them; if they are none, `exclude` under `archive: urls` says so"]


def next_command(report: StatusReport, portal: str) -> str:
    """The most useful thing to do now; `portal` is how a command names the portal and its corpus."""
    open_ends = sum(row.open for row in report.completeness if not row.removed)
    if report.drift:
        return f"`curator try {portal} URL --as archive --fetch` on a page that gave nothing shows what the rules still find"
    if report.article_drift:
        return f"`curator watch {portal}` shows the pages before and after"
    if report.outcomes.get(FetchOutcome.BLOCKED):
        return f"wait, or raise fetch.delay in the portal file; then `curator crawl {portal}` goes on"
    if report.gaps and not (report.waiting or report.lost) and all(gap.end == "unproved" for gap in report.gaps):
        page = shlex.quote(report.gaps[0].url or "URL")
        return f"`curator try {portal} {page} --as archive` shows what the rules find there; crawling again changes nothing before they do"
    if report.gaps or open_ends or report.waiting or report.lost:
        return f"`curator crawl {portal}` goes on"
    if report.unbuilt or report.stored_anew:
        parts = [f"makes TEI documents of {amount(report.unbuilt, 'stored article')} that no build has seen"] if report.unbuilt else []
        again = amount(report.stored_anew, "article again that was", "articles again that were")
        parts += [f"reads {again} stored anew since the last build"] if report.stored_anew else []
        return f"`curator build {portal}` {', and '.join(parts)}"
    return f"`curator crawl {portal}` fetches what is new since the last crawl"


def _head(report: StatusReport) -> list[str]:
    when = f"last crawl {report.last_crawl:%Y-%m-%d %H:%M} UTC" if report.last_crawl else "never crawled"
    files = f"{amount(report.warc_files, 'WARC file')}, {_megabytes(report.warc_bytes)}"
    return [f"{report.portal}: {when}; {amount(report.archive_pages, 'archive page')}, {files}; {report.corpus}"]


def _outcomes(report: StatusReport) -> list[str]:
    every: tuple[FetchOutcome | PageOutcome, ...] = (*PageOutcome, *FetchOutcome)
    given = [(outcome.value, f"{report.outcomes[outcome]:,}") for outcome in every if report.outcomes.get(outcome)]
    total = sum(report.outcomes.values())
    return [f"{amount(total, 'article URL')} known", *(console.aligned(given) if given else [])]


def _completeness(report: StatusReport, *, complete: bool) -> list[str]:
    rows = report.completeness
    if not rows:
        return []
    shown = list(rows) if complete or len(rows) <= _ROWS else _by_column(rows)
    kept = shown if complete else sorted(sorted(shown, key=_is_proved)[:_ROWS], key=shown.index)
    table = ["How complete", *console.aligned([_HEADINGS, *map(_cells, kept)], headed=True), *_more(len(shown) - len(kept))]
    by_word = {proof.column for proof in report.proofs if proof.by_word}
    only_read = {row.column for row in rows if row.only_read and not row.removed}
    notes = {_ONLY_READ: only_read - by_word, _BY_WORD: only_read & by_word, _REMOVED: [row for row in rows if row.removed]}
    return [*table, *_listed_before(_by_column(rows)), *(note for note, is_told in notes.items() if is_told)]


def _listed_before(columns: Sequence[Completeness]) -> list[str]:
    """What the archive of today lists no more; of years that were not read whole nobody knows."""
    return [
        f"  {console.printable(row.column)}: lists {amount(row.listed or 0, 'article')} since the whole walk of"
        f" {row.listed_since:%Y-%m-%d}, and {row.listed_before:,} no more that it listed before"
        for row in columns
        if row.listed_before and row.listed_since is not None
    ]


def _is_proved(row: Completeness) -> bool:
    return not row.counts or row.intervals == row.proved + row.only_read


def _cells(row: Completeness) -> tuple[str, ...]:
    counts = (f"{getattr(row, name):,}" for name in _COUNTED)
    return (console.printable(row.column), "" if row.year is None else str(row.year), *counts, _end(row))


def _end(row: Completeness) -> str:
    if not row.counts:
        return "removed" if row.removed else "not needed"
    if not row.intervals:
        return "not walked yet"
    if _is_proved(row):
        return "proved" if not row.only_read else f"proved, {row.only_read:,} only read" if row.proved else "read"
    parts = [f"{row.open:,} open"] if row.open else []
    return ", ".join([*parts, *(f"{count:,} ended by {limit}" for limit, count in row.limited.items())])


def _ways(ways: Sequence[Way]) -> list[str]:
    rows = [(console.printable(way.name), way.state, _of_column(way.name, way.reason)) for way in ways]
    return ["Ways to the same articles, best first", *console.aligned(rows)] if rows else []


def _proofs(report: StatusReport, *, complete: bool) -> list[str]:
    """What each column's completeness leans on, or only what leans on a person's word against the pages.

    Intervals that ended alike are counted, with the newest as example.
    """
    alike: dict[tuple[str, str], list[Proof]] = defaultdict(list)
    told = {row.column: row.told_column for row in report.completeness}
    for proof in report.proofs if complete else (proof for proof in report.proofs if proof.by_word):
        alike[proof.column, proof.ground].append(proof)
    rows = []
    for (column, ground), found in alike.items():
        intervals = amount(sum(one.intervals for one in found), "interval") if found[0].first else ""
        rows.append((console.printable(told.get(column, column)), intervals, ground, f"{found[0].page} ({amount(found[0].links, 'link')})"))
    return ["Proved by", *console.aligned(rows)] if rows else []


def _by_column(rows: Sequence[Completeness]) -> list[Completeness]:
    """One row a column: the years added up."""
    return [_added([row for row in rows if row.column == column]) for column in dict.fromkeys(row.column for row in rows)]


def _added(rows: Sequence[Completeness]) -> Completeness:
    limited: Counter[str] = Counter()
    for row in rows:
        limited.update(row.limited)
    sums = {name: sum(getattr(row, name) for row in rows) for name in (*_COUNTED, "only_read", "open")}
    year = rows[0].year if len(rows) == 1 else None
    whole = [row for row in rows if row.listed is not None and row.listed_before is not None]
    return replace(
        rows[0],
        year=year,
        limited=limited,
        listed=sum(row.listed or 0 for row in whole) if whole else None,
        listed_before=sum(row.listed_before or 0 for row in whole) if whole else None,
        listed_since=min((row.listed_since for row in whole if row.listed_since is not None), default=None),
        **sums,
    )


def _gaps(report: StatusReport, *, complete: bool) -> list[str]:
    if not report.gaps:
        return []
    alike: dict[object, list[OpenStretch]] = defaultdict(list)
    for number, gap in enumerate(report.gaps):
        alike[(gap.column, gap.reason) if gap.interval and not complete else number].append(gap)
    rows = list(alike.values())
    shown, hidden = (rows, []) if complete else (rows[:_GAPS], rows[_GAPS:])
    what = "open interval of the archive; the next crawl walks it", "open intervals of the archive; the next crawl walks them"
    if all(gap.end == "unproved" for gap in report.gaps):  # walking again changes nothing
        what = "interval of the archive that is not proved", "intervals of the archive that are not proved"
    more = sum(gap.intervals for gaps in hidden for gap in gaps)
    return [amount(sum(gap.intervals for gap in report.gaps), *what), *map(_gap, shown), *_more(more)]


def _gap(alike: Sequence[OpenStretch]) -> str:
    """Stretches of a column that are open for one reason."""
    gap = alike[0]
    where = " ".join(filter(None, (gap.column, gap.interval)))
    if len(alike) > 1:
        where = f"{gap.column}: {amount(sum(one.intervals for one in alike), 'interval')}, such as {gap.interval}"
    is_named = gap.url in (word.rstrip(":") for word in gap.reason.split())
    return f"  {': '.join(filter(None, (where, _of_column(gap.column, gap.reason), '' if is_named else gap.url)))}"


def _of_column(name: str, reason: str) -> str:
    """Behind the column's name, which some reasons begin with."""
    return reason.removeprefix(f"column {name}: ")


def _troubles(report: StatusReport, *, complete: bool) -> list[str]:
    title = f"{amount(report.waiting, 'URL waits', 'URLs wait')} for the next crawl; what went wrong, most frequent first"
    return _titled(title, _reasons(report.troubles), None if complete else _TROUBLES)


def _not_again(report: StatusReport, *, complete: bool) -> list[str]:
    none = sum(one.no_articles for one in report.not_again)
    articles = sum(one.count for one in report.not_again) - none
    counted = ([amount(articles, "stored article")] if articles else []) + ([amount(none, *_NO_ARTICLES)] if none else [])
    title = f"{' and '.join(counted)} could not be had when last asked for again; what is stored stays"
    if not complete:
        return _titled(title, _reasons(report.not_again), _TROUBLES)
    return _titled(title, [line for one in report.not_again for line in _named(one)], None)


def _named(trouble: Trouble) -> list[str]:
    """With all pages that are known by name; the articles stand first."""
    articles = trouble.count - trouble.no_articles
    urls = [f"    {url}{' (no article)' if place >= articles else ''}" for place, url in enumerate(trouble.urls)]
    more = trouble.count - len(urls)
    return [f"  {trouble.count:,} {trouble.outcome.value}: {trouble.reason}", *urls, *([f"    and {more:,} more"] if more > 0 else [])]


def _reasons(troubles: Sequence[Trouble]) -> list[str]:
    return [f"  {one.count:,} {one.outcome.value}: {one.reason} (such as {one.example})" for one in troubles]


def _no_articles(report: StatusReport) -> list[str]:
    pages = sum(one.count for one in report.no_articles)
    title = amount(pages, "stored page is no article, and has no document", "stored pages are no articles, and have no document")
    lines = [f"  {one.count:,} {one.outcome.value}, such as {one.example}: {one.reason}" for one in report.no_articles]
    return _titled(title, lines, None)


def _gone_and_changed(report: StatusReport) -> list[str]:
    gone = amount(report.gone, "article is gone from the site; its copy stays", "articles are gone from the site; their copies stay")
    changed = amount(report.text_changed, "article has", "articles have")
    where = "; `curator export --to csv --where {}!=` lists them"
    return [
        *([gone + where.format("gone")] if report.gone else []),
        *([f"{changed} another text than when first stored{where.format('text_changed')}"] if report.text_changed else []),
    ]


def _stored_anew(report: StatusReport) -> list[str]:
    told = amount(report.stored_anew, "built article has a page", "built articles have pages")
    reads = "reads it" if report.stored_anew == 1 else "reads them"
    return [f"{told} with other bytes that were stored since the last build; the next build {reads}"] if report.stored_anew else []


def _titled(title: str, lines: Sequence[str], most: int | None) -> list[str]:
    return [title, *lines[:most], *_more(len(lines[most:]) if most is not None else 0)] if lines else []


def _more(number: int) -> list[str]:
    return [f"  and {number:,} more (--verbose shows all)"] if number > 0 else []


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:,.1f} MB" if size < 1_000_000_000 else f"{size / 1_000_000_000:,.2f} GB"
