"""What one crawl walks: each column, its date intervals that are not settled, its sections, and the ways to the same articles."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, time, timedelta
from typing import Literal

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import ArchiveFormat, Column, Portal, column_named
from webarticlecurator.corpus.events import ArchivePlace, DriftEvent, EndKind, ProofGround, UnprovedEvent, WalkEndEvent
from webarticlecurator.corpus.intervals import Interval, intervals
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.ledger_walks import EarlierWalks, listed_besides, sections_with_links
from webarticlecurator.corpus.ways import tells_no_more
from webarticlecurator.crawling.crawl_options import CrawlOptions
from webarticlecurator.crawling.judge import WalkEnd, alike_dates, column_contradictions, doubt
from webarticlecurator.crawling.requests import place_at
from webarticlecurator.crawling.run import Run
from webarticlecurator.crawling.sitemap_tree import SitemapTree
from webarticlecurator.crawling.walk import ArchiveAnswer, Reading, Walk
from webarticlecurator.errors import UsageError
from webarticlecurator.extraction.url_rules import url_shape
from webarticlecurator.model.links import ArchivePage, WrittenLink
from webarticlecurator.urls import host_and_port, normalise
from webarticlecurator.warc.store import Series

_MOST = 10_000
"""Pages of dates, and links like the picked ones, that are kept of one column."""


def intervals_to_walk(
    column: Column, portal: Portal, ledger: Ledger | None, options: CrawlOptions, now: datetime
) -> Iterator[Interval | None]:
    """The intervals to walk, in their order, up to the one that `stop.at_url` begins; one None for a column without dates."""
    if column.dates is None:
        yield None
        return
    earlier = EarlierWalks.of(ledger, column) if ledger is not None and not options.full else None
    proved = earlier.proved() if earlier is not None else {}
    oldest = earlier.stopped_at() if earlier is not None else None
    at_url = normalise(column.stop.at_url) if column.stop.at_url is not None else None
    for interval in intervals(column.dates, now.astimezone(portal.timezone).date()):
        if at_url is not None and normalise(place_at(column, interval).url) == at_url:
            return
        wanted = (options.start is None or interval.end > options.start) and (options.until is None or interval.start <= options.until)
        if not wanted or (oldest is not None and interval.end <= oldest):
            continue
        proved_at, end = proved.get(interval.name), datetime.combine(interval.end, time(), portal.timezone)
        if proved_at is None or proved_at - end < column.dates.settle:  # one that was proved long after its end is settled
            yield interval


def chosen_columns(portal: Portal, options: CrawlOptions) -> tuple[Column, ...]:
    """In the order of the portal file. Raises UsageError where there is no such column, or where its pages have no dates to choose by."""
    wanted = {column_named(portal, name).name for name in options.columns}
    chosen = tuple(column for column in portal.columns if not wanted or column.name in wanted)
    undated = ", ".join(column.name for column in chosen if column.dates is None)
    if not (options.start or options.until) or not undated:
        return chosen
    dated = shlex.join(word for column in chosen if column.dates is not None for word in ("--column", column.name))
    rest = f"Those that have are chosen with {dated}" if dated else "--limit N takes a part of their articles."
    reason = f"--from and --until cannot choose among archive pages without dates: in {portal.name} these columns have no `dates`"
    raise UsageError(f"{reason}: {undated}. {rest}")


@dataclass(slots=True)
class UnitedAddresses:
    """What `urls.replace` and `urls.drop_params` make one address of, of one column in one crawl."""

    column: Column
    _first: dict[str, WrittenLink] = field(default_factory=dict)
    """By the address that the rules leave."""
    _others: dict[str, str] = field(default_factory=dict)
    """Written so, and another article than one that had been written otherwise."""

    def take(self, links: tuple[WrittenLink, ...]) -> None:
        """What a page of the column lists."""
        for link in links:
            first = self._first.setdefault(link.url, link) if len(self._first) < 20_000 else self._first.get(link.url, link)
            if first.written != link.written and self._differ(first, link):
                self._others.setdefault(link.written, first.written)

    def _differ(self, first: WrittenLink, link: WrittenLink) -> bool:
        """Whether they are two articles: one may well be listed twice, with another parameter, or with a link to its comments; in
        sitemaps each address is that of a page of its own."""
        above, below = sorted((first.written, link.written), key=len)
        if below.startswith((f"{above.rstrip('/')}/", f"{above}?")):
            return False
        words, others = set(first.text.lower().split()), set(link.text.lower().split())
        is_other = len(words & others) < 0.75 * min(len(words), len(others))  # of one article a count may differ
        return is_other or self.column.format is ArchiveFormat.SITEMAP

    def remark(self) -> str | None:
        """That articles are lost by the rules."""
        if not self._others:
            return None
        rules = {"`urls.replace`": self.column.urls.replace, "`urls.drop_params`": self.column.urls.drop_params}
        named = [name for name, values in rules.items() if values]
        make = f"{' and '.join(named)} {'makes' if len(named) == 1 else 'make'}"
        links = amount(len(self._others), "link that lists something else", "links that list something else")
        example = " and ".join(reversed(next(iter(self._others.items()))))
        return (
            f"column {self.column.name}: {make} the address of another article of {links} (such as {example}), and one of them is fetched"
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
    """Of them, those that came to an end of which is told when all others have come to theirs."""
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
    """That they told of an article."""
    of_dates: set[str] = field(default_factory=set)
    """Pages of dates that its pages lead to."""
    united: UnitedAddresses = field(init=False)
    left_open: list[tuple[EndKind, str]] = field(default_factory=list)
    """Of one of several ways: what it leaves open; a person is told where no way is proved."""
    to_begin: Iterator[RunningWalk] = field(init=False)
    _unproved: str | None = None
    """Why none of its intervals is proved."""
    _shapes: set[str] = field(default_factory=set)
    """Of the URLs that its rules take."""
    _lookalikes: int = 0
    """Written down in this run."""
    _empty: list[int] = field(default_factory=list)
    """Walks of dates in a row that gave nothing where there must be something."""

    def __post_init__(self) -> None:
        self.host = host_and_port(self.column.template.text)
        self.united = UnitedAddresses(self.column)
        self.to_begin = self._walks()

    def _walks(self) -> Iterator[RunningWalk]:
        run, column = self.run, self.column
        for number, interval in enumerate(intervals_to_walk(column, run.portal, run.ledger, run.options, run.now())):
            if number == 0:
                name, proved, before = column.name, run.ledger.proved(column.name), run.ledger.field_rules(column.name)
                now = column.field_rules.split()
                changed = [rule.partition(":")[0] for rule in now if before is not None and rule not in before.split()]
                if proved and column.rules not in proved:
                    run.say(f"column {name}: its archive rules have changed since it was read to its end, so it is walked again.")
                elif changed and not run.options.full:
                    told = f"`archive.fields` of {', '.join(changed)} has changed; a full crawl offline reads the stored pages by it"
                    run.summary.remarks.append(f"column {name}: {told}")
            # up to a day after it was cut off, the walk over a tree of sitemaps goes on, rather than begin anew
            walk_id, since = next(run.walk_numbers), (run.now() - timedelta(days=1)).isoformat()
            earlier = EarlierWalks(run.ledger, column.name, column.rules, interval.name if interval else None, walk_id, since)
            new_span, full = run.span_numbers.__next__, run.options.full or column.paging.has_names
            walk: Walk | SitemapTree
            if column.format is ArchiveFormat.SITEMAP:
                walk = SitemapTree(column=column, interval=interval, earlier=earlier, new_span=new_span, full=full)
            else:
                others = tuple(other for other in run.columns if other != column)
                walk = Walk(
                    column=column, interval=interval, home=run.portal.home, earlier=earlier, new_span=new_span, full=full, others=others
                )
            steps = walk.run()
            _, first = next(steps)
            assert isinstance(first, ArchivePlace)
            yield RunningWalk(walk_id, self, walk, steps, first, earlier.interval, self.via, field_rules=column.field_rules)

    def take(self, page: ArchivePage) -> None:
        """What a page adds to what is known of the column."""
        self.links += len(page.articles)
        self.united.take(page.written)
        self.fields.update(*(link.fields for link in page.articles))
        if len(self.of_dates) < _MOST:
            self.of_dates.update(page.of_dates)

    def lookalikes(self, page: ArchivePage) -> tuple[tuple[str, str, bool, bool], ...]:
        """Those that the ledger does not know; of a page without articles, those that are like the articles of others, or in items."""
        self._shapes.update(url_shape(link.url, sections=True) for link in page.articles if len(self._shapes) < 1_000)
        unknown = [link for link in page.lookalikes if self.run.ledger.url_id(link.url) is None]
        alike = [replace(link, in_list=False, in_box=False) if link.in_item else link for link in unknown if link.shape in self._shapes]
        told = [*alike, *(link for link in unknown if link.in_item and link.shape not in self._shapes)][: max(0, _MOST - self._lookalikes)]
        self._lookalikes += len(told)
        for link in unknown:
            if link.in_item:
                self.run.seen.take_item(link.url, page.articles[0].url if page.articles else self.column.template.text)
        return tuple((link.url, link.selector, link.in_list, link.in_box) for link in told)

    def take_end(self, running: RunningWalk, end: WalkEnd) -> None:
        """A walk has ended: write down how, in the light of what is known of the column, and what it says of that."""
        run, interval = self.run, running.interval
        running.steps.close()
        if self._unproved is not None and end.complete:
            end = replace(end, end=EndKind.UNPROVED, reason=self._unproved, proves=None, whole=False)
        event = WalkEndEvent(**run.recorder.stamp(), walk=running.id, column=self.column.name, interval=interval, **asdict(end))
        run.recorder.write(Series.ARCHIVE, running.ask.url, event)
        self.running -= 1
        self.listed += running.articles
        self.proved, self.ended_by = self.proved and end.complete, end.reason
        if isinstance(running.walk, Walk) and (sign := doubt(running.walk, end)) is not None:
            run.summary.remarks.append(f"{self.column.name}: {sign}")
        if end.end in (EndKind.DRIFT, EndKind.LIMIT, EndKind.FAILED, EndKind.UNPROVED) and self._unproved is None:
            self.report(end.end, f"{' '.join(filter(None, (self.column.name, interval)))}: {end.reason}")
        if end.ground is ProofGround.STOP_RULE and end.complete:
            run.summary.by_stop.append(f"{self.column.name} ({end.reason}); what lies behind it is neither walked nor counted")
        if end.ground is ProofGround.STOP_RULE or end.end is EndKind.KNOWN:
            self.done = True  # a stop rule ends the whole column
        if interval is None:
            return
        if self._unproved is None:
            begins = place_at(self.column, running.walk.interval).url
            self._unproved = alike_dates(run.ledger, self.column, run.number, interval, begins)
            if self._unproved is not None:
                self.done = True
                unprove(run, (self.column.name,), self._unproved)
                self.report(EndKind.UNPROVED, f"column {self.column.name}: {self._unproved}")
        if running.articles:
            self._empty.clear()
        elif end.end not in (EndKind.FAILED, EndKind.INTERRUPTED) and running.walk.earlier.expects_links():
            self._empty.append(running.id)
            number, enough = len(self._empty), self.column.dates.drift_after if self.column.dates is not None else 0
            if 0 < enough <= number:  # with the last of enough dates all of them prove nothing, then each that follows
                reason = f"{number} dates in a row up to {interval} give no article links where earlier walks found some"
                if number == enough:
                    self.report(EndKind.DRIFT, f"{self.column.name}: {reason}")
                walks = tuple(self._empty if number == enough else self._empty[-1:])
                drift = DriftEvent(**run.recorder.stamp(), walks=walks, reason=reason)
                run.recorder.write(Series.ARCHIVE, run.portal.home, drift)

    def report(self, kind: EndKind, reason: str) -> None:
        """What is left open: of one of several ways that is no failure yet."""
        self.proved = False
        if self.column.ways:
            self.left_open.append((kind, reason))
        else:
            self.run.report(kind, reason, self.host)


def section_remarks(columns: Sequence[ColumnWalks], ledger: Ledger) -> Iterator[str]:
    """Sections that list nothing, being empty or closed to guests, and those that no page leads to any more: in sentences."""
    for whole in columns:
        of = whole.column
        if of.sections is None or of.section_of is not None or not whole.ended_by:
            continue
        own = [walks for walks in columns if walks.column.section_of == of.name]
        if empty := [walks for walks in own if walks.proved and not walks.listed]:
            example = f"{empty[0].column.template.text}: {empty[0].ended_by}"
            lists = "lists" if len(empty) == 1 else "list"
            yield f"{of.name}: {len(empty):,} of its {amount(len(own), 'section')} {lists} no article (such as {example})"
        names = {walks.column.name for walks in own}
        left = [name for name in sections_with_links(ledger, of) if name not in names]
        if left and all(walks.proved for walks in (*own, whole)):
            number = amount(len(left), "section of earlier crawls was", "sections of earlier crawls were")
            yield f"{of.name}: {number} not walked: no page that was read leads there any more (such as {left[0]})"


WayState = Literal["proved", "short", "read", "left out", "open"]


@dataclass(slots=True)
class Ways:
    """Several ways to the same articles in one run, each a column and the sections that it leads to: a later one is walked only where none
    before it came to a proved end, or where that one names not all."""

    run: Run
    columns: Sequence[ColumnWalks]
    """All of the run, which may become more."""
    _ended: dict[str, WayState] = field(default_factory=dict)
    """What each way came to: all of it is proved, by this run or by those before, though it may name not all ("short"); or it was read to
    its end, which proves no more: after one, no other of its format is walked, but left out."""

    def is_due(self, walks: ColumnWalks) -> bool:
        """Whether walks of this column are to be begun: those before it have ended, and none of them did."""
        column = walks.column
        for before in column.ways:
            if before == column.way:
                break
            if self._of(before) and not self._has_ended(before):
                return False
            if self._ended.get(before) == "read" and self._of(before)[0].column.format is column.format:
                self._ended[column.way] = "left out"
            if self._ended.get(before) == "proved" and listed_besides(self.run.ledger, column.way, before)[0]:
                self._ended[before] = "short"  # an earlier crawl found articles by this way that the one before does not name
            if self._ended.get(before) == "proved" or self._ended.get(column.way) == "left out":
                walks.done = True
                return False
        return True

    def open_next(self) -> bool:
        """Have the ways behind the proved one walked; False: there are none."""
        used = next((name for name, state in self._ended.items() if state == "proved"), None)
        if used is None:
            return False
        self._ended[used] = "short"
        following = [walks for walks in self.columns if walks.column.way in self._of(used)[0].column.following_ways]
        for walks in following:
            walks.done = False
            self._ended.pop(walks.column.way, None)
        return bool(following)

    def report(self) -> None:
        """At the end of the crawl: which way was walked; or, where none is proved, what each leaves open."""
        names = list(dict.fromkeys(walks.column.way for walks in self.columns if walks.column.ways))
        proved = next((name for name in names if self._has_ended(name) and self._ended[name] == "proved"), None)
        used = proved or next((name for name in names if self._ended.get(name) == "short"), None)
        told, ledger = self.run.summary.ways, self.run.ledger
        told.clear()
        for name in names:
            column, state = self._of(name)[0].column, self._ended.get(name)
            left_open = [(kind, reason, walks.host) for walks in self._of(name) for kind, reason in walks.left_open]
            if name == used:
                rest = ", ".join(f"`{after}`" for after in names[names.index(name) + 1 :])
                needless = f"; not needed: {rest}" if rest else ""
                besides = f", and does not name all; walked besides: {rest}"
                told.append(f"`{name}` came to a proved end" + (besides if self._ended[name] == "short" else needless))
                if not self.run.watches[self._of(name)[0].host].alarm:
                    self.run.summary.blocked = None  # it was only another way that is walled off
                return
            if used is not None:
                told.append(f"{self._why_not(name)}; `{used}` was walked {'instead' if left_open else 'besides'}")
                # what a way listed that did not do should stand on the pages of the one that did, too
                more, example = listed_besides(ledger, name, used)
                if more:
                    number = amount(more, f"article that `{name}` lists stands", f"articles that `{name}` lists stand")
                    self.run.summary.remarks.append(
                        f"{number} on no page of `{used}` (such as {example}), which may not list all that there is"
                    )
                continue
            # where one was read, others of its format that tell nothing more are no loss
            others = (self._of(other)[0].column for other, ended in self._ended.items() if ended == "read")
            read = next((other for other in others if other.format is column.format), None)
            if state == "read":
                told.append(f"`{name}` was read to its end, which need not be the portal's")
            elif state != "left out" and read is not None and tells_no_more(column, [kind for kind, *_ in left_open], read, ledger):
                told.append(f"{self._why_not(name)}; `{read.name}` was read instead")
            elif state != "left out":
                for kind, reason, host in left_open:
                    self.run.report(kind, reason, host)

    def _of(self, name: str) -> list[ColumnWalks]:
        return [walks for walks in self.columns if walks.column.way == name]

    def _has_ended(self, name: str) -> bool:
        """Whether nothing of it is left to be walked in this run; the first time, what speaks against its proof is looked for."""
        run, parts = self.run, self._of(name)
        if name in self._ended:
            return True
        if run.stopped or any(walks.running or not (walks.done or run.watches[walks.host].closed) for walks in parts):
            return False
        first = parts[0]
        weigh(run, [walks.column for walks in parts], first.report)
        # a way without a single date to walk is none that was walked
        was_walked = run.is_partial or any(walks.column.rules in run.ledger.proved(walks.column.name) for walks in parts)
        whole = was_walked and all(walks.done and walks.proved for walks in parts)
        only_read = any(EarlierWalks.of(run.ledger, walks.column).only_read() for walks in parts)
        state = self._ended[name] = "open" if not whole else "read" if only_read else "proved"
        after = (walks.column for walks in self.columns if walks.column.way in first.column.following_ways)
        following = next((column.way for column in after if state != "read" or column.format is not first.column.format), None)
        if state != "proved" and following is not None:
            run.say(f"{self._why_not(name)}; `{following}`, the next way to the same articles, is walked.")
        return True

    def _why_not(self, name: str) -> str:
        """Why a way did not do."""
        parts = self._of(name)
        left_open = next((reason for walks in parts for _, reason in walks.left_open), None)
        return left_open or f"{name}: {self.run.watches[parts[0].host].closed or parts[0].ended_by or 'nothing to walk'}"


def weigh(run: Run, columns: Sequence[Column], report: Callable[[EndKind, str], None]) -> None:
    """Take the proof from columns that what the ledger knows speaks against, and tell of it."""
    for contradiction in column_contradictions(run.ledger, columns, run.number, limited=run.is_partial):
        unprove(run, contradiction.columns, contradiction.reason)
        report(EndKind.UNPROVED, contradiction.in_words())


def unprove(run: Run, columns: tuple[str, ...], reason: str) -> None:
    """Nothing is proved of these columns."""
    event = UnprovedEvent(**run.recorder.stamp(), columns=columns, reason=reason)
    run.recorder.write(Series.ARCHIVE, run.portal.home, event)
