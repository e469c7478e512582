from __future__ import annotations

from typing import Any

import pytest
from trial_portal import page_of, portal_of

from webarticlecurator.extraction.article_pages import another_article, goes_on, next_article_page, skip_reason, unseen_links
from webarticlecurator.model.page import Page

HOST = "https://pelda.example"
NEXT = {"articles": {"next": "a.tovabb"}}


def linked(page: str, *links: str) -> Page:
    return page_of("".join(f"<a class=tovabb href='{link}'>tovább</a>" for link in links), HOST + page)


def following(page: str, *links: str, seen: tuple[str, ...] = (), **rules: Any) -> str | None:
    found = next_article_page(linked(page, *links), portal_of(**{**NEXT, **rules}), [HOST + one for one in seen])
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


def test_a_link_to_a_foreign_host_is_passed_over_but_not_forgotten() -> None:
    page, portal = linked("/cikk", "https://idegen.example/cikk/2"), portal_of(**NEXT)
    assert next_article_page(page, portal, ()) is None
    assert unseen_links(page, portal, ()) == ["https://idegen.example/cikk/2"]
    assert following("/cikk", "https://idegen.example/megoszt", "/cikk/2") == "/cikk/2"


def test_without_a_rule_there_is_no_further_page() -> None:
    assert next_article_page(page_of("<a rel=next href=?p=2>2</a>", HOST), portal_of(), ()) is None


# --- what is another article ---


def declaring(headline: str, canonical: str = "", url: str = "/cikk") -> Page:
    head = f"<link rel=canonical href='{canonical}'>" if canonical else ""
    return page_of(f"<html><head>{head}<meta property=og:title content='{headline}'></head><body><h1>{headline}</h1>", HOST + url)


def against(second: Page, first: Page | None, **rules: Any) -> str | None:
    return another_article(second, f"{HOST}/cikk", lambda: first, portal_of(**rules))


FIRST = declaring("Híd épül", "/cikk")
OTHER = declaring("Iskola nyílik", "/masik", "/masik")


def test_a_canonical_url_and_a_headline_of_its_own_make_another_article() -> None:
    told = f"its canonical URL is {HOST}/masik, and its headline 'Iskola nyílik' instead of 'Híd épül'"
    assert against(OTHER, FIRST) == told
    assert against(OTHER, declaring("Híd épül")) == told


@pytest.mark.parametrize(
    ("headline", "canonical"),
    [
        ("Híd épül", "/masik"),
        ("Híd épül - 2. oldal", "/masik"),
        ("2. oldal: HÍD ÉPÜL", "/masik"),
        ("A pillérek", "/cikk"),
        ("A pillérek", "/cikk/2"),
        ("A pillérek", "/cikk?oldal=2"),
        ("A pillérek", ""),
        ("", "/masik"),
    ],
)
def test_less_than_both_is_a_further_page(headline: str, canonical: str) -> None:
    assert against(declaring(headline, canonical, "/cikk?oldal=2"), FIRST) is None


def test_where_the_first_page_names_another_address_that_is_the_articles() -> None:
    assert against(declaring("A pillérek", "/regi/cikk?o=2", "/cikk?o=2"), declaring("Híd épül", "/regi/cikk")) is None


def test_the_portals_own_rules_say_what_the_headline_is() -> None:
    assert against(OTHER, FIRST, metadata={"headline": {"const": "Híd épül"}}) is None


def test_without_the_first_page_nothing_is_another_article() -> None:
    assert against(OTHER, None) is None


# --- what is no article ---


def test_a_page_that_a_selector_marks_is_no_article() -> None:
    portal = portal_of(articles={"skip": {"when": ["body.hiba", ".galeria"]}})
    assert skip_reason(page_of("<div class=galeria>x</div>"), portal) == "articles.skip.when: .galeria"
    assert skip_reason(page_of("<div>x</div>"), portal) is None


def sign(html: str, url: str = "/cikk", *, seen: tuple[str, ...] = ()) -> str | None:
    """What is seen on the last page of an article; without `seen` it is its only one."""
    pages = [HOST + one for one in (*seen, url)]
    found = goes_on(page_of(html, HOST + url), pages[0], pages)
    return found.text.replace(HOST, "") if found else None


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
