"""Makes the report of a corpus, or of several: their statistics, drawn as one HTML file each."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event as Flag
from urllib.parse import quote

from webarticlecurator.config.load import as_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus, corpus_of, write_whole
from webarticlecurator.corpus_build import day_of_making
from webarticlecurator.corpus_statistics import numbers, overview
from webarticlecurator.errors import CuratorError
from webarticlecurator.model.progress import Progress
from webarticlecurator.model.status import StatusReport
from webarticlecurator.report.corpus_page import Numbers, Reported, corpus_page, overview_page
from webarticlecurator.version import NAME, VERSION
from webarticlecurator.warc.store import utc_now
from webarticlecurator.workers.carriers import Workers


def place_of(corpus: Corpus) -> Path:
    return corpus.folder / "reports" / "report.html"


def report(
    portal: Portal | Path | str,
    *,
    corpus: Path | str | None = None,
    output: Path | str | None = None,
    called: str | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
    stop: Flag | None = None,
) -> Path:
    """The report of a corpus as one HTML file; where it was written. `called` is how the commands that it suggests name the portal.

    >>> from webarticlecurator.corpus_report import report
    >>> report("portal.yaml").name
    'report.html'
    """
    return _reported(as_portal(portal), corpus, output, called, workers, progress, stop)[0]


def overview_report(
    portals: Sequence[Portal | Path | str],
    *,
    output: Path | str,
    next_command: Callable[[StatusReport, str], str],
    workers: Workers | None = None,
    progress: Progress | None = None,
    stop: Flag | None = None,
) -> list[str]:
    """The report of each portal in its own corpus, and one file that leads to them all; why some have none, a sentence each."""
    rows = overview(portals, next_command=next_command)
    place, troubles = Path(output), []
    reported = []
    for portal, row in zip(portals, rows, strict=True):
        address, counted = "", None
        if row.unreadable is None:
            try:
                made, counted = _reported(as_portal(portal), None, None, str(portal), workers, progress, stop)
                address = quote(Path(os.path.relpath(made.resolve(), place.resolve().parent)).as_posix())
            except CuratorError as error:
                if stop is not None and stop.is_set():
                    raise
                row = replace(row, unreadable=" ".join(str(error).split()))
        if row.unreadable is not None:
            troubles.append(f"{row.portal}: {row.unreadable}")
        reported.append(Reported(row, counted, address))
    write_whole(place, overview_page(reported, made_on=day_of_making(utc_now()), program=f"{NAME} {VERSION}"))
    return troubles


def _reported(
    portal: Portal,
    corpus: Path | str | None,
    output: Path | str | None,
    called: str | None,
    workers: Workers | None,
    progress: Progress | None,
    stop: Flag | None,
) -> tuple[Path, Numbers]:
    day = day_of_making(utc_now())  # before the work: it may be written wrongly
    counted = numbers(portal, corpus=corpus, called=called, workers=workers, progress=progress, stop=stop)
    place = Path(output) if output is not None else place_of(corpus_of(portal, corpus))
    write_whole(place, corpus_page(counted, made_on=day))
    return place, counted
