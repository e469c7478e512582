"""All numbers of one corpus: every query asked, and what is judged of the answers; what is missing is counted as empty, and told."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import date, timedelta
from importlib.resources import files
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import orjson

from webarticlecurator.amounts import amount
from webarticlecurator.analysis.analyses import writing_analysis
from webarticlecurator.building.article_row import day_of
from webarticlecurator.building.database import BuildDatabase, BuiltArticles
from webarticlecurator.config.fields import FIELDS
from webarticlecurator.config.portal import Portal, column_of
from webarticlecurator.corpus.completeness import status_report
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.ledger_questions import open_for_numbers
from webarticlecurator.counts import calendar
from webarticlecurator.databases import Database, Row, rows_of
from webarticlecurator.errors import CorpusError
from webarticlecurator.extraction.metadata.names import NO_NAMES
from webarticlecurator.model.corpus_status import StatusReport
from webarticlecurator.model.progress import Work
from webarticlecurator.own_patterns import linear
from webarticlecurator.storage.places import OPEN
from webarticlecurator.text import same_language, squeeze
from webarticlecurator.version import PROGRAM
from webarticlecurator.warc.store import sizes

_HEAD = linear(r"^--- ([a-z-]+)(?:: (.+?))?(?: \[(\d+)\])?\n", re.MULTILINE)


class Number(NamedTuple):
    """What is counted, and how."""

    name: str
    title: str
    """On the screen; empty: nothing is shown of it there."""
    most: int | None
    """Rows; how many there are beyond them is told."""
    sql: str
    """Empty: code counts it."""


_, *_parts = _HEAD.split(files(__package__).joinpath("counts.sql").read_text("utf-8"))
(_, _, _, _PREPARED), *_numbers = zip(*(iter(_parts),) * 4, strict=True)
NUMBERS = tuple(Number(name, title or "", int(most) if most else None, sql.strip()) for name, title, most, sql in _numbers)
_JOINERS = " \u00a0\t\n-\u2013\u2014|:/\u00b7\u2022\u00bb\u203a"
"""That stand between a headline and the portal's name."""
_MOST = {number.name: number.most for number in NUMBERS}
Numbers = dict[str, list[Any]]
"""Name -> rows, but for the status and its proofs."""


def count(portal: Portal, corpus: Corpus, *, called: str, rules: str, no_analysis: str, work: Work) -> Numbers:
    """Count a corpus.

    `called`: how commands name the portal; `rules`: the digest of those of now; `no_analysis`: why there is none, empty where there is.
    Raises CorpusError where the ledger cannot be read, Stopped.
    """
    status = status_report(portal, corpus)
    with ExitStack() as stack:
        empty = Path(stack.enter_context(TemporaryDirectory(prefix="curator-")))
        lacks: list[Row] = []
        build = _build(portal, corpus, empty, called, no_analysis, lacks)
        analysis = corpus.analysis_database
        if no_analysis:
            analysis = empty / "analysis.sqlite"
            stack.enter_context(writing_analysis(analysis))
        reader = stack.enter_context(Ledger.reading(corpus.ledger, build=build, analysis=analysis, cache_kib=8_192))
        db = open_for_numbers(reader, whole_day=day_of)
        _prepare(db, portal)
        values = {"rules": rules, "analysed": not no_analysis, "columns": orjson.dumps([column.name for column in portal.columns]).decode()}
        cut: list[Row] = []
        about = {name: getattr(portal, name) for name in ("name", "title", "home", "language")}
        about |= {"timezone": portal.timezone.key, "kind": portal.kind.value, "publisher": portal.publisher.name}
        about |= {"rights": portal.publisher.rights.statement or portal.publisher.rights.licence, "corpus": str(corpus.folder)}
        about |= {"program": PROGRAM, "robots_policy": portal.fetch.robots}
        numbers: Numbers = {"portal": [Row(about)], "lacks": lacks, "capped": cut}
        for place, number in enumerate(NUMBERS):
            work.check()
            work.show("numbers", place, len(NUMBERS))
            if number.sql:
                numbers[number.name] = _capped(number.name, rows_of(db.execute(number.sql, values)), cut)
        numbers |= {"status": [replace(status, proofs=())], "proofs": [*status.proofs]}
        gaps = _gaps(portal, status, db)
        numbers["gaps"] = _capped("gaps", iter(gaps), cut)
        calendar_days = {row.day: row for row in numbers["days"]}
        silent = ((date.fromisoformat(gap.first), gap.days) for gap in gaps if gap.column is None)
        for day in ((first + timedelta(days=later)).isoformat() for first, days in silent for later in range(days)):
            none = Row(day=day, links=0, fetched=0, failed=0, waiting=0, articles=0)
            calendar_days[day] = Row(calendar_days.get(day, none), gap=True)
        numbers["days"] = [calendar_days[day] for day in sorted(calendar_days)]
        noted, unreadable = noted_problems(corpus)
        problems = in_order([*noted, *counted_problems(status, gaps, numbers)], called)
        numbers["problems"] = _capped("problems", map(Row, problems), cut)
        numbers["warc-files"] = list(_warc_files(db, corpus))
        (totals,) = numbers["totals"]
        if totals.articles and totals.undated == totals.articles:
            why = "No article has a whole day of publication: nothing can be told by day, month or year."
            lacks.append(Row(what="dates", why=why, command=""))
        if unreadable:
            why = f"{amount(unreadable, 'line')} of problems.jsonl cannot be read."
            lacks.append(Row(what="problems", why=why, command=f"curator build {called}"))
        return {number.name: numbers[number.name] for number in NUMBERS}


