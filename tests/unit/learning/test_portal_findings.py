"""What the pages of several columns show together: rules that they share, rules of their own, and nothing of what the file does already."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import ArchiveFormat, Portal
from webarticlecurator.document.page import read_page
from webarticlecurator.learning.portal_findings import ARCHIVE, PagesToLearnFrom, PortalFindings
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Learned, Proposal
from webarticlecurator.trial import next_page

HEAD = "portal: pelda\nhome: https://pelda.example/\n"
COLUMNS = """\
columns:
  belfold: {url: "https://pelda.example/belfold/{page}"}
  kulfold: {url: "https://pelda.example/kulfold/{page}"}
  forum: {url: "https://pelda.example/forum/{page}"}
"""
WORDS = ("bridge", "school", "river", "museum", "council", "harbour", "market", "garden", "railway", "library")


def page(column: str, number: int, html: str) -> Page:
    url = f"https://pelda.example/{column}/{number}"
    menu = '<nav><ul><li><a href="/belfold/1">Home</a></li><li><a href="/about">About us</a></li></ul></nav>'
    entity = f"<html><body>{menu}<main>{html}</main></body></html>".encode()
    capture = Capture(url=url, requested_url=url, status=200, headers=(), entity=entity, date=datetime(2024, 5, 1, tzinfo=UTC))
    read = read_page(capture, classified=True)
    assert isinstance(read, Page)
    return read


def listing(column: str, number: int) -> Page:
    titles = [(word, f"/{column}/2024/05/the-{word}-of-{column}-{number}") for word in WORDS]
    items = "".join(
        f'<article class="teaser"><h2><a href="{url}">The {word} is opened on page {number}</a></h2></article>' for word, url in titles
    )
    return page(column, number, f"{items}<a class='next' rel='next' href='/{column}/{number + 1}'>Next</a>")


def threads(number: int, column: str = "forum") -> Page:
    rows = "".join(
        f'<tr class="topic"><td><a href="/forum/topic-{number}-{one}">What of the {word}, page {number}?</a></td></tr>'
        for one, word in enumerate(WORDS)
    )
    return page(column, number, f"<table>{rows}</table>")


def learned(portal: Portal, pages: dict[str, list[Page]], walked: dict[str, int] | None = None) -> Learned:
    given = PagesToLearnFrom(archive={name: tuple(some) for name, some in pages.items()}, walked=walked or {})
    findings = PortalFindings(portal, given, next_page, parts=(ARCHIVE,))
    assert findings.find(lambda _: None, lambda: False)
    return findings.learned({})


def proposals(portal: Portal, pages: dict[str, list[Page]]) -> dict[str, Proposal]:
    return {one.name: one for one in learned(portal, pages).proposals}


def portal(text: str) -> Portal:
    return load_portal(Path("portal.yaml"), content=text.encode())


def test_columns_of_one_layout_share_a_rule_and_others_get_their_own() -> None:
    pages = {name: [listing(name, number) for number in (1, 2, 3)] for name in ("belfold", "kulfold")}
    found = proposals(portal(f"{HEAD}archive: {{link: a}}\n{COLUMNS}"), {**pages, "forum": [threads(number) for number in (1, 2, 3)]})
    assert {name for name in found if name.endswith(".link")} == {"archive.link", "columns.forum.link"}
    assert all("/forum/" in sample for sample in found["columns.forum.link"].choices[0].samples)


def test_a_single_empty_page_of_a_column_gives_no_rule() -> None:
    pages = {name: [listing(name, number) for number in (1, 2, 3)] for name in ("belfold", "kulfold")}
    found = proposals(portal(f"{HEAD}archive: {{link: a}}\n{COLUMNS}"), {**pages, "forum": [page("forum", 1, "<p>Nothing here</p>")]})
    assert "columns.forum.link" not in found


def test_rules_of_the_file_that_find_the_same_are_left_alone() -> None:
    pages = {name: [listing(name, number) for number in (1, 2, 3)] for name in ("belfold", "kulfold")}
    text = f"{HEAD}archive: {{link: 'main article a', next: a.next}}\n{COLUMNS}"
    assert not [name for name in proposals(portal(text), dict(pages)) if name.endswith(".link")]


def answer(number: int, *, pages: int) -> Page:
    url = f"https://pelda.example/api/posts?page={number}"
    told = [{"link": f"https://pelda.example/2024/05/the-{word}-{number}", "title": f"The {word} is opened"} for word in WORDS]
    headers = (("Content-Type", "application/json"), ("X-Pages", str(pages)))
    capture = Capture(
        url=url, requested_url=url, status=200, headers=headers, entity=json.dumps(told).encode(), date=datetime(2024, 5, 1, tzinfo=UTC)
    )
    read = read_page(capture, format=ArchiveFormat.JSON, classified=True)
    assert isinstance(read, Page)
    return read


@pytest.mark.parametrize("stored", [1, 2])
def test_where_an_answer_of_json_says_which_page_is_the_last_no_other_paging_is_proposed(stored: int) -> None:
    text = f"""{HEAD}archive:
  url: "https://pelda.example/api/posts?page={{page}}"
  format: json
  pages: {{mode: numbered, last: {{header: X-Pages}}}}
  item: {{json: "@"}}
  link: {{json: link}}
