"""However often a walk is interrupted, and whatever is published meanwhile: nothing that the archive lists is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from simulated_archive import EndKind, Order, PagingMode, SimulatedArchive, WalkingCrawl

PAGED = [PagingMode.NEXT_LINK, PagingMode.NUMBERED, PagingMode.INFINITE, PagingMode.EXPANDING, PagingMode.SCROLL]
DONE = {EndKind.PROVED, EndKind.KNOWN}


@contextmanager
def crawl_of(archive: SimulatedArchive) -> Iterator[WalkingCrawl]:
    with TemporaryDirectory() as folder:
        crawl = WalkingCrawl(archive, Path(folder))
        yield crawl
        crawl.ledger.close()


@pytest.mark.parametrize("mode", PAGED)
@pytest.mark.parametrize("order", list(Order))
@pytest.mark.parametrize("arriving", [4, *(pytest.param(number, marks=pytest.mark.nightly) for number in (0, 1, 5, 13, 40))])
def test_an_interruption_at_every_page_with_articles_arriving_in_between_loses_nothing(
    mode: PagingMode, order: Order, arriving: int
) -> None:
    for first in range(1, 13):
        for second in (1, 3, 6):
            archive = SimulatedArchive(mode=mode, order=order)
            archive.publish(58)
            with crawl_of(archive) as crawl:
                crawl.walk(interrupt_after=first)
                archive.publish(arriving)
                crawl.walk(interrupt_after=second)
                archive.publish(arriving)
                assert crawl.walk().kind in DONE
                assert crawl.found() == set(archive.articles), (first, second)


@given(
    mode=st.sampled_from(PAGED),
    order=st.sampled_from(list(Order)),
    runs=st.lists(st.tuples(st.integers(1, 12), st.integers(0, 30), st.booleans()), max_size=6),
    start=st.integers(1, 90),
    sidebar=st.integers(0, 3),
    known_pages=st.sampled_from([None, 1, 3]),
    ends_with_404=st.booleans(),
)
def test_any_number_of_interrupted_or_killed_runs_loses_nothing(
    mode: PagingMode,
    order: Order,
    runs: list[tuple[int, int, bool]],
    start: int,
    sidebar: int,
    known_pages: int | None,
    ends_with_404: bool,
) -> None:
    archive = SimulatedArchive(
        mode=mode,
        order=order,
        sidebar=sidebar if ends_with_404 or mode is PagingMode.NEXT_LINK else 0,
        known_pages=known_pages,
        ends_with_404=ends_with_404,
    )
    archive.publish(start)
    with crawl_of(archive) as crawl:
        for pages, arriving, killed in runs:
            crawl.walk(kill_after=pages) if killed else crawl.walk(interrupt_after=pages)
            archive.publish(arriving)
        assert crawl.walk().kind in DONE
        assert set(archive.articles) <= crawl.found()


@given(
    moves=st.lists(st.integers(-12, 12), min_size=1, max_size=8),
    apart=st.integers(3, 6),
    start=st.integers(20, 90),
    choice=st.randoms(use_true_random=False),
)
# a page shows what the first one showed; removed before a page was asked, published before the one above it was asked again
@example(moves=[0, 11, 10, 6, 1, -12, 2, 0], apart=4, start=58, choice=Random(0.36145925226663256))
@example(moves=[-12, 5, 10, 6, -9, 3], apart=6, start=62, choice=Random(0.011118521531944148))
# more is published while the head is asked again than there were pages
@example(moves=[-9, 4, 12, 5], apart=3, start=20, choice=Random(0))
def test_an_expanding_archive_that_grows_and_slides_under_the_walk_loses_nothing(
    moves: list[int], apart: int, start: int, choice: Random
) -> None:
    """Every few requests articles are published or removed; what is there at the end must have been found."""
    archive = SimulatedArchive(mode=PagingMode.EXPANDING)
    archive.publish(start)
    plan = iter(moves)

    def move(moving: SimulatedArchive) -> None:
        change = next(plan, 0) if len(moving.asked) % apart == 0 else 0
        moving.publish(max(0, change))
        moving.remove(*choice.sample(moving.articles, min(max(0, -change), len(moving.articles) - 1)))

    archive.before_each = move
    with crawl_of(archive) as crawl:
        end = crawl.walk()
        archive.before_each = None
        assert end.kind in DONE
        crawl.walk()
        assert set(archive.articles) <= crawl.found()


@pytest.mark.parametrize(("there", "growth"), [(11, {3: 4, 6: 12, 9: 5}), (20, {6: 7, 9: 9, 19: 5})])
def test_growth_while_the_head_is_asked_again_is_followed_down(there: int, growth: dict[int, int]) -> None:
    archive = SimulatedArchive(mode=PagingMode.EXPANDING)
    archive.publish(there)
    archive.before_each = lambda growing: growing.publish(growth.get(len(growing.asked), 0))
    with crawl_of(archive) as crawl:
        assert crawl.walk().kind in DONE
        archive.before_each = None
        crawl.walk()
        assert crawl.found() == set(archive.articles)


@pytest.mark.parametrize("mode", PAGED)
def test_a_rerun_with_nothing_new_reads_only_the_pages_that_prove_it(mode: PagingMode) -> None:
    archive = SimulatedArchive(mode=mode)
    archive.publish(200)
    with crawl_of(archive) as crawl:
        crawl.walk()
        archive.asked.clear()
        assert crawl.walk().kind is EndKind.KNOWN
        assert len(archive.asked) <= 4 if mode is not PagingMode.EXPANDING else len(archive.asked) <= 7


@pytest.mark.parametrize("mode", PAGED)
def test_a_walk_goes_on_where_it_was_interrupted_without_walking_all_of_it_again(mode: PagingMode) -> None:
    archive = SimulatedArchive(mode=mode)
    archive.publish(500)
    with crawl_of(archive) as crawl:
        crawl.walk(interrupt_after=80)
        archive.asked.clear()
        archive.publish(7)
        assert crawl.walk().kind is EndKind.PROVED
        assert set(archive.articles) == crawl.found()
        assert len(set(archive.asked)) < 75


def test_a_page_that_cannot_be_read_is_stepped_over_and_read_by_the_next_run() -> None:
    archive = SimulatedArchive(broken={6})
    archive.publish(60)
    with crawl_of(archive) as crawl:
        assert crawl.walk().kind is EndKind.FAILED
        assert len(crawl.found()) == 55
        archive.broken.clear()
        archive.publish(3)
        assert crawl.walk().kind is EndKind.KNOWN
        assert crawl.found() == set(archive.articles)


@pytest.mark.parametrize("mode", PAGED)
@pytest.mark.parametrize("reruns", [0, 1, 2])
@pytest.mark.parametrize("stop_after", [1, 2, 3])
def test_a_rerun_killed_inside_proved_ground_is_no_drift_for_the_next_one(mode: PagingMode, reruns: int, stop_after: int) -> None:
    archive = SimulatedArchive(mode=mode)
    archive.publish(18)
    with crawl_of(archive) as crawl:
        assert crawl.walk().kind is EndKind.PROVED
        for _ in range(reruns):
            assert crawl.walk().kind is EndKind.KNOWN
        crawl.walk(kill_after=stop_after)
        assert crawl.walk().kind in DONE
