"""Stored pages that could not be had when they were asked for again, as `curator status` counts and names them."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from small_corpus import SmallCorpus, page

from webarticlecurator import pipeline
from webarticlecurator.corpus import status
from webarticlecurator.model.status import Trouble

SITE = "https://pelda.example"


def test_a_list_that_is_gone_is_no_article_and_no_example_of_one(corpus: SmallCorpus) -> None:
    corpus.rules = "articles: {skip: {when: [b.list]}}\n"
    corpus.store(("/2021/06/", page("June", text='<b class="list">All of June</b>')), ("/z", page("Told")), ("/y", page("Not asked")))
    ask_again_in_vain(corpus, "/2021/06/", "/z")

    assert [(one.count, one.no_articles) for one in not_again(corpus)] == [(2, 0)], "nobody has looked at them yet"
    corpus.build()

    (told,) = not_again(corpus)
    assert (told.outcome.value, told.reason, told.count, told.no_articles) == ("gone", "HTTP 404", 2, 1)
    assert (told.example, told.urls) == (f"{SITE}/z", (f"{SITE}/z", f"{SITE}/2021/06/"))


def test_of_many_only_the_first_are_named(corpus: SmallCorpus) -> None:
    paths = [f"/{number:03}" for number in range(status._NAMED + 2)]
    corpus.store(*((path, page(path)) for path in paths))
    ask_again_in_vain(corpus, *paths)

    (told,) = not_again(corpus)

    assert told.count == len(paths)
    assert told.urls == tuple(f"{SITE}{path}" for path in paths[:-2])


def not_again(corpus: SmallCorpus) -> tuple[Trouble, ...]:
    return pipeline.status(corpus.portal, corpus=corpus.folder).not_again


def ask_again_in_vain(corpus: SmallCorpus, *paths: str) -> None:
    with closing(sqlite3.connect(corpus.folder / "ledger.sqlite", isolation_level=None)) as ledger:
        for path in paths:
            ledger.execute("UPDATE urls SET reason = 'asked for again: gone: HTTP 404' WHERE url = ?", (f"{SITE}{path}",))
