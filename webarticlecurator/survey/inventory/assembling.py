"""From what a pass counted to the inventory: a row for each tag under one decision, with a suggestion where no person decided."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC

from webarticlecurator.config.portal import Portal
from webarticlecurator.dates import DateFormat, read_date
from webarticlecurator.survey.inventory.coverage import coverage_of
from webarticlecurator.survey.inventory.nesting import pairs_of, trees_of
from webarticlecurator.survey.inventory.path_tree import Figures, PathNode
from webarticlecurator.survey.inventory.results import Decider, Example, Inventory, Reduction, TagRow
from webarticlecurator.survey.inventory.suggestions import BY_NO_PERSON, suggested
from webarticlecurator.survey.inventory.tag_counts import TagCounts
from webarticlecurator.survey.inventory.tag_facts import Neighbours, TagFacts, neighbours_of
from webarticlecurator.survey.tag import Tag

_AUTO = (DateFormat.parse("auto"),)
_LONGEST_DATE = 60
"""Characters."""
_FEWEST_PAGES = 2
"""Of a text that recurs."""


def inventory_of(counts: TagCounts, portal: Portal, *, of_pages: int, notes: Sequence[str] = ()) -> Inventory:
    """What a portal's pages are made of. `of_pages`: articles that something is stored of; `notes`: sentences for the person."""
    nodes = tuple(counts.tree.nodes())
    counted = [one for one in nodes if one.step.is_in_a_row]
    rows = _rows(counted, counts, portal.language)
    return Inventory(
        portal=portal.name,
        pages=counts.years.total(),
        of_pages=of_pages,
        passed_over=dict(counts.passed_over),
        notes=(*notes, *_folded(nodes)),
        rows=rows,
        trees=trees_of(counted),
        pairs=pairs_of(counted),
        reduction=_reduction(nodes, rows, counts),
        coverage=coverage_of(nodes, counts.years),
    )


def _rows(nodes: Sequence[PathNode], counts: TagCounts, language: str | None) -> tuple[TagRow, ...]:
    """Those with text first; most words at stake first."""
    places: defaultdict[str, list[PathNode]] = defaultdict(list)
    for one in nodes:
        if not one.is_container:
            places[one.step.row].append(one)
    neighbours = neighbours_of(nodes, {key for key, here in places.items() if here[0].decided.decider in BY_NO_PERSON})
    recurring = _recurring(counts)
    rows = []
    for key, here in places.items():
        row = _row(key, here, counts)
        if key in neighbours:
            facts = _facts(here[0].tag, row, neighbours[key], recurring.get(key, ()), language)
            row = replace(row, suggestion=suggested(facts, row.decided))
        rows.append(row)
    return tuple(sorted(rows, key=_order))


def _row(key: str, places: Sequence[PathNode], counts: TagCounts) -> TagRow:
    """One row, without a suggestion."""
    years = [year for node in places for year in node.years if year is not None]
    total = Figures()
    for node in places:
        total.add(node.total)
    return TagRow(
        tag=places[0].tag.text,
        decided=places[0].decided,
        frequency=total.frequency,
        pages=min(counts.row_pages[key], total.pages),
        first_year=min(years, default=None),
        last_year=max(years, default=None),
        words=total.words,
        own_words=total.own_words,
        link_words=total.link_words,
        descendants=total.descendants,
        examples=tuple(one.example for one in counts.examples.get(key, ())),
    )


def _order(row: TagRow) -> tuple[bool, int, int, str, str, str]:
    return not row.has_text, -row.words, -row.frequency, row.tag, row.decided.rule, row.decided.condition


def _facts(tag: Tag, row: TagRow, neighbours: Neighbours, recurring: Sequence[tuple[str, int]], language: str | None) -> TagFacts:
    return TagFacts(
        tag=tag,
        frequency=row.frequency,
        pages=row.pages,
        mean_words=row.mean_words,
        mean_own_words=row.mean_own_words,
        mean_descendants=row.mean_descendants,
        link_share=row.link_share,
        neighbours=neighbours,
        repeated_text=recurring[0][0] if recurring else "",
        most_repeated=recurring[0][1] if recurring else 0,
        repeated_on=min(row.pages, sum(pages for _, pages in recurring)),
        examples=row.examples,
        dated_examples=sum(_is_date(example, language) for example in row.examples),
    )


def _is_date(example: Example, language: str | None) -> bool:
    return 0 < len(example.text) <= _LONGEST_DATE and read_date(_AUTO, example.text, language=language, timezone=UTC, now=None) is not None


def _recurring(counts: TagCounts) -> Mapping[str, Sequence[tuple[str, int]]]:
    """Row -> short texts in it that stand on several pages, each with their number, most pages first."""
    found: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
    for (row, text), pages in sorted(counts.texts.items(), key=lambda one: (-one[1], one[0])):
        if pages >= _FEWEST_PAGES:
            found[row].append((text, pages))
    return found


def _folded(nodes: Iterable[PathNode]) -> tuple[str, ...]:
    rare = [one.total for one in nodes if one.is_folded]
    if not rare:
        return ()
    elements, words = sum(one.frequency for one in rare), sum(one.own_words for one in rare)
    return (
        "The portal has more different paths of tags, or deeper ones, than can be kept apart: what stands on rare paths is counted "
        f"together ({elements:,} elements with {words:,} words), and no rule is shown for it.",
    )


def _reduction(nodes: Iterable[PathNode], rows: Sequence[TagRow], counts: TagCounts) -> Reduction:
    with_text = {one.tag for one in nodes if one.total.words and not (one.is_container or one.is_folded)}
    undecided = {row.tag for row in rows if row.decided.decider is Decider.NOBODY and row.has_text}
    return Reduction(
        tags=counts.start_tags.count,
        with_text=counts.start_tags_with_text.count,
        simplified=len(with_text),
        undecided=len(undecided),
    )
