"""Which stored pages rules are learned from: some of all columns and years, those that a person has put right, and never too much."""

from __future__ import annotations

from pathlib import Path
from threading import Event
from typing import Any

import pytest
from small_corpus import SmallCorpus, page

from webarticlecurator import corpus_learning
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.stored_pages import corpus_pages, warc_pages
from webarticlecurator.corpus_learning import Learning, LearnOptions, learn
from webarticlecurator.errors import UsageError
from webarticlecurator.learning.article_findings import ARTICLES, METADATA, FindersJob, PagesToLearnFrom

RULES = "archive: {url: 'https://pelda.example/list/{page}', link: h2 a}\n"


@pytest.fixture
def small(tmp_path: Path) -> SmallCorpus:
    corpus = SmallCorpus(tmp_path, rules=RULES)
    corpus.store(*((f"/{year}/01/0{day}/article-{day}", page(f"Title {year} {day}")) for year in (2019, 2020, 2021) for day in range(1, 6)))
    return corpus


def listing(number: int) -> bytes:
    items = "".join(f'<article><h2><a href="/2020/01/0{day}/article-{day}">A long headline {day}</a></h2></article>' for day in range(1, 6))
    return f'<html><body><main>{items}</main><a class="next" href="/list/{number + 1}">next</a></body></html>'.encode()


def learned(small: SmallCorpus, *, stop: Event | None = None, warcs: list[Path] | None = None, **options: Any) -> Learning:
    chosen = LearnOptions(**options)
    if warcs:
        with warc_pages(warcs, lambda _: None) as stored:
            return learn(small.portal, stored, warcs=warcs, options=chosen, stop=stop)
    with corpus_pages(Corpus(small.folder), small.portal) as stored:
        return learn(small.portal, stored, corpus=small.folder, options=chosen, stop=stop)


def test_it_is_told_of_how_many_pages_some_were_read(small: SmallCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus_learning, "ARTICLE_PAGES", 6)
    found = learned(small, parts=(ARTICLES,))
    assert (len(found.pages.articles), found.of_articles) == (6, 15)
    assert {page.url[22:26] for page in found.pages.articles} == {"2019", "2020", "2021"}


def test_archive_pages_of_files_are_those_that_fit_a_column(small: SmallCorpus) -> None:
    small.store(*((f"/list/{number}", listing(number)) for number in (1, 2, 3)))
    found = learned(small, warcs=sorted(small.base.glob("*.warc.gz")))
    assert {name: len(pages) for name, pages in found.pages.archive.items()} == {"archive": 3}
    assert len(found.pages.articles) == 15


def test_a_page_that_is_too_large_is_left_out_and_told(small: SmallCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus_learning, "LARGEST", 1_000)
    with pytest.raises(UsageError, match="15 stored pages could not be used: it is too large to be learned from"):
        learned(small, parts=(METADATA,))


def test_where_room_is_short_pages_of_all_times_are_read(small: SmallCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(corpus_learning.MOST_WEIGHT, ARTICLES, 20_000)
    found = learned(small, parts=(METADATA,))
    assert 0 < len(found.pages.articles) < 15
    assert {page.url[22:26] for page in found.pages.articles} == {"2019", "2020", "2021"}
    assert any("no room for more" in remark for remark in found.remarks)


def test_pages_that_a_person_has_put_right_are_read_first(small: SmallCorpus) -> None:
    url = "https://pelda.example/2021/01/05/article-5"
    expected = f'- url: {url}\n  expect: {{contains: ["The council met"], metadata: {{headline: Title}}, paragraphs: 4}}\n'
    (small.base / "tests.yaml").write_text(expected, "utf-8")
    found = learned(small, parts=(ARTICLES,))
    assert found.pages.articles[0].url == url
    assert found.pages.truths[0].contains == ("The council met",)
    assert found.pages.confirmed[url]["headline"] == ("Title",)


def test_a_named_page_is_taken_as_the_rules_read_it(small: SmallCorpus) -> None:
    url = "https://pelda.example/2019/01/01/article-1"
    found = learned(small, from_urls=(url,))
    (truth,) = found.pages.truths
    assert truth.url == url
    assert "The council met on Tuesday" in (truth.text or "")


def test_hashes_in_expectations_are_no_metadata(small: SmallCorpus) -> None:
    hashed = f"sha256:{'0' * 64}"
    expected = f'- url: https://pelda.example/2019/01/01/article-1\n  expect: {{metadata: {{headline: "{hashed}"}}}}\n'
    (small.base / "tests.yaml").write_text(expected, "utf-8")
    assert learned(small).pages.confirmed == {"https://pelda.example/2019/01/01/article-1": {}}


def test_a_page_that_is_not_stored_cannot_teach(small: SmallCorpus) -> None:
    with pytest.raises(UsageError, match=r"--from https://pelda\.example/nothing"):
        learned(small, from_urls=("https://pelda.example/nothing",))


def test_without_pages_it_is_said_where_they_come_from(tmp_path: Path) -> None:
    small = SmallCorpus(tmp_path, rules=RULES)
    small.store(("/list/1", b" "))
    with pytest.raises(UsageError, match="`curator crawl` gets pages"):
        learned(small)


def test_a_stop_leaves_what_is_not_looked_at(small: SmallCorpus) -> None:
    stop = Event()
    stop.set()
    found = learned(small, stop=stop)
    assert not found.complete
    assert found.learned({}).proposals == ()


def test_a_finder_that_fails_leaves_the_others_alone(small: SmallCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ValueError("odd page")

    monkeypatch.setattr("webarticlecurator.learning.article_findings.find_bodies", fail)
    found = learned(small).learned({})
    assert any("bodies could not be learned" in remark and "odd page" in remark for remark in found.remarks)


def test_a_finder_that_ended_its_process_leaves_the_others_alone(small: SmallCorpus) -> None:
    gone = FindersJob(small.portal, (), PagesToLearnFrom()).worker().give_up("bodies", "the process that read it was killed (SIGKILL)")
    assert gone.remarks == ("bodies could not be learned: the process that read it was killed (SIGKILL)",)
