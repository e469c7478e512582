"""Joins the stages of the watch: what is built, what is stored, and whether the articles still look as they
did."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from itertools import groupby
from pathlib import Path
from threading import Event as Flag

import msgspec

from webarticlecurator.amounts import part
from webarticlecurator.budget import no_collector
from webarticlecurator.building.database import BuiltArticles
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus, crawled_corpus, write_whole
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.lock import locked
from webarticlecurator.corpus.problems import KnownDrift, KnownDrifts, known_drifts, write_problems
from webarticlecurator.databases import Row
from webarticlecurator.errors import CorpusBusy, CuratorError
from webarticlecurator.model.progress import Progress, Work
from webarticlecurator.program_faults import reason_of
from webarticlecurator.warc.exchanges import CaptureReader
from webarticlecurator.warc.store import utc_now
from webarticlecurator.watching.drift import FEWEST_AFTER, FEWEST_BEFORE, drifts
from webarticlecurator.watching.portal_articles import PortalArticles, WatchedArticle, lines_of
from webarticlecurator.watching.telling import DriftTeller


def watch(
    portal: Portal, *, corpus: Path | None, sample: int, with_html: bool, progress: Progress, stop: Flag
) -> Row:
    """Look whether the articles of a corpus still look as they did, and remember what was seen; `with_html`:
    to show the pages.

    Gives how many articles were looked at (a sample, and the newest), the pages of which could be read; and
    the drifts, the earliest first.
    """
    folder = crawled_corpus(portal, corpus)
    with _articles(folder, portal) as articles, locked(folder.watch_lock, "watch"):
        chosen, row, work = (
            articles.sampled(sample, newest=40),
            list[WatchedArticle](),
            Work(portal.name, "watch", progress, stop),
        )
        with no_collector():
            for article in chosen:
                if work.stopped:
                    break
                row.append(articles.read(article))
                if not len(row) % 32:
                    work.show("", len(row), len(chosen))
        complete, teller = not stop.is_set(), DriftTeller(articles, stop)
        alarms = [teller.tell(*change, with_html=with_html) for change in _changes(row)] if complete else []
        summary = Row(
            portal=portal.name,
            articles=len(row),
            of_articles=articles.total(),
            pages=sum(article.page is not None for article in row),
            drifts=tuple(sorted(alarms, key=lambda drift: (drift.day, drift.url))),
            too_few=len(row) < FEWEST_BEFORE + FEWEST_AFTER,
            complete=not stop.is_set(),
        )
        if summary.complete:
            _note(folder, summary.drifts, utc_now(), instead=True)
            write_problems(articles.ledger, folder, portal)
    return summary


def watch_quietly(portal: Portal, folder: Corpus, *, rules: str, now: datetime) -> str | None:
    """Look, after a build, at what it knows of its articles, and remember what is found. Gives why that could
    not be done.

    A layout that has an alarm gets no second one: the first article of it may look to be another with every
    build. Where there is none, and was none, nothing is written.
    """
    try:
        with _articles(folder, portal) as articles, no_collector():
            before, chosen = known_drifts(folder), articles.sampled(48, newest=72)
            is_new = before.rules != rules
            known = set() if is_new else {drift.layout for drift in before.drifts}
            row = [replace(article, lines=lines_of(articles.text(article))) for article in chosen]
            alarms: dict[str, Row] = {}
            for of_layout, drift in _changes(row):
                layout = of_layout[drift.place].layout or ""
                if layout not in known and layout not in alarms:
                    alarms[layout] = DriftTeller(articles, Flag()).tell(of_layout, drift, briefly=True)
            if alarms or folder.watch_file.exists():
                with locked(folder.watch_lock, "watch"):
                    _note(folder, alarms.values(), now, instead=is_new, rules=rules)
    except CorpusBusy:  # who watches now, tells
        return None
    except Exception as problem:  # a build is never to fail because of it
        reason = str(problem) if isinstance(problem, (CuratorError, OSError)) else reason_of(problem)
        return f"{reason}; the next watch looks again"
    return None


def _note(
    folder: Corpus, drifts: Iterable[Row], now: datetime, *, instead: bool, rules: str | None = None
) -> None:
    """Remember drifts, and since when they are known; `instead` of all that was known."""
    before = known_drifts(folder)
    since = {(drift.layout, drift.url): drift.since for drift in before.drifts}
    known = {} if instead else {(drift.layout, drift.url): drift for drift in before.drifts}
    for drift in drifts:
        key = drift.layout or "", drift.url
        first_seen = since.get(key, now.isoformat(timespec="seconds"))
        day = part(" of {:.10}", drift.day) or ", which has no date,"
        where = part(" of layout {}", drift.layout)
        reason = f"from this article{day} on the pages{where} seem to look otherwise: {drift.signs[0]}"
        known[key] = KnownDrift(layout=key[0], url=drift.url, day=drift.day, reason=reason, since=first_seen)
    ordered = tuple(sorted(known.values(), key=lambda drift: (drift.day, drift.url)))
    write_whole(
        folder.watch_file, msgspec.json.encode(KnownDrifts(ordered, before.rules if rules is None else rules))
    )


@contextmanager
def _articles(folder: Corpus, portal: Portal) -> Iterator[PortalArticles]:
    """Raises CorpusError."""
    with (
        BuiltArticles.of(folder.build_database, portal.name) as built,
        Ledger.reading(folder.ledger) as ledger,
        CaptureReader(folder.warc) as captures,
    ):
        yield PortalArticles(portal, built, ledger, captures)


def _changes(row: Sequence[WatchedArticle]) -> Iterator[tuple[list[WatchedArticle], Row]]:
    """Yield the changes layout by layout: what the portal file tells apart is no drift. Each comes with the
    row that its places are in."""
    by_layout = sorted(
        row, key=lambda article: article.layout or ""
    )  # stable: the order of the dates is kept
    for _, group in groupby(by_layout, key=lambda article: article.layout):
        of_layout = list(group)
        for drift in drifts(of_layout):
            if _is_order_known(of_layout[drift.before], of_layout[drift.place]):
                yield of_layout, drift


def _is_order_known(before: WatchedArticle, after: WatchedArticle) -> bool:
    """Say whether two articles follow one another in time.

    Without dates, what came on one day stands in the order of its lists.
    """
    return bool(before.day or after.day) or before.captured[:10] != after.captured[:10]
