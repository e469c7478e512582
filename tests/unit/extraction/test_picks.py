"""DESIGN 3.1, sentence by sentence."""

from __future__ import annotations

from typing import Any

import pytest
from trial_portal import all_values_of, archive_of, page_of, portal_of, values_of

from webarticlecurator.extraction.picks import PageContext, pick_fields

HTML = """<html lang="hu"><head><meta name="Author" content="Kiss Anna"><meta property="og:title" content="Cím">
<link rel="canonical alternate" href="/kanonikus"><script>var state = {"id": 12, "tags": ["a", "b"]}; x = "y";</script>
<script type="application/ld+json">{"@graph": [{"@type": "Organization", "name": "Kiadó"},
 {"@type": "NewsArticle", "url": "https://pelda.example/lista/3", "name": "Cikk",
 "author": [{"name": "A"}, {"name": "B"}]}]}</script></head>
<body><div class="byline">Írta: <b>Kiss Anna</b>, Nagy Béla és MTI</div>
<div class="doboz"><span class="cimke">egy</span> <span class="cimke">kettő</span></div>
<div class="doboz"><span class="cimke">három</span><span class="cimke">egy</span></div>
<a class="x" href="/cikk/1" title="tovább">tovább &gt;&gt;</a><a class="x" href="/mas/2">vissza</a>
<time datetime="2024-05-01T10:15">tegnap</time></body></html>"""


@pytest.mark.parametrize(
    ("pick", "values"),
    [
        (".cimke", ["egy", "kettő", "három"]),
        ({"css": ".cimke"}, ["egy", "kettő", "három"]),
        ([".nincs", ".cimke"], ["egy", "kettő", "három"]),
        ({"all_of": [".byline b", {"css": ".cimke", "take": -2}]}, ["Kiss Anna", "három"]),
        ({"all_of": [".nincs", [".ez sem", ".byline b"]]}, ["Kiss Anna"]),
        ({"meta": "author"}, ["Kiss Anna"]),
        ({"meta": "og:title"}, ["Cím"]),
        ({"head_link": "canonical"}, ["/kanonikus"]),
        ({"jsonld": "author[].name"}, ["A", "B"]),
        ({"jsonld": "name"}, ["Cikk", "Kiadó"]),
        ({"jsonld": "[?\"@type\" == 'Organization'].name"}, ["Kiadó"]),
        ({"script": 'x = "(\\w+)"'}, ["y"]),
        ({"script": "state = (\\{.*)", "json": "tags"}, ["a", "b"]),
        ({"script": "state = ({.*)", "json": "id"}, ["12"]),
        ({"page_url": "^https://[^/]+/([^/]+)/"}, ["lista"]),
        ({"page_url": "(?:x|/)(?P<name>\\d+)$"}, ["3"]),
        ({"listing": "rovat"}, ["Belföld"]),
        ({"listing": "nincs"}, []),
        ({"const": "állandó"}, ["állandó"]),
    ],
)
def test_where_a_value_comes_from(pick: Any, values: list[str]) -> None:
    assert values_of(pick, HTML, listing={"rovat": ("Belföld",)}) == values


@pytest.mark.parametrize(
    ("pick", "values"),
    [
        ({"css": ".byline b", "when": "time"}, ["Kiss Anna"]),
        ({"css": ".byline b", "when": ".nincs"}, []),
        ({"css": ".byline b", "unless": "time"}, []),
        ({"css": ".byline b", "unless": ".nincs"}, ["Kiss Anna"]),
        ({"css": ".cimke", "within": ".doboz"}, ["egy", "kettő"]),
        ({"css": ".cimke", "within": {"css": ".doboz", "take": "last"}}, ["három", "egy"]),
        ({"css": ".cimke", "within": {"css": ".doboz", "take": 1}}, ["három", "egy"]),
        ({"css": "a.x", "having": {"text": "tovább >>"}}, ["tovább >>"]),
        ({"css": "a.x", "having": {"href": "/mas/"}}, ["vissza"]),
        ({"css": "a.x", "having": {"text": "tovább", "href": "/mas/"}}, []),
        ({"css": "a.x", "having": {"title": "."}}, ["tovább >>"]),
        ({"css": "a.x", "attr": "title"}, ["tovább"]),
        ({"css": ".byline", "own_text": True}, ["Írta: , Nagy Béla és MTI"]),
        ({"css": ".byline", "without": "b"}, ["Írta: , Nagy Béla és MTI"]),
    ],
)
def test_which_elements_and_what_of_them(pick: Any, values: list[str]) -> None:
    assert values_of(pick, HTML) == values


