"""The ledger counted: how complete each column is, what is open, what waits, what failed and why."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from webarticlecurator.config.column_urls import column_of
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.earlier_walks import EarlierWalks
from webarticlecurator.corpus.events import EndKind, ProofGround
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.intervals import intervals
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.ledger_schema import FAILURES_IN_SQL
from webarticlecurator.corpus.ledger_writing import FURTHER_PAGE, PAGE_MISSING
from webarticlecurator.corpus.losses import lost_files
from webarticlecurator.corpus.problems import build_rows, drift_rows
from webarticlecurator.corpus.ways import needless_columns, ways_of
from webarticlecurator.model.outcome import ASKED_AGAIN, FetchOutcome, PageOutcome
from webarticlecurator.model.status import Completeness, OpenStretch, Proof, StatusReport, Trouble
from webarticlecurator.warc.store import OPEN, sizes

_TROUBLES = 50
_ONLY_READ = frozenset(ground for ground in ProofGround if ground.says_only_read)
_LAST_WALKS = "SELECT id, column, interval, rules, end, reason FROM last_walks ORDER BY interval DESC"
_PROOFS = """
    SELECT column, interval, rules, ground, last_url, last_links, ended FROM walks WHERE id IN (
        SELECT max(id) FROM walks WHERE end = 'proved' GROUP BY column, interval, rules
    ) ORDER BY interval DESC
"""
_BY_YEAR = "SELECT column, substr(interval, 1, 4) AS year, sum(pages), sum(fresh) FROM walks GROUP BY column, year"
_OUTCOMES_BY_YEAR = f"""
    SELECT w.column, substr(w.interval, 1, 4) AS year, sum(outcome = 'fetched'), sum(outcome IN {FAILURES_IN_SQL}), sum(outcome = 'queued')
    FROM urls u JOIN walks w ON w.id = u.walk GROUP BY w.column, year
"""
_LISTED = "SELECT count(DISTINCT url_id) FROM listings l JOIN columns c ON c.id = l.column_id WHERE c.name = ?"
_LISTED_BY_YEAR = """
    SELECT coalesce(sum(most), 0) FROM (SELECT max(links) AS most FROM walks WHERE column = ? AND interval GLOB ? GROUP BY interval)
"""
_STARTED = "SELECT column, max(started) FROM walks GROUP BY column"
_LAST_PAGE = "SELECT url FROM pages WHERE walk = ? ORDER BY id DESC LIMIT 1"
_FIRST_UNREAD = "SELECT url FROM pages WHERE walk = ? AND result = 'failed' ORDER BY id LIMIT 1"
_LAST_MOMENT = "SELECT max(started) FROM walks UNION SELECT max(ended) FROM walks UNION SELECT max(since) FROM urls"

_SEEN = "CASE WHEN u.page LIKE 'unreadable:%' THEN 'unreadable' WHEN u.page IS NOT NULL THEN 'not-article' END"
"""What crawling saw of a page, where it had to look into it."""
_UNBUILT = f"SELECT u.outcome, NULL, {_SEEN}, count(*) FROM urls u WHERE u.parts > 0 GROUP BY 1, 3"
_BUILT = f"""
    SELECT u.outcome, b.outcome, {_SEEN}, count(*) FROM urls u LEFT JOIN other.articles b
    ON b.key = u.identity_key AND b.identity = coalesce(u.identity, u.url)
    WHERE u.parts > 0 OR b.url = u.url GROUP BY 1, 2, 3
"""
_BUILD_TROUBLES = f"""
    SELECT outcome, reason, count(*), min(url) FROM problems WHERE outcome NOT IN ('conflict', 'lost-address', 'missing-page')
    GROUP BY outcome, reason ORDER BY count(*) DESC LIMIT {_TROUBLES}
