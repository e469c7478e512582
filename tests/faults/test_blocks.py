"""A portal that keeps us out, or nearly: what is a block, what is none, and that nothing is lost by either."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from crawling import Crawling, crawling, exit_code
from seams import ExitCode


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Crawling]:
    with crawling(tmp_path, articles=110, page_size=5, columns=("belfold", "english")) as running:
        yield running


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
