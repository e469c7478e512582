"""The text of a document as HTML: all that is to be read, and nothing that leads away."""

from __future__ import annotations

from datetime import date

from built_corpora import article, block, paragraph, post
from lxml import html

from webarticlecurator.model.article import Inline
from webarticlecurator.tei import load_template, render
from webarticlecurator.tei.readable import readable_text

from .conftest import PORTAL


def shown(*blocks, **told) -> html.HtmlElement:
    written = render(article(1, *blocks, **told), PORTAL, template=load_template("default"), rules_digest="d", now=date(2024, 5, 2))
    return html.fromstring(readable_text(written.document))


def test_blocks_are_what_they_are_in_html() -> None:
    items = block("list", block("item", paragraph("One")), block("item", paragraph("Two")), ordered="yes")
    row = block("row", block("cell", paragraph("Cell")))
    tree = shown("Text.", block("heading", "Why", level="2"), items, block("table", row), block("quote", paragraph("Said.")))
    assert [(one.tag, one.text) for one in tree.iter("h2", "h3", "h4")] == [("h3", "A bridge"), ("h4", "Why")]
    assert tree.get("lang") == "en"
    assert [one.text for one in tree.iter("li", "td", "blockquote")][:3] == ["One", "Two", "Cell"]
    assert tree.find(".//ol") is not None


def test_terms_and_what_they_mean_stand_under_one_another() -> None:
    terms = block("list", block("item", paragraph("Pier"), term="yes"), block("item", paragraph("What a bridge stands on.")))
    (listed,) = shown("Text.", terms).iter("dl")
    assert [(one.tag, one.text) for one in listed] == [("dt", "Pier"), ("dd", "What a bridge stands on.")]


def test_posts_tell_who_writes_when() -> None:
    tree = shown("Text.", posts=(post("Hi <b>.", "comments", id="1", author="Anna <script>", when="2024-05-01T10:00:00Z"),))
    assert tree.find(".//article/p/b").text == "Anna <script> · 2024-05-01T10:00:00Z"
    assert tree.find(".//article/p[2]").text == "Hi <b>."


def test_links_lead_nowhere() -> None:
    tree = shown(paragraph(Inline(type="link", url="https://pelda.example/b", children=("there",))))
    (link,) = tree.iter("span")
    assert (link.text, link.get("title"), link.get("href")) == ("there", "https://pelda.example/b", None)
