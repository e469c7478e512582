"""All numbers of one corpus: every query asked, and what is judged of the answers; what is missing is counted
as empty, and told."""

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

from webarticlecurator.amounts import amount, those_that_hold
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
from webarticlecurator.counts.annotation_counts import annotation_counts
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
    """A number of the report: what is counted, and how."""

    name: str
    title: str
    """The title on the screen; empty: nothing is shown of it there."""
    most: int | None
    """The most rows that are shown; how many there are beyond them is told."""
    sql: str
    """The query that counts it; empty: code counts it."""


_, *_parts = _HEAD.split(files(__package__).joinpath("counts.sql").read_text("utf-8"))
(_, _, _, _PREPARED), *_numbers = zip(*(iter(_parts),) * 4, strict=True)
NUMBERS = tuple(
    Number(name, title or "", int(most) if most else None, sql.strip()) for name, title, most, sql in _numbers
)
_JOINERS = " \u00a0\t\n-\u2013\u2014|:/\u00b7\u2022\u00bb\u203a"
"""The characters that stand between a headline and the portal's name."""
_MOST = {number.name: number.most for number in NUMBERS}
Numbers = dict[str, list[Any]]
"""The rows by the names of numbers, but for the status and its proofs. Of what is lacking, `step` is what
makes it: build, status, or nothing."""


def count(portal: Portal, corpus: Corpus, *, rules: str, no_analysis: str, work: Work) -> Numbers:
    """Count a corpus.

    `rules`: the digest of those of now; `no_analysis`: why there is none, empty where there is.
    Raises CorpusError where the ledger cannot be read, Stopped.
    """
    status = status_report(portal, corpus)
    with ExitStack() as stack:
        empty = Path(stack.enter_context(TemporaryDirectory(prefix="curator-")))
        lacks: list[Row] = []
        build = _build(portal, corpus, empty, no_analysis, lacks)
        analysis = corpus.analysis_database
        if no_analysis:
            analysis = empty / "analysis.sqlite"
            stack.enter_context(writing_analysis(analysis))
        reader = stack.enter_context(
            Ledger.reading(corpus.ledger, build=build, analysis=analysis, cache_kib=8_192)
        )
        db = open_for_numbers(reader, whole_day=day_of)
        _prepare(db, portal)
        values = {
            "rules": rules,
            "analysed": not no_analysis,
            "columns": orjson.dumps([column.name for column in portal.columns]).decode(),
        }
        cut: list[Row] = []
        numbers: Numbers = {"portal": [_about(portal, corpus)], "lacks": lacks, "capped": cut}
        for place, number in enumerate(NUMBERS):
            work.check()
            work.show("numbers", place, len(NUMBERS))
            if number.sql:
                numbers[number.name] = _capped(number.name, rows_of(db.execute(number.sql, values)), cut)
        numbers |= annotation_counts(db, corpus.folder, work)
        numbers |= {"status": [replace(status, proofs=())], "proofs": [*status.proofs]}
        gaps = _gaps(portal, status, db)
        numbers["gaps"] = _capped("gaps", iter(gaps), cut)
        numbers["days"] = _with_silence(numbers["days"], gaps)
        noted, unreadable = noted_problems(corpus)
        problems = in_order(
            [*noted, *_told_by_build(numbers["doubts"]), *counted_problems(status, gaps, numbers)]
        )
        numbers["problems"] = _capped("problems", map(Row, problems), cut)
        numbers["warc-files"] = list(_warc_files(db, corpus))
        (totals,) = numbers["totals"]
        if totals.articles and totals.undated == totals.articles:
            why = "No article has a whole day of publication: nothing can be told by day, month or year."
            lacks.append(Row(what="dates", why=why, step=""))
        if unreadable:
            why = f"{amount(unreadable, 'line')} of problems.jsonl cannot be read."
            lacks.append(Row(what="problems", why=why, step="build"))
        return {number.name: numbers[number.name] for number in NUMBERS}


