"""Which rule decides each node of the merged tree: the same answer that building gives on the pages, without reading them again.

The rules' own lookup is asked, about outlines of elements: tags and ancestors are in the tree, and what hard selectors said of
the real elements is noted with each node.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from lxml.etree import _Element as Element

from webarticlecurator.config.portal import Portal
from webarticlecurator.config.tag_dictionary import TagLayer, TagRule
from webarticlecurator.extraction.body.general_table import SOURCE, VOID_MEDIA
from webarticlecurator.extraction.body.lookup import Decision, Lookup
from webarticlecurator.extraction.container import GENERAL_FINDER
from webarticlecurator.model.article import HOLDS, Content
from webarticlecurator.selectors import Alternative, Scope, Selector
from webarticlecurator.selectors.dialect import Subject
from webarticlecurator.selectors.scope import Test
from webarticlecurator.survey.counting.asking import Asked, asked_in, layers_of
from webarticlecurator.survey.counting.observed import DecidedNode, Node, YearFigures
from webarticlecurator.survey.counting.path_tree import Figures, Tree
from webarticlecurator.survey.inventory.results import Decider, Ruling
from webarticlecurator.survey.tag import Tag

_ANYTHING = Subject(None, frozenset(), frozenset(), plain=False)
_SHOWN = frozenset(("figure", "embed", "social"))
_NEUTRAL = Ruling("unwrap", Decider.GENERAL, SOURCE)
_UNDECIDED = Ruling("unwrap", Decider.NOBODY)
_BY_NO_RULE = frozenset((Decider.GENERAL, Decider.NOBODY))
_POSTS = re.compile(r"posts\.[a-z]+(?:\.(?P<part>\w+))?(?P<outside>: )?")
_POST_PARTS = {None: "post", "time": "time", "author": "author", "title": "heading", "text": "unwrap"}
"""What the rules for posts make of their parts; all but a post and its text are taken out of the text."""
_FOLDED = Ruling("unwrap", Decider.NOBODY, "many rare paths")


class Outline:
    """As much of an element as its node tells: what the selectors of rules that are not hard look at."""

    __slots__ = ("_attributes", "_parent", "facts", "tag")

    def __init__(self, tag: Tag, parent: Outline | None, facts: frozenset[str] = frozenset()) -> None:
        self.tag = tag.name
        self.facts = facts
        self._parent = parent
        self._attributes = dict(tag.attributes)
        if tag.classes:
            self._attributes["class"] = " ".join(tag.classes)
        if tag.id is not None:
            self._attributes["id"] = tag.id

    def get(self, name: str, default: str | None = None) -> str | None:
        """As of an element."""
        return self._attributes.get(name, default)

    def keys(self) -> list[str]:
        """As of an element."""
        return list(self._attributes)

    def getparent(self) -> Outline | None:
        """As of an element."""
        return self._parent


def decided(tree: Tree, portal: Portal) -> Iterator[DecidedNode]:
    """Each node with its figures and what becomes of its elements, parents before their children."""
    judges = {layout: Judge(layers, portal) for layout, layers in layers_of(portal).items()}
    roots = {"": portal.body.root, **{layout.name: layout.body.root for layout in portal.layouts}}
    standings: list[_Standing] = []
    layouts: list[str] = []
    for number, (parent, spot) in enumerate(zip(tree.parents, tree.spots, strict=True)):
        layouts.append(spot.layout if parent < 0 else layouts[parent])
        judge = judges.get(layouts[number], judges[""])
        if spot.is_more:
            standing = _Standing(_FOLDED, None, standings[parent].inside if parent >= 0 else _Inside())
        elif parent < 0:
            outline = _below(spot.above, spot.whole or spot.tag)
            ruled = roots.get(layouts[number]) is not None
            container = Ruling("unwrap", Decider.PORTAL if ruled else Decider.FINDER, "body.root" if ruled else GENERAL_FINDER)
            post = Ruling("post", Decider.POSTS, spot.furniture) if spot.furniture else None
            standing = _Standing(post or container, outline, _Inside(anchor=outline))
        else:
            outline = Outline(spot.whole or spot.tag, standings[parent].outline, spot.facts)
            standing = judge.standing(outline, spot.furniture, standings[parent].inside)
        standings.append(standing)
        node = _node(number, tree, layouts[number])
        if node.frequency:
            around = standings[parent].inside if parent >= 0 else _Inside()
            yield DecidedNode(node=node, ruling=standing.ruling, inside_dropped=around.dropped, inside_simple=around.simple is not None)


@dataclass(frozen=True, slots=True)
class _Inside:
    """What holds for all that lies in an element."""

    anchor: Outline | None = None
    """The container."""
    dropped: bool = False
    simple: Ruling | None = None
    """Of the element around that was made simple."""


@dataclass(frozen=True, slots=True)
class _Standing:
    """A node, judged."""

    ruling: Ruling
    outline: Outline | None
    inside: _Inside


class Judge:
    """The rules of one layout."""

    def __init__(self, layers: Sequence[TagLayer], portal: Portal) -> None:
        self._own_file = portal.sources[0].path.name if portal.sources else ""
        self._rules: list[tuple[TagRule, Asked]] = []
        *nearer, general = [self._answerable(layer) for layer in layers]
        self._lookup = Lookup(nearer, general)
        self._rulings = [self._ruling(rule, asked) for rule, asked in self._rules]

    def standing(self, outline: Outline, furniture: str, around: _Inside) -> _Standing:
        """What becomes of an element, and of all in it."""
        post = _POSTS.match(furniture)
        if post is not None:
            operation = "decompose" if post["outside"] else _POST_PARTS[post["part"]]
            gone = operation not in ("post", "unwrap")
            return _Standing(Ruling(operation, Decider.POSTS, furniture), outline, replace(around, dropped=around.dropped or gone))
        scope = Scope(None, cast(Element, around.anchor))
        decision = self._lookup.decide(cast(Element, outline), scope)
        ruling = self._ruling_of(decision)
        if furniture and ruling.decider in _BY_NO_RULE and not decision.drop:
            ruling, gone = Ruling("decompose", Decider.FINDER, furniture), True
        else:
            gone = decision.drop
        if around.simple is not None and not gone:
            return _Standing(around.simple, outline, around)
        if gone or _stands_for_itself(decision, outline.tag):
            return _Standing(ruling, outline, replace(around, dropped=True))
        if decision.simple:
            everything = f"{self._rule_of(decision)[1].text} *"
            around = replace(around, simple=replace(ruling, operation="unwrap", condition=everything, url=None))
        return _Standing(ruling, outline, around)

    def _rule_of(self, decision: Decision) -> tuple[TagRule, Asked]:
        return self._rules[_number(decision)]

    def _ruling_of(self, decision: Decision) -> Ruling:
        if decision.rule:
            return self._rulings[_number(decision)]
        return _NEUTRAL if decision.known else _UNDECIDED

    def _answerable(self, layer: TagLayer) -> TagLayer:
        """The layer with one rule for each selector, named by its number here, and answered by the facts where it is hard."""
        rules = []
        for rule in layer.rules:
            for asked in asked_in(rule.css.text):
                rules.append(replace(rule, css=_answered(asked), source=str(len(self._rules))))
                self._rules.append((rule, asked))
        return replace(layer, rules=tuple(rules))

    def _ruling(self, rule: TagRule, asked: Asked) -> Ruling:
        general = rule.source == SOURCE
        own = rule.source.rpartition(":")[0] == self._own_file
        return Ruling(
            operation=" > ".join(rule.split) if rule.split is not None else rule.operation,
            decider=Decider.GENERAL if general else Decider.PORTAL if own else Decider.PRESET,
            rule=f"{rule.source} {asked.text}".strip(),
            condition="" if asked.own else asked.text,
            url=rule.url,
        )


def _answered(asked: Asked) -> Selector:
    alternative = asked.alternative
    if asked.hard:
        alternative = Alternative(_ANYTHING, alternative.specificity, _by_facts(asked.text))
    return Selector(asked.text, (alternative,))


def _number(decision: Decision) -> int:
    """Of the rule that decided: it stands where other lookups say file and line."""
    return int(decision.rule.partition(" ")[0])


def _by_facts(text: str) -> Test:
    def holds(element: Any, _: Scope) -> bool:
        return text in element.facts

    return holds


def _stands_for_itself(decision: Decision, tag: str) -> bool:
    """Whether a block comes instead of the element, so that what is in it is left out: a divider, a player."""
    return any(HOLDS[name] is Content.NOTHING or (name in _SHOWN and tag in VOID_MEDIA) for name in decision.blocks)


def _below(above: Sequence[Tag], tag: Tag) -> Outline:
    outline: Outline | None = None
    for one in above:
        outline = Outline(one, outline)
    return Outline(tag, outline)


def _node(number: int, tree: Tree, layout: str) -> Node:
    spot, years = tree.spots[number], tree.figures[number]
    total = _total(years)
    parent = tree.parents[number]
    return Node(
        id=number,
        parent=parent if parent >= 0 else None,
        layout=layout,
        tag=spot.tag,
        facts=spot.facts,
        furniture=spot.furniture,
        above=spot.above,
        whole=spot.whole,
        frequency=total.frequency,
        pages=total.pages,
        own_words=total.own_words,
        words=total.words,
        link_words=total.link_words,
        descendants=total.descendants,
        years={year: YearFigures(frequency=one.frequency, own_words=one.own_words) for year, one in years.items()},
    )


def _total(years: Mapping[int | None, Figures]) -> Figures:
    total = Figures()
    for one in years.values():
        total.add(one)
    return total
