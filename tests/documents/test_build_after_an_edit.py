"""Which pages a build reads after an edit of the portal file: those that a changed rule can touch, and no others."""

from __future__ import annotations

from typing import Any

import pytest
from seams import PageToReadAgain, portal_of

from webarticlecurator import Portal

HTML = """<html><head><meta name="author" content="MTI"><meta name="k" content="x"><link rel="next" href="/2">
<script type="application/ld+json">{"@type": "NewsArticle", "about": {"name": "Anna Nagy"}, "k1": "Peter Toth"}</script></head>
<body class="cikk"><main data-h="&lt;div&gt;&lt;p class=in&gt;Anna Nagy&lt;/p&gt;&lt;/div&gt;"><h1>A bridge</h1>
<p class="x" title="b">The council met on Tuesday and talked for hours about the bridge, the school and the money.</p>
<p class="post-7">They need both, said somebody who was there, and went home when the evening came.</p>
<p class="a\u00a0b"><b class="c d" data-to="/there">Nobody</b> knows what comes next, and when, but all of them hope that it is good.</p>
<p>All that is left is to wait for the summer, which will come as it comes every year.</p><i class="day">tomorrow</i></main>
<section class="k"><p>First!</p></section></body></html>"""


def tags(*layers: dict[str, Any]) -> dict[str, Any]:
    return {"body": {"tags": list(layers)}}


def fields(**picks: Any) -> dict[str, Any]:
    return {"metadata": picks}


def one_tag(selector: str) -> tuple[dict[str, Any], dict[str, Any]]:
    return tags({"decompose": [".gone"]}), tags({"decompose": [".gone", selector]})


