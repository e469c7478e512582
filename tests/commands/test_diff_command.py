"""`curator diff`: what a portal changed in an article between its captures, read by the rules of now."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from published import PublishedPortal, article, published

OPEN = "The new bridge over the river was opened on Monday by the mayor of the town."
WALKED = "A thousand people walked over it together, and nobody fell into the water."
SCHOOL = "The school stays closed until the spring, said somebody who knows."
URL = "https://pelda.example/1"


@pytest.fixture
def portal(tmp_path: Path) -> PublishedPortal:
    portal = published(tmp_path, article(1, OPEN, WALKED, title="A bridge", author="Ann Lee"), article(2, OPEN))
    changed = article(1, OPEN.replace("Monday", "Tuesday"), SCHOOL, title="The bridge", author="Ann Lee", captured="2024-07-01T00:00:00Z")
    portal.take_in(changed)
    portal.take_in(article(2, OPEN, captured="2024-07-01T00:00:00Z", keywords=["river"]))
    portal.build()
    return portal


def test_words_and_fields_that_changed_are_marked(curator: Any, portal: PublishedPortal) -> None:
    ended = curator("diff", portal.file, URL)
    assert ended.code == 0, ended.err
    assert ended.out.splitlines() == [
        "2024-06-01T00:00:00Z -> 2024-07-01T00:00:00Z",
        "  headline: [-A bridge-] {+The bridge+}",
        "  The new bridge over the river was opened on [-Monday-] {+Tuesday+} by the mayor of the town.",
        f"  [-{WALKED}-]",
        f"  {{+{SCHOOL}+}}",
    ]
    assert "2 captures of https://pelda.example/1, 1 change between them" in ended.err


def test_programs_get_the_same(curator: Any, portal: PublishedPortal) -> None:
    told = json.loads(curator("diff", portal.file, URL, "--json").out)
    assert [capture["date"] for capture in told["captures"]] == ["2024-06-01T00:00:00Z", "2024-07-01T00:00:00Z"]
    (change,) = told["changes"]
    assert change["metadata"] == {"headline": {"before": ["A bridge"], "after": ["The bridge"]}}
    assert change["text"][0][1:3] == [["-", "Monday"], ["+", "Tuesday"]]


def test_each_capture_is_read_by_the_rules_of_now(curator: Any, portal: PublishedPortal) -> None:
    portal.more = {"metadata": {"headline": {"meta": "x:author"}}}
    assert "headline" not in curator("diff", portal.file, URL).out


def test_a_field_alone_may_change(curator: Any, portal: PublishedPortal) -> None:
    out = curator("diff", portal.file, "https://pelda.example/2").out
    assert out.splitlines()[1:] == ["  keywords: [--] {+river+}"]


def test_a_capture_that_is_no_article_is_told(curator: Any, portal: PublishedPortal) -> None:
    portal.take_in(article(1, captured="2024-08-01T00:00:00Z"))
    ended = curator("diff", portal.file, URL)
    assert ended.out.splitlines()[0].startswith("2024-08-01T00:00:00Z: no article: ")


def test_the_articles_that_changed_are_listed_and_stand_in_the_report(curator: Any, portal: PublishedPortal) -> None:
    ended = curator("diff", portal.file)
    assert ended.out.splitlines() == [
        "2024-07-01  https://pelda.example/1  The bridge (2 captures from 2024-06-01 to 2024-07-01)",
    ]
    assert f"`curator diff {portal.file} {URL}`" in ended.err
    assert curator("report", portal.file).code == 0
    report = (portal.corpus / "reports/report.html").read_text("utf-8")
    assert "Changed since they were first stored" in report


def test_an_address_of_nothing_is_refused(curator: Any, portal: PublishedPortal) -> None:
    ended = curator("diff", portal.file, "https://pelda.example/9")
    assert (ended.code, "Nothing is stored of https://pelda.example/9" in ended.err) == (2, True)
