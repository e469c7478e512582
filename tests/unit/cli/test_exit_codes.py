from __future__ import annotations

from itertools import combinations

import pytest

from webarticlecurator.cli.exit_codes import MEANING, PRECEDENCE, ExitCode, first_of, of_crawl
from webarticlecurator.crawling.options import CrawlSummary

BLOCKED = CrawlSummary(portal="a", blocked="HTTP 403 for 12 pages in a row")
DRIFT = CrawlSummary(portal="b", drift=("belfold: no links on the first page",))
INCOMPLETE = CrawlSummary(portal="c", incomplete=("--limit 50 was reached",))
FAILURES = CrawlSummary(portal="d", failures=("3 articles: HTTP 500",))
WELL = CrawlSummary(portal="e", fetched=12)


def test_the_codes_are_those_that_scripts_rely_on() -> None:
    assert {code.name: code.value for code in ExitCode} == {
        "OK": 0,
        "FAILURES": 1,
        "USAGE": 2,
        "BLOCKED": 3,
        "INCOMPLETE": 4,
        "DRIFT": 5,
        "BUG": 70,
        "INTERRUPTED": 130,
    }


def test_every_code_has_a_meaning() -> None:
    assert set(MEANING) == set(ExitCode)


def test_of_several_reasons_the_first_of_2_3_5_4_1_is_told() -> None:
    assert [code.value for code in PRECEDENCE] == [2, 3, 5, 4, 1]
    for earlier, later in combinations(PRECEDENCE, 2):
        assert first_of([later, earlier]) is earlier


@pytest.mark.parametrize(
    ("summaries", "code"),
    [
        ([], 0),
        ([WELL], 0),
        ([FAILURES], 1),
        ([BLOCKED], 3),
        ([INCOMPLETE], 4),
        ([DRIFT], 5),
        ([WELL, FAILURES], 1),
        ([FAILURES, INCOMPLETE], 4),
        ([INCOMPLETE, DRIFT], 5),
        ([DRIFT, FAILURES, BLOCKED], 3),
    ],
)
def test_a_crawl_of_several_portals_ends_with_its_weightiest_reason(summaries: list[CrawlSummary], code: int) -> None:
    assert of_crawl(summaries) == code


def test_one_portal_with_several_reasons_tells_the_weightiest() -> None:
    everything = CrawlSummary(portal="a", drift=("x",), incomplete=("y",), failures=("z",))
    assert of_crawl([everything]) is ExitCode.DRIFT
