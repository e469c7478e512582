"""A merged tree of pages written down by hand: what a pass would have seen, and what rules make of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from webarticlecurator.survey.counting.observed import DecidedNode, Node, Observed, PlacedExample, SeenTag, YearFigures
from webarticlecurator.survey.inventory.results import Decider, Example, Ruling
from webarticlecurator.survey.tag import Tag

UNDECIDED = Ruling("unwrap", Decider.NOBODY)


def by_portal(operation: str, rule: str = "portal.yaml:9 x", **more: Any) -> Ruling:
    return Ruling(operation, Decider.PORTAL, rule, **more)


def by_general(operation: str) -> Ruling:
    return Ruling(operation, Decider.GENERAL, "general table")


@dataclass(frozen=True)
class Seen:
    """Elements of one tag on one path."""

    tag: str
    children: tuple[Seen, ...] = ()
    ruling: Ruling = UNDECIDED
    frequency: int = 10
    own: int = 0
    links: int = 0
    years: Mapping[int | None, tuple[int, int]] = field(default_factory=dict)
    """Year -> frequency, own words; nothing given: all in 2024."""
    more: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of the node."""

    @property
    def words(self) -> int:
        return self.own + sum(child.words for child in self.children)

    @property
    def link_words(self) -> int:
        return self.links + sum(child.link_words for child in self.children)

    @property
    def descendants(self) -> int:
        return sum(child.frequency + child.descendants for child in self.children)


def seen(tag: str, *children: Seen, ruling: Ruling = UNDECIDED, **figures: Any) -> Seen:
    known = {name: figures.pop(name) for name in ("frequency", "own", "links", "years") if name in figures}
    return Seen(tag, children, ruling, **known, more=figures)


def observed(*containers: Seen, examples: Mapping[str, tuple[Example, ...]] | None = None, **fields: Any) -> Observed:
    """What a pass over ten pages saw. `examples`: of tags."""
    nodes: list[DecidedNode] = []
    for container in containers:
        _plant(container, None, nodes, "", dropped=False, simple=False)
    fields.setdefault("pages", 10)
    fields.setdefault("of_pages", fields["pages"])
    fields.setdefault("years", {2024: fields["pages"]})
    fields.setdefault("tags", dict(_tags(nodes, examples or {}, frozenset(fields.pop("new", ())))))
    return Observed(portal="pelda", nodes=tuple(nodes), **fields)


def _plant(one: Seen, parent: int | None, nodes: list[DecidedNode], layout: str, *, dropped: bool, simple: bool) -> None:
    layout = one.more.get("layout", layout)
    years = one.years or {2024: (one.frequency, one.own)}
    node = Node(
        id=len(nodes),
        parent=parent,
        tag=Tag.parse(one.tag),
        frequency=one.frequency,
        own_words=one.own,
        words=one.words,
        link_words=one.link_words,
        descendants=one.descendants,
        years={year: YearFigures(frequency=frequency, own_words=own) for year, (frequency, own) in years.items()},
        **{"pages": min(one.frequency, 10), **one.more, "layout": layout},
    )
    nodes.append(DecidedNode(node=node, ruling=one.ruling, inside_dropped=dropped, inside_simple=simple))
    for child in one.children:
        within = one.ruling.operation if parent is not None else ""
        _plant(
            child, node.id, nodes, layout, dropped=dropped or within in ("decompose", "divider"), simple=simple or within == "unwrap-all"
        )


def _tags(nodes: list[DecidedNode], examples: Mapping[str, tuple[Example, ...]], new: frozenset[str]) -> Iterator[tuple[str, SeenTag]]:
    pages = Counter[str]()
    places: dict[str, DecidedNode] = {}
    for one in nodes:
        pages[one.node.tag.text] += one.node.pages
        places.setdefault(one.node.tag.text, one)
    for text, one in places.items():
        placed = tuple(PlacedExample(node=one.node.id, year=2024, example=example) for example in examples.get(text, ()))
        yield text, SeenTag(tag=one.node.tag, pages=min(pages[text], 10), examples=placed, new=text in new)
