"""The account of a root's text: every character kept, or dropped by a rule that is named, in page order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING

from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.runs import Marks, nfc
from webarticlecurator.extraction.body.tag_names import simplified_tag
from webarticlecurator.model.article import Fate, Piece, UnknownTag
from webarticlecurator.text import INVISIBLE, element_text, own_text, squeeze

if TYPE_CHECKING:
    from webarticlecurator.extraction.body.open_blocks import OpenBlock

TextPlace = tuple[Element, bool]
"""Where a text stands: in an element before all else, or (then True) behind it."""
_Fate = tuple[str, str]
"""The rule that dropped a text, and the simplified tag."""
_Dropped = tuple[str, _Fate] | tuple[Element, str]
"""A text; an element and the rule that drops it, whose text is only read when somebody asks for the pieces."""
_BLANK = " "
INVISIBLE_RULE = "invisible: a soft hyphen, a control character, or one without width"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFate:
    """What became of one text."""

    dropped: str = ""
    """By which rule; empty where it is kept."""
    blocks: tuple[str, ...] = ()
    """What it is kept as: the names of its blocks, the outermost first."""
    inlines: tuple[str, ...] = ()
    rule: str = ""
    """Which rule named the innermost block; empty: the general table."""
    post: str = ""
    """The rules for posts by which it is part of one: `posts.comments`."""
    undecided: bool = False
    """No rule says what the element is in which it stands."""


class Account:
    """Kept while the walk goes on. `post`: the rules for posts by which all of it is part of one."""

    def __init__(self, post: str = "") -> None:
        self.post = post
        self.roots: list[Element] = []
        """What was walked through."""
        self._entries: list[str | _Dropped | Piece | Account] = []
        """What is kept, and what is dropped; what was added; what another account says."""
        self._places: list[tuple[int, Element, bool, OpenBlock, Marks]] = []
        """Where the entries of each text begin, where it stands, and what was open there."""
        self._unknown: dict[Element, None] = {}
        """Elements that no rule decides."""
        self.kept = self._entries.append
        """Text that is kept; a method without the cost of one, for most of a page is this."""

    def __len__(self) -> int:
        return len(self._entries)

    def place(self, element: Element, is_tail: bool, block: OpenBlock, marks: Marks) -> None:
        """What comes next is of the text that stands there."""
        self._places.append((len(self._entries), element, is_tail, block, marks))

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

    def insert(self, account: Account) -> None:
        """What another account says of the element that stands here."""
        self._entries.append(account)

    def unknown(self, element: Element) -> None:
        """No rule decides this element."""
        self._unknown[element] = None

    # --- what it says ---

    def dropped_elements(self) -> Iterator[tuple[Element, str]]:
        """With the rule that drops each."""
        for entry in self._entries:
            if isinstance(entry, tuple) and not isinstance(entry[0], str):
                yield entry

    def texts(self) -> Iterator[tuple[TextPlace, TextFate]]:
        """What became of each text that shows something."""
        starts = [start for start, *_ in self._places]
        for (start, stop), (_, element, is_tail, block, marks) in zip(pairwise((*starts, len(self._entries))), self._places, strict=True):
            entries = [entry for entry in self._entries[start:stop] if not isinstance(entry, str) or not entry.isspace()]
            rules = [entry[1][0] for entry in entries if isinstance(entry, tuple) and isinstance(entry[0], str)]
            if any(isinstance(entry, str) for entry in entries):
                yield (
                    (element, is_tail),
                    TextFate(
                        blocks=block.path,
                        inlines=tuple(mark.type for mark in marks),
                        rule=block.rule,
                        post=self.post,
                        undecided=(element.getparent() if is_tail else element) in self._unknown,
                    ),
                )
            elif rules:
                yield (element, is_tail), TextFate(dropped=rules[0], post=self.post)

    def pieces(self) -> tuple[Piece, ...]:
        """What is kept and what is dropped; together it is the text of the root."""
        pieces: list[Piece] = []
        for fate, alike in groupby(self._read(), key=itemgetter(1)):
            if isinstance(fate, Piece):
                pieces.extend(fate for _ in alike)
            else:
                pieces.extend(_piece([text for text, _ in alike], fate))
        return tuple(pieces)

    def unknown_tags(self) -> tuple[UnknownTag, ...]:
        alike: dict[str, list[Element]] = defaultdict(list)
        for element in self._unknown:
            alike[simplified_tag(element)].append(element)
        return tuple(
            UnknownTag(tag, len(elements), sum(len(own_text(element).split()) for element in elements)) for tag, elements in alike.items()
        )

    def _read(self) -> Iterator[tuple[str, _Fate | Piece | None]]:
        """The texts with their fates, of dropped elements, too; a piece stands for itself, and None for what is kept."""
        for entry in self._entries:
            if isinstance(entry, str):
                yield entry, None
            elif isinstance(entry, (Piece, Account)):
                yield from (("", piece) for piece in (entry.pieces() if isinstance(entry, Account) else (entry,)))
            elif isinstance(entry[0], str):
                yield entry[0], entry[1]
            else:
                element, rule = entry
                text = nfc(element_text(element))
                if text and not text.isspace():
                    yield text, (rule, simplified_tag(element))


def _piece(texts: list[str], fate: _Fate | None) -> Iterator[Piece]:
    text = "".join(texts)
    if nfc(text) is not text:
        text = "".join(map(nfc, texts))  # each by itself, as they stand in the blocks
    if squeezed := squeeze(text):
        yield Piece(Fate.KEPT, squeezed) if fate is None else Piece(Fate.DROPPED, squeezed, *fate)
