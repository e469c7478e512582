"""Compares a build with the one before: documents that would be others, counted, and the largest changes line
by line."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from operator import itemgetter
from typing import Any, NamedTuple

from webarticlecurator.building.build_job import BuildResult
from webarticlecurator.building.database import BuildDatabase
from webarticlecurator.databases import Row
from webarticlecurator.model.article import HOLDS
from webarticlecurator.text import squeeze
from webarticlecurator.urls import split

_MOST_LINES = 40
"""Lines of a difference that are shown."""
_MOST_COMPARED = 3_000
"""Lines that are set against each other: the time for it grows with their square."""
Record = Mapping[str, Any]


class _Change(NamedTuple):
    """A document that would be another one."""

    rank: tuple[Any, ...]
    """The larger change first, new documents last; of equals the path decides, since an id hangs on the port
    of the portal, too."""
    row: Row
    old: Record
    new: Record

    @property
    def is_of_markup(self) -> bool:
        """True if neither a word nor a field changes: only the markup, or the pages that it was made of."""
        return self.rank[:3] == (0, True, 0)


class BuildChanges:
    """Counts of what a build would change, and the ten largest changes."""

    def __init__(self) -> None:
        self.numbers = Counter(new=0, changed=0, same_words=0, gone=0, words_gained=0, words_lost=0)
        self.fields: dict[str, Counter[str]] = {}
        self.outcomes: Counter[str] = Counter()
        self._largest: list[_Change] = []

    def take(self, result: BuildResult, database: BuildDatabase) -> None:
        """Hold what a build would make against what is built."""
        row, known = result.row, database.known(result.row.id)
        if known is not None and known.outcome != row.outcome:
            self.outcomes[f"{known.outcome.value} -> {row.outcome.value}"] += 1
        if not result.written:
            return
        built = database.by_id(row.id)
        old = built.record if built is not None else {}
        new = result.contents.record() if result.contents is not None else {}
        path = known.path if known is not None else None
        kind = "gone" if result.removed else "changed"
        if path is None:
            kind = "new"
        before, after = _words(old), _words(new)
        gained, lost = (after - before).total(), (before - after).total()
        self.numbers.update({kind: 1, "words_gained": gained, "words_lost": lost})
        has_other_fields = kind == "changed" and self._take_fields(_values(old), _values(new))
        self.numbers["same_words"] += kind == "changed" and gained == lost == 0
        change = Row(id=row.id, url=row.url, path=path, gained=gained, lost=lost)
        weight = 0 if kind == "new" else gained + lost
        rank = -weight, not has_other_fields, -(gained + lost), split(row.url).path, row.id
        self._largest = sorted([*self._largest, _Change(rank, change, old, new)], key=itemgetter(0))[:10]

    def _take_fields(self, old: Mapping[str, list[str]], new: Mapping[str, list[str]]) -> bool:
        """Count the fields that have other values; False if there are none."""
        changed = [name for name in old.keys() | new.keys() if old.get(name) != new.get(name)]
        for name in changed:
            counts = self.fields.setdefault(name, Counter(gained=0, lost=0, changed=0))
            if name not in old:
                counts["gained"] += 1
            elif name not in new:
                counts["lost"] += 1
            else:
                counts["changed"] += 1
        return bool(changed)

    def telling(self) -> list[_Change]:
        """Return the largest changes; those of the markup alone only where there are no others."""
        return [change for change in self._largest if not change.is_of_markup] or self._largest


def _values(record: Record) -> dict[str, list[str]]:
    """Field -> its values: metadata, how many posts and comments there are, and what these say of
    themselves."""
    values = {
        name: [value["value"] for value in of_field] for name, of_field in record.get("metadata", {}).items()
    }
    posts = [*(block for block in record.get("blocks", ()) if "kind" in block), *record.get("comments", ())]
    values |= {"posts": [str(len(posts))]} if posts else {}
    of_posts = ((name, [post[name] for post in posts if post.get(name)]) for name in ("who", "when", "title"))
    return values | {f"posts.{name}": said for name, said in of_posts if said}


def difference(old: Record, new: Record) -> list[str]:
    """Return the lines that change, for a person to read: of the text, of the metadata, of the captures."""
    was, becomes = (
        [*islice(_text_lines(record), _MOST_COMPARED), *islice(_lines_beside(record), _MOST_COMPARED)]
        for record in (old, new)
    )
    changed = [line[:400] for line in difflib.unified_diff(was, becomes, lineterm="", n=1)][2:]
    more = len(changed) - _MOST_LINES
    return (
        [*changed[:_MOST_LINES], f"... and {more:,} more lines"]
        if more > 0
        else changed or ["only the markup"]
    )


def _lines_beside(record: Record) -> Iterator[str]:
    for name, values in _values(record).items():
        yield from (f"{name}: {squeeze(value)}" for value in values)
    for capture in record.get("captures", ()):
        yield f"capture: {capture['record_id']} in {capture['file']}, {capture['date']}"


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
