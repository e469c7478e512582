"""Where a page of an article leads, and what shows that the article goes on where no rule leads."""

from __future__ import annotations

from typing import Any

import pytest
from case_files import cases
from seams import article_of, portal_of

HOST = "https://pelda.example"


def following(page: str, *links: str, seen: tuple[str, ...] = (), **rules: Any) -> str | None:
    html = "".join(f"<a class=tovabb href='{link}'>tovább</a>" for link in links)
    portal = portal_of(**{"articles": {"next": "a.tovabb"}, **rules})
    found = article_of(*((HOST + address, html) for address in (*seen, page)), portal=portal).next_page
    return found.removeprefix(HOST) if found else None


@cases("page, link", "reading/cases/the-link-is-followed-whatever-its-url-looks-like")
def test_the_link_is_followed_whatever_its_url_looks_like(page: str, link: str) -> None:
    assert following(page, link) == link


@pytest.mark.parametrize("host", ["https://www.pelda.example", "http://pelda.example:8080", "https://masik.example"])
def test_every_host_of_the_portal_may_have_further_pages(host: str) -> None:
    archive = {"url": HOST + "/{page}", "link": "a", "urls": {"hosts": ["masik.example"]}}
    assert following("/cikk", f"{host}/cikk/2", archive=archive) == f"{host}/cikk/2"


@pytest.mark.parametrize("page", ["/cikk/123", "/szoveg"])
def test_the_identity_does_not_overrule_the_link(page: str) -> None:
    assert following(page, "/cikk/124", articles={"next": "a.tovabb", "identity": "/cikk/(\\d+)"}) == "/cikk/124"


@cases("page, links, seen, expected", "reading/cases/neither-the-page-itself-nor-one-that-was-seen-nor-another-site-is-a-further-page")
def test_neither_the_page_itself_nor_one_that_was_seen_nor_another_site_is_a_further_page(
    page: str, links: list[str], seen: list[str], expected: str | None
) -> None:
    assert following(page, *links, seen=tuple(seen)) == expected
    assert following(page, *links, seen=tuple(seen), articles={}) is None, "without a rule there is none"


# --- what is no article ---


TEXT = "<h1>Híd épül</h1>" + "<p>A bizottság ülésén az új hídról beszéltek, és estére döntés született a munka kezdetéről.</p>" * 8


def sign(html: str, url: str = "/cikk", *, seen: tuple[str, ...] = ()) -> str | None:
    """What is seen on the last page of an article; without `seen` it is its only one."""
    head, body = (html, "") if "<head>" in html else ("", html)
    page = f"<html>{head}<body><article>{TEXT}</article>{body}"
    return (article_of(*((HOST + address, page) for address in (*seen, url))).goes_on or "").replace(HOST, "") or None


NEXT_ARTICLE = "<a rel=next href={0}>x</a><a href={0}>{1}</a>"
PAGER = "<a href=/cikk>1</a><a href='?o=2'>2</a><b>3</b>"
LAST_FIRST = "<b>1</b><a href='?o=2'>2</a><a href='?o=3'>3</a><p>1 / 3</p>"


@pytest.mark.parametrize(
    ("html", "url", "seen", "expected"),
    [
        ("<head><link rel=next href=/cikk/2></head>", "/cikk", (), "<link rel=next> to /cikk/2"),
        ("<a rel=next href='?after=Zm9v'>x</a>", "/cikk", (), "rel=next to /cikk?after=Zm9v"),
        ("<b>1</b><a href='?oldal=2'>2</a><a href='?oldal=3'>3</a>", "/cikk", (), 'a link "2" to /cikk?oldal=2'),
        ("<a href='?page=9'>10</a><a href='?page=1'>2</a>", "/cikk", (), 'a link "2" to /cikk?page=1'),
        ("<a href=/cikk/2/>tovább »</a>", "/cikk", (), 'a link "tovább »" to /cikk/2/'),
        ("<p>1. oldal / 4</p>", "/cikk", (), 'it says "1. oldal / 4"'),
        ("<p>1-20 of 213</p>", "/cikk", (), 'it says "1-20 of 213"'),
        ("<a href=/cikk/2>2</a>", "/cikk/1", (), 'a link "2" to /cikk/2'),
        (PAGER + "<a href='?o=4'>4</a>", "/cikk?o=3", ("/cikk", "/cikk?o=2"), 'a link "4" to /cikk?o=4'),
        ("<p>2 / 4</p>", "/cikk?o=2", ("/cikk",), 'it says "2 / 4"'),
        (PAGER, "/cikk?o=3", ("/cikk",), 'a link "2" to /cikk?o=2'),
        ("<a href='?o=1'>tovább »</a>", "/cikk", (), 'a link "tovább »" to /cikk?o=1'),
    ],
)
def test_the_signs_of_further_pages(html: str, url: str, seen: tuple[str, ...], expected: str) -> None:
    assert sign(html, url, seen=seen) == expected


@pytest.mark.parametrize(
    ("html", "url", "seen"),
    [
        ("<span>10 of 18</span>", "/page/10/", ()),
        ("<a rel=next href=/page/11/>Older</a><b>Page 10 / 18</b>", "/page/10/", ()),
        ("<a rel=next href=/masik-cikk>Iskola nyílik</a>", "/cikk", ()),
        ("<a href=/regebbi?oldal=2>Older posts</a><a href=/cikk/comment-page-2>Older comments</a>", "/cikk", ()),
        ("<a href='?oldal=1'>1</a>", "/cikk", ()),
        ("<p>1 / 34</p>", "/cikk", ()),
        ("<a href='?90c7c550_page=2'>2</a>", "/cikk", ()),
        ("<a rel=next href=/cikk/masodik-fejezet/>Second chapter</a>", "/cikk", ()),
        ("<b>1</b><a href=/tema/hid-epul.99/page-2>2</a>", "/tema/hid-elnok.12/", ()),
        ("<p>4 / 4</p>", "/cikk", ()),
        ("<p>A bizottság 2/3 arányban szavazott.</p>", "/cikk", ()),
        (NEXT_ARTICLE.format("/cikk/124", "2"), "/cikk/123", ()),
        (NEXT_ARTICLE.format("/cikk/2", "tovább"), "/cikk/1", ()),
        ("<a href=/tema/iskola.99/page-4>4</a>", "/tema/hid.12", ()),
        (PAGER, "/cikk?o=3", ("/cikk", "/cikk?o=2")),
        (LAST_FIRST, "/cikk?o=1", ("/cikk", "/cikk?o=3", "/cikk?o=2")),
    ],
    ids=[
        *("a page of a list", "its next", "the next article", "older articles", "the page itself", "pictures"),
        *("a list beside it", "the next chapter", "a later page of another thread", "the last page"),
        *("a fraction in a sentence", "the number of an article", "the next number", "a page of another thread", "pages that were read"),
        "read from its last page on",
    ],
)
def test_what_is_no_sign_of_it(html: str, url: str, seen: tuple[str, ...]) -> None:
    assert sign(html, url, seen=seen) is None
