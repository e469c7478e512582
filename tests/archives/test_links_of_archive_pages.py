"""What the rules of `archive` read of a page: links, addresses, fields of the listing, the way on."""

from __future__ import annotations

from typing import Any

import pytest
from case_files import cases
from seams import URL, archive_of, links_of
from working_time import at_most

ITEMS = """<div class="item"><a href="#"><img></a><a href="/kep/1">kép</a><h2><a href="/cikk/1">Egy</a></h2></div>
<div class="item"><h2><a href="">üres</a><a href=" /cikk/2 ">Kettő</a><a href="/cikk/3">Három</a></h2></div>
<a class="item" href="/cikk/4">Négy</a><div class="item">nincs link</div>"""


@cases("rules, links", "archives/cases/links-to-articles")
def test_links_to_articles(rules: dict[str, Any], links: list[str]) -> None:
    assert links_of(ITEMS, **rules) == [f"https://pelda.example{link}" for link in links]


def test_the_items_of_json_may_be_the_list_itself() -> None:
    listed = [{"link": "/cikk/1"}, {"link": "/cikk/2"}]
    assert links_of(listed, item={"json": "@"}, link={"json": "link"}) == [f"https://pelda.example/cikk/{number}" for number in (1, 2)]


def test_times_that_an_archive_tells_in_utc_are_told_by_the_portal_s_clock() -> None:
    listed = [{"link": "/cikk/1", "mikor": "2024-05-01T22:30:00Z"}, {"link": "/cikk/2", "mikor": "2024-05-01T22:30:00-04:00"}]
    found = archive_of(listed, item={"json": "@"}, link={"json": "link"}, fields={"datePublished": {"json": "mikor"}})
    dates = [link.fields["datePublished"] for link in found.articles]
    assert dates == [("2024-05-02T00:30:00+02:00",), ("2024-05-01T22:30:00-04:00",)]


@pytest.mark.parametrize("href", ["", " ", "#", "#top", "/lista/3", "3", "/lista/3#x", "javascript:void(0)", "mailto:a@b.hu", "http://["])
def test_links_that_lead_nowhere_are_skipped_before_anything_is_chosen(href: str) -> None:
    assert links_of(f"<li><a href='{href}'>x</a><a href=/jo>y</a></li>", item="li", link="a") == ["https://pelda.example/jo"]


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("/árvíz", "https://pelda.example/%C3%A1rv%C3%ADz"),
        ("/50%", "https://pelda.example/50%25"),
        ("\n /a b \t", "https://pelda.example/a%20b"),
        ("/a?x=1&amp;y=2", "https://pelda.example/a?x=1&y=2"),
        ("HTTPS://PELDA.EXAMPLE:443/%7ea", "https://pelda.example/~a"),
        ("masik", "https://pelda.example/lista/masik"),
    ],
)
def test_urls_are_joined_encoded_and_normalised(href: str, url: str) -> None:
    assert links_of(f"<a href='{href}'>x</a>", link="a") == [url]


def test_links_are_joined_with_the_base_that_is_set() -> None:
    html = "<base href='https://pelda.example/alap/'><a href=x>x</a>"
    assert links_of(html, link="a") == ["https://pelda.example/alap/x"]
    assert links_of(html, link="a", base="https://pelda.example/b/") == ["https://pelda.example/b/x"]
    assert links_of(html, link={"css": "a", "base": "https://pelda.example/c/"}, base="https://pelda.example/b/") == [
        "https://pelda.example/c/x"
    ]


def test_duplicates_go_and_the_order_stays() -> None:
    html = "<a href=/b>1</a><a href=/a>2</a><a href=/b#komment>3</a><a href=/b>4</a>"
    assert links_of(html, link="a", urls={"drop_fragment": True}) == ["https://pelda.example/b", "https://pelda.example/a"]


def test_url_rules_work_in_their_order() -> None:
    page = archive_of(
        "<a href='/regi/1?token=x&amp;oldal=2#k'>1</a><a href='/uj/2'>2</a><a href='/pr/3'>3</a><a href='/halott'>4</a>"
        "<a href='/kizart'>5</a>"
        "<a href='https://masik.example/uj/1'>6</a><a href='https://a.harmadik.example/uj/2'>7</a>",
        link="a",
        urls={
            "replace": [["/regi/(\\d+)", "/uj/\\1"]],
            "drop_params": ["tok*"],
            "map_file": "terkep.tsv",
            "only": ["/uj/", "/kizart"],
            "exclude": ["\\?oldal=3"],
            "exclude_file": "kizart.txt",
            "hosts": ["*.harmadik.example"],
        },
        files={
            "terkep.tsv": "https://pelda.example/halott\thttps://pelda.example/uj/elo\n",
            "kizart.txt": "https://pelda.example/kizart\n",
        },
    )
    assert [link.url for link in page.articles] == [
        "https://pelda.example/uj/1?oldal=2",
        "https://pelda.example/uj/2",
        "https://pelda.example/uj/elo",
        "https://a.harmadik.example/uj/2",
    ]
    assert [(link.url, link.reason) for link in page.refused] == [
        ("https://pelda.example/pr/3", "urls.only"),
        ("https://pelda.example/kizart", "urls.exclude_file"),
        ("https://masik.example/uj/1", "other host"),
    ]


