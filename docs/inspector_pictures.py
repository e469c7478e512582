"""Takes pictures of a browser's inspector, with the example portal, for docs/how-to/archives.md and the tutorial, for `screenshots.py`."""

from __future__ import annotations

import json
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, sync_playwright

from webarticlecurator.example_portal import ExamplePortal

WIDTH, HEIGHT = 1200, 560
PICTURES = (
    ("inspector-element", "belfold/", "article.teaser h2 a", False),
    ("inspector-count", "belfold/", "article.teaser h2 a", True),
)
"""Name, address, what is selected, and whether the field that searches stays open."""
FLAGS = ("--remote-debugging-port=0", "--remote-allow-origins=*", "--no-sandbox", "--disable-gpu")


def take(program: str, images: Path) -> None:
    with ExamplePortal(port=8765) as portal, browser(program) as (context, devtools):
        for name, path, selector, is_searching in PICTURES:
            shown = context.new_page()
            shown.set_viewport_size({"width": 560, "height": 480})
            shown.goto(portal.url + path)
            shown.locator(selector).nth(1 if shown.locator(selector).count() > 1 else 0).scroll_into_view_if_needed()
            inspector = context.new_page()
            inspector.set_viewport_size({"width": WIDTH, "height": HEIGHT})
            inspector.goto(address_of_inspector(devtools, shown.url))
            search(inspector, selector)
            if not is_searching:
                inspector.keyboard.press("Escape")
            inspector.wait_for_timeout(1500)  # what the page shows comes as a film
            inspector.screenshot(path=images / f"{name}.png")
            inspector.close()
            shown.close()


def search(inspector: Page, selector: str) -> None:
    """The page takes the left half, its elements the rest; Enter goes on to the second match."""
    inspector.get_by_text("suti-sav").first.wait_for()
    inspector.wait_for_timeout(1000)
    for start, end in ((900, 480), (876, 1180)):
        inspector.mouse.move(start, 300)
        inspector.mouse.down()
        inspector.mouse.move(end, 300, steps=5)
        inspector.mouse.up()
    inspector.mouse.click(800, 130)
    inspector.keyboard.press("Control+f")
    inspector.wait_for_timeout(500)
    inspector.keyboard.type(selector)
    inspector.keyboard.press("Enter")
    inspector.wait_for_timeout(500)


@contextmanager
def browser(program: str) -> Iterator[tuple[BrowserContext, str]]:
    """A browser with an empty profile, and the address at which it serves its own inspector."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile, sync_playwright() as driver:
        context = driver.chromium.launch_persistent_context(profile, executable_path=program, args=list(FLAGS))
        port = (Path(profile) / "DevToolsActivePort").read_text("utf-8").split()[0]
        yield context, f"127.0.0.1:{port}"
        context.close()


def address_of_inspector(devtools: str, url: str) -> str:
    with urllib.request.urlopen(f"http://{devtools}/json/list") as answer:
        target = next(one["id"] for one in json.load(answer) if one["url"] == url)
    return f"http://{devtools}/devtools/inspector.html?ws={devtools}/devtools/page/{target}"
