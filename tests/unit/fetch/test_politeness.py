"""When a host may be asked next, told with a clock that only waiting moves."""

from __future__ import annotations

import heapq
import threading
import time
from datetime import UTC, datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webarticlecurator.fetch.politeness import (
    LONGEST_CRAWL_DELAY,
    LONGEST_WAIT,
    AskedToWait,
    HostPace,
    HostPaces,
    PoliteHost,
    read_retry_after,
)

A_YEAR = 366 * 86_400.0
NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


class Time:
    """A clock, and a stop event whose waiting moves it."""

    def __init__(self, *, late: float = 0.0, stops_at: float = float("inf")) -> None:
        self.now = 100.0
        self.late = late
        self.stops_at = stops_at

    def __call__(self) -> float:
        return self.now

    def is_set(self) -> bool:
        return self.now >= self.stops_at

    def wait(self, timeout: float | None = None) -> bool:
        self.now = min(self.stops_at, self.now + (timeout or 0.0) + self.late)
        return self.is_set()


def starts_with(latency: float, *, delay: float, in_flight: int, count: int, late: float = 0.0) -> list[float]:
    """When `count` requests to a host start that takes `latency` seconds to answer each."""
    pace = HostPace(delay=delay, in_flight=in_flight)
    free = [0.0] * in_flight
    starts = []
    for _ in range(count):
        ready = heapq.heappop(free)
        start = max(ready, pace.reserve(ready)) + late
        starts.append(start)
        heapq.heappush(free, start + latency)
        pace.answered(latency)
    return starts


def rate(starts: list[float]) -> float:
    return (len(starts) - 1) / (max(starts) - min(starts))


@pytest.mark.parametrize("in_flight", [1, 2])
@pytest.mark.parametrize("share", [0.01, 0.5, 0.9, 0.95])
@pytest.mark.parametrize("late", [0.0, 0.04])
def test_the_permitted_rate_is_held_at_any_latency_below_in_flight_by_rate(in_flight: int, share: float, late: float) -> None:
    starts = starts_with(share * in_flight - late, delay=1.0, in_flight=in_flight, count=200, late=late)
    assert 0.95 <= rate(starts) <= 1.001


@given(st.floats(0.01, 5), st.integers(1, 3), st.lists(st.tuples(st.floats(0, 20), st.floats(0, 10)), min_size=5, max_size=60))
def test_never_more_often_than_the_delay_allows(delay: float, in_flight: int, events: list[tuple[float, float]]) -> None:
    pace = HostPace(delay=delay, in_flight=in_flight)
    now, starts = 0.0, []
    for idle, latency in events:
        now = max(now + idle, pace.reserve(now + idle))
        starts.append(now)
        pace.answered(latency)
    gaps = [after - before for before, after in pairwise(starts)]
    assert min(gaps) >= 0.95 * delay - 1e-9
    assert starts[-1] - starts[0] >= (len(starts) - 1) * delay - 0.05 * delay * (1 + sum(gap > delay for gap in gaps)) - 1e-6


def test_a_slow_server_is_asked_less_than_it_could_answer() -> None:
    assert rate(starts_with(4.0, delay=1.0, in_flight=1, count=60)) == pytest.approx(1 / 5.5, rel=0.05)
    assert rate(starts_with(1.0, delay=1.0, in_flight=1, count=60)) == pytest.approx(1.0, rel=0.01)


def test_the_pace_grows_with_the_latency_without_a_jump() -> None:
    paces = []
    for latency in range(80, 300):
        pace = HostPace(delay=1.0, in_flight=1)
        pace.answered(latency / 100)
        paces.append(pace.seconds)
    assert all(0 <= after - before < 0.02 for before, after in pairwise(paces))


def test_no_delay_means_no_waiting_however_slow_the_answers_are() -> None:
    assert starts_with(0.0, delay=0.0, in_flight=1, count=20) == [0.0] * 20


