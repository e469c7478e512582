from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from webarticlecurator.model.status import Proof
from webarticlecurator.statistics.proofs import days_of, grounds


@pytest.mark.parametrize(
    ("interval", "first", "last"),
    [
        ("2024-02-29", date(2024, 2, 29), date(2024, 2, 29)),
        ("2024-W01", date(2024, 1, 1), date(2024, 1, 7)),
        ("2024-02", date(2024, 2, 1), date(2024, 2, 29)),
        ("2024-12", date(2024, 12, 1), date(2024, 12, 31)),
        ("2024", date(2024, 1, 1), date(2024, 12, 31)),
        (None, date.min, date.max),
    ],
)
def test_the_name_of_an_interval_says_its_days(interval: str | None, first: date, last: date) -> None:
    assert days_of(interval) == (first, last)


def test_successive_intervals_that_ended_alike_stand_together() -> None:
    def proof(interval: str, ground: str, hour: int) -> Proof:
        at = datetime(2024, 6, 1, hour, tzinfo=UTC)
        return Proof(column="home", interval=interval, ground=ground, page=f"https://a.example/{interval}", links=3, at=at)

    told = grounds([proof("2024-05-03", "an empty page", 1), proof("2024-05-02", "an empty page", 9), proof("2024-05-01", "no next", 2)])
    assert [(one.first, one.last, one.intervals, one.ground) for one in told] == [
        ("2024-05-02", "2024-05-03", 2, "an empty page"),
        ("2024-05-01", "2024-05-01", 1, "no next"),
    ]
    assert told[0].at.hour == 9
