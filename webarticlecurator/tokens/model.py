"""A token and a sentence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Token(NamedTuple):
    """A word, a number, a mark: never empty, and never with white space in it."""

    text: str
    space_after: str
    """The white space between this token and the next, as written; mostly one blank, or nothing."""


class Sentence(NamedTuple):
    """The tokens from one end of a sentence to the next."""

    tokens: tuple[Token, ...]
    """Empty only where the whole text is white space."""
    space_before: str = ""
    """The white space that a text begins with; only its first sentence has any."""

    @property
    def text(self) -> str:
        """As written, with the white space around it."""
        return self.space_before + "".join([text + space for text, space in self.tokens])


def text_of(sentences: Iterable[Sentence]) -> str:
    """The text that these sentences were made of."""
    return "".join([sentence.text for sentence in sentences])