def test_refusals_double_the_wait_up_to_a_limit() -> None:
    pace = HostPace(delay=1.0)
    now, waits = 0.0, []
    for _ in range(9):
        waits.append(pace.refused(now, started=now))
        now += waits[-1]
    assert waits == pytest.approx([2, 4, 8, 16, 32, 60, 60, 60, 60])
    for _ in range(2000):
        now += pace.refused(now, started=now)
    assert pace.refused(now, started=now) == 60.0


def test_the_others_in_flight_do_not_double_it_again() -> None:
    pace = HostPace(delay=1.0, in_flight=2)
    pace.refused(10.0, started=9.0)
    assert pace.refused(10.5, started=9.5) == pytest.approx(2.0)
    assert pace.refusals == 2


def test_nothing_starts_before_the_host_wants_it() -> None:
    pace = HostPace(delay=1.0)
    assert pace.refused(10.0, started=9.9, retry_after=120.0) == 120.0
    assert pace.reserve(10.5) == 130.0
    assert pace.reserve(10.5) == pytest.approx(132.0)


def test_recovery_is_slow_and_ends_at_the_usual_pace() -> None:
    pace = HostPace(delay=1.0)
    pace.refused(0.0, started=0.0)
    paces = []
    for _ in range(1000):
        pace.answered(0.1)
        paces.append(pace.seconds)
    assert all(after <= before + 1e-9 for before, after in pairwise(paces))
    assert paces[10] > 1.3
    assert paces[-1] == 1.0


def test_after_a_long_outage_the_rate_comes_back_within_minutes() -> None:
    pace = HostPace(delay=1.0)
    for second in range(0, 600, 60):
        pace.refused(float(second), started=float(second))
    spent = 0.0
    while pace.seconds > 1.5:
        spent += pace.seconds
        pace.answered(0.1)
    assert spent < 600


def test_against_a_lower_limit_of_the_server_the_pace_settles_instead_of_swinging() -> None:
    pace = HostPace(delay=1.0)
    now, tokens, refused = 0.0, 1.0, []
    for number in range(1500):
        start = pace.reserve(now)
        tokens = min(1.0, tokens + (start - now) * 0.5)  # a server that permits one request every two seconds
        now = start
        if tokens >= 0.999:
            tokens -= 1
            pace.answered(0.1)
        else:
            pace.refused(now, started=now)
            refused.append(number)
    assert len([number for number in refused if number > 100]) < 15
    assert 1 / pace.seconds > 0.3


def test_crawl_delay_slows_down_within_reason_and_never_speeds_up() -> None:
    for wish, expected in ((0.1, 1.0), (5.0, 5.0), (86_400.0, LONGEST_CRAWL_DELAY)):
        pace = HostPace(delay=1.0)
        pace.obey_crawl_delay(wish)
        assert pace.seconds == expected


def test_portals_on_one_host_share_the_politer_pace() -> None:
    paces = HostPaces()
    host = paces.of("pelda.example:443", delay=1.0, in_flight=2)
    assert paces.of("pelda.example:443", delay=3.0, in_flight=1) is host
    assert paces.of("pelda.example:443", delay=0.5, in_flight=4).pace.seconds == 3.0
    assert paces.of("pelda.example:8443", delay=0.5, in_flight=1).pace.seconds == 0.5


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120.0),
        (" 0 ", 0.0),
        ("Fri, 20 Nov 2026 12:02:00 GMT", 120.0),
        ("Friday, 20-Nov-26 12:02:00 GMT", 120.0),
        ("Fri, 20 Nov 2026 11:00:00 GMT", 0.0),
        ("999999999999999999999", A_YEAR),
        ("9" * 5000, A_YEAR),
        ("Fri, 31 Dec 9999 23:59:59 GMT", A_YEAR),
        ("Fri, 31 Dec 9999 23:59:59 -2359", A_YEAR),
        ("Mon, 01 Jan 99999999999999999999 00:00:00 GMT", None),
        ("Mon, 99999999999999999999 Jan 2027 00:00:00 GMT", None),
        ("Mon, 01 Jan 2027 00:00:00 +99999999999999999999", None),
        ("nan", None),
        ("inf", None),
        ("1e400", None),
        ("soon", None),
        ("-5", None),
        ("1.5", None),
        ("", None),
        (None, None),
    ],
)
def test_both_forms_of_retry_after_are_read(value: str | None, seconds: float | None) -> None:
    assert read_retry_after(value, NOW) == seconds


