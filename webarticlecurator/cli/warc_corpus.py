"""`curator warc index` and `curator warc import`: the WARC commands that change a corpus."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from webarticlecurator.cli import arguments, console
from webarticlecurator.cli.arguments import CorpusFolder, PortalName
from webarticlecurator.cli.exit_codes import ExitCode
from webarticlecurator.cli.interrupt import interruptible
from webarticlecurator.cli.progress import shown_progress


def index(portal: PortalName, corpus: CorpusFolder = None) -> None:
    """
    \b
    Examples:
      curator warc index portal.yaml                 after ledger.sqlite was lost or damaged

    Make the ledger of a corpus again from its WARC files alone. The portal is not visited and its rules are not asked: what
    was known of every URL, walk and span lies in the WARC files.
    """
    from webarticlecurator import pipeline

    (loaded,) = arguments.load_portals([portal])
    with shown_progress() as progress:
        recovered = pipeline.index(loaded, corpus=corpus, progress=progress)
    console.say(f"The ledger was made again from {recovered.events:,} records.")
    for sentence in recovered.lost:
        console.complain(f"{sentence} by the next crawl.")
    console.say(f"\nNext: `curator status {arguments.as_typed(portal, corpus)}` shows what the corpus has.")
    if recovered.lost:
        raise typer.Exit(ExitCode.FAILURES)


def import_(
    portal: PortalName,
    files: Annotated[list[Path], typer.Argument(metavar="FILES...", help="WARC or ARC files of any program, or folders with such files.")],
    corpus: CorpusFolder = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was taken in as one JSON object.")] = False,
) -> None:
    """
    \b
    Examples:
      curator warc import portal.yaml old/*.warc.gz              files of another crawler
      curator warc import portal.yaml archive.warc.gz articles.warc.gz
      curator warc import portal.yaml CC-MAIN-2024.warc.gz       pages out of Common Crawl
      curator warc import portal.yaml 2008/                      ARC files are read, too

    Take pages out of WARC and ARC files that other programs made into a corpus, with their bytes and dates. Archive pages and articles
    are told apart by the portal's rules; a portal file without `archive` takes everything as articles. Pages that are there
    already are passed over, so importing twice is harmless.
    """
    from webarticlecurator import pipeline
    from webarticlecurator.warc.store import warc_paths

    (loaded,) = arguments.load_portals([portal])
    paths = warc_paths(files)
    with interruptible(quiet=console.verbosity() is console.Verbosity.QUIET) as stop, shown_progress() as progress:
        imported = pipeline.import_warcs(loaded, paths, corpus=corpus, progress=progress, stop=stop)
    if as_json:
        console.data_json(asdict(imported))
    console.say(f"{imported.articles:,} articles and {imported.archive_pages:,} archive pages were taken in.")
    for reason, number in sorted(imported.skipped.items(), key=lambda pair: -pair[1]):
        console.say(f"  {number:,} passed over: {reason}")
    console.say(f"\nNext: `curator status {arguments.as_typed(portal, corpus)}` shows what the corpus has now.")
    if stop.is_set():
        raise typer.Exit(ExitCode.INCOMPLETE)
