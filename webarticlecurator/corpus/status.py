"""The ledger counted: how complete each column is, what is open, what waits, what failed and why."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby, islice
from operator import itemgetter
from typing import Any

from webarticlecurator.config.column_urls import column_of
from webarticlecurator.config.portal import Column, Portal
from webarticlecurator.corpus.earlier_walks import EarlierWalks
from webarticlecurator.corpus.events import EndKind, ProofGround
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.intervals import interval_days, intervals
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.ledger_schema import FAILURES_IN_SQL
from webarticlecurator.corpus.losses import lost_files
from webarticlecurator.corpus.problems import build_rows, drift_rows
from webarticlecurator.corpus.ways import needless_columns, ways_of
from webarticlecurator.extraction.url_rules import article_url
from webarticlecurator.model.outcome import ASKED_AGAIN, FetchOutcome, PageOutcome
from webarticlecurator.model.status import Completeness, NoArticle, OpenStretch, Proof, StatusReport, Trouble
from webarticlecurator.warc.store import OPEN, sizes

_TROUBLES = 50
_NAMED = 50
"""Pages of one reason that could not be had again, all of which a person may want to look at."""
_ONLY_READ = frozenset(ground for ground in ProofGround if ground.says_only_read)
_LAST_WALKS = "SELECT id, column, interval, rules, end, reason FROM last_walks WHERE column = ? ORDER BY interval DESC"
_PROOFS = """
    SELECT interval, rules, ground, last_url, last_links, ended FROM walks WHERE id IN (
        SELECT max(id) FROM walks WHERE column = ? AND end = 'proved' GROUP BY interval, rules
    ) ORDER BY interval DESC, id DESC
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
_STARTED = "SELECT column, max(started) FROM walks GROUP BY column ORDER BY min(id)"
_CRAWLED = "SELECT 1 FROM walks WHERE end IS NOT 'imported' LIMIT 1"
_LAST_PAGE = "SELECT url FROM pages WHERE walk = ? ORDER BY id DESC LIMIT 1"
_FIRST_UNREAD = "SELECT url FROM pages WHERE walk = ? AND result = 'failed' ORDER BY id LIMIT 1"
_LAST_MOMENT = "SELECT max(started) FROM walks UNION SELECT max(ended) FROM walks UNION SELECT max(since) FROM urls"

