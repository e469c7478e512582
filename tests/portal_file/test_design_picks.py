"""The language of picks, sentence by sentence, as a person who only read about it writes portal files."""

from __future__ import annotations

import json
from textwrap import indent
from typing import Any

import pytest
from case_files import cases
from seams import links_of
from written_portal import HOME, WrittenPortal

LIST = """<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">
<HTML><HEAD><TITLE>Hírek - 3. oldal</TITLE><link rel="stylesheet" href="/s.css"><link rel=prev href="/lista/2">
<LINK REL="next" HREF="/lista/4">
<meta property="og:url" content="https://pelda.example/lista/3"></HEAD>
<BODY class="archive paged">
<div id=fejlec><a href="/"><img src=/logo.png></a><ul class="menu"><li class="active"><a href="/belfold">Belföld</a><li>
<a href="/kulfold">Külföld</a></ul></div>
<div class="lista elso">
 <div class="teaser kiemelt" data-id=11><a class=kep href="#"><IMG src="/k/1.jpg" srcset="/k/1.jpg 1x, /k/1b.jpg 2x"></a>
   <h2><a href="/cikk/11?utm_source=lista&amp;x=1">Első  <b>cikk</b></a></h2><span class=rovat>Belföld</span></div>
 <div class="teaser" data-id=12><a class=kep href="/galeria/12"><img src=/k/2.jpg></a>
   <h2><a href='/cikk/12'>Második</a></h2><span class=rovat>Külföld</span><p>Szöveg<p>Még szöveg</div>
</div>
<div class="lista masodik">
 <div class="teaser hirdetes" data-id=13><h2><a href="https://masik.example/pr">Hirdetés</a></h2></div>
 <div class="teaser" data-id=14><h3><a href="cikk/14">Negyedik</a></h3><a class=tovabb href="cikk/14#tovabb">tovább &gt;&gt;</a></div>
 <div class="teaser" data-id=15><h2><a href="/cikk/11?utm_source=lista&amp;x=1">Megint az első</a></h2></div>
</div>
<div class="lapozo"><a href="/lista/2">&laquo; előző</a> <a href="/lista/1">1</a> <a href="/lista/2">2</a> <a href="/lista/3">3</a>
  <a href="/lista/4">4</a> <a href="/lista/5">5</a> <a href="/lista/4">következő &raquo;</a></div>
</BODY></HTML>"""


def rules_of(archive: str) -> str:
    url = f"{HOME}/lista/3" if "next:" in archive else f"{HOME}/lista/{{page}}"
    return f"archive:\n  url: {url}\n{indent(archive, '  ')}\n"


# --- which elements: where a pick looks ---


@cases("archive, expected", "portal_file/cases/where-links-are-looked-for")
def test_where_links_are_looked_for(written: WrittenPortal, archive: str, expected: list[str]) -> None:
    assert written.links(rules_of(archive), LIST, "/lista/3") == expected


# --- how, step by step ---


@cases("archive, expected", "portal_file/cases/how-a-pick-goes-on-with-what-it-found")
def test_how_a_pick_goes_on_with_what_it_found(written: WrittenPortal, archive: str, expected: list[str]) -> None:
    expected = [one for one in expected if "masik.example" not in one]  # off-host links are refused
    assert written.links(rules_of(archive), LIST, "/lista/3") == expected


@cases("rule, expected", "portal_file/cases/the-next-page")
def test_the_next_page(written: WrittenPortal, rule: str, expected: str | None) -> None:
    assert written.next(rules_of("link: h2 a\n" + rule), LIST, "/lista/3") == expected


@cases("pager, step, expected", "portal_file/cases/the-link-with-the-next-number")
def test_the_link_with_the_next_number(written: WrittenPortal, pager: str, step: str, expected: str | None) -> None:
    rules = rules_of(f"link: h2 a\nnext: {{css: .l a, page_number: {{{step}}}}}")
    assert written.next(rules, f"<h2><a href=/c/1>C</a></h2><ul class=l>{pager}</ul>", "/lista/3") == expected


def test_the_pager_goes_before_the_rest_of_the_page(written: WrittenPortal) -> None:
    page = "<h2><a href=/c/1>C</a></h2><i class=active>2</i><nav><a href=/lista/3>3</a><a href=/lista/5>5</a><b class=active>4</b></nav>"
    rules = rules_of("link: h2 a\nnext: {css: a, within: nav, page_number: {}}")
    assert written.next(rules, page, "/lista/x") == "/lista/5"


