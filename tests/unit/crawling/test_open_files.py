from __future__ import annotations

import resource
from collections.abc import Iterator

import pytest

from webarticlecurator.crawling.open_files import OF_A_PORTAL, OF_THE_PROGRAM, portals_at_a_time


@pytest.fixture(autouse=True)
def limits(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[int, int]]]:
    """The soft limit and the hard one; the last is in force."""
    known = [(1024, 4096)]
    monkeypatch.setattr(resource, "getrlimit", lambda _: known[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda _, both: known.append(both))
    yield known


def test_few_portals_leave_the_limit_as_it_is(limits: list[tuple[int, int]]) -> None:
    assert portals_at_a_time(20) == 20
    assert limits == [(1024, 4096)]


def test_for_many_the_soft_limit_is_raised_and_no_more_run_together_than_the_hard_one_allows(limits: list[tuple[int, int]]) -> None:
    assert portals_at_a_time(100) == 100
    assert limits[-1] == (100 * OF_A_PORTAL + OF_THE_PROGRAM, 4096)
    assert portals_at_a_time(500) == (4096 - OF_THE_PROGRAM) // OF_A_PORTAL
    assert limits[-1] == (4096, 4096)


def test_where_the_limit_cannot_be_raised_fewer_run_together(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: int, both: tuple[int, int]) -> None:
        raise ValueError(both)

    monkeypatch.setattr(resource, "setrlimit", refuse)
    assert portals_at_a_time(500) == (1024 - OF_THE_PROGRAM) // OF_A_PORTAL
