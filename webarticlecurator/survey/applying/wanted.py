"""What the rows of a table want, beside what the rules of a portal say now."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.config.portal import Portal
from webarticlecurator.config.tag_dictionary import INLINES, TagLayer, TagRule
from webarticlecurator.errors import Mistake, PortalFileError
from webarticlecurator.extraction.body.general_table import general_layer
from webarticlecurator.extraction.body.lookup import Decision, Lookup
from webarticlecurator.extraction.body.media import media_target
from webarticlecurator.selectors import Scope
from webarticlecurator.survey.applying.choosing import selector
from webarticlecurator.survey.applying.example_elements import example_element
from webarticlecurator.survey.applying.table import Table, TableRow, TagDecision, contradiction
from webarticlecurator.survey.rule_selectors import layers_of, selectors_in

_LINE = re.compile(r":\d+ ")
"""In `portal.yaml:31 div.ajanlo`; the number moves when the file is edited."""
_ANYWHERE = "https://address.example/"
_MEDIA = frozenset({"figure", "embed", "social"})


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedDecision:
    """What has to become of a tag, for all rows that are about it."""

    row: TableRow
    """The first of them."""
    where: str
    element: Element
    """Made up from the row."""
    placed: bool
    """It also stands where the row says; else only its tag could be made up."""
    now: TagDecision
    target: TagDecision
    weight: int
    edited: int
    """Rows that want something else than what is said now."""


class LayerDecisions:
    """What some layers of rules make of elements."""

    def __init__(self, layers: Sequence[TagLayer]) -> None:
        self._lookup = Lookup(layers)
        rules = [rule for layer in (*layers, general_layer()) for rule in layer.rules]
        self._by_selector = {_one_line(rule.css.text): decision_of_rule(rule) for rule in reversed(rules)}

    def decision(self, element: Element, where: str, *, placed: bool) -> TagDecision:
        """Of an element that could not be put where it belongs, a rule with this very selector decides."""
        if not placed:
            for text in (selector(element.tag, where, ()), where):
                if text in self._by_selector:
                    return self._by_selector[text]
        decision = decision_of(self._lookup.decide(element, Scope(None)))
        return TagDecision("unwrap") if decision.operation != "decompose" and self.makes_simple_around(element) else decision

    def makes_simple_around(self, element: Element) -> bool:
        """Whether it lies in a block that is made simple, where only `decompose` still counts."""
        return any(self._lookup.decide(around, Scope(None)).simple for around in element.iterancestors())


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


def wanted_decisions(table: Table, portal: Portal) -> list[WantedDecision]:
    """One for each tag (and place) of the table. Raises PortalFileError with all rows that contradict one another."""
    known = _known_rules(portal)
    decisions = LayerDecisions(portal.body.tags)
    groups: dict[tuple[str, str], list[WantedDecision]] = defaultdict(list)
    mistakes: list[Mistake] = []
    for row in table.rows:
        rules = known.get(_LINE.sub(" ", row.decided_by), ())
        wanted = _wanted(row, decisions, rules)
        groups[row.tag.text, wanted.where].append(wanted)
        if wanted.edited and rules and all(rule.in_layout for rule in rules):
            mistakes.append(table.mistake(row, f"`{row.tag.text}` is decided in a layout ({row.decided_by}); change the rule there"))
    merged = [_merged(table, group, mistakes) for group in groups.values()]
    if mistakes:
        raise PortalFileError(tuple(mistakes))
    return merged


def _merged(table: Table, group: Sequence[WantedDecision], mistakes: list[Mistake]) -> WantedDecision:
    """What the rows about one tag want together; contradictions are noted."""
    edited = [wanted for wanted in group if wanted.edited]
    others = (wanted for wanted in edited if wanted.target != edited[0].target)
    mistakes.extend(table.mistake(wanted.row, contradiction(wanted.row, edited[0].row)) for wanted in others)
    return replace((edited or group)[0], weight=sum(wanted.weight for wanted in group), edited=len(edited))


class _KnownRule(NamedTuple):
    """A rule of the portal that a table may name as the one that decided a row."""

    selector: str
    decision: TagDecision
    in_layout: bool


def _known_rules(portal: Portal) -> Mapping[str, Sequence[_KnownRule]]:
    """How a table names it -> the rule (or rules: layouts repeat those of the portal)."""
    known: dict[str, list[_KnownRule]] = defaultdict(list)
    for layout, layers in layers_of(portal).items():
        for rule in (rule for layer in layers for rule in layer.rules):
            for asked in selectors_in(rule.css.text):
                name = _LINE.sub(" ", f"{rule.source} {asked.text}")
                known[name].append(_KnownRule(asked.text, decision_of_rule(rule), in_layout=bool(layout)))
    return known


def _wanted(row: TableRow, decisions: LayerDecisions, rules: Sequence[_KnownRule]) -> WantedDecision:
    """By one row."""
    wanted = _wanted_at(row, row.where, decisions)
    if not wanted.edited:
        return wanted
    # it may have been decided by what a tag does not show: the value of an attribute, a number, the rules of a layout
    for rule in rules:
        there = _wanted_at(row, rule.selector, decisions)
        if not row.where and there.placed and there.now == rule.decision and wanted.now != rule.decision:
            return there
        if rule.decision == row.decision:
            return replace(wanted, target=wanted.now, edited=0)
    return wanted


def _wanted_at(row: TableRow, where: str, decisions: LayerDecisions) -> WantedDecision:
    """By one row, as if it were about this place."""
    found = example_element(row.tag, where)
    element = found if found is not None else example_element(row.tag)
    assert element is not None
    now = decisions.decision(element, where, placed=found is not None)
    target = row.decision if row.decision.operation else now
    if target.url and target.url != now.url and _is_found_anyway(element, target):
        target = TagDecision(target.operation)
    return WantedDecision(
        row=row,
        where=where,
        element=element,
        placed=found is not None,
        now=now,
        target=target,
        weight=row.frequency,
        edited=int(target != now),
    )


def _is_found_anyway(element: Element, decision: TagDecision) -> bool:
    """Whether the address would be taken from this attribute without being told."""
    if decision.operation not in _MEDIA or decision.url not in element.attrib:
        return decision == TagDecision("link", "href")
    copy = etree.SubElement(element.getparent(), element.tag)  # type: ignore[arg-type]
    for name in map(str, element.attrib):
        copy.set(name, f"{_ANYWHERE}{name}")
    same = media_target(copy, None, _ANYWHERE) == media_target(copy, decision.url, _ANYWHERE)
    copy.getparent().remove(copy)  # type: ignore[union-attr]
    return same


def _one_line(text: str) -> str:
    return " ".join(text.split())
