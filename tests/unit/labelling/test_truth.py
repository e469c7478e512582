"""How much of each block stands in a known text is told by its words in their order."""

from __future__ import annotations

import pytest
from working_time import at_most

from webarticlecurator.document.page import parse_html
from webarticlecurator.labelling.text_blocks import TextBlock, text_blocks
from webarticlecurator.labelling.truth import shares_in

FIRST = "The harbour was closed on Monday after the storm had torn the roof off the old customs house."
SECOND = "Nobody was hurt, said the mayor, but the boats must stay where they are until the end of the week."
THIRD = "Share prices of the two ferry companies fell by a tenth on the same day, and have not recovered."


def blocks(*texts: str) -> list[TextBlock]:
    tree = parse_html("".join(f"<p>{text}</p>" for text in texts))
    assert tree is not None
    return text_blocks(tree)


def test_what_stands_in_the_text_counts_and_what_does_not_does_not() -> None:
    assert shares_in(blocks("Home", FIRST, "Read more", SECOND, "All rights reserved"), f"{FIRST}\n{SECOND}") == [0, 1, 0, 1, 0]


def test_white_space_case_and_marks_do_not_matter() -> None:
    assert shares_in(blocks(FIRST), FIRST.upper().replace(" ", "\n").replace(".", " …")) == [1]


def test_a_word_counts_only_where_those_around_it_say_so() -> None:
    assert shares_in(blocks("Share", FIRST, "Share", SECOND, THIRD), f"{FIRST} {SECOND} {THIRD}") == [0, 1, 0, 1, 1]


def test_short_blocks_between_known_ones_are_found() -> None:
    assert shares_in(blocks("Storm", FIRST, "The boats", SECOND), f"{FIRST}\nThe boats\n{SECOND}") == [0, 1, 1, 1]


def test_a_block_may_be_there_in_part() -> None:
    assert shares_in(blocks(f"{FIRST} {SECOND}"), FIRST) == [pytest.approx(18 / 38)]


def test_a_passage_that_the_text_has_at_another_place_counts_once() -> None:
    assert shares_in(blocks(THIRD, FIRST, SECOND, THIRD), f"{FIRST} {SECOND} {THIRD}") == [0, 1, 1, 1]
    assert shares_in(blocks(THIRD, FIRST, SECOND), f"{FIRST} {SECOND} {THIRD}") == [1, 1, 1]


def test_scripts_that_part_no_words_are_read_by_character() -> None:
    assert shares_in(blocks("首页", "港口在星期一关闭。"), "港口在星期一关闭。") == [0, 1]


def test_marks_alone_stand_in_no_text() -> None:
    assert shares_in(blocks("* * *"), "* * *") == [0]


def test_a_page_of_one_word_again_and_again_takes_no_time() -> None:
    with at_most(5):
        shares_in(blocks("word " * 100_000), "word " * 100_000)
