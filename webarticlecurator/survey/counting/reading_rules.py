"""The digest of all in a portal's rules that decides what a pass sees, beside the selectors that it asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from webarticlecurator.building.rules_digest import rules_digest
from webarticlecurator.config.picks import Picks
from webarticlecurator.config.portal import BodyRules, Layout, Portal, Publisher

FORMAT = "survey 3"
"""Changes when a pass counts otherwise."""


def reading_digest(portal: Portal) -> str:
    """Tag rules are not in it; of the metadata only the date, which tells the year, unless a container or a layout is found by them."""
    by_metadata = any(body.root is None for body in (portal.body, *(one.body for one in portal.layouts))) or any(
        one.start or one.until for one in portal.layouts
    )
    bare = replace(
        portal,
        title="",
        publisher=Publisher(),
        metadata=_counting(portal.metadata, by_metadata),
        body=_root_only(portal.body),
        layouts=tuple(_bare(one, by_metadata) for one in portal.layouts),
    )
    return rules_digest(bare, FORMAT)


def _bare(layout: Layout, by_metadata: bool) -> Layout:
    return replace(layout, metadata=_counting(layout.metadata, by_metadata), body=_root_only(layout.body))


def _counting(metadata: Mapping[str, Picks], by_metadata: bool) -> Mapping[str, Picks]:
    return {name: picks for name, picks in metadata.items() if by_metadata or name == "datePublished"}


def _root_only(body: BodyRules) -> BodyRules:
    return replace(body, tags=())