"""


_Rules = Mapping[str, str]
"""Column -> its archive rules now, in the order of the portal file. Of a column that it has no more all rules hold."""


@dataclass(frozen=True, slots=True)
class _Walk:
    """The last walk of a column, or of one of its date intervals."""

    id: int
    column: str
    interval: str | None
    rules: str
    end: str | None
    reason: str | None

    @property
    def year(self) -> int | None:
        return _year(self.interval)


def status_report(portal: Portal, corpus: Corpus, ledger: Ledger) -> StatusReport:
    """Everything that `curator status` shows."""
    files, there = corpus.warc_files(), sizes(corpus.warc)
    outcomes = ledger.outcomes()
    shown, unbuilt = _with_pages(outcomes, corpus, ledger)
    moments = [datetime.fromisoformat(moment) for (moment,) in ledger.rows(_LAST_MOMENT) if moment]
    walks = [_Walk(*row) for row in _shared(ledger.rows(_LAST_WALKS))]
    rules = {column.name: column.rules for column in portal.columns}
    proofs = tuple(_proofs(ledger, rules))
    needless = needless_columns(portal, ledger)
    needed = [one for one in walks if column_of(one.column) not in needless]
    unwalked = _unwalked(portal, ledger, walks, needless) if walks else {}
    return StatusReport(
        portal=portal.name,
        corpus=corpus.told,
        last_crawl=max(moments, default=None),
        outcomes=shown,
        archive_pages=sum(number for (number,) in ledger.rows("SELECT count(*) FROM responses WHERE url_id IS NULL")),
        warc_files=len(files),
        warc_bytes=sum(there.get(path.name.removesuffix(OPEN), 0) for path in files),
        completeness=tuple(_completeness(ledger, walks, rules, proofs, needless, unwalked)),
        ways=ways_of(portal, ledger),
        proofs=proofs,
        gaps=(*_gaps(ledger, needed, rules), *map(_not_walked, unwalked, unwalked.values())),
        refused=ledger.refused(),
        waiting=sum(outcomes.get(outcome, 0) for outcome in ASKED_AGAIN),
        unbuilt=unbuilt,
        troubles=tuple(_troubles(corpus, ledger)),
        drift=tuple(f"{' '.join(filter(None, (one.column, one.interval)))}: {one.reason}" for one in needed if one.end == EndKind.DRIFT),
        article_drift=tuple(f"{url}: {reason}" for url, _, reason, _ in drift_rows(corpus)),
        lost=tuple(lost_files(corpus.warc, ledger)),
        problems=_lines(corpus),
    )


def _shared(rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """The same rows, with one object for equal texts: an archive of days has a row for each, and most of them say the same."""
    known: dict[Any, Any] = {}
    for row in rows:
        yield tuple(known.setdefault(value, value) for value in row)


def _with_pages(fetched: Mapping[FetchOutcome, int], corpus: Corpus, ledger: Ledger) -> tuple[dict[FetchOutcome | PageOutcome, int], int]:
    """The outcomes that people see: that of the page where building (or crawling) saw it; and how many stored articles were not built."""
    counted: Counter[FetchOutcome | PageOutcome] = Counter(fetched)
    built = corpus.build_database.exists()
    unbuilt = 0
    for outcome, made, seen, number in ledger.beside(corpus.build_database, _BUILT) if built else ledger.rows(_UNBUILT):
        unbuilt += 0 if made else number
        page = made or seen
        if page is not None:
            counted[FetchOutcome(outcome)] -= number
            counted[PageOutcome(page)] += number
    return {outcome: number for outcome, number in counted.items() if number}, unbuilt


def _completeness(
    ledger: Ledger,
    walks: Sequence[_Walk],
    now: _Rules,
    proofs: Iterable[Proof],
    needless: Collection[str],
    unwalked: Mapping[str, Sequence[str | None]],
) -> Iterable[Completeness]:
    counts: dict[tuple[str, int | None], Counter[str]] = defaultdict(Counter)
    limits: dict[tuple[str, int | None], Counter[str]] = defaultdict(Counter)
    only_read = {(proof.column, proof.interval) for proof in proofs if proof.only_read}
    proved = {column: _proved_intervals(ledger, column, now) for column in {one.column for one in walks}}
    for one in walks:
        row = counts[one.column, one.year]
        row["intervals"] += 1
        if one.interval in proved[one.column]:
            row["only_read" if (one.column, one.interval) in only_read else "proved"] += 1
        elif column_of(one.column) in needless:
            continue
        elif one.end == EndKind.LIMIT:
            limits[one.column, one.year][one.reason or ""] += 1
        else:
            row["open"] += 1
    for name, missing in unwalked.items():
        for year, number in Counter(map(_year, missing)).items():
            counts[name, year].update(intervals=number, open=number)
    for column, interval, pages, fresh in ledger.rows(_BY_YEAR):
        counts[column, _year(interval)].update(pages=pages, new=fresh)
    for column, interval, fetched, failed, waiting in ledger.rows(_OUTCOMES_BY_YEAR):
        counts[column, _year(interval)].update(fetched=fetched, failed=failed, waiting=waiting)
    rank = _rank(now)
    for column, year in sorted(counts, key=lambda key: (rank(key[0]), -(key[1] or 0))):
        sql, values = (_LISTED, (column,)) if year is None else (_LISTED_BY_YEAR, (column, f"{year:04d}*"))
        links = next(number for (number,) in ledger.rows(sql, values))
        row = counts[column, year]
        spare = column_of(column) in needless
        yield Completeness(column=column, year=year, limited=dict(limits[column, year]), needless=spare, links=links, **row)


def _unwalked(portal: Portal, ledger: Ledger, walks: Iterable[_Walk], needless: Collection[str]) -> dict[str, list[str | None]]:
    """What no crawl has asked for yet, though the portal file names it: whole columns (None), or date intervals, by column."""
    began = defaultdict[str, str](str)
    for name, started in ledger.rows(_STARTED):
        began[column_of(name)] = max(began[column_of(name)], started)
    walked = {(column_of(one.column), one.interval) for one in walks}
    found: dict[str, list[str | None]] = {}
    for column in portal.columns:
        asked = datetime.fromisoformat(began.get(column.name) or max(began.values()))
        named: list[str | None] = [None] if column.name not in began else []
        if column.dates is not None:
            oldest = EarlierWalks(ledger, column.name, column.rules).stopped_at()
            days = intervals(column.dates, asked.astimezone(portal.timezone).date())
            named = [one.name for one in days if oldest is None or one.end > oldest]
            if column.stop.at_url is not None:  # nothing is asked for behind it
                named = named[: max((place for place, one in enumerate(named, 1) if (column.name, one) in walked), default=None)]
        missing = [one for one in named if (column.name, one) not in walked]
        if missing and column.name not in needless:
            found[column.name] = missing
    return found


def _not_walked(column: str, missing: Sequence[str | None]) -> OpenStretch:
    reason = "not walked yet" if missing[0] is None else f"not walked yet: {len(missing):,} of its intervals, such as {missing[0]}"
    return OpenStretch(column=column, interval=None, url="", reason=reason)


def _proved_intervals(ledger: Ledger, column: str, now: _Rules) -> set[str | None]:
    """Those walked to a proved end once, by the rules that hold now: a later walk that broke off takes nothing away."""
    proved = ledger.proved(column)
    return {interval for rules, intervals in proved.items() if now.get(column_of(column), rules) == rules for interval in intervals}


def _rank(now: _Rules) -> Callable[[str], int]:
    """The order of the portal file; what it has no more comes last."""
    ranks = {column: number for number, column in enumerate(now)}
    return lambda column: ranks.get(column_of(column), len(ranks))


def _proofs(ledger: Ledger, now: _Rules) -> Iterable[Proof]:
    rank = _rank(now)
    for column, interval, made_under, ground, page, links, at in sorted(_shared(ledger.rows(_PROOFS)), key=lambda row: rank(row[0])):
        if now.get(column_of(column), made_under) == made_under:
            yield Proof(
                column=column,
                interval=interval,
                ground=ground,
                page=page,
                links=links,
                at=datetime.fromisoformat(at),
                only_read=ground in _ONLY_READ,
            )


def _gaps(ledger: Ledger, walks: Sequence[_Walk], now: _Rules) -> Iterable[OpenStretch]:
    for one in walks:
        outdated = one.end in (EndKind.PROVED, EndKind.KNOWN) and now.get(column_of(one.column), one.rules) != one.rules
        if outdated or one.end in (None, EndKind.FAILED, EndKind.INTERRUPTED, EndKind.LIMIT, EndKind.UNPROVED):
            where = (_FIRST_UNREAD, _LAST_PAGE) if one.end == EndKind.FAILED else (_LAST_PAGE,)
            url = next((url for sql in where for (url,) in ledger.rows(sql, (one.id,))), "")
            why = "proved under other rules than the portal file has now: the next crawl walks it again" if outdated else one.reason
            yield OpenStretch(column=one.column, interval=one.interval, url=url, reason=why or "the crawl was cut off")


def _troubles(corpus: Corpus, ledger: Ledger) -> Iterable[Trouble]:
    rows = ledger.rows(
        "SELECT outcome, reason, count(*), min(coalesce(next_url, url)) FROM urls WHERE (outcome NOT IN ('fetched', 'queued')"
        " OR reason = ?) AND reason != ? GROUP BY outcome, reason ORDER BY count(*) DESC LIMIT ?",
        (PAGE_MISSING, FURTHER_PAGE, _TROUBLES),
    )
    for outcome, reason, number, example in rows:
        yield Trouble(outcome=FetchOutcome(outcome), reason=reason, count=number, example=example)
    for outcome, reason, number, example in build_rows(corpus, _BUILD_TROUBLES):
        yield Trouble(outcome=PageOutcome(outcome), reason=reason, count=number, example=example)


def _year(interval: str | None) -> int | None:
    return int(interval[:4]) if interval else None


def _lines(corpus: Corpus) -> int:
    if not corpus.problems.exists():
        return 0
    with corpus.problems.open("rb") as file:
        return sum(1 for _ in file)
