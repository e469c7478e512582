"""Conditions on one element: its name, its attributes, its text, where it stands."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from cssselect import parser as css
from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.selectors.scope import Scope, SelectorError, Test, both

_BLANKS = re.compile(r"[ \t\r\n\f]+")


def _element(tree: css.Element) -> Test:
    if tree.namespace not in (None, "*"):
        raise SelectorError(f"namespaces are not supported ({tree.namespace}|); write the element's name alone")
    if tree.element is None:
        return lambda element, scope: True  # noqa: ARG005
    name = tree.element.lower()
    return lambda element, scope: element.tag == name  # noqa: ARG005


def _hash(tree: css.Hash) -> Test:
    wanted = tree.id
    return lambda element, scope: element.get("id") == wanted  # noqa: ARG005


def _class(tree: css.Class) -> Test:
    wanted = tree.class_name

    def has_class(element: Element, _: Scope) -> bool:
        value = element.get("class")
        return value is not None and wanted in value and (value == wanted or wanted in _BLANKS.split(value))

    return has_class


_OPERATORS: dict[str, Callable[[str, str], bool]] = {
    "=": lambda value, wanted: value == wanted,
    "~=": lambda value, wanted: wanted in _BLANKS.split(value) and wanted != "",
    "|=": lambda value, wanted: value == wanted or value.startswith(wanted + "-"),
    "^=": lambda value, wanted: wanted != "" and value.startswith(wanted),
    "$=": lambda value, wanted: wanted != "" and value.endswith(wanted),
    "*=": lambda value, wanted: wanted != "" and wanted in value,
}


def _attribute(tree: css.Attrib) -> Test:
    if tree.namespace not in (None, "*"):
        raise SelectorError(f"namespaces are not supported ({tree.namespace}|); write the attribute's name alone")
    name = tree.attrib.lower()
    if tree.operator == "exists":
        return lambda element, scope: element.get(name) is not None  # noqa: ARG005
    wanted = (tree.value.value or "") if tree.value is not None else ""
    fold = tree.flag == "i"
    wanted = wanted.lower() if fold else wanted
    if tree.operator == "!=":
        return lambda element, scope: (element.get(name) or "").lower() != wanted if fold else element.get(name) != wanted  # noqa: ARG005
    compare = _OPERATORS[tree.operator]

    def holds(element: Element, _: Scope) -> bool:
        value = element.get(name)
        return value is not None and compare(value.lower() if fold else value, wanted)

    return holds


def _siblings(element: Element, *, before: bool, same_type: bool = False) -> int:
    """How many sibling elements stand before (or after) it."""
    tag = element.tag if same_type else None
    return sum(1 for sibling in element.itersiblings(tag or etree.Element, preceding=before))


def _position(wanted: Callable[[int], bool], *, from_end: bool, same_type: bool) -> Test:
    def holds(element: Element, scope: Scope) -> bool:
        index = 1 + _siblings(element, before=not from_end, same_type=same_type)
        scope.step(index // 8)
        return wanted(index)

    return holds


def _is_edge(*, before: bool, same_type: bool) -> Test:
    def holds(element: Element, _: Scope) -> bool:
        tag = element.tag if same_type else etree.Element
        return next(element.itersiblings(tag, preceding=before), None) is None

    return holds


def _is_empty(element: Element, _: Scope) -> bool:
    return len(element) == 0 and not element.text


def _is_disabled(element: Element, _: Scope) -> bool:
    return element.get("disabled") is not None


_FORM_TAGS = frozenset({"button", "fieldset", "input", "optgroup", "option", "select", "textarea"})

_PSEUDO_CLASSES: dict[str, Test] = {
    "root": lambda element, scope: element.getparent() is None,  # noqa: ARG005
    "scope": lambda element, scope: element is scope.anchor,
    "first-child": _is_edge(before=True, same_type=False),
    "last-child": _is_edge(before=False, same_type=False),
    "only-child": both(_is_edge(before=True, same_type=False), _is_edge(before=False, same_type=False)),
    "first-of-type": _is_edge(before=True, same_type=True),
    "last-of-type": _is_edge(before=False, same_type=True),
    "only-of-type": both(_is_edge(before=True, same_type=True), _is_edge(before=False, same_type=True)),
    "empty": _is_empty,
    "link": lambda element, scope: element.tag in ("a", "area", "link") and element.get("href") is not None,  # noqa: ARG005
    "checked": lambda element, scope: element.get("checked") is not None or element.get("selected") is not None,  # noqa: ARG005
    "disabled": lambda element, scope: element.tag in _FORM_TAGS and _is_disabled(element, scope),
    "enabled": lambda element, scope: element.tag in _FORM_TAGS and not _is_disabled(element, scope),
}
_PSEUDO_CLASSES["any-link"] = _PSEUDO_CLASSES["link"]
_POSITIONS: dict[str, tuple[bool, bool]] = {
    "nth-child": (False, False),
    "nth-last-child": (True, False),
    "nth-of-type": (False, True),
    "nth-last-of-type": (True, True),
}


def _pseudo_class(tree: css.Pseudo) -> Test:
    if tree.ident not in _PSEUDO_CLASSES:
        known = ", ".join(f":{name}" for name in sorted(_PSEUDO_CLASSES))
        raise SelectorError(f"the pseudo-class :{tree.ident} is not supported; there are {known}")
    return _PSEUDO_CLASSES[tree.ident]


def _function(tree: css.Function) -> Test:
    if tree.name in _POSITIONS:
        return _nth(tree, *_POSITIONS[tree.name])
    if tree.name not in ("contains", "lang"):
        known = ":has() :not() :is() :where() :contains() :lang() " + " ".join(f":{name}()" for name in _POSITIONS)
        raise SelectorError(f"the pseudo-class :{tree.name}() is not supported; there are {known}")
    if tree.argument_types() not in (["STRING"], ["IDENT"]):
        raise SelectorError(f':{tree.name}() needs one text in quotes, as in :{tree.name}("...")')
    text = tree.arguments[0].value or ""
    return _contains(text) if tree.name == "contains" else _lang(text)


def _nth(tree: css.Function, from_end: bool, same_type: bool) -> Test:
    try:
        a, b = css.parse_series(tree.arguments)
    except ValueError:
        raise SelectorError(f":{tree.name}() needs a number, odd, even, or a formula like 2n+1") from None

    def wanted(index: int) -> bool:
        return index == b if a == 0 else (index - b) % a == 0 and (index - b) // a >= 0

    return _position(wanted, from_end=from_end, same_type=same_type)


def _contains(text: str) -> Test:
    wanted = re.sub(r"\s+", " ", text)

    def holds(element: Element, scope: Scope) -> bool:
        content = "".join(element.itertext(etree.Element))  # type: ignore[arg-type]
        scope.step(len(content) // 16)
        return wanted in " ".join(content.split()) if wanted.strip() == wanted else wanted in re.sub(r"\s+", " ", content)

    return holds


def _lang(text: str) -> Test:
    wanted = text.lower()

    def holds(element: Element, _: Scope) -> bool:
        holder: Element | None = element
        while holder is not None and holder.get("lang") is None:
            holder = holder.getparent()
        return holder is not None and (holder.get("lang", "").lower() + "-").startswith(wanted + "-")

    return holds


CONDITIONS: dict[str, Callable[[Any], Test]] = {
    "Element": _element,
    "Hash": _hash,
    "Class": _class,
    "Attrib": _attribute,
    "Pseudo": _pseudo_class,
    "Function": _function,
}
"""Kind of node in cssselect's tree -> its condition, without those of the nodes that it stands on."""
