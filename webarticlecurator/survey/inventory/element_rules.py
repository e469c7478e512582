"""Decisions of a portal's rules on elements: building's own lookup is asked, and its answer told in the words
of the inventory."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from cssselect import parser as css
from lxml.etree import _Element as Element

from webarticlecurator.amounts import text_if
from webarticlecurator.config.article_rules import BodyRules
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.tag_dictionary import TagLayer
from webarticlecurator.extraction.body.locate import GENERAL_FINDER
from webarticlecurator.extraction.body.tag_rules import SOURCE, VOID_MEDIA, Decision, Lookup, general_layer
from webarticlecurator.labelling.simplified_tags import LONGEST_NAME, Tag, simplified
from webarticlecurator.model.article import HOLDS, Content
from webarticlecurator.own_patterns import linear_at
from webarticlecurator.selectors import Scope, Selector
from webarticlecurator.survey.page_pass import hash_of


class Decider(StrEnum):
    """Whose rule decides a tag."""

    PORTAL = "portal"
    """The portal file; with a layout's rules."""
    PRESET = "preset"
    GENERAL = "general table"
    POSTS = "posts"
    """The rules for posts, which come before the tag dictionary."""
    FINDER = "general finder"
    """Left out as furniture, or known for the labels of tabs, because no rule says what it is."""
    NOBODY = "undecided"


class DecidedOperation(NamedTuple):
    """The operation on an element, and who says so."""

    operation: str
    """As in the tag dictionary; `split` as "paragraph > bold"; what nobody decides is "unwrap" in effect."""
    decider: Decider
    rule: str = ""
    """Place and selector: "portal.yaml:31 div.ajanlo"; the finder's reason."""
    condition: str = ""
    """The rule's selector where more than the element's own tag, id, classes and attributes decides:
    "blockquote.tweet p"."""
    url: str | None = None
    """The attribute that keeps the element's address."""


_SHOWN = frozenset(("figure", "embed", "social"))
_NOT_ASKED = DecidedOperation("decompose", Decider.NOBODY, "inside of what is left out")
TAB_LABELS = f"{GENERAL_FINDER}: labels of tabs"
"""The rule of an element that holds nothing but labels of tabs."""
_POSTS = linear_at(r"posts\.[a-z]+(?:\.(?P<part>\w+))?(?P<outside>: )?")
_POST_PARTS = {
    None: "post",
    "time": "time",
    "author": "author",
    "title": "heading",
    "text": "unwrap",
    "around": "unwrap",
}
"""Part of a post, or `around` for what stands around posts or their text -> the operation for it; all other
text that the site adds to a post is taken out."""


class PathStep(NamedTuple):
    """A step of a path in the merged tree, by which a node differs from its siblings: elements of one
    simplified tag that the rules decide alike."""

    id: int
    row: int
    """The key of the row of the inventory, which all places of a tag under one decision share."""
    is_in_a_row: bool
    """True if the inventory tells of it: something is at stake there."""
    facts: tuple[object, ...]
    """In the order of the table of steps."""


def _step(
    tag: Tag,
    decided: DecidedOperation,
    *,
    layout: str = "",
    in_dropped: bool = False,
    in_simple: bool = False,
) -> PathStep:
    """`layout`: of a container; `in_dropped`: it lies in something that is left out, or that stands for what
    it shows; `in_simple`: in something that `unwrap-all` made simple, and what decides it is that rule."""
    written = f"{tag.text} {decided!r}"
    row, in_a_row = hash_of(written), not (in_dropped or in_simple)
    is_decided = not in_a_row or decided.decider is not Decider.NOBODY
    facts = row, tag.text, *decided, layout, in_a_row, is_decided, in_dropped
    return PathStep(hash_of(f"{written} {layout!r} {in_dropped} {in_simple}"), row, in_a_row, facts)


Around = DecidedOperation | None
"""The decision on all that lies in an element, whatever rules say; None where they are asked."""
_DROPPED = Decision(drop=True)
_Answer = tuple[PathStep, Around]


