"""The selectors of a portal's rules, one by one, and whether simplified tags can answer them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import cache

from cssselect import parser as css

from webarticlecurator.config.tag_dictionary import TagLayer
from webarticlecurator.extraction.body.tag_names import LONGEST_NAME, simplified
from webarticlecurator.selectors import Selector


@cache
def selectors_in(group: str) -> tuple[Selector, ...]:
    """The selectors between the commas of a group, in order."""
    return tuple(Selector.parse(text) for text in _split(group))


def one_by_one(layer: TagLayer, without: Collection[str] = ()) -> TagLayer:
    """The layer with a rule for each selector of a group, so that a decision tells which of them matched."""
    rules = (
        replace(rule, css=selector) for rule in layer.rules for selector in selectors_in(rule.css.text) if selector.text not in without
    )
    return replace(layer, rules=tuple(rules))


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
    subjects = [alternative.subject for alternative in Selector.parse(selector).alternatives]
    return ":contains(" in selector or all(subject.classes or subject.ids or subject.attributes for subject in subjects)


@cache
def needs_only_the_tag(selector: str) -> bool:
    """Whether an element's simplified tag tells if it matches: nothing else is asked of it than names that such tags have."""
    subject = Selector.parse(selector).alternatives[0].subject
    ids, classes, attributes = map(sorted, (subject.ids, subject.classes, subject.attributes))
    name = subject.tag or "a"
    tag = simplified(name, [("class", " ".join(classes)), *(("id", id) for id in ids), *((attribute, "a") for attribute in attributes)])
    is_whole = len(name) < LONGEST_NAME and "*" not in tag.text and list(tag.classes) == classes
    return subject.plain and is_whole and [tag.id or ""] == (ids or [""]) and [key for key, _ in tag.attributes] == attributes
