"""Addresses: joined as browsers do, made alike where they mean the same, and none but those of the portal."""

from __future__ import annotations

import pytest
from case_files import cases
from seams import links_of, portal_of, values_of

from webarticlecurator import extract

BASE = "https://pelda.example/a/b?x=1"


@pytest.mark.parametrize(
    ("reference", "joined"),
    [
        ("c", "https://pelda.example/a/c"),
        ("../c", "https://pelda.example/c"),
        ("/../..", "https://pelda.example/"),
        ("?x=1#f", "https://pelda.example/a/b?x=1#f"),
        ("", None),
        ("//other.example/x", "https://other.example/x"),
        ("HTTPS://Other.EXAMPLE:443/X", "https://other.example/X"),
        ("http:/z.example/q", "http://z.example/q"),
        (" \t/a\n b ", "https://pelda.example/a%20b"),
        (r"\a\b", "https://pelda.example/a/b"),
        ("/árvíz tűrő", "https://pelda.example/%C3%A1rv%C3%ADz%20t%C5%B1r%C5%91"),
        ("/50%-os", "https://pelda.example/50%25-os"),
        ("/already%C3%A1", "https://pelda.example/already%C3%A1"),
        ("/a?q={x}|y", "https://pelda.example/a?q=%7Bx%7D%7Cy"),
        ("/a?q[]=1", "https://pelda.example/a?q[]=1"),
        ("https://példa.example/", "https://xn--plda-bpa.example/"),
        ("mailto:a@b", None),
        ("http://[::1", None),
        ("http://a b/", None),
        ("//", None),
        ("http://x.example:99999/", None),
        ("/" + "x" * 10_000, None),
    ],
)
def test_links_are_joined_as_a_browser_joins_them_and_lead_to_other_pages(reference: str, joined: str | None) -> None:
    assert values_of({"css": "a", "attr": "href"}, f'<a href="{reference}">x</a>', BASE, field="image") == ([joined] if joined else [])


def test_a_page_whose_address_has_no_host_is_read_and_where_its_links_lead_to_stays_unknown() -> None:
    (block,) = extract("<article><p>A híd <a href=c>itt</a> áll.</p></article>", "https:a/b").blocks
    assert [(part.url, part.original_url) for part in block.children if not isinstance(part, str)] == [(None, "c")]


def test_a_query_is_encoded_in_the_encoding_of_the_page_and_a_path_is_not() -> None:
    html = "<meta charset=iso-8859-2><a href='/é?q=é'>x</a>".encode("iso-8859-2")
    assert values_of({"css": "a", "attr": "href"}, html, BASE, field="image") == ["https://pelda.example/%C3%A9?q=%E9"]


@cases("url, normal", "reading/cases/one-article-is-known-by-one-address")
def test_one_article_is_known_by_one_address(url: str, normal: str) -> None:
    assert extract("<h1>Híd</h1>", url, portal_of()).identity == normal


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("https://pelda.example/?utm_source=1&a=2&token=3", "https://pelda.example/?a=2"),
        ("https://pelda.example/?utm_source=1#f", "https://pelda.example/"),
        ("https://pelda.example/?a=%C3%A1&tokens=1", "https://pelda.example/?a=%C3%A1&tokens=1"),
        ("https://pelda.example/?&a", "https://pelda.example/?&a"),
    ],
)
def test_parameters_are_dropped_by_name(url: str, kept: str) -> None:
    assert links_of(f"<a href='{url}'>x</a>", link="a", urls={"drop_params": ["utm_*", "token"]}) == [kept]


@cases("url, allowed", "reading/cases/links-may-lead-to-the-portals-hosts-and-those-that-are-listed")
def test_links_may_lead_to_the_portals_hosts_and_those_that_are_listed(url: str, allowed: bool) -> None:
    hosts = ["*.masik.example", "www.harmadik.example"]
    assert links_of(f"<a href='{url}'>x</a>", link="a", urls={"hosts": hosts}) == ([url] if allowed else [])
