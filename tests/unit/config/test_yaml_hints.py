"""Every way in which YAML swallows a selector is told with the quotes that it needs."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import yaml

from webarticlecurator.config.yaml_hints import quoted

MistakesOf = Callable[[str], list[str]]


@pytest.mark.parametrize(
    ("line", "column", "quotes"),
    [
        ("author: #szerzo", 10, '"#szerzo"'),
        ("author: div #szerzo", 11, '"div #szerzo"'),
        ("author: div #szerzo > a", 11, '"div #szerzo > a"'),
        ("author: div #szerzo   # a comment", 11, '"div #szerzo"'),
        ("author: [.a, #szerzo]", 16, '"#szerzo"'),
        ("author: {css: #szerzo}", 17, '"#szerzo"'),
        ("author: {css: .a, when: #szerzo}", 27, '"#szerzo"'),
        ("author: [itemprop=author]", 11, '"[itemprop=author]"'),
        ("author: [data-author]", 11, '"[data-author]"'),
        ("author: [rel=author] b", 11, '"[rel=author] b"'),
        ("author: [rel] > b", 11, '"[rel] > b"'),
        ("author: *", 11, '"*"'),
        ("author: * > a", 11, '"* > a"'),
        ("author: *[rel]", 11, '"*[rel]"'),
        ("author: > a", 11, '"> a"'),
        ("author: |a", 11, '"|a"'),
        ("author: @a", 11, '"@a"'),
        ("author: %a", 11, '"%a"'),
        ("author: `a`", 11, '"`a`"'),
        ("author: !a", 11, '"!a"'),
        ("author: &a", 11, '"&a"'),
        ("author: [a[rel], b]", 12, '"a[rel]"'),
        ("author: {css: a[rel=author], attr: title}", 17, '"a[rel=author]"'),
        ("author: p:contains(Írta: )", 11, '"p:contains(Írta: )"'),
        ('author: "a" b', 11, "'\"a\" b'"),
    ],
)
def test_a_swallowed_selector_is_shown_with_its_quotes(mistakes_of: MistakesOf, line: str, column: int, quotes: str) -> None:
    found = mistakes_of(f"metadata:\n  {line}\n")
    assert len(found) == 1, found
    assert found[0].startswith(f"2:{column}: ")
    assert quotes in found[0]


def test_a_list_item_may_be_swallowed_too(mistakes_of: MistakesOf) -> None:
    found = mistakes_of("body:\n  tags:\n    decompose:\n      - #lablec\n      - > p\n      - aside\n")
    assert [message.split(": ")[0] for message in found] == ["4:8", "5:9"]


def test_a_comma_inside_braces_ends_a_selector(mistakes_of: MistakesOf) -> None:
    (message,) = mistakes_of("metadata:\n  author: {css: h1, h2}\n")
    assert "comma" in message


@pytest.mark.parametrize(
    "line",
    [
        "author: .szerzo # a comment",
        "author: 'div #szerzo'",
        "author: a#szerzo",
        "author: [article]",
        "author: [h2, h3]",
        "author: a[rel=author]",
        "author: >\n    .szerzo",
        "author: ~   # nothing",
    ],
)
def test_what_yaml_reads_as_it_is_meant_is_left_alone(mistakes_of: MistakesOf, line: str) -> None:
    assert mistakes_of(f"metadata:\n  {line}\n") == []


def test_a_comment_without_a_blank_is_no_mistake_where_no_selector_stands(mistakes_of: MistakesOf) -> None:
    assert mistakes_of("fetch:\n  robots: obey #as we promised\n") == []


@pytest.mark.parametrize("text", ["#a", "> a", 'p:contains("x")', "it's", "a\\b", "a: b", '"'])
def test_quoted_text_reads_back_as_itself(text: str) -> None:
    assert yaml.safe_load(f"key: {quoted(text)}")["key"] == text


def test_quotes_are_proposed_once_for_one_place(mistakes_of: MistakesOf) -> None:
    told = mistakes_of('title: a\n"b: c" d\n')
    places = [one.split(": ")[0] for one in told]
    assert len(places) == len(set(places))
