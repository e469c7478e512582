"""Selectors that look from one element to others: combinators, `:has()`, `:not()`, `:is()`; and from cssselect's tree to tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from cssselect import parser as css
from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.selectors.conditions import CONDITIONS
from webarticlecurator.selectors.scope import Scope, SelectorError, Test, both


def compile_tree(tree: Any) -> Test:
    """The test of one selector as cssselect parsed it. Raises SelectorError."""
    kind = type(tree).__name__
    if kind not in _COMPILERS:
        raise SelectorError(f"{kind} is not supported in selectors")
    return _COMPILERS[kind](tree)


def _on_compound(make: Callable[[Any], Test]) -> Callable[[Any], Test]:
    """A condition stands on the compound to its left: both must hold."""

    def compile_condition(tree: Any) -> Test:
        condition = make(tree)
        if isinstance(tree.selector, css.Element) and tree.selector.element is None and tree.selector.namespace is None:
            return condition
        return both(compile_tree(tree.selector), condition)

    return compile_condition


def _negation(tree: css.Negation) -> Test:
    inner = _anywhere(compile_tree(tree.subselector))
    return lambda element, scope: not inner(element, scope)


def _any_of(tree: Any) -> Test:
    inner = [_anywhere(compile_tree(one)) for one in tree.selector_list]
    return lambda element, scope: any(test(element, scope) for test in inner)


def _anywhere(test: Test) -> Test:
    """A condition on one element may look at all of the page, also from inside an item."""

    def holds(element: Element, scope: Scope) -> bool:
        wide = Scope(None, scope.anchor, scope.left, scope.rule)
        result = test(element, wide)
        scope.left = wide.left
        return result

    return holds


class _Anchor:
    """Stands at the left end of a `:has()` argument for the element that must have it."""


def _relation(tree: css.Relation) -> Test:
    parsed = [(combinator.value or " ", one.parsed_tree) for combinator, one in tree.arguments]
    arguments = [(combinator, compile_tree(_anchored(inner, combinator))) for combinator, inner in parsed]

    def holds(element: Element, scope: Scope) -> bool:
        inner = Scope(None, element, scope.left, scope.rule)
        result = any(_has(element, combinator, test, inner) for combinator, test in arguments)
        scope.left = inner.left
        return result

    return holds


def _has(element: Element, combinator: str, test: Test, scope: Scope) -> bool:
    for candidate in _relatives(element, combinator):
        scope.step()
        if test(candidate, scope):
            return True
    return False


def _relatives(element: Element, combinator: str) -> Iterator[Element]:
    if combinator in " >":
        yield from element.iterdescendants(etree.Element)
        return
    for sibling in element.itersiblings(etree.Element):
        yield from sibling.iter(etree.Element)


def _anchored(tree: Any, combinator: str) -> Any:
    if isinstance(tree, css.CombinedSelector):
        return css.CombinedSelector(_anchored(tree.selector, combinator), tree.combinator, tree.subselector)
    return css.CombinedSelector(_Anchor(), combinator, tree)  # type: ignore[arg-type]


def _parents(element: Element, scope: Scope) -> Iterable[Element]:
    if element is scope.root:
        return
    parent = element.getparent()
    if parent is not None:
        yield parent


def _ancestors(element: Element, scope: Scope) -> Iterable[Element]:
    while element is not scope.root:
        parent = element.getparent()
        if parent is None:
            return
        yield parent
        element = parent


def _previous(element: Element, scope: Scope) -> Iterable[Element]:
    for sibling in _all_previous(element, scope):
        yield sibling
        return


def _all_previous(element: Element, scope: Scope) -> Iterable[Element]:
    return () if element is scope.root else element.itersiblings(etree.Element, preceding=True)


_LEFT_OF: dict[str, Callable[[Element, Scope], Iterable[Element]]] = {">": _parents, " ": _ancestors, "+": _previous, "~": _all_previous}


def _combined(tree: css.CombinedSelector) -> Test:
    left, right = compile_tree(tree.selector), compile_tree(tree.subselector)
    candidates = _LEFT_OF[tree.combinator]

    def holds(element: Element, scope: Scope) -> bool:
        if not right(element, scope):
            return False
        for candidate in candidates(element, scope):
            scope.step()
            if left(candidate, scope):
                return True
        return False

    return holds


_RELATIONS: dict[str, Callable[[Any], Test]] = {
    "Negation": _negation,
    "Matching": _any_of,
    "SpecificityAdjustment": _any_of,
    "Relation": _relation,
}
_COMPILERS: dict[str, Callable[[Any], Test]] = {
    **{kind: _on_compound(make) for kind, make in {**CONDITIONS, **_RELATIONS}.items()},
    "Element": CONDITIONS["Element"],
    "CombinedSelector": _combined,
    "_Anchor": lambda tree: lambda element, scope: element is scope.anchor,  # noqa: ARG005
}
