"""A table applied to a portal file: through the command, as a person sees it, and through the function where only the rules count."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from webarticlecurator import resources
from webarticlecurator.config.load import load_portal
from webarticlecurator.errors import CuratorError, PortalFileError, UsageError
from webarticlecurator.survey.applying.application import Applied, apply_table, editable
from webarticlecurator.survey.applying.table import read_table

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


def applied(*lines: str, agreement: float = 1.0) -> Applied:
    result = apply_table(read_table(table(*lines)), "portal.yaml", agreement=agreement)
    result.write()
    return result


def rules(portal: Path) -> dict[str, str]:
    return {rule.css.text: rule.operation for rule in load_portal(portal).body.tags[0].rules}


# --- which rules ---


def test_rules_are_merged_into_the_file_and_everything_else_stays(portal: Path) -> None:
    result = applied("div.x|box", "div.y[data-a]|box", "span|")
    assert portal.read_text(encoding="utf-8") == PORTAL.replace('tweet p"]\n', 'tweet p"]\n    box:\n      - div.x\n      - div.y\n')
    assert (result.rows, result.edited, result.added, result.moved, result.removed) == (3, 2, 2, 0, 0)


def test_a_rule_that_the_table_contradicts_is_moved_with_its_comment(portal: Path) -> None:
    result = applied("p.lead|box", "div.ajanlo|note")
    assert "    box:\n      - p.lead     # old layout\n" in portal.read_text(encoding="utf-8")
    assert rules(portal) == {
        "aside": "decompose",
        "h2.lead": "lead",
        "blockquote.twitter-tweet p": "unwrap",
        "p.lead": "box",
        "div.ajanlo": "note",
    }
    assert (result.added, result.moved) == (0, 2)


def test_an_edit_back_to_what_usual_html_means_removes_the_rule(portal: Path) -> None:
    result = applied("h2.lead|heading")
    assert "h2.lead" not in rules(portal)
    assert (result.added, result.moved, result.removed) == (0, 0, 1)


def test_a_row_about_a_place_changes_the_rule_of_that_place(portal: Path) -> None:
    applied("p|quote|blockquote.twitter-tweet p")
    assert rules(portal)["blockquote.twitter-tweet p"] == "quote"
    assert "p" not in rules(portal)


def test_a_rule_for_a_tag_does_not_change_that_tag_in_a_place_of_its_own(portal: Path) -> None:
    applied("p.x|box", "p.x|unwrap|pre p", "code|unwrap|pre code", "code.y|code-inline|pre code")
    assert rules(portal).items() >= {"p.x": "box", "pre p.x": "unwrap", "pre code.y": "code-inline"}.items()


def test_a_row_without_operation_stays_undecided_under_the_rules_of_others(portal: Path) -> None:
    applied("div.x|box", "div.x.y|", "div|")
    assert rules(portal)["div.x:not(.y)"] == "box"


def test_the_attribute_of_the_address_is_kept_unless_it_is_found_anyway(portal: Path) -> None:
    applied("img.a[src]|figure||src", "div.b[data-kep]|figure||data-kep", "a[href]|link||href")
    written = portal.read_text(encoding="utf-8")
    assert "- {css: div.b, url: data-kep}" in written
    assert not {"img.a", "img", "a"} & set(rules(portal))


def test_a_split_is_an_entry_of_split(portal: Path) -> None:
    applied("strong.bekezdes|paragraph > bold")
    assert "    split:\n      strong.bekezdes: [paragraph, bold]\n" in portal.read_text(encoding="utf-8")


def test_what_was_decided_by_an_attributes_value_is_not_edited_and_can_be(portal: Path) -> None:
    portal.write_text(PORTAL + "# more\n", encoding="utf-8")
    text = PORTAL.replace("    lead:", "    gallery: ['a[href*=\"/galeria/\"]']\n    lead:")
    portal.write_text(text, encoding="utf-8")
    rows = ["a[href]|link|||general table a", 'a[href]|{}|||portal.yaml:8 a[href*="/galeria/"]']
    assert not applied(rows[0], rows[1].format("gallery")).changes
    applied(rows[0], rows[1].format("figure"))
    assert rules(portal)['a[href*="/galeria/"]'] == "figure"
    assert "a" not in rules(portal)


LAYOUT = "layouts:\n  - {name: old, until: 2001-01-01, body: {tags: {box: [div.regi]}}}\n"


def test_a_row_that_a_layout_decides_is_as_it_is_and_cannot_be_edited_here(portal: Path) -> None:
    portal.write_text(PORTAL + LAYOUT, encoding="utf-8")
    assert not applied("div.regi|box|||portal.yaml:14 div.regi", "div.regi||||undecided").changes
    with pytest.raises(PortalFileError, match=r"tags\.tsv:2:1: `div\.regi` is decided in a layout"):
        applied("div.regi|quote|||portal.yaml:14 div.regi")


def test_what_lies_in_a_block_that_is_made_simple_is_not_edited_by_saying_so(portal: Path) -> None:
    portal.write_text(PORTAL.replace("    lead:", "    unwrap-all: [div.simple]\n    lead:"), encoding="utf-8")
    assert not applied("b|unwrap|div.simple *||portal.yaml:8 div.simple", "div.simple|unwrap-all").changes
    assert applied("b|decompose|div.simple *||portal.yaml:8 div.simple").added == 1
    with pytest.raises(CuratorError, match="would be unwrap, not quote"):
        applied("b|quote|div.simple *||portal.yaml:8 div.simple")


def test_a_selector_leaves_its_group(portal: Path) -> None:
    portal.write_text(PORTAL.replace("[div.ajanlo, aside]", '["div.ajanlo, div.b", aside]'), encoding="utf-8")
    applied("div.b|box")
    assert rules(portal).items() >= {"div.ajanlo": "decompose", "div.b": "box"}.items()


def test_a_rule_that_stands_twice_does_not_come_back(portal: Path) -> None:
    portal.write_text(PORTAL.replace("[div.ajanlo, aside]", '["div.ajanlo, div.b", aside, div.ajanlo]'), encoding="utf-8")
    applied("div.ajanlo|note")
    assert rules(portal).items() >= {"div.ajanlo": "note", "div.b": "decompose", "aside": "decompose"}.items()


def test_a_selector_that_is_left_alone_by_its_group_does_not_contradict_the_rule_that_it_overruled(portal: Path) -> None:
    portal.write_text(PORTAL.replace("    lead:", '    box: ["div.ajanlo, div.b"]\n    lead:'), encoding="utf-8")
    applied("div.b|note")
    assert rules(portal).items() >= {"div.ajanlo": "box", "div.b": "note", "aside": "decompose"}.items()


def test_presets_are_overruled_and_not_edited(portal: Path) -> None:
    preset = Path("kozos.yaml")
    preset.write_text("body: {tags: {decompose: [div.x], lead: [div.y]}}\n", encoding="utf-8")
    portal.write_text("portal: pelda\nhome: https://pelda.example/\nextends: kozos.yaml\n", encoding="utf-8")
    applied("div.x|box", "div.y|lead")
    assert preset.read_text(encoding="utf-8") == "body: {tags: {decompose: [div.x], lead: [div.y]}}\n"
    assert rules(portal) == {"div.x": "box"}


def test_the_second_time_nothing_is_left_to_do(portal: Path) -> None:
    lines = ("div.x|box", "p.lead|quote", "span.a|bold", "span.b|unwrap")
    applied(*lines)
    again = applied(*lines)
    assert (again.changes, again.edited) == (False, 0)


def test_with_a_share_rare_rows_are_listed_as_left() -> None:
    file = table("div.a|box|97", "div.b|quote|2", "div.c|note|1", "div.d|unwrap|50", header="tag operation frequency")
    result = apply_table(read_table(file), "portal.yaml", agreement=0.97)
    assert [(row.tag.text, becomes.operation) for row, becomes in result.left] == [("div.b", ""), ("div.c", "")]
    assert 0.97 <= result.agreement < 1
    assert result.added == 1


@pytest.mark.slow
def test_thousands_of_rows_need_seconds(portal: Path) -> None:
    chance = random.Random(4)
    names = [f"c{number}" for number in range(400)]
    tags = sorted({"div." + ".".join(sorted(chance.sample(names, 2))) for _ in range(3_000)})
    lines = [f"{tag}|{('box', 'quote', 'lead', '')[int(tag.split('.')[1][1:]) % 4]}" for tag in tags]
    assert applied(*lines).added < len(lines) / 2


@pytest.mark.parametrize("operation", ["decompose", "link"])
def test_a_row_that_two_equally_specific_rules_of_the_file_decide_otherwise_is_decided(operation: str, portal: Path) -> None:
    portal.write_text(PORTAL.replace("    unwrap: [", """    unwrap: ["p:not(.a)", 'p:contains("Follow us")', """), encoding="utf-8")
    applied(f'p|{operation}|p:contains("Follow us")')
    own = rules(portal)
    assert own['p:contains("Follow us")'] == operation
    assert "p:not(.a)" not in own


# --- what cannot be ---


@pytest.mark.parametrize(
    ("lines", "place", "words"),
    [
        (["div.x|boxx"], "2:2", "did you mean `box`?"),
        (["div.x|doboz"], "2:2", "is unknown"),
        (["div[data-*]|box", "div|quote"], "3:1", "no selector can tell them apart"),
        (["div.x|box|||general table p", "div.x|quote|||general table q"], "3:1", "`div.x` is quote here and box in row 2"),
    ],
)
def test_what_cannot_be_meant_is_told_with_its_row_and_nothing_is_written(lines: list[str], place: str, words: str, portal: Path) -> None:
    with pytest.raises(PortalFileError) as caught:
        applied(*lines)
    (mistake,) = caught.value.mistakes
    assert str(mistake).startswith(f"tags.tsv:{place}: ")
    assert words in mistake.message
    assert portal.read_text(encoding="utf-8") == PORTAL


def test_a_portal_that_came_with_the_package_is_not_edited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "webarticlecurator"
    package.mkdir()
    (package / "portal.yaml").write_text(PORTAL, encoding="utf-8")
    monkeypatch.setattr(resources, "_PACKAGE", package.resolve())
    with pytest.raises(UsageError, match=r"copy .* to a folder of yours"):
        editable(package / "portal.yaml")


def test_a_file_that_could_not_be_loaded_again_is_left_alone(portal: Path) -> None:
    portal.write_text(PORTAL.replace("    lead:", "    box: null\n    lead:"), encoding="utf-8")
    before = portal.read_bytes()
    with pytest.raises(CuratorError, match="`box: null` forgets"):
        applied("div.x|box")
    assert portal.read_bytes() == before


# --- the command ---


def test_the_command_says_what_it_did_and_what_comes_next(curator, portal: Path) -> None:
    ended = curator("tags", "apply", table("div.x|box", "div.y|box", "p.lead|note", "span|"), portal)
    assert (ended.code, ended.out) == (0, "")
    assert "4 rows read, 3 of them edited" in ended.err
    assert "changed portal.yaml: rules 2 added, 1 moved" in ended.err
    assert "1 existing rule is changed: tags that are not in the table may be decided otherwise, too" in ended.err
    assert ended.err.rstrip().endswith(f"Next: curator build {portal} --compare")
    assert rules(portal)["div.x"] == "box"


def test_a_dry_run_prints_the_difference_and_writes_nothing(curator, portal: Path) -> None:
    ended = curator("tags", "apply", table("div.x|box"), "--dry-run")
    assert ended.code == 0
    assert [line for line in ended.out.splitlines() if line[0] in "+-"] == [
        "--- portal.yaml",
        "+++ portal.yaml (new)",
        "+    box:",
        "+      - div.x",
    ]
    assert "would change portal.yaml" in ended.err
    assert ended.err.rstrip().endswith("Next: curator tags apply tags.tsv portal.yaml")
    assert portal.read_text(encoding="utf-8") == PORTAL


def test_table_and_portal_come_in_either_order_and_the_portal_may_lie_beside_the_table(curator, portal: Path) -> None:
    file = table("div.x|box")
    assert curator("tags", "apply", "portal.yaml", file, "--dry-run").code == 0
    assert curator("tags", "apply", file, "--dry-run").code == 0
    folder = portal.parent / "elsewhere"
    folder.mkdir()
    file.rename(folder / "tags.tsv")
    portal.rename(folder / "portal.yaml")
    assert curator("tags", "apply", folder / "tags.tsv", "--dry-run").code == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nincs.tsv", "portal.yaml"], "nincs.tsv cannot be read"),
        (["portal.yaml"], "Which table?"),
        (["portal.yaml", "portal.yaml"], "Which table? portal.yaml is a portal file: curator tags apply TABLE.tsv portal.yaml"),
        (["portal.yaml", "tags.table"], "tags.table cannot be read"),
        (["tags.tsv", "b c.tsv"], "Which portal? tags.tsv and b c.tsv are both tables: curator tags apply tags.tsv PORTAL"),
        (["tags.tsv", "nincs.yaml"], "there is no portal file nincs.yaml"),
        (["tags.tsv", "--agreement", "7"], "--agreement"),
    ],
)
def test_what_is_missing_is_asked_for(curator, arguments: list[str], words: str) -> None:
    table("div.x|box")
    ended = curator("tags", "apply", *arguments)
    assert ended.code == 2
    assert words in ended.err


def test_mistakes_of_a_table_exit_with_2_and_name_file_row_and_column(curator) -> None:
    ended = curator("tags", "apply", table("div.x|boxx", "div..y|box"))
    assert ended.code == 2
    assert [line.split(": ")[0] for line in ended.err.splitlines()] == ["tags.tsv:2:2", "tags.tsv:3:1"]


def test_with_a_share_the_command_lists_what_is_left(curator) -> None:
    file = table("div.a|box|980", "div.b|quote|20", header="tag operation frequency")
    ended = curator("tags", "apply", file, "--agreement", "0.95")
    assert ended.code == 0
    assert "98.00 % of the elements are decided as the table says" in ended.err
    assert "row 3: div.b is undecided, not quote (20)" in ended.err
