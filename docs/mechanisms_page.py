"""The tables of docs/explanation/mechanisms.md: what each mechanism of the reader is worth, as it was measured last."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))

sys.path.append(str(Path(__file__).resolve().parent.parent / "benchmarks"))

from benchmarks.reader_rules import RULES
from benchmarks.results import FOLDER, Table, as_markdown, footing, load

_COLUMNS = {
    "mechanism": "mechanism",
    "works on": "works on",
    "changes": "changes",
    "worse without": "worse",
    "better without": "better",
    "together": "gain",
    "s / 1,000 pages": "ms",
}
"""Heading in the result -> heading on the page."""


def mechanisms() -> str:
    measured = load(FOLDER / "rule_value.json")
    scores, worth = measured.tables[:2]
    places = [worth.headings.index(heading) for heading in _COLUMNS]
    there = {rule.name for rule in RULES}
    rows = [[row[place] for place in places] for row in worth.rows if row[0] in there]
    table = Table(headings=list(_COLUMNS.values()), rows=rows)
    return "\n".join(
        ("## Scores with all of them\n", as_markdown(scores), "\n## Each of them\n", as_markdown(table), "", footing(measured))
    )
