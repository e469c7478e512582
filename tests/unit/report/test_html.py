"""Whatever stands in a page as text stays text, steers nothing, and is told where it is cut."""

from __future__ import annotations

import pytest
from lxml import html

from webarticlecurator.report.html import element, link, stranger


def seen(markup: str) -> str:
    return html.fromstring(f"<div>{markup}</div>").text_content()


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "</style><b>", '" onmouseover="x', "a & b &amp; c", "árvíztűrő 中文 🎉"])
def test_a_text_is_shown_as_it_is_written(text: str) -> None:
    assert seen(element("p", text)) == text
    assert html.fromstring(element("p", "x", title=text)).get("title") == text


@pytest.mark.parametrize("hidden", ["\u202e", "\u2066", "\u200b", "\x00", "\x1b", "\ud800", "\ufeff", "\u2028", "\U000e0041"])
def test_what_is_not_seen_is_named(hidden: str) -> None:
    assert seen(stranger(f"a{hidden}b")) == ("a b" if hidden.isspace() else f"a⟨U+{ord(hidden):04X}⟩b")
    stranger(f"a{hidden}b").encode()


def test_a_long_text_is_cut_and_the_cut_is_told() -> None:
    shown = seen(stranger("ab " * 40_000, 20))
    assert shown == "ab ab ab ab ab ab ab … (120,000 characters)"


def test_marks_heaped_on_a_letter_do_not_grow_over_other_lines() -> None:
    assert seen(stranger("a" + "\u0301" * 500 + "b")) == "a" + "\u0301" * 4 + "b"


@pytest.mark.parametrize("address", ["http://pelda.example/a?b=1&c=2", "HTTPS://pelda.example/"])
def test_a_web_address_is_a_link_that_tells_nobody_where_one_came_from(address: str) -> None:
    made = html.fromstring(link(address))
    assert (made.tag, made.get("href"), made.get("rel")) == ("a", address, "noreferrer noopener")


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "//pelda.example",
        "http://a b",
        "https://a\u202eb",
        "http://a/" + "a" * 3_000,
        "http://a'\"><b",
    ],
)
def test_anything_else_is_only_shown(address: str) -> None:
    assert "<a" not in link(address)