# --- always, without being asked ---


@cases("href, expected", "portal_file/cases/a-link-becomes-a-whole-url")
def test_a_link_becomes_a_whole_url(written: WrittenPortal, href: str, expected: str) -> None:
    page = f'<ul><li><a href="{href}">cikk</a></ul>'
    assert written.links(rules_of("link: li a"), page, "/lista/3") == [expected]


@pytest.mark.parametrize("href", ["", "#", "#fent", "/lista/3", "/lista/3#x", "3", "javascript:void(0)", "mailto:a@b.hu", "tel:+361", "  "])
def test_an_unusable_link_is_skipped_before_anything_is_chosen(written: WrittenPortal, href: str) -> None:
    page = f'<li><a href="{href}">x</a><a name=horgony>y</a><a href="/cikk/1">z</a></li>'
    assert written.links(rules_of("item: li"), page, "/lista/3") == ["/cikk/1"]
    assert written.links(rules_of("item: li\nlink: a"), page, "/lista/3") == ["/cikk/1"]
    assert written.links(rules_of("link: {css: a, take: first}"), page, "/lista/3") == ["/cikk/1"]
    assert written.next(rules_of("link: a\nnext: a"), page, "/lista/3") == "/cikk/1"


def test_the_base_element_counts_as_in_a_browser(written: WrittenPortal) -> None:
    page = '<head><base href="https://pelda.example/regi/"></head><li><a href="1.html">E</a><li><a href="/2">K</a>'
    assert written.links(rules_of("link: li a"), page, "/lista/3") == ["/regi/1.html", "/2"]
    assert written.links(rules_of("link: {css: li a, base: 'https://pelda.example/uj/'}"), page, "/lista/3") == ["/uj/1.html", "/2"]
    assert written.links(rules_of("link: li a\nbase: https://pelda.example/uj/"), page, "/lista/3") == ["/uj/1.html", "/2"]


def test_next_links_are_joined_with_the_base_too(written: WrittenPortal) -> None:
    page = '<h2><a href=1.html>E</a></h2><a class=n href="?lap=4">tovább</a>'
    rules = rules_of("link: h2 a\nnext: a.n\nbase: https://pelda.example/hirek/")
    assert written.archive(rules, page, "/lista/3") == {
        "url": HOME + "/lista/3",
        "kind": "archive",
        "articles": [{"url": HOME + "/hirek/1.html"}],
        "next": HOME + "/hirek/?lap=4",
        "refused": [],
        "remarks": [],
    }


# --- fields of the listing ---

ITEM = """<ul><li class=t id=c1><h2> <a href=/1>Cím &amp;\n alcím</a> </h2><p class=s>Írta: Kiss Anna, Nagy Béla és MTI<b>!</b></p>
<time datetime="2024-05-01T10:15:00+02:00">2024. május 1. 10:15</time><i>egy</i><i>kettő</i><i>egy</i><span class=n>12</span>
<span class=n>7</span>
<img alt="a kép" src=/k.jpg data-cikk="&lt;a href='/2'&gt;Rejtett &lt;b&gt;cikk&lt;/b&gt;&lt;/a&gt;"></li></ul>"""


@cases("field, value", "portal_file/cases/what-the-listing-tells-of-an-article")
def test_what_the_listing_tells_of_an_article(written: WrittenPortal, field: str, value: str | list[str]) -> None:
    line = written.archive(rules_of(f"item: li.t\nlink: h2 a\nfields:\n  {field}"), ITEM, "/lista/3")
    assert line["articles"] == [{"url": HOME + "/1", field.split(":")[0]: value}]


def test_a_matching_value_is_put_into_another_field(written: WrittenPortal) -> None:
    steps = "css: .s, without: b, replace: [['^Írta: ', '']], split: ', | és '"
    rules = rules_of(f"item: li.t\nlink: h2 a\nfields:\n  author: {{{steps}, drop: [MTI]}}\n  source: {{{steps}, match: '^(MTI)$'}}")
    (article,) = written.archive(rules, ITEM, "/lista/3")["articles"]
    assert article["author"] == ["Kiss Anna", "Nagy Béla"]
    assert article["source"] in ("MTI", ["MTI"])


