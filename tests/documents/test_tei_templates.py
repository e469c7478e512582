"""Header templates: the shipped ones, the user's own, and what is said of bad ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from seams import try_a_template
from tei_documents import SCHEMAS, p, write

from webarticlecurator import UsageError

TEMPLATES = SCHEMAS.parents[1] / "tei_templates"
SHIPPED = ("default", "minimal", "page", "project")
TEXT = p()
PUBLISHER = "<publicationStmt><publisher>P</publisher>{publication}</publicationStmt>"
TITLES = "<titleStmt>{titles}</titleStmt>"
SOURCE = "{notes}<sourceDesc>{article}</sourceDesc>"
REST = "<profileDesc>{profile}</profileDesc>{xeno}"


def header(
    *,
    titles: str = TITLES,
    before: str = "{extent}",
    publisher: str = PUBLISHER,
    source: str = SOURCE,
    encoding: str = "",
    rest: str = REST,
) -> str:
    """The content of a teiHeader, in which one part is another than usual."""
    return f"<fileDesc>{titles}{before}{publisher}{source}</fileDesc><encodingDesc>{encoding}{{encoding}}</encodingDesc>{rest}"


@pytest.fixture
def template(tmp_path: Path) -> Callable[[str], Path]:
    """A template with this content of its teiHeader."""

    def made(content: str) -> Path:
        path = tmp_path / "mine.xml"
        path.write_text(f'<teiHeader xmlns="http://www.tei-c.org/ns/1.0">{content}</teiHeader>', encoding="utf-8")
        try_a_template(path)
        return path

    return made


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_templates_make_valid_documents(name: str) -> None:
    document = write(TEXT, template=name, metadata={"headline": "Cím", "license": "https://creativecommons.org/licenses/by/4.0/"})
    assert document.texts("//t:titleStmt/t:title") == ["Cím"]


def test_there_are_four_of_them_and_a_copy_of_one_is_as_good(tmp_path: Path) -> None:
    assert {path.stem for path in TEMPLATES.glob("*.xml")} == set(SHIPPED)
    for name in SHIPPED:
        try_a_template(name)
        copy = tmp_path / f"{name}-of-mine.xml"
        copy.write_bytes((TEMPLATES / f"{name}.xml").read_bytes())
        try_a_template(copy)


def test_a_template_keeps_what_it_says_in_its_place(template: Callable[[str], Path]) -> None:
    mine = template(
        header(
            titles="<titleStmt>{titles}<funder>F</funder></titleStmt><editionStmt><edition>1</edition></editionStmt>",
            source=f"<seriesStmt><title>S</title></seriesStmt>{SOURCE}",
            rest="<profileDesc>{profile}<settingDesc><p>Web</p></settingDesc></profileDesc>{xeno}"
            '<revisionDesc><change when="2020-01-01">Begun.</change><change when="{date}">Made.</change></revisionDesc>',
        )
    )
    document = write(TEXT, template=mine, metadata={"author": "Anna"})
    assert [child.tag.split("}")[1] for child in document.all("//t:titleStmt/*")] == ["title", "author", "funder"]
    assert [child.tag.split("}")[1] for child in document.all("//t:fileDesc/*")] == [
        *("titleStmt", "editionStmt", "extent", "publicationStmt", "seriesStmt", "sourceDesc")
    ]
    assert document.all("//t:revisionDesc/t:change/@when") == ["2020-01-01", "2024-05-02"]


def test_placeholders_are_filled_in_text_and_attributes(template: Callable[[str], Path]) -> None:
    inside = "<p n='{id} of {portal}'>{headline} {{{year}}} &lt;{title}&gt;</p>"
    mine = template(header(encoding=f"<projectDesc>{inside}</projectDesc>"))
    document = write(TEXT, template=mine, metadata={"headline": "A & B"})
    assert document.written("//t:projectDesc/t:p") == '<p n="pelda-0123456789abcdef of pelda">A &amp; B {2024} &lt;Példa Hírek&gt;</p>'


def test_an_attribute_without_a_value_is_left_out(template: Callable[[str], Path]) -> None:
    mine = template(header(encoding="<projectDesc><p><ref target='{license}'>L</ref></p></projectDesc>"))
    assert write(TEXT, template=mine).written("//t:projectDesc//t:ref") == "<ref>L</ref>"
    assert write(TEXT, template=mine, metadata={"license": "https://a.example/"}).all("//t:ref/@target") == ["https://a.example/"]


def test_a_template_may_be_a_whole_document(tmp_path: Path) -> None:
    path = tmp_path / "mine.xml"
    inside = header().replace("<", "<t:").replace("<t:/", "</t:")
    path.write_text(f'<t:TEI xmlns:t="http://www.tei-c.org/ns/1.0"><t:teiHeader>{inside}</t:teiHeader></t:TEI>', encoding="utf-8")
    assert write(TEXT, template=path).texts("//t:publicationStmt/t:publisher") == ["P"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("<fileDesc/>", "{titles}: first in fileDesc/titleStmt"),
        (header(source="{flags}"), "{article}: <sourceDesc>{article}</sourceDesc>, last in fileDesc"),
        (header(rest="<profileDesc>{profile}</profileDesc>"), "{xeno}: between profileDesc and revisionDesc"),
        (header(publisher="<publicationStmt>{publication}</publicationStmt>"), "Did not expect element date there"),
        (header(source=f"{SOURCE}<nonsense/>"), "nonsense"),
        (header(encoding="<p>{headlin}</p>"), "did you mean {headline}?"),
        (header(encoding="<p n='{article}'/>"), "unknown placeholder {article}"),
        (header(encoding="<p>{</p>"), "write {{ for the brace itself"),
        (header(encoding="<projectDesc><p corresp='#x'/></projectDesc>"), "points to #x, which is not there"),
        (header(encoding="<classDecl><taxonomy/></classDecl>"), "taxonomy"),
        ("<fileDesc>", "not well-formed"),
    ],
)
def test_mistakes_are_found_when_a_template_is_loaded(template: Callable[[str], Path], content: str, said: str) -> None:
    with pytest.raises(UsageError) as problem:
        template(content)
    assert said in str(problem.value)
    assert "mine.xml" in str(problem.value)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("projekt", None, "default, minimal, page, project"),
        ("none.xml", None, "There is no TEI template"),
        ("mine.xml", "<html/>", "no teiHeader"),
    ],
)
def test_what_is_no_template_is_told(tmp_path: Path, name: str, content: str | None, said: str) -> None:
    if content is not None:
        (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(UsageError, match=said):
        try_a_template(tmp_path / name if name.endswith(".xml") else name)


def test_what_a_template_names_is_named_by_the_document(template: Callable[[str], Path]) -> None:
    mine = template(
        header(
            titles="<titleStmt>{titles}<respStmt xml:id='anna'><resp>all</resp><name>Anna</name></respStmt></titleStmt>",
            encoding="<classDecl><taxonomy xml:id='t'><category xml:id='t.a'><catDesc>a</catDesc></category></taxonomy></classDecl>",
            rest="<profileDesc>{profile}<textClass><catRef scheme='#t' target='#t.a https://pelda.example/#t'/></textClass></profileDesc>"
            "{xeno}<revisionDesc><change who='#anna'>Begun.</change></revisionDesc>",
        )
    )
    document = write(TEXT, template=mine)
    assert "#pelda-0123456789abcdef.t.a https://pelda.example/#t" in document.all("//t:textClass/t:catRef/@target")
    assert document.names("//t:change/@who") == ["#anna"]
    assert all(name.startswith("pelda-0123456789abcdef") for name in document.all("//@xml:id"))


def test_notes_stand_beside_those_of_the_template(template: Callable[[str], Path]) -> None:
    mine = template(header(source="<notesStmt><note>Mine.</note>{flags}</notesStmt><sourceDesc>{article}</sourceDesc>"))
    assert write(TEXT, template=mine, flags=("odd",)).texts("//t:notesStmt/t:note") == ["Mine.", "odd"]
