"""All numbers of one corpus: one pass over what is built, then what the databases tell; what is missing is told."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial

from webarticlecurator.amounts import amount, unread_comments
from webarticlecurator.analysis.analyses import Analyses
from webarticlecurator.building.database import UNREAD_COMMENTS, BuiltArticles
from webarticlecurator.config.portal import Dates, Portal, column_of
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.intervals import interval_days
from webarticlecurator.corpus.status import status_report
from webarticlecurator.errors import CorpusError
from webarticlecurator.model.statistics import CorpusStatistics, Day, Gap, Lack, PortalFacts
from webarticlecurator.model.status import StatusReport
from webarticlecurator.statistics import calendar
from webarticlecurator.statistics.duplicates import duplicates
from webarticlecurator.statistics.facts import Facts, facts_of
from webarticlecurator.statistics.growth import GrowthCount
from webarticlecurator.statistics.metadata import DateCount, FieldCount
from webarticlecurator.statistics.names import NameCount
from webarticlecurator.statistics.problems import problems
from webarticlecurator.statistics.provenance import provenance
from webarticlecurator.statistics.rules import RuleCount
from webarticlecurator.statistics.tallies import Tallies
from webarticlecurator.statistics.texts import PostCount, TextCount
from webarticlecurator.statistics.urls import KnownUrls

Show = Callable[[str, int, int], None]
"""Takes what is being counted, how many are done, and how many there are."""
_OFTEN = 200
_MOST_COLUMNS = 200
"""That gaps are looked for in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """Where the numbers come from; None where there is none, or it cannot be read."""

    portal: Portal
    corpus: Corpus
    called: str
    """How commands name the portal and its corpus."""
    rules: str
    """Digest of the rules as they are now."""
    analyses: Analyses | None
    analysis_lacks: str
    """Why there is none; empty where there is."""
    read_warc: bool
    show: Show


class _Counts:
    """All that is counted in the pass."""

    def __init__(self, portal: Portal, tallies: Tallies) -> None:
        own = {name for name in (portal.title, portal.name, portal.publisher.name) if name}
        self.growth, self.fields, self.dates = GrowthCount(), FieldCount(frozenset(own)), DateCount(tallies)
        self.names, self.rules = NameCount(tallies, frozenset(own), portal.language), RuleCount()
        self.texts, self.posts = TextCount(), PostCount()
        self.days = Counter[str]()

    def add(self, facts: Facts) -> None:
        for count in (self.growth, self.fields, self.dates, self.names, self.rules, self.texts, self.posts):
            count.add(facts)
        if facts.day:
            self.days[facts.day] += 1


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ledger:
    """What the ledger tells."""

    status: StatusReport
    known: KnownUrls


def collect(sources: Sources) -> CorpusStatistics:
    """Count a corpus."""
    lacks: list[Lack] = []
    with ExitStack() as stack:
        built = _built(sources, stack, lacks)
        tallies = stack.enter_context(Tallies())
        counts = _Counts(sources.portal, tallies)
        for facts in _articles(sources, built):
            counts.add(facts)
        ledger = _ledger(sources, stack, built is not None, lacks)  # after the pass: each needs its own memory
        return _joined(sources, counts, built, ledger, lacks)


def _built(sources: Sources, stack: ExitStack, lacks: list[Lack]) -> BuiltArticles | None:
    try:
        built = stack.enter_context(BuiltArticles.of(sources.corpus.build_database, sources.portal.name))
    except CorpusError as error:
        lacks.append(Lack(what="articles", why=str(error), command=f"curator build {sources.called}"))
        return None
    if not built.count():
        why = "A build was made, and no article came of it."
        lacks.append(Lack(what="articles", why=why, command=f"curator status {sources.called}"))
    if sources.analyses is None:
        lacks.append(Lack(what="analysis", why=sources.analysis_lacks))
    for words, number in built.rows(UNREAD_COMMENTS):
        if words:
            lacks.append(Lack(what="comments", why=f"{unread_comments(words, number)}.", command=f"curator learn {sources.called}"))
    return built


