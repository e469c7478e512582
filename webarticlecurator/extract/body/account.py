"""The account of a root's text: every character kept, or dropped by a rule that is named, in page order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter

from lxml.etree import _Element as Element

from webarticlecurator.extract.body.runs import nfc
from webarticlecurator.extract.body.tag_names import simplified_tag
from webarticlecurator.model.article import Fate, Piece, UnknownTag
from webarticlecurator.text import element_text, squeeze

_Fate = tuple[str, str]
"""The rule that dropped a text, and the simplified tag."""
_Entry = tuple[str, _Fate | int]
"""A text and what became of it; a number stands for what another account says."""

_KEPT: _Fate = ("", "")
_BLANK: _Entry = (" ", _KEPT)


class Account:
    """Kept while the walk goes on."""

    def __init__(self) -> None:
        self._entries: list[_Entry] = []
        self._inserted: list[Sequence[Piece]] = []
        self._unknown: dict[str, list[int]] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def kept(self, text: str) -> None:
        self._entries.append((text if text.isascii() else nfc(text), _KEPT))

    def blank(self) -> None:
        """The edge of a block: words before and after it are two."""
        if self._entries and self._entries[-1] is not _BLANK:
            self._entries.append(_BLANK)

    def dropped_text(self, text: str, rule: str, element: Element) -> None:
        """Text that stands immediately in an element."""
        if not text.isspace():
            self._entries.append((nfc(text), (rule, simplified_tag(element))))

    def dropped(self, element: Element, rule: str) -> None:
        """An element with all in it."""
        text = nfc(element_text(element))
        if text and not text.isspace():
            self._entries.append((text, (rule, simplified_tag(element))))

    def drop_again(self, start: int, rule: str, tag: str) -> None:
        """What was kept since `start` goes after all."""
        for number in range(start, len(self._entries)):
            text, fate = self._entries[number]
            if fate == _KEPT:
                self._entries[number] = (text, (rule, tag))

    def insert(self, pieces: Sequence[Piece]) -> None:
        """What another account says of the element that stands here."""
        self._entries.append(("", len(self._inserted)))
        self._inserted.append(pieces)

    def unknown(self, element: Element) -> None:
        """No rule decides this element."""
        counts = self._unknown.setdefault(simplified_tag(element), [0, 0])
        counts[0] += 1
        counts[1] += _words(element.text)
        for child in element:
            if tail := child.tail:
                counts[1] += _words(tail)

    def pieces(self) -> tuple[Piece, ...]:
        found: list[Piece] = []
        for fate, group in groupby(self._entries, key=itemgetter(1)):
            if isinstance(fate, int):
                found.extend(self._inserted[fate])
            elif text := squeeze("".join([text for text, _ in group])):
                rule, tag = fate
                found.append(Piece(Fate.DROPPED if rule else Fate.KEPT, text, rule, tag))
        return tuple(found)

    def unknown_tags(self) -> tuple[UnknownTag, ...]:
        return tuple(UnknownTag(tag, count, words) for tag, (count, words) in self._unknown.items())


def _words(text: str | None) -> int:
    return len(text.split()) if text else 0
