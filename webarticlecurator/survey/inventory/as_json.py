"""An inventory as one object for programs: names as in the table for spreadsheets, and in the page for a browser."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from webarticlecurator.survey.inventory.results import Decider, Inventory, TagRow, TreeNode, YearCoverage


def as_json(inventory: Inventory, rows: Sequence[TagRow]) -> dict[str, Any]:
    """The whole inventory, with these of its rows, for a program; names as in the table for spreadsheets."""
    return {
        "portal": inventory.portal,
        "pages": inventory.pages,
        "of_pages": inventory.of_pages,
        "passed_over": dict(inventory.passed_over),
        "notes": list(inventory.notes),
        "reduction": asdict(inventory.reduction),
        "coverage": [year_as_json(one) for one in inventory.coverage],
        "rows": [row_as_json(row) for row in rows],
        "trees": {layout: [_tree_object(node) for node in roots] for layout, roots in inventory.trees.items()},
        "pairs": [asdict(pair) for pair in inventory.pairs],
    }


def row_as_json(row: TagRow) -> dict[str, Any]:
    """One row."""
    return {
        "table": "text" if row.has_text else "notext",
        "tag": row.tag,
        "where": row.decided.condition,
        "frequency": row.frequency,
        "pages": row.pages,
        "from": row.first_year,
        "to": row.last_year,
        "words": row.words,
        "mean_words": row.mean_words,
        "mean_immediate_words": row.mean_own_words,
        "mean_descendants": row.mean_descendants,
        "link_share": row.link_share,
        "operation": None if row.is_undecided else row.decided.operation,
        "url": row.decided.url,
        "decided_by": row.decided.decider.value,
        "rule": row.decided.rule,
        "suggestion": row.suggestion and {"operation": row.suggestion.operation, "evidence": row.suggestion.evidence},
        "examples": [asdict(example) for example in row.examples],
    }


def year_as_json(one: YearCoverage) -> dict[str, Any]:
    """One year."""
    return {
        "year": one.year,
        "pages": one.pages,
        "elements": one.elements,
        "decided_elements": one.decided_elements,
        "element_share": one.element_share,
        "words": one.words,
        "decided_words": one.decided_words,
        "word_share": one.word_share,
        "layout_change": one.layout_change,
    }


def _tree_object(node: TreeNode) -> dict[str, Any]:
    return {
        "tag": node.tag,
        "operation": None if node.decided.decider is Decider.NOBODY else node.decided.operation,
        "decided_by": node.decided.decider.value,
        "rule": node.decided.rule,
        "frequency": node.frequency,
        "words": node.words,
        "own_words": node.own_words,
        "leaf": node.is_leaf,
        "children": [_tree_object(child) for child in node.children],
        "more": node.more,
        "more_words": node.more_words,
    }
