"""A login is told from a name by how it is written, and what may be a name is let alone."""

from __future__ import annotations

import pytest

from webarticlecurator.statistics.logins import looks_like_login, writes_capitals


@pytest.mark.parametrize(
    "login", ["kovacs_anna", "Balogh_Péter", "SzaboIstvan", "SzabóIstván", "nemeth_zsofia", "tothgergely", "ΝίκοςΠαππάς", "ivanpetrov_82"]
)
def test_names_written_as_nobody_writes_a_name_are_logins(login: str) -> None:
    assert looks_like_login(login, capitals=True)


@pytest.mark.parametrize(
    "name",
    [
        *("Kovács Anna", "Anna Kovács-Tóth", "Kiss", "MTI", "MTI/AP", "dpa", "Reuters", "bloomberg", "szerkesztőség", "NVIDIA"),
        *("McDonald", "MacDonald", "DeVito", "LaFontaine", "FitzGerald", "VanDyke", "DiCaprio", "O'Brien", "D'Annunzio"),
        *(
            "iPhone",
            "eBay",
            "YouTube",
            "EuroNews",
            "BuzzFeed",
            "WikiLeaks",
            "MaryAnn",
            "JoAnn",
            "AnnaMari Kiss",
            "HarperCollins Publishers",
        ),
        *("Madonna", "Björk", "grimes", "deadmau5", "moby", "zedd", "k.d. lang", "bell hooks", "will.i.am"),
        *("田中太郎", "田中_太郎", "김민수", "გიორგი", "გიორგიმაისურაძე", "محمد_علي", "मोहनदासगांधी", "", "_"),
    ],
)
def test_what_may_be_a_name_is_none(name: str) -> None:
    assert not looks_like_login(name, capitals=True)


def test_a_word_without_capitals_says_nothing_where_names_are_written_without() -> None:
    assert not looks_like_login("tanakatarou", capitals=False)
    assert looks_like_login("tanaka_taro", capitals=False)


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("hu", True),
        ("ru", True),
        ("el", True),
        ("sr-Latn", True),
        (None, True),
        ("ja", False),
        ("ar", False),
        ("ka", False),
        ("zh-Hant", False),
    ],
)
def test_some_languages_write_names_with_capitals(language: str | None, expected: bool) -> None:
    assert writes_capitals(language) is expected
