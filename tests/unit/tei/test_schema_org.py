"""The JSON-LD in the header, read by an RDF library."""

from __future__ import annotations

import json

import pytest

from webarticlecurator.model.article import Block
from webarticlecurator.model.metadata import Found

TEXT = Block(type="paragraph", children=("szöveg",))
SCHEMA = "https://schema.org/"


def json_of(document) -> dict:
    (written,) = document.texts("//t:xenoData")
    return json.loads(written)


@pytest.mark.parametrize(
    ("field", "values", "expected"),
    [
        ("headline", "Cím ]]> & <b>", "Cím ]]> & <b>"),
        ("author", ["Anna", "Példa Hírek"], [{"@type": "Person", "name": "Anna"}, {"@type": "Organization", "name": "Példa Hírek"}]),
        ("publisher", "Kiadó", {"@type": "Organization", "name": "Kiadó"}),
        ("keywords", ["a", "b"], ["a", "b"]),
        ("isAccessibleForFree", "true", True),
        ("isAccessibleForFree", "false", False),
        ("wordCount", "12", 12),
        ("wordCount", "sok", "sok"),
        ("datePublished", "2024-05-01T10:00:00+02:00", "2024-05-01T10:00:00+02:00"),
        ("contentLocation", ["Budapest"], [{"@type": "Place", "name": "Budapest"}]),
        ("video", ["https://pelda.example/v"], [{"@type": "VideoObject", "contentUrl": "https://pelda.example/v"}]),
        ("description", "a\x00b\ud800c", "abc"),
    ],
)
def test_values_have_the_shape_that_schema_org_wants(write, field: str, values: str | list[str], expected: object) -> None:
    assert json_of(write(TEXT, metadata={field: values}))[field] == expected


def test_what_every_article_says(write) -> None:
    assert json_of(write(TEXT)) == {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "@id": "https://pelda.example/1",
        "url": "https://pelda.example/1",
        "inLanguage": "hu",
        "publisher": {"@type": "Organization", "name": "Példa Kft."},
        "isPartOf": {"@type": "WebSite", "name": "Példa Hírek", "url": "https://pelda.example/"},
    }


def test_what_the_page_says_of_an_agent_decides_its_type(write) -> None:
    metadata = {
        "author": [Found(value="Iroda", raw="Iroda", source="test", kind="organization")],
        "publisher": [Found(value="Anna", raw="Anna", source="test", kind="person")],
    }
    written = json_of(write(TEXT, metadata=metadata))
    assert written["author"] == [{"@type": "Organization", "name": "Iroda"}]
    assert written["publisher"] == {"@type": "Person", "name": "Anna"}


def test_agencies_are_organisations_under_one_property(write) -> None:
    written = json_of(write(TEXT, metadata={"source": "MTI", "sourceOrganization": "Reuters"}))
    assert [one["name"] for one in written["sourceOrganization"]] == ["MTI", "Reuters"]
    assert "source" not in written


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_an_rdf_library_reads_it_with_the_slash(write) -> None:
    rdflib = pytest.importorskip("rdflib", reason="RDF is read by rdflib (pip install rdflib)")
    written = json_of(write(TEXT, metadata={"headline": "Cím", "author": "Anna", "keywords": ["a", "b"], "datePublished": "2024-05-01"}))
    # What https://schema.org answers as its context, in as far as names go; tests ask no network.
    written["@context"] = {"@vocab": SCHEMA}
    graph = rdflib.Graph().parse(data=json.dumps(written), format="json-ld")
    article = rdflib.URIRef("https://pelda.example/1")
    said = {(str(name), str(value)) for name, value in graph.predicate_objects(article) if not isinstance(value, rdflib.BNode)}
    assert {(SCHEMA + "headline", "Cím"), (SCHEMA + "keywords", "a"), (SCHEMA + "datePublished", "2024-05-01")} <= said
    assert (rdflib.RDF.type, rdflib.URIRef(SCHEMA + "NewsArticle")) in set(graph.predicate_objects(article))
    (person,) = graph.objects(article, rdflib.URIRef(SCHEMA + "author"))
    assert graph.value(person, rdflib.RDF.type) == rdflib.URIRef(SCHEMA + "Person")


def test_an_author_has_the_page_about_them(write) -> None:
    anna = Found(value="Anna", raw="Anna", source="test", url="https://pelda.example/szerzo/anna")
    assert json_of(write(TEXT, metadata={"author": [anna]}))["author"] == [
        {"@type": "Person", "name": "Anna", "url": "https://pelda.example/szerzo/anna"}
    ]
