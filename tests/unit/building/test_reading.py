"""Which of the stored captures an article is read from."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest
from small_corpus import SmallCorpus, page

from webarticlecurator.building.reading import read_source
from webarticlecurator.corpus.stored_articles import ArticleResponse, StoredArticle, StoredArticles
from webarticlecurator.model.article import Article, plain_text
from webarticlecurator.warc.reader import CaptureReader

WALL = b"<html><head><title>Just a moment...</title></head><body><script src='/cdn-cgi/challenge-platform/x.js'></script></body></html>"
CONSENT = (
    b"<html><head><title>Before you continue</title></head><body><h1>Before you continue</h1><button>Accept all</button></body></html>"
)


def _sources(corpus: SmallCorpus) -> list[StoredArticle]:
    with StoredArticles(corpus.folder / "ledger.sqlite", corpus.portal) as sources:
        return list(sources)


def _read(corpus: SmallCorpus, source: StoredArticle) -> Article:
    with CaptureReader(corpus.folder / "warc") as captures:
        return read_source(source, captures, corpus.portal)


def test_the_latest_version_counts_and_the_others_are_named_newest_first(corpus: SmallCorpus) -> None:
    for day, title in (("02", "Second"), ("01", "First"), ("03", "Third")):
        corpus.store(("/a", page(title)), date=f"2024-06-{day}T00:00:00Z")
    (source,) = _sources(corpus)

    article = _read(corpus, source)

    assert article.metadata["headline"][0].value == "Third"
    assert [one.date for one in article.captures] == ["2024-06-03T00:00:00Z"]
    assert [one.date for one in article.versions] == ["2024-06-02T00:00:00Z", "2024-06-01T00:00:00Z"]


@pytest.mark.parametrize("later", [b"", WALL, CONSENT])
def test_an_older_capture_stands_in_for_a_newer_one_that_is_no_page(corpus: SmallCorpus, later: bytes) -> None:
    corpus.store(("/a", page("Good")), date="2024-06-01T00:00:00Z")
    corpus.store(("/a", later), date="2024-06-02T00:00:00Z")
    (source,) = _sources(corpus)

    article = _read(corpus, source)

    assert (article.outcome, article.metadata["headline"][0].value) == ("article", "Good")


def test_an_article_of_which_only_a_consent_page_is_stored_is_one(corpus: SmallCorpus) -> None:
    corpus.store(("/a", page("Good")), date="2024-06-01T00:00:00Z")
    corpus.store(("/a", CONSENT), date="2024-06-02T00:00:00Z")
    with closing(sqlite3.connect(corpus.folder / "ledger.sqlite", isolation_level=None)) as ledger:
        ledger.execute("UPDATE responses SET part = 1")  # a crawl that meets it stores no version; files of others may hold one
    (source,) = _sources(corpus)

    article = _read(corpus, replace(source, stored=source.stored[:1]))

    assert (article.outcome, article.blocks) == ("consent", ())


def _all_stored(corpus: SmallCorpus) -> list[ArticleResponse]:
    return [one for source in _sources(corpus) for one in source.stored]


def test_a_damaged_record_makes_one_article_unreadable(corpus: SmallCorpus) -> None:
    corpus.store(("/a", page("A")), ("/b", page("B")))
    first, second = _sources(corpus)
    place = first.stored[0].capture
    file = corpus.folder / "warc" / place.file
    data = bytearray(file.read_bytes())
    data[place.offset + 20 : place.offset + place.length - 20] = bytes(place.length - 40)
    file.write_bytes(bytes(data))

    assert _read(corpus, first).outcome == "unreadable"
    assert _read(corpus, second).outcome == "article"


class TestSeveralPages:
    """Pages of one article, as `articles.next` led from one to the other."""

    @pytest.fixture
    def parts(self, corpus: SmallCorpus) -> dict[str, ArticleResponse]:
        corpus.rules = "articles: {next: a.next}\n"
        link = '<a class="next" href="/a?page=2">2</a>'
        corpus.store(("/a", page("One", text=f"first {link}")), date="2024-06-01T10:00:00Z")
        corpus.store(("/a?page=2", page("One", text="second")), date="2024-06-01T10:00:05Z")
        corpus.store(("/new", page("One", text="corrected")), date="2024-06-05T10:00:00Z")
        corpus.store(("/new-linked", page("One", text=f"corrected {link}")), date="2024-06-05T10:00:00Z")
        stored = {one.asked.removeprefix("https://pelda.example"): one for one in _all_stored(corpus)}
        url = "https://pelda.example/a"
        return {
            "1": stored["/a"],
            "2": replace(stored["/a?page=2"], url=url, part=2),
            "new 1": replace(stored["/new"], url=url, asked=url),
            "new 1, linked": replace(stored["/new-linked"], url=url, asked=url),
            "2 again": replace(
                stored["/a?page=2"],
                url=url,
                part=2,
                revisit=True,
                capture=replace(stored["/a?page=2"].capture, date="2024-06-05T10:00:05Z"),
            ),
        }

    def _texts(self, corpus: SmallCorpus, *stored: ArticleResponse) -> list[str]:
        source = StoredArticle(id="pelda-1", identity="https://pelda.example/a", key=0, listing={}, stored=stored)
        text = plain_text(_read(corpus, source).blocks)
        return [word for word in ("first", "second", "corrected") if word in text]

    def test_they_become_one_article(self, corpus: SmallCorpus, parts: dict[str, ArticleResponse]) -> None:
        assert self._texts(corpus, parts["2"], parts["1"]) == ["first", "second"]

    def test_a_page_that_the_new_first_page_does_not_lead_to_is_left_out(
        self, corpus: SmallCorpus, parts: dict[str, ArticleResponse]
    ) -> None:
        assert self._texts(corpus, parts["new 1"], parts["2"], parts["1"]) == ["corrected"]

    def test_a_page_that_it_still_leads_to_stays(self, corpus: SmallCorpus, parts: dict[str, ArticleResponse]) -> None:
        assert self._texts(corpus, parts["new 1, linked"], parts["2"], parts["1"]) == ["second", "corrected"]

    def test_a_page_that_was_found_unchanged_stays(self, corpus: SmallCorpus, parts: dict[str, ArticleResponse]) -> None:
        assert self._texts(corpus, parts["2 again"], parts["new 1"], parts["2"], parts["1"]) == ["second", "corrected"]
