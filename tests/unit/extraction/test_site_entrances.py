"""Feeds, interfaces and sitemaps of a site, its home, and the portal file to begin with."""

from __future__ import annotations

from pathlib import Path

import pytest
from trial_portal import page_of

from webarticlecurator import resources
from webarticlecurator.config.load import load_portal
from webarticlecurator.extraction.site_entrances import home_of, named_entrances, portal_file, sitemaps_in, united, usual_entrances

URL = "https://pelda.example/2024/05/cim/"


def test_the_head_names_feeds_and_interfaces() -> None:
    html = (
        "<link rel='https://api.w.org/' href=/blog/wp-json/><link rel=alternate type=application/json href=/blog/wp-json/wp/v2/posts/5>"
        "<link rel=alternate type=application/rss+xml href=/feed/><link rel=alternate hreflang=en href=/en/>"
        "<link rel=alternate type=application/json+oembed href=/wp-json/oembed/1.0><link rel=sitemap href=/terkep.xml><p>x"
    )
    assert [(one.kind, one.url) for one in named_entrances(page_of(html, URL))] == [
        ("api", "https://pelda.example/blog/wp-json/wp/v2/posts"),
        ("sitemap", "https://pelda.example/terkep.xml"),
        ("feed", "https://pelda.example/feed/"),
    ]


def test_robots_txt_names_sitemaps() -> None:
    robots = "User-agent: *\nDisallow:\nSitemap: https://pelda.example/a.xml\n sitemap:https://pelda.example/b.xml.gz\nSitemap: /c.xml\n"
    assert [one.url for one in sitemaps_in(robots)] == ["https://pelda.example/a.xml", "https://pelda.example/b.xml.gz"]


def test_usual_places_are_told_where_none_of_their_kind_is_named() -> None:
    named = list(sitemaps_in("Sitemap: https://pelda.example/a.xml"))
    kept = united([*named, *usual_entrances("Ghost", "https://pelda.example/")])
    assert [(one.kind, one.url) for one in kept] == [("sitemap", "https://pelda.example/a.xml"), ("feed", "https://pelda.example/rss/")]


@pytest.mark.parametrize(
    ("html", "url", "home"),
    [
        ("<link rel='https://api.w.org/' href=https://pelda.example/blog/wp-json/><p>x", URL, "https://pelda.example/blog/"),
        ("<link rel='https://api.w.org/' href='https://pelda.example/b/index.php?rest_route=/'><p>x", URL, "https://pelda.example/b/"),
        ("<meta name=discourse-base-uri content=/forum><p>x", URL, "https://pelda.example/forum/"),
        ("<p>x", "https://pelda.example/forum/viewtopic.php?t=7", "https://pelda.example/forum/"),
        ("<a rel=home href=/naplo>x</a>", URL, "https://pelda.example/naplo/"),
        ("<p>x", URL, "https://pelda.example/"),
    ],
)
def test_the_home_of_a_site_is_found_from_any_of_its_pages(html: str, url: str, home: str) -> None:
    assert home_of(page_of(html, url)) == home


@pytest.mark.parametrize(
    ("home", "name"),
    [
        ("https://www.pelda.example/", "pelda"),
        ("https://naplo.blogspot.com/", "naplo"),
        ("https://444.example/", "444"),
        ("http://127.0.0.1/", "127.0.0.1"),
    ],
)
def test_the_portal_file_to_begin_with_is_one_for_every_preset(home: str, name: str, tmp_path: Path) -> None:
    page = page_of("<html lang=hu><meta property=og:site_name content='Példa: &quot;napló&quot; #1'><p>x", URL)
    for preset in resources.presets().glob("*.yaml"):
        file = tmp_path / "portal.yaml"
        file.write_text(portal_file(page, home, preset.stem, "Europe/Budapest"), encoding="utf-8")
        portal = load_portal(file)
        assert (portal.name, portal.title, portal.home, portal.language) == (name, 'Példa: "napló" #1', home, "hu")
        assert str(portal.timezone) == "Europe/Budapest"


@pytest.mark.parametrize(("address", "title"), [("https://pelda.example/", "Példa"), ("https://pelda.example/cikk/1", "pelda")])
def test_a_home_page_without_a_site_name_is_called_what_its_title_begins_with(address: str, title: str, tmp_path: Path) -> None:
    page = page_of("<title>Példa – napi hírek</title><p>x", address)
    file = tmp_path / "portal.yaml"
    file.write_text(portal_file(page, "https://pelda.example/", "wordpress", None), encoding="utf-8")
    assert load_portal(file).title == title
