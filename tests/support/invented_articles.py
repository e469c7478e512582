"""Made-up articles: sentences enough for a body, in any HTML around them."""

from __future__ import annotations

_SUBJECTS = ("The mayor", "A neighbour", "The committee", "One of the builders", "Her sister", "The old ferryman", "Nobody", "A visitor")
_VERBS = ("remembered", "promised", "described", "measured", "painted", "questioned", "repaired", "admired")
_OBJECTS = ("the bridge", "the river bank", "every lantern", "the wooden pier", "that winter", "the timetable", "a narrow street")


def sentence(number: int) -> str:
    """No two of the first hundreds are alike."""
    subject, verb, thing = _SUBJECTS[number % 8], _VERBS[number // 8 % 8], _OBJECTS[number // 3 % 7]
    return f"{subject} {verb} {thing} for the {number}th time, and went home before the rain began to fall on the roofs."


def paragraphs(start: int, count: int = 5) -> list[str]:
    return [f"{sentence(start + 2 * number)} {sentence(start + 2 * number + 1)}" for number in range(count)]


def written(texts: list[str]) -> str:
    return "".join(f"<p>{text}</p>" for text in texts)
