from __future__ import annotations

import pytest
from trial_portal import page_of, portal_of

from webarticlecurator.extract.article_pages import next_article_page
from webarticlecurator.extract.links import skip_reason

HOST = "https://pelda.example"


def following(page: str, link: str, *, identity: str | None = None, seen: tuple[str, ...] = ()) -> str | None:
    portal = portal_of(articles={"next": "a.tovabb", **({"identity": identity} if identity else {})})
    found = next_article_page(page_of(f"<a class=tovabb href='{link}'>tovább</a>", HOST + page), portal, seen)
    return found.removeprefix(HOST) if found else None


@pytest.mark.parametrize(
    ("page", "link"),
    [
        ("/cikk", "/cikk?oldal=2"),
        ("/cikk?oldal=2", "/cikk?oldal=3"),
        ("/cikk?oldal=7", "/cikk?oldal=6"),
        ("/tema?t=12&start=20", "/tema?t=12&start=40"),
        ("/i.php?id=12", "/i.php?id=12&p=2"),
        ("/cikk/", "/cikk/2/"),
        ("/egy-cikk/2/", "/egy-cikk/3/"),
        ("/cikk/12/2", "/cikk/12/3"),
        ("/2024/05/01/egy-cikk/page/2/", "/2024/05/01/egy-cikk/page/3/"),
        ("/cikk?x=1", "/cikk?x=1&pageId=2"),
        ("/cikk?pageId=1", "/cikk?pageId=2"),
        ("/cikk/", "/cikk/page/2/"),
        ("/cikk.html", "/cikk-2.html"),
        ("/egy_cikk_2.html", "/egy_cikk_3.html"),
        ("/cikk", "/cikk?loadall=1"),
    ],
)
def test_further_pages_of_an_article_are_followed(page: str, link: str) -> None:
    assert following(page, link) == link


@pytest.mark.parametrize(
    ("page", "link"),
    [
        ("/cikk-a", "/cikk-b"),
        ("/cikk/12345", "/cikk/12346"),
        ("/cikk/1", "/cikk/2"),
        ("/hirek/belfold/12", "/hirek/belfold/13"),
        ("/2024/05/1", "/2024/05/2"),
        ("/i.php?id=12", "/i.php?id=13"),
        ("/index.php?cikk=1", "/index.php?cikk=2"),
        ("/2024/05/01/egy", "/2024/05/02/ketto"),
        ("/cikk", "https://masik.example/cikk?oldal=2"),
        ("/cikk?oldal=2", "/cikk?oldal=2#x"),
        ("/cikk?a=1", "/cikk?a=x"),
        ("/cikk", "#"),
    ],
)
def test_the_link_to_the_next_article_is_no_further_page(page: str, link: str) -> None:
    assert following(page, link) is None


def test_the_identity_decides_where_it_finds_something_on_both_sides() -> None:
    identity = "[/-](\\d{3,})(?:/|$|\\?)"
    assert following("/valami-123", "/mas-cim-123/", identity=identity) == "/mas-cim-123/"
    assert following("/cikk/123", "/cikk/124?oldal=2", identity=identity) is None
    assert following("/szoveg", "/szoveg/2", identity=identity) == "/szoveg/2"


def test_pages_that_were_seen_are_not_asked_again() -> None:
    assert following("/cikk?oldal=2", "/cikk?oldal=1", seen=(HOST + "/cikk?oldal=1",)) is None


def test_an_earlier_page_of_the_article_shows_what_its_urls_look_like() -> None:
    assert following("/cikk/folytatas", "/cikk/3", seen=(HOST + "/cikk", HOST + "/cikk/2")) == "/cikk/3"


def test_without_a_rule_there_is_no_further_page() -> None:
    assert next_article_page(page_of("<a rel=next href=?p=2>2</a>", HOST), portal_of(), ()) is None


def test_a_page_that_a_selector_marks_is_no_article() -> None:
    portal = portal_of(articles={"skip": {"when": ["body.hiba", ".galeria"]}})
    assert skip_reason(page_of("<div class=galeria>x</div>"), portal) == "articles.skip.when: .galeria"
    assert skip_reason(page_of("<div>x</div>"), portal) is None
