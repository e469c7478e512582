"""Observations as rows of tables, and back."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import orjson

from webarticlecurator.survey.counting.observations import Observations
from webarticlecurator.survey.counting.observed import PlacedExample
from webarticlecurator.survey.counting.path_tree import Figures, Spot, Tree
from webarticlecurator.survey.counting.sketch import Distinct
from webarticlecurator.survey.inventory.results import Example

_HASH = 8
"""Bytes."""


def write(observations: Observations, db: sqlite3.Connection) -> None:
    """Into tables that are empty."""
    for table, rows in _tables(observations):
        rows = iter(rows)
        first = next(rows, None)
        if first is not None:
            insert = f"INSERT INTO {table} VALUES ({', '.join('?' * len(first))})"
            db.execute(insert, first)
            db.executemany(insert, rows)


def read(db: sqlite3.Connection) -> Observations:
    """Raises sqlite3.DatabaseError, ValueError, TypeError or IndexError where the tables are not what `write` makes."""
    return Observations(
        tree=_tree(db),
        years=Counter(dict(db.execute("SELECT year, pages FROM years"))),
        passed_over=Counter({(outcome, reason): pages for outcome, reason, pages in db.execute("SELECT * FROM passed_over")}),
        tag_pages=Counter(dict(db.execute("SELECT tag, pages FROM tags"))),
        examples=_examples(db),
        first_examples={node: Example(**orjson.loads(text)) for node, text in db.execute("SELECT node, example FROM first_examples")},
        texts=Counter({(tag, text): pages for tag, text, pages in db.execute("SELECT * FROM texts")}),
        start_tags=_distinct(db, "start_tags"),
        start_tags_with_text=_distinct(db, "start_tags_with_text"),
        above={feature for (feature,) in db.execute("SELECT feature FROM above")},
    )


def _tables(one: Observations) -> Iterator[tuple[str, Iterable[tuple[Any, ...]]]]:
    tree = one.tree
    yield "nodes", ((node, tree.parents[node], tree.spots[node].key) for node in range(len(tree)))
    yield "figures", ((node, year, *figures.values) for node, years in enumerate(tree.figures) for year, figures in years.items())
    yield "years", one.years.items()
    yield "passed_over", ((*why, pages) for why, pages in one.passed_over.items())
    yield "tags", one.tag_pages.items()
    yield "examples", ((tag, at.node, at.year, orjson.dumps(at.example)) for tag, shown in one.examples.items() for at in shown)
    yield "first_examples", ((node, orjson.dumps(example)) for node, example in one.first_examples.items())
    yield "texts", ((*text, pages) for text, pages in one.texts.items())
    yield "above", ((feature,) for feature in one.above)
    yield "start_tags", ((_packed(one.start_tags),),)
    yield "start_tags_with_text", ((_packed(one.start_tags_with_text),),)


def _tree(db: sqlite3.Connection) -> Tree:
    tree = Tree()
    for node, parent, spot in db.execute("SELECT id, parent, spot FROM nodes ORDER BY id"):
        if parent >= node or tree.child(parent, Spot.from_key(spot)) != node:
            raise ValueError(f"node {node} is not where it should be")
    for node, year, *values in db.execute("SELECT * FROM figures"):
        tree.figures[node][year] = Figures(*values)
    return tree


def _examples(db: sqlite3.Connection) -> dict[str, list[PlacedExample]]:
    examples: dict[str, list[PlacedExample]] = {}
    for tag, node, year, text in db.execute("SELECT tag, node, year, example FROM examples ORDER BY rowid"):
        examples.setdefault(tag, []).append(PlacedExample(node=node, year=year, example=Example(**orjson.loads(text))))
    return examples


def _packed(distinct: Distinct) -> bytes:
    return b"".join(one.to_bytes(_HASH, "big") for one in distinct.hashes())


def _distinct(db: sqlite3.Connection, table: str) -> Distinct:
    packed = b"".join(hashes for (hashes,) in db.execute(f"SELECT hashes FROM {table}"))
    return Distinct(int.from_bytes(packed[at : at + _HASH], "big") for at in range(0, len(packed), _HASH))
