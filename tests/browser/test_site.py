"""The site of the documents: built without a warning, and read from the disk in a real browser, at a desk and on a phone."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from chromium import Page
from lxml import html

ROOT = Path(__file__).resolve().parent.parent.parent

pytestmark = pytest.mark.nightly


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site; a warning would end the build."""
    folder = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    ended = subprocess.run(build, cwd=ROOT, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout + ended.stderr) == (0, "")
    return folder


def written(site: Path) -> list[Path]:
    """The pages of the site, without the one that a web server shows for an address that is not there."""
    return sorted(set(site.rglob("*.html")) - {site / "404.html"})


def test_no_page_loads_anything_from_elsewhere(site: Path) -> None:
    loaded = r"""<(?:script|img|iframe)[^>]* src="?(?:https?:)?//|<link[^>]* href="?(?:https?:)?//"""
    assert [page.name for page in written(site) if re.search(loaded, page.read_text("utf-8"))] == []


@pytest.mark.parametrize("width", [1280, 390])
def test_no_page_is_wider_than_the_window(watched: Page, site: Path, width: int) -> None:
    watched.seen(width)
    watched.open(site / "index.html")
    wider = []
    for page in written(site):  # one after the other in the same page, which is much quicker than to open them all
        (article,) = html.parse(page).getroot().iter("article")
        article.make_links_absolute(page.as_uri())
        watched.run(f"document.querySelector('article').outerHTML = {json.dumps(html.tostring(article, encoding='unicode'))}")
        if watched.run("document.documentElement.scrollWidth") > width:
            wider.append(page.relative_to(site).as_posix())
    assert wider == []


def test_the_search_finds_words_without_a_server(watched: Page, site: Path) -> None:
    watched.seen(1280)
    watched.open(site / "index.html")
    watched.run("document.querySelector('.md-search__input').focus()")
    watched.type("paywall")
    watched.press("ArrowRight")
    links = "[...document.querySelectorAll('.md-search-result__link')]"  # what is found changes while a word is typed
    watched.wait_for(f"{links}.some((link) => link.pathname.endsWith('/reference/outcomes.html'))")
    watched.run(f"{links}[0].click()")
    watched.wait_for("document.querySelector('article mark') !== null")
