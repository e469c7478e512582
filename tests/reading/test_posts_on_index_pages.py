"""Which posts stand on an index page, which pages are such, and what each post says of itself."""

from __future__ import annotations

from typing import Any

import memory
import pytest
from lxml.etree import tostring
from rewriting import written
from trial_portal import capture_of, page_of, portal_of

from webarticlecurator.extraction.article import read_index_post
from webarticlecurator.extraction.index_posts import IndexPage, index_page_of, read_index_page
from webarticlecurator.model.article import Article
from webarticlecurator.model.page import NoPage

BLOG = {"item": "div.p", "url": "h3 a", "title": "h3", "text": "div.t", "author": "b", "time": "time", "more": "a.more"}
LONG = "A hidat tegnap délután adták át a forgalomnak, és estére már állt rajta a sor. "


def post(path: str, text: str = LONG, more: str = "") -> str:
    return f"<div class=p><h3><a href='{path}'>Cím {path}</a></h3><div class=t><p>{text}</p></div>{more}</div>"


def index_of(html: str, at: str = "https://pelda.example/", *, blog: dict[str, Any] | None = None, **rules: Any) -> IndexPage:
    return read_index_page(page_of(html, at), portal_of(posts={"blog": {**BLOG, **(blog or {})}}, **rules))


def articles_of(html: str, **more: Any) -> list[Article]:
    index = index_of(html, **more)
    return [read_index_post(index, one, id="pelda-1") for one in index.posts]


@memory.told
def test_ids_of_posts_are_not_held_once_their_page_is_forgotten() -> None:
    def read_some(first: int) -> None:
        for number in range(first, first + 60):
            assert len(articles_of("".join(post(f"/{one}", f"<b id='{number}{one}{'x' * 50_000}'>{LONG}</b>") for one in range(4)))) == 4

    read_some(0)
    before = memory.megabytes()
    read_some(1000)
    assert memory.megabytes() - before < 4  # of 12 million characters of ids


def test_a_post_stays_where_it_stands_when_it_is_read() -> None:
    index = index_of(f"before{post('/1')}between{post('/2')}after")
    tree = index.page.tree
    assert tree is not None
    before = tostring(tree)
    assert [read_index_post(index, one, id="pelda-1").url for one in index.posts] == ["https://pelda.example/1", "https://pelda.example/2"]
    assert tostring(tree) == before


@pytest.mark.parametrize(
    ("html", "at", "is_index"),
    [
        (post("/1") + post("/2"), "/", True),
        (post("/1"), "/page/9", True),
        (post("/1"), "/1", False),
        (post("/1"), "/1?m=1", False),
        (post("/1") + post("/2"), "/1", False),
        ("<link rel=canonical href=/1>" + post("/1"), "/other-address", False),
        (post("#top", LONG * 9) + post("/1") + post("/2"), "/here", False),
        (f"<p>{LONG * 9}</p>" + post("/1") + post("/2"), "/here", False),
        (post("https://masik.example/1") + post("https://masik.example/2"), "/", False),
        ("<p>Semmi.", "/", False),
    ],
)
def test_which_pages_are_index_pages(html: str, at: str, is_index: bool) -> None:
    rules = {"archive": {"url": "https://pelda.example/", "item": "div.p", "urls": {"drop_params": ["m"]}}}
    assert index_of(html, f"https://pelda.example{at}", **rules).is_index is is_index


def test_a_post_needs_something_in_it_and_of_two_on_one_page_the_fuller_counts() -> None:
    empty, picture = "<div class=p><h3><a href=/0>Cím</a></h3><div class=t> </div></div>", post("/3", "<img src=/k.jpg>")
    index = index_of(empty + post("/1", "Rövid.") + picture + post("/1"))

    assert [one.identity for one in index.posts] == [f"https://pelda.example/{path}" for path in (1, 3, 1)]
    assert index.by_identity["https://pelda.example/1"] is index.posts[2]


def test_a_post_with_a_way_on_is_not_whole_and_a_whole_one_is_fuller_than_a_longer_beginning() -> None:
    index = index_of(post("/1", LONG * 3, "<a class=more href=/1>Tovább</a>") + post("/1", LONG))

    assert [one.whole for one in index.posts] == [False, True]
    assert index.by_identity["https://pelda.example/1"].whole


