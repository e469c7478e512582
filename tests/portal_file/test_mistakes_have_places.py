"""Broken portal files: each mistake is found, placed and explained, and nothing else is said.

Beside each `broken/NAME.yaml` stands `NAME.mistakes`: a line for each mistake, `file:line:column: part of the message`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from case_files import cases
from written_portal import WrittenPortal

from webarticlecurator import PortalFileError, load_portal

MistakesOf = Callable[[str], list[str]]
FOLDER = Path(__file__).parent / "broken"
CASES = sorted(FOLDER.glob("*.yaml"))


@pytest.mark.parametrize("file", CASES, ids=lambda file: file.stem)
def test_each_mistake_is_found_placed_and_explained(file: Path) -> None:
    expected = file.with_suffix(".mistakes").read_text(encoding="utf-8").splitlines()
    assert expected, "a broken portal file without an expected mistake tests nothing"
    with pytest.raises(PortalFileError) as refused:
        load_portal(file)
    found = [
        f"{os.path.relpath(mistake.file, FOLDER)}:{mistake.line}:{mistake.column}: {mistake.message}" for mistake in refused.value.mistakes
    ]
    assert [place_of(line) for line in found] == [place_of(line) for line in expected], found
    for message, part in zip(found, expected, strict=True):
        assert message.startswith(part), message


def place_of(line: str) -> list[str]:
    return line.split(": ")[0].split(":")


# --- the shape of a file ---


@cases("text, mistake", "portal_file/cases/a-wrong-shape-is-told-once-where-it-stands")
def test_a_wrong_shape_is_told_once_where_it_stands(mistakes_of: MistakesOf, text: str, mistake: str) -> None:
    (message,) = mistakes_of(text + "\n")
    assert message == mistake or (mistake.endswith(": ") and message.startswith(mistake))


# --- YAML: its core schema 1.2, bounded, and placed ---


SCALARS: tuple[tuple[str, object], ...] = (
    *((word, word) for word in ("no", "on", "yes", "y", "0o17", "0x1f", "1_000", "12:30", ".inf", "9" * 5000, "1e999", "2024-05-01")),
    *(("true", True), ("False", False), ("null", None), ("~", None), ("", None), ("12", 12), ("-3", -3), ("1.5", 1.5), ("1e3", 1000.0)),
    *(("010", 10), ("2024-05-01T10:00:00Z", "2024-05-01T10:00:00Z"), ("'12'", "12"), ('"null"', "null"), ("='x'", "='x'")),
    *(('"\\ud83d\\ude00"', "\U0001f600"), ("&x [1, {no: 1}]", [1, {"no": 1}]), ("*x", [1, {"no": 1}])),
)


def test_scalars_follow_the_core_schema_of_yaml_1_2(asked: Callable[..., list[str]]) -> None:
    sent = "".join(f"      k{number}: {text}\n" for number, (text, _) in enumerate(SCALARS))
    (request, *_) = asked(f"archive:\n  url: HOME/api\n  link: a\n  pages: none\n  request:\n    json:\n{sent}", "/api")
    values = json.loads(request.partition(" ")[2]).values()
    assert [(type(value), value) for value in values] == [(type(value), value) for _, value in SCALARS]


def test_keys_are_text_and_numbers_stay_as_they_were_written_where_a_text_is_meant(written: WrittenPortal) -> None:
    rules = "metadata: {keywords: {css: i, map: {no: a, 1: 007, null: c, y: true}}}\n"
    found = written.metadata(rules, "<i>no</i><i>1</i><i>null</i><i>y</i>", "/cikk/1")
    assert found["keywords"] == ["a", "007", "c", "true"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: *b\n", '1:4: `*` starts a YAML alias, and nothing is called `&b`; put a selector in quotes: "*b"'),
        ("a: &x [*x]\n", '1:8: `*` starts a YAML alias, and nothing is called `&x`; put a selector in quotes: "*x"'),
        ("[a]: b\n", "1:1: a key must be text"),
        ('a: ["/index\\d"]\n', "1:13: between double quotes a backslash begins an escape"),
        ("a: b\nc\n", "2:2: this line is no `key: value`"),
        ("a: b\x07\n", "1:5: a control character"),
        ('a: "b\\U00110000"\n', "1:6: there is no such character"),
        ('a: "\\Uffffffff"\n', "1:5: there is no such character"),
        ('a: "\\ud83d"\n', "1:4: an escape like \\ud83d is half a character"),
        ("\ufeffa: b\n'é': [x, {y: z}]\né: 1\n", "3:1: `é` stands twice"),
        ("just text\n", "1:1: a portal file is a mapping"),
        *((text, "1:") for text in ("[" * 100_000, "{a: " * 10_000, "- " * 10_000, "? " * 5000)),
        (f"a: &a [{', '.join(['x'] * 2000)}]\nb: [{', '.join(['*a'] * 2000)}]\n", "grows beyond"),
        ("#" * 3_000_000, "larger than"),
    ],
    ids=range(17),
)
def test_what_is_no_plain_data_is_a_mistake_with_a_place(text: str, message: str) -> None:
    with pytest.raises(PortalFileError) as refused:
        load_portal("portal.yaml", content=text.encode())
    told = [f"{mistake.line}:{mistake.column}: {mistake.message}" for mistake in refused.value.mistakes]
    assert any(mistake.startswith(message) or (":" not in message and message in mistake) for mistake in told), told


def test_bytes_that_are_not_utf_8_are_placed() -> None:
    with pytest.raises(PortalFileError) as refused:
        load_portal("portal.yaml", content="a: b\nc: é\n".encode("iso-8859-2"))
    assert [(mistake.line, mistake.column) for mistake in refused.value.mistakes] == [(2, 4)]


@cases("line, column, quotes", "portal_file/cases/a-selector-that-yaml-swallows-is-shown-with-its-quotes")
def test_a_selector_that_yaml_swallows_is_shown_with_its_quotes(mistakes_of: MistakesOf, line: str, column: int, quotes: str) -> None:
    (message,) = mistakes_of(f"metadata:\n  {line}\n")
    assert message.startswith(f"2:{column}: "), message
    assert quotes in message


@cases("rules, places", "portal_file/cases/only-what-is-swallowed-is-told")
def test_only_what_is_swallowed_is_told(mistakes_of: MistakesOf, rules: str, places: list[str]) -> None:
    assert [message.split(": ")[0] for message in mistakes_of(rules)] == places


def test_quotes_are_proposed_once_for_one_place(mistakes_of: MistakesOf) -> None:
    places = [message.split(": ")[0] for message in mistakes_of('title: a\n"b: c" d\n')]
    assert places and len(places) == len(set(places))


# --- long values and many rules ---


@pytest.mark.parametrize("long", ["x" * 900, "xx " * 300], ids=["word", "words"])
@pytest.mark.parametrize(
    "rule", ["language: 'LONG'", "'LONG': 1", "fetch: {retries: LONG}", "metadata: {author: {css: a, match: 'LONG('}}"]
)
def test_a_message_leaves_out_the_middle_of_a_long_value(mistakes_of: MistakesOf, rule: str, long: str) -> None:
    (message,) = mistakes_of(rule.replace("LONG", long) + "\n")
    assert " ... " in message and len(message) < 700


RULES = 9_000


def with_many_rules(file: Path, *more: str) -> Path:
    """A tag dictionary as programs write them."""
    lines = ["portal: pelda", "home: https://pelda.example/", "body:", "  tags:"]
    for start, operation in enumerate(("decompose", "unwrap", "box")):
        lines += [f"    {operation}:", *(f"    - div.class{number}" for number in range(start, RULES, 3))]
    file.write_text("\n".join([*lines, *(f"    - {selector}" for selector in more)]), encoding="utf-8")
    return file


def test_every_mistake_among_ten_thousand_rules_is_told(tmp_path: Path) -> None:
    with pytest.raises(PortalFileError) as refused:
        load_portal(with_many_rules(tmp_path / "portal.yaml", "div..a", "a::before", "p:visited"))
    assert [mistake.line - RULES for mistake in refused.value.mistakes] == [8, 9, 10]
    with pytest.raises(PortalFileError) as refused:
        load_portal(with_many_rules(tmp_path / "portal.yaml", "> p"))
    (mistake,) = refused.value.mistakes
    assert '"> p"' in mistake.message
