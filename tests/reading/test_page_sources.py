"""Wherever a page comes from, it is read alike, and what is not there is told with its reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scripted_portal import Crawler, ScriptedPortal, listing

TEXT = "<p>Itt a hídról van szó, és arról, hogy mikor nyitják meg a várost kettészelő folyó fölött. </p>" * 8
ANSWER = f"<html><head><title>Híd épül</title></head><body><article><h1>Híd épül</h1>{TEXT}</article></body></html>"
SOURCES = [
    pytest.param(name, marks=[pytest.mark.browser, pytest.mark.nightly] if name == "a browser" else ())
    for name in ("the portal", "a browser", "a corpus", "WARC files", "a saved page")
]


@pytest.fixture
def look(curator: Callable[..., Any], tmp_path: Path, site: ScriptedPortal) -> Callable[[str, str], Any]:
    """`curator try` of an address, with pages of this source."""
    site.script |= {"/l/1": listing("/c/1"), "/c/1": ANSWER}
    crawler = Crawler(curator, tmp_path, site, 'archive: {url: "HOME/l/{page}", pages: infinite, item: li.t}\n')
    assert crawler.crawl() == 0
    (tmp_path / "saved.html").write_text(ANSWER, encoding="utf-8")
    files = [flag for file in sorted((crawler.corpus / "warc").iterdir()) for flag in ("--warc", file)]
    flags = {
        "the portal": ("--fetch",),
        "a browser": ("--browser",),
        "a corpus": ("--corpus", crawler.corpus),
        "WARC files": files,
        "a saved page": ("--html", tmp_path / "saved.html"),
    }
    return lambda source, url: curator("try", crawler.file, url.replace("HOME", site.home), *flags[source], "--json")


@pytest.mark.parametrize("source", SOURCES)
def test_a_page_that_is_there_is_read_alike(look: Callable[[str, str], Any], source: str) -> None:
    told = json.loads(look(source, "HOME/c/1").out)
    assert (told["outcome"], told["metadata"]["headline"][0]["value"]) == ("article", "Híd épül")
    assert told["text"].count("Itt a hídról van szó") == 8


@pytest.mark.parametrize("source", [one for one in SOURCES if one.values != ("a saved page",)])
@pytest.mark.parametrize("url", ["HOME/nincs-ilyen", "http://[::1", "http://127.0.0.1:99999/", "http://pelda.example/\x01"])
def test_what_is_not_there_or_no_address_is_told_and_shows_in_the_exit_code(look: Callable[[str, str], Any], source: str, url: str) -> None:
    ended = look(source, url)
    assert ended.code != 0
    assert "Traceback" not in ended.err
    assert ended.out + ended.err
