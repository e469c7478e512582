from __future__ import annotations

import pytest
from lxml import html

from webarticlecurator.errors import PatternTimeout
from webarticlecurator.learning.element_selectors import is_made_by_machine, named_selectors, selected, selectors_of
from webarticlecurator.selectors import Selector


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        ("<div class='story-body wide' id=main>", ("div.story-body", "div.wide", "div#main")),
        ("<div class='post-4711 story' id=post-4711>", ("div.story",)),
        ("<div class='first odd clearfix'>", ()),
        ("<div class='gfolHV story'>", ("div.story",)),
        ("<div class='md:hidden flex-row font-bold story'>", ("div.story",)),
        ("<div itemprop=articleBody>", ('div[itemprop="articleBody"]',)),
        ("<article>", ("article",)),
        ("<li id='item item__writer'>", ('li[id~="item__writer"]', 'li[id~="item"]')),
        ("<div>", ()),
    ],
)
def test_an_element_is_named_by_what_does_not_differ_from_page_to_page(start: str, expected: tuple[str, ...]) -> None:
    assert selectors_of(html.fragment_fromstring(f"{start}</{start[1:-1].split()[0]}>")) == expected


def test_an_element_without_a_name_is_named_by_where_it_stands() -> None:
    tree = html.fragment_fromstring("<section class=story><div><p>Text</p></div></section>")
    assert named_selectors(tree.find(".//p")) == ("section.story > div > p",)
    assert named_selectors(tree.find(".//p"), above=1) == ()


@pytest.mark.parametrize("name", ["gfolHV", "jyrFy", "bmEwwn", "text__UPMUu"])
def test_a_name_that_a_program_made_up_is_known_by_its_humps(name: str) -> None:
    assert is_made_by_machine(name)


@pytest.mark.parametrize("name", ["storyBody", "videoInStoryB", "articleText", "wp-caption", "TEXT", "mceTemp"])
def test_a_name_that_people_gave_is_none(name: str) -> None:
    assert not is_made_by_machine(name)


def test_a_selector_that_takes_too_long_on_a_page_matches_nothing_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_long(_: Selector, __: object) -> list[object]:
        raise PatternTimeout("too many elements")

    tree = html.fragment_fromstring("<div class=story></div>")
    assert selected("div.story", tree) == [tree]
    monkeypatch.setattr(Selector, "select", too_long)
    assert selected("div.story", tree) == []
