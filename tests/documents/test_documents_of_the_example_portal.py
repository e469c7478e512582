"""From a page to its document, page after page: each valid by every schema, with every word that the page has, and saying what is true.

The example portal tells what is true of its articles; of real pages, which lie beside some checkouts, only the rest is known.
`CURATOR_TEST_ARTICLES` says how many articles the example portal has here (110), `CURATOR_TEST_EVERY` that every so many-th
real page is read (12; 1 for all of them).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from accounting import bare, misfits
from crawling import Crawling, crawling
from documents import Validators, document_of, read_capture, real_pages, unaccounted, untruths
from lxml import etree

from webarticlecurator import corpus_build
from webarticlecurator.building.options import BuildOptions
from webarticlecurator.config.load import load_portal
from webarticlecurator.example_portal import Truth
from webarticlecurator.model.article import Article, Block, Inline, plain_text
from webarticlecurator.model.capture import Location
from webarticlecurator.tei import validate
from webarticlecurator.warc.reader import CaptureReader

ARTICLES = int(os.environ.get("CURATOR_TEST_ARTICLES", "110"))
EVERY = int(os.environ.get("CURATOR_TEST_EVERY", "12"))
_NAMES = {"t": "http://www.tei-c.org/ns/1.0"}
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
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Built]:
    with crawling(tmp_path_factory.mktemp("example"), articles=ARTICLES, page_size=10) as crawl:
        crawl.crawl()
        portal = load_portal(crawl.file)
        corpus_build.build(portal, corpus=crawl.corpus, options=BuildOptions(jobs=1))
        articles = {article.url: article for article in corpus_build.read_corpus(portal, corpus=crawl.corpus)}
        written = {path.stem: path.read_bytes() for path in (crawl.corpus / "tei").rglob("*.xml")}
        yield Built(crawl, articles, written)


@pytest.fixture(scope="module")
def validators() -> Validators:
    return Validators()


# --- the example portal ---


def test_every_article_of_every_column_has_a_document(built: Built) -> None:
    assert built.articles.keys() == built.crawl.portal.article_urls
    assert built.documents.keys() == {article.id for article in built.articles.values()}
    assert all(built.crawl.portal.articles.values()), "a column without articles shows nothing"


def test_every_document_is_valid_by_every_schema(built: Built, validators: Validators) -> None:
    assert {name: faults for name, document in built.documents.items() if (faults := validators.faults(document))} == {}


def test_every_word_of_every_page_is_accounted_for(built: Built) -> None:
    portal = load_portal(built.crawl.file)
    with CaptureReader(built.crawl.corpus / "warc") as stored:
        for ref in (ref for article in built.articles.values() for ref in article.captures):
            capture = stored.read(Location(file=ref.file, offset=ref.offset, length=ref.length))
            assert capture is not None
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
        if truth.layout == "old":
            # tables and line breaks do not say what is a heading
            assert _leaves(article.blocks) == truth.text.split("\n"), article.url
        else:
            assert _shapes(article.blocks) == [_true_shape(block, built.crawl.portal.home) for block in truth.blocks], article.url
            marked = [mark for block in article.blocks for mark in _marks(block)]
            expected = [block.mark for block in truth.blocks if block.mark]
            assert [text for _, text in marked] == [mark.text for mark in expected], article.url
            assert all(kind in _MARKS[mark.kind] for (kind, _), mark in zip(marked, expected, strict=True)), article.url


def test_the_posts_are_true(built: Built) -> None:
    for article, _, truth in built.with_truth():
        kind = "liveblog" if truth.form == "live" else "forum"
        expected = [(kind, post) for post in truth.posts] + [("comments", post) for post in truth.comments]
        assert [(post.kind, post.id, post.author, post.when, post.title, post.reply_to) for post in article.posts] == [
            (kind, post.id, post.author, post.time.isoformat(), post.title or None, post.parent or None) for kind, post in expected
        ], article.url
        assert [_shapes(post.blocks) for post in article.posts] == [[_true_shape(one, "") for one in post.blocks] for _, post in expected]


def test_a_multi_page_article_has_a_break_and_a_capture_for_each_page(built: Built) -> None:
    several = 0
    for article, _, truth in built.with_truth():
        assert tuple(capture.url for capture in article.captures) == truth.page_urls
        assert sum(block.type == "page-break" for block in article.blocks) == len(truth.page_urls) - 1
        several += len(truth.page_urls) > 1
    assert several


def test_the_documents_say_what_the_articles_say(built: Built) -> None:
    for article, document, truth in built.with_truth():
        root = etree.fromstring(document)
        assert _texts(root, "//t:teiHeader/t:fileDesc/t:titleStmt/t:title[@type='main']") == [truth.headline]
        assert _texts(root, "//t:analytic/t:author") == list(truth.author)
        assert _texts(root, "//t:biblScope[@unit='section']") == [truth.articleSection]
        assert _texts(root, "//t:keywords[@ana='schema:keywords']/t:term") == list(truth.keywords)
        assert root.xpath("//t:imprint/t:date[@type='published']/@when", namespaces=_NAMES) == [truth.datePublished.isoformat()]
        said = bare("".join(_texts(root, "//t:text")))
        comments = [block.full_text for post in truth.comments for block in post.blocks]
        assert [line for line in (*truth.text.split("\n"), *comments) if bare(line) not in said] == [], article.url


def _texts(root: etree._Element, path: str) -> list[str]:
    return ["".join(found.itertext()) for found in root.xpath(path, namespaces=_NAMES)]


def _shapes(blocks: Iterable[Block]) -> list[tuple[Any, ...]]:
    """Type, address and text or inner shapes; a block that holds one paragraph is that paragraph, and page breaks say nothing."""
    return [_shape(block) for block in blocks if block.type != "page-break"]


def _shape(block: Block) -> tuple[Any, ...]:
    inner = [child for child in block.children if isinstance(child, Block)]
    if len(inner) == 1 and inner[0].type == "paragraph":
        return block.type, block.url or "", plain_text(inner[0]), ()
    return block.type, block.url or "", "" if inner else plain_text(block), tuple(map(_shape, inner))


def _true_shape(block: Any, home: str) -> tuple[Any, ...]:
    address = home + block.address if block.address.startswith("/") else block.address
    return block.kind, address, block.text, tuple(_true_shape(child, home) for child in block.children)


def _leaves(blocks: Iterable[Block]) -> list[str]:
    return [line for block in blocks for line in plain_text(block).split("\n") if line]


def _marks(block: Block) -> Iterator[tuple[str, str]]:
    for child in block.children:
        if isinstance(child, Inline):
            yield child.type, plain_text(child)
        elif isinstance(child, Block):
            yield from _marks(child)


# --- real pages ---


@pytest.mark.slow
def test_the_documents_of_all_real_pages_say_what_is_true_once_and_under_names_of_their_own(shared_data: Path) -> None:
    faults: dict[str, list[str]] = {}
    names: dict[str, str] = {}
    for real in real_pages(shared_data):
        read = read_capture(real.capture, real.portal)
        if isinstance(read, str):
            continue
        article = read[1]
        document = document_of(article, real.portal)
        found = [*untruths(article, document), *validate(document)]
        # some pages are in more than one collection
        ids = [] if names.setdefault(article.id, real.name) != real.name else [id.decode() for id in _IDS.findall(document)]
        found += [
            f"the name {id!r} is also in {names[id]}" for id in ids if id != article.id and names.setdefault(id, real.name) != real.name
        ]
        if found:
            faults[real.name] = found
    assert faults == {}


def test_every_real_page_gives_a_valid_document_with_every_word(shared_data: Path, validators: Validators) -> None:
    faults: dict[str, list[str]] = {}
    for real in islice(real_pages(shared_data), 0, None, EVERY):
        read = read_capture(real.capture, real.portal)
        if isinstance(read, str):
            continue
        page, article = read
        found = [*unaccounted(page, article, real.portal), *validators.faults(document_of(article, real.portal))]
        if found:
            faults[real.name] = found
    assert faults == {}
