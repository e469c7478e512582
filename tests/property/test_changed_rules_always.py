"""Whatever is edited in a portal file: a build leaves what building everything again leaves."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from changing_rules import Rules, edited, page, portal
from seams import PageToReadAgain, main, said_by_a_pass
from warc_records import write_warc

from webarticlecurator import BuildOptions, BuildSummary, Portal, PortalFileError, build, load_portal

PAGES = 6
TABLES = ("articles", "contents", "metadata", "dropped", "undecided", "posts", "page_names", "index_pages")
BOOKKEEPING = ("kept rules", "seconds an article", "stored")
NOW = datetime(2026, 1, 2, 12, tzinfo=UTC)
LONG = int(os.environ.get("CHAINS_OF_EDITS", "1"))
"""How many times as many edits as by day are drawn: CHAINS_OF_EDITS=400 draws a hundred thousand, in some hours."""


def chains(by_day: int) -> Any:
    """Chains of edits, most of which are drawn at night."""
    numbers = [pytest.param(number, marks=[] if number < by_day else [pytest.mark.nightly]) for number in range(4 * by_day * LONG)]
    return pytest.mark.parametrize("number", numbers)


def written(folder: Path, rules: Rules) -> Portal:
    """The portal of these rules. Raises PortalFileError."""
    own = {name: value for name, value in rules.items() if name not in ("preset", "comment", "template")}
    head = {"portal": "pelda", "title": "Example", "home": "https://pelda.example/", "language": "en", "extends": "preset.yaml"}
    (folder / "preset.yaml").write_text(yaml.safe_dump(rules["preset"], sort_keys=False), "utf-8")
    above = "# a line\n" * rules.get("comment", 0)
    (folder / "portal.yaml").write_text(above + yaml.safe_dump({**head, **own}, sort_keys=False), "utf-8")
    return load_portal(folder / "portal.yaml")


def edits(folder: Path, chance: Random, number: int) -> Iterator[tuple[Portal, str]]:
    """A portal with the template of its documents, and what becomes of them edit by edit; what is no portal file is drawn again."""
    rules: Rules = {}
    while number >= 0:
        drawn = edited(chance, rules) if rules else portal(chance)
        try:
            yield written(folder, drawn), drawn.get("template", "default")
        except PortalFileError:
            continue
        rules, number = drawn, number - 1


@chains(by_day=30)
def test_a_page_that_no_changed_rule_can_touch_is_read_as_before(tmp_path: Path, number: int) -> None:
    chance = Random(number)
    pages = [PageToReadAgain(page(chance), f"https://pelda.example/{place}") for place in range(PAGES)]
    (old, _), *others = edits(tmp_path, chance, 12)
    for new, _ in others:
        for read in filter(None, [one.before_and_after(old, new) for one in pages]):
            assert read[0] == read[1]
        old = new


# --- whole builds ---


def filled(folder: Path, chance: Random) -> None:
    """Store some pages, some of them twice or under two addresses."""
    for date in ("2024-06-01", "2024-07-01"):
        numbers = range(PAGES) if date == "2024-06-01" else chance.sample(range(PAGES), 2)
        pages = {f"https://pelda.example/{number}{chance.choice(('', '', 'x'))}": page(chance) for number in numbers}
        write_warc(folder / "in.warc.gz", pages, date=f"{date}T00:00:00Z")
        imported(folder)


def imported(folder: Path) -> None:
    asked = ["warc", "import", str(folder / "portal.yaml"), str(folder / "in.warc.gz"), "--corpus", str(folder / "corpus"), "--quiet"]
    assert main(asked) == 0


def built(portal: Portal, corpus: Path, **options: Any) -> BuildSummary:
    return build(portal, corpus=corpus, options=BuildOptions(jobs=1, **options), now=lambda: NOW)


def left_by_a_build(corpus: Path) -> dict[str, Any]:
    """All that a build leaves behind, but what it notes for the next one."""
    with closing(sqlite3.connect(f"file:{corpus}/build.sqlite?mode=ro", uri=True)) as database:
        left: dict[str, Any] = {table: sorted(map(repr, database.execute(f"SELECT * FROM {table}"))) for table in TABLES}
        marks = ", ".join("?" * len(BOOKKEEPING))
        left["meta"] = sorted(database.execute(f"SELECT * FROM meta WHERE name NOT IN ({marks})", BOOKKEEPING))
    left["documents"] = {path.name: path.read_bytes() for path in (corpus / "tei").rglob("*.xml")}
    left["problems"] = [path.read_bytes() for path in corpus.glob("problems.jsonl")]
    return left


@chains(by_day=3)
def test_a_build_after_an_edit_leaves_what_building_everything_leaves(tmp_path: Path, number: int) -> None:
    chance = Random(number)
    corpus, whole = tmp_path / "corpus", tmp_path / "whole"
    for edit, (known, template) in enumerate(edits(tmp_path, chance, 5)):
        if edit == 0:
            filled(tmp_path, chance)
        else:
            shutil.rmtree(whole, ignore_errors=True)
            shutil.copytree(corpus, whole)
            built(known, whole, everything=True, template=template)
        built(known, corpus, template=template)
        if edit:
            left = left_by_a_build(corpus)
            assert {name for name, value in left_by_a_build(whole).items() if value != left[name]} == set(), f"edit {edit}"
    exported = [
        main(["export", str(tmp_path / "portal.yaml"), "--corpus", str(one), "--to", "jsonl", "--output", f"{one}.jsonl"])
        for one in (corpus, whole)
    ]
    assert exported in ([0, 0], [1, 1])  # 1: the rules leave no article
    assert Path(f"{corpus}.jsonl").read_bytes() == Path(f"{whole}.jsonl").read_bytes()


# --- passes over all stored pages ---


@pytest.mark.parametrize("name", ["tags", "audit"])
@chains(by_day=8)
def test_a_pass_after_an_edit_says_what_it_says_when_all_pages_are_read(tmp_path: Path, number: int, name: str) -> None:
    chance = Random(number)
    together = chance.choice((1, 1, 2, 3))
    for edit, (known, _) in enumerate(edits(tmp_path, chance, 12)):
        if edit == 0:
            filled(tmp_path, chance)
        left = said_by_a_pass(name, known, tmp_path / "corpus", together=together, kept=True)
        whole = said_by_a_pass(name, known, tmp_path / "corpus", together=together, kept=False)
        assert {part for part, rows in whole.items() if rows != left[part]} == set(), f"edit {edit}"


SENTENCE = "The council met on Tuesday and talked for hours about the bridge, the school and the money. " * 9
TAGS = {"decompose": [".foo"]}
BOTH = [{"name": name, "when": f"body.{name}", "body": {"tags": {"decompose": [".foo"]}}} for name in "xy"]
ALIKE = [{**layout, "body": {"tags": TAGS}} for layout in BOTH]
EDITS: dict[str, tuple[Rules, Rules, int, int]] = {
    "nothing": ({"body": {"tags": TAGS}}, {"body": {"tags": TAGS}}, 0, 0),
    "lines above": ({"body": {"tags": TAGS}}, {"body": {"tags": TAGS}, "comment": 3}, 0, 0),
    "a rare rule": ({"body": {"tags": TAGS}}, {"body": {"tags": {"decompose": [".foo", ".rare"]}}}, 1, 1),
    "a rare field": ({"metadata": {"author": [".no"]}}, {"metadata": {"author": [".no", ".rare"]}}, 1, 1),
    "the first rule": ({}, {"body": {"tags": {"decompose": [".gone"]}}}, 0, 6),
    "comments that nobody wants": ({"posts": {"comments": {"item": ".no"}}}, {"posts": {"comments": None}}, 0, 6),
    "another way to the body": ({"body": {"root": [".no"]}}, {"body": {"root": [".none", ".no"]}}, 0, 0),
    "a field that was the preset's": ({"preset": {"metadata": {"author": ".foo"}}}, {"metadata": {"author": ".foo"}}, 0, 4),
    "a layout above another": ({"layouts": [BOTH[1]]}, {"layouts": BOTH}, 3, 3),
    "a layout above another, that shares its rules": ({"layouts": [ALIKE[1]]}, {"layouts": ALIKE}, 6, 6),
    "pages left out by their address": ({}, {"articles": {"skip": {"url": ["/[13]$"]}}}, 6, 6),
    "pages left out no more": ({"articles": {"skip": {"when": [".rare"]}}}, {}, 1, 1),
    "the language": ({}, {"language": "de"}, 6, 6),
}
"""Name -> rules, what becomes of them, and how many of six pages `tags` and `audit` read again, where each is counted by itself."""


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("name", ["tags", "audit"])
def test_a_pass_reads_the_pages_that_an_edit_may_touch(tmp_path: Path, name: str, edit: str) -> None:
    old, new, *read = EDITS[edit]
    pages = {
        f"https://pelda.example/{number}": (
            f"<body class={'yx'[number % 2 == 0]}><h1>A bridge</h1><article><p>{SENTENCE}</p>"
            f"<p class={'foo' if 0 < number < 5 else 'bar'}>{SENTENCE}</p>"
            f"<p class={'rare' if number == 3 else 'often'}>Anna Nagy</p></article>"
            f"<ul class=comments><li>I do not believe a word of what the council says about number {number}.</ul>"
        ).encode()
        for number in range(6)
    }
    heard: list[str] = []
    for rules in (old, new):
        known = written(tmp_path, {"preset": {}, **rules})
        if rules is old:
            write_warc(tmp_path / "in.warc.gz", pages, date="2024-06-01T00:00:00Z")
            imported(tmp_path)
        left = said_by_a_pass(name, known, tmp_path / "corpus", together=1, kept=True, heard=heard)
    assert left == said_by_a_pass(name, known, tmp_path / "corpus", together=1, kept=False)
    number = read[name == "audit"]
    assert heard == [heard[0]] and heard[0].endswith(f" changed; {number} of 6 pages are read again")
