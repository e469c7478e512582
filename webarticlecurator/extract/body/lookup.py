"""The rules of all layers, compiled once into a lookup that decides what becomes of one element in near-constant time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter

from lxml.etree import _Element as Element

from webarticlecurator.config.tag_dictionary import INLINES, TagLayer, TagRule
from webarticlecurator.extract.body.general_table import NEUTRAL, SOURCE, general_layer
from webarticlecurator.selectors import Alternative, Scope
from webarticlecurator.selectors.scope import Test

_MOST_SIGNATURES = 20_000
"""Combinations of tag, class and id whose rules are remembered; class names made by machines may never come again."""
_INLINES = frozenset(INLINES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What becomes of an element."""

    drop: bool = False
    blocks: tuple[str, ...] = ()
    """Names of the blocks that it becomes, the outer one first."""
    inlines: tuple[str, ...] = ()
    simple: bool = False
    """All elements inside it go."""
    url: str | None = None
    """The attribute that holds its address."""
    rule: str = ""
    """Source and selector."""
    general: bool = False
    """No rule of a portal decides."""
    known: bool = True
    """False where the general table does not decide either."""


UNWRAP = Decision(general=True)
UNKNOWN = Decision(general=True, known=False)

_Rank = tuple[int, tuple[int, int, int], int]
_Entry = tuple[_Rank, Alternative, Decision]
_Candidate = tuple[Test | None, Decision]
"""What an element still has to pass; None where its tag, class and id are enough."""


class Lookup:
    """What a portal's rules (of one layout) make of its elements. Nearer layer, then specificity, then the later rule."""

    def __init__(self, layers: Sequence[TagLayer]) -> None:
        self._by_id: dict[str, list[_Entry]] = defaultdict(list)
        self._by_class: dict[str, list[_Entry]] = defaultdict(list)
        self._by_tag: dict[str, list[_Entry]] = defaultdict(list)
        self._anywhere: list[_Entry] = []
        self._remembered: dict[tuple[str, str | None, str | None], tuple[_Candidate, ...]] = {}
        for entry in _entries((*layers, general_layer())):
            self._shelf(entry[1]).append(entry)

    def decide(self, element: Element, scope: Scope) -> Decision:
        """The decision of the first matching rule; what `unwrap-all` makes simple is still named by the next one."""
        get = element.get
        tag, names, id = element.tag, get("class"), get("id")
        signature = (tag, names, id if id in self._by_id else None)
        candidates = self._remembered.get(signature)
        if candidates is None:
            candidates = self._remember(signature)
        simple: Decision | None = None
        for test, decision in candidates:
            if test is not None and not test(element, scope):
                continue
            if simple is None:
                if not decision.simple:
                    return decision
                simple = decision
            elif decision.blocks or decision.inlines:
                return Decision(blocks=decision.blocks, inlines=decision.inlines, simple=True, url=decision.url, rule=simple.rule)
        if simple is not None:
            return simple
        return UNWRAP if tag in NEUTRAL and not names else UNKNOWN

    def _shelf(self, alternative: Alternative) -> list[_Entry]:
        """Where the fewest elements look."""
        subject = alternative.subject
        for index, keys in ((self._by_id, subject.ids), (self._by_class, subject.classes)):
            if keys:
                return index[min(keys)]
        return self._by_tag[subject.tag] if subject.tag else self._anywhere

    def _remember(self, signature: tuple[str, str | None, str | None]) -> tuple[_Candidate, ...]:
        """The rules that can matter for elements of this tag, class and id, the strongest first."""
        tag, names, id = signature
        classes = frozenset(names.split()) if names else frozenset()
        shelves = [self._anywhere, self._by_tag.get(tag, ()), self._by_id.get(id, ()) if id is not None else ()]
        shelves += [self._by_class[name] for name in classes if name in self._by_class]
        found = tuple(_until_certain(_fitting(shelves, tag, classes, id)))
        if len(self._remembered) >= _MOST_SIGNATURES:
            self._remembered.clear()
        self._remembered[signature] = found
        return found


def _fitting(shelves: Iterable[Iterable[_Entry]], tag: str, classes: frozenset[str], id: str | None) -> list[_Entry]:
    ids = frozenset() if id is None else frozenset((id,))
    fitting = [
        entry
        for shelf in shelves
        for entry in shelf
        if entry[1].subject.tag in (None, tag) and entry[1].subject.classes <= classes and entry[1].subject.ids <= ids
    ]
    return sorted(fitting, key=itemgetter(0), reverse=True)


def _until_certain(entries: list[_Entry]) -> Iterator[_Candidate]:
    """What comes after a rule that surely matches is never asked; behind `unwrap-all` only rules that give a name are."""
    certain = False
    for _, alternative, decision in entries:
        if certain and not (decision.blocks or decision.inlines):
            continue
        yield None if alternative.subject.plain else alternative.matches, decision
        if alternative.subject.plain and not decision.simple:
            return
        certain = certain or (alternative.subject.plain and decision.simple)


def _entries(layers: Sequence[TagLayer]) -> Iterator[_Entry]:
    forgotten: set[str] = set()
    for distance, layer in enumerate(layers):
        for number, rule in enumerate(layer.rules):
            if rule.operation not in forgotten:
                decision = _decision(rule)
                for alternative in rule.css.alternatives:
                    yield (-distance, alternative.specificity, number), alternative, decision
        forgotten |= layer.forgotten


def _decision(rule: TagRule) -> Decision:
    names = rule.split if rule.split is not None else (rule.operation,)
    return Decision(
        drop=rule.operation == "decompose",
        simple=rule.operation == "unwrap-all",
        blocks=tuple(name for name in names if name not in _INLINES and name not in ("decompose", "unwrap", "unwrap-all")),
        inlines=tuple(name for name in names if name in _INLINES),
        url=rule.url,
        general=rule.source == SOURCE,
        rule=" ".join(filter(None, (rule.source, " ".join(rule.css.text.split())))),
    )
