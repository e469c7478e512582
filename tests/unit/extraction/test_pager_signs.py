"""Does a page show that there is more of it?"""

from __future__ import annotations

import pytest
from trial_portal import page_of

from webarticlecurator.extraction.pager_signs import page_links, pager_links, pages_apart, pages_by_script, stated_counts
from webarticlecurator.model.links import PagerLink
from webarticlecurator.model.page import Page

HOME = "https://pelda.example"


def signs(html: str, path: str = "/hirek") -> dict[str, PagerLink]:
    """Path of each pager link -> what it is."""
    page: Page = page_of(html, f"{HOME}{path}")
    return {link.url.removeprefix(HOME): link for link in pager_links(page, page_links(page)) if link.is_sure}


def stated(html: str) -> list[tuple[int | None, int, bool]]:
    return [(one.here, one.total, one.items) for one in stated_counts(page_of(html, f"{HOME}/hirek"))]


@pytest.mark.parametrize(
    ("own", "other", "numbers"),
    [
        ("/hirek", "/hirek/2", (1, 2)),
        ("/hirek/", "/hirek/page/2/", (1, 2)),
        ("/", "/page/2/", (1, 2)),
        ("/hirek/page/2/", "/hirek/", (2, 1)),
        ("/hirek/page/2/", "/hirek/page/3/", (2, 3)),
        ("/hirek", "/hirek?oldal=2", (1, 2)),
        ("/hirek?rovat=bel", "/hirek?rovat=bel&start=20", (1, 20)),
        ("/hirek?oldal=2", "/hirek?oldal=3", (2, 3)),
        ("/hirek.html", "/hirek-2.html", (1, 2)),
        ("/hirek.html", "/hirek.html/2", (1, 2)),
        ("/hirek/index.html", "/hirek/index2.html", (1, 2)),
        ("/tema,1", "/tema,2", (1, 2)),
        ("/2024/05/01/", "/2024/05/02/", None),
        ("/", "/2024/05/02/", None),
        ("/hirek", "/sport/2", None),
        ("/hirek", "/hirek/2/cikk", None),
        ("/hirek?rovat=bel", "/hirek?rovat=kul&oldal=2", None),
        ("/hirek?nap=hetfo", "/hirek?nap=kedd", None),
    ],
)
def test_two_addresses_are_one_but_for_a_page_number(own: str, other: str, numbers: tuple[int, int] | None) -> None:
    assert pages_apart(HOME + own, HOME + other) == numbers


def test_a_pager_of_numbers_is_found_whatever_its_markup() -> None:
    found = signs("<div><b>1</b> <a href=/hirek/2>2</a> <a href=/hirek/3><span>3</span></a> <a href=/hirek/40>»»</a></div>")
    assert {path: link.number for path, link in found.items()} == {"/hirek/2": 2, "/hirek/3": 3, "/hirek/40": None}


def test_years_beside_a_pager_are_no_pages_unless_it_is_about_to_come_there() -> None:
    years = "<a href=/archive/2026/>2026</a> <a href=/archive/2025/>2025</a> "
    assert list(signs(years + "<a href=/page/2/>2</a>", "/")) == ["/page/2/"]
    assert list(signs("<a href=/hirek/1>1</a> <a href=/hirek/2027>2027</a>", "/hirek/2026")) == ["/hirek/1", "/hirek/2027"]


def test_a_link_without_words_is_one_where_it_leads_to_the_next_page() -> None:
    found = signs("<a href=/hirek/3><svg></svg></a> <a href=/hirek/1><svg></svg></a> <a href=/hirek/90><img></a>", "/hirek/2")
    assert list(found) == ["/hirek/3"]


def test_a_number_may_stand_beside_the_word_for_page() -> None:
    found = signs("<a href=/hirek/page/2/>Page 2</a><a href=/hirek/page/3/>3. oldal</a>")
    assert {path: link.number for path, link in found.items()} == {"/hirek/page/2/": 2, "/hirek/page/3/": 3}


def test_of_two_links_to_a_page_the_one_with_its_number_counts() -> None:
    assert signs("<a href=/hirek/2>tovább</a><a href=/hirek/2>2</a>")["/hirek/2"].number == 2


