"""`curator watch` in words, as JSON and as a page; hostile pages stay text."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from webarticlecurator.cli import watch_report
from webarticlecurator.cli.app import main
from webarticlecurator.cli.exit_codes import ExitCode, of_watch
from webarticlecurator.model.drift import FoundDrift, ShownPage, WatchSummary
from webarticlecurator.report.drift_page import drift_page

HOSTILE = '<script>alert(1)</script><img src=x onerror="alert(2)">'


def shown(role: str, number: int, *, blocks: tuple[tuple[bool, str], ...], html: str | None = None) -> ShownPage:
    url = f"https://pelda.example/{number}"
    return ShownPage(
        role=role, url=url, headline="A bridge", day="2024-05-01T10:00:00Z", outcome="article", words=40, blocks=blocks, html=html
    )


DRIFT = FoundDrift(
    layout=None,
    day="2024-05-02T10:00:00Z",
    url="https://pelda.example/2",
    headline=f"A bridge {HOSTILE}",
    signs=("the rules find no text in 6 of 6 articles; before, in 0 of 14 articles", "second sign"),
    kinds=("empty", "names"),
    pages=(
        shown("last before", 1, blocks=((False, "Menu"), (True, "The council met on Tuesday."), (False, "All rights reserved"))),
        shown("first after", 2, blocks=((False, "Menu"), (False, f"The council met again. {HOSTILE}")), html=f"<p>{HOSTILE}</p>"),
        shown("another after", 3, blocks=()),
    ),
    proposal={"name": "since-2024-05-02", "from": "2024-05-02", "body": {"root": "#content"}},
    proposed_for="made of 6 pages",
)
FOUND = WatchSummary(portal="pelda", articles=20, of_articles=400, pages=19, new_pages=6, drifts=(DRIFT,))


def words(found: WatchSummary, width: int = 120) -> str:
    return "\n".join(watch_report.in_words(found, width))


def test_a_drift_is_told_with_its_first_article_its_signs_and_an_entry_that_can_be_copied() -> None:
    told = words(FOUND)
    assert "pelda: 20 of 400 articles looked at, and the pages of 19 (6 of them new): the layout seems to have changed once" in told
    assert "1. From 2024-05-02 on: https://pelda.example/2" in told
    assert "- the rules find no text in 6 of 6 articles; before, in 0 of 14 articles" in told
    assert "     - name: since-2024-05-02\n       from: '2024-05-02'\n       body:\n         root: '#content'" in told


def test_three_pages_stand_side_by_side_with_what_is_kept_of_each() -> None:
    lines = words(FOUND).splitlines()
    head = next(line for line in lines if "LAST BEFORE" in line)
    assert "FIRST AFTER" in head and "ANOTHER AFTER" in head
    assert any("+ The council met on Tuesday." in line and "- " in line.partition(" | ")[2] for line in lines)
    assert any("(the page cannot be read)" in line for line in lines)
    assert max(map(len, lines[: lines.index("   An entry of `layouts`, made of 6 pages:")])) <= 120


def test_where_there_is_no_room_they_stand_below_one_another() -> None:
    lines = words(FOUND, width=60).splitlines()
    assert sum("LAST BEFORE" in line or "FIRST AFTER" in line for line in lines) == 2
    assert not any(" | " in line for line in lines)


@pytest.mark.parametrize("width", [60, 120])
def test_addresses_are_not_broken(width: int) -> None:
    url = f"https://pelda.example/{'a-long-address-' * 9}end"
    pages = tuple(replace(page, url=url) for page in DRIFT.pages)
    assert words(replace(FOUND, drifts=(replace(DRIFT, pages=pages),)), width).count(url) == len(pages)


def test_what_cannot_be_said_is_not_told_as_good_news() -> None:
    nothing = WatchSummary(portal="pelda", articles=400, of_articles=400, pages=400)
    assert "no sign that the layout has changed" in words(nothing)
    assert "too few to say" in words(WatchSummary(portal="pelda", articles=3, of_articles=3, pages=3, too_few=True))
    stopped = WatchSummary(portal="pelda", complete=False)
    assert "interrupted, so nothing can be said" in words(stopped)
    assert [of_watch(one) for one in (FOUND, nothing, stopped)] == [ExitCode.DRIFT, ExitCode.OK, ExitCode.INCOMPLETE]


def test_as_json_it_is_one_object_without_the_pages_themselves() -> None:
    told = json.loads(json.dumps(watch_report.as_json(FOUND, ExitCode.DRIFT)))
    assert (told["exit_code"], told["portal"]) == (5, "pelda")
    (drift,) = told["drifts"]
    assert drift["kinds"] == ["empty", "names"]
    assert drift["proposal"] == {"name": "since-2024-05-02", "from": "2024-05-02", "body": {"root": "#content"}}
    assert drift["pages"][0]["blocks"][1] == {"kept": True, "text": "The council met on Tuesday."}
    assert "html" not in drift["pages"][1]


def test_on_the_page_for_the_browser_nothing_of_the_portal_runs() -> None:
    page = drift_page(FOUND)
    assert HOSTILE not in page and "<script" not in page and "&lt;script&gt;" in page
    assert page.count('<iframe sandbox=""') == 1 and "The page cannot be shown." in page
    assert "default-src &#x27;none&#x27;" in page or "default-src 'none'" in page
    assert "since-2024-05-02" in page


def test_a_portal_of_which_nothing_is_stored_is_told_what_comes_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "portal.yaml"
    file.write_text("portal: pelda\nhome: https://pelda.example/\n", encoding="utf-8")
    assert main(["watch", str(file)]) == ExitCode.USAGE
    assert "`curator crawl` begins it" in capsys.readouterr().err


def test_a_page_for_the_browser_is_no_data_for_stdout(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "portal.yaml"
    file.write_text("portal: pelda\nhome: https://pelda.example/\n", encoding="utf-8")
    assert main(["watch", str(file), "-o", "-"]) == ExitCode.USAGE
    assert "name its file" in capsys.readouterr().err
