"""Addresses of links, pictures and players: absolute, valid, with the original where they were repaired; each picture once."""

from __future__ import annotations

from typing import Any
from urllib.parse import urljoin

import pytest
from case_files import cases
from hypothesis import given
from hypothesis import strategies as st
from read_bodies import BASE, body_of, read, sketch

PLAIN = "https://mas.example/a/b.html?x=1&y=%C3%A1"


@pytest.mark.parametrize(
    ("written", "url", "original"),
    [
        (PLAIN, PLAIN, None),
        ("/a/../b", "https://pelda.example/b", None),
        ("#lap", "https://pelda.example/cikk/1#lap", None),
        ("//mas.example/a", "https://mas.example/a", None),
        ("mailto:anna@pelda.example", "mailto:anna@pelda.example", None),
        ("  /a  ", "https://pelda.example/a", None),
        ("/a b", "https://pelda.example/a%20b", "/a b"),
        ("/á", "https://pelda.example/%C3%A1", "/á"),
        ("/a?x[]=1", "https://pelda.example/a?x%5B%5D=1", "/a?x[]=1"),
        ("/100%", "https://pelda.example/100%25", "/100%"),
        ("/a#b#c", "https://pelda.example/a#b%23c", "/a#b#c"),
        *((written, None, written[:8_000]) for written in ("http://a b/", "http://[::1", "/" + "x" * 9_000)),
    ],
)
def test_a_link_is_absolute_and_keeps_what_was_repaired_or_is_no_address(written: str, url: str | None, original: str | None) -> None:
    (link,) = body_of(f"<p><a href='{written}'>szó</a></p>").blocks[0].children
    assert (link.type, link.children, link.url, link.original_url) == ("link", ("szó",), url, original)


@given(st.from_regex(r"/(?!/)[a-zA-Z0-9/._~&=:@-]*(\?[a-z0-9/&=-]+)?(#[a-z0-9/-]+)?|[a-g0-9_~][a-z0-9._~&=@/-]*", fullmatch=True))
def test_a_link_leads_where_a_browser_would_go(path: str) -> None:
    (link,) = body_of(f"<p><a href='{path.replace('&', '&amp;')}'>szó</a></p>").blocks[0].children
    assert link.url == urljoin(BASE, path)


@pytest.mark.parametrize(
    "written", ["", " ", "#", "javascript:void(0)", "JavaScript:x", "data:text/html,x", "http://", "HTTPS:/// ", "about:blank"]
)
def test_a_link_to_nowhere_is_none(written: str) -> None:
    assert sketch(f"<p><a href='{written}'>szó</a></p>") == "paragraph(szó)"


@pytest.mark.parametrize(
    ("html", "tags", "expected"),
    [
        ("<div class=k data-n='http://[a'><img src=/b.jpg></div>", {"figure": [{"css": ".k", "url": "data-n"}]}, "figure@/b.jpg()"),
        ("<blockquote class=twitter-tweet cite='http://[a'>a <a href=/b>b</a></blockquote>", None, "social@/b(paragraph(a link@/b[b]))"),
        ("<div class=lejatszo data-src='http://[a'><a href=/b>b</a></div>", {"embed": [".lejatszo"]}, "embed@/b(caption(link@/b[b]))"),
    ],
)
def test_an_address_that_is_one_goes_before_one_that_is_none(html: str, tags: dict | None, expected: str) -> None:
    assert sketch(html, tags) == expected


@cases("html, url", "reading/cases/lazy-loading-hides-no-address")
def test_lazy_loading_hides_no_address(html: str, url: str) -> None:
    (shown,) = body_of(html).blocks
    assert shown.url == "https://pelda.example" + url


# --- pictures for browsers without scripts ---

