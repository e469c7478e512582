"""`curator status`: what is there, what is missing and why, on one screen."""

from __future__ import annotations

import shlex
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webarticlecurator.amounts import amount
from webarticlecurator.cli import arguments, console
from webarticlecurator.cli.arguments import CorpusFolder, PortalNames
from webarticlecurator.cli.exit_codes import ExitCode
from webarticlecurator.cli.try_report import refused_links
from webarticlecurator.model.outcome import FetchOutcome, PageOutcome
from webarticlecurator.model.status import Completeness, NoArticle, OpenStretch, Proof, StatusReport, Trouble
from webarticlecurator.report.charts.scales import percent

if TYPE_CHECKING:
    from webarticlecurator.model.statistics import PortalOverview

_ROWS, _GAPS, _TROUBLES = 15, 5, 8
"""Shown of each without --verbose."""
_REMOVED = "  removed: the portal file has no such column any more; it counts neither for nor against what is proved"
_ONLY_READ = (
    "  read: a feed or a sitemap to its end, which says nothing of articles that it does not list;"
    " `curator audit --archive --fetch` looks elsewhere for them"
)
_BY_WORD = "  read: one page, which is all by your word (`pages: none`), though it links further ones"
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
    # Past `pipeline`, which brings along all that crawls.
    from webarticlecurator.corpus.folder import crawled_corpus
    from webarticlecurator.corpus.ledger import Ledger
    from webarticlecurator.corpus.status import status_report

    if len(portals) > 1:
        _overview(portals, corpus, as_json=as_json)
        return
    (portal,) = portals
    (loaded,) = arguments.load_portals([portal])
    folder = crawled_corpus(loaded, corpus)
    with Ledger.reading(folder.ledger) as ledger:
        report = status_report(loaded, folder, ledger)
    typed, complete = arguments.as_typed(portal, corpus), console.verbosity() is console.Verbosity.VERBOSE
    lines = screen(report, folder.problems, complete=complete)
    console.report(report, [arguments.with_portal(line, typed) for line in lines], as_json=as_json)
    console.say(f"\nNext: {next_command(report, typed)}")


def _overview(portals: Sequence[str], corpus: Path | None, *, as_json: bool) -> None:
    """Several portals, a row each."""
    from webarticlecurator.corpus_statistics import overview

    arguments.check_corpus(corpus, portals)
    rows = overview(portals, next_command=lambda report, typed: next_command(report, arguments.as_typed(typed, None)))
    unreadable = [row for row in rows if row.unreadable is not None]
    if as_json:
        console.data_json(rows)
    else:
        cells = [_overview_cells(row) for row in rows if row.unreadable is None]
        for line in console.aligned([_OVERVIEW, *cells], headed=True, indent="") if cells else ():
            console.data(line)
        for row in unreadable:
            console.lines(f"{row.portal}: cannot be read: {row.unreadable}")
    for row in rows:
        console.say(f"Next for {row.portal}: {row.next}") if row.next else None
    if unreadable:
        raise typer.Exit(ExitCode.USAGE)


def _overview_cells(row: PortalOverview) -> tuple[str, ...]:
    crawled = f"{row.last_crawl:%Y-%m-%d %H:%M}" if row.last_crawl else "never"
    counts = (f"{number:,}" for number in (row.waiting, row.failed, row.unbuilt, row.problems))
    return (console.printable(row.portal), f"{row.articles:,}", f"{row.urls:,}", percent(row.proved, row.intervals), *counts, crawled)


def next_command(report: StatusReport, portal: str) -> str:
    """The most useful thing to do now; `portal` is how a command names the portal and its corpus."""
    goes_on = f"`curator crawl {portal}` goes on"
    is_left = report.waiting or report.lost or any(row.open for row in report.completeness if not row.removed)
    ends = {gap.end for gap in report.gaps}
    if report.drift:
        return f"`curator try {portal} URL --as archive --fetch` on a page that gave nothing shows what the rules still find"
    if report.article_drift:
        return f"`curator watch {portal}` shows the pages before and after"
    if report.outcomes.get(FetchOutcome.BLOCKED):
        return f"wait, or raise fetch.delay in the portal file; then {goes_on}"
    if ends == {"unproved"} and not (report.waiting or report.lost):
        page = shlex.quote(report.gaps[0].url or "URL")
        return f"`curator try {portal} {page} --as archive` shows what the rules find there; crawling again changes nothing before they do"
    if ends - {"limit"} or is_left:
        return goes_on
    parts = [f"makes TEI documents of {amount(report.unbuilt, 'stored article')} that no build has seen"] if report.unbuilt else []
    again = amount(report.stored_anew, "article again that was", "articles again that were")
    parts += [f"reads {again} stored anew since the last build"] if report.stored_anew else []
    build = f"`curator build {portal}` {', and '.join(parts)}" if parts else ""
    names = ", ".join(dict.fromkeys(gap.column for gap in report.gaps))
    limited = f"{goes_on} where a limit ended {names}; one that stands in the portal file must be raised before" if names else ""
    return "; ".join(filter(None, (build, limited))) or f"`curator crawl {portal}` fetches what is new since the last crawl"


