"""Pages with what the general reader makes of them, by which the texts of other places are judged."""

from __future__ import annotations

from dataclasses import dataclass

from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.layouts import rules_for
from webarticlecurator.extraction.metadata.read import read_metadata
from webarticlecurator.model.links import Fields
from webarticlecurator.model.metadata import Metadata
from webarticlecurator.model.page import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPage:
    """A page of an article."""

    page: Page
    metadata: Metadata
    """Without any pick of the portal's; what archive pages told of the article is there."""
    titles: str
    """All that it calls itself, one behind the other."""
    ruled: frozenset[str] = frozenset()
    """Fields that the portal file has rules for on this page."""
    outlets: frozenset[str] = frozenset()
    """The names of the portal, folded."""

    @property
    def language(self) -> str | None:
        return next(iter(self.texts("inLanguage")), None)

    def texts(self, name: str) -> tuple[str, ...]:
        return tuple(found.value for found in self.metadata.get(name, ()))


def read_page(page: Page, portal: Portal, listing: Fields | None = None) -> ReadPage:
    read = read_metadata(page, portal, {}, listing=listing)
    titles = [found.value for found in read.metadata.get("headline", ())]
    elements = page.tree.iter("title", "meta") if page.tree is not None else ()
    titles += [one.text or one.get("content") or "" for one in elements if one.tag == "title" or one.get("property") == "og:title"]
    ruled = frozenset(rules_for(page, portal, listing or {}).metadata)
    return ReadPage(page=page, metadata=read.metadata, titles=" ".join(titles), ruled=ruled, outlets=read.outlets)
