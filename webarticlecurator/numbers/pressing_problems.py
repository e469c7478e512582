"""What needs a human, most pressing first: the lines of problems.jsonl joined by what they have in common, and what the numbers show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any

import orjson

from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.databases import connect
from webarticlecurator.model.corpus_status import StatusReport
from webarticlecurator.numbers.calendar import CalendarGap

_EXAMPLES = 3
_CRAWL, _BUILD = "curator crawl {portal}", "curator build {portal}"
_STATUS, _TRY = "curator status {portal} --verbose", "curator try {portal} {url}"
KINDS: dict[str, tuple[int, str]] = {
    "lost": (0, _CRAWL),
    "drift": (0, "curator try {portal} {url} --as archive --fetch"),
    "article-drift": (0, "curator watch {portal}"),
    "blocked": (0, _CRAWL),
    "unproved": (1, _STATUS),
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
_ANY = (3, _STATUS)
_NUMBER = re.compile(r"\d+")
_ADDRESS = re.compile(r"\S+://\S+")
_JOINED = f"""
    SELECT kind, min(reason) FILTER (WHERE place = 1), count(*), min(nullif(since, '')),
        json_group_array(url) FILTER (WHERE url != '' AND place <= {_EXAMPLES})
    FROM (SELECT *, row_number() OVER (PARTITION BY kind, alike(reason) ORDER BY rowid) AS place FROM lines) GROUP BY kind, alike(reason)
"""
Problem = tuple[str, str, int, str | None, list[str]]
"""Kind, reason, how many, since when, and examples."""


def alike(reason: str) -> str:
    """What reasons have in common that differ in a number or an address alone."""
    return _NUMBER.sub("#", _ADDRESS.sub("…", reason))


def noted_problems(corpus: Corpus) -> tuple[list[Problem], int]:
    """Those of problems.jsonl, the reasons that are alike as one; and how many of its lines could not be read."""
    unreadable = 0
    with closing(connect("")) as db:
        db.execute("CREATE TABLE lines (kind TEXT, reason TEXT, url TEXT, since TEXT)")
        db.create_function("alike", 1, alike, deterministic=True)
        db.execute("BEGIN")
        for line in corpus.problems.open("rb") if corpus.problems.exists() else ():
            try:
                problem = orjson.loads(line)
                row = [str(problem[name] or "") for name in ("outcome", "reason", "url", "since")]
            except (orjson.JSONDecodeError, KeyError, TypeError):
                unreadable += 1
                continue
            db.execute("INSERT INTO lines VALUES (?, ?, ?, ?)", row)
        joined = db.execute(_JOINED).fetchall()
    return [(kind, reason, count, since, orjson.loads(urls)) for kind, reason, count, since, urls in joined], unreadable


def counted_problems(status: StatusReport | None, gaps: Sequence[CalendarGap], numbers: Mapping[str, Sequence[Any]]) -> Iterator[Problem]:
    """What no line tells of."""
    if status is not None:
        for lost in status.lost:
            yield "lost", str(lost), lost.waiting, None, []
        if status.gaps:
            intervals, urls = sum(gap.intervals for gap in status.gaps), [gap.url for gap in status.gaps if gap.url]
            yield "open", "intervals of the archive that are not walked to a proved end", intervals, None, urls[:_EXAMPLES]
        if status.unbuilt:
            yield "unbuilt", "stored articles that no build has seen", status.unbuilt, None, []
    silent = "stretches of days without any article, against the rhythm around"
    for reason, proved in ((silent, False), (f"{silent}; their lists are proved, so the portal seems to have published nothing", True)):
        if some := [gap for gap in gaps if gap.proved is proved]:
            days = [f"{gap.column or 'whole portal'}: {gap.first} to {gap.last}" for gap in some[:_EXAMPLES]]
            yield "gap", reason, len(some), None, days
    for field in numbers["name-counts"]:
        worst = next((name for name in numbers["suspicious-names"] if name.field == field.field), None)
        if worst is not None:
            reason = f"{field.field}: values that may be none, such as {worst.name[:80]}: {worst.suspicious[0]}"
            yield "suspicious", reason, field.suspects, None, [worst.url]
    for field in numbers["fields"]:
        if field.too_long:
            reason = (
                f"{field.field}: it goes on behind what another source of the page says, such as {field.text}: its rule may take too much"
            )
            yield "suspicious", reason, field.longer, None, [field.url]


def in_order(problems: Iterable[Problem], portal: str) -> list[dict[str, Any]]:
    """The most pressing first, as rows; `portal`: as commands name it."""
    rows = [
        {"kind": kind, "weight": KINDS.get(kind, _ANY)[0], "reason": reason, "count": count, "examples": examples, "since": since}
        | {"command": _command(kind, portal, next(iter(examples), ""))}
        for kind, reason, count, since, examples in problems
    ]
    return sorted(rows, key=lambda row: (row["weight"], -row["count"], row["kind"], row["reason"]))


def _command(kind: str, portal: str, url: str) -> str:
    command = KINDS.get(kind, _ANY)[1]
    quoted = "'" + url.replace("'", "%27") + "'"
    return command.replace("{portal}", portal).replace("{url}", quoted) if url or "{url}" not in command else ""
