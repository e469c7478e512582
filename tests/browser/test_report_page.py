"""The report in a real browser: opened as a file, without a network, on a phone and at night, and hostile where a portal is."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from chromium import Page
from reports import page_of_nothing, page_saying

Open = Callable[[bytes], Page]
PHONE, DESK = 390, 1200
SCHEMES = ("light", "dark")


@pytest.fixture
def opened(watched: Page, tmp_path: Path) -> Open:
    """Opens a report."""

    def open_report(page: bytes) -> Page:
        path = tmp_path / "report.html"
        path.write_bytes(page)
        watched.open(path)
        return watched

    return open_report


@pytest.fixture(scope="module")
def plain() -> bytes:
    number = count()
    return page_saying(lambda: f"A text of some length number {next(number)}")


def unfold(page: Page) -> None:
    page.run("document.querySelectorAll('details').forEach(one => one.open = true)")


@pytest.mark.parametrize("width", [PHONE, 768, DESK])
def test_nothing_is_wider_than_the_window(opened: Open, plain: bytes, width: int) -> None:
    page = opened(plain)
    page.seen(width)
    unfold(page)
    assert page.run("document.documentElement.scrollWidth") <= width


def test_on_a_phone_charts_begin_at_their_latest_end_and_no_row_of_a_table_is_outside(opened: Open, plain: bytes) -> None:
    page = opened(plain)
    page.seen(PHONE)
    unfold(page)
    for_years = "[...document.querySelectorAll('.timed')].filter(one => one.scrollWidth > one.clientWidth)"
    assert page.run(f"{for_years}.length") > 5
    assert page.run(f"{for_years}.filter(one => !one.previousElementSibling.checkVisibility() || one.scrollLeft !== 0).length") == 0
    latest = "one => one.querySelector('svg').getBoundingClientRect().right <= innerWidth"
    assert page.run(f"{for_years}.filter({latest}).length") == page.run(f"{for_years}.length")
    outside = "one => one.getBoundingClientRect().right > innerWidth + 1"
    assert page.run(f"[...document.querySelectorAll('.stacked td, .stacked th')].filter({outside}).length") == 0
    assert page.run("getComputedStyle(document.querySelector('.problems td'), '::before').content") == '"How many"'


def test_of_a_portal_without_anything_the_page_stands(opened: Open) -> None:
    page = opened(page_of_nothing())
    assert page.run("document.querySelectorAll('main h2').length") == 10
    assert page.run("document.querySelectorAll('table, figure').length") == 0


def test_what_scrolls_by_itself_can_be_reached_by_the_keyboard_and_has_a_name(opened: Open, plain: bytes) -> None:
    page = opened(plain)
    page.seen(PHONE)
    unfold(page)
    wider = "one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX === 'auto'"
    scrolling = f"[...document.querySelectorAll('*')].filter(one => {wider})"
    assert page.run(f"{scrolling}.length") > 10
    unreachable = "one.tabIndex !== 0 || !(one.getAttribute('aria-label') || one.getAttribute('aria-labelledby'))"
    assert page.run(f"{scrolling}.filter(one => {unreachable}).map(one => one.outerHTML.slice(0, 80))") == []


def test_every_chart_has_a_name_a_sentence_and_its_numbers(opened: Open, plain: bytes) -> None:
    page = opened(plain)
    told = "['labelledby', 'describedby'].map(by => document.getElementById(one.getAttribute(`aria-${by}`)).textContent)"
    charts = page.run(f"[...document.querySelectorAll('svg[role=img]')].map(one => {told})")
    assert len(charts) >= 10
    assert all(title and len(said) > 20 for title, said in charts)
    without = "[...document.querySelectorAll('figure')].filter(one => !one.parentElement.querySelector('table')).map(one => one.id)"
    assert page.run(without) == []
    assert page.run("[...document.querySelectorAll('svg:not([role=img]):not([aria-hidden=true])')].length") == 0


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_text_stands_out_from_what_is_behind_it(opened: Open, plain: bytes, scheme: str) -> None:
    page = opened(plain)
    page.seen(DESK, scheme)
    unfold(page)
    assert page.run("getComputedStyle(document.body).backgroundColor") == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 24, 28)"}[scheme]
    assert page.faint_texts() == []


def test_paper_is_white_shows_every_table_and_leaves_the_contents_out(opened: Open, plain: bytes) -> None:
    page = opened(plain)
    page.seen(740, "dark", "print")
    assert page.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.run("getComputedStyle(document.querySelector('nav')).display") == "none"
    assert (
        page.run(
            "[...document.querySelectorAll('details table')].filter(one => !one.checkVisibility({contentVisibilityAuto: true})).length"
        )
        == 0
    )
    assert len(page.call("Page.printToPDF", preferCSSPageSize=True)["data"]) > 10_000
    page.seen(DESK)


# --- hostile pages ---

CODE = (
    "</script></style><script>hacked = true</script>",
    "<img src=x onerror='hacked = true'>",
    '" onmouseover="hacked = true" x="',
    "javascript:hacked=true",
    "http://pelda.example/'onclick='hacked=true",
    "\u202eevil\u2066",
    "\x00\x01\x1b[31m\ud800",
    "a" * 100_000,
    "<b>" * 30_000,
    "",
)


@pytest.mark.parametrize("code", CODE, ids=range(len(CODE)))
def test_text_that_is_script_code_is_shown_and_never_run(opened: Open, code: str) -> None:
    number = count()
    made = page_saying(lambda: f"{code}{next(number)}")
    assert len(made) < 5_000_000
    page = opened(made)
    page.seen(PHONE)
    unfold(page)
    page.run("document.querySelectorAll('body *').forEach(one => one.dispatchEvent(new Event('mouseover')))")
    assert page.run("typeof hacked") == "undefined"
    assert page.run("document.scripts.length") == 0
    made_of_it = "img, iframe, object, b b, body style, [onmouseover], [onfocus], [onload], [onerror], [onclick], [autofocus]"
    assert page.run(f"document.querySelectorAll({json.dumps(made_of_it)}).length") == 0
    assert page.run("document.documentElement.scrollWidth") <= PHONE
    links = "[...document.links].filter(one => one.getAttribute('href')[0] !== '#')"
    assert page.run(f"{links}.filter(one => !one.protocol.startsWith('http') || one.rel !== 'noreferrer noopener').length") == 0
    if code.startswith("<img"):
        assert page.run(f"document.querySelector('h1').textContent.startsWith({json.dumps(code)})")


def test_the_page_may_load_nothing_and_run_nothing(opened: Open, plain: bytes) -> None:
    page = opened(plain)
    page.run("fetch('https://pelda.example/').catch(() => 0)")
    page.run("document.body.append(Object.assign(document.createElement('img'), {src: 'https://pelda.example/'}))")
    page.run("document.body.append(Object.assign(document.createElement('script'), {text: 'hacked = true'}))")
    assert page.run("typeof hacked") == "undefined"
    assert sum("Content Security Policy" in trouble for trouble in page.troubles) >= 3
    page.troubles.clear()
    page.requests.clear()
