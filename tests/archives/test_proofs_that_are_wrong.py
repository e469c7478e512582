"""What no proof can see, as docs/explanation/completeness.md tells it: where one of these is noticed one day, its row there goes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from scripted_portal import MISSING, Crawler, ScriptedPortal, listing

OK = 0
PAGES = "archive:\n  url: HOME/l/{page}\n  item: li.t\n"
HELD = ((1, 2), (3, 4), (5, 6))


@pytest.fixture
def crawler(curator: Any, tmp_path: Path, site: ScriptedPortal) -> Crawler:
    site.script |= {f"/l/{number}": listing(*articles) for number, articles in enumerate(HELD, 1)}
    return Crawler(curator, tmp_path, site, PAGES)


def proved(crawler: Crawler, *missing: int) -> None:
    """The crawl says that all is well, and these articles of the portal are not in the corpus."""
    assert crawler.crawl() == OK, crawler.said
    (column,) = crawler.status()["completeness"]
    assert column["proved"] == column["intervals"] == 1
    assert {f"/c/{one}" for page in HELD for one in page} - crawler.fetched == {f"/c/{one}" for one in missing}


def test_nothing_is_missing_where_the_list_is_whole(crawler: Crawler) -> None:
    proved(crawler)


def test_an_article_that_stands_in_no_list(crawler: Crawler) -> None:
    crawler.portal.script["/l/2"] = listing(3)
    proved(crawler, 4)


def test_a_list_that_is_cut_without_a_word(crawler: Crawler) -> None:
    crawler.portal.script["/l/3"] = MISSING
    proved(crawler, 5, 6)


def test_articles_of_another_make_that_are_few(crawler: Crawler) -> None:
    crawler.portal.script["/l/2"] = listing(3, more="<div class=video><a href=/c/4>Cikk 4</a></div>")
    proved(crawler, 4)
    assert "/c/4" in crawler.said


def test_rules_that_leave_out_too_much_and_say_so(crawler: Crawler) -> None:
    crawler.rules += "  urls: {exclude: [/c/6$]}\n"
    proved(crawler, 6)
    assert "urls.exclude" in crawler.said


def test_an_identity_that_takes_two_articles_for_one(crawler: Crawler) -> None:
    crawler.rules += "articles: {identity: '/c/[1-4]?'}\n"
    proved(crawler, 6)
    assert crawler.outcomes["/c/6"] == "duplicate"


def test_an_error_page_that_says_that_all_is_well(crawler: Crawler, curator: Any) -> None:
    crawler.portal.script["/c/3"] = "<html><body><h1></h1></body></html>"
    proved(crawler)
    assert curator("build", crawler.file, "--corpus", crawler.corpus, "--jobs", "1").code == 1
    assert ("empty", f"{crawler.portal.home}/c/3") in {(one["outcome"], one["url"]) for one in crawler.problems}