def _about(portal: Portal, corpus: Corpus) -> Row:
    """Return what the numbers are of."""
    rights = portal.publisher.rights
    return Row(
        name=portal.name,
        title=portal.title,
        home=portal.home,
        language=portal.language,
        timezone=portal.timezone.key,
        kind=portal.kind.value,
        publisher=portal.publisher.name,
        rights=rights.statement or rights.licence,
        corpus=str(corpus.folder),
        program=PROGRAM,
        robots_policy=portal.fetch.robots,
    )


def _with_silence(rows: Iterable[Row], gaps: Iterable[Row]) -> list[Row]:
    """Return the days with those of the gaps of the whole portal, which are marked; what lists prove to be
    empty is silent."""
    days = {row.day: row for row in rows}
    for gap in gaps:
        if gap.column is None:
            first = date.fromisoformat(gap.first)
            for later in range(gap.days):
                day = (first + timedelta(days=later)).isoformat()
                none = Row(day=day, links=0, fetched=0, failed=0, waiting=0, articles=0)
                days[day] = Row(days.get(day, none), gap=not gap.proved, silent=gap.proved)
    return [days[day] for day in sorted(days)]


def _build(portal: Portal, corpus: Corpus, empty: Path, no_analysis: str, lacks: list[Row]) -> Path:
    """Return what is built; where there is nothing, an empty database in a folder for such."""
    try:
        with BuiltArticles.of(corpus.build_database, portal.name) as built:
            if not built.count():
                why = "A build was made, and no article came of it."
                lacks.append(Row(what="articles", why=why, step="status"))
            if no_analysis:
                lacks.append(Row(what="analysis", why=no_analysis, step=""))
            return corpus.build_database
    except CorpusError as error:
        lacks.append(Row(what="articles", why=str(error), step="build"))
    with BuildDatabase(empty / "build.sqlite"):
        return empty / "build.sqlite"


def _prepare(db: Database, portal: Portal) -> None:
    own = frozenset(name.casefold() for name in (portal.title, portal.name, portal.publisher.name) if name)
    places = {name: place for place, name in enumerate(FIELDS)}

    def only_adds_name(headline: str, other: str) -> bool:
        """True if that is the headline, with the portal's own name behind it."""
        return (
            bool(headline)
            and other.startswith(headline)
            and other[len(headline) :].strip(_JOINERS).casefold() in own
        )

    def is_same(language: str | None, identified: str | None) -> bool | None:
        return None if language is None or identified is None else same_language(language, identified)

    db.create_function("only_adds_name", 2, only_adds_name, deterministic=True)
    db.create_function("place_of_field", 1, places.get, deterministic=True)
    db.create_function("same_language", 2, is_same, deterministic=True)
    db.create_function("alike", 1, alike, deterministic=True)
    db.executescript(_PREPARED)
    mark_suspicious(db, portal)


def _capped(name: str, rows: Iterator[Row], cut: list[Row]) -> list[Row]:
    """Return as many of the rows as are shown of that number; how many more there are is told."""
    shown = list(islice(rows, _MOST[name]))
    if others := sum(1 for _ in rows):
        cut.append(Row(number=name, shown=len(shown), all=len(shown) + others))
    return shown


def _gaps(portal: Portal, status: StatusReport, db: Database) -> list[Row]:
    """Return where days without an article are no chance."""
    days: dict[str | None, dict[str, int]] = defaultdict(dict)
    days[None] = dict(db.execute("SELECT day, count(*) FROM documents WHERE day IS NOT NULL GROUP BY day"))
    # A feed or a sitemap need not list everything: its silence says nothing.
    only_read = {column_of(row.column) for row in status.completeness if row.only_read}
    of_columns = (
        "SELECT name, day, sum(articles) FROM column_days WHERE name IS NOT NULL AND day IS NOT NULL GROUP "
        "BY name, day"
    )
    for column, day, articles in db.execute(of_columns):
        if column not in only_read:
            days[column][day] = articles
    until = calendar.ends(portal, status.last_crawl.date()) if status.last_crawl else {}
    return calendar.gaps(days, until, calendar.proved_days(portal, status))


