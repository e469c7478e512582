"""An article is found by its URL, its id, or a part of them; its page shows the archived one beside what was made of it."""

from __future__ import annotations

from html import unescape

import pytest
from small_corpus import SmallCorpus, page

from webarticlecurator.article_view import Match, find_article, view_article
from webarticlecurator.corpus.folder import Corpus


@pytest.fixture
def built(corpus: SmallCorpus) -> SmallCorpus:
    corpus.rules = "articles: {skip: {when: [body.about]}}\n"
    about = b'<html><body class="about"><h1>About us</h1><p>Who we are.</p></body></html>'
    corpus.store(("/bridge-opened", page("The bridge is open")), ("/school-closed", page("A school")), ("/about", about))
    corpus.build()
    return corpus


def find(built: SmallCorpus, wanted: str) -> tuple[list[str], int, bool]:
    found = find_article(built.portal, Corpus(built.folder), wanted)
    return [one.url.removeprefix("https://pelda.example") for one in found.matches], found.total, found.exact


def matched(built: SmallCorpus, wanted: str) -> Match:
    return find_article(built.portal, Corpus(built.folder), wanted).matches[0]


def test_an_article_is_found_by_url_id_or_a_part_of_them(built: SmallCorpus) -> None:
    id = matched(built, "school").id
    for wanted in ("https://pelda.example/school-closed", id, id[-8:], "SCHOOL-cl", "A school"):
        assert find(built, wanted) == (["/school-closed"], 1, True), wanted


def test_several_are_told(built: SmallCorpus) -> None:
    assert find(built, "pelda.example") == (["/about", "/bridge-opened", "/school-closed"], 3, False)


def test_what_is_like_it_is_told_where_nothing_fits(built: SmallCorpus) -> None:
    assert find(built, "https://pelda.example/2024/bridge-was-opened") == (["/bridge-opened"], 0, False)
    assert find(built, "xyzzy") == ([], 0, False)


def test_the_page_shows_page_document_and_sources(built: SmallCorpus) -> None:
    html = view_article(built.portal, Corpus(built.folder), matched(built, "bridge"))
    assert html.count('sandbox=""') == 1
    assert "&lt;h1&gt;The bridge is open&lt;/h1&gt;" in html, "the archived page, as text in an attribute"
    assert '<h3 class="tei-head">The bridge is open</h3>' in html
    assert "&lt;TEI xmlns=" in html
    assert "datePublished" in html
    assert "article:published_time" in html
    assert "<script" not in unescape(html)


def test_a_page_that_is_no_article_is_shown_alone(built: SmallCorpus) -> None:
    html = view_article(built.portal, Corpus(built.folder), matched(built, "about"))
    assert "Who we are." in html
    assert "It has no document" in html
    assert "not-article" in html


def test_a_lost_file_is_told_in_place_of_the_page(built: SmallCorpus) -> None:
    for path in (built.folder / "warc").iterdir():
        path.unlink()
    assert "It cannot be shown" in view_article(built.portal, Corpus(built.folder), matched(built, "bridge"))
