from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from working_time import at_most

from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.sitemaps import read_sitemap
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.links import ArchivePage
from webarticlecurator.model.page import NoPage

URL = "https://pelda.example/sub/sitemap.xml"
HOME = "https://pelda.example/"


@pytest.fixture
def portal(tmp_path: Path) -> Portal:
    return portal_with(tmp_path)


def portal_with(folder: Path, urls: str = "{}", more: str = "") -> Portal:
    path = folder / "portal.yaml"
    archive = f"{{url: '{{home}}sitemap.xml', format: sitemap, urls: {urls}}}"
    path.write_text(f"portal: pelda\nhome: {HOME}\ntimezone: Europe/Budapest\n{more}archive: {archive}\n", "utf-8")
    return load_portal(path)


def capture(body: bytes | str, **headers: str) -> Capture:
    entity = body if isinstance(body, bytes) else body.encode()
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Capture(url=URL, requested_url=URL, status=200, headers=named, entity=entity, date=datetime(2024, 5, 1, tzinfo=UTC))


def read(portal: Portal, body: bytes | str, **headers: str) -> ArchivePage:
    page = read_sitemap(capture(body, **headers), portal.columns[0], portal)
    assert isinstance(page, ArchivePage)
    return page


def urls(page: ArchivePage) -> list[str]:
    return [link.url.removeprefix(HOME) for link in page.articles]


def entry(inside: str) -> str:
    return f"<urlset>\n<url>{inside}</url></urlset>"


def of_two(*, before: str = "", namespace: str = "http://www.sitemaps.org/schemas/sitemap/0.9") -> str:
    return f"{before}<urlset xmlns='{namespace}'><url><loc>{HOME}1</loc></url><url><loc>{HOME}2</loc></url></urlset>"


# --- as it should be, and as servers write it ---


@pytest.mark.parametrize(
    "body",
    [
        of_two(before="<?xml version='1.0' encoding='UTF-8'?>"),
        of_two(namespace="http://www.google.com/schemas/sitemap/0.84"),
        of_two(namespace="").replace(" xmlns=''", ""),
        of_two().replace("<url", "<s:url").replace("</url", "</s:url"),  # a prefix that nothing declares
        of_two(before="\ufeff\n\n<?xml version='1.0'?>"),
        of_two(before="<br /><b>Warning</b>: include() in /var/www\n<?xml version='1.0'?>"),
        of_two(before="<?xml version='1.0'?><!DOCTYPE urlset SYSTEM 'http://localhost/x.dtd'>"),
        of_two().replace(f"{HOME}1", f"<![CDATA[\n  {HOME}1\n]]>"),
        of_two().replace(f"{HOME}1", "/1"),
        of_two().replace(f"{HOME}1", "../1"),
        of_two().replace(f"{HOME}2", f"{HOME}2\x0b"),
        of_two() + "\n<!-- made in 0.1 s -->Notice: unused",
        f"{HOME}1\r\n\n {HOME}2",
    ],
)
def test_the_articles_of_a_sitemap_are_found_in_their_order(portal: Portal, body: str) -> None:
    page = read(portal, body)
    assert (urls(page), page.broken, page.overfull) == (["1", "2"], "", False)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "iso-8859-2"])
def test_the_encoding_is_found_whatever_is_declared(portal: Portal, encoding: str) -> None:
    body = entry(f"<loc>{HOME}ő</loc><news><title>Tűzoltó</title></news>").encode(encoding)
    declared = f"<?xml version='1.0' encoding='{encoding.removesuffix('-sig')}'?>".encode(encoding)
    (link,) = read(portal, declared + body.removeprefix(b"\xef\xbb\xbf").removeprefix(b"\xff\xfe")).articles
    assert link.url == f"{HOME}%C5%91"
    assert link.fields == {"headline": ("Tűzoltó",)}


def test_utf_8_that_is_declared_to_be_something_else_keeps_its_addresses(portal: Portal) -> None:
    body = "<?xml version='1.0' encoding='us-ascii'?>" + of_two()
    assert urls(read(portal, body, Content_Type="text/xml; charset=koi8-r")) == ["1", "2"]


@pytest.mark.parametrize(
    ("headers", "times"), [({}, 1), ({"Content_Encoding": "gzip"}, 1), ({"Content_Encoding": "gzip"}, 2), ({"Content_Encoding": "gzip"}, 0)]
)
def test_gzip_is_known_by_its_bytes(portal: Portal, headers: dict[str, str], times: int) -> None:
    body = of_two().encode()
    for _ in range(times):
        body = gzip.compress(body)
    assert urls(read(portal, body, **headers)) == ["1", "2"]


