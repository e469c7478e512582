"""Records that belong together, in any program's files: request, response, and the metadata that speaks of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from webarticlecurator.warc.exchanges import event_of
from webarticlecurator.warc.records import Record, bare

_ANSWERS = frozenset({"response", "revisit"})
_MOST_RECORDS = 4
_PARTNERS = {"request": _ANSWERS, "response": frozenset({"request"}), "revisit": frozenset({"request"})}


@dataclass(frozen=True, slots=True)
class Group:
    """Records of one exchange, in file order; anything else is a group of its own."""

    records: tuple[Record, ...]

    @property
    def request(self) -> Record | None:
        return next((record for record in self.records if record.type == "request"), None)

    @property
    def response(self) -> Record | None:
        """The response, or the revisit that stands for it."""
        return next((record for record in self.records if record.type in _ANSWERS), None)

    @property
    def event(self) -> Mapping[str, Any]:
        """What our metadata record says; empty in the files of other programs."""
        return next((event for record in self.records if record.type == "metadata" and (event := event_of(record))), {})

    @property
    def main(self) -> Record:
        """The record that says what the group is about."""
        return self.response or self.records[0]


def groups(records: Iterable[Record]) -> Iterator[Group]:
    """Every record, together with its neighbours of the same exchange; memory holds one group."""
    current: list[Record] = []
    for record in records:
        if current and not _goes_on(current, record):
            yield Group(tuple(current))
            current.clear()
        current.append(record)
    if current:
        yield Group(tuple(current))


def belong(one: Record, other: Record) -> bool:
    """Whether a request and the response next to it are of one exchange: one names the other, or none names any and the URL is the same."""
    if one.id in named(other) or other.id in named(one):
        return True
    return bool(one.url) and one.url == other.url and not named(one) and not named(other)


def _goes_on(current: list[Record], record: Record) -> bool:
    """Whether a record belongs to the group being read."""
    if record.type == "metadata":
        return len(current) < _MOST_RECORDS and any(earlier.id in named(record) for earlier in current)
    return len(current) == 1 and current[0].type in _PARTNERS.get(record.type, ()) and belong(current[0], record)


def named(record: Record) -> frozenset[str]:
    """The ids of the records that a record says it belongs to."""
    names = ("WARC-Concurrent-To", "WARC-Refers-To") if record.type == "metadata" else ("WARC-Concurrent-To",)
    return frozenset(bare(value) for name in names for value in record.all(name))
