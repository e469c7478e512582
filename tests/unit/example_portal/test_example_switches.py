"""Every switch of the example portal misbehaves as its row in the table says."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from pathlib import Path

import pytest

from webarticlecurator.example_portal import SWITCHES, ExamplePortal

Ask = Callable[..., object]
ONE = "/belfold/cikk/1/x"
OTHER = "/en/story/1/x"
SECOND_PAGE = "/belfold/?oldal=2"

# Switch, what is asked for, status, and headers of the answer (None: must be absent).
STATUSES = [
    ("429-for-ever", ONE, 429, {}),
    ("503-for-a-while", OTHER, 503, {}),
    ("503-for-ever", ONE, 503, {}),
    ("500-archive-page", SECOND_PAGE, 500, {}),
    ("401", ONE, 401, {"www-authenticate": 'Basic realm="archivum"'}),
    ("403", ONE, 403, {}),
    ("451", ONE, 451, {}),
    ("missing", ONE, 404, {}),
    ("gone", ONE, 410, {}),
    ("redirect-loop", ONE, 302, {"location": ONE}),
    ("endless-redirect", ONE, 302, {"location": f"{ONE}?ugras=1"}),
    ("redirect-private", ONE, 302, {"location": "http://10.0.0.1/"}),
    ("redirect-metadata", ONE, 302, {"location": "http://169.254.169.254/latest/meta-data/"}),
    ("redirect-scheme", ONE, 302, {"location": "file:///etc/hostname"}),
    ("redirect-elsewhere", ONE, 301, {"location": "https://elsewhere.example/"}),
    ("wrong-type", ONE, 200, {"content-type": "application/pdf"}),
    ("wrong-charset", OTHER, 200, {"content-type": "text/html; charset=iso-8859-1"}),
    ("no-content-type", OTHER, 200, {"content-type": None}),
    ("chunked", OTHER, 200, {"transfer-encoding": "chunked", "content-length": None}),
    ("gzip", OTHER, 200, {"content-encoding": "gzip"}),
    ("gzip-chunked", OTHER, 200, {"content-encoding": "gzip", "transfer-encoding": "chunked"}),
    ("cookies-required", OTHER, 302, {"location": OTHER, "set-cookie": "jegy=1; Path=/"}),
    ("robots-missing", "/robots.txt", 404, {}),
    ("robots-5xx", "/robots.txt", 503, {}),
]


@pytest.mark.parametrize(("name", "target", "status", "headers"), STATUSES, ids=[row[0] for row in STATUSES])
def test_a_switch_changes_status_and_headers(portal: ExamplePortal, ask: Ask, name, target, status, headers) -> None:
    portal.switch_on(name)
    answer = ask(target)
    assert answer.status == status
    assert {header: answer.headers.get(header) for header in headers} == headers


@pytest.mark.parametrize("name", SWITCHES)
def test_a_switch_that_is_off_again_leaves_no_trace(portal: ExamplePortal, ask: Ask, name: str) -> None:
    before = [ask(target).received.partition(b"\r\nDate")[0] for target in (ONE, OTHER, SECOND_PAGE)]
    portal.switch_on(name)
    portal.switch_off(name)
    assert [ask(target).received.partition(b"\r\nDate")[0] for target in (ONE, OTHER, SECOND_PAGE)] == before


@pytest.mark.parametrize("name", ["chunked", "gzip", "gzip-chunked"])
def test_codings_carry_the_same_page(portal: ExamplePortal, ask: Ask, name: str) -> None:
    plain = ask(OTHER).body
    portal.switch_on(name)
    assert ask(OTHER).body == plain


@pytest.mark.parametrize("name", ["403-streak", "429-streak", "503-everywhere", "captcha", "consent", "consent-redirect", "same-body"])
def test_a_streak_begins_with_the_eleventh_article(portal: ExamplePortal, ask: Ask, name: str) -> None:
    portal.switch_on(name)
    ask("/en/latest?page=1")
    answers = [ask(f"/belfold/cikk/{number % 3 + 1}/{number}") for number in range(12)]
    assert all("<article" in answer.text for answer in answers[:10])
    assert answers[10].body == answers[11].body
    assert "<article" not in answers[10].text
    assert "article" in ask("/en/latest?page=1").text


@pytest.mark.parametrize(
    ("name", "difference"), [("truncated-body", None), ("length-too-long", 100), ("length-too-short", -100)], ids=lambda value: str(value)
)
def test_the_announced_length_is_not_what_comes(portal: ExamplePortal, ask: Ask, name: str, difference: int | None) -> None:
    whole = len(ask(ONE).body)
    portal.switch_on(name)
    answer = ask(ONE)
    assert int(answer.headers["content-length"]) == whole + (difference or 0)
    assert len(answer.body) == (whole // 2 if difference is None else whole)


def test_chunks_end_before_the_end(portal: ExamplePortal, ask: Ask) -> None:
    portal.switch_on("truncated-chunks")
    answer = ask(ONE)
    assert answer.raw_body
    assert not answer.raw_body.endswith(b"0\r\n\r\n")


@pytest.mark.parametrize(("name", "target"), [("reset", ONE), ("reset-once", OTHER), ("robots-reset", "/robots.txt")])
def test_a_connection_is_reset(portal: ExamplePortal, ask: Ask, name: str, target: str) -> None:
    portal.switch_on(name)
    assert ask(target).reset
    assert ask(target).reset is (name != "reset-once")


def test_bytes_that_are_no_answer(portal: ExamplePortal, ask: Ask) -> None:
    portal.switch_on("hang-up")
    assert ask(ONE).received == b""
    portal.switch_on("garbage")
    assert not ask(ONE).received.startswith(b"HTTP/")


@pytest.mark.parametrize("name", ["huge-page", "huge-page-announced"])
def test_a_huge_page_does_not_end_soon(portal: ExamplePortal, ask: Ask, name: str) -> None:
    portal.switch_on(name)
    answer = ask(ONE, most=3_000_000)
    assert len(answer.received) >= 3_000_000
    assert answer.headers.get("content-length") == ("200000000" if name.endswith("announced") else None)


def test_a_gzip_bomb_is_small_and_grows_a_thousandfold(portal: ExamplePortal, ask: Ask) -> None:
    portal.switch_on("gzip-bomb")
    packed = ask(ONE).raw_body
    unpacker = zlib.decompressobj(31)
    unpacked = unpacker.decompress(packed[:40_000], 30_000_000)
    assert len(packed) < 2_000_000
    assert len(unpacked) == 30_000_000


def test_headers_can_be_a_megabyte(portal: ExamplePortal, ask: Ask) -> None:
    portal.switch_on("big-headers")
    assert len(ask(ONE).headers["x-nagy"]) == 1_000_000


@pytest.mark.parametrize(("name", "target"), [("slow", ONE), ("latency", OTHER)])
def test_an_answer_comes_late(portal: ExamplePortal, ask: Ask, name: str, target: str) -> None:
    portal.switch_on(name, seconds=0.05)
    began = time.monotonic()
    assert ask(target).status == 200
    assert time.monotonic() - began >= 0.05


def test_bytes_drip(portal: ExamplePortal, ask: Ask) -> None:
    portal.switch_on("drip", seconds=0.005)
    began = time.monotonic()
    head = len(ask(ONE, most=1).received)
    portal.switch_on("drip", seconds=0.005)
    assert len(ask(ONE, most=head + 10).received) <= head + 12
    assert time.monotonic() - began >= 0.04


def test_too_many_requests_says_when_to_come_back(portal: ExamplePortal, ask: Ask) -> None:
    portal.switch_on("429-seconds", after=0)
    answers = [ask(OTHER) for _ in range(4)]
    assert [answer.status for answer in answers] == [429, 429, 429, 200]
    assert answers[0].headers["retry-after"] == "1"


def test_too_many_requests_names_a_date(portal: ExamplePortal, ask: Ask) -> None:
    portal.switch_on("429-date", after=0)
    answer = ask(OTHER)
    assert answer.status == 429
    assert 0 < parsedate_to_datetime(answer.headers["retry-after"]).timestamp() - time.time() <= 2
    assert ask(OTHER).status == 200


def test_the_first_answers_of_each_article_fail(portal: ExamplePortal, ask: Ask) -> None:
    portal.switch_on("503-for-a-while")
    assert [ask(target).status for target in (ONE, OTHER, ONE, OTHER, ONE, OTHER)] == [503, 503, 503, 503, 200, 200]


def test_the_cookie_opens_the_door(portal: ExamplePortal, ask: Ask) -> None:
    portal.switch_on("cookies-required")
    assert ask(OTHER, headers="Cookie: jegy=1\r\n").status == 200


def test_a_consent_wall_stands_where_the_redirect_leads(portal: ExamplePortal, ask: Ask) -> None:
    portal.switch_on("consent-redirect", after=0)
    wall = ask(ask(OTHER).headers["location"])
    assert wall.status == 200
    assert "cookies" in wall.text


def test_an_archive_page_redirects_home(portal: ExamplePortal, ask: Ask) -> None:
    portal.switch_on("redirect-home")
    assert ask(SECOND_PAGE).headers["location"] == portal.url


@pytest.mark.parametrize("target", ["/belfold/?oldal=90", "/regi/index.php?ev=2010&ho=10&lap=90"])
def test_an_endless_calendar_has_empty_pages_that_lead_on(portal: ExamplePortal, ask: Ask, target: str) -> None:
    portal.switch_on("endless-calendar")
    text = ask(target).body.decode("iso-8859-2")
    assert "=91" in text
    assert '"cikksor"' not in text
    assert 'class="teaser"' not in text


@pytest.mark.parametrize(("loop", "first"), [("/belfold/?oldal={}", "/belfold/"), ("/en/latest?page={}", "/en/latest?page=1")])
def test_behind_the_last_page_the_first_comes_again(portal: ExamplePortal, ask: Ask, loop: str, first: str) -> None:
    last = portal.page_counts["belfold" if "belfold" in loop else "english"]
    titles = ask(first).text.partition('class="lista"')[2].partition("list ends here")[0]
    portal.switch_on("paging-loop")
    assert loop.format(last + 1) in ask(loop.format(last)).text
    again = ask(loop.format(last + 1)).text
    assert titles
    assert titles in again


@pytest.mark.parametrize(("name", "difference"), [("sliding-archive", -10), ("growing-archive", 10)])
def test_the_archive_moves_while_it_is_read(name: str, difference: int, portal: ExamplePortal, ask: Ask) -> None:
    portal.publish(20, "deutsch")
    before = portal.articles["deutsch"]
    portal.switch_on(name)
    for _ in range(15):
        ask("/de/mehr/1")
    after = portal.articles["deutsch"]
    assert len(after) - len(before) == difference
    assert all(ask(url).status == 200 for url in {*before, *after})


def test_a_changed_layout_has_the_links_but_not_the_names(portal: ExamplePortal, ask: Ask) -> None:
    portal.switch_on("changed-layout")
    page = ask("/belfold/").text
    assert portal.articles["belfold"][0].removeprefix(portal.home) in page
    assert "teaser" not in page


@pytest.mark.parametrize(
    ("name", "found"), [("off-host-links", "https://elsewhere.example/story/1"), ("non-http-links", "javascript:void(0)")]
)
def test_archive_pages_list_what_is_not_ours(portal: ExamplePortal, ask: Ask, name: str, found: str) -> None:
    assert found not in ask("/belfold/").text
    portal.switch_on(name)
    assert f'<article class="teaser"><h2><a href="{found}"' in ask("/belfold/").text


def test_a_flood_of_links(portal: ExamplePortal, ask: Ask) -> None:
    portal.switch_on("link-flood")
    assert ask(SECOND_PAGE, most=50_000_000, patience=60).text.count('class="teaser"') > 100_000


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("robots-disallow", "Disallow: /kultura/cikk/"),
        ("robots-disallow-all", "Disallow: /"),
        ("robots-delay", "Crawl-delay: 1"),
        ("robots-long", "Disallow: /"),
    ],
)
def test_robots_txt_says_otherwise(portal: ExamplePortal, ask: Ask, name: str, line: str) -> None:
    portal.switch_on(name)
    text = ask("/robots.txt").text
    assert line in text.split("\n")
    assert text.index(line) > 512_000 or name != "robots-long"


def test_a_switch_can_be_set_for_chosen_urls(portal: ExamplePortal, ask: Ask) -> None:
    portal.switch_on("403", portal.articles["english"][0], "/forum/*")
    assert ask(portal.articles["english"][0]).status == 403
    assert ask("/forum/?lap=1").status == 403
    assert ask(ONE).status == 200
    assert portal.touched("403") == 2


def test_the_last_switch_wins(portal: ExamplePortal, ask: Ask) -> None:
    portal.switch_on("403")
    portal.switch_on("gone")
    assert ask(ONE).status == 410
    portal.switch_off("gone")
    assert ask(ONE).status == 403


def test_every_switch_explains_itself() -> None:
    assert all(switch.meaning and name == switch.name for name, switch in SWITCHES.items())
    tested = Path(__file__).read_text("utf-8")
    assert [name for name in SWITCHES if f'"{name}"' not in tested] == []
