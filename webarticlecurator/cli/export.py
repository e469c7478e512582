"""`curator export`: from the built corpus to a format of another program."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from webarticlecurator.cli import arguments, console
from webarticlecurator.cli.arguments import CorpusFolder
from webarticlecurator.cli.exit_codes import ExitCode
from webarticlecurator.cli.interrupt import interruptible
from webarticlecurator.cli.progress import shown_progress
from webarticlecurator.cli.streams import is_read


def export(
    portal: Annotated[
        list[str],
        typer.Argument(metavar="PORTAL", help="A portal file, or the name of a portal that came with curator; several: one export."),
    ],
    to: Annotated[str, typer.Option("--to", metavar="FORMAT", help="One of the formats above.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="PATH", help="The file, or the folder.")] = None,
    corpus: CorpusFolder = None,
) -> None:
    """
    \b
    Examples:
      curator export portal.yaml --to jsonl -o articles.jsonl.gz

    Write the built articles of PORTAL in the format of another program.
    """
    from webarticlecurator import corpus_export
    from webarticlecurator.exporting.options import ExportOptions

    loaded = arguments.load_portals(portal)
    options = ExportOptions(format=to)
    with interruptible(quiet=console.verbosity() is console.Verbosity.QUIET) as stop, shown_progress() as progress:
        summary = corpus_export.export_portals(
            [(one, corpus) for one in loaded],
            options,
            output=output,
            stdout=sys.stdout.buffer,
            command=shlex.join(["curator", *sys.argv[1:]]),
            progress=progress,
            stop=lambda: stop.is_set() or not is_read(),
        )
    console.say(f"{summary.counts.articles:,} articles exported as {to}")
    raise typer.Exit(ExitCode.INCOMPLETE if stop.is_set() else ExitCode.OK)
