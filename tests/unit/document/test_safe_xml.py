"""XML as servers write it: mended before it is parsed; hostile XML does no harm."""

from __future__ import annotations

import pytest
from working_time import at_most

from webarticlecurator.document import safe_xml
from webarticlecurator.document.safe_xml import XmlDocument, mended, read_xml
from webarticlecurator.model.page import NoPage

ITEMS = frozenset({"item"})


def text_of(document: str) -> str:
    read = read_xml(document, ITEMS)
    assert isinstance(read, XmlDocument), read
    return "".join(map(str, read.root.itertext()))


@pytest.mark.parametrize(
    ("document", "text"),
    [
        ("\ufeff \n<?xml version='1.0' encoding='utf-16'?><rss>á</rss>", "á"),
        ("<br />\n<b>Warning</b>: x & y<?xml version='1.0'?><rss>a</rss>", "a"),
        ("<rss>Q&A &amp; R &copy; &nosuch; &#8217;</rss>", "Q&A & R © &nosuch; ’"),
        ("<rss>http://x/?a=1&b=2&copy=3</rss>", "http://x/?a=1&b=2&copy=3"),
        ("<rss><![CDATA[a &amp; b & <i>c</i>]]></rss>", "a &amp; b & <i>c</i>"),
        ("<rss>a\x00\x08b&#0;&#x1F;c&#146;</rss>", "ab\ufffdc’"),
        ("<rss>a<!-- <item> & -->b</rss>", "ab"),
        ("<rss><dc:title>undeclared</dc:title></rss>", "undeclared"),
        ("<rss><![CDATA[never closed</rss>", ""),
    ],
)
def test_what_is_usually_wrong_is_mended(document: str, text: str) -> None:
    assert text_of(document) == text


@pytest.mark.parametrize(
    "document",
    [
        '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><rss>&b;</rss>',
        '<!DOCTYPE x [<!ENTITY b SYSTEM "file:///etc/passwd">]><rss>&b;</rss>',
        '<!DOCTYPE rss PUBLIC "-//Netscape//DTD RSS 0.91//EN" "http://127.0.0.1:9/rss-0.91.dtd"><rss>&b;</rss>',
    ],
)
def test_no_entity_of_a_document_means_anything(document: str) -> None:
    assert text_of(document) == "&b;"


@pytest.mark.parametrize(
    ("document", "broken"),
    [
        ("<rss><item/><item/></rss>", ""),
        ("<rss><item/><!-- <item/> --><item><![CDATA[<item>]]></item></rss><script/>", ""),
        ("<rss><item/><item>ab", "breaks off"),
        ("<rss><item/></rss><item/>", "only 1 of its 2"),
    ],
)
def test_what_is_missing_of_a_broken_document_is_told(document: str, broken: str) -> None:
    read = read_xml(document, ITEMS)
    assert isinstance(read, XmlDocument)
    assert read.broken.startswith(broken) if not broken else broken in read.broken


@pytest.mark.parametrize(
    "document",
    [
        "<rss><channel><title>A &amp; B</title><item a='1'><link>x</link></item><!-- c --><item><![CDATA[<p>]]></item></channel></rss>",
        "<a:feed xmlns:a='http://www.w3.org/2005/Atom'><a:entry><a:link href='http://x.example/1'/></a:entry></a:feed>",
    ],
)
def test_wherever_a_document_breaks_off_it_is_told(document: str) -> None:
    for length in range(1, len(document)):
        read = read_xml(document[:length], ITEMS)
        assert isinstance(read, NoPage) or read.broken, document[:length]


@pytest.mark.parametrize(
    "document",
    [
        "",
        "no XML at all",
        "<rss>" + "<a>" * 300,
        "<rss>" + "x" * 11_000_000 + "</rss>",
        "<rss a='" + "x" * 11_000_000 + "'/>",
    ],
    ids=["empty", "text", "too deep", "a text without end", "an attribute without end"],
)
def test_what_cannot_be_read_whole_is_no_page(document: str) -> None:
    assert isinstance(read_xml(document, ITEMS), NoPage)


def test_a_document_of_too_many_tags_is_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safe_xml, "MAX_TAGS", 3)
    read = read_xml("<rss><a/><b/></rss>", ITEMS)
    assert isinstance(read, NoPage)
    assert "3 tags" in read.reason


@pytest.mark.parametrize("piece", ["&", "<![CDATA[", "<!--", "<a ", "&#1", "<rss ", "]]>", "<!DOCTYPE x [", "&amp"])
def test_no_repetition_takes_more_than_its_length(piece: str) -> None:
    with at_most(5):
        mended("<rss>" + piece * 200_000)
