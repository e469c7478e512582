"""The ledger counted: how complete each column is, what is open, what waits, what failed and why."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from itertools import groupby, islice
from operator import itemgetter
from typing import Any

from webarticlecurator.config.portal import Column, Portal, column_of
from webarticlecurator.corpus import ledger_questions
from webarticlecurator.corpus.events import PROVED_ENDS, EndKind, ProofGround
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.intervals import interval_days, intervals
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.ledger_requisites import requisite_counts
from webarticlecurator.corpus.ledger_schema import in_sql
from webarticlecurator.corpus.ledger_walks import EarlierWalks
from webarticlecurator.corpus.never_there import never_there
from webarticlecurator.corpus.problems import build_rows, kept_documents, known_drifts, known_remarks
from webarticlecurator.corpus.recovery import lost_files
from webarticlecurator.corpus.seen_addresses import (
    going_on,
    knowingly_left_out,
    left_unasked,
    missing_articles,
)
from webarticlecurator.corpus.ways import needless_columns, ways_of
from webarticlecurator.databases import Row
from webarticlecurator.extraction.url_rules import article_url
from webarticlecurator.model.corpus_status import Completeness, OpenStretch, Proof, StatusReport, Trouble
from webarticlecurator.model.outcome import FetchOutcome, Kept, PageOutcome
from webarticlecurator.model.proposals import ONLY_SEEN_IN_COMMENT
from webarticlecurator.storage.places import OPEN
from webarticlecurator.warc.store import sizes

_OUTCOMES: dict[str, FetchOutcome | PageOutcome] = {
    outcome.value: outcome for outcome in (*FetchOutcome, *PageOutcome)
}
_ONLY_READ = frozenset(ground for ground in ProofGround if ground.says_only_read)
_OPEN_ENDS = (None, EndKind.FAILED, EndKind.INTERRUPTED, EndKind.LIMIT, EndKind.UNPROVED)
"""Ends of walks that the next crawl goes on with."""
_BUILD_TROUBLES = f"""
    SELECT outcome, reason, count(*), min(url) FROM problems
    WHERE outcome NOT IN {in_sql(("conflict", "correction", "missing-page", "suspicious", *Kept))}
    GROUP BY outcome, reason ORDER BY count(*) DESC LIMIT {ledger_questions.MOST_REASONS}
"""
_NO_ARTICLES = f"""
    SELECT outcome, reason, count(*), min(url) FROM articles WHERE outcome IN ('{PageOutcome.LISTING}', '{PageOutcome.NOT_ARTICLE}')
    GROUP BY outcome, reason ORDER BY count(*) DESC LIMIT {ledger_questions.MOST_REASONS}
