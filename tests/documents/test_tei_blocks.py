"""Blocks and inlines, before and after."""

from __future__ import annotations

import pytest
from seams import says_the_same
from tei_documents import CAPTURE, Node, article, p, person, post, write
from tei_documents import node as block
from tei_documents import node as inline

from webarticlecurator import Outcome

ANNA = person("Anna")
XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
BODY = "//t:div[@type='article']"


def term(text: str) -> Node:
    return block("item", p(text), term="yes")


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        (inline("bold", "a"), '<hi rend="bold">a</hi>'),
        (inline("italic", inline("bold", "a"), " b"), '<hi rend="italic"><hi rend="bold">a</hi> b</hi>'),
        (inline("underline", "a"), '<hi rend="underline">a</hi>'),
        (inline("strike", "a"), '<hi rend="strikethrough">a</hi>'),
        (inline("superscript", "2"), '<hi rend="superscript">2</hi>'),
        (inline("subscript", "2"), '<hi rend="subscript">2</hi>'),
        (inline("emphasis", "a"), "<emph>a</emph>"),
        (inline("inline-quote", "a"), "<q>a</q>"),
        (inline("code-inline", "a < b"), "<code>a &lt; b</code>"),
        (inline("code-inline", inline("bold", "a")), '<hi rend="code"><hi rend="bold">a</hi></hi>'),
        (inline("line-break"), "<lb/>"),
        (inline("language", "yes", language="en"), '<foreign xml:lang="en">yes</foreign>'),
        (inline("link", "a", url="https://www.pelda.example/x"), '<ref type="internal" target="https://www.pelda.example/x">a</ref>'),
        (inline("link", "a", url="https://masik.example/"), '<ref type="external" target="https://masik.example/">a</ref>'),
        (
            inline("link", "a", url="https://masik.example/b%20c", original_url="/b c"),
            '<ref type="external" target="https://masik.example/b%20c" n="/b c">a</ref>',
        ),
        (inline("link", "a", url="https://x:y/"), '<ref n="https://x:y/">a</ref>'),
        (inline("link", "a"), "<ref>a</ref>"),
        (
            inline("emoji", url="https://pelda.example/e.png", alt=":yay:"),
            '<figure type="emoji"><graphic mimeType="image/png" url="https://pelda.example/e.png"/><figDesc>:yay:</figDesc></figure>',
        ),
        (inline("formula", "E < mc^2"), '<formula notation="TeX">E &lt; mc^2</formula>'),
        (inline("emoji", alt=":yay:"), '<figure type="emoji"><figDesc>:yay:</figDesc></figure>'),
    ],
)
def test_inlines(inner: Node, expected: str) -> None:
    assert write(p("előtte ", inner, ", utána")).written(f"{BODY}//t:p") == f"<p>előtte {expected}, utána</p>"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (p("a & b"), "<p>a &amp; b</p>"),
        (block("paragraph", "a", direction="rtl"), '<p rend="rtl">a</p>'),
        (block("list", block("item", p("a")), direction="rtl"), '<list rend="bulleted"><item>a</item></list>'),
        (block("code", "a\n  b"), '<ab type="code" xml:space="preserve">a\n  b</ab>'),
        (block("code", "a", kind="c++"), '<ab type="code" subtype="c++" xml:space="preserve">a</ab>'),
        (block("code", "a\r\nb"), '<ab type="code" xml:space="preserve">a&#13;\nb</ab>'),
        (block("verse", "egy", inline("line-break"), "kettő"), '<lg type="verse"><l>egy</l><l>kettő</l></lg>'),
        (block("divider"), '<milestone unit="section" rend="divider"/>'),
        (block("source", "MTI"), '<bibl type="source">MTI</bibl>'),
        (block("list", block("item", p("a")), ordered="yes"), '<list rend="numbered"><item>a</item></list>'),
        (block("list", block("item", p("a"), p("b"))), '<list rend="bulleted"><item><p>a</p><p>b</p></item></list>'),
        (
            block("list", term("a"), term("b"), block("item", p("c")), term("d"), block("item", p("e")), block("item", p("f"))),
            '<list type="gloss"><label>a<lb/>b</label><item>c</item><label>d</label><item><p>e</p><p>f</p></item></list>',
        ),
        (block("list", block("item", p("c")), term("a")), '<list rend="bulleted"><item>c</item><item>a</item></list>'),
        (
            block("list", block("item", p("a"), p("b"), term="yes"), block("item", p("c"))),
            '<list rend="bulleted"><item><p>a</p><p>b</p></item><item>c</item></list>',
        ),
        (block("quote", p("a")), '<quote type="blockquote"><p>a</p></quote>'),
        (block("quote", p("a"), block("source", "X")), '<cit type="blockquote"><quote><p>a</p></quote><bibl>X</bibl></cit>'),
        (
            block("quote", block("source", "X"), p("a"), p("b"), block("source", "Y"), p("c")),
            '<cit type="blockquote"><bibl>X</bibl><quote><p>a</p><p>b</p></quote><bibl>Y</bibl><quote><p>c</p></quote></cit>',
        ),
        (block("note", p("a")), "<note>a</note>"),
        (
            block("figure", block("caption", "c"), url="https://a.example/k.JPG?x=1", alt="kép", credit="MTI"),
            '<figure type="image"><graphic mimeType="image/jpeg" url="https://a.example/k.JPG?x=1"/><head>c</head><figDesc>kép</figDesc>'
            '<note type="credit">MTI</note></figure>',
        ),
        (
            block("figure", url="https://a.example/%C3%A1", original_url="á"),
            '<figure type="image"><graphic url="https://a.example/%C3%A1" n="á"/></figure>',
        ),
        (block("figure", alt="kép"), '<figure type="image"><figDesc>kép</figDesc></figure>'),
        (
            block("embed", url="https://a.example/v", kind="video", title="t"),
            '<figure type="embed" subtype="video"><media mimeType="text/html" url="https://a.example/v"><desc>t</desc></media></figure>',
        ),
        (block("embed", title="t"), '<figure type="embed" subtype="frame"><gap reason="notCaptured"><desc>t</desc></gap></figure>'),
        (
            block("social", p("a"), url="https://x.example/1", kind="x"),
            '<floatingText type="embed" subtype="socialMedia"><body><post modality="written" source="https://x.example/1" type="x">'
            "<p>a</p></post></body></floatingText>",
        ),
        (
            block("box", p("a"), title="t"),
            '<floatingText type="frame"><body><div type="box"><head>t</head><p>a</p></div></body></floatingText>',
        ),
        (block("question", p("a"), who="Anna"), f'<sp who="#{ANNA}" ana="#question"><speaker>Anna</speaker><p>a</p></sp>'),
        (
            block(
                "table",
                block("table-heading", "T"),
                block("row", block("cell", p("a"), header="yes"), block("cell", p("b"), header="yes", columns="2")),
                block("row", block("cell", p("c"), rows="3"), block("cell")),
            ),
            '<table><head>T</head><row role="label"><cell role="label">a</cell><cell role="label" cols="2">b</cell></row>'
            '<row><cell rows="3">c</cell><cell/></row></table>',
        ),
        (
            block("table", block("row", block("cell", p("a")), block("cell", p("b"))), block("table-heading", "T")),
            "<table><head>T</head><row><cell>a</cell><cell>b</cell></row></table>",
        ),
    ],
    ids=lambda given: given["type"] if isinstance(given, dict) else "",
)
def test_blocks(given: Node, expected: str) -> None:
    assert write(given).written("//t:div[@type='content']/*") == expected


