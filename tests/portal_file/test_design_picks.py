"""The language of picks, sentence by sentence, as a person who only read about it writes portal files."""

from __future__ import annotations

import json
from textwrap import indent
from typing import Any

import pytest
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
A11, A12, A14 = "/cikk/11?utm_source=lista&x=1", "/cikk/12", "/lista/cikk/14"


def rules_of(archive: str) -> str:
    url = f"{HOME}/lista/3" if "next:" in archive else f"{HOME}/lista/{{page}}"
    return f"archive:\n  url: {url}\n{indent(archive, '  ')}\n"


# --- which elements: where a pick looks ---


@pytest.mark.parametrize(
    ("archive", "expected"),
    [
        ("link: h2 a", [A11, A12]),
        ("link: {css: h2 a}", [A11, A12]),
        ("link: [h4 a, h2 a, h3 a]", [A11, A12]),
        ("link: [{css: h4 a}, {css: h3 a}]", [A14]),
        ("link: {all_of: [h3 a, h2 a]}", [A14, A11, A12]),
        ("link: {all_of: [[h4 a, h3 a], {css: h2 a, take: all}]}", [A14, A11, A12]),
        ('link: "h2 a, h3 a"', [A11, A12, A14]),
        ("link: H2 A", [A11, A12]),
        ('link: ":is(h2, h3) a"', [A11, A12, A14]),
        ('link: ":where(h2, h3) > a"', [A11, A12, A14]),
        ('link: "div.teaser:not(.kiemelt):not(.hirdetes) h2 a"', [A12, A11]),
        ('link: "div.teaser:has(h3) a"', [A14, A14 + "#tovabb"]),
        ('link: "div.teaser:has(> h2 > a) > h2 > a"', [A11, A12]),
        ("link: 'div.teaser:has(span.rovat:contains(\"Kül\")) h2 a'", [A12]),
        ("link: 'a:contains(\"Második\")'", [A12]),
        ('link: ".lista + .lista h3 a"', [A14]),
        ('link: ".lista ~ .lista h2 a"', [A11]),
        ('link: "a.kep + h2 > a"', [A11, A12]),
        ("link: \"h2 a[href*='/cikk/']\"", [A11, A12]),
        ("link: 'h2 a[href^=\"/cikk/12\"]'", [A12]),
        ('link: "div:nth-child(2) > h2 a"', [A12]),
        ('link: "div.teaser:first-child :is(h2) a"', [A11]),
        ('link: "div.lista:nth-of-type(3) h3 a"', [A14]),
        ("item: div.teaser\nlink: h2 a", [A11, A12]),
        ("item: div.teaser", [A11, "/galeria/12", A14]),  # the last teaser gives the first article again
        ("item: div.teaser\nlink: [h3 a, h2 a]", [A11, A12, A14]),
        ("item: [article, div.teaser]\nlink: h2 a", [A11, A12]),
        ("item: [div.hirdetes, div.teaser]\nlink: h2 a", []),
        ("item: h2 a", [A11, A12]),
        ('item: div.teaser\nlink: "div.teaser > h2 > a"', [A11, A12]),
        ('item: div.teaser\nlink: "> a"', ["/galeria/12", A14 + "#tovabb"]),
        ('item: div.teaser\nlink: ["> h2 > a", "> h3 a"]', [A11, A12, A14]),
        ('item: div.teaser\nlink: ".kiemelt h2 a"', [A11]),
        ('item: div.teaser\nlink: "h2 > a, h3 > a"', [A11, A12, A14]),
        ("item: div.teaser\nlink: {css: a, take: last}", [A11, A12, A14 + "#tovabb"]),
        ("item: div.lista\nlink: {css: h2 a, take: all}", [A11, A12]),
        ("item: div.lista\nlink: h2 a", [A11]),
        ("item: {css: div.teaser, within: div.masodik}\nlink: h3 a", [A14]),
        ("item: {css: div.teaser, having: {data-id: '^1[24]$'}}\nlink: ':is(h2, h3) a'", [A12, A14]),
        ("item: {css: div.teaser, take: last}\nlink: h2 a", [A11]),
        ("item: {all_of: [div.masodik h3, div.elso h2]}", [A14, A11, A12]),
    ],
)
def test_where_links_are_looked_for(written: WrittenPortal, archive: str, expected: list[str]) -> None:
    assert written.links(rules_of(archive), LIST, "/lista/3") == expected


# --- how, step by step ---


