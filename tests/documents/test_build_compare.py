"""What a change of the rules would do, told before it does it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from small_corpus import SmallCorpus, page


def counted(fields: Mapping[str, Any]) -> dict[str, tuple[int, int, int]]:
    """Field -> in how many articles it is gained, lost, changed."""
    return {name: (one["gained"], one["lost"], one["changed"]) for name, one in fields.items()}


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(("-shm", "-wal")))


def test_words_that_would_go_are_counted_and_shown_and_nothing_is_written(corpus: SmallCorpus) -> None:
    corpus.store(("/a", page("A", text='<b class="ad">Buy this</b>')), ("/b", page("B")))
    corpus.build()
    before = {path: path.read_bytes() for path in _files(corpus.folder)}
    corpus.rules = "body: {tags: {decompose: [b.ad]}}\n"
    comparison = corpus.compare()
    assert (comparison.articles, comparison.changed, comparison.new, comparison.gone) == (2, 1, 0, 0)
    assert (comparison.words_gained, comparison.words_lost) == (0, 8)
    (change,) = comparison.largest
    assert change.url == "https://pelda.example/a"
    assert any(line.startswith("-") and "Buy this" in line for line in change.diff)
    assert {path: path.read_bytes() for path in _files(corpus.folder)} == before


def test_only_words_of_the_text_count_and_are_shown(corpus: SmallCorpus) -> None:
    corpus.store(("/a", page("A")))
    corpus.build()
    corpus.rules = "metadata: {headline: {const: Eine Brücke}}\n"
    comparison = corpus.compare()
    assert (comparison.changed, comparison.same_words) == (1, 1)
    assert (comparison.words_gained, comparison.words_lost, counted(comparison.fields)) == (0, 0, {"headline": (0, 0, 1)})
    (change,) = comparison.largest
    assert "+headline: Eine Brücke" in change.diff, "where the text is the same, the metadata are shown"


def test_a_document_that_would_go_loses_the_words_of_its_text(corpus: SmallCorpus) -> None:
    corpus.store(("/a", page("A")))
    corpus.build()
    ((words,),) = corpus.ask("SELECT words FROM articles")
    corpus.rules = "articles: {skip: {when: [h1]}}\n"
    comparison = corpus.compare()
    assert (comparison.gone, comparison.words_lost) == (1, words)
    (change,) = comparison.largest
    assert {line[0] for line in change.diff[1:]} == {"-"} and change.diff[1].startswith("-paragraph")


@pytest.mark.parametrize("corrected", [True, False])
def test_a_new_version_with_the_same_text_is_shown_only_where_nothing_else_changes(corpus: SmallCorpus, corrected: bool) -> None:
    corpus.store(("/a", page("A")), ("/b", page("B")))
    corpus.build()
    around = page("A").replace(b"Home", b"Newest: a fair")
    corpus.store(("/a", around), ("/b", page("B", text="Corrected") if corrected else page("B")), date="2024-06-02T00:00:00Z")
    comparison = corpus.compare()
    assert (comparison.changed, comparison.same_words) == ((2, 1) if corrected else (2, 2))
    assert (comparison.words_gained, comparison.words_lost) == ((4, 4) if corrected else (0, 0))
    shown = [change.url.rpartition("/")[2] for change in comparison.largest]
    assert shown == (["b"] if corrected else ["a", "b"])
    assert any("capture: " in line for line in comparison.largest[0].diff)


def test_fields_that_would_come_go_and_change_are_counted(corpus: SmallCorpus) -> None:
    corpus.rules = "metadata: {genre: {const: news}, dateline: {const: Here}}\n"
    corpus.store(("/a", page("A")))
    corpus.build()
    corpus.rules = "metadata: {genre: {const: report}, correction: {const: None}}\n"
    fields = counted(corpus.compare().fields)
    assert fields["genre"] == (0, 0, 1)
    assert fields["dateline"] == (0, 1, 0)
    assert fields["correction"] == (1, 0, 0)


def test_what_posts_would_say_of_themselves_is_counted_and_shown_too(corpus: SmallCorpus) -> None:
    comments = "".join(f"<li class=k><b>{name}</b><time datetime=2024-05-02></time><p>Well, well.</p></li>" for name in ("Ann", "Bob"))
    corpus.rules = "posts: {comments: {item: li.k, text: p}}\n"
    corpus.store(("/a", page("A", text=f"<ul>{comments}</ul>")), ("/b", page("B")))
    corpus.build()
    corpus.rules = "posts: {comments: {item: li.k, text: p, author: b, time: {css: time, attr: datetime}}}\n"
    comparison = corpus.compare()
    assert counted(comparison.fields) == {"posts.who": (1, 0, 0), "posts.when": (1, 0, 0)}
    (change,) = comparison.largest
    assert "+posts.who: Ann" in change.diff and "+posts.when: 2024-05-02" in change.diff
    corpus.rules = "posts: {comments: null}\n"
    assert counted(corpus.compare().fields) == {"posts": (0, 1, 0)}


@pytest.mark.parametrize("everything", [False, True])
def test_the_same_rules_change_nothing(corpus: SmallCorpus, everything: bool) -> None:
    corpus.store(("/a", page("A")))
    corpus.build()
    comparison = corpus.compare(everything=everything)
    assert not (comparison.new or comparison.changed or comparison.gone or comparison.outcomes or comparison.largest)


def test_where_nothing_was_built_everything_is_new(corpus: SmallCorpus) -> None:
    corpus.store(("/a", page("A")))
    comparison = corpus.compare()
    assert comparison.new == 1
    assert not (corpus.folder / "build.sqlite").exists()
    assert not (corpus.folder / "tei").exists()


def test_a_long_difference_is_cut_and_says_so(corpus: SmallCorpus) -> None:
    corpus.store(("/a", page("A")))
    corpus.build()
    corpus.store(("/a", page("A", text="".join(f"<p>line {number}</p>" for number in range(1000)))), date="2024-06-02T00:00:00Z")
    (change,) = corpus.compare().largest
    assert len(change.diff) < 50
    assert change.diff[-1].startswith("... and ")