NOTE = '<note type="credit">'
LINK = '<ref type="external" target="https://a.example/">MTI</ref>'


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        (("Egy híd",), f"<head>Egy híd</head>{NOTE}MTI</note>"),
        (("MTI",), f"{NOTE}MTI</note>"),
        (("Egy híd.  MTI",), f"<head>Egy híd.</head>{NOTE}MTI</note>"),
        (("Egy híd", inline("line-break"), "MTI"), f"<head>Egy híd</head>{NOTE}MTI</note>"),
        (("Egy híd. ", inline("link", "MTI", url="https://a.example/")), f"<head>Egy híd.</head>{NOTE}{LINK}</note>"),
        (("Egy híd. Fotó: MTI",), f"<head>Egy híd. Fotó: {NOTE}MTI</note></head>"),
        (("A MTI képe a hídról",), "<head>A MTI képe a hídról</head>"),
        (("Egy híd. ", inline("bold", "Fotó: MTI")), '<head>Egy híd. <hi rend="bold">Fotó: MTI</hi></head>'),
        ((inline("bold", "Egy híd."), " MTI "), f'<head><hi rend="bold">Egy híd.</hi></head>{NOTE}MTI </note>'),
    ],
)
def test_the_credit_of_a_picture_is_written_once(caption: tuple[Node | str, ...], expected: str) -> None:
    document = write(block("figure", block("caption", *caption), credit="MTI"))
    assert document.written("//t:figure") == f'<figure type="image">{expected}</figure>'


