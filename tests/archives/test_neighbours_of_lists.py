"""Where a page of a list leads that may list more, whatever is written there: only who asks such an address knows what it lists."""

from __future__ import annotations

import pytest
from seams import archive_of

HOME, LIST = "https://pelda.example", "https://pelda.example/x/"
ITEM = "<li class=t><a href=/x/2024/verhaal-{0}>Verhaal {0}</a> <a href=/x/tag/{0}/>#</a></li>"
ITEMS = "".join(map(ITEM.format, range(10)))
MENU = "<nav><a href=/>Home</a><a href=/x/>X</a><a href=/y/>Y</a><a href=/z/>Z</a><a href=/x/kalender/>Kalender</a></nav>"
SHAPES = [
    "/x/2025/",
    "/x/2025/12/",
    "/x/older/",
    "/x/2/",
    "/x/vorige/1834/",
    "/x/archief-2025.html",
    "/x/?cursor=abc",
    "/x/?maand=2025-11",
    "/x/?jaar=2025",
    "/x/?nr=1834",
    "/x/page/2/",
]


def neighbours(beside: str, at: str = LIST, items: str = ITEMS) -> list[str]:
    """Where such a list leads with this beside it, without the host."""
    content = f"<html><body><header>{MENU}</header><ul class=list>{items}</ul>{beside}</body></html>"
    page = archive_of(content, at, url=at, item="li.t", link="a")
    return [link.url.removeprefix(HOME) for link in page.neighbours]


@pytest.mark.parametrize("address", SHAPES)
@pytest.mark.parametrize(
    "link",
    [
        "<nav><a href='{}'>Blorp Blorp</a></nav>",
        "<div><a href='{}'><svg></svg></a></div>",
        "<p><b>1</b> <a href='{}'>2</a></p>",
        "<a role=button class=btn href='{}'>Blorp</a>",
        "<aside><h2>Blorp</h2><ul><li><a href='{}'>Blorp</a></ul></aside>",
        "<footer><a href='{}'>Blorp</a></footer>",
    ],
)
def test_whatever_is_written_on_it_a_link_below_the_list_s_address_may_list_more(link: str, address: str) -> None:
    assert neighbours(link.format(address)) == [address]


@pytest.mark.parametrize(
    ("at", "address"),
    [
        (f"{HOME}/archief.html", "/archief-2025.html"),
        (f"{HOME}/archief.html", "/archief/2025"),
        (f"{HOME}/x/index.html", "/x/2025.html"),
        (f"{HOME}/x/page3", "/x/page4"),
        (f"{HOME}/lijst?rubriek=5", "/lijst?rubriek=5&jaar=2025"),
        (f"{HOME}/lijst?start=20", "/lijst?start=40"),
        (f"{HOME}/", "/2025/"),
        (f"{HOME}/", "/?m=2025"),
    ],
)
def test_addresses_are_near_by_their_form(at: str, address: str) -> None:
    assert neighbours(f"<p><a href='{address}'>Blorp</a></p>", at) == [address]


@pytest.mark.parametrize(
    "beside",
    [
        "<a href=/y/2025/>Blorp</a>",
        "<a href=https://elders.example/x/2025/>Blorp</a>",
        "<a href=/x/>Blorp</a><a href=#a>Blorp</a>",
        "<a href=/x/2024/verhaal-1>Verhaal</a>",
        "<a href=/x/feed/>RSS</a><a href=/x/foto.jpg>Foto</a>",
        "<a href='/x/?lang=de'>Deutsch</a>",
        "<form action=/x/><input name=q></form>",
        "<form action=/x/ method=post><select name=m><option>1<option>2</select></form>",
        "<form action=/y/><select name=m><option>1<option>2</select></form>",
    ],
)
def test_what_leads_elsewhere_or_is_no_page_is_none(beside: str) -> None:
    assert neighbours(beside) == []


def test_another_value_for_what_parts_sections_is_another_list() -> None:
    assert neighbours("<a href='/lijst?rubriek=6'>Blorp</a>", f"{HOME}/lijst?rubriek=5") == []


def test_of_each_list_of_choices_the_first_and_the_last_are_asked_with_what_the_form_sends_besides() -> None:
    form = (
        "<form action=/x/><input type=hidden name=fid value=2><select name=sort><option value=a>A<option value=b>B</select>"
        "<select name=cut><option value=1>Today<option value=365 selected>The Last Year<option value=9999>The Beginning</select></form>"
    )
    assert neighbours(form) == ["/x/?fid=2&sort=b&cut=365", "/x/?fid=2&sort=a&cut=1", "/x/?fid=2&sort=a&cut=9999"]


def test_a_form_with_a_hidden_number_and_a_list_of_addresses_lead_on_too() -> None:
    assert neighbours("<form action=/x/><input type=hidden name=page value=2><button>Blorp</button></form>") == ["/x/?page=2"]
    options = "<select><option value=''>Blorp<option value=/x/2025/>B<option value=/x/2024/>C<option value=/x/2023/>D</select>"
    assert neighbours(options) == ["/x/2025/", "/x/2023/"]


def test_what_looks_like_a_pager_goes_first_and_no_more_than_twenty_are_kept() -> None:
    many = "".join(f"<a href=/x/a{number}b/>Blorp</a>" for number in range(30))
    found = neighbours(f"<aside>{many}</aside><a href=/x/oud/>Blorp</a><div class=pagination><a href=/x/page/2/>2</a></div>")
    assert (found[:2], len(found)) == (["/x/page/2/", "/x/oud/"], 20)


def test_a_feed_has_none() -> None:
    feed = "<rss version='2.0'><channel><item><link>https://pelda.example/x/1</link></item></channel></rss>"
    assert archive_of(feed, format="feed", url=LIST, pages="none").neighbours == ()


def test_a_button_below_the_only_article_of_a_list_is_none_of_its_own() -> None:
    main = "<main><div><article><h2><a href=/x/1>A</a></h2><button>Like</button></article></div><div><button>Blorp</button></div></main>"
    side = "<aside><ul><li><h2><a href=/x/2>B</a></h2><li><h2><a href=/x/3>C</a></h2></ul></aside>"
    assert archive_of(f"<body>{main}{side}", LIST, url=LIST, link="h2 a").by_script == "Blorp"
    assert archive_of(f"<body>{main}", LIST, url=LIST, item="article", link="h2 a").by_script == "Blorp"
