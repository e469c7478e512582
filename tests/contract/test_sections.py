"""Archives of two levels: a page that leads to sections (the boards of a forum), each with pages of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scripted_portal import BROKEN, GONE, Crawler, ScriptedPortal, listing, scripted_portal

OK, FAILURES, DRIFT = 0, 1, 5
RULES = "archive:\n  url: HOME/\n  sections: a.forum\n  item: li.t\n  next: a.next\n"


@pytest.fixture
def site() -> Iterator[ScriptedPortal]:
    with scripted_portal() as portal:
        yield portal


@pytest.fixture
def crawler(curator: Any, tmp_path: Path, site: ScriptedPortal) -> Crawler:
    crawler = Crawler(curator, tmp_path, site, rules=RULES)
    site.script |= {
        "/": boards("/f/1", "/f/2", "/f/3"),
        "/f/1": listing(1, 2, 3, next="/f/1?start=3") + boards("/f/9", "/"),
        "/f/1?start=3": listing(4, 5) + boards("/f/9"),
        "/f/2": listing(6, 1, next="/f/2?start=2"),
        "/f/2?start=2": listing(7),
        "/f/3": listing(),
        "/f/9": listing(8),
    }
    return crawler


def boards(*addresses: str) -> str:
    return "".join(f"<a class=forum href='{address}#top'>Fórum {address}</a>" for address in addresses)


def test_every_section_is_walked_to_its_end_whatever_its_depth_and_an_empty_one_is_no_fault(crawler: Crawler) -> None:
    assert crawler.crawl() == OK, crawler.said
    assert crawler.fetched == {f"/c/{number}" for number in range(1, 9)}
    assert sorted(crawler.portal.archive_asked) == sorted(crawler.portal.script)
    assert "1 section lists no article, being empty or for members only (such as archive » /f/3)" in crawler.said
    columns = {row["column"]: row["proved"] for row in crawler.status()["completeness"]}
    assert columns == {"archive": 1, **{f"archive » /f/{number}": 1 for number in (1, 2, 3, 9)}}


def test_a_rerun_finds_new_sections_and_new_articles_and_fetches_nothing_twice(crawler: Crawler) -> None:
    crawler.crawl()
    crawler.portal.asked.clear()
    crawler.portal.script |= {"/": boards("/f/1", "/f/2", "/f/3", "/f/4"), "/f/4": listing(20), "/f/9": listing(21, 8)}
    assert crawler.crawl() == OK, crawler.said
    assert set(crawler.portal.articles_asked) == {"/c/20", "/c/21"}


def test_a_section_that_cannot_be_read_leaves_its_column_open_and_is_named(crawler: Crawler) -> None:
    page = crawler.portal.script["/f/2?start=2"]
    crawler.portal.script["/f/2?start=2"] = lambda _: BROKEN
    assert crawler.crawl() == FAILURES
    assert "archive » /f/2" in crawler.said
    crawler.portal.script["/f/2?start=2"] = page
    assert crawler.crawl() == OK, crawler.said
    assert "/c/7" in crawler.fetched


def test_a_first_page_that_leads_nowhere_any_more_is_drift(crawler: Crawler) -> None:
    crawler.crawl()
    crawler.portal.script["/"] = "<p>Új külső"
    assert crawler.crawl() == DRIFT, crawler.said


def test_sections_without_a_single_article_prove_nothing(crawler: Crawler) -> None:
    crawler.rules = RULES.replace("li.t", "li.nincs")
    assert crawler.crawl() == FAILURES
    assert "no page of its 4 sections ever gave an article link" in crawler.said


def test_sections_on_other_hosts_are_refused_and_told(crawler: Crawler) -> None:
    crawler.portal.script["/"] = boards("/f/1", "http://masik.example/f/2")
    assert crawler.crawl() == OK, crawler.said
    assert any(one["host"] == "masik.example" for one in crawler.status()["refused"])


def test_a_section_that_has_gone_is_an_empty_page_as_any_other(crawler: Crawler) -> None:
    crawler.portal.script["/f/3"] = GONE
    assert crawler.crawl() == OK, crawler.said


def test_try_shows_the_sections_of_a_page(crawler: Crawler, curator: Any) -> None:
    crawler.crawl("--archive-only")
    options = ("--corpus", crawler.corpus, "--as", "archive", "--json")
    shown = json.loads(curator("try", crawler.file, f"{crawler.portal.home}/f/1", *options).out)
    assert shown["sections"] == [f"{crawler.portal.home}/f/9", f"{crawler.portal.home}/"]
