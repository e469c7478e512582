"""`curator warc push`: sealed WARC files brought to an object store."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from webarticlecurator.amounts import amount
from webarticlecurator.cli import arguments, console
from webarticlecurator.cli.arguments import CorpusFolder, PortalName
from webarticlecurator.cli.exit_codes import ExitCode
from webarticlecurator.cli.progress import at_work


def push(
    portal: PortalName,
    to: Annotated[Path, typer.Option("--to", metavar="URL", help="The place: s3://BUCKET/PORTAL, or a folder.", show_default=False)],
    remove: Annotated[bool, typer.Option("--remove", help="Take away here what was found whole there, digest by digest.")] = False,
    corpus: CorpusFolder = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was done as one JSON object.")] = False,
) -> None:
    """
    \b
    Examples:
      curator warc push portal.yaml --to s3://bucket/pelda              files that are complete
      curator warc push portal.yaml --to s3://bucket/pelda --remove     and make room here
      curator warc push portal.yaml --to /mnt/archive/pelda             to another disk

    Bring the sealed WARC files of a corpus to an object store, after a crawl or between two. Each file is read back and held against its
    SHA-256; what was found whole is noted, and neither sent nor read again. Crawls and builds go on here: all commands find files that lie
    there alone. Keys come from the environment, never from the URL.
    """
    from webarticlecurator.corpus import shipping

    (loaded,) = arguments.load_portals([portal])
    with at_work() as (stop, progress):
        pushed = shipping.push(loaded, to, corpus=corpus, remove=remove, progress=progress, stop=stop)
    lines = [
        f"{amount(pushed.sent, 'file')} ({amount(pushed.bytes, 'byte')}) {'was' if pushed.sent == 1 else 'were'}"
        f" sent to {pushed.to} and found whole; {amount(pushed.there, 'was', 'were')} before."
    ]
    if pushed.removed:
        lie = amount(pushed.removed, "file lies", "files lie")
        lines.append(f"  {lie} there alone now; curator finds them by warc/pushed.txt: keep that.")
    lines += [f"  {name} is still open: the next crawl completes it." for name in pushed.still_open]
    console.report(pushed, lines, as_json=as_json)
    if not pushed.finished:
        console.say("\nNext: the same command goes on where it was")
        raise typer.Exit(ExitCode.INCOMPLETE)
    typed = arguments.as_typed(portal, corpus)
    if pushed.still_open:
        console.say(f"\nNext: `curator crawl {typed}` completes what is open; then the same command brings it")
        raise typer.Exit(ExitCode.INCOMPLETE)
    console.say(f"\nNext: `curator build {typed}` reads the files where they lie; `curator crawl {typed}` goes on here")