def _ledger(sources: Sources, stack: ExitStack, built: bool, lacks: list[Lack]) -> _Ledger | None:
    corpus = sources.corpus
    try:
        if not corpus.ledger.exists():
            raise CorpusError(f"There is no ledger at {corpus.ledger}: nothing is known of URLs, of the archive, and of requests.")
        sources.show("the ledger", 0, 0)
        status = status_report(sources.portal, corpus)
        return _Ledger(status=status, known=stack.enter_context(KnownUrls.of(corpus, built=built)))
    except CorpusError as error:
        command = f"curator {'warc index' if corpus.warc_files() else 'crawl'} {sources.called}"
        lacks.append(Lack(what="ledger", why=str(error), command=command))
        return None


def _articles(sources: Sources, built: BuiltArticles | None) -> Iterator[Facts]:
    total = built.count() if built is not None else 0
    for number, one in enumerate(built.read() if built is not None else ()):
        if number % _OFTEN == 0:
            sources.show("articles", number, total)
        yield facts_of(one, sources.analyses.of(one.id) if sources.analyses is not None else None)


def _joined(sources: Sources, counts: _Counts, built: BuiltArticles | None, ledger: _Ledger | None, lacks: list[Lack]) -> CorpusStatistics:
    portal, known = sources.portal, ledger.known if ledger else None
    days, gaps, other_gaps = _calendar(portal, counts, ledger)
    outcomes = known.outcomes() if known else ()
    sections, other_sections = counts.growth.sections()
    names, fields = counts.names.names(), counts.fields.fields()
    ranked, unreadable = problems(sources.corpus, ledger.status if ledger else None, gaps, other_gaps, names, fields, sources.called)
    told, faults = provenance(
        portal,
        sources.corpus,
        known,
        built,
        outcomes,
        sources.rules,
        partial(sources.show, "WARC files") if sources.read_warc else None,
    )
    totals = counts.growth.totals(sum(ledger.status.outcomes.values()) if ledger else 0)
    if totals.articles and totals.undated == totals.articles:
        lacks.append(Lack(what="dates", why="No article has a whole day of publication: nothing can be told by day, month or year."))
    if not sources.read_warc:
        lacks.append(Lack(what="warc", why="The WARC files were not read: their digests and the rights signals in them are not told."))
    lacks += [Lack(what="warc", why=fault) for fault in faults]
    if unreadable:
        lacks.append(
            Lack(
                what="problems",
                why=f"{amount(unreadable, 'line')} of problems.jsonl cannot be read.",
                command=f"curator build {sources.called}",
            )
        )
    return CorpusStatistics(
        portal=_portal(portal, sources.corpus),
        lacks=tuple(lacks),
        totals=totals,
        years=counts.growth.years(),
        months=counts.growth.months(),
        columns=known.columns(tuple(column.name for column in portal.columns)) if known else (),
        sections=sections,
        other_sections=other_sections,
        days=days,
        gaps=tuple(gaps),
        other_gaps=other_gaps,
        status=replace(ledger.status, proofs=()) if ledger else None,
        proofs=ledger.status.proofs if ledger else (),
        outcomes=outcomes,
        problems=ranked,
        fields=fields,
        disagreements=counts.fields.disagreements(),
        names=names,
        dates=counts.dates.suspicious(),
        layouts=counts.rules.layouts(),
        coverage=counts.rules.coverage(),
        drops=counts.rules.drops(),
        undecided=counts.rules.undecided(),
        languages=counts.texts.languages(),
        lengths=counts.texts.lengths(),
        duplicates=duplicates(sources.analyses, built) if sources.analyses is not None and built is not None else (),
        access=counts.texts.access(),
        types=counts.texts.types(),
        posts=counts.posts.kinds(),
        provenance=told,
    )