@pytest.mark.parametrize(
    ("archive", "expected"),
    [
        ("link: {css: h2 a, when: div.lapozo}", [A11, A12]),
        ("link: {css: h2 a, when: div.nincs}", []),
        ("link: {css: h2 a, unless: div.lapozo}", []),
        ("link: [{css: h2 a, unless: div.lapozo}, {css: h3 a}]", [A14]),
        ("item: div.teaser\nlink: {css: h2 a, when: h3}", [A11, A12]),
        ("item: div.teaser\nlink: {css: h2 a, unless: h3}", []),
        ("link: {css: h2 a, within: div.elso}", [A11, A12]),
        ("link: {css: h2 a, within: div.lista}", [A11, A12]),
        ("link: {css: ':is(h2, h3) a', within: {css: div.lista, take: last}}", [A14, A11]),
        ("link: {css: '> h3 > a', within: {css: div.teaser, take: -2}}", [A14]),
        ("link: {css: ':is(h2, h3) a', within: {css: div.lista, take: all}}", [A11, A12, A14]),
        ("item: div.teaser\nlink: {css: a, within: h2}", [A11, A12]),
        ('link: {css: a, having: {text: "tovább >>"}}', [A14 + "#tovabb"]),
        ("link: {css: a, having: {text: '^Első cikk$'}}", [A11]),
        ("link: {css: a, having: {href: cikk/}}", [A11, A12, A14, A14 + "#tovabb"]),
        ("link: {css: a, having: {href: cikk/, text: ik$}}", [A12, A14]),
        ("link: {css: a, having: {href: cikk/, class: tovabb}}", [A14 + "#tovabb"]),
        ("link: {css: div.teaser, attr: data-id, replace: [['^', /cikk/]]}", ["/cikk/11", "/cikk/12", "/cikk/13", "/cikk/14", "/cikk/15"]),
        (
            "link: {css: div.teaser, attr: data-id, make_url: 'https://pelda.example/json/cikk?id={value}'}",
            [f"/json/cikk?id={n}" for n in range(11, 16)],
        ),
        ("item: div.teaser\nlink: {attr: data-id, make_url: 'https://pelda.example/c/{value}'}", [f"/c/{n}" for n in range(11, 16)]),
        ("link: {css: h2 a, match: '^[^?]+'}", ["/cikk/11", A12, "https://masik.example/pr"]),
        ("link: {css: h2 a, match: '(/cikk/)(\\d+)', make_url: 'https://pelda.example{value}x'}", ["/cikk/x"]),
        ("link: {css: h2 a, match: '/cikk/(?P<id>\\d+)', make_url: 'https://pelda.example/c/{value}'}", ["/c/11", "/c/12"]),
        ("link: {css: h2 a, replace: [['/cikk/(\\d+)', '/c/\\1/'], ['\\?.*', '']]}", ["/c/11/", "/c/12/", "https://masik.example/pr"]),
        ("link: {css: h2 a, drop: ['https://masik\\.example']}", [A11, A12]),
        ("link: {css: h2 a, take: last}", [A11]),
        ("link: {css: h2 a, take: first}", [A11]),
        ("link: {css: h2 a, take: rest}", [A12, A11]),
        ("link: {css: h2 a, take: all}", [A11, A12]),
        ("link: {css: h2 a, base: 'https://pelda.example/mas/'}", [A11, A12]),
        ("link: {css: h3 a, base: 'https://pelda.example/mas/'}", ["/mas/cikk/14"]),
        ("link: h3 a\nbase: https://pelda.example/", ["/cikk/14"]),
        ("link: {css: h3 a, base: 'https://pelda.example/c/'}\nbase: https://pelda.example/", ["/c/cikk/14"]),
    ],
)
def test_how_a_pick_goes_on_with_what_it_found(written: WrittenPortal, archive: str, expected: list[str]) -> None:
    expected = [one for one in expected if "masik.example" not in one]  # off-host links are refused
    assert written.links(rules_of(archive), LIST, "/lista/3") == expected


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("next: {head_link: next}", "/lista/4"),
        ("next: 'link[rel=next]'", "/lista/4"),
        ("next: a.nincs", None),
        ("next: [a.nincs, 'div.lapozo a:contains(\"következő\")']", "/lista/4"),
        ("next: {css: div.lapozo a, having: {text: következő}}", "/lista/4"),
        ("next: {css: div.lapozo a, having: {text: '^következő »$'}}", "/lista/4"),
        ("next: {css: div.lapozo a, take: last}", "/lista/4"),
        ("next: {css: div.lapozo a, page_number: {step: 1}}", "/lista/4"),
        ("next: {css: div.lapozo a, page_number: {}}", "/lista/4"),
        ("next: {css: div.lapozo a, page_number: {step: -1}}", "/lista/2"),
        ("next: {css: div.lapozo a, page_number: {step: 3}}", None),
        ("next: {css: a, page_number: {step: 1}}", "/lista/4"),
        ("next: {css: div.lapozo a, page_number: {step: 1}, replace: [['^/lista/', '/archiv/']]}", "/archiv/4"),
        ("next: {page_url: '/lista/(\\d+)', make_url: 'https://pelda.example/x/{value}'}", "/x/3"),
    ],
)
def test_the_next_page(written: WrittenPortal, rule: str, expected: str | None) -> None:
    assert written.next(rules_of("link: h2 a\n" + rule), LIST, "/lista/3") == expected


