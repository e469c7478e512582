"""A build that writes nothing: what a change of the rules would do to the documents, counted over the whole corpus."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from itertools import chain, islice
from operator import itemgetter
from typing import Any

from webarticlecurator.building.builder import INTERRUPTED, Builder
from webarticlecurator.building.database import BuildDatabase
from webarticlecurator.databases import Row
from webarticlecurator.model.article import HOLDS
from webarticlecurator.text import squeeze
from webarticlecurator.urls import split

_LARGEST = 10
_CONTEXT = 1
_MOST_LINES = 40
_MOST_COMPARED = 3_000
"""Lines that are set against each other: the time for it grows with their square."""
_LONGEST_LINE = 400
Record = Mapping[str, Any]


def compare(builder: Builder) -> Row:
    """What a build by these rules would do to the documents that are there.

    Documents that would be `new`, `changed` or `gone`; `same_words`: those of the changed ones whose text neither gains nor loses a word.
    Words are those of articles and posts; what the header says are none.
    """
    builder.job = replace(builder.job, only_compare=True)
    numbers = Counter(new=0, changed=0, same_words=0, gone=0, words_gained=0, words_lost=0)
    fields: dict[str, Counter[str]] = {}
    outcomes: Counter[str] = Counter()
    # Each with its rank, and its line of JSON now and then:
    largest: list[tuple[Any, Row, Record, Record]] = []
    with (
        BuildDatabase("") as index_pages,  # a temporary file
        closing(builder.sources(index_pages)) as sources,
        BuildDatabase.of_earlier_build(builder.job.corpus.build_database) as database,
        builder.pool,
    ):
        builder.check(sources, database)
        for result in chain.from_iterable(builder.batches(builder.tasks(sources, database))):
            row, known, contents = result.row, database.known(result.row.id), database.contents(result.row.id)
            if known is not None and known.outcome != row.outcome:
                outcomes[f"{known.outcome.value} -> {row.outcome.value}"] += 1
            if not result.written:
                continue
            old, new = (kept.record() if kept is not None else {} for kept in (contents, result.contents))
            before, after = _words(old), _words(new)
            gained, lost = (after - before).total(), (before - after).total()
            is_new = known is None or known.path is None
            changed_fields = {} if is_new or result.removed else _changed_fields(old.get("metadata", {}), new.get("metadata", {}))
            for name, what in changed_fields.items():
                fields.setdefault(name, Counter(gained=0, lost=0, changed=0))[what] += 1
            numbers["new" if is_new else "gone" if result.removed else "changed"] += 1
            numbers["same_words"] += not (is_new or result.removed or gained or lost)
            numbers["words_gained"] += gained
            numbers["words_lost"] += lost
            change = Row(id=row.id, url=row.url, path=known.path if known is not None else None, gained=gained, lost=lost)
            # New documents come last. Of equals the path decides: an id hangs on the port of the portal, too.
            rank = -(0 if is_new else gained + lost), not changed_fields, -(gained + lost), split(row.url).path, row.id
            largest = sorted([*largest, (rank, change, old, new)], key=itemgetter(0))[:_LARGEST]
    # Of others only the markup changes, or the pages that they were made of.
    telling = [changed for changed in largest if changed[0][:3] != (0, True, 0)] or largest
    return Row(
        portal=builder.job.portal.name,
        articles=builder.counts["done"],
        **numbers,
        fields={name: dict(changes) for name, changes in sorted(fields.items())},
        outcomes=dict(outcomes.most_common()),
        largest=[Row(change, diff=difference(old, new)) for _, change, old, new in telling],
        incomplete=INTERRUPTED if builder.stop.is_set() else None,
    )


def _changed_fields(old: Record, new: Record) -> dict[str, str]:
    """Field -> what becomes of its values."""
    before, after = ({name: [value["value"] for value in values] for name, values in metadata.items()} for metadata in (old, new))
    return {
        name: "gained" if name not in before else "lost" if name not in after else "changed"
        for name in before.keys() | after.keys()
        if before.get(name) != after.get(name)
    }


def difference(old: Record, new: Record) -> list[str]:
    """What changes, in lines that a person can read: in the text; where nothing does, in what the metadata say, else in the captures."""
    for was, becomes in zip(*map(_lines, (old, new)), strict=True):
        changed = [line[:_LONGEST_LINE] for line in difflib.unified_diff(was, becomes, lineterm="", n=_CONTEXT)][2:]
        more = len(changed) - _MOST_LINES
        if changed:
            return [*changed[:_MOST_LINES], f"... and {more:,} more lines"] if more > 0 else changed
    return ["only the markup"]


def _lines(record: Record) -> Iterator[list[str]]:
    """Of the text, of what the metadata say, of the captures; of each no more than are compared."""
    yield list(islice(_text_lines(record), _MOST_COMPARED))
    values = ((name, value["value"]) for name, several in record.get("metadata", {}).items() for value in several)
    yield [f"{name}: {squeeze(value)}" for name, value in islice(values, _MOST_COMPARED)]
    captures = record.get("captures", ())[:_MOST_COMPARED]
    yield [f"capture: {capture['record_id']} in {capture['file']}, {capture['date']}" for capture in captures]


def _text_lines(record: Record) -> Iterator[str]:
    """The blocks of the article, its posts and its comments."""
    waiting = [*record.get("comments", ())[::-1], *record.get("blocks", ())[::-1]]
    while waiting:
        block = waiting.pop()
        if any(child["type"] in HOLDS for child in block["children"]):
            waiting.extend(reversed(block["children"]))
        elif text := squeeze(block["text"]):
            yield f"{block['type']}: {text}"


def _words(record: Record) -> Counter[str]:
    """How often each word is there; the name at the begin of a line is none."""
    return Counter(word for line in _text_lines(record) for word in line.partition(": ")[2].split())
