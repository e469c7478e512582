"""`body.tags`: the vocabulary, and rules in layers that say where they stand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.tag_dictionary import NAMES, OPERATIONS

Load = Callable[[str], Portal]
MistakesOf = Callable[[str], list[str]]


def test_tag_rules_keep_their_order_and_say_where_they_stand(load: Load) -> None:
    (layer,) = load(
        "body:\n  tags:\n    lead: p.lead\n    figure: [img, {css: div.kep, url: data-src}]\n    split: {strong.b: [paragraph, bold]}\n"
    ).body.tags
    assert [(rule.operation, rule.css.text, rule.url, rule.split) for rule in layer.rules] == [
        ("lead", "p.lead", None, None),
        ("figure", "img", None, None),
        ("figure", "div.kep", "data-src", None),
        ("split", "strong.b", None, ("paragraph", "bold")),
    ]
    assert layer.rules[0].source == "portal.yaml:5"


def test_the_tags_of_each_file_are_a_layer_nearest_first(load: Load, tmp_path: Path) -> None:
    (tmp_path / "kozos.yaml").write_text("body: {tags: {lead: [p.kozos], decompose: [aside]}}\n", encoding="utf-8")
    portal = load(
        "extends: kozos.yaml\nbody: {tags: {lead: [p.sajat], decompose: null}}\nlayouts: [{when: td, body: {tags: {lead: td.a}}}]\n"
    )
    own, common = portal.body.tags
    assert ([rule.css.text for rule in own.rules], own.forgotten) == (["p.sajat"], {"decompose"})
    assert [rule.css.text for rule in common.rules] == ["p.kozos", "aside"]
    assert [[rule.css.text for rule in layer.rules] for layer in portal.layouts[0].body.tags] == [
        ["td.a"],
        ["p.sajat"],
        ["p.kozos", "aside"],
    ]


@pytest.mark.parametrize("operation", [name for name in OPERATIONS if name != "split"])
def test_every_operation_of_the_vocabulary_can_be_written(load: Load, operation: str) -> None:
    (layer,) = load(f"body: {{tags: {{{operation}: [p.x]}}}}\n").body.tags
    assert layer.rules[0].operation == operation


def test_the_vocabulary_has_no_doubles() -> None:
    assert len(set(OPERATIONS)) == len(OPERATIONS)
    assert set(NAMES) < set(OPERATIONS)


def test_one_selector_under_two_operations_of_one_layer_is_a_mistake(mistakes_of: MistakesOf) -> None:
    (message,) = mistakes_of("body: {tags: {lead: ['p.lead  a'], unwrap: [p.lead a]}}\n")
    assert "under `lead` and under `unwrap`" in message


def test_one_selector_under_two_operations_of_two_layers_is_fine(mistakes_of: MistakesOf) -> None:
    assert mistakes_of("body: {tags: {lead: [p.lead]}}\nlayouts: [{when: td, body: {tags: {unwrap: [p.lead]}}}]\n") == []


def test_rules_of_an_extended_file_name_that_file(tmp_path: Path) -> None:
    (tmp_path / "kozos.yaml").write_text("body:\n  tags:\n    lead: [p.kozos]\n", encoding="utf-8")
    file = tmp_path / "portal.yaml"
    file.write_text("portal: pelda\nhome: https://pelda.example/\nextends: kozos.yaml\n", encoding="utf-8")
    (layer,) = load_portal(file).body.tags
    assert layer.rules[0].source == "kozos.yaml:3"
