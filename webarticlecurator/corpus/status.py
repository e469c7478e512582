"""The ledger counted: how complete each column is, what is open, what waits, what failed and why."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.losses import lost_files
from webarticlecurator.corpus.problems import build_rows
from webarticlecurator.corpus.walks import EndKind
from webarticlecurator.model.outcome import ASKED_AGAIN, FAILURES, FetchOutcome, PageOutcome
from webarticlecurator.report.status import Completeness, Gap, Proof, StatusReport, Trouble

_TROUBLES = 50
_LAST_WALKS = """
    SELECT w.id, c.name, w.interval, w.rules, w.end, w.reason FROM walks w JOIN columns c ON c.id = w.column_id
    WHERE w.id = (SELECT max(id) FROM walks l WHERE l.column_id = w.column_id AND l.interval IS w.interval AND l.end IS NOT 'imported')
    ORDER BY w.interval DESC
"""
_PROVED = """
    SELECT DISTINCT c.name, w.interval, w.rules FROM walks w JOIN columns c ON c.id = w.column_id WHERE w.end IN ('proved', 'known')
"""
_PROOFS = """
    SELECT c.name, w.interval, w.rules, w.ground, w.last_url, w.last_links, w.ended FROM walks w JOIN columns c ON c.id = w.column_id
    WHERE w.end = 'proved' AND w.id = (SELECT max(id) FROM walks l
        WHERE l.column_id = w.column_id AND l.interval IS w.interval AND l.rules = w.rules AND l.end = 'proved')
    ORDER BY c.id, w.interval DESC
"""
_BY_INTERVAL = (
    "SELECT c.name, w.interval, sum(w.pages), sum(w.fresh) FROM walks w JOIN columns c ON c.id = w.column_id GROUP BY c.id, w.interval"
)
_BY_OUTCOME = """
    SELECT c.name, w.interval, u.outcome, count(*) FROM urls u JOIN walks w ON w.id = u.walk JOIN columns c ON c.id = w.column_id
    GROUP BY c.id, w.interval, u.outcome
"""
_LISTED = "SELECT c.name, count(DISTINCT url_id) FROM listings l JOIN columns c ON c.id = l.column_id GROUP BY c.id"

_SEEN = "CASE WHEN u.page LIKE 'unreadable:%' THEN 'unreadable' WHEN u.page IS NOT NULL THEN 'not-article' END"
"""What crawling saw of a page, where it had to look into it."""
_UNBUILT = f"SELECT u.outcome, NULL, {_SEEN}, count(*) FROM urls u WHERE u.parts > 0 GROUP BY 1, 3"
_BUILT = f"""
    SELECT u.outcome, b.outcome, {_SEEN}, count(*) FROM urls u LEFT JOIN other.articles b
    ON b.key = u.identity_key AND b.identity = coalesce(u.identity, u.url) WHERE u.parts > 0 GROUP BY 1, 2, 3
"""
_BUILD_TROUBLES = f"""
    SELECT outcome, reason, count(*), min(url) FROM problems WHERE outcome NOT IN ('conflict', 'lost-address')
    GROUP BY outcome, reason ORDER BY count(*) DESC LIMIT {_TROUBLES}
