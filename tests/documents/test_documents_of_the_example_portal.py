"""From a page to its document, page after page: each valid by every schema, with every word that the page has, and saying what is true.

The example portal tells what is true of its articles; of real pages, which lie beside some checkouts, only the rest is known.
At night all of those are read; of every so many of them that `CURATOR_TEST_EVERY` says (12), one is validated by every schema.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from accounting import misfits
from crawling import Crawling
from documents import Validators, capture_of, read_capture, real_pages, unaccounted, untruths
from seams import document_of, faults_of
from warcio.archiveiterator import ArchiveIterator

from webarticlecurator import Article, load_portal, read_corpus
from webarticlecurator.example_portal import Truth

EVERY = int(os.environ.get("CURATOR_TEST_EVERY", "12"))
_IDS = re.compile(rb'xml:id="([^"]*)"')
_MARKS = {"bold": {"bold"}, "italic": {"italic", "emphasis"}, "link": {"link"}}


@dataclass(frozen=True, slots=True)
class Built:
    """The corpus of the example portal, with an article and a document for each URL."""

    crawl: Crawling
    articles: dict[str, Article]
    documents: dict[str, bytes]

    def with_truth(self) -> Iterator[tuple[Article, bytes, Truth]]:
        for url, article in self.articles.items():
            yield article, self.documents[article.id], self.crawl.portal.truth(url)


@pytest.fixture(scope="module")
def built(example: Crawling) -> Built:
    articles = {article.url: article for article in read_corpus(load_portal(example.file), corpus=example.corpus)}
    return Built(example, articles, {path.stem: path.read_bytes() for path in (example.corpus / "tei").rglob("*.xml")})


def test_every_article_of_every_column_has_a_document_that_is_valid(built: Built) -> None:
    assert built.articles.keys() == built.crawl.portal.article_urls
    assert built.documents.keys() == {article.id for article in built.articles.values()}
    assert all(built.crawl.portal.articles.values()), "a column without articles shows nothing"
    assert {name: faults for name, document in built.documents.items() if (faults := faults_of(document))} == {}


def test_every_word_of_every_page_is_accounted_for(built: Built) -> None:
    portal = load_portal(built.crawl.file)
    for ref in (ref for article in built.articles.values() for ref in article.captures):
        with (built.crawl.corpus / "warc" / ref.file).open("rb") as file:
            file.seek(ref.offset)
            record = next(iter(ArchiveIterator(file)))
            capture = capture_of(record.content_stream().read(), ref.url, record.http_headers.get_header("Content-Type"))
        read = read_capture(capture, portal)
        assert not isinstance(read, str)
        assert unaccounted(*read, portal) == [], ref.url


def test_the_metadata_are_true(built: Built) -> None:
    for article, _, truth in built.with_truth():
        found = {name: [one.value for one in values] for name, values in article.metadata.items()}
        expected = {
            "headline": [truth.headline],
            "author": list(truth.author),
            "datePublished": [truth.datePublished.isoformat()],
            "dateModified": [truth.dateModified.isoformat()] if truth.dateModified else [],
            "articleSection": [truth.articleSection],
            "keywords": list(truth.keywords),
            "inLanguage": [truth.inLanguage],
        }
        assert {name: found.get(name, []) for name in expected} == expected, article.url


def test_the_blocks_are_true(built: Built) -> None:
    for article, _, truth in built.with_truth():
        assert misfits(article.blocks) == [], article.url
        blocks = [one for one in article.to_dict()["blocks"] if one["type"] != "post"]
        if truth.layout == "old":
            # tables and line breaks do not say what is a heading
            lines = [line for block in blocks for line in block["text"].split("\n") if line]
            assert lines == truth.text.split("\n"), article.url
        else:
            assert _shapes(blocks) == [_true_shape(block, built.crawl.portal.home) for block in truth.blocks], article.url
            marked = [mark for block in blocks for mark in _marks(block)]
            expected = [block.mark for block in truth.blocks if block.mark]
            assert [text for _, text in marked] == [mark.text for mark in expected], article.url
            assert all(kind in _MARKS[mark.kind] for (kind, _), mark in zip(marked, expected, strict=True)), article.url


def test_the_posts_are_true(built: Built) -> None:
    for article, _, truth in built.with_truth():
        kind = "liveblog" if truth.form == "live" else "forum"
        line = article.to_dict()
        told = [one for one in line["blocks"] if one["type"] == "post"] + line.get("comments", [])
        expected = [(kind, post) for post in truth.posts] + [("comments", post) for post in truth.comments]
        assert [tuple(post.get(name) for name in ("kind", "id", "who", "when", "title", "reply_to")) for post in told] == [
            (kind, post.id, post.author, post.time.isoformat(), post.title or None, post.parent or None) for kind, post in expected
        ], article.url
        assert [_shapes(post["children"]) for post in told] == [[_true_shape(one, "") for one in post.blocks] for _, post in expected]


def test_a_multi_page_article_has_a_break_and_a_capture_for_each_page(built: Built) -> None:
    several = 0
    for article, document, truth in built.with_truth():
        assert tuple(capture.url for capture in article.captures) == truth.page_urls
        assert document.count(b"<pb") == len(truth.page_urls) - 1
        assert document.count(b'type="capture"') >= len(truth.page_urls)
        several += len(truth.page_urls) > 1
    assert several


def test_the_documents_say_what_the_articles_say(built: Built) -> None:
    for article, document, _ in built.with_truth():
        assert untruths(article, document) == [], article.url


def _shapes(blocks: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """Type, address and text or inner shapes; a block that holds one paragraph is that paragraph, and page breaks say nothing."""
    return [_shape(block) for block in blocks if block["type"] != "page-break"]


def _shape(block: dict[str, Any]) -> tuple[Any, ...]:
    inner = [] if {child["type"] for child in block["children"]} & {"text", *_INLINES} else block["children"]
    if len(inner) == 1 and inner[0]["type"] == "paragraph":
        return block["type"], block.get("url", ""), inner[0]["text"], ()
    return block["type"], block.get("url", ""), "" if inner else block["text"], tuple(map(_shape, inner))


_INLINES = {"bold", "italic", "emphasis", "link"}


def _true_shape(block: Any, home: str) -> tuple[Any, ...]:
    address = home + block.address if block.address.startswith("/") else block.address
    return block.kind, address, block.text, tuple(_true_shape(child, home) for child in block.children)


def _marks(block: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for child in block["children"]:
        if child["type"] in _INLINES:
            yield child["type"], child["text"]
        elif child["type"] != "text":
            yield from _marks(child)


@pytest.mark.parametrize("every", [10 * EVERY, pytest.param(1, marks=pytest.mark.nightly)])
def test_every_real_page_gives_a_valid_document_with_every_word_once_under_names_of_its_own(shared_data: Path, every: int) -> None:
    by_every_schema = Validators().faults if every == 1 else faults_of
    faults: dict[str, list[str]] = {}
    names: dict[str, str] = {}
    for number, real in enumerate(islice(real_pages(shared_data), 0, None, every)):
        read = read_capture(real.capture, real.portal)
        if isinstance(read, str):
            continue
        page, article = read
        document = document_of(article, real.portal)
        validate = by_every_schema if number % EVERY == 0 else faults_of
        found = [*unaccounted(page, article, real.portal), *untruths(article, document), *validate(document)]
        # some pages are in more than one collection
        ids = [] if names.setdefault(article.id, real.name) != real.name else [id.decode() for id in _IDS.findall(document)]
        found += [f"{id!r} is also in {names[id]}" for id in ids if id != article.id and names.setdefault(id, real.name) != real.name]
        if found:
            faults[real.name] = found
    assert faults == {}
