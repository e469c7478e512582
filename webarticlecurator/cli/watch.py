"""`curator watch`: whether the articles still look as they did; what changed, since when, and what could be done."""

from __future__ import annotations

import shlex
from pathlib import Path
from shutil import get_terminal_size
from typing import Annotated

import typer

from webarticlecurator.cli import arguments, console
from webarticlecurator.cli.arguments import STDOUT, CorpusFolder, PortalName
from webarticlecurator.cli.exit_codes import of_watch
from webarticlecurator.cli.progress import at_work
from webarticlecurator.errors import UsageError


def watch(
    portal: PortalName,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", parser=arguments.output_file, help="Write a page that shows the pages of each drift."
        ),
    ] = None,
    sample: Annotated[
        int, typer.Option("--sample", metavar="N", min=20, help="Look at about N articles of all times, beside the newest.")
    ] = 400,
    corpus: CorpusFolder = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """
    \b
    Examples:
      curator watch portal.yaml                        do the articles still look as they did?
      curator watch portal.yaml -o drift.html          the pages before and after side by side, for the browser
      curator watch portal.yaml --sample 2000          look more closely
      curator watch portal.yaml --json                 one JSON object, for programs

    Look at the built articles of PORTAL in the order of their dates, and at some of their stored pages: did the layout change, so that
    the rules lose text, keep what is not the article's, or find no metadata any more? What is told as a change goes on from some
    article to the newest ones; a single odd page is none. It names the first article, shows three pages side by side, and proposes an
    entry of `layouts`. Every build looks at the newest articles by itself. The exit code is 5 where the layout seems to have changed.
    """
    from webarticlecurator import corpus_watch
    from webarticlecurator.cli import watch_report
    from webarticlecurator.corpus.folder import write_whole

    if output == STDOUT:
        raise UsageError("What -o writes is a page for the browser: name its file, -o drift.html.")
    (loaded,) = arguments.load_portals([portal])
    with at_work() as (stop, progress):
        found = corpus_watch.watch(loaded, corpus=corpus, sample=sample, with_html=output is not None, progress=progress, stop=stop)
    if output is not None:
        from webarticlecurator.report.drift_page import drift_page

        write_whole(output, drift_page(found).encode("utf-8", "replace"))
    code = of_watch(found)
    console.report(watch_report.as_json(found, code), watch_report.in_words(found, get_terminal_size().columns), as_json=as_json)
    if output is not None:
        console.say(f"The pages are shown in {shlex.quote(str(output))}")
    console.say(f"\nNext: {watch_report.next_command(found, arguments.as_typed(portal, corpus))}")
    raise typer.Exit(code)