def _build(portal: Portal, corpus: Corpus, empty: Path, called: str, no_analysis: str, lacks: list[Row]) -> Path:
    """What is built; where there is nothing, an empty database in a folder for such."""
    try:
        with BuiltArticles.of(corpus.build_database, portal.name) as built:
            if not built.count():
                why = "A build was made, and no article came of it."
                lacks.append(Row(what="articles", why=why, command=f"curator status {called}"))
            if no_analysis:
                lacks.append(Row(what="analysis", why=no_analysis, command=""))
            return corpus.build_database
    except CorpusError as error:
        lacks.append(Row(what="articles", why=str(error), command=f"curator build {called}"))
    with BuildDatabase(empty / "build.sqlite"):
        return empty / "build.sqlite"


def _prepare(db: Database, portal: Portal) -> None:
    own = frozenset(name.casefold() for name in (portal.title, portal.name, portal.publisher.name) if name)
    places = {name: place for place, name in enumerate(FIELDS)}

    def only_adds_name(headline: str, other: str) -> bool:
        """Whether that is the headline, with the portal's own name behind it."""
        return bool(headline) and other.startswith(headline) and other[len(headline) :].strip(_JOINERS).casefold() in own

    def is_same(language: str | None, identified: str | None) -> bool | None:
        return None if language is None or identified is None else same_language(language, identified)

    db.create_function("only_adds_name", 2, only_adds_name, deterministic=True)
    db.create_function("place_of_field", 1, places.get, deterministic=True)
    db.create_function("same_language", 2, is_same, deterministic=True)
    db.create_function("alike", 1, alike, deterministic=True)
    db.executescript(_PREPARED)
    mark_suspicious(db, portal)


def _capped(name: str, rows: Iterator[Row], cut: list[Row]) -> list[Row]:
    """As many of the rows as are shown of that number; how many more there are is told."""
    shown = list(islice(rows, _MOST[name]))
    if others := sum(1 for _ in rows):
        cut.append(Row(number=name, shown=len(shown), all=len(shown) + others))
    return shown


def _gaps(portal: Portal, status: StatusReport, db: Database) -> list[Row]:
    """Where days without an article are no chance."""
    days: dict[str | None, dict[str, int]] = defaultdict(dict)
    days[None] = dict(db.execute("SELECT day, count(*) FROM documents WHERE day IS NOT NULL GROUP BY day"))
    # A feed or a sitemap need not list everything: its silence says nothing.
    only_read = {column_of(row.column) for row in status.completeness if row.only_read}
    of_columns = "SELECT name, day, sum(articles) FROM column_days WHERE name IS NOT NULL AND day IS NOT NULL GROUP BY name, day"
    for column, day, articles in db.execute(of_columns):
        if column not in only_read:
            days[column][day] = articles
    until = calendar.ends(portal, status.last_crawl.date()) if status.last_crawl else {}
    return calendar.gaps(days, until, calendar.proved_days(portal, status))


