"""`curator crawl`: the archive, then the articles."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webarticlecurator.amounts import amount
from webarticlecurator.cli import arguments, console, crawl_report
from webarticlecurator.cli.arguments import CorpusFolder
from webarticlecurator.cli.completion import complete_portal
from webarticlecurator.cli.contact import contact_of, require_contact
from webarticlecurator.cli.exit_codes import ExitCode, of_crawl
from webarticlecurator.cli.interrupt import interruptible
from webarticlecurator.cli.progress import MANY, shown_progress
from webarticlecurator.crawling.options import CrawlOptions, CrawlSummary
from webarticlecurator.errors import UsageError

if TYPE_CHECKING:
    from webarticlecurator.config.portal import Portal
    from webarticlecurator.corpus.folder import Corpus


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
    _check_columns(portals, options)
    if not (offline or dry_run):
        require_contact(portals, options.contact)
    summaries = run(portals, corpus, options, cluster=None if dry_run else cluster)
    if len(portals) < MANY or dry_run or console.verbosity() is console.Verbosity.VERBOSE:
        for summary, loaded, named in zip(summaries, portals, portal, strict=True):
            typed = arguments.as_typed(named, corpus)
            report(summary, corpus_of(loaded, corpus), typed, as_json=as_json, dry_run=dry_run)
            if not dry_run:
                part = crawl_report.flags_of_part(options)
                console.say(f"  Next: {crawl_report.next_command(summary, typed, part)}")
    else:
        _report_many(summaries, [corpus_of(loaded, corpus) for loaded in portals], portal, as_json=as_json)
    if dry_run:
        said = {"--corpus": corpus, "--contact": contact}
        words = [*portal, *crawl_report.as_flags(options), *(str(word) for flag in said.items() if flag[1] is not None for word in flag)]
        console.say(f"Nothing was asked for, nothing was written. Next: `curator crawl {shlex.join(words)}` does it.")
    raise typer.Exit(of_crawl(summaries))


def run(portals: Sequence[Portal], corpus: Path | None, options: CrawlOptions, *, cluster: str | None = None) -> list[CrawlSummary]:
    """Crawl with progress on the terminal and Ctrl-C in order; one summary a portal, in the order of the portals."""
    from webarticlecurator import pipeline

    with interruptible(quiet=console.verbosity() is console.Verbosity.QUIET) as stop, shown_progress(len(portals)) as progress:
        if cluster is None:
            return pipeline.crawl(portals, corpus=corpus, options=options, progress=progress, stop=stop)
        from webarticlecurator.crawl_on_cluster import crawl_on_cluster

        return crawl_on_cluster(portals, cluster, corpus=corpus, options=options, progress=progress, stop=stop)


def report(summary: CrawlSummary, corpus: Corpus, typed: str, *, as_json: bool, dry_run: bool = False) -> None:
    """Say how the crawl of one portal ended; a dry run has no figures. `typed` is how a command names the portal and its corpus."""
    if as_json:
        console.data_json(crawl_report.as_json(summary, corpus, typed))
    if summary.impossible is not None or not dry_run:
        tell = console.say if of_crawl([summary]) is ExitCode.OK else console.complain
        tell("\n".join(arguments.with_portal(line, typed) for line in crawl_report.in_words(summary, corpus)))


def _report_many(summaries: Sequence[CrawlSummary], corpora: Sequence[Corpus], named: Sequence[str], *, as_json: bool) -> None:
    """The same of very many, on one screen."""
    if as_json:
        for summary, folder, portal in zip(summaries, corpora, named, strict=True):
            console.data_json(crawl_report.as_json(summary, folder, arguments.as_typed(portal, None)))
    console.say("\n".join(crawl_report.of_many(summaries)))
    again = arguments.many_as_typed(named)
    console.say(f"  Next: `curator crawl {again}` goes on, or extends what is complete; `curator status {again}` has a row for each;")
    console.say("  --verbose tells all of each portal, --json gives it to a program")


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


def _check_columns(portals: Sequence[Portal], options: CrawlOptions) -> None:
    from webarticlecurator.crawling.planning import chosen_columns

    for portal in portals:
        if not portal.columns:
            raise UsageError(f"{portal.name} has no `archive` in its portal file, so there is nothing to crawl: it can only import WARCs.")
        chosen_columns(portal, options)
