"""`curator audit`: what the rules lost, and what they kept that should not be there."""

from __future__ import annotations

from contextlib import closing
from datetime import datetime
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Annotated

import typer

from webarticlecurator.amounts import amount
from webarticlecurator.cli import arguments, audit_report, console
from webarticlecurator.cli.arguments import Cluster, CorpusFolder, Jobs, PortalName, WarcFiles
from webarticlecurator.cli.contact import contact_of, require_contact
from webarticlecurator.cli.exit_codes import ExitCode, first_of
from webarticlecurator.cli.page_sources import is_built
from webarticlecurator.cli.progress import at_work
from webarticlecurator.errors import UsageError

if TYPE_CHECKING:
    from webarticlecurator.config.portal import Portal

_SAMPLE = 2_000
"""Pages."""


def audit(
    portal: PortalName,
    warc: WarcFiles = None,
    corpus: CorpusFolder = None,
    sample: Annotated[
        int | None, typer.Option("--sample", metavar="N", min=1, help=f"So many pages, some of every year.  [default: {_SAMPLE}]")
    ] = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    archive: Annotated[bool, typer.Option("--archive", help="Look for articles that the archive's walks missed.")] = False,
    fetch: Annotated[bool, typer.Option("--fetch", help="With --archive: ask the site for its feeds and sitemaps.")] = False,
    contact: Annotated[
        str | None, typer.Option("--contact", metavar="WHO", help="Who asks, for the User-Agent: an e-mail address or a URL.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """
    \b
    Examples:
      curator audit portal.yaml                        what is lost, and what should not be there?
      curator audit portal.yaml --sample 1000000       every page, where 2,000 are not enough
      curator audit portal.yaml --warc old.warc.gz     without a corpus
      curator audit portal.yaml --json                 one JSON object, for programs
      curator audit portal.yaml --archive              is an article missing?
      curator audit portal.yaml --archive --fetch      ask for the site's feeds and sitemaps first

    Read the stored articles of PORTAL by its rules, and look for what the rules do wrong: article text that is dropped, or
    stands outside of the container; furniture that is kept; sentences and paragraphs that are cut; metadata that are missing
    in some years; rules that never match. Each finding has its amount, examples, and what to do. After them comes the account
    of all that was kept and dropped. With --archive, compare what the corpus knows with the articles that the site's feeds and
    sitemaps name (read by --fetch, and kept beside the corpus). Each of these must be known. The exit code is 0 when nothing
    was found, 1 when something was, or when feeds or sitemaps could not be fetched.
    """
    from webarticlecurator import corpus_survey
    from webarticlecurator.survey.audit.findings import audit_of
    from webarticlecurator.survey.audit.question import AuditQuestion
    from webarticlecurator.workers.carriers import Workers

    (loaded,) = arguments.load_portals([portal])
    typed = arguments.as_typed(portal, corpus)
    if archive:
        if warc or sample:
            raise UsageError("--archive compares a whole corpus with its ledger: leave out --warc and --sample.")
        asked_at = _read_site_sources(loaded, corpus, contact_of(contact)) if fetch else None
        raise typer.Exit(_compare_archive(loaded, corpus, typed, asked_at, as_json=as_json))
    if fetch:
        raise UsageError("--fetch asks the site for its feeds and sitemaps, which only --archive compares: say both.")
    workers = Workers.asked_for(jobs, cluster)
    with at_work() as (stop, progress):
        surveyed = corpus_survey.surveyed(
            AuditQuestion(loaded),
            loaded,
            phase="audit",
            corpus=corpus,
            warcs=warc or (),
            workers=workers,
            sample=sample or _SAMPLE,
            progress=progress,
            stop=stop,
        )
    if not surveyed.of_pages:
        where = "these WARC files" if warc else "the corpus"
        raise UsageError(f"There is no article page in {where}: nothing to look at. `curator status` says what a corpus holds.")
    with closing(surveyed.counts) as counts:
        found = audit_of(counts, loaded, of_pages=surveyed.of_pages)
    code = first_of(
        (
            *([] if surveyed.complete else [ExitCode.INCOMPLETE]),
            *([ExitCode.FAILURES] if found.findings or not found.pages else []),
        )
    )
    value = audit_report.as_json(found, code, complete=surveyed.complete)
    console.report(value, audit_report.in_words(found, get_terminal_size().columns), as_json=as_json)
    if not surveyed.complete:
        console.say(f"Interrupted after {amount(surveyed.pages, 'page')}: the audit is of these.")
    pages = arguments.warc_flags(warc or ())
    console.say(f"Next: {audit_report.next_command(found, typed, pages, is_built=not pages and is_built(loaded, corpus))}")
    raise typer.Exit(code)


def _read_site_sources(portal: Portal, corpus: Path | None, contact: str | None) -> datetime:
    """`--fetch`; gives when it began."""
    from webarticlecurator import corpus_survey

    require_contact([portal], contact, command="audit")
    with at_work() as (stop, progress):
        return corpus_survey.read_site_sources(portal, corpus=corpus, contact=contact, progress=progress, stop=stop)


def _compare_archive(portal: Portal, corpus: Path | None, typed: str, asked_at: datetime | None, *, as_json: bool) -> ExitCode:
    """`--archive`; `typed` is how a command names the portal and its corpus, `asked_at` when feeds and sitemaps were asked for just now."""
    from webarticlecurator import corpus_survey

    with at_work() as (stop, progress):
        found = corpus_survey.compared(portal, corpus=corpus, progress=progress, stop=stop, asked_at=asked_at)
    is_unfetched = asked_at is not None and any(one["failed"] for one in found["sources"])
    reasons = ((ExitCode.INCOMPLETE, not found["complete"]), (ExitCode.FAILURES, found["total"] or is_unfetched))
    code = first_of(code for code, given in reasons if given)
    console.report(audit_report.comparison_as_json(found, code), audit_report.comparison_in_words(found), as_json=as_json)
    if not found["complete"]:
        console.say("Interrupted: not all that the site names was compared.")
    console.say(f"Next: {audit_report.next_after_comparison(found, typed)}")
    return code
