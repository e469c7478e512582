"""Every shipped portal file reads its portal's real pages as a person reads them (skips where the pages are not at hand)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from real_pages import DATA, needs

PLACE = DATA / "archive-pages"
KINDS = {"article_urls": "archive", "next_page": "archive", "next_article_page": "article"}


def _cases() -> list[Any]:
    path = PLACE / "cases.jsonl"
    if not path.is_file():
        return []
    cases = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        pytest.param(case, id=f"{case['kind']}-{case['portal']}-{number}", marks=[pytest.mark.nightly] if number % 10 else [])
        for number, case in enumerate(cases)
    ]


@needs(PLACE)
@pytest.mark.parametrize("case", _cases())
def test_a_real_page_is_read_right(case: dict[str, Any], curator: Callable[..., Any]) -> None:
    ended = curator("try", case["portal"], case["page_url"], "--warc", PLACE / case["warc"], "--as", KINDS[case["kind"]], "--json")
    assert ended.code == 0, ended.err
    line = json.loads(ended.out)
    if case["kind"] == "article_urls":
        assert sorted(article["url"] for article in line["articles"]) == sorted(case["expected"])
    else:
        assert line["next" if case["kind"] == "next_page" else "next_page"] == case["expected"]