"""


def status_report(portal: Portal, corpus: Corpus) -> StatusReport:
    """Everything that `curator status` shows; of one moment, even while a crawl goes on."""
    with Ledger.reading(corpus.ledger, build=corpus.build_database) as ledger:
        ledger.hold()
        files, there, problems = corpus.warc_files(), sizes(corpus.warc), 0
        with suppress(FileNotFoundError), corpus.problems.open("rb") as lines:
            problems = sum(1 for _ in lines)
        moments = [datetime.fromisoformat(moment) for (moment,) in ledger_questions.moments(ledger) if moment]
        outcomes, others = Counter[FetchOutcome | PageOutcome](), Counter[str]()
        for outcome, number, unbuilt, gone in ledger_questions.outcomes(ledger):
            outcomes[_OUTCOMES[outcome]] += number
            others.update(unbuilt=unbuilt, gone=gone)
        columns = _Columns(portal, ledger)
        return StatusReport(
            portal=portal.name,
            corpus=str(corpus.folder),
            last_crawl=max(moments, default=None),
            outcomes={outcome: number for outcome, number in outcomes.items() if number},
            archive_pages=sum(row.pages for row in columns.completeness),
            warc_files=len(files),
            warc_bytes=sum(there.get(path.name.removesuffix(OPEN), 0) for path in files),
            requisites=requisite_counts(ledger, portal.fetch.requisites),
            completeness=tuple(columns.completeness),
            ways=ways_of(portal, ledger),
            proofs=tuple(columns.proofs),
            gaps=(*sorted(columns.gaps, key=lambda gap: gap.interval or "", reverse=True), *columns.unwalked),
            refused=ledger.refused(portal),
            waiting=ledger.count_waiting(),
            unbuilt=others["unbuilt"],
            stored_anew=ledger_questions.stored_anew(ledger),
            text_changed=sum(
                n
                for (n,) in build_rows(
                    corpus, "SELECT count(text_changed) FROM articles WHERE path IS NOT NULL"
                )
            ),
            gone=others["gone"],
            troubles=(*_troubles(ledger_questions.troubles(ledger)), *_of_build(corpus, _BUILD_TROUBLES)),
            not_again=tuple(_troubles(ledger_questions.not_again(ledger))),
            no_articles=_of_build(corpus, _NO_ARTICLES),
            drift=tuple(columns.drift),
            article_drift=tuple(f"{drift.url}: {drift.reason}" for drift in known_drifts(corpus).drifts),
            lost=tuple(lost_files(corpus.warc, ledger)),
            kept=kept_documents(corpus),
            missing=missing_articles(portal, ledger),
            unasked=left_unasked(portal, ledger),
            never_there=never_there(portal, ledger),
            not_whole=_not_whole(portal, ledger),
            not_collected=knowingly_left_out(portal, ledger),
            unlisted=_unlisted(portal, corpus, ledger),
            remarks=tuple(known_remarks(corpus)),
            only_seen=tuple(_only_seen(portal)),
            problems=problems,
        )


class _Columns:
    """The sentences on each column of the portal file, then on those that it has no more. They are counted
    one after the other: of an archive of days there is a walk for each day of each column."""

    def __init__(self, portal: Portal, ledger: Ledger) -> None:
        self._portal, self._ledger, self._needless = portal, ledger, needless_columns(portal, ledger)
        columns = list(ledger_questions.columns_walked(ledger))
        self._started: dict[str, str] = {name: began for name, began, _ in columns}
        self._crawled = any(is_crawl for *_, is_crawl in columns)
        self._by_year: dict[str, list[tuple[int | None, dict[str, int]]]] = defaultdict(list)
        for name, year, *counted in ledger_questions.by_year(ledger):
            self._by_year[name].append(
                (
                    year,
                    dict(
                        zip(("pages", "links", "new", "fetched", "failed", "waiting"), counted, strict=True)
                    ),
                )
            )
        self.completeness: list[Completeness] = []
        self.proofs: list[Proof] = []
        self.gaps: list[OpenStretch] = []
        self.unwalked: list[OpenStretch] = []
        self.drift: list[str] = []
        walked: dict[str | None, list[str]] = {
            column: [] for column in (*(column.name for column in portal.columns), None)
        }
        for name in self._started:
            walked[base if (base := column_of(name)) in walked else None].append(name)
        for column in (*portal.columns, None):
            self._count(column, walked[column.name if column else None])

    def _count(self, column: Column | None, names: Sequence[str]) -> None:
        """`names`: under which it was walked, its sections' among them; None: all columns that the file has
        no more."""
        is_needless = column is not None and column.name in self._needless
        rows: dict[tuple[str, int | None], _Counts] = defaultdict(_Counts)
        walked: set[str | None] = set()
        for name in names:
            walks = ledger_questions.last_walks(
                self._ledger, name, column.rules if column is not None else None
            )
            for walk in walks:
                rows[name, _year(walk.interval)].add(walk, is_needless=is_needless)
            self.proofs += _proofs(name, [walk for walk in walks if walk.proved_at is not None])
            if column is not None and not is_needless:
                walked |= self._note_open(name, walks)
        if column is not None and not is_needless:
            for year, number in self._unwalked_by_year(column, names, walked).items():
                rows[column.name, year].walks.update(intervals=number, open=number)
        for name in names:
            for year, counted in self._by_year[name]:
                rows[name, year].walks.update(counted)
        for (name, year), counts in sorted(rows.items(), key=_latest_year_first):
            values: dict[str, Any] = {**counts.walks, "limited": dict(counts.limits)}
            self.completeness.append(
                Completeness(column=name, year=year, needless=is_needless, removed=column is None, **values)
            )

    def _unwalked_by_year(
        self, column: Column, names: Sequence[str], walked: set[str | None]
    ) -> Counter[int | None]:
        """Note what no crawl has asked for yet, and count its intervals."""
        missing = self._missing(column, names, walked) if self._crawled else []
        if missing:
            which = f": {len(missing):,} of its intervals, such as {missing[0]}" if missing[0] else ""
            self.unwalked.append(
                OpenStretch(
                    column=column.name, intervals=len(missing), url="", reason=f"not walked yet{which}"
                )
            )
        return Counter(map(_year, missing))

    def _note_open(self, name: str, walks: Sequence[Row]) -> set[str | None]:
        """Note stretches that the next crawl walks, and layouts that seem to have changed; return all
        intervals that were walked."""
        for walk in walks:
            if walk.end == EndKind.DRIFT:
                where = f"{name} {walk.interval}" if walk.interval else name
                self.drift.append(f"{where}: {walk.reason}")
            if walk.is_outdated and walk.end in PROVED_ENDS:
                reason = "read to its end under other rules than those of now: the next crawl walks it again"
                self.gaps.append(_stretch(name, walk, end=None, reason=reason))
            elif walk.end in _OPEN_ENDS:
                self.gaps.append(
                    _stretch(name, walk, end=walk.end, reason=walk.reason or "the crawl was cut off")
                )
        return {walk.interval for walk in walks}

    def _missing(self, column: Column, names: Sequence[str], walked: set[str | None]) -> list[str | None]:
        """Return what no crawl has asked for yet, though the portal file names it: the whole column (None),
        or date intervals."""
        began = max((self._started[name] for name in names), default=None)
        if column.dates is None:
            return [None] if began is None else []
        oldest = EarlierWalks(self._ledger, column.name, column.rules).stopped_at()
        asked = datetime.fromisoformat(began or max(self._started.values()))
        days = intervals(column.dates, asked.astimezone(self._portal.timezone).date())
        named = [day.name for day in days if oldest is None or day.end > oldest]
        if column.stop.at_url is not None:  # nothing is asked for behind it
            named = named[
                : max((place for place, name in enumerate(named, 1) if name in walked), default=None)
            ]
        return [name for name in named if name not in walked]


class _Counts:
    """The walks of a year of a column, and what ended those that reached a limit."""

    def __init__(self) -> None:
        self.walks = Counter[str]()
        self.limits = Counter[str]()

    def add(self, walk: Row, *, is_needless: bool) -> None:
        self.walks["intervals"] += 1
        if walk.is_proved:
            self.walks["only_read" if walk.ground in _ONLY_READ else "proved"] += 1
        elif is_needless:
            return
        elif walk.end == EndKind.LIMIT:
            self.limits[walk.reason or ""] += 1
        else:
            self.walks["open"] += 1


def _stretch(name: str, walk: Row, *, end: EndKind | None, reason: str) -> OpenStretch:
    """Return a stretch that is open, with whether it is the rules that left it so."""
    is_by_rules = end == EndKind.UNPROVED or (end == EndKind.FAILED and walk.is_read)
    return OpenStretch(
        column=name,
        interval=walk.interval,
        url=walk.last_page,
        reason=reason,
        end=end,
        proved=walk.is_proved,
        by_rules=is_by_rules and not walk.is_outdated,
    )


def _proofs(column: str, walks: Sequence[Row]) -> Iterator[Proof]:
    """Successive intervals that ended alike as one; `walks`: those that are proved, the newest first."""
    stretches: list[list[Row]] = []
    begins: date | None = None
    for walk in walks:
        first, last = interval_days(walk.interval)
        if begins is None or begins - last != timedelta(days=1) or walk.ground != stretches[-1][0].ground:
            stretches.append([])
        stretches[-1].append(walk)
        begins = first if walk.interval else None
    for newest, *older in stretches:
        yield Proof(
            column=column,
            first=older[-1].interval if older else newest.interval,
            last=newest.interval,
            intervals=1 + len(older),
            ground=newest.ground,
            page=newest.page,
            links=newest.links,
            at=datetime.fromisoformat(max(walk.proved_at or "" for walk in (newest, *older))),
            only_read=newest.ground in _ONLY_READ,
            by_word=newest.ground == ProofGround.BY_WORD,
            by_stop=newest.ground == ProofGround.STOP_RULE,
        )


def _latest_year_first(row: tuple[tuple[str, int | None], _Counts]) -> int:
    (_, year), _ = row
    return -(year or 0)


def _year(interval: str | None) -> int | None:
    return int(interval[:4]) if interval else None


def _not_whole(portal: Portal, ledger: Ledger) -> int:
    """Return how many articles go on where no rule leads, at least."""
    if portal.articles.one_page:
        return 0
    by_signs = sum(end.goes_on is not None for end in ledger.ends_of_articles())
    by_crawl = going_on(portal, ledger)
    return max(by_signs, by_crawl.articles if by_crawl is not None else 0)


def _unlisted(portal: Portal, corpus: Corpus, ledger: Ledger) -> tuple[str, ...]:
    """Return what an audit found that the site's own feeds and sitemaps name, no crawl has met since, and no
    rule leaves out."""
    if not corpus.unlisted.exists():
        return ()
    rules = [column.urls for column in portal.columns] or [portal.article_urls]
    named = corpus.unlisted.read_text(encoding="utf-8", errors="replace").split()
    # a slash at the end parts no articles
    unknown = (
        url for url in named if all(ledger.url_id(same) is None for same in (url, url.rstrip("/"), f"{url}/"))
    )
    return tuple(
        url for url in unknown if any(isinstance(article_url(url, urls, portal), str) for urls in rules)
    )


def _troubles(rows: ledger_questions.Rows) -> Iterator[Trouble]:
    """Give the troubles of archive pages, which are known by name."""
    for (outcome, reason, pages, none), alike in islice(
        groupby(rows, key=itemgetter(0, 1, 2, 3)), ledger_questions.MOST_REASONS
    ):
        urls = tuple(url for *_, url in alike)
        yield Trouble(
            outcome=FetchOutcome(outcome),
            reason=reason,
            count=pages,
            example=urls[0],
            no_articles=none,
            urls=urls,
        )


def _of_build(corpus: Corpus, sql: str) -> tuple[Trouble, ...]:
    rows = build_rows(corpus, sql)
    return tuple(
        Trouble(outcome=_OUTCOMES[outcome], reason=reason, count=number, example=url)
        for outcome, reason, number, url in rows
    )


def _only_seen(portal: Portal) -> Iterator[str]:
    """By the comments of the portal file, which are those of its own columns."""
    texts = (source.content.decode("utf-8", "replace") for source in portal.sources[:1])
    comments = " ".join(
        line.strip().lstrip("# ")
        for text in texts
        for line in text.splitlines()
        if line.lstrip().startswith("#")
    )
    dates = set(ONLY_SEEN_IN_COMMENT.findall(comments))
    for column in portal.columns:
        begins = str(column.dates and column.dates.start)
        if begins in dates:
            yield f"{column.name}: `dates.from` ({begins})"