def _warc_files(db: Database, corpus: Corpus) -> Iterator[Row]:
    counted: Mapping[str, Row] = {row.file: row for row in rows_of(db.execute("SELECT file, exchanges, first, last FROM stored_files"))}
    there, listed = sizes(corpus.warc), {path.name for path in corpus.warc_files()}
    for name in sorted(counted.keys() | {name.removesuffix(OPEN) for name in listed}):
        row = counted.get(name, Row(file=name, exchanges=0, first=None, last=None))
        yield Row(row, bytes=there.get(name, 0), open=name + OPEN in listed)


_EXAMPLES = 3
_CRAWL, _BUILD = "curator crawl {portal}", "curator build {portal}"
_STATUS, _TRY = "curator status {portal} --verbose", "curator try {portal} {url}"
KINDS: dict[str, tuple[int, str]] = {
    "lost": (0, _CRAWL),
    "page-damaged": (0, _CRAWL),
    "page-lost": (0, _CRAWL),
    "drift": (0, "curator try {portal} {url} --as archive --fetch"),
    "article-drift": (0, "curator watch {portal}"),
    "blocked": (0, _CRAWL),
    "unproved": (1, _STATUS),
    "missing": (1, _STATUS),
    "remark": (1, _STATUS),
    "failed": (1, _STATUS),
    "open": (1, _CRAWL),
    "limit": (2, _STATUS),
    "invalid": (2, _TRY),
    "unreadable": (2, _TRY),
    "unbuilt": (2, _BUILD),
    "error": (3, _CRAWL),
    "consent": (3, _TRY),
    "empty": (3, _TRY),
    "missing-page": (3, _CRAWL),
    "too-big": (3, _STATUS),
    "bad-url": (3, _STATUS),
    "gap": (3, "curator audit {portal} --archive"),
    "conflict": (4, _TRY),
    "suspicious": (4, _TRY),
}
"""Kind of problem -> how pressing it is, and what shows or mends it."""

_NUMBER = linear(r"\d+")
_ADDRESS = linear(r"(?<!\S)\S+?://\S+")
Problem = tuple[str, str, int, str | None, list[str]]
"""Kind, reason, how many, since when, and examples."""


def alike(reason: str) -> str:
    """What reasons have in common that differ in a number or an address alone."""
    return _NUMBER.sub("#", _ADDRESS.sub("…", reason))


def noted_problems(corpus: Corpus) -> tuple[list[Problem], int]:
    """Those of problems.jsonl, the reasons that are alike as one; and how many of its lines could not be read."""
    joined: dict[tuple[str, str], tuple[str, int, str | None, list[str]]] = {}
    unreadable = 0
    content = corpus.problems.read_bytes() if corpus.problems.exists() else b""
    for line in content.splitlines():
        try:
            problem = orjson.loads(line)
            kind, reason, url, since = (str(problem[name] or "") for name in ("outcome", "reason", "url", "since"))
        except (orjson.JSONDecodeError, KeyError, TypeError):
            unreadable += 1
            continue
        first, count, before, examples = joined.get((kind, alike(reason)), (reason, 0, None, []))
        examples += [url] if url and count < _EXAMPLES else []
        joined[kind, alike(reason)] = first, count + 1, min(filter(None, (before, since)), default=None), examples
    return [(kind, *told) for (kind, _), told in joined.items()], unreadable