@pytest.mark.parametrize(
    ("pager", "step", "expected"),
    [
        ('<span class="page-numbers current">3</span><a href="/lista/4">4</a>', "", "/lista/4"),
        ('<span aria-current="page">3</span><a href="/lista/2">2</a><a href="/lista/4"><span>4</span></a>', "", "/lista/4"),
        ('<li class="active"><a href="/lista/3">3</a></li><li><a href="/lista/4"> 4 </a></li>', "", "/lista/4"),
        ('<li class="active"><a>3</a> <span class=sr-only>(jelenlegi)</span></li><li><a href="/lista/4">4</a></li>', "", "/lista/4"),
        ('<a href="/lista/4">4. oldal</a><a class=active>3</a><a href="/lista/5">4</a>', "", "/lista/5"),
        ('<b class=on>3</b><a href="/lista/4">4</a>', "current: b.on", "/lista/4"),
        ('<b class=on>3</b><span class=current>8</span><a href="/lista/4">4</a><a href="/lista/9">9</a>', "current: b.on", "/lista/4"),
        ('<b>3</b><a href="/lista/4">4</a>', "", None),
        ('<i class=active>Belföld</i><i class=current>3</i><a href="/lista/4">4</a>', "", "/lista/4"),
        ('<a href="?p=1">1</a><a href="/lista/3">3</a><a href="/lista/4">4</a>', "", "/lista/4"),
        ('<a href="/lista/3#lap">3</a><a href="/lista/4">4</a>', "", "/lista/4"),
        ('<span class=current>3</span><a href="/lista/2">2</a><a href="/lista/2">&lt;</a><a href="/lista/4">4</a>', "step: -1", "/lista/2"),
        ('<span class=current>3</span><a href="/lista/4">04</a>', "", "/lista/4"),
        ('<span class=current>9</span><a href="/lista/1">1</a><a href="/lista/10">10</a>', "", "/lista/10"),
        ('<span class=current>3</span><a href="#">4</a><a href="/lista/4b">4</a>', "", "/lista/4b"),
        ('<b class=active>3. oldal</b><a href="/lista/4">4</a>', "", None),
        ('<b class=current>2</b><u>3</u><a href="/lista/4">4</a>', "current: u", "/lista/4"),
        ('<b class=current>2</b><a href="/lista/3">3</a>', "current: u", None),
        ('<b class=current>3</b><a href="/lista/4">4. oldal</a>', "", None),
    ],
)
def test_the_link_with_the_next_number(written: WrittenPortal, pager: str, step: str, expected: str | None) -> None:
    rules = rules_of(f"link: h2 a\nnext: {{css: .l a, page_number: {{{step}}}}}")
    assert written.next(rules, f"<h2><a href=/c/1>C</a></h2><ul class=l>{pager}</ul>", "/lista/3") == expected


def test_the_pager_goes_before_the_rest_of_the_page(written: WrittenPortal) -> None:
    page = "<h2><a href=/c/1>C</a></h2><i class=active>2</i><nav><a href=/lista/3>3</a><a href=/lista/5>5</a><b class=active>4</b></nav>"
    rules = rules_of("link: h2 a\nnext: {css: a, within: nav, page_number: {}}")
    assert written.next(rules, page, "/lista/x") == "/lista/5"


