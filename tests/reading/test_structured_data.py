"""JSON-LD and microdata as they are written in the wild."""

from __future__ import annotations

import subprocess
import sys

import pytest
from case_files import cases
from seams import values_of
from told import CIKK, GAT, values
from working_time import at_most


def block(text: str) -> str:
    return f'<script type="application/ld+json">{text}</script>'


def headlines(html: str) -> list[str]:
    """Of all JSON-LD of the page, whatever it is about."""
    return values_of({"jsonld": "headline"}, html, CIKK)


# --- JSON-LD ---


@cases("text", "reading/cases/json-ld-is-read-as-it-is-written")
def test_json_ld_is_read_as_it_is_written(text: str) -> None:
    assert headlines(block(text)) == ["a b"]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (block('{"headline": "a') + block('{"headline": "b"}{"headline": "c"}') + block(""), ["b", "c"]),
        ('<script type="application/ld+json; charset=utf-8">{"headline": "a"}</script>', ["a"]),
        ('<script type=" APPLICATION/LD+JSON">{"headline": "a"}</script>', ["a"]),
        (block('{"headline": "cut \\ud83d"}') + block('{"headline": "\\ud83d\\ude00",}'), ["cut \ufffd", "😀"]),
        *(
            (block('{"headline": "other"}') + block(f'{{"headline": "this", {about}}}'), ["this", "other"])
            for about in (
                f'"url": "{CIKK}"',
                f'"@id": "{CIKK}#article"',
                f'"mainEntityOfPage": {{"@id": "{CIKK}"}}',
                f'"mainEntityOfPage": "{CIKK}"',
            )
        ),
    ],
)
def test_all_blocks_are_read_and_what_is_about_this_page_comes_first(html: str, expected: list[str]) -> None:
    assert headlines(html) == expected


@pytest.mark.parametrize("text", ['{"headline": "a", "x": "' + "x" * 3_000_000 + '"}', '{"headline": "a"} //' + "/*" * 1_500_000])
def test_a_long_block_takes_no_longer_than_it_must(text: str) -> None:
    with at_most(4):
        assert headlines(block(text)) == ["a"]


@pytest.mark.parametrize(
    "text", ["", "function() {}", '{"a": "cut off', '{"a" 1}', "{1: 2}", '{"a": what}', "[" * 100_000, "{" + " " * 9_000_000]
)
def test_where_the_meaning_is_in_doubt_nothing_is_read(text: str) -> None:
    assert values_of({"jsonld": "a"}, block(text)) == []


# --- microdata ---

MICRODATA = '<div itemscope itemtype="https://schema.org/Article" itemid=urn:1>'


@pytest.mark.parametrize(
    ("html", "field", "expected"),
    [
        ("<b itemprop=articleSection> A  dam </b>", "articleSection", ["A dam"]),
        ("<time itemprop=datePublished datetime=2024-05-01>1 May</time>", "datePublished", ["2024-05-01"]),
        ("<time itemprop=datePublished>1 May 2024</time>", "datePublished", ["2024-05-01"]),
        ("<a itemprop=author href=/ann>Ann Lee</a>", "author", ["Ann Lee"]),
        (f"<b itemprop=articleSection>{'long ' * 500}</b>", "articleSection", []),
        ("<p itemprop=author><a href=/a><img src=a.png></a> <a href=/a>Zoe Ann</a></p>", "author", ["Zoe Ann"]),
        ("<p itemprop=author><a href=/a>Zoe</a><a href=/a> Ann</a></p>", "author", ["Zoe Ann"]),
        ("<p itemprop=author itemscope itemtype=Person><i itemprop=name>Zoe Ann</i></p>", "author", ["Zoe Ann"]),
        ("<p itemprop=author itemscope itemtype=Person>Bob Lee</p>", "author", ["Bob Lee"]),
        ("<figure><img itemprop=image src=/a.png><i itemprop=author>Bob Lee</i></figure>", "author", []),
        ("<figure><img itemprop=image src=/a.png></figure>", "image", ["https://pelda.example/a.png"]),
        ("<figcaption><b itemprop=copyrightHolder>Bob Lee</b></figcaption>", "copyrightHolder", []),
        ("<b itemprop=copyrightHolder>The Paper</b>", "copyrightHolder", ["The Paper"]),
        ("<b itemprop='name name articleSection'>A dam</b>", "articleSection", ["A dam"]),
    ],
)
def test_a_value_in_an_element_is_what_people_mean_by_it(html: str, field: str, expected: list[str]) -> None:
    assert values(f"{MICRODATA}<h1 itemprop=headline>Gát</h1>{html}", field, GAT, language="en") == expected


RDFA = """<html vocab="https://schema.org/"><h1>A dam</h1><article typeof="schema:NewsArticle"><b property="schema:headline">A dam</b>
<span property="author" typeof="Person"><i property="name">Ann Lee</i></span><time property="datePublished" datetime="2024-05-01">May</time>
</article><div typeof="NewsArticle"><b property="headline">A bridge</b><i property="author">Bob Ray</i></div></html>"""


@pytest.mark.parametrize(("field", "expected"), [("author", ["Ann Lee"]), ("datePublished", ["2024-05-01"]), ("headline", ["A dam"])])
def test_rdfa_of_an_article_is_read_as_microdata_is(field: str, expected: list[str]) -> None:
    assert values(RDFA, field) == expected
    assert values(RDFA.replace("A dam</b>", "Another</b>"), "author") == []


@pytest.mark.parametrize(
    "script",
    [
        '// as a plugin writes it\n{"@type": "NewsArticle", "headline": "A bridge falls"}',
        '{"@type": "NewsArticle", /* the title */ "headline": "A bridge falls"}',
        '[{"@type": "NewsArticle", "headline": "A bridge falls",},]',
    ],
    ids=["a line before it", "a comment in it", "a comma behind the last"],
)
def test_data_with_comments_or_a_comma_too_many_are_read_without_what_is_slow_to_load(script: str) -> None:
    page = f"<title>Example</title><script type='application/ld+json'>{script}</script><p>It fell at noon.</p>"
    read = (
        f"import gc, sys; from webarticlecurator import extract; article = extract({page!r}, 'https://pelda.example/1')\n"
        "print(article.metadata['headline'][0].value, 'extruct' in sys.modules, gc.isenabled())"
    )
    shown = subprocess.run([sys.executable, "-c", read], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "A bridge falls False True"
