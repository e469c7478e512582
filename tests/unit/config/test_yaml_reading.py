"""YAML as it is read: 1.2's core schema, bounded, and placed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webarticlecurator.config.yaml_nodes import MapNode, plain
from webarticlecurator.config.yaml_reading import MAX_BYTES, read_yaml

FILE = Path("portal.yaml")


def value_of(text: str) -> object:
    root, mistakes = read_yaml(f"key: {text}\n".encode(), FILE)
    assert not mistakes
    assert root is not None
    return plain(root)["key"]


def messages(text: str) -> list[str]:
    _, mistakes = read_yaml(text.encode(), FILE)
    return [f"{mistake.line}:{mistake.column}: {mistake.message}" for mistake in mistakes]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no", "no"),
        ("on", "on"),
        ("yes", "yes"),
        ("y", "y"),
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("12", 12),
        ("-3", -3),
        ("010", 10),
        ("0o17", "0o17"),
        ("0x1f", "0x1f"),
        ("1_000", "1_000"),
        ("12:30", "12:30"),
        ("1.5", 1.5),
        ("1e3", 1000.0),
        (".inf", ".inf"),
        ("9" * 5000, "9" * 5000),
        ("1e999", "1e999"),
        ("2024-05-01", "2024-05-01"),
        ("2024-05-01T10:00:00Z", "2024-05-01T10:00:00Z"),
        ("'12'", "12"),
        ('"null"', "null"),
        ("='x'", "='x'"),
    ],
)
def test_scalars_follow_the_core_schema_of_yaml_1_2(text: str, value: object) -> None:
    assert value_of(text) == value
    assert type(value_of(text)) is type(value)


def test_keys_are_text_whatever_they_look_like() -> None:
    root, _ = read_yaml(b"no: a\n1: b\nnull: c\n", FILE)
    assert isinstance(root, MapNode)
    assert plain(root) == {"no": "a", "1": "b", "null": "c"}


def test_a_number_remembers_how_it_was_written() -> None:
    root, _ = read_yaml(b"key: 007\n", FILE)
    assert isinstance(root, MapNode)
    assert getattr(root.entries["key"], "text", None) == "007"


def test_nodes_know_their_place() -> None:
    root, _ = read_yaml("\ufeffa:\n  é: [x, {y: z}]\n".encode(), FILE)
    assert isinstance(root, MapNode)
    inner = root.entries["a"]
    assert isinstance(inner, MapNode)
    assert (inner.keys["é"].line, inner.keys["é"].column) == (2, 3)
    items = getattr(inner.entries["é"], "items", ())
    assert [(item.place.line, item.place.column) for item in items] == [(2, 7), (2, 10)]


def test_an_alias_stands_for_its_value() -> None:
    root, mistakes = read_yaml(b"a: &x [1, 2]\nb: *x\n", FILE)
    assert not mistakes
    assert root is not None
    assert plain(root) == {"a": [1, 2], "b": [1, 2]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\na: 2\n", "2:1: `a` stands twice, first in line 1; keep one"),
        ("a: *b\n", '1:4: `*` starts a YAML alias, and nothing is called `&b`; put a selector in quotes: "*b"'),
        ("a: &x [*x]\n", '1:8: `*` starts a YAML alias, and nothing is called `&x`; put a selector in quotes: "*x"'),
        ("a: &x [1]\nb: &y [*x]\nc: *y\n", "3:4: `&y` holds an alias itself; write the value out"),
        ("a: !!python/name:os.system ''\n", "1:4: `!` starts a YAML tag"),
        ("[a]: b\n", "1:1: a key must be text"),
        ("a: b\n---\nc: d\n", "2:1: a second YAML document begins here"),
        ("a:\n\tb: c\n", "2:1: a tab stands where YAML wants blanks"),
        ('a: ["/index\\d"]\n', "1:13: between double quotes a backslash begins an escape; put the value between single quotes"),
        ("a: b\nc\n", "2:2: this line is no `key: value`"),
        ("a: b\x07\n", "1:5: a control character"),
        ('a: "b\\U00110000"\n', "1:6: there is no such character"),
        ('a: "\\Uffffffff"\n', "1:5: there is no such character"),
        ('a: "\\ud83d"\n', "1:4: an escape like \\ud83d is half a character"),
        ("", "1:1: the file is empty"),
        ("just text\n", "1:1: a portal file is a mapping"),
    ],
)
def test_what_is_no_plain_data_is_a_mistake_with_a_place(text: str, message: str) -> None:
    assert any(found.startswith(message) for found in messages(text)), messages(text)


def test_two_halves_of_a_character_are_one_as_in_json() -> None:
    root, mistakes = read_yaml(b'a: "\\ud83d\\ude00"\n', FILE)
    assert root is not None
    assert not mistakes
    assert plain(root) == {"a": "\U0001f600"}


def test_bytes_that_are_not_utf_8_are_placed() -> None:
    _, mistakes = read_yaml("a: b\nc: é\n".encode("iso-8859-2"), FILE)
    assert [(mistake.line, mistake.column) for mistake in mistakes] == [(2, 4)]


@pytest.mark.parametrize("text", ["[" * 100_000, "{a: " * 10_000, "- " * 10_000, "? " * 5000])
def test_nesting_is_bounded(text: str) -> None:
    root, mistakes = read_yaml(text.encode(), FILE)
    assert root is None
    assert mistakes


def test_aliases_cannot_multiply() -> None:
    items = ", ".join("*a" for _ in range(2000))
    text = f"a: &a [{', '.join('x' for _ in range(2000))}]\nb: [{items}]\n"
    root, mistakes = read_yaml(text.encode(), FILE)
    assert root is None
    assert "grows beyond" in mistakes[0].message


def test_a_file_beyond_the_limit_is_not_parsed() -> None:
    _, mistakes = read_yaml(b"#" * (MAX_BYTES + 1), FILE)
    assert "larger than" in mistakes[0].message


@given(st.text(alphabet="ab:#-[]{}>|*&!%@`'\" \n,?=~\\Uu1fd"))
def test_any_text_gives_a_tree_or_mistakes_but_never_an_exception(text: str) -> None:
    root, mistakes = read_yaml(text.encode(), FILE)
    assert root is not None or mistakes
