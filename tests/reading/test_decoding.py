"""From bytes to a text: encodings, packing, broken HTML and XML, and what a response says of its rights."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from collected import records
from read_bodies import portal_by, read, written
from scripted_portal import Crawler, Reply, ScriptedPortal, listing
from written_portal import WrittenPortal

from webarticlecurator import Article, Capture, extract

URL = "https://pelda.example/lista/3"
WORDS = "Árvíztűrő tükörfúrógép, és még néhány szó a felismeréshez: őszi hűvös, lődörgő kőműves."
LATIN2 = WORDS.encode("iso-8859-2")
META = b"<meta charset=iso-8859-2>"


def answered(body: bytes, /, content_type: str = "text/html", *, coding: str = "", **rules: Any) -> Article:
    """What is read of such an answer."""
    headers = (("Content-Type", content_type), *((("Content-Encoding", coding),) if coding else ()))
    date = datetime(2024, 6, 1, 12, tzinfo=UTC)
    capture = Capture(url=URL, requested_url=URL, status=200, headers=headers, entity=body, date=date)
    return extract(capture, portal=portal_by(**{"body": {"root": "body"}, **rules}))


# --- encodings ---


@pytest.mark.parametrize(
    ("body", "content_type", "rule"),
    [
        (b"\xef\xbb\xbf" + WORDS.encode(), "text/html; charset=iso-8859-2", "windows-1250"),
        ("\ufeff".encode("utf-16-le") + WORDS.encode("utf-16-le"), "text/html", None),
        (LATIN2, "text/html; charset=utf-8", "iso-8859-2"),
        (LATIN2, "text/html; charset=windows-1252", "iso-8859-2"),
        (b"<meta charset=windows-1252>" + LATIN2, 'text/html; Charset="ISO-8859-2"', None),
        (META + LATIN2, "text/html", None),
        (b'<meta http-equiv=Content-Type content="text/html; charset=iso-8859-2">' + LATIN2, "text/html", None),
        (WORDS.encode(), "text/html", None),
        (LATIN2, "text/html", None),
        (META + LATIN2, "text/html; charset=nincs-ilyen", None),
        (META + LATIN2, "text/html; charset=utf-8", None),
        (META + WORDS.encode(), "text/html", None),
        (b"<meta charset=gb2312>" + WORDS.encode(), "text/html", None),
        *((META + LATIN2, f"text/html; charset={label}", None) for label in ("base64", "idna", "x")),
    ],
    ids=[
        *("mark before all else", "UTF-16", "rule before header", "rule before what fits as well", "header before meta", "meta"),
        *("http-equiv", "UTF-8 detected", "Latin-2 detected", "no such encoding", "header that the bytes contradict"),
        *("UTF-8 called Latin-2", "UTF-8 called Chinese"),
        *("no encoding of pages: base64", "no encoding of pages: idna", "no encoding of pages: x"),
    ],
)
def test_the_first_evidence_that_the_bytes_do_not_contradict_decides(body: bytes, content_type: str, rule: str | None) -> None:
    assert answered(body, content_type, **({"fetch": {"encoding": rule}} if rule else {})).text == WORDS


@pytest.mark.parametrize(
    ("label", "body", "text"),
    [
        ("iso-8859-1", b"\x93a\x94", "“a”"),
        ("Latin1", b"\x93a\x94", "“a”"),
        ("utf8", "á".encode(), "á"),
        ("gb2312", "橋".encode("gb18030"), "橋"),
    ],
)
def test_labels_mean_what_they_mean_to_browsers(label: str, body: bytes, text: str) -> None:
    assert answered(body, f"text/html; charset={label}").text == text


def test_a_few_wrong_bytes_do_not_contradict_a_declaration() -> None:
    text = answered((WORDS * 20).encode() + b"\xff", "text/html; charset=utf-8").text
    assert text == WORDS * 20 + "\ufffd"


# --- packing ---


@pytest.mark.parametrize("coding", ["identity", "gzip"])
def test_what_is_called_packed_and_is_not_is_read(coding: str) -> None:
    assert answered(WORDS.encode(), "text/html; charset=utf-8", coding=coding).text == WORDS


# --- HTML ---


@pytest.mark.parametrize(
    ("head", "base"),
    [
        ("", "https://pelda.example/lista/"),
        ("<base href='/mas/'>", "https://pelda.example/mas/"),
        ("<base target=_top><base href='https://m.example/a/'><base href='/b/'>", "https://m.example/a/"),
        ("<base href='javascript:x'>", "https://pelda.example/lista/"),
    ],
)
def test_the_first_base_element_counts_as_in_browsers(head: str, base: str) -> None:
    (paragraph,) = read(f"<head>{head}</head><body><p><a href=x>a</a></p>", URL, body={"root": "body"}).blocks
    assert paragraph.children[0].url == f"{base}x"


@pytest.mark.parametrize(
    "page",
    [
        b"a\x00b<p>c\x00d",
        b"<a " + b"x=1 " * 100_000 + b">",
        b"<div>" * 1_500 + b"deep",
        b"<?xml version='1.0' encoding='utf-16'?><p>x</p>",
        b"\xff\xfe",
        b"<p>\xed\xa0\x80",
        b"<plaintext><b",
    ],
)
def test_hostile_html_gives_an_outcome_with_its_reason(page: bytes) -> None:
    article = answered(page)
    assert article.text or article.reason


@pytest.mark.parametrize(
    ("page", "how", "reason"),
    [
        (b"<!-- only a comment -->", {}, "no HTML"),
        (b"<div>" * 50_000, {}, "nested"),
        (b"<p>" * 1_000_001, {}, "tags"),
        (b"<p " + " ".join(f"a{n}=1" for n in range(30_000)).encode() + b">x</p>", {}, "5,000 attributes"),
        (b"<html>", {"articles": {"format": "json"}}, "not JSON"),
        (b"[" * 100_000, {"articles": {"format": "json"}}, "not JSON"),
        # packed, but not so that it can be unpacked
        (b"x", {"coding": "br"}, "br"),
        (b"x", {"coding": "zstd"}, "zstd"),
        (b"\x1f\x8bgarbage", {"coding": "gzip"}, "damaged"),
        (b"", {"coding": "deflate"}, "empty"),
    ],
)
def test_what_is_no_page_says_why(page: bytes, how: dict[str, Any], reason: str) -> None:
    article = answered(page, **how)
    assert article.outcome == "unreadable"
    assert reason in article.reason


def test_many_attributes_are_no_harm_and_entities_of_a_document_type_are_not_read() -> None:
    many = " ".join(f"a{number}=1" for number in range(4_000))
    assert answered(f"<p {many}>x</p>{'<p>y</p>' * 3_000}".encode()).text.count("y") == 3_000
    assert answered(b"<!DOCTYPE html [<!ENTITY a SYSTEM 'file:///etc/hostname'>]><p>&a;").text.endswith("\n&a;")


@pytest.mark.parametrize(
    "page",
    [
        "<html><body><p>a</body></html><div><a href=/b>b</a></div>",
        "<html><body><p>a</body><div><a href=/b>b</a></div></html>",
        "<p>a</p></HTML ><html><body><a href=/b>b</a></body></html>",
        "<table><tr><td>a</body></html><tr><td><a href=/b>b</a></table>",
    ],
)
def test_a_page_that_goes_on_after_its_end_is_read_to_its_end(page: str) -> None:
    assert "link@/b[b]" in written(read(page, body={"root": "body"}).blocks)


TEXT = "".join(f"<p>{number}. The council met on Monday, and after a long debate it voted for the new bridge." for number in range(6))


@pytest.mark.parametrize(
    ("page", "is_shown"),
    [
        (f"<div id=app></div><noscript><h1>News</h1>{TEXT}</noscript>", True),
        (f"<main><p>Loading</p><noscript>{TEXT}</noscript></main>", True),
        (f"<article>{TEXT}</article><noscript>{TEXT.replace('bridge', 'ferry')}</noscript>", False),
        ("<div id=app></div><noscript><p>This page needs scripts.</p></noscript>", False),
        (f"<div id=app></div><noscript><img src=/k.jpg alt='{TEXT}'></noscript>", False),
    ],
    ids=["filled by a script", "nearly nothing beside it", "the article is there", "a request", "a picture"],
)
def test_text_for_readers_without_scripts_is_read_where_the_page_has_no_other(page: str, is_shown: bool) -> None:
    text = read(page, body={"root": "body"}).text
    assert ("ferry" in text or "scripts" in text or ("voted" in text and "<article>" not in page)) is is_shown


def test_what_react_sends_late_stands_where_its_template_waits() -> None:
    late = "<div hidden id='S:1'>late <template id='P:2'></template></div><div hidden id='S:2'>later</div><div hidden id='S:3'>else</div>"
    page = f"<main><p>first</p><template id='B:1'></template><p>last</p></main>{late}"
    assert read(page, body={"root": "main"}).text.split() == ["first", "late", "later", "last"]
    assert read("<div hidden id='S:1'>a<template id='B:1'></template></div>", body={"root": "div"}).text == "a"


# --- XML ---

Told = Callable[[bytes, str], dict[str, Any]]


@pytest.fixture
def told(written: WrittenPortal) -> Told:
    """What is read of such a feed or sitemap."""
    return lambda document, format: written.look(f"archive: {{url: '{{home}}list', format: {format}}}\n", document, "/list")


def feed(title: str, before: str = "", behind: str = "</channel></rss>") -> bytes:
    return f"{before}<rss><channel><item><title>{title}</title><link>https://pelda.example/1</link></item>{behind}".encode()


ENTITIES = (
    '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>',
    '<!DOCTYPE x [<!ENTITY b SYSTEM "file:///etc/passwd">]>',
    '<!DOCTYPE rss PUBLIC "-//Netscape//DTD RSS 0.91//EN" "http://127.0.0.1:9/rss-0.91.dtd">',
)


@pytest.mark.parametrize(
    ("document", "title"),
    [
        (feed("á", "\ufeff \n<?xml version='1.0' encoding='utf-16'?>"), "á"),
        (feed("a", "<br />\n<b>Warning</b>: x & y<?xml version='1.0'?>"), "a"),
        (feed("Q&A &amp; R &copy; &nosuch; &#8217;"), "Q&A & R © &nosuch; ’"),
        (feed("a\x00\x08b&#0;&#x1F;c&#146;"), "ab\ufffdc’"),
        *((feed("&b;", document_type), "&b;") for document_type in ENTITIES),
    ],
)
def test_what_is_usually_wrong_with_a_feed_is_mended_and_no_entity_of_it_means_anything(told: Told, document: bytes, title: str) -> None:
    answer = told(document, "feed")
    assert [article["headline"] for article in answer["articles"]] == [title]
    assert not answer.get("remarks")


@pytest.mark.parametrize(
    "document",
    [
        *(b"", b"no XML at all", b"<rss>" + b"<a>" * 300),
        *(b"<rss>" + b"x" * 11_000_000 + b"</rss>", b"<rss a='" + b"x" * 11_000_000 + b"'/>"),
    ],
    ids=["empty", "text", "too deep", "a text without end", "an attribute without end"],
)
def test_what_cannot_be_read_whole_is_no_feed(told: Told, document: bytes) -> None:
    answer = told(document, "feed")
    assert answer["outcome"] == "unreadable"
    assert answer["reason"]


LONG = "b=2&amp;" * 60
"""So that pieces of a long text part within the name of a character."""


def sitemap(count: int, note: str) -> bytes:
    entries = "".join(f"<url><loc>https://pelda.example/?{LONG}n={n}</loc><!-- {note} --></url>" for n in range(count))
    return f"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{entries}</urlset>".encode()


def test_a_long_sitemap_is_read_in_pieces_packed_or_not_and_says_where_it_breaks_off(told: Told) -> None:
    whole = sitemap(400, "".join(map(chr, range(0x4E00, 0x4E40))))
    for document in (whole, gzip.compress(whole), whole.decode().encode("utf-16-le")):
        answer = told(document, "sitemap")
        addresses = [f"https://pelda.example/?{LONG.replace('&amp;', '&')}n={n}" for n in range(400)]
        assert ([article["url"] for article in answer["articles"]], answer["remarks"]) == (addresses, [])
    for document, broken in ((gzip.compress(whole), "breaks off"), (whole, "no XML from line 1")):
        answer = told(document[: len(document) * 2 // 3], "sitemap")
        assert 0 < len(answer["articles"]) < 400
        assert broken in "".join(answer["remarks"])


# --- rights ---

HEAD = """<!DOCTYPE html><html><head><title>x</title><META content='noindex,  noai' name=Robots>
<meta name="tdm-reservation" content="1" /><meta name="tdm-policy" content="https://pelda.example/policy.json?a=1&amp;b=2">
<meta name="description" content="no"><meta property="og:title" content="robots"></head><body><meta name="robots" content="none">"""


def test_what_headers_and_metas_say_of_rights_is_kept_with_the_capture(crawler: Crawler, site: ScriptedPortal) -> None:
    site.script["/l/1"] = listing(1, 2, 3)
    site.script["/c/1"] = Reply(HEAD, headers={"X-Robots-Tag": "noarchive", "TDM-Reservation": "1", "Server": "x"})
    site.script["/c/2"] = Reply(gzip.compress(HEAD.encode()), headers={"Content-Encoding": "gzip"})
    crawler.rules = "archive: {url: 'HOME/l/1', item: li.t, pages: none}\n"
    assert crawler.crawl() == 0
    metas = {
        "meta robots": "noindex, noai",
        "meta tdm-reservation": "1",
        "meta tdm-policy": "https://pelda.example/policy.json?a=1&b=2",
    }
    told = {}
    for record in records(crawler.corpus, "metadata"):
        (line,) = (line for line in record.block.decode().splitlines() if line.startswith("curator-event: "))
        event = json.loads(line.partition(" ")[2])
        if "/c/" in event.get("url", ""):
            told["/c/" + event["url"].rpartition("/")[2]] = event.get("rights")
    assert told == {
        "/c/1": {"header x-robots-tag": "noarchive", "header tdm-reservation": "1", **metas},
        "/c/2": metas,
        "/c/3": None,
    }