def test_gzip_of_several_members_is_read_to_its_end(portal: Portal) -> None:
    half = len(of_two()) // 2
    body = gzip.compress(of_two()[:half].encode()) + gzip.compress(of_two()[half:].encode())
    assert urls(read(portal, body)) == ["1", "2"]


def test_an_ampersand_that_is_not_written_as_one_is_mended(portal: Portal) -> None:
    page = read(portal, entry(f"<loc>{HOME}?a=1&b=2&amp;copy=3</loc>"))
    assert urls(page) == ["?a=1&b=2&copy=3"]
    assert urls(read(portal, entry(f"<loc><![CDATA[{HOME}?a=1&b=2&copy=3]]></loc>"))) == ["?a=1&b=2&copy=3"]


def test_an_index_leads_to_its_sitemaps_with_their_lastmod(portal: Portal) -> None:
    page = read(
        portal,
        "<sitemapindex><sitemap><loc>/a.xml</loc><lastmod>2024-05-01T10:00:00+02:00</lastmod></sitemap>"
        f"<sitemap><loc>{HOME}b.xml.gz</loc></sitemap></sitemapindex>",
    )
    assert [(one.url, one.lastmod) for one in page.sitemaps] == [
        (f"{HOME}a.xml", "2024-05-01T10:00:00+02:00"),
        (f"{HOME}b.xml.gz", None),
    ]
    assert page.articles == ()


def test_robots_txt_leads_to_the_sitemaps_it_names_and_lists_no_article(portal: Portal) -> None:
    page = read(portal, f"User-agent: *\nDisallow: /x\nSITEMAP : {HOME}a.xml\nsitemap:/b.xml # news\n{HOME}no-article\n")
    assert [one.url for one in page.sitemaps] == [f"{HOME}a.xml", f"{HOME}b.xml"]
    assert page.articles == ()


@pytest.mark.parametrize("link", ['<link rel="sitemap" href="/a.xml?x=1&amp;y=2">', "<LINK href=/a.xml?x=1&y=2 title=x rel=sitemap />"])
def test_a_page_of_html_may_name_its_sitemaps(portal: Portal, link: str) -> None:
    page = read(portal, f"<!DOCTYPE html>\n<html><head><title>x</title><link rel=icon href=/i.png>{link}</head><body><a href=/b>b</a>")
    assert [one.url for one in page.sitemaps] == [f"{HOME}a.xml?x=1&y=2"]
    assert page.articles == ()


def test_a_feed_may_be_a_sitemap(portal: Portal) -> None:
    page = read(portal, f"<rss version='2.0'><channel><item><title>Cím</title><link>{HOME}1</link></item></channel></rss>")
    assert urls(page) == ["1"]
    assert page.articles[0].fields["headline"] == ("Cím",)


def test_what_a_sitemap_tells_of_an_article_are_listing_fields(portal: Portal) -> None:
    (link,) = read(
        portal,
        entry(
            f"<loc>{HOME}1</loc><lastmod>2024-05-02</lastmod><changefreq>daily</changefreq>"
            "<news:news><news:publication><news:name>Példa</news:name><news:language>hu</news:language></news:publication>"
            "<news:publication_date>2024-05-01T08:30</news:publication_date><news:title>Cím &amp; alcím&nbsp;&ndash; más</news:title>"
            "<news:keywords>sport, foci</news:keywords></news:news>"
            "<image:image><image:loc>/k.jpg</image:loc><image:caption>Kép</image:caption></image:image>"
            f"<xhtml:link rel='alternate' hreflang='de' href='{HOME}de/1'/><video:video><video:title>Videó</video:title></video:video>"
        ),
    ).articles
    assert link.fields == {
        "lastmod": ("2024-05-02",),
        "inLanguage": ("hu",),
        "datePublished": ("2024-05-01T08:30:00+02:00",),
        "headline": ("Cím & alcím – más",),
        "keywords": ("sport", "foci"),
        "image": (f"{HOME}k.jpg",),
    }


@pytest.mark.parametrize(
    ("language", "written", "meant"),
    [
        ("hu", "2016. április 1. 18:55", "2016-04-01T18:55:00+02:00"),
        ("hu", "2016. január 9.", "2016-01-09"),
        ("hu", "Fri, 01 Apr 2016 16:55:00 GMT", "2016-04-01T18:55:00+02:00"),
        ("de", "1. März 2016, 18:55 Uhr", "2016-03-01T18:55:00+01:00"),
        ("de", "04/05/2016", "2016-05-04"),
        ("hu", "2016-04-01T16:55:00Z", "2016-04-01T18:55:00+02:00"),
        (None, "April 1, 2016 18:55", "2016-04-01T18:55:00+02:00"),
    ],
)
def test_a_lastmod_that_is_no_w3c_date_is_read_by_the_language_and_the_clock_of_the_portal(
    tmp_path: Path, language: str | None, written: str, meant: str
) -> None:
    portal = portal_with(tmp_path, more=f"language: {language}\n" if language else "")
    page = read(portal, entry(f"<loc>{HOME}1</loc><lastmod>{written}</lastmod>"))
    assert [datetime.fromisoformat(one) for one in page.articles[0].fields["lastmod"]] == [datetime.fromisoformat(meant)]
    assert (page.unread_dates, page.unread_date) == (0, "")


