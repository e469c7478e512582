"""From a run of text pieces to the content of blocks: white space as a browser shows it, lines, and nested inlines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from itertools import groupby
from unicodedata import is_normalized, normalize

from msgspec import Struct

from webarticlecurator.extraction.body.media import LinkTarget
from webarticlecurator.model.article import Block, Inline
from webarticlecurator.text import squeeze


class Mark(Struct, eq=False):
    """An inline element that is open. Each is equal to itself alone."""

    type: str
    target: LinkTarget | None = None
    language: str | None = None
    note: str | None = None
    reading: str | None = None
    """ruby: how it is read."""


class Gap(Enum):
    """What separates words without being text."""

    LINE = "a line break"
    BLANK = "the edge of a block inside a block that was made simple"


Marks = tuple[Mark, ...]
Piece = tuple[Marks, "str | Gap | Inline | Block"]
"""Text as it stands in the page, a gap, an emoji, or a picture in the middle of a line; with the inlines around it."""
Run = list[Piece]
Content = list["Inline | str"]

_ODD_WHITE = re.compile(r"\s\s+|[^\S \u00a0\u2000-\u200a\u202f\u205f\u3000]")
"""Runs of white space, and single characters of it that are no kind of blank: all of it becomes one blank. A single no-break
or typographic space is left as it is."""

_EMPTY_LINES = re.compile(r"\A(?:[^\S\n]*\n)+")


def contents_of(run: Sequence[Piece], *, splits: bool, exact: bool = False, apart: bool = False) -> list[Content | Block]:
    """What a run comes to: the contents of blocks, and the pictures between them.

    `splits`: two line breaks make two blocks. `exact`: white space stays as written. `apart`: a picture ends its line.
    """
    if run and not exact:
        marks, piece = run[0]
        if isinstance(piece, str) and (len(run) == 1 or all(isinstance(other, Gap) for _, other in run[1:])):
            return _one_text(marks, piece)
    lines = _Lines(splits=splits, exact=exact, apart=apart)
    for marks, piece in run:
        if isinstance(piece, str):
            lines.text(marks, piece)
        elif isinstance(piece, Gap):
            lines.gap(marks, piece)
        elif isinstance(piece, Inline):
            lines.inline(marks, piece)
        else:
            lines.picture(marks, piece)
    lines.finish()
    return lines.contents


def _one_text(marks: Marks, text: str) -> list[Content | Block]:
    """What most runs are, perhaps with a line break behind it, without the work for others."""
    text = nfc(_settled(text).lstrip()).rstrip()
    if not text:
        return []
    node: Inline | str = text
    for mark in reversed(marks):
        node = _inline(mark, (node,))[0]
    return [[node]]


class _Lines:
    """Collects the pieces of one block after the other."""

    def __init__(self, *, splits: bool, exact: bool, apart: bool) -> None:
        self.contents: list[Content | Block] = []
        self._splits = splits
        self._exact = exact
        self._apart = apart
        self._pieces: list[tuple[Marks, str | Gap | Inline]] = []
        self._pictures: list[Block] = []
        """Those that stand in the middle of a line: they follow the block."""
        self._after_blank = True

    def text(self, marks: Marks, text: str) -> None:
        if self._exact:
            self._pieces.append((marks, nfc(text)))
            return
        text = _settled(text)
        if self._after_blank:
            text = text.lstrip()
        if not text:
            return
        self._after_blank = text[-1].isspace()
        if self._after_blank and text.isspace():
            marks = _common(marks, self._pieces[-1][0])  # a blank alone needs no inline of its own
        self._pieces.append((marks, text if text.isascii() else nfc(text)))

    def gap(self, marks: Marks, gap: Gap) -> None:
        if gap is Gap.BLANK:
            self.text(marks, " ")
            return
        if not self._exact:
            self._strip()
            if not self._pieces or self._pieces[-1][1] is gap:
                if self._splits:
                    self.finish()
                return
        self._pieces.append((marks, gap))
        self._after_blank = True
        if self._pictures and self._splits:
            self.finish()

    def inline(self, marks: Marks, inline: Inline) -> None:
        """A sign among the words."""
        self._pieces.append((marks, inline))
        self._after_blank = False

    def picture(self, marks: Marks, picture: Block) -> None:
        """One in the middle of a line follows the block; it parts the words before and after it."""
        self._pictures.append(picture)
        if self._apart or (self._splits and (not self._pieces or isinstance(self._pieces[-1][1], Gap))):
            self.finish()
        else:
            self.text(marks, " ")

    def finish(self) -> None:
        """What was collected is a block."""
        self._strip()
        while self._pieces and isinstance(self._pieces[-1][1], Gap):
            self._pieces.pop()
            self._strip()
        if self._exact:
            self._strip_first_line()
        if any(isinstance(piece, str) for _, piece in self._pieces):
            self.contents.append(_nested(self._pieces))
        self.contents.extend(self._pictures)
        self._pieces, self._pictures = [], []
        self._after_blank = True

    def _strip(self) -> None:
        """No white space at the end of a line."""
        while self._pieces:
            marks, text = self._pieces[-1]
            if not isinstance(text, str):
                return
            kept = text.rstrip()
            if kept:
                self._pieces[-1] = (marks, kept)
                return
            self._pieces.pop()

    def _strip_first_line(self) -> None:
        """Empty lines before the first one show nothing."""
        while self._pieces and not isinstance(self._pieces[0][1], Inline):
            marks, piece = self._pieces[0]
            kept = _EMPTY_LINES.sub("", piece) if isinstance(piece, str) else ""
            _, behind = self._pieces[1] if len(self._pieces) > 1 else ((), Gap.LINE)
            ends_line = isinstance(behind, Gap) or (isinstance(behind, str) and _EMPTY_LINES.match(behind) is not None)
            if kept and not (kept.isspace() and ends_line):
                self._pieces[0] = (marks, kept)
                return
            del self._pieces[0]


def _settled(text: str) -> str:
    """Runs of white space and line breaks as one blank each, also at the ends."""
    # Nothing printable is white space but the blank itself: most texts need no more than this look.
    if text.isprintable() and "  " not in text:
        return text
    if not text.isascii():
        return _ODD_WHITE.sub(" ", text)
    squeezed = squeeze(text)
    if not squeezed:
        return " " if text else ""
    return f"{' ' if text[0].isspace() else ''}{squeezed}{' ' if text[-1].isspace() else ''}"


def nfc(text: str) -> str:
    return text if text.isascii() or is_normalized("NFC", text) else normalize("NFC", text)


def _common(marks: Marks, other: Marks) -> Marks:
    if marks == other:
        return marks
    length = next((n for n, (a, b) in enumerate(zip(marks, other, strict=False)) if a is not b), min(len(marks), len(other)))
    return marks[:length]


def _nested(pieces: Sequence[tuple[Marks, str | Gap | Inline]], depth: int = 0) -> Content:
    """Pieces with their marks, as a tree of inlines; those above `depth` are open already."""
    content: Content = []
    for mark, group in groupby(pieces, key=lambda piece: piece[0][depth] if len(piece[0]) > depth else None):
        if mark is not None:
            content.extend(_inline(mark, tuple(_nested(list(group), depth + 1))))
            continue
        texts: list[str] = []
        for _, piece in group:
            if isinstance(piece, str):
                texts.append(piece)
                continue
            content += ["".join(texts)] if texts else []
            content.append(_LINE_BREAK if isinstance(piece, Gap) else piece)
            texts = []
        content += ["".join(texts)] if texts else []
    return content


_NOWHERE = (None, None)
_LINE_BREAK = Inline(type="line-break")


def _inline(mark: Mark, children: tuple[Inline | str, ...]) -> tuple[Inline | str, ...]:
    """With its content; only that, where nobody says how it is read."""
    if mark.type == "ruby" and mark.reading is None:
        return children
    url, original_url = mark.target or _NOWHERE
    language, note = mark.language, mark.note
    return (Inline(type=mark.type, children=children, url=url, original_url=original_url, language=language, note=note, alt=mark.reading),)
