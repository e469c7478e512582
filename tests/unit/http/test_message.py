"""HTTP as it was stored, good or bad."""

from __future__ import annotations

import pytest

from webarticlecurator.http.message import ResponseReader, header, parse_request, parse_response, redact, status_of


@pytest.mark.parametrize(
    ("block", "status", "entity", "fault"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", 200, b"hi", None),
        (b"HTTP/1.0 404 Not Found\r\n\r\nhi", 404, b"hi", None),
        (b"HTTP/1.1 200\r\n\r\n", 200, b"", None),
        (b"HTTP/1.1 200 OK\nA: b\n\nhi", 200, b"hi", None),
        (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nhi", 200, b"hi", None),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n", 200, b"hi", None),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n", 200, b"hi", "ended inside the chunked body"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n<html>", 200, b"<html>", None),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhi", 200, b"hi", "cut: 2 of 9 bytes came"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nhi", 200, b"hi", "goes on after the end"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nhi", 200, b"hi", 'Content-Length "2, 3"'),
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


CUT = "the connection ended inside the chunked body"


@pytest.mark.parametrize(
    ("body", "entity", "fault"),
    [
        (b"3;x=y\r\nabc\r\n0\r\n\r\n", b"abc", None),
        (b"3\nabc\n0\n\n", b"abc", None),
        (b" 3 \r\nabc\r\n0\r\nX-Trailer: 1\r\n\r\n", b"abc", None),
        (b"3\r\nabc\r\n0\r\n\r\n\r\n", b"abc", None),
        (b"3\r\nab", b"ab", CUT),
        (b"3\r\nabc\r\n0\r\nX-Trailer: 1\r\n", b"abc", CUT),
        (b"fffffffffffffff\r\nab", b"ab", CUT),
        (b"3", b"", CUT),
        (b"", b"", CUT),
        (b"3\r\nabc\r\n-1\r\n", b"abc", "a size that is none"),
        (b"1\r\na\r\n2\r\nabc\r\n0\r\n\r\n", b"aab", "longer than its size"),
        (b"1\r\na\r\n" + b"0" * 5000, b"a", "has no end"),
        (b"3\r\nabc\r\n0\r\n\r\nmore", b"abc", "goes on after the end"),
        (b"a page that some program took out of its chunks", b"a page that some program took out of its chunks", None),
    ],
)
def test_chunks_are_undone_as_far_as_they_go(body, entity, fault):
    response = parse_response(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + body)
    assert response is not None
    assert response.entity == entity
    assert (fault in (response.fault or "")) if fault else response.fault is None


def test_a_coding_beside_the_chunks_is_told_and_the_chunks_are_undone():
    response = parse_response(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
    assert response is not None
    assert (response.entity, response.fault) == (b"abc", 'transfer coding "gzip, chunked"')


def test_a_stray_line_end_after_the_body_is_no_part_of_it():
    response = parse_response(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi\r\n")
    assert response is not None
    assert (response.entity, response.fault) == (b"hi", None)


def test_header_lines_keep_order_case_and_repetition():
    head = b"HTTP/1.1 200 OK\nsET-cookie: a=1\nSet-Cookie :b=2\nX-Folded: one\n  two\nno header at all\nBad Name: x\n\n"
    response = parse_response(head)
    assert response is not None
    assert response.headers == (("sET-cookie", "a=1"), ("Set-Cookie", "b=2"), ("X-Folded", "one two"))


@pytest.mark.parametrize(("raw", "value"), [("ő".encode(), "ő"), (b"\xe9", "é")])
def test_header_values_are_read_as_utf8_or_latin1(raw, value):
    response = parse_response(b"HTTP/1.1 200 OK\r\nX: " + raw + b"\r\n\r\n")
    assert response is not None
    assert header(response.headers, "x") == value


@pytest.mark.parametrize(
    ("head", "kept"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", True),
        (b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", False),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", False),
        (b"HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 0\r\n\r\n", True),
    ],
)
def test_the_head_says_whether_the_connection_may_be_kept(head, kept):
    reader = ResponseReader(data=head)
    reader.advance()
    assert reader.head is not None
    assert reader.head.keeps_connection is kept


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


@pytest.mark.parametrize("folded", [b" c=hush", b"no header\r\n c=hush", b"\re: no header\r\n c=hush"])
def test_a_secret_that_goes_on_in_a_folded_line_is_replaced_whole(folded):
    block = b"GET / HTTP/1.1\r\nCookie: a=b;\r\n" + folded + b"\r\nHost: x\r\n\r\n"
    assert redact(block) == (b"GET / HTTP/1.1\r\nCookie: [redacted]\r\nHost: x\r\n\r\n", ("Cookie",))