_UNBUILT = "SELECT u.outcome, NULL, u.saw, count(*) FROM urls u WHERE u.parts > 0 GROUP BY 1, 3"
_BUILT = """
    SELECT u.outcome, b.outcome, u.saw, count(*) FROM urls u LEFT JOIN other.articles b
    ON b.key = u.identity_key AND b.identity = coalesce(u.identity, u.url)
    WHERE u.parts > 0 OR b.url = u.url GROUP BY 1, 2, 3
"""
_STORED_ANEW = """
    SELECT count(DISTINCT b.id) FROM other.meta m
    CROSS JOIN responses r ON r.id > CAST(substr(m.value, instr(m.value, ' ') + 1) AS INTEGER)
    JOIN urls u ON u.id = r.url_id JOIN other.articles b ON b.key = u.identity_key AND b.identity = coalesce(u.identity, u.url)
    WHERE m.name = 'made of' AND r.part > 0 AND r.kind != 'revisit' AND r.status BETWEEN 200 AND 299
"""
"""Of what came after the newest response that the last whole build knew: so however much is stored, only that is looked at."""
_NO_ARTICLE = f"('{PageOutcome.LISTING}', '{PageOutcome.NOT_ARTICLE}')"
_NOT_AGAIN = f"""
    SELECT again, reason, pages, nones, url FROM (
        SELECT again, reason, url, count(*) OVER alike AS pages, sum(none) OVER alike AS nones,
            row_number() OVER (PARTITION BY again, reason ORDER BY none, url) AS place
        FROM (
            SELECT u.again, u.reason, u.url, coalesce({{built}}, u.saw, '') IN {_NO_ARTICLE} AS none FROM urls u NOT INDEXED {{build}}
            WHERE u.outcome = 'fetched' AND u.again IS NOT NULL
        ) WINDOW alike AS (PARTITION BY again, reason)
    ) WHERE place <= {_NAMED} ORDER BY pages DESC, again, reason, place
"""
_TEXT_CHANGED = "SELECT count(text_changed) FROM articles WHERE path IS NOT NULL"
_BUILD_TROUBLES = f"""
    SELECT outcome, reason, count(*), min(url) FROM problems WHERE outcome NOT IN ('conflict', 'lost-address', 'missing-page')
    GROUP BY outcome, reason ORDER BY count(*) DESC LIMIT {_TROUBLES}
"""
_GONE = f"""
    SELECT count(*) FROM urls u {{build}}
    WHERE u.gone IS NOT NULL AND u.outcome = 'fetched' AND coalesce({{built}}, u.saw, '') NOT IN {_NO_ARTICLE}
"""
_NO_ARTICLES = f"""
    SELECT outcome, count(*), min(url), reason FROM articles WHERE outcome IN {_NO_ARTICLE}
    GROUP BY outcome ORDER BY count(*) DESC
"""
"""With one minimum SQLite takes the reason of that URL."""


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
    columns = tuple(_columns(portal, ledger))
    gaps = (gap for one in columns for gap in one.gaps)
    return StatusReport(
        portal=portal.name,
        corpus=str(corpus.folder),
        last_crawl=max(moments, default=None),
        outcomes=shown,
        archive_pages=sum(number for (number,) in ledger.rows("SELECT count(*) FROM responses WHERE url_id IS NULL")),
        warc_files=len(files),
        warc_bytes=sum(there.get(path.name.removesuffix(OPEN), 0) for path in files),
        completeness=tuple(row for one in columns for row in one.completeness),
        ways=ways_of(portal, ledger),
        proofs=tuple(proof for one in columns for proof in one.proofs),
        gaps=(*sorted(gaps, key=lambda gap: gap.interval or "", reverse=True), *(gap for one in columns for gap in one.unwalked)),
        refused=ledger.refused(),
        waiting=sum(outcomes.get(outcome, 0) for outcome in ASKED_AGAIN),
        unbuilt=unbuilt,
        stored_anew=_stored_anew(corpus, ledger),
        text_changed=sum(number for (number,) in build_rows(corpus, _TEXT_CHANGED)),
        gone=sum(number for (number,) in _beside_build(corpus, ledger, _GONE)),
        troubles=tuple(_troubles(corpus, ledger)),
        not_again=tuple(_not_again(corpus, ledger)),
        no_articles=tuple(_no_articles(corpus)),
        drift=tuple(told for one in columns for told in one.drift),
        article_drift=tuple(f"{url}: {reason}" for url, _, reason, _ in drift_rows(corpus)),
        lost=tuple(lost_files(corpus.warc, ledger)),
        unlisted=_unlisted(portal, corpus, ledger),
        problems=_lines(corpus),
    )


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


def _stored_anew(corpus: Corpus, ledger: Ledger) -> int:
    rows = ledger.beside(corpus.build_database, _STORED_ANEW) if corpus.build_database.exists() else ()
    return sum(number for (number,) in rows)


@dataclass(frozen=True, slots=True)
class _Told:
    """What there is to say of one column of the portal file: of itself, or of the parts that it was walked in; of all those that the file
    has no more, what was known of them."""

    completeness: Sequence[Completeness]
    proofs: Sequence[Proof] = ()
    gaps: Sequence[OpenStretch] = ()
    unwalked: Sequence[OpenStretch] = ()
    drift: Sequence[str] = ()


