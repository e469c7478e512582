"""What is handed on as XML and as linked data: teiCorpus and RDF, of every kind of article."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tei_validators
from lxml import etree
from published import Publish, article, post
from tei_documents import COMPACT, TEI_ALL

rdflib = pytest.importorskip("rdflib", reason="RDF is read by rdflib (pip install rdflib)")
T = {"t": "http://www.tei-c.org/ns/1.0"}
PARTS = ("--with", "comments,posts")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

# --- teiCorpus ---


def corpus_of(export: Any, portals: Any, *flags: object, per_article: bool = False) -> Any:
    path = export(portals, "teicorpus", "out/" if per_article else "out.xml", *flags).path
    tree = etree.parse(path / "corpus.xml" if per_article else path)
    tree.xinclude()
    return tree


@pytest.mark.parametrize("per_article", [False, True], ids=["one file", "inclusions"])
@pytest.mark.parametrize("parts", [(), PARTS], ids=["without posts", "with posts"])
def test_a_corpus_is_valid(library: Any, export: Any, faults: Any, per_article: bool, parts: tuple[str, ...]) -> None:
    tree = corpus_of(export, library.files, *parts, per_article=per_article)
    assert faults(tree) == ()
    assert len(tree.findall("t:TEI", T)) == 8
    assert [one.get("n") for one in tree.findall("t:teiHeader//t:sourceDesc/t:bibl", T)] == ["pelda", "masik"]


@pytest.mark.nightly
def test_a_corpus_of_many_documents_is_tei_whoever_validates_it(example: Any, curator: Any, faults: Any, tmp_path: Path) -> None:
    for flags in ((), PARTS, (*PARTS, "--pseudonymise", "who", "--key", tmp_path / "key")):
        path = tmp_path / "out.xml"
        assert curator("export", example.file, "--corpus", example.corpus, "--to", "teicorpus", "-o", path, *flags).code == 0
        tree = etree.parse(path)
        assert faults(tree) == ()
        assert len(tree.findall("{*}TEI")) > 50
        assert etree.RelaxNG(etree.parse(TEI_ALL)).validate(tree)
    assert tei_validators.jing(COMPACT, [path]) == ""
    assert tei_validators.jing(TEI_ALL, [path]) == ""


def test_the_header_counts_what_is_there(library: Any, export: Any) -> None:
    tree = corpus_of(export, library.pelda)
    measures = {one.get("unit"): int(one.get("quantity")) for one in tree.findall("t:teiHeader//t:extent/t:measure", T)}
    each = [int(one.get("quantity")) for one in tree.findall("t:TEI//t:extent/t:measure[@unit='words']", T)]
    assert (measures["texts"], measures["words"]) == (7, sum(each))
    date = tree.find("t:teiHeader//t:sourceDesc/t:bibl/t:date", T)
    assert (date.get("from"), date.get("to")) == ("2020-05-01", "2024-05-02")
    assert {one.get("ident") for one in tree.findall("t:teiHeader//t:language", T)} == {"en"}


def test_documents_that_do_not_change_are_those_of_the_build(library: Any, export: Any) -> None:
    folder = export(library.pelda, "teicorpus", "out/", *PARTS, "--outcome", "article,paywall").path
    given = {path.name: path.read_bytes() for path in (folder / "tei").rglob("*.xml")}
    assert given == {path.name: path.read_bytes() for path in (library.pelda.corpus / "tei").rglob("*.xml")}
    assert len(given) == 8


def test_entries_of_a_live_blog_are_its_text_and_comments_are_not(library: Any, export: Any) -> None:
    assert len(corpus_of(export, library.pelda).findall(".//t:div[@type='liveBlog']", T)) == 1
    tree = corpus_of(export, library.pelda, "--without", "posts")
    by_id = {one.get("{http://www.w3.org/XML/1998/namespace}id"): one for one in tree.findall("t:TEI", T)}
    bridge, live, thread = (by_id[library[name].id] for name in ("bridge", "live", "thread"))
    for path in (".//t:div[@type='comments']", ".//t:particDesc", ".//t:measure[@unit='posts']"):
        assert bridge.find(path, T) is None
    assert live.find(".//t:div[@type='liveBlog']", T) is None
    assert live.find(".//t:measure[@unit='words']", T).get("quantity") == "2"
    assert len(thread.findall(".//t:post", T)) == 2, "in a thread they are the text"
    told = " ".join("".join(tree.find("t:teiHeader//t:samplingDecl", T).itertext()).split())
    assert "comments (2), posts (1)" in told


def test_what_points_to_comments_goes_with_them(publish: Publish, export: Any, faults: Any) -> None:
    answers = (post("Why?", id="1", who="Anna"), post("Because.", id="2", who="Béla", reply_to="1"))
    portal = publish(article(1, "Text.", '<blockquote data-post="1"><p>Why?</p></blockquote>', posts=answers))
    assert faults(export(portal, "teicorpus", "out.xml").content) == ()


def test_documents_in_zips_are_found(publish: Publish, export: Any) -> None:
    portal = publish(article(1, "One."), article(2, "Two.", date=None))
    portal.build("--zip")
    assert not list((portal.corpus / "tei").rglob("*.xml"))
    assert len(corpus_of(export, portal).findall("t:TEI", T)) == 2


DAMAGES: dict[str, Callable[[bytes], bytes] | None] = {
    "missing": None,
    "cut": lambda content: content[: len(content) // 2],
    "no XML": lambda content: content.replace(b"council", b"c\0uncil", 1),
    "another word": lambda content: content.replace(b"council", b"mayor", 1),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_document_that_is_missing_or_damaged_is_told_and_spoils_no_corpus(publish: Publish, export: Any, damage: str) -> None:
    portal = publish(article(1, "The council met."), article(2, "More."))
    document = next(path for path in (portal.corpus / "tei").rglob("*.xml") if b"council" in path.read_bytes())
    change = DAMAGES[damage]
    if change is None:
        document.unlink()
    else:
        document.write_bytes(change(document.read_bytes()))
    made = export(portal, "teicorpus", "out.xml", code=1)
    assert len(etree.fromstring(made.content).findall("t:TEI", T)) == 1
    assert re.search(rf"1 document is missing or not as the build wrote them \({document.stem}\)", made.text)
    rdf = export(portal, "rdf", "out.nt", code=1)
    assert "1 document is missing" in rdf.said
    assert "council" not in rdf.text


# --- RDF ---

SCHEMA, PROV = rdflib.Namespace("https://schema.org/"), rdflib.Namespace("http://www.w3.org/ns/prov#")
URLS = ("url", "mainEntityOfPage", "image", "license", "contentUrl", "video", "isBasedOn")
CONTEXT = {"@vocab": str(SCHEMA), **{name: {"@type": "@id"} for name in URLS}}
"""What https://schema.org stands for, without a network."""
HOSTILE = 'Új "híd"\\ <script>alert(1)</script> 😀 ^^xsd:date'
TOLD = article(
    1,
    "Text.",
    title="Híd",
    language="hu",
    author=["Anna", "Példa Hírek"],
    description=HOSTILE,
    keywords=["híd", 'a "b"', "Duna"],
    dateModified="2024-05-02",
    wordCount="412",
    isAccessibleForFree="true",
    image="https://pelda.example/a.jpg",
    video=["https://pelda.example/film.mp4"],
    isBasedOn=["https://mti.example/1"],
)
LESS = article(2, "More.", date="2023", author=["Anna"], copyrightYear="2023")


