"""What does not depend on the machine: parses, walks, requests, bytes, statements, right answers. `floors.yaml` holds the bounds."""

from __future__ import annotations

import gzip
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml
from crawling import Crawling, crawling
from lxml import etree
from warcio.archiveiterator import ArchiveIterator

from examples.sites import RunningSite
from examples.sites.scores import Score, compare
from examples.sites.site import Truth
from examples.sites.variations import variations
from webarticlecurator import Article, BuildOptions, build, extract, load_portal
from webarticlecurator.example_portal.answers import Request
from webarticlecurator.selectors import Selector

BOUNDS = yaml.safe_load((Path(__file__).parent / "floors.yaml").read_text(encoding="utf-8"))
COLUMNS = ("belfold", "kultura", "english", "deutsch", "francais")
ONE_OF_EACH = tuple({one.software: one for one in reversed(variations())}.values())
PAGES_OF_SITE = 8
_WHOLE = frozenset({"html", "body"})
_WALKS = ("find", "findall", "iter", "iterdescendants", "iterfind", "itertext", "xpath")
_WHEN_TIME_COMES = re.compile(r"\s*(?:BEGIN|COMMIT|SAVEPOINT|RELEASE|PRAGMA)", re.IGNORECASE)
"""How often the clock decides, not the work."""


@contextmanager
def counted_trees() -> Iterator[Counter[str]]:
    """`parses`; `walks` over whole pages, each selector that is looked for in one among them."""
    counts: Counter[str] = Counter()

    def counting(method: Any) -> Any:
        def counted(element: etree._Element, *values: Any, **options: Any) -> Any:
            counts["walks"] += element.tag in _WHOLE
            return method(element, *values, **options)

        return counted

    # The methods of lxml's own elements raise no event that a profiler would see: the pages are made of elements that tell.
    watched = type("Watched", (etree.ElementBase,), {name: counting(getattr(etree.ElementBase, name)) for name in _WALKS})
    parse = etree.fromstring

    def parsed(content: Any, parser: Any = None, **options: Any) -> Any:
        if isinstance(parser, etree.HTMLParser):
            counts["parses"] += 1
            parser.set_element_class_lookup(etree.ElementDefaultClassLookup(element=watched))
        return parse(content, parser, **options)

    select = Selector.select

    def selected(selector: Selector, element: etree._Element) -> list[etree._Element]:
        counts["walks"] += (element.tag in _WHOLE) * len(selector.alternatives)
        return select(selector, element)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(etree, "fromstring", parsed)
        patch.setattr(etree, "iterwalk", counting(etree.iterwalk))
        patch.setattr(Selector, "select", selected)
        yield counts


@contextmanager
def counted_statements() -> Iterator[Counter[str]]:
    """`statements` of all connections that are opened meanwhile, but for those that begin and end transactions."""
    counts: Counter[str] = Counter()
    connect = sqlite3.connect

    def note(statement: str) -> None:
        if not _WHEN_TIME_COMES.match(statement):
            counts["statements"] += 1

    def traced(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection = connect(*arguments, **options)
        connection.set_trace_callback(note)
        return connection

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", traced)
        yield counts


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawling]:
    with crawling(tmp_path_factory.mktemp("counted"), articles=120, page_size=10, columns=COLUMNS) as crawl:
        yield crawl


@pytest.fixture(scope="module")
def counted(small: Crawling) -> dict[str, float]:
    with counted_statements() as crawled:
        articles = small.crawl().fetched
    pages = sum(len(small.portal.truth(url).page_urls) for name in COLUMNS for url in small.portal.articles[name])
    asked, stored = len(small.portal.requests), _beside_answers(small.corpus / "warc")
    small.portal.forget_requests()
    with counted_statements() as crawled_again:
        small.crawl()
    portal, options = load_portal(small.file), BuildOptions(jobs=1)
    with counted_statements() as built, counted_trees() as trees:
        build(portal, corpus=small.corpus, options=options)
    with counted_statements() as built_again, counted_trees() as trees_again:
        build(portal, corpus=small.corpus, options=options)
    return {
        "requests of a crawl, of one article": asked / articles,
        "requests of a rerun with nothing new, of one column": len(small.portal.requests) / len(COLUMNS),
        "bytes of WARC beside what crossed the wire, of one exchange": stored,
        "statements of a crawl, of one article": crawled["statements"] / articles,
        "statements of a rerun with nothing new, of one known article": crawled_again["statements"] / articles,
        "statements of a build, of one article": built["statements"] / articles,
        "statements of a build with nothing new, of one article": built_again["statements"] / articles,
        "parses of a page": trees["parses"] / pages,
        "walks through a page": trees["walks"] / pages,
        "parses and walks of a build with nothing new": trees_again.total(),
    }


def _beside_answers(folder: Path) -> float:
    """For each response, bytes of the uncompressed records but for requests and responses themselves."""
    size = of_wire = exchanges = 0
    for file in folder.glob("*.warc.gz"):
        size += len(gzip.decompress(file.read_bytes()))
        with file.open("rb") as stream:
            for record in ArchiveIterator(stream, no_record_parse=True):
                if record.rec_type in ("request", "response"):
                    of_wire += len(record.raw_stream.read())
                    exchanges += record.rec_type == "response"
    return (size - of_wire) / exchanges


@pytest.fixture(scope="module")
def accuracy(small: Crawling) -> dict[str, float]:
    """The general reader without any rule: of the example portal, and of pages as each software writes them."""
    sites, told = Score("sites"), map(small.portal.truth, sorted(small.portal.article_urls))
    truths = [
        Truth(url=one.url, title=one.headline, authors=one.author, date=one.datePublished.isoformat(), text=one.text)
        for one in told
        if len(one.page_urls) == 1 and not one.posts and not one.comments
    ]
    example = Score("example portal")
    compare(example, _read(truths, small.portal.home, small.portal.answer), truths)
    for variation in ONE_OF_EACH:
        with RunningSite(variation) as site:
            shown = [one for one in site.made.truths if one.text][:PAGES_OF_SITE]
            compare(sites, _read(shown, site.root, site.answer), shown, site.made.identity)
    fields = ("titles", "dates", "authors", "texts")
    return {f"{name} right, {score.name}": score.counts[name].f1 for score in (example, sites) for name in fields}


def _read(truths: Iterable[Truth], home: str, answer: Callable[..., object]) -> list[Article]:
    answers = {truth.url: answer(Request(target="/" + truth.url.removeprefix(home).lstrip("/"))) for truth in truths}
    return [extract(given.body, url) for url, given in answers.items() if given is not None]


def test_it_is_no_more(counted: dict[str, float]) -> None:
    assert {name: value for name, value in counted.items() if value > BOUNDS["at_most"][name]} == {}


@pytest.mark.nightly
def test_it_is_no_less(accuracy: dict[str, float]) -> None:
    assert {name: value for name, value in accuracy.items() if value < BOUNDS["at_least"][name]} == {}
