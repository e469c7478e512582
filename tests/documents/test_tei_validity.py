"""What we write is TEI, whoever validates it: by our compact schema, by TEI's own, by TEI's Schematron; with libxml2 and with jing."""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path
from types import ModuleType
from zoneinfo import ZoneInfo

import any_article
import pytest
import tei_validators
from hypothesis import HealthCheck, given, settings
from lxml import etree
from real_pages import SHARED

from webarticlecurator import resources
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.tag_dictionary import INLINES
from webarticlecurator.model.article import HOLDS, STANDS_ALONE, Article, Block, CaptureRef, Content, ContentNode, Inline, Post
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.tei import Template, load_template, render, validate

COMPACT, TEI_ALL = resources.schema("tei/webarticle.rng"), resources.schema("tei/tei_all.rng")
PORTAL = Portal(name="pelda", title="Példa", home="https://pelda.example/", language="hu", timezone=ZoneInfo("Europe/Budapest"))
CAPTURE = CaptureRef(
    record_id="urn:uuid:1dc5cbb2-9a4c-4a39-93d6-0a9d6d6b9d5e",
    digest="sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
    file="pelda-articles-20240501-1.warc.gz",
    offset=100,
    length=200,
    url="https://pelda.example/1",
    date="2024-05-01T08:00:00Z",
)
FULL = {"title": "Cím", "alt": "Kép", "credit": "MTI", "who": "Anna", "when": "2024-05-01T10:00", "id": "7", "page": "1", "level": "3"}


def article_of(*blocks: Block, posts: tuple[Post, ...] = ()) -> Article:
    return Article(
        id="pelda-0123456789abcdef",
        url="https://pelda.example/1",
        identity="1",
        outcome=PageOutcome.ARTICLE,
        blocks=blocks,
        posts=posts,
        captures=(CAPTURE, CAPTURE),
        versions=(CAPTURE,),
    )


@cache
def template_of(name: str) -> Template:
    return load_template(name)


def written(article: Article, template: str = "project", portal: Portal = PORTAL) -> bytes:
    given = {"template": template_of(template), "rules_digest": "sha256:0", "now": date(2024, 5, 2)}
    return render(article, portal, **given).document


def block(type_: str, *children: ContentNode) -> Block:
    return Block(type=type_, children=children, url="https://pelda.example/kep.jpg", attributes=FULL)


def small(type_: str) -> Block:
    """The smallest block of this type that says something."""
    inner: dict[Content, tuple[ContentNode, ...]] = {
        Content.INLINES: ("Szöveg.",),
        Content.NOTHING: (),
        Content.BLOCKS: (block("paragraph", "Szöveg."),),
        Content.ITEMS: (block("item", block("paragraph", "Szöveg.")),),
        Content.ROWS: (block("table-heading", "Táblázat"), block("row", block("cell", block("paragraph", "Szöveg.")))),
        Content.FIGURES: (block("figure", block("caption", "Kép")), block("embed"), block("caption", "Képek")),
        Content.CAPTION: (block("caption", "Felirat"),),
    }
    return block(type_, *inner[HOLDS[type_]])


def everything_in_everything() -> Iterator[Article]:
    alone = [small(type_) for type_ in sorted(STANDS_ALONE)]
    yield article_of(*alone, *reversed(alone))
    containers = [type_ for type_ in sorted(STANDS_ALONE) if HOLDS[type_] is Content.BLOCKS]
    for outer in containers:
        yield article_of(*(block(outer, one) for one in alone), block(outer, *alone), block(outer, block(outer, *alone)))
    yield article_of(block("list", *(block("item", one) for one in alone), block("item", *alone)))
    yield article_of(block("table", block("row", *(block("cell", one) for one in alone), block("cell", *alone))))
    for kind in ("liveblog", "forum", "comments", "blog"):
        post = Post(kind=kind, id="1", when=FULL["when"], author="Anna", title="Cím", reply_to="1", url=CAPTURE.url, blocks=tuple(alone))
        yield article_of(alone[0], posts=(post, post))


def every_inline_everywhere() -> Article:
    inlines = [
        Inline(type=type_, children=() if type_ == "line-break" else ("a", Inline(type=inner, children=("b",)), "c"), url=CAPTURE.url)
        for type_ in INLINES
        for inner in INLINES
        if inner != "line-break"
    ]
    texts = [block(type_, *inlines) for type_ in sorted(STANDS_ALONE) if HOLDS[type_] is Content.INLINES]
    captions = [block("figure", block("caption", *inlines)), block("quote", block("paragraph", "x"), block("source", *inlines))]
    return article_of(*texts, *captions, block("table", block("table-heading", *inlines), block("row", block("cell"))))


