"""Joins the stages of the watch: what is built, what is stored, and whether the articles still look as they did."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import groupby
from pathlib import Path
from threading import Event as Flag

from webarticlecurator.building.built_articles import BuiltArticles
from webarticlecurator.config.load import as_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus, crawled_corpus
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.lock import locked
from webarticlecurator.corpus.problems import write_problems
from webarticlecurator.document.page import read_page
from webarticlecurator.errors import CorpusBusy, CorpusError, PatternTimeout
from webarticlecurator.faults import reason_of
from webarticlecurator.model.capture import Location, Request
from webarticlecurator.model.drift import FoundDrift, ShownPage, WatchSummary
from webarticlecurator.model.page import Page
from webarticlecurator.model.progress import Progress, Silent, Snapshot
from webarticlecurator.model.proposals import Plain
from webarticlecurator.warc.reader import CaptureReader
from webarticlecurator.warc.store import utc_now
from webarticlecurator.watching import series
from webarticlecurator.watching.database import StoredDrift, WatchDatabase
from webarticlecurator.watching.drift import FEWEST_AFTER, FEWEST_BEFORE, Drift, drifts
from webarticlecurator.watching.page_facts import KEPT, PageFacts, page_facts
from webarticlecurator.watching.series import SeriesArticle
from webarticlecurator.watching.words import told
from webarticlecurator.workers.collector import no_collector

PHASE = "watch"
"""What progress calls a watch."""
SAMPLE = 400
"""Articles of all times that are looked at, beside the newest."""
_NEWEST = 40
_QUIETLY = 96
"""The newest articles, at which a build's watch looks."""
_BUILT_A_PAGE = 64
"""Articles that are built for each page that is read again: so a watch costs little beside its build."""
_MOST_QUIET_PAGES = 96
_TO_LEARN_FROM = 8
"""Pages of the new layout that a proposal is made of."""
_MOST_BLOCKS = 120
"""Of a page that is shown."""
_TOGETHER = 32
"""Pages that are noted at a time: an interrupted watch goes on from there."""
_OWED = "articles built since a page was read for the watch"


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
    with _opened(folder, loaded) as opened:
        summary = _Watch(loaded, opened, progress or Silent(), stop or Flag(), with_html).whole(sample)
        if summary.complete:
            opened.database.note_drifts(map(_stored, summary.drifts), now=now().isoformat(timespec="seconds"), instead=True)
            with Ledger.reading(folder.ledger) as ledger:
                write_problems(ledger, folder, loaded)
    return summary


def watch_quietly(portal: Portal, folder: Corpus, *, built: int, rules: str, now: datetime) -> str | None:
    """After a build of so many articles: look at the newest, and remember what is found. Gives why that could not be done."""
    try:
        with _opened(folder, portal) as opened:
            found = _Watch(portal, opened, Silent(), Flag(), with_html=False).newest(built)
            changed = opened.database.noted("rules") != rules
            opened.database.note("rules", rules)
            opened.database.note_drifts(map(_stored, found), now=now.isoformat(timespec="seconds"), instead=changed)
    except CorpusBusy:  # who watches now, tells
        return None
    except Exception as problem:  # a build is never to fail because of it
        reason = str(problem) if isinstance(problem, (CorpusError, OSError)) else reason_of(problem)
        return f"{reason}; `curator watch` looks again"
    return None


def _stored(drift: FoundDrift) -> StoredDrift:
    return StoredDrift(drift.layout or "", drift.url, drift.day, drift.reason)


@dataclass(frozen=True, slots=True)
class _Opened:
    """What a watch reads, and what it remembers in."""

    built: BuiltArticles
    database: WatchDatabase
    ledger: Ledger
    captures: CaptureReader


@contextmanager
def _opened(folder: Corpus, portal: Portal) -> Iterator[_Opened]:
    """Raises CorpusError, and CorpusBusy where another process watches."""
    with ExitStack() as stack:
        built = stack.enter_context(BuiltArticles.of(folder.build_database, portal.name))
        stack.enter_context(locked(folder.watch_lock, "watch"))
        yield _Opened(
            built,
            stack.enter_context(WatchDatabase(folder.watch_database)),
            stack.enter_context(Ledger.reading(folder.ledger)),
            stack.enter_context(CaptureReader(folder.warc)),
        )


