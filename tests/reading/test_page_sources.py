"""Wherever a page comes from, it is read alike, and what is not there is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scripted_portal import Crawler, listing

RULES = 'archive: {url: "HOME/l/{page}", pages: infinite, item: li.t}\n'
TEXT = "<p>Itt a hídról van szó, és arról, hogy mikor nyitják meg a várost kettészelő folyó fölött. </p>" * 8
ANSWER = f"<html><head><title>Híd épül</title></head><body><article><h1>Híd épül</h1>{TEXT}</article></body></html>"
SOURCES = [
    pytest.param(name, marks=[pytest.mark.browser, pytest.mark.nightly] if name == "a browser" else ())
    for name in ("the portal", "a browser", "a corpus", "WARC files", "a saved page")
]


@pytest.mark.parametrize("source", SOURCES)
def test_a_page_is_read_alike_wherever_it_comes_from_and_one_that_is_missing_shows_in_the_exit_code(
    crawler: Crawler, curator: Callable[..., Any], tmp_path: Path, source: str
) -> None:
    crawler.portal.script |= {"/l/1": listing("/c/1"), "/c/1": ANSWER}
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
    told = json.loads(curator("try", crawler.file, f"{crawler.portal.home}/c/1", *flags[source], "--json").out)
    assert (told["outcome"], told["metadata"]["headline"][0]["value"]) == ("article", "Híd épül")
    assert told["text"].count("Itt a hídról van szó") == 8
    if source != "a saved page":
        assert curator("try", crawler.file, f"{crawler.portal.home}/nincs-ilyen", *flags[source]).code != 0
