from __future__ import annotations

from typing import Any

import extruct.w3cmicrodata
import pytest
from trial_portal import URL, page_of

from webarticlecurator.extraction.structured_data import json_ld_objects, microdata, rdfa, read_json


def names(html: str) -> list[str]:
    page = page_of(html)
    assert page.tree is not None
    return [one["name"] for one in json_ld_objects(page.tree, URL) if "name" in one]


def block(text: str) -> str:
    return f'<script type="application/ld+json">{text}</script>'


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "a\nb"}',
        '{"name": "a\\nb",}',
        '<!-- {"name": "a\\nb"} -->',
        '//<![CDATA[\n{"name": "a\\nb"}\n//]]>',
        '/* <![CDATA[ */ {"name": "a\\nb"} /* ]]> */',
        '{"name": "a\\nb"};',
        '[[{"name": "a\\nb"}], null, 3]',
        '{"@graph": [{"name": "a\\nb"}]}',
    ],
)
def test_json_ld_is_read_as_it_is_written_in_the_wild(text: str) -> None:
    assert names(block(text)) == ["a\nb"]


def test_all_blocks_are_read_and_broken_ones_do_no_harm() -> None:
    assert names(block('{"name": "a') + block('{"name": "b"}{"name": "c"}') + block("")) == ["b", "c"]


@pytest.mark.parametrize(
    "about",
    [f'"url": "{URL}"', f'"@id": "{URL}#article"', f'"mainEntityOfPage": {{"@id": "{URL}"}}', f'"mainEntityOfPage": "{URL}"'],
)
def test_the_object_about_this_page_comes_first(about: str) -> None:
    assert names(block('{"name": "other"}') + block(f'{{"name": "this", {about}}}')) == ["this", "other"]


def test_deep_json_does_no_harm() -> None:
    assert read_json("[" * 100_000) == []


# --- microdata and RDFa ---


def items(html: str) -> list[Any]:
    tree = page_of(html).tree
    assert tree is not None
    return [dict(one) for one in microdata(list(tree.iterfind(".//*[@itemprop]")), tree, URL)]


def things(html: str) -> list[Any]:
    tree = page_of(html).tree
    assert tree is not None
    return [dict(one) for one in rdfa(list(tree.iterfind(".//*[@property]")))]


ITEM = '<div itemscope itemtype="https://schema.org/Article">'


@pytest.mark.parametrize(
    ("element", "expected"),
    [
        ("<b itemprop=x> A  dam </b>", "A dam"),
        ("<meta itemprop=x content='A dam'>", "A dam"),
        ("<time itemprop=x datetime=2024-05-01>1 May</time>", "2024-05-01"),
        ("<time itemprop=x>1 May</time>", "1 May"),
        ("<a itemprop=x href=/ann>Ann Lee</a>", {"name": "Ann Lee", "url": "/ann"}),
        ("<a itemprop=x>Ann Lee</a>", "Ann Lee"),
        ("<img itemprop=x src=/a.png>", {"name": "", "url": "/a.png"}),
        (f"<b itemprop=x>{'long ' * 500}</b>", ""),
    ],
)
def test_a_value_in_an_element_is_what_people_mean_by_it(element: str, expected: Any) -> None:
    (item,) = (one for one in items(ITEM + element) if one["@type"])
    assert (item["@type"], item["x"]) == ("https://schema.org/Article", expected)
    (thing,) = things("<div typeof=schema:Article>" + element.replace("itemprop", "property"))
    assert (thing["@type"], thing["x"]) == (["schema:Article"], [expected])


def test_items_lie_in_one_another() -> None:
    (_, article) = items(ITEM + "<p itemprop=author itemscope itemtype=Person><i itemprop=name>Ann Lee</i></p>")
    assert (article["author"]["@type"], article["author"]["name"]) == ("Person", "Ann Lee")


def test_what_belongs_to_no_item_is_one_without_a_type_and_the_page_stays_as_it_was() -> None:
    page = page_of("<h1 itemprop=headline>A dam</h1><p itemscope itemtype=Thing><b itemprop=name>x</b></p>")
    assert page.tree is not None
    stray, thing = microdata(list(page.tree.iterfind(".//*[@itemprop]")), page.tree, URL)
    assert (stray["@type"], stray["headline"], thing["@type"], thing["name"]) == (None, "A dam", "Thing", "x")
    assert page.tree.get("itemscope") is None


def test_the_things_of_rdfa_keep_their_order_and_lie_in_one_another() -> None:
    people = "".join(f"<i property=author typeof=Person><b property=name>{name}</b></i>" for name in ("Zoe Ann", "Bob Ray"))
    stray, article = things(f"<i property=dc:title>x</i><div vocab=https://schema.org/ typeof=Article>{people}</div>")
    assert stray == {"title": ["x"]}
    assert [author["name"] for author in article["author"]] == [["Zoe Ann"], ["Bob Ray"]]


@pytest.mark.parametrize(
    "html",
    [
        "<div itemscope itemprop=a>" * 1_000,
        "<p itemscope><b itemprop=a></b></p>" * 3_000,
        ITEM + "<b itemprop=a></b>" * 6_000,
        ITEM + "<b itemprop=a></b>" + "<p itemscope itemref='x y z'></p>" * 500,
    ],
)
def test_microdata_that_would_take_long_are_not_read(html: str) -> None:
    assert items(html) == []


def test_an_error_in_extruct_costs_a_page_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise AttributeError("'str' object has no attribute 'tag'")

    monkeypatch.setattr(extruct.w3cmicrodata.MicrodataExtractor, "extract_items", fail)
    assert items(ITEM + "<b itemprop=name>x</b>") == []