HOME = "https://pelda.example/"


@pytest.fixture
def graph(publish: Publish, export: Any) -> Callable[[str], Any]:
    portal = publish(TOLD, LESS, title="Példa Hírek")
    return lambda name: rdflib.Graph().parse(export(portal, "rdf", name).path, format="turtle" if ".ttl" in name else "nt")


def test_rdf_says_what_the_documents_say_in_both_syntaxes(graph: Callable[[str], Any], tmp_path: Path) -> None:
    """But for the types of dates and the languages of texts, which Schema.org's context has not, names, and where it was read from."""
    from rdflib.compare import to_isomorphic

    triples = graph("out.nt")
    assert to_isomorphic(triples) == to_isomorphic(graph("out.ttl"))
    plain, of_documents = rdflib.Graph(), rdflib.Graph()
    captures = set(triples.subjects(rdflib.RDF.type, PROV.Entity))
    dates = (rdflib.XSD.date, rdflib.XSD.dateTime, rdflib.XSD.gYear)
    for subject, predicate, thing in triples:
        if subject not in captures and thing not in captures:
            is_said_more = isinstance(thing, rdflib.Literal) and (thing.language or thing.datatype in dates)
            plain.add((subject, predicate, rdflib.Literal(str(thing)) if is_said_more else thing))
    for path in sorted((tmp_path / "portals" / "corpora" / "pelda" / "tei").rglob("*.xml")):
        data = {**json.loads(etree.parse(path).findtext(".//{*}xenoData")), "@context": CONTEXT}
        data["publisher"]["@id"], data["isPartOf"]["@id"] = f"{HOME}#publisher", HOME
        of_documents += rdflib.Graph().parse(data=json.dumps(data), format="json-ld")
    assert to_isomorphic(plain) == to_isomorphic(of_documents)


