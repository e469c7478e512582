"""The walks of one crawl: each column, its date intervals that are not settled, its sections, and the ways to
the same articles."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date, datetime, time, timedelta

from webarticlecurator.amounts import agreeing, amount
from webarticlecurator.config.portal import ArchiveFormat, Column, Dates, Portal, column_named
from webarticlecurator.corpus.events import (
    ArchivePlace,
    DriftEvent,
    EndKind,
    ProofGround,
    UnprovedEvent,
    WalkEndEvent,
)
from webarticlecurator.corpus.intervals import Interval, intervals
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.ledger_walks import EarlierWalks, sections_with_links
from webarticlecurator.crawling.contradictions import WalkedColumns, alike_dates, column_contradictions
from webarticlecurator.crawling.crawl_options import CrawlOptions
from webarticlecurator.crawling.requests import place_at
from webarticlecurator.crawling.run import Run
from webarticlecurator.crawling.sitemap_tree import SitemapTree
from webarticlecurator.crawling.walk import Walk
from webarticlecurator.crawling.walk_end import WalkEnd
from webarticlecurator.crawling.walk_reading import ArchiveAnswer, Reading
from webarticlecurator.errors import UsageError
from webarticlecurator.extraction.checks import Check, first_reason
from webarticlecurator.extraction.url_rules import url_shape
from webarticlecurator.model.links import ArchivePage, LinkPlace, Lookalike, WrittenLink
from webarticlecurator.urls import host_and_port
from webarticlecurator.warc.store import Series

_MOST = 10_000
"""Pages of dates, and links like the picked ones, that are kept of one column."""
_MOST_SHAPES = 1_000
"""Forms of addresses by which links like the picked ones are known."""
_KEPT_PLACES = {
    LinkPlace.BOX: (False, True),
    LinkPlace.ELSEWHERE: (False, False),
    LinkPlace.LEFT_ITEM: (True, True),
    LinkPlace.LIST: (True, False),
}
"""The columns `in_list` and `in_box` of the ledger for each place."""
_DRIFT_AFTER = 3
"""So many successive dates without links, where there were some, mean that the layout has changed."""
_WITH_LASTMOD = (ArchiveFormat.FEED, ArchiveFormat.SITEMAP)
"""Lists that may say when an article was changed last."""
_LEAVES_OPEN = (EndKind.DRIFT, EndKind.LIMIT, EndKind.FAILED, EndKind.UNPROVED)


def intervals_to_walk(
    column: Column, portal: Portal, ledger: Ledger | None, options: CrawlOptions, now: datetime
) -> Iterator[Interval | None]:
    """Give the intervals to walk, in their order, up to the one that `stop.at_url` begins; one None for a
    column without dates."""
    if column.dates is None:
        yield None
        return
    is_done: Callable[[Interval], bool] = _nothing_done
    if ledger is not None and not options.full:
        is_done = _done(column, column.dates, portal, ledger)
    for interval in intervals(column.dates, now.astimezone(portal.timezone).date()):
        if column.stop.at_url is not None and column.stop.is_at(place_at(column, interval).url):
            return
        if options.wants(interval) and not is_done(interval):
            yield interval


def _nothing_done(_: Interval) -> bool:
    return False


def _done(column: Column, dates: Dates, portal: Portal, ledger: Ledger) -> Callable[[Interval], bool]:
    """Return the test whether nothing new comes in an interval.

    It was proved long after its end, or a stop rule ended the column there.
    """
    earlier = EarlierWalks.of(ledger, column)
    proved, oldest = earlier.proved(), earlier.stopped_at() or date.min

    def is_done(interval: Interval) -> bool:
        proved_at = proved.get(interval.name)
        end = datetime.combine(interval.end, time(), portal.timezone)
        is_settled = proved_at is not None and proved_at - end >= dates.settle
        return is_settled or interval.end <= oldest

    return is_done


def chosen_columns(portal: Portal, options: CrawlOptions) -> tuple[Column, ...]:
    """In the order of the portal file. Raises UsageError where there is no such column, or where its pages
    have no dates to choose by, nor addresses with a `lastmod`."""
    wanted = {column_named(portal, name).name for name in options.columns}
    chosen = tuple(column for column in portal.columns if not wanted or column.name in wanted)
    undated = [column for column in chosen if column.dates is None]
    if options.until is None:
        undated = [column for column in undated if column.format not in _WITH_LASTMOD]
    if undated and (options.start or options.until):
        raise UsageError(_without_dates(portal, chosen, undated))
    return chosen


def _without_dates(portal: Portal, chosen: Sequence[Column], undated: Sequence[Column]) -> str:
    """Return why no dates can be chosen."""
    names = ", ".join(column.name for column in undated)
    if all(column.format in _WITH_LASTMOD for column in undated):
        return (
            f"--until cannot choose among the addresses of {names}: it is known when they were changed last, "
            "and an older article may have been changed since. Leave it out: --from alone takes what was "
            "changed on that day or later."
        )
    dated = shlex.join(
        word for column in chosen if column.dates is not None for word in ("--column", column.name)
    )
    rest = (
        f"Those that have are chosen with {dated}" if dated else "--limit N takes a part of their articles."
    )
    reason = (
        f"--from and --until cannot choose among archive pages without dates: in {portal.name} these columns "
        "have no `dates`"
    )
    return f"{reason}: {names}. {rest}"


@dataclass(slots=True)
class UnitedAddresses:
    """Addresses that `urls.replace` and `urls.drop_params` make one, of one column in one crawl."""

    column: Column
    _first: dict[str, WrittenLink] = field(default_factory=dict)
    """By the address that the rules leave."""
    _others: dict[str, str] = field(default_factory=dict)
    """Written so, and another article than one that had been written otherwise."""

    def take(self, links: tuple[WrittenLink, ...]) -> None:
        """Take in what a page of the column lists."""
        for link in links:
            first = (
                self._first.setdefault(link.url, link)
                if len(self._first) < 20_000
                else self._first.get(link.url, link)
            )
            if first.written != link.written and self._differ(first, link):
                self._others.setdefault(link.written, first.written)

    def _differ(self, first: WrittenLink, link: WrittenLink) -> bool:
        """Say whether they are two articles: one may well be listed twice, with another parameter, or with a
        link to its comments; in sitemaps each address is that of a page of its own."""
        above, below = sorted((first.written, link.written), key=len)
        if below.startswith((f"{above.rstrip('/')}/", f"{above}?")):
            return False
        words, others = set(first.text.lower().split()), set(link.text.lower().split())
        is_other = len(words & others) < 0.75 * min(
            len(words), len(others)
        )  # of one article a count may differ
        return is_other or self.column.format is ArchiveFormat.SITEMAP

    def remark(self) -> str | None:
        """Tell that articles are lost by the rules."""
        if not self._others:
            return None
        rules = {
            "`urls.replace`": self.column.urls.replace,
            "`urls.drop_params`": self.column.urls.drop_params,
        }
        named = [name for name, values in rules.items() if values]
        make = f"{' and '.join(named)} {agreeing(len(named), 'makes', 'make')}"
        links = amount(len(self._others), "link that lists something else", "links that list something else")
        example = " and ".join(reversed(next(iter(self._others.items()))))
        return (
            f"column {self.column.name}: {make} the address of another article of {links} (such as "
            f"{example}), and one of them is fetched"
        )


@dataclass(slots=True)
class RunningWalk:
    """A walk on its way."""

    id: int
    of: ColumnWalks
    walk: Walk | SitemapTree
    steps: Generator[tuple[Reading | None, ArchivePlace | WalkEnd], ArchiveAnswer, None]
    ask: ArchivePlace
    """The page that is asked for."""
    interval: str | None
    """The name of the date interval that is walked."""
    via: str | None = None
    articles: int = 0
    """Article links so far."""
    field_rules: str | None = None
    """Its rules for listing fields, until its first event has told them."""


@dataclass(slots=True)
class ColumnWalks:
    """The walks of one column in one crawl, begun one after the other, and what they say together."""

    run: Run
    column: Column
    via: str | None = None
    """The archive page that led here, where that is a section."""
    host: str = field(init=False)
    running: int = 0
    """Walks on their way."""
    held: int = 0
    """Walks on their way that have come to an end, of which is told when all others have come to theirs."""
    done: bool = False
    """No more are to be begun."""
    proved: bool = True
    """All that have ended came to a proved end."""
    listed: int = 0
    """Article links on the pages of all that have ended."""
    ended_by: str = ""
    """The last of them."""
    links: int = 0
    """On all its pages so far."""
    fields: set[str] = field(default_factory=set)
    """Fields that links told of an article."""
    of_dates: set[str] = field(default_factory=set)
    """Pages of dates that its pages lead to."""
    united: UnitedAddresses = field(init=False)
    left_open: list[tuple[EndKind, str]] = field(default_factory=list)
    """Ends that one of several ways leaves open; a person is told where no way is proved."""
    to_begin: Iterator[RunningWalk] = field(init=False)
    _unproved: str | None = None
    """Why none of its intervals is proved."""
    _shapes: set[str] = field(default_factory=set)
    """Shapes of the URLs that its rules take."""
    _lookalikes: int = 0
    """Written down in this run."""
    _empty: list[int] = field(default_factory=list)
    """Walks of dates in a row that gave nothing where there must be something."""

    def __post_init__(self) -> None:
        self.host = host_and_port(self.column.template.text)
        self.united = UnitedAddresses(self.column)
        self.to_begin = self._walks()

    def _walks(self) -> Iterator[RunningWalk]:
        run = self.run
        to_walk = intervals_to_walk(self.column, run.portal, run.ledger, run.options, run.now())
        for number, interval in enumerate(to_walk):
            if number == 0:
                self._say_what_changed()
            yield self._begun(interval)

    def _say_what_changed(self) -> None:
        """Say that the column is walked again, or that listing fields would be read otherwise, since rules
        have changed."""
        run, column = self.run, self.column
        proved, before = run.ledger.proved(column.name), run.ledger.field_rules(column.name)
        if proved and column.rules not in proved:
            run.say(
                f"column {column.name}: its archive rules have changed since it was read to its end, so it "
                "is walked again."
            )
            return
        if before is None or run.options.full:
            return
        changed = [
            rule.partition(":")[0] for rule in column.field_rules.split() if rule not in before.split()
        ]
        if changed:
            sentence = (
                f"`archive.fields` of {', '.join(changed)} has changed; a full crawl offline reads the "
                "stored pages by it"
            )
            run.summary.remarks.append(f"column {column.name}: {sentence}")

    def _begun(self, interval: Interval | None) -> RunningWalk:
        run, column = self.run, self.column
        # up to a day after it was cut off, the walk over a tree of sitemaps goes on, rather than begin anew
        walk_id, since = next(run.walk_numbers), (run.now() - timedelta(days=1)).isoformat()
        name = interval.name if interval is not None else None
        earlier = EarlierWalks(run.ledger, column.name, column.rules, name, walk_id, since)
        walk = self._walk(interval, earlier)
        steps = walk.run()
        _, first = next(steps)
        assert isinstance(first, ArchivePlace)
        return RunningWalk(walk_id, self, walk, steps, first, name, self.via, field_rules=column.field_rules)

    def _walk(self, interval: Interval | None, earlier: EarlierWalks) -> Walk | SitemapTree:
        run, column = self.run, self.column
        new_span, full = run.span_numbers.__next__, run.options.full or column.paging.has_names
        if column.format is ArchiveFormat.SITEMAP:
            return SitemapTree(
                column=column, interval=interval, earlier=earlier, new_span=new_span, full=full
            )
        return Walk(
            column=column,
            interval=interval,
            home=run.portal.home,
            earlier=earlier,
            new_span=new_span,
            full=full,
            others=tuple(other for other in run.columns if other != column),
            probes=run.probes,
        )

    def take(self, page: ArchivePage) -> None:
        """Take in what a page adds to what is known of the column."""
        self.links += len(page.articles)
        self.united.take(page.written)
        self.fields.update(*(link.fields for link in page.articles))
        if len(self.of_dates) < _MOST:
            self.of_dates.update(page.of_dates)

    def lookalikes(self, page: ArchivePage) -> tuple[tuple[str, str, bool, bool], ...]:
        """Return those that the ledger does not know: what is written like articles, and what stands in
        items."""
        if len(self._shapes) < _MOST_SHAPES:
            self._shapes.update(url_shape(link.url, sections=True) for link in page.articles)
        unknown = [link for link in page.lookalikes if self.run.ledger.url_id(link.url) is None]
        via = page.articles[0].url if page.articles else self.column.template.text
        for link in unknown:
            if link.place is LinkPlace.LEFT_ITEM:
                self.run.seen.take_item(link.url, via)
        wanted = [link for link in unknown if link.place is LinkPlace.LEFT_ITEM or link.shape in self._shapes]
        kept = wanted[: max(0, _MOST - self._lookalikes)]
        self._lookalikes += len(kept)
        return tuple(map(self._as_kept, kept))

    def _as_kept(self, link: Lookalike) -> tuple[str, str, bool, bool]:
        """Return what the ledger keeps of a link; in an item, and written like an article, it is no box of
        something else."""
        is_written_alike = link.place is LinkPlace.LEFT_ITEM and link.shape in self._shapes
        in_list, in_box = _KEPT_PLACES[LinkPlace.ELSEWHERE if is_written_alike else link.place]
        return link.url, link.selector, in_list, in_box

    def take_end(self, running: RunningWalk, end: WalkEnd) -> None:
        """A walk has ended: write down how, in the light of what is known of the column, and what it says of
        that."""
        run = self.run
        running.steps.close()
        if self._unproved is not None and end.complete:
            end = replace(end, end=EndKind.UNPROVED, reason=self._unproved, proves=None, whole=False)
        event = WalkEndEvent(
            **run.recorder.stamp(),
            walk=running.id,
            column=self.column.name,
            interval=running.interval,
            **asdict(end),
        )
        run.recorder.write(Series.ARCHIVE, running.ask.url, event)
        self.running -= 1
        self.listed += running.articles
        self.proved, self.ended_by = self.proved and end.complete, end.reason
        self._tell_end(running, end)
        if running.interval is not None:
            self._compare_dates(running, running.interval)
            self._look_for_drift(running, running.interval, end)

    def _tell_end(self, running: RunningWalk, end: WalkEnd) -> None:
        """Tell of what is left open, and of rules that end the column."""
        if end.end in _LEAVES_OPEN and self._unproved is None:
            self.report(
                end.end, f"{' '.join(filter(None, (self.column.name, running.interval)))}: {end.reason}"
            )
        is_by_rule = end.ground is ProofGround.STOP_RULE
        if is_by_rule and end.complete:
            not_walked = "what lies behind it is neither walked nor counted"
            self.run.summary.by_stop.append(f"{self.column.name} ({end.reason}); {not_walked}")
        if is_by_rule or end.end is EndKind.KNOWN:
            self.done = True  # a stop rule ends the whole column

    def _compare_dates(self, running: RunningWalk, interval: str) -> None:
        """Take the proof from all dates where successive ones list the same."""
        if self._unproved is not None:
            return
        begins = place_at(self.column, running.walk.interval).url
        self._unproved = alike_dates(self.run.ledger, self.column, self.run.number, interval, begins)
        if self._unproved is not None:
            self.done = True
            unprove(self.run, (self.column.name,), self._unproved)
            self.report(EndKind.UNPROVED, f"column {self.column.name}: {self._unproved}")

    def _look_for_drift(self, running: RunningWalk, interval: str, end: WalkEnd) -> None:
        """With the last of enough empty dates all of them prove nothing, then each that follows."""
        if running.articles:
            self._empty.clear()
            return
        if end.end in (EndKind.FAILED, EndKind.INTERRUPTED) or not running.walk.earlier.expects_links():
            return
        self._empty.append(running.id)
        number, enough = len(self._empty), _DRIFT_AFTER
        if number < enough:
            return
        reason = (
            f"{number} dates in a row up to {interval} give no article links where earlier walks found some"
        )
        if number == enough:
            self.report(EndKind.DRIFT, f"{self.column.name}: {reason}")
        walks = tuple(self._empty if number == enough else self._empty[-1:])
        drift = DriftEvent(**self.run.recorder.stamp(), walks=walks, reason=reason)
        self.run.recorder.write(Series.ARCHIVE, self.run.portal.home, drift)

    def report(self, kind: EndKind, reason: str) -> None:
        """Report what is left open: of one of several ways that is no failure yet."""
        self.proved = False
        if self.column.ways:
            self.left_open.append((kind, reason))
        else:
            self.run.report(kind, reason, self.host)


def section_remarks(columns: Sequence[ColumnWalks], ledger: Ledger) -> Iterator[str]:
    """Tell of sections that list nothing, being empty or closed to guests, and of those that no page leads to
    any more."""
    for whole in columns:
        of = whole.column
        if first_reason(NO_SECTIONS, whole):
            continue
        parts = [walks for walks in columns if walks.column.section_of == of.name]
        proved = [walks for walks in parts if walks.proved]
        yield from _empty_sections(of, parts, proved)
        if whole.proved and len(proved) == len(parts):
            yield from _lost_sections(of, parts, ledger)


NO_SECTIONS: tuple[Check[ColumnWalks], ...] = (
    Check("it has none", lambda walks: walks.column.sections is None),
    Check("it is one", lambda walks: walks.column.section_of is not None),
    Check("it was not walked", lambda walks: not walks.ended_by),
)
"""Why nothing is said of the sections of a column."""


def _empty_sections(
    of: Column, sections: Sequence[ColumnWalks], proved: Sequence[ColumnWalks]
) -> Iterator[str]:
    empty = [walks for walks in proved if not walks.listed]
    if empty:
        example = f"{empty[0].column.template.text}: {empty[0].ended_by}"
        lists = agreeing(len(empty), "lists", "list")
        yield (
            f"{of.name}: {len(empty):,} of its {amount(len(sections), 'section')} {lists} no article (such "
            f"as {example})"
        )


def _lost_sections(of: Column, sections: Sequence[ColumnWalks], ledger: Ledger) -> Iterator[str]:
    names = {walks.column.name for walks in sections}
    left = [name for name in sections_with_links(ledger, of) if name not in names]
    if left:
        number = amount(len(left), "section of earlier crawls was", "sections of earlier crawls were")
        yield (
            f"{of.name}: {number} not walked: no page that was read leads there any more (such as {left[0]})"
        )


def weigh(run: Run, columns: Sequence[Column], report: Callable[[EndKind, str], None]) -> None:
    """Take the proof from columns that what the ledger knows speaks against, and tell of it."""
    walked = WalkedColumns(run.ledger, columns, run.number, limited=run.is_partial)
    for contradiction in column_contradictions(walked):
        unprove(run, contradiction.columns, contradiction.reason)
        report(EndKind.UNPROVED, contradiction.in_words())


def unprove(run: Run, columns: tuple[str, ...], reason: str) -> None:
    """Note that nothing is proved of these columns."""
    event = UnprovedEvent(**run.recorder.stamp(), columns=columns, reason=reason)
    run.recorder.write(Series.ARCHIVE, run.portal.home, event)
