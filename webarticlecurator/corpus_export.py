"""Joins the stages of an export: built corpora in, files for other programs out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from threading import Event as Flag
from typing import TYPE_CHECKING

from webarticlecurator.building.built_articles import BuiltArticles
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus, crawled_corpus
from webarticlecurator.exporting.exporter import ExportedPortal, Exporter
from webarticlecurator.exporting.formats import Format, format_of
from webarticlecurator.exporting.manifest import ExportCounts, day_of_making, manifest
from webarticlecurator.exporting.options import ExportOptions
from webarticlecurator.exporting.output import ByteSink, Output
from webarticlecurator.exporting.portals import PortalInfo
from webarticlecurator.model.progress import Progress, Silent, Snapshot
from webarticlecurator.version import NAME, VERSION
from webarticlecurator.warc.store import utc_now

if TYPE_CHECKING:
    import pandas

PHASE = "export"
"""What progress calls an export."""
_SHOWN_EVERY = 200
"""Articles between two looks at how far it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportSummary:
    """How an export ended."""

    format: str
    path: Path | None
    """The file or folder; None: stdout."""
    counts: ExportCounts
    files: int = 0
    unwritten: tuple[str, ...] = ()
    """Files beside the main one that had no place, since that went to stdout."""
    incomplete: str | None = None
    """Why there is nothing; exit code 4."""


def export_portals(
    portals: Sequence[tuple[Portal, Path | None]],
    options: ExportOptions,
    *,
    output: Path | None = None,
    stdout: ByteSink | None = None,
    command: str = "",
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
    now: Callable[[], datetime] = utc_now,
) -> ExportSummary:
    """Export the built articles of portals, each with the folder of its corpus where that is said.

    Without `output` a format of one file goes to `stdout`, where there is one; everything else into the folder of the first corpus.
    """
    format = format_of(options.format)
    writer_class = format.writer()
    with _opened(portals) as opened:
        total = sum(one.articles.count("a.outcome = 'article'") for one in opened)
        show = _shown(progress or Silent(), total)
        place = _place(opened, format, options, output, stdout)
        with place:
            writer = writer_class(place, options, [one.info for one in opened])
            exporter = Exporter(options, opened, stop or Flag().is_set)
            exporter.write(writer, show)
            counts = exporter.counts()
            summary = ExportSummary(format=options.format, path=place.path, counts=counts, unwritten=tuple(place.unwritten))
            if stop is not None and stop():
                return replace(summary, incomplete="interrupted; nothing was written")
            files = place.close()
            infos = [one.info for one in opened]
            place.commit(manifest(options, infos, counts, files, command=command, day=day_of_making(now())))
            return replace(summary, files=place.files)


def data_frame(portals: Sequence[tuple[Portal, Path | None]], options: ExportOptions) -> pandas.DataFrame:
    """The table of the same articles for pandas. Raises UsageError where that is not installed."""
    from webarticlecurator.exporting.data_frame import DataFrameRows

    with _opened(portals) as opened:
        rows = DataFrameRows(options.fields, [one.info for one in opened])
        Exporter(options, opened, Flag().is_set).write(rows, _shown(Silent(), 0))
        return rows.frame()


def _place(
    opened: Sequence[ExportedPortal], format: Format, options: ExportOptions, output: Path | None, stdout: ByteSink | None
) -> Output:
    stem = "-".join(one.info.name for one in opened)
    folder = format.folder or options.per_article
    if output is None and (folder or stdout is None):
        own = opened[0].info.corpus / "export"
        output = own / (f"{stem}-{options.format}" if folder else stem + format.suffix)
        own.mkdir(exist_ok=True)
    return Output(output, stem=stem, folder=folder, stdout=stdout)


@contextmanager
def _opened(portals: Sequence[tuple[Portal, Path | None]]) -> Iterator[list[ExportedPortal]]:
    with ExitStack() as stack:
        opened = []
        for portal, folder in portals:
            corpus = crawled_corpus(portal, folder)
            articles = stack.enter_context(BuiltArticles.of(corpus.build_database, portal.name))
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
        licence=portal.publisher.licence,
        rights=portal.publisher.statement,
        rules=tuple(digest for digest, _ in rules.most_common() if digest),
        program=f"{NAME} {VERSION}",
        corpus=corpus.folder,
    )


def _shown(progress: Progress, total: int) -> Callable[[str, int], None]:
    def show(portal: str, done: int) -> None:
        if done % _SHOWN_EVERY == 0:
            progress.show(Snapshot(portal=portal, phase=PHASE, articles=done, waiting=total - done))

    return show
