"""Changes in a YAML text: what they are about changes, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from webarticlecurator.config.yaml_nodes import ListNode, plain
from webarticlecurator.config.yaml_reading import read_document
from webarticlecurator.config.yaml_text import TextSpan, Written, YamlText, scalar

TEXT = """\
one: [a,  b]   # in brackets
two:
- c            # by a line
-   d
# the end
three: {x: 1}
four:
"""


def key_and_value(text: YamlText, name: str) -> tuple[yaml.Node, yaml.Node]:
    assert isinstance(text.root, yaml.MappingNode)
    return next((key, value) for key, value in text.root.value if key.value == name)


def collection(text: YamlText, name: str) -> yaml.CollectionNode:
    value = key_and_value(text, name)[1]
    assert isinstance(value, yaml.CollectionNode)
    return value


def parts(text: YamlText, name: str) -> list[TextSpan]:
    return text.parts(collection(text, name))


@pytest.mark.parametrize(
    ("name", "removed", "more", "old", "new"),
    [
        ("one", [], ["x"], "[a,  b]", "[a,  b, x]"),
        ("one", [0], [], "[a,  b]", "[b]"),
        ("one", [1], ["x"], "[a,  b]", "[a, x]"),
        ("one", [0, 1], ["x"], "[a,  b]", "[x]"),
        ("two", [], ["x", "y"], "-   d\n", "-   d\n- x\n- y\n"),
        ("two", [1], [], "-   d\n", ""),
        ("two", [0], [], "- c            # by a line\n", "# by a line\n"),
        ("three", [0], {"y": "2"}, "{x: 1}", "{y: 2}"),
        ("three", [0], {}, "{x: 1}", "{}"),
        ("one", [0, 1], [], "[a,  b]", "[]"),
        ("three", [], {"y": ["2", "3"]}, "{x: 1}", "{x: 1, y: [2, 3]}"),
    ],
)
def test_parts_are_taken_out_of_a_collection_and_put_behind_it(name: str, removed: list[int], more: Written, old: str, new: str) -> None:
    text = YamlText(TEXT)
    text.change(collection(text, name), [parts(text, name)[number] for number in removed], more)  # type: ignore[arg-type]
    assert text.result() == TEXT.replace(old, new)


@pytest.mark.parametrize(
    ("name", "new", "old", "written"),
    [
        ("one", ["x"], "[a,  b]", "[x]"),
        ("one", "x", "[a,  b]", "x"),
        ("two", ["x", "y"], "- c            # by a line\n-   d\n", "- x\n- y\n"),
        ("two", "x", "two:\n- c            # by a line\n-   d\n", "two: x\n"),
        ("four", "x", "four:\n", "four: x\n"),
        ("four", {"y": ["1", "2"]}, "four:\n", "four:\n  y:\n    - 1\n    - 2\n"),
    ],
)
def test_a_key_gets_another_value(name: str, new: Written, old: str, written: str) -> None:
    text = YamlText(TEXT)
    text.set_value(*key_and_value(text, name), new, in_brackets=False)
    assert text.result() == TEXT.replace(old, written)


def test_a_mark_and_line_ends_stay() -> None:
    before = "\ufeff" + TEXT.replace("\n", "\r\n")
    text = YamlText(before)
    text.change(collection(text, "two"), more=["x"])
    assert text.result() == before.replace("-   d\r\n", "-   d\r\n- x\r\n")


@given(st.text(), st.booleans(), st.booleans())
def test_a_text_is_read_as_it_was(text: str, flow: bool, plainly: bool) -> None:
    written = scalar(text, flow=flow, plain=plainly)
    root, mistakes = read_document((f"[{written}, x]" if flow else f"- {written}\n- x").encode(), Path(), "a text")
    assert isinstance(root, ListNode)
    assert (plain(root), mistakes) == ([text, "x"], [])


FILES = sorted((Path(__file__).resolve().parents[3] / "site_configs").rglob("*.yaml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_places_are_those_of_every_value_in_the_files_that_are_there(file: Path) -> None:
    text = YamlText(file.read_text("utf-8"))
    assert text.root is not None
    nodes = [text.root]
    while nodes:
        node = nodes.pop()
        if isinstance(node, yaml.CollectionNode):
            nodes += [one for pair in node.value for one in (pair if isinstance(pair, tuple) else (pair,))]
        elif not node.style:
            assert text.text[node.start_mark.index : text.end(node)] == node.value
    assert text.result() == file.read_text("utf-8")
