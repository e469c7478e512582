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
from seams import main
from warc_records import write_warc

from webarticlecurator import BuildOptions, BuildSummary, Portal, PortalFileError, build, load_portal

CHAINS = int(os.environ.get("CHAINS_OF_EDITS", "40"))
"""Corpora, each with a chain of edits."""
FIRST = int(os.environ.get("FIRST_CHAIN", "0"))
EDITS = 8
PAGES = 6
TABLES = ("articles", "contents", "metadata", "dropped", "undecided", "posts", "page_names", "index_pages")
BOOKKEEPING = ("kept rules", "articles a second")
NOW = datetime(2026, 1, 2, 12, tzinfo=UTC)


def written(folder: Path, rules: Rules) -> Portal:
    """The portal of these rules. Raises PortalFileError."""
    own = {name: value for name, value in rules.items() if name not in ("preset", "comment")}
    head = {"portal": "pelda", "title": "Example", "home": "https://pelda.example/", "language": "en", "extends": "preset.yaml"}
    (folder / "preset.yaml").write_text(yaml.safe_dump(rules["preset"], sort_keys=False), "utf-8")
    above = "# a line\n" * rules.get("comment", 0)
    (folder / "portal.yaml").write_text(above + yaml.safe_dump({**head, **own}, sort_keys=False), "utf-8")
    return load_portal(folder / "portal.yaml")


def drawn(folder: Path, chance: Random) -> tuple[Rules, Portal]:
    while True:
        rules = portal(chance)
        try:
            return rules, written(folder, rules)
        except PortalFileError:
            continue


def after_edit(folder: Path, chance: Random, rules: Rules) -> tuple[Rules, Portal]:
    while True:
        changed = edited(chance, rules)
        try:
            return changed, written(folder, changed)
        except PortalFileError:
            continue


def filled(folder: Path, chance: Random) -> None:
    """Store some pages, some of them twice or under two addresses."""
    for date in ("2024-06-01", "2024-07-01"):
        numbers = range(PAGES) if date == "2024-06-01" else chance.sample(range(PAGES), 2)
        pages = {f"https://pelda.example/{number}{chance.choice(('', '', 'x'))}": page(chance) for number in numbers}
        write_warc(folder / f"{date}.warc.gz", pages, date=f"{date}T00:00:00Z")
        assert main(["warc", "import", str(folder / "portal.yaml"), str(folder / f"{date}.warc.gz"), "--corpus", str(folder / "corpus"), "--quiet"]) == 0


def built(portal: Portal, corpus: Path, **options: Any) -> BuildSummary:
    return build(portal, corpus=corpus, options=BuildOptions(jobs=1, **options), now=lambda: NOW)


def state(corpus: Path) -> Iterator[tuple[str, Any]]:
    """All that a build leaves behind."""
    with closing(sqlite3.connect(f"file:{corpus}/build.sqlite?mode=ro", uri=True)) as database:
        for table in TABLES:
            yield table, sorted(map(repr, database.execute(f"SELECT * FROM {table}")))
        marks = ", ".join("?" * len(BOOKKEEPING))
        yield "meta", sorted(database.execute(f"SELECT * FROM meta WHERE name NOT IN ({marks})", BOOKKEEPING))
    yield "documents", {path.name: path.read_bytes() for path in (corpus / "tei").rglob("*.xml")}
    yield "problems", (corpus / "problems.jsonl").read_bytes() if (corpus / "problems.jsonl").exists() else b""


@pytest.mark.parametrize("number", range(FIRST, FIRST + CHAINS))
def test_a_build_after_an_edit_leaves_what_building_everything_leaves(tmp_path: Path, number: int) -> None:
    untouched = chain_of_edits(tmp_path, number)
    assert untouched >= 0


def chain_of_edits(folder: Path, number: int) -> int:
    """Edit a portal file again and again; return how many articles were not read."""
    chance = Random(number)
    rules, known = drawn(folder, chance)
    filled(folder, chance)
    untouched = 0
    built(known, folder / "corpus")
    for edit in range(EDITS):
        rules, known = after_edit(folder, chance, rules)
        whole = folder / "whole"
        shutil.rmtree(whole, ignore_errors=True)
        shutil.copytree(folder / "corpus", whole)
        untouched += built(known, folder / "corpus").untouched
        built(known, whole, everything=True)
        expected = dict(state(whole))
        for name, value in state(folder / "corpus"):
            assert value == expected[name], f"{name} after edit {edit} of chain {number}"
    return untouched