"""
    found = proposals(portal(text), {"archive": [answer(number, pages=2) for number in range(1, stored + 1)]})
    assert not [name for name in found if name.endswith(".paging")]


def test_what_a_file_says_of_dates_is_not_proposed_otherwise() -> None:
    dated = 'archive: {url: "https://pelda.example/belfold/{year}", dates: {from: 2010-01-01, step: year}, link: a}\n'
    found = proposals(portal(HEAD + dated), {"archive": [listing("belfold", year) for year in (2010, 2011, 2012)]})
    values = [choice.value for one in found.values() if one.name.endswith(".paging") for choice in one.choices]
    assert all(isinstance(value, dict) and "dates" not in value for value in values)


def test_it_is_known_that_what_a_column_inherits_finds_nothing_there() -> None:
    pages = {"belfold": [listing("belfold", one) for one in (1, 2)], "forum": [threads(one) for one in (1, 2)]}
    for rule, is_idle in (("h2 a", True), ("a", False)):
        assert proposals(portal(f"{HEAD}archive:\n  link: {rule}\n{COLUMNS}"), pages)["columns.forum.link"].is_idle is is_idle


# --- paging of columns that were walked to their end ---


def test_where_the_rules_have_led_from_page_to_page_to_the_end_nothing_is_learned_of_paging() -> None:
    pages = {"belfold": [listing("belfold", number) for number in (1, 2, 3)]}
    rules = portal(
        f"{HEAD}archive: {{link: h2 a, next: a.older, pages: next-link}}\ncolumns: {{belfold: 'https://pelda.example/belfold/1'}}\n"
    )
    assert any(name.endswith(".paging") for name in proposals(rules, pages))
    found = learned(rules, pages, {"belfold": 3})
    assert not any(one.name.endswith(".paging") for one in found.proposals)


def test_a_proof_that_the_only_page_was_read_does_not_hide_the_way_to_the_next() -> None:
    pages = {"belfold": [listing("belfold", number) for number in (1, 2, 3)]}
    rules = portal(f"{HEAD}archive: {{link: h2 a}}\ncolumns: {{belfold: 'https://pelda.example/belfold/1'}}\n")
    assert any(one.name.endswith(".paging") for one in learned(rules, pages, {"belfold": 1}).proposals)


@pytest.mark.parametrize("covered", [1, 2])
def test_of_paging_nothing_is_said_where_the_column_was_walked_to_its_end(covered: int) -> None:
    pages = {"archive": [threads(1), threads(1, "topics")]}
    rules = portal(f"{HEAD}archive: {{url: 'https://pelda.example/forum', link: 'tr.topic a'}}\n")
    assert any("no link on" in remark for remark in learned(rules, pages).remarks)
    assert not any("no link on" in remark for remark in learned(rules, pages, {"archive": covered}).remarks)
