"""What the report says of addresses."""

from __future__ import annotations

from dataclasses import replace

from lxml import html
from reports import statistics_saying

from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.model.statistics import CorpusStatistics
from webarticlecurator.model.status import Trouble
from webarticlecurator.report.html import element
from webarticlecurator.report.page.outcomes import section
from webarticlecurator.report.page.parts import Section


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


def test_a_portal_that_still_has_all_says_nothing_of_it() -> None:
    assert rows(section(telling())) == []
