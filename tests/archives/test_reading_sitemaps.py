"""Sitemaps as servers write them: what is read of them, what is said of the rest, and what is given up before it costs anything."""

from __future__ import annotations

import gzip
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from collected import tried
from scripted_portal import Crawler, Reply
from working_time import at_most

HOME = "HOME/"
"""Stands for the home of the portal wherever a sitemap is written."""


class Reader:
    """What `curator try` reads of a sitemap."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler

    def rules(self, urls: str = "{}", more: str = "") -> Reader:
        self.crawler.rules = f"archive: {{url: '{{home}}sub/sitemap.xml', format: sitemap, urls: {urls}}}\n"
        self.crawler.head = "portal: pelda\nhome: HOME/\ntimezone: Europe/Budapest\n" + more
        return self

    def __call__(self, body: bytes | str, **headers: str) -> dict[str, Any]:
        home = self.crawler.portal.home
        body = body.replace("HOME", home) if isinstance(body, str) else body.replace(b"HOME", home.encode())
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.crawler.portal.script["/sub/sitemap.xml"] = Reply(body, headers=named, kind=named.pop("Content-Type", "text/xml"))
        return tried(self.crawler, "/sub/sitemap.xml", "--as", "archive", "--contact", "anna@pelda.example")

    def urls(self, page: dict[str, Any]) -> list[str]:
        return [one["url"].removeprefix(self.crawler.portal.home + "/") for one in page["articles"]]


@pytest.fixture
def read(crawler: Crawler) -> Reader:
    return Reader(crawler).rules()


def entry(inside: str) -> str:
    return f"<urlset>\n<url>{inside}</url></urlset>"


def of_two(*, before: str = "", namespace: str = "http://www.sitemaps.org/schemas/sitemap/0.9") -> str:
    return f"{before}<urlset xmlns='{namespace}'><url><loc>{HOME}1</loc></url><url><loc>{HOME}2</loc></url></urlset>"


XML = "<?xml version='1.0'?>"
WELL: dict[str, tuple[bytes | str, dict[str, str]]] = {
    "as declared": (of_two(before="<?xml version='1.0' encoding='UTF-8'?>"), {}),
    "an old namespace": (of_two(namespace="http://www.google.com/schemas/sitemap/0.84"), {}),
    "no namespace": (of_two(namespace="").replace(" xmlns=''", ""), {}),
    "a prefix that nothing declares": (of_two().replace("<url", "<s:url").replace("</url", "</s:url"), {}),
    "a mark and blank lines before it": (of_two(before=f"\ufeff\n\n{XML}"), {}),
    "a warning before it": (of_two(before=f"<br /><b>Warning</b>: include() in /var/www\n{XML}"), {}),
    "a document type": (of_two(before=f"{XML}<!DOCTYPE urlset SYSTEM 'http://localhost/x.dtd'>"), {}),
    "cdata": (of_two().replace(f"{HOME}1", f"<![CDATA[\n  {HOME}1\n]]>"), {}),
    "an absolute path": (of_two().replace(f"{HOME}1", "/1"), {}),
    "a relative path": (of_two().replace(f"{HOME}1", "../1"), {}),
    "a control character": (of_two().replace(f"{HOME}2", f"{HOME}2\x0b"), {}),
    "something behind it": (of_two() + "\n<!-- made in 0.1 s -->Notice: unused", {}),
    "lines of text": (f"{HOME}1\r\n\n {HOME}2", {}),
    "declared to be something else": (f"<?xml version='1.0' encoding='us-ascii'?>{of_two()}", {"Content_Type": "text/xml; charset=koi8-r"}),
}


@pytest.mark.parametrize(("body", "headers"), WELL.values(), ids=WELL)
def test_the_articles_of_a_sitemap_are_found_in_their_order(read: Reader, body: str, headers: dict[str, str]) -> None:
    page = read(body, **headers)
    assert (read.urls(page), page["remarks"]) == (["1", "2"], [])


@pytest.mark.parametrize(("layers", "named"), [((0,), True), ((1,), False), ((2,), True), ((1, 1), False)])
def test_gzip_is_known_by_its_bytes(read: Reader, layers: tuple[int, ...], named: bool) -> None:
    whole = of_two().replace("HOME", read.crawler.portal.home).encode()
    half = len(whole) // len(layers)
    body = b""
    for number, times in enumerate(layers):
        part = whole[number * half : (number + 1) * half if number + 1 < len(layers) else None]
        for _ in range(times):
            part = gzip.compress(part)
        body += part
    assert read.urls(read(body, **({"Content_Encoding": "gzip"} if named and layers != (0,) else {}))) == ["1", "2"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "iso-8859-2"])
def test_the_encoding_is_found_whatever_is_declared(read: Reader, encoding: str) -> None:
    body = entry("<loc>/ő</loc><news><title>Tűzoltó</title></news>").encode(encoding)
    declared = f"<?xml version='1.0' encoding='{encoding.removesuffix('-sig')}'?>".encode(encoding)
    page = read(declared + body.removeprefix(b"\xef\xbb\xbf").removeprefix(b"\xff\xfe"))
    assert (read.urls(page), page["articles"][0]["headline"]) == (["%C5%91"], "Tűzoltó")


@pytest.mark.parametrize(
    "loc", [f"{HOME}?a=1&b=2&amp;copy=3", f"<![CDATA[{HOME}?a=1&b=2&copy=3]]>", f"<![CDATA[{HOME}?a=1&amp;b=2&copy=3]]>"]
)
def test_an_ampersand_that_is_not_written_as_one_is_mended(read: Reader, loc: str) -> None:
    assert read.urls(read(entry(f"<loc>{loc}</loc>"))) == ["?a=1&b=2&copy=3"]


LEADS = {
    "an index": (
        "<sitemapindex><sitemap><loc>/a.xml</loc><lastmod>2024-05-01T10:00:00+02:00</lastmod></sitemap>"
        f"<sitemap><loc>{HOME}b.xml.gz</loc></sitemap></sitemapindex>",
        {"a.xml": "2024-05-01T10:00:00+02:00", "b.xml.gz": None},
    ),
    "robots.txt": (
        f"User-agent: *\nDisallow: /x\nSITEMAP : {HOME}a.xml\nsitemap:/b.xml # news\n{HOME}no-article\n",
        {"a.xml": None, "b.xml": None},
    ),
    "a page": (
        "<!DOCTYPE html>\n<html><head><title>x</title><link rel=icon href=/i.png>"
        '<link rel="sitemap" href="/a.xml?x=1&amp;y=2"></head><body><a href=/b>b</a>',
        {"a.xml?x=1&y=2": None},
    ),
    "a page in capitals": ("<html><LINK href=/a.xml?x=1&y=2 title=x rel=sitemap /><a href=/b>b</a>", {"a.xml?x=1&y=2": None}),
}


@pytest.mark.parametrize(("body", "sitemaps"), LEADS.values(), ids=LEADS)
def test_an_index_robots_txt_or_a_page_leads_to_sitemaps_and_lists_no_article(
    read: Reader, body: str, sitemaps: dict[str, str | None]
) -> None:
    page = read(body)
    home = read.crawler.portal.home
    assert {one["url"].removeprefix(f"{home}/"): one["lastmod"] for one in page["sitemaps"]} == sitemaps
    assert page["articles"] == []


def test_a_feed_may_be_a_sitemap(read: Reader) -> None:
    page = read(f"<rss version='2.0'><channel><item><title>Cím</title><link>{HOME}1</link></item></channel></rss>")
    assert (read.urls(page), page["articles"][0]["headline"]) == (["1"], "Cím")


def test_what_a_sitemap_tells_of_an_article_are_listing_fields(read: Reader) -> None:
    (article,) = read(
        entry(
            f"<loc>{HOME}1</loc><lastmod>2024-05-02</lastmod><changefreq>daily</changefreq>"
            "<news:news><news:publication><news:name>Példa</news:name><news:language>hu</news:language></news:publication>"
            "<news:publication_date>2024-05-01T08:30</news:publication_date><news:title>Cím &amp; alcím&nbsp;&ndash; más</news:title>"
            "<news:keywords>sport, foci</news:keywords></news:news>"
            "<image:image><image:loc>/k.jpg</image:loc><image:caption>Kép</image:caption></image:image>"
            f"<xhtml:link rel='alternate' hreflang='de' href='{HOME}de/1'/><video:video><video:title>Videó</video:title></video:video>"
        )
    )["articles"]
    home = read.crawler.portal.home
    assert article == {
        "url": f"{home}/1",
        "lastmod": "2024-05-02",
        "inLanguage": "hu",
        "datePublished": "2024-05-01T08:30:00+02:00",
        "headline": "Cím & alcím – más",
        "keywords": ["sport", "foci"],
        "image": f"{home}/k.jpg",
    }


@pytest.mark.parametrize(
    ("rules", "written", "meant"),
    [
        ("language: hu", "2016. április 1. 18:55", "2016-04-01T18:55:00+02:00"),
        ("language: hu", "2016. január 9.", "2016-01-09"),
        ("language: hu", "Fri, 01 Apr 2016 16:55:00 GMT", "2016-04-01T18:55:00+02:00"),
        ("language: de", "1. März 2016, 18:55 Uhr", "2016-03-01T18:55:00+01:00"),
        ("language: de", "04/05/2016", "2016-05-04"),
        ("language: hu", "2016-04-01T16:55:00Z", "2016-04-01T18:55:00+02:00"),
        ("", "April 1, 2016 18:55", "2016-04-01T18:55:00+02:00"),
    ],
)
def test_a_lastmod_that_is_no_w3c_date_is_read_by_the_language_and_the_clock_of_the_portal(
    read: Reader, rules: str, written: str, meant: str
) -> None:
    page = read.rules(more=f"{rules}\n")(entry(f"<loc>{HOME}1</loc><lastmod>{written}</lastmod>"))
    assert [datetime.fromisoformat(one["lastmod"]) for one in page["articles"]] == [datetime.fromisoformat(meant)]
    assert page["remarks"] == []


def test_the_language_of_a_column_goes_before_that_of_the_portal(read: Reader) -> None:
    read.rules("{}, language: hu", more="language: de\n")
    assert read(entry(f"<loc>{HOME}1</loc><lastmod>2016. április 1.</lastmod>"))["articles"][0]["lastmod"] == "2016-04-01"


def test_dates_that_cannot_be_read_are_counted_over_all_of_a_long_sitemap(read: Reader) -> None:
    dates = ("tegnap", "2024-05-01", "1er avril", *["2024-05-03"] * 12_000, "0000-00-00", "2024-05-02")
    body = "".join(f"<url><loc>{HOME}{number}</loc><lastmod>{date}</lastmod></url>" for number, date in enumerate(dates))
    page = read(f"<urlset>{body}</urlset>")
    assert page["remarks"] == ["3 dates of the sitemap could not be read, such as 'tegnap'"]
    page = read("<sitemapindex><sitemap><loc>/a.xml</loc><lastmod>tegnap</lastmod></sitemap></sitemapindex>")
    assert page["remarks"] == ["1 date of the sitemap could not be read, such as 'tegnap'"]


@pytest.mark.parametrize(
    ("urls", "leads", "reason"),
    [
        ("{}", "HOME/cimke.xml", "other host"),
        ("{hosts: [cdn.example], exclude: [cimke], only: ['/cikk/']}", "https://cdn.example/a.xml", "urls.exclude"),
        ("{hosts: [cdn.example], sitemaps: ['/[ab]\\.xml']}", "https://cdn.example/a.xml", "urls.sitemaps"),
    ],
)
def test_sitemaps_on_other_hosts_are_refused_unless_the_file_lists_them_and_excluded_ones_are_left_out(
    read: Reader, urls: str, leads: str, reason: str
) -> None:
    page = read.rules(urls)(
        f"<sitemapindex><sitemap><loc>https://cdn.example/a.xml</loc></sitemap><sitemap><loc>{HOME}cimke.xml</loc></sitemap></sitemapindex>"
    )
    assert [one["url"].replace(read.crawler.portal.home, "HOME") for one in page["sitemaps"]] == [leads]
    assert [one["reason"] for one in page["refused"]] == [reason]


@pytest.mark.parametrize("address", ["ftp://pelda.example/1", "mailto:a@pelda.example", "http://[x", "http://" + "a" * 9_000])
def test_what_is_no_address_of_an_article_is_refused(read: Reader, address: str) -> None:
    page = read(entry(f"<loc>{address}</loc>"))
    assert (page["articles"], [one["links"] for one in page["refused"]]) == ([], [1])


@pytest.mark.parametrize(
    ("body", "kept", "reason"),
    [
        ("<!DOCTYPE html><html><body>Page not found</body></html>", False, "it is <html>"),
        ("<sitemaps/>", False, "it is <sitemaps>"),
        (of_two()[:-20], True, "it is no XML from line 1 on"),
        (of_two().replace("</url></urlset>", "</urlset>"), True, "tag mismatch"),
        (gzip.compress(of_two().encode())[:-9], True, "breaks off"),
        ("Nothing here.\nNor here.", False, "neither XML nor a list of addresses"),
        ("x" * 5_000_000, False, "a line of more than"),
    ],
)
def test_a_sitemap_that_is_damaged_or_none_says_so_and_articles_before_the_damage_are_kept(
    read: Reader, body: bytes | str, kept: bool, reason: str
) -> None:
    page = read(body)
    assert reason in page.get("reason", "") + "".join(page.get("remarks", ()))
    assert any(one["url"].endswith("/1") for one in page.get("articles", ())) is kept


def test_entities_are_never_replaced_by_what_a_document_declares_or_by_a_file(read: Reader, tmp_path: Path) -> None:
    laughs = "".join(f"<!ENTITY l{n} '{f'&l{n - 1};' * 10}'>" for n in range(1, 12))
    body = f"{XML}<!DOCTYPE urlset [<!ENTITY l0 'ha'>{laughs}]>" + entry("<loc>/1</loc><news><title>&l11;</title></news>")
    assert read(body)["articles"][0]["headline"] == "&l11;"
    (tmp_path / "secret").write_text("titok", "utf-8")
    body = f"<!DOCTYPE urlset [<!ENTITY x SYSTEM 'file://{tmp_path}/secret'>]>" + entry("<loc>/1</loc><news><title>&x;</title></news>")
    assert read(body)["articles"][0]["headline"] == "&x;"


START = "<urlset><url><loc>/1</loc></url>"


def bomb() -> bytes:
    """Ten gigabytes when unpacked: each layer a gzip member of blanks."""
    return gzip.compress(START.encode()) + gzip.compress(b" " * 10_000_000) * 1_000


ENDLESS = {
    "a bomb": bomb(),
    "deep": START + "<a>" * 1_000_000,
    "an element": START + "<a " + "b='c' " * 2_000_000,
    "a remark": START + "<!--" + "x" * 10_000_000,
    "a name": START + "<" + "a" * 10_000_000,
    "ampersands": START + "&" * 1_000_000,
}


@pytest.mark.parametrize("body", ENDLESS.values(), ids=ENDLESS)
def test_what_never_ends_is_given_up_soon_and_told(read: Reader, body: bytes | str) -> None:
    with at_most(10):
        page = read(body)
    assert (read.urls(page), len(page["remarks"])) == (["1"], 1)


@pytest.mark.nightly
def test_ten_million_children_take_not_long(read: Reader) -> None:
    children = gzip.compress(b"<sitemap><loc>/a.xml</loc></sitemap>" * 10_000) * 1_000
    with at_most(60):
        page = read(gzip.compress(b"<sitemapindex>") + children)
    assert (page["remarks"], len(page["sitemaps"])) == (["only its beginning is read"], 1)
