"""Markdown, read back by a parser of CommonMark: what the page says comes out as text, whatever it says."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

from built_corpora import article, block, built_corpus, paragraph, post
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from webarticlecurator.exporting.formats.markdown import _Blocks, inline_text
from webarticlecurator.exporting.harmless import one_line
from webarticlecurator.model.article import Block, Inline
from webarticlecurator.model.article_json import stored_line

READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
PIECES = [*"*_`[]()<>#+-=.!|~&\\$:1a \n\t\"'/ÁÖ\u202e", "<b>", "](", "http://", "1. ", "- ", "&lt;", "www."]
HOSTILE = st.lists(st.sampled_from(PIECES), max_size=20).map("".join)


def written(*blocks: Block) -> str:
    return "\n\n".join(_Blocks(frozenset()).written(stored_line(article(1, *blocks))["blocks"]))


def html(markdown: str) -> str:
    return str(READER.render(markdown)).strip()


@given(HOSTILE)
def test_no_text_becomes_markup(text: str) -> None:
    shown = one_line(text)
    rendered = html(inline_text(text))
    assert unescape(rendered) == (f"<p>{shown}</p>" if shown else "")


@given(HOSTILE, HOSTILE)
def test_nor_in_any_block(one: str, other: str) -> None:
    blocks = (
        paragraph(one, Inline(type="line-break"), other),
        block("quote", paragraph(one), who=other or "x"),
        block("list", block("item", paragraph(one), paragraph(other)), ordered="yes"),
        block("table", block("row", block("cell", paragraph(one)), block("cell", paragraph(other)))),
        paragraph("See ", Inline(type="link", children=(one or "x",), url="https://pelda.example/a_(b)|<c>"), other),
    )
    for given_block in blocks:
        rendered = html(written(given_block))
        tags = set(re.findall(r"</?([a-z0-9]+)", rendered))
        assert tags <= {"p", "br", "blockquote", "ol", "li", "table", "thead", "tbody", "tr", "th", "td", "a"}, rendered
        assert len(re.findall("<a ", rendered)) <= 1


def test_blocks_are_what_they_were() -> None:
    assert html(written(block("heading", "Why?", level="3"))) == "<h3>Why?</h3>"
    nested = block(
        "list", block("item", paragraph("one"), block("list", block("item", paragraph("in it")))), block("item", paragraph("two"))
    )
    assert re.sub(r"\s|</?p>", "", html(written(nested))) == "<ul><li>one<ul><li>init</li></ul></li><li>two</li></ul>"
    table = block("table", block("table-heading", "Costs"), block("row", block("cell", paragraph("a|b"))), block("row", block("cell")))
    assert "<h6>Costs</h6>" in html(written(table))
    assert "<th>a|b</th>" in html(written(table))
    assert html(written(block("code", "a ``` b\n<c>"))) == "<pre><code>a ``` b\n&lt;c&gt;\n</code></pre>"
    link = paragraph("See ", Inline(type="link", children=("this",), url="https://pelda.example/x y"))
    assert html(written(link)) == '<p>See <a href="https://pelda.example/x%20y">this</a></p>'


def test_no_link_runs_a_script() -> None:
    assert html(written(paragraph(Inline(type="link", children=("this",), url="javascript:alert(1)")))) == "<p>this</p>"


def test_an_article_begins_with_its_headline_and_a_rule_parts_two(tmp_path: Path, curator) -> None:
    one = article(1, "Text.", title="1. *Bridge*", metadata={"author": "Ada"}, posts=(post("Nonsense!", author="Bob", when="2024-05-02"),))
    file = built_corpus(tmp_path, [one, article(2, "More.", date="2024-06-01")])
    rendered = html(curator("export", file, "--to", "markdown", "--with", "comments").out)
    assert rendered.splitlines()[:5] == [
        "<h1>1. *Bridge*</h1>",
        '<p>Ada · 2024-05-01 · <a href="https://pelda.example/1">pelda</a></p>',
        "<p>Text.</p>",
        "<p><strong>Bob, 2024-05-02</strong></p>",
        "<p>Nonsense!</p>",
    ]
    assert rendered.count("<hr />") == 1
