"""RDF: what rdflib reads is the same in both syntaxes, and the same as in the JSON-LD that the documents carry."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from built_corpora import CAPTURE, article
from documented_corpora import documented_corpus, exported, with_authors
from lxml import etree
from rdflib import RDF, XSD, Graph, Literal, Namespace, URIRef
from rdflib.compare import to_isomorphic

from webarticlecurator.tei.documents import part_digest

SCHEMA, PROV = Namespace("https://schema.org/"), Namespace("http://www.w3.org/ns/prov#")
URLS = ("url", "mainEntityOfPage", "image", "license", "contentUrl", "video", "isBasedOn")
CONTEXT = {"@vocab": str(SCHEMA), **{name: {"@type": "@id"} for name in URLS}}
"""What https://schema.org stands for, without a network."""
HOSTILE = 'Új "híd"\\ \n<script>alert(1)</script> \u202e😀 ^^xsd:date'
METADATA = {
    "description": HOSTILE,
    "keywords": ["híd", 'a "b"', "Duna"],
    "dateModified": "2024-05-02",
    "wordCount": "412",
    "isAccessibleForFree": "false",
    "image": "https://pelda.example/a.jpg",
    "video": ["https://pelda.example/film.mp4"],
    "isBasedOn": ["https://mti.example/1"],
}


def articles() -> list:
    first = article(1, "Text.", title="Híd", language="hu", metadata=METADATA, versions=(replace(CAPTURE, record_id="urn:uuid:2"),))
    second = article(2, "More.", date="2023", metadata={"author": ["Anna"], "copyrightYear": "2023"})
    return [with_authors(first, Anna="person", MTI="organization"), second]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return documented_corpus(tmp_path, articles())


def graph(corpus: Path, name: str) -> Graph:
    path = corpus.parent / name
    exported(corpus, "rdf", path)
    return Graph().parse(path, format="turtle" if ".ttl" in name else "nt")


def test_both_syntaxes_say_the_same(corpus: Path) -> None:
    assert to_isomorphic(graph(corpus, "out.nt")) == to_isomorphic(graph(corpus, "out.ttl"))


def json_ld(corpus: Path) -> Graph:
    """The data of all documents as a processor of JSON-LD understands it; each of their blank nodes is another."""
    found = Graph()
    for path in sorted((corpus.parent / "corpora" / "pelda" / "tei").rglob("*.xml")):
        data = json.loads(etree.parse(path).findtext(".//{*}xenoData"))
        data["@context"] = CONTEXT
        found += Graph().parse(data=json.dumps(data), format="json-ld")
    return found


def test_it_says_what_the_documents_say(corpus: Path) -> None:
    """But for the types of dates and the languages of texts, which Schema.org's context has not, and for where it was read from."""
    plain = Graph()
    captures = set(graph(corpus, "out.nt").subjects(RDF.type, PROV.Entity))
    for subject, predicate, thing in graph(corpus, "out.nt"):
        if subject in captures or thing in captures:
            continue
        is_said_more = isinstance(thing, Literal) and (thing.language or thing.datatype in (XSD.date, XSD.dateTime, XSD.gYear))
        plain.add((subject, predicate, Literal(str(thing)) if is_said_more else thing))
    assert to_isomorphic(plain) == to_isomorphic(json_ld(corpus))


def test_values_have_their_types_and_languages(corpus: Path) -> None:
    found, one = graph(corpus, "out.ttl"), URIRef("https://pelda.example/1")
    assert found.value(one, SCHEMA.datePublished) == Literal("2024-05-01T10:00:00+02:00", datatype=XSD.dateTime)
    assert found.value(one, SCHEMA.dateModified) == Literal("2024-05-02", datatype=XSD.date)
    assert found.value(URIRef("https://pelda.example/2"), SCHEMA.datePublished) == Literal("2023", datatype=XSD.gYear)
    assert found.value(one, SCHEMA.wordCount) == Literal(412)
    assert found.value(one, SCHEMA.isAccessibleForFree) == Literal(False)
    assert found.value(one, SCHEMA.headline) == Literal("Híd", lang="hu")
    assert str(found.value(one, SCHEMA.description)) == HOSTILE
    kinds = {str(found.value(author, SCHEMA.name)): found.value(author, RDF.type) for author in found.objects(one, SCHEMA.author)}
    assert kinds == {"Anna": SCHEMA.Person, "MTI": SCHEMA.Organization}


def test_blank_nodes_of_two_documents_are_never_one(corpus: Path) -> None:
    found = graph(corpus, "out.nt")
    annas = [subject for subject, name in found.subject_objects(SCHEMA.name) if str(name) == "Anna"]
    assert len(set(annas)) == 2


def test_it_says_where_an_article_was_read_from(corpus: Path) -> None:
    found, one = graph(corpus, "out.nt"), URIRef("https://pelda.example/1")
    assert len(set(found.objects(one, SCHEMA.archivedAt))) == 2
    capture = URIRef(CAPTURE.record_id)
    assert (one, PROV.wasDerivedFrom, capture) in found
    assert found.value(capture, PROV.generatedAtTime) == Literal("2024-06-01T00:00:00Z", datatype=XSD.dateTime)


def test_what_can_be_no_iri_is_escaped_or_left_out(tmp_path: Path) -> None:
    images = ("https://pelda.example/kép [1].jpg", "http://")
    file = documented_corpus(tmp_path, [article(number, "Text.", metadata={"image": one}) for number, one in enumerate(images)])
    exported(file, "rdf", tmp_path / "out.nt")
    found = Graph().parse(tmp_path / "out.nt").objects(None, SCHEMA.image)
    assert list(found) == [URIRef("https://pelda.example/k%C3%A9p%20%5B1%5D.jpg")]


def test_documents_that_are_missing_or_hold_no_data_are_told_and_not_counted_as_exported(corpus: Path) -> None:
    first, second = sorted((corpus.parent / "corpora" / "pelda" / "tei").rglob("*.xml"))
    first.unlink()
    second.write_bytes(b"<TEI/>")
    with closing(sqlite3.connect(corpus.parent / "corpora" / "pelda" / "build.sqlite")) as database, database:
        database.execute("UPDATE articles SET part = ? WHERE id = ?", (part_digest(b"<TEI/>"), second.stem))
    summary = exported(corpus, "rdf", corpus.parent / "out.nt")
    assert (summary.counts.articles, summary.counts.failed, summary.counts.of) == (0, 2, 2)
    assert [note.partition(" (")[0] for note in summary.notes] == [
        "1 document is missing or not as the build wrote them",
        "1 document holds no data in JSON-LD: their template leaves it out.",
    ]
