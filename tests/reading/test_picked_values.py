"""What rules pick out of the text of elements, by patterns too, and that none of them holds up a run."""

from __future__ import annotations

from typing import Any

import pytest
from case_files import cases
from seams import archive_of, portal_of, values_of
from working_time import at_most

from webarticlecurator import Outcome, PortalFileError, extract

PAGE = "https://pelda.example/1"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("<p>a<b>b</b>c</p>", "abc"),
        ("<div>a<p>b</p>c</div>", "a b c"),
        ("<div>Kiss Anna<br>Nagy Béla</div>", "Kiss Anna Nagy Béla"),
        ("<p>a<script>not this</script>b<style>nor this</style></p>", "ab"),
        ("<p> a\n\u00a0 b </p>", "a b"),
    ],
)
def test_the_text_of_an_element_is_what_a_reader_sees(written: str, read: str) -> None:
    assert values_of(":is(p, div):not(div p)", written) == [read]


@cases("written, shown", "reading/cases/what-is-invisible-goes-unless-a-script-needs-it")
def test_what_is_invisible_goes_unless_a_script_needs_it(written: str, shown: str) -> None:
    assert extract(f"<h1>Egy {written}</h1><p>Szöveg.", PAGE, portal_of()).title == f"Egy {shown}"


@pytest.mark.parametrize(
    ("pattern", "text", "captured"),
    [
        (r"/(\d+)/", "/cikk/12/", "12"),
        (r"(?P<year>\d{4})-(\d\d)", "2024-05", "2024"),
        (r"(\d\d)-(?P<month>\d\d)", "24-05", "05"),
        (r"(a)|(b)", "b", "b"),
        ("x", "abc", None),
    ],
)
def test_what_matches_is_the_named_group_else_the_first_else_all(pattern: str, text: str, captured: str | None) -> None:
    assert values_of({"css": "p", "match": pattern}, f"<p>{text}</p>") == ([captured] if captured else [])


@cases("step, text, pieces", "reading/cases/the-steps-on-a-value")
def test_the_steps_on_a_value(step: dict[str, Any], text: str, pieces: list[str]) -> None:
    assert values_of({"css": "p", **step}, f"<p>{text}</p>") == pieces


@pytest.mark.parametrize(
    "step",
    [
        *({"match": text} for text in ("(", "[a", "*", "(?P<a>x)(?P<a", "a" * 3000, "((x{900}){900}){900}", "x{99999999}")),
        *({"replace": [["(a)", text]]} for text in (r"\2", r"\g<name>", r"\q", "\\", r"\g<")),
    ],
)
def test_what_is_no_pattern_or_replacement_is_refused_with_its_place(step: dict[str, Any]) -> None:
    with pytest.raises(PortalFileError, match=r"portal\.yaml:\d+:\d+: .*(pattern|repeats|replacement|characters)"):
        portal_of(metadata={"keywords": {"css": "p", **step}})


@pytest.mark.parametrize(
    ("html", "step"),
    [
        (f"<p>{'a' * 40}b</p>", {"match": "(?:(?:a|a)*)*$"}),
        (f"<p>{'a' * 100_000}</p>", {"replace": [["", "x" * 2000]]}),
        pytest.param("<p>aaaaaaaaaaaaaaaab</p>" * 20_000, {"match": "(?:(?:a|a)*)*$"}, marks=pytest.mark.nightly),
    ],
    ids=["a slow pattern", "a long result", "many uses"],
)
def test_a_pattern_can_neither_hang_a_run_nor_fill_the_memory(html: str, step: dict[str, Any]) -> None:
    with at_most(20):
        article = extract(html, PAGE, portal_of(metadata={"keywords": {"css": "p", **step}}))
    assert article.outcome is Outcome.UNREADABLE
    assert "simpl" in article.reason


_GROUPED = """
<h2 class=d>2024-05-01</h2><div class=g><div class=i><a href=/1>1</a></div>
<div class=i><p>inside <b class=d>2024-05-09</b></p><a href=/2>2</a></div></div>
<section class=d><div class=i><a href=/3>3</a></div></section>
<div><h2 class=d>2024-05-03</h2></div><div class=i><a href=/4>4</a></div>
"""


def test_one_element_before_several_items_is_that_of_each() -> None:
    rules = {"item": "div.i", "fields": {"datePublished": {"before": ".d"}, "heading": {"before": "h2.d"}}}
    listed = [link.fields for link in archive_of(_GROUPED, **rules).articles]

    # the third stands in one itself: what counts is before it, be it in the item before
    assert [one["datePublished"] for one in listed] == [("2024-05-01",), ("2024-05-01",), ("2024-05-09",), ("2024-05-03",)]
    assert [one["heading"] for one in listed] == [("2024-05-01",), ("2024-05-01",), ("2024-05-01",), ("2024-05-03",)]