def test_several_teasers_of_one_article_are_one_entry(written: WrittenPortal) -> None:
    page = "<li><a href=/1>Rövid</a><i>a</i><li><a href=/2>Más</a><li><a href=/1>Hosszabb</a><i>b</i><i>a</i>"
    line = written.archive(rules_of("item: li\nfields: {headline: a, keywords: i}"), page, "/lista/3")
    assert line["articles"] == [
        {"url": HOME + "/1", "headline": "Rövid", "keywords": ["a", "b"]},
        {"url": HOME + "/2", "headline": "Más"},
    ]


def test_the_earliest_and_the_latest_of_several_dates(written: WrittenPortal) -> None:
    page = "<time>2020. 03. 02. 10:00</time><time>2020. 01. 30. 11:00</time><time>2020. 12. 01. 09:00</time>"
    rules = (
        "metadata:\n  datePublished: {css: time, date: 'yyyy. MM. dd. HH:mm', take: min}\n"
        "  dateModified: {css: time, date: 'yyyy. MM. dd. HH:mm', take: max}"
    )
    found = written.metadata(rules, page, "/cikk/1")
    assert found["datePublished"] == ["2020-01-30T11:00:00+01:00"]
    assert found["dateModified"] == ["2020-12-01T09:00:00+01:00"]


@pytest.mark.parametrize(
    ("rule", "value"),
    [
        ("{css: .d, with_attr: title, date: auto}", "2012-10-23T07:51:00+02:00"),
        ("{css: .d, date: auto}", "2012-10-23"),
        ("{css: .last, date: yyyy}", None),
    ],
)
def test_a_day_in_the_text_and_its_time_in_an_attribute_are_one_date(written: WrittenPortal, rule: str, value: str | None) -> None:
    page = '<a title="7:51" class=d><i>2012. október 23.</i></a><p class=last>by Anna <b>Today</b> at 09:05:00 AM</p>'
    found = written.metadata(f"metadata:\n  dateModified: {rule}\n", page, "/cikk/1")
    assert found.get("dateModified", [None]) == [value]


def test_a_date_may_be_told_from_the_moment_of_the_capture(written: WrittenPortal) -> None:
    rules = "metadata: {dateModified: {css: .last, date: auto}}\n"
    (read,) = written.metadata(rules, "<p class=last>by Anna <b>Today</b> at 09:05:00 AM</p>", "/cikk/1")["dateModified"]
    assert read[10:19] == "T09:05:00"


def test_a_value_says_which_rule_gave_it(written: WrittenPortal) -> None:
    line = written.look("metadata: {creditText: [.nincs, .a]}\n", "<b class=a>MTI</b>", "/cikk/1", "--as", "article")
    assert [(found["value"], "metadata.creditText" in found["source"]) for found in line["metadata"]["creditText"]] == [("MTI", True)]


# --- places other than CSS ---

ARTICLE = """<html lang=hu><head><meta name=author content="Kiss Anna"><meta property="article:tag" content=egy>
<meta property="article:tag" content=kettő>
<link rel="canonical" href="/cikk/1"><link rel=next href="/cikk/1?o=2">
<script>window.adat = {"cikk": {"id": 77, "cimkek": ["a", "b"], "url": "\\/cikk\\/1"}}; var oldalTipus = "cikk";</script>
<script type='application/ld+json'>{"@context": "https://schema.org", "@type": "NewsArticle", "url": "https://pelda.example/cikk/1",
 "headline": "A cím", "author": [{"@type": "Person", "name": "A"}, {"@type": "Person", "name": "B"}]}</script></head>
<body><h1>Cím</h1><div class=meta>Szerző: <b>Nagy Béla</b></div></body></html>"""


@cases("rule, values", "portal_file/cases/where-else-a-value-may-stand")
def test_where_else_a_value_may_stand(written: WrittenPortal, rule: str, values: list[str]) -> None:
    name = rule.split(":")[0]
    assert written.metadata(f"metadata:\n  {rule}\n", ARTICLE, "/cikk/1").get(name, []) == values


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("{head_link: next}", "/cikk/1?o=2"),
        ("a.k", None),
        ("{script: '\"url\": \"([^\"]+)\"', replace: [['\\\\\\\\', ''], ['$', '?o=9']]}", "/cikk/1?o=9"),
    ],
)
def test_the_next_page_of_an_article(written: WrittenPortal, rule: str, expected: str | None) -> None:
    found = written.look(f"articles:\n  next: {rule}\n", ARTICLE, "/cikk/1", "--as", "article")["next_page"]
    assert found == (expected and HOME + expected)


