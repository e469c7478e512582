"""The example portal changed its layout in 2015: whose portal file does not say so is told, with the entry to write."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from crawling import WITHOUT_CALENDAR, Crawling, crawling

Curator = Callable[..., Any]


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawling]:
    with crawling(tmp_path_factory.mktemp("watched"), articles=240, page_size=20, columns=WITHOUT_CALENDAR) as crawl:
        crawl.crawl()
        yield crawl


@pytest.mark.nightly
def test_a_change_that_the_portal_file_does_not_say_is_named_and_the_proposed_entry_puts_it_right(
    crawled: Crawling, curator: Curator, tmp_path: Path
) -> None:
    def watched(rules: str) -> dict[str, Any]:
        """What is said of the corpus, when it was built by these rules."""
        file = tmp_path / "portal.yaml"
        file.write_text(rules, "utf-8")
        curator("build", file, "--corpus", crawled.corpus, "--jobs", "1", "--quiet")
        ended = curator("watch", file, "--corpus", crawled.corpus, "--json", "--quiet", "-o", tmp_path / "drift.html")
        told: dict[str, Any] = json.loads(ended.out)
        assert ended.code == told["exit_code"]
        assert (tmp_path / "drift.html").read_text("utf-8").count("<iframe") == 3 * len(told["drifts"])
        return told

    rules = crawled.file.read_text("utf-8")
    assert watched(rules)["drifts"] == []
    without = rules.partition("\nlayouts:")[0] + "\n"
    told = watched(without)
    (drift,) = told["drifts"]
    assert told["exit_code"] == 5
    assert drift["day"] >= "2015-01-01" and [page["day"] < "2015-01-01" for page in drift["pages"]] == [True, False, False]
    assert drift["proposal"]["body"] == {"root": "td.cikk"}
    assert drift["pages"][0]["day"][:10] <= drift["proposal"]["until"] < drift["day"][:10]
    again = watched(without + yaml.safe_dump({"layouts": [drift["proposal"]]}, allow_unicode=True))
    assert (again["exit_code"], again["drifts"]) == (0, [])
