"""The tree of all pages merged: which simplified tags stand in which, what the rules decide, and how often, how long, in which years."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from webarticlecurator.extraction.body.tag_names import Tag
from webarticlecurator.survey.inventory.results import DecidedOperation, Decider
from webarticlecurator.survey.stored_page import Year

MOST_NODES = 30_000
"""Of one portal: beyond them the rarest paths are folded into one below their parent."""
MOST_FIGURES = 200_000
"""Nodes times the years in which they occur."""
MORE = Tag("*more*")
"""Stands for paths that are too many or too deep to be kept apart."""


@dataclass(frozen=True, slots=True)
class PathStep:
    """What tells a node from its siblings: elements of one simplified tag that the rules decide alike."""

    key: str
    """All of it in one text, so that it is compared fast."""
    row: str = field(compare=False)
    """The same for all places of a tag under one decision: they are one row of the inventory."""
    tag: Tag = field(compare=False)
    decided: DecidedOperation = field(compare=False)
    layout: str = field(compare=False)
    """Of a container; "" for the base rules."""
    in_dropped: bool = field(compare=False)
    """It lies in something that is left out, or that stands for what it shows: nothing is at stake there, and no rule is asked."""
    in_simple: bool = field(compare=False)
    """It lies in something that `unwrap-all` made simple; what decides it is that rule."""

    @classmethod
    def of(cls, tag: Tag, decided: DecidedOperation, *, layout: str = "", in_dropped: bool = False, in_simple: bool = False) -> PathStep:
        row = f"{tag.text} {decided!r}"
        return cls(f"{row} {layout!r} {in_dropped} {in_simple}", row, tag, decided, layout, in_dropped, in_simple)

    @property
    def is_folded(self) -> bool:
        """It stands for many paths that were folded into one; what decides it means nothing."""
        return self.tag.name == MORE.name

    @property
    def is_in_a_row(self) -> bool:
        """Whether the inventory tells of it: something is at stake there."""
        return not (self.in_dropped or self.in_simple or self.is_folded)


FOLDED = PathStep.of(MORE, DecidedOperation("unwrap", Decider.NOBODY, "many rare paths"))


@dataclass(slots=True)
class Figures:
    """A node in the pages of one year, or of all."""

    frequency: int = 0
    pages: int = 0
    own_words: int = 0
    """Immediately in the elements."""
    words: int = 0
    """In the elements, with all in them; what lies in scripts, styles, templates and comments is not looked at."""
    link_words: int = 0
    """Of `words`, those in links."""
    descendants: int = 0
    """Elements in them."""

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


@dataclass(frozen=True, slots=True)
class PathNode:
    """A path of simplified tags, from a container down, in all pages."""

    id: int
    """Greater than that of its parent."""
    parent: int | None
    """None: the article container itself, which no rule decides."""
    step: PathStep
    layout: str
    """"" for the base rules."""
    total: Figures
    years: Mapping[Year, Figures]
    """None: pages without a date."""

    @property
    def tag(self) -> Tag:
        return self.step.tag

    @property
    def decided(self) -> DecidedOperation:
        return self.step.decided

    @property
    def is_container(self) -> bool:
        return self.parent is None


@dataclass(slots=True)
class PathTree:
    """Nodes by their number, parents before children, each with its figures by year."""

    parents: list[int] = field(default_factory=list)
    """-1 above a container."""
    steps: list[PathStep] = field(default_factory=list)
    figures: list[dict[Year, Figures]] = field(default_factory=list)
    index: dict[tuple[int, str], int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.parents)

    def __getstate__(self) -> tuple[Any, ...]:
        """Without the index: a tree that travels is only joined to another one."""
        return self.parents, self.steps, [[(year, one.values) for year, one in years.items()] for years in self.figures]

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.parents, self.steps, figures = state
        self.figures = [{year: Figures(*values) for year, values in years} for years in figures]
        self.index = {}

    def child(self, parent: int, step: PathStep) -> int:
        """The node below another one, made where there is none."""
        node = self.index.get((parent, step.key))
        if node is None:
            node = self.index[parent, step.key] = len(self.parents)
            self.parents.append(parent)
            self.steps.append(step)
            self.figures.append({})
        return node

    def of(self, node: int, year: Year) -> Figures:
        """Figures to be added to."""
        return self.figures[node].setdefault(year, Figures())

    def join(self, other: PathTree) -> None:
        """Take in all of another tree."""
        nodes: list[int] = []
        for parent, step, years in zip(other.parents, other.steps, other.figures, strict=True):
            node = self.child(nodes[parent] if parent >= 0 else -1, step)
            nodes.append(node)
            for year, figures in years.items():
                self.of(node, year).add(figures)

    def nodes(self) -> Iterator[PathNode]:
        """All on which an element stands, parents before their children."""
        layouts: list[str] = []
        for node, (parent, step, years) in enumerate(zip(self.parents, self.steps, self.figures, strict=True)):
            layouts.append(layouts[parent] if parent >= 0 else step.layout)
            total = Figures()
            for figures in years.values():
                total.add(figures)
            if total.frequency:
                yield PathNode(node, parent if parent >= 0 else None, step, layouts[node], total, years)

    @property
    def is_too_large(self) -> bool:
        return len(self) > MOST_NODES or sum(map(len, self.figures)) > MOST_FIGURES

    def folded(self) -> PathTree:
        """The same with the rarest paths folded into one below their parent."""
        kept = self._most_frequent()
        nodes: list[int] = []
        tree = PathTree()
        for node, (parent, step, years) in enumerate(zip(self.parents, self.steps, self.figures, strict=True)):
            above = nodes[parent] if parent >= 0 else -1
            inside_folded = parent >= 0 and parent not in kept
            new = above if inside_folded else tree.child(above, step if node in kept else FOLDED)
            nodes.append(new)
            for year, figures in years.items():
                tree.of(new, year).add(figures, inside=not inside_folded)
        return tree

    def _most_frequent(self) -> set[int]:
        """The nodes on most pages; a node is never kept without its parent, which is on no fewer pages.

        Half of what may be, so that what comes anew has room to show how frequent it is before it is weighed against the rest.
        """
        pages = [sum(figures.pages for figures in years.values()) for years in self.figures]
        kept: set[int] = set()
        rows = 0
        for node in sorted(range(len(self)), key=lambda node: (-pages[node], node))[: MOST_NODES // 2]:
            rows += len(self.figures[node])
            if rows > MOST_FIGURES // 2:
                break
            if self.parents[node] in kept or self.parents[node] < 0:
                kept.add(node)
        return kept