def counted_problems(status: StatusReport, gaps: Sequence[Row], numbers: Mapping[str, Sequence[Any]]) -> Iterator[Problem]:
    """What no line tells of."""
    for lost in status.lost:
        yield "lost", str(lost), lost.waiting, None, []
    if walked_next := [gap for gap in status.gaps if not gap.by_rules]:  # of others a line tells what speaks against them
        intervals, urls = sum(gap.intervals for gap in walked_next), [gap.url for gap in walked_next if gap.url]
        yield "open", "intervals of the archive that are not walked to a proved end", intervals, None, urls[:_EXAMPLES]
    yield from (("missing", str(gap), gap.number, None, list(gap.examples)) for gap in status.missing)
    yield from (("remark", remark, 1, None, []) for remark in status.remarks)
    if status.unbuilt:
        yield "unbuilt", "stored articles that no build has seen", status.unbuilt, None, []
    if silent := [gap for gap in gaps if not gap.proved]:  # where lists are proved, the portal seems to have published nothing
        days = [f"{gap.column or 'whole portal'}: {gap.first} to {gap.last}" for gap in silent[:_EXAMPLES]]
        yield "gap", "stretches of days without any article, against the rhythm around", len(silent), None, days
    for field in numbers["name-counts"]:
        if worst := next((name for name in numbers["suspicious-names"] if name.field == field.field), None):
            reason = f"{field.field}: values that may be none, such as {worst.name[:80]}: {worst.suspicious[0]}"
            yield "suspicious", reason, field.suspects, None, [worst.url]
    for field in numbers["fields"]:
        if field.too_long:
            reason = f"{field.field}: it goes on behind what another source of the page says, such as {field.text}"
            yield "suspicious", f"{reason}: its rule may take too much", field.longer, None, [field.url]


def in_order(problems: Iterable[Problem], portal: str) -> list[dict[str, Any]]:
    """The most pressing first, as rows; `portal`: as commands name it."""
    rows = []
    for kind, reason, count, since, examples in problems:
        weight, command = KINDS.get(kind, (3, _STATUS))
        url = examples[0].replace("'", "%27") if examples else ""
        command = command.replace("{portal}", portal).replace("{url}", f"'{url}'") if url or "{url}" not in command else ""
        row = {"kind": kind, "weight": weight, "reason": reason, "count": count, "examples": examples, "since": since}
        rows.append({**row, "command": command})
    return sorted(rows, key=lambda row: (row["weight"], -row["count"], row["kind"], row["reason"]))


_LONG_NAME = 60
_HOLDS_ADDRESS = linear(r"https?:|www\.|@|\.(?:com|org|net|hu|de|fr|cz|pl)\b", re.IGNORECASE)


def mark_suspicious(db: Database, portal: Portal) -> None:
    """Note in the table `names` of each one why it may be none."""
    having = dict(db.execute("SELECT field, sum(articles) FROM filled GROUP BY field"))
    sections = db.execute("SELECT name FROM names WHERE field = 'articleSection' ORDER BY articles DESC LIMIT 10000")
    own = frozenset(squeeze(name.casefold()) for name in (portal.title, portal.name, portal.publisher.name) if name)
    names_of_sections = frozenset(squeeze(name.casefold()) for (name,) in sections)

    def doubts(field: str, name: str, number: int) -> Iterator[str]:
        """Why a name that so many articles have may be none."""
        folded, is_author, with_any = squeeze(name.casefold()), field == "author", having[field]
        if is_author and folded in names_of_sections:
            yield "a section has this name, too"
        if folded in own:
            yield "it is the portal's own name"
        if len(name) > 2 * _LONG_NAME if field == "keywords" else len(name) > _LONG_NAME or len(name.split()) > 7:
            yield "it is too long for one"
        if field in ("author", "articleSection") and _HOLDS_ADDRESS.search(name):
            yield "it holds an address"
        elif is_author and folded in NO_NAMES:
            yield "it is a login, a role or a placeholder"
        if number > max(20, 0.9 * with_any):
            yield f"{number:,} of the {amount(with_any, 'article')} with one have this: it tells nothing of them"

    def why_suspicious(field: str, name: str, number: int) -> str | None:
        reasons = list(doubts(field, name, number))
        return orjson.dumps(reasons).decode() if reasons else None

    db.create_function("why_suspicious", 3, why_suspicious)
    db.execute("UPDATE names SET suspicious = why_suspicious(field, name, articles)")