def screen(report: StatusReport, problems_file: Path, *, complete: bool) -> list[str]:
    """The report as lines of text; `complete` leaves nothing out for want of room."""
    when = f"last crawl {report.last_crawl:%Y-%m-%d %H:%M} UTC" if report.last_crawl else "never crawled"
    size = f"{report.warc_bytes / 1e6:,.1f} MB" if report.warc_bytes < 1e9 else f"{report.warc_bytes / 1e9:,.2f} GB"
    stored = f"{amount(report.archive_pages, 'archive page')}, {amount(report.warc_files, 'WARC file')}, {size}"
    outcomes: tuple[FetchOutcome | PageOutcome, ...] = (*PageOutcome, *FetchOutcome)
    given = [(outcome.value, f"{report.outcomes[outcome]:,}") for outcome in outcomes if report.outcomes.get(outcome)]
    ways = [(console.printable(way.name), way.state, way.reason) for way in report.ways]
    wait = amount(report.waiting, "URL waits", "URLs wait")
    none = sum(trouble.no_articles for trouble in report.not_again)
    gone = sum(trouble.count for trouble in report.not_again) - none
    counted = [amount(gone, "stored article")] if gone else []
    counted += [amount(none, "stored page that is no article", "stored pages that are no articles")] if none else []
    pages = sum(page.count for page in report.no_articles)
    pages_are = amount(pages, "stored page is no article, and has no document", "stored pages are no articles, and have no document")
    blocks = (
        [f"{report.portal}: {when}; {stored}; {report.corpus}"],
        [f"{amount(sum(report.outcomes.values()), 'article URL')} known", *console.aligned(given)],
        _completeness(report, complete=complete),
        _titled("Ways to the same articles, best first", console.aligned(ways)),
        _titled("Proved by", console.aligned(_proofs(report, complete=complete))),
        _gaps(report, None if complete else _GAPS),
        refused_links(report.refused),
        _troubles(f"{wait} for the next crawl; what went wrong, most frequent first", report.troubles, complete=complete),
        _troubles(
            f"{' and '.join(counted)} could not be had when last asked for again; what is stored stays", report.not_again, complete=complete
        ),
        _troubles(pages_are, report.no_articles, complete=True),
        _since_then(report),
        [f"The layout seems to have changed: {where}" for where in (*report.drift, *report.article_drift)],
        [f"Lost: {one}; {amount(one.waiting, 'of the articles is', 'of the articles are')} not stored again" for one in report.lost],
        [f"{amount(report.problems, 'problem')} for a human: {problems_file}"] if report.problems else [],
    )
    lines = [line for block in blocks if block for line in (*block, "")]
    return lines[:-1]


def _completeness(report: StatusReport, *, complete: bool) -> list[str]:
    rows = report.completeness
    by_column = [_added([row for row in rows if row.column == column]) for column in dict.fromkeys(row.column for row in rows)]
    shown = list(rows) if complete or len(rows) <= _ROWS else by_column
    kept = shown if complete else sorted(sorted(shown, key=_is_proved)[:_ROWS], key=shown.index)
    numbers = ([f"{getattr(row, name):,}" for name in _COUNTED] for row in kept)
    cells = [(console.printable(row.column), str(row.year or ""), *counts, _end(row)) for row, counts in zip(kept, numbers, strict=True)]
    by_word = {proof.column for proof in report.proofs if proof.by_word}
    only_read = {row.column for row in rows if row.only_read and not row.removed}
    notes = {_ONLY_READ: only_read - by_word, _BY_WORD: only_read & by_word, _REMOVED: [row for row in rows if row.removed]}
    before = [
        f"  {console.printable(row.column)}: lists {amount(row.listed or 0, 'article')} since the whole walk of"
        f" {row.listed_since:%Y-%m-%d}, and {row.listed_before:,} no more that it listed before"
        for row in by_column  # of years that were not read whole nobody knows
        if row.listed_before and row.listed_since is not None
    ]
    lines = [*console.aligned([_HEADINGS, *cells], headed=True), *_more(len(shown) - len(kept)), *before]
    return ["How complete", *lines, *(note for note, is_told in notes.items() if is_told)] if rows else []


def _added(rows: Sequence[Completeness]) -> Completeness:
    """One row of a column: the years added up."""
    whole = [row for row in rows if row.listed is not None]
    return replace(
        rows[0],
        year=rows[0].year if len(rows) == 1 else None,
        limited=sum((Counter(row.limited) for row in rows), Counter()),
        listed=sum(row.listed or 0 for row in whole) if whole else None,
        listed_before=sum(row.listed_before or 0 for row in whole) if whole else None,
        listed_since=min((row.listed_since for row in whole if row.listed_since is not None), default=None),
        **{name: sum(getattr(row, name) for row in rows) for name in (*_COUNTED, "only_read", "open")},
    )


