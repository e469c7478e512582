"""Every operation of the tag dictionary is known to every command: whoever adds one is told here which of them does not take it."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from small_corpus import SmallCorpus, page

SCHEMA = Path(__file__).parents[2] / "schemas" / "portal.schema.json"
LAYER: dict[str, dict[str, Any]] = json.loads(SCHEMA.read_text(encoding="utf-8"))["definitions"]["tags"]["properties"]
"""Operations as editors know them, each with what may stand under it."""
KEYED = [name for name, shape in LAYER.items() if shape.get("default") == {}]
"""Operations under which selectors are keys."""
RENAMES = [name for name, shape in LAYER.items() if "become" in shape["description"] and name not in KEYED]
"""Operations by which elements become something."""
Curator = Callable[..., Any]


def said_under(operation: str, css: str) -> Any:
    return {css: ["paragraph", "bold"]} if operation in KEYED else [css]


@pytest.fixture
def corpus(tmp_path: Path) -> SmallCorpus:
    """A corpus of one page with an element for each operation, and a portal file with a rule for each."""
    rules = {name: said_under(name, f"x-{name}") for name in LAYER}
    small = SmallCorpus(tmp_path, rules=yaml.safe_dump({"body": {"root": ["article"], "tags": rules}}))
    elements = "".join(f"<x-{name}>A bridge of {name} is built. <x-y>Now.</x-y></x-{name}>" for name in LAYER)
    small.store(("/1", page("A bridge").replace(b"</article>", f"{elements}</article>".encode())))
    return small


def test_the_operations_are_there() -> None:
    assert {"decompose", "unwrap", "paragraph", "bold", "post"} <= LAYER.keys() and KEYED == ["split"]


def test_a_build_takes_a_rule_of_every_operation(corpus: SmallCorpus, curator: Curator) -> None:
    assert curator("check", corpus.portal.sources[0].path).code == 0
    assert corpus.build().written == 1


def test_the_inventory_names_the_operation_of_every_rule(corpus: SmallCorpus, curator: Curator) -> None:
    ended = curator("tags", corpus.portal.sources[0].path, "--corpus", corpus.folder, "--json")
    decided = {row["tag"]: row["operation"] for row in json.loads(ended.out)["rows"]}
    named = {name: decided.get(f"x-{name}") for name in LAYER}
    assert named == {name: "paragraph > bold" if name in KEYED else name for name in LAYER}


def test_a_table_gives_every_operation(tmp_path: Path, curator: Curator) -> None:
    file, table = tmp_path / "portal.yaml", tmp_path / "tags.tsv"
    file.write_text("portal: pelda\nhome: https://pelda.example/\n", encoding="utf-8")
    with table.open("w", encoding="utf-8", newline="") as opened:
        rows = csv.writer(opened, delimiter="\t", lineterminator="\n")
        rows.writerow(["tag", "operation", "where", "url", "decided_by"])
        rows.writerows([f"x-{name}", "paragraph > bold" if name in KEYED else name, "", "", ""] for name in LAYER)
    assert curator("tags", "apply", table, file).code == 0
    written = yaml.safe_load(file.read_text(encoding="utf-8"))["body"]["tags"]
    undecided = {"unwrap"}  # what becomes of an element that no rule names needs none
    assert {name: list(said) for name, said in written.items()} == {name: [f"x-{name}"] for name in LAYER if name in written}
    assert LAYER.keys() - written.keys() <= undecided
    assert curator("check", file).code == 0


@pytest.mark.parametrize("name", RENAMES)
def test_a_rule_that_renames_may_name_the_attribute_of_an_address(tmp_path: Path, curator: Curator, name: str) -> None:
    file = tmp_path / "portal.yaml"
    rule = {"css": f"x-{name}", "url": "data-url"}
    text = yaml.safe_dump({"portal": "pelda", "home": "https://pelda.example/", "body": {"tags": {name: rule}}})
    file.write_text(text, encoding="utf-8")
    assert curator("check", file).code == 0
