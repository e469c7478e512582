"""Made-up articles: sentences that mean nothing and are never alike, in any HTML around them."""

from __future__ import annotations

from random import Random

_TEXT = """
    river bridge mayor lantern ferry winter harbour street builder neighbour timetable pier rain roof window garden market bell tower
    letter train station morning evening visitor painter baker teacher doctor river-boat fisher wagon orchard meadow forest valley hill
    remembers promises describes measures paints questions repairs admires carries crosses finds follows leaves keeps sells waits sings
    before after under over behind beside without within towards against slowly gladly rarely often never always twice already
"""


def sentence(number: int) -> str:
    """Of a hundred characters or more."""
    first, *others = Random(number).sample(_TEXT.split(), 18)
    return f"{first.capitalize()} {' '.join(others[:8])}, {' '.join(others[8:])}."


def paragraphs(start: int, count: int = 5) -> list[str]:
    return [f"{sentence(start + 2 * number)} {sentence(start + 2 * number + 1)}" for number in range(count)]


def written(texts: list[str]) -> str:
    return "".join(f"<p>{text}</p>" for text in texts)
