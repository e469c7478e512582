"""A portal file of a stranger, made to hold up whoever runs it: each page costs a bounded time, and the outcome names the rule."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from seams import limit_pages
from working_time import at_most

LIMIT = 0.3
"""Seconds for a page, so that the tests need not wait for what people may."""
ONE_MORE = 6.0
"""Seconds that the last rule may take beyond the limit: each has a limit of its own."""
HEAD = "portal: pelda\nhome: https://pelda.example/\nlanguage: hu\narchive: {url: 'https://pelda.example/lista/{page}', item: p}\n"
NESTED = "".join(f"<div class='a c{number}'>{number} aa aa aa<p>x</p>" for number in range(200)) + "</div>" * 200
PAGE = f"<html><body><article><h1>Cikk</h1>{NESTED}<i>{'a' * 3000}!</i><time>2024. május 1.</time></article></body></html>"
SLOW = [f'"div:has(div:has(div:not(.c{number})) ~ q)"' for number in range(100)]
"""Each looks at most pairs of elements of the page."""
FORMATS = ", ".join(f"'yyyy MMMM d {number}.'" for number in range(500))


def _fields(pick: str, count: int = 100) -> str:
    picks = ", ".join(pick.replace("NUMBER", str(number)) for number in range(count))
    return f"metadata: {{keywords: {{all_of: [{picks}]}}}}\n"


RULES = {
    "selectors of metadata": (_fields('{css: "div:has(div:has(div:not(.cNUMBER)) ~ q)"}'), r"~ q|metadata\.keywords"),
    "selectors of skip": (f"articles: {{skip: {{when: [{', '.join(SLOW)}]}}}}\n", "~ q"),
    "selectors of layouts": ("layouts:\n" + "".join(f"  - {{name: l{i}, when: {one}}}\n" for i, one in enumerate(SLOW)), "~ q"),
    "selectors of tags": (f"body: {{root: body, tags: {{decompose: [{', '.join(SLOW)}]}}}}\n", "~ q"),
    "texts of everything": (_fields("{css: '*', take: all}", 2000), r"stopped at '\*'|metadata\.keywords"),
    "patterns": (_fields("{css: i, match: '(a|aa)+NUMBER$'}"), r"\(a\|aa\)\+|metadata\.keywords"),
    "replacements": (_fields("{css: i, replace: [['(a|aa)+NUMBER$', '']]}"), r"\(a\|aa\)\+|metadata\.keywords"),
    "dates": (_fields(f"{{css: div, take: all, date: [{FORMATS}]}}", 10), r"yyyy MMMM d|metadata\.keywords"),
    "patterns of the next page": ("articles: {next: {css: i, having: {text: '(a|aa)+$'}}}\n", r"\(a\|aa\)\+|metadata\.keywords"),
}


@pytest.fixture
def tried(tmp_path: Path, curator: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict[str, Any]]:
    """What `curator try` makes of the page by these rules, and that it is over in time."""
    limit_pages(monkeypatch, LIMIT, 300_000)

    def look_at(rules: str, url: str = "https://pelda.example/cikk", page: str = PAGE) -> dict[str, Any]:
        (tmp_path / "portal.yaml").write_text(rules if rules.startswith("portal:") else HEAD + rules, encoding="utf-8")
        (tmp_path / "page.html").write_text(page, encoding="utf-8")
        with at_most(LIMIT + ONE_MORE):
            ended = curator("try", tmp_path / "portal.yaml", url, "--html", tmp_path / "page.html", "--json")
        return dict(json.loads(ended.out))

    return look_at


BY_DAY = ("dates", "patterns", "selectors of tags")
CASES = [pytest.param(*case, id=name, marks=[pytest.mark.nightly] * (name not in BY_DAY)) for name, case in RULES.items()]


@pytest.mark.parametrize(("rules", "named"), CASES)
def test_all_rules_of_a_page_share_one_budget(tried: Callable[..., dict[str, Any]], rules: str, named: str) -> None:
    line = tried(rules)
    assert line["outcome"] == "unreadable"
    assert re.search(named, line["reason"])


def test_an_archive_page_has_one_too(tried: Callable[..., dict[str, Any]]) -> None:
    fields = _fields("{css: i, match: '(a|aa)+NUMBER$'}").removeprefix("metadata")
    rules = HEAD.replace("item: p}", "item: article, link: {const: /c}, fields" + fields.strip() + "}\n")
    line = tried(rules, "https://pelda.example/lista/1")
    assert (line["kind"], line["outcome"]) == ("archive", "unreadable")
    assert re.search(r"\(a\|aa\)\+|archive\.fields", line["reason"])


def test_so_have_the_templates_that_an_address_is_compared_with(tried: Callable[..., dict[str, Any]]) -> None:
    template = "https://pelda.example/" + "x".join(["{date:y}"] * 12) + "/"
    rules = HEAD.replace("https://pelda.example/lista/{page}", template).replace("item: p", "item: p, dates: {from: 2001-01-01}")
    line = tried(rules, f"https://pelda.example/{'x' * 300}!")
    assert line["outcome"] == "unreadable"
    assert template in line["reason"]


UNBOUNDED = [
    "metadata: {datePublished: {css: time, date: G G G G G y}}\n",
    "metadata: {datePublished: {css: time, date: [iso, 'yyyy MM S S S S']}}\n",
    "columns: {a: {url: 'https://pelda.example/{date:y}{date:y}{date:y}/', dates: {from: 2001-01-01}}}\n",
]


@pytest.mark.parametrize("rules", UNBOUNDED)
def test_what_cannot_be_bounded_is_refused_at_load(tmp_path: Path, curator: Callable[..., Any], rules: str) -> None:
    file = tmp_path / "portal.yaml"
    file.write_text(HEAD + rules, encoding="utf-8")
    ended = curator("check", file)
    assert ended.code != 0
    assert re.search(r"portal\.yaml:5:\d+: .*(twice|follows)", ended.out + ended.err)


def test_tag_rules_are_counted_though_each_is_quick(tried: Callable[..., dict[str, Any]]) -> None:
    rules = ", ".join(f"'div:not(.z{number}, div)'" for number in range(4000))
    line = tried(f"body: {{root: body, tags: {{decompose: [{rules}]}}}}\n", page="<body>" + "<div>Szöveg.</div>" * 1_000)
    assert line["outcome"] == "unreadable"
    assert "div:not(.z" in line["reason"]