def _warc_files(db: Database, corpus: Corpus) -> Iterator[Row]:
    counted: Mapping[str, Row] = {
        row.file: row for row in rows_of(db.execute("SELECT file, exchanges, first, last FROM stored_files"))
    }
    there, listed = sizes(corpus.warc), {path.name for path in corpus.warc_files()}
    for name in sorted(counted.keys() | {name.removesuffix(OPEN) for name in listed}):
        row = counted.get(name, Row(file=name, exchanges=0, first=None, last=None))
        yield Row(row, bytes=there.get(name, 0), open=name + OPEN in listed)


_EXAMPLES = 3
_WEIGHTS = {
    **dict.fromkeys(("lost", "page-damaged", "page-lost", "drift", "article-drift", "blocked"), 0),
    **dict.fromkeys(("remark", "suspicious"), 1),
    **dict.fromkeys(("unproved", "missing", "failed", "open"), 2),
    **dict.fromkeys(("limit", "invalid", "unreadable", "unbuilt", "correction"), 3),
    **dict.fromkeys(("error", "consent", "empty", "missing-page", "too-big", "bad-url", "gap"), 4),
    "conflict": 5,
}
"""Kind of problem -> how pressing it is: the least the most."""
_USUAL_WEIGHT = 4

_NUMBER = linear(r"\d+")
_ADDRESS = linear(r"(?<!\S)\S+?://\S+")
Problem = tuple[str, str, int, str | None, list[str]]
"""Kind, reason, how many, since when, and examples."""


def alike(reason: str) -> str:
    """Return what reasons have in common that differ in a number or an address alone."""
    return _NUMBER.sub("#", _ADDRESS.sub("…", reason))


def noted_problems(corpus: Corpus) -> tuple[list[Problem], int]:
    """Return those of problems.jsonl, the reasons that are alike as one; and how many of its lines could not
    be read. What a build doubts is not among them: it is told in sentences of its own."""
    joined: dict[tuple[str, str], tuple[str, int, str | None, list[str]]] = {}
    unreadable = 0
    content = corpus.problems.read_bytes() if corpus.problems.exists() else b""
    for line in content.splitlines():
        try:
            problem = orjson.loads(line)
            kind, reason, url, since = (
                str(problem[name] or "") for name in ("outcome", "reason", "url", "since")
            )
        except (orjson.JSONDecodeError, KeyError, TypeError):
            unreadable += 1
            continue
        first, count, before, examples = joined.get((kind, alike(reason)), (reason, 0, None, []))
        examples += [url] if url and count < _EXAMPLES else []
        joined[kind, alike(reason)] = (
            first,
            count + 1,
            min(filter(None, (before, since)), default=None),
            examples,
        )
    return [(kind, *told) for (kind, _), told in joined.items() if kind != "suspicious"], unreadable


def _told_by_build(rows: Iterable[Row]) -> Iterator[Problem]:
    """Give what the last build told to look at."""
    for row in rows:
        yield "suspicious", row.sentence, row["count"], row.since, row.pages


def counted_problems(
    status: StatusReport, gaps: Sequence[Row], numbers: Mapping[str, Sequence[Any]]
) -> Iterator[Problem]:
    """Give the problems that no line tells of."""
    for lost in status.lost:
        yield "lost", str(lost), lost.waiting, None, []
    walked_next = [
        gap for gap in status.gaps if not gap.by_rules
    ]  # of others a line tells what speaks against them
    intervals = sum(gap.intervals for gap in walked_next)
    urls = [gap.url for gap in walked_next if gap.url]
    not_walked = "intervals of the archive that are not walked to a proved end"
    yield from those_that_hold((walked_next, ("open", not_walked, intervals, None, urls[:_EXAMPLES])))
    for missing in status.missing:
        yield "missing", str(missing), missing.number, None, list(missing.examples)
    for remark in status.remarks:
        yield "remark", remark, 1, None, []
    # where lists are proved, the portal seems to have published nothing
    silent = [f"{gap.column or 'whole portal'}: {gap.first} to {gap.last}" for gap in gaps if not gap.proved]
    not_built = "stored articles that no build has seen"
    without = "stretches of days without any article, against the rhythm around"
    yield from those_that_hold(
        (status.unbuilt, ("unbuilt", not_built, status.unbuilt, None, list[str]())),
        (silent, ("gap", without, len(silent), None, silent[:_EXAMPLES])),
    )
    yield from _suspicious_values(numbers)


