"""From pages of articles to rules for their bodies: where the general finder does as well, no rule is proposed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from webarticlecurator.config.portal import Portal
from webarticlecurator.learning.bodies.clusters import clusters_of, layouts_of
from webarticlecurator.learning.bodies.findings import BodyFindings, FoundLayout, Truth
from webarticlecurator.learning.bodies.reading import MOST_PAGES, Reader
from webarticlecurator.model.links import Fields
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Learned


def find_bodies(
    pages: Sequence[Page], truths: Sequence[Truth] = (), *, portal: Portal, listings: Mapping[str, Fields] | None = None
) -> BodyFindings:
    """The layouts of some pages of articles, and the rules for their bodies that are better than none.

    `truths`: what a person said of some of these pages; `listings`: what archive pages said of them, by URL.
    """
    told = frozenset(truth.url for truth in truths)
    chosen = sorted(pages, key=lambda page: page.requested_url not in told)[:MOST_PAGES]
    readings = Reader(portal, listings or {}).read_all(chosen)
    layouts = layouts_of(clusters_of([one for one in readings if one.is_article]))
    return BodyFindings(layouts=layouts, learned=Learned(remarks=tuple(map(_told, layouts)), pages=len(readings)))


def _told(layout: FoundLayout) -> str:
    place = f"in {layout.root}" if layout.root else "in elements without a name that pages have in common"
    days = f", {layout.first} to {layout.last}" if layout.first and layout.last else ""
    return f"layout {layout.name}: on {len(layout.urls)} pages the text stands {place}{days}"
