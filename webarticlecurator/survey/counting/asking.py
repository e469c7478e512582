"""What the rules of a portal ask of elements: which selectors a tree of simplified tags can answer, and which only the page itself can."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from cssselect import parser as css

from webarticlecurator.config.portal import Portal
from webarticlecurator.config.tag_dictionary import TagLayer
from webarticlecurator.extraction.body.general_table import general_layer
from webarticlecurator.selectors import Alternative, Selector
from webarticlecurator.selectors.dialect import Subject, plain_dialect, subject_of
from webarticlecurator.selectors.relations import compile_tree
from webarticlecurator.selectors.scope import Test
from webarticlecurator.survey.tag import LONGEST_NAME, Tag, kept_name, simplified

_SIDEWAYS = frozenset("+~")


@dataclass(frozen=True, slots=True)
class Left:
    """What a selector asks of an element around the one that it ends in."""

    subject: Subject
    matches: Test
    names: frozenset[str]
    """The ids, classes and attributes that it speaks of: "#id", ".class", "[attribute"."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One selector of a group, by itself."""

    text: str
    """Equal texts ask the same, under whatever operation they stand."""
    alternative: Alternative
    hard: bool
    """Simplified tags cannot answer it: it looks at siblings, at text, at numbers, at values; it is asked on the page."""
    own: bool
    """The element's simplified tag alone answers it."""
    lefts: tuple[Left, ...] = ()
    """Where it is not hard: what it asks of elements around; those around a container may answer that, too."""


@cache
def asked_in(selector: str) -> tuple[Asked, ...]:
    """The selectors of a group, in order."""
    return tuple(_asked(one) for one in _split(selector))


def layers_of(portal: Portal) -> Mapping[str, Sequence[TagLayer]]:
    """The tag dictionary of each layout, nearest layer first, with the general table as the last; "" stands for the base rules."""
    dictionaries = {"": portal.body.tags, **{layout.name: layout.body.tags for layout in reversed(portal.layouts)}}
    return {name: (*layers, general_layer()) for name, layers in dictionaries.items()}


def all_asked(portal: Portal) -> dict[str, Asked]:
    """Everything that the rules of any layout ask, by its text."""
    rules = (rule for layers in layers_of(portal).values() for layer in layers for rule in layer.rules)
    return {asked.text: asked for rule in rules for asked in asked_in(rule.css.text)}


@dataclass(frozen=True, slots=True)
class Above:
    """What is known of the elements around all containers: their tags, ids and classes, as "div", "#id" and ".class"."""

    features: frozenset[str]
    full: bool = False
    """There were too many; anything may be there."""

    def may_answer(self, left: Left) -> bool:
        """Whether there may have been an element for it."""
        subject = left.subject
        wanted = {*([subject.tag] if subject.tag else []), *(f"#{one}" for one in subject.ids), *(f".{one}" for one in subject.classes)}
        return self.full or (bool(self.features) and wanted <= self.features)


def features(tag: Tag) -> Iterator[str]:
    """A tag around a container, taken apart."""
    yield tag.name
    yield from (f".{name}" for name in tag.classes)
    if tag.id is not None:
        yield f"#{tag.id}"


def unanswered(portal: Portal, answered: frozenset[str], above: Above) -> list[str]:
    """Selectors of the rules that an earlier pass was not asked, and without which its nodes cannot be decided."""
    return [
        asked.text
        for asked in all_asked(portal).values()
        if asked.text not in answered and (asked.hard or any(above.may_answer(left) for left in asked.lefts))
    ]


# --- taking selectors apart ---


def _split(text: str) -> Iterator[str]:
    """The selectors between the commas of a group."""
    depth = start = 0
    for token in css.tokenize(text):
        if token.type == "DELIM" and token.value in ("(", "["):
            depth += 1
        elif token.type == "DELIM" and token.value in (")", "]"):
            depth -= 1
        elif token.is_delim(",") and not depth:
            yield " ".join(text[start : token.pos].split())
            start = token.pos + 1
    yield " ".join(text[start:].split())


