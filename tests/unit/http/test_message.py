"""HTTP as it was stored, good or bad."""

from __future__ import annotations

import pytest

from webarticlecurator.http.message import dechunk, parse_request, parse_response, redact, status_of


@pytest.mark.parametrize(
    ("block", "status", "entity", "fault"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", 200, b"hi", None),
        (b"HTTP/1.0 404 Not Found\r\n\r\nhi", 404, b"hi", None),
        (b"HTTP/1.1 200\r\n\r\n", 200, b"", None),
        (b"HTTP/1.1 200 OK\nA: b\n\nhi", 200, b"hi", None),
        (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nhi", 200, b"hi", None),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n", 200, b"hi", None),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n", 200, b"hi", "closing chunk"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n<html>", 200, b"<html>", None),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhi", 200, b"hi", "says 9, its body has 2"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nhi", 200, b"hi", "says 1"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nhi", 200, b"hi", "several lengths"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nhi", 200, b"hi", None),
        (b"HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", 304, b"", None),
    ],
)
def test_responses_are_taken_apart(block, status, entity, fault):
    response = parse_response(block)
    assert response is not None
    assert (response.status, response.entity) == (status, entity)
    assert status_of(block) == status
    assert (fault in (response.fault or "")) if fault else response.fault is None


@pytest.mark.parametrize("block", [b"", b"hello", b"HTTP/1.1 2000 OK\r\n\r\n", b"SSH-2.0\r\n\r\n", b"HTTP/1.1 200 OK\r\nA: b"])
def test_what_is_no_response_is_none(block):
    assert parse_response(block) is None
    assert status_of(block) is None


def test_an_answer_to_head_has_no_body():
    response = parse_response(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", "HEAD")
    assert response is not None
    assert response.fault is None


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"3;x=y\r\nabc\r\n0\r\n\r\n", (b"abc", None)),
        (b"3\nabc\n0\n\n", (b"abc", None)),
        (b"3\r\nab", (b"ab", "the last chunk is cut")),
        (b"fffffffffffffff\r\nab", (b"ab", "the last chunk is cut")),
        (b"", (b"", "the closing chunk is missing")),
    ],
)
def test_chunks_are_undone_as_far_as_they_go(body, expected):
    assert dechunk(body) == expected


@pytest.mark.parametrize(
    ("block", "method"), [(b"POST /a HTTP/1.1\r\nHost: x\r\n\r\nq=1", "POST"), (b"GET  / HTTP/1.1\r\n\r\n", None), (b"\x16\x03", None)]
)
def test_requests_are_taken_apart(block, method):
    request = parse_request(block)
    assert (request.method if request else None) == method


def test_secrets_of_a_foreign_request_are_replaced():
    block = b"GET / HTTP/1.1\r\nCookie: a=b\r\nHost: x\r\nauthorization: Basic eA==\r\n\r\nCookie: body"
    expected = b"GET / HTTP/1.1\r\nCookie: [redacted]\r\nHost: x\r\nauthorization: [redacted]\r\n\r\nCookie: body"
    assert redact(block, frozenset({"cookie", "authorization"})) == (expected, ("Cookie", "authorization"))
