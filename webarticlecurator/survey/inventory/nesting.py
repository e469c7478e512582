"""Which tags stand in which: the same paths of all pages as one content tree, and pairs of tags for rules that hold only in a context."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nlargest

from webarticlecurator.extraction.body.tag_names import Tag
from webarticlecurator.survey.inventory.path_tree import PathNode
from webarticlecurator.survey.inventory.results import DecidedOperation, Pair, TreeNode

_MOST_NODES = 4_000
"""Of the content tree of a layout; those with most words."""
_DEEPEST = 60
_MOST_TAGS = 300
"""Tags of which pairs are made: those with most words, then with most elements."""
_MOST_PAIRS = 1_000
_Names = tuple[Tag, Tag, bool]
"""Outer, inner, and whether the inner one is a child."""


@dataclass(slots=True)
class _Path:
    """A path that grows while nodes are joined."""

    tag: Tag
    decided: DecidedOperation
    depth: int
    frequency: int = 0
    words: int = 0
    own_words: int = 0
    children: dict[tuple[Tag, DecidedOperation], _Path] = field(default_factory=dict)

    def below(self) -> int:
        """How many paths there are below it, whatever the depth."""
        count, waiting = 0, list(self.children.values())
        while waiting:
            count += 1
            waiting.extend(waiting.pop().children.values())
        return count


def trees_of(nodes: Iterable[PathNode]) -> Mapping[str, tuple[TreeNode, ...]]:
    """The content tree: layout -> its roots, without what is rare and holds little; parents come before their children in `nodes`."""
    layouts: defaultdict[str, dict[tuple[Tag, DecidedOperation], _Path]] = defaultdict(dict)
    places: dict[int, _Path] = {}
    for one in nodes:
        parent = places.get(one.parent) if one.parent is not None else None
        level = parent.children if parent is not None else layouts[one.layout]
        path = level.setdefault((one.tag, one.decided), _Path(one.tag, one.decided, parent.depth + 1 if parent is not None else 0))
        path.frequency += one.total.frequency
        path.words += one.total.words
        path.own_words += one.total.own_words
        places[one.id] = path
    return {layout: _kept(list(roots.values())) for layout, roots in sorted(layouts.items())}


def _kept(roots: Sequence[_Path]) -> tuple[TreeNode, ...]:
    """The tree of the paths with most words: a parent has no fewer than its children, so that what is kept hangs together."""
    order = sorted(_all(roots), key=lambda path: (-path.words, path.depth, -path.frequency))
    kept = {id(path) for path in order[:_MOST_NODES] if path.depth <= _DEEPEST}
    made: dict[int, TreeNode] = {}
    for path in sorted((path for path in order if id(path) in kept), key=lambda path: -path.depth):
        children = sorted(path.children.values(), key=_heaviest_first)
        left_out = [child for child in children if id(child) not in made]
        made[id(path)] = TreeNode(
            tag=path.tag.text,
            decided=path.decided,
            frequency=path.frequency,
            words=path.words,
            own_words=path.own_words,
            children=tuple(made[id(child)] for child in children if id(child) in made),
            more=sum(1 + child.below() for child in left_out),
            more_words=sum(child.words for child in left_out),
        )
    return tuple(made[id(root)] for root in sorted(roots, key=_heaviest_first) if id(root) in made)


def _heaviest_first(path: _Path) -> tuple[int, int, str]:
    return -path.words, -path.frequency, path.tag.text


def _all(roots: Sequence[_Path]) -> list[_Path]:
    found, waiting = [], list(roots)
    while waiting:
        path = waiting.pop()
        found.append(path)
        waiting.extend(path.children.values())
    return found


def pairs_of(nodes: Sequence[PathNode]) -> tuple[Pair, ...]:
    """The pairs with most words in the inner one; parents come before their children in `nodes`."""
    telling = _telling_tags(nodes)
    parents: dict[int | None, Tag | None] = {None: None}
    above: dict[int | None, tuple[Tag, ...]] = {None: ()}
    frequency, words = Counter[_Names](), Counter[_Names]()
    operations: defaultdict[_Names, Counter[str]] = defaultdict(Counter)
    for one in nodes:
        outers = above[one.parent]
        parents[one.id] = one.tag
        if one.tag not in telling:
            above[one.id] = outers
            continue
        above[one.id] = outers if one.tag in outers else (*outers, one.tag)
        for outer in outers:
            names = outer, one.tag, outer == parents[one.parent]
            frequency[names] += one.total.frequency
            words[names] += one.total.words
            operations[names][one.decided.becomes] += one.total.frequency
    most = sorted(frequency, key=lambda names: (-words[names], not names[2], -frequency[names], names[0].text, names[1].text))[:_MOST_PAIRS]
    return tuple(
        Pair(
            outer=outer.text,
            inner=inner.text,
            adjacent=adjacent,
            frequency=frequency[outer, inner, adjacent],
            words=words[outer, inner, adjacent],
            operation=_joined(operations[outer, inner, adjacent]),
        )
        for outer, inner, adjacent in most
    )


def _telling_tags(nodes: Sequence[PathNode]) -> frozenset[Tag]:
    words, frequency = Counter[Tag](), Counter[Tag]()
    for one in nodes:
        words[one.tag] += one.total.words
        frequency[one.tag] += one.total.frequency
    return frozenset(nlargest(_MOST_TAGS, frequency, key=lambda tag: (words[tag], frequency[tag], tag.text)))


def _joined(operations: Mapping[str, int]) -> str:
    return ", ".join(sorted(operations, key=lambda name: (-operations[name], name)))
