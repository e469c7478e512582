from __future__ import annotations

from typing import Any

import extruct.jsonld
import pytest
from trial_portal import URL, page_of
from working_time import at_most

from webarticlecurator.extraction.structured_data import MICRODATA, RDFA, Syntax, embedded, json_ld_objects, read_json


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


@pytest.mark.parametrize("kind", ["application/ld+json; charset=utf-8", " APPLICATION/LD+JSON"])
def test_a_block_may_name_its_kind_in_any_way(kind: str) -> None:
    assert names(f'<script type="{kind}">{{"name": "a"}}</script>') == ["a"]


def test_deep_json_does_no_harm() -> None:
    assert read_json("[" * 100_000) == []
    assert names(block("[" * 100_000) + block('{"name": "b"}')) == ["b"]


def test_an_error_in_extruct_costs_a_page_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise AttributeError("'str' object has no attribute 'tag'")

    monkeypatch.setattr(extruct.jsonld.JsonLdExtractor, "_extract_items", fail)
    assert names(block('{"name": "a"}')) == ["a"]


@pytest.mark.parametrize("text", ['{"name": "a", "x": "' + "x" * 3_000_000 + '"}', '{"name": "a"} //' + "/*" * 1_500_000])
def test_a_long_block_takes_no_longer_than_it_must(text: str) -> None:
    with at_most(2):
        assert names(block(text)) == ["a"]


# --- microdata and RDFa ---


def things(html: str, syntax: Syntax) -> list[Any]:
    tree = page_of(html).tree
    assert tree is not None
    return [dict(one) for one in embedded(list(tree.iterfind(f".//*[@{syntax.property}]")), syntax)]


ARTICLE = {
    MICRODATA: '<div itemscope itemtype="https://schema.org/Article" itemid=urn:1>',
    RDFA: "<div vocab=https://schema.org/ typeof=https://schema.org/Article>",
}


def written(html: str, syntax: Syntax) -> str:
    """What is written as microdata, in this syntax."""
    return html if syntax is MICRODATA else html.replace("itemscope itemtype", "typeof").replace("itemprop", "property")


both = pytest.mark.parametrize("syntax", [MICRODATA, RDFA])


@both
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
def test_a_value_in_an_element_is_what_people_mean_by_it(element: str, expected: Any, syntax: Syntax) -> None:
    (article,) = things(ARTICLE[syntax] + written(element, syntax), syntax)
    assert (article["@type"], article["x"]) == (["https://schema.org/Article"], [expected])


@both
def test_each_entry_of_a_list_is_a_value(syntax: Syntax) -> None:
    html = "<ul itemprop=x><li>dams</li> <li><a href=/r>rivers</a></li></ul><ol itemprop=y>none</ol><ul itemprop=z>{}</ul>".format(
        "<li>a</li>" * 101
    )
    (article,) = things(ARTICLE[syntax] + written(html, syntax), syntax)
    assert (article["x"], article["y"], len(article["z"])) == (["dams", "rivers"], ["none"], 1)


@both
def test_each_link_is_a_value_where_links_are_all_there_is(syntax: Syntax) -> None:
    html = (
        "<p itemprop=x><a href=/a>Zoe Ann</a> <a href=/b>Bob Lee</a></p><p itemprop=y><a href=/a>Zoe</a>, <a href=/b>Bob</a></p>"
        "<p itemprop=z><a href=/a><img src=a.png></a> <a href=/a>Zoe</a></p><p itemprop=w><a href=/a>Zoe</a><a href=/a> Ann</a></p>"
    )
    (article,) = things(ARTICLE[syntax] + written(html, syntax), syntax)
    assert [one["name"] for one in article["x"]] == ["Zoe Ann", "Bob Lee"]
    assert (article["y"], article["z"], article["w"]) == (["Zoe, Bob"], ["Zoe"], ["Zoe Ann"])


@both
def test_things_lie_in_one_another_and_go_by_their_text_where_they_have_no_name(syntax: Syntax) -> None:
    people = (
        "<p itemprop=author itemscope itemtype=Person><i itemprop=name>Zoe Ann</i></p><p itemprop=author itemscope itemtype=Person>Bob</p>"
    )
    (article,) = things(ARTICLE[syntax] + written(people, syntax), syntax)
    named, nameless = article["author"]
    assert (named["@type"], named["name"], nameless["@value"]) == (["Person"], ["Zoe Ann"], "Bob")


@both
def test_what_belongs_to_no_thing_is_one_without_a_type(syntax: Syntax) -> None:
    stray, article = things(
        written("<h1 itemprop=dc:headline>A dam</h1>", syntax) + ARTICLE[syntax] + written("<b itemprop=name>x", syntax), syntax
    )
    assert stray == {"headline": ["A dam"]}
    assert article["name"] == ["x"]


def test_an_item_may_have_an_address() -> None:
    (article,) = things(ARTICLE[MICRODATA] + "<b itemprop=name>x</b>", MICRODATA)
    assert article["@id"] == "urn:1"


@both
def test_of_very_many_properties_the_first_are_read(syntax: Syntax) -> None:
    comments = "<div itemscope itemtype=Comment><b itemprop=text>x</b></div>" * 6_000
    (article, *_) = things(ARTICLE[syntax] + written("<b itemprop=name>A dam</b>" + comments, syntax), syntax)
    assert article["name"] == ["A dam"]


@both
def test_a_property_that_is_named_twice_is_one(syntax: Syntax) -> None:
    (article,) = things(ARTICLE[syntax] + written("<b itemprop='name name headline'>A dam</b>", syntax), syntax)
    assert (article["name"], article["headline"]) == (["A dam"], ["A dam"])


def test_the_text_of_a_thing_is_read_once_however_many_properties_it_has() -> None:
    html = "<div typeof=Article>" + "<i property=name></i>" * 3_000 + "<b></b>" * 30_000
    with at_most(5):
        (article,) = things(html, RDFA)
    assert len(article["name"]) == 3_000
