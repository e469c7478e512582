"""A page of a portal, or one item of it, as the rules of the portal see it."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.config.portal import Portal
from webarticlecurator.model.links import NO_FIELDS, Fields
from webarticlecurator.model.page import Page
from webarticlecurator.selectors import Selector

PageNode: TypeAlias = Any
"""An element of HTML, or a value of JSON."""


def is_element(node: PageNode) -> bool:
    """Say whether a node is an element, and no item of JSON."""
    return isinstance(node, etree._Element)


def selected_on(page: Page, selector: Selector | None) -> list[Element]:
    """Return what a selector finds on a page; nothing where there is no selector, or the page is no HTML."""
    return selector.select(page.tree) if selector is not None and page.tree is not None else []


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PageContext:
    """A page of a portal, or one item of it, that picks are asked of, with what their values depend on."""

    page: Page
    portal: Portal
    node: PageNode
    """The root of the page, or the item."""
    is_item: bool = False
    others: Container[Element] = frozenset()
    """Other items, which may stand in this one: what is in them is theirs."""
    language: str | None = None
    base: str | None = None
    """The address that URLs are joined with, where a rule tells it."""
    listing: Fields = field(default_factory=dict)
    marks: dict[tuple[Selector, bool], dict[Element, Element]] = field(default_factory=dict)
    """For `before` (True) and `after`, found once for all items: an element -> the nearest one in it that
    matches."""

    @classmethod
    def whole(
        cls,
        page: Page,
        portal: Portal,
        *,
        language: str | None = None,
        base: str | None = None,
        listing: Fields = NO_FIELDS,
    ) -> PageContext:
        """Return all of a page; `language` and `base` are those of a column."""
        node = page.tree if page.tree is not None else page.json
        return cls(
            page=page,
            portal=portal,
            node=node,
            language=language or portal.language or (node.get("lang") if is_element(node) else None),
            base=base,
            listing=listing,
        )

    def item(self, node: PageNode, others: Container[Element] = frozenset()) -> PageContext:
        """Return the page narrowed to one item, and to what is in no other one in it."""
        return replace(self, node=node, is_item=True, others=others)

    @property
    def base_of_links(self) -> str:
        """Return what URLs are joined with."""
        return self.base or self.page.base

    def elements(self, tag: str) -> Iterator[Element]:
        """Give all elements of the page with this name."""
        return self.page.tree.iter(tag) if self.page.tree is not None else iter(())
