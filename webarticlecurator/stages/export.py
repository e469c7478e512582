"""Joins the stages of an export: built corpora in, files for other programs out."""

from __future__ import annotations

import errno
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event as Flag
from typing import Any, BinaryIO, Literal

import orjson

from webarticlecurator.amounts import text_if
from webarticlecurator.annotations.layer import NO_LAYER
from webarticlecurator.building.build_options import BuildOptions, rules_digest
from webarticlecurator.building.database import TEMPLATE, TEMPLATE_DIGEST, BuiltArticle, BuiltArticles
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import crawled_corpus, lost_by_writing, portal_and_corpus
from webarticlecurator.databases import Row
from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.export_options import ExportOptions
from webarticlecurator.exporting.exporter import ExportCounts, ExportedPortal, Exporter
from webarticlecurator.exporting.formats import OF_SOME_FORMATS, format_of, names_folder
from webarticlecurator.exporting.layers import open_layer
from webarticlecurator.exporting.output import Output
from webarticlecurator.exporting.pseudonyms import Pseudonyms, read_key
from webarticlecurator.exporting.selection import LEDGER, condition, field_named
from webarticlecurator.exporting.table import OF_ANALYSIS
from webarticlecurator.model.progress import Progress, Stopped, Work
from webarticlecurator.settings import day_of_making, settings_file
from webarticlecurator.tei.document import load_template
from webarticlecurator.version import PROGRAM
from webarticlecurator.warc.store import utc_now
from webarticlecurator.workers.pool import Workers

PHASE = "export"
"""The name that progress gives to an export."""
_NOT_BUILT = f"""SELECT count(DISTINCT u.identity_key) FROM {LEDGER}.urls u WHERE u.outcome = 'fetched'
    AND NOT EXISTS (SELECT 1 FROM articles a WHERE a.key = u.identity_key)"""
_WITHOUT_DOCUMENT = (
    "SELECT outcome, count(*) FROM articles WHERE path IS NULL GROUP BY outcome ORDER BY outcome"
)
_OUTDATED = (
    "SELECT count(*) FROM articles WHERE path IS NOT NULL AND outcome != 'unreadable' AND kept IS NULL AND "
    "rules != ?"
)
"""The number of articles built by other rules, without those whose pages were lost or damaged: they stay as
they are, whatever the rules."""

