"""`curator open`: an article is found by its address, its id or its title, its page written, and a browser asked to show it."""

from __future__ import annotations

import os
import shutil
from html import unescape
from pathlib import Path

import pytest
from small_corpus import SmallCorpus, page


@pytest.fixture
def built(tmp_path: Path) -> tuple[Path, Path]:
    """The portal file and the folder of its corpus."""
    corpus = SmallCorpus(tmp_path, rules="articles: {skip: {when: [body.about]}}\n")
    about = b'<html><body class="about"><h1>About us</h1><p>Who we are.</p></body></html>'
    corpus.store(("/bridge-opened", page("The bridge is open")), ("/school-closed", page("A school")), ("/about", about))
    corpus.build()
    return tmp_path / "portal.yaml", corpus.folder


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a browser was asked to open."""
    addresses: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda address: bool(addresses.append(address)) or True)
    return addresses


def test_an_article_is_shown_in_the_browser(built, shown, curator) -> None:
    portal, corpus = built
    ended = curator("open", portal, "bridge", "--corpus", corpus)
    path = Path(ended.out.strip())
    assert ended.code == 0
    assert path.parent == corpus / "reports" / "articles"
    assert shown == [path.resolve().as_uri()]
    assert "The bridge is open" in path.read_text(encoding="utf-8")


def test_a_file_is_made_and_nothing_opened(built, shown, curator, tmp_path: Path) -> None:
    portal, corpus = built
    assert curator("open", portal, "bridge", "--corpus", corpus, "-o", tmp_path / "one.html").code == 0
    assert curator("open", portal, "bridge", "--corpus", corpus, "--print").out.strip().endswith(".html")
    assert curator("open", portal, "bridge", "--corpus", corpus, "-o", "-").out == (tmp_path / "one.html").read_text(encoding="utf-8")
    assert shown == []


def test_an_article_is_found_by_a_part_of_its_address_as_a_browser_shows_it(tmp_path: Path, shown, curator) -> None:
    corpus = SmallCorpus(tmp_path)
    corpus.store(("/kuoro-hirsil%C3%A4n", page("The choir")), ("/school", page("A school")))
    corpus.build()
    assert curator("open", tmp_path / "portal.yaml", "kuoro-hirsilän", "--corpus", corpus.folder).code == 0
    assert len(shown) == 1


def test_it_says_which_articles_may_be_meant(built, curator) -> None:
    portal, corpus = built
    several = curator("open", portal, "pelda.example", "--corpus", corpus)
    assert several.code == 2
    assert "3 articles fit 'pelda.example':" in several.err
    assert "https://pelda.example/school-closed  A school" in several.err
    assert "or anything like it" in curator("open", portal, "xyzzy", "--corpus", corpus).err


def test_a_known_address_without_article_is_told_and_nothing_like_it_is_offered(tmp_path: Path, curator) -> None:
    corpus = SmallCorpus(tmp_path)
    corpus.store(("/bridge-opened", page("The bridge is open")))
    corpus.build()
    corpus.store(("/bridge-closed", page("The bridge is closed")))
    ended = curator("open", tmp_path / "portal.yaml", "https://pelda.example/bridge-closed", "--corpus", corpus.folder)
    assert ended.code == 2
    assert "bridge-closed is known" in ended.err
    assert "bridge-opened" not in ended.err


def test_an_article_is_found_by_address_id_title_or_a_part_of_them(built, curator) -> None:
    portal, corpus = built
    id = Path(curator("open", portal, "school", "--corpus", corpus, "--print").out.strip()).stem
    for wanted in ("https://pelda.example/school-closed", id, id[-8:], "SCHOOL-cl", "A school"):
        assert Path(curator("open", portal, wanted, "--corpus", corpus, "--print").out.strip()).stem == id, wanted


@pytest.mark.parametrize("typed", ["Árvíz", "árvíz", "ARVIZ", "urhajo"])
def test_a_headline_is_found_in_capitals_or_not_with_accents_or_without(tmp_path: Path, curator, typed: str) -> None:
    corpus = SmallCorpus(tmp_path)
    corpus.store(("/1", page("Árvíz és Űrhajó")), ("/2", page("A school")))
    corpus.build()
    assert "rhaj" in curator("open", tmp_path / "portal.yaml", typed, "--corpus", corpus.folder, "-o", "-").out


def test_its_page_shows_the_archived_page_the_document_and_where_each_value_came_from(built, curator) -> None:
    portal, corpus = built
    html = curator("open", portal, "bridge", "--corpus", corpus, "-o", "-").out
    assert html.count('sandbox=""') == 1
    for shown in (
        "&lt;h1&gt;The bridge is open&lt;/h1&gt;",  # the archived page, as text in an attribute
        '<h3>The bridge is open</h3>', "&lt;TEI xmlns=", "datePublished", "article:published_time",
    ):  # fmt: skip
        assert shown in html
    assert "<script" not in unescape(html)


def test_a_page_that_is_no_article_is_shown_alone_and_a_lost_file_is_told(built, curator) -> None:
    portal, corpus = built
    html = curator("open", portal, "about", "--corpus", corpus, "-o", "-").out
    assert "Who we are." in html and "no document" in html and "not-article" in html
    for path in (corpus / "warc").iterdir():
        path.unlink()
    assert "cannot be shown" in curator("open", portal, "bridge", "--corpus", corpus, "-o", "-").out


def test_without_a_browser_the_file_is_named(built, curator, monkeypatch: pytest.MonkeyPatch) -> None:
    portal, corpus = built
    monkeypatch.setattr("webbrowser.open", lambda _: False)
    ended = curator("open", portal, "bridge", "--corpus", corpus)
    assert ended.code == 0
    assert "no browser here" in ended.err


def test_a_corpus_that_is_not_built_says_so(built, curator) -> None:
    portal, corpus = built
    for path in corpus.glob("build.sqlite*"):
        path.unlink()
    shutil.rmtree(corpus / "tei")
    assert "curator build" in curator("open", portal, "bridge", "--corpus", corpus).err


def test_without_an_article_the_report_is_shown_and_made_where_it_is_old(built, shown, curator) -> None:
    portal, corpus = built
    place = Path(curator("open", portal, "--corpus", corpus).out.strip())
    assert shown == [place.resolve().as_uri()]
    place.write_text("as it was", encoding="utf-8")
    curator("open", portal, "--corpus", corpus)
    assert place.read_text(encoding="utf-8") == "as it was", "nothing has changed since"
    os.utime(place, (0, 0))
    curator("open", portal, "--corpus", corpus)
    assert "<html" in place.read_text(encoding="utf-8")
