"""What we write is TEI, whoever validates it: by our compact schema, by TEI's own, by TEI's Schematron; with libxml2 and with jing."""

from __future__ import annotations

import random
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path

import any_article
import pytest
import tei_validators
from hypothesis import HealthCheck, given, settings
from lxml import etree
from scripts import module_at
from seams import annotated_document_of, document_of, faults_of
from tei_documents import CAPTURE, COMPACT, SCHEMAS, TEI_ALL, Node, article, example_of_a_portal, node, p, post, write
from toy_layer import said_of

from webarticlecurator import Article, Portal

FULL = {
    "title": "Cím",
    "alt": "Kép",
    "credit": "MTI",
    "who": "Anna",
    "when": "2024-05-01T10:00",
    "id": "7",
    "page": "1",
    "level": "3",
    "kind": "c++",
}
TEXTS = ("paragraph", "heading", "subheading", "code", "verse", "source")
NOTHING = ("divider", "page-break")
WITH_BLOCKS = ("lead", "quote", "box", "note", "social", "question", "answer", "quiz")
INLINES = (
    *("bold", "italic", "emphasis", "underline", "strike", "superscript", "subscript", "link", "inline-quote", "code-inline", "formula"),
    *("line-break", "language", "emoji", "ruby"),
)


def block(type_: str, *children: Node | str) -> Node:
    return node(type_, *children, url="https://pelda.example/kep.jpg", **FULL)


def everything() -> list[Node]:
    """The smallest block of each type that says something."""
    paragraph = block("paragraph", "Szöveg.")
    return [
        *(block(type_, "Szöveg.") for type_ in TEXTS),
        *(node("code", "x = 1", kind=language) for language in ("Visual Basic .NET", " é\u0301\n", "")),
        *(block(type_) for type_ in NOTHING),
        *(block(type_, paragraph) for type_ in WITH_BLOCKS),
        block("list", block("item", paragraph)),
        block("table", block("table-heading", "Táblázat"), block("row", block("cell", paragraph))),
        block("gallery", block("figure", block("caption", "Kép")), block("embed"), block("caption", "Képek")),
        *(block(type_, block("caption", "Felirat")) for type_ in ("figure", "embed")),
    ]


def article_of(*blocks: Node, comments: tuple[Node, ...] = ()) -> Article:
    return article(*blocks, comments=comments, captures=2, versions=(CAPTURE,))


def written(article: Article, template: str = "project", portal: Portal | None = None) -> bytes:
    return document_of(article, portal or example_of_a_portal(), template=template)


def annotated(article: Article, portal: Portal | None = None) -> bytes:
    return annotated_document_of(article, portal or example_of_a_portal(), said_of, template="project")


def everything_in_everything() -> Iterator[Article]:
    alone = everything()
    yield article_of(*alone, *reversed(alone))
    for outer in WITH_BLOCKS:
        yield article_of(*(block(outer, one) for one in alone), block(outer, *alone), block(outer, block(outer, *alone)))
    yield article_of(block("list", *(block("item", one) for one in alone), block("item", *alone)))
    yield article_of(block("table", block("row", *(block("cell", one) for one in alone), block("cell", *alone))))
    told = {"id": "1", "when": FULL["when"], "who": "Anna", "title": "Cím", "reply_to": "1", "url": CAPTURE["url"]}
    for kind in ("liveblog", "forum", "blog"):
        yield article_of(alone[0], *[post(kind, *alone, **told)] * 2)
    yield article_of(alone[0], comments=(post("comments", *alone, **told),) * 2)


def every_inline_everywhere() -> Article:
    inlines = [
        node(outer, *([] if outer == "line-break" else ["a", node(inner, "b", url=CAPTURE["url"]), "c"]), url=CAPTURE["url"])
        for outer in INLINES
        for inner in INLINES
        if inner != "line-break"
    ]
    texts = [block(type_, *inlines) for type_ in TEXTS]
    captions = [block("figure", block("caption", *inlines)), block("quote", block("paragraph", "x"), block("source", *inlines))]
    return article_of(*texts, *captions, block("table", block("table-heading", *inlines), block("row", block("cell"))))


