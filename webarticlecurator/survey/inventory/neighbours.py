"""What the elements of each tag stand in, beside and around, summed over the merged tree."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence

from webarticlecurator.survey.counting.observed import DecidedNode
from webarticlecurator.survey.inventory.facts import Neighbours
from webarticlecurator.survey.inventory.results import Decider, Ruling
from webarticlecurator.survey.inventory.rows import Key

_LOOKED_THROUGH = frozenset(("unwrap", "unwrap-all", ""))


def neighbours_of(nodes: Sequence[DecidedNode], wanted: Collection[Key]) -> Mapping[Key, Neighbours]:
    """Of the wanted ones; parents come before their children in `nodes`."""
    inside, beside, holds = (defaultdict[Key, Counter[str]](Counter) for _ in range(3))
    around = _named_ancestors(nodes)
    together = _named_children(nodes)
    within: defaultdict[int | None, Counter[str]] = defaultdict(Counter)
    for one in reversed(nodes):
        node, key, name = one.node, (one.node.tag, one.ruling), named(one.ruling)
        held = within.pop(node.id, None)
        if key in wanted:
            inside[key][around[node.id]] += node.frequency
            beside[key].update(together.get(node.parent, {}))
            beside[key][name] -= node.frequency
            holds[key].update(held or {})
        if name:
            within[node.parent][name] += node.frequency
        if held:
            within[node.parent].update(held)
    return {key: Neighbours(inside=inside[key], beside=+beside[key], holds=holds[key]) for key in wanted}


def named(ruling: Ruling) -> str:
    """The name that an element gets; "" for one that only goes, and its content stays."""
    if ruling.decider is Decider.NOBODY or ruling.operation in _LOOKED_THROUGH:
        return ""
    return ruling.operation.split(" > ")[-1]


def _named_ancestors(nodes: Sequence[DecidedNode]) -> dict[int, str]:
    """Node -> what its nearest ancestor with a name becomes; "" in the container itself."""
    nearest: dict[int, str] = {}
    for_children: dict[int | None, str] = {}
    for one in nodes:
        nearest[one.node.id] = for_children.get(one.node.parent, "")
        for_children[one.node.id] = named(one.ruling) or nearest[one.node.id]
    return nearest


def _named_children(nodes: Sequence[DecidedNode]) -> dict[int | None, Counter[str]]:
    together: defaultdict[int | None, Counter[str]] = defaultdict(Counter)
    for one in nodes:
        name = named(one.ruling)
        if name:
            together[one.node.parent][name] += one.node.frequency
    return together
