"""Columns that write one address in two ways: the article stays under the address by which it is known."""

from __future__ import annotations

import pytest

from webarticlecurator.crawling.spellings import in_known_spellings
from webarticlecurator.model.links import ArchivePage, ArticleLink

KNOWN = "https://pelda.example/cikk/1"


def under(*links: ArticleLink) -> list[tuple[str, str]]:
    page = in_known_spellings(ArchivePage(articles=links), {KNOWN}.__contains__)
    return [(link.url, link.identity) for link in page.articles]


def link(url: str, identity: str | None = None) -> ArticleLink:
    return ArticleLink(url=url, identity=identity or url)


@pytest.mark.parametrize(
    "url", [KNOWN, "http://pelda.example/cikk/1", "https://www.pelda.example/cikk/1", "http://www.pelda.example/cikk/1/"]
)
def test_another_spelling_of_a_known_address_is_that_address(url: str) -> None:
    assert under(link(url)) == [(KNOWN, KNOWN)]


@pytest.mark.parametrize("url", ["https://pelda.example/cikk/2", "https://pelda.example/cikk/1?x", "https://masik.example/cikk/1"])
def test_another_address_stays_one(url: str) -> None:
    assert under(link(url)) == [(url, url)]


def test_two_new_spellings_on_one_page_are_one_article() -> None:
    assert under(link("https://pelda.example/b"), link("http://pelda.example/b/")) == [("https://pelda.example/b",) * 2]


def test_what_an_identity_rule_says_counts_alone() -> None:
    assert under(link("http://pelda.example/cikk/1", "1")) == [("http://pelda.example/cikk/1", "1")]
