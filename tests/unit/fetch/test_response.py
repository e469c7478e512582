"""Responses are read as they come: whole, cut, chunked, wrong, and in pieces of any size."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webarticlecurator.fetch.response import Fault, Limits, Received, read_response

PLAIN = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nhello"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x=1\r\nhello\r\n6\r\n world\r\n0\r\nX-Trailer: 1\r\n\r\n"


def read(*pieces: bytes, method: str = "GET", **limits: int) -> Received:
    left = list(pieces)

    def receive() -> bytes:
        return left.pop(0) if left else b""

    return read_response(receive, method, Limits(**limits))


def fault_of(response: Received) -> Fault | None:
    return response.failure.fault if response.failure else None


def entity_of(received: Received) -> bytes:
    return received.response.entity if received.response else b""


def cut(data: bytes, places: Iterable[int]) -> list[bytes]:
    edges = [0, *sorted(places), len(data)]
    return [piece for start, end in pairwise(edges) if (piece := data[start:end])]


@pytest.mark.parametrize(("sent", "entity"), [(PLAIN, b"hello"), (CHUNKED, b"hello world")])
@given(places=st.sets(st.integers(0, 110)))
def test_how_the_bytes_are_cut_into_packets_changes_nothing(sent: bytes, entity: bytes, places: set[int]) -> None:
    received = read(*cut(sent, (place for place in places if place < len(sent))))
    assert (received.raw, entity_of(received), received.failure, received.keeps_connection) == (sent, entity, None, True)


@pytest.mark.parametrize("sent", [PLAIN, CHUNKED])
def test_whatever_is_missing_at_the_end_is_noticed(sent: bytes) -> None:
    for end in range(1, len(sent)):
        response = read(sent[:end])
        assert fault_of(response) is Fault.CUT, sent[:end]
        assert response.raw == sent[:end]
        assert b"hello world".startswith(entity_of(response))


def test_a_body_without_length_goes_on_to_the_end_of_the_connection() -> None:
    response = read(b"HTTP/1.0 200 OK\r\n\r\n", b"he", b"llo")
    assert (entity_of(response), response.keeps_connection, response.failure) == (b"hello", False, None)


@pytest.mark.parametrize("status", [204, 304])
def test_some_statuses_have_no_body_whatever_their_head_says(status: int) -> None:
    response = read(b"HTTP/1.1 %d X\r\nContent-Length: 1234\r\n\r\n" % status)
    assert (entity_of(response), response.failure) == (b"", None)


def test_an_answer_to_head_has_no_body() -> None:
    assert read(b"HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n", method="HEAD").failure is None


def test_interim_responses_are_messages_of_their_own() -> None:
    response = read(b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n" + PLAIN)
    assert (response.raw, entity_of(response)) == (PLAIN, b"hello")


@pytest.mark.parametrize(
    "sent",
    [
        b"hello, I am no web server\r\n\r\n",
        b"\x16\x03\x01\x02\x00",
        b"HTTP/1.1 abc OK\r\n\r\n",
        b"HTTP/2.0 200 OK\r\n\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1_0\r\n\r\nhello",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhello\r\n0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"0" * 5000,
    ],
)
def test_what_is_not_http_is_garbage(sent: bytes) -> None:
    response = read(sent)
    assert fault_of(response) is Fault.GARBAGE
    assert not response.keeps_connection


def test_equal_lengths_may_be_repeated() -> None:
    assert read(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello").failure is None


@pytest.mark.parametrize("sent", [PLAIN, CHUNKED])
def test_a_body_that_goes_on_after_its_end_is_too_long(sent: bytes) -> None:
    response = read(sent + b"<p>more</p>")
    assert (fault_of(response), response.raw) == (Fault.LONG, sent + b"<p>more</p>")


def test_a_stray_line_end_after_the_body_harms_nobody_but_the_connection() -> None:
    response = read(PLAIN + b"\r\n")
    assert (response.failure, response.raw, response.keeps_connection) == (None, PLAIN + b"\r\n", False)


@pytest.mark.parametrize(
    "pieces",
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 200000000\r\n\r\n", b"x" * 100),
        (b"HTTP/1.1 200 OK\r\n\r\n", *([b"x" * 500] * 10)),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffff\r\n", *([b"x" * 500] * 10)),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", *([b"1\r\nx\r\n" * 50] * 10)),
        (b"HTTP/1.1 200 OK\r\n", *([b"X: y\r\n" * 500] * 40)),
        (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 300 + b"\r\n",),
        tuple([b"HTTP/1.1 100 Continue\r\n\r\n" * 500] * 10),
    ],
)
def test_everything_has_a_limit(pieces: tuple[bytes, ...]) -> None:
    response = read(*pieces, body=1000)
    assert fault_of(response) in (Fault.BIG_HEAD, Fault.TOO_BIG)
    assert len(response.raw) < 70_000


def test_the_start_of_an_announced_giant_can_be_asked_for() -> None:
    response = read(b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n", b"x" * 600, b"x" * 600, b"x" * 600, body=1000, take_start=True)
    assert (fault_of(response), len(entity_of(response))) == (Fault.TOO_BIG, 1200)


def test_a_body_nobody_wants_is_not_read() -> None:
    left = [b"HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nContent-Length: 99\r\n\r\n", b"x" * 99]
    response = read_response(lambda: left.pop(0), "GET", Limits(), lambda status, headers: (status, headers[0][1]) != (200, "video/mp4"))
    assert (fault_of(response), len(left)) == (Fault.UNWANTED, 1)


@given(st.binary(max_size=300), st.sampled_from([b"", b"HTTP/1.1 200 OK\r\n", CHUNKED[:47]]))
def test_nothing_a_server_sends_raises(noise: bytes, start: bytes) -> None:
    response = read(start + noise)
    assert response.raw == start + noise or response.failure or response.response


@pytest.mark.parametrize(
    ("error", "fault", "truncated"), [(TimeoutError(), Fault.TIME, "time"), (ConnectionResetError(104, "reset"), Fault.RESET, "disconnect")]
)
def test_how_a_connection_breaks_is_told(error: OSError, fault: Fault, truncated: str) -> None:
    left = [PLAIN[:-2]]

    def receive() -> bytes:
        if left:
            return left.pop()
        raise error

    response = read_response(receive, "GET", Limits())
    assert response.failure is not None
    assert (response.failure.fault, response.failure.truncated, entity_of(response)) == (fault, truncated, b"hel")
