from __future__ import annotations

import pytest

from webarticlecurator.urls import bare_host, drop_params, host_allowed, host_and_port, is_http, join, normalise, other_spellings, same_page

BASE = "https://pelda.example/a/b?x=1"


@pytest.mark.parametrize(
    ("reference", "joined"),
    [
        ("c", "https://pelda.example/a/c"),
        ("../c", "https://pelda.example/c"),
        ("/d/../e", "https://pelda.example/e"),
        ("/../..", "https://pelda.example/"),
        ("?y=2", "https://pelda.example/a/b?y=2"),
        ("#f", "https://pelda.example/a/b?x=1#f"),
        ("", "https://pelda.example/a/b?x=1"),
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
        ("mailto:a@b", "mailto:a@b"),
        ("javascript:void(0)", "javascript:void(0)"),
        ("http://[::1", None),
        ("http://a b/", None),
        ("//", None),
        ("http://x.example:99999/", None),
        ("/" + "x" * 10_000, None),
    ],
)
def test_links_are_joined_as_a_browser_joins_them(reference: str, joined: str | None) -> None:
    assert join(BASE, reference) == joined


def test_a_query_is_encoded_in_the_encoding_of_the_page_and_a_path_is_not() -> None:
    assert join(BASE, "/é?q=é", encoding="iso-8859-2") == "https://pelda.example/%C3%A9?q=%E9"


@pytest.mark.parametrize(
    ("url", "normal"),
    [
        ("HTTP://Pelda.Example:80", "http://pelda.example/"),
        ("https://pelda.example:443/#top", "https://pelda.example/"),
        ("https://pelda.example:8443/", "https://pelda.example:8443/"),
        ("https://pelda.example?a=1", "https://pelda.example/?a=1"),
        ("https://pelda.example/%7eb%c3%a9%2f", "https://pelda.example/~b%C3%A9%2F"),
        ("https://pelda.example/a/../b/?", "https://pelda.example/a/../b/?"),
        ("https://pelda.example/A?b=2&a=1", "https://pelda.example/A?b=2&a=1"),
        ("https://pelda.example/%%3441", "https://pelda.example/D1"),
    ],
)
def test_normalising_changes_what_the_rules_name_and_nothing_else(url: str, normal: str) -> None:
    assert normalise(url) == normal


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("https://x/?utm_source=1&a=2&token=3", "https://x/?a=2"),
        ("https://x/?utm_source=1#f", "https://x/#f"),
        ("https://x/?a=%C3%A1&tokens=1", "https://x/?a=%C3%A1&tokens=1"),
        ("https://x/?&a", "https://x/?&a"),
    ],
)
def test_parameters_are_dropped_by_name(url: str, kept: str) -> None:
    assert drop_params(url, ["utm_*", "token"]) == kept


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://www.Pelda.example:8080/x", "pelda.example"),
        ("https://user:word@pelda.example/", "pelda.example"),
        ("pelda.example:80", "pelda.example"),
        ("https://példa.example/", "xn--plda-bpa.example"),
        ("https://[::1]:80/", "[::1]"),
        ("mailto:a@b", ""),
    ],
)
def test_hosts_compare_by_name_without_port_and_www(url: str, host: str) -> None:
    assert bare_host(url) == host


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        ("https://www.pelda.example:8080/", True),
        ("https://en.pelda.example/", False),
        ("https://a.masik.example/", True),
        ("https://a.b.masik.example/", True),
        ("https://masik.example/", False),
        ("https://nemmasik.example/", False),
        ("https://harmadik.example/", True),
        ("javascript:void(0)", False),
    ],
)
def test_links_may_lead_to_the_portals_hosts_and_those_that_are_listed(url: str, allowed: bool) -> None:
    assert host_allowed(url, {"pelda.example"}, ["*.masik.example", "www.harmadik.example:81"]) is allowed


@pytest.mark.parametrize(
    ("url", "answer"), [("https://x/", True), ("HTTP://x", True), ("ftp://x/", False), ("https:///x", False), ("x", False)]
)
def test_requests_are_made_by_http_to_a_host(url: str, answer: bool) -> None:
    assert is_http(url) is answer


def test_pages_are_the_same_without_their_fragments() -> None:
    assert same_page("https://X.example/#a", "https://x.example#b")
    assert not same_page("https://x.example/?", "https://x.example/")


def test_politeness_tells_ports_apart() -> None:
    assert host_and_port("http://x.example:8001/") != host_and_port("http://x.example:8002/")


@pytest.mark.parametrize(
    ("url", "others"),
    [
        (
            "https://pelda.example/a?x=1",
            {f"{scheme}://{www}pelda.example/a{slash}?x=1" for scheme in ("http", "https") for www in ("", "www.") for slash in ("", "/")},
        ),
        ("http://www.pelda.example/", {f"{scheme}://{www}pelda.example/" for scheme in ("http", "https") for www in ("", "www.")}),
        ("mailto:anna@pelda.example", {"mailto:anna@pelda.example"}),
    ],
)
def test_other_spellings_of_an_address(url: str, others: set[str]) -> None:
    assert set(other_spellings(url)) == others - {url}
