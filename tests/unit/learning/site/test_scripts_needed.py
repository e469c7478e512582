"""Whether a page needs a browser: by the page as it was sent, and beside what a browser shows."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from webarticlecurator.document.page import read_page
from webarticlecurator.learning.site.scripts_needed import InBrowser, needs_scripts, shown_on
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.page import Page

URL = "https://pelda.example/"
MENU = "<nav>" + "".join(f"<a href=/{number}>Rovat {number}</a> " for number in range(30)) + "</nav>"
BESIDE = "<aside>" + "".join(f"<p><a href=/c/{number}>Legolvasottabb cikk</a>" for number in range(20)) + "</aside>"
SCRIPT = "<script src=/app.js></script>"
ARTICLES = "".join(
    f"<article><h2><a href=/cikk/{number}>Egy hosszabb cím {number}</a></h2><p>Bevezető szöveg.</p></article>" for number in range(10)
)


def page(body: str) -> Page:
    head = (("Content-Type", "text/html; charset=utf-8"),)
    read = read_page(
        Capture(url=URL, requested_url=URL, status=200, headers=head, entity=body.encode(), date=datetime(2024, 5, 15, tzinfo=UTC))
    )
    assert isinstance(read, Page)
    return read


def test_menus_and_what_stands_beside_do_not_count() -> None:
    shown = shown_on(
        page(f"<body>{MENU}<main><h1>Két szó</h1> és három <a href=/cikk/1>még</a></main>{BESIDE}<footer>Kiadó</footer></body>")
    )
    assert (shown.words, shown.links) == (5, (f"{URL}cikk/1",))


def test_what_is_named_after_its_sidebar_and_holds_the_page_counts() -> None:
    shown = shown_on(page(f"<body><div class=sidebar><main>{ARTICLES}</main><aside>Más</aside></div></body>"))
    assert len(shown.links) == 10


@pytest.mark.parametrize(
    ("body", "needed"),
    [
        (f"<body><div id=app></div>{SCRIPT}</body>", True),
        (f"<body>{MENU}<div id=app><noscript>Enable JavaScript to read this.</noscript></div>{BESIDE}{SCRIPT}</body>", True),
        (f"<body>{MENU}<main>{ARTICLES}</main>{SCRIPT}</body>", False),
        ("<body><h1>Hamarosan</h1></body>", False),
        (f"<body><main>{'Sok szöveg van itt. ' * 30}</main>{SCRIPT}</body>", False),
    ],
)
def test_a_page_that_has_scripts_and_hardly_anything_else_needs_them(body: str, needed: bool) -> None:
    assert needs_scripts(page(body)) is needed


@pytest.mark.parametrize(
    ("sent", "rendered", "much"),
    [
        (f"{MENU}<div id=app></div>", f"{MENU}<main>{ARTICLES}</main>", True),
        (f"<main>{ARTICLES}</main>", f"<main>{ARTICLES}</main><p>Sütik: elfogadom mindet</p>", False),
        ("<main><h1>Cím</h1></main>", f"<main><h1>Cím</h1><p>{'Ez a cikk szövege. ' * 40}</main>", True),
        (f"<main>{ARTICLES}</main>", f"<main>{ARTICLES}</main>{BESIDE}", False),
        (f"<main>{ARTICLES}</main>", f"<main>{ARTICLES}<a href=/x>Egy</a></main>", False),
    ],
)
def test_a_browser_is_needed_where_it_shows_much_more(sent: str, rendered: str, much: bool) -> None:
    assert _seen(sent, rendered).is_needed is much


def test_the_links_that_only_a_browser_shows_are_named() -> None:
    assert _seen("<a href=/a>A</a>", "<a href=/a>A</a><a href=/b>B</a>").new_links == (f"{URL}b",)


def _seen(sent: str, rendered: str) -> InBrowser:
    before, after = (shown_on(page(f"<body>{body}</body>")) for body in (sent, rendered))
    return InBrowser(url=URL, browser="Chromium", loaded=2, bytes=100, sent=before, rendered=after)