def test_hosts_compare_without_port_and_www() -> None:
    html = "<a href='http://www.pelda.example:8080/1'>1</a><a href='https://en.pelda.example/2'>2</a>"
    page = archive_of(html, link="a")
    assert [link.url for link in page.articles] == ["http://www.pelda.example:8080/1"]
    assert [link.reason for link in page.refused] == ["other host"]


def test_articles_that_are_skipped_by_their_url_are_refused() -> None:
    page = archive_of("<a href=/galeria/1>1</a><a href=/cikk/1>2</a>", link="a", articles={"skip": {"url": ["/galeria/"]}})
    assert [link.url for link in page.articles] == ["https://pelda.example/cikk/1"]
    assert [(link.url, link.reason) for link in page.refused] == [("https://pelda.example/galeria/1", "articles.skip.url")]


@pytest.mark.parametrize(
    ("pattern", "identity"),
    [
        ("/cikk/(\\d+)/", "12"),
        ("/(cikk)/(\\d+)/", "cikk/12"),
        ("/nincs/(\\d+)/", "https://pelda.example/cikk/12/valami"),
        ("cikk/\\d+", "cikk/12"),
    ],
)
def test_identity_is_the_groups_else_the_url(pattern: str, identity: str) -> None:
    page = archive_of("<a href=/cikk/12/valami>x</a>", link="a", articles={"identity": pattern})
    assert page.articles[0].identity == identity


def test_fields_are_read_inside_the_item() -> None:
    html = """<time datetime="1999-01-01">az oldalé</time>
    <article><h2><a href="/1">Egy</a></h2><time datetime="2024-05-01T10:15:00+02:00">ma</time><i class="rovat"> Bel
    föld </i><b>Kiss Anna, Nagy Béla</b></article><article><h2><a href="/2">Kettő</a></h2></article>"""
    fields = {
        "datePublished": {"css": "time", "attr": "datetime"},
        "articleSection": ".rovat",
        "author": {"css": "b", "split": ", "},
        "egyeb": "h2",
    }
    first, second = archive_of(html, item="article", link="h2 a", fields=fields).articles
    assert first.fields == {
        "datePublished": ("2024-05-01T10:15:00+02:00",),
        "articleSection": ("Bel föld",),
        "author": ("Kiss Anna", "Nagy Béla"),
        "egyeb": ("Egy",),
    }
    assert second.fields == {"egyeb": ("Kettő",)}


def test_of_several_listings_lists_unite_and_of_single_values_the_first_wins() -> None:
    html = "<li><a href=/1>x</a><b>A</b><i>első</i></li><li><a href=/1>x</a><b>B</b><i>második</i><u>még</u></li>"
    page = archive_of(html, item="li", fields={"author": "b", "articleSection": "i", "description": "u"})
    assert page.articles[0].fields == {"author": ("A", "B"), "articleSection": ("első",), "description": ("még",)}


@pytest.mark.parametrize(
    ("document", "rules", "links"),
    [
        ({"data": [{"url": "/1"}, {"url": None}, {}, "furcsa", {"url": "/2"}]}, {"link": {"json": "data[].url"}}, ["/1", "/2"]),
        ({"data": [{"u": "/1"}, 3, {"u": "/2"}]}, {"item": {"json": "data"}, "link": {"json": "u"}}, ["/1", "/2"]),
        ({"data": {"x": [["/1"], ["/2"]]}}, {"item": {"json": "data.*"}}, ["/1", "/2"]),
        ([{"id": 7}], {"item": {"json": "@"}, "link": {"json": "id", "make_url": "/json/cikk?id={value}"}}, ["/json/cikk?id=7"]),
        ({"html": ["<p><a href=/1>a<a href=/2>b</p>", "<a href=/3>c"]}, {"link": {"html_in": "html", "css": "a"}}, ["/1", "/2", "/3"]),
        ({"html": "<li><a href=/1></a><a href=/2></a><li><a href=/3>"}, {"item": {"html_in": "html", "css": "li"}}, ["/1", "/3"]),
        ([{"h": "<a href=/1>"}, {"h": "<a href=/2>"}], {"item": {"json": "[]"}, "link": {"html_in": "h", "css": "a"}}, ["/1", "/2"]),
        ({"u": "/a?x=1&amp;copy=2&copy=3"}, {"link": {"json": "u"}}, ["/a?x=1&copy=2&copy=3"]),
        ([1, None, {"x": {}}], {"item": {"json": "[]"}, "link": {"json": "x.y.z"}}, []),
    ],
)
def test_links_in_json(document: Any, rules: dict[str, Any], links: list[str]) -> None:
    assert links_of(document, **rules) == [f"https://pelda.example{link}" for link in links]


