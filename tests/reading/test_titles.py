from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webarticlecurator.extraction.metadata.titles import Title, best_of, without_site

SITES = {"peldahirek", "peldaexample"}


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("The dam has broken | Példa Hírek", "The dam has broken"),
        ("Példa Hírek – The dam has broken", "The dam has broken"),
        ("The dam has broken - World - Példa Hírek", "The dam has broken - World"),
        ("Flood: the dam has broken", "Flood: the dam has broken"),
        ("A « great » day", "A « great » day"),
        ("Példa Hírek: our new design", "Példa Hírek: our new design"),
    ],
)
def test_only_the_sites_name_falls_away(title: str, expected: str) -> None:
    assert without_site(title, SITES, set()) == expected


def test_what_all_other_titles_lack_is_the_sites_too() -> None:
    assert without_site("The dam has broken - Politics", SITES, {"thedamhasbroken"}) == "The dam has broken"


def test_a_part_that_another_title_calls_its_own_stays() -> None:
    assert without_site("Flood: the dam has broken", SITES, {"thedamhasbroken"}) == "Flood: the dam has broken"


def title(source: str, text: str) -> Title:
    return Title(text, text, source)


def test_the_title_wins_that_most_sources_agree_on() -> None:
    titles = [
        title("json-ld:headline", "Dam news today"),
        title("html:h1", "The dam has broken"),
        title("meta:og:title", "The dam has broken | Példa Hírek"),
    ]
    best = best_of(titles, SITES)
    assert best is not None
    assert (best.text, best.source) == ("The dam has broken", "meta:og:title")


def test_two_lines_that_grew_together_are_no_title_that_was_cut_off() -> None:
    titles = [title("meta:og:title", "A national vote / Now it begins"), title("html:h1", "A national voteNow it begins")]
    best = best_of(titles, SITES)
    assert best is not None
    assert best.text == "A national vote / Now it begins"


@pytest.mark.parametrize("cut", ["The old dam has bro – last minute", "The old dam has bro", "The old dam has bro | Példa Hírek"])
def test_a_title_that_ends_within_a_word_is_none_where_the_page_shows_the_whole_one(cut: str) -> None:
    titles = [title("meta:og:title", cut), title("html:heading", "The old dam has broken at noon"), title("html:title", cut)]
    best = best_of(titles, SITES)
    assert best is not None
    assert best.text == "The old dam has broken at noon"


def test_a_cut_off_title_speaks_for_the_whole_one() -> None:
    titles = [title("json-ld:headline", "The dam has broken and..."), title("meta:og:title", "The dam has broken and the town is flooded")]
    best = best_of(titles, SITES)
    assert best is not None
    assert best.text == "The dam has broken and the town is flooded"


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("The dam | the town", "The dam | the town"),
        ("The “dam”, the town", "The “dam”, the town"),
        ("The dam the town »", "The dam the town"),
        ("Thedam, thetown", "The dam the town"),
    ],
)
def test_marks_between_the_words_that_data_have_lost_stand_in_the_heading(heading: str, expected: str) -> None:
    best = best_of([title("json-ld:headline", "The dam the town"), title("html:h1", heading)], SITES)
    assert best is not None
    assert best.text == expected


@pytest.mark.parametrize("text", ["Példa Hírek", "Page", "Untitled"])
def test_neither_the_sites_name_nor_a_label_is_a_headline(text: str) -> None:
    assert best_of([title("html:h1", text)], SITES) is None
    best = best_of([title("json-ld:headline", text), title("html:title", "A dam")], SITES)
    assert best is not None
    assert best.text == "A dam"


@given(st.text(max_size=200))
def test_what_is_left_of_a_title_is_part_of_it_and_never_nothing(text: str) -> None:
    left = without_site(text, SITES, set())
    assert left in text
    assert bool(left.strip()) == bool(text.strip())
