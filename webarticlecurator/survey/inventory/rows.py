"""The rows of an inventory: the figures of a tag under one ruling, summed over all places where it stands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from webarticlecurator.survey.counting.observed import DecidedNode, Node, Observed
from webarticlecurator.survey.inventory.results import Example, Ruling, TagRow
from webarticlecurator.survey.tag import Tag

Key = tuple[Tag, Ruling]
"""A tag under one ruling."""
_EXAMPLES = 3


def places_of(nodes: Iterable[DecidedNode]) -> Mapping[Key, Sequence[Node]]:
    """Where each tag stands under each ruling; containers are no tags that a rule decides."""
    places: defaultdict[Key, list[Node]] = defaultdict(list)
    for one in nodes:
        if not one.node.is_container:
            places[one.node.tag, one.ruling].append(one.node)
    return places


def row_of(key: Key, places: Sequence[Node], observed: Observed) -> TagRow:
    """One row, without a suggestion."""
    tag, ruling = key
    seen = observed.tags.get(tag.text)
    years = [year for node in places for year in node.years if year is not None]
    pages = sum(node.pages for node in places)
    return TagRow(
        tag=tag.text,
        ruling=ruling,
        frequency=sum(node.frequency for node in places),
        pages=min(pages, seen.pages) if seen is not None else pages,
        first_year=min(years, default=None),
        last_year=max(years, default=None),
        words=sum(node.words for node in places),
        own_words=sum(node.own_words for node in places),
        link_words=sum(node.link_words for node in places),
        descendants=sum(node.descendants for node in places),
        examples=_examples(tag, places, observed),
        new=seen is not None and seen.new,
    )


def _examples(tag: Tag, places: Sequence[Node], observed: Observed) -> tuple[Example, ...]:
    """Of different pages; those of the tag that stand here, then those of the places with most words."""
    here = {node.id for node in places}
    seen = observed.tags.get(tag.text)
    found = [placed.example for placed in seen.examples if placed.node in here] if seen is not None else []
    for node in sorted(places, key=lambda node: (-node.words, -node.frequency, node.id)):
        if len(found) >= 2 * _EXAMPLES:
            break
        found += observed.examples.get(node.id, ())
    return tuple({example.url: example for example in reversed(found)}.values())[::-1][:_EXAMPLES]


def in_order(rows: Iterable[TagRow]) -> tuple[TagRow, ...]:
    """Those with text first; most words at stake first."""
    return tuple(sorted(rows, key=_order))


def _order(row: TagRow) -> tuple[bool, int, int, str, str, str]:
    return not row.has_text, -row.words, -row.frequency, row.tag, row.ruling.rule, row.ruling.condition