def _suspicious_values(numbers: Mapping[str, Sequence[Any]]) -> Iterator[Problem]:
    """Give the fields with values that may be none, or too long, with the worst of each."""
    worst = {name.field: name for name in reversed(numbers["suspicious-names"])}
    for field in numbers["name-counts"]:
        if field.field in worst:
            name = worst[field.field]
            reason = f"{field.field}: values that may be none, such as {name.name[:80]}: {name.suspicious[0]}"
            yield "suspicious", reason, field.suspects, None, [name.url]
    for field in numbers["fields"]:
        if field.too_long:
            reason = (
                f"{field.field}: it goes on behind what another source of the page says, such as {field.text}"
            )
            yield "suspicious", f"{reason}: its rule may take too much", field.longer, None, [field.url]


def in_order(problems: Iterable[Problem]) -> list[dict[str, Any]]:
    """Return the problems as rows, the most pressing first."""
    rows = [
        {
            "kind": kind,
            "weight": _WEIGHTS.get(kind, _USUAL_WEIGHT),
            "reason": reason,
            "count": count,
            "examples": examples,
            "since": since,
        }
        for kind, reason, count, since, examples in problems
    ]
    return sorted(rows, key=lambda row: (row["weight"], -row["count"], row["kind"], row["reason"]))


_LONG_NAME = 60
_HOLDS_ADDRESS = linear(r"https?:|www\.|@|\.(?:com|org|net|hu|de|fr|cz|pl)\b", re.IGNORECASE)


def mark_suspicious(db: Database, portal: Portal) -> None:
    """Note in the table `names` of each one why it may be none."""
    having = dict(db.execute("SELECT field, sum(articles) FROM filled GROUP BY field"))
    sections = db.execute(
        "SELECT name FROM names WHERE field = 'articleSection' ORDER BY articles DESC LIMIT 10000"
    )
    own = frozenset(
        squeeze(name.casefold()) for name in (portal.title, portal.name, portal.publisher.name) if name
    )
    names_of_sections = frozenset(squeeze(name.casefold()) for (name,) in sections)

    def why_suspicious(field: str, name: str, number: int) -> str | None:
        folded = squeeze(name.casefold())
        with_one = amount(having[field], "article")
        reasons = those_that_hold(
            (field == "author" and folded in names_of_sections, "a section has this name, too"),
            (folded in own, "it is the portal's own name"),
            *_doubts(field, name, folded),
            (
                number > max(20, 0.9 * having[field]),
                f"{number:,} of the {with_one} with one have this: it tells nothing of them",
            ),
        )
        return orjson.dumps(reasons).decode() if reasons else None

    db.create_function("why_suspicious", 3, why_suspicious)
    db.execute("UPDATE names SET suspicious = why_suspicious(field, name, articles)")


def _doubts(field: str, name: str, folded: str) -> tuple[tuple[object, str], ...]:
    """Return what the look of a name may say against it, each behind whether it does."""
    longest, most_words = (2 * _LONG_NAME, len(name)) if field == "keywords" else (_LONG_NAME, 7)
    is_too_long = len(name) > longest or len(name.split()) > most_words
    has_address = field in ("author", "articleSection") and _HOLDS_ADDRESS.search(name)
    is_nobody = field == "author" and folded in NO_NAMES
    return (
        (is_too_long, "it is too long for one"),
        (has_address, "it holds an address"),
        (is_nobody and not has_address, "it is a login, a role or a placeholder"),
    )
