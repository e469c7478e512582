"""When a host's answers amount to a block."""

from __future__ import annotations

from datetime import UTC, datetime

from webarticlecurator.crawling.block_watch import PROBES, STREAK, BlockWatch, wall_in
from webarticlecurator.model.capture import Exchange, Fetched, Request
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.model.rendering import Rendered


def refuse(watch: BlockWatch, *urls: str) -> list[tuple[str, ...]]:
    return [watch.failed(url, "HTTP 403") for url in urls]


def good(watch: BlockWatch, url: str, body: str) -> tuple[str, ...]:
    return watch.answered(url, body.encode())


def test_one_refusal_is_an_error_and_no_block() -> None:
    assert refuse(BlockWatch(), "a") == [()]


def test_a_streak_of_refusals_blocks_all_of_them() -> None:
    watch = BlockWatch()
    assert refuse(watch, *"abcde")[-1] == tuple("abcde")
    assert watch.alarm is not None
    assert watch.closed is None


def test_a_good_answer_in_between_starts_the_count_again() -> None:
    watch = BlockWatch()
    refuse(watch, *"abcd")
    good(watch, "x", "body")
    refuse(watch, *"efgh")
    assert watch.alarm is None


def test_after_a_block_the_host_is_probed_and_then_closed() -> None:
    watch = BlockWatch()
    refuse(watch, *"abcde")
    for number in range(PROBES):
        assert watch.closed is None
        assert refuse(watch, f"probe{number}") == [(f"probe{number}",)]
    assert watch.closed is not None


def test_a_probe_that_is_answered_ends_the_alarm() -> None:
    watch = BlockWatch()
    refuse(watch, *"abcde")
    good(watch, "probe", "body")
    assert watch.alarm is None
    assert refuse(watch, "f") == [()]


def test_a_captcha_is_a_block_at_once() -> None:
    watch = BlockWatch()
    assert watch.failed("a", "a captcha", wall=True) == ("a",)
    assert watch.alarm is None


def test_one_page_for_many_urls_is_a_block() -> None:
    watch = BlockWatch()
    seen = [good(watch, url, "same") for url in "abcde"]
    assert seen[:-1] == [()] * 4
    assert seen[-1] == tuple("abcde")


def test_the_same_url_asked_again_does_not_count_twice() -> None:
    watch = BlockWatch()
    for _ in range(2 * STREAK):
        assert good(watch, "a", "same") == ()


def test_whatever_fails_in_a_row_is_a_block() -> None:
    watch = BlockWatch()
    for url, reason in zip("abcd", ("HTTP 503", "the connection was reset", "no answer in time", "HTTP 451"), strict=True):
        assert watch.failed(url, reason) == ()
    assert watch.failed("e", "HTTP 500") == tuple("abcde")


def test_where_robots_txt_cannot_be_read_nothing_more_is_asked() -> None:
    watch = BlockWatch()
    watch.close("robots.txt cannot be read")
    assert watch.closed is not None


def test_a_wall_that_a_browser_showed_in_the_place_of_a_page_is_one() -> None:
    wall = b"<html><head><title>Before you continue</title></head><body><button>Accept all</button></body></html>"
    asked = Exchange(
        request=Request(url="https://a.example/"),
        request_bytes=b"",
        response_bytes=b"",
        status=200,
        entity=b"<script src=app.js></script>",
        started=datetime(2024, 5, 1, tzinfo=UTC),
        duration_ms=1,
    )
    rendered = Rendered(html=wall, date=asked.started, browser="Chromium 1", limit='"article" did not come')
    verdict = Verdict(FetchOutcome.ERROR, '"article" did not come')
    assert wall_in(Fetched(request=asked.request, verdict=verdict, exchanges=(asked,))) is None
    assert wall_in(Fetched(request=asked.request, verdict=verdict, exchanges=(asked,), rendered=rendered)) == "consent page"
