"""Header templates: the shipped ones, the user's own, and what is said of bad ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from seams import try_a_template
from tei_documents import SCHEMAS, p, write

from webarticlecurator import UsageError

TEMPLATES = SCHEMAS.parents[1] / "tei_templates"
SHIPPED = ("default", "minimal", "project")
TEXT = p()
PUBLISHER = "<publicationStmt><publisher>P</publisher></publicationStmt>"


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


def test_there_are_three_of_them_and_a_copy_of_one_is_as_good(tmp_path: Path) -> None:
    assert {path.stem for path in TEMPLATES.glob("*.xml")} == set(SHIPPED)
    for name in SHIPPED:
        try_a_template(name)
        copy = tmp_path / f"{name}-of-mine.xml"
        copy.write_bytes((TEMPLATES / f"{name}.xml").read_bytes())
        try_a_template(copy)


def test_a_template_keeps_what_it_says_in_its_place(template: Callable[[str], Path]) -> None:
    mine = template(
        f"<fileDesc><titleStmt><funder>F</funder></titleStmt><editionStmt><edition>1</edition></editionStmt>{PUBLISHER}"
        "<seriesStmt><title>S</title></seriesStmt></fileDesc><profileDesc><settingDesc><p>Web</p></settingDesc></profileDesc>"
        '<revisionDesc><change when="2020-01-01">Begun.</change></revisionDesc>'
    )
    document = write(TEXT, template=mine, metadata={"author": "Anna"})
    assert [child.tag.split("}")[1] for child in document.all("//t:titleStmt/*")] == ["title", "author", "funder", "respStmt"]
    assert [child.tag.split("}")[1] for child in document.all("//t:fileDesc/*")] == [
        *("titleStmt", "editionStmt", "extent", "publicationStmt", "seriesStmt", "sourceDesc")
    ]
    assert document.all("//t:revisionDesc/t:change/@when") == ["2020-01-01", "2024-05-02"]


def test_placeholders_are_filled_in_text_and_attributes(template: Callable[[str], Path]) -> None:
    mine = template(
        f"<fileDesc>{PUBLISHER}</fileDesc><encodingDesc><projectDesc>"
        f"<p n='{{id}} of {{portal}}'>{{headline}} {{{{{{year}}}}}} &lt;{{title}}&gt;</p>"
        "</projectDesc></encodingDesc>"
    )
    document = write(TEXT, template=mine, metadata={"headline": "A & B"})
    assert document.written("//t:projectDesc/t:p") == '<p n="pelda-0123456789abcdef of pelda">A &amp; B {2024} &lt;Példa Hírek&gt;</p>'


def test_an_attribute_without_a_value_is_left_out(template: Callable[[str], Path]) -> None:
    mine = template(
        f"<fileDesc>{PUBLISHER}</fileDesc><encodingDesc><projectDesc><p><ref target='{{license}}'>L</ref></p></projectDesc></encodingDesc>"
    )
    assert write(TEXT, template=mine).written("//t:projectDesc//t:ref") == "<ref>L</ref>"
    assert write(TEXT, template=mine, metadata={"license": "https://a.example/"}).all("//t:ref/@target") == ["https://a.example/"]


def test_a_prefix_that_is_declared_already_is_not_declared_twice(template: Callable[[str], Path]) -> None:
    declared = '<listPrefixDef><prefixDef ident="schema" matchPattern="(.+)" replacementPattern="https://schema.org/$1"/></listPrefixDef>'
    mine = template(f"<fileDesc>{PUBLISHER}</fileDesc><encodingDesc>{declared}</encodingDesc>")
    assert len(write(TEXT, template=mine).all("//t:prefixDef")) == 1


def test_a_template_may_be_a_whole_document(tmp_path: Path) -> None:
    path = tmp_path / "mine.xml"
    path.write_text(
        f'<t:TEI xmlns:t="http://www.tei-c.org/ns/1.0"><t:teiHeader><t:fileDesc>{PUBLISHER.replace("<", "<t:").replace("<t:/", "</t:")}'
        "</t:fileDesc></t:teiHeader></t:TEI>",
        encoding="utf-8",
    )
    assert write(TEXT, template=path).texts("//t:publicationStmt/t:publisher") == ["P"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("<fileDesc/>", "publicationStmt has to begin with a publisher"),
        ("<fileDesc><publicationStmt><p>x</p></publicationStmt></fileDesc>", "publicationStmt has to begin with a publisher"),
        (f"<fileDesc><titleStmt><title>x</title></titleStmt>{PUBLISHER}</fileDesc>", "titleStmt has a title"),
        (f"<fileDesc>{PUBLISHER}<sourceDesc><p>x</p></sourceDesc></fileDesc>", "sourceDesc describes the article"),
        (f"<fileDesc><extent>x</extent>{PUBLISHER}</fileDesc>", "extent is counted"),
        (f"<fileDesc>{PUBLISHER}<nonsense/></fileDesc>", "nonsense"),
        (f"<fileDesc>{PUBLISHER}</fileDesc><encodingDesc><p>{{headlin}}</p></encodingDesc>", "did you mean {headline}?"),
        (f"<fileDesc>{PUBLISHER}</fileDesc><encodingDesc><p>{{</p></encodingDesc>", "write {{ for the brace itself"),
        (f"<fileDesc>{PUBLISHER}</fileDesc><encodingDesc><p corresp='#x'/></encodingDesc>", "points to #x, which is not there"),
        (f"<fileDesc>{PUBLISHER}</fileDesc><encodingDesc><p xml:id='rules'/><p xml:id='rules'/></encodingDesc>", "rules"),
        (f"<fileDesc>{PUBLISHER}</fileDesc><encodingDesc><classDecl><taxonomy/></classDecl></encodingDesc>", "taxonomy"),
        ("<fileDesc>", "not well-formed"),
    ],
)
def test_mistakes_are_found_when_a_template_is_loaded(template: Callable[[str], Path], content: str, said: str) -> None:
    with pytest.raises(UsageError) as problem:
        template(content)
    assert said in str(problem.value)
    assert "mine.xml" in str(problem.value)


def test_an_unknown_name_gets_the_known_ones() -> None:
    with pytest.raises(UsageError, match="default, minimal, project"):
        try_a_template("projekt")


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        try_a_template(tmp_path / "none.xml")


def test_a_template_reads_no_other_file_and_no_entities(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    path = tmp_path / "mine.xml"
    path.write_text(
        '<!DOCTYPE teiHeader [<!ENTITY e SYSTEM "secret.txt">]><teiHeader xmlns="http://www.tei-c.org/ns/1.0">&e;</teiHeader>',
        encoding="utf-8",
    )
    with pytest.raises(UsageError, match="DOCTYPE"):
        try_a_template(path)


def test_a_file_without_a_header_is_no_template(tmp_path: Path) -> None:
    path = tmp_path / "mine.xml"
    path.write_text("<html/>", encoding="utf-8")
    with pytest.raises(UsageError, match="no teiHeader"):
        try_a_template(path)


def test_what_a_template_names_is_named_by_the_document(template: Callable[[str], Path]) -> None:
    mine = template(
        f"<fileDesc><titleStmt><respStmt xml:id='anna'><resp>all</resp><name>Anna</name></respStmt></titleStmt>{PUBLISHER}</fileDesc>"
        "<encodingDesc><classDecl><taxonomy xml:id='t'><category xml:id='t.a'><catDesc>a</catDesc></category></taxonomy></classDecl>"
        "</encodingDesc><profileDesc><textClass><catRef scheme='#t' target='#t.a https://pelda.example/#t'/></textClass></profileDesc>"
        "<revisionDesc><change who='#anna'>Begun.</change></revisionDesc>"
    )
    document = write(TEXT, template=mine)
    assert "#pelda-0123456789abcdef.t.a https://pelda.example/#t" in document.all("//t:textClass/t:catRef/@target")
    assert document.names("//t:change/@who") == ["#anna", "#conversion"]
    assert all(name.startswith("pelda-0123456789abcdef") for name in document.all("//@xml:id"))


def test_the_template_s_statement_about_the_program_says_who_made_the_document(template: Callable[[str], Path]) -> None:
    statement = "<respStmt xml:id='tool'><resp>made</resp><name>{program}</name></respStmt>"
    document = write(TEXT, template=template(f"<fileDesc><titleStmt>{statement}</titleStmt>{PUBLISHER}</fileDesc>"))
    assert document.names("//t:change/@who") == ["#tool"]
    assert len(document.all("//t:respStmt")) == 1


def test_hyphenation_is_declared_once(template: Callable[[str], Path]) -> None:
    mine = "<encodingDesc><editorialDecl><hyphenation eol='none'><p>Mine.</p></hyphenation></editorialDecl></encodingDesc>"
    assert write(TEXT, template=template(f"<fileDesc>{PUBLISHER}</fileDesc>{mine}")).texts("//t:hyphenation") == ["Mine."]
    assert write(TEXT, template=template(f"<fileDesc>{PUBLISHER}</fileDesc>")).all("//t:hyphenation/@eol") == ["none"]


def test_notes_stand_beside_those_of_the_template(template: Callable[[str], Path]) -> None:
    mine = template(f"<fileDesc>{PUBLISHER}<notesStmt><note>Mine.</note></notesStmt></fileDesc>")
    assert write(TEXT, template=mine, flags=("odd",)).texts("//t:notesStmt/t:note") == ["Mine.", "odd"]
