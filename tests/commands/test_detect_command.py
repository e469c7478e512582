"""`curator check --detect`: what a site is made with, of an address, a saved page or a WARC file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scripted_portal import Crawler, Reply, ScriptedPortal, scripted_portal
from seams import without_waiting

OK, FAILURES, USAGE = 0, 1, 2
HEAD = "<html lang=hu><head><meta name=generator content='WordPress 6.4'><link rel='https://api.w.org/' href=/wp-json/></head>"
PAGE = f"{HEAD}<body><h1>Napló</h1><article id=post-7 class=hentry><a href=/c/1>Egy</a></article></body></html>"


@pytest.fixture
def site() -> Iterator[ScriptedPortal]:
    with without_waiting(), scripted_portal() as portal:
        portal.script["/"] = PAGE
        yield portal


def test_an_address_is_asked_politely_and_for_little(curator: Any, site: ScriptedPortal) -> None:
    site.script["/robots.txt"] = Reply(f"User-agent: *\nSitemap: {site.home}/terkep.xml\n", kind="text/plain")
    site.script["/wp-json/wp/v2/posts?per_page=1"] = Reply("[]", headers={"X-WP-Total": "213"}, kind="application/json")
    ended = curator("check", "--detect", f"{site.home}/")
    assert ended.code == OK, ended.err
    assert "WordPress, classic theme: certain" in ended.out
    assert '<meta name="generator" content="WordPress 6.4">' in ended.out or "WordPress 6.4" in ended.out
    for told in ("open, 213 articles", "/terkep.xml", "robots.txt", "extends: wordpress"):
        assert told in ended.out
    assert len(site.asked) <= 6
    assert f"Next: `curator new {site.home}/` looks for the pages that list all articles" in ended.err


def test_programs_are_told_the_same(curator: Any, site: ScriptedPortal) -> None:
    site.script["/sitemap_index.xml"] = Reply("<?xml version='1.0'?><sitemapindex></sitemapindex>", kind="application/xml")
    site.script["/wp-json/wp/v2/posts?per_page=1"] = Reply("{}", 401, kind="application/json")
    told = json.loads(curator("check", "--detect", f"{site.home}/", "--json").out)
    assert (told["system"], told["preset"], told["home"]) == ("WordPress", "wordpress", f"{site.home}/")
    assert [(one["kind"], one["url"].removeprefix(site.home), one["state"]) for one in told["entrances"]] == [
        ("api", "/wp-json/wp/v2/posts", "closed: HTTP 401"),
        ("sitemap", "/sitemap_index.xml", "is there"),
        ("feed", "/feed/", "not asked"),
    ]


def test_robots_txt_is_obeyed(curator: Any, site: ScriptedPortal) -> None:
    site.script["/robots.txt"] = Reply("User-agent: *\nDisallow: /\n", kind="text/plain")
    ended = curator("check", "--detect", f"{site.home}/")
    assert ended.code == USAGE
    assert "robots.txt" in ended.err
    assert "/" not in site.asked


def test_a_saved_page_tells_its_address(curator: Any, tmp_path: Path) -> None:
    file = tmp_path / "mentett.html"
    file.write_text(PAGE.replace("</head>", "<link rel=canonical href=https://pelda.example/7/></head>"), encoding="utf-8")
    ended = curator("check", "--detect", file)
    assert ended.code == OK, ended.err
    assert f"curator new --html {file}" in ended.err
    assert json.loads(curator("check", "--detect", file, "--json").out)["home"] == "https://pelda.example/"


def test_a_warc_file_is_looked_at_page_by_page(curator: Any, tmp_path: Path, site: ScriptedPortal) -> None:
    crawler = Crawler(curator, tmp_path, site, "archive: {url: 'HOME/', link: 'article a', pages: none}\n")
    assert crawler.crawl() == OK, crawler.said
    site.asked.clear()
    (warc,) = (crawler.corpus / "warc").glob("*-archive-*")
    ended = curator("check", "--detect", warc)
    assert ended.code == OK, ended.err
    assert "WordPress, classic theme: certain" in ended.out
    assert f"curator new --warc {warc}" in ended.err
    assert site.asked == []


@pytest.mark.parametrize(
    ("head", "told", "preset"),
    [
        ("<meta name=generator content='Kézi 1.0'>", "it says of itself: Kézi 1.0", None),
        (
            "<meta name=generator content='Jekyll 4.3'><link rel=alternate type=application/rss+xml href=https://pelda.example/feed.xml>"
            "<link rel=canonical href=https://pelda.example/>",
            "it says of itself: Jekyll 4.3",
            "feed",
        ),
    ],
    ids=["nothing but its name", "a feed"],
)
def test_software_without_a_preset_of_its_own(head: str, told: str, preset: str | None, curator: Any, tmp_path: Path) -> None:
    file = tmp_path / "mentett.html"
    file.write_text(f"{head}<h1>x</h1><p>y", encoding="utf-8")
    ended = curator("check", "--detect", file)
    assert told in ended.out
    assert (f"extends: {preset}" if preset else "extends") in ended.out or preset is None
    assert preset or "extends" not in ended.out


def test_a_system_without_a_preset_may_have_a_sitemap_or_a_feed(curator: Any, site: ScriptedPortal) -> None:
    site.script["/"] = "<meta name=generator content='Hugo 0.123'><link rel=alternate type=application/rss+xml href=/index.xml><p>x"
    ended = curator("check", "--detect", f"{site.home}/")
    assert "extends: feed" in ended.out
    assert "no proof that all articles are listed" in ended.out
    assert f"Next: `curator new {site.home}/` looks for the pages that list all articles" in ended.err
    site.script["/sitemap.xml"] = Reply("<?xml version='1.0'?><urlset></urlset>", kind="application/xml")
    assert "extends: sitemap" in curator("check", "--detect", f"{site.home}/").out


def test_what_is_neither_an_address_nor_a_page_is_refused(curator: Any, tmp_path: Path) -> None:
    (tmp_path / "portal.yaml").write_text("portal: pelda\nhome: https://pelda.example/\n", encoding="utf-8")
    for name, noun in [("nincs.html", "neither a file nor an address"), ("nincs.warc.gz", "neither"), ("portal.yaml", "is a portal file")]:
        ended = curator("check", "--detect", tmp_path / name)
        assert (ended.code, noun in ended.err) == (USAGE, True)


# --- in a browser ---


@pytest.mark.browser
@pytest.mark.nightly
def test_a_site_that_needs_a_browser_is_told_as_such_with_what_to_write(curator: Any, site: ScriptedPortal) -> None:
    items = "".join(f"<article><h2><a href=/cikk/{number}>Egy hosszabb cím a hírekből {number}</a></h2></article>" for number in range(9))
    site.script["/"] = "<html><body><nav><a href=/x>Rovat</a></nav><div id=app></div><script src=/app.js></script></body></html>"
    site.script["/app.js"] = Reply(f"document.getElementById('app').innerHTML = `{items}`", kind="text/javascript")
    site.script["/cikk/0"] = f"<html><body><h1>Cím</h1><p>{'A cikk szövege egészen. ' * 30}</p></body></html>"
    site.script["/sitemap.xml"] = Reply("<?xml version='1.0'?><sitemapindex></sitemapindex>", kind="application/xml")
    ended = curator("check", "--detect", f"{site.home}/")
    assert re.search(r"words: 0, links: 0 +-> +words: 54, links: 9", ended.out)
    assert "It needs a browser: `archive: {fetch: {via: browser}}`" in ended.out
    told = json.loads(curator("check", "--detect", f"{site.home}/", "--json").out)
    assert [one["is_needed"] for one in told["in_browser"]] == [True, False]
    assert told["in_browser"][0]["new_links"][0] == f"{site.home}/cikk/0"


@pytest.mark.browser
@pytest.mark.nightly
def test_a_site_that_shows_all_without_its_scripts_needs_none(curator: Any, site: ScriptedPortal) -> None:
    site.script["/"] = f"<html><body><main>{'Sok szöveg van itt. ' * 60}</main><script>document.title = 'x'</script></body></html>"
    assert "It needs no browser." in curator("check", "--detect", f"{site.home}/").out


SCRIPTED = "<html><body><nav><a href=/x>Rovat</a></nav><div id=app></div><script src=/app.js></script></body></html>"


@pytest.mark.parametrize(
    ("page", "told"),
    [
        (SCRIPTED, "without its scripts it shows hardly anything"),
        (f"<html><body><main>{'Sok szöveg van itt. ' * 60}</main><script>document.title = 'x'</script></body></html>", None),
        (PAGE, None),
    ],
    ids=["hardly anything", "all its text", "no scripts"],
)
def test_without_a_browser_it_is_told_what_one_might_show_where_the_page_hints_at_it(
    page: str, told: str | None, curator: Any, site: ScriptedPortal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CURATOR_BROWSER", "/nowhere/at/all")
    site.script["/"] = page
    ended = curator("check", "--detect", f"{site.home}/")
    assert ended.code == OK
    assert ("browser" in ended.out) is (told is not None)
    assert told is None or told in ended.out
