"""The account of a root's text: every character kept, or dropped by a rule that is named, in page order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.runs import nfc
from webarticlecurator.extraction.body.tag_names import simplified_tag
from webarticlecurator.model.article import Fate, Piece, UnknownTag
from webarticlecurator.text import INVISIBLE, element_text, squeeze

_Fate = tuple[str, str]
"""The rule that dropped a text, and the simplified tag."""
_Read = str | tuple[str, _Fate] | list[Piece] | Piece
"""A text that is kept; one that is dropped, and why; what another account says; what was added."""
_Entry = _Read | tuple[Element, str]
"""An element that is dropped, and why, is only read when somebody asks for the account: a build does not."""
_BLANK = " "
INVISIBLE_RULE = "invisible: a soft hyphen, or a character without width"


class Account:
    """Kept while the walk goes on."""

    def __init__(self) -> None:
        self._entries: list[_Entry] = []
        self._unknown: dict[str, list[int]] = {}
        self.kept = self._entries.append
        """Text that is kept; a method without the cost of one, for most of a page is this."""

    def __len__(self) -> int:
        return len(self._entries)

    def blank(self) -> None:
        """The edge of a block: words before and after it are two."""
        if self._entries and self._entries[-1] is not _BLANK:
            self._entries.append(_BLANK)

    def partly_kept(self, text: str) -> None:
        """Text with characters in it that show nothing."""
        for number, part in enumerate(INVISIBLE.split(text)):
            if part:
                self._entries.append((part, (INVISIBLE_RULE, "")) if number % 2 else part)

    def added(self, text: str, rule: str) -> None:
        """What is no text in the page."""
        self._entries.append(Piece(Fate.ADDED, nfc(text), rule))

    def dropped_text(self, text: str, rule: str, element: Element) -> None:
        """Text that stands immediately in an element."""
        if not text.isspace():
            self._entries.append((nfc(text), (rule, simplified_tag(element))))

    def dropped(self, element: Element, rule: str) -> None:
        """An element with all in it."""
        self._entries.append((element, rule))

    def drop_again(self, start: int, rule: str, tag: str) -> None:
        """What was kept since `start` goes after all."""
        for number, entry in enumerate(self._entries[start:], start):
            if isinstance(entry, str):
                self._entries[number] = (nfc(entry), (rule, tag))
            elif isinstance(entry, Piece):
                self._entries[number] = _BLANK

    def insert(self, pieces: Sequence[Piece]) -> None:
        """What another account says of the element that stands here."""
        self._entries.append(list(pieces))

    def fate_of(self, start: int, stop: int) -> str | None:
        """By which rule the text that these entries are is dropped; empty where it is kept, None where it shows nothing."""
        found: str | None = None
        for entry in self._entries[start:stop]:
            if isinstance(entry, str):
                if not entry.isspace():
                    return ""
            elif isinstance(entry, tuple) and isinstance(entry[0], str):
                found = found or entry[1][0]
        return found

    def dropped_elements(self) -> Iterator[tuple[Element, str]]:
        """With the rule that drops each."""
        for entry in self._entries:
            if isinstance(entry, tuple) and not isinstance(entry[0], str):
                yield entry

    def unknown(self, element: Element) -> None:
        """No rule decides this element."""
        counts = self._unknown.setdefault(simplified_tag(element), [0, 0])
        counts[0] += 1
        if text := element.text:
            counts[1] += len(text.split())
        for child in element:
            if text := child.tail:
                counts[1] += len(text.split())

    def pieces(self) -> tuple[Piece, ...]:
        """What is kept and what is dropped; together it is the text of the root."""
        found: list[Piece] = []
        for _, alike in groupby(self._read(), key=type):
            found.extend(_pieces(list(alike)))
        return tuple(found)

    def unknown_tags(self) -> tuple[UnknownTag, ...]:
        return tuple(UnknownTag(tag, count, words) for tag, (count, words) in self._unknown.items())

    def _read(self) -> Iterator[_Read]:
        """The entries, with the texts of dropped elements; those without text are none."""
        for entry in self._entries:
            if not isinstance(entry, tuple) or isinstance(entry[0], str):
                yield entry
                continue
            element, rule = entry
            text = nfc(element_text(element))
            if text and not text.isspace():
                yield text, (rule, simplified_tag(element))


def _pieces(alike: list[_Read]) -> Iterator[Piece]:
    """Of entries of one kind, one behind the other."""
    if kept := [entry for entry in alike if isinstance(entry, str)]:
        yield from _piece(Fate.KEPT, kept)
    for (rule, tag), same in groupby([entry for entry in alike if isinstance(entry, tuple)], key=itemgetter(1)):
        yield from _piece(Fate.DROPPED, [text for text, _ in same], rule, tag)
    for entry in alike:
        if isinstance(entry, (list, Piece)):
            yield from entry if isinstance(entry, list) else (entry,)


def _piece(fate: Fate, texts: list[str], rule: str = "", tag: str = "") -> Iterator[Piece]:
    text = "".join(texts)
    if nfc(text) is not text:
        text = "".join(map(nfc, texts))  # each by itself, as they stand in the blocks
    if squeezed := squeeze(text):
        yield Piece(fate, squeezed, rule, tag)