def test_values_have_their_types_and_languages_and_say_where_they_were_read(graph: Callable[[str], Any]) -> None:
    found, one, literal, xsd = graph("out.ttl"), rdflib.URIRef(TOLD.url), rdflib.Literal, rdflib.XSD
    assert found.value(one, SCHEMA.datePublished) == literal("2024-05-01T10:00:00+02:00", datatype=xsd.dateTime)
    assert found.value(one, SCHEMA.dateModified) == literal("2024-05-02", datatype=xsd.date)
    assert found.value(rdflib.URIRef(LESS.url), SCHEMA.datePublished) == literal("2023", datatype=xsd.gYear)
    assert (found.value(one, SCHEMA.wordCount), found.value(one, SCHEMA.isAccessibleForFree)) == (literal(412), literal(True))
    assert found.value(one, SCHEMA.headline) == literal("Híd", lang="hu")
    assert str(found.value(one, SCHEMA.description)) == HOSTILE
    kinds = {str(found.value(author, SCHEMA.name)): found.value(author, rdflib.RDF.type) for author in found.objects(one, SCHEMA.author)}
    assert kinds == {"Anna": SCHEMA.Person, "Példa Hírek": SCHEMA.Organization}
    annas = {subject for subject, name in found.subject_objects(SCHEMA.name) if str(name) == "Anna"}
    assert len(annas) == 2, "blank nodes of two documents are never one"
    (capture,) = found.objects(one, PROV.wasDerivedFrom)
    assert found.value(capture, PROV.generatedAtTime) == literal("2024-06-01T00:00:00Z", datatype=xsd.dateTime)
    assert set(found.objects(None, PROV.wasDerivedFrom)) == set(found.subjects(rdflib.RDF.type, PROV.Entity))


def test_every_version_is_named_and_what_can_be_no_iri_is_left_out(library: Any, publish: Publish, export: Any) -> None:
    found = rdflib.Graph().parse(export(library.pelda, "rdf", "out.nt").path)
    assert len(set(found.objects(rdflib.URIRef(library["again"].url), SCHEMA.archivedAt))) == 2
    images = ("http://", "https://pelda.example/kép [1].jpg")
    portal = publish(*(article(number, "Text.", image=image) for number, image in enumerate(images)))
    odd = rdflib.Graph().parse(export(portal, "rdf", "odd.nt").path)
    assert list(odd.objects(None, SCHEMA.image)) == [rdflib.URIRef("https://pelda.example/k%C3%A9p%20%5B1%5D.jpg")]