SPARE = "<noscript><img src=/gat.jpg alt='A gát'></noscript>"
CASES: list[tuple[str, str]] = [
    (f"<p>a</p>{SPARE}<p>b</p>", "paragraph(a) figure@/gat.jpg() paragraph(b)"),
    (f"<p>a {SPARE} b</p>", "paragraph(a b) figure@/gat.jpg()"),
    (f"<figure>{SPARE}<figcaption>c</figcaption></figure>", "figure@/gat.jpg(caption(c))"),
    # beside a picture that waits for a script
    (f"<img src=/blank.gif>{SPARE}", "figure@/gat.jpg()"),
    (f"<img src=/p.gif width=1 height=1>{SPARE}", "figure@/gat.jpg()"),
    (f"<img class=lazy>{SPARE}", "figure@/gat.jpg()"),
    (f"{SPARE}<img class=lazy>", "figure@/gat.jpg()"),
    (f"<picture><source srcset='/blank.gif 1x'><img src=/blank.gif></picture>{SPARE}", "figure@/gat.jpg()"),
    (f"<figure><div><img src=/blank.gif></div><div>{SPARE}</div>c</figure>", "figure@/gat.jpg(caption(c))"),
    (f"<img class=lazy>{SPARE}<img class=lazy><noscript><img src=/to.jpg></noscript>", "figure@/gat.jpg() figure@/to.jpg()"),
    (f"{SPARE}<img class=lazy><noscript><img src=/to.jpg></noscript><img class=lazy>", "figure@/gat.jpg() figure@/to.jpg()"),
    # beside a picture that is shown anyway
    (f"<img src=/blank.gif data-srcset='/gat-300x200.jpg 2x'>{SPARE}", "figure@/gat-300x200.jpg()"),
    (f"<img src=/blank.gif data-src=/nagy/gat.jpg>{SPARE}", "figure@/nagy/gat.jpg()"),
    ("<p><img data-src=/x/duna-part.jpg></p><p>a</p><noscript><img src=/y/duna-part.jpg?w=9></noscript>",
     "figure@/x/duna-part.jpg() paragraph(a)"),
    # what counts visits
    ("<noscript><img src=/gat.jpg width=1 height=1></noscript>", ""),
    ("<noscript><img src=/gat.jpg style='display: none'></noscript>", ""),
    ("<img src=/p.gif width=1 height=1><noscript><img src='https://stat.example/hit?id=1'></noscript>", ""),
    # other things in noscript
    ("<noscript>a <p>b</p><iframe src=/v></iframe></noscript>", ""),
]  # fmt: skip


@pytest.mark.parametrize(("html", "expected"), CASES)
def test_a_picture_in_noscript_is_shown_where_nothing_else_shows_it(html: str, expected: str) -> None:
    assert sketch(html) == expected


@pytest.mark.parametrize("html", [html for html, _ in CASES])
def test_noscript_is_never_text(html: str) -> None:
    article = body_of(html.replace("</noscript>", "no scripts?</noscript>"))
    assert not any("scripts" in piece.text for piece in article.pieces)


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ({"decompose": ["noscript img"]}, ""),
        ({"decompose": [".doboz"]}, ""),
        ({"unwrap": ["noscript > img"]}, ""),
        ({"gallery": [".doboz"]}, "figure@/gat.jpg()"),
    ],
)
def test_rules_decide_about_pictures_in_noscript_as_about_others(tags: dict[str, Any], expected: str) -> None:
    assert sketch(f"<div class=doboz>{SPARE}</div>", tags) == expected


# --- what a picture shows is said once ---

SENTENCE = "Minden mondatnak a helyén kell maradnia, bárhogyan is írták. "


@cases("html, alt", "reading/cases/an-alternative-text-that-says-no-more-is-left-out")
def test_an_alternative_text_that_says_no_more_is_left_out(html: str, alt: str | None) -> None:
    blocks = read(f"<article><p>{SENTENCE * 20}</p>{html}<p>{SENTENCE * 3}</p></article>").blocks
    figures = [figure for block in blocks for figure in (block, *block.children) if getattr(figure, "type", "") == "figure"]
    assert [figure.attributes.get("alt") for figure in figures] == [alt]


ADDRESS = bytes([0x11, *(byte ^ 0x11 for byte in b"anna@pelda.example")]).hex()


def test_protected_mail_addresses_are_decoded() -> None:
    html = f"<a class=__cf_email__ data-cfemail={ADDRESS} href='/cdn-cgi/l/email-protection'>[email&#160;protected]</a>"
    assert sketch(html) == "paragraph(link@mailto:anna@pelda.example[anna@pelda.example])"
    html = f"<a href='/cdn-cgi/l/email-protection#{ADDRESS}'>írjon</a>"
    assert sketch(html) == "paragraph(link@mailto:anna@pelda.example[írjon])"


@pytest.mark.parametrize("code", ["", "zz", "1", "00ff", "41", "41" * 3])
def test_what_is_no_protected_address_stays(code: str) -> None:
    assert sketch(f"<p>a <a class=__cf_email__ data-cfemail='{code}'>[email protected]</a></p>") == "paragraph(a [email protected])"
