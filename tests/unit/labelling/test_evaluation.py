"""A labeller is measured by the words and by the blocks that it chooses."""

from __future__ import annotations

import pytest

from webarticlecurator.document.page import parse_html
from webarticlecurator.labelling.evaluation import LabelledPage, mean, score
from webarticlecurator.labelling.text_blocks import text_blocks


def page() -> LabelledPage:
    tree = parse_html("<p>one two three four</p><p>five six</p><p>seven eight</p>")
    assert tree is not None
    return LabelledPage(name="a", blocks=text_blocks(tree), shares=[1, 1, 0], text="one two three four five six")


def test_all_that_should_be_chosen_and_nothing_else_is_perfect() -> None:
    told = score(page(), [0.9, 0.8, 0.1])
    assert (told.text, told.blocks) == (1, 1)


def test_what_is_missing_and_what_is_too_much_cost_their_words() -> None:
    told = score(page(), [0.9, 0.1, 0.9])
    assert told.text == pytest.approx(2 * 4 / (6 + 6))
    assert told.blocks == pytest.approx(2 * 4 / (2 * 4 + 2 + 2))


def test_nothing_at_all_scores_nothing() -> None:
    assert score(page(), [0, 0, 0]).text == 0


def test_a_mean_has_its_interval_and_the_same_each_time() -> None:
    told = mean([0.0, 1.0] * 50)
    assert told.value == 0.5
    assert 0.35 < told.low < 0.5 < told.high < 0.65
    assert mean([0.0, 1.0] * 50) == told
