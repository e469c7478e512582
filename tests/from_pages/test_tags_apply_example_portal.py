"""From the inventory of a crawled portal through its table to rules, and to the inventory again."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from crawling import Crawling, crawling

_COMMENT = re.compile(r"(?m)(?:^|\s)# .*$")


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawling]:
    with crawling(tmp_path_factory.mktemp("apply"), articles=60, page_size=10) as crawl:
        crawl.crawl()
        yield crawl


@pytest.fixture
def portal(crawled: Crawling) -> Iterator[Path]:
    before = crawled.file.read_bytes()
    yield crawled.file
    crawled.file.write_bytes(before)


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


def test_a_table_that_nobody_edited_changes_nothing(rows, portal: Path, tmp_path: Path, curator) -> None:
    ended = curator("tags", "apply", write(tmp_path / "tags.tsv", rows()), portal, "--dry-run")
    assert (ended.code, ended.out) == (0, "")
    assert " 0 of them edited" in ended.err


def test_what_was_undecided_is_decided_as_the_table_says(rows, portal: Path, tmp_path: Path, curator) -> None:
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
