"""Evaluates picks: alternatives, unions, and what they are wanted for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from webarticlecurator.config.fields import FIELDS, Field
from webarticlecurator.config.picks import AllOf, Pick, Picks
from webarticlecurator.extraction.nodes import Node, Place, chosen
from webarticlecurator.extraction.values import Picked, Value, Wanted, applies, kept_nodes, values_of
from webarticlecurator.model.metadata import Found

_OTHER_FIELD = Field()


def pick_values(picks: Picks, place: Place, wanted: Wanted) -> Picked:
    """What the first alternative gives that gives something."""
    if not place.page.budget.working:
        with place.page.budget:
            return pick_values(picks, place, wanted)
    elsewhere: list[str] = []
    for alternative in picks.alternatives:
        picked = _united(alternative, place, wanted) if isinstance(alternative, AllOf) else values_of(alternative, place, wanted)
        if picked:
            return picked
        elsewhere += picked.elsewhere
    return Picked(elsewhere=elsewhere)


def pick_nodes(picks: Picks, place: Place) -> list[Node]:
    """The items that the first matching alternative points at: all of them, unless it says otherwise."""
    if not place.page.budget.working:
        with place.page.budget:
            return pick_nodes(picks, place)
    for alternative in picks.alternatives:
        nodes = _united_nodes(alternative, place) if isinstance(alternative, AllOf) else _nodes(alternative, place)
        if nodes:
            return nodes
    return []


def pick_fields(fields: Mapping[str, Picks], place: Place) -> dict[str, tuple[Found, ...]]:
    """Fields by name, each with its chosen values; values that a pick routes elsewhere come after that field's own."""
    found: dict[str, list[Found]] = {}
    routed: list[tuple[str, list[Found]]] = []
    for name, picks in fields.items():
        kind = FIELDS.get(name, _OTHER_FIELD)
        picked = pick_values(picks, place, Wanted(many=kind.many, holds=kind.holds))
        source = picks.alternatives[0].source if isinstance(picks.alternatives[0], Pick) else name
        found[name] = [_found(value, source) for value in picked.values]
        routed.extend((other, [_found(value, source) for value in values]) for other, values in picked.routed.items())
    for name, values in routed:
        present = found.setdefault(name, [])
        present.extend(value for value in values if value.value not in {one.value for one in present})
    return {name: tuple(values) for name, values in found.items() if values}


def _found(value: Value, source: str) -> Found:
    return Found(value=value.text, raw=value.raw, source=source)


def _united(union: AllOf, place: Place, wanted: Wanted) -> Picked:
    values: dict[str, Value] = {}
    routed: dict[str, list[Value]] = {}
    elsewhere: list[str] = []
    for picks in union.picks:
        picked = pick_values(picks, place, wanted)
        elsewhere += picked.elsewhere
        for value in picked.values:
            values.setdefault(value.text, value)
        for name, others in picked.routed.items():
            routed.setdefault(name, []).extend(others)
    return Picked(list(values.values()), routed, elsewhere)


def _united_nodes(union: AllOf, place: Place) -> list[Node]:
    return _distinct([node for picks in union.picks for node in pick_nodes(picks, place)])


def _nodes(pick: Pick, place: Place) -> list[Node]:
    if not applies(pick, place):
        return []
    take = pick.take if pick.take is not None and pick.take not in ("min", "max") else "all"
    return chosen(_distinct(kept_nodes(pick, place)), take)


def _distinct(nodes: list[Node]) -> list[Node]:
    """Each node once; JSON items are compared by identity, for they may be equal and still be two."""
    identity: Callable[[Node], int] = id
    return list({identity(node): node for node in nodes}.values())
