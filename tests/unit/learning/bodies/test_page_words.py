from __future__ import annotations

from collections.abc import Callable

import pytest

from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.body.lookup import Lookup
from webarticlecurator.learning.bodies import find_bodies
from webarticlecurator.learning.bodies.page_words import MOST_ELEMENTS, agreement, page_words
from webarticlecurator.learning.bodies.reading import Reader
from webarticlecurator.model.page import Page


def test_each_word_has_the_element_in_which_it_stands_and_its_line(portal_of: Callable[..., Portal], page_of: Callable[..., Page]) -> None:
    long = "one two three four, five six seven eight nine ten, eleven twelve thirteen fourteen fifteen sixteen seventeen."
    page = page_of(f"<div class=a><p>{long} <b>Bold</b> tail</p><script>no()</script><p>Last</p></div>")
    words = page_words(Reader(portal_of(), {}).read(page), Lookup(()))
    bold, tail, last = (words.words.index(word) for word in ("bold", "tail", "last"))
    assert [words.elements[words.rows[place]].tag for place in (bold, tail, last)] == ["b", "p", "p"]
    assert words.lines[bold] == words.lines[tail] < words.lines[last]
    assert "no" not in words.words
    assert words.kept_words[bold]


def test_an_endless_page_is_read_up_to_a_bound_and_that_is_told(portal_of: Callable[..., Portal], page_of: Callable[..., Page]) -> None:
    text = "A sentence of the article that is long enough to be running text, with a comma, and so on and on. " * 5
    page = page_of(f"<div class=a><p>{text}</p>{'<a href=/x>x</a> ' * (MOST_ELEMENTS + 10)}</div>")
    words = page_words(Reader(portal_of(), {}).read(page), Lookup(()))
    assert words.is_cut
    assert len(words.elements) <= MOST_ELEMENTS
    assert any("elements were read" in remark for remark in find_bodies([page], portal=portal_of()).learned.remarks) == bool(
        Reader(portal_of(), {}).read(page).is_article
    )


@pytest.mark.parametrize(("one", "other", "expected"), [("a b c", "a b c", 1.0), ("a b", "a c", 0.5), ("a", "", 0.0), ("", "", 1.0)])
def test_texts_agree_as_far_as_they_have_the_same_words(one: str, other: str, expected: float) -> None:
    assert agreement(one.split(), other.split()) == expected
