"""The example portal from the first page to the last document."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from crawling import Crawling, crawling

from webarticlecurator import corpus_build, pipeline
from webarticlecurator.building.options import BuildOptions, BuildSummary
from webarticlecurator.config.load import load_portal
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.tei import validate


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawling]:
    with crawling(tmp_path_factory.mktemp("example"), articles=60, page_size=10) as crawl:
        crawl.crawl()
        yield crawl


def _build(crawled: Crawling, **options: int | bool) -> BuildSummary:
    return corpus_build.build(load_portal(crawled.file), corpus=crawled.corpus, options=BuildOptions(**{"jobs": 1, **options}))


def _documents(crawled: Crawling) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((crawled.corpus / "tei").rglob("*.xml"))}


def test_every_fetched_article_gets_a_page_outcome_and_every_document_is_valid(crawled: Crawling) -> None:
    summary = _build(crawled)

    assert summary.articles == sum(summary.outcomes.values()) > 0
    assert summary.going_on is None, "every article is whole"
    assert summary.outcomes[PageOutcome.ARTICLE] > 0.9 * summary.articles
    documents = _documents(crawled)
    assert len(documents) == summary.outcomes[PageOutcome.ARTICLE] + summary.outcomes.get(PageOutcome.PAYWALL, 0)
    assert {name: faults for name, document in documents.items() if (faults := validate(document))} == {}
    assert summary.lost_addresses == 0


def test_built_again_by_two_processes_it_gives_the_same_bytes(crawled: Crawling) -> None:
    _build(crawled)
    before = _documents(crawled)

    again = _build(crawled, everything=True, jobs=2)

    assert again.written == 0
    assert _documents(crawled) == before


def test_articles_of_several_pages_are_one_document_that_names_all_its_captures(crawled: Crawling) -> None:
    _build(crawled)
    with closing(sqlite3.connect(crawled.corpus / "ledger.sqlite")) as ledger:
        urls = [url for (url,) in ledger.execute("SELECT url FROM urls WHERE parts > 1")]
    assert urls
    with closing(sqlite3.connect(crawled.corpus / "build.sqlite")) as database:
        for url in urls:
            (path,) = database.execute("SELECT path FROM articles WHERE url = ?", (url,)).fetchone()
            document = (crawled.corpus / path).read_bytes()
            assert document.count(b"<pb") >= 1
            assert document.count(b'type="capture"') >= 2


def test_people_see_the_page_outcome_of_what_was_built(crawled: Crawling) -> None:
    summary = _build(crawled)

    report = pipeline.status(load_portal(crawled.file), corpus=crawled.corpus)

    for outcome, number in summary.outcomes.items():
        assert report.outcomes[outcome] == number
    assert report.unbuilt == 0


def test_articles_can_be_read_with_only_the_corpus_at_hand(crawled: Crawling) -> None:
    summary = _build(crawled)

    articles = list(corpus_build.read_corpus(crawled.corpus))

    assert len(articles) == summary.outcomes[PageOutcome.ARTICLE]
    assert all(article.blocks for article in articles)


def test_building_while_a_crawl_holds_the_corpus_is_fine(crawled: Crawling, tmp_path: Path) -> None:
    with closing(sqlite3.connect(crawled.corpus / "ledger.sqlite", isolation_level=None)) as crawl:
        crawl.execute("BEGIN IMMEDIATE")

        assert _build(crawled).articles

        crawl.execute("ROLLBACK")