@given(st.text(max_size=40))
def test_no_retry_after_raises(value: str) -> None:
    assert (read_retry_after(value, NOW) or 0.0) >= 0.0


@given(st.from_regex(r"(Mon, )?-?\d{1,30} Jan -?\d{1,30} \d{1,9}:\d{1,9}(:\d{1,9})? ([+-]?\d{1,25}|GMT)", fullmatch=True))
def test_no_date_however_large_raises(value: str) -> None:
    assert 0.0 <= (read_retry_after(value, NOW) or 0.0) <= A_YEAR


def host_at(time: Time, *, delay: float = 1.0, in_flight: int = 1) -> PoliteHost:
    return PoliteHost("pelda.example:80", HostPace(delay=delay, in_flight=in_flight), clock=time)


def test_turns_begin_one_delay_after_the_other() -> None:
    time = Time()
    host = host_at(time)
    starts = []
    for _ in range(5):
        start = host.enter(time)
        assert start is not None
        starts.append(start)
        time.now += 0.3
        host.leave(start)
    assert starts == pytest.approx([100.0, 101.0, 102.0, 103.0, 104.0])


def test_a_turn_that_a_busy_machine_begins_late_is_not_made_good_by_the_next() -> None:
    time = Time()
    host = host_at(time, delay=10.0)
    starts = []
    for late in (0.0, 6.0, 0.0, 0.0):
        time.late = late
        start = host.enter(time)
        assert start is not None
        starts.append(start)
        host.leave(start)
    assert starts == pytest.approx([100.0, 116.0, 125.5, 135.5])


def test_after_a_pause_nothing_is_late_so_nothing_is_made_good() -> None:
    pace = HostPace(delay=1.0)
    assert [pace.reserve(100.0), pace.reserve(101.05), pace.reserve(101.06)] == [100.0, 101.05, 102.0]
    assert [pace.reserve(200.0), pace.reserve(200.1)] == [200.0, 201.0]


def test_an_interruption_ends_a_long_wait_at_once() -> None:
    time = Time(stops_at=103.0)
    host = host_at(time, delay=60.0)
    first = host.enter(time)
    assert first is not None
    host.leave(first)
    assert host.enter(time) is None
    assert time.now == 103.0


def test_a_host_that_wants_to_be_left_alone_for_hours_is_not_waited_for() -> None:
    time = Time()
    host = host_at(time)
    start = host.enter(time)
    assert start is not None
    assert host.leave(start, refused=True, retry_after=2 * 3600.0) > LONGEST_WAIT
    for _ in range(3):  # and says so every time, as no turn is lost on the way
        with pytest.raises(AskedToWait) as wish:
            host.enter(time)
        assert wish.value.seconds == pytest.approx(7200.0)
    time.now += 7200.0
    assert host.enter(time) is not None


def test_who_waits_while_another_is_refused_lines_up_again() -> None:
    clock = Time()
    host = host_at(clock, in_flight=2)
    first = host.enter(clock)
    assert first is not None

    class RefusedMeanwhile(Time):
        def wait(self, timeout: float | None = None) -> bool:
            if not refused:
                refused.append(host.leave(first, refused=True, retry_after=30.0))
            return clock.wait(timeout)

    refused: list[float] = []
    second = host.enter(RefusedMeanwhile())
    assert second is not None
    assert second >= first + 30.0


def test_no_more_requests_are_in_flight_than_allowed() -> None:
    host = PoliteHost("pelda.example:80", HostPace(delay=0.0, in_flight=2))
    stop = threading.Event()
    under_way, most = [], []

    def ask() -> None:
        for _ in range(5):
            start = host.enter(stop)
            assert start is not None
            under_way.append(1)
            most.append(len(under_way))
            time.sleep(0.001)
            under_way.pop()
            host.leave(start)

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert max(most) == 2
    assert len(most) == 30
