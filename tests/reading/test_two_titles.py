"""One article under two titles in the lists is a problem for a person, until the crawl has looked at the article again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from scripted_portal import Crawler, ScriptedPortal

RULES = """
articles: {identity: '/c/(\\d+)'}
archive: {pages: none, item: li, fields: {headline: a}}
columns: {new: {url: HOME/}, most-read: {url: HOME/most}}
"""
CLOSED = "<ul><li><a href=/c/1>The bridge is closed</a></ul>"
OPENS = CLOSED.replace("is closed", "opens")


@pytest.fixture
def crawler(curator: Any, tmp_path: Path, site: ScriptedPortal) -> Crawler:
    site.script |= {"/": CLOSED, "/most": CLOSED}
    return Crawler(curator, tmp_path, site, rules=RULES)


def conflicts(crawler: Crawler) -> list[str]:
    lines = map(json.loads, (crawler.corpus / "problems.jsonl").read_text("utf-8").splitlines())
    return [line["reason"] for line in lines if line["outcome"] == "conflict"]


def test_two_titles_at_a_time_are_a_problem_however_often_the_article_is_looked_at(crawler: Crawler) -> None:
    crawler.portal.script["/most"] = OPENS
    for flags in ((), ("--recheck", "30d")):
        crawler.crawl(*flags)
        assert conflicts(crawler) == ["the listings give one article two titles: 'The bridge is closed' and 'The bridge opens'"], flags


@pytest.mark.parametrize(("address", "left"), [("/c/1", 0), ("/c/1-opens", 1)])
def test_a_new_title_at_the_same_address_is_none_any_more_once_the_article_was_looked_at_again(
    crawler: Crawler, address: str, left: int
) -> None:
    crawler.crawl()
    assert conflicts(crawler) == []

    crawler.portal.script["/"] = OPENS.replace("/c/1", address)
    crawler.crawl()
    assert len(conflicts(crawler)) == 1

    crawler.crawl("--recheck", "30d")
    assert len(conflicts(crawler)) == left
