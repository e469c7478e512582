from __future__ import annotations

import pytest
from trial_portal import URL, capture_of, page_of

from webarticlecurator.document.page import read_page
from webarticlecurator.model.page import NoPage, Page


def test_a_page_has_its_tree_and_its_encoding() -> None:
    page = page_of("<p>szó</p>".encode("iso-8859-2"), headers=(("Content-Type", "text/html; charset=iso-8859-2"),))
    assert page.tree is not None
    assert page.tree.findtext(".//p") == "szó"
    assert (page.encoding, page.evidence.value) == ("iso8859-2", "HTTP header")


@pytest.mark.parametrize(
    ("html", "base"),
    [
        ("<p>x", URL),
        ("<base href='/mas/'>", "https://pelda.example/mas/"),
        ("<base target=_top><base href='https://m.example/a/'><base href='/b/'>", "https://m.example/a/"),
        ("<base href='javascript:x'>", URL),
    ],
)
def test_the_first_base_element_counts_as_in_browsers(html: str, base: str) -> None:
    assert page_of(html).base == base


@pytest.mark.parametrize(
    "body",
    [
        b"a\x00b<p>c\x00d",
        b"<a " + b"x=1 " * 100_000 + b">",
        b"<a href='" + b"x" * 5_000_000,
        b"<" * 100_000,
        b"<div>" * 1_500 + b"deep",
        b"<!DOCTYPE html [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><p>&a;",
        b"<?xml version='1.0' encoding='utf-16'?><p>x</p>",
        b"\xff\xfe",
        b"<p>\xed\xa0\x80",
        b"<plaintext><b",
    ],
)
def test_hostile_html_gives_a_tree_or_a_reason(body: bytes) -> None:
    result = read_page(capture_of(body))
    assert isinstance(result, NoPage) or (isinstance(result, Page) and result.tree is not None)


def test_entities_of_a_document_type_are_not_read() -> None:
    page = page_of("<!DOCTYPE html [<!ENTITY a SYSTEM 'file:///etc/hostname'>]><p>&a;")
    assert page.tree is not None
    assert page.tree.findtext(".//p") == "&a;"


@pytest.mark.parametrize(
    ("body", "format", "reason"),
    [
        (b"", "html", "empty"),
        (b" \x00\r\n", "html", "empty"),
        (b"<!-- only a comment -->", "html", "no HTML"),
        (b"<div>" * 50_000, "html", "nested"),
        (b"<p>" * 1_000_001, "html", "tags"),
        (b"<html>", "json", "not JSON"),
        (b"[" * 100_000, "json", "not JSON"),
    ],
)
def test_what_is_no_page_says_why(body: bytes, format: str, reason: str) -> None:
    result = read_page(capture_of(body), format=format)
    assert isinstance(result, NoPage)
    assert reason in result.reason


def test_a_tag_with_very_many_attributes_is_no_page() -> None:
    many, fewer = (" ".join(f"a{number}=1" for number in range(count)) for count in (30_000, 4_000))
    refused = read_page(capture_of(f"<p {many}>x</p>"))
    assert isinstance(refused, NoPage)
    assert refused.reason == "a tag of more than 5,000 attributes"
    tree = page_of(f"<p {fewer}>x</p>" + "<p>y</p>" * 30_000).tree
    assert tree is not None
    assert len(tree.findall(".//p")) == 30_001


def test_a_picture_is_no_page() -> None:
    result = read_page(capture_of(b"\x89PNG", headers=(("Content-Type", "image/png"),)))
    assert result == NoPage("image/png is no page")


def test_json_and_lists_of_urls_are_read() -> None:
    assert page_of('\ufeff{"a": ["\u00e1"]}', format="json").json == {"a": ["á"]}
    assert page_of("https://a.example/\n", format="urls").text == "https://a.example/\n"


@pytest.mark.parametrize(
    "html",
    [
        "<html><body><p>a</body></html><div><a href=/b>b</a></div>",
        "<html><body><p>a</body><div><a href=/b>b</a></div></html>",
        "<p>a</p></HTML ><html><body><a href=/b>b</a></body></html>",
        "<table><tr><td>a</body></html><tr><td><a href=/b>b</a></table>",
    ],
)
def test_a_page_that_goes_on_after_its_end_is_read_to_its_end(html: str) -> None:
    tree = page_of(html).tree
    assert tree is not None
    assert [link.get("href") for link in tree.xpath("//body//a")] == ["/b"]


TEXT = "".join(f"<p>{number}. The council met on Monday, and after a long debate it voted for the new bridge." for number in range(6))


@pytest.mark.parametrize(
    ("html", "is_shown"),
    [
        (f"<div id=app></div><noscript><h1>News</h1>{TEXT}</noscript>", True),
        (f"<main><p>Loading</p><noscript>{TEXT}</noscript></main>", True),
        (f"<article>{TEXT}</article><noscript>{TEXT}</noscript>", False),
        ("<div id=app></div><noscript><p>This page needs scripts.</p></noscript>", False),
        (f"<div id=app></div><noscript><img src=/k.jpg alt='{TEXT}'></noscript>", False),
    ],
    ids=["filled by a script", "nearly nothing beside it", "the article is there", "a request", "a picture"],
)
def test_text_for_readers_without_scripts_is_read_where_the_page_has_no_other(html: str, is_shown: bool) -> None:
    tree = page_of(html).tree
    assert tree is not None
    assert (tree.find(".//noscript") is None) == is_shown


def test_what_react_sends_late_stands_where_its_template_waits() -> None:
    late = "<div hidden id='S:1'>late <template id='P:2'></template></div><div hidden id='S:2'>later</div><div hidden id='S:3'>else</div>"
    tree = page_of(f"<main><p>first</p><template id='B:1'></template><p>last</p></main>{late}").tree
    assert tree is not None
    assert [text.strip() for text in next(tree.iter("main")).itertext()] == ["first", "late", "later", "last"]
    assert [one.get("id") for one in tree.findall(".//div[@hidden]")] == ["S:3"]
    assert page_of("<div hidden id='S:1'>a<template id='B:1'></template></div>").tree is not None
