"""docs/reference/politeness-and-law.md: its rules do what it says of them."""

from __future__ import annotations

import re
from pathlib import Path

from small_corpus import SmallCorpus, page

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "politeness-and-law.md").read_text(encoding="utf-8")
(RESERVED,), (REMOVED,) = (re.findall(pattern, PAGE, re.DOTALL) for pattern in (r"```yaml\n(.+?)```", r" `(articles: .+?)` "))


def test_pages_that_reserve_mining_have_no_document_where_the_rules_say_so(tmp_path: Path) -> None:
    corpus = SmallCorpus(tmp_path, rules=RESERVED)
    corpus.store(
        ("/reserved", page("A", head='<meta name="tdm-reservation" content="1">')),
        ("/noai", page("B", head='<meta name="robots" content="index, noai">')),
        ("/free", page("C", head='<meta name="tdm-reservation" content="0"><meta name="robots" content="index">')),
    )
    corpus.build()
    outcomes = {path: outcome for path, (outcome, _) in corpus.built.items()}
    assert outcomes == {"/reserved": "not-article", "/noai": "not-article", "/free": "article"}


def test_an_article_whose_removal_was_asked_for_goes_with_the_next_build(tmp_path: Path) -> None:
    corpus = SmallCorpus(tmp_path)
    corpus.store(("/2019/05/the-article", page("A")), ("/other", page("B")))
    assert corpus.build().written == 2
    corpus.rules = REMOVED
    assert corpus.build().removed == 1
    assert len(corpus.documents) == 1
