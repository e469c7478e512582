"""Hand a corpus on: `curator export`, from the built corpus to a format of another program; and `curator
release`, a corpus as a folder for an archive, and what is asked of such folders."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from webarticlecurator.amounts import amount, each_number, part, prefixed, text_if, those_that_hold
from webarticlecurator.cli import console
from webarticlecurator.cli.command import STDOUT, Call, argument, as_typed, command, option
from webarticlecurator.cli.process import ExitCode, is_read
from webarticlecurator.cli.tips import first_that_holds
from webarticlecurator.errors import refuse
from webarticlecurator.exporting.export_options import USUALLY_SHOWN, ExportOptions, Part
from webarticlecurator.storage.places import legible

if TYPE_CHECKING:
    from webarticlecurator.exporting.exporter import ExportCounts
    from webarticlecurator.stages.export import ExportSummary

_LISTED = 12
"""Strata that are told."""


@command(
    portals="any",
    workers=True,
    json="Print one JSON object at the end; needs --output.",
    options=ExportOptions,
)
def export(
    call: Call,
    options: ExportOptions,
    written_as: Annotated[str, option("--to", "The format; `list` tells them all.", "FORMAT")] = "list",
    written_to: Annotated[
        str | None,
        option("--output -o", "The file, packed if it ends in .gz or .zst; or the folder, if in /.", "PATH"),
    ] = None,
) -> ExitCode:
    """
    \b
    Examples:
      curator export portal.yaml --to jsonl -o articles.jsonl.gz
      curator export portal.yaml --to text -o texts/                       a file an article, texts.metadata.csv beside
      curator export portal.yaml --to csv --from 2020-01-01 --where section=Sport --where 'headline~[Hh]íd' -o sport.csv
      curator export portal.yaml --to csv --sample 500 --by year,section --seed 7 -o sample.csv
      curator export one.yaml two.yaml --to jsonl --dedup near -o both.jsonl.zst

    Write the built articles of each PORTAL in the format of another program. Filters combine: all must hold. Comments, boxes and
    captions are left out unless --with names them, entries of live blogs stay unless --without does; jsonl leaves out comments
    alone, and so does teicorpus. Without --output one file goes to stdout, a folder into the corpus.
    """
    from webarticlecurator.exporting.formats import all_formats, format_of
    from webarticlecurator.stages import export as corpus_export

    if written_as == "list":
        refuse(
            (
                written_to is not None,
                "In which format? Name it by --to; `curator export --to list` tells them all.",
            )
        )
        console.data(
            "\n".join(console.aligned([(name, format.summary) for name, format in all_formats().items()]))
        )
        return ExitCode.OK
    refuse((not call.names, "Of which portal? Name its portal file before --to."))
    format, output = format_of(written_as), written_to if written_to != str(STDOUT) else None
    is_folder = format.is_folder(output)
    to_stdout = output is None and not is_folder
    shown = to_stdout and format.binary and sys.stdout.isatty()
    refuse(
        (
            to_stdout and call.as_json,
            "--json prints the summary to stdout, where the export goes: name a file with -o.",
        ),
        (
            shown,
            f"{written_as} is no text that a terminal shows: name a file with -o, such as -o "
            f"articles{format.suffix}",
        ),
        (
            written_to == str(STDOUT) and is_folder,
            f"{written_as} is several files here, and stdout is one: name a folder with -o.",
        ),
    )
    placed, options = [(portal, call.corpus) for portal in call.portals], replace(options, to=written_as)
    work = partial(
        corpus_export.export_portals, placed, options, output=output, stdout=sys.stdout.buffer, wanted=is_read
    )
    with call.work() as (stop, progress):
        summary = work(
            command=shlex.join(["curator", *map(legible, sys.argv[1:])]),
            workers=call.workers,
            progress=progress,
            stop=stop,
        )
    call.tell(summary, ())
    if summary.incomplete:
        console.say(f"Incomplete: {summary.incomplete}")
        return ExitCode.INCOMPLETE if stop.is_set() else ExitCode.OK
    _tell(call, summary)
    return ExitCode.OK if summary.counts.articles and not summary.counts.failed else ExitCode.FAILURES


def _tell(call: Call, summary: ExportSummary) -> None:
    """Say what was exported, and what to do next."""
    typed = " ".join(as_typed(name, call.corpus) for name in call.names)
    console.say(
        "\n".join(
            _in_words(summary, typed, build=f"curator build {typed if len(call.names) == 1 else 'PORTAL'}")
        )
    )
    counts = summary.counts
    situation = first_that_holds({"well": counts.articles, "filtered": counts.of, "empty": True})
    call.next("export", situation, typed=typed, format=summary.format)


def _in_words(summary: ExportSummary, typed: str, build: str) -> Iterator[str]:
    """Give the summary for a person, line by line. `build`: the command, which takes one portal."""
    counts = summary.counts
    files = text_if(summary.files > 1, f", {amount(summary.files, 'file')}")
    path = summary.path or "stdout"
    yield (
        f"{counts.articles:,} of {amount(counts.of, 'built article')} exported as {summary.format}: "
        f"{path}{files}"
    )
    unwritten = ", ".join(summary.unwritten)
    key = f"The key is {summary.key}: keep it, and give it to nobody; with it they stay the same"
    sentences = (
        *counts.unknown,
        *_left_out(counts),
        *_not_there(counts, typed, build),
        *_drawn(counts),
        *those_that_hold(
            (unwritten, f"Not written, since the output went to {path}: {unwritten}; -o FILE writes all")
        ),
        *summary.notes,
        *those_that_hold((summary.key, key)),
    )
    yield from prefixed("  ", sentences)


def _left_out(counts: ExportCounts) -> list[str]:
    """Tell what the options left out."""
    filtered = ", ".join(each_number(counts.filtered, "{:,} by {}"))
    left_out = ", ".join(amount(number, Part(name).one, name) for name, number in counts.parts.items())
    could_be_shown = [name for name in counts.parts if name not in USUALLY_SHOWN]
    hint = part("; --with {} shows them", ",".join(could_be_shown))
    are = amount(counts.teasers, "of the articles left out is", "of the articles left out are")
    return those_that_hold(
        (filtered, f"Left out: {filtered}"),
        (left_out, f"Left out of the articles: {left_out}{hint}"),
        (
            counts.teasers,
            f"{are} behind a wall; `--outcome article,paywall` adds what can be seen of them",
        ),
    )


def _not_there(counts: ExportCounts, typed: str, build: str) -> list[str]:
    """Tell what is in no export, or not as it is to be, and what to do."""
    left_out = ", ".join(each_number(counts.without_document))
    not_built, outdated = (
        amount(number, "article is", "articles are") for number in (counts.not_built, counts.outdated)
    )
    return those_that_hold(
        (
            counts.failed,
            f"{counts.failed:,} of the articles chosen could not be written, or not whole; what is told "
            "below says why",
        ),
        (
            counts.without_document,
            f"Stored, but no documents: {left_out}; `curator status {typed}` tells why",
        ),
        (counts.not_built, f"{not_built} stored and not built yet: `{build}` first"),
        (
            counts.outdated,
            f"{outdated} not built by the rules (or version) of now: `{build} --compare` tells more",
        ),
    )


def _drawn(counts: ExportCounts) -> list[str]:
    """Tell how a sample was drawn."""
    drawn = [f"{stratum.name} {stratum.drawn:,} of {stratum.articles:,}" for stratum in counts.strata]
    others = text_if(len(drawn) > _LISTED, ", ...")
    empty = sum(not stratum.drawn for stratum in counts.strata)
    are = amount(empty, "stratum is", "strata are")
    return those_that_hold(
        (len(drawn) > 1, f"Drawn: {', '.join(drawn[:_LISTED])}{others}"),
        (empty, f"{are} too small for an article of the sample (--equal gives them some)"),
    )


Folder = Annotated[Path, argument("DIR", "The folder of a release.")]


@command(portals="several")
def release(
    call: Call,
    output: Annotated[Path, option("--output -o", "The folder, which must not be there yet.", "DIR")],
    level: Annotated[
        str,
        option("--level", "full, texts, metadata, or ids: each without what the one before adds.", "LEVEL"),
    ] = "full",
    export: Annotated[
        str, option("--export", "The texts in these formats, too, such as jsonl,csv.", "FORMAT,...")
    ] = "",
    creator: Annotated[
        tuple[str, ...], option("--creator", "Who releases it; else who the portal files name.", "NAME")
    ] = (),
    key: Annotated[
        Path | None, option("--key", "Sign the WACZ with this private key (PEM, P-384).", "FILE")
    ] = None,
) -> None:
    """
    \b
    Examples:
      curator release portal.yaml -o pelda-2024 --creator 'Kovács Anna'          for an archive
      curator release portal.yaml -o pelda-ids --level ids                       what can be published of protected texts
      curator release one.yaml two.yaml -o both --level texts --export jsonl,csv
      curator release verify pelda-2024                                          is it what was made?
      curator release rebuild pelda-ids --warc corpora/pelda -o again            the documents, from WARC files

    Hand the built articles of each PORTAL to an archive: a BagIt folder and RO-Crate with TEI, metadata, reports, rules, rights,
    entries for DataCite and citations, and the WARC files as WACZ. It has a fingerprint: whoever has that can check it.
    """
    from webarticlecurator.stages import release as corpus_release

    formats = tuple(filter(None, export.split(",")))
    work = partial(
        corpus_release.release,
        call.portals,
        output=output,
        level=level,
        exports=formats,
        creators=creator,
        key=key,
    )
    with call.work() as (stop, progress):
        made = work(corpus=call.corpus, progress=progress, stop=stop)
    call.tell(made, ())
    console.say(
        f"{amount(made.articles, 'article')} released as {level}: {output}\nFingerprint: {made.fingerprint}"
    )
    if silent := ", ".join(portal.name for portal in made.portals if not (portal.licence or portal.rights)):
        console.say(
            f"What may be done with {silent} is said nowhere: write `rights` under `publisher` in its portal "
            "file, build, and release again"
        )
    call.next("release", "made", folder=shlex.quote(str(output)))


@command(portals="none", corpus=False, json=None)
def verify(call: Call, folder: Folder) -> ExitCode:
    """
    \b
    Examples:
      curator release verify pelda-2024

    Check whether a release is what was made, with nothing but its folder: every file by its checksum, the
    list of articles by the fingerprint, every document by the list. What was changed is named. Compare the
    fingerprint with the one that you were told.
    """
    from webarticlecurator.releasing.contents import account_of
    from webarticlecurator.stages import release as corpus_release

    with call.work() as (stop, progress):
        findings = corpus_release.verify_release(folder, progress=progress, stop=stop)
    if findings:
        console.data("\n".join(findings))
        return ExitCode.FAILURES
    made = account_of(folder)
    console.say(
        f"{amount(made.articles, 'article')}, all as they were released.\nFingerprint: {made.fingerprint}"
    )
    return ExitCode.OK


@command(portals="none", corpus=False, json=None)
def rebuild(
    call: Call,
    folder: Folder,
    warc: Annotated[
        list[Path], option("--warc", "WARC files that curator wrote, or a folder or corpus of them", "FILE")
    ],
    output: Annotated[
        Path, option("--output -o", "The folder for the corpora, which must not be there yet.", "DIR")
    ],
) -> ExitCode:
    """
    \b
    Examples:
      curator release rebuild pelda-ids --warc corpora/pelda -o again

    Make the documents of a release again, of its rules and of WARC files, and say whether all have the digests that it lists.
    """
    from webarticlecurator.stages import release as corpus_release

    with call.work() as (stop, progress):
        unlike = corpus_release.rebuild_release(folder, warc, output=output, progress=progress, stop=stop)
    if unlike:
        console.data("\n".join(f"{name}: the document {what}" for name, what in unlike.items()))
        return ExitCode.FAILURES
    console.say(f"All digests agree: {output}")
    return ExitCode.OK
