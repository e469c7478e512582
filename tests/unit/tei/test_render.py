"""Documents as a whole."""

from __future__ import annotations

from datetime import date

import any_article
import pytest
from hypothesis import given, settings

from webarticlecurator.config.portal import Portal
from webarticlecurator.model.article import Article, Block
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.tei import Template, render, validate

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


def test_a_paywall_is_said(write) -> None:
    assert write(TEXT, outcome=PageOutcome.PAYWALL).all("//t:gap/@reason") == ["paywall"]
    assert write(TEXT).all("//t:gap") == []


def test_an_article_without_a_word_is_still_a_document(write) -> None:
    assert write().all("//t:measure[@unit='words']/@quantity") == ["0"]


def test_a_carriage_return_stays_one(write) -> None:
    assert write(Block(type="code", children=("a\r\nb",))).texts("//t:ab") == ["a\r\nb"]
