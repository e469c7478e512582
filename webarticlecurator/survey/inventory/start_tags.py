"""Start tags as they are written in pages, each looked at once: its simplified tag, and whether it was counted already."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from lxml.etree import _Element as Element

from webarticlecurator.survey.inventory.distinct_count import hash_of
from webarticlecurator.survey.tag import Tag, simplified, telling

_MOST = 10_000
"""Start tags that are remembered; links make a new one each."""
_LONGEST = 1_000
"""Characters of one that is remembered: a page may hold its pictures in attributes."""

K = TypeVar("K")
V = TypeVar("V")


@dataclass(slots=True, eq=False)
class StartTag:
    """One start tag."""

    tag: Tag
    text: str
    """Of the tag."""
    hash: int
    is_counted: bool = False
    """Its hash is in a tally of this process already."""
    is_counted_with_text: bool = False


class StartTags:
    """What this process has seen."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], StartTag] = {}
        self._tags: dict[tuple[object, ...], tuple[Tag, str]] = {}

    def of(self, element: Element) -> StartTag:
        """The start tag of an element."""
        written = (element.tag, *element.items())
        start = self._known.get(written)
        if start is None:
            text = repr(written)
            start = StartTag(*self._tag(element), hash_of(text))
            if len(text) <= _LONGEST:
                _keep(self._known, written, start)
        return start

    def _tag(self, element: Element) -> tuple[Tag, str]:
        """Most start tags that were not seen before differ in nothing but an address."""
        kind = (element.tag, *telling(attributes_of(element)))
        known = self._tags.get(kind)
        if known is None:
            tag = simplified(element.tag, attributes_of(element))
            known = _keep(self._tags, kind, (tag, tag.text))
        return known


def _keep(memory: dict[K, V], key: K, value: V) -> V:
    if len(memory) >= _MOST:
        memory.clear()
    memory[key] = value
    return value


def attributes_of(element: Element) -> list[tuple[str, str]]:
    """As they stand in the page; lxml's types also allow for bytes, which its parsers never give."""
    return element.items()  # type: ignore[return-value]
