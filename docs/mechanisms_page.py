"""docs/explanation/mechanisms.md: what each mechanism of the reader is worth, as it was measured last."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))

sys.path.append(str(Path(__file__).resolve().parent.parent / "benchmarks"))

from benchmarks.reader_rules import RULES
from benchmarks.results import FOLDER, Table, as_markdown, footing, load

_HEAD = """\
# What each mechanism of the reader is worth

Each mechanism by which pages are read [without rules](how-it-reads.md) was switched off in turn, and all pages were read again.
This page is written by `make docs` from the last result of `benchmarks/rule_value.py`; the names are those of
`benchmarks/reader_rules.py`. What went since, or has another name, is left out.

Read were the pages of truth sets of other projects (Fundus, Scrapinghub, Trafilatura, CleanPortalEval, WCXB), recorded archive pages, of
which it is only known whether they are listings, and sites in the themes of blogs and forums that the project makes itself
(`examples/sites`). Sites made by real software (`benchmarks/software_sites.py`) are not among them: they need that software installed.
What is worth nothing here may matter on other pages.

## Scores with all of them
"""
_EXPLAINED = """\
## Each of them

- **works on**: the pages on which it does anything; empty where that cannot be noticed.
- **changes**: the pages whose article is another one without it.
- **worse**, **better**: those of them that are farther from what is true without it, and nearer to it.
- **gain**: what it adds to the scores of all pages together (text, title, authors, day, topics, kind, posts, each from 0 to 1). 1 is one
  page that is wholly right instead of wholly wrong; where it is negative, pages are better without it.
- **ms**: what it costs a page, where that was measured and is no chance.
"""
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


def mechanisms_page() -> str:
    measured = load(FOLDER / "rule_value.json")
    scores, worth = measured.tables[:2]
    places = [worth.headings.index(heading) for heading in _COLUMNS]
    there = {rule.name for rule in RULES}
    rows = [[row[place] for place in places] for row in worth.rows if row[0] in there]
    parts = (
        _HEAD,
        as_markdown(scores),
        "",
        _EXPLAINED,
        as_markdown(Table(headings=list(_COLUMNS.values()), rows=rows)),
        "",
        footing(measured),
    )
    return "\n".join(parts) + "\n"
