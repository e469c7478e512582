"""A pass: every page once, in order, whatever some of them are like."""

from __future__ import annotations

from pathlib import Path

import pytest
from odd_questions import Visiting, Visits
from small_corpus import RULES, SmallCorpus, page

from webarticlecurator.corpus_survey import SurveyOptions, surveyed

SITE = "https://pelda.example"


@pytest.fixture
def small(tmp_path: Path) -> SmallCorpus:
    (tmp_path / "portal.yaml").write_text(RULES, "utf-8")
    return SmallCorpus(tmp_path)


def visits(small: SmallCorpus, jobs: int = 1) -> Visits:
    found = surveyed(Visiting(), small.portal, phase="audit", corpus=small.folder, options=SurveyOptions(jobs=jobs))
    assert (found.pages, found.complete) == (found.of_pages, True)
    return found.tally


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_pages_come_in_the_order_in_which_they_lie(small: SmallCorpus, jobs: int) -> None:
    paths = [f"{SITE}/{number}" for number in range(200)]
    small.store(*((path.removeprefix(SITE), page(path)) for path in paths))

    assert visits(small, jobs).seen == paths


def test_a_page_on_which_something_fails_is_passed_over_with_the_reason(small: SmallCorpus) -> None:
    small.rules = "articles: {skip: {when: [body.error]}}\n"
    small.store(
        ("/a", page("A")),
        ("/fail", page("B")),
        ("/slow", page("C")),
        ("/skip", page().replace(b"<body", b"<body class=error")),
        ("/e", b" "),
    )

    found = visits(small)

    assert found.seen == [f"{SITE}/a"]
    assert found.passed_over == [
        (f"{SITE}/fail", "unreadable", "curator failed on it, which is a bug of curator: KeyError: 'no such thing'"),
        (f"{SITE}/slow", "unreadable", "a pattern took too long"),
        (f"{SITE}/skip", "not-article", "articles.skip.when: body.error"),
        (f"{SITE}/e", "unreadable", "the page is empty"),
    ]


@pytest.mark.slow
def test_a_page_that_ends_its_process_costs_only_itself(small: SmallCorpus) -> None:
    paths = [f"/{number}" for number in range(70)]
    small.store(*((path, page(path)) for path in paths[:30]), ("/kill", page("K")), *((path, page(path)) for path in paths[30:]))

    found = visits(small, jobs=2)

    assert found.seen == [f"{SITE}{path}" for path in paths]
    assert [(url, outcome) for url, outcome, _ in found.passed_over] == [(f"{SITE}/kill", "unreadable")]
    assert "ended with code 3" in found.passed_over[0][2]
