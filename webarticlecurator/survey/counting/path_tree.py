"""The tree of all pages merged: which simplified tags stand in which, and how often, how long, in which years."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import orjson

from webarticlecurator.survey.counting.observed import MORE
from webarticlecurator.survey.tag import Tag

MOST_NODES = 30_000
"""Of one portal: beyond them the rarest paths are folded into one below their parent."""
MOST_FIGURES = 200_000
"""Nodes times the years in which they occur."""

Year = int | None


@dataclass(frozen=True, slots=True)
class Spot:
    """What tells a node from its siblings."""

    key: str
    """All of it in one text: what is compared, stored and sent, since there are very many of them."""
    text: str = field(compare=False)
    """Of the tag."""
    tag: Tag = field(compare=False)
    whole: Tag | None = field(compare=False)
    facts: frozenset[str] = field(compare=False)
    furniture: str = field(compare=False)
    layout: str = field(compare=False)
    """Of a container, as is what stands above it."""
    above: tuple[Tag, ...] = field(compare=False)

    @classmethod
    def of(
        cls,
        tag: Tag,
        whole: Tag | None = None,
        facts: Iterable[str] = (),
        furniture: str = "",
        layout: str = "",
        above: tuple[Tag, ...] = (),
    ) -> Spot:
        parts = (_plain(tag), whole and _plain(whole), sorted(facts), furniture, layout, tuple(map(_plain, above)))
        return cls(orjson.dumps(parts).decode(), tag.text, tag, whole, frozenset(facts), furniture, layout, above)

    @classmethod
    def from_key(cls, key: str) -> Spot:
        """Raises ValueError or TypeError where it is none."""
        tag, whole, facts, furniture, layout, above = orjson.loads(key)
        return cls.of(_tag(tag), whole and _tag(whole), facts, furniture, layout, tuple(map(_tag, above)))

    @property
    def is_more(self) -> bool:
        return self.tag == MORE


def _plain(tag: Tag) -> tuple[Any, ...]:
    return tag.name, tag.id, tag.classes, tag.attributes


def _tag(plain: tuple[Any, ...]) -> Tag:
    name, id, classes, attributes = plain
    return Tag(name, id, tuple(classes), tuple((key, value) for key, value in attributes))


FOLDED = Spot.of(MORE)


class Figures:
    """A node in the pages of one year."""

    __slots__ = ("descendants", "frequency", "link_words", "own_words", "pages", "words")

    def __init__(
        self, frequency: int = 0, pages: int = 0, own_words: int = 0, words: int = 0, link_words: int = 0, descendants: int = 0
    ) -> None:
        self.frequency, self.pages, self.own_words = frequency, pages, own_words
        self.words, self.link_words, self.descendants = words, link_words, descendants

    @property
    def values(self) -> tuple[int, ...]:
        """In the order in which they are given."""
        return self.frequency, self.pages, self.own_words, self.words, self.link_words, self.descendants

    def add(self, other: Figures, *, inside: bool = True) -> None:
        """`inside`: also what lies in the elements; False where the element around them brings that along."""
        self.frequency += other.frequency
        self.own_words += other.own_words
        if inside:
            self.pages += other.pages
            self.words += other.words
            self.link_words += other.link_words
            self.descendants += other.descendants


@dataclass(slots=True)
class Tree:
    """Nodes by their number, parents before children, each with its figures by year."""

    parents: list[int] = field(default_factory=list)
    """-1 above a container."""
    spots: list[Spot] = field(default_factory=list)
    figures: list[dict[Year, Figures]] = field(default_factory=list)
    index: dict[tuple[int, str], int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.parents)

    def child(self, parent: int, spot: Spot) -> int:
        """The node below another one, made where there is none."""
        node = self.index.get((parent, spot.key))
        if node is None:
            node = self.index[parent, spot.key] = len(self.parents)
            self.parents.append(parent)
            self.spots.append(spot)
            self.figures.append({})
        return node

    def of(self, node: int, year: Year) -> Figures:
        """Figures to be added to."""
        years = self.figures[node]
        figures = years.get(year)
        if figures is None:
            figures = years[year] = Figures()
        return figures

    def packed(self) -> PackedTree:
        """What another tree has to know to take this one in."""
        figures = [(node, year, one.values) for node, years in enumerate(self.figures) for year, one in years.items()]
        return PackedTree(self.parents, [spot.key for spot in self.spots], figures)

    def join(self, other: PackedTree) -> list[int]:
        """Take in all of another tree; gives our node for each of its nodes."""
        nodes: list[int] = []
        for parent, key in zip(other.parents, other.keys, strict=True):
            above = nodes[parent] if parent >= 0 else -1
            node = self.index.get((above, key))
            nodes.append(self.child(above, Spot.from_key(key)) if node is None else node)
        for node, year, values in other.figures:
            years = self.figures[nodes[node]]
            if year in years:
                years[year].add(Figures(*values))
            else:
                years[year] = Figures(*values)
        return nodes

    @property
    def rows(self) -> int:
        return sum(map(len, self.figures))

    def pages(self, node: int) -> int:
        return sum(figures.pages for figures in self.figures[node].values())


@dataclass(frozen=True, slots=True)
class PackedTree:
    """A tree that travels."""

    parents: list[int]
    keys: list[str]
    figures: list[tuple[int, Year, tuple[int, ...]]]
    """Node, year, and the values of its figures."""


def nodes_to_keep(tree: Tree) -> set[int]:
    """The nodes on most pages; a node is never kept without its parent, which is on no fewer pages.

    Half of what may be, so that what comes anew has room to show how frequent it is before it is weighed against the rest.
    """
    pages = [tree.pages(node) for node in range(len(tree))]
    kept: set[int] = set()
    rows = 0
    for node in sorted(range(len(tree)), key=lambda node: (-pages[node], node))[: MOST_NODES // 2]:
        rows += len(tree.figures[node])
        if rows > MOST_FIGURES // 2:
            break
        if tree.parents[node] in kept or tree.parents[node] < 0:
            kept.add(node)
    return kept
