"""What rules make of a row of a table: the real ones are asked about an element that is made up from what the row says of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from cssselect import parser as css
from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.config.tag_dictionary import INLINES, TagLayer, TagRule
from webarticlecurator.extraction.body.tag_names import Tag
from webarticlecurator.extraction.body.tag_rules import Decision, Lookup, general_layer
from webarticlecurator.selectors import Scope, Selector, plain_dialect
from webarticlecurator.survey.rule_selectors import one_by_one
from webarticlecurator.survey.tag_table import TagDecision

_STAR = "0"
"""What stands for a star."""
_ANY = "div"


class LayerDecisions:
    """What some layers of rules make of elements."""

    def __init__(self, layers: Sequence[TagLayer], without: Collection[str] = ()) -> None:
        """`without`: selectors of the nearest layer that do not count."""
        single = [one_by_one(layer, without if number == 0 else ()) for number, layer in enumerate(layers)]
        self._lookup = Lookup(single)
        self._nearest = {f"{rule.source} {rule.css.text}".strip(): rule.css.text for rule in single[0].rules} if single else {}
        rules = [rule for layer in (*single, general_layer()) for rule in layer.rules]
        self._by_selector = {rule.css.text: decision_of_rule(rule) for rule in reversed(rules)}

    def decision(self, element: Element, where: str = "", *, placed: bool = True) -> TagDecision:
        """What becomes of an element. Of one that could not be put where it belongs, a rule with this very selector decides."""
        return self.decided(element, where, placed=placed)[0]

    def decided(self, element: Element, where: str, *, placed: bool) -> tuple[TagDecision, str]:
        """The same, and the selector of the nearest layer that says so; empty where a farther one does."""
        if not placed and where in self._by_selector:
            return self._by_selector[where], where if where in self._nearest.values() else ""
        by_rules = self._lookup.decide(element, Scope(None))
        decision = decision_of(by_rules)
        # in a block that is made simple only `decompose` still counts
        is_in_simple = any(self._lookup.decide(around, Scope(None)).simple for around in element.iterancestors())
        if is_in_simple and decision.operation != "decompose":
            return TagDecision("unwrap"), ""
        return decision, self._nearest.get(by_rules.rule, "")


def decision_of(decision: Decision) -> TagDecision:
    """In the words of a table."""
    if decision.drop or decision.simple:
        return TagDecision("decompose" if decision.drop else "unwrap-all")
    names = (*decision.blocks, *decision.inlines)
    return TagDecision(" > ".join(names) or ("unwrap" if decision.known else ""), decision.url or "")


def decision_of_rule(rule: TagRule) -> TagDecision:
    """The same of a rule; of a split the block comes first."""
    names = sorted(rule.split, key=lambda name: name in INLINES) if rule.split else [rule.operation]
    return TagDecision(" > ".join(names), rule.url or "")


# --- made-up elements ---


def example_element(tag: Tag, where: str = "") -> Element | None:
    """An element with this tag where the selector `where` finds it; None where no such place could be made up."""
    if not where:
        return _bare(tag)
    for alternative in css.parse(plain_dialect(where)):
        element = _bare(tag)
        if _fulfil(alternative.parsed_tree, element, is_tag=True) and Selector.parse(where).matches(element):
            return element
    return None


def with_what_was_added(tag: Tag, element: Element) -> Tag:
    """The tag of an example element: a place may ask for classes and attributes that the tag itself does not name."""
    classes = tuple(name for name in (element.get("class") or "").split() if name not in _written(tag.classes))
    names = {*_written(tuple(name.lower() for name, _ in tag.attributes)), "class", "id"}
    attributes = tuple((name, "") for name in map(str, element.attrib) if name not in names)
    return replace(tag, id=tag.id or element.get("id"), classes=(*tag.classes, *classes), attributes=(*tag.attributes, *attributes))


def _written(names: tuple[str, ...]) -> list[str]:
    return [name.replace("*", _STAR) for name in names]


def _bare(tag: Tag) -> Element:
    """Alone in a page; made as the HTML parser makes elements, since pages have names that XML has not."""
    page = etree.fromstring("<html><body></body></html>", etree.HTMLParser())
    element = etree.SubElement(page[0], tag.name.lower())
    if tag.id:
        element.set("id", tag.id.replace("*", _STAR))
    if tag.classes:
        element.set("class", " ".join(_written(tag.classes)))
    for name, value in tag.attributes:
        element.set(name.lower().replace("*", _STAR), value.replace("*", _STAR))
    return element


def _fulfil(tree: Any, element: Element, *, is_tag: bool = False) -> bool:
    """Give the element, and what is around it, all that a selector asks for; False where it asks for another tag.

    What cannot be made up (`:not()`, positions) is left to chance: whoever asks checks the result.
    """
    if isinstance(tree, css.CombinedSelector):
        return _fulfil(tree.subselector, element, is_tag=is_tag) and _fulfil(tree.selector, _neighbour(element, tree.combinator))
    if isinstance(tree, css.Element):
        if tree.element is not None and not is_tag:
            element.tag = tree.element.lower()
        return tree.element is None or tree.element.lower() == element.tag
    if not _fulfil(tree.selector, element, is_tag=is_tag):
        return False
    if isinstance(tree, css.Matching | css.SpecificityAdjustment):
        return _fulfil(next(iter(tree.selector_list)), element, is_tag=is_tag)
    if isinstance(tree, css.Relation):  # of several, the first
        return _fulfil(tree.arguments[0][1].parsed_tree, etree.SubElement(element, _ANY))
    if isinstance(tree, css.Hash):
        element.set("id", tree.id)
    elif isinstance(tree, css.Class):
        element.set("class", f"{element.get('class', '')} {tree.class_name}".strip())
    elif isinstance(tree, css.Function) and tree.name == "contains":
        element.text = (element.text or "") + (tree.arguments[0].value or "")
    elif isinstance(tree, css.Attrib):
        name, value = tree.attrib.lower(), (tree.value.value or "") if tree.value is not None else ""
        old = element.get(name)
        if tree.operator != "!=" and (old is None or tree.operator != "exists"):
            element.set(name, f"{old} {value}" if old is not None and tree.operator in ("*=", "~=") else value)
    return True


def _neighbour(element: Element, combinator: str) -> Element:
    """A new parent around the element and what was put beside it, or a new sibling before it."""
    parent = element.getparent()
    assert parent is not None
    if combinator in "+~":
        sibling = etree.SubElement(parent, _ANY)
        element.addprevious(sibling)
        return sibling
    beside = list(parent)
    around = etree.SubElement(parent, _ANY)
    around.extend(beside)
    return around
