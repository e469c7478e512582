"""Joins the stages of an export: built corpora in, files for other programs out."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from threading import Event as Flag
from typing import TYPE_CHECKING, Any

from webarticlecurator.building.database import BuiltArticles
from webarticlecurator.building.options import BuildOptions
from webarticlecurator.building.rules_digest import rules_digest
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus, crawled_corpus, lost_by_writing
from webarticlecurator.corpus_build import day_of_making, portal_and_corpus
from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.conditions import field_named
from webarticlecurator.exporting.exporter import ExportedPortal, Exporter, Show
from webarticlecurator.exporting.filters import LEDGER, Filters
from webarticlecurator.exporting.formats import Format, format_of
from webarticlecurator.exporting.making import FEWEST
from webarticlecurator.exporting.manifest import ExportCounts, manifest
from webarticlecurator.exporting.options import ExportOptions, export_options
from webarticlecurator.exporting.output import ByteSink, Output
from webarticlecurator.exporting.portals import PortalInfo
from webarticlecurator.exporting.pseudonyms import Pseudonyms, key_file, pseudonyms_by
from webarticlecurator.exporting.table import OF_ANALYSIS
from webarticlecurator.model.progress import Progress, Silent, Snapshot
from webarticlecurator.tei.documents import TeiDocuments
from webarticlecurator.version import NAME, VERSION
from webarticlecurator.warc.store import utc_now
from webarticlecurator.workers.carriers import Workers

if TYPE_CHECKING:
    import pandas

    from webarticlecurator.analysis.analyses import Analyses

PHASE = "export"
"""What progress calls an export."""
_SHOWN_EVERY = 200
"""Articles between two looks at how far it is."""
_NOT_BUILT = f"""SELECT count(DISTINCT u.identity_key) FROM {LEDGER}.urls u WHERE u.outcome = 'fetched'
    AND NOT EXISTS (SELECT 1 FROM articles a WHERE a.key = u.identity_key)"""
_WITHOUT_DOCUMENT = "SELECT outcome, count(*) FROM articles WHERE path IS NULL GROUP BY outcome ORDER BY outcome"
_OUTDATED = "SELECT count(*) FROM articles WHERE path IS NOT NULL AND rules != ?"
INTERRUPTED = "interrupted; nothing was written"

Portals = Sequence[tuple[Portal, Path | None]]
"""Each with the folder of its corpus, where that is said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportSummary:
    """How an export ended."""

    format: str
    """As `--to` names it."""
    path: Path | None
    """The file or folder; None: stdout."""
    counts: ExportCounts
    """What is in it, and what was left out."""
    files: int = 0
    """How many files it has."""
    unwritten: tuple[str, ...] = ()
    """Files beside the main one that had no place, since that went to stdout."""
    notes: tuple[str, ...] = ()
    """What whoever wrote the format, or analysed the articles, has to tell."""
    key: Path | None = None
    """Where the key of the pseudonyms lies."""
    incomplete: str | None = None
    """Why there is nothing; exit code 4."""


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

    The options are those of `curator export` by the same names (but `from_`, `with_`, and `headline=False`): `section="Sport"`,
    `where=["words>=300"]`, `sample=500, by="year"`. Without `output` it lies in the folder `export` of the corpus.

    >>> from webarticlecurator import build, export
    >>> built = build("portal.yaml")
    >>> export("portal.yaml", to="jsonl", output="articles.jsonl.gz", section="Français").counts.articles
    12
    """
    names = [portal] if isinstance(portal, (Portal, Path, str)) else list(portal)
    found = [portal_and_corpus(one, corpus) for one in names]
    portals: Portals = [(one, folder.folder) for one, folder in found]
    place = Path(output) if output is not None else None
    workers = Workers.asked_for(jobs, cluster)
    return export_portals(portals, export_options(to, **options), output=place, workers=workers, progress=progress, stop=stop)


def export_portals(
    portals: Portals,
    options: ExportOptions,
    *,
    output: Path | None = None,
    stdout: ByteSink | None = None,
    manifest_file: Path | None = None,
    command: str = "",
    workers: Workers | None = None,
    progress: Progress | None = None,
    stop: Flag | None = None,
    wanted: Callable[[], bool] = lambda: True,
    now: Callable[[], datetime] = utc_now,
) -> ExportSummary:
    """Export the built articles of portals.

    Without `output` a format of one file goes to `stdout`, where there is one; everything else into the folder of the first corpus.
    `wanted`: whether somebody still reads it.
    """
    format, progress, stop = format_of(options.format), progress or Silent(), stop or Flag()
    workers = (workers or Workers.asked_for()).telling(partial(progress.say, portals[0][0].name), stop.is_set)
    _check_options(format, options)
    writer_class = format.writer()
    with ExitStack() as stack:
        opened = stack.enter_context(_opened(portals))
        place, options = _place(opened, format, options, output, stdout)
        _check_nothing_is_lost(place.path, manifest_file)
        pseudonyms, key = _pseudonyms(opened, options, place.path)
        if pseudonyms is not None:
            place.notes.append(f"names are replaced with the key {pseudonyms.key_mark}; another key gives other pseudonyms")
        analyses, failed = _analyses(stack, opened, options, format, workers, progress, stop)
        exporter = Exporter(
            options,
            opened,
            analyses=analyses,
            pseudonyms=pseudonyms,
            stopped=lambda: stop.is_set() or not wanted(),
            show=_shown(progress),
        )
        stack.enter_context(place)
        infos = [one.info for one in opened]
        shared = workers.for_tasks(sum(one.articles.count() for one in opened), FEWEST)
        exporter.write(writer_class(place, options, infos), workers=shared)
        place.notes += exporter.failures
        counts = _counts(exporter, [portal for portal, _ in portals], opened, failed=place.failed + exporter.failed)
        summary = ExportSummary(
            format=options.format,
            path=place.path,
            counts=counts,
            unwritten=tuple(place.unwritten),
            notes=(*place.notes, *failed),
            key=key,
        )
        if stop.is_set() or not wanted():
            return replace(summary, incomplete=INTERRUPTED)
        files = place.close()
        told = manifest(options, infos, counts, files, command=command, notes=summary.notes, day=day_of_making(now()).isoformat())
        place.commit(told)
        if manifest_file is not None:
            manifest_file.write_bytes(told)
        return replace(summary, files=place.files)


def _check_nothing_is_lost(*files: Path | None) -> None:
    """Raises UsageError where an output would be written over something else."""
    for file in files:
        if file is not None and (reason := lost_by_writing(file)) is not None:
            raise UsageError(reason)


def _counts(exporter: Exporter, portals: Sequence[Portal], opened: Sequence[ExportedPortal], *, failed: int) -> ExportCounts:
    """What was exported, and what there is beside it."""
    built = [one.articles for one in opened]
    return exporter.counts(
        not_built=sum(_count(one, _NOT_BUILT) for one in built),
        outdated=sum(_count(one, _OUTDATED, _rules(portal)) for portal, one in zip(portals, built, strict=True)),
        without_document=dict(sum((Counter(dict(one.rows(_WITHOUT_DOCUMENT))) for one in built), Counter())),
        failed=failed,
    )


def data_frame(portals: Portals, options: ExportOptions) -> pandas.DataFrame:
    """The table of the same articles for pandas. Raises UsageError where that is not installed."""
    from webarticlecurator.exporting.data_frame import DataFrameRows

    format = format_of(options.format)
    _check_options(format, options)
    with ExitStack() as stack:
        opened = stack.enter_context(_opened(portals))
        pseudonyms, _ = _pseudonyms(opened, options, None)
        rows = DataFrameRows(options.fields, [one.info for one in opened])
        analyses, failed = _analyses(stack, opened, options, format, Workers.asked_for(), Silent(), Flag())
        for sentence in failed:
            warnings.warn(sentence, stacklevel=3)
        Exporter(options, opened, analyses=analyses, pseudonyms=pseudonyms, stopped=Flag().is_set, show=_shown(Silent())).write(rows)
        return rows.frame()


def _check_options(format: Format, options: ExportOptions) -> None:
    """Raises UsageError where an option has no meaning, or none for the format: nothing is passed over in silence, or told after hours."""
    given = {"fields": options.fields, "no-headline": not options.headline, "with": options.parts}
    foreign = [name for name, value in given.items() if value and name.removeprefix("no-") in format.ignores]
    special = {*options.format_options, *(["tokenizer"] if options.tokenizer != "own" else [])}
    foreign += sorted(special - set(format.options))
    if foreign:
        raise UsageError(f"--{foreign[0]} means nothing to --to {options.format}: leave it out.")
    if options.tokenizer != "own":
        from webarticlecurator.exporting.tokenized import tokenizer_of

        tokenizer_of(options.tokenizer)  # before anything is analysed
    Filters(options.selection)
    for name in options.sample.by if options.sample is not None else ():
        field_named(name)
    if options.per_article and not format.per_article:
        raise UsageError(f"--per-article does not go with --to {options.format}, which is {'a folder' if format.folder else 'one file'}.")


def _place(
    opened: Sequence[ExportedPortal], format: Format, options: ExportOptions, output: Path | None, stdout: ByteSink | None
) -> tuple[Output, ExportOptions]:
    """Where it goes; where a folder is given for a format that can be one, it is."""
    stem = "-".join(one.info.name for one in opened)
    a_folder = output is not None and output.is_dir()
    if a_folder and format.per_article:
        options = replace(options, per_article=True)
    folder = format.folder or options.per_article
    own = Corpus(opened[0].info.corpus).folder / "export"
    if output is None and (folder or stdout is None):
        output = own / (f"{stem}-{options.format}" if folder else stem + format.suffix)
    elif output is not None and a_folder and not folder:
        output = output / (stem + format.suffix)
    return Output(output, stem=stem, folder=folder, stdout=stdout, format=options.format), options


def _pseudonyms(opened: Sequence[ExportedPortal], options: ExportOptions, place: Path | None) -> tuple[Pseudonyms | None, Path | None]:
    if not options.pseudonymise:
        return None, None
    key = (options.key or key_file()).expanduser()
    given_away = [Corpus(one.info.corpus).folder for one in opened] + ([place] if place is not None else [])
    return pseudonyms_by(options.pseudonymise, key, given_away), key


def _analyses(
    stack: ExitStack,
    opened: Sequence[ExportedPortal],
    options: ExportOptions,
    format: Format,
    workers: Workers,
    progress: Progress,
    stop: Flag,
) -> tuple[Analyses | None, tuple[str, ...]]:
    """What the analysis found, brought up to date, where this export asks for it; and what could not be analysed."""
    if not _asks_for_analysis(options, format):
        return None, ()
    from webarticlecurator.analysis.analyses import Analyses, analyse

    failed: list[str] = []
    for one in opened:
        name = one.info.name

        def show(doing: str, done: int, total: int, name: str = name) -> None:
            progress.show(Snapshot(portal=name, phase=PHASE, doing=doing, articles=done, waiting=total - done, unit=""))

        ended = analyse(Corpus(one.info.corpus), name, workers=workers, stop=stop, show=show)
        failed += ended.failed
        if not ended.finished:
            return None, ()
    return stack.enter_context(Analyses([Corpus(one.info.corpus) for one in opened])), tuple(failed)


def _asks_for_analysis(options: ExportOptions, format: Format) -> bool:
    named = {*options.fields, *(options.sample.by if options.sample is not None else ())}
    named |= {name for name in OF_ANALYSIS for one in options.selection.where if one.lstrip().startswith(name)}
    shown = format.analysed and (not options.fields or not OF_ANALYSIS.isdisjoint(options.fields))
    return options.analyse or options.dedup is not None or shown or not OF_ANALYSIS.isdisjoint(named)


@contextmanager
def _opened(portals: Portals) -> Iterator[list[ExportedPortal]]:
    with ExitStack() as stack:
        opened = []
        for portal, folder in portals:
            corpus = crawled_corpus(portal, folder)
            articles = stack.enter_context(BuiltArticles.of(corpus.build_database, portal.name))
            articles.attach(corpus.ledger, LEDGER)
            articles.hold()
            opened.append(ExportedPortal(_info(portal, corpus, articles), articles))
        yield opened


def _info(portal: Portal, corpus: Corpus, articles: BuiltArticles) -> PortalInfo:
    rules: Counter[str] = Counter(dict(articles.rows("SELECT rules, count(*) FROM articles WHERE path IS NOT NULL GROUP BY rules")))
    return PortalInfo(
        name=portal.name,
        title=portal.title,
        home=portal.home,
        language=portal.language,
        timezone=portal.timezone.key,
        publisher=portal.publisher.name,
        licence=portal.publisher.rights.licence,
        rights=portal.publisher.rights.statement,
        rules=tuple(digest for digest, _ in rules.most_common() if digest),
        program=f"{NAME} {VERSION}",
        corpus=corpus.folder,
    )


def _rules(portal: Portal) -> str:
    """The digest of the rules as a build would take them now."""
    return rules_digest(portal, TeiDocuments.by(BuildOptions().template, utc_now().date()).digest)


def _count(articles: BuiltArticles, query: str, *values: object) -> int:
    return next((int(number) for (number,) in articles.rows(query, values)), 0)


def _shown(progress: Progress) -> Show:
    def show(portal: str, doing: str, done: int, total: int) -> None:
        if done % _SHOWN_EVERY == 0 or done in (1, total):
            progress.show(Snapshot(portal=portal, phase=PHASE, doing=doing, articles=done, waiting=total - done))

    return show