@pytest.fixture(scope="session")
def documents() -> list[bytes]:
    every_kind = [*everything_in_everything(), every_inline_everywhere()]
    documents = [*map(written, every_kind), *(written(every_kind[0], template) for template in ("default", "minimal"))]
    documents += map(annotated, every_kind)

    @settings(max_examples=50, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(any_article.articles, any_article.portals)
    def collect(article: Article, portal: Portal) -> None:
        documents.append(written(article, portal=portal))
        documents.append(annotated(article, portal=portal))

    collect()
    return documents


@pytest.fixture(scope="session")
def files(documents: list[bytes], tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("tei")
    paths = [folder / f"{number}.xml" for number, _ in enumerate(documents)]
    for path, document in zip(paths, documents, strict=True):
        path.write_bytes(document)
    return paths


@pytest.fixture(scope="session")
def tei_all() -> etree.RelaxNG:
    return etree.RelaxNG(etree.parse(TEI_ALL))


def test_every_document_is_valid_by_the_compact_schema(documents: list[bytes]) -> None:
    assert [reasons for document in documents if (reasons := faults_of(document))] == []


def test_every_document_is_valid_by_tei_all(documents: list[bytes], tei_all: etree.RelaxNG) -> None:
    for document in documents:
        assert tei_all.validate(etree.fromstring(document)), tei_all.error_log


@pytest.mark.parametrize("first", [-10, pytest.param(0, marks=pytest.mark.nightly)], ids=["ten of them", "all"])
def test_documents_keep_the_schematron_rules_of_tei(documents: list[bytes], first: int) -> None:
    broken = tei_validators.schematron(TEI_ALL)
    assert [said for document in documents[first:] for said in broken(document)] == []
    outside_post = written(article_of(block("paragraph", "x"))).replace(b">x</p>", b' generatedBy="human">x</p>')
    assert "generatedBy" in "".join(broken(outside_post)), "they are really asked"
    assert "generatedBy" in "".join(faults_of(outside_post))


@pytest.mark.nightly
@pytest.mark.parametrize("grammar", [COMPACT, TEI_ALL], ids=lambda path: path.stem)
def test_jing_agrees(files: list[Path], grammar: Path, tmp_path: Path) -> None:
    assert tei_validators.jing(grammar, files) == ""
    (tmp_path / "bad.xml").write_bytes(written(article_of()).replace(b"<body>", b"<body><nonsense/>"))
    assert "nonsense" in tei_validators.jing(grammar, [tmp_path / "bad.xml"]), "it really looks"


def test_what_the_compact_schema_allows_tei_allows(documents: list[bytes], tei_all: etree.RelaxNG) -> None:
    compact = etree.RelaxNG(etree.parse(COMPACT))
    chance = random.Random(4)
    allowed = 0
    for document in chance.choices([document for document in documents if len(document) < 20_000], k=400):
        mutant = mutated(etree.fromstring(document), chance)
        if compact.validate(mutant):
            allowed += 1
            assert tei_all.validate(mutant), tei_all.error_log
    assert allowed > 20


def mutated(root: etree._Element, chance: random.Random) -> etree._Element:
    """The document with something moved, copied, renamed or lost."""
    elements = [element for element in root.iter(etree.Element) if element.getparent() is not None]
    one, other = chance.choice(elements), chance.choice(elements)
    match chance.randrange(5):
        case 0:
            one.getparent().remove(one)
        case 1:
            one.tag = other.tag
        case 2:
            copy = deepcopy(other)
            for element in copy.iter(etree.Element):
                element.attrib.pop("{http://www.w3.org/XML/1998/namespace}id", None)
            one.insert(chance.randint(0, len(one)), copy)
        case 3:
            one.attrib.clear()
        case 4:
            for name, value in other.attrib.items():
                if not name.endswith("}id"):
                    one.set(name, value)
    return root


def test_annotations_change_nothing_else_in_a_document() -> None:
    """Take sentences, words and names away, and it is as it was: texts, marks, notes, identifiers."""
    for one in (*everything_in_everything(), every_inline_everywhere()):
        parsed = etree.fromstring(annotated(one))
        before = etree.fromstring(written(one))
        assert parsed.findall(".//{*}w[@lemma]")
        for name in parsed.iterfind(".//{*}text//{*}name"):
            if {"type", "prev"} & set(name.keys()):
                name.tag = "gone"
        etree.strip_tags(parsed, "gone", "{*}s", "{*}w", "{*}pc")
        assert etree.tostring(parsed.find("{*}text")) == etree.tostring(before.find("{*}text"))


def test_the_compact_schema_is_what_the_odd_says() -> None:
    assert module_at(SCHEMAS / "narrow.py").narrow() == COMPACT.read_bytes(), "run `python schemas/tei/narrow.py`"


def test_the_odd_is_tei_itself(tei_all: etree.RelaxNG) -> None:
    assert tei_all.validate(etree.parse(SCHEMAS / "webarticle.odd")), tei_all.error_log


TEXT = p()
P = '<p xml:id="pelda-0123456789abcdef.b1">szöveg</p>'


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (P, "<nonsense/>", "nonsense"),
        (P, "<p>szöveg", "not well-formed"),
        (P, '<p corresp="#nowhere">szöveg</p>', "corresp points to #nowhere, which is not there"),
        (P, '<p generatedBy="human">szöveg</p>', "p has generatedBy"),
        (P, '<p><figure type="image"><p>x</p></figure><q><list><item><p>y</p></item></list></q></p>', ""),
        (P, "<lg><lg><milestone unit='x'/></lg></lg>", "lg"),
        (P, "<p\nxml:id = 'pelda-0123456789abcdef'>szöveg</p>", "already defined"),
        (P, '<p xml:id="2 words">szöveg</p>', "Invalid attribute id"),
        (P, '<p>xml:id="x" xml:id="x"</p>', ""),
        (P, '<quote subtype="x"/>', "quote has a subtype but no type"),
        (' xml:id="pelda-0123456789abcdef"', "", "TEI"),
    ],
)
def test_what_is_wrong_is_said(old: str, new: str, said: str) -> None:
    document = write(TEXT).content.decode()
    assert old in document
    reasons = faults_of(document.replace(old, new).encode())
    assert said in "\n".join(reasons)
    assert bool(said) is bool(reasons)


@pytest.mark.parametrize("content", [b"", b"\x00", b"<TEI", b"\xff\xfe", b"<a/>", b'<!DOCTYPE a [<!ENTITY b "b">]><a>&b;</a>'])
def test_nothing_raises(content: bytes) -> None:
    assert faults_of(content) != ()


def test_there_are_never_more_reasons_than_a_person_reads() -> None:
    document = write(*[TEXT] * 200).content
    assert len(faults_of(document.replace(b"<p xml:", b'<p corresp="#x" xml:'))) == 10
