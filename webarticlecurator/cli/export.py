"""`curator export`: from the built corpus to a format of another program."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from webarticlecurator.amounts import amount
from webarticlecurator.cli import arguments, console
from webarticlecurator.cli.arguments import STDOUT, Cluster, CorpusFolder, Jobs
from webarticlecurator.cli.completion import complete_format, complete_portal
from webarticlecurator.cli.exit_codes import ExitCode
from webarticlecurator.cli.process import is_read
from webarticlecurator.cli.progress import at_work
from webarticlecurator.errors import UsageError

if TYPE_CHECKING:
    from webarticlecurator.corpus_export import ExportSummary
    from webarticlecurator.exporting.formats import Format

_LISTED = 12
"""Strata that are told."""


def _repeated(name: str, metavar: str, help: str) -> Any:
    return typer.Option(name, metavar=metavar, help=f"{help}; may be repeated.")


def export(
    portal: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PORTAL",
            help="A portal file, or the name of a portal that came with curator; several: one export.",
            autocompletion=complete_portal,
        ),
    ] = None,
    to: Annotated[
        str, typer.Option("--to", metavar="FORMAT", help="A format; `--to list` tells them all.", autocompletion=complete_format)
    ] = "list",
    written_to: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="PATH", help="The file, packed where its name ends in .gz or .zst; or the folder: it ends in /."
        ),
    ] = None,
    start: Annotated[
        date | None, typer.Option("--from", metavar="DAY", parser=arguments.day, help="Published on this day or later.")
    ] = None,
    until: Annotated[
        date | None, typer.Option("--until", metavar="DAY", parser=arguments.day, help="Published on this day or before.")
    ] = None,
    column: Annotated[list[str] | None, _repeated("--column", "NAME", "Listed by this column of the archive")] = None,
    section: Annotated[list[str] | None, _repeated("--section", "NAME", "Of this section")] = None,
    author: Annotated[list[str] | None, _repeated("--author", "NAME", "By this author")] = None,
    keyword: Annotated[list[str] | None, _repeated("--keyword", "WORD", "With this keyword")] = None,
    language: Annotated[
        list[str] | None, _repeated("--language", "TAG", "In this language, as it is declared or, where nothing is declared, looks")
    ] = None,
    kind: Annotated[list[str] | None, _repeated("--kind", "KIND", "news, blog, forum, or a type of Schema.org")] = None,
    words: Annotated[str | None, typer.Option("--words", metavar="MIN..MAX", help="With so many words; either may be left out.")] = None,
    outcome: Annotated[
        list[str] | None, _repeated("--outcome", "OUTCOME", "article, or paywall (what can be seen before a wall)  [default: article]")
    ] = None,
    layout: Annotated[list[str] | None, _repeated("--layout", "NAME", "Read by this layout of the portal file")] = None,
    where: Annotated[
        list[str] | None,
        typer.Option("--where", metavar="CONDITION", help="FIELD=VALUE, !=, ~REGEX, !~, >=, <=, >, <; FIELD= is empty. All must hold."),
    ] = None,
    sample: Annotated[
        int | None, typer.Option("--sample", metavar="N", min=1, help="Only N of the articles that are left, drawn by chance.")
    ] = None,
    by: Annotated[list[str] | None, _repeated("--by", "FIELD,...", "Draw from each value of these fields its share (year,section)")] = None,
    equal: Annotated[bool, typer.Option("--equal", help="Draw as many from each instead.")] = False,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Another seed, another sample; the same, the same.")] = 0,
    dedup: Annotated[
        str | None, typer.Option("--dedup", metavar="HOW", help="Of articles with the same text (exact), or nearly (near), only the first.")
    ] = None,
    with_: Annotated[list[str] | None, _repeated("--with", "PART,...", "Show comments, posts, boxes, captions, too")] = None,
    no_headline: Annotated[bool, typer.Option("--no-headline", help="Leave the headline out of the running text.")] = False,
    fields: Annotated[list[str] | None, _repeated("--fields", "NAME,...", "Only these columns or fields")] = None,
    pseudonymise: Annotated[
        list[str] | None, _repeated("--pseudonymise", "WHOSE,...", "Replace names: who (of whoever posts), author (of articles)")
    ] = None,
    key: Annotated[
        Path | None, typer.Option("--key", metavar="FILE", help="The key of the pseudonyms.  [default: one beside your settings]")
    ] = None,
    per_article: Annotated[
        bool, typer.Option("--per-article", help="A folder with a file an article, where the format can be that.")
    ] = False,
    names: Annotated[
        str | None, typer.Option("--names", metavar="id|date", help="What files are named after: date goes before the id.")
    ] = None,
    everything: Annotated[bool, typer.Option("--everything", help="cdxj: all that is stored, whatever articles are chosen.")] = False,
    bom: Annotated[bool, typer.Option("--bom", help="csv: begin with a byte order mark, for Excel.")] = False,
    analyse: Annotated[
        bool, typer.Option("--analyse", help="Identify languages and duplicates first, even if the format shows none.")
    ] = False,
    manifest: Annotated[
        Path | None,
        typer.Option("--manifest", metavar="FILE", help="Write the manifest there, too: of what goes to stdout it is the only one."),
    ] = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    corpus: CorpusFolder = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object at the end; needs --output.")] = False,
) -> None:
    """
    \b
    Examples:
      curator export portal.yaml --to jsonl -o articles.jsonl.gz
      curator export portal.yaml --to text -o texts/                       a file an article, and metadata.csv
      curator export portal.yaml --to csv --from 2020-01-01 --section Sport --words 100.. -o sport.csv
      curator export portal.yaml --to text --where 'headline~[Hh]íd' --where author!= -o bridges.txt
      curator export portal.yaml --to csv --sample 500 --by year,articleSection --seed 7 -o sample.csv
      curator export one.yaml two.yaml --to jsonl --dedup near -o both.jsonl.zst

    Write the built articles of each PORTAL in the format of another program; neither pages nor portals are asked. Filters combine:
    all must hold; of the values of one, any. Comments, posts, boxes and captions are left out of running text unless --with names
    them. Beside the output lies a manifest, by which it can be cited and made again. Without --output a format that is one file goes
    to stdout, one that is a folder into `export` in the corpus.
    """
    from webarticlecurator import corpus_export
    from webarticlecurator.exporting.formats import format_of
    from webarticlecurator.exporting.options import ExportOptions
    from webarticlecurator.workers.carriers import Workers

    if to == "list":
        if written_to is not None:
            raise UsageError("In which format? Name it by --to; `curator export --to list` tells them all.")
        _list_formats()
        raise typer.Exit
    if not portal:
        raise UsageError("Of which portal? Name its portal file before --to.")
    format, output = format_of(to), Path(written_to) if written_to is not None else None
    per_article = per_article or (format.per_article and written_to is not None and written_to.endswith(("/", "\\")))
    _check_places(format, to, output, per_article, as_json)
    given: dict[str, Any] = dict(  # noqa: C408
        to=to,
        from_=start,
        until=until,
        column=column,
        section=section,
        author=author,
        keyword=keyword,
        language=language,
        kind=kind,
        words=words,
        outcome=outcome,
        layout=layout,
        where=where,
        sample=sample,
        by=by,
        seed=seed,
        equal=equal,
        dedup=dedup,
        with_=with_,
        headline=not no_headline,
        fields=fields,
        pseudonymise=pseudonymise,
        key=key,
        per_article=per_article,
        analyse=analyse,
        names=names,
        bom=bom,
        everything=everything,
    )
    options = ExportOptions(**given)
    loaded = arguments.load_portals(portal)
    arguments.check_corpus(corpus, loaded)
    with at_work() as (stop, progress):
        summary = corpus_export.export_portals(
            [(one, corpus) for one in loaded],
            options,
            output=output if output != STDOUT else None,
            stdout=sys.stdout.buffer,
            manifest_file=manifest,
            command=shlex.join(["curator", *sys.argv[1:]]),
            workers=Workers.asked_for(jobs, cluster),
            progress=progress,
            stop=stop,
            wanted=is_read,
        )
    if as_json:
        console.data_json(summary)
    console.say("\n".join(in_words(summary, [arguments.as_typed(one, corpus) for one in portal])))
    raise typer.Exit(exit_code(summary, interrupted=stop.is_set()))


def exit_code(summary: ExportSummary, *, interrupted: bool) -> ExitCode:
    """Nobody wants an export of nothing; one that was finished before an interruption is whole."""
    if interrupted and summary.incomplete:
        return ExitCode.INCOMPLETE
    complete = summary.counts.articles and not summary.counts.failed
    return ExitCode.OK if complete or summary.incomplete else ExitCode.FAILURES


def in_words(summary: ExportSummary, typed: Sequence[str]) -> Iterator[str]:
    """The summary for a person, line by line."""
    from webarticlecurator.exporting.options import Part

    counts, portals = summary.counts, " ".join(typed)
    build = f"curator build {portals if len(typed) == 1 else 'PORTAL'}"  # which takes one
    if summary.incomplete:
        yield f"Incomplete: {summary.incomplete}"
        return
    place = summary.path if summary.path is not None else "stdout"
    files = f", {amount(summary.files, 'file')}" if summary.files > 1 else ""
    yield f"{counts.articles:,} of {amount(counts.of, 'built article')} exported as {summary.format}: {place}{files}"
    for sentence in counts.unknown:
        yield f"  {sentence}"
    if counts.filtered:
        yield f"  Left out: {', '.join(f'{number:,} by {name}' for name, number in counts.filtered.items())}"
    if counts.parts:
        told = ", ".join(amount(number, Part(name).one, name) for name, number in counts.parts.items())
        yield f"  Left out of the articles: {told}; --with {','.join(counts.parts)} shows them"
    if counts.teasers:
        yield (
            f"  {amount(counts.teasers, 'of the articles left out is', 'of the articles left out are')} behind a wall;"
            " `--outcome article,paywall` adds what can be seen of them"
        )
    if counts.failed:
        yield f"  {counts.failed:,} of the articles chosen could not be written, or not whole; what is told below says why"
    if counts.without_document:
        told = ", ".join(f"{number:,} {outcome}" for outcome, number in counts.without_document.items())
        yield f"  Stored, but no documents: {told}; `curator status {portals}` tells why"
    if counts.not_built:
        yield f"  {amount(counts.not_built, 'article is', 'articles are')} stored and not built yet: `{build}` first"
    if counts.outdated:
        yield (
            f"  {amount(counts.outdated, 'article is', 'articles are')} not built by the rules (or template,"
            f" version) of now: `{build} --compare` tells more"
        )
    yield from _strata(summary)
    if summary.unwritten:
        yield f"  Not written, since the output went to stdout: {', '.join(summary.unwritten)}; -o FILE writes all"
    yield from (f"  {note}" for note in summary.notes)
    if summary.key is not None:
        yield f"  Pseudonyms are made with the key {summary.key}: keep it, and give it to nobody; with it they stay the same"
    if not counts.of:
        yield f"  Next: `curator status {portals}` tells why nothing is built"
    elif not counts.articles:
        yield f"  Next: `curator export {portals} --to {summary.format}` without some of the filters"
    else:
        yield f"  Next: `curator stats {portals}` tells what the corpus is made of"


def _strata(summary: ExportSummary) -> Iterator[str]:
    strata = summary.counts.strata
    if len(strata) > 1:
        told = ", ".join(f"{one.name} {one.drawn:,} of {one.articles:,}" for one in strata[:_LISTED])
        more = f", and {len(strata) - _LISTED:,} more" if len(strata) > _LISTED else ""
        yield f"  Drawn: {told}{more}"
    empty = [one.name for one in strata if not one.drawn]
    if empty:
        yield (
            f"  {amount(len(empty), 'stratum is', 'strata are')} too small for an article of"
            f" the sample (--equal gives them some): {'; '.join(empty[:_LISTED])}"
        )


def _list_formats() -> None:
    from webarticlecurator.exporting.formats import FORMATS

    console.data("\n".join(console.aligned([(name, one.summary) for name, one in FORMATS.items()])))


def _check_places(format: Format, to: str, output: Path | None, per_article: bool, as_json: bool) -> None:
    """Raises UsageError where the output would be no use."""
    to_stdout = output in (None, STDOUT) and not format.folder and not per_article
    if to_stdout and as_json:
        raise UsageError("--json prints the summary to stdout, where the export goes: name a file with -o.")
    if to_stdout and format.binary and sys.stdout.isatty():
        raise UsageError(f"{to} is no text that a terminal shows: name a file with -o, such as -o articles{format.suffix}")
    if output == STDOUT and (format.folder or per_article):
        raise UsageError(f"{to} is several files here, and stdout is one: name a folder with -o.")
    if output is not None and output != STDOUT and output.exists() and not output.is_dir() and not output.is_file():
        raise UsageError(f"{output} is no plain file; name another")
