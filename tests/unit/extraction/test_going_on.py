"""Does the page of an article show that the article goes on?"""

from __future__ import annotations

import pytest
from trial_portal import page_of

from webarticlecurator.extraction.going_on import goes_on

HOST = "https://pelda.example"


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