def test_the_language_of_a_column_goes_before_that_of_the_portal(tmp_path: Path) -> None:
    portal = portal_with(tmp_path, more="language: de\n")
    column = replace(portal.columns[0], language="hu")
    page = read_sitemap(capture(entry(f"<loc>{HOME}1</loc><lastmod>2016. április 1.</lastmod>")), column, portal)
    assert isinstance(page, ArchivePage) and page.articles[0].fields["lastmod"] == ("2016-04-01",)


def test_dates_that_cannot_be_read_are_counted_over_all_parts_of_a_sitemap(portal: Portal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webarticlecurator.extraction.sitemaps.PART", 2)
    dates = ("tegnap", "2024-05-01", "1er avril", "0000-00-00", "2024-05-02")
    body = "".join(f"<url><loc>{HOME}{number}</loc><lastmod>{one}</lastmod></url>" for number, one in enumerate(dates))
    parts: list[ArchivePage] = []
    last = read_sitemap(capture(f"<urlset>{body}</urlset>"), portal.columns[0], portal, parts.append)
    assert isinstance(last, ArchivePage) and len(parts) == 2
    assert (last.unread_dates, last.unread_date) == (3, "tegnap")


def test_a_date_of_an_index_that_cannot_be_read_counts_too(portal: Portal) -> None:
    page = read(portal, "<sitemapindex><sitemap><loc>/a.xml</loc><lastmod>tegnap</lastmod></sitemap></sitemapindex>")
    assert (page.unread_dates, page.unread_date) == (1, "tegnap")


def test_the_rules_of_urls_hold_as_for_any_link(tmp_path: Path) -> None:
    portal = portal_with(tmp_path, "{drop_params: [utm_*], only: ['/cikk/'], exclude: ['/cimke']}")
    page = read(portal, entry(f"<loc>{HOME}cikk/1?utm_x=1</loc></url><url><loc>{HOME}cimke/cikk/</loc></url><url><loc>{HOME}</loc>"))
    assert urls(page) == ["cikk/1"]
    assert {one.reason for one in page.refused} == {"urls.only", "urls.exclude"}


def test_sitemaps_on_other_hosts_are_refused_unless_the_file_lists_them_and_excluded_ones_are_left_out(tmp_path: Path) -> None:
    index = "<sitemapindex>{}</sitemapindex>".format(
        "".join(f"<sitemap><loc>https://{path}</loc></sitemap>" for path in ("cdn.example/a.xml", "pelda.example/cimke.xml"))
    )
    page = read(portal_with(tmp_path), index)
    assert ([one.url for one in page.sitemaps], [one.reason for one in page.refused]) == ([f"{HOME}cimke.xml"], ["other host"])
    page = read(portal_with(tmp_path, "{hosts: [cdn.example], exclude: [cimke], only: ['/cikk/']}"), index)
    assert ([one.url for one in page.sitemaps], [one.reason for one in page.refused]) == (["https://cdn.example/a.xml"], ["urls.exclude"])


@pytest.mark.parametrize("address", ["ftp://pelda.example/1", "mailto:a@pelda.example", "http://[x", "http://" + "a" * 9_000])
def test_what_is_no_address_of_an_article_is_refused(portal: Portal, address: str) -> None:
    page = read(portal, entry(f"<loc>{address}</loc>"))
    assert (page.articles, len(page.refused)) == ((), 1)


def test_the_parts_of_a_long_sitemap_come_one_after_the_other(portal: Portal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webarticlecurator.extraction.sitemaps.PART", 10)
    parts: list[ArchivePage] = []
    last = read_sitemap(capture(listing_of(35)), portal.columns[0], portal, parts.append)
    assert isinstance(last, ArchivePage)
    assert [(one.before, len(one.articles)) for one in (*parts, last)] == [(0, 10), (10, 10), (20, 10), (30, 5)]


def listing_of(number: int) -> str:
    return f"<urlset>{''.join(f'<url><loc>/{one}</loc></url>' for one in range(number))}</urlset>"


# --- what cannot be read ---


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("<!DOCTYPE html><html><body>Page not found</body></html>", "it is <html>"),
        ("<sitemaps/>", "it is <sitemaps>"),
    ],
)
def test_what_is_no_sitemap_is_said(portal: Portal, body: str, reason: str) -> None:
    page = read_sitemap(capture(body), portal.columns[0], portal)
    assert isinstance(page, NoPage)
    assert reason in page.reason


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (of_two()[:-20], "it is no XML from line 1 on"),
        (of_two().replace("</url></urlset>", "</urlset>"), "mismatched tag"),
        (gzip.compress(of_two().encode())[:-9], "breaks off"),
        ("Nothing here.\nNor here.", "neither XML nor a list of addresses"),
    ],
)
def test_a_damaged_sitemap_gives_what_stands_before_and_says_that_it_is_damaged(portal: Portal, body: str, reason: str) -> None:
    assert reason in read(portal, body).broken


