"""Where a page of an article leads, and what shows that the article goes on where no rule leads."""

from __future__ import annotations

from typing import Any

import pytest
from seams import article_of, portal_of

from webarticlecurator import Outcome

HOST = "https://pelda.example"
NEXT = {"articles": {"next": "a.tovabb"}}


def following(page: str, *links: str, seen: tuple[str, ...] = (), **rules: Any) -> str | None:
    html = "".join(f"<a class=tovabb href='{link}'>tovább</a>" for link in links)
    pages = [(HOST + address, html) for address in (*seen, page)]
    found = article_of(*pages, portal=portal_of(**{**NEXT, **rules})).next_page
    return found.removeprefix(HOST) if found else None


@pytest.mark.parametrize(
    ("page", "link"),
    [
        ("/cikk", "/cikk?oldal=2"),
        ("/cikk?oldal=7", "/cikk?oldal=6"),
        ("/cikk?a=1", "/cikk?a=x"),
        ("/cikk?nyomtat=nem", "/cikk-2"),
        ("/tema?t=12&start=20", "/tema?t=12&start=40"),
        ("/tema?topic=123.0", "/tema?topic=123.20"),
        ("/api?kurzor=YWJj", "/api?kurzor=ZGVm"),
        ("/i.php?id=12", "/i.php?id=13"),
        ("/cikk/", "/cikk/2/"),
        ("/cikk", "/cikk/4"),
        ("/cikk/4", "/cikk/3"),
        ("/cikk/1001", "/cikk/1002"),
        ("/cikk/1", "/cikk/21"),
        ("/cikk.html", "/cikk-2.html"),
        ("/cikk.html", "/cikk.html/2"),
        ("/cikk.html", "/cikk/2"),
        ("/2024/05/01/egy", "/2024/05/02/ketto"),
        ("/cikk-a", "/cikk-b"),
    ],
)
def test_the_link_is_followed_whatever_its_url_looks_like(page: str, link: str) -> None:
    assert following(page, link) == link


@pytest.mark.parametrize("link", ["#", "/cikk?oldal=2", "/cikk?oldal=2#x", "javascript:void(0)", "mailto:anna@pelda.example"])
def test_a_link_to_the_page_itself_or_to_no_page_is_none(link: str) -> None:
    assert following("/cikk?oldal=2", link) is None


def test_pages_that_were_seen_are_not_asked_again() -> None:
    assert following("/cikk?oldal=2", "/cikk?oldal=1", seen=("/cikk?oldal=1",)) is None
    assert following("/cikk?oldal=2", "/cikk?oldal=1", "/cikk?oldal=3", seen=("/cikk?oldal=1",)) == "/cikk?oldal=3"


@pytest.mark.parametrize("page", ["/cikk/123", "/szoveg"])
def test_the_identity_does_not_overrule_the_link(page: str) -> None:
    assert following(page, "/cikk/124", articles={"next": "a.tovabb", "identity": "/cikk/(\\d+)"}) == "/cikk/124"


@pytest.mark.parametrize(
    ("host", "rules"),
    [
        ("https://www.pelda.example", {}),
        ("http://pelda.example:8080", {}),
        ("https://elo.pelda.example", {"archive": {"url": "https://elo.pelda.example/{page}", "link": "a"}}),
        ("https://masik.example", {"archive": {"url": HOST + "/{page}", "link": "a", "urls": {"hosts": ["masik.example"]}}}),
        (
            "https://a.masik.example",
            {"archive": {"link": "a"}, "columns": {"x": {"url": HOST + "/{page}", "urls": {"hosts": ["*.masik.example"]}}}},
        ),
    ],
)
def test_every_host_of_the_portal_may_have_further_pages(host: str, rules: dict[str, Any]) -> None:
    assert following("/cikk", f"{host}/cikk/2", **rules) == f"{host}/cikk/2"


def test_a_link_to_a_foreign_host_is_passed_over_and_without_a_rule_there_is_no_further_page() -> None:
    assert following("/cikk", "https://idegen.example/cikk/2") is None
    assert following("/cikk", "https://idegen.example/megoszt", "/cikk/2") == "/cikk/2"
    assert following("/cikk", "/cikk/2", articles={}) is None


# --- what is no article ---


