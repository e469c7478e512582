"""The page on what other readers make of a corpus: one chart and one sentence of who is ahead where, then
tables, and the pages that differ most."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from webarticlecurator.report.charts import ChartSeries, Panel, columns
from webarticlecurator.report.pages import page

Scores = Mapping[str, Mapping[str, float]]
"""What was compared, and of each reader the F1 in percent."""


def readers_page(made: Any) -> bytes:
    """Return the whole file of a comparison."""
    scores = _scores(made)
    readers = dict.fromkeys(reader for of_readers in scores.values() for reader in of_readers)
    panels = [
        Panel(
            f"{reader}, percent",
            [ChartSeries(reader, [of_readers.get(reader, 0) for of_readers in scores.values()], "t0")],
            height=60,
            top=100,
        )
        for reader in readers
    ]
    chart = columns("nearest", list(scores), *panels)
    whole = page("compare.html", frames=True, made=made, chart=chart, nearest=_nearest(scores, made.truth))
    return whole.encode("utf-8", "replace")


def _scores(made: Any) -> Scores:
    """Return how near each reader is to the corpus in texts, and to what is held to be true in each field."""
    scores: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for row in made.text:
        scores["text"][row.reader] = 100 * row.f1
    for row in made.metadata:
        both = row.precision + row.recall
        scores[row.field][row.reader] = 200 * row.precision * row.recall / (both or 1)
    return scores


def _nearest(scores: Scores, truth: str) -> str:
    """Return in a sentence who is ahead where."""
    of_readers: defaultdict[str, list[str]] = defaultdict(list)
    for what, shares in scores.items():
        best = max(shares.values())
        names = " and ".join(reader for reader, share in shares.items() if share == best)
        of_readers[names].append(f"{what} ({best:.0f} %)")
    ahead = "; ".join(f"{names} in {', '.join(parts)}" for names, parts in of_readers.items())
    return f"Ahead by F1, in text beside the corpus, in metadata beside {truth}: {ahead}."
