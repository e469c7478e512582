from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from simulated_archive import SimulatedArchive, WalkingCrawl

from webarticlecurator.config.portal import PagingMode
from webarticlecurator.corpus.events import EndKind, ProofGround
from webarticlecurator.crawling.paging import WALKS


def test_every_way_of_paging_has_its_walk() -> None:
    assert set(WALKS) == set(PagingMode)


@pytest.mark.parametrize("mode", list(PagingMode))
def test_a_small_archive_is_walked_to_its_proved_end(mode: PagingMode, tmp_path: Path) -> None:
    archive = SimulatedArchive(mode=mode)
    archive.publish(12)
    crawl = WalkingCrawl(archive, tmp_path)

    end = crawl.walk()

    assert (end.kind, end.whole, crawl.found()) == (EndKind.PROVED, True, set(archive.articles))
    crawl.ledger.close()


@pytest.fixture
def growing(tmp_path: Path) -> Iterator[WalkingCrawl]:
    """A page that grows in a browser, with 23 articles, five to a step."""
    archive = SimulatedArchive(mode=PagingMode.SCROLL)
    archive.publish(23)
    crawl = WalkingCrawl(archive, tmp_path)
    yield crawl
    crawl.ledger.close()


def test_a_page_that_grows_no_more_proves_its_end(growing: WalkingCrawl) -> None:
    end = growing.walk()
    assert (end.kind, end.whole, end.ground, end.reason) == (EndKind.PROVED, True, ProofGround.GROWN, "nothing new after 3 attempts")
    assert growing.found() == set(growing.archive.articles)
    assert set(growing.archive.asked) == {"https://pelda.example/hirek/"}


def test_as_many_articles_as_the_page_states_are_a_better_proof(growing: WalkingCrawl) -> None:
    growing.archive.stated, growing.archive.tells_end = 23, False
    end = growing.walk()
    assert (end.kind, end.ground) == (EndKind.PROVED, ProofGround.GROWN_TO_TOTAL)


def test_fewer_articles_than_the_page_states_contradict_it(growing: WalkingCrawl) -> None:
    growing.archive.stated = 30
    end = growing.walk()
    assert end.kind is EndKind.UNPROVED
    assert "the first page says '30 articles', and the walk saw 23 links" in end.reason


@pytest.mark.parametrize(("counter", "kind", "ground"), [(23, EndKind.PROVED, ProofGround.GROWN_TO_TOTAL), (30, EndKind.UNPROVED, None)])
def test_a_page_that_counts_what_it_shows_is_believed(
    growing: WalkingCrawl, counter: int, kind: EndKind, ground: ProofGround | None
) -> None:
    growing.archive.counter = counter
    end = growing.walk()
    assert end.kind is kind
    if ground is not None:
        assert end.ground is ground
    else:
        assert "the last page says '23 / 30'" in end.reason


def test_a_page_that_only_gives_nothing_new_is_not_at_its_end(growing: WalkingCrawl) -> None:
    growing.archive.tells_end = False
    end = growing.walk()
    assert (end.kind, end.proves) == (EndKind.LIMIT, None)
    assert "10 steps in a row gave no new article link" in end.reason


def test_so_many_steps_are_a_limit(growing: WalkingCrawl) -> None:
    growing.archive.most_steps = 2
    end = growing.walk()
    assert (end.kind, len(growing.found())) == (EndKind.LIMIT, 15)
    assert "`fetch.scroll.most`" in end.reason


def test_a_walk_that_was_cut_off_goes_on_at_its_step(growing: WalkingCrawl) -> None:
    growing.walk(interrupt_after=4)
    growing.archive.publish(2)
    growing.archive.known_pages = 1
    asked = len(growing.archive.asked)
    end = growing.walk()
    assert (end.kind, end.whole) == (EndKind.PROVED, True)
    assert growing.found() == set(growing.archive.articles)
    assert len(growing.archive.asked) - asked < 6


def test_a_rerun_ends_at_what_was_proved(growing: WalkingCrawl) -> None:
    growing.walk()
    growing.archive.publish(3)
    end = growing.walk()
    assert (end.kind, end.whole) == (EndKind.KNOWN, True)
    assert growing.found() == set(growing.archive.articles)


@pytest.mark.parametrize("shown", [0, 5])
def test_a_page_that_no_longer_grows_where_it_did_is_no_end(growing: WalkingCrawl, shown: int) -> None:
    growing.walk()
    growing.archive.articles = growing.archive.articles[-shown:] if shown else []
    end = growing.walk()
    assert (end.kind, end.proves) == (EndKind.DRIFT, None)


def test_a_step_that_fails_leaves_the_walk_open(growing: WalkingCrawl) -> None:
    growing.archive.broken = {2}
    end = growing.walk()
    assert end.kind is EndKind.FAILED
    growing.archive.broken = set()
    assert growing.walk().whole
    assert growing.found() == set(growing.archive.articles)
