"""What a change of the rules would do to documents: words that come and go, fields that are gained and lost, readable differences."""

from __future__ import annotations

import difflib
import heapq
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from webarticlecurator.building.database import Known
from webarticlecurator.building.options import Comparison, FieldChange
from webarticlecurator.building.results import BuildResult

LARGEST = 10
_CONTEXT = 1
_MOST_LINES = 40
_MOST_COMPARED = 3_000
"""Lines of a document that are set against each other: the time for it grows with their square."""
_LONGEST_LINE = 400


@dataclass(slots=True)
class Differences:
    """What is counted while articles are compared."""

    known_tags: frozenset[str]
    new: int = 0
    changed: int = 0
    gone: int = 0
    words_gained: int = 0
    words_lost: int = 0
    fields: dict[str, Counter[str]] = field(default_factory=dict)
    outcomes: Counter[str] = field(default_factory=Counter)
    tags: set[str] = field(default_factory=set)
    _largest: list[tuple[int, str, BuildResult]] = field(default_factory=list)

    def add(self, made: BuildResult, known: Known | None) -> None:
        """Count one article that was built anew."""
        self.tags.update(tag for tag in made.unknown_tags if tag not in self.known_tags)
        if known is not None and known.outcome != made.outcome:
            self.outcomes[f"{known.outcome.value} -> {made.outcome.value}"] += 1
        if not made.written:
            return
        had = known is not None and known.path is not None
        self.new += not had
        self.gone += made.removed
        self.changed += had and not made.removed
        self.words_gained += made.gained
        self.words_lost += made.lost
        if had and known is not None and not made.removed:
            self._compare_fields(known.fields, made.fields)
        self._keep(made)

    def _compare_fields(self, old: Mapping[str, str], new: Mapping[str, str]) -> None:
        for name in old.keys() | new.keys():
            before, after = old.get(name), new.get(name)
            if before != after:
                what = "gained" if before is None else "lost" if after is None else "changed"
                self.fields.setdefault(name, Counter())[what] += 1

    def _keep(self, made: BuildResult) -> None:
        heapq.heappush(self._largest, (made.gained + made.lost, made.id, made))
        if len(self._largest) > LARGEST:
            heapq.heappop(self._largest)

    def comparison(self, portal: str) -> Comparison:
        """All that was counted."""
        return Comparison(
            portal=portal,
            new=self.new,
            changed=self.changed,
            gone=self.gone,
            words_gained=self.words_gained,
            words_lost=self.words_lost,
            fields={name: FieldChange(**counted) for name, counted in sorted(self.fields.items())},
            outcomes=dict(self.outcomes.most_common()),
            undecided=tuple(sorted(self.tags)),
        )

    def largest(self) -> list[BuildResult]:
        """The largest changes, largest first."""
        return [made for _, _, made in sorted(self._largest, key=lambda one: (-one[0], one[1]))]


def words_changed(old: Iterable[str], new: Iterable[str]) -> tuple[int, int]:
    """How many words only the new lines have, and how many only the old ones."""
    before, after = _words(old), _words(new)
    return (after - before).total(), (before - after).total()


def difference(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """A diff that a person can read: the lines that go, those that come, and one around them."""
    lines = [line[:_LONGEST_LINE] for line in difflib.unified_diff(old[:_MOST_COMPARED], new[:_MOST_COMPARED], lineterm="", n=_CONTEXT)][2:]
    more = len(lines) - _MOST_LINES
    return [*lines[:_MOST_LINES], f"... and {more:,} more lines"] if more > 0 else lines


def _words(lines: Iterable[str]) -> Counter[str]:
    return Counter(word for line in lines for word in line.split())