class ElementRules:
    """The rules of one layout."""

    def __init__(self, body: BodyRules, portal: Portal, layout: str = "") -> None:
        self._portal, self._layout = portal, layout
        self._root_is_ruled = body.root is not None
        self._lookup = Lookup([one_by_one(layer) for layer in body.tags], one_by_one(general_layer()))
        self._answers: dict[tuple[object, ...], _Answer] = {}

    def of_container(self, tag: Tag, post: str) -> _Answer:
        """Return what is decided of a container; `post`: the rule of one that stands beside the article."""
        ruled = DecidedOperation("unwrap", Decider.PORTAL, "body.root")
        by_finder = DecidedOperation("unwrap", Decider.FINDER, GENERAL_FINDER)
        decided = ruled if self._root_is_ruled else by_finder
        if post:
            decided = DecidedOperation("post", Decider.POSTS, post)
        return _step(tag, decided, layout=self._layout), None

    def of(self, element: Element, tag: Tag, special: str, around: Around, scope: Scope) -> _Answer:
        """Raises PatternTimeout. `special`: the rule for posts of an element, else why the finder leaves it
        out, or TAB_LABELS."""
        decision = _DROPPED if around is _NOT_ASKED else self._lookup.decide(element, scope)
        key = tag.text, decision.rule, decision.blocks, decision.known, special, around
        answer = self._answers.get(key)
        if answer is None:
            if len(self._answers) >= 20_000:  # names made by machines may never come again
                self._answers.clear()
            answer = self._answers[key] = self._answer(tag, decision, special, around)
        return answer

    def _answer(self, tag: Tag, decision: Decision, special: str, around: Around) -> _Answer:
        if around is _NOT_ASKED:
            return _step(tag, _NOT_ASKED, in_dropped=True), around
        by_name = _by_special_name(decision, special)
        if by_name is not None:
            gone = by_name.operation not in ("post", "unwrap")
            return _step(tag, by_name, in_simple=around is not None), _NOT_ASKED if gone else around
        if around is not None and not decision.drop:
            return _step(tag, around, in_simple=True), around
        decided = self._decided(decision)
        # a block may come instead of the element, so that what is in it is left out: a divider, a player
        stands_for_it = (
            HOLDS[name] is Content.NOTHING or (name in _SHOWN and tag.name in VOID_MEDIA)
            for name in decision.blocks
        )
        gone = decision.drop or any(stands_for_it)
        simple = (
            decided._replace(operation="unwrap", condition=f"{decision.selector} *")
            if decision.simple
            else around
        )
        return _step(tag, decided, in_simple=around is not None), _NOT_ASKED if gone else simple

    def _decided(self, decision: Decision) -> DecidedOperation:
        if not decision.rule:
            return (
                DecidedOperation("unwrap", Decider.GENERAL, SOURCE)
                if decision.known
                else DecidedOperation("unwrap", Decider.NOBODY)
            )
        decider = Decider.PORTAL if self._portal.has_itself(decision.rule) else Decider.PRESET
        if decision.general:
            decider = Decider.GENERAL
        return DecidedOperation(
            decision.operation,
            decider,
            decision.rule,
            text_if(not needs_only_the_tag(decision.selector), decision.selector),
            decision.url if not decision.simple else None,  # that is of a block in its place
        )


def _by_special_name(decision: Decision, special: str) -> DecidedOperation | None:
    """Return what the rules for posts, or the finder, make of an element; None where the tag rules decide."""
    post = _POSTS.match(special)
    if post and not (post["part"] == "around" and decision.known):
        operation = "decompose" if post["outside"] else _POST_PARTS.get(post["part"], "decompose")
        return DecidedOperation(operation, Decider.POSTS, special)
    if special and not post and decision.general and not decision.drop:
        return DecidedOperation("unwrap" if special == TAB_LABELS else "decompose", Decider.FINDER, special)
    return None


# --- the selectors of a portal's rules, one by one, and whether simplified tags can answer them ---


@cache
def selectors_in(group: str) -> tuple[Selector, ...]:
    """The selectors between the commas of a group, in order."""
    selectors: list[str] = []
    depth = start = 0
    for token in css.tokenize(group):
        if token.type == "DELIM" and token.value in ("(", "["):
            depth += 1
        elif token.type == "DELIM" and token.value in (")", "]"):
            depth -= 1
        elif token.is_delim(",") and not depth:
            selectors.append(group[start : token.pos])
            start = token.pos + 1
    return tuple(Selector.parse(" ".join(text.split())) for text in (*selectors, group[start:]))


def one_by_one(layer: TagLayer, without: Collection[str] = ()) -> TagLayer:
    """The layer with a rule for each selector of a group, so that a decision tells which of them matched."""
    rules = (
        replace(rule, css=selector)
        for rule in layer.rules
        for selector in selectors_in(rule.css.text)
        if selector.text not in without
    )
    return replace(layer, rules=tuple(rules))


@cache
def tells_more_than_a_tag(selector: str) -> bool:
    """Say whether it names words or elements in it, or a class, an id or an attribute of the element
    itself."""
    subjects = [alternative.subject for alternative in Selector.parse(selector).alternatives]
    is_named = all(subject.classes or subject.ids or subject.attributes for subject in subjects)
    return is_named or ":contains(" in selector or ":has(" in selector


@cache
def needs_only_the_tag(selector: str) -> bool:
    """Say whether an element's simplified tag tells if it matches: nothing else is asked of it than names
    that such tags have."""
    subject = Selector.parse(selector).alternatives[0].subject
    ids, classes, attributes = map(sorted, (subject.ids, subject.classes, subject.attributes))
    name = subject.tag or "a"
    tag = simplified(
        name,
        [
            ("class", " ".join(classes)),
            *(("id", id) for id in ids),
            *((attribute, "a") for attribute in attributes),
        ],
    )
    is_whole = len(name) < LONGEST_NAME and "*" not in tag.text and list(tag.classes) == classes
    return (
        subject.plain
        and is_whole
        and [tag.id] == (ids or [""])
        and [key for key, _ in tag.attributes] == attributes
    )
