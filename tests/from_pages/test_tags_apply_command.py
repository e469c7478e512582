"""`curator tags apply`: the operations of a table become rules of a portal file, and everything else in the file stays."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from case_files import cases

PORTAL = """\
portal: pelda          # who
home: https://pelda.example/
body:
  root: [div.cikk]
  tags:
    # ads
    decompose: [div.ajanlo, aside]     # seen in 2019
    lead:
      - p.lead     # old layout
      - h2.lead
    unwrap: ["blockquote.twitter-tweet p"]
# the end
"""
HEAD = "portal: pelda\nhome: https://pelda.example/\n"
Apply = Callable[..., Any]


@pytest.fixture(autouse=True)
def portal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "portal.yaml"
    file.write_text(PORTAL, encoding="utf-8")
    return file


def table(*lines: str, header: str = "tag operation where url decided_by") -> Path:
    """Cells are divided by `|`."""
    file = Path("tags.tsv")
    file.write_text("\n".join([header.replace(" ", "\t"), *(line.replace("|", "\t") for line in lines), ""]), encoding="utf-8")
    return file


@pytest.fixture
def apply(curator: Callable[..., Any]) -> Apply:
    """Apply these rows, and see how that ended."""
    return lambda *lines, flags=(), **more: curator("tags", "apply", table(*lines, **more), "portal.yaml", *flags)


def tags(file: Path) -> dict[str, Any]:
    return dict(yaml.safe_load(file.read_text(encoding="utf-8"))["body"]["tags"])


def rules(file: Path) -> dict[str, str]:
    """Selector -> operation of all rules of the file."""
    found: dict[str, str] = {}
    for operation, selectors in tags(file).items():
        if operation == "split":
            found |= {selector: " > ".join(parts) for selector, parts in selectors.items()}
            continue
        for entry in selectors if isinstance(selectors, list) else [selectors]:
            text = entry["css"] if isinstance(entry, dict) else entry
            found |= dict.fromkeys(re.split(r",\s+(?![^(]*\))", text), operation)
    return found


def test_rules_are_merged_into_the_file_and_everything_else_stays(apply: Apply, portal: Path) -> None:
    ended = apply("div.x|box", "div.y[data-a]|box", "span|")
    assert (ended.code, ended.out) == (0, "")
    assert portal.read_text(encoding="utf-8") == PORTAL.replace('tweet p"]\n', 'tweet p"]\n    box:\n      - div.x\n      - div.y\n')
    assert "3 rows read, 2 of them edited" in ended.err
    assert "2 added" in ended.err
    assert ended.err.rstrip().endswith("Next: curator build portal.yaml --compare")
    again = apply("div.x|box", "div.y[data-a]|box", "span|")
    assert " 0 of them edited" in again.err, "the second time nothing is left to do"


def test_a_rule_that_the_table_contradicts_is_moved_and_its_comment_stays(apply: Apply, portal: Path) -> None:
    ended = apply("p.lead|box", "div.ajanlo|note")
    text = portal.read_text(encoding="utf-8")
    assert "    box:\n      - p.lead\n" in text and "# old layout\n" in text
    assert rules(portal).items() >= {"aside": "decompose", "p.lead": "box", "div.ajanlo": "note", "h2.lead": "lead"}.items()
    assert "2 moved" in ended.err and "2 existing rules are changed" in ended.err


@cases("lines, expected", "from_pages/cases/the-fewest-rules-decide-all-rows")
def test_the_fewest_rules_decide_all_rows(apply: Apply, portal: Path, lines: tuple[str, ...], expected: dict[str, str]) -> None:
    before = rules(portal)
    assert apply(*lines).code == 0
    added = {selector: operation for selector, operation in rules(portal).items() if before.get(selector) != operation}
    assert added == expected
    assert " 0 of them edited" in apply(*lines).err, "all rows are decided as they say"


def test_the_attribute_of_the_address_is_kept(apply: Apply, portal: Path) -> None:
    apply("div.b[data-kep]|figure||data-kep")
    assert "- {css: div.b, url: data-kep}" in portal.read_text(encoding="utf-8")


@cases("old, new, lines, expected", "from_pages/cases/rules-of-the-file-are-edited")
def test_rules_of_the_file_are_edited(
    apply: Apply, portal: Path, old: str, new: str, lines: tuple[str, ...], expected: dict[str, str]
) -> None:
    portal.write_text(PORTAL.replace(old, new), encoding="utf-8")
    assert apply(*lines).code == 0
    assert rules(portal).items() >= expected.items()


LAYOUT = "layouts:\n  - {name: old, until: 2001-01-01, body: {tags: {box: [div.regi]}}}\n"


def test_a_row_that_a_layout_decides_is_as_it_is_and_cannot_be_edited_here(apply: Apply, portal: Path) -> None:
    portal.write_text(PORTAL + LAYOUT, encoding="utf-8")
    assert apply("div.regi|box|||portal.yaml:14 div.regi", "div.regi||||undecided").code == 0
    assert portal.read_text(encoding="utf-8") == PORTAL + LAYOUT
    ended = apply("div.regi|quote|||portal.yaml:14 div.regi")
    assert (ended.code, "tags.tsv:2:1: " in ended.err, "layout" in ended.err) == (2, True, True)


def test_what_lies_in_a_block_that_is_made_simple_is_not_edited_by_saying_so(apply: Apply, portal: Path) -> None:
    text = PORTAL.replace("    lead:", "    unwrap-all: [div.simple]\n    lead:")
    portal.write_text(text, encoding="utf-8")
    apply("b|unwrap|div.simple *||portal.yaml:8 div.simple", "div.simple|unwrap-all")
    assert portal.read_text(encoding="utf-8") == text
    assert apply("b|quote|div.simple *||portal.yaml:8 div.simple").code == 2
    assert "1 added" in apply("b|decompose|div.simple *||portal.yaml:8 div.simple").err


def test_presets_are_overruled_and_not_edited(apply: Apply, portal: Path) -> None:
    preset = Path("kozos.yaml")
    preset.write_text("body: {tags: {decompose: [div.x], lead: [div.y]}}\n", encoding="utf-8")
    portal.write_text(f"{HEAD}extends: kozos.yaml\n", encoding="utf-8")
    apply("div.x|box", "div.y|lead")
    assert preset.read_text(encoding="utf-8") == "body: {tags: {decompose: [div.x], lead: [div.y]}}\n"
    assert rules(portal) == {"div.x": "box"}


NEW = "body:\n  tags:\n    box:\n      - div.x\n"


def below(*lines: str) -> str:
    return "\n".join(["body:", "  tags:", *(f"    {line}" for line in lines), ""])


PLACES: dict[str, tuple[str, str]] = {
    "an empty file": ("", NEW),
    "no end of line": ("language: hu", f"language: hu\n{NEW}"),
    "an empty body": ("body:\n", NEW),
    "a mapping on one line": ("body: {root: main}   # short\n", "body: {root: main, tags: {box: [div.x]}}   # short\n"),
    "beside others": ("body:\n  root: main\nlanguage: hu\n", "body:\n  root: main\n  tags:\n    box:\n      - div.x\nlanguage: hu\n"),
    "another indent": ("body:\n    root: main\n", "body:\n    root: main\n    tags:\n      box:\n        - div.x\n"),
    "a list of mappings": ("body:\n  tags: [{lead: p}]\n", "body:\n  tags: [{lead: p, box: [div.x]}]\n"),
    "behind a comment": (
        below("box:", "  - div.a   # one", "  # two", "lead: p"),
        below("box:", "  - div.a   # one", "  - div.x", "  # two", "lead: p"),
    ),
    "a list without indent": (below("box:", "- div.a"), below("box:", "- div.a", "- div.x")),
    "a list in brackets": (below("box: [div.a]   # one"), below("box: [div.a, div.x]   # one")),
    "with a comma at its end": (below("box: [div.a,]"), below("box: [div.a, div.x]")),
    "one alone": (below("box: div.a   # one"), below("box: [div.a, div.x]   # one")),
    "one in quotes": (below("box: 'a[href]'"), below('box: ["a[href]", div.x]')),
    "an entry with keys": (
        below("box:", "  - css: div.a", "    url: src", "lead: p"),
        below("box:", "  - css: div.a", "    url: src", "  - div.x", "lead: p"),
    ),
    "a folded text": (
        below("box:", "  - >-", "    div.a", "    p", "lead: p"),
        below("box:", "  - >-", "    div.a", "    p", "  - div.x", "lead: p"),
    ),
}


GOES: dict[str, tuple[str, str]] = {
    "from a list": (below("box: [div.b, p.a, div.c]"), below("box: [div.b, div.c]")),
    "the first": (below("box: [p.a, div.b]"), below("box: [div.b]")),
    "the only one": (below("box: [p.a]", "lead: h2"), below("lead: h2")),
    "alone with a comment": (below("box: p.a   # noted", "lead: h2"), below("# noted", "lead: h2")),
    "from a block": (below("box:", "  - div.b", "  - p.a", "lead: h2"), below("box:", "  - div.b", "lead: h2")),
    "what was noted beside it": (
        below("box:", "  - div.b", "  - p.a   # noted", "lead: h2"),
        below("box:", "  - div.b", "  # noted", "lead: h2"),
    ),
    "from a group": (below("box: ['div.b, p.a, div.c']"), below('box: ["div.b, div.c"]')),
    "from a split": (below("split: {div.b: [box, bold], p.a: [box, bold]}"), below("split: {div.b: [box, bold]}")),
}


@pytest.mark.parametrize(
    ("row", "before", "after"),
    [("div.x|box", *texts) for texts in PLACES.values()] + [("p.a|paragraph", *texts) for texts in GOES.values()],
    ids=[*PLACES, *GOES],
)
def test_a_new_rule_finds_its_place_and_one_goes_and_what_was_noted_beside_it_stays(
    apply: Apply, portal: Path, row: str, before: str, after: str
) -> None:
    portal.write_text(HEAD + before, encoding="utf-8")
    assert apply(row).code == 0
    assert portal.read_text(encoding="utf-8") == HEAD + after


def test_line_ends_and_the_mark_of_the_file_stay_as_they_are(apply: Apply, portal: Path) -> None:
    before = "\ufeff" + (HEAD + below("box:", "  - div.a")).replace("\n", "\r\n")
    portal.write_bytes(before.encode())
    apply("div.x|box")
    assert portal.read_bytes().decode() == f"{before}      - div.x\r\n"


@cases("lines, place, words", "from_pages/cases/what-cannot-be-meant-is-told-with-its-row-and-column-and-nothing-is-written")
def test_what_cannot_be_meant_is_told_with_its_row_and_column_and_nothing_is_written(
    apply: Apply, portal: Path, lines: tuple[str, ...], place: str, words: str
) -> None:
    ended = apply(*lines)
    assert ended.code == 2
    (line,) = [line for line in ended.err.splitlines() if line.startswith(f"tags.tsv:{place}: ")]
    assert words in line
    assert portal.read_text(encoding="utf-8") == PORTAL


def test_all_mistakes_are_told_together(apply: Apply) -> None:
    ended = apply("many|boks|div..a", "1|box|p", "1|kviz|p", header="frequency operation tag")
    places = [line.split(" ")[0] for line in ended.err.splitlines() if line.startswith("tags.tsv:")]
    assert places == ["tags.tsv:2:1:", "tags.tsv:2:2:", "tags.tsv:2:3:", "tags.tsv:4:2:"]


def test_a_file_that_could_not_be_loaded_again_is_left_alone(apply: Apply, portal: Path) -> None:
    portal.write_text(PORTAL.replace("    lead:", "    box: null\n    lead:"), encoding="utf-8")
    before = portal.read_bytes()
    ended = apply("div.x|box")
    assert (ended.code, "`box: null`" in ended.err, portal.read_bytes()) == (2, True, before)


WRITTEN: dict[str, bytes] = {
    "tabs": b"tag\toperation\nfigure.kep\tbox\n",
    "a mark and CRLF": "\ufefftag\toperation\r\nfigure.kep\tbox\r\n".encode(),
    "other columns, capitals and empty rows": b"operation\tnotes\ttag\nBox\tmine\t figure.kep \n\n\t\t\n",
    "semicolons": b"tag;operation\nfigure.kep;box\n",
    "commas": b"tag,operation\nfigure.kep,box",
    "UTF-16": "tag\toperation\nfigure.kep\tbox\n".encode("utf-16"),
}


@pytest.mark.parametrize("content", WRITTEN.values(), ids=WRITTEN)
def test_tables_are_read_as_spreadsheets_write_them(curator: Callable[..., Any], portal: Path, content: bytes) -> None:
    Path("tags.tsv").write_bytes(content)
    assert curator("tags", "apply", "tags.tsv").code == 0
    assert rules(portal)["figure.kep"] == "box"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("tags\toperation\ndiv\tbox\n", "`tag`"),
        ("tag\toperations\ndiv\tbox\n", "`operation`"),
        ('tag\toperation\ndiv\t"' + "x" * 200_000, "quote"),
    ],
    ids=["no tags", "no operations", "an open quote"],
)
def test_what_is_no_table_is_said_to_be_none(curator: Callable[..., Any], content: str, words: str) -> None:
    Path("tags.tsv").write_text(content, encoding="utf-8")
    ended = curator("tags", "apply", "tags.tsv")
    assert (ended.code, words in ended.err, "Traceback" in ended.err) == (2, True, False)


NAMED = "frequency tag average_word_count average_descendant_num immediate_texts_average_length URL_example normal_name preserved_attribute"


def of_html2tei(*lines: str) -> None:
    """Each line: frequency, tag, mean words of its own, label, attribute."""
    cells = (line.split("|") for line in lines)
    rows = [f"{n}\t{tag}\t9.5\t2.0\t{words}\thttps://pelda.example/1\t{label}\t{attribute}\n" for n, tag, words, label, attribute in cells]
    Path("tags.tsv").write_text("\t".join(NAMED.split()) + "\n" + "".join(rows), encoding="utf-8")


@cases("lines, expected", "from_pages/cases/labels-of-html2tei-are-operations")
def test_labels_of_html2tei_are_operations(
    curator: Callable[..., Any], portal: Path, lines: tuple[str, ...], expected: dict[str, str]
) -> None:
    portal.write_text(HEAD, encoding="utf-8")
    of_html2tei(*lines)
    assert curator("tags", "apply", "tags.tsv").code == 0
    assert (rules(portal) if "tags" in portal.read_text(encoding="utf-8") else {}) == expected


def test_a_label_that_html2tei_does_not_know_is_a_mistake(curator: Callable[..., Any]) -> None:
    of_html2tei("9|<p class=a>|1|vez_bekezd|default")
    ended = curator("tags", "apply", "tags.tsv")
    assert (ended.code, "tags.tsv:2:7: " in ended.err, "`vez_bekezdes`" in ended.err) == (2, True, True)


def test_a_dry_run_prints_the_difference_and_writes_nothing(curator: Callable[..., Any], portal: Path) -> None:
    ended = curator("tags", "apply", table("div.x|box"), "--dry-run")
    assert ended.code == 0
    assert [line for line in ended.out.splitlines() if line[0] in "+-"] == [
        "--- portal.yaml",
        "+++ portal.yaml (new)",
        "+    box:",
        "+      - div.x",
    ]
    assert ended.err.rstrip().endswith("Next: curator tags apply tags.tsv portal.yaml")
    assert portal.read_text(encoding="utf-8") == PORTAL


def test_the_portal_may_lie_beside_the_table(curator: Callable[..., Any], portal: Path) -> None:
    file = table("div.x|box")
    assert curator("tags", "apply", file, "--dry-run").code == 0
    folder = portal.parent / "elsewhere"
    folder.mkdir()
    file.rename(folder / "tags.tsv")
    portal.rename(folder / "portal.yaml")
    assert curator("tags", "apply", folder / "tags.tsv", "--dry-run").code == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nincs.tsv", "portal.yaml"], "nincs.tsv"),
        (["portal.yaml"], "portal.yaml:1:1: the column `tag` is missing"),
        (["tags.tsv", "nincs.yaml"], "nincs.yaml"),
        (["tags.tsv", "--agreement", "7"], "--agreement"),
    ],
)
def test_what_is_missing_is_asked_for(curator: Callable[..., Any], arguments: list[str], words: str) -> None:
    table("div.x|box")
    ended = curator("tags", "apply", *arguments)
    assert (ended.code, words in ended.err) == (2, True)
