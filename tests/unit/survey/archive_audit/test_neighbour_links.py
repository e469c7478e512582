"""How links to the article before and after an article are called."""

from __future__ import annotations

import pytest

from webarticlecurator.survey.archive_audit.neighbour_links import classes_name_a_neighbour, text_names_a_neighbour


@pytest.mark.parametrize(
    ("classes", "named"),
    [
        ("nav-next", True),
        ("btn td-post-prev-post", True),
        ("nextArticle", True),
        ("single-navigation", True),
        ("older_story", True),
        ("nav next", False),
        ("site-navigation", False),
        ("single single-post", False),
        ("posts-navigation older-posts", False),
        ("comment-nav-next", False),
        ("swiper-nav-prev", False),
        ("", False),
    ],
)
def test_classes_that_name_a_neighbour(classes: str, named: bool) -> None:
    assert classes_name_a_neighbour(classes) is named


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("← Previous Post: The bridge", True),
        ("Artículo siguiente", True),
        ("ПРЕДЫДУЩАЯ ЗАПИСЬ", True),
        ("Önceki yazı", True),
        ("Iepriekšējais raksts", True),
        ("Next", False),
        ("Next »", False),
        ("Article about the next bridge", False),
        ("Previous articles", False),
        ("", False),
    ],
)
def test_words_that_name_a_neighbour(text: str, said: bool) -> None:
    assert text_names_a_neighbour(text) is said