def test_a_post_within_another_one_is_part_of_it() -> None:
    index = index_of(post("/1", f"{LONG}</p>{post('/2')}<p>"))

    assert [one.identity for one in index.posts] == ["https://pelda.example/1"]


def test_the_metadata_of_a_post_are_its_own_and_what_the_page_says_of_the_whole_blog() -> None:
    head = (
        "<html lang=de><head><title>Mein Blog</title><meta property='og:site_name' content='Mein Blog'><meta name=author content=Wer>"
        "<meta property='og:title' content=Start><meta property='article:published_time' content='2001-01-01T00:00:00Z'>"
        '<script type=\'application/ld+json\'>{"@type": "BlogPosting", "headline": "Anderes"}</script></head>'
    )
    one = post("/1").replace("</h3>", "</h3><b>Anna</b><b>Béla</b><time>2024. május 3.</time>")
    first, second = articles_of(f"{head}<h1>Blog</h1>{one}{post('/2')}", metadata={"articleSection": {"page_url": "/(\\d)$"}})

    values = {name: [found.value for found in told] for name, told in first.metadata.items()}
    assert values["author"] == ["Anna", "Béla"]
    assert (values["headline"], values["datePublished"], values["url"]) == (["Cím /1"], ["2024-05-03"], ["https://pelda.example/1"])
    assert (values["publisher"], values["articleSection"]) == (["Mein Blog"], ["1"])
    assert first.metadata["headline"][0].source == "posts.blog.title"
    assert first.flags == ()
    assert second.flags == ("index page: the post has no date there",)
    assert not {"author", "description", "image"} & second.metadata.keys()


def test_what_no_rule_tells_the_general_reader_finds_beside_the_text_of_the_post() -> None:
    byline = "<p>Közzétette: <a rel=author href=/szerzo/anna>Kis Anna</a> <time datetime=2024-05-03T10:00:00+02:00></time></p>"
    beside = f"{byline}<h4>Megosztás</h4>"
    text = f"{LONG}<a rel=author href=/szerzo/masik>Nagy Béla</a> <time datetime=2001-01-01>régen</time>"
    (article,) = articles_of(f"<a rel=author>Más Valaki</a>{post('/1', text, beside)}", blog={"author": None, "time": None})
    (untitled,) = articles_of(post("/1", text, beside).replace("Cím /1", "").replace("<h3>", "<h3><b>#</b>"), blog={"title": "h2"})

    values = {name: [found.value for found in told] for name, told in article.metadata.items()}
    assert (values["author"], values["datePublished"]) == (["Kis Anna"], ["2024-05-03T10:00:00+02:00"])
    assert "headline" not in untitled.metadata, "what stands where no title is, is none"


def test_what_leads_to_the_rest_is_no_text_but_an_excerpt_that_shows_that_there_is_more_is() -> None:
    (link,) = articles_of(post("/1", f"{LONG}<a class=more href=/1>Tovább</a>"))
    (excerpt,) = articles_of(post("/2", f"<span class=kivonat>{LONG}</span>"), blog={"more": ".kivonat"})

    for one in (link, excerpt):
        assert written(one.blocks) == f"paragraph({LONG.strip()})"
        assert one.flags[-1] == "index page: only the beginning of the post stands there"


def test_the_account_of_a_post_holds_what_its_rules_left_out() -> None:
    (article,) = articles_of(post("/1", LONG, "<i>Megosztás</i>"))

    assert [one.text for one in article.pieces if one.rule == "posts.blog: not its text"] == ["Cím /1", "Megosztás"]


def test_feeds_and_data_hold_no_posts() -> None:
    portal = portal_of(posts={"blog": BLOG})
    feed = capture_of(post("/1") + post("/2"), headers=(("Content-Type", "application/atom+xml; charset=utf-8"),))

    assert isinstance(index_page_of(feed, portal), NoPage)
    assert isinstance(index_page_of(capture_of(post("/1")), portal), IndexPage)