# --- JSON ---

API = {
    "count": 3,
    "results": [
        {"id": 1, "link": "/cikk/1", "title": {"rendered": "K&amp;H &#8211; els&#337;"}, "tags": ["a", None, "b"], "sub": {"url": "/s/1"}},
        {"id": 2, "link": None, "title": {"rendered": "Nincs"}, "tags": []},
        {"id": 3, "link": "https://pelda.example/cikk/3", "title": {"rendered": "H\u00e1rmas"}},
        "ez nem objektum",
    ],
    "by_id": {"1": {"url": "/cikk/1"}, "2": {"url": "/cikk/2"}},
    "html": "<div class=t><a href=/cikk/8>Nyolc</a></div><div class=t><a href='/cikk/9'>Kilenc</a></div>",
    "parts": [{"html": "<a href=/cikk/5>Öt</a>"}, {"html": "<a href=/cikk/6>Hat</a>"}],
    "next": "/api?page=4",
}


@cases("archive, expected", "portal_file/cases/links-in-json")
def test_links_in_json(written: WrittenPortal, archive: str, expected: list[str]) -> None:
    assert written.links(rules_of("format: json\n" + archive), json.dumps(API), "/lista/3") == expected


@cases("field, value", "portal_file/cases/fields-in-json")
def test_fields_in_json(written: WrittenPortal, field: str, value: Any) -> None:
    rules = rules_of(f"format: json\nitem: {{json: results}}\nlink: {{json: link}}\nfields:\n  {field}")
    articles = written.archive(rules, json.dumps(API), "/lista/3")["articles"]
    assert articles[0] == {"url": HOME + "/cikk/1", field.split(":")[0]: value}


@cases("body, expected", "portal_file/cases/odd-json-is-read")
def test_odd_json_is_read(written: WrittenPortal, body: str, expected: list[str]) -> None:
    assert written.links(rules_of("format: json\nlink: {json: 'a[].u'}"), body, "/lista/3") == expected
    assert written.links(rules_of("format: json\nitem: {json: a}\nlink: {json: u, take: all}"), body, "/lista/3") == expected


PATHS: dict[str, tuple[str, object, list[str]]] = {
    "the rest of a list": ("items[1:].url", {"items": [{"url": "/x"}, {"url": "/y"}]}, ["/y"]),
    "every second": ("items[:4:2]", {"items": ["/1", "/2", "/3"]}, ["/1", "/3"]),
    "no object": ("a.b", ["not", "an", "object"], []),
    "a function of something else": ("sum(a)", {"a": "text"}, []),
    "nothing": ("length(@)", None, []),
    "a text that grows without end": ("|".join(["join('', [@, @])"] * 9), "/" + "x" * 100_000, []),
}


@pytest.mark.parametrize(("path", "document", "found"), PATHS.values(), ids=PATHS)
def test_a_search_in_json_never_fails(path: str, document: object, found: list[str]) -> None:
    """What is refused at load stands in `broken/`."""
    assert [url.removeprefix(HOME) for url in links_of({"inner": document}, link={"json": f"inner | {path}"})] == found


@cases("body, archive", "portal_file/cases/shapes-of-json")
def test_shapes_of_json(written: WrittenPortal, body: str, archive: str) -> None:
    assert written.links(rules_of("format: json\n" + archive), body, "/lista/3") == ["/1", "/2"]


@cases("page, archive", "portal_file/cases/shapes-of-html")
def test_shapes_of_html(written: WrittenPortal, page: str, archive: str) -> None:
    assert written.links(rules_of(archive), page, "/lista/3") == ["/1", "/2"]


@pytest.mark.parametrize(("pick", "following"), [("next", "/api?page=4"), ("nincs", None)])
def test_the_next_page_in_json(written: WrittenPortal, pick: str, following: str | None) -> None:
    rules = rules_of(f"format: json\nlink: {{json: 'results[].link'}}\nnext: {{json: {pick}}}")
    assert written.next(rules, json.dumps(API), "/lista/3") == following