def _asked(text: str) -> Asked:
    (alternative,) = Selector.parse(text).alternatives
    tree = css.parse(plain_dialect(text))[0].parsed_tree
    if not _is_soft(tree):
        return Asked(text, alternative, hard=True, own=False)
    own = not isinstance(tree, css.CombinedSelector) and not any(True for _ in _lefts(tree))
    return Asked(text, alternative, hard=False, own=own, lefts=tuple(_left(one) for one in _lefts(tree)))


def _left(tree: Any) -> Left:
    return Left(subject_of(tree), compile_tree(tree), frozenset(_names(tree)))


def _parts(tree: Any) -> Iterator[Any]:
    """A compound's own conditions, from the last to its tag name; selectors inside `:not()` and the like are part of theirs."""
    while not isinstance(tree, css.Element):
        yield tree
        tree = tree.selector
    yield tree


def _inner(part: Any) -> Sequence[Any]:
    """The selectors inside a condition."""
    if isinstance(part, css.Negation):
        return (part.subselector,)
    return tuple(part.selector_list) if isinstance(part, (css.Matching, css.SpecificityAdjustment)) else ()


def _compounds(tree: Any) -> tuple[Any, ...]:
    """From the left to the right."""
    if isinstance(tree, css.CombinedSelector):
        return (*_compounds(tree.selector), tree.subselector)
    return (tree,)


def _lefts(tree: Any) -> Iterator[Any]:
    """The compounds that the selector does not end in, those of selectors inside its conditions too."""
    compounds = _compounds(tree)
    yield from (one for one in compounds[:-1] if not _is_scope(one))
    yield from (left for compound in compounds for part in _parts(compound) for inner in _inner(part) for left in _lefts(inner))


def _is_scope(tree: Any) -> bool:
    return isinstance(tree, css.Pseudo) and tree.ident == "scope"


def _is_soft(tree: Any) -> bool:
    if isinstance(tree, css.CombinedSelector):
        return tree.combinator not in _SIDEWAYS and _is_soft(tree.selector) and _is_soft(tree.subselector)
    return all(_is_soft_part(part) for part in _parts(tree))


def _is_soft_part(part: Any) -> bool:
    """Whether a simplified tag answers as its element would."""
    if isinstance(part, css.Element):
        return part.namespace is None and len(part.element or "") < LONGEST_NAME
    if inner := _inner(part):
        return all(map(_is_soft, inner))
    if isinstance(part, css.Class):
        return _is_kept(part.class_name)
    if isinstance(part, css.Hash):
        return simplified("a", (("id", part.id),)).id == part.id and _is_kept(part.id)
    if isinstance(part, css.Attrib):
        return _is_soft_attribute(part)
    return _is_scope(part)


def _is_soft_attribute(part: css.Attrib) -> bool:
    name = part.attrib.lower()
    value = "" if part.value is None else part.value.value or ""
    if part.namespace is not None or not _is_kept(name) or part.flag is not None or (part.operator == "=") != bool(value):
        return False
    kept = simplified("a", ((name, value or "a"),)).attributes
    return [key for key, _ in kept] == [name] if part.operator == "exists" else kept == ((name, value),)


def _is_kept(name: str) -> bool:
    """Whether a name is the same in a simplified tag, and no other name becomes it."""
    return "*" not in name and kept_name(name) == name


def _names(tree: Any) -> Iterator[str]:
    for part in _parts(tree):
        if isinstance(part, css.Class):
            yield f".{part.class_name}"
        elif isinstance(part, css.Hash):
            yield f"#{part.id}"
        elif isinstance(part, css.Attrib):
            yield f"[{part.attrib.lower()}"
        yield from (name for inner in _inner(part) for compound in _compounds(inner) for name in _names(compound))


def reduced(tag: Tag, names: frozenset[str]) -> Tag:
    """Of a tag around a container only what somebody asks for: everything else differs from page to page."""
    return replace(
        tag,
        id=tag.id if f"#{tag.id}" in names else None,
        classes=tuple(one for one in tag.classes if f".{one}" in names),
        attributes=tuple(one for one in tag.attributes if f"[{one[0]}" in names),
    )