@pytest.mark.parametrize(
    ("pick", "values"),
    [
        ({"split": ", | és "}, ["Írta: Kiss Anna", "Nagy Béla", "MTI"]),
        ({"split": ", | és ", "match": "^(?:Írta: )?(\\w+) \\w+"}, ["Kiss", "Nagy"]),
        ({"split": ", | és ", "replace": [["^Írta: ", ""], ["(\\w+) (\\w+)", "\\2 \\1"]]}, ["Anna Kiss", "Béla Nagy", "MTI"]),
        ({"split": ", | és ", "map": {"MTI": "Távirati Iroda", "nincs": "x"}}, ["Írta: Kiss Anna", "Nagy Béla", "Távirati Iroda"]),
        ({"split": ", | és ", "drop": ["MTI", "^Írta"]}, ["Nagy Béla"]),
        ({"split": ", | és ", "drop": ["M"]}, ["Írta: Kiss Anna", "Nagy Béla", "MTI"]),
        ({"split": ", | és ", "take": "first"}, ["Írta: Kiss Anna"]),
        ({"split": ", | és ", "take": "last"}, ["MTI"]),
        ({"split": ", | és ", "take": "rest"}, ["Nagy Béla", "MTI"]),
        ({"split": ", | és ", "take": 1}, ["Nagy Béla"]),
        ({"split": ", | és ", "take": -1}, ["MTI"]),
        ({"split": ", | és ", "take": 7}, []),
        ({"split": ", | és ", "take": "min"}, ["MTI"]),
        ({"split": ", | és ", "drop": ["^Írta"], "take": "first"}, ["Nagy Béla"]),
        ({"split": "[ ,:]+", "replace": [["^.*$", "x"]]}, ["x"]),
    ],
)
def test_the_steps_on_values_in_their_order(pick: Any, values: list[str]) -> None:
    assert values_of({"css": ".byline", **pick}, HTML) == values


def test_numbers_are_compared_as_numbers() -> None:
    html = "<i>9</i><i>10</i><i>2</i>"
    assert values_of({"css": "i", "take": "max"}, html) == ["10"]
    assert values_of({"css": "i", "take": "min"}, html) == ["2"]


def test_of_one_value_the_first_is_the_default_and_of_a_list_all() -> None:
    assert values_of(".cimke", HTML, field="headline") == ["egy"]
    assert values_of(".cimke", HTML, field="keywords") == ["egy", "kettő", "három"]


def test_a_routed_value_goes_to_the_other_field() -> None:
    picks = {"author": {"css": ".byline", "split": ", | és ", "route": {"source": ["MTI", "\\.hu$"]}}, "source": {"const": "Saját"}}
    assert all_values_of(picks, HTML) == {"author": ["Írta: Kiss Anna", "Nagy Béla"], "source": ["Saját", "MTI"]}


def test_urls_are_joined_after_the_value_steps_and_dates_read_by_their_pattern() -> None:
    html = "<base href='/mappa/'><p data-id=12>2024. május 1. 10:15</p>"
    made = {"css": "p", "attr": "data-id", "make_url": "https://x.example/json/cikk?id={value}"}
    assert values_of(made, html, field="url") == ["https://x.example/json/cikk?id=12"]
    assert values_of({"css": "p", "match": "\\d+", "make_url": "kép {value}%"}, html, field="image") == [
        "https://pelda.example/mappa/k%C3%A9p%202024%25"
    ]
    assert values_of({"css": "p", "attr": "data-id", "base": "https://b.example/"}, html, field="image") == ["https://b.example/12"]
    assert values_of({"css": "p", "date": "yyyy. MMMM d. HH:mm"}, html, field="datePublished") == ["2024-05-01T10:15:00+02:00"]
    assert values_of({"css": "p", "date": ["iso", "yyyy. MMMM d."]}, html, field="datePublished") == ["2024-05-01"]
    assert values_of({"css": "p", "date": "iso"}, html, field="datePublished") == []


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("2024-05-01", "2024-05-01"),
        ("2024-05-01T10:15", "2024-05-01T10:15:00+02:00"),
        ("2024-05-01T10:15:00Z", "2024-05-01T10:15:00Z"),
        ("2024. május 1.", "2024-05-01"),
        ("tegnap", "tegnap"),
    ],
)
def test_a_date_field_without_a_pattern_reads_what_is_unmistakable(written: str, value: str) -> None:
    assert values_of("time", f"<time>{written}</time>", field="datePublished") == [value]


