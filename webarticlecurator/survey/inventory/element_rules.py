"""What the rules of a portal decide of an element: building's own lookup is asked, and its answer told in the words of the inventory."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from lxml.etree import _Element as Element

from webarticlecurator.config.article_rules import BodyRules
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.tag_dictionary import TagLayer, TagRule
from webarticlecurator.extraction.body.locate import GENERAL_FINDER
from webarticlecurator.extraction.body.tag_names import Tag
from webarticlecurator.extraction.body.tag_rules import SOURCE, VOID_MEDIA, Decision, Lookup, general_layer
from webarticlecurator.model.article import HOLDS, Content
from webarticlecurator.selectors import Scope, Selector
from webarticlecurator.survey.inventory.results import DecidedOperation, Decider
from webarticlecurator.survey.page_pass import hash_of
from webarticlecurator.survey.rule_selectors import needs_only_the_tag, selectors_in

_MOST_ANSWERS = 20_000
"""That are remembered: class names made by machines may never come again."""
_SHOWN = frozenset(("figure", "embed", "social"))
_NEUTRAL = DecidedOperation("unwrap", Decider.GENERAL, SOURCE)
_UNDECIDED = DecidedOperation("unwrap", Decider.NOBODY)
_NOT_ASKED = DecidedOperation("decompose", Decider.NOBODY, "inside of what is left out")
TAB_LABELS = f"{GENERAL_FINDER}: labels of tabs"
"""What is said of an element that holds nothing else."""
_POSTS = re.compile(r"posts\.[a-z]+(?:\.(?P<part>\w+))?(?P<outside>: )?")
_POST_PARTS = {None: "post", "time": "time", "author": "author", "title": "heading", "text": "unwrap", "around": "unwrap"}
"""What the rules for posts make of their parts, and of what stands around posts or their text; all that is neither, and so what the
site says of a post, is taken out of the text."""


@dataclass(frozen=True, slots=True, eq=False)
class PathStep:
    """What tells a node of the merged tree from its siblings: elements of one simplified tag that the rules decide alike."""

    id: int
    row: int
    """The same for all places of a tag under one decision: they are one row of the inventory."""
    tag: Tag
    decided: DecidedOperation
    layout: str
    """Of a container; "" for the base rules."""
    in_dropped: bool
    """It lies in something that is left out, or that stands for what it shows: nothing is at stake there, and no rule is asked."""
    in_simple: bool
    """It lies in something that `unwrap-all` made simple; what decides it is that rule."""

    @classmethod
    def of(cls, tag: Tag, decided: DecidedOperation, *, layout: str = "", in_dropped: bool = False, in_simple: bool = False) -> PathStep:
        row = f"{tag.text} {decided!r}"
        return cls(hash_of(f"{row} {layout!r} {in_dropped} {in_simple}"), hash_of(row), tag, decided, layout, in_dropped, in_simple)

    @property
    def is_in_a_row(self) -> bool:
        """Whether the inventory tells of it: something is at stake there."""
        return not (self.in_dropped or self.in_simple or self is FOLDED)

    @property
    def facts(self) -> tuple[object, ...]:
        """In the order of the table of steps."""
        one = self.decided
        is_decided = self.in_dropped or self.in_simple or one.decider is not Decider.NOBODY
        decided = one.operation, one.decider, one.rule, one.condition, one.url
        return self.row, self.tag.text, *decided, self.layout, self.is_in_a_row, is_decided, self.in_dropped


FOLDED = PathStep.of(Tag("*more*"), DecidedOperation("unwrap", Decider.NOBODY, "paths that are too deep"))
"""Stands for paths that are too deep to be kept apart; what decides it means nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class Around:
    """What holds for all that lies in an element."""

    dropped: bool = False
    simple: DecidedOperation | None = None
    """Of what is in an element that was made simple."""


IN_CONTAINER = Around()
_IN_DROPPED = Around(dropped=True)
_DROPPED = Decision(drop=True)
_Answer = tuple[PathStep, Around]


