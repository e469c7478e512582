"""The same from Python: what `from webarticlecurator import ...` gives does what the commands do."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html
from seams import portal_of
from small_corpus import page
from warc_records import warc_record, write_warc

from webarticlecurator import (
    Article,
    Capture,
    CorpusError,
    CrawlOptions,
    CrawlSummary,
    CuratorError,
    Outcome,
    PortalFileError,
    UsageError,
    build,
    crawl,
    extract,
    extract_many,
    iter_warc,
    load_portal,
    read_corpus,
    status,
)
from webarticlecurator.example_portal import ExamplePortal

URL = "https://pelda.example/hir/hid"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
ONE_COLUMN = CrawlOptions(columns=("francais",))


@pytest.fixture(scope="module")
def served() -> Iterator[ExamplePortal]:
    with ExamplePortal(articles=22) as portal:
        yield portal


@pytest.fixture
def file(served: ExamplePortal, tmp_path: Path) -> str:
    return str(served.portal_file(tmp_path, delay="0s"))


# --- from a portal to articles ---


def test_a_portal_file_is_crawled_built_and_read_by_its_path(file: str, served: ExamplePortal) -> None:
    summary = crawl(file, options=ONE_COLUMN)
    assert summary.fetched == len(served.articles["francais"])
    assert status(file).outcomes == {"fetched": summary.fetched}
    assert build(file).outcomes == {Outcome.ARTICLE: summary.fetched}
    assert {article.url for article in read_corpus(file)} == set(served.articles["francais"])


def test_paths_may_be_strings_and_several_portals_give_a_list(file: str, tmp_path: Path) -> None:
    corpus = str(tmp_path / "elsewhere")
    portal = load_portal(file)
    assert isinstance(crawl(portal, corpus=corpus, options=ONE_COLUMN), CrawlSummary)
    assert [one.portal for one in crawl([file], corpus=corpus, options=ONE_COLUMN)] == ["kilenchid"]
    build(portal, corpus=corpus)
    assert status(portal, corpus=corpus).corpus == corpus
    articles = list(read_corpus(corpus))
    assert [article.id for article in articles] == [article.id for article in read_corpus(portal, corpus=corpus)] != []
    assert all(isinstance(article, Article) for article in articles)


def test_a_mistake_is_an_error_of_ours(tmp_path: Path) -> None:
    (tmp_path / "portal.yaml").write_text("portal: pelda\nhome: pelda\n", encoding="utf-8")
    with pytest.raises(PortalFileError):
        load_portal(str(tmp_path / "portal.yaml"))
    with pytest.raises(UsageError):
        crawl(str(tmp_path / "none.yaml"))
    (tmp_path / "portal.yaml").write_text("portal: pelda\nhome: https://pelda.example/\n", encoding="utf-8")
    with pytest.raises(CorpusError):
        build(str(tmp_path / "portal.yaml"))
    assert issubclass(PortalFileError, CuratorError)


# --- one page, without a portal ---


@pytest.mark.parametrize("content", [page("Híd épül"), page("Híd épül").decode()], ids=["bytes", "text"])
def test_a_page_is_read_without_a_portal(content: bytes | str) -> None:
    article = extract(content, URL)
    assert article.outcome is Outcome.ARTICLE
    assert (article.title, article.date, article.url) == ("Híd épül", "2024-05-01T10:00:00+02:00", URL)
    assert "Híd épül 0." in article.text


@pytest.mark.parametrize("url", ["pelda", "mailto:a@pelda.example", "http://[::1/", "https://pelda.example:99999/", "/hir/hid"])
def test_whatever_the_address_of_a_page_is_there_is_an_answer(url: str) -> None:
    article = extract(page(), url)
    assert (article.url, article.outcome in Outcome) == (url, True)


@pytest.mark.parametrize("content", [b"", "", b"\x00\xff", "nem HTML"])
def test_whatever_a_page_is_there_is_an_answer(content: bytes | str) -> None:
    assert extract(content, URL).outcome in Outcome


def test_without_an_address_it_is_the_one_of_the_head_or_the_digest() -> None:
    told = page("Híd épül").replace(b"</head>", f"<link rel=canonical href={URL}></head>".encode())
    assert extract(told).url == URL == extract(told.decode(), "").url
    nameless, other = extract(page("Híd épül")), extract(page("Híd bomlik"), None)
    assert nameless.outcome is Outcome.ARTICLE
    assert nameless.url.startswith("urn:sha256:") and nameless.url == extract(page("Híd épül").decode()).url
    assert len({nameless.id, other.id, extract("").id}) == 3


def test_a_page_is_the_home_of_a_site_only_if_it_says_so_or_a_portal_file_does() -> None:
    home = "https://pelda.example/"
    by_hand, elsewhere = extract(page("Híd épül"), home), extract(page("Híd épül"), URL)
    assert (by_hand.outcome, by_hand.text) == (Outcome.ARTICLE, elsewhere.text)
    assert extract(page("Híd épül"), home, portal_of()).outcome is Outcome.LISTING
    told = page("Híd épül").replace(b"</head>", f"<link rel=canonical href={home}></head>".encode())
    assert extract(told, home).outcome is Outcome.LISTING


def test_a_page_is_taken_in_every_form_that_programs_have(tmp_path: Path) -> None:
    content = page("Híd épül")
    (tmp_path / "a.html").write_bytes(content)
    (tmp_path / "b.html.gz").write_bytes(gzip.compress(content))
    tree = html.fromstring(content.decode())
    forms = (content, content.decode(), bytearray(content), tmp_path / "a.html", tmp_path / "b.html.gz", tree, tree.getroottree())
    assert {extract(form, URL).title for form in forms} == {"Híd épül"}
    assert {extract(form, URL).text for form in forms} == {extract(content, URL).text}
    assert [article.title for article in extract_many([*forms, (content, None), (content, URL)] * 9, jobs=2)] == ["Híd épül"] * 81
    latin = "<meta charset=iso-8859-2><h1>Hídfő</h1>" + "<p>A tanács ülése kedden volt, és hosszú.</p>" * 20
    assert extract(latin).title == "Hídfő"


@pytest.mark.parametrize(("given", "told"), [(None, "failed"), (12, "12"), (Path("none.html"), "none.html"), (("a",), "no page")])
def test_what_is_no_page_is_told(given: Any, told: str) -> None:
    for read in (extract, lambda page: list(extract_many([page]))):
        with pytest.raises(UsageError, match=told):
            read(given)


def test_rules_are_named_by_their_file(tmp_path: Path) -> None:
    file = tmp_path / "portal.yaml"
    file.write_text("portal: pelda\nhome: https://pelda.example/\nmetadata: {headline: {const: By rule}}\n", encoding="utf-8")
    assert extract(page(), URL, portal=str(file)).title == "By rule" == extract(page(), URL, file).title
    assert [article.title for article in extract_many([(page(), URL)], portal=str(file))] == ["By rule"]


# --- any WARC ---


def test_any_warc_gives_its_captures_in_order(tmp_path: Path) -> None:
    first = write_warc(tmp_path / "a.warc.gz", {URL: page(), URL + "2": page()})
    second = write_warc(tmp_path / "b.warc", {URL + "3": b"none"}, status="404 Not Found")
    captures = list(iter_warc([str(first), second]))
    assert all(isinstance(capture, Capture) for capture in captures)
    assert [(capture.url, capture.status) for capture in captures] == [(URL, 200), (URL + "2", 200), (URL + "3", 404)]
    assert [capture.url for capture in iter_warc(str(second))] == [URL + "3"]
    assert list(iter_warc(tmp_path)) == captures


def test_a_capture_is_read_with_what_its_headers_say(tmp_path: Path) -> None:
    answer = HEAD.replace(b"\r\n\r\n", b"\r\nContent-Encoding: gzip\r\n\r\n") + gzip.compress(page("Híd épül"))
    (tmp_path / "a.warc").write_bytes(warc_record("response", answer, URL))
    (capture,) = iter_warc(tmp_path / "a.warc")
    article = extract(capture)
    assert (article.url, article.title) == (URL, "Híd épül")


def test_a_page_that_is_stored_as_unchanged_has_the_body_that_an_earlier_file_holds(tmp_path: Path) -> None:
    day = "2024-05-01T12:00:00Z"
    first, second = write_warc(tmp_path / "a.warc.gz", {URL: page("Híd épül")}, date=day), tmp_path / "b.warc"
    second.write_bytes(warc_record("revisit", HEAD, URL, WARC_Refers_To_Target_URI=URL, WARC_Refers_To_Date=day))
    assert [extract(capture).title for capture in iter_warc([first, second])] == ["Híd épül", "Híd épül"]


def test_a_file_that_is_not_there_or_damaged_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file"):
        list(iter_warc(tmp_path / "none.warc.gz"))
    cut = write_warc(tmp_path / "a.warc.gz", {URL: page()})
    cut.write_bytes(cut.read_bytes()[:-20])
    with pytest.raises(CorpusError, match=r"a\.warc\.gz"):
        list(iter_warc(cut))
    told: list[object] = []
    assert list(iter_warc(cut, on_damage=told.append)) == []
    assert told


# --- an article: what everybody asks for, and how much text it has ---

POSTS = {"liveblog": {"item": "div.e"}, "comments": {"item": "div.k"}}
WORDS = "<p>Két <b>szó</b>.</p>"


def read(content: str, **rules: object) -> Article:
    return extract(content, "https://pelda.example/1", portal_of(body={"root": "main"}, posts=POSTS, **rules))


def test_what_everybody_asks_for_has_short_names_and_what_is_not_known_is_none() -> None:
    metadata = {"headline": "h1", "author": ["i"], "articleSection": ["b"], "datePublished": "time"}
    content = "<h1>Híd</h1><i>Kis Anna</i><i>Nagy Béla</i><b>Belföld</b><b>Közélet</b><time>2024-05-01</time>"
    known, unknown = read(content, metadata=metadata), read("<main></main>")
    assert (known.title, known.date, known.section, known.authors) == ("Híd", "2024-05-01", "Belföld", ("Kis Anna", "Nagy Béla"))
    assert (unknown.title, unknown.date, unknown.section, unknown.authors, unknown.text) == (None, None, None, (), "")


def test_the_text_is_the_blocks_one_a_line_with_entries_and_without_comments() -> None:
    content = f"<main>{WORDS}<hr><ul><li>egy</li><li>kettő</li></ul><div class=e><p>10:00</p></div><div class=k><p>Nem.</p></div></main>"
    article = read(content)
    assert article.text == "Két szó.\negy\nkettő\n10:00"
    assert {post.kind for post in article.posts} == {"liveblog", "comments"}


@given(
    st.lists(st.sampled_from(["<p>egy", "<b>két</b>", " ", "<br>", "három", "<ul><li>", "<table><td>", "</ul>", "<div class=e>", "</div>"]))
)
def test_its_words_are_those_of_its_text(pieces: list[str]) -> None:
    article = read(f"<main>{''.join(pieces)}</main>")
    words = article.text.split()
    assert (article.extent.words, article.extent.characters) == (len(words), len(" ".join(words)))
