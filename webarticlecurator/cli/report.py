"""`curator report`: the picture of a corpus, or of several, as pages for the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from webarticlecurator.cli import arguments, console
from webarticlecurator.cli.arguments import STDOUT, Cluster, CorpusFolder, Jobs, PortalNames
from webarticlecurator.cli.exit_codes import ExitCode
from webarticlecurator.cli.progress import at_work
from webarticlecurator.cli.status import next_command
from webarticlecurator.errors import UsageError
from webarticlecurator.storage.places import url_of

_OVERVIEW = Path("overview.html")


def report(
    portals: PortalNames,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            parser=arguments.output_file,
            help="Write the page there.  [default: reports/report.html in the corpus; of several portals: overview.html]",
        ),
    ] = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    corpus: CorpusFolder = None,
) -> None:
    """
    \b
    Examples:
      curator report portal.yaml                          one page with everything; then: curator open portal.yaml
      curator report portal.yaml -o report.html           the same elsewhere
      curator report a.yaml b.yaml c.yaml                 a report in each corpus, and overview.html that leads to them

    Show whether a corpus can be trusted: how much there is, how complete it is and what proves it, what is missing and why, the
    metadata and their sources, what the rules left out, languages, duplicates, and where everything came from. One HTML file, which
    needs no network and runs no script.
    """
    from webarticlecurator import corpus_report
    from webarticlecurator.workers.carriers import Workers

    if output == STDOUT:
        raise UsageError("A report is a page for the browser: name its file, -o report.html.")
    arguments.check_corpus(corpus, portals)
    troubles: list[str] = []
    workers = Workers.asked_for(jobs, cluster)
    with at_work() as (stop, progress):
        if len(portals) == 1:
            (loaded,) = arguments.load_portals(portals)
            typed = arguments.as_typed(portals[0], corpus)
            place = corpus_report.report(loaded, corpus=corpus, output=output, called=typed, workers=workers, progress=progress, stop=stop)
        else:
            place = output or _OVERVIEW
            troubles = corpus_report.overview_report(
                portals, output=place, next_command=next_command, workers=workers, progress=progress, stop=stop
            )
    console.data(url_of(place))
    for trouble in troubles:
        console.complain(trouble)
    if len(portals) == 1 and output is None:
        console.say(f"\nNext: `curator open {typed}` shows it in the browser")
    else:
        console.say("\nNext: open it in a browser")
    raise typer.Exit(ExitCode.FAILURES if troubles else ExitCode.OK)
