"""What the page is given of an inventory: what programs are given, and what its script needs beside that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

from webarticlecurator.config.tag_dictionary import NAMES, REMOVALS
from webarticlecurator.survey.inventory.as_json import as_json, row_as_json, year_as_json
from webarticlecurator.survey.inventory.results import (
    BY_NO_TAG_RULE,
    DecidedOperation,
    Decider,
    Inventory,
    Pair,
    TagRow,
    TreeNode,
    YearCoverage,
)
from webarticlecurator.survey.tag import Tag, TagNotationError, selector_of


def contents(inventory: Inventory, table: str, language: str) -> dict[str, Any]:
    """Everything that the page shows. `table`: the one for spreadsheets, a line a row; no cell of it holds a tab or a line break."""
    columns, *lines = table.removesuffix("\n").split("\n")
    return {
        **as_json(replace(inventory, trees={}), ()),
        "language": language,
        "vocabulary": {"operations": (*REMOVALS, *NAMES), "names": NAMES},
        "coverage": [_year(year) for year in inventory.coverage],
        "rows": [_row(row) for row in inventory.rows],
        "trees": [{"layout": layout, "nodes": list(_nodes(roots))} for layout, roots in inventory.trees.items()],
        "pairs": [_pair(pair) for pair in inventory.pairs],
        "table": {"columns": columns.split("\t"), "lines": lines},
    }


def _year(year: YearCoverage) -> dict[str, Any]:
    """A share of nothing is none."""
    shares = {"word_share": year.word_share if year.words else None, "element_share": year.element_share if year.elements else None}
    return {**year_as_json(year), **shares}


def _row(row: TagRow) -> dict[str, Any]:
    decided = row.decided
    return {
        **row_as_json(row),
        "key": "\t".join((row.tag, decided.condition, decided.decider, decided.operation)),
        "selector": decided.condition or _selector(row.tag),
        "operation": "" if decided.decider in BY_NO_TAG_RULE else decided.operation,
        "fate": _fate(decided),
        "url": decided.url or "",
    }


def _fate(decided: DecidedOperation) -> str:
    """What becomes of the element, whether a rule says so or not."""
    return "undecided" if decided.decider is Decider.NOBODY else decided.operation


def _selector(tag: str) -> str:
    """Empty for what no selector can say."""
    try:
        return selector_of(Tag.parse(tag))
    except TagNotationError:
        return ""


def _nodes(roots: Sequence[TreeNode]) -> Iterator[dict[str, Any]]:
    """In the order in which they are read, each with its depth; no recursion, since pages may nest without end."""
    waiting = [(0, root) for root in reversed(roots)]
    while waiting:
        level, node = waiting.pop()
        yield {
            "level": level,
            "tag": node.tag,
            "fate": _fate(node.decided),
            "frequency": node.frequency,
            "words": node.words,
            "own_words": node.own_words,
            "more": node.more,
            "more_words": node.more_words,
        }
        waiting += [(level + 1, child) for child in reversed(node.children)]


def _pair(pair: Pair) -> dict[str, Any]:
    outer, inner = _selector(pair.outer), _selector(pair.inner)
    return {**asdict(pair), "selector": f"{outer}{' > ' if pair.adjacent else ' '}{inner}" if outer and inner else ""}