def test_the_latest_date_can_be_taken() -> None:
    html = "<i>2024. május 2.</i><i>2024. május 10.</i>"
    assert values_of({"css": "i", "date": "yyyy. MMMM d.", "take": "max"}, html, field="dateModified") == ["2024-05-10"]


def test_entities_are_decoded_and_white_space_is_normalised() -> None:
    assert values_of("p", "<p> R&amp;D&nbsp;&nbsp;\n&eacute; </p>") == ["R&D é"]
    assert values_of({"jsonld": "name"}, '<script type="application/ld+json">{"name": "R&amp;D &#8211; x"}</script>') == ["R&D – x"]


def test_html_in_an_attribute_is_read() -> None:
    html = """<div data-html="<ul><li>a&amp;b</li><li>c</li></ul>"></div><p data-html="<li>d"></p>"""
    assert values_of({"html_in": "data-html", "css": "li"}, html) == ["a&b", "c", "d"]
    assert values_of({"html_in": "data-html", "css": "li", "within": "p"}, html) == ["d"]


def test_a_table_may_lie_in_a_file() -> None:
    page = archive_of(
        "<li><a href=/1>x</a><b>belfold</b>",
        item="li",
        fields={"articleSection": {"css": "b", "map_file": "rovatok.tsv"}},
        files={"rovatok.tsv": "belfold\tBelföld\n"},
    )
    assert page.articles[0].fields == {"articleSection": ("Belföld",)}


def test_a_header_of_the_response_is_found_whatever_its_case() -> None:
    portal = portal_of(metadata={"keywords": {"header": "x-cimke", "split": ","}, "headline": {"header": "X-None"}})
    page = page_of("<p>x", headers=(("X-Cimke", "a, b"), ("X-CIMKE", "c")))
    found = pick_fields(portal.metadata, PageContext.whole(page, portal))
    assert {name: [one.value for one in values] for name, values in found.items()} == {"keywords": ["a", "b", "c"]}


_GROUPED = """
<h2 class=d>2024-05-01</h2><div class=g><div class=i><a href=/1>1</a></div>
<div class=i><p>inside <b class=d>2024-05-09</b></p><a href=/2>2</a></div></div>
<section class=d><div class=i><a href=/3>3</a></div></section>
<div><h2 class=d>2024-05-03</h2></div><div class=i><a href=/4>4</a></div>
"""


def test_one_element_before_several_items_is_that_of_each() -> None:
    rules = {"item": "div.i", "fields": {"datePublished": {"before": ".d"}, "heading": {"before": "h2.d"}}}
    listed = [link.fields for link in archive_of(_GROUPED, **rules).articles]

    # the third stands in one itself: what counts is before it, be it in the item before
    assert [one["datePublished"] for one in listed] == [("2024-05-01",), ("2024-05-01",), ("2024-05-09",), ("2024-05-03",)]
    assert [one["heading"] for one in listed] == [("2024-05-01",), ("2024-05-01",), ("2024-05-01",), ("2024-05-03",)]


def test_nothing_stands_before_the_first_item_nor_before_the_page() -> None:
    rules = {"item": "div.i", "fields": {"datePublished": {"before": "h3"}}}

    assert all("datePublished" not in link.fields for link in archive_of(_GROUPED, **rules).articles)
    assert values_of({"before": "h2"}, _GROUPED) == []
