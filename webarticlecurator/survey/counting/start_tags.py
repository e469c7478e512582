"""Start tags as they are written in pages, each looked at once: its simplified tag, and which hard selectors may match its element."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from lxml.etree import _Element as Element

from webarticlecurator.selectors import Scope
from webarticlecurator.selectors.scope import Test
from webarticlecurator.survey.counting.asking import Asked
from webarticlecurator.survey.counting.path_tree import Spot
from webarticlecurator.survey.counting.sketch import hash_of
from webarticlecurator.survey.tag import Tag, simplified, telling, whole

_MOST = 10_000
"""Start tags that are remembered; links make a new one each."""
_LONGEST = 1_000
"""Characters of one that is remembered: a page may hold its pictures in attributes."""
_BLANK = " "
"""The class of an element whose class attribute is blank: to the general table that is not the same as none."""


K = TypeVar("K")
V = TypeVar("V")
Candidates = tuple[tuple[str, Test], ...]
"""Hard selectors that may match, by their texts."""


@dataclass(slots=True, eq=False)
class StartTag:
    """One start tag."""

    spot: Spot
    """Where no hard selector matches."""
    candidates: Candidates
    hash: int
    told: bool = False
    """Its hash is in a tally of this process already."""
    told_with_text: bool = False


class StartTags:
    """What this process has seen."""

    def __init__(self, asked: Sequence[Asked]) -> None:
        self._hard = [one for one in asked if one.hard]
        self._known: dict[tuple[object, ...], StartTag] = {}
        self._alike: dict[tuple[object, ...], tuple[Spot, Candidates]] = {}
        self._spots: dict[str, Spot] = {}

    def of(self, element: Element) -> StartTag:
        """The start tag of an element."""
        written = (element.tag, *element.items())
        start = self._known.get(written)
        if start is None:
            text = repr(written)
            start = StartTag(*self._of_its_kind(element), hash_of(text))
            if len(text) <= _LONGEST:
                _keep(self._known, written, start)
        return start

    def spot(self, element: Element, start: StartTag, furniture: str, scope: Scope) -> Spot:
        """Where an element stands below its parent's node. Raises PatternTimeout."""
        facts = frozenset([text for text, matches in start.candidates if matches(element, scope)]) if start.candidates else frozenset()
        if not facts and not furniture:
            return start.spot
        return self._only_one(Spot.of(start.spot.tag, start.spot.whole, facts, furniture))

    def _only_one(self, spot: Spot) -> Spot:
        """Equal spots are one, for the sake of memory."""
        known = self._spots.get(spot.key)
        return _keep(self._spots, spot.key, spot) if known is None else known

    def _of_its_kind(self, element: Element) -> tuple[Spot, Candidates]:
        """Most start tags that were not seen before differ in nothing but an address."""
        kind = (element.tag, *telling(attributes_of(element)))
        known = self._alike.get(kind)
        if known is None:
            full, short = whole_tag(element), simplified(element.tag, attributes_of(element))
            spot = self._only_one(Spot.of(short, None if full == short else full))
            known = _keep(self._alike, kind, (spot, self._candidates(element)))
        return known

    def _candidates(self, element: Element) -> Candidates:
        """By name, id and classes, as a rule's lookup would find them."""
        classes, id = frozenset((element.get("class") or "").split()), element.get("id")
        return tuple(
            (one.text, one.alternative.matches)
            for one in self._hard
            if (subject := one.alternative.subject).tag in (None, element.tag)
            and subject.classes <= classes
            and subject.ids <= frozenset([id] if id is not None else [])
        )


def _keep(memory: dict[K, V], key: K, value: V) -> V:
    if len(memory) >= _MOST:
        memory.clear()
    memory[key] = value
    return value


def whole_tag(element: Element) -> Tag:
    """The simplified tag of an element before it is shortened."""
    tag = whole(element.tag, attributes_of(element))
    return replace(tag, classes=(_BLANK,)) if element.get("class") and not tag.classes else tag


def attributes_of(element: Element) -> list[tuple[str, str]]:
    """As they stand in the page; lxml's types also allow for bytes, which its parsers never give."""
    return element.items()  # type: ignore[return-value]
