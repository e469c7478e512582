"""A changed layout is found where it began, by what it does to the articles; other changes are none."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from watched_portal import FIELDS, article, articles, html

from webarticlecurator.watching.articles import WatchedArticle
from webarticlecurator.watching.drift import drifts

WIDGET = '<div class="promo"><h4>Read on</h4><a href="/x">{}</a><a href="/y">{}</a></div>'


def found(row: list[WatchedArticle]) -> list[tuple[int, str]]:
    """Where it changed, and by which sign that is surest."""
    return [(one.place, one.seen[0].sign.kind) for one in drifts(row)]


def kinds(row: list[WatchedArticle]) -> set[str]:
    return {seen.sign.kind for one in drifts(row) for seen in one.seen}


def changed(**how: Any) -> list[WatchedArticle]:
    return [*articles(range(14)), *articles(range(14, 22), **how)]


def test_a_portal_that_stays_as_it_is_has_no_drift() -> None:
    assert drifts(articles(range(40))) == []


@pytest.mark.parametrize(
    "how",
    [
        {"paragraphs": 3},  # articles get shorter
        {"paragraphs": 30},
    ],
)
def test_shorter_and_longer_articles_are_no_drift(how: dict[str, Any]) -> None:
    assert drifts(changed(**how)) == []


def test_odd_pages_among_others_are_no_drift() -> None:
    """A live blog, a gallery, a new section whose pages have another layout."""
    row = articles(range(40))
    for place in (20, 21, 26, 30, 33, 37):
        row[place] = article(place, suffix="-live", empty=place % 2 == 0)
    assert drifts(row) == []


def test_a_few_odd_pages_at_the_end_are_no_drift() -> None:
    """Videos without text, and articles of an agency without author, may well follow one another."""
    assert drifts([*articles(range(20)), *articles(range(20, 23), empty=True)]) == []
    without = [replace(one, fields=frozenset(FIELDS) - {"author"}) for one in articles(range(20, 26))]
    assert drifts([*articles(range(20)), *without]) == []


def test_few_pages_of_another_look_at_the_end_are_no_drift_while_nothing_is_lost() -> None:
    assert drifts([*articles(range(20)), *articles(range(20, 24), suffix="-gallery")]) == []


def test_articles_without_text_are_a_drift_from_the_first_of_them_on() -> None:
    assert found(changed(empty=True, suffix="-new")) == [(14, "empty")]


def test_other_classes_are_a_drift_though_the_text_is_found() -> None:
    assert found(changed(suffix="-new")) == [(14, "names")]


def test_half_of_the_body_in_an_element_that_no_rule_knows_is_a_drift() -> None:
    assert found(changed(kept=("story", "story-goes-on"))) == [(14, "lost-text")]


def test_a_foreign_box_that_is_kept_is_a_drift_though_its_words_differ_from_page_to_page() -> None:
    later = [article(one, widget=WIDGET.format(f"Only number {one} knows why", f"Where {one} is")) for one in range(14, 22)]
    assert "new-structure" in kinds([*articles(range(14)), *later])


def test_the_same_line_in_all_newer_articles_is_a_drift() -> None:
    assert "repeated-text" in kinds(changed(widget="<p>Subscribe to our letter and never miss a story again.</p>"))


def test_metadata_that_stop_are_a_drift() -> None:
    later = [replace(one, fields=frozenset(FIELDS) - {"author"}) for one in articles(range(14, 22))]
    (drift,) = drifts([*articles(range(14)), *later])
    assert [(one.sign.kind, one.sign.what, one.before, one.after) for one in drift.seen] == [("metadata", "author", (0, 14), (8, 8))]


def test_metadata_that_some_articles_never_had_do_not_stop() -> None:
    earlier = [
        replace(one, fields=frozenset(FIELDS) - {"author"} if int(one.id[2:]) % 4 == 0 else one.fields) for one in articles(range(14))
    ]
    later = [replace(one, fields=frozenset(FIELDS) - {"author"}) for one in articles(range(14, 22))]
    assert drifts([*earlier, *later]) == []


def test_a_tag_that_no_rule_decides_in_all_newer_articles_is_a_drift() -> None:
    later = [replace(one, unknown_tags=frozenset({"div.quiz"})) for one in articles(range(14, 22))]
    assert found([*articles(range(14)), *later]) == [(14, "unknown-tags")]


def test_of_a_portal_with_two_kinds_of_pages_the_change_of_one_is_found() -> None:
    def one(number: int) -> WatchedArticle:
        kind = {"suffix": "-blog"} if number % 2 else {}
        kept = ("story", "story-goes-on") if number % 2 and number >= 20 else ("story",)
        return article(number, kept=kept, **kind)

    (drift,) = drifts([one(number) for number in range(32)])
    assert (drift.place, drift.before, drift.seen[0].sign.kind) == (21, 19, "lost-text")


def test_the_redesign_of_one_section_is_found_though_the_others_stay_and_is_told_once() -> None:
    """By their names its new pages are of another kind than its old ones."""
    sections = ("a/home", "a/sport", "b/world", "b/culture")

    def one(number: int) -> WatchedArticle:
        new = {"suffix": "-new", "empty": True} if number % 4 < 2 and number >= 40 else {}
        return replace(article(number, **new), url=f"https://pelda.example/{sections[number % 4]}/{number}")

    (drift,) = drifts([one(number) for number in range(72)])
    assert (drift.place, drift.before, drift.seen[0].sign.kind) == (40, 37, "empty")


def test_each_of_several_changes_is_told_where_it_began_and_once() -> None:
    row = [*articles(range(30)), *articles(range(30, 70), suffix="-new"), *articles(range(70, 100), suffix="-newest")]
    assert found(row) == [(30, "names"), (70, "names")]


def test_too_few_articles_tell_nothing() -> None:
    assert drifts([*articles(range(5)), *articles(range(5, 9), empty=True)]) == []


def test_articles_whose_pages_were_not_read_are_judged_by_what_the_build_tells() -> None:
    row = [replace(one, page=None) for one in changed(empty=True)]
    assert found(row) == [(14, "empty")]


@pytest.mark.slow
def test_the_same_is_found_under_any_hash_seed() -> None:
    assert html(1) == html(1)
    program = (
        "from watched_portal import articles\nfrom webarticlecurator.watching.drift import drifts\n"
        "row = [*articles(range(14)), *articles(range(14, 22), kept=('story', 'more'), suffix='-new')]\n"
        "print([(d.place, d.run, [(s.sign.kind, s.sign.what, s.weight, s.before, s.after) for s in d.seen]) for d in drifts(row)])"
    )
    support = Path(__file__).parents[2] / "support"
    told = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": f"{support}:{support.parents[1]}"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1
