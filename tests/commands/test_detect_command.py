"""`curator check --detect`: what a site is made with, and where it lists its articles, of an address or a saved page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from scripted_portal import Reply, ScriptedPortal

OK, USAGE = 0, 2
HEAD = "<html lang=hu><head><meta name=generator content='WordPress 6.4'><link rel='https://api.w.org/' href=/wp-json/></head>"
PAGE = f"{HEAD}<body><h1>Napló</h1><article id=post-7 class=hentry><a href=/c/1>Egy</a></article></body></html>"


@pytest.fixture
def site(site: ScriptedPortal, at_once: None) -> ScriptedPortal:
    site.script["/"] = PAGE
    return site


def test_an_address_is_asked_politely_and_for_nothing_else(curator: Any, site: ScriptedPortal) -> None:
    site.script["/robots.txt"] = Reply(f"User-agent: *\nSitemap: {site.home}/terkep.xml\n", kind="text/plain")
    ended = curator("check", "--detect", f"{site.home}/")
    assert ended.code == OK, ended.err
    for told in ("WordPress (100 %, 3 signs)", "/terkep.xml", "(robots.txt)", "/wp-json/wp/v2/posts", "`extends: wordpress`"):
        assert told in ended.out
    assert [path for path in site.asked if "robots" not in path and "well-known" not in path] == ["/"]
    assert f"Next: `curator new {site.home}/` looks for the pages that list all articles" in ended.err
    told = json.loads(curator("check", "--detect", f"{site.home}/", "--json").out)
    assert (told["systems"][0]["preset"], told["home"], told["entrances"][0]["kind"]) == ("wordpress", f"{site.home}/", "api")


def test_robots_txt_is_obeyed(curator: Any, site: ScriptedPortal) -> None:
    site.script["/robots.txt"] = Reply("User-agent: *\nDisallow: /\n", kind="text/plain")
    ended = curator("check", "--detect", f"{site.home}/")
    assert (ended.code, "robots.txt" in ended.err, "/" in site.asked) == (USAGE, True, False)


def test_a_saved_page_tells_its_address_and_what_is_no_page_is_refused(curator: Any, tmp_path: Path) -> None:
    file = tmp_path / "mentett.html"
    file.write_text(PAGE.replace("</head>", "<link rel=canonical href=https://pelda.example/7/></head>"), encoding="utf-8")
    ended = curator("check", "--detect", file)
    assert (ended.code, "curator new https://pelda.example/" in ended.err) == (OK, True)
    assert json.loads(curator("check", "--detect", file, "--json").out)["home"] == "https://pelda.example/"
    assert curator("check", "--detect", tmp_path / "nincs.html").code == USAGE
    assert "`curator new --warc FILE`" in curator("check", "--detect", tmp_path / "x.warc.gz").err
    file.write_text("<h1>x</h1><p>y", encoding="utf-8")
    ended = curator("check", "--detect", file)
    assert ("no software that is known here shows its signs" in ended.out, "example" in ended.out, ended.err) == (True, False, "")
