"""What the report says of addresses."""

from __future__ import annotations

from dataclasses import replace

from lxml import html
from reports import statistics_saying

from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.model.statistics import CorpusStatistics
from webarticlecurator.model.status import Trouble
from webarticlecurator.report.html import element
from webarticlecurator.report.page.outcomes import problems_section, section
from webarticlecurator.report.page.parts import Section, in_sentences


def telling(*troubles: Trouble) -> CorpusStatistics:
    made = statistics_saying(lambda: "some text")
    assert made.status is not None
    return replace(made, status=replace(made.status, not_again=troubles))


def rows(told: Section) -> list[list[str]]:
    table = html.fromstring(element("div", told.content)).xpath('.//section[@aria-labelledby="not-again"]//tbody/tr')
    return [[cell.text_content() for cell in row] for row in table]


def test_articles_that_the_portal_no_longer_has_are_told_by_reason() -> None:
    gone = Trouble(
        outcome=FetchOutcome.GONE, reason="HTTP 404", count=2, example="https://pelda.example/a", urls=("https://pelda.example/a",)
    )
    assert rows(section(telling(gone))) == [["gone", "2", "HTTP 404", "https://pelda.example/a"]]


def test_without_problems_it_says_what_was_looked_at_and_what_looks_into_the_texts() -> None:
    told = html.fromstring(problems_section(replace(telling(), problems=())).content).text_content()
    assert told == (
        "No failure, no gap, nothing suspicious in what crawls and builds noted and in the counts of this report."
        " What the rules make of the texts was not looked at: curator audit does."
    )


def test_a_portal_that_still_has_all_says_nothing_of_it() -> None:
    assert rows(section(telling())) == []


def test_code_in_a_sentence_stands_apart_from_the_words_around_it() -> None:
    told = in_sentences("made under others: `curator build` makes them anew; `curator stats`, too")
    assert html.fromstring(element("p", told)).text_content() == "made under others: curator build makes them anew; curator stats, too"
