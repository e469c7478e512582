"""From what a pass saw and what the rules decide to the inventory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC

from webarticlecurator.dates import DateFormat, read_date
from webarticlecurator.survey.counting.observed import DecidedNode, Observed, RecurringText
from webarticlecurator.survey.inventory.coverage import coverage_of
from webarticlecurator.survey.inventory.facts import Neighbours, TagFacts
from webarticlecurator.survey.inventory.neighbours import neighbours_of
from webarticlecurator.survey.inventory.pairs import pairs_of
from webarticlecurator.survey.inventory.results import Decider, Example, Inventory, Reduction, TagRow
from webarticlecurator.survey.inventory.rows import in_order, places_of, row_of
from webarticlecurator.survey.inventory.suggestions import BY_NO_PERSON, suggested
from webarticlecurator.survey.inventory.trees import trees_of
from webarticlecurator.survey.tag import Tag

_AUTO = (DateFormat.parse("auto"),)
_LONGEST_DATE = 60
"""Characters."""


def inventory_of(observed: Observed, language: str | None) -> Inventory:
    """What a portal's pages are made of. `language`: the portal's, for dates in it."""
    counted = [one for one in observed.nodes if not (one.inside_dropped or one.inside_simple or one.node.is_more)]
    rows = _rows(counted, observed, language)
    return Inventory(
        portal=observed.portal,
        pages=observed.pages,
        of_pages=observed.of_pages,
        passed_over=observed.passed_over,
        first=observed.first,
        notes=observed.notes,
        rows=rows,
        trees=trees_of(counted),
        pairs=pairs_of(counted),
        reduction=_reduction(observed, rows),
        coverage=coverage_of(observed),
    )


def _rows(nodes: Sequence[DecidedNode], observed: Observed, language: str | None) -> tuple[TagRow, ...]:
    places = places_of(nodes)
    neighbours = neighbours_of(nodes, {key for key in places if key[1].decider in BY_NO_PERSON})
    recurring = _by_tag(observed.recurring)
    rows = []
    for key, here in places.items():
        row = row_of(key, here, observed)
        if key in neighbours:
            facts = _facts(key[0], row, neighbours[key], recurring.get(row.tag, ()), language)
            row = replace(row, suggestion=suggested(facts, row.ruling))
        rows.append(row)
    return in_order(rows)


def _facts(tag: Tag, row: TagRow, neighbours: Neighbours, recurring: Sequence[RecurringText], language: str | None) -> TagFacts:
    return TagFacts(
        tag=tag,
        frequency=row.frequency,
        pages=row.pages,
        mean_words=row.mean_words,
        mean_own_words=row.mean_own_words,
        mean_descendants=row.mean_descendants,
        link_share=row.link_share,
        neighbours=neighbours,
        repeated_text=recurring[0].text if recurring else "",
        most_repeated=min(row.pages, recurring[0].pages) if recurring else 0,
        repeated_on=min(row.pages, sum(one.pages for one in recurring)),
        examples=row.examples,
        dated_examples=sum(_is_date(example, language) for example in row.examples),
    )


def _is_date(example: Example, language: str | None) -> bool:
    return 0 < len(example.text) <= _LONGEST_DATE and read_date(_AUTO, example.text, language=language, timezone=UTC, now=None) is not None


def _by_tag(texts: Iterable[RecurringText]) -> Mapping[str, Sequence[RecurringText]]:
    found: defaultdict[str, list[RecurringText]] = defaultdict(list)
    for one in texts:
        found[one.tag].append(one)
    return found


def _reduction(observed: Observed, rows: Sequence[TagRow]) -> Reduction:
    nodes = (one.node for one in observed.nodes)
    with_text = {node.tag for node in nodes if node.words and not (node.is_container or node.is_more)}
    undecided = {row.tag for row in rows if row.ruling.decider is Decider.NOBODY and row.has_text}
    return Reduction(
        tags=observed.start_tags,
        with_text=observed.start_tags_with_text,
        simplified=len(with_text),
        undecided=len(undecided),
    )
