"""Whatever gives pages keeps the promise of `PageSource`: one answer to each request, a verdict and never an exception.

Another fetcher, or another place where pages are read from, is another row of SOURCES.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
from crawling import Crawling, crawling

from webarticlecurator.cli.page_sources import Rendered, SavedPage, live_pages
from webarticlecurator.config.load import load_portal
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.stored_pages import corpus_pages, warc_pages
from webarticlecurator.document.page import read_page
from webarticlecurator.model.capture import PageSource, Request
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.model.page import Page


def article_of(crawled: Crawling) -> str:
    return crawled.portal.articles["francais"][0]


@contextmanager
def in_browser(crawled: Crawling) -> Iterator[PageSource]:
    with live_pages(load_portal(crawled.file), None, in_browser=True) as source:
        yield Rendered(source)


@contextmanager
def saved(crawled: Crawling) -> Iterator[PageSource]:
    file = crawled.folder / "saved.html"
    with live_pages(load_portal(crawled.file), None) as source:
        file.write_bytes(source.fetch(Request(url=article_of(crawled))).capture.entity)
    yield SavedPage(file)


SOURCES: dict[str, Callable[[Crawling], AbstractContextManager[PageSource]]] = {
    "the portal": lambda crawled: live_pages(load_portal(crawled.file), None),
    "a browser": in_browser,
    "a corpus": lambda crawled: corpus_pages(Corpus(crawled.corpus), load_portal(crawled.file)),
    "WARC files": lambda crawled: warc_pages(Corpus(crawled.corpus).warc_files(), print),
    "a saved page": saved,
}
OF_ONE_PAGE = {"a saved page"}
"""What is asked for is that page, whatever its URL."""


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawling]:
    with crawling(tmp_path_factory.mktemp("pages"), articles=20, columns=("francais",)) as crawl:
        crawl.crawl()
        yield crawl


@pytest.fixture(scope="module", params=[pytest.param(name, marks=pytest.mark.browser if name == "a browser" else ()) for name in SOURCES])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def source(kind: str, crawled: Crawling) -> Iterator[PageSource]:
    with SOURCES[kind](crawled) as opened:
        yield opened


def test_a_page_that_is_there_is_given_whole_as_often_as_it_is_asked_for(source: PageSource, crawled: Crawling) -> None:
    url = article_of(crawled)
    for _ in range(2):
        fetched = source.fetch(Request(url=url))
        assert (fetched.verdict.outcome, fetched.capture.url, fetched.capture.requested_url) == (FetchOutcome.FETCHED, url, url)
        page = read_page(fetched.capture)
        assert isinstance(page, Page)
        assert page.tree.findtext(".//h1") == crawled.portal.truth(url).headline


def test_what_is_not_there_is_a_verdict_with_its_reason(source: PageSource, kind: str, crawled: Crawling) -> None:
    fetched = source.fetch(Request(url=f"{crawled.portal.url}nincs-ilyen"))
    assert fetched.verdict.reason
    assert (fetched.verdict.outcome is FetchOutcome.FETCHED) is (fetched.capture is not None) is (kind in OF_ONE_PAGE)


@pytest.mark.parametrize("url", ["http://[::1", "http://", "x:y", "http://127.0.0.1:99999/", "http://pelda.example/\x00"])
def test_an_address_that_is_none_is_a_verdict_too(source: PageSource, kind: str, url: str) -> None:
    fetched = source.fetch(Request(url=url))
    assert (fetched.verdict.outcome is FetchOutcome.FETCHED) is (kind in OF_ONE_PAGE)
