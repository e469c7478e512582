"""The selectors of a portal's rules, one by one, and whether simplified tags can answer them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from cssselect import parser as css

from webarticlecurator.extraction.body.tag_names import LONGEST_NAME, kept_name, simplified
from webarticlecurator.selectors import Selector, plain_dialect


@cache
def selectors_in(group: str) -> tuple[Selector, ...]:
    """The selectors between the commas of a group, in order."""
    return tuple(Selector.parse(text) for text in _split(group))


def _split(group: str) -> Iterator[str]:
    depth = start = 0
    for token in css.tokenize(group):
        if token.type == "DELIM" and token.value in ("(", "["):
            depth += 1
        elif token.type == "DELIM" and token.value in (")", "]"):
            depth -= 1
        elif token.is_delim(",") and not depth:
            yield " ".join(group[start : token.pos].split())
            start = token.pos + 1
    yield " ".join(group[start:].split())


@cache
def tells_more_than_a_tag(selector: str) -> bool:
    """Whether it names words, or a class, an id or an attribute of the element itself."""
    subjects = [one.subject for one in Selector.parse(selector).alternatives]
    return ":contains(" in selector or all(one.classes or one.ids or one.attributes for one in subjects)


@cache
def needs_only_the_tag(selector: str) -> bool:
    """Whether an element's simplified tag tells if it matches: nothing is asked of what stands around, beside or in it."""
    return _by_tag_alone(css.parse(plain_dialect(selector))[0].parsed_tree)


def _by_tag_alone(tree: Any) -> bool:
    if isinstance(tree, css.Element):
        return tree.namespace is None and len(tree.element or "") < LONGEST_NAME
    if isinstance(tree, css.Negation):
        return _by_tag_alone(tree.selector) and _by_tag_alone(tree.subselector)
    if isinstance(tree, css.Matching | css.SpecificityAdjustment):
        return _by_tag_alone(tree.selector) and all(map(_by_tag_alone, tree.selector_list))
    if isinstance(tree, css.Class):
        return _is_kept(tree.class_name) and _by_tag_alone(tree.selector)
    if isinstance(tree, css.Hash):
        return _is_kept(tree.id) and simplified("a", (("id", tree.id),)).id == tree.id and _by_tag_alone(tree.selector)
    return isinstance(tree, css.Attrib) and _is_in_simplified_tags(tree) and _by_tag_alone(tree.selector)


def _is_in_simplified_tags(condition: css.Attrib) -> bool:
    """Whether a tag tells this attribute, and its value where that is asked for."""
    name, value = condition.attrib.lower(), "" if condition.value is None else condition.value.value or ""
    if condition.namespace is not None or not _is_kept(name) or condition.flag is not None or (condition.operator == "=") != bool(value):
        return False
    kept = simplified("a", ((name, value or "a"),)).attributes
    return [key for key, _ in kept] == [name] if condition.operator == "exists" else kept == ((name, value),)


def _is_kept(name: str) -> bool:
    """Whether a name is the same in a simplified tag, and no other name becomes it."""
    return "*" not in name and kept_name(name) == name
