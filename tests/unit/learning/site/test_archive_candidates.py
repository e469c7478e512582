"""Which links of a page may lead to an archive."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from webarticlecurator.document.page import read_page
from webarticlecurator.learning.site.archive_candidates import LeadsTo, archive_candidates, probable_articles
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.page import Page

HOME = "https://pelda.example/"


def page(body: str) -> Page:
    entity = f"<html><body>{body}</body></html>".encode()
    kind = (("Content-Type", "text/html; charset=utf-8"),)
    read = read_page(Capture(url=HOME, requested_url=HOME, status=200, headers=kind, entity=entity, date=datetime(2024, 5, 1, tzinfo=UTC)))
    assert isinstance(read, Page)
    return read


def leads(body: str) -> dict[str, LeadsTo]:
    return {one.url.removeprefix(HOME): one.leads_to for one in archive_candidates(page(body))}


@pytest.mark.parametrize(
    ("link", "leads_to"),
    [
        ("<a href=/archivum>Archívum</a>", LeadsTo.ALL),
        ("<a href=/archive.html>Older</a>", LeadsTo.ALL),
        ("<a href=/lista>Összes cikk</a>", LeadsTo.ALL),
        ("<a href=/x>Alle Beiträge</a>", LeadsTo.ALL),
        ("<a href=/x>Все новости</a>", LeadsTo.ALL),
        ("<a href=/x>All posts</a>", LeadsTo.ALL),
        ("<a href=/x>Friss hírek</a>", LeadsTo.LATEST),
        ("<a href=/blog/>Blog</a>", LeadsTo.LATEST),
        ("<a href=/2024/05/>Május</a>", LeadsTo.DATES),
        ("<a href=/hirek-2011/>2011</a>", LeadsTo.DATES),
        ("<a href='/regi.php?ev=2011&ho=02'>Régi</a>", LeadsTo.DATES),
        ("<nav><a href=/kultura/>Kultúra</a></nav>", LeadsTo.SECTION),
        ("<div class=navbar><ul><li><a href='/lista?rovat=sport'>Sport</a></ul></div>", LeadsTo.SECTION),
        ("<nav><a href=/blog/page/1/>Napló</a></nav>", LeadsTo.SECTION),
    ],
)
def test_what_is_written_and_where_it_stands_tell(link: str, leads_to: LeadsTo) -> None:
    assert list(leads(link).values()) == [leads_to]


@pytest.mark.parametrize(
    "link",
    [
        "<nav><a href=/impresszum>Impresszum</a></nav>",
        "<nav><a href=/login>Belépés</a></nav>",
        "<nav><a href=/datenschutz>Datenschutz</a></nav>",
        "<nav><a href=/terkep.pdf>Térkép</a></nav>",
        "<a href=/2021/csend-az-1938.html>Csend az 1938 utáni faluban</a>",
        "<main><a href=/ket-nyar-utan-1976/>Két nyár után</a></main>",
        "<nav><a href=/blog/page/2/>2</a></nav>",
        "<nav><a href=https://masik.example/kultura/>Kultúra</a></nav>",
        "<nav><a href=/>Címlap</a></nav>",
        "<nav><a href=mailto:iroda@pelda.example>Levél</a></nav>",
        "<p><a href=/kultura/>Kultúra</a></p>",
        "<p><a href=/cimke/koltsegvetes-2024/>Költségvetés 2024</a></p>",
        "<nav><a href=/2024/05/01/egy-hosszu-cim-a-hidrol>Egy hosszú cím a régi hídról</a></nav>",
    ],
)
def test_others_lead_to_none(link: str) -> None:
    assert leads(link) == {}


def test_a_folder_that_others_lie_in_is_a_section_wherever_it_stands() -> None:
    articles = "".join(f"<a href=/kultura/{number}-cim>Újra járnak a villamosok {number}</a>" for number in range(3))
    assert leads(f"<p><a href=/kultura/>Kultúra</a></p>{articles}") == {"kultura/": LeadsTo.SECTION}


def test_what_lists_all_comes_first_and_sections_with_much_below_them_before_others() -> None:
    articles = "".join(f"<a href=/sport/{number}-cim>Újra járnak a villamosok {number}</a>" for number in range(3))
    menu = "<nav><a href=/kultura/>Kultúra</a><a href=/sport/>Sport</a><a href=/archivum>Archívum</a></nav>"
    assert list(leads(menu + articles)) == ["archivum", "sport/", "kultura/"]


def test_of_a_calendar_two_pages_are_enough() -> None:
    days = "".join(f"<a href=/2024/05/{day:02}/>{day}</a>" for day in range(1, 31))
    assert list(leads(days)) == ["2024/05/01/", "2024/05/02/"]


def test_articles_are_links_written_like_headlines() -> None:
    body = "<nav><a href=/a>Egy menüpont hosszú nevet visel</a></nav><a href=/b>Újra járnak a villamosok a hídon</a><a href=/c>Tovább</a>"
    body += "<a href=/category/helyi-ugyek/>Helyi ügyek a városban</a>"
    assert probable_articles(page(body)) == [f"{HOME}b"]
    assert probable_articles(page(body), [f"{HOME}b"]) == []


@pytest.mark.parametrize(("around", "article"), [("article", True), ("div", False)])
def test_the_header_of_an_article_is_no_menu(around: str, article: bool) -> None:
    body = f"<{around}><header><h3><a href=/b>Újra járnak a villamosok a hídon</a></h3></header></{around}>"
    assert bool(probable_articles(page(body))) is article
