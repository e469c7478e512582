"""However often a walk is interrupted, and whatever is published meanwhile: nothing that the archive lists is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from collected import StopAfter
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st
from scripted_portal import BROKEN, GONE, Crawler, Reply, listing, scripted_portal
from seams import PagingMode

from webarticlecurator import CrawlOptions, crawl, status

MODES = tuple(mode.value for mode in PagingMode if mode is not PagingMode.NONE and not mode.in_steps)
"""Those that lead from page to page without a browser."""
ORDERS = ("newest-first", "oldest-first")
PAGE_SIZE = 5
some = settings(max_examples=max(1, settings.default.max_examples // 3), phases=[Phase.explicit, Phase.generate])
Move = Callable[["Archive"], object]


class Killed(BaseException):
    """As if the process had ended here."""


class KillAfter(StopAfter):
    def is_set(self) -> bool:
        if super().is_set():
            raise Killed
        return False


@dataclass
class Archive:
    """A portal that lists its articles in pages, to which articles are added and from which some go; and somebody who crawls it."""

    crawler: Crawler
    mode: str = "infinite"
    order: str = "newest-first"
    sidebar: int = 0
    """Links that stand on every page, whatever it lists."""
    broken: set[int] = field(default_factory=set)
    """Numbers of pages that answer 500."""
    end: str | Reply = ""
    """What is said behind the last page."""
    articles: list[int] = field(default_factory=list)
    """Oldest first."""
    published: int = 0
    before_each: Move | None = None
    """What happens to the archive before each request."""

    def publish(self, number: int) -> None:
        self.articles += range(self.published + 1, self.published + 1 + number)
        self.published += number

    def remove(self, *articles: int) -> None:
        self.articles = [article for article in self.articles if article not in articles]

    @property
    def asked(self) -> list[str]:
        return self.crawler.portal.archive_asked

    def page(self, number: int, _: str) -> str | Reply:
        if self.before_each is not None:
            self.before_each(self)
        if number in self.broken:
            return BROKEN
        in_order = self.articles if self.order == "oldest-first" else self.articles[::-1]
        shown, pages = in_order[(number - 1) * PAGE_SIZE : number * PAGE_SIZE], -(-len(in_order) // PAGE_SIZE)
        following = f"/l/{number + 1}" if self.mode == "next-link" and number < pages else None
        if not shown and self.end:
            return self.end
        return listing(*shown, *(-beside for beside in range(1, self.sidebar + 1)), next=following, more=f"<b class=last>{pages}</b>")

    def walk(self, stop: StopAfter | None = None) -> bool:
        """Whether all was proved; one run, which may be stopped or killed."""
        self.crawler.portal.asked.clear()
        self.crawler.portal.script = {f"/l/{number}": partial(self.page, number) for number in range(1, 200)}
        with suppress(Killed):
            options = CrawlOptions(articles=False)
            ended = crawl(self.crawler.file, corpus=self.crawler.corpus, options=options, **({"stop": stop} if stop else {}))
            completeness = status(self.crawler.file, corpus=self.crawler.corpus).completeness
            return not (ended.incomplete or ended.failures or any(column.open for column in completeness))
        return False

    def interrupted(self, pages: int) -> None:
        self.walk(StopAfter(self.crawler.portal, pages))

    def killed(self, pages: int) -> None:
        self.walk(KillAfter(self.crawler.portal, pages))

    @property
    def known(self) -> set[int]:
        return {int(path.removeprefix("/c/")) for path in self.crawler.outcomes}

    @property
    def is_known(self) -> bool:
        """Whether everything that it lists was found."""
        return set(self.articles) <= self.known


@contextmanager
def archive_of(articles: int, mode: str = "infinite", *, walks_all: bool = False, **more: Any) -> Iterator[Archive]:
    with scripted_portal() as site, TemporaryDirectory() as folder:
        paging = {
            "next-link": "next: a.next, pages: {mode: next-link, order: ORDER}",
            "numbered": "pages: {mode: numbered, last: b.last, order: ORDER}",
        }
        rules = paging.get(mode, f"pages: {{mode: {mode}, order: ORDER}}").replace("ORDER", more.get("order", ORDERS[0]))
        url, stop = "HOME/l/1" if mode == "next-link" else "HOME/l/{page}", ", stop: null" if walks_all else ""
        crawler = Crawler(lambda *_: None, Path(folder), site, f"archive: {{url: '{url}', item: li.t, {rules}{stop}}}\n")
        archive = Archive(crawler, mode, **more)
        archive.publish(articles)
        yield archive


@settings(phases=[Phase.explicit, Phase.generate])
@given(
    mode=st.sampled_from(MODES),
    order=st.sampled_from(ORDERS),
    runs=st.lists(st.tuples(st.integers(1, 12), st.integers(0, 30), st.booleans()), max_size=6),
    start=st.integers(6, 90),
    sidebar=st.integers(0, 3),
    walks_all=st.booleans(),
    end=st.sampled_from(["", GONE]),
)
def test_any_number_of_interrupted_or_killed_runs_loses_nothing(
    mode: str,
    order: str,
    runs: list[tuple[int, int, bool]],
    start: int,
    sidebar: int,
    walks_all: bool,
    end: str | Reply,
) -> None:
    sidebar = sidebar if end or mode == "next-link" else 0
    with archive_of(start, mode, order=order, sidebar=sidebar, walks_all=walks_all, end=end) as archive:
        for pages, arriving, is_killed in runs:
            archive.killed(pages) if is_killed else archive.interrupted(pages)
            archive.publish(arriving)
        assert archive.walk()
        assert archive.is_known


@some
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
    plan = iter(moves)

    def move(archive: Archive) -> None:
        change = next(plan, 0) if len(archive.asked) % apart == 1 else 0
        archive.publish(max(0, change))
        archive.remove(*choice.sample(archive.articles, min(max(0, -change), len(archive.articles) - 1)))

    with archive_of(start, "expanding", before_each=move) as archive:
        assert archive.walk()
        archive.before_each = None
        archive.walk()
        assert archive.is_known


@pytest.mark.parametrize(("there", "growth"), [(11, {4: 4, 7: 12, 10: 5}), (20, {7: 7, 10: 9, 20: 5})])
def test_growth_while_the_head_is_asked_again_is_followed_down(there: int, growth: dict[int, int]) -> None:
    with archive_of(there, "expanding", before_each=lambda growing: growing.publish(growth.get(len(growing.asked), 0))) as archive:
        assert archive.walk()
        archive.before_each = None
        archive.walk()
        assert archive.known == set(archive.articles)


@pytest.mark.parametrize("mode", MODES)
def test_a_rerun_with_nothing_new_reads_only_the_pages_that_prove_it(mode: str) -> None:
    with archive_of(200, mode) as archive:
        assert archive.walk()
        assert archive.walk()
        assert len(archive.asked) <= (8 if mode == "expanding" else 5), "the head, and where the list ended"


@pytest.mark.parametrize("mode", MODES)
def test_a_walk_goes_on_where_it_was_interrupted_without_walking_all_of_it_again(mode: str) -> None:
    with archive_of(150, mode) as archive:
        archive.interrupted(48 if mode == "expanding" else 24)
        archive.publish(7)
        assert archive.walk()
        assert archive.known == set(archive.articles)
        assert len(set(archive.asked)) < 23


def test_a_page_that_cannot_be_read_is_stepped_over_and_read_by_the_next_run() -> None:
    with archive_of(60, broken={7}) as archive:
        assert not archive.walk()
        assert len(archive.known) == 55
        archive.broken.clear()
        archive.publish(3)
        assert archive.walk()
        assert archive.known == set(archive.articles)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("reruns", "pages"), [(0, 1), (1, 2), (2, 3), (0, 3)])
def test_a_rerun_killed_inside_proved_ground_is_no_drift_for_the_next_one(mode: str, reruns: int, pages: int) -> None:
    with archive_of(18, mode) as archive:
        assert all(archive.walk() for _ in range(1 + reruns))
        archive.killed(pages)
        assert archive.walk()