# --- always, without being asked ---


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("/cikk/1", "/cikk/1"),
        ("cikk/1", "/lista/cikk/1"),
        ("../cikk/1", "/cikk/1"),
        ("./cikk/1", "/lista/cikk/1"),
        ("?cikk=1", "/lista/3?cikk=1"),
        ("//pelda.example/cikk/1", "/cikk/1"),
        ("http://pelda.example/cikk/1", "http://pelda.example/cikk/1"),
        ("https://www.pelda.example/cikk/1", "https://www.pelda.example/cikk/1"),
        ("  /cikk/1\n", "/cikk/1"),
        ("/cikk/100%-os siker", "/cikk/100%25-os%20siker"),
        ("/cikk/50%25", "/cikk/50%25"),
        ("/cikk/őszi-szünet?q=ű", "/cikk/%C5%91szi-sz%C3%BCnet?q=%C5%B1"),
        ("/cikk/%C5%91szi", "/cikk/%C5%91szi"),
        ("/cikk?a=1&amp;b=2", "/cikk?a=1&b=2"),
        ("/cikk?a=1&b=2&copy=3", "/cikk?a=1&b=2&copy=3"),
        ("/cikk/1#hozzaszolas", "/cikk/1#hozzaszolas"),
        ("/a/../cikk/1", "/cikk/1"),
        ("/ci\nkk/1", "/cikk/1"),
    ],
)
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


@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-2", "windows-1250"])
def test_old_encodings_are_read_right(written: WrittenPortal, encoding: str) -> None:
    page = (
        f"<html><head><meta http-equiv=Content-Type content='text/html; charset={encoding}'>"
        f"</head><body><h2><a href='/őz'>Árvíztűrő fúrógép</a></h2>"
    )
    line = written.archive(rules_of("item: h2\nfields: {headline: a}"), page.encode(encoding), "/lista/3")
    assert line["articles"] == [{"url": HOME + "/%C5%91z", "headline": "Árvíztűrő fúrógép"}]


def test_the_portal_file_can_tell_the_encoding_of_pages_that_do_not(written: WrittenPortal) -> None:
    rules = "fetch: {encoding: iso-8859-2}\n" + rules_of("item: h2\nfields: {headline: a}")
    line = written.archive(rules, "<h2><a href=/1>Őszi szüret</a></h2>".encode("iso-8859-2"), "/lista/3")
    assert line["articles"][0]["headline"] == "Őszi szüret"


# --- fields of the listing ---

ITEM = """<ul><li class=t id=c1><h2> <a href=/1>Cím &amp;\n alcím</a> </h2><p class=s>Írta: Kiss Anna, Nagy Béla és MTI<b>!</b></p>
<time datetime="2024-05-01T10:15:00+02:00">2024. május 1. 10:15</time><i>egy</i><i>kettő</i><i>egy</i><span class=n>12</span>
<span class=n>7</span>
<img alt="a kép" src=/k.jpg data-cikk="&lt;a href='/2'&gt;Rejtett &lt;b&gt;cikk&lt;/b&gt;&lt;/a&gt;"></li></ul>"""


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("headline: h2", "Cím & alcím"),
        ("headline: {css: h2 a}", "Cím & alcím"),
        ("headline: [h3, h2]", "Cím & alcím"),
        ("headline: {const: állandó}", "állandó"),
        ("headline: {page_url: '/(\\w+)/\\d+$'}", "lista"),
        ("headline: {page_url: '/(\\w+)/(?P<lap>\\d+)$'}", "3"),
        ("keywords: i", ["egy", "kettő"]),
        ("keywords: {css: i, take: last}", ["egy"]),
        ("keywords: {css: i, take: rest}", ["kettő", "egy"]),
        ("keywords: {css: i, take: first}", ["egy"]),
        ("keywords: {css: i, drop: [egy]}", ["kettő"]),
        ("keywords: {css: i, map: {egy: '1', kettő: '2'}}", ["1", "2"]),
        ("keywords: {css: i, map: {egy: '1'}}", ["1", "kettő"]),
        ("keywords: {all_of: [i, {const: három}]}", ["egy", "kettő", "három"]),
        ("keywords: {css: 'i, b', drop: [^ke, '!']}", ["egy"]),
        ("keywords: {css: 'i, b', drop: [ke]}", ["!", "egy", "kettő"]),
        ("headline: {css: i, take: 1}", "kettő"),
        ("headline: {css: i, take: -2}", "kettő"),
        ("author: {css: .s, without: b, replace: [['^Írta: ', '']], split: ', | és '}", ["Kiss Anna", "Nagy Béla", "MTI"]),
        ("author: {css: .s, own_text: true, match: 'Írta: (.+?),'}", ["Kiss Anna"]),
        ("author: {css: .s, own_text: true, split: ', | és ', replace: [['Írta: ', '']], drop: [MTI]}", ["Kiss Anna", "Nagy Béla"]),
        ("description: {css: img, attr: alt}", "a kép"),
        ("identifier: {attr: id}", "c1"),
        ("sorszam: {css: .n, take: min}", "7"),
        ("sorszam: {css: .n, take: max}", "12"),
        ("headline: {html_in: data-cikk, css: a}", "Rejtett cikk"),
        ("datePublished: {css: time, attr: datetime}", "2024-05-01T10:15:00+02:00"),
        ("datePublished: {css: time, attr: datetime, date: iso}", "2024-05-01T10:15:00+02:00"),
        ("datePublished: {css: time, date: 'yyyy. MMMM d. HH:mm'}", "2024-05-01T10:15:00+02:00"),
        ("datePublished: {css: time, date: ['dd/MM/yyyy', 'yyyy. MMMM d. HH:mm']}", "2024-05-01T10:15:00+02:00"),
        ("datePublished: {css: time, match: '^.*\\d\\. ', date: 'yyyy. MMMM d.'}", "2024-05-01"),
        ("datePublished: {css: time, date: auto}", "2024-05-01T10:15:00+02:00"),
    ],
)
def test_what_the_listing_tells_of_an_article(written: WrittenPortal, field: str, value: str | list[str]) -> None:
    line = written.archive(rules_of(f"item: li.t\nlink: h2 a\nfields:\n  {field}"), ITEM, "/lista/3")
    assert line["articles"] == [{"url": HOME + "/1", field.split(":")[0]: value}]


