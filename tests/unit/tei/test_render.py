"""Documents as a whole."""

from __future__ import annotations

from datetime import date

import any_article
import pytest
from hypothesis import given, settings

from webarticlecurator.config.portal import Portal
from webarticlecurator.model.article import Article, Block, Inline, Post
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.tei import Template, load_template, render, validate

TEXT = Block(type="paragraph", children=("szöveg",))


@pytest.mark.slow
@settings(max_examples=50)
@given(any_article.articles, any_article.portals)
def test_whatever_the_model_allows_becomes_a_valid_document(default_template: Template, article: Article, portal: Portal) -> None:
    written = render(article, portal, template=default_template, rules_digest="sha256:0", now=date(2024, 5, 2))
    assert validate(written.document) == ()


def test_the_same_article_gives_the_same_bytes(write) -> None:
    assert write(TEXT, metadata={"headline": "Cím"}).content == write(TEXT, metadata={"headline": "Cím"}).content


def test_a_document_names_itself(write) -> None:
    document = write(TEXT, id="444-0123456789abcdef")
    assert document.all("/t:TEI/@xml:id") == ["id-444-0123456789abcdef"]
    assert document.texts("//t:publicationStmt/t:idno") == ["444-0123456789abcdef"]
    assert document.all("/t:TEI/@version") == ["4.12.0"]


def test_every_identifier_begins_with_that_of_the_document(write, capture) -> None:
    """So a thousand of them can stand together."""
    blocks = (Block(type="heading", children=("h",)), TEXT, Block(type="question", children=(TEXT,), attributes={"who": "Anna"}))
    posts = (Post(kind="forum", author="Anna", blocks=(TEXT,)), Post(kind="comments", id="1", author="Béla", blocks=(TEXT,)))
    document = write(*blocks, posts=posts, captures=(capture, capture), versions=(capture,), template=load_template("project"))
    ids = document.all("//@xml:id")
    assert len(ids) > 15
    assert {id.partition(".")[0] for id in ids} == {"pelda-0123456789abcdef"}


def test_every_block_has_an_identifier(write) -> None:
    document = write(Block(type="heading", children=("h",)), TEXT, Block(type="quote", children=(TEXT, Block(type="divider"))))
    assert document.names("//t:div[@type='section']/descendant-or-self::*/@xml:id") == ["b1", "b2", "b3", "b4", "b5"]


def test_a_naive_reader_glues_no_words(write) -> None:
    def block(type_: str, *children, **attributes: str) -> Block:
        return Block(type=type_, children=children, attributes=attributes)

    lines = ("egy", Inline(type="line-break"), "kettő")
    pieces = (
        *(block("paragraph", *lines), block("verse", *lines), block("quote", TEXT, block("source", "X"), TEXT)),
        *(block("list", block("item", TEXT, TEXT), block("item", TEXT)), block("box", TEXT, TEXT), block("answer", TEXT, TEXT)),
        block("table", block("table-heading", "T"), block("row", block("cell", TEXT), block("cell", TEXT))),
        block("gallery", *[block("figure", block("caption", "Kép. Fotó: MTI"), credit="Fotó: MTI")] * 2, block("caption", "Képek")),
        block("embed", block("caption", "film")),
    )
    document, article = write(*pieces), Article(id="a", url="", identity="", outcome=PageOutcome.ARTICLE, blocks=pieces)
    assert document.texts("//t:body")[0].split() == article.text.split()


def test_a_paywall_is_said(write) -> None:
    assert write(TEXT, outcome=PageOutcome.PAYWALL).all("//t:gap/@reason") == ["paywall"]
    assert write(TEXT).all("//t:gap") == []


def test_an_article_without_a_word_is_still_a_document(write) -> None:
    assert write().all("//t:measure[@unit='words']/@quantity") == ["0"]


def test_a_carriage_return_stays_one(write) -> None:
    assert write(Block(type="code", children=("a\r\nb",))).texts("//t:ab") == ["a\r\nb"]
