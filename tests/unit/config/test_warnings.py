"""What is hardly meant is told, and keeps no portal from being loaded."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from webarticlecurator.config.portal import Portal
from webarticlecurator.errors import PortalFileError

Load = Callable[[str], Portal]


@pytest.fixture
def warnings_of(load: Load) -> Callable[[str], list[str]]:
    """`line:column: message` of each warning; lines are counted after `portal` and `home`."""

    def warnings(text: str) -> list[str]:
        return [f"{one.line - 2}:{one.column}: {one.message}" for one in load(text).warnings]

    return warnings


WarningsOf = Callable[[str], list[str]]


def test_a_name_that_no_element_has_is_probably_a_class(warnings_of: WarningsOf) -> None:
    assert warnings_of("metadata: {headline: teaser box, author: [a, ten], editor: artcle}\n") == [
        "1:22: no element of HTML is called `box`; a class begins with a dot: `.box`",
        "1:22: no element of HTML is called `teaser`; a class begins with a dot: `.teaser`",
        "1:46: no element of HTML is called `ten`; a class begins with a dot: `.ten`",
        "1:60: no element of HTML is called `artcle`; did you mean `article`, or the class `.artcle`?",
    ]


@pytest.mark.parametrize(
    "selector",
    [
        "main > DIV.teaser #box",
        "amp-img, my-teaser, svg linearGradient, math mrow, center font",
        "a:not(.x):has(> img), p:nth-child(2n+1), p:lang(hu), *",
        "p:contains('teaser box'), a[href='ten'], a[data-x=teaser], [teaser]",
        ".w-1\\/2 a, fb\\:like",
    ],
)
def test_elements_of_html_svg_and_mathml_and_those_with_a_hyphen_are_fine(warnings_of: WarningsOf, selector: str) -> None:
    assert warnings_of(f"metadata: {{headline: {{css: \"a\", unless: '{selector.replace(chr(39), chr(39) * 2)}'}}}}\n") == []


def test_every_place_that_takes_a_selector_is_looked_at(warnings_of: WarningsOf) -> None:
    found = warnings_of(
        "archive: {url: 'https://pelda.example/', item: ten1, link: {css: ten2, within: ten3}, stop: {when: ten4}}\n"
        "articles: {skip: {when: [ten5]}, next: {css: a, page_number: {current: ten6}}}\n"
        "body: {root: ten7, tags: {box: [ten8], split: {ten9: [paragraph, bold]}}}\n"
        "posts: {comments: {item: 'li:not(ten10)'}}\n"
        "layouts: [{when: ten11, metadata: {author: {css: a, without: ten12}}}]\n"
    )
    assert sorted(one.split("`")[1] for one in found) == sorted(f"ten{number}" for number in range(1, 13))


def test_a_field_with_a_usual_name_is_no_metadata_unless_a_pick_asks_for_it(warnings_of: WarningsOf) -> None:
    archive = "archive: {url: 'https://pelda.example/', item: li, fields: {title: h2, rovat: i, Tags+: b}}\n"
    assert warnings_of(archive) == [
        "1:61: the field `title` is no metadata: only a `listing` pick can ask for it; did you mean `headline`?",
        "1:82: the field `Tags` is no metadata: only a `listing` pick can ask for it; did you mean `keywords`?",
    ]
    asked = archive.replace(", Tags+: b", "") + "metadata: {headline: [h1, {listing: title}]}\n"
    assert warnings_of(asked) == []
    assert warnings_of("columns: {a: {url: 'https://pelda.example/', item: li, fields: {date: time}}}\n")


def test_a_var_that_no_template_asks_for_is_told(warnings_of: WarningsOf) -> None:
    archive = "archive: {url: 'https://pelda.example/{kat}', item: li}\n"
    assert warnings_of(archive + "columns: {a: {vars: {kat: 1, kta: 2}}}\n") == [
        "2:30: `kta` stands in no template of the column 'a'; write {kta} where it goes, or delete it here"
    ]


def test_what_many_columns_share_is_told_once(warnings_of: WarningsOf) -> None:
    assert len(warnings_of("archive: {url: 'https://pelda.example/{column}', item: ten}\ncolumns: [a, b, c]\n")) == 1


def test_warnings_come_with_the_mistakes(load: Load) -> None:
    with pytest.raises(PortalFileError) as refused:
        load("metadata: {headline: ten, autor: a}\n")
    assert (len(refused.value.mistakes), len(refused.value.warnings)) == (1, 1)