def test_a_matching_value_is_routed_to_another_field(written: WrittenPortal) -> None:
    rules = rules_of(
        "item: li.t\nlink: h2 a\nfields:\n  author: {css: .s, without: b, "
        "replace: [['^Írta: ', '']], split: ', | és ', route: {source: [MTI, '\\.hu$']}}"
    )
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


@pytest.mark.parametrize(
    ("language", "text", "pattern", "value"),
    [
        ("hu", "2011. december 24., szombat 18:05", "yyyy. MMMM d., EEEE HH:mm", "2011-12-24T18:05:00+01:00"),
        ("hu", "2011. dec. 24.", "yyyy. MMM d.", "2011-12-24"),
        ("hu", "2011.Szeptember 4.", "yyyy.MMMM d.", "2011-09-04"),
        ("hu", "2011.09.04. 9:05", "yyyy.MM.dd. H:mm", "2011-09-04T09:05:00+02:00"),
        ("hu", "2011-09-04 09:05:33", "yyyy-MM-dd HH:mm:ss", "2011-09-04T09:05:33+02:00"),
        ("hu", "Közzétéve: 2011. 09. 04. 10.05", "yyyy. MM. dd. HH.mm", "2011-09-04T10:05:00+02:00"),
        ("de", "3. März 2019, 14:30 Uhr", "d. MMMM yyyy, HH:mm 'Uhr'", "2019-03-03T14:30:00+01:00"),
        ("de", "Dienstag, 05.03.2019", "EEEE, dd.MM.yyyy", "2019-03-05"),
        ("cs", "5. března 2019 8:00", "d. MMMM yyyy H:mm", "2019-03-05T08:00:00+01:00"),
        ("en", "March 5, 2019 8:00 PM", "MMMM d, yyyy h:mm a", "2019-03-05T20:00:00+01:00"),
        ("en", "5 Mar 19", "d MMM yy", "2019-03-05"),
        ("pl", "5 marca 2019", "d MMMM yyyy", "2019-03-05"),
        ("sk", "5. marca 2019", "d. MMMM yyyy", "2019-03-05"),
        ("ro", "5 martie 2019", "d MMMM yyyy", "2019-03-05"),
        ("fr", "5 août 2019", "d MMMM yyyy", "2019-08-05"),
    ],
)
def test_dates_are_read_in_the_language_of_the_portal(written: WrittenPortal, language: str, text: str, pattern: str, value: str) -> None:
    written.head = written.head.replace("language: hu", f"language: {language}")
    quoted = json.dumps(pattern)
    rules = rules_of(f"item: li\nfields:\n  datePublished: {{css: b, date: {quoted}}}")
    assert written.archive(rules, f"<li><a href=/1>E</a><b>{text}</b>", "/lista/3")["articles"] == [
        {"url": HOME + "/1", "datePublished": value}
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


@pytest.mark.parametrize(
    ("rule", "values"),
    [
        ("author: {meta: author}", ["Kiss Anna"]),
        ("keywords: {meta: 'article:tag'}", ["egy", "kettő"]),
        ("headline: {jsonld: headline}", ["A cím"]),
        ("author: {jsonld: 'author[].name'}", ["A", "B"]),
        ("author: {jsonld: 'author[0].name'}", ["A"]),
        ("articleSection: {script: 'oldalTipus = \"(\\w+)\"'}", ["cikk"]),
        ("identifier: {script: 'window\\.adat = ({.*?});', json: cikk.id}", ["77"]),
        ("keywords: {script: 'adat = ({.*});', json: 'cikk.cimkek[]'}", ["a", "b"]),
        ("keywords: {script: 'adat = ({.*});', json: cikk.cimkek}", ["a", "b"]),
        ("articleSection: {page_url: '^https://[^/]+/([^/]+)/', map: {cikk: Cikk}}", ["Cikk"]),
        ("articleSection: {page_url: cikk}", ["cikk"]),
        ("publisher: {const: Példa}", ["Példa"]),
        ("creditText: {listing: headline}", []),
        ("author: {css: .meta b}", ["Nagy Béla"]),
        ("author: {css: .meta, own_text: true}", ["Szerző:"]),
        ("author: {css: .meta, without: b}", ["Szerző:"]),
        ("author: {css: .meta, match: 'Szerző: (?P<nev>.*)'}", ["Nagy Béla"]),
        ("creditText: {css: .meta, match: 'nincs'}", []),
        ("author: [{css: .meta, match: 'nincs'}, h1]", ["Cím"]),
        ("url: {head_link: canonical}", [HOME + "/cikk/1"]),
        ("creditText: {const: 007}", ["007"]),
        ("creditText: {const: true}", ["true"]),
    ],
)
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


@pytest.mark.parametrize(
    ("archive", "expected"),
    [
        ("link: {json: 'results[].link'}", ["/cikk/1", "/cikk/3"]),
        ("link: {json: 'results[*].link'}", ["/cikk/1", "/cikk/3"]),
        ("link: {json: 'by_id.*.url'}", ["/cikk/1", "/cikk/2"]),
        ("link: {json: '*.*.url'}", ["/cikk/1", "/cikk/2"]),
        ("link: {json: '*[].sub.url'}", ["/s/1"]),
        ("link: {json: 'results[].id', make_url: 'https://pelda.example/json/cikk?id={value}'}", [f"/json/cikk?id={n}" for n in (1, 2, 3)]),
        ("item: {json: results}\nlink: {json: link}", ["/cikk/1", "/cikk/3"]),
        ("item: {json: 'results[]'}\nlink: {json: link}", ["/cikk/1", "/cikk/3"]),
        ("item: {json: 'results[?id > `1`]'}\nlink: {json: link}", ["/cikk/3"]),
        ("item: {json: results}\nlink: {json: id, make_url: 'https://pelda.example/c/{value}'}", ["/c/1", "/c/2", "/c/3"]),
        (
            "item: {json: results}\nlink: [{json: link}, {json: id, make_url: 'https://pelda.example/c/{value}'}]",
            ["/cikk/1", "/c/2", "/cikk/3"],
        ),
        ("link: {html_in: html, css: a}", ["/cikk/8", "/cikk/9"]),
        ("link: {html_in: 'parts[].html', css: a}", ["/cikk/5", "/cikk/6"]),
        ("item: {html_in: html, css: div.t}\nlink: a", ["/cikk/8", "/cikk/9"]),
        ("item: {html_in: html, css: div.t}", ["/cikk/8", "/cikk/9"]),
        ("item: {json: parts}\nlink: {html_in: html, css: a}", ["/cikk/5", "/cikk/6"]),
        ("link: [{json: 'nincs[].x'}, {json: 'by_id.*.url'}]", ["/cikk/1", "/cikk/2"]),
        ("link: {all_of: [{json: 'by_id.*.url'}, {html_in: html, css: a}]}", ["/cikk/1", "/cikk/2", "/cikk/8", "/cikk/9"]),
        ("link: {json: 'results[].link', base: 'https://pelda.example/x/'}", ["/cikk/1", "/cikk/3"]),
    ],
)
def test_links_in_json(written: WrittenPortal, archive: str, expected: list[str]) -> None:
    assert written.links(rules_of("format: json\n" + archive), json.dumps(API), "/lista/3") == expected


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("headline: {json: title.rendered}", "K&H – első"),
        ("keywords: {json: tags}", ["a", "b"]),
        ("keywords: {json: 'tags[]'}", ["a", "b"]),
        ("identifier: {json: id}", "1"),
    ],
)
def test_fields_in_json(written: WrittenPortal, field: str, value: Any) -> None:
    rules = rules_of(f"format: json\nitem: {{json: results}}\nlink: {{json: link}}\nfields:\n  {field}")
    articles = written.archive(rules, json.dumps(API), "/lista/3")["articles"]
    assert articles[0] == {"url": HOME + "/cikk/1", field.split(":")[0]: value}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('\ufeff{"a": [{"u": "/1"}]}', ["/1"]),
        (' \n{"a": [{"u": "\\/1"}, null, 5, {"u": {"x": 1}}, {"u": ["/2", "/3"]}]}', ["/1", "/2", "/3"]),
        ('{"a": [{"u": "/1", "id": 123456789012345678901234567890, "x": NaN}]}', ["/1"]),
        ('{"a": [{"u": "/%C5%91z?a=1&amp;b=2"}]}', ["/%C5%91z?a=1&b=2"]),
        ('{"a": [{"u": "/1", "t": "\\ud83d"}, {"u": "/2", "t": "\\udc00 \\ud83d\\ude00"}]}', ["/1", "/2"]),
        ('{"a": [{"u": "/1", "t": "két\nsor"}]}', ["/1"]),
        ('{"a": []}', []),
        ('{"a": null}', []),
        ("[]", []),
        ("null", []),
        ("false", []),
        ('{"error": "nincs"}', []),
    ],
)
def test_odd_json_is_read(written: WrittenPortal, body: str, expected: list[str]) -> None:
    assert written.links(rules_of("format: json\nlink: {json: 'a[].u'}"), body, "/lista/3") == expected
    assert written.links(rules_of("format: json\nitem: {json: a}\nlink: {json: u, take: all}"), body, "/lista/3") == expected


