"""The content tree: the same paths of tags in all pages as one tree, without what is rare and holds little."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from webarticlecurator.survey.counting.observed import DecidedNode
from webarticlecurator.survey.inventory.results import Ruling, TreeNode
from webarticlecurator.survey.tag import Tag

_MOST_NODES = 4_000
"""Of a layout; those with most words."""
_DEEPEST = 60


@dataclass(slots=True)
class _Path:
    """A path that grows while nodes are joined."""

    tag: Tag
    ruling: Ruling
    depth: int
    frequency: int = 0
    words: int = 0
    own_words: int = 0
    children: dict[tuple[Tag, Ruling], _Path] = field(default_factory=dict)

    def below(self) -> int:
        """How many paths there are below it, whatever the depth."""
        count, waiting = 0, list(self.children.values())
        while waiting:
            count += 1
            waiting.extend(waiting.pop().children.values())
        return count


def trees_of(nodes: Iterable[DecidedNode]) -> Mapping[str, tuple[TreeNode, ...]]:
    """Layout -> its roots; parents come before their children in `nodes`."""
    layouts: defaultdict[str, dict[tuple[Tag, Ruling], _Path]] = defaultdict(dict)
    places: dict[int, _Path] = {}
    for one in nodes:
        node, parent = one.node, places.get(one.node.parent) if one.node.parent is not None else None
        level = parent.children if parent is not None else layouts[node.layout]
        path = level.setdefault((node.tag, one.ruling), _Path(node.tag, one.ruling, parent.depth + 1 if parent is not None else 0))
        path.frequency += node.frequency
        path.words += node.words
        path.own_words += node.own_words
        places[node.id] = path
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
            ruling=path.ruling,
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
