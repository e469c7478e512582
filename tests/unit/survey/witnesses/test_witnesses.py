"""What addresses of articles look like, and how links between them are called."""

from __future__ import annotations

import pytest

from webarticlecurator.survey.witnesses.neighbour_words import names_a_neighbour, says_a_neighbour
from webarticlecurator.survey.witnesses.url_shape import url_shape


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("/2021/06/a-bridge/", "/1999/12/some-other-title/", True),
        ("/belfold/cikk/12/hid-epul", "/sport/cikk/7/komp_1", True),
        ("/a-bridge.html", "/another-bridge.html", True),
        ("/cikk.php?id=12&lang=hu", "/cikk.php?lang=en&id=7", True),
        ("/cikk.php?id=12", "/rovat.php?id=12", False),
        ("/cikk.php?id=12", "/cikk.php?rovat=12", False),
        ("/cikk.php?id=12", "/cikk.php?id=a-bridge", False),
        ("/2021/06/a-bridge/", "/2021/06/", False),
        ("/2021/06/a-bridge/", "/2021/06/a-bridge/2/", False),
        ("/a-bridge/", "/sport/", False),
        ("/a-bridge.html", "/a-bridge", False),
        ("/a-bridge", "[::1/a-bridge", False),
    ],
)
def test_addresses_of_one_kind_of_page_have_one_shape(one: str, other: str, same: bool) -> None:
    assert (url_shape(f"https://pelda.example{one}") == url_shape(f"http://pelda.example{other}")) is same


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
    assert names_a_neighbour(classes) is named


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
    assert says_a_neighbour(text) is said
