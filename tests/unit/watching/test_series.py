"""The row of a portal's articles is in the order of their dates, and a larger corpus has a part of the same sample."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import built_corpora

from webarticlecurator.building.built_articles import BuiltArticles
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.model.article import Article
from webarticlecurator.watching import series


def built(folder: Path, articles: Sequence[Article]) -> BuiltArticles:
    folder.mkdir(exist_ok=True)
    built_corpora.put(folder, *articles)
    return BuiltArticles.of(Corpus(folder).build_database, "pelda")


def story(number: int, date: str | None = "", **told: object) -> Article:
    day = f"2024-{1 + number // 28:02}-{1 + number % 28:02}" if date == "" else date
    return built_corpora.article(number, f"A paragraph with the number {number} in it.", date=day, **told)  # type: ignore[arg-type]


def test_the_oldest_comes_first_and_who_has_no_date_stands_where_it_was_collected(tmp_path: Path) -> None:
    given = [story(3), story(2), story(90, None), story(1)]
    with built(tmp_path / "c", given) as articles:
        row = series.sampled(articles, sample=100, newest=10)
    assert [one.article.id for one in row] == [given[3].id, given[1].id, given[2].id, given[0].id]
    assert [one.article.own_day[:10] for one in row] == ["2024-01-02", "2024-01-03", "", "2024-01-04"]


def test_a_sample_of_a_larger_corpus_is_a_part_of_the_sample_of_a_smaller_one(tmp_path: Path) -> None:
    with built(tmp_path / "small", [story(number) for number in range(60)]) as articles:
        small = {one.article.id for one in series.sampled(articles, sample=40, newest=0)}
    with built(tmp_path / "large", [story(number) for number in range(240)]) as articles:
        large = {one.article.id for one in series.sampled(articles, sample=40, newest=0)}
    assert 0 < len(large) <= 60
    assert {story(number).id for number in range(60)} & large <= small


def test_the_newest_are_among_them_whatever_is_sampled(tmp_path: Path) -> None:
    with built(tmp_path / "c", [story(number) for number in range(100)]) as articles:
        row = series.sampled(articles, sample=10, newest=5)
        newest = series.named(articles, [story(number).id for number in range(95, 100)])
    assert [one.article.id for one in row[-5:]] == [story(number).id for number in range(95, 100)] == [one.article.id for one in newest]


def test_all_between_two_articles_are_found(tmp_path: Path) -> None:
    with built(tmp_path / "c", [story(number) for number in range(30)]) as articles:
        row = series.sampled(articles, sample=100, newest=0)
        assert [one.article.id for one in series.between(articles, row[3], row[8])] == [one.article.id for one in row[4:8]]


def test_lines_that_say_something_are_remembered_by_their_hashes(tmp_path: Path) -> None:
    with built(tmp_path / "c", [story(1), story(2)]) as articles:
        row = [one for one, _ in series.with_texts(articles, series.sampled(articles, sample=9, newest=0))]
    assert [len(one.article.lines) for one in row] == [1, 1]
    assert row[0].article.lines != row[1].article.lines
    assert series.lines_of("short\nshort\nThis line is long enough.\nThis line is long enough.") == series.lines_of(
        "This line is long enough."
    )


def test_a_post_that_stands_on_an_index_page_has_no_page_of_its_own(tmp_path: Path) -> None:
    with built(tmp_path / "c", [story(1, flags=("index page: the text is read from one",)), story(2)]) as articles:
        assert [one.has_own_page for one in series.sampled(articles, sample=9, newest=0)] == [False, True]
