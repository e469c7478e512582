"""`curator crawl`: the archive, then the articles; and how it ended, in sentences for a person and as JSON
for a program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any

from webarticlecurator.amounts import amount, prefixed, size, text_if, those_that_hold
from webarticlecurator.cli import console
from webarticlecurator.cli.command import CLUSTER, Call, as_warning, command, option
from webarticlecurator.cli.page_sources import contact_of, required_contact
from webarticlecurator.cli.process import ExitCode, first_of
from webarticlecurator.crawling.crawl_options import CrawlOptions, CrawlSummary
from webarticlecurator.errors import refuse
from webarticlecurator.urls import bare_host, is_http

if TYPE_CHECKING:
    from pathlib import Path

    from webarticlecurator.config.portal import Portal
    from webarticlecurator.corpus.folder import Corpus


@command(portals="several", json="Print one JSON object per portal at the end.", options=CrawlOptions)
def crawl(
    call: Call,
    options: CrawlOptions,
    cluster: Annotated[str | None, CLUSTER] = None,
    share: Annotated[
        str | None, option("--share", "Of these portals only the K-th of N shares, by their hosts.", "K/N")
    ] = None,
    from_archive: Annotated[
        bool, option("--from-archive", "Only what `coverage` listed, from the web archive.")
    ] = False,
    replay: Annotated[
        str | None, option("--replay", "Where that has them.  [default: Wayback, Common Crawl]", "URL")
    ] = None,
) -> ExitCode:
    """
    \b
    Examples:
      curator crawl portal.yaml                        everything; run again to extend it or to go on
      curator crawl portal.yaml --limit 50             a first look
      curator crawl portal.yaml --column belfold --from 2024-01-01 --until 2024-03-31
      curator crawl portal.yaml --recheck 30d          look for corrections in recent articles
      curator crawl portal.yaml --from-archive         what `curator coverage` found only in a web archive
      curator crawl one.yaml two.yaml three.yaml       several portals at the same time
      curator crawl portals/*.yaml --cluster tcp://head:8786      hundreds, on the machines of a Dask cluster
      curator crawl portals/*.yaml --share 3/10                   the third tenth of them: a job of a batch system

    Walk the archive of each PORTAL, fetch the articles it lists, and store everything as WARC in the corpus folder.
    A run that was interrupted goes on; a finished one is extended. What could not be had is listed, with the reason,
    in problems.jsonl; the exit code says whether anything is missing.
    """
    _refuse_contradictions(options, call.corpus)
    if from_archive:
        return _from_archive(call, options, replay)
    refuse((replay is not None, "--replay says where --from-archive asks: give both."))
    options = replace(options, contact=contact_of(options.contact))
    if share is not None:
        call = _share_of(call, share)
    if not call.names:
        return ExitCode.OK
    call.say_files()
    warnings = dict.fromkeys(chain.from_iterable(portal.warnings for portal in call.portals))
    console.say(*map(as_warning, warnings))
    _refuse_what_cannot_be_crawled(call, options)
    summaries = run(call, options, cluster=None if options.dry_run else cluster)
    for portal, name, summary in zip(call.portals, call.names, summaries, strict=True):
        _tell(replace(call, names=(name,)), portal, summary, is_dry=options.dry_run)
    if options.dry_run:
        console.say("Nothing was asked for, nothing was written.")
        call.next("crawl", "dry run")
    return of_crawl(summaries)


def _refuse_contradictions(options: CrawlOptions, corpus: Path | None) -> None:
    """Raises UsageError where options exclude each other."""
    start, until = options.start, options.until
    both = (
        "--archive-only and --articles-only exclude each other: leave both out for the archive and then the "
        "articles."
    )
    refuse(
        (not (options.archive or options.articles), both),
        (
            (start or until) and not options.archive,
            "--from and --until choose among archive pages, which --articles-only does not walk.",
        ),
        (
            start and until and start > until,
            f"--from {start} is after --until {until}: nothing lies between them.",
        ),
        (
            corpus is not None and corpus.exists() and not corpus.is_dir(),
            f"--corpus {corpus}: this is a file, not a folder.",
        ),
    )


def _refuse_what_cannot_be_crawled(call: Call, options: CrawlOptions) -> None:
    """Raises UsageError before anything is asked for: where a portal has no archive, a column is unknown, or
    nobody is named."""
    from webarticlecurator.crawling.column_walks import chosen_columns

    problem = "has no `archive` in its portal file, so there is nothing to crawl: it can only import WARCs."
    for portal in call.portals:
        refuse((not portal.columns, f"{portal.name} {problem}"))
        chosen_columns(portal, options)
    if not (options.offline or options.dry_run):
        required_contact(call.portals, options.contact, command="crawl")


def _share_of(call: Call, share: str) -> Call:
    """Return the call with the portals of one share alone, and say how many these are."""
    from webarticlecurator.stages.cluster_crawl import share_of

    names = tuple(call.names[place] for place in share_of(call.portals, share))
    console.say(f"Share {share}: {amount(len(names), 'portal')}.")
    return replace(call, names=names)


def _tell(call: Call, portal: Portal, summary: CrawlSummary, *, is_dry: bool) -> None:
    """Tell how the crawl of one portal ended, and what comes next."""
    from webarticlecurator.corpus.folder import corpus_of

    corpus = corpus_of(portal, call.corpus)
    call.tell(as_json(summary, corpus), ())
    report(call, summary, corpus, dry_run=is_dry)
    if not is_dry:
        code, wait = of_crawl([summary]), amount(summary.waiting, "article that waits", "articles that wait")
        situation = "waiting" if code is ExitCode.OK and summary.waiting else code
        call.next("crawl", situation, wait=wait)


def _from_archive(call: Call, options: CrawlOptions, replay: str | None) -> ExitCode:
    from webarticlecurator.cli.warc import tell_imported
    from webarticlecurator.coverage.captures import WAYBACK
    from webarticlecurator.stages import coverage as corpus_coverage

    others = replace(options, limit=None, contact=None) != CrawlOptions()
    refuse(
        (len(call.names) > 1, "--from-archive is for one portal at a time."),
        (others, "With --from-archive only --limit and --contact can be said."),
        (
            replay is not None and not is_http(replay),
            f"--replay {replay}: this is no address that begins with http:// or https://.",
        ),
    )
    who = required_contact((), options.contact, command="crawl", hosts=[bare_host(replay or WAYBACK)])
    with call.work() as (stop, progress):
        imported, not_given, left = corpus_coverage.fetch_from_archive(
            call.portal,
            corpus=call.corpus,
            replay=replay,
            limit=options.limit,
            contact=who,
            progress=progress,
            stop=stop,
        )
    tell_imported(call, imported)
    call.next("warc", "corpus")
    return first_of((ExitCode.INCOMPLETE, stop.is_set() or left), (ExitCode.FAILURES, not_given))


def run(call: Call, options: CrawlOptions, *, cluster: str | None = None) -> list[CrawlSummary]:
    """Crawl with progress on the terminal and Ctrl-C in order; one summary a portal, in the order of the
    portals."""
    with call.work() as (stop, progress):
        if cluster is None:
            from webarticlecurator.stages import pipeline

            return pipeline.crawl(
                call.portals, corpus=call.corpus, options=options, progress=progress, stop=stop
            )
        from webarticlecurator.stages.cluster_crawl import crawl_on_cluster

        return crawl_on_cluster(
            call.portals, cluster, corpus=call.corpus, options=options, progress=progress, stop=stop
        )


def of_crawl(summaries: Iterable[CrawlSummary]) -> ExitCode:
    """The exit code of a crawl of one portal or several."""
    reasons: list[tuple[ExitCode, object]] = []
    for summary in summaries:
        reasons += [
            (ExitCode.USAGE, summary.impossible),
            (ExitCode.BLOCKED, summary.blocked),
            (ExitCode.DRIFT, summary.drift),
        ]
        reasons += [
            (ExitCode.INCOMPLETE, summary.incomplete),
            (ExitCode.FAILURES, summary.failures or summary.missing or summary.going_on),
        ]
    return first_of(*reasons)


def report(call: Call, summary: CrawlSummary, corpus: Corpus, *, dry_run: bool = False) -> None:
    """Say how the crawl of one portal ended; a dry run has no figures."""
    from webarticlecurator.cli.status import refused_links

    if summary.impossible is not None:
        console.complain(f"{summary.portal}: {summary.impossible}")
        return
    if dry_run:
        return
    read, new = amount(summary.archive_pages, "archive page"), amount(summary.new, "new article")
    lines = [
        f"{summary.portal}: {read} read, {new} found, {summary.fetched:,} fetched. Corpus: {corpus.folder}"
    ]
    blocked = f"  Blocked: {summary.blocked}. Nothing is lost: what was not fetched stays in the queue."
    lines += those_that_hold((summary.blocked, blocked))
    lines += console.each_in_two_lines("Failed: ", summary.failures)
    again = f"then `curator crawl {call.typed} --recheck 3650d` asks for these articles again"
    failed = console.in_two_lines(f"  Failed: {summary.going_on}; {again}")
    lines += those_that_hold((summary.going_on, failed))
    # what is the heavier stands first
    told = (
        ("Missing: ", summary.missing),
        ("The layout seems to have changed: ", summary.drift),
        ("Incomplete: ", summary.incomplete),
        ("Way: ", summary.ways),
        ("Proved up to its `stop`: ", summary.by_stop),
        ("To look at: ", summary.remarks),
    )
    for title, reasons in told:
        lines += console.each_in_two_lines(title, reasons)
    lines += _of_known_articles(call, summary)
    files = summary.requisites
    came = f"{files['asked']:,} asked for, {files['stored']:,} stored, {size(files['bytes'])}"
    lines += those_that_hold((files["asked"], f"  Style sheets, pictures and fonts: {came}."))
    lines += prefixed("  ", refused_links(summary.refused))
    if summary.problems:
        lines.append(f"  {console.problems_in(corpus.problems)}")
    tell = console.say if of_crawl([summary]) is ExitCode.OK else console.complain
    tell("\n".join(lines))


def _of_known_articles(call: Call, summary: CrawlSummary) -> Iterator[str]:
    """Give what became of articles that were asked for once more, and which are not there."""
    yield from (f"  {sentence}." for sentence in summary.asked_again)
    if summary.gone:
        where, stays = (
            ("not there", "")
            if summary.gone == summary.not_there
            else ("gone from the site", "; what is stored stays")
        )
        gone = amount(summary.gone, f"article is {where}:", f"articles are {where}, such as")
        listed = text_if(summary.gone > 1, f"; `curator status {call.typed} --verbose` lists them")
        yield f"  {gone} {summary.gone_such_as}{stays}{listed}"


def as_json(summary: CrawlSummary, corpus: Corpus) -> dict[str, Any]:
    """Return the summary of a crawl for a program."""
    first = {"portal": summary.portal, "exit_code": int(of_crawl([summary])), "corpus": str(corpus.folder)}
    own = {field.name: getattr(summary, field.name) for field in fields(summary)}
    return {**first, **own, "problems_file": str(corpus.problems) if summary.problems else None}
