"""The part of the example portal that shows nothing without its scripts, from the first page to the last document, by a real browser."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from crawling import Crawling, crawling, exit_code
from ledgers import differences

from webarticlecurator import Article, BuildOptions, CrawlOptions, build, crawl, load_portal, read_corpus, status

pytestmark = [pytest.mark.browser, pytest.mark.nightly]


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawling]:
    with crawling(tmp_path_factory.mktemp("scripted"), articles=40, page_size=2, scripted=True) as site:
        summary = site.crawl()
        assert exit_code(summary) == 0, (summary, site.heard.said)
        yield site


def _articles(crawled: Crawling, corpus: Path) -> dict[str, Article]:
    build(load_portal(crawled.file), corpus=corpus, options=BuildOptions(jobs=1))
    return {article.url: article for article in read_corpus(corpus)}


def test_every_column_is_complete_and_proved(crawled: Crawling) -> None:
    assert crawled.fetched == crawled.expected
    report = status(load_portal(crawled.file), corpus=crawled.corpus)
    assert {row.column for row in report.completeness if row.proved} == set(crawled.portal.scripted_articles), report.completeness
    assert set(crawled.stored_articles.values()) == {1}


def test_each_article_says_what_the_truth_says(crawled: Crawling) -> None:
    articles = _articles(crawled, crawled.corpus)
    assert set(articles) == crawled.expected
    for url, article in articles.items():
        truth = crawled.portal.truth(url)
        assert article.title == truth.headline
        assert article.date == truth.datePublished.isoformat()
        assert tuple(article.authors) == truth.author
        assert article.section == truth.articleSection
        assert [line for line in truth.text.split("\n") if line not in article.text] == [], url


def test_the_warc_files_alone_give_the_same_ledger_and_articles_without_a_browser(
    curator: Any, crawled: Crawling, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = _articles(crawled, crawled.corpus)
    corpus = tmp_path / "corpus"
    shutil.copytree(crawled.corpus / "warc", corpus / "warc")
    monkeypatch.setenv("CURATOR_BROWSER", "/nowhere/at/all")
    portal = load_portal(crawled.file)
    assert curator("warc", "index", crawled.file, "--corpus", corpus).code == 0
    assert differences(crawled.corpus / "ledger.sqlite", corpus / "ledger.sqlite") == []
    asked = len(crawled.portal.requests)
    summary = crawl(portal, corpus=corpus, options=CrawlOptions(offline=True, full=True))
    assert exit_code(summary) == 0, summary
    assert len(crawled.portal.requests) == asked
    again = _articles(crawled, corpus)
    assert {url: one.to_dict() for url, one in again.items()} == {url: one.to_dict() for url, one in live.items()}


def test_a_page_is_tried_in_a_browser_beside_what_was_sent(crawled: Crawling, curator: Any) -> None:
    ended = curator("try", crawled.file, f"{crawled.portal.home}/app/tovabbi", "--fetch")
    assert "In a browser (Chromium" in ended.out
    assert "the page grows (`pages: load-more`)" in ended.out
    plain = curator(
        "try", crawled.portal.portal_file(crawled.folder), f"{crawled.portal.home}/app/hirek", "--as", "archive", "--browser", "--json"
    )
    line = json.loads(plain.out)
    assert [one["url"] for one in line["articles"]] == list(crawled.portal.scripted_articles["hirek"][:2])
    assert (line["in_browser"]["is_needed"], line["in_browser"]["sent"]["links"]) == (True, 1)
