"""Each row of the table of the reader's mechanisms names something that is there and can be switched off."""

from __future__ import annotations

from collections import Counter

from benchmarks.reader_rules import RULES, found, switched_off

PLACES = sorted({place for rule in RULES for place in (change.place for change in (*rule.changes, *rule.watch))})


def test_names_are_those_of_one_row_each() -> None:
    assert [name for name, count in Counter(rule.name for rule in RULES).items() if count > 1] == []


def test_every_mechanism_is_off_in_its_block_alone() -> None:
    before = {place: found(place)[2] for place in PLACES}
    contents = {place: dict(held) for place, held in before.items() if isinstance(held, dict)}

    def is_as_before(place: str) -> bool:
        return found(place)[2] is before[place] and contents.get(place) in (None, before[place])

    for rule in RULES:
        with switched_off(rule):
            assert [change.place for change in rule.changes if is_as_before(change.place) and contents.get(change.place) != {}] == [], (
                rule.name
            )
        assert all(map(is_as_before, PLACES)), rule.name
