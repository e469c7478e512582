"""Whatever a document holds: without comments and posts, and with other names, it is still valid."""

from __future__ import annotations

from datetime import date

import any_article
import pytest
from hypothesis import HealthCheck, given, settings
from lxml import etree

from webarticlecurator.config.portal import Portal
from webarticlecurator.exporting.formats.documents import extent_without_posts
from webarticlecurator.model.article import Article
from webarticlecurator.tei import load_template, render, validate
from webarticlecurator.tei.changes import DocumentChange, changed
from webarticlecurator.tei.readable import readable_text

TEMPLATE = load_template("default")


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(any_article.articles, any_article.portals)
def test_a_changed_document_is_valid(article: Article, portal: Portal) -> None:
    document = render(article, portal, template=TEMPLATE, rules_digest="d", now=date(2024, 1, 1)).document
    names = {(one.text or "").strip(): f"person-{number}" for number, one in enumerate(etree.fromstring(document).iter("{*}persName"))}
    names.pop("", None)
    for change in (DocumentChange(comments=False), DocumentChange(comments=False, posts=False), DocumentChange(names=names)):
        assert validate(changed(document, change, lambda: extent_without_posts(article)).document) == ()
    assert readable_text(document).startswith("<div")
