"""Archived pages answer like live ones."""

from __future__ import annotations

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
