"""`curator release`: a corpus as a folder for an archive, and what is asked of such folders."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import click

from webarticlecurator.amounts import amount
from webarticlecurator.cli import console
from webarticlecurator.cli.command import Call, argument, command, option
from webarticlecurator.cli.process import ExitCode, while_read
from webarticlecurator.errors import CuratorError

Folder = Annotated[Path, argument("DIR", "The folder of a release.")]


@command(portals="several")
def release(
    call: Call,
    output: Annotated[Path, option("--output -o", "The folder, which must not be there yet.", "DIR")],
    level: Annotated[str, option("--level", "full, texts, metadata, or ids: each without what the one before adds.", "LEVEL")] = "full",
    export: Annotated[str, option("--export", "The texts in these formats, too, such as jsonl,csv.", "FORMAT,...")] = "",
    creator: Annotated[list[str] | None, option("--creator", "Who releases it, for citations", "NAME")] = None,
    key: Annotated[Path | None, option("--key", "Sign the WACZ with this private key (PEM, P-384).", "FILE")] = None,
) -> ExitCode:
    """
    \b
    Examples:
      curator release portal.yaml -o pelda-2024 --creator 'Kovács Anna'          for an archive
      curator release portal.yaml -o pelda-ids --level ids                       what can be published of protected texts
      curator release one.yaml two.yaml -o both --level texts --export jsonl,csv
      curator release verify pelda-2024                                          is it what was made?
      curator release diff pelda-2023 pelda-2024                                 what became of the articles?
      curator release rebuild pelda-ids --warc corpora/pelda -o again            the documents, from WARC files

    Hand the built articles of each PORTAL to an archive: a BagIt folder and RO-Crate with TEI, metadata, reports, rules, rights,
    entries for DataCite and citations, and the WARC files as WACZ. It has a fingerprint: whoever has that can check it.
    """
    from webarticlecurator import corpus_release

    call.check_corpus()
    formats, creators = tuple(filter(None, export.split(","))), creator or ()
    work = partial(corpus_release.release, call.portals, output=output, level=level, exports=formats, creators=creators, key=key)
    made = _finished(call, partial(work, corpus=call.corpus))
    call.tell(made, ())
    console.say(f"{amount(made.articles, 'article')} released as {level}: {output}\nFingerprint: {made.fingerprint}")
    call.next("release", "made", folder=shlex.quote(str(output)))
    return ExitCode.OK


@command(portals="none", corpus=False, json=None)
def verify(call: Call, folder: Folder) -> ExitCode:
    """
    \b
    Examples:
      curator release verify pelda-2024

    Whether a release is what was made, with nothing but its folder: every file by its checksum, the list of articles by the fingerprint,
    every document by the list. What was changed is named. Compare the fingerprint with the one that you were told.
    """
    from webarticlecurator import corpus_release
    from webarticlecurator.releasing.contents import account_of

    findings = _finished(call, partial(corpus_release.verify_release, folder))

    if findings:
        console.lines("\n".join(findings))
        return ExitCode.FAILURES
    made = account_of(folder)
    console.say(f"{amount(made.articles, 'article')}, all as they were released.\nFingerprint: {made.fingerprint}")
    return ExitCode.OK


@command(portals="none", corpus=False, json="One JSON object a line.")
def diff(call: Call, before: Annotated[Path, argument("A", "")], after: Annotated[Path, argument("B", "")]) -> ExitCode:
    """
    \b
    Examples:
      curator release diff pelda-2023 pelda-2024
      curator release diff pelda-2023 pelda-2024 | cut -f 2- | sort | uniq -c

    The articles that are new, gone, or changed from release A to release B, a line each with tabs between: id, what, and by what: `page`
    (other captures), `rules`, `program` (its version), or `listing` (what archive pages say of it).
    """
    from webarticlecurator.releasing.verification import differences

    for difference in while_read(differences(before, after)):
        if call.as_json:
            console.data_json(difference)
        else:
            console.data("\t".join((difference["id"], difference["change"], *difference["by"])))
    return ExitCode.OK


@command(portals="none", corpus=False, json=None)
def rebuild(
    call: Call,
    folder: Folder,
    warc: Annotated[list[Path], option("--warc", "WARC files that curator wrote, or a folder or corpus of them", "FILE")],
    output: Annotated[Path, option("--output -o", "The folder for the corpora, which must not be there yet.", "DIR")],
) -> ExitCode:
    """
    \b
    Examples:
      curator release rebuild pelda-ids --warc corpora/pelda -o again

    Make the documents of a release again, of its rules and of WARC files, and say whether all have the digests that it lists.
    """
    from webarticlecurator import corpus_release

    unlike = _finished(call, partial(corpus_release.rebuild_release, folder, warc, output=output))

    if unlike:
        console.lines("\n".join(f"{name}: the document {what}" for name, what in unlike.items()))
        return ExitCode.FAILURES
    console.say(f"All digests agree: {output}")
    return ExitCode.OK


def _finished(call: Call, work: Callable[..., Any]) -> Any:
    """What comes of it. Where it was interrupted, nothing did, and the command ends."""
    from webarticlecurator.exporting.exporter import Stopped

    with call.work() as (stop, progress):
        try:
            return work(progress=progress, stop=stop)
        except (Stopped, CuratorError):
            if not stop.is_set():
                raise
    console.say("Incomplete: interrupted; nothing was written")
    raise click.exceptions.Exit(ExitCode.INCOMPLETE)
