"""`curator build`: stored WARC to TEI documents."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from webarticlecurator.cli import arguments, build_report, console
from webarticlecurator.cli.arguments import CorpusFolder, Jobs, PortalName
from webarticlecurator.cli.exit_codes import of_build, of_comparison
from webarticlecurator.cli.interrupt import interruptible
from webarticlecurator.cli.progress import shown_progress
from webarticlecurator.errors import UsageError

if TYPE_CHECKING:
    from webarticlecurator.building.options import BuildOptions, BuildSummary
    from webarticlecurator.config.portal import Portal

Result = TypeVar("Result")


def build(
    portal: PortalName,
    everything: Annotated[bool, typer.Option("--all", help="Build every article again, changed or not.")] = False,
    compare: Annotated[bool, typer.Option("--compare", help="Say what a build would change; write nothing.")] = False,
    jobs: Jobs = None,
    zip_years: Annotated[bool, typer.Option("--zip", help="One zip file a year instead of a file an article.")] = False,
    template: Annotated[
        str, typer.Option("--template", metavar="TEMPLATE", help="The TEI header: one that came with curator, or a file of yours.")
    ] = "default",
    corpus: CorpusFolder = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object at the end.")] = False,
) -> None:
    """
    \b
    Examples:
      curator build portal.yaml                        what is new, or what the rules now see otherwise
      curator build portal.yaml --compare              after a change of the rules: what would it do?
      curator build portal.yaml --all --jobs 2
      curator build portal.yaml --zip                  tei/2024.zip instead of a hundred thousand files
      curator build portal.yaml --template our.xml     with the header of your project

    Make one TEI document an article out of the corpus' WARC files, by the rules of PORTAL; the portal is not asked. Run it
    again after a crawl or a change of the rules: documents that stay as they are are not touched. What could not be made
    into a valid document is listed, with the reason, in problems.jsonl.
    """
    from webarticlecurator import corpus_build
    from webarticlecurator.building.options import BuildOptions
    from webarticlecurator.corpus.folder import corpus_of

    if compare and zip_years:
        raise UsageError("--compare writes nothing, so --zip does not go with it: leave one of them out.")
    (loaded,) = arguments.load_portals([portal])
    options = BuildOptions(jobs=jobs, everything=everything, zip=zip_years, template=template)
    typed = arguments.as_typed(portal, corpus)
    if compare:
        comparison = _watched(corpus_build.compare_build, loaded, corpus, options)
        console.data_json(comparison) if as_json else console.data("\n".join(build_report.comparison_in_words(comparison)))
        console.say(f"\nNext: {build_report.after_comparison(comparison, typed)}")
        raise typer.Exit(of_comparison(comparison))
    summary = run(loaded, corpus, options)
    folder = corpus_of(loaded, corpus)
    if as_json:
        console.data_json(build_report.as_json(summary, folder))
    console.say("\n".join(build_report.in_words(summary, folder)))
    console.say(f"  Next: {build_report.next_command(summary, typed)}")
    raise typer.Exit(of_build(summary))


def run(portal: Portal, corpus: Path | None, options: BuildOptions) -> BuildSummary:
    """Build with progress on the terminal and Ctrl-C in order."""
    from webarticlecurator import corpus_build

    return _watched(corpus_build.build, portal, corpus, options)


def _watched(work: Callable[..., Result], portal: Portal, corpus: Path | None, options: BuildOptions) -> Result:
    """Do it with progress on the terminal and Ctrl-C in order."""
    with interruptible(quiet=console.verbosity() is console.Verbosity.QUIET) as stop, shown_progress() as progress:
        return work(portal, corpus=corpus, options=options, progress=progress, stop=stop)
