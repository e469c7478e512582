"""The account of a root's text: every character kept, or dropped by a rule that is named, in page order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from lxml.etree import _Element as Element

from webarticlecurator.extract.body.runs import nfc
from webarticlecurator.extract.body.tag_names import simplified_tag
from webarticlecurator.model.article import Fate, Piece, UnknownTag
from webarticlecurator.text import element_text, squeeze

_Entry = tuple[str, str, str]
"""Text, the rule that dropped it, the simplified tag; both empty where it was kept."""


_BLANK: _Entry = (" ", "", "")


class Account:
    """Kept while the walk goes on."""

    def __init__(self) -> None:
        self._entries: list[_Entry | Sequence[Piece]] = []
        self._unknown: dict[str, list[int]] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def kept(self, text: str) -> None:
        self._entries.append((nfc(text), "", ""))

    def blank(self) -> None:
        """The edge of a block: words before and after it are two."""
        if self._entries and self._entries[-1] != _BLANK:
            self._entries.append(_BLANK)

    def dropped_text(self, text: str, rule: str, element: Element) -> None:
        """Text that stands immediately in an element."""
        if not text.isspace():
            self._entries.append((nfc(text), rule, simplified_tag(element)))

    def dropped(self, element: Element, rule: str) -> None:
        """An element with all in it."""
        text = nfc(element_text(element))
        if text and not text.isspace():
            self._entries.append((text, rule, simplified_tag(element)))

    def drop_again(self, start: int, rule: str, tag: str) -> None:
        """What was kept since `start` goes after all."""
        for number in range(start, len(self._entries)):
            entry = self._entries[number]
            if isinstance(entry, tuple) and not entry[1]:
                self._entries[number] = (entry[0], rule, tag)

    def insert(self, pieces: Sequence[Piece]) -> None:
        """What another account says of the element that stands here."""
        self._entries.append(list(pieces))

    def unknown(self, element: Element) -> None:
        """No rule decides this element."""
        counts = self._unknown.setdefault(simplified_tag(element), [0, 0])
        counts[0] += 1
        counts[1] += _words(element.text) + sum(_words(child.tail) for child in element)

    def pieces(self) -> tuple[Piece, ...]:
        found: list[Piece] = []
        for key, group in groupby(self._entries, key=_key):
            if key is None:
                for pieces in group:
                    found.extend(piece for piece in pieces if isinstance(piece, Piece))
                continue
            rule, tag = key
            text = squeeze("".join(entry[0] for entry in group if isinstance(entry[0], str)))
            if text:
                found.append(Piece(Fate.DROPPED if rule else Fate.KEPT, text, rule, tag))
        return tuple(found)

    def unknown_tags(self) -> tuple[UnknownTag, ...]:
        return tuple(UnknownTag(tag, count, words) for tag, (count, words) in self._unknown.items())


def _key(entry: _Entry | Sequence[Piece]) -> tuple[str, str] | None:
    return (entry[1], entry[2]) if isinstance(entry, tuple) else None


def _words(text: str | None) -> int:
    return len(text.split()) if text else 0
