"""What the presets of forums, and the one for pages marked up by Schema.org, read as software writes it; the sentences are ours."""

from __future__ import annotations

from typing import Any

from case_files import cases
from written_portal import WrittenPortal

from webarticlecurator import extract, load_portal

HEAD = "portal: pelda\nhome: https://forum.pelda.example/\nlanguage: en\ntimezone: UTC\n"
HOME = "https://forum.pelda.example/"


def posts(preset: str, html: str) -> tuple[Any, ...]:
    return extract(html, HOME, load_portal("portal.yaml", content=f"{HEAD}extends: {preset}\n".encode())).posts


@cases("preset, row", "portal_file/cases/boards-tell-when-a-thread-was-answered-whether-they-say-today-or-when")
def test_boards_tell_when_a_thread_was_answered_whether_they_say_today_or_when(written: WrittenPortal, preset: str, row: str) -> None:
    written.head = HEAD
    (link,) = written.archive(f"extends: {preset}\n", row, HOME)["articles"]
    assert link["lastmod"][10:] == "T02:05:00+00:00"


def test_nodebb_says_whom_a_quotation_quotes_in_the_line_above_it_and_what_was_deleted() -> None:
    item = "<li component=post data-pid={pid} data-username=Anna class='{cls}'><div component='post/content'>{text}</div></li>"
    quotation = (
        "<p><a class=plugin-mentions-a href=/user/bela>@Béla</a> <a href=/post/7>said in Bridges</a>:</p>"
        "<blockquote><p>Is it open?</p></blockquote><p>It is open now.</p>"
    )
    first, second = posts(
        "nodebb", item.format(pid=8, cls="", text=quotation) + item.format(pid=9, cls="deleted", text="This post is deleted!")
    )
    assert [block.type for block in first.blocks][-2:] == ["quote", "paragraph"]
    assert {"who": "Béla", "post": "7"} in [block.attributes for block in first.blocks]
    assert second.deleted and not second.blocks


# --- pages that mark up their articles by Schema.org ---

SCHEMA_ORG = "extends: schema-org-article\n"
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


def test_body_and_comments_are_those_that_microdata_mark(written: WrittenPortal) -> None:
    article = written.look(SCHEMA_ORG, MARKED, "/2024/05/01/bridge", "--as", "article")
    assert article["text"] == "The first sentence of the report.\nAnd the second."
    told = [(one["id"], one["who"], one["when"], one["text"], one.get("reply_to")) for one in article["comments"]]
    assert told == [
        ("c1", "Anna", "2024-05-01T10:00:00+02:00", "At last.", None),
        ("c2", "Ben", "2024-05-01T11:00:00+02:00", "Too late.", "c1"),
    ]


def test_a_text_that_only_json_ld_holds_is_the_body(written: WrittenPortal) -> None:
    assert (
        written.look(SCHEMA_ORG, DATA, "/2024/05/01/bridge", "--as", "article")["text"]
        == "The first sentence of the report. And the second."
    )
