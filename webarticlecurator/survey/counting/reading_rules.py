"""The digest of all in a portal's rules that decides what a pass sees, beside the selectors that it asks."""

from __future__ import annotations

from dataclasses import replace

from webarticlecurator.building.rules import rules_digest
from webarticlecurator.config.portal import BodyRules, Layout, Portal, Publisher

FORMAT = "survey 2"
"""Changes when a pass counts otherwise."""


def reading_digest(portal: Portal) -> str:
    """Tag rules are not in it; metadata only where a container or a layout is found by them."""
    by_metadata = any(body.root is None for body in (portal.body, *(one.body for one in portal.layouts))) or any(
        one.start or one.until for one in portal.layouts
    )
    bare = replace(
        portal,
        title="",
        publisher=Publisher(),
        metadata=portal.metadata if by_metadata else {},
        body=_root_only(portal.body),
        layouts=tuple(_bare(one, by_metadata) for one in portal.layouts),
    )
    return rules_digest(bare, FORMAT)


def _bare(layout: Layout, by_metadata: bool) -> Layout:
    return replace(layout, metadata=layout.metadata if by_metadata else {}, body=_root_only(layout.body))


def _root_only(body: BodyRules) -> BodyRules:
    return replace(body, tags=())
