"""The HTML inventory in a real browser: opened as a file, without a network, and hostile where a portal is."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from chromium import Page
from inventories import inventory_of, large_inventory, page_of_inventory, small_inventory

Open = Callable[..., Page]


@pytest.fixture
def opened(watched: Page, tmp_path: Path) -> Iterator[Open]:
    """Opens an inventory."""

    def open_inventory(inventory: Any, seconds: float = 10.0) -> Page:
        path = tmp_path / "inventory.html"
        path.write_text(page_of_inventory(inventory, language="hu"), encoding="utf-8")
        watched.open(path, seconds)
        return watched

    yield open_inventory
    watched.run("localStorage.clear()")


def texts(page: Page, selector: str) -> Any:
    shown = f"[...document.querySelectorAll({json.dumps(selector)})].filter(one => one.checkVisibility())"
    return page.run(f"{shown}.map(one => one.textContent)")


def tags(page: Page) -> Any:
    return texts(page, "#tags tbody summary code")


def click(page: Page, label: str, within: str = "main") -> None:
    """The button (or chip), or the row of the table, with this text."""
    shown = json.dumps(f"{within} :is(button, summary)")
    found = f"[...document.querySelectorAll({shown})].find(one => one.checkVisibility() && one.textContent.startsWith({json.dumps(label)}))"
    page.run(f"{found}.click()")


def write(page: Page, selector: str, text: str) -> None:
    """Type over what stands in a field, as a person does."""
    page.run(f"(() => {{ const field = document.querySelector({json.dumps(selector)}); field.focus(); field.select() }})()")
    page.type(text)


def decide(page: Page, tag: str, operation: str) -> None:
    write(page, f'input[aria-label="Operation of {tag}"]', operation)


def test_on_a_phone_every_cell_of_the_table_is_within_the_screen_and_says_what_it_is(opened: Open) -> None:
    page = opened(small_inventory())
    page.seen(390)
    cells = "[...document.querySelectorAll('#tags .sorted > tbody > tr:not(.unfolded) > td')].filter(one => one.checkVisibility())"
    assert page.run(f"{cells}.length") > 20
    assert page.run(f"{cells}.filter(one => one.getBoundingClientRect().right > innerWidth || !one.dataset.label).length") == 0


# --- overview ---


def test_the_overview_shows_the_reduction_and_each_year(opened: Open) -> None:
    page = opened(small_inventory())
    assert texts(page, ".cards .figure") == ["359", "267"]
    click(page, "The numbers")
    assert texts(page, "#overview th[scope=row]") == ["2019", "2020", "no date", "captcha"]
    assert page.run("document.querySelectorAll('#decided svg .filled').length") == 2
    assert texts(page, "#read") == ["150 of 3,000 pages read. A sample."]


def test_without_a_script_all_is_shown_and_nothing_can_be_pressed_in_vain(opened: Open) -> None:
    page = opened(small_inventory())
    page.call("Emulation.setScriptExecutionDisabled", value=True)
    page.call("Page.reload")
    page.wait_for("document.readyState === 'complete'")
    assert tags(page)[0] == "span.kiemelt"
    assert texts(page, ".tools button") == []
    page.call("Emulation.setScriptExecutionDisabled", value=False)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out_from_what_is_behind_it(opened: Open, scheme: str) -> None:
    page = opened(small_inventory())
    page.seen(1280, scheme)
    page.run("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert page.faint_texts() == []


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_window(opened: Open, width: int) -> None:
    page = opened(small_inventory())
    page.seen(width)
    page.run("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert page.run("document.documentElement.scrollWidth") <= width


# --- inventory ---


def test_what_nobody_decides_comes_first_then_most_words(opened: Open) -> None:
    shown = tags(opened(small_inventory()))
    assert shown[:5] == ["span.kiemelt", "div.post-*.wide", "hr.vonal", "p", "div.ajanlo"]
    assert len(shown) == len(small_inventory().rows)


FOUND = {
    "AJANLO": ["div.ajanlo"],
    "portal.yaml:40": ["strong.bekezdes"],
    "portal blockquote": ["p"],
    "nowhere to be found": [],
}


def test_search_narrows_to_tags_rules_and_text(opened: Open) -> None:
    page = opened(small_inventory())
    for wanted, found in FOUND.items():
        write(page, "#tags input[type=search]", wanted)
        shown = "[...document.querySelectorAll('#tags summary code')].filter(one => one.checkVisibility())"
        page.wait_for(f"{shown}.map(one => one.textContent).join() === '{','.join(found)}'")


def test_a_column_sorts_and_says_so(opened: Open) -> None:
    page = opened(small_inventory())
    expected = (("Tag", "a", "ascending"), ("Tag", "strong.bekezdes", "descending"), ("Words", "p", "descending"))
    for column, first, order in expected:
        click(page, column, "#tags thead")
        assert (tags(page)[0], page.run("document.querySelector('#tags [aria-sort]').ariaSort")) == (first, order)
    click(page, "Undecided first")
    assert tags(page)[0] == "span.kiemelt"


CHIPS = {
    ("undecided",): ["span.kiemelt", "div.post-*.wide", "hr.vonal"],
    ("undecided", "no text"): ["hr.vonal"],
    ("preset", "general finder"): ["blockquote", "div.menu"],
    ("portal", "text"): ["div.ajanlo", "strong.bekezdes", "p"],
}


def test_chips_of_one_kind_widen_and_of_several_kinds_narrow(opened: Open) -> None:
    page = opened(small_inventory())
    for chips, found in CHIPS.items():
        for chip in chips:
            click(page, chip, ".chips")
        assert (chips, tags(page)) == (chips, found)
        for chip in chips:
            click(page, chip, ".chips")
        assert len(tags(page)) == len(small_inventory().rows)


def test_a_row_folds_out_to_its_suggestion_its_rule_and_its_examples(opened: Open) -> None:
    page = opened(small_inventory())
    page.run("document.querySelector('#tags summary').focus()")
    page.press("Enter")
    assert texts(page, ".unfolded li") == ["its class says bold", "short"]
    assert texts(page, ".rule-line") == ['bold: ["span.kiemelt"]']
    assert texts(page, ".example mark") == ["kövér szöveg", "Another text"]
    assert page.run("document.querySelector('.example blockquote').textContent") == "Tegnap kövér szöveg állt itt."
    assert page.run("document.querySelector('.example blockquote').lang") == "hu"
    assert page.run("document.querySelector('.example a').href") == "https://pelda.example/1"
    assert "noreferrer" in page.run("document.querySelector('.example a').rel")
    assert page.run("document.activeElement.parentElement.open") is True
    page.press("Enter")
    assert texts(page, ".unfolded") == []


RULES = {
    ("div.post-*.wide", "box"): """box: ['div.wide[class*="post-"]']""",
    ("div.ajanlo", "unwrap"): 'unwrap: ["div.ajanlo"]',
    ("div.ajanlo", "Paragraph>bold"): 'split: {"div.ajanlo": [paragraph, bold]}',
    ("img[data-src]", "embed"): 'embed: [{css: "img[data-src]", url: "data-src"}]',
    ("img[data-src]", "decompose"): 'decompose: ["img[data-src]"]',
    ("hr.vonal", "nonsense"): "hr.vonal",
}


def test_the_rule_of_a_row_can_be_copied(opened: Open) -> None:
    for (tag, operation), line in RULES.items():
        page = opened(small_inventory())
        page.run("navigator.clipboard.writeText = async text => { window.copied = text }")
        click(page, tag, "#tags tbody")
        decide(page, tag, operation)
        assert texts(page, ".rule-line") == [line]
        click(page, "Copy", ".unfolded")
        assert page.run("window.copied") == line


def test_decisions_are_collected_and_downloaded_as_the_table_that_apply_reads(opened: Open) -> None:
    page = opened(small_inventory())
    decide(page, "hr.vonal", "divider")
    decide(page, "div.post-*.wide", "paragraph > bold")
    decide(page, "div.ajanlo", "nonsense")
    click(page, "span.kiemelt", "#tags tbody")
    click(page, "Decide: bold", ".unfolded")
    assert texts(page, ".decided-here") == ["3 decided here."]
    click(page, "Download the table")
    with page.downloaded("pelda-tags.tsv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    assert len(rows) == len(small_inventory().rows)
    decided = {(row["tag"], row["where"]): (row["operation"], row["url"]) for row in rows}
    expected = {"hr.vonal": "divider", "div.post-*.wide": "paragraph > bold", "span.kiemelt": "bold", "div.ajanlo": "decompose"}
    assert {tag: decided[tag, ""] for tag in expected} == {tag: (operation, "") for tag, operation in expected.items()}
    assert (decided["img[data-src]", ""], decided["p", "blockquote p"]) == (("figure", "data-src"), ("unwrap", ""))


def test_decisions_outlive_the_page_and_can_be_forgotten(opened: Open) -> None:
    page = opened(small_inventory())
    decide(page, "hr.vonal", "divider")
    for _ in range(10):  # the browser brings what a page keeps to the next one in its own time
        page = opened(small_inventory())
        if texts(page, ".decided-here") == ["1 decided here."]:
            break
    click(page, "decided here", ".chips")
    assert tags(page) == ["hr.vonal"]
    click(page, "Forget my decisions")
    assert texts(page, ".decided-here") == ["0 decided here."]
    assert page.run("Object.values(localStorage)") == ["{}"]


# --- content tree ---


def test_the_content_tree_folds(opened: Open) -> None:
    page = opened(small_inventory())
    rows = "#tree :is(summary, .leaf) code"
    assert texts(page, rows) == ["div#content", "p", "div.box", "hr.vonal", "td.cikk"]
    click(page, "div.box", "#tree")
    assert texts(page, rows) == ["div#content", "p", "div.box", "p", "hr.vonal", "td.cikk"]
    click(page, "Unfold all")
    assert texts(page, rows) == ["div#content", "p", "span.kiemelt", "div.box", "p", "em", "hr.vonal", "td.cikk"]
    depths = "[...document.querySelectorAll('#tree :is(summary, .leaf)')].map(one => one.matches('summary') ? one.parentElement : one)"
    count = "(at => { let depth = 0; while ((at = at.parentElement.closest('details'))) depth++; return depth })(one)"
    assert page.run(f"{depths}.map(one => {count})") == [0, 1, 2, 1, 2, 3, 1, 0]
    assert texts(page, "#tree .leaf code") == ["span.kiemelt", "em", "hr.vonal", "td.cikk"]
    assert "and 2 rarer paths in it, 2 words" in texts(page, "#tree .explained")
    click(page, "Fold all")
    assert texts(page, rows) == ["div#content", "td.cikk"]


# --- size ---


@pytest.mark.nightly
def test_of_twenty_thousand_rows_the_first_are_usable_and_the_table_has_all(opened: Open) -> None:
    # Generous: on a busy machine these take a tenth of it, but one layout of all rows would take much longer.
    page = opened(large_inventory(20_000), seconds=60)
    seconds = {}
    for name, act in (
        ("sort", "document.querySelector('#tags thead button').click()"),
        ("unfold", "document.querySelector('.unfold-all').click()"),
        ("fold", "document.querySelector('.fold-all').click()"),
    ):
        until_drawn = "new Promise(done => setTimeout(() => done((performance.now() - start) / 1000)))"
        seconds[name] = page.run(f"(() => {{ const start = performance.now(); {act}; return {until_drawn} }})()")
    assert {name: took for name, took in seconds.items() if took > 3} == {}
    write(page, "#tags input[type=search]", "kind-2997")
    page.wait_for("document.querySelector('.found').textContent.startsWith('1 of 1,000')", seconds=5)
    assert tags(page) == ["div.kind-2997"]
    assert "19,000 more tags are not shown" in page.run("document.querySelector('#tags .note').textContent")
    assert page.run("JSON.parse(document.getElementById('data').textContent).lines.length") == 20_000


# --- hostile pages ---

CODE = (
    "</script><script>hacked = true</script>",
    "<img src=x onerror='hacked = true'>",
    '" onmouseover="hacked = true" x="',
    "javascript:hacked=true",
    "${hacked = true}",
    "\u2028hacked = true\u2029",
    "\ud800 is half a character",
    "__proto__",
    "\x00\x01\x1b[31m",
)


@pytest.mark.parametrize("code", CODE)
def test_text_that_is_script_code_is_shown_and_never_run(opened: Open, code: str) -> None:
    number = count()
    page = opened(inventory_of(lambda: f"{code}{next(number)}"))
    page.run("document.querySelectorAll('main details').forEach(one => one.open = true)")
    page.run("document.querySelectorAll('main *').forEach(one => one.dispatchEvent(new Event('mouseover')))")
    page.run("document.querySelectorAll('main input').forEach(one => one.focus())")
    page.run("document.querySelectorAll('main a').forEach(one => one.href.startsWith('http') || one.click())")
    assert page.run("typeof hacked") == "undefined"
    assert page.run("document.scripts.length") == 2
    made = "img, iframe, object, main script, main a, [onmouseover], [onfocus], [onload], [onerror]"
    assert page.run(f"document.querySelectorAll({json.dumps(made)}).length") == 0
    marker = json.dumps(code.strip("\u2028\u2029"))
    if "\0" not in code and "\ud800" not in code:
        assert page.run(f"document.querySelector('#tags').textContent.includes({marker})")


def test_the_page_may_load_nothing_and_run_nothing_else(opened: Open) -> None:
    page = opened(small_inventory())
    page.run("fetch('https://pelda.example/').catch(() => 0)")
    page.run("document.body.append(Object.assign(document.createElement('img'), {src: 'https://pelda.example/'}))")
    page.run("try { document.body.append(Object.assign(document.createElement('script'), {text: 'hacked = true'})) } catch {}")
    assert page.run("typeof hacked") == "undefined"
    refused = {kind for kind in ("Connecting", "Loading the image", "TrustedScript") for trouble in page.troubles if kind in trouble}
    assert len(refused) == 3
    page.troubles.clear()
    page.requests.clear()
