"""The inventory as one HTML file that needs nothing else: no server, no network, no program but a browser."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from markupsafe import Markup

from webarticlecurator.amounts import text_if, those_that_hold
from webarticlecurator.config.tag_dictionary import NAMES, REMOVALS
from webarticlecurator.databases import Row
from webarticlecurator.labelling.simplified_tags import Tag, TagNotationError, selector_of
from webarticlecurator.report.charts import ChartSeries, Panel, columns
from webarticlecurator.report.pages import page
from webarticlecurator.survey.inventory.element_rules import Decider
from webarticlecurator.survey.tag_table import BY_NO_TAG_RULE

_MOST = 1_000
"""Tags that a page shows; more would make it slow."""


def inventory_page(inventory: Row, table: str, *, language: str = "") -> str:
    """The whole file. `table`: the same for spreadsheets; `language`: the one of the portal's texts (BCP
    47)."""
    shown = sorted(enumerate(inventory.rows), key=lambda numbered: numbered[1].operation is not None)[:_MOST]
    titles, *lines = table.removesuffix("\n").split("\n")  # no cell of it holds a tab or a line break
    data = {
        "portal": inventory.portal,
        "operations": (*REMOVALS, *NAMES),
        "names": NAMES,
        "columns": titles.split("\t"),
        "lines": lines,
        "rows": [_for_script(line, row) for line, row in shown],
    }
    # no HTML parser can leave it: without angle brackets and ampersands, and in ASCII, so that not even the
    # encoding matters
    embedded = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    for sign in "<>&":
        embedded = embedded.replace(sign, f"\\u{ord(sign):04x}")
    panels = []
    for what, share, tone in (("words", "word_share", "t0"), ("elements", "element_share", "t4")):
        percents = [round(100 * row[share], 1) if row[what] else 0 for row in inventory.coverage]
        panels.append(
            Panel(f"percent of the {what}", [ChartSeries(f"percent of the {what}", percents, tone)], 90, 100)
        )
    return page(
        "inventory.html",
        script="inventory.js",
        inventory=inventory,
        language=language,
        most=_MOST,
        operations=(*REMOVALS, *NAMES),
        rows=[row for _, row in shown],
        deciders=[decider.value for decider in Decider if decider is not Decider.NOBODY],
        chart=columns("decided", [row.year or "no date" for row in inventory.coverage], *panels),
        trees={layout: list(_nodes(roots)) for layout, roots in inventory.trees.items()},
        pairs=[{**pair, "selector": _selector_of_pair(pair)} for pair in inventory.pairs],
        data=Markup(embedded),
    )


def _selector_of_pair(pair: Row) -> str:
    """Empty for what no selector can say."""
    outer, inner = _selector(pair.outer), _selector(pair.inner)
    between = " > " if pair.adjacent else " "
    return text_if(outer and inner, f"{outer}{between}{inner}")


def _for_script(line: int, row: Row) -> dict[str, Any]:
    """Return what the script asks of a row. `line`: of the table."""
    has_text = "text" if row.words else "no text"
    return {
        "line": line,
        "key": "\t".join((row.tag, row.where, row.decided_by, row.operation or "unwrap")),
        "selector": row.where or _selector(row.tag),
        "operation": "" if row.decided_by in BY_NO_TAG_RULE else row.operation,
        "url": row.url or "",
        "suggested": row.suggestion.operation if row.suggestion else "",
        "kinds": [row.decided_by, has_text, *those_that_hold((row.suggestion, "with a suggestion"))],
    }


def _selector(tag: str) -> str:
    """Empty for what no selector can say."""
    try:
        return selector_of(Tag.parse(tag))
    except TagNotationError:
        return ""


def _nodes(roots: Sequence[Row]) -> Iterator[dict[str, Any]]:
    """In the order in which they are read, each with how many levels end behind it; no recursion, since pages
    may nest without end."""
    nodes, waiting = list[tuple[int, Row]](), [(1, root) for root in reversed(roots)]
    while waiting:
        level, node = waiting.pop()
        nodes.append((level, node))
        waiting += [(level + 1, child) for child in reversed(node.children)]
    for (level, node), (following, _) in pairwise([*nodes, (1, Row())]):
        fate = node.operation or Decider.NOBODY.value
        yield {
            **node,
            "fate": fate,
            "level": level,
            "holds": following > level,
            "ends": max(0, level - following),
        }
