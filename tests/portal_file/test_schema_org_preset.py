"""What the mixin for portals that mark up their articles by Schema.org makes of their pages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from written_portal import WrittenPortal

RULES = "extends: schema-org-article\n"
MARKED = """<html lang=en><body><nav>Menu of the site</nav><article itemscope itemtype="https://schema.org/NewsArticle">
<h1 itemprop=headline>The bridge is open</h1><div itemprop=articleBody><p>The first sentence of the report.</p><p>And the second.</p></div>
<section><div itemprop=comment itemscope itemtype="https://schema.org/Comment" id=c1>
<span itemprop=author itemscope><b itemprop=name>Anna</b></span>
<time itemprop=dateCreated datetime="2024-05-01T10:00:00+02:00">today</time>
<div itemprop=text><p>At last.</p></div>
<div itemprop=comment itemscope itemtype="https://schema.org/Comment" id=c2><span itemprop=author>Ben</span>
<meta itemprop=datePublished content="2024-05-01T11:00:00+02:00">
<div itemprop=text>Too late.</div></div></div></section></article></body></html>"""
DATA = """<html lang=en><head><script type="application/ld+json">{"@context": "https://schema.org", "@type": "NewsArticle",
"headline": "The bridge is open", "articleBody": "The first sentence of the report. And the second."}</script></head>
<body><h1>The bridge is open</h1><div id=app></div></body></html>"""


@pytest.fixture
def portal(curator: Callable[..., Any], tmp_path: Path) -> WrittenPortal:
    return WrittenPortal(curator, tmp_path)


def test_body_and_comments_are_those_that_microdata_mark(portal: WrittenPortal) -> None:
    article = portal.look(RULES, MARKED, "/2024/05/01/bridge", "--as", "article")
    assert article["text"] == "The first sentence of the report.\nAnd the second."
    told = [(one["id"], one["who"], one["when"], one["text"], one.get("reply_to")) for one in article["comments"]]
    assert told == [
        ("c1", "Anna", "2024-05-01T10:00:00+02:00", "At last.", None),
        ("c2", "Ben", "2024-05-01T11:00:00+02:00", "Too late.", "c1"),
    ]


def test_a_text_that_only_json_ld_holds_is_the_body(portal: WrittenPortal) -> None:
    assert portal.look(RULES, DATA, "/2024/05/01/bridge", "--as", "article")["text"] == "The first sentence of the report. And the second."
