"""No pattern of the program can be kept busy: whatever text a stranger writes, its time grows as the text does."""

from __future__ import annotations

import re
from collections.abc import Iterable
from time import thread_time
from typing import Any

import pytest
from hostile_strings import STRINGS
from own_patterns import ENDS, filled, modules_with_patterns, patterns_of, searched_at_a_place, texts_against
from seams import patterns_made_in_use

LENGTH = 4_000
LIMIT = 0.05
"""Seconds of computing for a text of that length; one that is read in time needs a thousandth of it."""
TRIED = 3
"""A machine may be slow at one moment."""


def seconds(pattern: Any, text: str, *, searches: bool) -> float:
    """For all that the pattern finds in a text, or at its beginning."""
    searched = text.encode()[:LENGTH] if isinstance(pattern.pattern, bytes) else text
    tried = []
    for _ in range(TRIED):
        begun = thread_time()
        if searches:
            sum(1 for _match in pattern.finditer(searched))
        else:
            pattern.match(searched)
            pattern.fullmatch(searched)
        tried.append(thread_time() - begun)
        if tried[-1] < LIMIT:
            break
    return min(tried)


def slow_ones(patterns: dict[Any, str], texts: Iterable[str]) -> list[str]:
    told: dict[Any, str] = {}
    for text in texts:
        for pattern, place in patterns.items():
            if pattern not in told and (needed := seconds(pattern, text, searches="linear_at" not in place)) > LIMIT:
                told[pattern] = f"{place}: {needed * 1000:.0f} ms for {text[:20]!r}...{text[-5:]!r}: {pattern.pattern[:200]!r}"
    return list(told.values())


LANGUAGES = (
    *("ar", "bg", "bn", "ca", "cs", "cy", "da", "de", "el", "en", "es", "et", "eu", "fa", "fi", "fr", "ga", "gl", "he", "hi", "hr"),
    *("hu", "id", "it", "ja", "ko", "lt", "lv", "mk", "ms", "nb", "nl", "pl", "pt", "ro", "ru", "sk", "sl", "sr", "sv", "th", "tr"),
    *("uk", "vi", "zh"),
)
_PAGE = (
    '<html lang="{language}"><title>A bridge</title><article><h1>A bridge</h1><p>By Ann Lee</p><p>12 May 2024, 2 days ago</p>'
    "<p>The council met on Monday, and after a long debate it voted for the new bridge.</p><a href=2>2</a> page 1 of 3</article>"
)
HOSTILE = [filled("", piece, ENDS[1], LENGTH) for piece in STRINGS.values()]
BY_DAY = HOSTILE[::3]


@pytest.mark.parametrize("module", modules_with_patterns())
def test_the_patterns_of_a_module_read_any_hostile_text_at_once(module: str) -> None:
    assert slow_ones(patterns_of(module), BY_DAY) == []


@pytest.mark.nightly
@pytest.mark.parametrize("module", modules_with_patterns())
def test_the_patterns_of_a_module_read_all_hostile_texts_at_once(module: str) -> None:
    assert slow_ones(patterns_of(module), HOSTILE) == []


@pytest.mark.nightly
@pytest.mark.parametrize("module", modules_with_patterns())
def test_the_patterns_of_a_module_read_texts_that_are_made_against_them_at_once(module: str) -> None:
    for pattern, place in patterns_of(module).items():
        if isinstance(pattern, re.Pattern):
            assert slow_ones({pattern: place}, texts_against(pattern, LENGTH)) == []


@pytest.mark.nightly
def test_patterns_that_are_made_for_a_language_or_a_page_read_any_hostile_text_at_once() -> None:
    made = patterns_made_in_use([(_PAGE.format(language=language), "https://pelda.example/2024/05/01/a") for language in LANGUAGES])
    written = {pattern.pattern for module in modules_with_patterns() for pattern in patterns_of(module)}
    new = {pattern: f"made in use by {maker}" for pattern, maker in made.items() if pattern.pattern not in written}
    assert len(new) > 100, "none were recorded"
    assert slow_ones(new, HOSTILE) == []
    for pattern, maker in new.items():
        assert slow_ones({pattern: maker}, texts_against(pattern, LENGTH)) == []


def test_nothing_is_searched_for_with_a_pattern_that_is_made_for_one_place() -> None:
    assert searched_at_a_place() == []
