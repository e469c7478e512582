"""One column in one crawl: which walks are made of it, and what they say together."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field, replace
from datetime import timedelta

from webarticlecurator.config.portal import ArchiveFormat, Column
from webarticlecurator.corpus.earlier_walks import EarlierWalks
from webarticlecurator.corpus.events import ArchivePlace, DriftEvent, EndKind, ProofGround
from webarticlecurator.crawling.contradictions import ENOUGH_INTERVALS, same_first_pages
from webarticlecurator.crawling.paging import WALKS
from webarticlecurator.crawling.planning import intervals_to_walk
from webarticlecurator.crawling.requests import first_url
from webarticlecurator.crawling.run import Run
from webarticlecurator.crawling.sitemap_tree import SitemapTree
from webarticlecurator.crawling.walk import Walk
from webarticlecurator.crawling.walk_steps import ArchiveAnswer, WalkEnd, WalkStep
from webarticlecurator.extraction.url_rules import url_shape
from webarticlecurator.model.links import ArchivePage
from webarticlecurator.urls import host_and_port
from webarticlecurator.warc.store import Series

MOST_SHAPES = 1_000
"""Shapes of URLs that are kept of one column."""
_REPORTED = (EndKind.DRIFT, EndKind.LIMIT, EndKind.FAILED, EndKind.UNPROVED)
MOST_LOOKALIKES = 10_000
"""Links that are written down of one column and run."""

_JUST_BEFORE = timedelta(days=1)
"""So long after it was cut off, the walk over a tree of sitemaps goes on, rather than begin anew."""


@dataclass(slots=True)
class RunningWalk:
    """A walk on its way."""

    id: int
    of: ColumnWalks
    walk: Walk | SitemapTree
    steps: Generator[WalkStep, ArchiveAnswer, None]
    ask: ArchivePlace
    """The page that is asked for."""
    via: str | None = None
    articles: int = 0
    """Article links so far."""
    _told_rules: bool = False

    def field_rules(self) -> str | None:
        """Its rules for listing fields, for the first event of the walk."""
        told, self._told_rules = self._told_rules, True
        return None if told else self.of.column.field_rules

    @property
    def interval(self) -> str | None:
        """The name of the date interval that is walked."""
        return self.walk.interval.name if self.walk.interval else None


@dataclass(slots=True)
class ColumnWalks:
    """The walks of one column, begun one after the other."""

    run: Run
    column: Column
    via: str | None = None
    """The archive page that led here, where that is a section."""
    host: str = field(init=False)
    running: int = 0
    """Walks on their way."""
    done: bool = False
    """No more are to be begun."""
    proved: bool = True
    """All that have ended came to a proved end."""
    listed: int = 0
    """Article links on the pages of all that have ended."""
    ended_by: str = ""
    """The last of them."""
    unread_dates: int = 0
    """On its sitemaps."""
    unread_date: str = ""
    """The first of them, as it is written."""
    left_open: list[tuple[EndKind, str]] = field(default_factory=list)
    """Of one of several ways: what it leaves open; a person is told where no way is proved."""
    _to_begin: Iterator[RunningWalk] = field(init=False)
    _unproved: str | None = None
    """Why none of its intervals is proved."""
    _shapes: set[str] = field(default_factory=set)
    """Of the URLs that its rules take."""
    _lookalikes: int = 0
    """Written down in this run."""
    _empty_dates: list[int] = field(default_factory=list)
    """Walks of successive dates that gave nothing where there must be something."""

    def __post_init__(self) -> None:
        self.host = host_and_port(self.column.template.text)
        self._to_begin = self._walks()

    def begin(self) -> RunningWalk | None:
        """The next walk, if there is one."""
        found = next(self._to_begin, None)
        self.done = found is None
        self.running += found is not None
        return found

    def _walks(self) -> Iterator[RunningWalk]:
        run, column = self.run, self.column
        for number, interval in enumerate(intervals_to_walk(column, run.portal, run.ledger, run.options, run.now())):
            if number == 0:
                self._tell_changed_rules()
            walk_id, since = next(run.walk_numbers), (run.now() - _JUST_BEFORE).isoformat()
            walk = (SitemapTree if column.format is ArchiveFormat.SITEMAP else WALKS[column.paging.mode])(
                column=column,
                interval=interval,
                home=run.portal.home,
                earlier=EarlierWalks(run.ledger, column.name, column.rules, interval.name if interval else None, walk_id, since),
                new_span=run.span_numbers.__next__,
                full=run.options.full,
            )
            steps = walk.run()
            first = next(steps).next
            assert isinstance(first, ArchivePlace)
            yield RunningWalk(walk_id, self, walk, steps, first, self.via)

    def _tell_changed_rules(self) -> None:
        if EarlierWalks(self.run.ledger, self.column.name, self.column.rules).proved_otherwise():
            self.run.say(
                f"column {self.column.name}: its archive rules have changed since it was read to its end, so it is walked again"
                " (articles that were fetched are not fetched again)."
            )
        else:
            self._tell_changed_fields()

    def _tell_changed_fields(self) -> None:
        before, now = self.run.ledger.field_rules(self.column.name), self.column.field_rules.split()
        changed = [one.partition(":")[0] for one in now if before is not None and one not in before.split()]
        if changed and not self.run.options.full:
            self.run.remarks.append(
                f"column {self.column.name}: `archive.fields` of {', '.join(changed)} has changed; what archive pages say that this crawl"
                " did not ask for again stays as it was read then, until `curator crawl --full --offline` reads the stored ones"
            )

    def lookalikes(self, page: ArchivePage | None) -> tuple[tuple[str, str, bool, bool], ...]:
        """Those that the ledger does not know; of a page without articles, those that are like the articles of others."""
        if page is None:
            return ()
        self._shapes.update(url_shape(link.url, sections=True) for link in page.articles if len(self._shapes) < MOST_SHAPES)
        found = [one for one in page.lookalikes if one.shape in self._shapes and self.run.ledger.url_id(one.url) is None]
        found = found[: max(0, MOST_LOOKALIKES - self._lookalikes)]
        self._lookalikes += len(found)
        return tuple((one.url, one.selector, one.in_list, one.in_box) for one in found)

    def take_unread_dates(self, page: ArchivePage) -> None:
        """They are told once for all of its sitemaps."""
        self.unread_dates += page.unread_dates
        self.unread_date = self.unread_date or page.unread_date

    # -- ends ---------------------------------------------------------------------------------------------------------

    def corrected(self, end: WalkEnd) -> WalkEnd:
        """A walk's end in the light of what is known of the column."""
        if self._unproved is None or not end.complete:
            return end
        return replace(end, kind=EndKind.UNPROVED, reason=self._unproved, proves=None, whole=False)

    def take_end(self, running: RunningWalk, end: WalkEnd) -> None:
        """A walk has ended, and the ledger knows it."""
        self.running -= 1
        self.listed += running.articles
        self.proved, self.ended_by = self.proved and end.complete, end.reason
        if end.doubt:
            self.run.remarks.append(f"{self.column.name}: {end.doubt}")
        if end.kind in _REPORTED and self._unproved is None:
            self.report(end.kind, f"{' '.join(filter(None, (self.column.name, running.interval)))}: {end.reason}")
        if running.interval is not None:
            self._compare_dates(running, running.interval, end)

    def report(self, kind: EndKind, reason: str) -> None:
        """What is left open: of one of several ways that is no failure yet."""
        self.proved = False
        if self.column.ways:
            self.left_open.append((kind, reason))
        else:
            self.run.report(kind, reason)

    def _compare_dates(self, running: RunningWalk, interval: str, end: WalkEnd) -> None:
        """A stop rule ends the whole column; dates in a row without links, where there must be some, are drift."""
        if end.ground is ProofGround.STOP_RULE or end.kind is EndKind.KNOWN:
            self.done = True
        same = same_first_pages(self.run.ledger, self.column, self.run.number, interval) if self._unproved is None else []
        if len(same) >= ENOUGH_INTERVALS:
            self.done = True
            self._unproved = (
                f"the pages of {', '.join(same)} list the same articles, so the part of the address"
                f" that should part them does nothing (such as {first_url(self.column, running.walk.interval)})"
            )
            reason = f"column {self.column.name}: {self._unproved}"
            self.run.unprove((self.column.name,), reason)
            self.report(EndKind.UNPROVED, reason)
        if running.articles:
            self._empty_dates.clear()
        elif end.kind is not EndKind.FAILED and running.walk.earlier.expects_links():
            self._empty_dates.append(running.id)
            self._note_drift(interval)

    def _note_drift(self, interval: str) -> None:
        """Enough dates without links are drift, and so is each that follows."""
        assert self.column.dates is not None
        number, enough = len(self._empty_dates), self.column.dates.drift_after
        if number < enough:
            return
        reason = f"{number} dates in a row up to {interval} give no article links where earlier walks found some"
        if number == enough:
            self.report(EndKind.DRIFT, f"{self.column.name}: {reason}")
        walks = tuple(self._empty_dates if number == enough else self._empty_dates[-1:])
        event = DriftEvent(**self.run.recorder.stamp(), walks=walks, reason=reason)
        self.run.recorder.write(Series.ARCHIVE, self.run.portal.home, event)
