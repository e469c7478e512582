"""Words without white space between them: pieces of one word stay one, items that a page shows apart are two."""

from __future__ import annotations

import pytest
from rewriting import BASE, blocks_of, body_of, sketch

from webarticlecurator.extraction.body.lookup import Lookup
from webarticlecurator.extraction.body.rewrite import RewriteContext, rewrite
from webarticlecurator.model.article import plain_text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<a href=/k>Comments</a><a href=/ny>Print</a>", "Comments Print"),
        ("<a href=/1>híd</a><a href=/2>folyó</a>", "híd folyó"),
        ("<time>21:00</time>Anna", "21:00 Anna"),
        ("<span>#1</span><time>2024</time>", "#1 2024"),
        ("<div><span class=d>May 1, 2024</span><span class=r>Read more</span></div>", "May 1, 2024 Read more"),
        ("<strong>Free</strong><span class=text>Notion is fast</span>", "Free Notion is fast"),
        ("<strong>21:00</strong>Anna", "21:00 Anna"),
        ("<b class=leaders><span>Hering</span><span>95 kr</span></b>", "Hering 95 kr"),
        ("<b>Kis Anna</b><cite>Híd</cite>", "Kis Anna Híd"),
        ("Comments<button>x</button>Print", "Comments Print"),
        ("<label for=a>Linux</label><label for=b>macOS</label>", "Linux macOS"),
        ("<sup><a href=#n1>1</a></sup><sup><a href=#n2>2</a></sup>", "1 2"),
        ("<span>1.</span><span style='display: inline-block; margin-left: 10px'>See above</span>", "1. See above"),
    ],
)
def test_items_that_touch_are_words_of_their_own(html: str, text: str) -> None:
    assert [plain_text(block) for block in blocks_of(html)] == [text]


@pytest.mark.parametrize(
    "html",
    [
        "<b>W</b>ord",
        "<span class=dropcap>W</span>ord",
        "<span class=a>wo</span><span class=a>rd</span>",
        "<span style='display:inline-block'>wo</span><span style='display:inline-block'>rd</span>",
        "<a href=/x>onlin</a><a href=/x>e</a>",
        "<a href=/x>the minutes</a><sup><a href=#n1>1</a></sup>",
        "<b>My</b><i>Word</i>",
        "<b class=a>CO</b><sub class=b>2</sub>",
        "the <time>2010</time>s",
        "<pre><span class=k>get</span><span class=n>Value</span></pre>",
        "<pre><span>1.</span><span style='display:inline-block;margin-left:1px'>x</span></pre>",
        "<code><span class=k>get</span><span class=n>Value</span></code>",
        "<a href=/1>東京</a><a href=/2>大阪</a>",
        "<em>bein</em>g",
        "<span class=c1>Mc</span><span class=c12>Donald</span>",
        "<span class=SpellE>Mac</span><span class=GramE>Book</span>",
        "super<wbr>market",
        "az <span>A</span><span>4</span>-es lap",
    ],
)
def test_pieces_of_a_word_stay_one(html: str) -> None:
    (block,) = blocks_of(html)
    assert plain_text(block) == "".join(body_of(html).itertext())


def test_words_around_what_is_left_out_are_two() -> None:
    body = body_of("<p>Comments<span>(3)</span>Print</p>")
    context = RewriteContext(base=BASE, furniture={body[0][0]: "share bar"})
    assert [plain_text(block) for block in rewrite([body], Lookup(()), context).blocks] == ["Comments Print"]


def test_a_blank_between_two_links_is_in_neither() -> None:
    assert sketch("<a href=/1>one</a><a href=/2>two</a>") == "paragraph(link@/1[one] link@/2[two])"
