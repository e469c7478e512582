"""The rules of all layers, compiled once into a lookup that decides what becomes of one element in near-constant time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter

from lxml.etree import _Element as Element

from webarticlecurator.config.tag_dictionary import INLINES, TagLayer, TagRule
from webarticlecurator.extraction.body.general_table import NEUTRAL, RUBY, SOURCE, general_layer
from webarticlecurator.selectors import Alternative, Scope, Subject, Test

_MOST_SIGNATURES = 20_000
"""Elements unlike one another whose rules are remembered; class names made by machines may never come again."""
_INLINES = frozenset((*INLINES, RUBY))


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
    selector: str = ""
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
_Signature = tuple[str, str | None, str | None, tuple[str, ...]] | tuple[str]
"""An element's tag, class, id (if a rule names it), and which attributes it has that some rule names; of one without any, its tag."""


class Lookup:
    """What a portal's rules (of one layout) make of its elements. Nearer layer, then specificity, then the later rule."""

    def __init__(self, layers: Sequence[TagLayer], general: TagLayer | None = None) -> None:
        """`general`: what stands below all layers, if that is not the general table itself."""
        self._by_id: dict[str, list[_Entry]] = defaultdict(list)
        self._by_class: dict[str, list[_Entry]] = defaultdict(list)
        self._by_tag: dict[str, list[_Entry]] = defaultdict(list)
        self._by_attribute: dict[str, list[_Entry]] = defaultdict(list)
        self._anywhere: list[_Entry] = []
        self._remembered: dict[_Signature, Decision | tuple[_Candidate, ...]] = {}
        entries = list(_entries((*layers, general or general_layer())))
        for entry in entries:
            self._index_for(entry[1].subject).append(entry)
        self._attributes = frozenset().union(*(entry[1].subject.attributes for entry in entries))
        """Those that some rule names; no others are looked at."""
        self._drops = any(decision.drop and not decision.general for _, _, decision in entries)

    def decide(self, element: Element, scope: Scope) -> Decision:
        """The decision of the first matching rule; what `unwrap-all` makes simple is still named by the next one."""
        # Asked of every element: no calls but to lxml.
        signature: _Signature = (element.tag,)
        if names := element.keys():
            get, attributes = element.get, self._attributes
            id = get("id") if self._by_id else None
            told = () if attributes.isdisjoint(names) else tuple([name for name in names if name in attributes])
            signature = element.tag, get("class"), id if id in self._by_id else None, told
        found = self._remembered.get(signature)
        if found is None:
            found = self._remember(signature, element, scope)
        return found if isinstance(found, Decision) else _first(found, element, scope) or _undecided(signature)

    def is_dropped_by_file(self, element: Element) -> bool:
        """Whether a rule of a portal file, or of what that extends, says that an element goes, wherever it stands."""
        if not self._drops:
            return False
        decision = self.decide(element, Scope(None))
        return decision.drop and not decision.general

    def _index_for(self, subject: Subject) -> list[_Entry]:
        """Where the fewest elements look."""
        for index, keys in ((self._by_id, subject.ids), (self._by_class, subject.classes)):
            if keys:
                return index[min(keys)]
        if subject.tag:
            return self._by_tag[subject.tag]
        return self._by_attribute[min(subject.attributes)] if subject.attributes else self._anywhere

    def _remember(self, signature: _Signature, element: Element, scope: Scope) -> Decision | tuple[_Candidate, ...]:
        """The rules that can matter for elements like this, the strongest first; the decision, where nothing else has to be asked."""
        tag, names, id, attributes = signature if len(signature) == 4 else (*signature, None, None, ())
        classes = frozenset(names.split()) if names else frozenset()
        indexes = [self._anywhere, self._by_tag.get(tag, ()), self._by_id.get(id, ()) if id is not None else ()]
        indexes += [self._by_class[name] for name in classes if name in self._by_class]
        indexes += [self._by_attribute[name] for name in attributes if name in self._by_attribute]
        candidates = tuple(_until_certain(_fitting(indexes, tag, frozenset((id,)), classes, frozenset(attributes))))
        found: Decision | tuple[_Candidate, ...] = candidates
        if all(test is None for test, _ in candidates):
            found = _first(candidates, element, scope) or _undecided(signature)
        if len(self._remembered) >= _MOST_SIGNATURES:
            self._remembered.clear()
        self._remembered[signature] = found
        return found


def _first(candidates: tuple[_Candidate, ...], element: Element, scope: Scope) -> Decision | None:
    simple: Decision | None = None
    for test, decision in candidates:
        if test is not None:
            if not decision.general:  # what we wrote ourselves costs little
                scope.rule = decision.rule
                scope.step()
            if not test(element, scope):
                continue
        if simple is None:
            if not decision.simple:
                return decision
            simple = decision
        elif decision.blocks or decision.inlines:
            return Decision(
                blocks=decision.blocks, inlines=decision.inlines, simple=True, url=decision.url, rule=simple.rule, selector=simple.selector
            )
    return simple


def _undecided(signature: _Signature) -> Decision:
    has_class = len(signature) > 1 and signature[1]
    return UNWRAP if signature[0] in NEUTRAL and not has_class else UNKNOWN


def _fitting(
    indexes: Iterable[Iterable[_Entry]], tag: str, ids: frozenset[str | None], classes: frozenset[str], attributes: frozenset[str]
) -> list[_Entry]:
    def fits(subject: Subject) -> bool:
        named = subject.tag in (None, tag) and subject.classes <= classes and subject.ids <= ids
        return named and subject.attributes <= attributes

    return sorted([entry for index in indexes for entry in index if fits(entry[1].subject)], key=itemgetter(0), reverse=True)


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
    selector = " ".join(rule.css.text.split())
    return Decision(
        drop=rule.operation == "decompose",
        simple=rule.operation == "unwrap-all",
        blocks=tuple(name for name in names if name not in _INLINES and name not in ("decompose", "unwrap", "unwrap-all")),
        inlines=tuple(name for name in names if name in _INLINES),
        url=rule.url,
        general=rule.source == SOURCE,
        rule=" ".join(filter(None, (rule.source, selector))),
        selector=selector,
    )
