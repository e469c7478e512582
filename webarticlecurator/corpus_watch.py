"""Joins the stages of the watch: what is built, what is stored, and whether the articles still look as they did."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from pathlib import Path
from threading import Event as Flag

from webarticlecurator.building.database import BuiltArticles
from webarticlecurator.config.load import as_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus, crawled_corpus
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.lock import locked
from webarticlecurator.corpus.problems import write_problems
from webarticlecurator.errors import CorpusBusy, CuratorError
from webarticlecurator.faults import reason_of
from webarticlecurator.model.drift import FoundDrift, WatchSummary
from webarticlecurator.model.progress import Progress, Silent, Snapshot
from webarticlecurator.warc.reader import CaptureReader
from webarticlecurator.warc.store import utc_now
from webarticlecurator.watching import series
from webarticlecurator.watching.database import StoredDrift, WatchDatabase
from webarticlecurator.watching.drift import FEWEST_AFTER, FEWEST_BEFORE, Drift, drifts
from webarticlecurator.watching.page_facts import PageFacts
from webarticlecurator.watching.pages import ArticlePages
from webarticlecurator.watching.series import SeriesArticle
from webarticlecurator.watching.telling import DriftTeller
from webarticlecurator.workers.collector import no_collector

PHASE = "watch"
"""What progress calls a watch."""
SAMPLE = 400
"""Articles of all times that are looked at, beside the newest."""
_NEWEST = 40
_TOGETHER = 32
"""Pages that are noted at a time: an interrupted watch goes on from there."""

_QUIET_SAMPLE, _QUIET_NEWEST = 48, 72
"""At how many a build's watch looks: at what the build tells of them, and at no page."""
_RULES = "rules"

Row = list[SeriesArticle]


def watch(
    portal: Portal | Path | str,
    *,
    corpus: Path | str | None = None,
    sample: int = SAMPLE,
    with_html: bool = False,
    progress: Progress | None = None,
    stop: Flag | None = None,
    now: Callable[[], datetime] = utc_now,
) -> WatchSummary:
    """Look whether the articles of a corpus still look as they did, and remember what was seen; `with_html`: to show the pages."""
    loaded = as_portal(portal)
    folder = crawled_corpus(loaded, corpus)
    with _opened(folder, loaded, progress or Silent(), stop or Flag()) as watching:
        summary = watching.whole(sample, with_html)
        if summary.complete:
            watching.database.note_drifts(_stored(summary.drifts), now=now().isoformat(timespec="seconds"), instead=True)
            with Ledger.reading(folder.ledger) as ledger:
                write_problems(ledger, folder, loaded)
    return summary


def watch_quietly(portal: Portal, folder: Corpus, *, rules: str, now: datetime) -> str | None:
    """After a build: look at what it knows of its articles, and remember what is found. Gives why that could not be done."""
    try:
        with _opened(folder, portal, Silent(), Flag()) as watching, no_collector():
            watching.quietly(rules, now.isoformat(timespec="seconds"))
    except CorpusBusy:  # who watches now, tells
        return None
    except Exception as problem:  # a build is never to fail because of it
        reason = str(problem) if isinstance(problem, (CuratorError, OSError)) else reason_of(problem)
        return f"{reason}; the next watch looks again"
    return None


def _stored(drifts: Iterable[FoundDrift]) -> list[StoredDrift]:
    """What every build is to tell until the portal file does: not what does no harm, such as classes that are made anew each week."""
    return [StoredDrift(one.layout or "", one.url, one.day, one.reason) for one in drifts if not one.is_harmless]


@contextmanager
def _opened(folder: Corpus, portal: Portal, progress: Progress, stop: Flag) -> Iterator[_Watch]:
    """Raises CorpusError, and CorpusBusy where another process watches."""
    with ExitStack() as stack:
        built = stack.enter_context(BuiltArticles.of(folder.build_database, portal.name))
        stack.enter_context(locked(folder.watch_lock, "watch"))
        database = stack.enter_context(WatchDatabase(folder.watch_database))
        pages = ArticlePages(portal, stack.enter_context(Ledger.reading(folder.ledger)), stack.enter_context(CaptureReader(folder.warc)))
        yield _Watch(portal, built, database, pages, progress, stop)