def _columns(portal: Portal, ledger: Ledger) -> Iterator[_Told]:
    """One column after the other, in the order of the portal file, then those that it has no more: of an archive of days there is a walk
    for each day of each column, so no more than those of one column are held at a time."""
    started: dict[str, str] = dict(ledger.rows(_STARTED))
    rules = {column.name: column.rules for column in portal.columns}
    walked: dict[str | None, list[str]] = {column: [] for column in (*rules, None)}
    for name in started:
        walked[base if (base := column_of(name)) in rules else None].append(name)
    count = _ColumnCount(portal, ledger, rules, needless_columns(portal, ledger), started)
    return (count(column, walked[column.name if column else None]) for column in (*portal.columns, None))


class _ColumnCount:
    """Counts the columns of one ledger."""

    def __init__(self, portal: Portal, ledger: Ledger, rules: _Rules, needless: Collection[str], started: Mapping[str, str]) -> None:
        self._portal, self._ledger, self._rules, self._needless, self._started = portal, ledger, rules, needless, started
        self._crawled = any(ledger.rows(_CRAWLED))
        self._by_year: dict[str, list[tuple[int | None, dict[str, int]]]] = defaultdict(list)
        for column, interval, pages, fresh in ledger.rows(_BY_YEAR):
            self._by_year[column].append((_year(interval), {"pages": pages, "new": fresh}))
        for column, interval, fetched, failed, waiting in ledger.rows(_OUTCOMES_BY_YEAR):
            self._by_year[column].append((_year(interval), {"fetched": fetched, "failed": failed, "waiting": waiting}))

    def __call__(self, column: Column | None, names: Sequence[str]) -> _Told:
        """The column, which was walked under these names."""
        walks = [_Walk(*row) for name in names for row in self._ledger.rows(_LAST_WALKS, (name,))]
        needed = [one for one in walks if column_of(one.column) not in self._needless]
        rows = {name: list(self._proofs(name)) for name in names}
        proofs = [proof for name in names for proof in _stretches(rows[name])]
        if column is None:  # no crawl can settle what stands open there
            return _Told(completeness=list(self._completeness(None, names, walks, rows, ())), proofs=proofs)
        unwalked = self._unwalked(column, names, walks) if self._crawled else []
        return _Told(
            completeness=list(self._completeness(column, names, walks, rows, unwalked)),
            proofs=proofs,
            gaps=list(_gaps(self._ledger, needed, self._rules)),
            unwalked=[_not_walked(column.name, unwalked)] if unwalked else [],
            drift=[f"{' '.join(filter(None, (one.column, one.interval)))}: {one.reason}" for one in needed if one.end == EndKind.DRIFT],
        )

    def _completeness(
        self,
        column: Column | None,
        names: Sequence[str],
        walks: Iterable[_Walk],
        proofs: Mapping[str, Iterable[Proof]],
        unwalked: Iterable[str | None],
    ) -> Iterator[Completeness]:
        counts: dict[tuple[str, int | None], Counter[str]] = defaultdict(Counter)
        limits: dict[tuple[str, int | None], Counter[str]] = defaultdict(Counter)
        only_read = {(name, proof.first) for name in names for proof in proofs[name] if proof.only_read}
        proved = {name: _proved_intervals(self._ledger, name, self._rules) for name in names}
        for one in walks:
            row = counts[one.column, one.year]
            row["intervals"] += 1
            if one.interval in proved[one.column]:
                row["only_read" if (one.column, one.interval) in only_read else "proved"] += 1
            elif column_of(one.column) in self._needless:
                continue
            elif one.end == EndKind.LIMIT:
                limits[one.column, one.year][one.reason or ""] += 1
            else:
                row["open"] += 1
        for year, number in Counter(map(_year, unwalked)).items():
            assert column is not None
            counts[column.name, year].update(intervals=number, open=number)
        for name in names:
            for year, told in self._by_year[name]:
                counts[name, year].update(told)
        listed = {name: self._ledger.listed_now(name, self._rules.get(column_of(name), "")) for name in names}
        for name, year in sorted(counts, key=lambda key: -(key[1] or 0)):
            sql, values = (_LISTED, (name,)) if year is None else (_LISTED_BY_YEAR, (name, f"{year:04d}*"))
            links = next(number for (number,) in self._ledger.rows(sql, values))
            row, spare = counts[name, year], column_of(name) in self._needless
            limited, gone = dict(limits[name, year]), column is None
            read_whole, now, before, since = listed.get(name, {}).get(year, (0, 0, 0, None))
            is_known = since is not None and read_whole >= row["intervals"]
            yield Completeness(
                column=name,
                year=year,
                limited=limited,
                needless=spare,
                removed=gone,
                links=links,
                listed=now if is_known else None,
                listed_before=before if is_known else None,
                listed_since=since if is_known else None,
                **row,
            )

    def _unwalked(self, column: Column, names: Iterable[str], walks: Iterable[_Walk]) -> list[str | None]:
        """What no crawl has asked for yet, though the portal file names it: the whole column (None), or date intervals."""
        if column.name in self._needless:
            return []
        began = max((self._started[name] for name in names), default=None)
        walked = {one.interval for one in walks}
        if column.dates is None:
            return [None] if began is None else []
        oldest = EarlierWalks(self._ledger, column.name, column.rules).stopped_at()
        asked = datetime.fromisoformat(began or max(self._started.values()))
        days = intervals(column.dates, asked.astimezone(self._portal.timezone).date())
        named = [one.name for one in days if oldest is None or one.end > oldest]
        if column.stop.at_url is not None:  # nothing is asked for behind it
            named = named[: max((place for place, one in enumerate(named, 1) if one in walked), default=None)]
        return [one for one in named if one not in walked]

    def _proofs(self, column: str) -> Iterator[Proof]:
        """Of each interval by itself, the newest first; of a column that the portal file has no more, whatever its last rules were."""
        told: set[str | None] = set()
        for interval, made_under, ground, page, links, at in self._ledger.rows(_PROOFS, (column,)):
            if self._rules.get(column_of(column), made_under) == made_under and interval not in told:
                told.add(interval)
                yield Proof(
                    column=column,
                    first=interval,
                    last=interval,
                    intervals=1,
                    ground=ground,
                    page=page,
                    links=links,
                    at=datetime.fromisoformat(at),
                    only_read=ground in _ONLY_READ,
                    by_word=ground == ProofGround.BY_WORD,
                )