@pytest.mark.parametrize(
    ("body", "archive"),
    [
        ('["/1", "/2", "/1"]', "link: {json: '[]'}"),
        ('["/1", "/2"]', "link: {json: '@'}"),
        ('["/1", "/2"]', "item: {json: '[]'}"),
        ('{"1": "/1", "2": "/2"}', "link: {json: '*'}"),
        ('{"d": {"html": "<a href=/1>1</a>"}, "e": {"html": "<a href=/2>2</a>"}}', "link: {html_in: '*.html', css: a}"),
        ('["<a href=/1>1</a>", "<p><a href=/2>2</a>"]', "item: {html_in: '[]', css: a}"),
        ('"<a href=/1>1</a><a href=/2>2</a>"', "link: {html_in: '@', css: a}"),
        ('{"cikk-lista": [{"link-url": "/1"}, {"link-url": "/2"}]}', "item: {json: '\"cikk-lista\"'}\nlink: {json: '\"link-url\"'}"),
    ],
)
def test_shapes_of_json(written: WrittenPortal, body: str, archive: str) -> None:
    assert written.links(rules_of("format: json\n" + archive), body, "/lista/3") == ["/1", "/2"]


@pytest.mark.parametrize(
    ("page", "archive"),
    [
        ("<table><tr class=x><td><a href=/1>1</a><tr class=x><td><a href=/2>2</a></table>", "item: tr.x"),
        ("<TABLE><TBODY><TR CLASS=x><TD><A HREF=/1>1</A><TR CLASS=x><TD><A HREF=/2>2</A></TABLE>", "item: table tr.x\nlink: td > a"),
        ("<dl><dt><a href=/1>1</a><dd>x<dt><a href=/2>2</a><dd>y</dl>", 'link: "dt:has(+ dd) a"'),
        ("<noscript><li><a href=/1>1</a></noscript><li><a href=/2>2</a>", "link: li a"),
        ("<map><area href=/1><area href=/2></map>", "link: area"),
        ("<select><option value=''>-<option value=/1>1<option value=/2>2</select>", "link: {css: option, attr: value}"),
        ("<li data-href=/1>1</li><li DATA-HREF=/2>2</li>", "link: {css: li, attr: data-href}"),
        (
            "<li onclick=\"location.href='/1'\">1</li><li onclick=\"location.href='/2'\">2</li>",
            "link: {css: li, attr: onclick, match: \"'(.*)'\"}",
        ),
        ("<i>1</i><i>2</i>", "link: {css: i, make_url: 'https://pelda.example/{value}'}"),
        ("<i>/1</i><i> /2 </i>", "link: {css: i, own_text: true}"),
        ("<!-- <a href=/3>3</a> --><a href=/1>1</a><a href=/2>2</a>", "link: a"),
        ("<svg><a xlink:href=/3>3</a></svg><a href=/1>1</a><a href=/2>2</a>", "link: a"),
        ('<p id="1a:b"><a href=/1>1</a><a href=/2>2</a></p>', "link: '[id=\"1a:b\"] a'"),
        ('<p class="a b  c"><a href=/1>1</a><a href=/2>2</a></p>', "link: 'p[class~=b].c.a > a'"),
        ("<a href=/1>1<a href=/2>2</a>", "link: a"),
        ("<body><div class=x><a href=/1>1</a></div></body></html><div class=x><a href=/2>2</a></div>", "item: .x"),
        ("<ul><li><a href=/1>1</a> <a href=/9>9</a><li><span><a href=/2>2</a></span></ul>", "item: li"),
        ("<article><article><a href=/1>1</a></article></article><article><a href=/2>2</a></article>", "item: article"),
        ("\u200b<p>\x00<a href=/1>1</a><a href=/2>2</a>", "link: a"),
        ("<a href='/1'>1</a><a href='/x'><img alt=kép></a><a href='/2'>2</a>", "link: 'a:not(:has(img))'"),
    ],
)
def test_shapes_of_html(written: WrittenPortal, page: str, archive: str) -> None:
    assert written.links(rules_of(archive), page, "/lista/3") == ["/1", "/2"]


