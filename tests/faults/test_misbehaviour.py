"""Every misbehaviour of the example portal ends as DESIGN says it, and what it does not touch is complete."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from crawling import WITHOUT_CALENDAR, Crawling, crawling, exit_code
from misbehaviours import ENDINGS, NextRun, Reach
from seams import ExitCode

from webarticlecurator.example_portal import SWITCHES, Scope

FEW = ("belfold", "kultura", "english")
"""That of the one article and the one archive page which most switches touch, that which robots.txt forbids, and another."""
OF_MANY = (Scope.ARTICLES, Scope.ARCHIVE, Scope.EXPANDING)
"""These show only in many articles, or do something else in each column."""


@pytest.fixture
def site(switch: str, whole: bool, tmp_path: Path) -> Iterator[Crawling]:
    ending = ENDINGS[switch]
    columns = ending.columns or (WITHOUT_CALENDAR if SWITCHES[switch].scope in OF_MANY else FEW)
    with crawling(tmp_path, articles=ending.articles, columns=() if whole else columns, retries=ending.retries) as running:
        yield running


LONG = ("link-flood",)
"""As many links as are taken in from one page."""
CASES = [pytest.param(name, False, id=name, marks=[pytest.mark.nightly] * (name in LONG)) for name in SWITCHES]
OF_ALL_COLUMNS = [
    pytest.param(name, True, id=f"{name} in all columns", marks=pytest.mark.nightly)
    for name, switch in SWITCHES.items()
    if switch.scope is Scope.ARCHIVE
]


@pytest.mark.parametrize(("switch", "whole"), CASES + OF_ALL_COLUMNS)
def test_a_misbehaving_portal(switch: str, whole: bool, site: Crawling) -> None:
    ending = ENDINGS[switch]
    if ending.complete_before:
        assert exit_code(site.crawl()) is ExitCode.OK
        site.portal.publish(4)
    site.portal.switch_on(switch, *ending.urls, after=ending.after)
    summary = site.crawl()

    assert site.portal.touched(switch)
    assert exit_code(summary) is ending.code
    belfold = site.portal.articles["belfold"]
    # The articles that need not be fetched; as few as can be.
    touched = {
        Reach.NOTHING: set(),
        Reach.ONE: {url for url in belfold if "/cikk/1/" in url},
        Reach.SECTION: set(site.portal.articles["kultura"]),
        Reach.FROM_HERE: site.expected - site.fetched,
        Reach.BELOW: set(belfold[2:]),
        Reach.THERE: set(belfold[2:4]),
        Reach.ALL: site.expected,
        Reach.LATER: site.expected - site.fetched,
    }[ending.reach]
    assert site.expected - touched <= site.fetched
    # A blocked portal is not asked to the end: what it was not asked for goes on waiting.
    expected = {ending.outcome, "queued"} if ending.outcome == "blocked" else {ending.outcome}
    assert {site.outcomes.get(url) for url in touched} <= expected
    assert ending.reason in site.told

    site.portal.switch_off()
    again = site.crawl()
    assert exit_code(again) is ExitCode.OK
    if ending.next_run is NextRun.KEEPS:
        assert {site.outcomes[url] for url in touched} == {ending.outcome}
    else:
        assert site.fetched >= site.expected
        assert site.lacks() == set()


def test_a_wall_is_no_copy_of_an_article_whose_file_is_lost(tmp_path: Path) -> None:
    with crawling(tmp_path, columns=("belfold", "english")) as site:
        site.portal.switch_on("consent")
        site.crawl()
        walled = {url for url, outcome in site.outcomes.items() if outcome == "blocked"}
        site.portal.switch_off()
        site.crawl()
        max(path for path in site.warcs if "-articles-" in path.name).unlink()
        site.portal.forget_requests()
        assert walled and exit_code(site.crawl()) is ExitCode.FAILURES
        assert all(map(site.portal.asked, walled))
