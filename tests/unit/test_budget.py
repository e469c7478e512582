"""One budget a page: what counts, and what is said when it is used up."""

from __future__ import annotations

import pytest

from webarticlecurator.budget import PAGE_LIMIT, Budget, allowed
from webarticlecurator.errors import PatternTimeout


class Clock:
    """A clock that somebody moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def computed() -> Clock:
    return Clock()


@pytest.fixture
def wall() -> Clock:
    return Clock()


@pytest.fixture
def budget(computed: Clock, wall: Clock) -> Budget:
    return Budget(computed=computed, wall=wall)


def test_rules_share_the_time_of_their_page(budget: Budget, computed: Clock, wall: Clock) -> None:
    with budget:
        for rule in ("div.a", "div.b"):
            assert allowed(rule, 1.0) == 1.0
            computed.now += PAGE_LIMIT / 2 - 0.2
            wall.now += PAGE_LIMIT / 2 - 0.2
        assert allowed("div.c", 1.0) == pytest.approx(0.4)
        computed.now += 0.5
        wall.now += 0.5
        with pytest.raises(PatternTimeout, match=r"needed more than 10 s for one page, and were stopped at 'div.d'"):
            allowed("div.d", 1.0)


def test_what_a_busy_machine_takes_is_not_counted(budget: Budget, computed: Clock, wall: Clock) -> None:
    with budget:
        for _ in range(100):
            wall.now += PAGE_LIMIT
            computed.now += PAGE_LIMIT / 200
            assert allowed("div", 1.0) == 1.0


def test_the_time_goes_on_when_the_same_page_is_looked_at_again_and_stands_between(budget: Budget, computed: Clock, wall: Clock) -> None:
    for _ in range(2):
        with budget, budget:
            allowed("div")
            computed.now += PAGE_LIMIT * 0.4
            wall.now += PAGE_LIMIT * 0.4
        computed.now += 100 * PAGE_LIMIT
        wall.now += 100 * PAGE_LIMIT
    with budget:
        assert allowed("div", PAGE_LIMIT) == pytest.approx(PAGE_LIMIT * 0.2)
    assert allowed("div", 2 * PAGE_LIMIT) == 2 * PAGE_LIMIT, "no page is being looked at"


def test_a_long_rule_is_told_by_its_beginning(budget: Budget, computed: Clock, wall: Clock) -> None:
    with budget:
        computed.now = wall.now = 1e9
        with pytest.raises(PatternTimeout) as told:
            allowed("x" * 5000)
    assert len(str(told.value)) < 400
