"""The names without which a rule cannot match: what a page must have, at least, for a selector or a pick to
find anything on it.

Where they cannot be told, a rule needs nothing, so that it may match on any page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from itertools import product
from typing import Any, NamedTuple

from cssselect import parser as css

from webarticlecurator.config.picks import Pick, Picks
from webarticlecurator.jmespaths import JsonPath
from webarticlecurator.own_patterns import linear_at
from webarticlecurator.selectors import BLANKS, Alternative, Selector, plain_dialect

TAG = "<"
"""How the name of a tag begins."""
CLASS = "."
"""How that of a class begins."""
ID = "#"
"""How that of an id begins."""
ATTRIBUTE = "["
"""How that of an attribute begins."""
META = "meta:"
"""How the name or property of a `meta` begins."""
RELATION = "link:"
"""How the relation of a `link` begins."""
KEY = "ld:"
"""How a key of JSON-LD begins."""
ASKED = "name:"
"""How a text begins of which it was asked whether it is a name of the portal."""
_MOST_TOGETHER = 500
"""Needs of one pick; one with more needs nothing."""
_PLAIN_TAG = linear_at("[a-z][a-z0-9]*")
_OF_SIBLINGS = ("+", "~")
"""Beginnings of what is in `:has()` by which all siblings are looked at."""
_STEPS_OF_PATHS = frozenset(
    ("field", "subexpression", "index_expression", "index", "slice", "projection", "flatten", "identity")
)
"""Kinds of steps of a JMESPath that give nothing of nothing."""


class Need(NamedTuple):
    """The names that a page must have for a rule to match; the fewer, the more pages are read to be sure."""

    names: frozenset[str] = frozenset()
    walks: int = 0
    """How often, at most, the elements around (or in) an element are gone through to find out that it matches
    not."""
    is_costly: bool = False
    """To find that out may take long, where the names are there."""

    def with_(self, other: Need) -> Need:
        """Return what is needed if both must match; of what is costly no other name can keep a page."""
        if self.is_costly and other.is_costly:
            return Need(self.names & other.names, is_costly=True)
        if self.is_costly or other.is_costly:
            return self if self.is_costly else other
        return Need(self.names | other.names, self.walks + other.walks)


Needs = tuple[Need, ...]
"""The needs of alternatives: a page must fulfil one of them."""
ANYTHING: Needs = (Need(),)
"""The needs of a rule that may match on any page."""


def together(*several: Needs) -> Needs:
    """Return what is needed where each of several rules must match."""
    if reduce(lambda number, needs: number * len(needs), several, 1) > _MOST_TOGETHER:
        return ANYTHING
    return tuple(reduce(Need.with_, needs) for needs in product(*several))


def needs_of_selector(selector: Selector | None) -> Needs:
    """Return what each selector of a group needs; where there is none, nothing is needed."""
    if selector is None:
        return ANYTHING
    trees = [parsed.parsed_tree for parsed in css.parse(plain_dialect(selector.text))]
    return tuple(map(_need_of, trees, selector.alternatives))


def _need_of(tree: Any, alternative: Alternative) -> Need:
    """Return what one selector needs; of one that may be long in finding out, only what is looked up
    before."""
    parts = list(_all_in(tree))
    if any(map(_is_costly, parts)):
        return Need(frozenset(_looked_up(alternative)), is_costly=True)
    return Need(frozenset(_names_in(tree)), sum(map(_walks, parts)))


def _looked_up(alternative: Alternative) -> Iterator[str]:
    """Yield the names without which an element is not even asked whether it matches."""
    subject = alternative.subject
    if subject.tag and _PLAIN_TAG.fullmatch(subject.tag):
        yield f"{TAG}{subject.tag}"
    yield from (f"{ID}{id}" for id in subject.ids if '"' not in id)
    yield from (f"{CLASS}{name}" for name in subject.classes if '"' not in name and _is_one_class(name))


def _is_one_class(name: str) -> bool:
    """Say whether a name holds no blank: with one, it is compared with all that is written as class."""
    return name.split() == [name] and BLANKS.split(name) == [name]


def _is_costly(tree: Any) -> bool:
    """Say whether a part of a selector counts, or looks at siblings or texts."""
    if isinstance(tree, css.Relation):
        return any(mark.value in _OF_SIBLINGS for mark, _ in tree.arguments)
    return isinstance(tree, css.Function) or (
        isinstance(tree, css.CombinedSelector) and tree.combinator == "~"
    )


def _walks(tree: Any) -> int:
    """Return how often a part of a selector goes through the elements around or in an element."""
    if isinstance(tree, css.Relation):
        return 2
    return int(isinstance(tree, css.CombinedSelector) and tree.combinator == " ")


def _within(tree: Any) -> list[Any]:
    """Return the selectors that a part of a selector holds between brackets."""
    if isinstance(tree, css.Relation):
        return [argument.parsed_tree for _, argument in tree.arguments]
    if isinstance(tree, css.Negation):
        return [tree.subselector]
    return list(getattr(tree, "selector_list", ()))


def _all_in(tree: Any) -> Iterator[Any]:
    """Yield all parts of a selector."""
    waiting = [tree]
    while waiting:
        part = waiting.pop()
        yield part
        beside = [getattr(part, "selector", None), getattr(part, "subselector", None), *_within(part)]
        waiting.extend(child for child in beside if child is not None)


def _names_in(tree: Any) -> set[str]:
    """Return the names that each match of a selector needs, with those of the elements around and beside
    it."""
    if isinstance(tree, css.Element):
        return {f"{TAG}{tree.element.lower()}"} if tree.element else set()
    names = _names_in(tree.selector) | _OWN_NAMES.get(type(tree), _no_names)(tree)
    return names | _names_in(tree.subselector) if isinstance(tree, css.CombinedSelector) else names


def _no_names(_: Any) -> set[str]:
    return set()


def _of_class(tree: Any) -> set[str]:
    return {f"{CLASS}{tree.class_name}"} if _is_one_class(tree.class_name) else {f"{ATTRIBUTE}class"}


def _of_attribute(tree: Any) -> set[str]:
    return {f"{ATTRIBUTE}{tree.attrib.lower()}"} if tree.operator != "!=" else set()


def _of_any_arm(tree: Any) -> set[str]:
    """Return what all selectors between brackets need, of which one must match."""
    return set.intersection(*map(_names_in, _within(tree)))


_OWN_NAMES: Mapping[type, Callable[[Any], set[str]]] = {
    css.Hash: lambda tree: {f"{ID}{tree.id}"},
    css.Class: _of_class,
    css.Attrib: _of_attribute,
    css.Matching: _of_any_arm,
    css.SpecificityAdjustment: _of_any_arm,
    css.Relation: _of_any_arm,
}
"""Kind of a part of a selector -> the names that it asks for; all others ask for none."""


def needs_of_values(picks: Picks) -> Needs:
    """Return what is needed for one of several picks to give a value."""
    return tuple(need for pick in picks.each() for need in _needs_of_value(pick))


def needs_of_elements(picks: Picks) -> Needs:
    """Return what is needed for one of several picks to give an element; who looks for a text is given all
    that the pick is asked of."""
    return tuple(need for pick in picks.each() for need in _needs_of_element(pick))


def _needs_of_value(pick: Pick) -> Needs:
    if pick.jsonld is None:
        return _needs_of_element(pick)
    return _where_asked(pick, (Need(_keys_of(pick.jsonld)),))


def _where_asked(pick: Pick, place: Needs) -> Needs:
    """Return what a pick needs that gives something where its place is: what it needs on the page, and the
    work of looking for what must be absent."""
    absent = needs_of_selector(pick.unless)
    if pick.page_number is not None or any(need.is_costly for need in absent):
        return ANYTHING
    work = (Need(walks=sum(need.walks for need in absent)),)
    return together(place, needs_of_selector(pick.when), work)


def _needs_of_element(pick: Pick) -> Needs:
    place = ANYTHING if pick.has_texts else _needs_of_place(pick)
    return _where_asked(pick, place)


def _needs_of_place(pick: Pick) -> Needs:
    """Return what is needed where elements are picked."""
    mark = pick.before or pick.after
    if mark is not None:
        return needs_of_selector(mark)
    named = ((META, pick.meta), (RELATION, pick.head_link))
    for kind, name in named:
        if name is not None:
            return (Need(frozenset({f"{kind}{name.lower()}"})),)
    within = needs_of_selector(pick.within.css if pick.within is not None else None)
    return together(_needs_in_container(pick), within)


def _needs_in_container(pick: Pick) -> Needs:
    """Return what is needed in the container. What `css` finds in HTML of an attribute stands in no tree
    yet."""
    if pick.html_in is None:
        return needs_of_selector(pick.css)
    is_path = isinstance(pick.html_in, JsonPath)
    return ANYTHING if is_path else (Need(frozenset({f"{ATTRIBUTE}{pick.html_in}".lower()})),)


def _keys_of(path: JsonPath) -> frozenset[str]:
    """Return the keys without which a path finds nothing; none where its steps may make something of
    nothing."""
    steps = list(path.steps())
    if not _STEPS_OF_PATHS.issuperset(kind for kind, _ in steps):
        return frozenset()
    return frozenset(f"{KEY}{name}" for kind, name in steps if kind == "field")
