from __future__ import annotations

import pytest

from webarticlecurator.errors import PatternTimeout
from webarticlecurator.patterns import Pattern, PatternError


@pytest.mark.parametrize(
    ("pattern", "text", "captured"),
    [
        ("b+", "aabbc", "bb"),
        (r"/(\d+)/", "/cikk/12/", "12"),
        (r"(?P<year>\d{4})-(\d\d)", "2024-05", "2024"),
        (r"(\d\d)-(?P<month>\d\d)", "24-05", "05"),
        (r"(a)|(b)", "b", "b"),
        ("x", "abc", None),
    ],
)
def test_captured_is_the_named_group_else_the_first_else_the_match(pattern: str, text: str, captured: str | None) -> None:
    assert Pattern.parse(pattern).captured(text) == captured


def test_patterns_are_searched_anywhere() -> None:
    assert Pattern.parse("galeria").search("https://pelda.example/galeria/1")


def test_replacements_use_backslash_numbers() -> None:
    assert Pattern.parse(r"(\w+), (\w+)").sub(r"\2 \1", "Kiss, Anna; Nagy, Béla") == "Anna Kiss; Béla Nagy"


def test_a_group_that_took_no_part_is_replaced_by_nothing() -> None:
    assert Pattern.parse("(a)|(b)").sub(r"[\1]", "ab") == "[a][]"


@pytest.mark.parametrize(
    ("pattern", "text", "pieces"),
    [(", | és ", "A, B és C", ["A", "B", "C"]), ("(,)", "a,b", ["a", "b"]), ("x*", "axb", ["a", "b"]), (";", "a", ["a"])],
)
def test_split_gives_the_pieces_between_the_matches(pattern: str, text: str, pieces: list[str]) -> None:
    assert Pattern.parse(pattern).split(text) == pieces


@pytest.mark.parametrize("text", ["(", "[a", "*", "(?P<a>x)(?P<a", "a" * 3000, "((x{900}){900}){900}", "x{99999999}"])
def test_what_is_no_pattern_is_refused_when_it_is_read(text: str) -> None:
    with pytest.raises(PatternError):
        Pattern.parse(text)


@pytest.mark.parametrize("replacement", [r"\2", r"\g<name>", r"\q", "\\", r"\g<"])
def test_a_replacement_must_name_groups_that_there_are(replacement: str) -> None:
    with pytest.raises(PatternError):
        Pattern.parse("(a)").check_replacement(replacement)


@pytest.mark.parametrize("replacement", ["", r"\1", r"\g<1>", r"\\", r"a\n"])
def test_a_good_replacement_is_taken(replacement: str) -> None:
    Pattern.parse("(a)").check_replacement(replacement)


def test_a_pattern_cannot_hang_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webarticlecurator.patterns.TIME_LIMIT", 0.05)
    with pytest.raises(PatternTimeout, match="simpler"):
        Pattern.parse("(?:(?:a|a)*)*$").search("a" * 40 + "b")


def test_a_replacement_cannot_fill_the_memory() -> None:
    with pytest.raises(PatternTimeout):
        Pattern.parse("").sub("x" * 2000, "a" * 100_000)


def test_patterns_that_are_written_equally_are_equal() -> None:
    assert Pattern.parse("a") == Pattern.parse("a")
