"""`curator build` as a person or a program sees it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from seams import locked
from small_corpus import SmallCorpus, page


@pytest.fixture
def corpus(tmp_path: Path) -> SmallCorpus:
    corpus = SmallCorpus(tmp_path)
    corpus.store(("/a", page("A", text='<b class="ad">Buy this</b>')), ("/b", page("B")))
    return corpus


def _build(curator: Any, corpus: SmallCorpus, *flags: str) -> Any:
    return curator("build", corpus.portal.sources[0].path, "--corpus", corpus.folder, "--jobs", "1", *flags)


def test_it_tells_what_it_did_and_what_to_do_next(curator: Any, corpus: SmallCorpus) -> None:
    ended = _build(curator, corpus)
    assert ended.code == 0
    assert ended.out == ""
    assert "pelda: 2 articles stored: 2 documents written. Corpus: " in ended.err
    assert "curator build" in ended.err.splitlines()[-1]
    assert "stored: 0 documents written; 2 not made again, as neither page nor rules have changed. Corpus: " in _build(curator, corpus).err
    corpus.rules = "body: {tags: {box: [i.none]}}\n"
    ended = _build(curator, corpus)
    assert "pelda: 1 rule changed; that can touch 0 of 2 articles\n" in ended.err
    assert "stored: 0 documents written; 2 not read again, as no changed rule can touch their pages. Corpus: " in ended.err
    assert "stored: 0 documents written; 2 made again and the same as before. Corpus: " in _build(curator, corpus, "--all").err


@pytest.mark.parametrize(("rule", "named"), [("when: [b.ad, p.none]", "when: b.ad"), ("url: [/a$, /none]", "url: /a$")])
def test_it_names_a_page_that_a_rule_of_the_portal_file_skips(curator: Any, corpus: SmallCorpus, rule: str, named: str) -> None:
    corpus.rules = f"articles: {{skip: {{{rule}}}}}\n"
    told = _build(curator, corpus).err
    assert f"  No article by articles.skip.{named}: 1 page, such as https://pelda.example/a\n" in told
    assert "none" not in told
    skipped = json.loads(_build(curator, corpus, "--json").out)["skipped"]
    assert skipped == {f"articles.skip.{named}": [1, "https://pelda.example/a"]}


@pytest.mark.parametrize(
    ("rules", "step"), [("", "curator warc import"), ("archive: {url: https://pelda.example/l, item: li}\n", "curator crawl")]
)
def test_a_build_of_nothing_leads_to_what_stores_articles(curator: Any, tmp_path: Path, rules: str, step: str) -> None:
    empty = SmallCorpus(tmp_path, rules=rules)
    empty.store()
    ended = _build(curator, empty)
    assert ended.code == 0
    assert "0 articles stored" in ended.err
    assert f"Next: `{step}" in ended.err


def test_a_build_while_a_crawl_runs_says_that_it_does(curator: Any, corpus: SmallCorpus) -> None:
    lock = corpus.folder / "crawl.lock"
    with locked(lock, "crawl"):
        held = lock.read_bytes()
        assert f"A crawl of this corpus was running (process {os.getpid()} on " in _build(curator, corpus).err
    assert "A crawl" not in _build(curator, corpus).err
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    lock.write_text(json.dumps({**json.loads(held), "process": ended.pid}))  # as a crawl that was killed leaves it
    assert "A crawl" not in _build(curator, corpus).err


def test_pages_that_failed_give_code_1_and_are_listed(curator: Any, corpus: SmallCorpus) -> None:
    corpus.store(("/c", b"<html><body></body></html>"))
    ended = _build(curator, corpus)
    assert ended.code == 1
    assert "https://pelda.example/c" in ended.err
    assert [one["url"] for one in corpus.problems] == ["https://pelda.example/c"]
    assert _build(curator, corpus).code == 1


def test_compare_shows_differences_and_ends_with_code_1(curator: Any, corpus: SmallCorpus) -> None:
    _build(curator, corpus)
    corpus.rules = "body: {tags: {decompose: [b.ad]}}\n"
    ended = _build(curator, corpus, "--compare")
    assert ended.code == 1
    assert "1 document would change" in ended.out
    assert "Buy this" in ended.out
    assert json.loads(_build(curator, corpus, "--compare", "--json").out)["changed"] == 1


def test_flags_that_exclude_each_other(curator: Any, corpus: SmallCorpus) -> None:
    ended = _build(curator, corpus, "--compare", "--zip")
    assert ended.code == 2
    assert "--compare" in ended.err and "--zip" in ended.err
