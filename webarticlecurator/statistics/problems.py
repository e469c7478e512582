"""What needs a human, most pressing first: the lines of problems.jsonl joined by what they have in common, and what the counts show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import orjson

from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.model.statistics import FieldStatistics, Gap, Names, Problem
from webarticlecurator.model.status import StatusReport
from webarticlecurator.statistics.urls import alike

_EXAMPLES = 3
_MOST = 60
_MOST_TOLD_APART = 2_000
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
    "lost-address": (5, _TRY),
}
"""Kind of problem -> how pressing it is, and what shows or mends it."""
_ANY = (3, _STATUS)


@dataclass(slots=True)
class _Alike:
    reason: str
    count: int = 0
    since: str | None = None
    examples: list[str] = field(default_factory=list)


def problems(
    corpus: Corpus,
    status: StatusReport | None,
    gaps: Iterable[Gap],
    other_gaps: int,
    names: Iterable[Names],
    fields: Iterable[FieldStatistics],
    portal: str,
) -> tuple[tuple[Problem, ...], int]:
    """The most pressing, and how many lines of problems.jsonl could not be read. `portal`: as commands name it."""
    joined: dict[tuple[str, str], _Alike] = {}
    unreadable = 0
    for line in _lines(corpus):
        try:
            one = orjson.loads(line)
            kind, reason, url, since = str(one["outcome"]), str(one["reason"]), str(one["url"] or ""), str(one["since"])
        except (orjson.JSONDecodeError, KeyError, TypeError):
            unreadable += 1
            continue
        _note(joined, kind, reason, url, since)
    found = [_problem(kind, one, portal) for (kind, _), one in joined.items()]
    found += [_problem(kind, one, portal) for kind, one in _counted(status, list(gaps), other_gaps, names)]
    found += [_problem("suspicious", _too_long(one), portal) for one in fields if one.is_too_long]
    found.sort(key=lambda one: (one.weight, -one.count, one.kind, one.reason))
    return tuple(found[:_MOST]), unreadable


def _lines(corpus: Corpus) -> Iterator[bytes]:
    if corpus.problems.exists():
        with corpus.problems.open("rb") as file:
            yield from file


def _note(joined: dict[tuple[str, str], _Alike], kind: str, reason: str, url: str, since: str) -> None:
    key = (kind, alike(reason))
    if key not in joined and len(joined) >= _MOST_TOLD_APART:
        key, reason = (kind, ""), "other reasons"
    one = joined.setdefault(key, _Alike(reason))
    one.count += 1
    one.since = min(filter(None, (one.since, since)), default=None)
    if url and len(one.examples) < _EXAMPLES:
        one.examples.append(url)


def _counted(status: StatusReport | None, gaps: list[Gap], other_gaps: int, names: Iterable[Names]) -> Iterator[tuple[str, _Alike]]:
    """What no line tells of."""
    if status is not None:
        for lost in status.lost:
            yield "lost", _Alike(str(lost), lost.waiting)
        if status.gaps:
            examples = [gap.url for gap in status.gaps[:_EXAMPLES] if gap.url]
            number = sum(gap.intervals for gap in status.gaps)
            yield "open", _Alike("intervals of the archive that are not walked to a proved end", number, examples=examples)
        if status.unbuilt:
            yield "unbuilt", _Alike("stored articles that no build has seen", status.unbuilt)
    if gaps:
        days = [f"{gap.column or 'whole portal'}: {gap.first} to {gap.last}" for gap in gaps[:_EXAMPLES]]
        yield "gap", _Alike("stretches of days without any article, against the rhythm around", len(gaps) + other_gaps, examples=days)
    for one in names:
        if one.suspects:
            worst = one.suspicious[0]
            examples = [worst.example.url] if worst.example else []
            reason = f"{one.field}: values that may be none, such as {worst.name[:80]}: {worst.suspicious[0]}"
            yield "suspicious", _Alike(reason, one.suspects, examples=examples)


def _too_long(field: FieldStatistics) -> _Alike:
    first = field.longer_examples[0]
    reason = f"{field.field}: it goes on behind what another source of the page says, such as {first.text}: its rule may take too much"
    return _Alike(reason, field.longer, examples=[one.url for one in field.longer_examples[:_EXAMPLES]])


def _problem(kind: str, one: _Alike, portal: str) -> Problem:
    weight, command = KINDS.get(kind, _ANY)
    url = one.examples[0] if one.examples else ""
    quoted = "'" + url.replace("'", "%27") + "'"
    return Problem(
        kind=kind,
        weight=weight,
        reason=one.reason,
        count=one.count,
        examples=tuple(one.examples),
        since=one.since,
        command=command.replace("{portal}", portal).replace("{url}", quoted) if url or "{url}" not in command else "",
    )
