"""Which layout of the portal file reads a page, how the pages of an article become one, and the example portal as a whole."""

from __future__ import annotations

from typing import Any

import pytest
from read_bodies import BASE, portal_by, written
from seams import article_of

from webarticlecurator import Article


def joined(*pages: str, listing: dict[str, tuple[str, ...]] | None = None, url: str = BASE, **rules: Any) -> Article:
    """Of pages that lie behind one another."""
    addresses = [url, *(f"{url}?oldal={number}" for number in range(2, len(pages) + 1))]
    return article_of(*zip(addresses, pages, strict=True), url=url, portal=portal_by(**rules), listing=listing)


LAYOUTS: dict[str, Any] = {
    "metadata": {"datePublished": {"css": "time", "date": "iso"}, "headline": "h1"},
    "body": {"root": "div.uj", "tags": {"box": ["p.k"]}},
    "layouts": [
        {"name": "galéria", "when": "div.g", "body": {"root": "div.g"}},
        {"name": "régi", "until": "2011-03-31", "body": {"root": "td.cikk", "tags": {"quote": ["p.k"]}}, "metadata": {"headline": "h2"}},
        {"name": "blog", "url": ["/blog/"], "from": "2012-01-01", "body": {"root": "div.blog"}},
    ],
}


@pytest.mark.parametrize(
    ("html", "url", "listing", "layout"),
    [
        ("", BASE, {}, None),
        ("<div class=g>a</div>", BASE, {}, "galéria"),
        ("<time>2024-01-01</time>", BASE, {"datePublished": ("2010-05-01",)}, "régi"),
        ("<time>2024-01-01</time>", "https://pelda.example/2011/03/31/a", {}, "régi"),
        ("<time>2011-04-01</time>", "https://pelda.example/2011/03/31/a", {"datePublished": ("2011-04-01T00:10:00+02:00",)}, None),
        ("<time>2011-03-31</time>", BASE, {}, "régi"),
        ("<time>2011-04-01</time>", BASE, {}, None),
        ("<time>2013-04-01</time>", "https://pelda.example/blog/1", {}, "blog"),
        ("<time>2011-12-31</time>", "https://pelda.example/blog/1", {}, None),
        ("", "https://pelda.example/blog/1", {}, None),
    ],
)
def test_the_first_layout_whose_conditions_all_hold(html: str, url: str, listing: dict[str, tuple[str, ...]], layout: str | None) -> None:
    assert joined(f"<p>x{html}", url=url, listing=listing, **LAYOUTS).layout == layout


# --- several pages ---


def test_pages_are_joined_with_breaks_and_the_latest_change_is_that_of_the_article() -> None:
    page = "<h1>Híd</h1><div class=b><p class=l>{0}</p>{0}<uj-elem>x</uj-elem></div><i>{1}</i>"
    rules: dict[str, Any] = {
        "metadata": {"headline": "h1", "dateModified": {"css": "i", "date": "iso"}},
        "body": {"root": "div.b", "tags": {"lead": ["p.l"]}},
    }
    article = joined(*(page.format(number, f"2024-05-0{number}") for number in (1, 2)), **rules)
    assert written(article.blocks) == "lead(paragraph(1)) paragraph(1x) page-break() paragraph(2) paragraph(2x)"
    assert [block.attributes for block in article.blocks if block.type == "page-break"] == [{"page": "2"}]
    assert article.metadata["dateModified"][0].value == "2024-05-02"
    assert [(tag.tag, tag.count) for tag in article.unknown_tags] == [("uj-elem", 2)]


@pytest.mark.parametrize(
    ("second", "rest"),
    [
        ("<p>lead<img src=a.jpg><p>2", " paragraph(2)"),
        ("<p>lead<img src=a.jpg>", ""),
        ("<p>lead<img src=b.jpg><p>2", " figure@/cikk/b.jpg() paragraph(2)"),
        ("<p>2<p>lead", " paragraph(2) paragraph(lead)"),
        ("<p>Sport<p>lead<img src=a.jpg><p>2", " paragraph(Sport) paragraph(lead) paragraph(2)"),
        ("<p>le<a href=#ad>ad</a><p>2", " paragraph(2)"),
    ],
)
def test_what_every_page_begins_with_is_said_once(second: str, rest: str) -> None:
    article = joined("<article><p>lead<img src=a.jpg><p>1</article>", f"<article>{second}</article>", body={"root": "article"})
    assert written(article.blocks) == f"paragraph(lead) figure@/cikk/a.jpg() paragraph(1) page-break(){rest}"
    assert len(joined(*["".join(f"<p>{number}{'. mondat' * 6}" for number in range(20))] * 2, body={"root": "body"}).blocks) == 21


def test_a_further_page_of_a_thread_begins_in_the_first_post_that_it_adds() -> None:
    posts = [f"<div class=p id=p{number}><p>{number}. hozzászólás</div>" for number in range(5)]
    pages = [f"<article>{page}</article>" for page in ("".join(posts[:2]), posts[0] + posts[2] + posts[3], posts[0], posts[4])]
    article = joined(*pages, body={"root": "article"}, posts={"forum": {"item": "div.p", "id": {"attr": "id"}, "text": "p"}})
    said = [written(post.blocks) for post in article.posts]
    assert said == [f"{'page-break() ' * (number in (2, 4))}paragraph({number}. hozzászólás)" for number in range(5)]
    assert [article.posts[number].blocks[0].attributes for number in (2, 4)] == [{"page": "2"}, {"page": "4"}]
    assert written(article.blocks) == "page-break()", "the third page adds nothing"


NOTE = "<ol><li id=fn-1>A jegyzet szövege. <a href='{0}#ref-1'>↩</a></ol>"


def test_notes_that_each_page_numbers_anew_are_those_of_their_pages() -> None:
    first, second, third = (f"<p>{n}. állítás.<sup><a href='#fn-1' id=ref-1>1</a></sup>" for n in (1, 2, 3))
    blocks = joined(first + NOTE.format(""), second + NOTE.format(""), third, body={"root": "body"}).blocks
    assert [block.type for block in blocks].count("note") == 2
    assert note_of(blocks[-1]) is None


def note_of(paragraph: Any) -> str | None:
    """The note that its last word refers to."""
    last = paragraph.children[-1]
    return last.note if last.type == "link" else note_of(last)
