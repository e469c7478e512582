"""Archived pages answer like live ones."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from io import BytesIO

import pytest
from arc_files import arc_file, arc_record
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from webarticlecurator.model.capture import Request
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.warc.source import WarcSource
from webarticlecurator.warc.store import Series

NOT_FOUND = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"


@pytest.fixture
def ask(store, folder):
    """Put entries into a WARC and ask for a URL."""

    def ask_for(entries, request):
        store.append(Series.ARTICLES, entries)
        source = WarcSource(folder.iterdir())
        try:
            return source.fetch(Request(url=request) if isinstance(request, str) else request)
        finally:
            source.close()

    return ask_for


@pytest.mark.parametrize("asked", ["https://pelda.example/a%2Fb?q={1}", "HTTPS://PELDA.example:443/a%2fb?q={1}#part"])
def test_a_page_is_found_by_its_url_as_given_and_normalised(ask, make_entry, asked):
    fetched = ask([make_entry("https://pelda.example/a%2Fb?q={1}", body=b"page")], asked)
    assert fetched.verdict.outcome is FetchOutcome.FETCHED
    assert fetched.capture.entity == b"page"
    assert fetched.capture.requested_url == asked


def test_the_newest_whole_page_wins_over_older_ones_and_over_errors(ask, make_entry, make_exchange):
    noon = make_exchange().started
    entries = [
        make_entry(body=b"new", started=noon + timedelta(hours=1)),
        make_entry(body=b"old", started=noon),
        make_entry(response_bytes=NOT_FOUND, status=404, entity=b"", started=noon + timedelta(hours=2)),
        make_entry(body=b"cut", truncated="disconnect", started=noon + timedelta(hours=3)),
    ]
    assert ask(entries, "https://pelda.example/a").capture.entity == b"new"


@pytest.mark.parametrize(
    ("changes", "outcome", "reason"),
    [
        ({"response_bytes": NOT_FOUND}, FetchOutcome.GONE, "HTTP 404"),
        ({"response_bytes": b"HTTP/1.1 503 Busy\r\n\r\n"}, FetchOutcome.ERROR, "HTTP 503"),
        ({"truncated": "time"}, FetchOutcome.ERROR, "not whole"),
    ],
)
def test_stored_failures_are_verdicts(ask, make_entry, changes, outcome, reason):
    fetched = ask([make_entry(**changes)], "https://pelda.example/a")
    assert (fetched.verdict.outcome, fetched.capture) == (outcome, None)
    assert reason in fetched.verdict.reason


def test_what_is_not_there_is_said_to_be_missing(ask, make_entry):
    fetched = ask([make_entry()], "https://pelda.example/other")
    assert (fetched.verdict.outcome, fetched.verdict.reason) == (FetchOutcome.ERROR, "not in the WARC files")


def redirect(location: str) -> bytes:
    return f"HTTP/1.1 301 Moved\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n".encode()


def test_stored_redirects_are_followed(ask, make_entry):
    entries = [
        make_entry("https://pelda.example/old", response_bytes=redirect("/new"), status=301),
        make_entry("https://pelda.example/new", body=b"there"),
    ]
    fetched = ask(entries, "https://pelda.example/old")
    assert (fetched.capture.url, fetched.capture.requested_url, fetched.capture.entity) == (
        "https://pelda.example/new", "https://pelda.example/old", b"there",
    )  # fmt: skip
    assert [exchange.status for exchange in fetched.exchanges] == [301, 200]
    assert fetched.final_url == "https://pelda.example/new"


def test_a_stored_redirect_loop_ends(ask, make_entry):
    fetched = ask([make_entry("https://pelda.example/a", response_bytes=redirect("/a"), status=301)], "https://pelda.example/a")
    assert "redirects" in fetched.verdict.reason


def test_a_post_is_told_from_a_get_and_from_another_post(ask, make_entry):
    def post(body: bytes):
        request = Request(url="https://pelda.example/a", method="POST", body=body)
        asked = b"POST /a HTTP/1.1\r\nHost: pelda.example\r\n\r\n" + body
        return make_entry(request=request, request_bytes=asked, body=b"answer to " + body)

    entries = [make_entry(body=b"answer to get"), post(b"page=1"), post(b"page=2")]
    asked = Request(url="https://pelda.example/a", method="POST", body=b"page=1")
    assert ask(entries, asked).capture.entity == b"answer to page=1"


def test_a_revisit_gives_the_page_that_it_stands_for(store, folder, make_entry, make_exchange):
    (first,) = store.append(Series.ARTICLES, [make_entry(body=b"page")])
    later = make_exchange().started + timedelta(days=1)
    store.append(Series.ARTICLES, [make_entry(body=b"page", started=later, revisit_of=first.response)])
    store.close()
    source = WarcSource(folder.iterdir())
    assert source.fetch(Request(url="https://pelda.example/a")).capture.entity == b"page"
    source.close()


def test_a_foreign_file_without_requests_answers_too(tmp_path):
    path = tmp_path / "x.warc"
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=False)
        headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.0")
        record = writer.create_warc_record("http://a.example/", "response", payload=BytesIO(b"hi"), http_headers=headers)
        writer.write_record(record)
    source = WarcSource([path])
    assert source.fetch(Request(url="http://a.example/")).capture.entity == b"hi"
    source.close()


@pytest.mark.parametrize("packed", ["plain", "members", "one member"])
def test_an_arc_file_answers_too(tmp_path, packed):
    path = tmp_path / "x.arc"
    path.write_bytes(arc_file([arc_record("http://a.example/1"), arc_record("http://a.example/2")], packed=packed))
    source = WarcSource([path])
    assert source.fetch(Request(url="http://a.example/2")).capture.entity == b"<p>hi</p>"
    source.close()


def test_what_a_browser_showed_goes_before_what_came(ask, make_entry, shown_entry):
    fetched = ask([make_entry(body=b"shell"), shown_entry("https://pelda.example/a", b"<p>shown")], "https://pelda.example/a")
    assert (fetched.capture.entity, fetched.capture.is_rendered) == (b"<p>shown", True)
    assert fetched.capture.header("Content-Type") == "text/html; charset=utf-8"
    assert (fetched.rendered.browser, fetched.rendered.step, fetched.rendered.end) == ("Chromium 1.2.3", 0, None)


def test_each_step_of_a_page_that_grows_answers_for_itself(ask, shown_entry):
    url = "https://pelda.example/a"
    entries = [
        shown_entry(url, b"<p>0"),
        shown_entry(url, b"<p>1", step=1, alone=True),
        shown_entry(url, b"", step=2, alone=True, end="no more"),
    ]
    assert ask(entries[:2], Request(url=url, step=1)).capture.entity == b"<p>1"
    last = ask(entries[2:], Request(url=url, step=2))
    assert (last.capture.entity, last.rendered.end, last.exchanges) == (b"", "no more", ())
    assert ask([], Request(url=url, step=3)).verdict.reason == "not in the WARC files"


def test_a_page_that_grows_may_lie_behind_a_redirect(ask, make_entry, shown_entry):
    moved = {"response_bytes": b"HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n", "status": 302, "entity": b""}
    there = shown_entry("https://pelda.example/b", b"<p>7", step=7)
    fetched = ask([make_entry("https://pelda.example/a", **moved), there], Request(url="https://pelda.example/a", step=7))
    assert (fetched.capture.entity, fetched.final_url) == (b"<p>7", "https://pelda.example/b")


def test_where_scripts_led_it_is_found_by_what_was_asked_for(ask, make_entry, shown_entry):
    shown = shown_entry("https://pelda.example/app", b"<p>shown", asked="https://pelda.example/a")
    fetched = ask([make_entry("https://pelda.example/a", body=b"a script that leads on"), shown], "https://pelda.example/a")
    assert (fetched.capture.entity, fetched.capture.url) == (b"<p>shown", "https://pelda.example/app")


def test_what_could_not_be_shown_is_an_error_with_its_reason(ask, shown_entry):
    shown = shown_entry("https://pelda.example/a", b"<p>loading")
    shown = replace(shown, event={**shown.event, "outcome": "error", "reason": "it never came"})
    fetched = ask([shown], "https://pelda.example/a")
    assert (fetched.verdict.outcome, fetched.verdict.reason, fetched.capture) == (FetchOutcome.ERROR, "it never came", None)
