"""The reading of one page comes to an end, whoever reads it, and whatever it is that takes so long."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import thread_time
from typing import Any

import pytest
from seams import archive_of, limit_reading
from small_corpus import RULES, SmallCorpus, page

from webarticlecurator import PatternTimeout, extract, read_corpus

URL = "https://pelda.example/long"
LONG = page("A bridge", head="<meta name=keywords content=bridges>").replace(b"<nav>", b"<p>By Ann Lee and</p>" * 40_000 + b"<nav>")
"""Of which the reading takes some seconds."""
LIMIT = 0.3
GIVEN_UP = "was given up"


@pytest.fixture(autouse=True)
def limited(monkeypatch: pytest.MonkeyPatch) -> None:
    limit_reading(monkeypatch, LIMIT)


def extracted() -> tuple[Any, float]:
    begun = thread_time()
    return extract(LONG, URL), thread_time() - begun


def test_a_page_that_takes_too_long_is_unreadable_and_the_next_one_is_read() -> None:
    article, seconds = extracted()
    assert (article.outcome.value, GIVEN_UP in article.reason) == ("unreadable", True)
    assert seconds < 10 * LIMIT
    assert extract(page(), URL).outcome.value == "article"


def test_pages_that_are_read_in_threads_are_given_up_one_by_one() -> None:
    with ThreadPoolExecutor(3) as pool:
        read = [pool.submit(extracted), pool.submit(extract, page(), URL), pool.submit(extracted)]
    articles = [read[0].result()[0], read[1].result(), read[2].result()[0]]
    assert [article.outcome.value for article in articles] == ["unreadable", "article", "unreadable"]


@pytest.mark.parametrize("kind", ["article", "archive"])
def test_try_ends(kind: str, tmp_path: Path, curator: Callable[..., Any]) -> None:
    (tmp_path / "page.html").write_bytes(LONG.replace(b"By Ann", b"<a href=/x/1>By Ann</a>"))
    (tmp_path / "portal.yaml").write_text(f"{RULES}archive: {{url: 'https://pelda.example/', link: 'p a'}}\n", encoding="utf-8")
    ended = curator("try", tmp_path / "portal.yaml", URL, "--html", tmp_path / "page.html", "--json", "--as", kind)
    line = json.loads(ended.out)
    assert (line["outcome"], GIVEN_UP in line["reason"]) == ("unreadable", True), line


def test_a_list_page_is_given_up_with_an_error_that_other_processes_understand() -> None:
    with pytest.raises(PatternTimeout, match=GIVEN_UP) as given_up:
        archive_of(LONG.decode().replace("By Ann", "<a href=/x/1>By Ann</a>"), link="p a")
    assert str(pickle.loads(pickle.dumps(given_up.value))) == str(given_up.value)


def test_a_build_and_the_reading_of_a_corpus_give_up_the_page_alone(corpus: SmallCorpus) -> None:
    corpus.store(("/long", LONG), ("/short", page()))
    corpus.build()
    assert corpus.built["/short"][0] == "article"
    outcome, reason = corpus.built["/long"]
    assert (outcome, GIVEN_UP in reason) == ("unreadable", True)
    assert [article.url for article in read_corpus(corpus.portal, corpus=corpus.folder)] == ["https://pelda.example/short"]
