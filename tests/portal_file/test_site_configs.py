"""Every shipped portal makes of its portal's real pages what its tests.yaml says (skips where the pages are not at hand)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import cache
from typing import Any

import pytest
from accounting import accounted, bare, misfits, reference, written
from real_pages import DATA, needs

from webarticlecurator import resources
from webarticlecurator.config.expectations import FILE_NAME, Expectation, load_expectations
from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.document.page import read_page
from webarticlecurator.extraction.article import read_article
from webarticlecurator.extraction.container import find_container
from webarticlecurator.extraction.layouts import rules_for
from webarticlecurator.extraction.picks import PageContext
from webarticlecurator.extraction.url_rules import article_id, identity_of
from webarticlecurator.model.article import Article, CaptureRef
from webarticlecurator.model.capture import Request
from webarticlecurator.model.page import Page
from webarticlecurator.report.expectations import differences
from webarticlecurator.report.measures import measure
from webarticlecurator.tei import Template, load_template, render, validate
from webarticlecurator.trial import look
from webarticlecurator.warc.source import WarcSource

PLACE = DATA / "archive-pages" / "pages.warc.gz"
PORTALS = sorted(path.parent.name for path in resources.site_configs().glob("*/portal.yaml"))
REF = CaptureRef(record_id="urn:uuid:0", digest="sha256:0", file="pages.warc.gz", offset=0, length=1, url="", date="2021-01-01T00:00:00Z")
with_pages = needs(PLACE)


def cases(kind: str = "") -> Iterator[Any]:
    for portal in PORTALS:
        for number, expected in enumerate(load_expectations(resources.site_configs() / portal / FILE_NAME)):
            if kind in ("", expected.kind):
                yield pytest.param(portal, expected, id=f"{portal}-{number}")


@cache
def portal_of(name: str) -> Portal:
    return load_portal(name)


@cache
def template() -> Template:
    return load_template("default")


@pytest.fixture(scope="module")
def pages() -> Iterator[WarcSource]:
    source = WarcSource([PLACE], on_damage=lambda damage: pytest.fail(str(damage)))
    yield source
    source.close()


def parsed(pages: WarcSource, url: str, portal: Portal) -> Page:
    capture = pages.fetch(Request(url=url)).capture
    assert capture is not None
    page = read_page(capture, encoding=portal.fetch.encoding)
    assert isinstance(page, Page)
    return page


def article_of(page: Page, url: str, portal: Portal) -> Article:
    identity = identity_of(url, portal)
    return read_article([page], portal, id=article_id(identity, portal), identity=identity, url=url, captures=(REF,))


@with_pages
@pytest.mark.parametrize(("portal", "expected"), list(cases()))
def test_a_page_gives_what_is_expected_of_it(portal: str, expected: Expectation, pages: WarcSource) -> None:
    line = look(expected.url, portal=portal_of(portal), source=pages, kind=expected.kind)
    assert differences(measure(line), expected) == ()


@with_pages
@pytest.mark.parametrize(("portal", "expected"), list(cases("article")))
def test_its_document_is_valid(portal: str, expected: Expectation, pages: WarcSource) -> None:
    rules = portal_of(portal)
    article = article_of(parsed(pages, expected.url, rules), expected.url, rules)
    document = render(article, rules, template=template(), rules_digest="0" * 64, now=date(2024, 5, 1)).document
    assert validate(document) == ()
    assert misfits(article.blocks) == []


@with_pages
@pytest.mark.parametrize(("portal", "expected"), list(cases("article")))
def test_every_character_of_its_body_is_accounted_for(portal: str, expected: Expectation, pages: WarcSource) -> None:
    rules = portal_of(portal)
    page = parsed(pages, expected.url, rules)
    article = article_of(page, expected.url, rules)
    container = find_container(rules_for(page, rules, {}).body.root, PageContext.whole(page, rules), article.metadata)
    assert container is not None
    assert accounted(article.pieces) == reference(container.elements)
    assert set(bare("".join(piece.text for piece in article.pieces))) >= set(written(article.blocks))


def test_every_portal_says_what_must_come_out_of_its_pages() -> None:
    assert all(load_expectations(resources.site_configs() / portal / FILE_NAME) for portal in PORTALS)


def test_the_files_tell_nothing_of_what_the_portals_wrote() -> None:
    """Dates, sections and addresses are facts; titles, names and sentences stand as hashes."""
    for portal in PORTALS:
        for expected in load_expectations(resources.site_configs() / portal / FILE_NAME):
            texts = [*expected.contains, *expected.lacks]
            texts += [value for name in ("headline", "author") for value in expected.metadata.get(name, ())]
            texts += [post.get(name) or "" for post in (expected.first_post, expected.last_post) for name in ("who", "title")]
            assert all(text.startswith("sha256:") for text in texts if text), expected.url