def test_headings_open_sections_by_their_level() -> None:
    headings = [block("heading", f"{level}", level=level) for level in "2332"]
    document = write(p(), headings[0], p(), headings[1], p(), headings[2], block("subheading", "s"), p(), headings[3], p())
    assert [(s.get("subtype"), len(list(s.iterancestors()))) for s in document.all("//t:div[@type='section']")] == [
        ("h2", 4),
        ("h3", 5),
        ("h3", 5),
        ("subheading", 6),
        ("h2", 4),
    ]
    assert document.texts("//t:div[@type='section']/t:head") == ["2", "3", "3", "s", "2"]


def test_where_there_can_be_no_section_a_heading_is_a_label() -> None:
    document = write(block("quote", block("heading", "h", level="4"), p()), block("answer", block("heading", "i")))
    assert document.written("//t:quote/*[1]") == '<label type="heading" subtype="h4">h</label>'
    assert document.written("//t:sp/*") == '<ab type="heading" subtype="h2">i</ab>'


def test_a_lead_is_a_division_before_the_content() -> None:
    document = write(block("lead", p("l")), p("a"), block("lead", p("m")), p("b"))
    divisions = document.all(f"{BODY}/t:div")
    assert [(division.get("type"), "".join(division.itertext()).strip()) for division in divisions] == [
        ("lead", "l"),
        ("content", "a"),
        ("lead", "m"),
        ("content", "b"),
    ]


def test_a_lead_inside_a_section_stays_in_its_place() -> None:
    document = write(block("heading", "h"), p("a"), block("lead", p("l")), p("b"))
    assert [child.tag.split("}")[1] for child in document.all("//t:div[@type='section']/*")] == ["head", "p", "floatingText", "p"]


def test_page_breaks_say_which_capture_they_begin() -> None:
    breaks = [block("page-break", page=page) for page in ("1", "2", "9")]
    document = write(breaks[0], p(), breaks[1], p(), breaks[2], captures=2)
    assert document.all("//t:pb/@n") == ["1", "2", "9"]
    assert document.names("//t:pb/@source") == ["#capture-1", "#capture-2"]


def test_speakers_become_participants_and_turns_are_declared() -> None:
    document = write(block("question", p(), who="Anna"), block("answer", p(), who="Béla"), block("question", p(), who="Anna"))
    assert document.names("//t:sp/@who") == [f"#{ANNA}", f"#{person('Béla')}", f"#{ANNA}"]
    assert document.texts("//t:listPerson/t:person") == ["Anna", "Béla"]
    assert document.names("//t:taxonomy[@xml:id='pelda-0123456789abcdef.turn']/t:category/@xml:id") == ["question", "answer"]


def test_links_lead_to_notes_inside_the_document_and_notes_lead_back() -> None:
    to_note = {"url": "https://pelda.example/cikk/1#fn:1", "note": "fn:1"}
    text = p("a", inline("link", "1", **to_note), "b", inline("link", "1", **to_note), inline("link", "2", url=to_note["url"], note="fn:2"))
    marked = p(inline("superscript", inline("link", "3", note="mark 3"), inline("link", "4", note="gone")))
    document = write(text, marked, block("note", p("c"), id="fn:1", label="1"), block("note", p("d"), id="mark 3"))
    note, without_link = document.all("//t:note[@type='footnote']")
    first, second, lost = document.all("//t:p/t:ref")
    mark, gone = document.all("//t:hi/t:ref")
    assert (mark.get("target"), without_link.get("target")) == (f"#{without_link.get(XML_ID)}", f"#{mark.get(XML_ID)}")
    assert (without_link.get("n"), gone.get("target")) == (None, None)
    assert note.get("n") == "1"
    assert first.get("target") == second.get("target") == f"#{note.get(XML_ID)}"
    assert note.get("target") == f"#{first.get(XML_ID)}"
    assert (lost.get("type"), lost.get("target")) == ("internal", to_note["url"])  # the note itself is not in the text


def test_embedded_posts_say_who_and_when() -> None:
    document = write(block("social", p("a"), url="https://x.example/1", kind="x", who="Anna (@anna)", when="2024-05-01"))
    (post,) = document.all("//t:post")
    assert post.get("when") == "2024-05-01"
    assert document.names("//t:post/@who") == [f"#{person('Anna (@anna)')}"]


def test_however_deep_inlines_lie_no_word_is_lost() -> None:
    inner = inline("bold", "szó")
    for _ in range(150):
        inner = inline("italic", inner, "!")
    assert write(p(inner)).texts(f"{BODY}//t:p") == ["szó" + "!" * 150]