@dataclass(frozen=True, slots=True)
class _Watch:
    portal: Portal
    opened: _Opened
    progress: Progress
    stop: Flag
    with_html: bool

    # -- what is looked at --------------------------------------------------------------------------------------------

    def whole(self, sample: int) -> WatchSummary:
        """A sample of all articles, and the newest; every page that is not known is read."""
        (total,) = next(self.opened.built.rows("SELECT count(*) FROM articles a WHERE a.outcome IN ('article', 'paywall', 'empty')"))
        chosen = series.sampled(self.opened.built, sample=sample, newest=_NEWEST)
        states = self.opened.database.states()
        self.opened.database.keep_only(one.article.id for one in chosen)
        unknown = sum(states.get(one.article.id) != one.state for one in chosen)
        rows = self._looked_at(chosen, states, may_read=lambda _: True)
        complete = not self.stop.is_set()
        found = tuple(self._found(rows)) if complete else ()
        pages = sum(one.article.page is not None for one in rows)
        return WatchSummary(
            portal=self.portal.name,
            articles=len(rows),
            of_articles=total,
            pages=pages,
            new_pages=unknown,
            drifts=found,
            too_few=pages < FEWEST_BEFORE + FEWEST_AFTER,
            complete=complete,
        )

    def newest(self, built: int) -> tuple[FoundDrift, ...]:
        """The newest articles, and of some of them the page: as many as the number of articles that were built allows."""
        database = self.opened.database
        owed = int(database.noted(_OWED) or 0) + built
        chosen = series.newest_of(self.opened.built, _QUIETLY)
        states = database.states()
        unknown = [one.article.id for one in chosen if states.get(one.article.id) != one.state]
        number = min(owed // _BUILT_A_PAGE, _MOST_QUIET_PAGES, len(unknown))
        step = len(unknown) / number if number else 1
        read = frozenset(unknown[-1 - int(place * step)] for place in range(number))
        database.note(_OWED, str(0 if number == len(unknown) else owed - number * _BUILT_A_PAGE))
        return tuple(self._found(self._looked_at(chosen, states, may_read=lambda one: one.article.id in read)))

    def _looked_at(
        self, chosen: Sequence[SeriesArticle], states: dict[str, str], *, may_read: Callable[[SeriesArticle], bool]
    ) -> list[SeriesArticle]:
        """The articles with their texts, and with what their pages show where that is known or may be found out."""
        rows: list[SeriesArticle] = []
        new: list[tuple[str, str, PageFacts | None]] = []
        with no_collector():
            for number, (one, text) in enumerate(series.with_texts(self.opened.built, chosen)):
                if self.stop.is_set():
                    break
                facts = None
                if states.get(one.article.id) == one.state:
                    facts = self.opened.database.facts(one.article.id)
                elif may_read(one):
                    facts = self._facts(one, text)
                    new.append((one.article.id, one.state, facts))
                rows.append(replace(one, article=replace(one.article, page=facts)))
                if len(new) >= _TOGETHER:
                    self.opened.database.put(new)
                    new.clear()
                    self.progress.show(
                        Snapshot(portal=self.portal.name, phase=PHASE, articles=number + 1, waiting=len(chosen) - number - 1)
                    )
        if new:
            self.opened.database.put(new)
        return rows

    def _facts(self, one: SeriesArticle, text: str) -> PageFacts | None:
        page = self._page(one)
        return None if page is None or page.tree is None else page_facts(page.tree, text)

    def _page(self, one: SeriesArticle) -> Page | None:
        """Its first page; None where it has none of its own, or that cannot be read."""
        with suppress(CorpusError, PatternTimeout):
            place = (one.place or self._stored_place(one.article.url)) if one.has_own_page else None
            capture = self.opened.captures.read(place) if place is not None else None
            page = read_page(capture, encoding=self.portal.fetch.encoding, classified=True) if capture is not None else None
            return page if isinstance(page, Page) else None
        return None

    def _stored_place(self, url: str) -> Location | None:
        stored = self.opened.ledger.latest_response(Request(url=url).key)
        return None if stored is None else stored.location

    # -- what is found ------------------------------------------------------------------------------------------------

    def _found(self, rows: Sequence[SeriesArticle]) -> list[FoundDrift]:
        """Layout by layout: what the portal file tells apart is no drift."""
        by_layout = sorted(rows, key=lambda one: one.article.layout or "")  # stable: the order of the dates is kept
        found: list[FoundDrift] = []
        for _, group in groupby(by_layout, key=lambda one: one.article.layout):
            of_layout = list(group)
            found += [self._told(of_layout, drift) for drift in drifts([one.article for one in of_layout])]
        return sorted(found, key=lambda one: (one.day, one.url))

    def _told(self, rows: Sequence[SeriesArticle], drift: Drift) -> FoundDrift:
        first = self._first(rows, drift)
        signs = told(drift.seen)
        run = [rows[place] for place in drift.run]
        old = rows[max(0, drift.before + 1 - len(run)) : drift.before + 1]
        is_old_broken = _empty(old) > len(old) // 2 and _empty(run) <= len(run) // 2
        sentences = [sentence for _, sentence in signs]
        sentences += [f"the rules find no text in {_empty(old):,} of the {len(old):,} articles before it"] if is_old_broken else []
        shown = (("last before", rows[drift.before]), ("first after", first), ("another after", run[-1]))
        proposal, why = self._proposal(old if is_old_broken else run, first.article.day[:10], before=is_old_broken)
        return FoundDrift(
            layout=first.article.layout,
            day=first.article.day,
            url=first.article.url,
            headline=first.article.headline,
            signs=tuple(sentences),
            kinds=tuple(dict.fromkeys(kind for kind, _ in signs)),
            pages=tuple(self._shown(role, one) for role, one in shown),
            proposal=proposal,
            proposed_for=why,
        )

    def _first(self, rows: Sequence[SeriesArticle], drift: Drift) -> SeriesArticle:
        """The first of all articles that is odd by the surest sign, not only of the sample: halved, and halved again."""
        judge, first = drift.seen[0].sign.judge, rows[drift.place]
        left = series.between(self.opened.built, rows[drift.before], first)
        while left and not self.stop.is_set():
            middle = len(left) // 2
            if judge(self._filled(left[middle]).article):
                first, left = left[middle], left[:middle]
            else:
                left = left[middle + 1 :]
        return first

    def _filled(self, one: SeriesArticle) -> SeriesArticle:
        ((filled, text),) = series.with_texts(self.opened.built, [one])
        return replace(filled, article=replace(filled.article, page=self._facts(filled, text)))

    def _shown(self, role: str, one: SeriesArticle) -> ShownPage:
        from webarticlecurator.document.still_page import still_page
        from webarticlecurator.labelling.text_blocks import text_blocks
        from webarticlecurator.labelling.truth import shares_in

        ((filled, text),) = series.with_texts(self.opened.built, [one])
        page = self._page(filled)
        article = filled.article
        told = ShownPage(
            role=role,
            url=article.url,
            headline=article.headline,
            day=article.day,
            outcome="empty" if article.is_empty else "article",
            words=article.words,
        )
        if page is None or page.tree is None:
            return told
        blocks = text_blocks(page.tree)[: 4 * _MOST_BLOCKS]
        kept = [(share >= KEPT, block.text) for share, block in zip(shares_in(blocks, text), blocks, strict=True)]
        return replace(told, blocks=tuple(kept), html=still_page(page.tree).html if self.with_html else None)

    def _proposal(self, some: Sequence[SeriesArticle], day: str, *, before: bool) -> tuple[dict[str, Plain] | None, str]:
        """An entry of `layouts` for the pages of which these are some: those since that day, or those before it."""
        from webarticlecurator.learning.bodies import find_bodies

        try:
            first = date.fromisoformat(day)
        except ValueError:
            return None, "the articles have no date"
        placed = [one for one, _ in series.with_texts(self.opened.built, some[:: max(1, len(some) // _TO_LEARN_FROM)][:_TO_LEARN_FROM])]
        pages = [page for one in placed if (page := self._page(one)) is not None and page.tree is not None]
        if not pages:
            return None, "none of the pages can be read"
        found = find_bodies(pages, portal=self.portal)
        body: dict[str, Plain] = dict(found.layouts[0].body) if found.layouts else {}
        if not body and self.portal.body.root is not None and _empty(some) > len(some) // 2:
            body = {"root": None}  # the general finder finds what the rule does not
        when: dict[str, Plain] = {"until": (first - timedelta(days=1)).isoformat()} if before else {"from": day}
        name = f"before-{day}" if before else f"since-{day}"
        why = f"made of {len(pages)} pages" if body else "without rules of its own: it only says that the change is known"
        return {"name": name, **when, **({"body": body} if body else {})}, why


def _empty(articles: Sequence[SeriesArticle]) -> int:
    return sum(one.article.is_empty for one in articles)
