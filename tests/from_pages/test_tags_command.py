"""`curator tags` as a person calls it: on the example portal's corpus, on a small corpus, and on WARC files without one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from crawling import Crawling
from small_corpus import SmallCorpus


def test_the_warc_files_alone_give_the_same_inventory(crawled_once: Crawling, curator: Callable[..., Any]) -> None:
    files = [part for path in crawled_once.warcs for part in ("--warc", path)]
    of_corpus, of_files = (
        {(row["tag"], row["operation"]) for row in json.loads(curator("tags", crawled_once.file, "--json", *source).out)["rows"]}
        for source in (("--corpus", crawled_once.corpus), files)
    )
    assert of_corpus == of_files != set()


TEXT = "The council met on Tuesday and talked for hours about the bridge and the money that it needs. "
RULES = "body: {root: div.torzs, tags: {lead: [p.lead]}}\n"
Shown = Callable[..., Any]


def article(inside: str, year: int = 2024) -> bytes:
    date = f'<meta property="article:published_time" content="{year}-05-01T10:00:00+02:00">'
    body = f'<h1>A</h1><div class="torzs"><p>{TEXT * 3}</p>{inside}</div>'
    return f'<html lang="hu"><head>{date}<title>A</title></head><body>{body}</body></html>'.encode()


@pytest.fixture
def shown(tmp_path: Path, curator: Any, monkeypatch: pytest.MonkeyPatch) -> Shown:
    """What `curator tags` says of such pages."""
    monkeypatch.setenv("COLUMNS", "100")
    corpus = SmallCorpus(tmp_path, rules=RULES)

    def show(flags: str = "", *pages: bytes, rules: str = RULES) -> Any:
        corpus.rules = rules
        if pages:
            corpus.store(*((f"/{number}", page) for number, page in enumerate(pages, 1)))
        corpus.portal  # noqa: B018  # its file is written
        return curator("tags", corpus.base / "portal.yaml", "--corpus", corpus.folder, "--jobs", 1, *flags.split())

    return show


BOX, EMPTY, LEAD = (
    f'<div class="keretes"><p>{TEXT}</p>Három szó itt</div>',
    '<div class="leer"></div>',
    '<p class="lead">Rövid bevezető</p>',
)


def test_undecided_tags_come_with_the_words_at_stake_and_a_suggestion_and_lead_to_a_table(shown: Shown) -> None:
    ended = shown("", *[article(BOX + EMPTY + LEAD)] * 3)
    assert ended.code == 0
    with_text, without = ended.out.split("Undecided, most words at stake first")[1].split("Undecided, without text")
    row = next(line for line in with_text.splitlines() if "div.keretes" in line)
    assert row.split()[1] == "3" and "may be box" in with_text
    assert "div.leer" in without and "p.lead" not in with_text + without
    assert "3 article pages read" in ended.out
    assert "3 tags with text, 1 of them undecided; 1 more without text" in ended.out
    assert "--tsv tags.tsv`" in ended.err and "curator tags apply tags.tsv" in ended.err


def test_all_shows_what_decides_the_others_and_json_holds_everything(shown: Shown) -> None:
    assert "lead, by portal.yaml" in shown("--all", article(LEAD + BOX)).out
    told = json.loads(shown("--json").out)
    rows = {row["tag"]: row for row in told["rows"]}
    assert (rows["p"]["operation"], rows["p"]["decided_by"]) == ("paragraph", "general table")
    assert (rows["p.lead"]["operation"], rows["p.lead"]["decided_by"]) == ("lead", "portal")
    assert (rows["div.keretes"]["operation"], rows["div.keretes"]["decided_by"]) == (None, "undecided")
    assert rows["div.keretes"]["suggestion"]["operation"] == "box"
    assert {"outer": "div.torzs", "inner": "p"}.items() <= told["pairs"][0].items()
    assert told["reduction"]["undecided"] == 1


def test_rows_that_are_not_shown_are_counted_with_their_words(shown: Shown) -> None:
    many = "".join(f'<div class="{letter * 3}">Két szó</div>' for letter in "abcdefghijklmnopqrstuvwxyzáéí")
    assert "and 4 more with 8 words (--verbose shows all)" in shown("", article(many)).out
    assert " more" not in shown("--verbose").out.split("Undecided")[1]


def test_pairs_are_written_as_selectors(shown: Shown) -> None:
    screen = shown("--pairs", article(f"<blockquote><div><p>{TEXT}</p></div></blockquote>")).out
    assert "blockquote p" in screen and "blockquote > div" in screen


def test_the_table_for_spreadsheets_goes_to_stdout_alone_or_to_a_file(shown: Shown, tmp_path: Path) -> None:
    lines = shown("--tsv -", article(BOX)).out.splitlines()
    assert lines[0].split("\t")[:3] == ["table", "tag", "where"]
    assert {"div.keretes", "p"} <= {line.split("\t")[1] for line in lines[1:]}
    ended = shown(f"--tsv {tmp_path / 'tags.tsv'} --html {tmp_path / 'tags.html'}")
    assert (tmp_path / "tags.tsv").read_text("utf-8").splitlines() == lines
    assert "<html" in (tmp_path / "tags.html").read_text("utf-8")
    assert f"curator tags apply {tmp_path / 'tags.tsv'} " in ended.err
    assert f"open {tmp_path / 'tags.html'} in a browser" in shown(f"--html {tmp_path / 'tags.html'}").err


def test_pages_without_a_container_are_told_with_what_to_do(shown: Shown) -> None:
    ended = shown("", article(""), rules="body: {root: div.nowhere}\n")
    assert ended.code == 0
    assert "No stored page has an article's container." in ended.out
    assert "body.root" in ended.err


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        ("--json --tsv -", "both write to stdout"),
        ("--warc nowhere.warc.gz", "nowhere.warc.gz"),
        ("--sample 0", "--sample"),
        ("--html /nonexistent/x", "there is no folder /nonexistent; make it with `mkdir -p /nonexistent`"),
        ("--tsv /", "/ is a folder; name the file"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(shown: Shown, flags: str, told: str) -> None:
    ended = shown(flags)
    assert (ended.code, told in ended.err, ended.out) == (2, True, "")