def test_characters_that_xml_cannot_hold_are_counted() -> None:
    document = write(p("a\x00b\x0bc"))
    assert document.texts("//t:p[.='abc']") == ["abc"]
    assert document.all("//t:measure[@unit='removedCharacters']/@quantity") == ["2"]
    assert write(p("abc")).all("//t:measure[@unit='removedCharacters']") == []


def test_every_identifier_begins_with_that_of_the_document() -> None:
    """So a thousand of them can stand together."""
    blocks = (block("heading", "h"), p(), block("question", p(), who="Anna"), post("forum", p(), who="Anna"))
    document = write(
        *blocks,
        comments=(post("comments", p(), id="1", who="Béla"),),
        captures=2,
        versions=(CAPTURE,),
        template="project",
        id=f"444-{16 * '0'}",
    )
    ids = document.all("//@xml:id")
    assert len(ids) > 15
    assert {id.partition(".")[0] for id in ids} == {"id-444-0000000000000000"}, "no identifier begins with a digit"
    assert document.texts("//t:publicationStmt/t:idno")[-1] == "444-0000000000000000"


def test_every_block_has_an_identifier() -> None:
    document = write(block("heading", "h"), p(), block("quote", p(), block("divider")))
    assert document.names("//t:div[@type='section']/descendant-or-self::*/@xml:id") == ["b1", "b2", "b3", "b4", "b5"]


BAD = "https://pelda.example:port/"


def link(url: str | None, **given: str) -> Node:
    return inline("link", "a", **({"url": url} if url else {}), **given)


@pytest.mark.parametrize(
    ("blocks", "path"),
    [
        pytest.param((p(link(None, original_url=BAD)),), "//t:ref[not(@target)]/@n", id="link that extraction could not mend"),
        pytest.param((block("figure", url=BAD),), "//t:figure/t:gap/t:desc/text()", id="figure"),
        pytest.param((block("embed", original_url=BAD),), "//t:figure/t:gap/t:desc/text()", id="embed"),
        pytest.param((block("social", p("a"), url=BAD),), "//t:note[@type='originalAddress']/text()", id="social post"),
    ],
)
def test_an_address_that_is_none_stays_as_the_page_wrote_it(blocks: tuple[Node, ...], path: str) -> None:
    assert write(*blocks).all(path) == [BAD]


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("https://pelda.example/a?b=1#c", "https://pelda.example/a?b=1#c"),
        ("https://pelda.example/két szó", "https://pelda.example/k%C3%A9t%20sz%C3%B3"),
        ("https://[::1]:8080/x", "https://[::1]:8080/x"),
        ("mailto:anna@pelda.example", "mailto:anna@pelda.example"),
        *((bad, None) for bad in ("https://host:port/", "https://host:/", "https://", "https://[1:2]/", "https:", "no address")),
    ],
)
def test_addresses_are_encoded_only_where_they_have_to_be(address: str, expected: str | None) -> None:
    assert write(p(link(address))).all("//t:p/t:ref/@target") == ([expected] if expected else [])


def test_a_naive_reader_glues_no_words() -> None:
    lines = ("egy", inline("line-break"), "kettő")
    pieces = (
        *(p(*lines), block("verse", *lines), block("quote", p(), block("source", "X"), p())),
        *(block("list", block("item", p(), p()), block("item", p())), block("box", p(), p()), block("answer", p(), p())),
        block("table", block("table-heading", "T"), block("row", block("cell", p()), block("cell", p()))),
        block("gallery", *[block("figure", block("caption", "Kép. Fotó: MTI"), credit="Fotó: MTI")] * 2, block("caption", "Képek")),
        block("embed", block("caption", "film")),
    )
    assert write(*pieces).texts("//t:body")[0].split() == article(*pieces).text.split()


def test_a_paywall_is_said() -> None:
    assert write(p(), outcome=Outcome.PAYWALL).all("//t:gap/@reason") == ["paywall"]
    assert write(p()).all("//t:gap") == []


def test_an_article_without_a_word_is_still_a_document() -> None:
    assert write().all("//t:measure[@unit='words']/@quantity") == ["0"]


def test_another_version_of_the_program_or_of_the_rules_says_the_same() -> None:
    content = write(p()).content
    newer = content.replace(b"2.0.0", b"9.9.9").replace(b"sha256:0", b"sha256:1")
    assert newer != content
    assert says_the_same(newer, content)
    assert not says_the_same(write(p(), versions=(CAPTURE,)).content, content)