def any_documents(count: int) -> list[bytes]:
    documents: list[bytes] = []

    @settings(max_examples=count, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(any_article.articles, any_article.portals)
    def collect(article: Article, portal: Portal) -> None:
        documents.append(written(article, portal=portal))

    collect()
    return documents


@pytest.fixture(scope="session")
def documents() -> list[bytes]:
    every_kind = [*everything_in_everything(), every_inline_everywhere()]
    return [*map(written, every_kind), *(written(every_kind[0], template) for template in ("default", "minimal")), *any_documents(60)]


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
    assert [reasons for document in documents if (reasons := validate(document))] == []


def test_every_document_is_valid_by_tei_all(documents: list[bytes], tei_all: etree.RelaxNG) -> None:
    for document in documents:
        assert tei_all.validate(etree.fromstring(document)), tei_all.error_log


def test_every_document_keeps_the_schematron_rules_of_tei(documents: list[bytes]) -> None:
    broken = tei_validators.schematron(TEI_ALL)
    assert [said for document in documents for said in broken(document)] == []


def test_a_thousand_documents_stand_in_one_corpus(tei_all: etree.RelaxNG) -> None:
    """lxml reads no file in which an identifier stands twice."""
    blocks = (small("heading"), small("paragraph"), small("question"))
    posts = tuple(Post(kind=kind, id="1", author="Anna", blocks=blocks) for kind in ("forum", "comments", "liveblog"))
    article = article_of(*blocks, posts=posts)
    texts = [written(replace(article, id=f"pelda-{number:016x}")).partition(b"<TEI")[2] for number in range(1000)]
    header = written(replace(article_of(), id="corpus"), "minimal").partition(b"<teiHeader>")[2].partition(b"</teiHeader>")[0]
    corpus = b'<teiCorpus xmlns="http://www.tei-c.org/ns/1.0"><teiHeader>%b</teiHeader><TEI%b</teiCorpus>' % (header, b"<TEI".join(texts))
    tree = etree.fromstring(corpus, etree.XMLParser(huge_tree=True))
    assert tei_all.validate(tree), tei_all.error_log
    assert etree.RelaxNG(etree.parse(COMPACT)).validate(tree)


def test_the_schematron_rules_are_really_asked() -> None:
    outside_post = written(article_of(block("paragraph", "x"))).replace(b">x</p>", b' generatedBy="human">x</p>')
    assert "generatedBy" in "".join(tei_validators.schematron(TEI_ALL)(outside_post))
    assert "generatedBy" in "".join(validate(outside_post))


@pytest.mark.parametrize("grammar", [COMPACT, TEI_ALL], ids=lambda path: path.stem)
def test_jing_agrees(files: list[Path], grammar: Path) -> None:
    assert tei_validators.jing(grammar, files) == ""


def test_jing_really_looks(tmp_path: Path) -> None:
    (tmp_path / "bad.xml").write_bytes(written(article_of()).replace(b"<body>", b"<body><nonsense/>"))
    assert "nonsense" in tei_validators.jing(COMPACT, [tmp_path / "bad.xml"])


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


@pytest.fixture(scope="module")
def narrowing() -> ModuleType:
    spec = importlib.util.spec_from_file_location("narrow_tei", resources.schema("tei/narrow.py"))
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_compact_schema_is_what_the_odd_says(narrowing: ModuleType) -> None:
    assert narrowing.narrow() == COMPACT.read_bytes(), "run `python schemas/tei/narrow.py`"


def test_the_odd_is_tei_itself(tei_all: etree.RelaxNG) -> None:
    assert tei_all.validate(etree.parse(resources.schema("tei/webarticle.odd"))), tei_all.error_log


def test_the_worked_examples_are_valid(repo_root: Path) -> None:
    place = SHARED / "standards" / "examples"
    examples = sorted(place.glob("*.xml"))
    if not examples:
        pytest.skip(f"{place} is not there: the worked examples do not come with the project; ask its authors for them")
    assert [reasons for path in examples if (reasons := validate(path.read_bytes()))] == []
