"""Several ways to the same articles, best first: an interface that is closed is no gap where the pages list the same articles."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from collected import StopAfter
from scripted_portal import API_WAY, Crawler, Reply, ScriptedPortal, listing

from webarticlecurator import crawl

OK, FAILURES = 0, 1
RULES = f"""{API_WAY}\
    pages: "{{home}}l"
    months: {{url: "{{home}}{{year}}/{{month}}/", dates: {{from: 2024-01-01, until: 2024-02-28}}, pages: none}}
"""
CLOSED = Reply('{"code":"rest_forbidden"}', 401, kind="application/json")


def publish(site: ScriptedPortal, articles: int, *, closed_from: int | None = None, total: int | None = None) -> set[str]:
    """A blog of pages with three articles, newest first, and its interface, closed from that page on; gives its articles."""
    numbers = list(range(articles, 0, -1))
    pages = [numbers[start : start + 3] for start in range(0, articles, 3)]
    for number, page in enumerate(pages, 1):
        site.script["/l" if number == 1 else f"/l/{number}"] = listing(*page, next=f"/l/{number + 1}" if number < len(pages) else None)
        headers = {"X-WP-Total": str(total or articles), "X-WP-TotalPages": str(len(pages))}
        said = Reply(json.dumps([{"link": f"{site.home}/c/{one}"} for one in page]), headers=headers, kind="application/json")
        site.script[f"/api?page={number}"] = CLOSED if closed_from is not None and number >= closed_from else said
    return {f"/c/{number}" for number in numbers}


def asked_by_pages(crawler: Crawler) -> list[str]:
    return [path for path in crawler.portal.archive_asked if path.startswith("/l")]


def states(crawler: Crawler) -> dict[str, str]:
    return {way["name"]: way["state"] for way in crawler.status()["ways"]}


def test_the_first_way_that_is_proved_is_the_only_one_that_is_walked(crawler: Crawler) -> None:
    articles = publish(crawler.portal, 7)
    assert crawler.crawl() == OK, crawler.said
    assert crawler.fetched == articles
    assert crawler.portal.archive_asked == ["/api?page=1", "/api?page=2", "/api?page=3"]
    assert "`api` came to a proved end; not needed: `pages`, `months`" in crawler.said
    assert states(crawler) == {"api": "proved", "pages": "not needed", "months": "not needed"}


def test_an_interface_that_is_closed_half_way_is_completed_by_the_pages(crawler: Crawler) -> None:
    articles = publish(crawler.portal, 20, closed_from=3)
    assert crawler.crawl() == OK, crawler.said
    assert crawler.fetched == articles
    assert "/api?page=5: HTTP 401; `pages` was walked instead" in crawler.said
    assert "; `pages`, the next way" in crawler.said
    assert crawler.problems == []
    assert states(crawler) == {"api": "failed", "pages": "proved", "months": "not needed"}
    assert crawler.status()["gaps"] == []
    ended = crawler.run("status")
    assert "HTTP 401" in ended.out
    assert "goes on" not in ended.err


def test_the_next_crawl_asks_the_best_way_first_and_completes_what_is_new_by_the_other(crawler: Crawler) -> None:
    publish(crawler.portal, 20, closed_from=3)
    crawler.crawl()
    articles = publish(crawler.portal, 32, closed_from=1)
    assert crawler.crawl() == OK, crawler.said
    assert crawler.fetched == articles
    # down to three pages of known ground; what the pager of the last leads to is asked what it is
    assert asked_by_pages(crawler)[:7] == ["/l", *(f"/l/{number}" for number in range(2, 8))]
    publish(crawler.portal, 33)
    assert crawler.crawl() == OK, crawler.said
    assert asked_by_pages(crawler) == []
    assert states(crawler)["api"] == "proved"
    assert crawler.problems == []


NOTHING = Reply("[]", headers={"X-WP-Total": "0", "X-WP-TotalPages": "0"}, kind="application/json")


@pytest.mark.parametrize(("now", "state"), [(CLOSED, "failed"), (NOTHING, "drift")], ids=["closed", "empty"])
def test_a_way_that_was_proved_and_fails_now_is_replaced_so_that_nothing_new_is_lost(crawler: Crawler, now: Reply, state: str) -> None:
    publish(crawler.portal, 9)
    assert crawler.crawl() == OK
    articles = publish(crawler.portal, 12, closed_from=1)
    crawler.portal.script["/api?page=1"] = now
    assert crawler.crawl() == OK, crawler.said
    assert crawler.fetched == articles
    assert crawler.status()["drift"] == []
    assert states(crawler) == {"api": state, "pages": "proved", "months": "not needed"}
    assert crawler.crawl() == OK
    assert asked_by_pages(crawler) == ["/l", "/l/2", "/l/3", "/l/4"], "where it ended, too: nothing ever came at its head"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Reply("", 403), "HTTP 403"),
        (Reply("<title>Just a moment...</title>", 403, headers={"cf-mitigated": "challenge"}), "Cloudflare challenge"),
        (Reply("nothing here", 404), "HTTP 404"),
        (Reply('{"code":"rest_post_invalid_page_number"}', 400, kind="application/json"), "HTTP 400"),
        (Reply("<html><body><h1>Blog</h1></body></html>"), "not JSON"),
        (NOTHING, "ever gave an article link"),
        (Reply("[]", kind="application/json"), "ever gave an article link"),
    ],
)
def test_an_interface_that_gives_nothing_proves_nothing(crawler: Crawler, answer: Reply, reason: str) -> None:
    articles = publish(crawler.portal, 7)
    crawler.portal.script["/api?page=1"] = answer
    assert crawler.crawl() == OK, crawler.said
    assert crawler.fetched == articles
    assert reason in crawler.said
    assert crawler.problems == []
    assert crawler.crawl() == OK, crawler.said
    assert crawler.portal.articles_asked == []


def test_an_interface_that_states_more_than_it_gives_is_completed_by_the_pages(crawler: Crawler) -> None:
    articles = publish(crawler.portal, 7)
    publish(crawler.portal, 7, total=9)
    assert crawler.crawl() == OK, crawler.said
    assert crawler.fetched == articles
    assert "X-WP-Total: 9" in crawler.said


def test_where_no_way_is_proved_all_reasons_are_told(crawler: Crawler) -> None:
    publish(crawler.portal, 7, closed_from=1)
    crawler.portal.script["/l/2"] = Reply("broken", 500)
    assert crawler.crawl() == FAILURES
    for reason in (
        "/api?page=1 could not be read (HTTP 401)",
        "/l/2: HTTP 500",
        "column months: nothing was found at",
    ):
        assert reason in crawler.said
    assert "was walked instead" not in crawler.said
    assert {row["reason"] for row in crawler.problems} >= {"HTTP 401", "HTTP 500"}
    assert set(states(crawler).values()) == {"failed", "unproved"}

    publish(crawler.portal, 7, closed_from=1)
    assert crawler.crawl() == OK, crawler.said
    assert crawler.problems == []


def test_a_way_by_dates_is_proved_when_all_its_dates_are(crawler: Crawler) -> None:
    crawler.portal.script |= {"/2024/01/": listing(1, 2), "/2024/02/": listing(3)}
    assert crawler.crawl() == OK, crawler.said
    assert crawler.fetched == {"/c/1", "/c/2", "/c/3"}
    assert "`months` came to a proved end" in crawler.said
    assert crawler.crawl() == OK, crawler.said
    assert [path for path in crawler.portal.archive_asked if path.startswith("/2024")] == []


def test_a_person_may_choose_a_way(crawler: Crawler) -> None:
    articles = publish(crawler.portal, 7)
    assert crawler.crawl("--column", "pages") == OK, crawler.said
    assert crawler.fetched == articles
    assert not any(path.startswith("/api") for path in crawler.portal.archive_asked)
    publish(crawler.portal, 7, closed_from=2)
    assert crawler.crawl("--column", "api") == FAILURES


def test_a_dry_run_says_in_which_order_the_ways_would_be_tried(crawler: Crawler) -> None:
    publish(crawler.portal, 7)
    assert crawler.crawl("--dry-run") == OK
    assert crawler.portal.asked == []
    assert "column api would be walked from" in crawler.said
    assert "column pages, where none of the ways before it (api) is proved, would be walked from" in crawler.said


def test_the_ledger_that_is_made_again_tells_the_same_of_the_ways(crawler: Crawler) -> None:
    publish(crawler.portal, 20, closed_from=3)
    crawler.crawl()
    before = crawler.status()
    assert crawler.run("warc", "index").code == OK
    assert {key: crawler.status()[key] for key in ("ways", "completeness", "gaps")} == {
        key: before[key] for key in ("ways", "completeness", "gaps")
    }


def test_what_is_stored_is_walked_offline_in_the_same_way(crawler: Crawler) -> None:
    articles = publish(crawler.portal, 7, closed_from=2)
    crawler.crawl()
    assert crawler.crawl("--offline") == OK, crawler.said
    assert crawler.portal.asked == []
    assert crawler.fetched == articles


def test_a_check_looks_at_the_ways_up_to_the_first_that_gives_articles(crawler: Crawler) -> None:
    publish(crawler.portal, 7, closed_from=1)
    ended = crawler.curator("check", crawler.file, "--fetch")
    assert ended.code == OK, ended.out
    assert crawler.portal.archive_asked == ["/api?page=1", "/l"]
    assert "3 ways to the same articles" in ended.err


def test_imported_pages_belong_to_the_way_whose_address_they_have(crawler: Crawler, tmp_path: Path) -> None:
    publish(crawler.portal, 7)
    crawler.crawl()
    warcs = list((crawler.corpus / "warc").glob("*-archive-*"))
    other = tmp_path / "other"
    assert crawler.curator("warc", "import", crawler.file, *warcs, "--corpus", other).code == OK
    status = json.loads(crawler.curator("status", crawler.file, "--corpus", other, "--json").out)
    assert {row["column"]: row["links"] for row in status["completeness"]} == {"api": 7}


def test_what_one_way_lists_and_the_one_that_is_proved_does_not_is_told(crawler: Crawler) -> None:
    articles = publish(crawler.portal, 20, closed_from=3)
    crawler.portal.script["/l"] = listing(20, 19, next="/l/2")
    assert crawler.crawl() == OK
    assert crawler.fetched == articles
    assert f"1 article that `api` lists stands on no page of `pages` (such as {crawler.portal.home}/c/18)" in crawler.said


@pytest.mark.parametrize("pages", [1, 5, 8])
def test_a_crawl_that_is_interrupted_in_any_way_goes_on_and_misses_nothing(crawler: Crawler, pages: int) -> None:
    publish(crawler.portal, 20, closed_from=3)
    crawl(crawler.file, corpus=crawler.corpus, stop=StopAfter(crawler.portal, pages))
    assert states(crawler)["pages"] != "proved"
    articles = publish(crawler.portal, 24, closed_from=3)
    assert crawler.crawl() == OK, crawler.said
    assert crawler.fetched == articles
    assert (states(crawler)["pages"], crawler.problems) == ("proved", [])