class ElementRules:
    """The rules of one layout."""

    def __init__(self, body: BodyRules, portal: Portal, layout: str = "") -> None:
        self._layout = layout
        self._root_is_ruled = body.root is not None
        self._own_file = portal.sources[0].path.name if portal.sources else ""
        self._decided: dict[tuple[str, bool], DecidedOperation] = {}
        """By what a decision says of its rule, and whether that makes simple."""
        self._in_simple: dict[str, Around] = {}
        self._answers: dict[tuple[object, ...], _Answer] = {}
        *nearer, general = [self._one_by_one(layer) for layer in (*body.tags, general_layer())]
        self._lookup = Lookup(nearer, general)

    def of_container(self, tag: Tag, post: str) -> _Answer:
        """What is decided of a container; `post`: the rule of one that stands beside the article."""
        ruled = DecidedOperation("unwrap", Decider.PORTAL, "body.root")
        found = DecidedOperation("unwrap", Decider.FINDER, GENERAL_FINDER)
        decided = DecidedOperation("post", Decider.POSTS, post) if post else ruled if self._root_is_ruled else found
        return PathStep.of(tag, decided, layout=self._layout), IN_CONTAINER

    def of(self, element: Element, tag: Tag, text: str, special: str, around: Around, scope: Scope) -> _Answer:
        """Raises PatternTimeout. `text`: the tag's; `special`: the rule for posts of an element, else why the finder leaves it out, or
        TAB_LABELS."""
        decision = _DROPPED if around.dropped else self._lookup.decide(element, scope)
        key = text, decision.rule, decision.blocks, decision.known, special, around
        answer = self._answers.get(key)
        if answer is None:
            if len(self._answers) >= _MOST_ANSWERS:
                self._answers.clear()
            answer = self._answers[key] = self._answer(tag, decision, special, around)
        return answer

    def _answer(self, tag: Tag, decision: Decision, special: str, around: Around) -> _Answer:
        if around.dropped:
            return PathStep.of(tag, _NOT_ASKED, in_dropped=True), around
        in_simple = around.simple is not None
        post = _POSTS.match(special)
        if post and not (post["part"] == "around" and decision.known):
            operation = "decompose" if post["outside"] else _POST_PARTS.get(post["part"], "decompose")
            decided, gone = DecidedOperation(operation, Decider.POSTS, special), operation not in ("post", "unwrap")
        elif special and not post and decision.general and not decision.drop:
            gone = special != TAB_LABELS
            decided = DecidedOperation("decompose" if gone else "unwrap", Decider.FINDER, special)
        elif around.simple is not None and not decision.drop:
            return PathStep.of(tag, around.simple, in_simple=True), around
        else:
            decided, gone = self._of_decision(decision), decision.drop or _stands_for_itself(decision, tag.name)
            if decision.simple and not gone:
                around = self._in_simple[decision.rule]
        return PathStep.of(tag, decided, in_simple=in_simple), _IN_DROPPED if gone else around

    def _of_decision(self, decision: Decision) -> DecidedOperation:
        if decision.rule:
            return self._decided[decision.rule, decision.simple]
        return _NEUTRAL if decision.known else _UNDECIDED

    def _one_by_one(self, layer: TagLayer) -> TagLayer:
        """The layer with a rule for each selector of a group, so that a decision tells which of them matched."""
        rules = tuple(replace(rule, css=selector) for rule in layer.rules for selector in selectors_in(rule.css.text))
        for rule in rules:
            self._remember(rule, rule.css)
        return replace(layer, rules=rules)

    def _remember(self, rule: TagRule, selector: Selector) -> None:
        name = f"{rule.source} {selector.text}".strip()
        own = rule.source.rpartition(":")[0] == self._own_file
        decided = DecidedOperation(
            operation=" > ".join(rule.split) if rule.split is not None else rule.operation,
            decider=Decider.GENERAL if rule.source == SOURCE else Decider.PORTAL if own else Decider.PRESET,
            rule=name,
            condition="" if needs_only_the_tag(selector.text) else selector.text,
            url=rule.url,
        )
        makes_simple = rule.operation == "unwrap-all"
        self._decided[name, makes_simple] = decided
        if makes_simple:
            inside = replace(decided, operation="unwrap", condition=f"{selector.text} *", url=None)
            self._in_simple[name] = Around(simple=inside)


def _stands_for_itself(decision: Decision, tag: str) -> bool:
    """Whether a block comes instead of the element, so that what is in it is left out: a divider, a player."""
    return any(HOLDS[name] is Content.NOTHING or (name in _SHOWN and tag in VOID_MEDIA) for name in decision.blocks)
