"""A simplified tag becomes a selector that matches every element that the tag stands for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from webarticlecurator.selectors import Selector
from webarticlecurator.survey.tag import Tag, selector_of, simplified

WRITTEN = {
    "p": "p",
    "div.post.hentry": "div.post.hentry",
    "div#content.post": "div#content.post",
    "div.post-*": 'div[class*="post-"]',
    "div.post-*.wide": 'div.wide[class*="post-"]',
    "div.item-*-of-*-done": 'div[class*="item-"][class*="-of-"][class*="-done"]',
    "div.*": "div",
    "div.*-*": "div",
    "img[data-src]": "img[data-src]",
    "img[data-*]": "img",
    "div[itemprop=articleBody]": 'div[itemprop="articleBody"]',
    "a[rel=*]": "a[rel]",
    "script[type=text/x-*]": 'script[type*="text/x-"]',
    "div.md:flex": r"div.md\:flex",
    "o:p": r"o\:p",
    "div.2col": r"div.\32 col",
    "div.-2": r"div.\-\32 ",
    "div.--wide": r"div.\--wide",
    "div.ajánló": "div.ajánló",
}


@pytest.mark.parametrize(("tag", "selector"), WRITTEN.items())
def test_a_tag_is_written_as_a_selector(tag: str, selector: str) -> None:
    assert selector_of(Tag.parse(tag)) == selector


@pytest.mark.parametrize(
    ("written", "kept"), [("css-xjohwe", "css-*"), ("css-1x2yz9a", "css-*"), ("svelte-abcdef", "svelte-*"), ("css-box", "css-box")]
)
def test_what_a_program_makes_up_for_styles_is_a_star(written: str, kept: str) -> None:
    assert simplified("div", [("class", written)]).classes == (kept,)


VALUES = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc", "Z")) | st.sampled_from("-*_:/\\\"'12 "), max_size=40)
ATTRIBUTES = st.dictionaries(st.sampled_from(["class", "id", "rel", "role", "itemprop", "data-src", "data-42"]), VALUES, max_size=5)


@given(name=st.sampled_from(["p", "div", "h1"]), attributes=ATTRIBUTES)
def test_the_selector_matches_every_element_that_has_the_tag(name: str, attributes: dict[str, str]) -> None:
    element = etree.Element(name)
    for key, value in attributes.items():
        try:
            element.set(key, value)
        except ValueError:  # not to be had in a parsed page
            return
    assert Selector.parse(selector_of(simplified(name, attributes.items()))).matches(element)