Portals = Sequence[tuple[Portal, Path | None]]
"""The portals, each with the folder of its corpus, where that is said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportSummary:
    """The end of an export: its files, its counts, and what is to be told."""

    format: str
    """The name of the format, as `--to` has it."""
    path: Path | None
    """The file or folder; None: stdout."""
    counts: ExportCounts
    """The counts of all that is in it, and of what was left out."""
    files: int = 0
    """The number of files that it has."""
    unwritten: tuple[str, ...] = ()
    """Files beside the main one that had no place, since that went to stdout, a pipe or a device."""
    notes: tuple[str, ...] = ()
    """Sentences of whoever wrote the format, or analysed the articles."""
    key: Path | None = None
    """The place of the key of the pseudonyms."""
    incomplete: str | None = None
    """The reason why there is nothing; exit code 4."""


def export(
    portal: Portal | Path | str | Sequence[Portal | Path | str],
    to: str = "jsonl",
    *,
    output: Path | str | None = None,
    corpus: Path | str | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    progress: Progress | None = None,
    stop: Flag | None = None,
    **options: Any,
) -> ExportSummary:
    """Write the built articles of a portal, or of several, in a format of another program.

    The options are those of `curator export` by the same names (but `from_`, `with_`, and `headline=False`):
    `where=["section=Sport", "words>=300"]`, `sample=500, by="year"`. Without `output` it lies in the folder
    `export` of the corpus.

    >>> from webarticlecurator import build, export
    >>> built = build("portal.yaml")
    >>> chosen = export("portal.yaml", to="jsonl", output="articles.jsonl.gz", where="section=Français")
    >>> chosen.counts.articles
    12
    """
    names = [portal] if isinstance(portal, (Portal, Path, str)) else portal
    portals: Portals = [
        (loaded, folder.folder) for loaded, folder in (portal_and_corpus(name, corpus) for name in names)
    ]
    workers = Workers.asked_for(jobs, cluster)
    return export_portals(
        portals, ExportOptions(to=to, **options), output=output, workers=workers, progress=progress, stop=stop
    )


def export_portals(
    portals: Portals,
    options: ExportOptions,
    *,
    output: Path | str | None = None,
    stdout: BinaryIO | None = None,
    command: str = "",
    workers: Workers | None = None,
    progress: Progress | None = None,
    stop: Flag | None = None,
    wanted: Callable[[], bool] = lambda: True,
) -> ExportSummary:
    """Export the built articles of portals.

    Without `output` a format of one file goes to `stdout`, where there is one; everything else into the
    folder of the first corpus. `wanted`: whether somebody still reads it.
    """
    _check_options(options)
    format = format_of(options.to)
    work = Work(portals[0][0].name, PHASE, progress, stop)
    workers = (workers or Workers.asked_for()).telling(work)
    with ExitStack() as stack:
        opened = stack.enter_context(opened_portals(portals))
        place = _place(opened, options.to, output, stdout)
        pseudonyms, key = _pseudonyms(opened, options, place.path)
        if pseudonyms is not None:
            place.notes.append(
                f"names are replaced with the key {pseudonyms.key_mark}; another key gives other pseudonyms"
            )

        layer = open_layer(stack, opened, options) if _shows_layer(options) else None
        exporter = Exporter(options, opened, pseudonyms=pseudonyms, work=work, wanted=wanted, layer=layer)
        stack.enter_context(place)
        failed, is_over = list[str](), True
        with suppress(Stopped):
            failed = _analyse(stack, exporter, workers)
            format.write(exporter, place)
            is_over = work.stopped or not wanted()
        counts = exporter.counts(**not_in_exports(opened), failed=place.failed)
        of_layer = layer.notes if layer is not None else []
        notes = (*place.notes, *of_layer, *failed)
        summary = ExportSummary(
            format=options.to, path=place.path, counts=counts, unwritten=tuple(place.unwritten), notes=notes, key=key,
            incomplete="interrupted; nothing was written" if is_over else None,
        )  # fmt: skip
        if is_over:
            return summary
        files = place.close()
        if layer is not None and options.layer is None:  # another one may be there by and by
            options, command = replace(options, layer=layer.name), f"{command} --layer {layer.name}"
        place.commit(_manifest(options, opened, summary, command, files))
        return replace(summary, files=place.files)


def _place(
    opened: Sequence[ExportedPortal], to: str, output: Path | str | None, stdout: BinaryIO | None
) -> Output:
    """Return where an export goes: where a person says, to `stdout`, or into the folder of the first corpus.
    Raises UsageError."""
    format, stem = format_of(to), "-".join(portal.name for portal in opened)
    folder, path = format.is_folder(output), Path(output) if output is not None else None
    if path is None and (folder or stdout is None):
        path = opened[0].corpus.folder / "export" / (f"{stem}-{to}" if folder else stem + format.suffix)
    elif path is not None and names_folder(output) and not folder:
        path.mkdir(parents=True, exist_ok=True)
        path = path / (stem + format.suffix)
    place = Output(path, stem=stem, folder=folder, only_texts=format.only_texts, stdout=stdout, format=to)
    reason = lost_by_writing(place.path) if place.path is not None else None
    if reason:
        raise UsageError(str(reason))
    return place


def _manifest(
    options: ExportOptions,
    opened: Sequence[ExportedPortal],
    summary: ExportSummary,
    command: str,
    files: Sequence[Row],
) -> bytes:
    """Return what tells of an export, as JSON that a person can read: enough to make it again, and to cite
    it."""
    asked = asdict(options)
    account = {
        "program": PROGRAM,
        "made": day_of_making(utc_now()).isoformat(),
        "command": command,
        "format": asked.pop("to"),
        "options": {name.removesuffix("_"): value for name, value in asked.items()},
        "portals": [portal.told for portal in opened],
        "counts": asdict(summary.counts),
        "notes": summary.notes,
        "files": files,
    }
    plain = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE | orjson.OPT_NON_STR_KEYS
    return orjson.dumps(
        account,
        option=plain,
        default=lambda value: sorted(value) if isinstance(value, frozenset) else str(value),
    )


def not_in_exports(portals: Sequence[ExportedPortal]) -> dict[str, Any]:
    """Return how many articles are stored and not built, built and no document, and built by other rules than
    those of now."""
    template, without_document = load_template(BuildOptions().template).digest, Counter[str]()
    numbers = dict.fromkeys(("not_built", "outdated"), 0)
    for portal in portals:
        numbers["not_built"] += sum(number for (number,) in portal.built.rows(_NOT_BUILT))
        rules = rules_digest(portal.file, portal.built.noted(TEMPLATE_DIGEST) or template)
        numbers["outdated"] += sum(number for (number,) in portal.built.rows(_OUTDATED, (rules,)))
        without_document.update(dict(portal.built.rows(_WITHOUT_DOCUMENT)))
    return {**numbers, "without_document": dict(without_document)}


def _check_options(options: ExportOptions) -> None:
    """Raises UsageError where an option has no meaning, or none for the format: nothing is passed over in
    silence, or told after hours."""
    format = format_of(options.to)
    given = {
        "fields": options.fields,
        "headline": not options.headline,
        "parts": options.parts,
        "with": options.with_,
        "without": options.without,
        "pseudonymise": options.pseudonymise,
    }
    foreign = [name for name, value in given.items() if value and name in format.ignores]
    foreign += [name for name in OF_SOME_FORMATS if getattr(options, name) and name not in format.options]
    if foreign:
        name = "no-headline" if foreign[0] == "headline" else foreign[0]
        raise UsageError(f"--{name.replace('_', '-')} means nothing to --to {options.to}: leave it out.")
    for written in options.where:
        condition(written)
    for name in options.by:
        field_named(name)


def _shows_layer(options: ExportOptions) -> bool:
    """True if the export shows annotations. Raises UsageError where a layer is named and it shows none."""
    own = format_of(options.to).options
    is_shown = "layer" in own and (options.tokens or "tokens" not in own)
    hint = text_if("tokens" in own, " without --tokens")
    if options.layer not in (None, NO_LAYER) and not is_shown:
        raise UsageError(f"--layer {options.layer} means nothing to --to {options.to}{hint}.")
    return is_shown


def _pseudonyms(
    portals: Sequence[ExportedPortal], options: ExportOptions, place: Path | None
) -> tuple[Pseudonyms | None, Path | None]:
    """Return what makes them, and where its key lies. Raises UsageError where the key would be given away
    with what it protects."""
    if not options.pseudonymise:
        return None, None
    key = (options.key or settings_file().with_name("pseudonyms.key")).expanduser()
    for folder in [portal.corpus.folder for portal in portals] + ([place] if place is not None else []):
        given_away = f"The key {key} would lie in {folder} and be given away with it"
        if key.resolve().is_relative_to(folder.resolve()):
            raise UsageError(f"{given_away}: name a place outside with --key FILE.")
    return Pseudonyms(options.pseudonymise, read_key(key)), key


def _analyse(stack: ExitStack, exporter: Exporter, workers: Workers) -> list[str]:
    """Have analysed what this export asks for, a sample as soon as it is drawn; gives what could not be.
    Raises Stopped."""
    failed: list[str] = []
    extent = _extent(exporter.options)
    if extent is None:
        return failed
    from webarticlecurator.analysis.analyses import Analyses, Ended, analyse, analyse_alone

    work = replace(exporter.work, unit="")

    def use(paths: Sequence[Path], analysed: Iterable[Ended]) -> None:
        for failures, is_finished in analysed:
            failed.extend(failures)
            if not is_finished:
                raise Stopped
        exporter.analyses = stack.enter_context(Analyses(paths))

    def of_sample(articles: Iterable[BuiltArticle], total: int) -> None:
        path = Path(stack.enter_context(TemporaryDirectory(prefix="curator-"))) / "analysis.sqlite"
        use([path], [analyse_alone(path, articles, total, work, workers=workers)])

    if extent == "sample":
        exporter.when_drawn = of_sample
        return failed
    corpora = [portal.corpus for portal in exporter.portals]
    analysed = (
        analyse(portal.corpus, replace(work, portal=portal.name), workers=workers)
        for portal in exporter.portals
    )
    try:
        use([corpus.analysis_database for corpus in corpora], analysed)
    except OSError as error:
        if error.errno not in (errno.EACCES, errno.EROFS):
            raise
        # a corpus that may only be read keeps no analysis: this export has one of its own
        everything = chain.from_iterable(portal.built.read() for portal in exporter.portals)
        of_sample(everything, sum(portal.built.count() for portal in exporter.portals))
    return failed


def _extent(options: ExportOptions) -> Literal["all", "sample"] | None:
    """Return which articles have to be analysed; None: nothing that an analysis tells is asked for."""
    named = {*options.by, *(asked.column.name for asked in map(condition, options.where))}
    if options.analyse or options.dedup is not None or not OF_ANALYSIS.isdisjoint(named):
        return "all"
    is_shown = format_of(options.to).analysed and not options.fields
    if is_shown or not OF_ANALYSIS.isdisjoint(options.fields):
        return "all" if options.sample is None else "sample"
    return None


@contextmanager
def opened_portals(portals: Portals) -> Iterator[list[ExportedPortal]]:
    """The portals, each with what is built of it."""
    with ExitStack() as stack:
        opened = []
        for portal, folder in portals:
            corpus = crawled_corpus(portal, folder)
            articles = stack.enter_context(BuiltArticles.of(corpus.build_database, portal.name))
            articles.attach_ledger(corpus.ledger, LEDGER)
            articles.hold()
            template = articles.noted(TEMPLATE) or load_template(BuildOptions().template).header
            opened.append(ExportedPortal(file=portal, corpus=corpus, built=articles, template=template))
        yield opened
