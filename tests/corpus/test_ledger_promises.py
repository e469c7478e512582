"""What the ledger tells of the articles, and when that is something new."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest
from small_corpus import SmallCorpus, page

from webarticlecurator.corpus.stored_articles import StoredArticle, StoredArticles


def _sources(corpus: SmallCorpus) -> list[StoredArticle]:
    with StoredArticles(corpus.folder / "ledger.sqlite", corpus.portal) as sources:
        return list(sources)


def test_articles_come_in_the_order_in_which_they_lie_in_the_files(corpus: SmallCorpus) -> None:
    corpus.store(("/z", page("Z")), ("/a", page("A")), date="2024-06-02T00:00:00Z")
    corpus.store(("/m", page("M")), date="2024-06-01T00:00:00Z")

    places = [(one.stored[0].capture.file, one.stored[0].capture.offset) for one in _sources(corpus)]

    assert places == sorted(places)
    assert len(places) == 3


def test_the_digest_of_an_article_changes_with_its_captures_and_its_listing(corpus: SmallCorpus) -> None:
    corpus.store(("/a", page("A")))
    (source,) = _sources(corpus)
    other = replace(source.stored[0], capture=replace(source.stored[0].capture, record_id="another"))

    assert source.digest() == _sources(corpus)[0].digest()
    assert source.digest() != replace(source, stored=(other, *source.stored)).digest()
    assert source.digest() != replace(source, listing={"headline": ("B",)}).digest()


def test_a_revisit_of_the_first_page_is_nothing_new_but_one_of_a_further_page_is(corpus: SmallCorpus) -> None:
    corpus.store(("/a", page("A")))
    (source,) = _sources(corpus)
    revisit = replace(source.stored[0], revisit=True)

    assert source.digest() == replace(source, stored=(revisit, *source.stored)).digest()
    assert source.digest() != replace(source, stored=(replace(revisit, part=2), *source.stored)).digest()


@pytest.mark.parametrize(
    ("name", "united"),
    [("keywords", ("one", "two", "three")), ("headline", ("one", "two")), ("custom", ("one", "two"))],
)
def test_listings_unite_lists_and_keep_the_first_of_single_values(corpus: SmallCorpus, name: str, united: tuple[str, ...]) -> None:
    corpus.store(("/a", page("A")))
    with closing(sqlite3.connect(corpus.folder / "ledger.sqlite", isolation_level=None)) as ledger:
        ledger.execute("INSERT OR IGNORE INTO columns (id, name) VALUES (1, 'first'), (2, 'second')")
        ledger.execute("INSERT INTO listings VALUES (1, 2, 5, 20, NULL, ?)", (f'{{"{name}": ["two", "three"]}}',))
        ledger.execute("INSERT INTO listings VALUES (1, 1, 7, 10, NULL, ?)", (f'{{"{name}": ["one", "two"]}}',))

    assert _sources(corpus)[0].listing == {name: united}


@pytest.mark.parametrize(
    ("moment", "told"),
    [
        ("2024-05-01T10:00:00+02:00", "2024-05-01T10:00:00+02:00"),
        ("2024-05-02T00:25:00+02:00", "2024-05-02T00:25:00+02:00"),
        ("2024-05-02T10:00:00+02:00", "2024-05-01"),
        ("2024-05-02T00:25:00", "2024-05-01"),
        ("2024-05-02T99:00", "2024-05-01"),
    ],
    ids=["of that day", "of that day in UTC", "of another day", "without a clock", "no moment"],
)
def test_of_a_date_a_moment_goes_before_its_day_alone(corpus: SmallCorpus, moment: str, told: str) -> None:
    corpus.store(("/a", page("A")))
    with closing(sqlite3.connect(corpus.folder / "ledger.sqlite", isolation_level=None)) as ledger:
        ledger.execute("INSERT OR IGNORE INTO columns (id, name) VALUES (1, 'archive'), (2, 'feed')")
        ledger.execute("INSERT INTO listings VALUES (1, 1, 5, 10, NULL, ?)", ('{"datePublished": ["2024-05-01"]}',))
        ledger.execute("INSERT INTO listings VALUES (1, 2, 7, 20, NULL, ?)", (f'{{"datePublished": ["{moment}"]}}',))

    assert _sources(corpus)[0].listing == {"datePublished": (told,)}


@pytest.mark.parametrize(
    ("rules", "kept"),
    [
        ("fields: {headline: h2}", {"headline": ("old",)}),
        ("fields: {author: {all_of: [{css: b, route: {headline: [x]}}]}}", {"headline": ("old",), "author": ("A",)}),
        ("", {}),
        ("format: feed", {"headline": ("old",), "author": ("A",), "custom": ("1",)}),
    ],
)
def test_fields_that_no_rule_picks_any_more_are_none(corpus: SmallCorpus, rules: str, kept: dict[str, tuple[str, ...]]) -> None:
    corpus.store(("/a", page("A")))
    with closing(sqlite3.connect(corpus.folder / "ledger.sqlite", isolation_level=None)) as ledger:
        ledger.execute("INSERT OR IGNORE INTO columns (id, name) VALUES (1, 'first')")
        ledger.execute("""INSERT INTO listings VALUES (1, 1, 7, 10, NULL, '{"headline": ["old"], "author": ["A"], "custom": ["1"]}')""")
    link = "" if "format" in rules else "item: p, "
    corpus.rules = f"columns: {{first: {{url: 'https://pelda.example/1', {link}{rules}}}}}\n"
    assert _sources(corpus)[0].listing == kept


def test_of_one_columns_listings_the_latest_counts_and_keeps_what_only_an_earlier_one_said(corpus: SmallCorpus) -> None:
    corpus.store(("/a", page("A")))
    with closing(sqlite3.connect(corpus.folder / "ledger.sqlite", isolation_level=None)) as ledger:
        ledger.execute("INSERT OR IGNORE INTO columns (id, name) VALUES (1, 'first')")
        ledger.execute("""INSERT INTO listings VALUES (1, 1, 5, 20, NULL, '{"headline": ["new"], "keywords": ["two"]}')""")
        ledger.execute("""INSERT INTO listings VALUES (1, 1, 7, 10, NULL, '{"headline": ["old"], "keywords": ["one"], "author": ["A"]}')""")

    assert _sources(corpus)[0].listing == {"headline": ("new",), "keywords": ("two",), "author": ("A",)}