def test_a_page_that_a_selector_marks_is_no_article() -> None:
    portal = portal_of(articles={"skip": {"when": ["body.hiba", ".galeria"]}})
    gallery, article = article_of("<div class=galeria>x</div>", portal=portal), article_of(f"<div>{TEXT}</div>", portal=portal)
    assert (gallery.outcome, gallery.reason) == (Outcome.NOT_ARTICLE, "articles.skip.when: .galeria")
    assert article.outcome is Outcome.ARTICLE


TEXT = "<h1>Híd épül</h1>" + "<p>A bizottság ülésén az új hídról beszéltek, és estére döntés született a munka kezdetéről.</p>" * 8


def sign(html: str, url: str = "/cikk", *, seen: tuple[str, ...] = ()) -> str | None:
    """What is seen on the last page of an article; without `seen` it is its only one."""
    article = article_of(
        *(
            (
                HOST + address,
                f"<html>{html if '<head>' in html else ''}<body><article>{TEXT}</article>{html if '<head>' not in html else ''}",
            )
            for address in (*seen, url)
        )
    )
    return article.goes_on.replace(HOST, "") if article.goes_on else None


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<head><link rel=next href=/cikk/2></head>", "<link rel=next> to /cikk/2"),
        ("<a rel=next href='?after=Zm9v'>x</a>", "rel=next to /cikk?after=Zm9v"),
        ("<b>1</b><a href='?oldal=2'>2</a><a href='?oldal=3'>3</a>", 'a link "2" to /cikk?oldal=2'),
        ("<a href='?page=9'>10</a><a href='?page=1'>2</a>", 'a link "2" to /cikk?page=1'),
        ("<a href=/cikk/2/>tovább »</a>", 'a link "tovább »" to /cikk/2/'),
        ("<p>2 / 4</p>", 'it says "2 / 4"'),
        ("<p>1-20 of 213</p>", 'it says "1-20 of 213"'),
    ],
)
def test_the_signs_of_further_pages(html: str, expected: str) -> None:
    assert sign(html) == expected


@pytest.mark.parametrize("html", ["<span>10 of 18</span>", "<a rel=next href=/page/11/>Older</a><b>Page 10 / 18</b>"])
def test_one_page_of_a_list_is_no_article_that_goes_on(html: str) -> None:
    assert sign(html, "/page/10/") is None


@pytest.mark.parametrize(
    "html",
    [
        "<a rel=next href=/masik-cikk>Iskola nyílik</a>",
        "<head><link rel=next href=/2024/05/02/iskola></head>",
        "<a href=/regebbi?oldal=2>Older posts</a>",
        "<a href='?oldal=1'>1</a>",
        "<p>4 / 4</p>",
        "<p>A bizottság 2/3 arányban szavazott.</p>",
    ],
    ids=["the next article", "that in the head", "older articles", "the page itself", "the last page", "a fraction in a sentence"],
)
def test_what_is_no_sign_of_it(html: str) -> None:
    assert sign(html) is None


def test_the_number_of_an_article_is_none_of_a_page() -> None:
    assert sign("<a rel=next href=/cikk/124>x</a><a href=/cikk/124>2</a>", "/cikk/123") is None
    assert sign("<a rel=next href=/cikk/2>x</a><a href=/cikk/2>tovább</a>", "/cikk/1") is None
    assert sign("<a href=/cikk/2>2</a>", "/cikk/1") == 'a link "2" to /cikk/2'


def test_pages_that_were_read_are_no_further_ones() -> None:
    pager = "<a href=/cikk>1</a><a href='?o=2'>2</a><b>3</b>"
    assert sign(pager, "/cikk?o=3", seen=("/cikk", "/cikk?o=2")) is None
    assert sign(f"{pager}<a href='?o=4'>4</a>", "/cikk?o=3", seen=("/cikk", "/cikk?o=2")) == 'a link "4" to /cikk?o=4'
    assert sign("<p>2 / 4</p>", "/cikk?o=2", seen=("/cikk",)) == 'it says "2 / 4"'


def test_an_article_that_was_read_from_its_last_page_on_is_whole() -> None:
    pager = "<b>1</b><a href='?o=2'>2</a><a href='?o=3'>3</a><a href='?o=4'>4</a><p>1 / 4</p>"
    assert sign(pager, "/cikk?o=1", seen=("/cikk", "/cikk?o=3", "/cikk?o=2")) is None