@dataclass(frozen=True, slots=True)
class _Watch:
    portal: Portal
    built: BuiltArticles
    database: WatchDatabase
    pages: ArticlePages
    progress: Progress
    stop: Flag

    def whole(self, sample: int, with_html: bool) -> WatchSummary:
        """A sample of all articles, and the newest; every page that is not known is read."""
        chosen = series.sampled(self.built, sample=sample, newest=_NEWEST)
        self.database.keep_only(one.article.id for one in chosen)
        states = self.database.states()
        unknown = sum(states.get(one.article.id) != one.state for one in chosen)
        row = self._with_pages(chosen)
        complete = not self.stop.is_set()
        found = [self._teller.fully(*one, with_html=with_html) for one in _changes(row)] if complete else []
        pages = sum(one.article.page is not None for one in row)
        return WatchSummary(
            portal=self.portal.name,
            articles=len(row),
            of_articles=series.total(self.built),
            pages=pages,
            new_pages=unknown,
            drifts=tuple(sorted(found, key=lambda one: (one.day, one.url))),
            too_few=len(row) < FEWEST_BEFORE + FEWEST_AFTER,
            complete=complete,
        )

    def quietly(self, rules: str, now: str) -> None:
        """By what the build knows of its articles.

        A layout that has an alarm gets no second one: the first article of it may look to be another with every build.
        """
        is_new = self.database.noted(_RULES) != rules
        known = frozenset() if is_new else frozenset(one.layout for one in self.database.drifts())
        chosen = series.sampled(self.built, sample=_QUIET_SAMPLE, newest=_QUIET_NEWEST)
        row = [one for one, _ in series.with_texts(self.built, chosen)]
        told: dict[str, FoundDrift] = {}
        for of_layout, drift in _changes(row):
            layout = of_layout[drift.place].article.layout or ""
            if layout not in known and layout not in told and not (found := self._teller.briefly(of_layout, drift)).is_harmless:
                told[layout] = found
        self.database.note_drifts(_stored(told.values()), now=now, instead=is_new)
        self.database.note(_RULES, rules)

    @property
    def _teller(self) -> DriftTeller:
        return DriftTeller(self.portal, self.built, self.pages, self.stop)

    def _with_pages(self, chosen: Row) -> Row:
        """The articles with their texts, and with what their pages show: remembered, or read now."""
        states = self.database.states()
        row: Row = []
        new: list[tuple[str, str, PageFacts | None]] = []
        with no_collector():
            for one, text in series.with_texts(self.built, chosen):
                if self.stop.is_set():
                    break
                if states.get(one.article.id) == one.state:
                    facts = self.database.facts(one.article.id)
                else:
                    facts = self.pages.facts(one, text)
                    new.append((one.article.id, one.state, facts))
                row.append(replace(one, article=replace(one.article, page=facts)))
                if len(new) >= _TOGETHER:
                    self._remember(new, len(row), len(chosen))
        self._remember(new, len(row), len(chosen))
        return row

    def _remember(self, new: list[tuple[str, str, PageFacts | None]], done: int, of: int) -> None:
        if new:
            self.database.put(new)
            new.clear()
            self.progress.show(Snapshot(portal=self.portal.name, phase=PHASE, articles=done, waiting=of - done))


def _changes(row: Sequence[SeriesArticle]) -> Iterator[tuple[Row, Drift]]:
    """Layout by layout: what the portal file tells apart is no drift. Each with the row that its places are in."""
    by_layout = sorted(row, key=lambda one: one.article.layout or "")  # stable: the order of the dates is kept
    for _, group in groupby(by_layout, key=lambda one: one.article.layout):
        of_layout = list(group)
        for drift in drifts([one.article for one in of_layout]):
            yield of_layout, drift