def test_fields_in_json() -> None:
    page = archive_of(
        [{"u": "/1", "t": "R&amp;D", "k": ["a", "b"], "d": 1714551300, "h": "<b>vastag</b>"}],
        item={"json": "[]"},
        link={"json": "u"},
        fields={
            "headline": {"json": "t"},
            "keywords": {"json": "k"},
            "datePublished": {"json": "d"},
            "abstract": {"html_in": "h", "css": "b"},
        },
    )
    assert page.articles[0].fields == {
        "headline": ("R&D",),
        "keywords": ("a", "b"),
        "datePublished": ("2024-05-01T10:15:00+02:00",),
        "abstract": ("vastag",),
    }


def test_a_list_of_urls() -> None:
    text = "https://pelda.example/1\n\n# megjegyzés\n  /2 \nhttps://masik.example/3\nftp://pelda.example/4\n"
    page = archive_of(text, format="urls")
    assert [link.url for link in page.articles] == ["https://pelda.example/1", "https://pelda.example/2"]
    assert [link.url for link in page.refused] == ["https://masik.example/3"]


PAGER = """<ul class=lapozo><li><a href=/lista/2>2</a><li class=active><a href=/lista/3>3</a>
<li><a href=/lista/4?t=1#x>4</a><li><a href=/lista/9>9</a></ul>"""


@pytest.mark.parametrize(
    ("pick", "following"),
    [
        ({"css": ".lapozo a", "page_number": {"step": 1}}, "https://pelda.example/lista/4"),
        ({"css": ".lapozo a", "page_number": {"step": -1}}, "https://pelda.example/lista/2"),
        ({"css": ".lapozo a", "page_number": {"step": 6}}, "https://pelda.example/lista/9"),
        ({"css": ".lapozo a", "page_number": {"step": 2}}, None),
        ({"css": ".lapozo a", "having": {"text": "^4$"}}, "https://pelda.example/lista/4"),
        (".lapozo .active a", None),
        ([".nincs a", ".lapozo a"], "https://pelda.example/lista/2"),
        ({"head_link": "next"}, None),
    ],
)
def test_the_next_page_is_picked_and_cleaned(pick: Any, following: str | None) -> None:
    rules = {"next": pick, "urls": {"drop_fragment": True, "drop_params": ["t"], "exclude": ["lista"]}}
    assert archive_of(PAGER, link="h2 a", **rules).next_url == following


def test_only_the_mode_next_link_looks_for_the_next_page() -> None:
    assert archive_of(PAGER, link="h2 a", pages="infinite").next_url is None


@pytest.mark.parametrize(
    ("pager", "last"),
    [("<b>1</b><b>12</b><b>9</b>", 12), ("<b>1</b><b>1 / 12</b>", 1), ("<b>12. oldal</b>", 12), ("<b>utolsó</b>", None)],
)
def test_the_last_page_is_the_highest_number_in_the_pager(pager: str, last: int | None) -> None:
    assert archive_of(pager, link="h2 a", pages={"mode": "numbered", "last": "b"}).last_page == last


def test_a_page_can_say_that_it_is_the_end() -> None:
    assert archive_of("<p class=vege>", link="a", stop={"when": ".vege"}).stop == ".vege"
    assert archive_of("<p>", link="a", stop={"when": ".vege"}).stop is None


def test_the_page_itself_is_no_article_under_either_of_its_urls() -> None:
    page = archive_of("<a href=/lista/3>a</a><a href=/uj>b</a>", URL, link="a")
    assert [link.url for link in page.articles] == ["https://pelda.example/uj"]


def test_of_a_hundred_thousand_links_twenty_thousand_are_taken_and_it_is_told() -> None:
    content = "".join(f"<a href=/{number}>x</a>" for number in range(100_000))
    with at_most(20):
        page = archive_of(content, link="a")
    assert (len(page.articles), page.overfull) == (20_000, True)
    assert not archive_of("<a href=/1>x</a><a href=/2>x</a>", link="a").overfull


def test_the_links_of_a_pager_are_told_as_the_crawl_asks_for_them() -> None:
    page = archive_of(
        "<h2><a href=/cikk/1>Egy</a></h2><a class=n rel=next href=/lista/2?m=1>Older</a>",
        link="h2 a",
        next="a.n",
        urls={"drop_params": ["m"]},
    )
    assert page.next_url == "https://pelda.example/lista/2"
    assert {link.url for link in page.pager} <= {page.next_url}
    assert page.pager
