"""An archived page as a picture of itself: what runs, asks for something or leads away is not in it; what is read is."""

from __future__ import annotations

import pytest

from webarticlecurator.document.page import parse_html
from webarticlecurator.document.still_page import StillPage, still_page

PIXEL = "data:image/png;base64,iVBORw0KGgo="
GONE = (
    "<script>alert(1)</script>",
    '<base href="https://evil.example/">',
    '<link rel="dns-prefetch" href="https://evil.example/">',
    '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
    '<iframe src="https://evil.example/"></iframe>',
    '<object data="https://evil.example/"></object>',
    '<embed src="https://evil.example/">',
    '<svg><image href="https://evil.example/a.png"/><a xlink:href="https://evil.example/">x</a></svg>',
    '<p onclick="alert(1)" background="https://evil.example/a.png">Text</p>',
    '<form action="https://evil.example/"><input formaction="https://evil.example/"><button formaction="https://evil.example/">Go</button></form>',
    '<video src="https://evil.example/a.mp4" poster="https://evil.example/a.png"></video>',
    '<picture><source srcset="https://evil.example/a.png"><img srcset="https://evil.example/b.png 2x"></picture>',
    "<style>@import 'https://evil.example/a.css'; p { background: URL( https://evil.example/a.png ) }</style>",
    '<p style="background: u\\72l(https://evil.example/a.png)">Text</p>',
    '<td background="https://evil.example/a.png">Text</td>',
    '<a ping="https://evil.example/">Text</a>',
    '<img src="data:text/html,<script>alert(1)</script>">',
    '<img src="data:image/svg+xml;base64,PHN2Zz4=">',
)


def still(body: str) -> StillPage:
    tree = parse_html(f"<html><body>{body}</body></html>")
    assert tree is not None
    return still_page(tree)


@pytest.mark.parametrize("harmful", GONE)
def test_nothing_in_it_runs_or_asks_for_anything(harmful: str) -> None:
    html = still(f"{harmful}<p>After.</p>").html
    for sign in (
        "<script",
        "alert(1)",
        "url(",
        "URL(",
        "@import",
        "src=",
        "srcset",
        "<meta",
        "<link",
        "<base",
        "<iframe",
        "action=",
        "ping=",
    ):
        assert sign not in html, sign
    assert "After." in html


def test_links_tell_where_they_led() -> None:
    html = still('<a href="https://pelda.example/b" target="_top">Next</a>').html
    assert '<a title="https://pelda.example/b">Next</a>' in html


def test_pictures_are_words_unless_the_page_holds_them() -> None:
    found = still(f'<img src="/a.jpg" alt="A bridge"><img src="{PIXEL}">')
    assert "[picture, not stored: A bridge]" in found.html
    assert f'src="{PIXEL}"' in found.html
    assert found.pictures == 1


def test_the_text_behind_what_goes_stays() -> None:
    assert "one  two" in still("one <script>x</script> two").html.replace("\n", " ")


def test_what_readers_without_scripts_are_shown_is_shown() -> None:
    assert "<div>Seen</div>" in still("<noscript>Seen</noscript>").html
