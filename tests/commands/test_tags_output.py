"""What `curator tags` shows and writes of an inventory."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from merged_tree import Seen, by_general, by_portal, seen
from merged_tree import inventory as inventory_of_tree

from webarticlecurator.cli import console
from webarticlecurator.cli.arguments import STDOUT
from webarticlecurator.cli.tags_output import Outputs, Typed, next_step, output
from webarticlecurator.survey.inventory.results import Inventory

P = by_general("paragraph")
TYPED = Typed(portal="p.yaml", pages="p.yaml --corpus c", tags="p.yaml --corpus c --sample 9", audit="p.yaml --corpus c --sample 9")
NOTHING_ASKED: dict[str, Any] = {"html": None, "tsv": None, "json": False, "tree": False, "pairs": False}
NOTHING_ASKED |= {"everything": False, "since": None, "limit": 25, "depth": 8}


def inventory(*inside: Seen, **fields: Any) -> Inventory:
    fields = {"start_tags": 200, "start_tags_with_text": 100, **fields}
    return inventory_of_tree(seen("div.torzs", *inside), **fields)


@pytest.fixture
def shown(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "80")

    def show(made: Inventory, **asked: Any) -> str:
        output(made, Outputs(**{**NOTHING_ASKED, **asked}), TYPED, language="hu")
        return capsys.readouterr().out

    return show


def test_the_screen_says_what_was_read_and_how_little_is_left(shown) -> None:
    read = {"passed_over": Counter(consent=2), "of_pages": 500, "notes": ("A note.",)}

    screen = shown(inventory(seen("p", decided=P, own=90), seen("div.a", own=10), **read))

    assert "pelda: 10 of 500 article pages read, 2024" in screen
    assert "2 consent" in screen
    assert "A note." in screen
    for figure in ("200  100.0%  different tags", "100   50.0%  with text", "2    1.0%  simplified", "1    0.5%  still undecided"):
        assert figure in screen
    assert "2024     10   90.0%   50.0%" in screen


def test_undecided_tags_come_with_the_words_at_stake_and_a_suggestion(shown) -> None:
    screen = shown(inventory(seen("p", decided=P, own=90), seen("div.keretes", seen("p", decided=P, own=400), own=3), seen("div.leer")))

    with_text, without = screen.split("Undecided, most words at stake first")[1].split("Undecided, without text")
    assert with_text.split()[:6] == ["words", "count", "tag", "403", "10", "div.keretes"]
    assert "may be box: “keretes” in its name" in with_text
    assert "div.leer" in without
    assert " p\n" not in screen


def test_all_shows_what_decides_the_others(shown) -> None:
    screen = shown(inventory(seen("p.lead", decided=by_portal("lead", "portal.yaml:31 p.lead"), own=90)), everything=True)

    assert "lead, by portal.yaml:31 p.lead" in screen


def test_what_very_much_speaks_against_is_shown_though_it_is_decided(shown) -> None:
    assert "rather decompose: its name says newsletter" in shown(inventory(seen("p.newsletter", decided=P, own=90)))


def test_more_rows_than_the_limit_are_counted_with_their_words(shown) -> None:
    many = inventory(*(seen(f"div.{letter}", own=number) for number, letter in enumerate("abcdef", start=1)))

    assert "... 4 more with 10 words (--limit 0 shows all)" in shown(many, limit=2)
    assert "more" not in shown(many, limit=0).split("Undecided")[1]


@pytest.mark.parametrize("width", [80, 100, 132, 200])
def test_lines_are_no_longer_than_the_terminal_is_wide(shown, monkeypatch, width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    long = inventory(seen(f"div.{'x' * 29}.{'y' * 29}.{'z' * 29}.{'v' * 29}.{'w' * 29}", own=1_000_000, frequency=1_000_000))

    lines = shown(long, everything=True).splitlines()

    assert max(map(len, lines)) <= width
    assert "z" * 29 in "".join(line.strip() for line in lines)


def test_what_pages_say_cannot_steer_the_terminal_nor_pass_for_markup(shown) -> None:
    evil = inventory(seen("div.\x1b;2J\u202e", own=9), seen("div[/bold][red]", own=5), seen("x-\x07y", own=3))

    for asked in ({"everything": True}, {"tree": True}, {"pairs": True}):
        screen = shown(evil, **asked)
        assert not {"\x1b", "\u202e", "\x07"} & set(screen)
        assert "\\x1b;2J" in screen
        assert "div[/bold][red]" in screen


def test_the_tree_is_folded_to_its_depth_and_says_what_the_fold_holds(shown) -> None:
    deep = seen("div.a", seen("div.b", seen("p", decided=P, own=90)), seen("div.c", own=10))

    screen = shown(inventory(deep), tree=True, depth=2)

    assert "+ div.torzs  the container" in screen
    assert "+ div.a  undecided" in screen
    assert "div.b" not in screen
    assert "... 2 more, 100 words" in screen
    assert "- p  paragraph" in shown(inventory(deep), tree=True)


def test_small_branches_are_folded_unless_everything_is_wanted(shown, monkeypatch) -> None:
    rare = inventory(seen("p", decided=P, own=10_000), seen("div.rare", own=1))

    assert "... 1 more, 1 word" in shown(rare, tree=True)

    monkeypatch.setattr(console, "verbosity", lambda: console.Verbosity.VERBOSE)
    assert "- div.rare  undecided" in shown(rare, tree=True)


def test_pairs_are_written_as_selectors(shown) -> None:
    nested = inventory(seen("blockquote", seen("div", seen("p", decided=P, own=9)), decided=by_general("quote")))

    screen = shown(nested, pairs=True)

    assert "blockquote p" in screen
    assert "blockquote > div" in screen


def test_one_object_holds_everything_and_stdout_nothing_else(shown) -> None:
    found = json.loads(shown(inventory(seen("p", decided=P, own=90), seen("div.a", own=10)), json=True, limit=1))

    assert [row["tag"] for row in found["rows"]] == ["p", "div.a"]
    decided, undecided = found["rows"]
    assert (decided["operation"], decided["decided_by"], decided["suggestion"]) == ("paragraph", "general table", None)
    assert (undecided["operation"], undecided["decided_by"], undecided["suggestion"]["operation"]) == (None, "undecided", "paragraph")
    assert found["reduction"] == {"tags": 200, "with_text": 100, "simplified": 2, "undecided": 1}
    assert found["trees"][""][0]["children"][0]["leaf"] is True
    assert found["pairs"][0] == {
        "outer": "div.torzs",
        "inner": "p",
        "adjacent": True,
        "frequency": 10,
        "words": 90,
        "operation": "paragraph",
    }


def test_very_deep_trees_can_be_written_as_json(shown) -> None:
    deep = seen("p", own=1)
    for _ in range(300):
        deep = seen("div", deep)

    node = json.loads(shown(inventory(deep), json=True))["trees"][""][0]
    while node["children"]:
        (node,) = node["children"]

    assert node["more"] > 100


def test_the_table_for_spreadsheets_goes_to_stdout_alone_or_to_a_file_at_once(shown, tmp_path: Path) -> None:
    made = inventory(seen("p", decided=P, own=90), seen("div.a", own=10))

    lines = shown(made, tsv=STDOUT).splitlines()
    assert lines[0].split("\t")[:3] == ["table", "tag", "where"]
    assert [line.split("\t")[1] for line in lines[1:]] == ["div.a", "p"]

    shown(made, tsv=tmp_path / "tags.tsv", html=tmp_path / "tags.html")
    assert (tmp_path / "tags.tsv").read_text("utf-8").splitlines() == lines
    assert "<html" in (tmp_path / "tags.html").read_text("utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tags.html", "tags.tsv"]


def test_since_a_year_only_tags_are_shown_that_no_earlier_page_has(shown) -> None:
    before, after = {2019: (1, 9), 2024: (1, 9)}, {2023: (1, 5), 2024: (1, 5)}
    made = inventory(seen("div.alt", years=before), seen("div.neu", years=after), seen("div.nie", years={None: (1, 1)}))

    screen = shown(made, since=2020)

    assert "div.neu" in screen
    assert "div.alt" not in screen
    assert "div.nie" not in screen


@pytest.mark.parametrize(
    ("asked", "told"), [({}, "Every tag is decided by a rule."), ({"since": 2025}, "Every tag stands on a page from before 2025.")]
)
def test_an_empty_table_says_what_it_means(shown, asked, told) -> None:
    assert told in shown(inventory(seen("p", decided=P)), **asked)


def test_a_sample_in_which_nothing_is_undecided_says_nothing_of_the_other_pages(shown) -> None:
    sample = inventory(seen("p", decided=P, own=9), of_pages=500)

    assert "Every tag on these pages is decided by a rule." in shown(sample)
    assert "every tag with text on these pages is decided" in next_step(sample, TYPED, tsv=None, html=None)


def test_what_began_in_a_year_is_not_known_of_pages_without_one(shown) -> None:
    undated = inventory(seen("p", decided=P, own=9, years={None: (1, 9)}))

    assert "Every tag stands on a page from before 2025 or without a year." in shown(undated, since=2025)


@pytest.mark.parametrize(
    ("made", "asked", "told"),
    [
        (
            inventory(seen("div.a", own=9)),
            {},
            "--sample 9 --tsv tags.tsv`; fill in its column `operation`; then `curator tags apply tags.tsv p",
        ),
        (inventory(seen("div.a", own=9)), {"tsv": "my tags.tsv"}, "`curator tags apply 'my tags.tsv' p.yaml`"),
        (inventory(seen("div.a", own=9)), {"html": "t.html"}, "open t.html in a browser"),
        (inventory(seen("p", decided=P, own=9)), {}, "`curator audit p.yaml --corpus c --sample 9`"),
        (inventory(years=Counter()), {}, "`curator try p.yaml --corpus c URL`"),
    ],
    ids=["undecided", "a table", "a page", "all decided", "no container"],
)
def test_the_next_step_fits(made: Inventory, asked: dict[str, str], told: str) -> None:
    assert told in next_step(made, TYPED, **{"tsv": None, "html": None, **asked})
