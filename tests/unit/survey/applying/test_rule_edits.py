"""Rules put into the text of a portal file and taken out of it: before and after."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webarticlecurator.config.load import load_portal
from webarticlecurator.errors import PortalFileError
from webarticlecurator.survey.applying.rule_edits import NewRule, PortalRules
from webarticlecurator.survey.applying.table import TagDecision

FILE = Path("portal.yaml")
HEAD = "portal: pelda\nhome: https://pelda.example/\n"


def rule(selector: str, operation: str, url: str = "") -> NewRule:
    return NewRule(selector, TagDecision(operation, url))


def after(body: str, *rules: NewRule, remaining: dict[int, Sequence[str]] | None = None) -> str:
    result = PortalRules((HEAD + body).encode(), FILE).edited(remaining or {}, rules)
    load_portal(_written(result))
    return result.decode().removeprefix(HEAD)


def _written(content: bytes) -> Path:
    _written_file.write_bytes(content)
    return _written_file


@pytest.fixture(autouse=True, scope="module")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    global _written_file
    _written_file = tmp_path_factory.mktemp("portals") / "portal.yaml"


NEW = "body:\n  tags:\n    box:\n      - div.x\n"


@pytest.mark.parametrize(
    ("before", "wanted"),
    [
        ("", NEW),
        ("language: hu", f"language: hu\n{NEW}"),
        ("body:\n", NEW),
        ("body: null\n", NEW),
        ("body: {}\n", "body:\n  tags:\n    box:\n      - div.x\n"),
        ("body: {root: main}   # short\n", "body: {root: main, tags: {box: [div.x]}}   # short\n"),
        ("body:\n  root: main\nlanguage: hu\n", "body:\n  root: main\n  tags:\n    box:\n      - div.x\nlanguage: hu\n"),
        ("body:\n    root: main\n", "body:\n    root: main\n    tags:\n      box:\n        - div.x\n"),
        ("body:\n  tags: {}\n  root: main\n", "body:\n  tags:\n    box:\n      - div.x\n  root: main\n"),
        ("body: {tags: null}\n", "body: {tags: {box: [div.x]}}\n"),
        ("body: {tags: {lead: p}}\n", "body: {tags: {lead: p, box: [div.x]}}\n"),
        ("body:\n  tags: [{lead: p}]\n", "body:\n  tags: [{lead: p, box: [div.x]}]\n"),
    ],
)
def test_a_first_rule_finds_its_place(before: str, wanted: str) -> None:
    assert after(before, rule("div.x", "box")) == wanted


def tags(*lines: str) -> str:
    return "\n".join(["body:", "  tags:", *(f"    {line}" for line in lines), ""])


@pytest.mark.parametrize(
    ("before", "wanted"),
    [
        (tags("box:", "  - div.a   # one", "  # two", "lead: p"), tags("box:", "  - div.a   # one", "  - div.x", "  # two", "lead: p")),
        (tags("box:", "- div.a"), tags("box:", "- div.a", "- div.x")),
        (tags("box: [div.a]   # one"), tags("box: [div.a, div.x]   # one")),
        (tags("box: [div.a,]"), tags("box: [div.a, div.x,]")),
        (tags("box: []"), tags("box: [div.x]")),
        (tags("box: div.a   # one"), tags("box: [div.a, div.x]   # one")),
        (tags("box: 'a[href]'"), tags('box: ["a[href]", div.x]')),
        (tags("box: {css: div.a, url: src}"), tags("box: [{css: div.a, url: src}, div.x]")),
        (tags("box:", "  css: div.a", "  url: src"), tags("box:", "  [{css: div.a, url: src}, div.x]")),
        (tags("box:", "  - css: div.a", "    url: src", "lead: p"), tags("box:", "  - css: div.a", "    url: src", "  - div.x", "lead: p")),
        (tags("box:", "  - >-", "    div.a", "    p", "lead: p"), tags("box:", "  - >-", "    div.a", "    p", "  - div.x", "lead: p")),
    ],
)
def test_a_further_rule_stands_behind_the_others_of_its_operation(before: str, wanted: str) -> None:
    assert after(before, rule("div.x", "box")) == wanted


@pytest.mark.parametrize(
    ("before", "wanted"),
    [
        (tags("box: [div.a, div.b, div.c]"), tags("box: [div.b, div.c]")),
        (tags("box: [div.x, div.a, div.c]"), tags("box: [div.x, div.c]")),
        (tags("box: [div.x, div.y, div.a]"), tags("box: [div.x, div.y]")),
        (tags("box: [div.a]", "lead: p"), tags("lead: p")),
        (tags("box: div.a", "lead: p"), tags("lead: p")),
        (tags("box: [div.a]"), tags("box: []")),
        (tags("box: div.a   # noted", "lead: p"), tags("box: []   # noted", "lead: p")),
        (tags("box:", "  - div.a", "lead: p"), tags("lead: p")),
        (tags("box:", "  - div.b", "  - div.a", "lead: p"), tags("box:", "  - div.b", "lead: p")),
        (tags("box:", "  - div.b", "  - div.a   # noted", "lead: p"), tags("box:", "  - div.b", "  # noted", "lead: p")),
        (tags("box:", "  - div.a", "  # noted", "lead: p"), tags("  # noted", "lead: p")),
        (tags("box:", "  # noted", "  - div.a", "lead: p"), tags("box: []", "  # noted", "lead: p")),
        (tags("box: ['div.b, div.a, p']"), tags('box: ["div.b, p"]')),
        (tags("box: [{css: 'div.b, div.a', url: src}]"), tags("box: [{css: div.b, url: src}]")),
        (tags("split: {div.b: [box, bold], div.a: [box, bold]}"), tags("split: {div.b: [box, bold]}")),
        (tags("split:", "  div.a: [box, bold]", "  div.b: [box, bold]"), tags("split:", "  div.b: [box, bold]")),
        (tags("split: {div.a: [box, bold]}"), tags("split: {}")),
    ],
)
def test_a_rule_goes_and_what_was_noted_beside_it_stays(before: str, wanted: str) -> None:
    text = PortalRules((HEAD + before).encode(), FILE)
    remaining: dict[int, Sequence[str]] = {}
    for number, item in enumerate(text.rules):
        selectors = item.selector.split(", ")
        if "div.a" in selectors:
            remaining[number] = [one for one in selectors if one != "div.a"]
    assert after(before, remaining=remaining) == wanted


def test_a_rule_takes_the_comment_behind_it_along() -> None:
    before = tags("box:", "  - div.a   # why", "  - div.b", "note:", "  - div.c")
    item = PortalRules((HEAD + before).encode(), FILE).rules[0]
    moved = [NewRule("div.a", TagDecision(operation), item) for operation in ("note", "quote")]
    assert after(before, moved[0], remaining={0: []}) == tags("box:", "  - div.b", "note:", "  - div.c", "  - div.a   # why")
    new_list = tags("box:", "  - div.b", "note:", "  - div.c", "quote:", "  - div.a   # why")
    assert after(before, moved[1], remaining={0: []}) == new_list


def test_a_comment_that_has_no_line_to_go_to_stays() -> None:
    before = tags("box:", "  - div.a   # why", "  - div.b", "note: [div.c]")
    moved = NewRule("div.a", TagDecision("note"), PortalRules((HEAD + before).encode(), FILE).rules[0])
    assert after(before, moved, remaining={0: []}) == tags("box:", "  # why", "  - div.b", "note: [div.c, div.a]")


@pytest.mark.parametrize(
    ("one", "block", "flow"),
    [
        (rule("div.a", "box"), "box:\n      - div.a", "box: [div.a]"),
        (rule("div[data-x]", "box"), "box:\n      - div[data-x]", 'box: ["div[data-x]"]'),
        (rule("#main", "box"), 'box:\n      - "#main"', 'box: ["#main"]'),
        (rule("> p", "box"), 'box:\n      - "> p"', 'box: ["> p"]'),
        (rule("*", "box"), 'box:\n      - "*"', 'box: ["*"]'),
        (rule('a[rel="x"]', "box"), 'box:\n      - a[rel="x"]', "box: ['a[rel=\"x\"]']"),
        (rule("div.md\\:flex", "box"), "box:\n      - div.md\\:flex", "box: [div.md\\:flex]"),
        (rule("p #x", "box"), 'box:\n      - "p #x"', 'box: ["p #x"]'),
        (rule("img", "figure", "data-x"), "figure:\n      - {css: img, url: data-x}", "figure: [{css: img, url: data-x}]"),
        (rule("b", "paragraph > bold"), "split:\n      b: [paragraph, bold]", "split: {b: [paragraph, bold]}"),
        (rule("b#x", "paragraph > bold"), 'split:\n      "b#x": [paragraph, bold]', 'split: {"b#x": [paragraph, bold]}'),
    ],
)
def test_quotes_stand_only_where_yaml_needs_them(one: NewRule, block: str, flow: str) -> None:
    assert after("", one) == f"body:\n  tags:\n    {block}\n"
    assert after("body: {tags: {lead: p}}\n", one) == f"body: {{tags: {{lead: p, {flow}}}}}\n"


def test_a_long_list_in_brackets_goes_on_in_the_next_line() -> None:
    before = tags(f"box: [{', '.join(f'div.number-{number}' for number in range(8))}]")
    result = after(before, rule("div.x", "box"), rule("div.y", "box"))
    assert result == before.replace("]", ",\n        div.x, div.y]")


def test_line_ends_and_the_mark_of_the_file_stay_as_they_are() -> None:
    before = "\ufeff" + (HEAD + tags("box:", "  - div.a")).replace("\n", "\r\n")
    result = PortalRules(before.encode(), FILE).edited({}, [rule("div.x", "box"), rule("p", "lead")]).decode()
    assert result == before + "      - div.x\r\n    lead:\r\n      - p\r\n"


@pytest.mark.parametrize(
    ("body", "line", "column", "words"),
    [
        ("body:\n  tags:\n    box: null\n", 5, 5, "`box: null` forgets"),
        ("layouts:\n  - {until: 2001-01-01, body: {tags: &old {lead: p}}}\nbody:\n  tags: *old\n", 6, 3, "a YAML alias"),
        ("language: &twice hu\nbody: &twice {tags: {lead: p}}\n", 4, 1, "a program cannot edit this: "),
    ],
)
def test_what_cannot_be_edited_is_told_with_its_line(body: str, line: int, column: int, words: str) -> None:
    with pytest.raises(PortalFileError) as caught:
        after(body, rule("div.x", "box"))
    (mistake,) = caught.value.mistakes
    assert (mistake.line, mistake.column) == (line, column)
    assert mistake.message.startswith(words)


SELECTORS = ["div.a", "p.b", "#main", "a[href]", "blockquote p", "span.c:not(.d)", "md\\:x"]
OPERATIONS = ["box", "lead", "quote", "decompose"]


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from(SELECTORS), unique=True, min_size=1, max_size=4),
    st.lists(st.tuples(st.sampled_from(["section", "h5", "h6"]), st.sampled_from(OPERATIONS)), unique_by=lambda one: one[0], min_size=1),
    st.sampled_from(["", "   # why", "  # a: b"]),
    st.sampled_from(["", "\n# the end\n", "language: hu\n\n\n# last"]),
)
def test_without_the_added_lines_the_file_is_what_it_was(there: list[str], new: list[tuple[str, str]], comment: str, end: str) -> None:
    lines = [f"{OPERATIONS[number]}:\n      - '{one}'{comment}" for number, one in enumerate(there)]
    before = HEAD + tags(*lines) + end
    additions = [rule(selector, operation) for selector, operation in new]
    result = PortalRules(before.encode(), FILE).edited({}, additions).decode()
    added = {f"      - {selector}" for selector, _ in new} | {f"    {operation}:" for operation in OPERATIONS[len(there) :]}
    kept = [line for line in result.split("\n") if line not in added]
    assert [line for line in kept if line] == [line for line in before.split("\n") if line and line not in added]
    assert result.startswith(HEAD)
