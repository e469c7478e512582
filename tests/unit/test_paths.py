from __future__ import annotations

import pytest

from webarticlecurator.paths import JsonPath, PathError


@pytest.mark.parametrize(
    ("path", "document", "found"),
    [
        ("a.b", {"a": {"b": 1}}, 1),
        ("items[].url", {"items": [{"url": "x"}, {}, {"url": "y"}]}, ["x", "y"]),
        ("items[1:].url", {"items": [{"url": "x"}, {"url": "y"}]}, ["y"]),
        ("items[:4:2]", {"items": [1, 2, 3]}, [1, 3]),
        ("a.b", ["not", "an", "object"], None),
        ("sum(a)", {"a": "text"}, None),
        ("length(@)", None, None),
        ("@", "text", "text"),
    ],
)
def test_a_search_never_fails(path: str, document: object, found: object) -> None:
    assert JsonPath.parse(path).search(document) == found


@pytest.mark.parametrize("path", ["a..b", "", "nofunction(a)", "a[", "x" * 2000])
def test_what_is_no_path_is_refused_when_it_is_read(path: str) -> None:
    with pytest.raises(PathError):
        JsonPath.parse(path)


def test_an_unknown_function_is_named() -> None:
    with pytest.raises(PathError, match=r"unknown function lenght\(\)"):
        JsonPath.parse("lenght(a)")


def test_a_path_that_repeats_its_input_again_and_again_is_refused() -> None:
    with pytest.raises(PathError):
        JsonPath.parse("|".join(["[@, @]"] * 40))


def test_a_text_that_grows_without_end_gives_nothing() -> None:
    assert JsonPath.parse("|".join(["join('', [@, @])"] * 9)).search("x" * 100_000) is None