def _is_proved(row: Completeness) -> bool:
    return not row.counts or row.intervals == row.proved + row.only_read


def _end(row: Completeness) -> str:
    if not row.counts:
        return "removed" if row.removed else "not needed"
    if not row.intervals:
        return "not walked yet"
    if _is_proved(row):
        return "proved" if not row.only_read else f"proved, {row.only_read:,} only read" if row.proved else "read"
    ended = [f"{count:,} ended by {limit}" for limit, count in row.limited.items()]
    return ", ".join([*([f"{row.open:,} open"] if row.open else []), *ended])


def _proofs(report: StatusReport, *, complete: bool) -> list[tuple[str, ...]]:
    """What each column's completeness leans on, or only what leans on a person's word against the pages.

    Intervals that ended alike are counted, with the newest as example.
    """
    alike: dict[tuple[str, str], list[Proof]] = defaultdict(list)
    for proof in report.proofs:
        alike[proof.column, proof.ground].append(proof)
    names = {row.column: row.told_column for row in report.completeness}
    rows: list[tuple[str, ...]] = []
    for (column, ground), (newest, *others) in alike.items():
        intervals = amount(newest.intervals + sum(proof.intervals for proof in others), "interval") if newest.first else ""
        row = (console.printable(names.get(column, column)), intervals, ground, f"{newest.page} ({amount(newest.links, 'link')})")
        rows += [row] if complete or newest.by_word else []
    return rows


def _gaps(report: StatusReport, most: int | None) -> list[str]:
    """Stretches that are open; those of a column that are open for one reason stand together."""
    alike: dict[object, list[OpenStretch]] = defaultdict(list)
    for number, gap in enumerate(report.gaps):
        alike[(gap.column, gap.reason) if gap.interval and most else number].append(gap)
    what = "open interval of the archive; the next crawl walks it", "open intervals of the archive; the next crawl walks them"
    if {gap.end for gap in report.gaps} <= {"unproved", "limit"}:  # walking again changes nothing
        what = "interval of the archive that is not proved", "intervals of the archive that are not proved"
    lines = []
    for gap, *others in alike.values():
        intervals = amount(gap.intervals + sum(other.intervals for other in others), "interval")
        where = f"{gap.column}: {intervals}, such as {gap.interval}" if others else " ".join(filter(None, (gap.column, gap.interval)))
        page = "" if gap.end == "failed" else gap.url  # else the reason names it
        lines.append(f"  {': '.join(filter(None, (where, gap.reason, page)))}")
    return _titled(amount(sum(gap.intervals for gap in report.gaps), *what), lines, most)


def _troubles(title: str, troubles: Sequence[Trouble | NoArticle], *, complete: bool) -> list[str]:
    """Reasons with an example, or with all pages that are known by name."""
    lines = []
    for trouble in troubles[: None if complete else _TROUBLES]:
        urls = trouble.urls if complete and isinstance(trouble, Trouble) else ()
        example = f" (such as {trouble.example})" if not urls else ""
        more = [f"and {trouble.count - len(urls):,} more"] if urls and trouble.count > len(urls) else []
        lines += [f"  {trouble.count:,} {trouble.outcome.value}: {trouble.reason}{example}", *(f"    {url}" for url in (*urls, *more))]
    return _titled(title, [*lines, *_more(len(troubles) - _TROUBLES if not complete else 0)])


def _since_then(report: StatusReport) -> list[str]:
    """What changed on the site, or here, since articles were stored and built."""
    lists = "; `curator export --to csv --where {}!=` lists them"
    gone = amount(report.gone, "article is gone from the site; its copy stays", "articles are gone from the site; their copies stay")
    changed = amount(report.text_changed, "article has", "articles have")
    anew = amount(report.stored_anew, "built article has a page", "built articles have pages")
    reads = "reads it" if report.stored_anew == 1 else "reads them"
    named, such = amount(len(report.unlisted), "article is named", "articles are named"), "".join(report.unlisted[:1])
    lines = {
        f"{gone}{lists.format('gone')}": report.gone,
        f"{changed} another text than when first stored{lists.format('text_changed')}": report.text_changed,
        f"{anew} with other bytes that were stored since the last build; the next build {reads}": report.stored_anew,
        f"{named} by the site's own feeds or sitemaps and not known here (such as {such}): `curator audit --archive`"
        " lists them; if they are none, `exclude` under `archive: urls` says so": report.unlisted,
    }
    return [line for line, is_so in lines.items() if is_so]


def _titled(title: str, lines: Sequence[str], most: int | None = None) -> list[str]:
    return [title, *lines[:most], *_more(len(lines[most:]) if most is not None else 0)] if lines else []


def _more(number: int) -> list[str]:
    return [f"  and {number:,} more (--verbose shows all)"] if number > 0 else []
