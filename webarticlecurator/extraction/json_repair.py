"""Reads broken JSON: what pages write by hand or by careless templates, for as far as its meaning is beyond doubt."""

from __future__ import annotations

import re
from typing import Any

MAX_DEPTH = 200
MAX_LENGTH = 2_000_000
"""Characters of one broken text."""

_SKIPPED = re.compile(r"(?:[\s\ufeff]+|/\*.*?\*/|//[^\n]*|<!--|-->|<!\[CDATA\[|\]\]>)+", re.DOTALL)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])")
_LONGEST_INTEGER = 300
_WORD = re.compile(r"[A-Za-z_$@][\w$@-]*")
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None, "undefined": None, "NaN": None}
_PLAIN = re.compile(r'[^"\\]*')
_CLOSES = re.compile(r"\s*(?:[,:}\]]|/[*/]|\Z)")
"""What follows a quote that ends a text; before anything else it is a quote inside the text."""
_NEXT_MEMBER = re.compile(r'\s*"[^"\n]{1,80}"\s*:')
"""... but for the next member, before which the comma was forgotten."""
_COMMA_IN_TEXT = re.compile(r",\s*[^\s\"{\[\d\-tfn/}\]]")
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_UNICODE = re.compile(r"u((?i:D[89AB][0-9A-F]{2}))\\u((?i:D[C-F][0-9A-F]{2}))|u([0-9A-Fa-f]{4})")
"""One character; two escapes together may make one."""


class _Hopeless(Exception):
    """From here on nothing can be said about what the text means."""


def read_broken_json(text: str) -> Any:
    """The object or list that a broken text begins with; None where it cannot be told.

    Mended are: raw line breaks in texts, quotes in texts that are not escaped, commas that are missing or too many, comments
    and CDATA marks, names without quotes, text after the end, brackets that are not closed at the end.
    """
    if len(text) > MAX_LENGTH:
        return None
    reader = _Reader(text)
    reader.skip()
    if reader.peek() not in ("{", "["):
        return None
    try:
        return reader.value(0)
    except _Hopeless:
        return None


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def skip(self) -> None:
        if found := _SKIPPED.match(self._text, self._at):
            self._at = found.end()

    def peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def value(self, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise _Hopeless
        sign = self.peek()
        if sign == "{":
            return self._object(depth)
        if sign == "[":
            return self._list(depth)
        if sign == '"':
            return self._string()
        if found := _NUMBER.match(self._text, self._at):
            self._at = found.end()
            return int(found[0]) if found[0].lstrip("-").isdigit() and len(found[0]) <= _LONGEST_INTEGER else float(found[0])
        found = _WORD.match(self._text, self._at)
        if found is None or found[0] not in _WORDS:
            raise _Hopeless
        self._at = found.end()
        return _WORDS[found[0]]

    def _object(self, depth: int) -> dict[str, Any]:
        members: dict[str, Any] = {}
        self._at += 1
        while self._more("}"):
            name = self._name()
            self.skip()
            if self.peek() != ":":
                raise _Hopeless
            self._at += 1
            self.skip()
            if self.peek() not in (",", "}"):  # `"name": ,` says nothing
                members[name] = self.value(depth + 1)
        return members

    def _list(self, depth: int) -> list[Any]:
        values: list[Any] = []
        self._at += 1
        while self._more("]"):
            values.append(self.value(depth + 1))
        return values

    def _more(self, end: str) -> bool:
        """Step over commas, as many as there are; whether another member follows."""
        self.skip()
        while self.peek() in (",", ";"):
            self._at += 1
            self.skip()
        if self.peek() == end:
            self._at += 1
            return False
        return bool(self.peek())

    def _name(self) -> str:
        if self.peek() == '"':
            return self._string()
        found = _WORD.match(self._text, self._at)
        if found is None:
            raise _Hopeless
        self._at = found.end()
        return found[0]

    def _string(self) -> str:
        pieces: list[str] = []
        position = self._at + 1
        while True:
            plain = _PLAIN.match(self._text, position)
            assert plain is not None  # it matches nothing, too
            pieces.append(plain[0])
            position = plain.end()
            sign = self._text[position : position + 1]
            if not sign:
                raise _Hopeless
            if sign == "\\":
                piece, position = self._escape(position + 1)
                pieces.append(piece)
                continue
            position += 1
            if self._ends_text(position):
                self._at = position
                return "".join(pieces)
            pieces.append('"')

    def _ends_text(self, position: int) -> bool:
        if _CLOSES.match(self._text, position):
            return not _COMMA_IN_TEXT.match(self._text, position)
        return _NEXT_MEMBER.match(self._text, position) is not None

    def _escape(self, position: int) -> tuple[str, int]:
        found = _UNICODE.match(self._text, position)
        if found is None:
            letter = self._text[position : position + 1]
            return _ESCAPES.get(letter, letter), position + 1
        if found[1]:
            return chr(0x10000 + ((int(found[1], 16) - 0xD800) << 10) + (int(found[2], 16) - 0xDC00)), found.end()
        code = int(found[3], 16)
        return ("\ufffd" if 0xD800 <= code < 0xE000 else chr(code)), found.end()
