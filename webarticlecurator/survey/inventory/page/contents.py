"""What the page is given of an inventory: plain values, named as its script names them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from webarticlecurator.config.tag_dictionary import NAMES, REMOVALS
from webarticlecurator.survey.applying.table import write_table
from webarticlecurator.survey.inventory.results import (
    BY_NO_TAG_RULE,
    DecidedOperation,
    Decider,
    Example,
    Inventory,
    Pair,
    TagRow,
    TreeNode,
    YearCoverage,
)
from webarticlecurator.survey.tag import Tag, TagNotationError, selector_of


def contents(inventory: Inventory, language: str) -> dict[str, Any]:
    """Everything that the page shows."""
    reduction = inventory.reduction
    return {
        "portal": inventory.portal,
        "language": language,
        "pages": inventory.pages,
        "ofPages": inventory.of_pages,
        "passedOver": dict(inventory.passed_over),
        "notes": inventory.notes,
        "vocabulary": {"operations": (*REMOVALS, *NAMES), "names": NAMES},
        "reduction": {
            "tags": reduction.tags,
            "withText": reduction.with_text,
            "simplified": reduction.simplified,
            "undecided": reduction.undecided,
        },
        "coverage": [_year(year) for year in inventory.coverage],
        "rows": [_row(row) for row in inventory.rows],
        "trees": [{"layout": layout, "nodes": list(_nodes(roots))} for layout, roots in inventory.trees.items()],
        "pairs": [_pair(pair) for pair in inventory.pairs],
        "table": _table(inventory.rows),
    }


def _table(rows: Sequence[TagRow]) -> dict[str, list[str]]:
    """The table for spreadsheets, a line a row; no cell of it holds a tab or a line break."""
    columns, *lines = write_table(rows).removesuffix("\n").split("\n")
    return {"columns": columns.split("\t"), "lines": lines}


def _year(year: YearCoverage) -> dict[str, Any]:
    return {
        "year": year.year,
        "pages": year.pages,
        "words": year.words,
        "elements": year.elements,
        "wordShare": year.word_share if year.words else None,
        "elementShare": year.element_share if year.elements else None,
        "layoutChange": year.layout_change,
    }


def _row(row: TagRow) -> dict[str, Any]:
    decided = row.decided
    return {
        "key": "\t".join((row.tag, decided.condition, decided.decider, decided.operation)),
        "tag": row.tag,
        "where": decided.condition,
        "selector": decided.condition or _selector(row.tag),
        "operation": "" if decided.decider in BY_NO_TAG_RULE else decided.operation,
        "fate": _fate(decided),
        "url": decided.url or "",
        "decider": decided.decider,
        "rule": decided.rule,
        "frequency": row.frequency,
        "pages": row.pages,
        "from": row.first_year,
        "to": row.last_year,
        "words": row.words,
        "meanWords": row.mean_words,
        "meanOwnWords": row.mean_own_words,
        "meanDescendants": row.mean_descendants,
        "linkShare": row.link_share,
        "suggestion": row.suggestion and {"operation": row.suggestion.operation, "evidence": row.suggestion.evidence},
        "examples": [_example(example) for example in row.examples],
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


def _example(example: Example) -> dict[str, str]:
    return {
        "url": example.url,
        "before": example.before,
        "text": example.text,
        "after": example.after,
        "startTag": example.start_tag,
    }


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
            "ownWords": node.own_words,
            "more": node.more,
            "moreWords": node.more_words,
        }
        waiting += [(level + 1, child) for child in reversed(node.children)]


def _pair(pair: Pair) -> dict[str, Any]:
    outer, inner = _selector(pair.outer), _selector(pair.inner)
    return {
        "outer": pair.outer,
        "inner": pair.inner,
        "adjacent": pair.adjacent,
        "frequency": pair.frequency,
        "words": pair.words,
        "operation": pair.operation,
        "selector": f"{outer}{' > ' if pair.adjacent else ' '}{inner}" if outer and inner else "",
    }