def test_offsets_are_numbers_of_pages_too() -> None:
    pager = "<a href='?start=0'>1</a><a href='?start=20'>2</a><a href='?start=40'>3</a>"
    assert set(signs(pager)) == {"/hirek?start=20", "/hirek?start=40"}
    assert set(signs(pager, "/hirek?start=20")) == {"/hirek?start=0", "/hirek?start=40"}


@pytest.mark.parametrize("label", ["Older posts", "« Régebbi bejegyzések", "Ältere Beiträge →", "Следующая страница"])
def test_a_phrase_that_is_said_of_nothing_else_is_enough(label: str) -> None:
    assert set(signs(f"<a href='/search?updated-max=2024-05-01&amp;max-results=7'>{label}</a>", "/")) == {
        "/search?updated-max=2024-05-01&max-results=7"
    }


@pytest.mark.parametrize("label", ["Next", "tovább", "Weiter »", "›"])
def test_an_ambiguous_word_counts_where_the_address_goes_on(label: str) -> None:
    assert set(signs(f"<a href=/hirek/2>{label}</a><a href=/cikk/99>{label}</a>")) == {"/hirek/2"}


def test_rel_next_is_a_sign_in_the_head_and_in_the_text() -> None:
    assert set(signs("<head><link rel=next href=/b></head><a rel='nofollow next' href=/c>x</a><link rel=prev href=/d>")) == {"/b", "/c"}


@pytest.mark.parametrize(
    "html",
    [
        "<a href=/hirek>1</a><a href='#2'>2</a><a href='javascript:void(0)'>2</a>",
        "<a href=/hirek/2019>2019</a><a href=/hirek/2020>2020</a>",
        "<a href=/2024/05/02/>2</a><a href=/2024/05/03/>3</a>",
        "<a href=/cikk/12345>12</a> hozzászólás",
        "<a href=https://masik.example/hirek/2>2</a>",
    ],
    ids=["the page itself", "years", "days", "comments", "another host"],
)
def test_what_is_no_pager_is_none(html: str) -> None:
    assert signs(html) == {}


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>2 / 20</p>", [(2, 20, False)]),
        ("<span>Page <b>2</b> of <b>20</b></span>", [(2, 20, False)]),
        ("<div>Seite 1 von 12</div>", [(1, 12, False)]),
        ("<div>1-20 of 213</div>", [(20, 213, True)]),
        ("<p>Showing 1–20 of 1,213 results</p>", [(20, 1213, True)]),
        ("<p>A bizottság 2/3 arányban szavazott, és 20-ból 12 tag igent mondott a javaslatra.</p>", []),
        ("<i>3/12</i><i>4/12</i>", []),
        ("<i>2024/05/01</i>", []),
        ("<script>1 / 20</script>", []),
    ],
)
def test_a_page_says_how_long_its_listing_is(html: str, expected: list[tuple[int | None, int, bool]]) -> None:
    assert stated(html) == expected


def test_headers_count_pages_and_articles() -> None:
    headers = (("X-WP-Total", "213"), ("x-wp-totalpages", "22"), ("X-Total", "9"), ("X-WP-Total", "many"))
    found = stated_counts(page_of("[]", f"{HOME}/api", format="json", headers=headers))
    assert [(one.here, one.total, one.items) for one in found] == [(None, 213, True), (None, 22, False)]


@pytest.mark.parametrize(
    ("html", "pages"),
    [
        ("<div class=pagination><div>1</div><div>2</div><div>…</div><div>9</div><div>Next</div></div>", 9),
        ("<ul aria-label=Pages><li>1</li><li><button>2</button></li></ul>", 2),
        ("<div class=pagination><a href=?p=1>1</a><a href=?p=2>2</a></div>", 0),
        ("<div class=pagination><span>1</span><a href=?p=2>2</a></div>", 0),
        ("<div class=score><span>1</span><span>2</span></div>", 0),
        ("<div class=pagination><span>2</span><span>3</span></div>", 0),
    ],
)
def test_numbers_of_pages_that_are_no_links_are_turned_by_scripts(html: str, pages: int) -> None:
    assert pages_by_script(page_of(html, f"{HOME}/hirek")) == pages
