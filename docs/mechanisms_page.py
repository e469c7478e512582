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
}
"""Heading in the result -> heading on the page."""


def mechanisms() -> str:
    measured, since = load(FOLDER / "rule_value.json"), load(FOLDER / "rule_value_since.json")
    scores, worth = measured.tables[:2]
    all_of_them = ("## Scores with all of them\n", as_markdown(scores), "\n## Each of them\n", _worth(worth), "", footing(measured))
    return "\n".join((*all_of_them, "\n## Those that came since\n", _worth(since.tables[1]), "", footing(since)))


def _worth(measured: Table) -> str:
    places = [measured.headings.index(heading) for heading in _COLUMNS]
    there = {rule.name for rule in RULES}
    rows = [[row[place] for place in places] for row in measured.rows if row[0] in there]
    return as_markdown(Table(headings=list(_COLUMNS.values()), rows=rows))
