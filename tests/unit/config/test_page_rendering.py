"""`via: browser`: which pages a browser shows, and how."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from webarticlecurator.config.portal import Portal
from webarticlecurator.model.rendering import Rendering, Scrolling

Load = Callable[[str], Portal]
MistakesOf = Callable[[str], list[str]]

ARCHIVE = "archive: {url: 'https://pelda.example/a', link: a}\n"


def test_no_browser_is_used_unless_the_file_says_so(load: Load) -> None:
    portal = load(f"fetch: {{via: http}}\n{ARCHIVE}")
    assert not portal.uses_browser
    assert portal.columns[0].rendering is None
    assert portal.articles.rendering is None


def test_the_portal_speaks_for_all_its_pages(load: Load) -> None:
    portal = load(f"fetch: {{via: browser}}\n{ARCHIVE}")
    assert portal.uses_browser
    assert portal.columns[0].rendering == portal.articles.rendering == Rendering()


def test_all_that_a_browser_can_be_asked_is_read(load: Load) -> None:
    portal = load(
        "fetch: {via: browser, wait: 'div.kesz', scroll: {until: 'p.vege', most: 7}, click: 'button:contains(\"OK\")', block: [font]}\n"
        + ARCHIVE
    )
    scroll = Scrolling(until="p.vege", most=7)
    assert portal.articles.rendering == Rendering(wait="div.kesz", scroll=scroll, click='button:contains("OK")', block=("font",))


def test_words_stand_for_the_end_and_for_an_idle_network(load: Load) -> None:
    assert load(f"fetch: {{via: browser, wait: idle, scroll: {{until: end}}}}\n{ARCHIVE}").articles.rendering == Rendering(
        scroll=Scrolling()
    )


def test_nothing_needs_to_be_left_out(load: Load) -> None:
    rendering = load(f"fetch: {{via: browser, block: []}}\n{ARCHIVE}").articles.rendering
    assert rendering is not None
    assert rendering.block == ()


def test_a_column_differs_from_the_portal_key_by_key(load: Load) -> None:
    portal = load(
        "fetch: {via: browser, wait: div.a, click: button.ok}\n"
        "archive: {link: a, fetch: {wait: div.b}}\n"
        "columns: {x: 'https://pelda.example/x', y: {url: 'https://pelda.example/y', fetch: {click: null}},"
        " z: {url: 'https://pelda.example/z', fetch: {via: http}}}\n"
    )
    renderings = {column.name: column.rendering for column in portal.columns}
    assert renderings == {"x": Rendering(wait="div.b", click="button.ok"), "y": Rendering(wait="div.b"), "z": None}


def test_a_column_alone_may_be_shown(load: Load) -> None:
    portal = load(
        "archive: {link: a}\ncolumns: {x: {url: 'https://pelda.example/x', fetch: {via: browser}}, y: 'https://pelda.example/y'}\n"
    )
    assert [column.rendering for column in portal.columns] == [Rendering(), None]
    assert portal.articles.rendering is None
    assert portal.uses_browser


@pytest.mark.parametrize(
    ("fetch", "which", "rendering"),
    [
        ("truncated", "truncated", None),
        ("{via: browser, wait: article}", "all", Rendering(wait="article")),
        ("{which: truncated, via: browser}", "truncated", Rendering()),
    ],
)
def test_articles_say_which_are_asked_for_and_how_they_come(load: Load, fetch: str, which: str, rendering: Rendering | None) -> None:
    rules = load(f"articles: {{fetch: {fetch}}}\n{ARCHIVE}").articles
    assert (rules.fetch, rules.rendering) == (which, rendering)


def test_what_is_no_html_has_nothing_to_do_with_a_browser(load: Load) -> None:
    portal = load(
        "fetch: {via: browser}\narticles: {format: json}\n"
        "columns: {terkep: {url: 'https://pelda.example/sitemap.xml', format: sitemap},"
        " lista: {url: 'https://pelda.example/l', link: a, request: {method: POST, form: {a: b}}}}\n"
    )
    assert not portal.uses_browser


@pytest.mark.parametrize(
    "rules",
    [
        "archive: {url: 'https://pelda.example/a.xml', format: sitemap, fetch: {via: browser}}\n",
        "archive: {url: 'https://pelda.example/a', link: a, request: {form: {a: b}}, fetch: {via: browser}}\n",
        f"articles: {{format: json, fetch: {{via: browser}}}}\n{ARCHIVE}",
    ],
)
def test_a_browser_that_is_asked_to_show_something_else_is_a_mistake(mistakes_of: MistakesOf, rules: str) -> None:
    (mistake,) = mistakes_of(rules)
    assert "a browser shows HTML" in mistake


def test_another_format_ends_what_the_archive_says_of_a_browser(load: Load) -> None:
    portal = load(
        "archive: {link: a, fetch: {via: browser}}\n"
        "columns: {x: 'https://pelda.example/x', y: {url: 'https://pelda.example/y.xml', format: sitemap}}\n"
    )
    assert [column.rendering for column in portal.columns] == [Rendering(), None]


@pytest.mark.parametrize(
    "rules",
    [
        f"fetch: {{wait: article}}\n{ARCHIVE}",
        "archive: {url: 'https://pelda.example/a', link: a, fetch: {click: button.ok}}\n",
        f"articles: {{fetch: {{scroll: {{until: end}}}}}}\n{ARCHIVE}",
    ],
)
def test_what_only_a_browser_does_needs_one(mistakes_of: MistakesOf, rules: str) -> None:
    (mistake,) = mistakes_of(rules)
    assert "give `via: browser` beside it" in mistake


@pytest.mark.parametrize("key", ["wait", "click"])
def test_a_selector_that_is_none_is_a_mistake(mistakes_of: MistakesOf, key: str) -> None:
    assert len(mistakes_of(f"fetch: {{via: browser, {key}: 'div['}}\n{ARCHIVE}")) == 1


@pytest.mark.parametrize("value", ["wait: #kesz", "click: #gomb", "scroll: {until: #vege\n    }"])
def test_a_selector_that_yaml_swallows_is_a_mistake(mistakes_of: MistakesOf, value: str) -> None:
    mistakes = mistakes_of(f"fetch:\n  via: browser\n  {value}\n{ARCHIVE}")
    assert any('"#' in mistake for mistake in mistakes), mistakes


def test_scrolling_is_a_way_of_paging(load: Load) -> None:
    column = load("fetch: {via: browser}\narchive: {url: 'https://pelda.example/a', link: a, pages: scroll}\n").columns[0]
    assert column.rendering == Rendering(scroll=Scrolling(), steps="scroll")


@pytest.mark.parametrize(
    ("pages", "rendering"),
    [
        ("load-more", Rendering(scroll=Scrolling(), steps="click", button="button.a")),
        ("{mode: load-more, button: button.b}", Rendering(scroll=Scrolling(), steps="click", button="button.b", click="button.a")),
    ],
)
def test_so_is_a_button_that_loads_more(load: Load, pages: str, rendering: Rendering) -> None:
    column = load(
        f"archive: {{url: 'https://pelda.example/a', link: a, fetch: {{via: browser, click: button.a}}, pages: {pages}}}\n"
    ).columns[0]
    assert column.rendering == rendering


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("pages: scroll", "`scroll` paging is done by a browser"),
        ("pages: load-more, fetch: {via: browser}", "needs the button"),
        ("pages: {mode: scroll, button: a.b}, fetch: {via: browser}", "`button` belongs to `load-more`"),
        ("pages: {mode: scroll, first: 1}, fetch: {via: browser}", "`first` is a value of `{page}`"),
        ("pages: {mode: scroll, last: 5}, fetch: {via: browser}", "`last` belongs to `numbered`"),
    ],
)
def test_what_cannot_be_meant_together_is_told(mistakes_of: MistakesOf, rules: str, said: str) -> None:
    mistakes = mistakes_of(f"archive: {{url: 'https://pelda.example/a', link: a, {rules}}}\n")
    assert said in mistakes[0]


def test_a_page_that_grows_has_no_page_in_its_url(mistakes_of: MistakesOf) -> None:
    (mistake,) = mistakes_of("fetch: {via: browser}\narchive: {url: 'https://pelda.example/{page}', link: a, pages: scroll}\n")
    assert "one page that grows" in mistake


def test_what_was_proved_without_a_browser_is_walked_again_with_one(load: Load) -> None:
    digests = [
        load(f"{fetch}{ARCHIVE}").columns[0].rules
        for fetch in (
            "",
            "fetch: {via: http}\n",
            "fetch: {via: browser}\n",
            "fetch: {via: browser, block: []}\n",
            "fetch: {via: browser, click: a}\n",
        )
    ]
    assert digests[0] == digests[1]
    assert digests[2] == digests[3]
    assert len(set(digests)) == 3


@pytest.mark.parametrize(
    ("far", "near", "which", "rendering"),
    [
        ("truncated", "{via: browser}", "truncated", Rendering()),
        ("{via: browser, wait: main}", "truncated", "truncated", Rendering(wait="main")),
        ("{via: browser, wait: main}", "{wait: null, click: a}", "all", Rendering(click="a")),
        ("{via: browser}", "null", "all", None),
    ],
)
def test_what_a_farther_file_says_of_articles_is_kept_key_by_key(
    load: Load, tmp_path: Path, far: str, near: str, which: str, rendering: Rendering | None
) -> None:
    (tmp_path / "far.yaml").write_text(f"articles: {{fetch: {far}}}\n{ARCHIVE}", encoding="utf-8")
    rules = load(f"extends: ./far.yaml\narticles: {{fetch: {near}}}\n").articles
    assert (rules.fetch, rules.rendering) == (which, rendering)