"""


@dataclass(slots=True)
class _Row:
    """One column in one year, being counted."""

    intervals: int = 0
    proved: int = 0
    open: int = 0
    pages: int = 0
    new: int = 0
    limited: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    outcomes: dict[FetchOutcome, int] = field(default_factory=lambda: defaultdict(int))


def status_report(portal: Portal, corpus: Corpus, ledger: Ledger) -> StatusReport:
    """Everything that `curator status` shows."""
    files = corpus.warc_files()
    outcomes = ledger.outcomes()
    shown, unbuilt = _with_pages(outcomes, corpus, ledger)
    last = next(ledger.stream("SELECT max(started), max(ended) FROM walks"), (None, None))
    asked = next(ledger.stream("SELECT max(since) FROM urls"), (None,))
    rules = _Rules.of(portal)
    moments = [datetime.fromisoformat(moment) for moment in (*last, *asked) if moment]
    return StatusReport(
        portal=portal.name,
        corpus=str(corpus.folder),
        last_crawl=max(moments, default=None),
        outcomes=shown,
        archive_pages=sum(row[0] for row in ledger.stream("SELECT count(*) FROM responses WHERE url_id IS NULL")),
        warc_files=len(files),
        warc_bytes=sum(path.stat().st_size for path in files),
        completeness=tuple(_completeness(portal, ledger, rules)),
        proofs=tuple(_proofs(ledger, rules)),
        gaps=tuple(_gaps(ledger, rules)),
        refused=ledger.refused(),
        waiting=sum(outcomes.get(outcome, 0) for outcome in ASKED_AGAIN),
        unbuilt=unbuilt,
        troubles=tuple(_troubles(corpus, ledger)),
        drift=tuple(
            f"{column} {interval or ''}".strip() + f": {reason}"
            for _, column, interval, _, end, reason in ledger.stream(_LAST_WALKS)
            if end == EndKind.DRIFT
        ),
        lost=tuple(lost_files(corpus.warc, ledger)),
        problems=_lines(corpus),
    )


def _with_pages(fetched: Mapping[FetchOutcome, int], corpus: Corpus, ledger: Ledger) -> tuple[dict[FetchOutcome | PageOutcome, int], int]:
    """The outcomes that people see: that of the page where building (or crawling) saw it; and how many stored articles were not built."""
    counted: Counter[FetchOutcome | PageOutcome] = Counter(fetched)
    built = corpus.build_database.exists()
    unbuilt = 0
    for outcome, made, seen, number in ledger.beside(corpus.build_database, _BUILT) if built else ledger.stream(_UNBUILT):
        unbuilt += 0 if made else number
        page = made or seen
        if page is not None:
            counted[FetchOutcome(outcome)] -= number
            counted[PageOutcome(page)] += number
    return {outcome: number for outcome, number in counted.items() if number}, unbuilt


def _completeness(portal: Portal, ledger: Ledger, rules: _Rules) -> Iterable[Completeness]:
    rows: dict[tuple[str, int | None], _Row] = defaultdict(_Row)
    proved = rules.proved(ledger)
    for _, column, interval, _, end, reason in ledger.stream(_LAST_WALKS):
        row = rows[column, _year(interval)]
        row.intervals += 1
        if (column, interval) in proved:
            row.proved += 1
        elif end == EndKind.LIMIT:
            row.limited[reason] += 1
        else:
            row.open += 1
    for column, interval, pages, fresh in ledger.stream(_BY_INTERVAL):
        rows[column, _year(interval)].pages += pages
        rows[column, _year(interval)].new += fresh
    for column, interval, outcome, number in ledger.stream(_BY_OUTCOME):
        rows[column, _year(interval)].outcomes[FetchOutcome(outcome)] += number
    names = [column.name for column in portal.columns]
    for column, year in sorted(rows, key=lambda key: (names.index(key[0]) if key[0] in names else len(names), -(key[1] or 0))):
        yield _counted(column, year, rows[column, year], _links(ledger, column, year))


def _counted(column: str, year: int | None, row: _Row, links: int) -> Completeness:
    return Completeness(
        column=column,
        year=year,
        intervals=row.intervals,
        proved=row.proved,
        limited=dict(row.limited),
        open=row.open,
        pages=row.pages,
        links=links,
        new=row.new,
        fetched=row.outcomes[FetchOutcome.FETCHED],
        failed=sum(row.outcomes[outcome] for outcome in FAILURES),
        waiting=row.outcomes[FetchOutcome.QUEUED],
    )


@dataclass(frozen=True, slots=True)
class _Rules:
    """The archive rules of each column as they are now: what was proved under other ones counts no longer."""

    now: Mapping[str, str]

    @classmethod
    def of(cls, portal: Portal) -> _Rules:
        return cls({column.name: column.rules for column in portal.columns})

    def hold(self, column: str, rules: str) -> bool:
        return self.now.get(column, rules) == rules

    def proved(self, ledger: Ledger) -> set[tuple[str, str | None]]:
        """Columns and date intervals that were walked to a proved end once: a later walk that broke off takes nothing away."""
        return {(column, interval) for column, interval, rules in ledger.stream(_PROVED) if self.hold(column, rules)}


def _proofs(ledger: Ledger, rules: _Rules) -> Iterable[Proof]:
    for column, interval, made_under, ground, page, links, at in ledger.stream(_PROOFS):
        if rules.hold(column, made_under):
            yield Proof(column=column, interval=interval, ground=ground, page=page, links=links, at=datetime.fromisoformat(at))


def _links(ledger: Ledger, column: str, year: int | None) -> int:
    if year is None:
        return next((number for name, number in ledger.stream(_LISTED) if name == column), 0)
    sql = (
        "SELECT coalesce(sum(most), 0) FROM (SELECT max(w.links) AS most FROM walks w JOIN columns c ON c.id = w.column_id"
        " WHERE c.name = ? AND w.interval GLOB ? GROUP BY w.interval)"
    )
    return int(next(ledger.stream(sql, (column, f"{year:04d}*")))[0])


def _gaps(ledger: Ledger, rules: _Rules) -> Iterable[Gap]:
    last_page = "SELECT url FROM pages WHERE walk = ? ORDER BY id DESC LIMIT 1"
    first_unread = "SELECT url FROM pages WHERE walk = ? AND result = 'failed' ORDER BY id LIMIT 1"
    for walk, column, interval, made_under, end, reason in ledger.stream(_LAST_WALKS):
        outdated = end in (EndKind.PROVED, EndKind.KNOWN) and not rules.hold(column, made_under)
        if outdated or end in (None, EndKind.FAILED, EndKind.INTERRUPTED, EndKind.LIMIT, EndKind.UNPROVED):
            where = (first_unread, last_page) if end == EndKind.FAILED else (last_page,)
            url = next((url for sql in where for (url,) in ledger.stream(sql, (walk,))), "")
            why = "proved under other rules than the portal file has now: the next crawl walks it again" if outdated else reason
            yield Gap(column=column, interval=interval, url=url, reason=why or "the crawl was cut off")


def _troubles(corpus: Corpus, ledger: Ledger) -> Iterable[Trouble]:
    rows = ledger.stream(
        "SELECT outcome, reason, count(*), min(coalesce(next_url, url)) FROM urls WHERE outcome NOT IN ('fetched', 'queued')"
        " GROUP BY outcome, reason ORDER BY count(*) DESC LIMIT ?",
        (_TROUBLES,),
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