def _stretches(proofs: Iterable[Proof]) -> Iterator[Proof]:
    """Successive intervals that ended alike as one."""
    newest: Proof | None = None
    for one in proofs:
        if newest is not None and newest.ground == one.ground and _follows(newest.first, one.last):
            newest = replace(newest, first=one.first, intervals=newest.intervals + 1, at=max(newest.at, one.at))
            continue
        if newest is not None:
            yield newest
        newest = one
    if newest is not None:
        yield newest


def _follows(newer: str | None, older: str | None) -> bool:
    """Whether one interval begins the day after the other."""
    return newer is not None and older is not None and interval_days(newer)[0] - interval_days(older)[1] == timedelta(days=1)


def _not_walked(column: str, missing: Sequence[str | None]) -> OpenStretch:
    reason = "not walked yet" if missing[0] is None else f"not walked yet: {len(missing):,} of its intervals, such as {missing[0]}"
    return OpenStretch(column=column, interval=None, intervals=len(missing), url="", reason=reason)


def _proved_intervals(ledger: Ledger, column: str, now: _Rules) -> set[str | None]:
    """Those walked to a proved end once, by the rules that hold now: a later walk that broke off takes nothing away."""
    proved = ledger.proved(column)
    return {interval for rules, intervals in proved.items() if now.get(column_of(column), rules) == rules for interval in intervals}


