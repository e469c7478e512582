"""The text of a walk: from runs of it to what blocks hold, with white space as a browser shows it; and the
account of every character."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import groupby, takewhile
from operator import itemgetter
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from lxml.etree import _Element as Element
from msgspec import Struct

from webarticlecurator.extraction.body.targets import LinkTarget
from webarticlecurator.labelling.simplified_tags import tag_of
from webarticlecurator.model.article import Block, Fate, Inline, Piece, UnknownTag
from webarticlecurator.own_patterns import linear
from webarticlecurator.text import INVISIBLE, element_text, nfc, own_text, squeeze

if TYPE_CHECKING:
    from webarticlecurator.extraction.body.open_blocks import OpenBlock


class Mark(Struct, eq=False):
    """An inline element that is open. Each is equal to itself alone."""

    type: str
    target: LinkTarget | None = None
    language: str | None = None
    note: str | None = None
    reading: str | None = None
    """ruby: how it is read."""


class Gap(Enum):
    """A separation of words that is no text."""

    LINE = "a line break"
    BLANK = "the edge of a block inside a block that was made simple"


Marks = tuple[Mark, ...]
Run = list[tuple[Marks, "str | Gap | Inline | Block"]]
"""Texts as they stand in the page, gaps, emoji, and pictures in the middle of a line; each with the inlines
around it."""
Inlines = list["Inline | str"]

_ODD_WHITE = linear(r"\s\s+|[^\S \u00a0\u2000-\u200a\u202f\u205f\u3000]")
"""Runs of white space, and single characters of it that are no kind of blank: all of it becomes one blank. A
single no-break or typographic space is left as it is."""

_EMPTY_LINES = linear(r"\A(?:[^\S\n]*\n)+")


def contents_of(run: Run, *, splits: bool, exact: bool = False, apart: bool = False) -> list[Inlines | Block]:
    """Return what a run comes to: the contents of blocks, and the pictures between them.

    `splits`: two line breaks make two blocks. `exact`: white space stays as written. `apart`: a picture ends
    its line.
    """
    if run and not exact and _is_one_text(run):
        marks, piece = run[0]
        text = nfc(_settled(str(piece)).lstrip()).rstrip()
        node: Inline | str = text
        for mark in reversed(marks):
            node = _inline(mark, (node,))[0]
        return [[node]] if text else []
    return _Lines(run, splits, exact, apart).contents


def _is_one_text(run: Run) -> bool:
    """Return True if there is nothing but a text, perhaps with line breaks behind it, as in most runs."""
    first, *others = run
    return isinstance(first[1], str) and all(isinstance(piece, Gap) for _, piece in others)


class _Lines:
    """Collects the pieces of one block after the other."""

    def __init__(self, run: Run, splits: bool, exact: bool, apart: bool) -> None:
        self.contents: list[Inlines | Block] = []
        self._splits, self._exact, self._apart = splits, exact, apart
        self._pieces: list[tuple[Marks, str | Gap | Inline]] = []
        self._pictures: list[Block] = []
        """Pictures in the middle of a line: they follow the block."""
        self._after_blank = True
        for marks, piece in run:
            self._TAKERS[type(piece)](self, marks, piece)
        self._finish()

    def _sign(self, marks: Marks, sign: Inline) -> None:
        """Add a sign among the words."""
        self._pieces.append((marks, sign))
        self._after_blank = False

    def _picture(self, marks: Marks, picture: Block) -> None:
        """Add a picture in the middle of a line, which follows the block; it parts the words before and after
        it."""
        self._pictures.append(picture)
        if self._apart or (self._splits and self._begins_line()):
            self._finish()
        else:
            self._text(marks, " ")

    def _text(self, marks: Marks, text: str) -> None:
        if self._exact:
            self._pieces.append((marks, nfc(text)))
            return
        text = _settled(text)
        if self._after_blank:
            text = text.lstrip()
        if not text:
            return
        self._after_blank = text[-1].isspace()
        if self._after_blank and text.isspace():  # a blank alone needs no inline of its own
            around_both = takewhile(
                lambda pair: pair[0] is pair[1],
                zip(marks, self._pieces[-1][0], strict=False),
            )
            marks = tuple([mark for mark, _ in around_both])
        self._pieces.append((marks, nfc(text)))

    def _gap(self, marks: Marks, gap: Gap) -> None:
        if gap is Gap.BLANK:
            self._text(marks, " ")
            return
        if not self._exact:
            self._strip(str)
            if self._begins_line():
                self._split()
                return
        self._pieces.append((marks, gap))
        self._after_blank = True
        if self._pictures:
            self._split()

    _TAKERS: ClassVar[Mapping[type, Callable[..., None]]] = {
        str: _text,
        Gap: _gap,
        Inline: _sign,
        Block: _picture,
    }

    def _begins_line(self) -> bool:
        return not self._pieces or isinstance(self._pieces[-1][1], Gap)

    def _split(self) -> None:
        if self._splits:
            self._finish()

    def _finish(self) -> None:
        """Make a block of what was collected."""
        self._strip(str, Gap)
        if self._exact:
            self._strip_first_line()
        if any(isinstance(piece, str) for _, piece in self._pieces):
            self.contents.append(_nested(self._pieces))
        self.contents.extend(self._pictures)
        self._pieces, self._pictures = [], []
        self._after_blank = True

    def _strip(self, *kinds: type) -> None:
        """Take away white space at the end of a line, and no line breaks where these are among the kinds."""
        while self._pieces and isinstance(self._pieces[-1][1], kinds):
            marks, piece = self._pieces.pop()
            kept = piece.rstrip() if isinstance(piece, str) else ""
            if kept:
                self._pieces.append((marks, kept))
                return

    def _strip_first_line(self) -> None:
        """Take away empty lines before the first one: they show nothing."""
        beginning = takewhile(lambda piece: not isinstance(piece[1], Inline), self._pieces)
        written = "".join([_as_written(piece) for _, piece in beginning])
        empty = len(written) - len(_EMPTY_LINES.sub("", written))
        while empty:
            marks, piece = self._pieces.pop(0)
            text = _as_written(piece)
            if len(text) > empty:
                self._pieces.insert(0, (marks, text[empty:]))
            empty -= min(empty, len(text))


def _as_written(piece: object) -> str:
    """Return a text or a line break as the page may write it."""
    return piece if isinstance(piece, str) else "\n"


def _settled(text: str) -> str:
    """Runs of white space and line breaks as one blank each, also at the ends."""
    # Nothing printable is white space but the blank itself: most texts need no more than this look.
    if text.isprintable() and "  " not in text:
        return text
    # a mark at each end keeps the blanks there
    return squeeze(f"|{text}|")[1:-1] if text.isascii() else _ODD_WHITE.sub(" ", text)


def _nested(pieces: Sequence[tuple[Marks, str | Gap | Inline]], depth: int = 0) -> Inlines:
    """Pieces with their marks, as a tree of inlines; those above `depth` are open already."""
    content: Inlines = []
    for mark, group in groupby(pieces, key=lambda piece: piece[0][depth] if len(piece[0]) > depth else None):
        if mark is None:
            content.extend(_side_by_side(group))
        else:
            content.extend(_inline(mark, tuple(_nested(list(group), depth + 1))))
    return content


def _side_by_side(pieces: Iterable[tuple[Marks, str | Gap | Inline]]) -> Iterator[Inline | str]:
    """Pieces without marks of their own: neighbouring texts are one."""
    for kind, alike in groupby((piece for _, piece in pieces), key=type):
        if kind is str:
            yield "".join(map(str, alike))
        else:
            yield from (_LINE_BREAK if isinstance(piece, Gap) else piece for piece in alike)


_LINE_BREAK = Inline(type="line-break")


def _inline(mark: Mark, children: tuple[Inline | str, ...]) -> tuple[Inline | str, ...]:
    """Return an inline with its content; only that, where nobody says how it is read."""
    if mark.type == "ruby" and mark.reading is None:
        return children
    url, original_url = mark.target or (None, None)
    language, note = mark.language, mark.note
    return (
        Inline(
            type=mark.type,
            children=children,
            url=url,
            original_url=original_url,
            language=language,
            note=note,
            alt=mark.reading,
        ),
    )


_Fate = tuple[str, str]
"""The rule that dropped a text, and the simplified tag."""


class _DroppedText(NamedTuple):
    text: str
    fate: _Fate


class _DroppedElement(NamedTuple):
    """An element, whose text is read when somebody asks."""

    element: Element
    rule: str


_FateOfText = tuple[str, tuple[Fate, *tuple[str, ...]] | Piece]
_BLANK = " "
INVISIBLE_RULE = "invisible: a soft hyphen, a control character, or one without width"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFate:
    """The fate of one text."""

    dropped: str = ""
    """By which rule; empty where it is kept."""
    blocks: tuple[str, ...] = ()
    """The names of the blocks as which it is kept, the outermost first."""
    inlines: tuple[str, ...] = ()
    rule: str = ""
    """The rule that named the innermost block; empty: the general table."""
    post: str = ""
    """The rules for posts by which it is part of one: `posts.comments`."""
    undecided: bool = False
    """No rule says what the element is in which it stands."""


class Account:
    """Every character of a root's text in page order, kept or dropped by a rule. `post`: the rules for posts
    by which it is one."""

    def __init__(self, post: str = "") -> None:
        self.post = post
        self.roots: list[Element] = []
        """The elements that were walked through."""
        self.entries: list[str | _DroppedText | _DroppedElement | Piece | Account] = []
        """Texts that are kept; those that are dropped or were added; other accounts."""
        self.places: list[tuple[int, Element, bool, OpenBlock, Marks]] = []
        """The beginning of the entries of each text, in which element it stands or (then True) behind
        which, and what was open there."""
        self.unknown: dict[Element, None] = {}
        """Elements that no rule decides."""
        self.kept = self.entries.append
        """Text that is kept; a method without the cost of one, for most of a page is this."""

    def blank(self) -> None:
        """Note the edge of a block: words before and after it are two."""
        if self.entries and self.entries[-1] is not _BLANK:
            self.entries.append(_BLANK)

    def partly_kept(self, text: str) -> None:
        """Keep a text but for the characters in it that show nothing."""
        for number, part in enumerate(INVISIBLE.split(text)):
            if part:
                self.entries.append(_DroppedText(part, (INVISIBLE_RULE, "")) if number % 2 else part)

    def added(self, text: str, rule: str) -> None:
        """Add what is no text in the page."""
        self.entries.append(Piece(Fate.ADDED, nfc(text), rule))

    def dropped_text(self, text: str, rule: str, element: Element) -> None:
        """Drop the text that stands immediately in an element."""
        self.entries.append(_DroppedText(nfc(text), (rule, tag_of(element).text)))

    def dropped(self, element: Element, rule: str) -> None:
        """Drop an element with all in it."""
        self.entries.append(_DroppedElement(element, rule))

    def drop_again(self, start: int, rule: str, tag: str) -> None:
        """Drop what was kept since `start` after all."""
        for number, entry in enumerate(self.entries[start:], start):
            if isinstance(entry, str):
                self.entries[number] = _DroppedText(nfc(entry), (rule, tag))
            elif isinstance(entry, Piece):
                self.entries[number] = _BLANK

    def dropped_elements(self) -> Iterator[tuple[Element, str]]:
        """Return the elements that are dropped, each with its rule."""
        return (entry for entry in self.entries if isinstance(entry, _DroppedElement))

    def texts(self) -> Iterator[tuple[tuple[Element, bool], TextFate]]:
        """Return what became of each text that shows something, by where it stands: in an element before all
        else, or (then True) behind it."""
        starts = [start for start, *_ in self.places]
        for (start, element, is_tail, block, marks), end in zip(
            self.places,
            (*starts[1:], len(self.entries)),
            strict=False,
        ):
            entries = self.entries[start:end]
            rules = [entry.fate[0] for entry in entries if isinstance(entry, _DroppedText)]
            if any(map(_is_seen, entries)):
                yield (element, is_tail), self._fate_of_kept(element, is_tail, block, marks)
            elif rules:
                yield (element, is_tail), TextFate(dropped=rules[0], post=self.post)

    def _fate_of_kept(self, element: Element, is_tail: bool, block: OpenBlock, marks: Marks) -> TextFate:
        around = element.getparent() if is_tail else element
        return TextFate(
            blocks=block.path,
            inlines=tuple([mark.type for mark in marks]),
            rule=block.rule,
            post=self.post,
            undecided=around in self.unknown,
        )

    def pieces(self) -> tuple[Piece, ...]:
        """Return what is kept and what is dropped; together it is the text of the root."""
        pieces: list[Piece] = []
        for fate, alike in groupby(self._read(), key=itemgetter(1)):
            if isinstance(fate, Piece):
                pieces += [fate] * len(list(alike))
                continue
            # each by itself, as they stand in the blocks
            squeezed = squeeze("".join([nfc(text) for text, _ in alike]))
            if squeezed:
                pieces.append(Piece(fate[0], squeezed, *fate[1:]))
        return tuple(pieces)

    def unknown_tags(self) -> tuple[UnknownTag, ...]:
        elements, words = Counter[str](), Counter[str]()
        for element in self.unknown:
            tag = tag_of(element).text
            elements[tag] += 1
            words[tag] += len(own_text(element).split())
        return tuple(UnknownTag(tag, count, words[tag]) for tag, count in elements.items())

    def _read(self) -> Iterator[_FateOfText]:
        """Return the texts with their fates, of dropped elements, too; a piece stands for itself."""
        for entry in self.entries:
            if isinstance(entry, str):
                yield entry, (Fate.KEPT,)
            else:
                yield from _READERS[type(entry)](entry)


def _is_seen(entry: object) -> bool:
    """Return True for a text that is kept and shows something."""
    return isinstance(entry, str) and not entry.isspace()


def _read_dropped(dropped: _DroppedElement) -> Iterator[_FateOfText]:
    text = nfc(element_text(dropped.element))
    if text.strip():
        yield text, (Fate.DROPPED, dropped.rule, tag_of(dropped.element).text)


_READERS: Mapping[type, Callable[[Any], Iterable[_FateOfText]]] = {
    _DroppedText: lambda dropped: [(dropped.text, (Fate.DROPPED, *dropped.fate))],
    _DroppedElement: _read_dropped,
    Piece: lambda piece: [("", piece)],
    Account: lambda account: [("", piece) for piece in account.pieces()],
}
"""Ways to read entries that are not kept."""