def test_the_next_page_in_json(written: WrittenPortal) -> None:
    assert (
        written.next(rules_of("format: json\nlink: {json: 'results[].link'}\nnext: {json: next}"), json.dumps(API), "/lista/3")
        == "/api?page=4"
    )
    assert written.next(rules_of("format: json\nlink: {json: 'results[].link'}\nnext: {json: nincs}"), json.dumps(API), "/lista/3") is None


def test_json_that_stands_in_a_script_of_a_page(written: WrittenPortal) -> None:
    page = '<script id="__NEXT_DATA__" type="application/json">{"props": {"cikkek": [{"u": "/a/1"}, {"u": "/a/2"}]}}</script>'
    rules = rules_of("link: {script: '^{.*', json: 'props.cikkek[].u'}")
    assert written.links(rules, page, "/lista/3") == ["/a/1", "/a/2"]


def test_links_in_json_ld(written: WrittenPortal) -> None:
    page = (
        '<script type="application/ld+json">{"@type": "ItemList", "itemListElement": ['
        '{"@type": "ListItem", "position": 1, "url": "/a/1"}, '
        '{"@type": "ListItem", "url": "https://pelda.example/a/2"}]}</script>'
    )
    assert written.links(rules_of("link: {jsonld: 'itemListElement[].url'}"), page, "/lista/3") == ["/a/1", "/a/2"]


