"""Evaluates picks on a page or an item of it: alternatives, unions, and what they are wanted for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from lxml.etree import _Element as Element

from webarticlecurator.config.fields import FIELDS, Field
from webarticlecurator.config.pick_places import PageNode, PickContext, PickedValue, chosen, is_element
from webarticlecurator.config.pick_steps import Pick, Picked, Wanted
from webarticlecurator.config.picks import AllOf, Picks
from webarticlecurator.config.portal import Portal
from webarticlecurator.document.page import parse_html
from webarticlecurator.extraction.structured_data import json_ld_objects, read_json
from webarticlecurator.model.links import Fields
from webarticlecurator.model.metadata import Found
from webarticlecurator.model.page import Page

__all__ = ["PageContext", "PageNode", "Picked", "Wanted", "is_element", "pick_fields", "pick_nodes", "pick_values"]

_OTHER_FIELD = Field()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PageContext(PickContext):
    """A page of a portal, or one item of it, that picks are asked of."""

    portal: Portal

    @classmethod
    def whole(
        cls, page: Page, portal: Portal, *, language: str | None = None, base: str | None = None, listing: Fields | None = None
    ) -> PageContext:
        """All of a page; `language` and `base` are those of a column."""
        tree = page.tree
        return cls(
            page=page,
            portal=portal,
            node=tree if tree is not None else page.json,
            language=language or portal.language or (tree.get("lang") if tree is not None else None),
            timezone=portal.timezone,
            base=base,
            listing=listing or {},
        )

    def item(self, node: PageNode) -> PageContext:
        """The same page, narrowed to one item."""
        return replace(self, node=node, is_item=True)

    def parse_html(self, text: str) -> Element | None:
        return parse_html(text)

    def read_json(self, text: str) -> list[Any]:
        return read_json(text)

    def json_ld_objects(self) -> list[Any]:
        return json_ld_objects(self.page.tree, self.page.url) if self.page.tree is not None else []


def pick_values(picks: Picks, context: PageContext, wanted: Wanted) -> Picked:
    """What the first alternative gives that gives something."""
    if not context.page.budget.working:
        with context.page.budget:
            return pick_values(picks, context, wanted)
    elsewhere: list[str] = []
    for alternative in picks.alternatives:
        picked = _united(alternative, context, wanted) if isinstance(alternative, AllOf) else alternative.values(context, wanted)
        if picked:
            return picked
        elsewhere += picked.elsewhere
    return Picked(elsewhere=elsewhere)


def pick_nodes(picks: Picks, context: PageContext) -> list[PageNode]:
    """The items that the first matching alternative points at: all of them, unless it says otherwise."""
    if not context.page.budget.working:
        with context.page.budget:
            return pick_nodes(picks, context)
    for alternative in picks.alternatives:
        nodes = _united_nodes(alternative, context) if isinstance(alternative, AllOf) else _nodes(alternative, context)
        if nodes:
            return nodes
    return []


def pick_fields(fields: Mapping[str, Picks], context: PageContext) -> dict[str, tuple[Found, ...]]:
    """Fields by name, each with its chosen values; values that a pick routes elsewhere come after that field's own."""
    found: dict[str, list[Found]] = {}
    routed: list[tuple[str, list[Found]]] = []
    for name, picks in fields.items():
        kind = FIELDS.get(name, _OTHER_FIELD)
        picked = pick_values(picks, context, Wanted(many=kind.many, holds=kind.holds))
        source = picks.alternatives[0].source if isinstance(picks.alternatives[0], Pick) else name
        found[name] = [_found(value, source) for value in picked.values]
        routed.extend((other, [_found(value, source) for value in values]) for other, values in picked.routed.items())
    for name, values in routed:
        present = found.setdefault(name, [])
        present.extend(value for value in values if value.value not in {one.value for one in present})
    return {name: tuple(values) for name, values in found.items() if values}


def _found(value: PickedValue, source: str) -> Found:
    return Found(value=value.text, raw=value.raw, source=source)


def _united(union: AllOf, context: PageContext, wanted: Wanted) -> Picked:
    values: dict[str, PickedValue] = {}
    routed: dict[str, list[PickedValue]] = {}
    elsewhere: list[str] = []
    for picks in union.picks:
        picked = pick_values(picks, context, wanted)
        elsewhere += picked.elsewhere
        for value in picked.values:
            values.setdefault(value.text, value)
        for name, others in picked.routed.items():
            routed.setdefault(name, []).extend(others)
    return Picked(list(values.values()), routed, elsewhere)


def _united_nodes(union: AllOf, context: PageContext) -> list[PageNode]:
    return _distinct([node for picks in union.picks for node in pick_nodes(picks, context)])


def _nodes(pick: Pick, context: PageContext) -> list[PageNode]:
    if not pick.applies(context):
        return []
    take = pick.take if pick.take is not None and pick.take not in ("min", "max") else "all"
    return chosen(_distinct(pick.nodes(context)), take)


def _distinct(nodes: list[PageNode]) -> list[PageNode]:
    """Each node once; JSON items are compared by identity, for they may be equal and still be two."""
    identity: Callable[[PageNode], int] = id
    return list({identity(node): node for node in nodes}.values())