def _calendar(portal: Portal, counts: _Counts, ledger: _Ledger | None) -> tuple[tuple[Day, ...], list[Gap], int]:
    by_column: dict[str | None, Mapping[str, int]] = {None: counts.days}
    until: dict[str | None, date] = {}
    proved: dict[str | None, calendar.Spans] = {}
    if ledger:
        columns: dict[str, dict[str, int]] = defaultdict(dict)
        # A feed or a sitemap need not list everything: its silence says nothing.
        only_read = {column_of(one.column) for one in ledger.status.completeness if one.only_read}
        for column, day, number in ledger.known.days_of_columns():
            if column not in only_read and (column in columns or len(columns) < _MOST_COLUMNS):
                columns[column][day] = number
        by_column.update(columns)
        until = _ends(portal, ledger.status.last_crawl.date()) if ledger.status.last_crawl else {}
        proved = _proved(portal, ledger.status)
    found, others = calendar.gaps(by_column, until, proved)
    known = ledger.known.days() if ledger else ((day, number, 0, 0, 0, number) for day, number in counts.days.items())
    return calendar.calendar(known, found), found, others


def _ends(portal: Portal, last_crawl: date) -> dict[str | None, date]:
    """Up to when articles of each column can be expected: its archive may end at a day that the portal file names."""
    ends: dict[str | None, date] = {}
    for column in portal.columns:
        named = [one.until if isinstance(one.until, date) else last_crawl for one in column.dates.ranges] if column.dates else [last_crawl]
        ends[column.name] = min(last_crawl, max(named))
    return {**ends, None: max(ends.values(), default=last_crawl)}


def _proved(portal: Portal, status: StatusReport) -> dict[str | None, calendar.Spans]:
    """The days that are proved, of each column, and of all of them that are needed."""
    of_column: dict[str, list[tuple[date, date]]] = {column_of(one.column): [] for one in status.completeness if one.counts}
    gone = {one.column for one in status.completeness if one.removed}
    for one in status.proofs:
        if not one.only_read and one.column not in gone:
            of_column.setdefault(column_of(one.column), []).append((interval_days(one.first)[0], interval_days(one.last)[1]))
    for column in portal.columns:
        if column.name in of_column and column.dates:
            of_column[column.name] += _outside(column.dates)
    joined: dict[str | None, calendar.Spans] = {name: calendar.spans(days) for name, days in of_column.items()}
    common: calendar.Spans | None = None
    for days in joined.values():
        common = days if common is None else _both(common, days)
    return {**joined, None: common or ()}


def _outside(dates: Dates) -> Iterator[tuple[date, date]]:
    """The days before and after those of an archive: it is expected to say nothing of them."""
    first = min(one.start or date.min for one in dates.ranges)
    last = max(one.until if isinstance(one.until, date) else date.max for one in dates.ranges)
    if first > date.min:
        yield date.min, first - timedelta(days=1)
    if last < date.max:
        yield last + timedelta(days=1), date.max


def _both(one: calendar.Spans, other: calendar.Spans) -> calendar.Spans:
    """The days that lie in both."""
    found, a, b = [], 0, 0
    while a < len(one) and b < len(other):
        first, last = max(one[a][0], other[b][0]), min(one[a][1], other[b][1])
        if first <= last:
            found.append((first, last))
        a, b = (a + 1, b) if one[a][1] < other[b][1] else (a, b + 1)
    return found


def _portal(portal: Portal, corpus: Corpus) -> PortalFacts:
    publisher = portal.publisher
    return PortalFacts(
        name=portal.name,
        title=portal.title,
        home=portal.home,
        language=portal.language,
        timezone=portal.timezone.key,
        kind=portal.kind.value,
        publisher=publisher.name,
        rights=publisher.rights.statement or publisher.rights.licence,
        corpus=str(corpus.folder),
    )