def _gaps(ledger: Ledger, walks: Sequence[_Walk], now: _Rules) -> Iterable[OpenStretch]:
    for one in walks:
        outdated = one.end in (EndKind.PROVED, EndKind.KNOWN) and now.get(column_of(one.column), one.rules) != one.rules
        if outdated or one.end in (None, EndKind.FAILED, EndKind.INTERRUPTED, EndKind.LIMIT, EndKind.UNPROVED):
            where = (_FIRST_UNREAD, _LAST_PAGE) if one.end == EndKind.FAILED else (_LAST_PAGE,)
            url = next((url for sql in where for (url,) in ledger.rows(sql, (one.id,))), "")
            why = "read to its end under other rules than those of now: the next crawl walks it again" if outdated else one.reason
            end = None if outdated else one.end
            yield OpenStretch(column=one.column, interval=one.interval, url=url, reason=why or "the crawl was cut off", end=end)


def _troubles(corpus: Corpus, ledger: Ledger) -> Iterable[Trouble]:
    rows = ledger.rows(
        "SELECT outcome, reason, count(*), min(coalesce(next_url, url)) FROM urls WHERE (outcome NOT IN ('fetched', 'queued')"
        " OR code = 'page-missing') AND code IS NOT 'further-page' GROUP BY outcome, reason ORDER BY count(*) DESC LIMIT ?",
        (_TROUBLES,),
    )
    for outcome, reason, number, example in rows:
        yield Trouble(outcome=FetchOutcome(outcome), reason=reason, count=number, example=example)
    for outcome, reason, number, example in build_rows(corpus, _BUILD_TROUBLES):
        yield Trouble(outcome=PageOutcome(outcome), reason=reason, count=number, example=example)


def _not_again(corpus: Corpus, ledger: Ledger) -> Iterator[Trouble]:
    rows = _beside_build(corpus, ledger, _NOT_AGAIN)
    for (outcome, reason, pages, none), alike in islice(groupby(rows, key=itemgetter(0, 1, 2, 3)), _TROUBLES):
        urls = tuple(url for *_, url in alike)
        yield Trouble(outcome=FetchOutcome(outcome), reason=reason, count=pages, example=urls[0], no_articles=none, urls=urls)


def _beside_build(corpus: Corpus, ledger: Ledger, sql: str) -> Iterator[tuple[Any, ...]]:
    """The answer to a question about article URLs that takes in what building saw of their pages, where something is built."""
    if not corpus.build_database.exists():
        return ledger.rows(sql.format(built="NULL", build=""))
    build = "LEFT JOIN other.articles b ON b.key = u.identity_key AND b.identity = coalesce(u.identity, u.url)"
    return ledger.beside(corpus.build_database, sql.format(built="b.outcome", build=build))


def _no_articles(corpus: Corpus) -> Iterator[NoArticle]:
    for outcome, number, example, reason in build_rows(corpus, _NO_ARTICLES):
        yield NoArticle(outcome=PageOutcome(outcome), count=number, example=example, reason=reason)


def _year(interval: str | None) -> int | None:
    return int(interval[:4]) if interval else None


def _unlisted(portal: Portal, corpus: Corpus, ledger: Ledger) -> tuple[str, ...]:
    """What an audit found that the site's own feeds and sitemaps name, no crawl has met since, and no rule leaves out."""
    if not corpus.unlisted.exists():
        return ()
    rules = [column.urls for column in portal.columns] or [portal.article_urls]
    named = corpus.unlisted.read_text(encoding="utf-8").split()
    # a slash at the end parts no articles
    unknown = (url for url in named if all(ledger.url_id(same) is None for same in (url, url.rstrip("/"), f"{url}/")))
    return tuple(url for url in unknown if any(isinstance(article_url(url, one, portal), str) for one in rules))


def _lines(corpus: Corpus) -> int:
    if not corpus.problems.exists():
        return 0
    with corpus.problems.open("rb") as file:
        return sum(1 for _ in file)
