"""What the picks of a portal are asked of: a page, or an item of it; and the fields that they find there."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, replace

from lxml.etree import _Element as Element

from webarticlecurator.config.fields import FIELDS, Field
from webarticlecurator.config.pick_places import PageNode, PickContext, PickedValue
from webarticlecurator.config.pick_steps import Pick, Wanted
from webarticlecurator.config.picks import Picks
from webarticlecurator.config.portal import Portal
from webarticlecurator.document.page import parse_html
from webarticlecurator.model.links import Fields
from webarticlecurator.model.metadata import Found
from webarticlecurator.model.page import Page
from webarticlecurator.text import visible

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

    def item(self, node: PageNode, others: Container[Element] = frozenset()) -> PageContext:
        """The same page, narrowed to one item, and to what is in no other one in it."""
        return replace(self, node=node, is_item=True, others=others)

    def parse_html(self, text: str) -> Element | None:
        return parse_html(text)


def pick_fields(fields: Mapping[str, Picks], context: PageContext) -> dict[str, tuple[Found, ...]]:
    """Fields by name, each with its chosen values; values that a pick routes elsewhere come after that field's own."""
    found: dict[str, list[Found]] = {}
    routed: list[tuple[str, list[Found]]] = []
    for name, picks in fields.items():
        kind = FIELDS.get(name, _OTHER_FIELD)
        picked = picks.find(context, Wanted(many=kind.many, holds=kind.holds))
        source = picks.alternatives[0].source if isinstance(picks.alternatives[0], Pick) else name
        found[name] = [_found(value, source) for value in picked.values]
        routed.extend((other, [_found(value, source) for value in values]) for other, values in picked.routed.items())
    for name, values in routed:
        present = found.setdefault(name, [])
        present.extend(value for value in values if value.value not in {one.value for one in present})
    return {name: tuple(values) for name, values in found.items() if values}


def _found(value: PickedValue, source: str) -> Found:
    return Found(value=visible(value.text), raw=value.raw, source=source, written=value.written)
