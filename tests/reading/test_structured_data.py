from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webarticlecurator.extraction.json_repair import MAX_LENGTH, read_broken_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**200), 10**200) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("broken", "meant"),
    [
        ('{"a": "one\ntwo\tthree"}', {"a": "one\ntwo\tthree"}),
        ('{"a": 1 "b": 2}', {"a": 1, "b": 2}),
        ('{"a": "x" "b": "y"}', {"a": "x", "b": "y"}),
        ('{"a": "the "great" one", "b": 1}', {"a": 'the "great" one', "b": 1}),
        ('{"a": "he said "no", and left", "b": 1}', {"a": 'he said "no", and left', "b": 1}),
        ('{"a": [1, 2,], "b": 3,}', {"a": [1, 2], "b": 3}),
        ('{,"a": 1,, "b": 2}', {"a": 1, "b": 2}),
        ('/* c */ {"a": 1, // why\n"b": 2}', {"a": 1, "b": 2}),
        ('<!-- {"a": 1} -->', {"a": 1}),
        ('//<![CDATA[\n{"a": 1}\n//]]>', {"a": 1}),
        ('{"a": 1}; window.x = 3', {"a": 1}),
        ("{a: true, b: undefined}", {"a": True, "b": None}),
        ('{"a": , "b": 1}', {"b": 1}),
        ('{"a": {"b": [1, 2', {"a": {"b": [1, 2]}}),
        ('{"a": "d\\u0151l\\ud83d\\ude00"', {"a": "dől😀"}),
        ("[1.5, -2e3]", [1.5, -2000]),
    ],
)
def test_broken_json_is_read_as_it_was_meant(broken: str, meant: Any) -> None:
    assert read_broken_json(broken) == meant


@pytest.mark.parametrize(
    "text", ["", "function() {}", '{"a": "cut off', '{"a" 1}', "{1: 2}", '{"a": what}', "[" * 100_000, "{" + " " * MAX_LENGTH]
)
def test_where_the_meaning_is_in_doubt_nothing_is_read(text: str) -> None:
    assert read_broken_json(text) is None


@given(st.dictionaries(st.text(max_size=8), VALUES, max_size=5))
def test_whole_json_is_read_as_json(value: dict[str, Any]) -> None:
    assert read_broken_json(json.dumps(value)) == value


@given(st.text(alphabet='{}[]":,\\ \nabu0/*<!-', max_size=60))
def test_nothing_raises(text: str) -> None:
    read_broken_json("{" + text)
