"""`curator tags` as a person calls it: on the example portal's corpus, on a small corpus, and on WARC files without one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from crawling import Crawling
from small_corpus import RULES, SmallCorpus, page


@pytest.fixture
def crawled(crawled_once: Crawling) -> Iterator[Crawling]:
    before = crawled_once.file.read_bytes()
    yield crawled_once
    crawled_once.file.write_bytes(before)


@pytest.fixture
def inventory(crawled: Crawling, curator: Callable[..., Any]) -> Callable[..., dict[str, Any]]:
    """The inventory of the example portal as an object, after a change of its rules."""

    def made(change: Callable[[str], str] = lambda rules: rules, *flags: object) -> dict[str, Any]:
        file = crawled.file
        file.write_text(change(file.read_text("utf-8")), "utf-8")
        ended = curator("tags", file, "--corpus", crawled.corpus, "--json", "--jobs", 1, *flags)
        assert ended.code == 0, ended.err
        return json.loads(ended.out)

    return made


@pytest.fixture
def small(tmp_path: Path) -> SmallCorpus:
    (tmp_path / "portal.yaml").write_text(RULES, "utf-8")
    return SmallCorpus(tmp_path)


def undecided(found: dict[str, Any]) -> set[str]:
    return {row["tag"] for row in found["rows"] if row["operation"] is None}


def body(html: str) -> bytes:
    return page().replace(b'<div class="text">', f'<div class="text">{html}'.encode())


# --- the example portal ---


def test_every_article_page_is_read_and_every_row_has_its_figures(inventory) -> None:
    found = inventory()
    assert found["portal"] == "kilenchid"
    assert found["pages"] + sum(found["passed_over"].values()) == found["of_pages"] > 50
    for row in found["rows"]:
        assert 1 <= row["pages"] <= row["frequency"]
        assert row["words"] == round(row["mean_words"] * row["frequency"])
        assert 0 <= row["link_share"] <= 1
        assert row["table"] == ("text" if row["words"] else "notext")
        assert (row["operation"] is None) == (row["decided_by"] == "undecided")
        assert 1 <= len(row["examples"]) <= 3
    texts = [row["words"] for row in found["rows"] if row["table"] == "text"]
    assert texts == sorted(texts, reverse=True)


def test_without_rules_the_same_tags_wait_for_a_decision_most_words_first(inventory, crawled, curator) -> None:
    found = inventory(lambda rules: re.sub(r"(?m)^  tags:\n(?:    .*\n)+", "", rules))
    assert {"div.keretes", "div.galeria"} <= undecided(found)
    screen = curator("tags", crawled.file, "--corpus", crawled.corpus)
    assert screen.code == 0
    assert screen.err.rstrip().splitlines()[-1].startswith("Next: ")


def test_the_warc_files_alone_give_the_same_inventory(inventory, crawled, curator) -> None:
    of_corpus = inventory()
    ended = curator("tags", crawled.file, "--json", *(part for path in crawled.warcs for part in ("--warc", path)))
    of_files = json.loads(ended.out)
    assert {(row["tag"], row["operation"]) for row in of_corpus["rows"]} == {(row["tag"], row["operation"]) for row in of_files["rows"]}


def test_a_sample_reads_so_many_pages_and_says_so(inventory, crawled, curator) -> None:
    found = inventory(lambda rules: rules, "--sample", 20)
    assert found["pages"] + sum(found["passed_over"].values()) == 20 < found["of_pages"]
    assert f" of {found['of_pages']} article pages read" in curator("tags", crawled.file, "--corpus", crawled.corpus, "--sample", 20).out


# --- small corpora ---


def test_since_a_year_shows_what_no_earlier_page_has(small, curator) -> None:
    small.store(("/2019/05/01/1", body('<div class="alt">Old words.</div>')), ("/2024/05/01/2", body('<div class="neu">New words.</div>')))
    ended = curator("tags", small.base / "portal.yaml", "--corpus", small.folder, "--since", 2024)
    assert "div.neu" in ended.out
    assert "div.alt" not in ended.out


def test_class_names_cannot_steer_the_terminal(small, curator) -> None:
    small.store(("/1", body('<div class="a\x1b]0;x\x07 b[red]">Words\x1b[2J that stand in it, and many more of them.</div>')))
    ended = curator("tags", small.base / "portal.yaml", "--corpus", small.folder, "--all", "--verbose")
    assert ended.code == 0
    assert not {"\x1b", "\x07"} & set(ended.out + ended.err)


def test_pages_without_a_container_are_told_with_what_to_do(small, curator) -> None:
    small.rules = "body: {root: div.nowhere}\n"
    small.store(("/1", page()))
    ended = curator("tags", small.base / "portal.yaml", "--corpus", small.folder)
    assert ended.code == 0
    assert "No stored page has an article's container." in ended.out
    assert "body.root" in ended.err


# --- the command line ---


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (("--json", "--tsv", "-"), "both write to stdout"),
        (("--warc", "nowhere.warc.gz"), "nowhere.warc.gz"),
        (("--sample", "0"), "--sample"),
        (("--html", "/nonexistent/x"), "there is no folder /nonexistent; make it with `mkdir -p /nonexistent`"),
        (("--tsv", "/"), "/ is a folder; name the file"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(small, curator, flags, told) -> None:
    ended = curator("tags", small.base / "portal.yaml", "--corpus", small.folder, *flags)
    assert ended.code == 2
    assert told in ended.err
    assert ended.out == ""
