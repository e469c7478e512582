"""`curator stats`: what the corpus is made of, in words and as JSON."""

from __future__ import annotations

import json
import os
import signal
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from published import article, published

TEXT = "The council counts the bridges of the town once a year."


@pytest.fixture
def portal(tmp_path: Path) -> Path:
    return published(tmp_path, article(1, TEXT, author="Ann Lee"), article(2, TEXT, date="2023-05-01")).file


def test_it_shows_the_years_and_what_comes_next(portal: Path, curator: Any) -> None:
    ended = curator("stats", portal, "--no-analyse")
    assert ended.code == 0
    assert ended.out.startswith("pelda: 2 articles, 22 words")
    assert [line.split()[:2] for line in ended.out.splitlines() if line.strip().startswith("202")][:2] == [["2023", "1"], ["2024", "1"]]
    assert f"`curator report {portal}`" in ended.err


@pytest.mark.parametrize("command", ["stats", "report"])
def test_interrupted_it_has_counted_nothing_and_says_so(command: str, portal: Path, curator: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    make = tempfile.mkdtemp
    monkeypatch.setattr(tempfile, "mkdtemp", lambda *given: os.kill(os.getpid(), signal.SIGINT) or make(*given))
    ended = curator(command, portal)
    assert (ended.code, ended.out, "nothing was written" in ended.err) == (4, "", True)


def test_whatever_is_cut_says_how_much_there_is(tmp_path: Path, curator: Any) -> None:
    file = published(tmp_path, *(article(number, TEXT, articleSection=f"Section {number}") for number in range(1, 31))).file
    told = json.loads(curator("stats", file, "--no-analyse", "--json").out)
    assert told["capped"] == [{"number": "sections", "shown": 25, "all": 30}] and len(told["sections"]) == 25
    assert "30 in all" in curator("stats", file, "--no-analyse").out


def test_each_article_counts_in_its_first_section_and_all_sections_are_told(tmp_path: Path, curator: Any) -> None:
    data = '<script type="application/ld+json">{{"@type": "NewsArticle", "headline": "A bridge", "articleSection": {}}}</script></head>'
    sections = {1: '["News", "Culture"]', 2: '"Culture"'}
    pages = [article(number, TEXT) for number in sections]
    told = [replace(page, page=page.page.replace("</head>", data.format(of))) for page, of in zip(pages, sections.values(), strict=True)]
    two = published(tmp_path, *told, metadata={})
    shown = curator("stats", two.file, "--no-analyse", "--verbose").out
    by_first, all_of_them = shown.partition("Sections, by the first of each article\n")[2].split(" agencies: articleSection\n")
    assert ["Culture", "1"] in [line.split()[:2] for line in by_first.splitlines()]
    assert ["Culture", "2"] in [line.split()[1:3] for line in all_of_them.splitlines()]
