"""A merged tree of pages written down by hand: what a pass would have seen, and what rules make of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from trial_portal import portal_of

from webarticlecurator.survey.inventory.assembling import inventory_of
from webarticlecurator.survey.inventory.examples import DatedExample
from webarticlecurator.survey.inventory.path_tree import Figures, PathNode, PathStep
from webarticlecurator.survey.inventory.results import DecidedOperation, Decider, Example, Inventory
from webarticlecurator.survey.inventory.start_tags import DistinctCount
from webarticlecurator.survey.inventory.tag_counts import TagCounts
from webarticlecurator.survey.tag import Tag

UNDECIDED = DecidedOperation("unwrap", Decider.NOBODY)


def by_portal(operation: str, rule: str = "portal.yaml:9 x", **more: Any) -> DecidedOperation:
    return DecidedOperation(operation, Decider.PORTAL, rule, **more)


def by_general(operation: str) -> DecidedOperation:
    return DecidedOperation(operation, Decider.GENERAL, "general table")


@dataclass(frozen=True)
class Seen:
    """Elements of one tag on one path."""

    tag: str
    children: tuple[Seen, ...] = ()
    decided: DecidedOperation = UNDECIDED
    frequency: int = 10
    own: int = 0
    links: int = 0
    years: Mapping[int | None, tuple[int, int]] = field(default_factory=dict)
    """Year -> frequency, own words; nothing given: all in 2024."""
    layout: str = ""

    @property
    def words(self) -> int:
        return self.own + sum(child.words for child in self.children)

    @property
    def link_words(self) -> int:
        return self.links + sum(child.link_words for child in self.children)

    @property
    def descendants(self) -> int:
        return sum(child.frequency + child.descendants for child in self.children)


def seen(tag: str, *children: Seen, **figures: Any) -> Seen:
    return Seen(tag, children, **figures)


def counts_of(*containers: Seen, examples: Mapping[str, tuple[Example, ...]] | None = None, **fields: Any) -> TagCounts:
    """What a pass over ten pages counted. `examples`: by tag and operation, such as "p paragraph"."""
    distinct = {name: DistinctCount(range(fields.pop(name))) for name in ("start_tags", "start_tags_with_text") if name in fields}
    counts = TagCounts(**{"years": Counter({2024: 10}), **fields, **distinct})
    for container in containers:
        _plant(container, -1, counts, dropped=False, simple=False)
    for step in counts.tree.steps:
        counts.row_pages[step.row] = 10
        for example in (examples or {}).get(f"{step.tag.text} {step.decided.operation}", ()):
            counts.show(step.row, DatedExample(2024, example))
    return counts


def nodes_of(*containers: Seen) -> list[PathNode]:
    """The nodes that an inventory tells of."""
    return [one for one in counts_of(*containers).tree.nodes() if one.step.is_in_a_row]


def inventory(*containers: Seen, of_pages: int = 10, notes: tuple[str, ...] = (), **fields: Any) -> Inventory:
    """The inventory of what a pass over ten pages counted."""
    return inventory_of(counts_of(*containers, **fields), portal_of(language="hu"), of_pages=of_pages, notes=notes)


def _plant(one: Seen, parent: int, counts: TagCounts, *, dropped: bool, simple: bool) -> None:
    tree = counts.tree
    node = tree.child(parent, PathStep.of(Tag.parse(one.tag), one.decided, layout=one.layout, in_dropped=dropped, in_simple=simple))
    some = Figures(pages=min(one.frequency, 10), words=one.words, link_words=one.link_words, descendants=one.descendants)
    for year, (frequency, own) in (one.years or {2024: (one.frequency, one.own)}).items():
        tree.of(node, year).add(Figures(frequency=frequency, own_words=own))
        tree.of(node, year).add(some)
        some = Figures()
    within = one.decided.operation if parent >= 0 else ""
    for child in one.children:
        _plant(child, node, counts, dropped=dropped or within in ("decompose", "divider"), simple=simple or within == "unwrap-all")