def test_html_in_an_attribute(written: WrittenPortal) -> None:
    page = """<div class=lusta data-tartalom='&lt;li&gt;&lt;a href="/a/1"&gt;Egy&lt;/a&gt;
&lt;li&gt;&lt;a href="/a/2"&gt;Kettő&lt;/a&gt;'></div>"""
    assert written.links(rules_of("link: {html_in: data-tartalom, css: li a}"), page, "/lista/3") == ["/a/1", "/a/2"]
    assert written.links(rules_of("item: {html_in: data-tartalom, css: li}"), page, "/lista/3") == ["/a/1", "/a/2"]


# --- files beside the portal file ---


def test_tables_may_stand_in_a_file_and_the_table_beside_it_wins(written: WrittenPortal) -> None:
    rules = rules_of("item: li\nfields: {articleSection: {css: i, map_file: rovatok.tsv, map: {kul: Világ}}}")
    files = {"rovatok.tsv": "bel\tBelföld\nkul\tKülföld\n"}
    page = "<li><a href=/1>E</a><i>bel</i><li><a href=/2>K</a><i>kul</i><li><a href=/3>K</a><i>sport</i>"
    articles = written.archive(rules, page, "/lista/3", files=files)["articles"]
    assert [article["articleSection"] for article in articles] == ["Belföld", "Világ", "sport"]