def test_articles_before_the_damage_are_kept(portal: Portal) -> None:
    assert urls(read(portal, of_two()[:-20])) == ["1"]


# --- hostile ones ---


def laughs() -> str:
    entities = "".join(f"<!ENTITY l{n} '{f'&l{n - 1};' * 10}'>" for n in range(1, 12))
    return f"<?xml version='1.0'?><!DOCTYPE urlset [<!ENTITY l0 'ha'>{entities}]>" + entry("<loc>/1</loc><news><title>&l11;</title></news>")


def test_entities_are_never_replaced_by_what_a_document_declares(portal: Portal) -> None:
    (link,) = read(portal, laughs()).articles
    assert link.fields == {"headline": ("&l11;",)}


def test_no_file_is_read_that_a_document_names(portal: Portal, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("titok", "utf-8")
    body = f"<!DOCTYPE urlset [<!ENTITY x SYSTEM 'file://{tmp_path}/secret'>]>" + entry("<loc>/1</loc><news><title>&x;</title></news>")
    assert read(portal, body).articles[0].fields == {"headline": ("&x;",)}


def test_a_gzip_bomb_is_read_up_to_the_cap_and_not_beyond(portal: Portal) -> None:
    content = bomb()
    with at_most(10):
        page = read(portal, content)
    assert (urls(page), page.overfull) == (["1"], True)


def bomb() -> bytes:
    """Ten gigabytes when unpacked: each layer a gzip member of blanks."""
    start = gzip.compress(b"<urlset><url><loc>/1</loc></url>")
    return start + gzip.compress(b" " * 10_000_000) * 1_000


def test_elements_nested_too_deep_end_the_reading(portal: Portal) -> None:
    page = read(portal, "<urlset><url><loc>/1</loc></url>" + "<a>" * 1_000_000)
    assert (urls(page), "nested more than 64 levels deep" in page.broken) == (["1"], True)


@pytest.mark.parametrize("endless", ["<a " + "b='c' " * 2_000_000, "<!--" + "x" * 10_000_000, "<" + "a" * 10_000_000, "&" * 3_000_000])
def test_what_never_ends_is_given_up_soon(portal: Portal, endless: str) -> None:
    with at_most(10):
        page = read(portal, "<urlset><url><loc>/1</loc></url>" + endless)
    assert (urls(page), bool(page.broken)) == (["1"], True)


def test_more_entries_than_a_sitemap_may_have_are_left_and_told(portal: Portal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webarticlecurator.extraction.sitemaps.MAX_URLS", 20)
    page = read(portal, listing_of(35))
    assert (len(page.articles), page.overfull) == (20, True)
    children = "".join(f"<sitemap><loc>/{one}</loc></sitemap>" for one in range(35))
    page = read(portal, f"<sitemapindex>{children}</sitemapindex>")
    assert (len(page.sitemaps), page.overfull) == (20, True)
    monkeypatch.setattr("webarticlecurator.extraction.sitemaps.MAX_SITEMAPS", 10)
    page = read(portal, f"<sitemapindex>{children}</sitemapindex>")
    assert (len(page.sitemaps), page.overfull) == (10, True)


def test_a_text_that_is_never_a_line_is_given_up(portal: Portal) -> None:
    page = read(portal, "x" * 5_000_000)
    assert "a line of more than" in page.broken


def test_very_long_addresses_and_titles_are_cut_short(portal: Portal) -> None:
    (link,) = read(portal, entry(f"<loc>/1</loc><news><title>{'x' * 1_000_000}</title></news>")).articles
    assert len(link.fields["headline"][0]) <= 8_192


@pytest.mark.slow
def test_ten_million_children_take_neither_memory_nor_long(portal: Portal) -> None:
    def members() -> Iterator[bytes]:
        yield gzip.compress(b"<sitemapindex>")
        yield from [gzip.compress(b"<sitemap><loc>/a.xml</loc></sitemap>" * 10_000)] * 1_000

    with at_most(60):
        page = read(portal, b"".join(members()))
    assert page.overfull
    assert len(page.sitemaps) == 1
