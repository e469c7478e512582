"""Which rules of the portal file ever apply: tag rules and picks by what they match, metadata by where their values come from."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import get_close_matches
from functools import lru_cache

from lxml import etree

from webarticlecurator.config.article_rules import Layout
from webarticlecurator.config.picks import Pick, Picks
from webarticlecurator.config.portal import Portal
from webarticlecurator.databases import Row
from webarticlecurator.extraction.body.tag_names import general_name
from webarticlecurator.model.metadata import Found
from webarticlecurator.selectors import Selector
from webarticlecurator.survey.audit.audited_page import AuditedPage
from webarticlecurator.survey.page_pass import Counted

MAIN_FIELDS = ("headline", "author", "datePublished")
"""What nearly every article of a portal has, or none."""
REPORTED_FIELDS = (*MAIN_FIELDS, "dateModified", "articleSection", "keywords", "description", "image", "inLanguage")
"""Of which it is told how many articles have them, whether a rule asks for them or not."""
_ALIKE = 0.75
_CLASSES, _IDS = (etree.XPath(f"//@{name}", smart_strings=False) for name in ("class", "id"))

PortalSelector = tuple[str, Selector, frozenset[str]]
"""A selector of the portal file itself, behind the rule that it stands in; and for which layouts it counts."""


class RuleMatches:
    """Which rules match something on a page of theirs; those that did are not searched for again."""

    def __init__(self, portal: Portal) -> None:
        self._waiting = list(portal_selectors(portal))

    def add(self, audited: AuditedPage, layout: str, counted: Counted) -> None:
        """Take in one page."""
        waiting = [(rule, selector) for rule, selector, layouts in self._waiting if layout in layouts]
        if not waiting:
            return
        # the HTML of a JSON article is its container
        with audited.page.budget:
            for tree in [audited.page.tree] if audited.page.tree is not None else audited.roots:
                classes = {name for value in {*map(str, _CLASSES(tree))} for name in value.split()}  # type: ignore[arg-type]
                seen = {f".{_general(name)}" for name in classes}
                seen |= {f"#{_general(id)}" for id in {*map(str, _IDS(tree))}}  # type: ignore[arg-type]
                for name in seen:
                    counted.add("names", (name,), 1)
                matched = {rule for rule, selector in waiting if _may_match(selector, seen) and selector.select(tree)}
                for rule in matched:
                    counted.note("matched", (rule,))
                self._waiting = [written for written in self._waiting if written[0] not in matched]


def meant_by(selector: Selector, names: Collection[str]) -> str | None:
    """The class or id of the pages that is written much like one of the selector's which no page has."""
    for alternative in selector.alternatives:
        for mark, asked in ((".", alternative.subject.classes), ("#", alternative.subject.ids)):
            known = [name[1:] for name in names if name[0] == mark]
            for name in sorted(general_name(name) for name in asked):
                alike = get_close_matches(name, known, n=1, cutoff=_ALIKE) if f"{mark}{name}" not in names else []
                if alike:
                    return f"{mark}{alike[0]}"
    return None


def is_by_rule(name: str, values: Sequence[Found], audited: AuditedPage) -> bool:
    """Whether a rule of the portal gave a value of metadata."""
    rules = audited.layout.metadata if audited.layout is not None else audited.portal.metadata
    return name in rules and values[0].source == next(rules[name].each()).source


_general = lru_cache(maxsize=8192)(general_name)


def _may_match(selector: Selector, seen: set[str]) -> bool:
    """Whether a page has the names that a selector asks for: most pages need no closer look."""
    subjects = [alternative.subject for alternative in selector.alternatives]
    asked = ({*(f".{_general(name)}" for name in subject.classes), *(f"#{_general(id)}" for id in subject.ids)} for subject in subjects)
    return any(names <= seen for names in asked)


def portal_selectors(portal: Portal) -> tuple[PortalSelector, ...]:
    """The selectors that the portal file itself has: those of presets are meant for other portals, too."""
    keys_of_selectors: dict[str, tuple[Selector, set[str]]] = {}
    several: tuple[Portal | Layout, ...] = (portal, *portal.layouts)
    for layout in several:
        name = layout.name if isinstance(layout, Layout) else ""
        rules = [rule for layer in layout.body.tags for rule in layer.rules if portal.has_itself(rule.source)]
        roots = [layout.body.root] if layout.body.root is not None else []
        picks = [pick for picks in (*roots, *layout.metadata.values()) for pick in picks.each() if pick.html_in is None]
        written = [(f"{rule.source} {' '.join(rule.css.text.split())}", rule.css) for rule in rules]
        written += [(place, pick.css) for pick in picks if pick.css is not None and (place := _written(pick, portal)) is not None]
        for rule, selector in written:
            keys_of_selectors.setdefault(rule, (selector, set()))[1].add(name)
    for layout in portal.layouts:
        if layout.when is not None:
            text = " ".join(layout.when.text.split())
            keys_of_selectors[f"layouts.{layout.name}.when {text}"] = (layout.when, {"", *(other.name for other in portal.layouts)})
    return tuple((rule, selector, frozenset(layouts)) for rule, (selector, layouts) in keys_of_selectors.items())


def _written(pick: Pick, portal: Portal) -> str | None:
    """Where in the portal file itself a pick stands: "portal.yaml:105 metadata.author a.szerzo"; None for a pick of a preset."""
    if not portal.has_itself(pick.place):
        return None
    return " ".join(filter(None, (pick.place, pick.source, pick.text if pick.css is not None else "")))


def _place(picks: Picks, portal: Portal) -> str | None:
    """The same of several: of the first that has a selector."""
    several = list(picks.each())
    return _written(next((pick for pick in several if pick.css is not None), several[0]), portal)


def metadata_picks(portal: Portal) -> list[Row]:
    """The picks of all layouts, each once; without those that look nowhere, or drop whatever there is, to say that a field has no value.

    `layouts`: those for which it counts, since a layout inherits what it does not say otherwise; `rule`: its place in the portal file, None
    for one of a preset.
    """
    read_by: list[Row] = []
    for layout, metadata in (("", portal.metadata), *((pick.name, pick.metadata) for pick in portal.layouts)):
        for name, picks in ((name, picks) for name, picks in metadata.items() if not picks.drops("")):
            if all(pick.only_drops for pick in picks.each()):
                continue
            known = next((pick for pick in read_by if pick.field == name and pick.picks == picks), None)
            if known is None:
                read_by.append(Row(field=name, picks=picks, layouts=[layout], rule=_place(picks, portal)))
            else:
                known.layouts.append(layout)
    return read_by


def root_places(portal: Portal) -> dict[str, str]:
    """Layout -> where the rule of its container stands, as far as that is in the portal file itself."""
    roots = {"": portal.body.root, **{layout.name: layout.body.root for layout in portal.layouts}}
    return {layout: place for layout, root in roots.items() if root is not None and (place := _place(root, portal)) is not None}
