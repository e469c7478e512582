"""`curator crawl`: the archive, then the articles; and how it ended, in sentences for a person and as JSON for a program."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import fields
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from webarticlecurator.amounts import amount
from webarticlecurator.cli import arguments, console
from webarticlecurator.cli.arguments import CorpusFolder
from webarticlecurator.cli.completion import complete_portal
from webarticlecurator.cli.contact import contact_of, require_contact
from webarticlecurator.cli.exit_codes import PRECEDENCE, ExitCode, of_crawl
from webarticlecurator.cli.progress import MANY, at_work
from webarticlecurator.errors import UsageError

if TYPE_CHECKING:
    from webarticlecurator.config.portal import Portal
    from webarticlecurator.corpus.folder import Corpus
    from webarticlecurator.crawling.options import CrawlOptions, CrawlSummary

_UNITS = {"d": 86_400_000, "h": 3_600_000, "m": 60_000, "s": 1000, "ms": 1}
_LISTED, _LISTED_OF_MANY = 5, 20
_ENDED = {
    ExitCode.USAGE: "could not be crawled, or not to the end:",
    ExitCode.BLOCKED: "blocked:",
    ExitCode.DRIFT: "whose layout seems to have changed:",
    ExitCode.INCOMPLETE: "incomplete:",
    ExitCode.FAILURES: "finished, with failures:",
    ExitCode.OK: "finished, all well",
}


def crawl(
    portal: Annotated[
        list[str],
        typer.Argument(
            metavar="PORTAL",
            help="A portal file, or the name of a portal that came with curator; several run together.",
            autocompletion=complete_portal,
        ),
    ],
    archive_only: Annotated[bool, typer.Option("--archive-only", help="Walk the archive, fetch no articles.")] = False,
    articles_only: Annotated[bool, typer.Option("--articles-only", help="Fetch articles already known, walk nothing.")] = False,
    column: Annotated[list[str] | None, typer.Option("--column", metavar="NAME", help="Only this column; may be repeated.")] = None,
    start: Annotated[
        date | None,
        typer.Option("--from", metavar="DAY", parser=arguments.day, help="Only date intervals from this day on (2024-05-01)."),
    ] = None,
    until: Annotated[
        date | None, typer.Option("--until", metavar="DAY", parser=arguments.day, help="Only date intervals up to this day.")
    ] = None,
    limit: Annotated[int | None, typer.Option("--limit", metavar="N", min=0, help="At most N articles in this run.")] = None,
    full: Annotated[bool, typer.Option("--full", help="Walk everything again, known or not.")] = False,
    recheck: Annotated[
        timedelta | None,
        typer.Option("--recheck", metavar="TIME", parser=arguments.duration, help="Ask again for articles first seen within TIME (30d)."),
    ] = None,
    offline: Annotated[bool, typer.Option("--offline", help="Answer every request from the corpus; ask nobody.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be asked; ask and write nothing.")] = False,
    corpus: CorpusFolder = None,
    contact: arguments.Contact = None,
    cluster: arguments.Cluster = None,
    share: Annotated[
        str | None, typer.Option("--share", metavar="K/N", help="Of these portals only the K-th of N shares, by their hosts.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per portal at the end.")] = False,
) -> None:
    """
    \b
    Examples:
      curator crawl portal.yaml                        everything; run again to extend it or to go on
      curator crawl portal.yaml --limit 50             a first look
      curator crawl portal.yaml --column belfold --from 2024-01-01 --until 2024-03-31
      curator crawl portal.yaml --recheck 30d          look for corrections in recent articles
      curator crawl one.yaml two.yaml three.yaml       several portals at the same time
      curator crawl portals/*.yaml --cluster tcp://head:8786      hundreds, on the machines of a Dask cluster
      curator crawl portals/*.yaml --share 3/10                   the third tenth of them: a job of a batch system

    Walk the archive of each PORTAL, fetch the articles it lists, and store everything as WARC in the corpus folder.
    A run that was interrupted goes on; a finished one is extended. What could not be had is listed, with the reason,
    in problems.jsonl; the exit code says whether anything is missing.
    """
    from webarticlecurator.corpus.folder import corpus_of
    from webarticlecurator.crawling.columns import chosen_columns
    from webarticlecurator.crawling.options import CrawlOptions
    from webarticlecurator.crawling.shares import share as share_of

    options = CrawlOptions(
        archive=not articles_only,
        articles=not archive_only,
        columns=tuple(column or ()),
        start=start,
        until=until,
        limit=limit,
        full=full,
        recheck=recheck,
        offline=offline,
        dry_run=dry_run,
        contact=contact_of(contact),
    )
    _check_flags(options, portals=len(portal), corpus=corpus)
    portals = arguments.load_portals(portal)
    if share is not None:
        places = share_of(portals, share)
        portals, portal = tuple(portals[place] for place in places), [portal[place] for place in places]
        console.say(f"Share {share}: {amount(len(portals), 'portal')}.")
        if not portals:
            return
    for warning in dict.fromkeys(warning for loaded in portals for warning in loaded.warnings):
        console.say(arguments.as_warning(warning))
    for loaded in portals:
        if not loaded.columns:
            raise UsageError(f"{loaded.name} has no `archive` in its portal file, so there is nothing to crawl: it can only import WARCs.")
        chosen_columns(loaded, options)
    if not (offline or dry_run):
        require_contact(portals, options.contact)
    summaries = run(portals, corpus, options, cluster=None if dry_run else cluster)
    corpora = [corpus_of(loaded, corpus) for loaded in portals]
    if len(portals) < MANY or dry_run or console.verbosity() is console.Verbosity.VERBOSE:
        for summary, folder, named in zip(summaries, corpora, portal, strict=True):
            typed = arguments.as_typed(named, corpus)
            report(summary, folder, typed, as_json=as_json, dry_run=dry_run)
            if not dry_run:
                console.say(f"  Next: {_next_command(summary, typed, _flags(options, of_part=True))}")
    else:
        _report_many(summaries, corpora, portal, as_json=as_json)
    if dry_run:
        said = {"--corpus": corpus, "--contact": contact}
        words = [*portal, *_flags(options), *(str(word) for flag in said.items() if flag[1] is not None for word in flag)]
        console.say(f"Nothing was asked for, nothing was written. Next: `curator crawl {shlex.join(words)}` does it.")
    raise typer.Exit(of_crawl(summaries))


def run(portals: Sequence[Portal], corpus: Path | None, options: CrawlOptions, *, cluster: str | None = None) -> list[CrawlSummary]:
    """Crawl with progress on the terminal and Ctrl-C in order; one summary a portal, in the order of the portals."""
    with at_work(len(portals)) as (stop, progress):
        if cluster is None:
            from webarticlecurator import pipeline

            return pipeline.crawl(portals, corpus=corpus, options=options, progress=progress, stop=stop)
        from webarticlecurator.crawl_on_cluster import crawl_on_cluster

        return crawl_on_cluster(portals, cluster, corpus=corpus, options=options, progress=progress, stop=stop)


def _check_flags(options: CrawlOptions, *, portals: int, corpus: Path | None) -> None:
    if not (options.archive or options.articles):
        raise UsageError("--archive-only and --articles-only exclude each other: leave both out for the archive and then the articles.")
    if (options.start or options.until) and not options.archive:
        raise UsageError("--from and --until choose among the pages of the archive, which --articles-only does not walk.")
    if options.start and options.until and options.start > options.until:
        raise UsageError(f"--from {options.start} is after --until {options.until}: nothing lies between them.")
    if corpus is not None and portals > 1:
        raise UsageError("--corpus names the folder of one portal: crawl the portals one by one, or leave it out.")
    if corpus is not None and corpus.exists() and not corpus.is_dir():
        raise UsageError(f"--corpus {corpus}: this is a file, not a folder.")


def _flags(options: CrawlOptions, *, of_part: bool = False) -> list[str]:
    """The flags that say which pages a crawl is about, or only which part of the portal."""
    recheck = None
    if options.recheck is not None:
        milliseconds = round(options.recheck.total_seconds() * 1000)
        recheck = next(f"{milliseconds // size}{unit}" for unit, size in _UNITS.items() if milliseconds % size == 0)
    switches = {
        "--archive-only": not options.articles,
        "--articles-only": not options.archive,
        "--full": options.full,
        "--offline": options.offline,
    }
    values: list[tuple[str, object]] = [("--column", name) for name in options.columns]
    values += [("--from", options.start), ("--until", options.until)]
    values += [] if of_part else [("--limit", options.limit), ("--recheck", recheck)]
    words = [str(word) for flag, value in values if value is not None for word in (flag, value)]
    return words if of_part else [*(flag for flag, wanted in switches.items() if wanted), *words]


# --- how it ended, in sentences and as JSON ---


def report(summary: CrawlSummary, corpus: Corpus, typed: str, *, as_json: bool, dry_run: bool = False) -> None:
    """Say how the crawl of one portal ended; a dry run has no figures. `typed` is how a command names the portal and its corpus."""
    if as_json:
        console.data_json(_as_json(summary, corpus, typed))
    if summary.impossible is not None or not dry_run:
        tell = console.say if of_crawl([summary]) is ExitCode.OK else console.complain
        tell("\n".join(arguments.with_portal(line, typed) for line in _in_words(summary, corpus)))


def _as_json(summary: CrawlSummary, corpus: Corpus, typed: str) -> dict[str, Any]:
    """For a program; the commands that its remarks suggest name the portal as it was typed."""
    return {
        "portal": summary.portal,
        "exit_code": int(of_crawl([summary])),
        "corpus": str(corpus.folder),
        **{field.name: getattr(summary, field.name) for field in fields(summary) if field.name != "portal"},
        "remarks": [arguments.with_portal(remark, typed) for remark in summary.remarks],
        "problems_file": str(corpus.problems) if summary.problems else None,
    }


def _in_words(summary: CrawlSummary, corpus: Corpus) -> list[str]:
    """For a person, line by line."""
    from webarticlecurator.cli.try_report import refused_links

    if summary.impossible is not None:
        return [f"{summary.portal}: {summary.impossible}"]
    read, new = amount(summary.archive_pages, "archive page"), amount(summary.new, "new article")
    lines = [f"{summary.portal}: {read} read, {new} found, {summary.fetched:,} fetched. Corpus: {corpus.folder}"]
    lines += [f"  {sentence}." for sentence in summary.asked_again]
    if summary.blocked is not None:
        lines.append(f"  Blocked: {summary.blocked}. Nothing is lost: what was not fetched stays in the queue.")
    lines += _listed("Way: ", summary.ways)
    lines += _listed("The layout seems to have changed: ", summary.drift)
    lines += _listed("Incomplete: ", summary.incomplete)
    lines += _listed("Failed: ", summary.failures)
    if summary.going_on is not None:
        lines.append(f"  Perhaps not whole: {summary.going_on}; `curator audit` shows the rule to write")
    lines += _listed("To look at: ", summary.remarks)
    lines += [f"  {line}" for line in refused_links(summary.refused)]
    if summary.problems:
        lines.append(f"  {amount(summary.problems, 'problem')} for a human: {corpus.problems}")
    return lines


def _report_many(summaries: Sequence[CrawlSummary], corpora: Sequence[Corpus], named: Sequence[str], *, as_json: bool) -> None:
    """The same of very many on one screen: the sum of all, how many ended how, and why those that did not end well."""
    if as_json:
        for summary, folder, portal in zip(summaries, corpora, named, strict=True):
            console.data_json(_as_json(summary, folder, arguments.as_typed(portal, None)))
    read, new, fetched, waiting = (sum(getattr(one, name) for one in summaries) for name in ("archive_pages", "new", "fetched", "waiting"))
    sums = f"{amount(read, 'archive page')} read, {amount(new, 'new article')} found, {fetched:,} fetched"
    console.say(f"{amount(len(summaries), 'portal')}: {sums}, {amount(waiting, 'waits', 'wait')}.")
    for code in (*PRECEDENCE, ExitCode.OK):
        ended = [summary for summary in summaries if of_crawl([summary]) is code]
        if ended:
            reasons = [f"{summary.portal}: {_first_reason(summary)}" for summary in ended] if code else []
            console.say("\n".join([f"  {len(ended):,} {_ENDED[code]}", *_listed("  ", reasons, _LISTED_OF_MANY)]))
    again = arguments.many_as_typed(named)
    console.say(f"  Next: `curator crawl {again}` goes on, or extends what is complete; `curator status {again}` has a row for each;")
    console.say("  --verbose tells all of each portal, --json gives it to a program")


def _first_reason(summary: CrawlSummary) -> str:
    reasons = (summary.impossible, summary.blocked, *summary.drift, *summary.incomplete, *summary.failures)
    return next((reason for reason in reasons if reason is not None), "")


def _next_command(summary: CrawlSummary, portal: str, part: Sequence[str]) -> str:
    """The most useful thing to do now; `portal` is how a command names the portal and its corpus, `part` which part was asked for."""
    again, status = f"`curator crawl {' '.join([portal, *([shlex.join(part)] if part else [])])}`", f"`curator status {portal}`"
    well = f"{status} shows what is there; `curator build {portal}` makes TEI documents"
    if summary.waiting:  # with --archive-only
        wait = amount(summary.waiting, "article that waits", "articles that wait")
        well = f"`curator crawl {portal} --articles-only` fetches the {wait}"
    return {
        ExitCode.USAGE: f"{again}, when that is put right",
        ExitCode.BLOCKED: f"wait, or raise fetch.delay in the portal file; then {again} goes on",
        ExitCode.DRIFT: f"`curator try {portal} URL --as archive --fetch` on such a page shows what the rules still find",
        ExitCode.INCOMPLETE: f"{again} goes on; {status} shows what is missing",
        ExitCode.FAILURES: f"{status} shows what failed and why; the next crawl asks again",
        ExitCode.OK: well,
    }[of_crawl([summary])]


def _listed(title: str, reasons: Sequence[str], most: int = _LISTED) -> list[str]:
    """Each once, and what is said of several columns with all their names."""
    columns: dict[str, list[str]] = {}
    for reason in reasons:
        name, colon, rest = reason.removeprefix("column ").partition(": ")
        of_column = colon and reason.startswith("column ")
        columns.setdefault(rest if of_column else reason, []).extend([name] if of_column else [])
    rows = [f"column{'s' if len(names) > 1 else ''} {', '.join(names)}: {reason}" if names else reason for reason, names in columns.items()]
    rows[most:] = [f"and {len(rows) - most:,} more"] if len(rows) > most else []
    return [f"  {title}{row}" for row in rows]
