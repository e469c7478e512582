"""`curator tags` as a person calls it: on the example portal's corpus, on a small corpus, and on WARC files without one."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from crawling import Crawling
from small_corpus import RULES, SmallCorpus, page

_RULES_FOR_TAGS = re.compile(r"(?m)^  tags:\n(?:    .*\n)+")


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


def without_tags(rules: str) -> str:
    return _RULES_FOR_TAGS.sub("", rules)


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
    found = inventory(without_tags)
    assert {"div.keretes", "div.galeria"} <= undecided(found)
    screen = curator("tags", crawled.file, "--corpus", crawled.corpus)
    assert screen.code == 0
    assert screen.err.rstrip().splitlines()[-1].startswith("Next: ")


def test_the_four_numbers_only_ever_get_smaller(inventory) -> None:
    reduction = inventory(without_tags)["reduction"]
    assert reduction["tags"] >= reduction["with_text"] >= reduction["simplified"] >= reduction["undecided"] > 0
    assert inventory()["reduction"]["undecided"] < reduction["undecided"]


def test_coverage_is_told_by_year_and_better_rules_cover_more(inventory) -> None:
    before, after = inventory(without_tags)["coverage"], inventory()["coverage"]
    assert sum(one["pages"] for one in after) == inventory()["pages"]
    assert [one["year"] for one in after] == sorted((one["year"] for one in after), key=lambda year: (year is None, year or 0))
    share = {one["year"]: one["word_share"] for one in before}
    assert all(one["word_share"] >= share[one["year"]] for one in after)


def test_trees_and_pairs_hold_what_the_rows_hold(inventory) -> None:
    found = inventory()
    assert set(found["trees"]) == {"", "old"}
    tags = {row["tag"] for row in found["rows"]}
    assert {pair["inner"] for pair in found["pairs"]} <= tags
    for roots in found["trees"].values():
        for root in roots:
            assert {node["tag"] for node in _below(root)} <= tags


def _below(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for child in node["children"]:
        yield child
        yield from _below(child)


def test_the_warc_files_alone_give_the_same_inventory(inventory, crawled, curator) -> None:
    of_corpus = inventory()
    ended = curator("tags", crawled.file, "--json", *(part for path in crawled.warcs for part in ("--warc", path)))
    of_files = json.loads(ended.out)
    assert {(row["tag"], row["operation"]) for row in of_corpus["rows"]} == {(row["tag"], row["operation"]) for row in of_files["rows"]}


def test_a_sample_reads_so_many_pages_and_says_so(inventory, crawled, curator) -> None:
    found = inventory(lambda rules: rules, "--sample", 20)
    assert found["pages"] + sum(found["passed_over"].values()) == 20 < found["of_pages"]
    assert f" of {found['of_pages']} article pages read" in curator("tags", crawled.file, "--corpus", crawled.corpus, "--sample", 20).out


def test_files_and_screen_at_once(crawled, curator, tmp_path: Path) -> None:
    ended = curator("tags", crawled.file, "--corpus", crawled.corpus, "--tsv", tmp_path / "t.tsv", "--html", tmp_path / "t.html", "--tree")
    assert ended.code == 0
    assert "Content tree" in ended.out
    assert "div.keretes" in (tmp_path / "t.tsv").read_text("utf-8")
    assert "div.keretes" in (tmp_path / "t.html").read_text("utf-8")


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


# --- from the inventory through its table to rules, and to the inventory again ---

_COMMENT = re.compile(r"(?m)(?:^|\s)# .*$")


@pytest.fixture
def portal(crawled: Crawling) -> Path:
    return crawled.file  # written anew whenever it is asked for


@pytest.fixture
def rows(crawled: Crawling, portal: Path, curator: Callable[..., Any]) -> Callable[[], list[dict[str, str]]]:
    """The table of the portal's tags, under the rules of the moment."""

    def read() -> list[dict[str, str]]:
        ended = curator("tags", portal, "--corpus", crawled.corpus, "--tsv", "-", "--jobs", 1)
        assert ended.code == 0, ended.err
        return list(csv.DictReader(io.StringIO(ended.out), delimiter="\t"))

    return read


def write(path: Path, rows: list[dict[str, str]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), delimiter="\t")
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_a_table_that_nobody_edited_changes_nothing(rows, crawled: Crawling, portal: Path, tmp_path: Path, curator) -> None:
    ended = curator("tags", "apply", write(tmp_path / "tags.tsv", rows()), portal, "--dry-run")
    assert (ended.code, ended.out) == (0, "")
    assert " 0 of them edited" in ended.err


def test_what_was_undecided_is_decided_as_the_table_says(rows, crawled: Crawling, portal: Path, tmp_path: Path, curator) -> None:
    portal.write_text(portal.read_text("utf-8").replace("    box: [div.keretes]\n", ""), "utf-8")
    table = rows()
    undecided = [row for row in table if row["decided_by"] == "undecided"]
    assert undecided
    for number, row in enumerate(undecided):
        row["operation"] = ("box", "paragraph", "decompose")[number % 3]
    chosen = {row["tag"]: row["operation"] for row in undecided}
    comments = _COMMENT.findall(portal.read_text("utf-8"))
    ended = curator("tags", "apply", write(tmp_path / "tags.tsv", table), portal)
    assert ended.code == 0, ended.err
    assert _COMMENT.findall(portal.read_text("utf-8")) == comments
    after = {row["tag"]: row["operation"] for row in rows() if row["tag"] in chosen}
    assert after.items() <= chosen.items()
    assert curator("check", portal).code == 0


def test_a_rule_of_the_portal_is_changed_by_its_row(rows, crawled: Crawling, portal: Path, tmp_path: Path, curator) -> None:
    table = rows()
    (row,) = [row for row in table if row["tag"] == "p.lead"]
    assert row["operation"] == "lead"
    row["operation"] = "quote"
    assert curator("tags", "apply", write(tmp_path / "tags.tsv", table), portal).code == 0
    shown = json.loads(curator("tags", portal, "--corpus", crawled.corpus, "--json", "--jobs", 1).out)
    assert {one["operation"] for one in shown["rows"] if one["tag"] == "p.lead"} == {"quote"}
