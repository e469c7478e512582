"""A portal that keeps us out, or nearly: what is a block, what is none, and that nothing is lost by either."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from crawling import Crawling, crawling, exit_code
from seams import ExitCode

ARTICLES = ("/belfold/cikk/*", "/en/story/*")


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Crawling]:
    with crawling(tmp_path, articles=110, page_size=5, columns=("belfold", "english")) as running:
        yield running


@pytest.mark.parametrize("refusal", ["401", "403", "429-for-ever", "451"])
def test_a_streak_of_refusals_is_a_block(site: Crawling, refusal: str) -> None:
    site.portal.switch_on(refusal, *ARTICLES, after=4)
    assert exit_code(site.crawl()) is ExitCode.BLOCKED
    outcomes = Counter(site.outcomes.values())
    assert set(outcomes) == {"fetched", "blocked", "queued"}
    assert outcomes["blocked"] < 10, "a host that refuses is not asked for the rest of the queue"


@pytest.mark.parametrize("switch", ["403-streak", "captcha", "consent", "same-body"])
def test_what_was_blocked_is_asked_for_from_its_first_page_when_the_block_is_over(site: Crawling, switch: str) -> None:
    site.portal.switch_on(switch)
    assert exit_code(site.crawl()) is ExitCode.BLOCKED
    site.portal.switch_off()
    assert exit_code(site.crawl()) is ExitCode.OK
    assert site.fetched == site.expected
    assert site.lacks() == set()


def test_a_wall_is_no_copy_of_an_article_whose_file_is_lost(site: Crawling) -> None:
    site.portal.switch_on("consent")
    site.crawl()
    walled = {url for url, outcome in site.outcomes.items() if outcome == "blocked"}
    site.portal.switch_off()
    site.crawl()
    max(path for path in site.warcs if "-articles-" in path.name).unlink()
    site.portal.forget_requests()
    assert walled and exit_code(site.crawl()) is ExitCode.FAILURES
    assert all(map(site.portal.asked, walled))


def test_a_portal_that_is_down_is_a_block(site: Crawling) -> None:
    site.portal.switch_on("503-everywhere", after=1)
    assert exit_code(site.crawl(columns=("english",))) is ExitCode.BLOCKED


def test_a_page_of_an_article_that_fails_is_asked_for_again_and_not_the_pages_before(site: Crawling) -> None:
    several = next(url for url in site.portal.articles["belfold"] if len(site.portal.truth(url).page_urls) > 1)
    first, second, *_ = site.portal.truth(several).page_urls
    site.portal.switch_on("503-for-ever", second)
    assert exit_code(site.crawl()) is ExitCode.FAILURES
    assert site.outcomes[several] == "error"
    site.portal.switch_off()
    site.portal.forget_requests()
    assert exit_code(site.crawl()) is ExitCode.OK
    assert (site.portal.asked(first), site.portal.asked(second)) == (0, 1)
    assert site.fetched == site.expected
