"""Each row of the table of the reader's mechanisms names something that is there and can be switched off."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.reader_rules import RULES, Gone, empty, found, gives, switched_off, watched

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


def test_what_is_watched_is_as_it_was_behind_the_block() -> None:
    before = {place: found(place)[2] for place in PLACES}
    with watched(RULES) as fired:
        assert fired == set()
    assert all(found(place)[2] is held for place, held in before.items())


def test_a_mechanism_that_does_something_is_noticed() -> None:
    place = "extraction.metadata.headline:_without_name"
    rules = gives("site names", None, place), empty("labels", "extraction.metadata.headline:_LABELS")
    rules += (empty("weights", "extraction.body.locate:_TAG_WEIGHTS"),)
    with watched(rules) as fired:
        without_name = found(place)[2]
        assert without_name("The new bridge", {"pelda"}) is None
        assert fired == set()
        assert without_name("The new bridge - Pelda", {"pelda"}) == "The new bridge"
        assert "home" in found("extraction.metadata.headline:_LABELS")[2]
        assert found("extraction.body.locate:_TAG_WEIGHTS")[2].get("article") is not None
    assert fired == {"site names", "labels", "weights"}


@pytest.mark.parametrize(
    "place", ["extraction.nothing:here", "extraction.article_reader:Nothing.here", "extraction.metadata.read:_CHOOSERS[hats]"]
)
def test_what_is_no_longer_there_is_said_plainly(place: str) -> None:
    with pytest.raises(Gone, match="is no longer there"), switched_off(gives("gone", None, place)):
        pass
