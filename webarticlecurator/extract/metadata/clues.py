"""What a reader of one source says: texts as they stood in the page, filed under where exactly they stood."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal["", "person", "organization"]
MAX_TEXT = 5_000
"""Characters of a clue; what is longer is no metadata."""
MAX_CLUES = 200
"""Clues of one place."""


@dataclass(frozen=True, slots=True)
class Clue:
    """One text that may be a value."""

    text: str
    kind: Kind = ""
    """What the page says its bearer is."""


Clues = Mapping[str, tuple[Clue, ...]]
"""Where it stood ("json-ld:headline", "meta:og:title", "html:h1") -> what stood there, in page order."""


class ClueFile:
    """Collects clues while a page is read."""

    def __init__(self) -> None:
        self._clues: dict[str, list[Clue]] = {}

    def add(self, source: str, text: str | None, kind: Kind = "") -> None:
        """File a text; empty ones, endless ones and repetitions are not kept."""
        if not text or len(text) > MAX_TEXT or not (text := " ".join(text.split())):
            return
        clues = self._clues.setdefault(source, [])
        clue = Clue(text, kind)
        if len(clues) < MAX_CLUES and clue not in clues:
            clues.append(clue)

    def add_all(self, source: str, texts: Iterable[str]) -> None:
        for text in texts:
            self.add(source, text)

    def closed(self) -> Clues:
        return {source: tuple(clues) for source, clues in self._clues.items()}
