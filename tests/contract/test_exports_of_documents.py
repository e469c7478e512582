"""What is handed on as XML, as linked data and as an index is right for every kind of article that the example portal has."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from crawling import Crawling, crawling
from lxml import etree
from rdflib import RDF, Graph, Namespace
from rdflib.compare import to_isomorphic

from webarticlecurator import corpus_build
from webarticlecurator.building.options import BuildOptions
from webarticlecurator.config.load import load_portal
from webarticlecurator.corpus_export import ExportSummary, export
from webarticlecurator.tei import validate

pytestmark = pytest.mark.slow
PROV = Namespace("http://www.w3.org/ns/prov#")


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawling]:
    with crawling(tmp_path_factory.mktemp("example"), articles=60, page_size=10) as crawl:
        crawl.crawl()
        corpus_build.build(load_portal(crawl.file), corpus=crawl.corpus, options=BuildOptions(jobs=1))
        yield crawl


def exported(crawled: Crawling, to: str, output: Path, **options) -> ExportSummary:
    return export(crawled.file, to, output=output, corpus=crawled.corpus, **options)


@pytest.mark.parametrize("options", [{}, {"with_": ["comments", "posts"]}, {"with_": ["comments", "posts"], "pseudonymise": ["who"]}])
def test_a_corpus_of_all_documents_is_valid(crawled: Crawling, tmp_path: Path, options: dict) -> None:
    key = {"key": tmp_path / "key"} if "pseudonymise" in options else {}
    summary = exported(crawled, "teicorpus", tmp_path / "out.xml", **options, **key)
    tree = etree.parse(tmp_path / "out.xml")
    assert validate(tree) == ()
    assert len(tree.findall("{*}TEI")) == summary.counts.articles > 50


def test_every_article_is_in_the_graph_once_with_its_captures(crawled: Crawling, tmp_path: Path) -> None:
    summary = exported(crawled, "rdf", tmp_path / "out.nt")
    exported(crawled, "rdf", tmp_path / "out.ttl")
    triples, turtle = Graph().parse(tmp_path / "out.nt"), Graph().parse(tmp_path / "out.ttl")
    assert to_isomorphic(triples) == to_isomorphic(turtle)
    assert len(set(triples.subjects(PROV.wasDerivedFrom))) == summary.counts.articles
    assert set(triples.objects(None, PROV.wasDerivedFrom)) == set(triples.subjects(RDF.type, PROV.Entity))


def test_the_index_of_everything_is_that_of_cdxj_indexer(crawled: Crawling, tmp_path: Path) -> None:
    indexer = pytest.importorskip("cdxj_indexer.main", reason="the index is compared with cdxj-indexer (pip install cdxj-indexer)")
    exported(crawled, "cdxj", tmp_path / "out.cdxj", everything=True)
    expected = StringIO()
    files = sorted(str(path) for path in (crawled.corpus / "warc").iterdir())
    indexer.CDXJIndexer(expected, files, sort=True, records="response,revisit,resource").process_all()
    lines = [line for line in expected.getvalue().splitlines() if '"url": "http' in line]
    assert sorted(map(_read, (tmp_path / "out.cdxj").read_text().splitlines())) == sorted(map(_read, lines))
    assert len(lines) > 60


def _read(line: str) -> tuple[str, str, list[tuple[str, str]]]:
    key, moment, told = line.split(" ", 2)
    return key, moment, sorted(json.loads(told).items())


def test_every_text_of_txm_is_well_formed_and_in_the_table(crawled: Crawling, tmp_path: Path) -> None:
    summary = exported(crawled, "txm", tmp_path / "out", with_=["comments", "posts", "boxes", "captions"])
    texts = [etree.parse(path) for path in (tmp_path / "out").glob("*.xml")]
    assert len(texts) == summary.counts.articles
    assert all(len(list(text.iter("text"))) == 1 for text in texts)