def author(pick: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    return fields(author=[".gone"]), fields(author=[".gone", pick])


OTHER = {"name": "other", "url": "/nowhere"}
IN_HTML = {"root": {"html_in": "data-h", "css": "div"}}
ADDRESSED = {"css": "b.c", "url": "data-to"}
DATED = {"css": ".day", "date": "yyyy"}

TOUCHED = {
    "a class": one_tag(".x"),
    "any element": one_tag("*:first-child"),
    "the second of a list of selectors": one_tag(".gone, p.x"),
    "in capital letters": one_tag("P[TITLE]"),
    "without what a selector excludes": one_tag("p.x:not(.gone)"),
    "with one of two": one_tag(".x:is(p, .gone)"),
    "an attribute that is not there": one_tag("p[lang!=hu].x"),
    "an attribute": one_tag("[title^=b]"),
    "in another element": one_tag("main > p.x"),
    "with another in it": one_tag("p:has(> b.c)"),
    "beside others": one_tag("h1 ~ p"),
    "by its number": one_tag("p:nth-child(2)"),
    "a name with a number": one_tag(".post-7"),
    "classes parted by a blank that is none of HTML": one_tag(".a"),
    "in HTML that stands in an attribute": ({"body": IN_HTML}, {"body": IN_HTML | {"tags": {"decompose": [".in"]}}}),
    "two rules in the other order": (tags({"link": [ADDRESSED, "b.d"]}), tags({"link": ["b.d", ADDRESSED]})),
    "two layers in the other order": (tags({"bold": ["b.c"]}, {"italic": ["b.d"]}), tags({"italic": ["b.d"]}, {"bold": ["b.c"]})),
    "two layers that become one": (tags({"bold": ["b.c"]}, {"italic": ["b.d"]}), tags({"bold": ["b.c"], "italic": ["b.d"]})),
    "a rule of a farther layer": (tags({"bold": ["b.c"]}, {"quote": ["p.x"]}), tags({"bold": ["b.c"]}, {"box": ["p.x"]})),
    "an operation that is forgotten": (
        tags({"bold": [".gone"]}, {"quote": ["p.x"]}),
        tags({"bold": [".gone"], "quote": None}, {"quote": ["p.x"]}),
    ),
    "a value of meta": author({"meta": "AUTHOR"}),
    "a link of the head": (fields(url=[".gone"]), fields(url=[".gone", {"head_link": "NEXT"}])),
    "JSON-LD": author({"jsonld": "about.name"}),
    "JSON-LD, one of two": author({"jsonld": "gone || k1"}),
    "JSON-LD, whatever is there": author({"jsonld": "gone.to_string(@)"}),
    "HTML in an attribute": author({"html_in": "data-h", "css": "p.in"}),
    "a fixed value": author({"const": "MTI"}),
    "one of several together": author({"all_of": [".gone", "b.c"]}),
    "a value of meta, which no container holds": (
        fields(author=[".gone"]),
        fields(author=[".gone", {"meta": "k", "within": "table"}]),
    ),
    "where something is absent": author({"css": "b.c", "unless": ".gone"}),
    "in a container": author({"css": "b", "within": "main"}),
    "a value that is none": (fields(author=[".gone"]), fields(author=[".gone", {"css": ".gone2", "drop": ["MTI"]}])),
    "the first rule of a field": ({}, fields(author={"css": ".gone", "drop": ["MTI"]})),
    "a pattern of dates that is told": (
        fields(datePublished=[DATED, ".gone"]),
        fields(datePublished=[DATED, {"css": ".gone", "date": "MM"}]),
    ),
    "the order of picks": (fields(author=["b.c", "h1"]), fields(author=["h1", "b.c"])),
    "an item that is the whole page": (
        {"posts": {"comments": {"item": [".gone"]}}},
        {"posts": {"comments": {"item": [".gone", {"jsonld": "nothing"}]}}},
    ),
    "a part of posts": (
        {"posts": {"comments": {"item": ".k", "title": ".gone"}}},
        {"posts": {"comments": {"item": ".k", "title": [".gone", "p"]}}},
    ),
    "a part of posts that has its first rule": (
        {"posts": {"comments": {"item": ".k"}}},
        {"posts": {"comments": {"item": ".k", "text": ".gone"}}},
    ),
    "a kind of posts": ({}, {"posts": {"comments": {"item": ".k"}}}),
    "a layout": ({}, {"layouts": [{"name": "new", "when": "p.x"}]}),
    "a layout by its address": ({}, {"layouts": [{"name": "new", "url": "/1"}]}),
    "another order of layouts": (
        {"layouts": [{"name": "one", "when": ".x"}, {"name": "two", "when": ".cikk"}]},
        {"layouts": [{"name": "two", "when": ".cikk"}, {"name": "one", "when": ".x"}]},
    ),
    "a rule of a layout": (
        {"layouts": [{"name": "one", "when": ".x", "body": {"tags": {"decompose": [".gone"]}}}]},
        {"layouts": [{"name": "one", "when": ".x", "body": {"tags": {"decompose": [".gone", ".post-7"]}}}]},
    ),
    "pages that are skipped": ({}, {"articles": {"skip": {"when": ["body.cikk"]}}}),
    "the language": ({}, {"language": "hu"}),
    "the body": ({}, {"body": {"root": "p.x"}}),
}
UNTOUCHED = {
    "a class that is not there": one_tag(".missing"),
    "an element that is not there": one_tag("aside p.x"),
    "one of two classes": one_tag("p.x.missing"),
    "nothing in it": one_tag("p.x:has(table)"),
    "beside nothing": one_tag("p.x ~ table"),
    "an attribute that no element has": one_tag("[data-none].x"),
    "another line": (tags({"decompose": ["b.c"]}), {"articles": {"skip": {"url": []}}, **tags({"decompose": ["b.c"]})}),
    "another meta": author({"meta": "copyright"}),
    "other JSON-LD": author({"jsonld": "about.missing[*].name"}),
    "a container that is not there": author({"css": "b.c", "within": "aside"}),
    "on other pages": author({"css": "b.c", "when": ".missing"}),
    "posts that are not there": (
        {"posts": {"comments": {"item": ".missing", "title": ".gone"}}},
        {"posts": {"comments": {"item": ".missing", "title": {"attr": "title"}}}},
    ),
    "a layout of other pages": ({}, {"layouts": [{"name": "new", "when": ".missing", "metadata": {"author": "b"}}]}),
    "a rule of a layout of other pages": (
        {"layouts": [{"when": ".missing", "name": "one"}]},
        {"layouts": [{"when": ".missing", "name": "one", "metadata": {"headline": "b"}}]},
    ),
    "other pages that are skipped": ({}, {"articles": {"skip": {"when": [".missing"]}}}),
}


def portals(rules: tuple[dict[str, Any], dict[str, Any]]) -> list[Portal]:
    return [portal_of(**{"language": "en", **one}) for one in rules]


@pytest.mark.parametrize("rules", TOUCHED.values(), ids=TOUCHED)
def test_a_page_is_read_again_where_a_changed_rule_makes_something_else_of_it(rules: tuple[dict[str, Any], dict[str, Any]]) -> None:
    old, new = portals(rules)
    asked = PageToReadAgain(HTML.encode(), "https://pelda.example/1")
    assert asked.read_by(old) != asked.read_by(new), "the case says something"
    assert asked.before_and_after(old, new) is None
    assert asked.before_and_after(new, old) is None


@pytest.mark.parametrize("rules", UNTOUCHED.values(), ids=UNTOUCHED)
def test_a_page_is_not_read_again_where_no_changed_rule_can_match(rules: tuple[dict[str, Any], dict[str, Any]]) -> None:
    old, new = portals(rules)
    for one, other in ((old, new), (new, old)):
        both = PageToReadAgain(HTML.encode(), "https://pelda.example/1").before_and_after(one, other)
        assert both is not None
        assert both[0] == both[1]


def test_posts_of_one_layout_are_looked_for_on_the_pages_of_all() -> None:
    """Where a rule finds some, the page is no thread of a forum that no rule knows."""
    text = "I think that it should be built before the school, since everybody needs it and nobody has one."
    posts = "".join(
        f'<div class="post" id="p{day}"><div class="author"><a href="/user/{day}">User {day}</a></div>'
        f'<time datetime="2024-05-0{day}T10:00">0{day}.05.2024 10:00</time><div class="content"><p>Bridge {day}: {text}</p></div></div>'
        for day in range(1, 8)
    )
    thread = PageToReadAgain(
        f"<html><body><h1>A bridge</h1><div class=topic>{posts}</div></body></html>".encode(), "https://pelda.example/1"
    )
    one = {"name": "one", "url": "/nowhere", "posts": {"comments": {"item": ".gone"}}}
    other = {"name": "other", "when": ".missing", "posts": {"comments": {"item": ".post"}}}
    old, new = portals(({"kind": "forum", "layouts": [one]}, {"kind": "forum", "layouts": [one, other]}))
    assert thread.read_by(old) != thread.read_by(new)
    assert thread.before_and_after(old, new) is None
