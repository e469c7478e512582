"""Rules for a body that nobody has written yet: as a portal file would have them, and tried on pages."""

from __future__ import annotations

from dataclasses import dataclass, replace

from webarticlecurator.config.picks import Pick, Picks
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.tag_dictionary import TagLayer, TagRule
from webarticlecurator.selectors import Selector

_SOURCE = "proposed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What stands under `body`."""

    within: str = ""
    root: str = ""
    tags: tuple[tuple[str, str], ...] = ()
    """Operation and selector."""

    def with_tag(self, operation: str, selector: str) -> Draft:
        return replace(self, tags=(*self.tags, (operation, selector)))

    def applied(self, portal: Portal) -> Portal:
        """A portal with these rules, and without layouts: what is tried is tried on every page."""
        body = portal.body
        if self.within:
            body = replace(body, within=_pick(self.within), root=None)
        if self.root:
            body = replace(body, root=_pick(self.root))
        if self.tags:
            rules = tuple(TagRule(operation=name, css=Selector.parse(css), source=_SOURCE) for name, css in self.tags)
            own = portal.sources[0].path.name if portal.sources else ""
            near, *far = body.tags or (TagLayer(),)
            if near.rules and near.rules[0].source.rpartition(":")[0] != own:
                near, far = TagLayer(), [near, *far]
            body = replace(body, tags=(replace(near, rules=(*near.rules, *rules)), *far))
        return replace(portal, body=body, layouts=())


def without_place(portal: Portal) -> Portal:
    """The portal as if no rule said where the text is."""
    return replace(portal, body=replace(portal.body, root=None, within=None), layouts=())


def _pick(css: str) -> Picks:
    return Picks(alternatives=(Pick(css=Selector.parse(css), source=_SOURCE),))
