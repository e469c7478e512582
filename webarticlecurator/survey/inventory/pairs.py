"""Pairs of tags, one inside another, for rules that hold only in a context."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from heapq import nlargest

from webarticlecurator.survey.counting.observed import DecidedNode
from webarticlecurator.survey.inventory.results import Decider, Pair
from webarticlecurator.survey.tag import Tag

_MOST_TAGS = 300
"""Tags of which pairs are made: those with most words, then with most elements."""
_MOST_PAIRS = 1_000
_Names = tuple[Tag, Tag, bool]


def pairs_of(nodes: Sequence[DecidedNode]) -> tuple[Pair, ...]:
    """The pairs with most words in the inner one; parents come before their children in `nodes`."""
    telling = _telling_tags(nodes)
    parents: dict[int | None, Tag | None] = {None: None}
    above: dict[int | None, tuple[Tag, ...]] = {None: ()}
    frequency, words = Counter[_Names](), Counter[_Names]()
    operations: defaultdict[_Names, Counter[str]] = defaultdict(Counter)
    for one in nodes:
        node, outers = one.node, above[one.node.parent]
        parents[node.id] = node.tag
        if node.tag not in telling:
            above[node.id] = outers
            continue
        above[node.id] = outers if node.tag in outers else (*outers, node.tag)
        for outer in outers:
            names = outer, node.tag, outer == parents[node.parent]
            frequency[names] += node.frequency
            words[names] += node.words
            operations[names][_fate(one)] += node.frequency
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


def _telling_tags(nodes: Sequence[DecidedNode]) -> frozenset[Tag]:
    words, frequency = Counter[Tag](), Counter[Tag]()
    for one in nodes:
        words[one.node.tag] += one.node.words
        frequency[one.node.tag] += one.node.frequency
    return frozenset(nlargest(_MOST_TAGS, frequency, key=lambda tag: (words[tag], frequency[tag], tag.text)))


def _fate(one: DecidedNode) -> str:
    return "undecided" if one.ruling.decider is Decider.NOBODY else one.ruling.operation


def _joined(operations: Mapping[str, int]) -> str:
    return ", ".join(sorted(operations, key=lambda name: (-operations[name], name)))
