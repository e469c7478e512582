"""Rules for a body that nobody has written yet: as a portal file would have them, and tried on pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from webarticlecurator.config.article_rules import Layout
from webarticlecurator.config.picks import Pick, Picks
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.tag_dictionary import TagLayer, TagRule
from webarticlecurator.model.proposals import Plain
from webarticlecurator.selectors import Selector

_SOURCE = "proposed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What stands under `body`."""

    within: tuple[str, ...] = ()
    root: tuple[str, ...] = ()
    """Alternatives."""
    tags: tuple[tuple[str, str], ...] = ()
    """Operation and selector."""

    def with_tag(self, operation: str, selector: str) -> Draft:
        return replace(self, tags=(*self.tags, (operation, selector)))

    @classmethod
    def of(cls, layout: Layout) -> Draft:
        """What a layout says itself, as far as it is said by selectors alone."""
        root, within = _selectors_of(layout.body.root), _selectors_of(layout.body.within)
        near = layout.body.tags[0].rules if layout.body.tags else ()
        tags = tuple((rule.operation, rule.css.text) for rule in near if rule.split is None and rule.url is None)
        return cls(root=root, within=within if not root else (), tags=tags)

    @property
    def place(self) -> tuple[str, ...]:
        """The selectors that say where the text is."""
        return (*self.within, *self.root)

    @property
    def has_place(self) -> bool:
        return bool(self.place)

    @property
    def plain(self) -> Mapping[str, Plain]:
        """As it stands in a portal file."""
        body: dict[str, Plain] = {}
        if self.within:
            body["within"] = one_or_all(self.within)
        if self.root:
            body["root"] = one_or_all(self.root)
        if self.tags:
            body["tags"] = {name: [css for one, css in self.tags if one == name] for name in dict.fromkeys(one for one, _ in self.tags)}
        return body

    def applied(self, portal: Portal) -> Portal:
        """A portal with these rules, and without layouts: what is tried is tried on every page."""
        body = portal.body
        if self.within:
            body = replace(body, within=_picks(self.within), root=None)
        if self.root:
            body = replace(body, root=_picks(self.root))
        if self.tags:
            rules = tuple(TagRule(operation=name, css=Selector.parse(css), source=_SOURCE) for name, css in self.tags)
            own = portal.sources[0].path.name if portal.sources else ""
            near, *far = body.tags or (TagLayer(),)
            if near.rules and near.rules[0].source.rpartition(":")[0] != own:
                near, far = TagLayer(), [near, *far]
            body = replace(body, tags=(replace(near, rules=(*near.rules, *rules)), *far))
        return replace(portal, body=body, layouts=())


def _selectors_of(picks: Picks | None) -> tuple[str, ...]:
    every = list(picks.each()) if picks is not None else []
    return tuple(pick.css.text for pick in every if pick.css is not None)


def without_place(portal: Portal) -> Portal:
    """The portal as if no rule said where the text is."""
    return replace(portal, body=replace(portal.body, root=None, within=None), layouts=())


def _picks(selectors: tuple[str, ...]) -> Picks:
    return Picks(alternatives=tuple(Pick(css=Selector.parse(css), source=_SOURCE) for css in selectors))


def one_or_all(selectors: tuple[str, ...]) -> Plain:
    """As a portal file has them."""
    return selectors[0] if len(selectors) == 1 else list(selectors)
